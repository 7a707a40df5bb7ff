#include "widgets/console/completion_popup.h"

#include <QAbstractListModel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

class CompletionModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void set(std::vector<CompletionCandidate> candidates) {
        beginResetModel();
        m_candidates = std::move(candidates);
        endResetModel();
    }
    [[nodiscard]] const CompletionCandidate& at(int row) const {
        return m_candidates[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_candidates.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const CompletionCandidate& candidate = at(index.row());
        switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(candidate.text);
        case Qt::ToolTipRole:
            return QString::fromStdString(candidate.doc);
        case Qt::AccessibleTextRole:
            return QString::fromStdString(candidate.text + ", " + candidate.value + ", " + candidate.doc);
        default:
            return {};
        }
    }

private:
    std::vector<CompletionCandidate> m_candidates;
};

namespace {

constexpr int Padding = measure::PanelPadding;
constexpr int WidestText = 320;
constexpr int WidestValue = 240;
constexpr int Narrowest = 320;

QString iconName(CompletionKind kind) {
    switch (kind) {
    case CompletionKind::CVar:
        return QStringLiteral("settings");
    case CompletionKind::Command:
    case CompletionKind::Alias:
        return QStringLiteral("command");
    case CompletionKind::Entity:
    case CompletionKind::EntityType:
        return QStringLiteral("entity");
    case CompletionKind::MessageType:
        return QStringLiteral("message");
    case CompletionKind::Asset:
    case CompletionKind::File:
        return QStringLiteral("file");
    case CompletionKind::Choice:
        return QStringLiteral("check");
    }
    return {};
}

class CandidateDelegate : public QStyledItemDelegate {
public:
    CandidateDelegate(const Theme& theme, const CompletionModel& model, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model) {}

    // Columns fit what is in the list.
    void measure() {
        const QFontMetrics metrics(m_theme.font(FontRole::Mono));
        textWidth = valueWidth = docWidth = 0;
        for (int row = 0; row < m_model.rowCount(); ++row) {
            const CompletionCandidate& c = m_model.at(row);
            textWidth = std::max(textWidth, metrics.horizontalAdvance(QString::fromStdString(c.text)));
            valueWidth = std::max(valueWidth, metrics.horizontalAdvance(QString::fromStdString(c.value)));
            docWidth = std::max(
                docWidth,
                QFontMetrics(m_theme.font(FontRole::Ui)).horizontalAdvance(QString::fromStdString(c.doc)));
        }
        textWidth = std::min(textWidth, WidestText);
        valueWidth = std::min(valueWidth, WidestValue);
    }
    [[nodiscard]] int width() const {
        return Padding + measure::IconSize + Padding + textWidth + 2 * Padding + valueWidth + 2 * Padding
               + docWidth + Padding;
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const CompletionCandidate& c = m_model.at(index.row());
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected)
            painter->fillRect(option.rect, m_theme.color(Token::Selection));
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, m_theme.color(Token::Pressed));
        QRect room = option.rect.adjusted(Padding, 0, -Padding, 0);
        const QRect iconRect(room.left(), room.center().y() - measure::IconSize / 2 + 1, measure::IconSize,
                             measure::IconSize);
        m_theme.icon(iconName(c.kind), Token::Muted).paint(painter, iconRect);
        room.setLeft(iconRect.right() + 1 + Padding);
        const auto column = [&](const std::string& text, int width, FontRole role, Token token) {
            painter->setFont(m_theme.font(role));
            painter->setPen(m_theme.color(token));
            const QRect cell(room.left(), room.top(), std::min(width, room.width()), room.height());
            painter->drawText(cell, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              painter->fontMetrics().elidedText(QString::fromStdString(text), Qt::ElideRight,
                                                                cell.width()));
            room.setLeft(cell.right() + 1 + 2 * Padding);
        };
        column(c.text, textWidth, FontRole::Mono, Token::Text);
        column(c.value, valueWidth, FontRole::Mono, selected ? Token::Text : Token::Muted);
        column(c.doc, room.width(), FontRole::Ui, selected ? Token::Text : Token::Muted);
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {0, measure::RowHeight};
    }

private:
    const Theme& m_theme;
    const CompletionModel& m_model;
    int textWidth = 0;
    int valueWidth = 0;
    int docWidth = 0;
};

} // namespace

CompletionPopup::CompletionPopup(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_list(new QListView(this)), m_model(new CompletionModel(this)) {
    setObjectName(QStringLiteral("console.completion"));
    setAccessibleName(tr("Completion"));
    setFocusPolicy(Qt::NoFocus);
    m_list->setObjectName(QStringLiteral("console.candidates"));
    m_list->setAccessibleName(tr("Candidates"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CandidateDelegate(theme, *m_model, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(measure::RelatedGap, measure::RelatedGap, measure::RelatedGap,
                               measure::RelatedGap);
    layout->addWidget(m_list);
    connect(m_list, &QListView::clicked, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    hide();
}

void CompletionPopup::setCandidates(const std::vector<CompletionCandidate>& candidates) {
    m_model->set(candidates);
    static_cast<CandidateDelegate*>(m_list->itemDelegate())->measure();
    m_list->scrollToTop();
}

void CompletionPopup::popUp(QWidget& anchor) {
    QWidget* window = anchor.window();
    if (parentWidget() != window)
        setParent(window);
    const QPoint corner = anchor.mapTo(window, QPoint(0, 0));
    const int above = corner.y() - measure::RelatedGap;
    const int below = window->height() - corner.y() - anchor.height() - measure::RelatedGap;
    const int frame = 2 * measure::RelatedGap;
    const int wanted = std::min(count(), MostRows) * measure::RowHeight + frame;
    const bool up = above >= wanted || above >= below;
    const int rows = std::max(1, (std::min(wanted, up ? above : below) - frame) / measure::RowHeight);
    const int height = rows * measure::RowHeight + frame;
    const int bar = count() > rows ? 16 : 0;
    const int width = static_cast<CandidateDelegate*>(m_list->itemDelegate())->width() + frame + bar;
    const int x = std::min(corner.x(), std::max(0, window->width() - Narrowest));
    setGeometry(
        x, up ? above - height : corner.y() + anchor.height() + measure::RelatedGap,
        std::clamp(width, Narrowest, std::max(Narrowest, window->width() - x - measure::PanelPadding)),
        height);
    show();
    raise();
}

int CompletionPopup::count() const { return m_model->rowCount(); }

int CompletionPopup::current() const {
    return m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
}

void CompletionPopup::setCurrent(int row) { m_list->setCurrentIndex(m_model->index(row)); }

void CompletionPopup::move(int step) {
    const int rows = count();
    if (rows == 0)
        return;
    const int from = current() < 0 ? (step > 0 ? -1 : rows) : current();
    setCurrent((from + step + rows) % rows);
}

QString CompletionPopup::textAt(int row) const { return m_model->index(row).data().toString(); }

void CompletionPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(m_theme.color(Token::Raised));
    painter.setPen(m_theme.color(Token::Line));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius, measure::Radius);
}

} // namespace sbx::ui
