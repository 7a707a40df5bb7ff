// A session's part in the network: what both ends must share, and the console's words for it.

#include "engine/components/network_system.h"
#include "engine/session/catalog.h"
#include "engine/session/session.h"
#include "engine/session/shared_content.h"

namespace sbx {

SharedContent Session::sharedContent() const {
    return {NetworkTable(m_catalog->components), m_content.get()};
}

net::ProtocolIdentity Session::networkIdentity() const { return sharedContent().identity(); }

void Session::joinNetwork(NetworkSetup setup) {
    setup.table = std::make_shared<const NetworkTable>(m_catalog->components);
    if (setup.recorder == nullptr)
        setup.recorder = &m_netRecorder;
    if (setup.peerName.empty())
        setup.peerName = setup.role == NetworkSystem::Role::Server ? "server" : setup.playerName;
    setup.make = [this](const std::string& type, const std::string& name) {
        const definition::InstanceDefinition* instance = m_content ? m_content->scene.find(name) : nullptr;
        if (instance != nullptr && instance->type == type)
            return makeRequest(*instance);
        SpawnRequest request;
        request.type = m_world->findType(type);
        return request;
    };
    if (!setup.limits)
        setup.limits = [this] { return m_limitCVars.limits(); };
    const bool client = setup.role == NetworkSystem::Role::Client;
    if (client)
        setup.setting = [this](const std::string& name, const std::string& text) -> Result<void> {
            CVarRegistry& cvars = m_console.cvars();
            const std::optional<CVarInfo> cvar = cvars.describe(name);
            if (!cvar)
                return Error{"there is no " + name, {}, {}};
            const bool isText = cvar->field.type == FieldType::String;
            const Result<Value> value = isText ? Result<Value>(Value(text)) : cvar->field.parse(text);
            const Result<CVarOutcome> followed = value ? cvars.follow(name, *value) : Result<CVarOutcome>(value.error());
            return followed ? Result<void>() : Result<void>(followed.error());
        };
    m_network->attach(std::move(setup));
    m_console.cvars().setFollowing(client);
    m_toldSettings = 0;
}

// The values that hold on every client, after each change of any.
void Session::tellSettings() {
    CVarRegistry& cvars = m_console.cvars();
    if (m_network->role() != NetworkSystem::Role::Server || cvars.revision() == m_toldSettings)
        return;
    m_toldSettings = cvars.revision();
    for (const CVarInfo& cvar : cvars.list(true))
        if (has(cvar.flags, CVarFlags::Replicated) && !has(cvar.flags, CVarFlags::Protected))
            m_network->sendSetting(cvar.field.name, cvar.field.format(cvar.value));
}

} // namespace sbx
