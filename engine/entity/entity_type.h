#pragma once
// An entity type, preprocessed once from the definition file: which components with which settings, where each lies in the
// entity's block, and which handlers a message meets. Immutable; entities share it.

#include "engine/core/math.h"
#include "engine/entity/component_type.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx {

struct EntityTypeInfo {
    std::string name;
    std::string doc;
    std::string icon;
    Vec4 color{1.0F};
};

// A component of the type with its settings as the definition says.
struct ComponentSpec {
    const ComponentType* type = nullptr;
    std::shared_ptr<const void> settings; // a Settings of that type
};

class EntityType {
public:
    struct Slot {
        const ComponentType* type = nullptr;
        std::shared_ptr<const void> settings;
        std::size_t offset = 0; // bytes from the start of the block
    };

    // Components in file order. Blocks are laid out by falling alignment, then size; dispatch keeps file order.
    EntityType(EntityTypeInfo info, std::vector<ComponentSpec> components);

    [[nodiscard]] const EntityTypeInfo& info() const { return m_info; }
    [[nodiscard]] const std::string& name() const { return m_info.name; }
    // In file order.
    [[nodiscard]] const std::vector<Slot>& layout() const { return m_slots; }
    [[nodiscard]] std::size_t blockSize() const { return m_blockSize; }
    [[nodiscard]] std::size_t blockAlignment() const { return m_blockAlignment; }
    // Side::Client or Side::Server.
    [[nodiscard]] const DispatchTable& dispatch(Side side) const {
        return side == Side::Client ? m_clientDispatch : m_serverDispatch;
    }
    // Where in the block the first component lies that is a T or derived from it (by ComponentType::classes); -1: none.
    [[nodiscard]] std::ptrdiff_t offsetOf(const std::type_info& type) const;
    [[nodiscard]] bool handles(MessageTypeId message, Side side) const {
        return !dispatch(side).handlers(message).empty();
    }

private:
    EntityTypeInfo m_info;
    std::vector<Slot> m_slots;
    std::vector<ComponentClass> m_classes; // each once, of the first component in file order
    std::size_t m_blockSize = 0;
    std::size_t m_blockAlignment = 1;
    DispatchTable m_clientDispatch;
    DispatchTable m_serverDispatch;
};

} // namespace sbx
