#pragma once
// One number as a person edits it: click to type, drag sideways to scrub, arrow keys and the wheel (when
// focused) to step. The unit stands behind it in muted text, an axis letter before it in the axis colour.
// Where both bounds are near, the field is its own slider: it is filled up to the value and a drag covers the
// range over its width.
//
// While dragging, changed() comes with committed = false, and once with true at the end; Esc goes back to the
// start; hidden meanwhile it ends where it is. Typing takes an expression (number_expression.h): `1/2`, `2*(3+4)`, `sqrt(2)`,
// `10 cm`; `+= 2`, `-= 2`, `*= 2` and `/= 2` change the number that is there. Where several values
// are meant that differ (mixed), these, dragging and stepping come out as operated(), to be done to each. Typing commits on Return or when focus leaves; Return gives the
// focus back to the widget that had it before the click. Shift steps finer, Ctrl coarser.
//
// Text that is wrong is never lost: it stays, marked, with the reason, also when the focus leaves, until it is mended, Esc takes it back or
// the field shows another value.
//
// While typing, all digits are shown: where they do not fit, axis letter and unit give way, and the field takes
// room from its neighbours, which keep that of their letter. Otherwise the number is shown with as many decimals as
// fit, never without its sign, and as "…" where not even its whole digits fit; the tool tip has all digits.
// GUI thread.

#include <QLineEdit>
#include <QPointer>
#include <QString>

#include "widgets/common/field_change.h"

#include <limits>

class QHelpEvent;

namespace sbx::ui {

class Theme;
enum class Token;

struct NumberFormat {
    bool whole = false;
    bool singlePrecision = true;
    int decimals = 3; // shown when not typing
    bool smallExact = true; // more of them for what would be lost; otherwise always as many
    bool live = false; // a measured value: also while it is edited it has no more digits than are shown
    // Digits behind the point when typing; -1: all that the value has. For values that were worked out in single
    // precision, whose last digits mean nothing.
    int typedDecimals = -1;
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    QString unit;
};

class NumberField : public QLineEdit {
    Q_OBJECT

public:
    NumberField(const Theme& theme, NumberFormat format, QWidget* parent = nullptr);

    void setAxis(const QString& letter, Token color);
    [[nodiscard]] double value() const { return m_value; }
    // Without a signal; typing in progress stays.
    void setValue(double value);
    void setMixed(bool mixed);
    // What the world computes is shown with the usual decimals however small it is; typing begins with all digits.
    void setMeasured(bool measured);
    [[nodiscard]] bool isScrubbing() const { return m_scrubbing; }
    // Forgets text that was typed and not taken: the field is to show something else.
    void discardTyped();
    // What is wrong with the typed text; empty: nothing, or nothing is typed.
    [[nodiscard]] const QString& fault() const { return m_fault; }
    [[nodiscard]] const NumberFormat& format() const { return m_format; }
    // As shown: fixed decimals, fewer digits for the very large and more for the very small.
    [[nodiscard]] static QString display(double value, const NumberFormat& format);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void changed(double value, bool committed);
    // Of mixed values: what is to be done to each of them, in a drag always from where they were at its start.
    void operated(sbx::ui::FieldChange::Kind kind, double operand, bool committed);
    // Typed text that is no number, or one out of range: what is wrong with it. Empty: nothing is any more.
    void invalid(const QString& reason);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    [[nodiscard]] bool isSlider() const;
    [[nodiscard]] double step(Qt::KeyboardModifiers modifiers) const;
    [[nodiscard]] double bounded(double value) const;
    [[nodiscard]] QString exact() const;
    // What is shown while the field is not typed in: fewer decimals where the usual ones do not fit.
    [[nodiscard]] QString fitting() const;
    // Pixels for text between these margins.
    [[nodiscard]] int roomFor(int left, int right) const;
    [[nodiscard]] QMargins labelMargins() const;
    void showTip(const QHelpEvent& event);
    [[nodiscard]] int leastWidth() const; // pixels, beside a field that needs the row
    void refreshText();
    void updateMargins();
    void updateRoom();
    // Ends typing: the focus goes back to where it came from.
    void leave();
    void stepBy(double steps, Qt::KeyboardModifiers modifiers);
    void endScrub(bool keep);
    void commitTyped();
    // Why the field cannot take that value; empty: it can.
    [[nodiscard]] QString reasonAgainst(double value) const;
    // The part of the text that is wrong, in characters; of length 0: all of it.
    void refuse(const QString& reason, qsizetype at = 0, qsizetype length = 0);
    void setFault(const QString& reason);
    void discardRefused();

    const Theme& m_theme;
    NumberFormat m_format;
    QString m_axis;
    Token m_axisColor;
    QString m_fault;
    double m_value = 0.0;
    double m_scrubStart = 0.0;
    double m_scrubbed = 0.0; // unrounded
    double m_shift = 0.0;    // of mixed values that are dragged
    int m_pressX = 0;
    int m_lastX = 0;
    bool m_pressed = false;
    bool m_scrubbing = false;
    bool m_typed = false;
    bool m_mixed = false;
    bool m_measured = false;
    bool m_labelsHidden = false; // axis letter and unit, while the digits need their place
    int m_wantedWidth = 0;       // pixels; while typing, where the digits need more than there is
    QPointer<QWidget> m_before;  // what had the focus before a click came here, or to the field that Tab left
};

} // namespace sbx::ui
