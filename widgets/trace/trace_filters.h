#pragma once
// Filters kept under names: a list that opens from the star at the filter line. A click applies one, the line at the top saves what the
// filter line says now. Kept in the user's settings as soon as they change. GUI thread; the parent owns it.

#include <QFrame>
#include <QList>
#include <QString>
#include <QVariantList>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;
class QStandardItemModel;
class QTreeView;

namespace sbx::ui {

class Theme;
class UserSettings;

struct SavedFilter {
    QString name;
    QString text;
    friend bool operator==(const SavedFilter&, const SavedFilter&) = default;
};

class TraceFilters : public QFrame {
    Q_OBJECT

public:
    enum Column { Name, Text, Delete, ColumnCount };
    // What is wrong with a filter; empty: nothing.
    using Check = std::function<QString(const QString& text)>;

    TraceFilters(const Theme& theme, Check check, QWidget* parent);

    // Takes over what is kept there, and keeps later changes there; the settings must outlive it.
    void keepIn(UserSettings& settings);
    [[nodiscard]] const QList<SavedFilter>& filters() const { return m_filters; }
    // Those that everybody has; they stand below the saved ones and cannot be deleted.
    [[nodiscard]] static QList<SavedFilter> builtIn();
    // Under a name that is there already it replaces that filter. What was wrong, in words; empty: it is saved.
    QString save(const QString& name, const QString& text);
    void remove(int row);

    // `text`: what the filter line says.
    void popUp(const QWidget& anchor, const QString& text);

signals:
    void chosen(const QString& text);
    void changed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void saveTyped();
    void choose(const QModelIndex& index);
    void rebuild();
    void setProblem(const QString& text);

    const Theme& m_theme;
    Check m_check;
    QList<SavedFilter> m_filters;
    QString m_text; // of the filter line
    QLineEdit* m_name;
    QPushButton* m_save;
    QLabel* m_problem;
    QLabel* m_none;
    QStandardItemModel* m_model;
    QTreeView* m_table;
};

} // namespace sbx::ui
