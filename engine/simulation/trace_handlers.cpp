#include "engine/simulation/trace_handlers.h"

#include <utility>

namespace sbx {

TraceReader::HandlerLookup traceHandlers(std::shared_ptr<const Catalog> catalog) {
    return [catalog = std::move(catalog)](std::string_view component, MessageTypeId type) -> std::optional<TraceReader::KnownHandler> {
        const ComponentType* const known = catalog->find(component);
        if (known == nullptr)
            return std::nullopt;
        for (const HandlerDescription& handler : known->handlers)
            if (handler.message == type)
                return TraceReader::KnownHandler{handler.priority, known->observer};
        return std::nullopt;
    };
}

} // namespace sbx
