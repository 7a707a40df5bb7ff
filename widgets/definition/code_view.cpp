#include "widgets/definition/code_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <Qsci/qscicommandset.h>
#include <QScrollBar>

#include "widgets/common/theme.h"
#include "widgets/definition/toml_styler.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr int HoverMs = 350;
constexpr int SlackLines = 3;
constexpr int FoldIcon = 12;

bool isUndo(const QKeyEvent& key) { return key.matches(QKeySequence::Undo); }

bool isRedo(const QKeyEvent& key) {
    return key.matches(QKeySequence::Redo)
           || key.keyCombination() == (Qt::ControlModifier | Qt::ShiftModifier | Qt::Key_Z)
           || key.keyCombination() == (Qt::ControlModifier | Qt::Key_Y);
}

} // namespace

CodeView::CodeView(const Theme& theme, QWidget* parent) : QsciScintilla(parent), m_theme(theme) {
    setUtf8(true);
    send(SCI_SETUNDOCOLLECTION, 0);
    send(SCI_EMPTYUNDOBUFFER);
    setFrameShape(QFrame::NoFrame);
    setWrapMode(WrapNone);
    setTabWidth(4);
    setIndentationsUseTabs(false);
    setAutoIndent(true);
    setBraceMatching(SloppyBraceMatch);
    setCaretLineVisible(true);
    send(SCI_SETEXTRAASCENT, 2);
    send(SCI_SETEXTRADESCENT, 2);
    send(SCI_SETSCROLLWIDTH, 1);
    send(SCI_SETSCROLLWIDTHTRACKING, 1);
    send(SCI_SETMOUSEDWELLTIME, HoverMs);
    send(SCI_SETPASTECONVERTENDINGS, 1);
    send(SCI_SETCARETSTICKY, SC_CARETSTICKY_OFF);
    send(SCI_SETYCARETPOLICY, CARET_SLOP | CARET_STRICT | CARET_EVEN, SlackLines);
    setMarginType(MarksAt, SymbolMargin);
    setMarginWidth(MarksAt, measure::IconSize + measure::RelatedGap);
    setMarginType(NumbersAt, NumberMargin);
    setFolding(PlainFoldStyle, FoldsAt);
    setMarginWidth(FoldsAt, measure::IconSize);
    for (int marker = SC_MARKNUM_FOLDEREND; marker <= static_cast<int>(SC_MARKNUM_FOLDEROPEN); ++marker)
        send(SCI_MARKERDEFINE, static_cast<std::size_t>(marker), SC_MARK_EMPTY);
    setMarginMarkerMask(NumbersAt, 0);
    setUpKeys();
    new TomlStyler(theme, *this);

    connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int position, int type, const char* text, int length) {
                takeModification(position, type, text, length);
            });
    connect(this, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int updated) {
        if ((updated & (SC_UPDATE_SELECTION | SC_UPDATE_CONTENT)) != 0)
            emit caretMoved();
    });
    connect(this, &QsciScintillaBase::SCN_DWELLSTART, this, [this](int position, int x, int y) {
        if (position >= 0 && viewport()->rect().contains(x, y))
            emit hovered(static_cast<std::size_t>(position), viewport()->mapToGlobal(QPoint(x, y)));
    });
    connect(this, &QsciScintillaBase::SCN_DWELLEND, this, &CodeView::hoverEnded);
    connect(this, &QsciScintilla::linesChanged, this, &CodeView::fitNumberMargin);
    connect(&theme, &Theme::changed, this, &CodeView::applyTheme);
    applyTheme();
}

// Keys that Scintilla takes and the window needs, or that surprise: cutting, swapping and recasing lines.
void CodeView::setUpKeys() {
    using Qt::CTRL;
    using Qt::SHIFT;
    for (const QKeyCombination key :
         {CTRL | Qt::Key_L, CTRL | SHIFT | Qt::Key_L, CTRL | Qt::Key_T, CTRL | SHIFT | Qt::Key_T,
          CTRL | Qt::Key_U, CTRL | SHIFT | Qt::Key_U, CTRL | Qt::Key_Slash, CTRL | Qt::Key_Y})
        if (QsciCommand* command = standardCommands()->boundTo(key.toCombined()))
            command->setKey(0);
}

void CodeView::applyTheme() {
    const QColor surface = m_theme.color(Token::Surface);
    const QColor text = m_theme.color(Token::Text);
    setCaretForegroundColor(text);
    setCaretLineBackgroundColor(mix(surface, text, 0.05));
    setCaretWidth(2);
    setSelectionBackgroundColor(m_theme.color(Token::Selection));
    send(SCI_SETSELFORE, 0);
    setMarginsBackgroundColor(surface);
    setMarginsForegroundColor(m_theme.color(Token::Disabled));
    setFoldMarginColors(surface, surface);
    const auto mark = [this](const QString& icon, std::initializer_list<int> markers) {
        const QPixmap image = m_theme.icon(icon, Token::Muted).pixmap(QSize(FoldIcon, FoldIcon), 1.0);
        for (const int marker : markers)
            SendScintilla(SCI_MARKERDEFINEPIXMAP, static_cast<unsigned long>(marker), image);
    };
    mark(QStringLiteral("chevron-down"), {SC_MARKNUM_FOLDEROPEN, SC_MARKNUM_FOLDEROPENMID});
    mark(QStringLiteral("chevron-right"), {SC_MARKNUM_FOLDER, SC_MARKNUM_FOLDEREND});
    setMarginsFont(m_theme.font(FontRole::Mono));
    setEdgeColor(m_theme.color(Token::Line));
    // Lines that hide below a fold.
    send(SCI_SETFOLDFLAGS, 0);
    fitNumberMargin();
}

void CodeView::fitNumberMargin() {
    const int digits = std::max(3, static_cast<int>(QString::number(lines()).size()));
    setMarginWidth(NumbersAt, QString(digits + 1, QLatin1Char('9')));
}

std::string_view CodeView::bytes() const {
    const auto* text = static_cast<const char*>(SendScintillaPtrResult(SCI_GETCHARACTERPOINTER));
    return {text, length()};
}

std::size_t CodeView::length() const { return static_cast<std::size_t>(send(SCI_GETLENGTH)); }

void CodeView::setBytes(std::string_view text) {
    m_quiet = true;
    send(SCI_SETTARGETRANGE, 0, send(SCI_GETLENGTH));
    SendScintilla(SCI_REPLACETARGET, text.size(), text.empty() ? "" : text.data());
    // Enter and paste write the line ends that the text has.
    const std::size_t end = text.find('\n');
    send(SCI_SETEOLMODE,
         static_cast<std::size_t>(
             end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? SC_EOL_CRLF : SC_EOL_LF));
    m_quiet = false;
    send(SCI_SETSCROLLWIDTH, 1);
    send(SCI_SETXOFFSET, 0);
    select(0, 0);
    setTopLine(0);
}

void CodeView::replaceBytes(std::size_t begin, std::size_t end, std::string_view with) {
    m_quiet = true;
    typeBytes(begin, end, with);
    m_quiet = false;
}

void CodeView::typeBytes(std::size_t begin, std::size_t end, std::string_view with) {
    send(SCI_SETTARGETRANGE, begin, static_cast<long>(end));
    SendScintilla(SCI_REPLACETARGET, with.size(), with.empty() ? "" : with.data());
}

void CodeView::takeModification(int position, int type, const char* text, int length) {
    if (m_quiet || (type & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT)) == 0)
        return;
    const auto offset = static_cast<std::size_t>(position);
    if ((type & SC_MOD_INSERTTEXT) != 0)
        emit modified(offset, 0, QByteArray(text, length));
    else
        emit modified(offset, static_cast<std::size_t>(length), {});
}

std::size_t CodeView::caret() const { return static_cast<std::size_t>(send(SCI_GETCURRENTPOS)); }

std::size_t CodeView::anchor() const { return static_cast<std::size_t>(send(SCI_GETANCHOR)); }

void CodeView::select(std::size_t anchor, std::size_t caret) {
    send(SCI_SETCURRENTPOS, caret);
    send(SCI_SETANCHOR, anchor);
    send(SCI_CHOOSECARETX);
}

bool CodeView::isLineInSight(int line) const {
    const long first = send(SCI_GETFIRSTVISIBLELINE);
    const long shown = send(SCI_VISIBLEFROMDOCLINE, static_cast<std::size_t>(line));
    return send(SCI_GETLINEVISIBLE, static_cast<std::size_t>(line)) != 0 && shown >= first
           && shown < first + std::max(1L, send(SCI_LINESONSCREEN));
}

long CodeView::columnX(std::size_t position) const {
    return send(SCI_POINTXFROMPOSITION, 0, static_cast<long>(position))
           - send(SCI_POINTXFROMPOSITION, 0, static_cast<long>(lineStart(lineOf(position))));
}

long CodeView::textWidth() const {
    const long begin = send(SCI_POINTXFROMPOSITION, 0, 0) + send(SCI_GETXOFFSET);
    return viewport()->width() - begin - send(SCI_GETCARETWIDTH);
}

bool CodeView::isInSight(std::size_t position) const {
    const long x = columnX(position) - send(SCI_GETXOFFSET);
    return isLineInSight(lineOf(position)) && x >= 0 && x <= textWidth();
}

void CodeView::reveal(std::size_t position) {
    const int line = lineOf(position);
    send(SCI_ENSUREVISIBLE, static_cast<std::size_t>(line));
    if (!isLineInSight(line)) {
        const long onScreen = std::max(1L, send(SCI_LINESONSCREEN));
        const long shown = send(SCI_VISIBLEFROMDOCLINE, static_cast<std::size_t>(line));
        const long slack = std::min(static_cast<long>(SlackLines), onScreen / 3);
        send(SCI_SETFIRSTVISIBLELINE, static_cast<std::size_t>(std::max(0L, shown - slack)));
    }
    revealAcross(position);
}

void CodeView::revealAcross(std::size_t position) {
    const long width = textWidth();
    const long x = columnX(position);
    const long offset = send(SCI_GETXOFFSET);
    if (width <= 0 || (x >= offset && x <= offset + width))
        return;
    // The beginning of the line is shown where the place is in sight beside it.
    const long slack = width / 4;
    const long wanted = x <= width - slack ? 0 : x - (width - slack);
    // The scroll bar ends at the widest line painted so far, which need not be this one.
    if (send(SCI_GETSCROLLWIDTH) < wanted + width)
        send(SCI_SETSCROLLWIDTH, static_cast<std::size_t>(wanted + width));
    send(SCI_SETXOFFSET, static_cast<std::size_t>(wanted));
}

void CodeView::keepTextInSight() {
    const long offset = send(SCI_GETXOFFSET);
    if (offset == 0)
        return;
    const long first = send(SCI_GETFIRSTVISIBLELINE);
    const long last = std::min(first + std::max(1L, send(SCI_LINESONSCREEN)),
                               send(SCI_VISIBLEFROMDOCLINE, static_cast<std::size_t>(lines() - 1)) + 1);
    for (long shown = first; shown < last; ++shown) {
        const long line = send(SCI_DOCLINEFROMVISIBLE, static_cast<std::size_t>(shown));
        if (columnX(lineEnd(static_cast<int>(line))) > offset)
            return;
    }
    send(SCI_SETXOFFSET, 0);
}

int CodeView::topLine() const {
    return static_cast<int>(
        send(SCI_DOCLINEFROMVISIBLE, static_cast<std::size_t>(send(SCI_GETFIRSTVISIBLELINE))));
}

void CodeView::setTopLine(int line) {
    const long shown = send(SCI_VISIBLEFROMDOCLINE, static_cast<std::size_t>(std::max(0, line)));
    if (shown != send(SCI_GETFIRSTVISIBLELINE))
        send(SCI_SETFIRSTVISIBLELINE, static_cast<std::size_t>(shown));
}

int CodeView::lineOf(std::size_t position) const {
    return static_cast<int>(send(SCI_LINEFROMPOSITION, position));
}

std::size_t CodeView::lineStart(int line) const {
    return static_cast<std::size_t>(std::max(0L, send(SCI_POSITIONFROMLINE, static_cast<std::size_t>(line))));
}

std::size_t CodeView::lineEnd(int line) const {
    return static_cast<std::size_t>(send(SCI_GETLINEENDPOSITION, static_cast<std::size_t>(line)));
}

QRect CodeView::caretRect(std::size_t position) const {
    const auto x = static_cast<int>(send(SCI_POINTXFROMPOSITION, 0, static_cast<long>(position)));
    const auto y = static_cast<int>(send(SCI_POINTYFROMPOSITION, 0, static_cast<long>(position)));
    const auto height = static_cast<int>(send(SCI_TEXTHEIGHT, static_cast<std::size_t>(lineOf(position))));
    return {x, y, 1, height};
}

bool CodeView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (isUndo(key) || isRedo(key)) {
            event->accept();
            return true;
        }
    }
    return QsciScintilla::event(event);
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    if (isUndo(*event) || isRedo(*event)) {
        event->accept();
        if (isUndo(*event))
            emit undoRequested();
        else
            emit redoRequested();
        return;
    }
    emit commandStarted();
    QsciScintilla::keyPressEvent(event);
}

void CodeView::inputMethodEvent(QInputMethodEvent* event) {
    emit commandStarted();
    QsciScintilla::inputMethodEvent(event);
}

void CodeView::dropEvent(QDropEvent* event) {
    emit commandStarted();
    QsciScintilla::dropEvent(event);
}

void CodeView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::ControlModifier) {
        const QPoint at = event->position().toPoint();
        const long position =
            send(SCI_POSITIONFROMPOINTCLOSE, static_cast<std::size_t>(std::max(0, at.x())), at.y());
        if (position >= 0) {
            event->accept();
            emit followRequested(static_cast<std::size_t>(position));
            return;
        }
    }
    QsciScintilla::mousePressEvent(event);
}

void CodeView::focusOutEvent(QFocusEvent* event) {
    QsciScintilla::focusOutEvent(event);
    emit focusLeft();
}

void CodeView::contextMenuEvent(QContextMenuEvent* event) {
    event->accept();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        emit menuRequested(caret(), viewport()->mapToGlobal(caretRect(caret()).bottomLeft()));
        return;
    }
    const QPoint at = event->pos();
    const long position = send(SCI_POSITIONFROMPOINT, static_cast<std::size_t>(std::max(0, at.x())), at.y());
    const auto place = static_cast<std::size_t>(std::max(0L, position));
    // As every editor: outside the selection the caret comes along.
    if (place < std::min(anchor(), caret()) || place > std::max(anchor(), caret()))
        select(place, place);
    emit menuRequested(place, event->globalPos());
}

} // namespace sbx::ui

#include "moc_code_view.cpp"
