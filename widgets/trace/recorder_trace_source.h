#pragma once
// A TraceSource over a recorder and a reader of it. Changes of the record mask go out through a function,
// because the recorder belongs to the simulation thread. GUI thread; the recorder must outlive it.

#include "widgets/trace/trace_source.h"

#include <functional>
#include <utility>

namespace sbx::ui {

class RecorderTraceSource : public TraceSource {
public:
    using MaskRequest = std::function<void(MessageTypeId type, bool recorded)>;

    RecorderTraceSource(const Recorder& recorder, std::shared_ptr<RecordReader> reader, MaskRequest request,
                        std::function<double()> ticksPerSecond);

    // Where life() asks; the world by its name.
    using Lives = std::function<std::optional<EntityLife>(std::string_view world, EntityId entity)>;
    void setLives(Lives lives) { m_lives = std::move(lives); }

    // Where handlersOf() asks.
    using Handlers = std::function<std::vector<std::string>(MessageTypeId type)>;
    void setHandlers(Handlers handlers) { m_handlers = std::move(handlers); }

    // Where componentsOf() asks; the world by its name.
    using Components =
        std::function<std::optional<std::vector<std::string>>(std::string_view world, EntityId entity)>;
    void setComponents(Components components) { m_components = std::move(components); }

    // Where codeOf() asks.
    using Code = std::function<std::optional<CodeLine>(std::string_view component, MessageTypeId type)>;
    void setCode(Code code) { m_code = std::move(code); }

    void poll(std::vector<std::shared_ptr<const RecordSegment>>& out) override;
    [[nodiscard]] std::uint64_t missed() const override { return m_reader->missed(); }
    [[nodiscard]] const NameTable& names() const override { return m_recorder.names(); }
    [[nodiscard]] std::string_view worldName(std::uint8_t world) const override {
        return m_recorder.worldName(world);
    }
    [[nodiscard]] double ticksPerSecond() const override { return m_ticksPerSecond(); }
    [[nodiscard]] std::optional<EntityLife> life(std::uint8_t world, EntityId entity) const override {
        return m_lives ? m_lives(worldName(world), entity) : std::nullopt;
    }
    [[nodiscard]] std::vector<std::string> handlersOf(MessageTypeId type) const override {
        return m_handlers ? m_handlers(type) : std::vector<std::string>();
    }
    [[nodiscard]] std::optional<std::vector<std::string>> componentsOf(std::uint8_t world,
                                                                       EntityId entity) const override {
        return m_components ? m_components(worldName(world), entity) : std::nullopt;
    }
    [[nodiscard]] std::optional<CodeLine> codeOf(std::string_view component,
                                                 MessageTypeId type) const override {
        return m_code ? m_code(component, type) : std::nullopt;
    }
    [[nodiscard]] std::string json(const RecordView& record, const EntityNamer& entityName) const override;
    [[nodiscard]] bool isRecorded(MessageTypeId type) const override;
    void requestRecorded(MessageTypeId type, bool recorded) override;

private:
    const Recorder& m_recorder;
    std::shared_ptr<RecordReader> m_reader;
    MaskRequest m_request;
    Lives m_lives;
    Handlers m_handlers;
    Components m_components;
    Code m_code;
    std::function<double()> m_ticksPerSecond;
    std::vector<std::uint8_t> m_mask; // by type id: 0 default, 1 no, 2 yes
};

} // namespace sbx::ui
