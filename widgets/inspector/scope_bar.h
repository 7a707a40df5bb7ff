#pragma once
// Says and chooses what a change in the inspector reaches: the selected entities alone (overrides in the scene), or all of their types
// (definitions). GUI thread.

#include <QWidget>

class QLabel;
class QToolButton;

namespace sbx::ui {

class Theme;

enum class EditScope { Selected, AllOfType };

class ScopeBar : public QWidget {
    Q_OBJECT

public:
    explicit ScopeBar(const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] EditScope scope() const;
    // Without a signal.
    void setScope(EditScope scope);
    // How many entities are selected; the name of their type, or "3 types"; how many entities of the scene those types have.
    void setCounts(std::size_t selected, const QString& types, std::size_t users);

signals:
    void scopeChanged(sbx::ui::EditScope scope);

private:
    QToolButton* m_selected;
    QToolButton* m_all;
    QLabel* m_users;
};

} // namespace sbx::ui
