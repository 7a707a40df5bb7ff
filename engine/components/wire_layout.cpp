#include "engine/components/wire_layout.h"

#include "engine/components/network_wire.h"

namespace sbx {

std::size_t WireLayout::fieldAt(std::size_t byte) const {
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (byte >= fields[i].begin && byte < fields[i].end)
            return i;
    return fields.size();
}

WireLayout wireLayout(const FieldTable& fields, const void* object, const EntityToWire& toWire) {
    WireLayout layout;
    wire::Room room{};
    net::ByteWriter out(room);
    for (const FieldInfo& field : fields) {
        const std::size_t begin = out.size();
        if (layout.whole)
            writeWireField(out, field, object, toWire);
        layout.whole = layout.whole && out.ok();
        layout.fields.push_back({begin, layout.whole ? out.size() : begin});
        if (layout.whole)
            layout.bytes.assign(out.written().begin(), out.written().end());
    }
    return layout;
}

} // namespace sbx
