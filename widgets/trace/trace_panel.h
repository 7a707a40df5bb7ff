#pragma once
// The trace: filter line, list, details. Joins them to the shared selection: a picked row selects its
// receiver and the record everywhere; a record selected elsewhere is shown here. GUI thread; theme, source
// and selection must outlive it.

#include <QPointer>
#include <QVariantMap>
#include <QWidget>

#include "engine/message/trace_reader.h"
#include "widgets/trace/trace_context.h"
#include "widgets/trace/trace_model.h"

#include <array>
#include <functional>
#include <utility>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace sbx::ui {

class ActionRegistry;
struct ComposedMessage;
class EmptyState;
class FilterBar;
class FilterCompleter;
class LinePopup;
class Selection;
class Theme;
class UserSettings;
class TraceConversation;
class TraceDetails;
class TraceFilters;
class TraceSearch;
class TraceSearchBar;
class TraceFileWindow;
class TraceLanes;
class TraceStatisticsWindow;
class TraceTimeline;
class TraceTypes;
class TraceTypesModel;
class TraceView;

// What is brushed in the timeline: ticks [firstTick, lastTick], and the sequences of their records in [first, end).
struct TraceBrush {
    std::uint64_t firstTick = 0;
    std::uint64_t lastTick = 0;
    std::uint64_t first = 0;
    std::uint64_t end = 0; // the greatest number while nothing later has come
    std::uint64_t run = 0; // of the store: they mean something in it
    friend bool operator==(const TraceBrush&, const TraceBrush&) = default;
};

class TracePanel : public QWidget {
    Q_OBJECT

public:
    TracePanel(const Theme& theme, TraceSource& source, Selection& selection, TraceStore store = TraceStore(),
               QWidget* parent = nullptr);
    ~TracePanel() override;

    // Where files to export to are offered first.
    void setExportFolder(const QString& folder) { m_exportFolder = folder; }
    // What is known of the handlers that a trace file names.
    void setHandlerLookup(TraceReader::HandlerLookup lookup) { m_handlers = std::move(lookup); }
    // Shows the trace file in a window of its own, which belongs to this one. Null: it cannot be opened, and problem() says why.
    TraceFileWindow* openTraceFile(const QString& file);
    // From now on the source is a file: without what only a running world can do, also among the actions that are added afterwards.
    void showFile(const QString& emptyLine);
    // What goTo() took away to show a message is in force again: filter, hidden types, marked rows alone. The line
    // below the list offers it until the user filters anew or another run begins; then this does nothing.
    void putFilterBack();
    // The button of the empty panel: starts play.
    void setPlayAction(QAction* play);
    // In the menu of a row: whether the messages that the list shows are drawn in the picture. It outlives the panel.
    void setPictureAction(QAction* picture) { m_pictureAction = picture; }
    void setFilterText(const QString& text);
    [[nodiscard]] QString filterText() const;
    // What was wrong with the text in the filter line; empty: it is in force.
    [[nodiscard]] QString filterProblem() const;
    void setPaused(bool paused);
    // Forgets all messages captured so far, also those that wait at the source.
    void clear();
    void showNewest(); // and goes on following
    // None: the filter keeps all times.
    [[nodiscard]] const std::optional<TraceBrush>& brushed() const { return m_brushed; }
    // Takes it out of the filter.
    void clearBrush();
    // Selects the record, takes the filter away if it hides it: see putFilterBack(). One that is held but not yet
    // among the rows is gone to once it has been judged, unless the user selects, filters, hides, follows or goes to something else meanwhile.
    void goTo(std::uint64_t sequence);
    // The same for a record that may still be on its way here: fetches what is waiting, and shows the newest even if paused.
    void showArriving(std::uint64_t sequence);
    // Messages of the type of that name are recorded from now on, and shown.
    void recordType(const QString& type);
    // Whose world the picture shows while it is not the one whose messages are recorded, "client 1"; empty: they are the same.
    void setShownWorld(const QString& name);
    // Columns, splitter, filter, history, hidden types.
    [[nodiscard]] QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

    [[nodiscard]] TraceModel& model() { return *m_model; }
    [[nodiscard]] TraceView& view() { return *m_view; }
    [[nodiscard]] TraceDetails& details() { return *m_details; }
    [[nodiscard]] TraceTypes& types() { return *m_types; }
    [[nodiscard]] FilterBar& filterBar() { return *m_bar; }
    [[nodiscard]] FilterCompleter& completer() { return *m_completer; }
    [[nodiscard]] TraceTimeline& timeline() { return *m_timeline; }
    [[nodiscard]] TraceLanes& lanes() { return *m_lanes; }
    [[nodiscard]] TraceSearchBar& searchBar() { return *m_searchBar; }
    [[nodiscard]] TraceSearch& search() { return *m_search; }
    [[nodiscard]] TraceFilters& savedFilters() { return *m_filters; }
    // How much is kept, and where. The function is called every half second, so that changed settings take effect by themselves.
    void followLimits(std::function<TraceLimits()> limits);
    // Saved filters are kept there; the settings must outlive the panel.
    void keepFilters(UserSettings& settings);
    // The panel's actions for the palette and the console: "trace.pause", "trace.clear", … Their keys hold while the focus is in the panel. Windows of trace
    // files that are opened from here have the same keys, also after a person has changed them.
    void addActions(ActionRegistry& registry);
    // The menu of a row, and of its cell in that column or its handler of that number (RecordView::visits()) if there is one; owned by the caller.
    [[nodiscard]] QMenu* menuFor(int row, int column = -1, int handler = -1);
    // What the header shows and what it may; owned by the caller.
    [[nodiscard]] QMenu* columnsMenu();
    // What the header shows beyond the columns that a CSV file has anyway.
    [[nodiscard]] std::vector<int> extraColumns() const;
    // Makes a payload field a column; one that is a column already is shown.
    void addFieldColumn(const QString& field);

signals:
    // brushed() is another.
    void brushChanged();
    // Enter or a double click on a row: go to its receiver.
    void entityActivated(const QString& entity);
    // Ctrl+Enter: show where the entity's component is declared that consumed the message, else the first that acted on it. Empty: none acted.
    void definitionRequested(const QString& entity, const QString& component);
    // A line of source code in the details, counted from 1.
    void codePicked(const QString& file, int line);
    // Something was done or could not be, in words.
    void said(const QString& text);
    void problem(const QString& text);
    // Play should pause at messages that match.
    void breakRequested(const QString& filter);
    // The tick should stop before that component handles such a message; "*": before the first handler.
    void stopRequested(const QString& component, const QString& filter);
    // The form that sends messages should have this one.
    void composeRequested(const sbx::ui::ComposedMessage& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBar();
    void buildHeader();
    void connectView();
    void connectSelection();
    void connectTimeline();
    void refreshTimeline();
    void showBrush();
    // trace_panel_lanes.cpp
    void buildLanes();
    void buildLanesButton();
    void refreshLanes();
    void refreshLanesHead();
    void addLaneActions(ActionRegistry& registry);
    // Of the search, marks and saved filters: trace_panel_notes.cpp.
    void connectSearch();
    void connectMarks();
    void buildMarkButtons();
    void addNoteActions(ActionRegistry& registry);
    void addNoteMenu(QMenu& menu, const RecordView& record);
    void refreshMarkButton();
    // Shows the messages whose outcome is a fault, or takes that filter back.
    void toggleFaults();
    void refreshFaultsButton();
    void searchShownColumns();
    // Where a search begins: the selected row, else the one at the top.
    [[nodiscard]] std::uint64_t hereForSearch() const;
    [[nodiscard]] QString faultOf(const QString& filter) const;
    // Of the selected rows, or of the one in the details; at most `limit`.
    [[nodiscard]] std::vector<std::uint64_t> chosenSequences(int limit) const;
    void toggleMarks();
    void goToMark(bool forward);
    // 0: none or several are selected, which is said.
    [[nodiscard]] std::uint64_t chosenOne();
    void toggleReference(std::uint64_t sequence);
    void writeComment(std::uint64_t sequence);
    void showEverything();
    void openFilters();
    // trace_panel_ignore.cpp
    void connectIgnored();
    [[nodiscard]] RowRuns chosenRuns() const;
    void toggleIgnored();
    void setIgnored(RowRuns rows, bool ignored);
    void ignoreShown();
    void addIgnoreActions(ActionRegistry& registry);
    void addIgnoreMenu(QMenu& menu, int row);
    void brush(std::uint64_t first, std::uint64_t last);
    [[nodiscard]] std::optional<TraceBrush> findBrush() const;
    void applyFilter(const QString& text);
    void narrow(const QString& condition);
    // The condition in the filter line, not in force yet.
    void prepare(const QString& condition);
    // What the filter line says, and the condition.
    [[nodiscard]] QString narrowed(const QString& condition) const;
    // Parts of menuFor().
    void addFilterMenu(QMenu& menu, int row, int column, int handler);
    void raiseCellItems(QMenu& menu, QMenu& filters, int column);
    void addFollowMenu(QMenu& menu, const RecordView& record);
    void addBreakMenu(QMenu& menu, const RecordView& record);
    void addStops(QMenu& menu, const RecordView& record);
    void pick(int row);
    void select(std::uint64_t sequence);
    void showChain();
    void tellTrouble(const QString& what);
    // False: it is not among the rows, or not yet.
    bool reveal(std::uint64_t sequence);
    // goTo(); `selects`: its receiver becomes the selected entity.
    void seek(std::uint64_t sequence, bool selects);
    void restoreRow();
    void restoreRowLater();
    void follow(std::uint64_t sequence);
    // trace_panel_go.cpp
    void addGoActions(ActionRegistry& registry);
    void addGoMenu(QMenu& menu, const RecordView& record);
    void connectConversation();
    // So that a message is among the rows; putFilterBack() ends it.
    void takeFilterAway(std::uint64_t sequence);
    void showDefinition(std::uint64_t sequence);
    // trace_panel_copy.cpp
    enum class CopyAs { Text, Json, Csv, Filter };
    void addCopyMenu(QMenu& menu);
    void copyRows(CopyAs form);
    // Ascending, and without those that are ignored, which are added to `ignored`.
    [[nodiscard]] std::vector<int> selectedRows(std::size_t limit, std::size_t& ignored) const;
    // A condition that lets the rows through: several by their numbers, one by its type, sender and receiver.
    [[nodiscard]] QString filterOf(const std::vector<int>& rows) const;
    void showStatistics();
    void exportRows();
    void exportTo(const QString& file);
    void addFieldMenu(QMenu& menu, const RecordView& record);
    // By what that handler did; -1: by the handlers that the message did not reach.
    void addHandlerMenu(QMenu& menu, const RecordView& record, int handler);
    // trace_panel_files.cpp
    void addSendMenu(QMenu& menu, const RecordView& record);
    void addFileActions(ActionRegistry& registry);
    void openTrace();
    void addCellMenu(QMenu& menu, int row, int column);
    // Opening rows and collapsing repeats: in the menu of a row, and as actions.
    void addLineMenu(QMenu& menu, int row);
    void addLineActions(ActionRegistry& registry);
    void addDetailsMenu(QMenu& menu, const QString& field);
    // Only, not, and for numbers up and down from there; and the field as a column. `title`: what the value is of, unless the menu says it.
    void addFieldActions(QMenu& menu, const QString& prefix, const QString& title, const RecordView& record,
                         const FieldInfo& field);
    // `field`: of the filter; `value`: as the filter writes it.
    void addConditions(QMenu& menu, const QString& prefix, const QString& title, const QString& field,
                       const QString& value, bool ordered);
    // The same in a menu of its own, to be prepared.
    void addPrepared(QMenu& menu, const QString& prefix, const QString& title, const QString& field,
                     const QString& value, bool ordered);
    using TakeCondition = void (TracePanel::*)(const QString& condition);
    void fillConditions(QMenu& menu, const QString& prefix, const QString& title, const QString& field,
                        const QString& value, bool ordered, TakeCondition take);
    [[nodiscard]] std::vector<std::string> valuesSeen(const FilterField& field, std::string_view typed) const;
    void placeColumns();
    void restoreColumns(const QVariantMap& state);
    [[nodiscard]] QVariantList sizedColumns() const; // by a person
    void refreshSoon();
    void refresh();
    void refreshPill();
    // Columns get what the texts that were in sight since the filter was set need, as far as there is room, unless a person has sized them.
    void fitColumns();
    void forgetNeeds();
    // `neededByFields`: pixels that the widest fields in sight take.
    void spreadColumns(int neededByFields);
    // Shown, or away for want of room, and sized by nobody.
    [[nodiscard]] bool isOwnWidth(int column) const;
    [[nodiscard]] int charactersWide(int count) const;
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QString noMatchText() const;
    [[nodiscard]] QString limitsText() const;
    QToolButton* toolButton(const QString& name, const QString& icon, const QString& title,
                            const QString& tip);

    static constexpr int RefreshMs = 100;
    static constexpr int LimitsMs = 500;

    const Theme& m_theme;
    Selection& m_selection;
    TraceContext m_context;
    TraceModel* m_model;
    TraceView* m_view;
    TraceDetails* m_details;
    TraceTypesModel* m_typesModel;
    TraceTypes* m_types;
    FilterBar* m_bar;
    FilterCompleter* m_completer = nullptr;
    TraceTimeline* m_timeline;
    TraceLanes* m_lanes;
    QLabel* m_lanesHead;        // left of the timeline, over the lanes' names
    QHBoxLayout* m_timelineRow; // both, and room for the lanes' scroll bar
    QSplitter* m_lanesSplitter; // lanes over the list
    int m_lanesHeight = 0;      // as dragged; 0: never was
    QStackedWidget* m_stack;
    QToolButton* m_faultsButton = nullptr;
    QString m_beforeFaults; // the filter that toggleFaults() brings back
    QSplitter* m_splitter;
    EmptyState* m_empty;
    EmptyState* m_noMatch;
    QAction* m_clearFilter;
    QAction* m_pictureAction = nullptr; // may be null
    QToolButton* m_pauseButton = nullptr;
    QToolButton* m_detailsButton = nullptr;
    QToolButton* m_timelineButton = nullptr;
    QToolButton* m_lanesButton = nullptr;
    QLabel* m_status;
    TraceConversation* m_conversation;
    TraceSearch* m_search;
    TraceSearchBar* m_searchBar;
    TraceFilters* m_filters;
    LinePopup* m_comment; // asks for one
    QToolButton* m_markedButton = nullptr;
    QToolButton* m_filtersButton = nullptr;
    QToolButton* m_typesButton = nullptr;
    QTimer m_refreshTimer{this};
    QTimer m_limitsTimer{this};
    std::uint64_t m_current = 0;  // sequence of the record shown in the details
    std::uint64_t m_sought = 0;   // sequence of the record to go to once it is a row; 0: none
    bool m_seekSelects = true;    // what is gone to becomes the selection
    std::uint64_t m_lastSeen = 0; // newest sequence when following stopped, or in view since
    std::uint64_t m_anchor = 0;   // sequence at the top of the list before a new filter
    bool m_chainShown = true;     // whole; else causes are being read from the disk
    std::uint64_t m_followed =
        0; // sequence whose chain is to be the filter once it has been read from the disk; 0: none is
    int m_followReads = 0;
    std::uint64_t m_restoreAt =
        0; // sequence at the top while the row to be found again is still looked for; 0: none is
    bool m_worldsShown = false;
    TraceStatisticsWindow* m_statistics = nullptr; // null: never shown yet
    QString m_shownWorld;
    QString m_exportFolder;
    TraceReader::HandlerLookup m_handlers;
    QPointer<ActionRegistry> m_actions; // null: none were added, or they are gone
    bool m_isFile = false;                                                  // see showFile()
    bool m_fitting = false;                                                 // the columns grow
    std::vector<bool> m_sized = std::vector<bool>(TraceModel::ColumnCount); // by a person
    std::array<int, TraceModel::ColumnCount> m_needed{}; // pixels that each column has needed so far
    int m_shortOutcome = 0;       // pixels that outcomes in short words have needed so far
    bool m_deliveryAway = false;  // hidden for want of room
    bool m_deliveryStays = false; // a person has shown it
    QString m_goodFilter;
    std::optional<TraceBrush> m_brushed;
    // What hid a message that was gone to, and that message.
    struct FilterAside {
        QString filter;
        std::vector<MessageTypeId> hidden;
        bool markedOnly = false;
        std::uint64_t sequence = 0;
    };
    std::optional<FilterAside> m_aside; // none: nothing is to be put back
};

} // namespace sbx::ui
