#pragma once
// The dependency graph: the picture, a legend, what is known of one message, and the list of those that waited long. Joins them to the
// shared selection: a picked message selects its entity and, where there is one, its trace record; a record selected elsewhere is
// shown here. GUI thread; theme, source and selection must outlive it.

#include <QTimer>
#include <QWidget>

#include "widgets/graph/graph_model.h"
#include "widgets/graph/link_figures.h"

#include <cstdint>
#include <functional>
#include <optional>

class QAction;
class QLabel;
class QModelIndex;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;
class QTextBrowser;
class QToolButton;
class QTreeView;

namespace sbx::ui {

class ActionRegistry;
class EmptyState;
class GraphView;
class Selection;
class Theme;
class WaitsModel;

class GraphPanel : public QWidget {
    Q_OBJECT

public:
    GraphPanel(const Theme& theme, GraphSource& source, Selection& selection, QWidget* parent = nullptr);
    ~GraphPanel() override;

    // The button of the empty panel: starts a session with clients.
    void setPlayAction(QAction* play);
    // "graph.freeze", "graph.fit", …; after this menus of lanes can offer them.
    void addActions(ActionRegistry& registry);
    void setFrozen(bool frozen);
    // Selects it here and everywhere.
    void goTo(const GraphKey& key);
    // To the next of the long waits.
    void nextWait();
    // The trace that messages name records of. Not set: one that holds all, for ever.
    struct Trace {
        // Brings it up to now.
        std::function<void()> fetch;
        // Counts the runs that it has seen. Sequences mean something in their own run alone.
        std::function<std::uint64_t()> run;
        // What is not recorded, or gone, cannot be selected there.
        std::function<bool(std::uint64_t)> holds;
    };
    void setTrace(Trace trace) { m_trace = std::move(trace); }
    // A stretch of the trace: sequences of its records in [first, end), and its ticks.
    struct Span {
        std::uint64_t first = 0;
        std::uint64_t end = 0;
        std::uint64_t firstTick = 0;
        std::uint64_t lastTick = 0;
        friend bool operator==(const Span&, const Span&) = default;
    };
    // While there is one, and the trace shows the run of the graph's session, messages without a record in it are dim.
    void setSpan(const std::optional<Span>& span);
    // Figures of the connections as of now; null: there are none.
    void setNetwork(const NetworkView* view);
    // Fetches what there is now.
    void poll();

    [[nodiscard]] const GraphModel& model() const { return m_model; }
    [[nodiscard]] GraphView& view() { return *m_view; }
    [[nodiscard]] WaitsModel& waits() { return *m_waits; }
    [[nodiscard]] QTreeView& waitsList() { return *m_waitsList; }
    [[nodiscard]] QString details() const;

signals:
    // Enter or a double click on a message: go to its entity.
    void entityActivated(const QString& entity);
    void laneMenuRequested(int lane, const QPoint& global);
    // The user wants all messages again.
    void spanDismissed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildBar();
    QWidget* buildSide();
    QToolButton* toolButton(const QString& name, const QString& icon, const QString& title, const QString& tip);
    void pick(const GraphKey& key);
    void followTrace(std::uint64_t sequence);
    void fetch();
    // Whether the trace still shows the run of the graph's session.
    [[nodiscard]] bool sharesRun() const;
    void refresh();
    void showDetails();
    void dismissChosen();
    [[nodiscard]] GraphKey waitAt(const QModelIndex& index) const; // of a row of the list

    static constexpr int PollMs = 33;

    const Theme& m_theme;
    GraphSource& m_source;
    Selection& m_selection;
    Trace m_trace;
    std::uint64_t m_traceRun = 0; // in which the graph's session was seen last
    bool m_over = false;          // that session
    LinkMeter m_meter;
    GraphModel m_model;
    GraphView* m_view;
    WaitsModel* m_waits;
    QSortFilterProxyModel* m_waitOrder = nullptr; // as the list shows them
    QTreeView* m_waitsList = nullptr;
    QLabel* m_noWaits = nullptr;
    QTextBrowser* m_details = nullptr;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QToolButton* m_freeze = nullptr;
    QToolButton* m_live = nullptr;
    QToolButton* m_sideButton = nullptr;
    QToolButton* m_dismissAll = nullptr;
    QWidget* m_side = nullptr;
    QLabel* m_status = nullptr;
    QToolButton* m_spanButton = nullptr; // says the span, and takes it away
    std::optional<Span> m_span;
    QTimer m_timer;
    QString m_shownDetails;
};

} // namespace sbx::ui
