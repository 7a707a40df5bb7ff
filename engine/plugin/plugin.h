#pragma once
// A plugin: components of your own in a shared library, built outside and named by `plugins` in project.toml.
//
//     #include "engine/plugin/plugin.h"
//     class Spring : public sbx::Component { … };
//     SIGNALBOX_PLUGIN(Spring, Switch)
//
// The line stands once in a library, outside any namespace; the last part of a class's name is the
// component's name in files. Build it with signalbox_add_plugin() of the package Signalbox: it sets what a
// library needs that is loaded anew after every rebuild (see resources/manual/plugins.md).
//
// The library carries a stamp that says which engine it was built for. The engine reads it from the file
// before any of its code runs, and refuses a library with another.

#include "engine/components/physics_system.h"
#include "engine/components/visual_system.h"
#include "engine/entity/component_type.h"
#include "engine/entity/world.h"
#include "engine/plugin/engine_stamp.h"

#include <array>
#include <string_view>

namespace sbx {

// Raised by hand when a plugin of the same headers would still not fit: an old function means something else.
inline constexpr int PluginInterface = 1;

// One text, line by line `key=value`, between marks that can be found in a file.
struct PluginStamp {
    std::array<char, 512> text{};
};

namespace plugin_detail {

inline constexpr std::string_view StampBegin = "\x01SIGNALBOX-PLUGIN-STAMP\n";
inline constexpr char StampEnd = '\x04';

class StampWriter {
public:
    constexpr void add(std::string_view text) {
        for (const char c : text)
            m_stamp.text.at(m_size++) = c;
    }
    constexpr void add(char c) { m_stamp.text.at(m_size++) = c; }
    constexpr void add(unsigned long long number) {
        char digits[24] = {};
        int count = 0;
        do
            digits[count++] = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        while (count > 0)
            add(digits[--count]);
    }
    constexpr void line(std::string_view key, std::string_view value) {
        add(key);
        add('=');
        add(value);
        add('\n');
    }
    [[nodiscard]] constexpr PluginStamp stamp() const { return m_stamp; }

private:
    PluginStamp m_stamp;
    std::size_t m_size = 0;
};

// Compiler settings that no header shows may still lay objects out differently: these sizes tell.
template <typename... T> constexpr unsigned long long layoutOf() {
    unsigned long long hash = 1469598103934665603ULL;
    ((hash = (hash ^ (sizeof(T) * 64 + alignof(T))) * 1099511628211ULL), ...);
    return hash;
}

} // namespace plugin_detail

// Of the code that includes this header: the engine, or a plugin.
constexpr PluginStamp makePluginStamp() {
    plugin_detail::StampWriter out;
    out.add(plugin_detail::StampBegin);
    out.line("engine", EngineVersion);
    out.line("headers", EngineHeaders);
    out.add("interface=");
    out.add(static_cast<unsigned long long>(PluginInterface));
    out.add("\ncompiler=");
#ifdef __GXX_ABI_VERSION
    out.add("C++ ABI ");
    out.add(static_cast<unsigned long long>(__GXX_ABI_VERSION));
#else
    out.add("unknown C++ ABI");
#endif
#ifdef __GLIBCXX__
    out.add(", libstdc++ strings ");
    out.add(static_cast<unsigned long long>(_GLIBCXX_USE_CXX11_ABI));
#else
    out.add(", not libstdc++");
#endif
    out.add("\nlayout=");
    out.add(plugin_detail::layoutOf<bool, long, long double, void*, std::string, std::vector<int>,
                                    std::shared_ptr<int>, std::function<void()>, Vec3, Quat, Pose, Value,
                                    EntityId, FieldInfo, FieldTable, MessageType, Envelope, Component,
                                    ComponentType, World>());
    out.add('\n');
    out.add(plugin_detail::StampEnd);
    return out.stamp();
}

// Exported by the engine: its address shows whether a plugin is linked with the engine that loads it or with
// a copy of its own.
extern const int EngineMark;

// What a plugin registers with. Made by the engine, on the thread that loads.
class PluginRegistrar {
public:
    // `taken` returns who has a name already ("the engine", a plugin), or nothing.
    PluginRegistrar(ComponentRegistry& registry, std::function<std::string(std::string_view)> taken)
        : m_registry(registry), m_taken(std::move(taken)) {}

    template <typename T> void component(std::string_view name) {
        if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos)
            name.remove_prefix(colon + 1);
        if (accepts(name, &EngineMark))
            m_registry.registerComponent<T>(std::string(name));
    }
    // What was wrong first; empty: nothing.
    [[nodiscard]] const std::string& fault() const { return m_fault; }

private:
    bool accepts(std::string_view name, const int* mark);

    ComponentRegistry& m_registry;
    std::function<std::string(std::string_view)> m_taken;
    std::string m_fault;
};

inline constexpr char PluginEntryName[] = "signalbox_plugin_register";
using PluginEntry = void (*)(PluginRegistrar&);

#ifdef SIGNALBOX_PLUGIN_BUILD
inline constexpr bool BuiltAsPlugin = true;
#else
inline constexpr bool BuiltAsPlugin = false;
#endif

} // namespace sbx

// Registers each class of a list, of any length up to 64: __VA_OPT__ lets a macro go on with the rest.
#define SBX_PLUGIN_PARENS ()
#define SBX_PLUGIN_EXPAND(...)                                                                               \
    SBX_PLUGIN_EXPAND_2(SBX_PLUGIN_EXPAND_2(SBX_PLUGIN_EXPAND_2(SBX_PLUGIN_EXPAND_2(__VA_ARGS__))))
#define SBX_PLUGIN_EXPAND_2(...)                                                                             \
    SBX_PLUGIN_EXPAND_1(SBX_PLUGIN_EXPAND_1(SBX_PLUGIN_EXPAND_1(SBX_PLUGIN_EXPAND_1(__VA_ARGS__))))
#define SBX_PLUGIN_EXPAND_1(...)                                                                             \
    SBX_PLUGIN_EXPAND_0(SBX_PLUGIN_EXPAND_0(SBX_PLUGIN_EXPAND_0(SBX_PLUGIN_EXPAND_0(__VA_ARGS__))))
#define SBX_PLUGIN_EXPAND_0(...) __VA_ARGS__
#define SBX_PLUGIN_EACH(first, ...)                                                                          \
    registrar.component<first>(#first);                                                                      \
    __VA_OPT__(SBX_PLUGIN_EACH_AGAIN SBX_PLUGIN_PARENS(__VA_ARGS__))
#define SBX_PLUGIN_EACH_AGAIN() SBX_PLUGIN_EACH

#define SIGNALBOX_PLUGIN(...)                                                                                \
    static_assert(sbx::BuiltAsPlugin, "a plugin is built with signalbox_add_plugin()");                      \
    extern "C" __attribute__((visibility("default"), used)) const sbx::PluginStamp signalbox_plugin_stamp;   \
    const sbx::PluginStamp signalbox_plugin_stamp = sbx::makePluginStamp();                                  \
    extern "C" __attribute__((visibility("default"))) void signalbox_plugin_register(                        \
        sbx::PluginRegistrar& registrar) {                                                                   \
        SBX_PLUGIN_EXPAND(SBX_PLUGIN_EACH(__VA_ARGS__))                                                      \
    }
