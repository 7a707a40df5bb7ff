#pragma once
// The CVars beside the console: searched, filtered by flag or to what was changed, edited in place, reset, starred.
// GUI thread; parent owns it, the registry outlives it.

#include <QWidget>

class QComboBox;
class QMenu;
class QTableView;
class QTimer;
class QToolButton;

namespace sbx {
class CVarRegistry;
}
namespace sbx::ui {

class CVarModel;
class CVarProxy;
class EmptySwitch;
class FilterBar;
class Theme;

class CVarTable : public QWidget {
    Q_OBJECT

public:
    CVarTable(const Theme& theme, const CVarRegistry& registry, QWidget* parent = nullptr);

    // Only that one, selected.
    void showCVar(const QString& name);
    // Reads starred names from a file, a line each, and writes them there after every change.
    void keepStars(const QString& file);
    // Its menu offers to watch a CVar.
    void setWatching(bool possible) { m_watching = possible; }
    // Reset, copy, star, watch of the CVar in that row of the table; owned by the caller.
    [[nodiscard]] QMenu* menuFor(const QModelIndex& index);

    [[nodiscard]] CVarModel& model() { return *m_model; }
    [[nodiscard]] QTableView& view() { return *m_view; }

signals:
    // A line for the console.
    void requested(const QString& line);
    // The stars could not be written, in words.
    void notKept(const QString& reason);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showAll();
    void refreshCounts();

    const Theme& m_theme;
    CVarModel* m_model;
    CVarProxy* m_proxy;
    FilterBar* m_filter;
    EmptySwitch* m_switch;
    QToolButton* m_changed;
    QComboBox* m_flag;
    QTableView* m_view;
    QTimer* m_timer;
    bool m_watching = false;
};

} // namespace sbx::ui
