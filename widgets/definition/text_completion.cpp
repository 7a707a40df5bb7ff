#include "widgets/definition/text_completion.h"

#include <QAbstractListModel>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

class TextCompletionModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void set(std::vector<definition::Completion> candidates) {
        beginResetModel();
        m_candidates = std::move(candidates);
        endResetModel();
    }
    [[nodiscard]] const std::vector<definition::Completion>& all() const { return m_candidates; }
    [[nodiscard]] const definition::Completion& at(int row) const {
        return m_candidates[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_candidates.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const definition::Completion& candidate = at(index.row());
        switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(candidate.label);
        case Qt::AccessibleTextRole:
            return QString::fromStdString(candidate.label + ", " + candidate.detail + ", " + candidate.doc);
        default:
            return {};
        }
    }

private:
    std::vector<definition::Completion> m_candidates;
};

namespace {

constexpr int Padding = measure::PanelPadding;
constexpr int Narrowest = 280;
constexpr int Widest = 520;
constexpr int WidestLabel = 240;

QString iconName(definition::Completion::Kind kind) {
    using Kind = definition::Completion::Kind;
    switch (kind) {
    case Kind::Component:
        return QStringLiteral("component");
    case Kind::Setting:
    case Kind::Key:
        return QStringLiteral("settings");
    case Kind::Value:
        return QStringLiteral("check");
    case Kind::Type:
        return QStringLiteral("entity");
    }
    return {};
}

class CompletionDelegate : public QStyledItemDelegate {
public:
    CompletionDelegate(const Theme& theme, const TextCompletionModel& model, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model) {}

    void measure() {
        const QFontMetrics mono(m_theme.font(FontRole::Mono));
        const QFontMetrics ui(m_theme.font(FontRole::Ui));
        m_label = m_detail = 0;
        for (const definition::Completion& c : m_model.all()) {
            m_label = std::max(m_label, mono.horizontalAdvance(QString::fromStdString(c.label)));
            m_detail = std::max(m_detail, ui.horizontalAdvance(QString::fromStdString(c.detail)));
        }
        // The painter hints glyphs a little wider than they measure here.
        m_label = std::min(m_label + sbx::ui::measure::Grid, WidestLabel);
    }
    [[nodiscard]] int width() const {
        return Padding + measure::IconSize + Padding + m_label + 2 * Padding + m_detail + Padding;
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const definition::Completion& c = m_model.at(index.row());
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected)
            painter->fillRect(option.rect, m_theme.color(Token::Selection));
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, m_theme.color(Token::Pressed));
        QRect room = option.rect.adjusted(Padding, 0, -Padding, 0);
        const QRect icon(room.left(), room.center().y() - measure::IconSize / 2 + 1, measure::IconSize,
                         measure::IconSize);
        m_theme.icon(iconName(c.kind), Token::Muted).paint(painter, icon);
        room.setLeft(icon.right() + 1 + Padding);
        const auto cell = [&](const std::string& text, int width, FontRole role, Token token) {
            painter->setFont(m_theme.font(role));
            painter->setPen(m_theme.color(token));
            const QRect rect(room.left(), room.top(), std::min(width, room.width()), room.height());
            painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              painter->fontMetrics().elidedText(QString::fromStdString(text), Qt::ElideRight,
                                                                rect.width()));
            room.setLeft(rect.right() + 1 + 2 * Padding);
        };
        cell(c.label, m_label, FontRole::Mono, Token::Text);
        cell(c.detail, room.width(), FontRole::Ui, selected ? Token::Text : Token::Muted);
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {0, measure::RowHeight};
    }

private:
    const Theme& m_theme;
    const TextCompletionModel& m_model;
    int m_label = 0;
    int m_detail = 0;
};

} // namespace

TextCompletion::TextCompletion(const Theme& theme, QWidget* parent)
    : QFrame(parent),
      m_theme(theme),
      m_list(new QListView(this)),
      m_doc(new QLabel(this)),
      m_model(new TextCompletionModel(this)) {
    setObjectName(QStringLiteral("definition.completion"));
    setAccessibleName(tr("Completions"));
    setFocusPolicy(Qt::NoFocus);
    m_list->setObjectName(QStringLiteral("definition.candidates"));
    m_list->setAccessibleName(tr("Candidates"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CompletionDelegate(theme, *m_model, this));
    m_doc->setObjectName(QStringLiteral("definition.completionDoc"));
    m_doc->setWordWrap(true);
    m_doc->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_doc->setContentsMargins(Padding, measure::RelatedGap, Padding, measure::RelatedGap);
    setTextToken(*m_doc, theme, Token::Muted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(measure::RelatedGap, measure::RelatedGap, measure::RelatedGap,
                               measure::RelatedGap);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_doc);
    connect(m_list, &QListView::clicked, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &TextCompletion::describe);
    hide();
}

void TextCompletion::setCandidates(std::vector<definition::Completion> candidates) {
    m_model->set(std::move(candidates));
    static_cast<CompletionDelegate*>(m_list->itemDelegate())->measure();
    setCurrent(0);
    m_list->scrollToTop();
}

const std::vector<definition::Completion>& TextCompletion::candidates() const { return m_model->all(); }

// Two lines are kept for it, so that the list does not jump from row to row.
void TextCompletion::describe() {
    const int row = current();
    m_doc->setText(row < 0 ? QString() : QString::fromStdString(m_model->at(row).doc));
}

void TextCompletion::popUp(QWidget& anchor, const QRect& line) {
    QWidget* window = anchor.window();
    if (parentWidget() != window)
        setParent(window);
    const QPoint corner = anchor.mapTo(window, line.topLeft());
    const bool documented = std::any_of(m_model->all().begin(), m_model->all().end(),
                                        [](const auto& c) { return !c.doc.empty(); });
    m_doc->setVisible(documented);
    const int docHeight = documented ? 2 * m_doc->fontMetrics().lineSpacing() + 2 * measure::RelatedGap : 0;
    m_doc->setFixedHeight(docHeight);
    const int frame = 2 * measure::RelatedGap + docHeight;
    const int count = m_model->rowCount();
    const int wanted = std::min(count, MostRows) * measure::RowHeight + frame;
    const int below = window->height() - corner.y() - line.height() - measure::RelatedGap;
    const int above = corner.y() - measure::RelatedGap;
    const bool up = below < wanted && above > below;
    const int rows = std::max(1, (std::min(wanted, up ? above : below) - frame) / measure::RowHeight);
    const int height = rows * measure::RowHeight + frame;
    const int bar = count > rows ? 16 : 0;
    const int most = std::max(Narrowest, std::min(Widest, window->width() - 2 * Padding));
    const int width = std::clamp(static_cast<CompletionDelegate*>(m_list->itemDelegate())->width()
                                     + 2 * measure::RelatedGap + bar,
                                 Narrowest, most);
    const int x = std::clamp(corner.x() - Padding - measure::IconSize - Padding - measure::RelatedGap, 0,
                             std::max(0, window->width() - width - Padding));
    setGeometry(x, up ? corner.y() - height : corner.y() + line.height(), width, height);
    show();
    raise();
}

int TextCompletion::current() const {
    return m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
}

void TextCompletion::setCurrent(int row) {
    m_list->setCurrentIndex(m_model->index(row));
    describe();
}

void TextCompletion::step(int rows) {
    if (m_model->rowCount() > 0)
        setCurrent(std::clamp(current() + rows, 0, m_model->rowCount() - 1));
}

void TextCompletion::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(m_theme.color(Token::Raised));
    painter.setPen(m_theme.color(Token::Line));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius, measure::Radius);
}

} // namespace sbx::ui
