#include "app/editor/keep_dialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <map>

namespace sbx::editor {

namespace {
enum Column { What, Before, Now, ColumnCount };
constexpr int Width = 640; // pixels
constexpr int Height = 420;
} // namespace

KeepDialog::KeepDialog(std::shared_ptr<const LiveEdits::List> edits, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent), m_edits(std::move(edits)), m_theme(theme), m_list(new QTreeWidget(this)), m_keep(new QPushButton(this)) {
    setObjectName(QStringLiteral("keep"));
    setWindowTitle(tr("Keep changes"));
    auto* what = new QLabel(tr("These values were changed by hand while the world ran. What is ticked goes into the scene, as one step of undo."), this);
    what->setWordWrap(true);
    m_list->setObjectName(QStringLiteral("keep.list"));
    m_list->setAccessibleName(tr("Values changed while the world ran"));
    m_list->setColumnCount(ColumnCount);
    m_list->setHeaderLabels({tr("Value"), tr("Before"), tr("Changed to")});
    m_list->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(What, QHeaderView::ResizeToContents);
    m_list->setUniformRowHeights(true);
    m_keep->setObjectName(QStringLiteral("keep.keep"));
    m_keep->setDefault(true);
    ui::setPrimary(*m_keep);
    auto* all = new QPushButton(tr("&All"), this);
    all->setObjectName(QStringLiteral("keep.all"));
    all->setToolTip(tr("Tick all that can be kept"));
    auto* none = new QPushButton(tr("&None"), this);
    none->setObjectName(QStringLiteral("keep.none"));
    none->setToolTip(tr("Tick nothing"));
    auto* discard = new QPushButton(tr("&Discard all"), this);
    discard->setObjectName(QStringLiteral("keep.discard"));
    discard->setToolTip(tr("The scene stays as it is, and these changes are forgotten"));
    auto* later = new QPushButton(tr("Not now"), this);
    later->setObjectName(QStringLiteral("keep.later"));
    later->setToolTip(tr("Play ▸ Keep changes… asks again, until the next run begins"));
    for (QPushButton* button : {all, none, discard, later})
        button->setAutoDefault(false);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(all);
    buttons->addWidget(none);
    buttons->addStretch();
    buttons->addWidget(discard);
    buttons->addWidget(later);
    buttons->addWidget(m_keep);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(what);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    resize(Width, Height);
    fill();

    const auto tick = [this](Qt::CheckState state) {
        for (int i = 0; i < m_list->topLevelItemCount(); ++i)
            if (QTreeWidgetItem* entity = m_list->topLevelItem(i); (entity->flags() & Qt::ItemIsUserCheckable) != 0)
                entity->setCheckState(What, state);
    };
    connect(all, &QPushButton::clicked, this, [tick] { tick(Qt::Checked); });
    connect(none, &QPushButton::clicked, this, [tick] { tick(Qt::Unchecked); });
    connect(later, &QPushButton::clicked, this, &QDialog::reject);
    connect(discard, &QPushButton::clicked, this, [this] {
        emit discarded();
        accept();
    });
    connect(m_keep, &QPushButton::clicked, this, [this] {
        emit chosen(ticked());
        accept();
    });
    connect(m_list, &QTreeWidget::itemChanged, this, &KeepDialog::follow);
    follow();
}

void KeepDialog::fill() {
    std::map<std::string, QTreeWidgetItem*> entities;
    for (std::size_t i = 0; i < m_edits->size(); ++i) {
        const LiveEdit& edit = (*m_edits)[i];
        QTreeWidgetItem*& entity = entities[edit.entity];
        if (entity == nullptr) {
            entity = new QTreeWidgetItem(m_list, {QString::fromStdString(edit.entity)});
            entity->setExpanded(true);
        }
        const QString name = edit.component.empty() ? QString::fromStdString(edit.field)
                                                    : QString::fromStdString(edit.component + "." + edit.field);
        auto* item = new QTreeWidgetItem(entity, {name, QString::fromStdString(edit.shownBefore), QString::fromStdString(edit.shownAfter)});
        item->setData(What, Qt::UserRole, static_cast<qulonglong>(i));
        for (const int column : {Before, Now})
            item->setFont(column, m_theme.font(ui::FontRole::Mono));
        if (edit.obstacle.empty()) {
            entity->setFlags(entity->flags() | Qt::ItemIsAutoTristate | Qt::ItemIsUserCheckable);
            item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
            item->setCheckState(What, Qt::Checked);
            ++m_possible;
        } else {
            const QString why = tr("Cannot be kept: %1").arg(QString::fromStdString(edit.obstacle));
            item->setDisabled(true);
            for (const int column : {What, Before, Now})
                item->setToolTip(column, why);
            item->setText(Now, QString::fromStdString(edit.shownAfter) + QStringLiteral("   ") + why);
        }
    }
}

LiveEdits::List KeepDialog::ticked() const {
    LiveEdits::List out;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* entity = m_list->topLevelItem(i);
        for (int k = 0; k < entity->childCount(); ++k)
            if (const QTreeWidgetItem* item = entity->child(k); !item->isDisabled() && item->checkState(What) == Qt::Checked)
                out.push_back((*m_edits)[item->data(What, Qt::UserRole).toULongLong()]);
    }
    return out;
}

void KeepDialog::follow() {
    const std::size_t count = ticked().size();
    m_keep->setText(tr("&Keep %1 of %2").arg(count).arg(m_possible));
    m_keep->setEnabled(count > 0);
}

} // namespace sbx::editor

#include "moc_keep_dialog.cpp"
