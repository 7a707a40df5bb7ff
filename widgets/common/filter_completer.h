#pragma once
// What a filter line knows of the filter language: completion in a popup, recall of earlier filters, a wavy
// line under the fault. Works on any QLineEdit (FilterBar::lineEdit(), the console's); the panel compiles the
// text and reports faults.
//
// Typing opens the popup where something fits; Ctrl+Space or Down opens it, too. Tab takes the first or chosen
// item, Return the chosen one, Esc closes. With the popup closed, Up and Down walk the filters that were
// remembered. GUI thread; parent owns it; the edit and what the functions capture must outlive it.

#include <QObject>
#include <QString>
#include <QStringList>

#include "engine/core/filter_completion.h"
#include "engine/core/result.h"

#include <functional>
#include <utility>

class QFrame;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QListView;

namespace sbx::ui {

class Theme;
class FilterCompletionModel;

class FilterCompleter : public QObject {
    Q_OBJECT

public:
    using Schema = std::function<const FilterSchema&()>;

    FilterCompleter(const Theme& theme, QLineEdit& edit, Schema schema, FilterValueProvider values,
                    QObject* parent = nullptr);
    ~FilterCompleter() override;

    // Which fields are offered behind what stands before the cursor; none: all.
    void setFieldTest(FilterFieldTest canHave) { m_canHave = std::move(canHave); }
    // Says below the edit what is wrong with its text, in its parent's width: the popup leaves room for it. It must outlive this.
    void setFaultLine(const QLabel& line) { m_faultLine = &line; }
    // Underlines what the error's region covers, columns counted in bytes of the edit's text; an error
    // without a place, nothing.
    void markFault(const Error& error);
    void clearFault();
    // A filter that was in force: Up recalls it, newest first. At most 50, without repeats.
    void remember(const QString& text);
    [[nodiscard]] QStringList history() const { return m_history; }
    void setHistory(const QStringList& history) { m_history = history; }

    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] QListView& list() { return *m_list; }
    // Asks for completion at the cursor, as Ctrl+Space does.
    void open();
    void close();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void suggest(bool asked);
    void place();
    void accept(int row);
    bool key(QKeyEvent& event);
    bool recall(int step);
    void format(int start, int length);
    // Pixels below the edit that the fault of its text takes, whether or not it is said yet.
    [[nodiscard]] int faultHeight() const;

    const Theme& m_theme;
    QLineEdit& m_edit;
    Schema m_schema;
    FilterValueProvider m_values;
    FilterFieldTest m_canHave;
    QFrame* m_popup;
    QListView* m_list;
    const QLabel* m_faultLine = nullptr; // null: nothing is said below the edit
    FilterCompletionModel* m_model;
    FilterCompletion m_completion;
    QStringList m_history;
    int m_recalled = -1; // index from the newest; -1: what was typed
    QString m_typed;
};

} // namespace sbx::ui
