#pragma once
// Finds words in the shown text: a line above it that comes with Ctrl+F and goes with Esc. GUI thread; the
// panel owns it.

#include <QWidget>

#include <string_view>

class QLabel;
class QLineEdit;

namespace sbx::ui {

class CodeView;
class Theme;

class FindBar : public QWidget {
    Q_OBJECT

public:
    FindBar(const Theme& theme, CodeView& view, QWidget* parent = nullptr);

    // Shows itself with what is selected in the text, and takes the focus.
    void start();
    // Back to the text.
    void stop();
    // To the next (or previous) place, round the ends. Letters of ASCII match in either case.
    void find(bool forward, bool fromHere = false);
    [[nodiscard]] QLineEdit& lineEdit() { return *m_edit; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    CodeView& m_view;
    QLineEdit* m_edit;
    QLabel* m_count;
};

} // namespace sbx::ui
