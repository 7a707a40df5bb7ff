#include "widgets/common/candidate_popup.h"

#include <QAbstractListModel>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "engine/core/match.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

class CandidateModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void set(std::vector<Candidate> candidates, const QString& typed) {
        beginResetModel();
        m_candidates = std::move(candidates);
        m_typed = typed;
        endResetModel();
    }
    // Of the row's text, or of its explanation if the text does not fit: where characters stand that were typed, ascending.
    struct Found {
        std::vector<int> inText;
        std::vector<int> inDoc;
    };
    [[nodiscard]] Found found(int row) const {
        Found out;
        if (m_typed.isEmpty())
            return out;
        const Candidate& candidate = at(row);
        const std::string typed = m_typed.toStdString();
        const MatchRank rank = matchRank(typed, candidate.text.toStdString());
        const std::string doc = candidate.doc.toStdString();
        if (rank >= MatchRank::Fuzzy)
            if (const std::size_t begin = beginsAWord(typed, doc); begin != std::string_view::npos) {
                const auto first = static_cast<int>(QString::fromStdString(doc.substr(0, begin)).size());
                for (int i = 0; i < static_cast<int>(m_typed.size()); ++i)
                    out.inDoc.push_back(first + i);
                return out;
            }
        if (rank != MatchRank::None)
            static_cast<void>(fuzzyScore(m_typed, candidate.text, &out.inText));
        return out;
    }
    [[nodiscard]] const std::vector<Candidate>& all() const { return m_candidates; }
    [[nodiscard]] const Candidate& at(int row) const { return m_candidates[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_candidates.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const Candidate& candidate = at(index.row());
        switch (role) {
        case Qt::DisplayRole:
            return shownLine(candidate.text);
        case Qt::ToolTipRole:
            return tipText(candidate.doc);
        case Qt::AccessibleTextRole: {
            QStringList parts{candidate.text, candidate.value, candidate.doc};
            parts.removeAll(QString());
            return parts.join(QStringLiteral(", "));
        }
        default:
            return {};
        }
    }

private:
    std::vector<Candidate> m_candidates;
    QString m_typed;
};

namespace {

constexpr int Padding = measure::PanelPadding;
constexpr int ColumnGap = 2 * Padding;
constexpr int Narrowest = 300;
constexpr int WidestText = 420;
constexpr int WidestValue = 320;
constexpr int WidestBelow = 520; // of the list with its doc below
constexpr int ScrollBarWidth = 16;

class CandidateDelegate : public QStyledItemDelegate {
public:
    CandidateDelegate(const Theme& theme, const CandidateModel& model, bool docColumn, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model), m_docColumn(docColumn) {}

    // Columns fit what is in the list.
    void measure() {
        const QFontMetrics mono(m_theme.font(FontRole::Mono));
        const QFontMetrics ui(m_theme.font(FontRole::Ui));
        const QFontMetrics& valueMetrics = m_docColumn ? mono : ui;
        // The painter hints glyphs a little wider than they measure here: without the slack a text that fits would be cut.
        const auto wider = [](int& width, const QFontMetrics& metrics, const QString& text) {
            if (!text.isEmpty())
                width = std::max(width, metrics.horizontalAdvance(text) + sbx::ui::measure::Grid);
        };
        m_text = m_value = m_doc = 0;
        for (const Candidate& c : m_model.all()) {
            wider(m_text, mono, c.text);
            wider(m_value, valueMetrics, c.value);
            if (m_docColumn)
                wider(m_doc, ui, c.doc);
        }
        m_text = std::min(m_text, WidestText);
        m_value = std::min(m_value, WidestValue);
    }
    [[nodiscard]] int width() const {
        return Padding + measure::IconSize + Padding + m_text + (m_value > 0 ? ColumnGap + m_value : 0)
               + (m_doc > 0 ? ColumnGap + m_doc : 0) + Padding;
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Candidate& c = m_model.at(index.row());
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected)
            painter->fillRect(option.rect, m_theme.color(Token::Selection));
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, m_theme.color(Token::Pressed));
        QRect room = option.rect.adjusted(Padding, 0, -Padding, 0);
        const QRect icon(room.left(), room.center().y() - measure::IconSize / 2 + 1, measure::IconSize,
                         measure::IconSize);
        if (!c.icon.isEmpty())
            m_theme.icon(c.icon, Token::Muted).paint(painter, icon);
        room.setLeft(icon.right() + 1 + Padding);
        const CandidateModel::Found marks = m_model.found(index.row());
        const auto cell = [&](const QString& text, int width, FontRole role, Token token,
                              const std::vector<int>& marked = {}) {
            if (width <= 0 || room.width() <= 0)
                return;
            const QFont plain = m_theme.font(role);
            QFont found = plain;
            found.setUnderline(true);
            painter->setFont(plain);
            const QRect rect(room.left(), room.top(), std::min(width, room.width()), room.height());
            const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width());
            // Stretch by stretch. What was found is underlined and not bold: so nothing gets wider than it was measured.
            int x = rect.left();
            for (qsizetype begin = 0; begin < shown.size();) {
                const auto isMarked = [&](qsizetype at) {
                    return std::binary_search(marked.begin(), marked.end(), static_cast<int>(at));
                };
                qsizetype end = begin + 1;
                while (end < shown.size() && isMarked(end) == isMarked(begin))
                    ++end;
                const QString part = shown.mid(begin, end - begin);
                painter->setFont(isMarked(begin) ? found : plain);
                painter->setPen(m_theme.color(isMarked(begin) ? Token::Accent : token));
                painter->drawText(QRect(x, rect.top(), rect.right() + 1 - x, rect.height()),
                                  Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, part);
                x = rect.left() + painter->fontMetrics().horizontalAdvance(shown.left(end));
                begin = end;
            }
            room.setLeft(rect.right() + 1 + ColumnGap);
        };
        const Token quiet = selected ? Token::Text : Token::Muted;
        // A row without a value gives its text the value's room.
        const int text = c.value.isEmpty() && m_doc == 0 ? room.width() : m_text;
        cell(c.text, text, FontRole::Mono, Token::Text, marks.inText);
        if (m_docColumn) {
            cell(c.value, m_value, FontRole::Mono, quiet);
            cell(c.doc, m_doc > 0 ? room.width() : 0, FontRole::Ui, quiet, marks.inDoc);
        } else {
            cell(c.value, room.width(), FontRole::Ui, quiet);
        }
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {0, measure::RowHeight};
    }

private:
    const Theme& m_theme;
    const CandidateModel& m_model;
    bool m_docColumn;
    int m_text = 0;
    int m_value = 0;
    int m_doc = 0;
};

CandidateDelegate& delegateOf(const QListView& list) { return *static_cast<CandidateDelegate*>(list.itemDelegate()); }

} // namespace

CandidatePopup::CandidatePopup(const Theme& theme, const QString& name, Doc doc, QWidget* parent)
    : QFrame(parent),
      m_theme(theme),
      m_docPlace(doc),
      m_list(new QListView(this)),
      m_doc(new QLabel(this)),
      m_model(new CandidateModel(this)) {
    setObjectName(name + QStringLiteral(".completion"));
    setAccessibleName(tr("Completion"));
    setFocusPolicy(Qt::NoFocus);
    m_list->setObjectName(name + QStringLiteral(".candidates"));
    m_list->setAccessibleName(tr("Candidates"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CandidateDelegate(theme, *m_model, doc == Doc::Column, this));
    m_doc->setObjectName(name + QStringLiteral(".completionDoc"));
    m_doc->setWordWrap(true);
    m_doc->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_doc->setContentsMargins(Padding, measure::RelatedGap, Padding, measure::RelatedGap);
    m_doc->hide();
    setTextToken(*m_doc, theme, Token::Muted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(measure::RelatedGap, measure::RelatedGap, measure::RelatedGap,
                               measure::RelatedGap);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_doc);
    connect(m_list, &QListView::clicked, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &CandidatePopup::describe);
    hide();
}

void CandidatePopup::setCandidates(std::vector<Candidate> candidates, const QString& typed) {
    m_model->set(std::move(candidates), typed);
    delegateOf(*m_list).measure();
    m_list->scrollToTop();
}

void CandidatePopup::describe() {
    const int row = current();
    m_doc->setText(row < 0 ? QString() : shownText(m_model->at(row).doc));
}

void CandidatePopup::popUp(QWidget& anchor, const QRect& line, bool preferAbove) {
    QWidget* window = anchor.window();
    if (parentWidget() != window)
        setParent(window);
    const QPoint corner = anchor.mapTo(window, line.topLeft());
    const bool documented = m_docPlace == Doc::Below
                            && std::any_of(m_model->all().begin(), m_model->all().end(),
                                           [](const Candidate& c) { return !c.doc.isEmpty(); });
    // Two lines are kept for it, so that the list does not jump from row to row.
    const int docHeight = documented ? 2 * m_doc->fontMetrics().lineSpacing() + 2 * measure::RelatedGap : 0;
    m_doc->setVisible(documented);
    m_doc->setFixedHeight(docHeight);
    const int frame = 2 * measure::RelatedGap + docHeight;
    const int wanted = std::min(count(), MaxRows) * measure::RowHeight + frame;
    const int above = corner.y() - measure::RelatedGap;
    const int below = window->height() - corner.y() - line.height() - measure::RelatedGap;
    const bool up = preferAbove ? above >= wanted || above >= below : below < wanted && above > below;
    const int rows = std::max(1, (std::min(wanted, up ? above : below) - frame) / measure::RowHeight);
    const int height = rows * measure::RowHeight + frame;
    const int bar = count() > rows ? ScrollBarWidth : 0;
    const int room = window->width() - 2 * Padding;
    const int most = m_docPlace == Doc::Below ? std::min(WidestBelow, room) : room;
    const int width = std::clamp(delegateOf(*m_list).width() + 2 * measure::RelatedGap + bar, Narrowest,
                                 std::max(Narrowest, most));
    // Texts stand over what is typed; a wide list moves to the left rather than out of the window.
    const int x = std::clamp(corner.x() - (m_docPlace == Doc::Below ? 2 * Padding + measure::IconSize + measure::RelatedGap : 0),
                             0, std::max(0, window->width() - width - Padding));
    const int gap = m_docPlace == Doc::Below ? 0 : measure::RelatedGap;
    setGeometry(x, up ? corner.y() - gap - height : corner.y() + line.height() + gap, width, height);
    show();
    raise();
}

int CandidatePopup::count() const { return m_model->rowCount(); }

int CandidatePopup::current() const {
    return m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
}

void CandidatePopup::setCurrent(int row) {
    m_list->setCurrentIndex(m_model->index(row));
    describe();
}

void CandidatePopup::step(int rows) {
    if (count() > 0)
        setCurrent(std::clamp(current() + rows, 0, count() - 1));
}

void CandidatePopup::cycle(int step) {
    const int rows = count();
    if (rows == 0)
        return;
    const int from = current() < 0 ? (step > 0 ? -1 : rows) : current();
    setCurrent((from + step + rows) % rows);
}

QString CandidatePopup::textAt(int row) const { return m_model->index(row).data().toString(); }

void CandidatePopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(m_theme.color(Token::Raised));
    painter.setPen(m_theme.color(Token::Line));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius, measure::Radius);
}

} // namespace sbx::ui

#include "moc_candidate_popup.cpp"
