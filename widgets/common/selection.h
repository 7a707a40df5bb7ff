#pragma once
// The one selection: which entities, which of them is primary, and which trace record. Every panel shows it
// and sets it.
//
// Entities are known by name, unique in their world, because names survive reload, undo, play and stop; ids
// do not. Each change carries a source hint (the panel's name, "trace", "viewport", …) so that a panel can
// tell its own change from another's and scroll only for the latter. GUI thread; one object per window,
// owned by the main window. A change costs the number of entities before and after it, contains() nothing.

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sbx::ui {

class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr);

    // In the order they were selected; without duplicates.
    [[nodiscard]] const std::vector<std::string>& entities() const { return *m_now.entities; }
    // The same list to be kept: it never changes.
    [[nodiscard]] const std::shared_ptr<const std::vector<std::string>>& sharedEntities() const { return m_now.entities; }
    // The last one selected unless setPrimary said otherwise; empty: none.
    [[nodiscard]] const std::string& primary() const { return m_now.primary; }
    [[nodiscard]] bool contains(std::string_view entity) const;
    [[nodiscard]] bool empty() const { return m_now.entities->empty(); }
    // Sequence of the selected trace record; 0: none.
    [[nodiscard]] std::uint64_t traceSequence() const { return m_now.trace; }

    // Replaces the entities; an empty `primary` (or one not among them) takes the last.
    void setEntities(std::vector<std::string> entities, const QString& source,
                     const std::string& primary = {});
    void setEntity(const std::string& entity, const QString& source);
    void add(const std::string& entity, const QString& source);
    void remove(const std::string& entity, const QString& source);
    // Those that are selected of `entities`, as one change.
    void removeAll(const std::vector<std::string>& entities, const QString& source);
    void toggle(const std::string& entity, const QString& source);
    void clear(const QString& source);
    // The entities stay. A trace panel that also wants the receiver selected calls selectTraceAndEntity.
    void setTrace(std::uint64_t sequence, const QString& source);
    void setTraceAndEntity(std::uint64_t sequence, const std::string& entity, const QString& source);

    // Another run's records have begun: no number of the earlier ones means anything, history included; no history entry of its own.
    void forgetTraces(const QString& source);
    // Follows a rename everywhere, history included; no history entry of its own.
    void rename(const std::string& from, const std::string& to);

    // The next entity that somebody selects goes to `taken`, and the selection stays as it is. `taken` is called once: with an empty name
    // if it is given up, by cancelPick(), by another request, or because the click met nothing.
    void requestPick(std::function<void(const std::string& entity)> taken);
    void cancelPick() { finishPick({}, {}); }
    [[nodiscard]] bool isPicking() const { return m_pick != nullptr; }

    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_history.size(); }

public slots:
    // Through earlier selections, as in a browser; the source is "history".
    void back();
    void forward();

signals:
    // Entities or primary are new.
    void entitiesChanged(const QString& source);
    void traceChanged(std::uint64_t sequence, const QString& source);
    void historyChanged();
    void pickingChanged(bool picking);
    // By rename().
    void renamed(const std::string& from, const std::string& to);

private:
    using Names = std::vector<std::string>;
    struct State {
        // Shared with every state that means the same: a long history of large selections is small.
        std::shared_ptr<const Names> entities = std::make_shared<const Names>();
        std::string primary;
        std::uint64_t trace = 0;
        friend bool operator==(const State& a, const State& b) {
            return (a.entities == b.entities || *a.entities == *b.entities) && a.primary == b.primary && a.trace == b.trace;
        }
    };
    void become(State next, const QString& source, bool remember);
    void replace(std::vector<std::string> entities, const QString& source, const std::string& primary);
    // Panels that show the choice already show the selection again.
    void finishPick(const std::string& entity, const QString& source);

    std::function<void(const std::string&)> m_pick;
    static constexpr std::size_t HistoryLimit = 200;
    State m_now;
    std::unordered_set<std::string_view> m_set; // of m_now's entities
    std::vector<State> m_history{State{}};
    std::size_t m_at = 0;
};

} // namespace sbx::ui
