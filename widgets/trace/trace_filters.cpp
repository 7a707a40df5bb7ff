#include "widgets/trace/trace_filters.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"
#include "widgets/trace/line_popup.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

const QString FiltersKey = QStringLiteral("traceFilters");
const QString NameKey = QStringLiteral("name");
const QString TextKey = QStringLiteral("filter");
constexpr int PopupWidth = 480; // pixels

} // namespace

TraceFilters::TraceFilters(const Theme& theme, Check check, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_theme(theme),
      m_check(std::move(check)),
      m_name(new QLineEdit(this)),
      m_save(new QPushButton(tr("Save filter"), this)),
      m_problem(new QLabel(this)),
      m_none(new QLabel(tr("No filters are saved yet. Type one into the filter line, then save it here under a name."), this)),
      m_model(new QStandardItemModel(0, ColumnCount, this)),
      m_table(new QTreeView(this)) {
    setObjectName(QStringLiteral("trace.filters.popup"));
    setAccessibleName(tr("Saved filters"));
    setFrameShape(StyledPanel);
    m_name->setObjectName(QStringLiteral("trace.filters.name"));
    m_name->setAccessibleName(tr("Name for the filter"));
    m_name->setPlaceholderText(tr("Name for the filter in the line"));
    m_name->installEventFilter(this);
    m_save->setObjectName(QStringLiteral("trace.filters.save"));
    m_save->setAccessibleName(tr("Save the filter under this name"));
    m_save->setFocusPolicy(Qt::TabFocus);
    connect(m_save, &QPushButton::clicked, this, &TraceFilters::saveTyped);
    connect(m_name, &QLineEdit::textEdited, this, [this] { setProblem({}); });
    m_problem->setObjectName(QStringLiteral("trace.filters.problem"));
    m_problem->setAccessibleName(tr("Why the filter is not saved"));
    m_problem->setWordWrap(true);
    setTextToken(*m_problem, theme, Token::Error);
    m_problem->hide();
    m_none->setObjectName(QStringLiteral("trace.filters.none"));
    m_none->setWordWrap(true);
    setTextToken(*m_none, theme, Token::Muted);
    m_table->setObjectName(QStringLiteral("trace.filters.table"));
    m_table->setAccessibleName(tr("Saved filters"));
    m_table->setModel(m_model);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFrameShape(NoFrame);
    m_table->setHeaderHidden(true);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setMinimumSectionSize(measure::ControlHeight);
    m_table->header()->setSectionResizeMode(Text, QHeaderView::Stretch);
    m_table->header()->setSectionResizeMode(Delete, QHeaderView::Fixed);
    m_table->setColumnWidth(Name, PopupWidth / 3);
    m_table->setColumnWidth(Delete, measure::ControlHeight);
    m_table->installEventFilter(this);
    connect(m_table, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == Delete && index.row() < m_filters.size())
            remove(index.row());
        else
            choose(index);
    });
    auto* line = new QHBoxLayout;
    line->setSpacing(measure::RelatedGap);
    line->addWidget(m_name, 1);
    line->addWidget(m_save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding, measure::PanelPadding);
    column->setSpacing(measure::PanelPadding);
    column->addLayout(line);
    column->addWidget(m_problem);
    column->addWidget(m_none);
    column->addWidget(m_table, 1);
    connect(&theme, &Theme::changed, this, &TraceFilters::rebuild);
    rebuild();
}

void TraceFilters::keepIn(UserSettings& settings) {
    m_filters.clear();
    for (const QVariant& each : settings.value(FiltersKey).toList()) {
        const QVariantMap entry = each.toMap();
        const SavedFilter filter{entry.value(NameKey).toString(), entry.value(TextKey).toString()};
        if (!filter.name.isEmpty() && !filter.text.isEmpty())
            m_filters.append(filter);
    }
    rebuild();
    connect(this, &TraceFilters::changed, &settings, [this, &settings] {
        QVariantList list;
        for (const SavedFilter& filter : std::as_const(m_filters))
            list.append(QVariantMap{{NameKey, filter.name}, {TextKey, filter.text}});
        settings.setValue(FiltersKey, list);
    });
}

QString TraceFilters::save(const QString& name, const QString& text) {
    const SavedFilter filter{name.simplified(), text.trimmed()};
    if (filter.text.isEmpty())
        return tr("The filter line is empty: type a filter there first.");
    if (filter.name.isEmpty())
        return tr("The filter needs a name.");
    if (const QString fault = m_check(filter.text); !fault.isEmpty())
        return tr("The filter is not saved, it has a fault: %1").arg(fault);
    const auto same = std::find_if(m_filters.begin(), m_filters.end(),
                                   [&](const SavedFilter& each) { return each.name.compare(filter.name, Qt::CaseInsensitive) == 0; });
    if (same == m_filters.end())
        m_filters.append(filter);
    else
        *same = filter;
    rebuild();
    emit changed();
    return {};
}

void TraceFilters::remove(int row) {
    if (row < 0 || row >= m_filters.size())
        return;
    m_filters.removeAt(row);
    rebuild();
    if (const int left = static_cast<int>(m_filters.size()); left > 0)
        m_table->setCurrentIndex(m_model->index(std::min(row, left - 1), Name));
    emit changed();
}

void TraceFilters::saveTyped() {
    const QString problem = save(m_name->text(), m_text);
    setProblem(problem);
    if (problem.isEmpty())
        hide();
}

void TraceFilters::choose(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const QString text = (m_filters + builtIn()).at(index.row()).text;
    hide();
    emit chosen(text);
}

QList<SavedFilter> TraceFilters::builtIn() {
    return {{tr("Nobody acted"), QStringLiteral("outcome == unhandled")},
            {tr("Consumed on the way"), QStringLiteral("notReached ~ \"*\"")},
            {tr("Sent by a person"), QStringLiteral("injected == true")}};
}

void TraceFilters::rebuild() {
    m_model->removeRows(0, m_model->rowCount());
    const QList<SavedFilter> all = m_filters + builtIn();
    for (const SavedFilter& filter : all) {
        const bool saved = m_model->rowCount() < m_filters.size();
        auto* name = new QStandardItem(shownLine(filter.name));
        name->setToolTip(saved ? tipText(filter.name) : tr("Built in"));
        auto* text = new QStandardItem(shownLine(filter.text));
        text->setFont(m_theme.font(FontRole::Mono));
        text->setForeground(m_theme.color(Token::Muted));
        text->setToolTip(tipText(filter.text));
        auto* trash = new QStandardItem;
        if (saved) {
            trash->setIcon(m_theme.icon(QStringLiteral("delete"), Token::Muted));
            trash->setToolTip(tr("Delete this filter (Del)"));
            trash->setAccessibleText(tr("Delete %1").arg(filter.name));
        }
        m_model->appendRow({name, text, trash});
    }
    m_none->setVisible(m_filters.isEmpty());
}

void TraceFilters::setProblem(const QString& text) {
    m_problem->setText(shownText(text));
    m_problem->setVisible(!text.isEmpty());
    setInvalid(*m_name, !text.isEmpty());
    if (isVisible() && !text.isEmpty())
        resize(width(), std::max(height(), layout()->heightForWidth(width())));
}

void TraceFilters::popUp(const QWidget& anchor, const QString& text) {
    constexpr int MaxRows = 12;
    m_text = text;
    const auto known = std::find_if(m_filters.cbegin(), m_filters.cend(), [&](const SavedFilter& each) { return each.text == text.trimmed(); });
    m_name->setText(known == m_filters.cend() ? QString() : known->name);
    m_name->selectAll();
    setProblem({});
    const int rows = std::min(m_model->rowCount(), MaxRows);
    const int words = m_none->isHidden() ? 0
                                         : m_none->heightForWidth(PopupWidth - 2 * measure::PanelPadding)
                                               + measure::PanelPadding;
    const QRect place(anchor.mapToGlobal(QPoint(anchor.width() - PopupWidth, 0)), QSize(PopupWidth, anchor.height()));
    placePopup(*this, place,
               QSize(PopupWidth, rows * measure::RowHeight + words + measure::ControlHeight
                                     + 3 * measure::PanelPadding + 4));
    show();
    m_name->setFocus(Qt::PopupFocusReason);
}

void TraceFilters::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

bool TraceFilters::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (watched == m_name && enter) {
        saveTyped();
        return true;
    }
    if (watched == m_name && key == Qt::Key_Down) {
        m_table->setFocus(Qt::OtherFocusReason);
        m_table->setCurrentIndex(m_model->index(0, Name));
        return true;
    }
    if (watched == m_table && enter) {
        choose(m_table->currentIndex());
        return true;
    }
    if (watched == m_table && key == Qt::Key_Delete) {
        remove(m_table->currentIndex().row());
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_trace_filters.cpp"
