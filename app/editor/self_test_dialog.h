#pragma once
// `--selftest` in a window: runs the program a second time for it, shows its lines as they come, and copies them. GUI thread.

#include <QDialog>
#include <QProcess>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sbx::editor {

class SelfTestDialog : public QDialog {
    Q_OBJECT

public:
    // `program`: that of this process, as a rule. Begins at once; ends the other process when it is closed.
    explicit SelfTestDialog(const QString& program, QWidget* parent = nullptr);
    ~SelfTestDialog() override;

    // What is copied: which program on which system, and the lines.
    [[nodiscard]] QString report() const;

private:
    void finish();

    QProcess m_process;
    QLabel* m_state;
    QPlainTextEdit* m_lines;
    QPushButton* m_copy;
};

} // namespace sbx::editor
