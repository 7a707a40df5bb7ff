#include "widgets/outliner/entity_browser.h"

#include <QColor>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/project_model.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {
// Linear to the screen's encoding.
int encoded(float linear) {
    const float c = std::clamp(linear, 0.0F, 1.0F);
    const float s = c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1.0F / 2.4F) - 0.055F;
    return static_cast<int>(std::lround(s * 255.0F));
}
} // namespace

EntityTypeModel::EntityTypeModel(const Theme& theme, const ProjectModel& project, QObject* parent)
    : QAbstractListModel(parent), m_theme(theme), m_project(project) {}

void EntityTypeModel::refresh() {
    QList<Row> rows;
    if (m_project.content())
        for (const definition::EntityTypeDefinition& type : m_project.content()->definitions->types()) {
            const Vec4 color = type.color.value_or(Vec4(0.0F));
            rows.append(
                {QString::fromStdString(type.name), QString::fromStdString(type.doc),
                 QString::fromStdString(type.icon),
                 type.color ? QColor(encoded(color.x), encoded(color.y), encoded(color.z)) : QColor()});
        }
    const auto same = [](const Row& a, const Row& b) {
        return a.name == b.name && a.doc == b.doc && a.icon == b.icon && a.color == b.color;
    };
    if (rows.size() == m_rows.size() && std::equal(rows.begin(), rows.end(), m_rows.begin(), same))
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int EntityTypeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant EntityTypeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return row.name;
    case Qt::ToolTipRole:
        return row.doc.isEmpty() ? row.name : QStringLiteral("%1\n%2").arg(row.name, row.doc);
    case Qt::DecorationRole: {
        const QString icon = row.icon.isEmpty() ? QStringLiteral("entity") : row.icon;
        return row.color.isValid() ? m_theme.icon(icon, m_theme.readable(row.color)) : m_theme.icon(icon);
    }
    default:
        return {};
    }
}

Qt::ItemFlags EntityTypeModel::flags(const QModelIndex& index) const {
    return QAbstractListModel::flags(index) | (index.isValid() ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

QStringList EntityTypeModel::mimeTypes() const { return {QString::fromLatin1(MimeType)}; }

QMimeData* EntityTypeModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty())
        return nullptr;
    auto data = std::make_unique<QMimeData>();
    data->setData(QString::fromLatin1(MimeType), m_rows[indexes.first().row()].name.toUtf8());
    return data.release(); // the view takes it
}

EntityBrowser::EntityBrowser(const Theme& theme, ProjectModel& project, QWidget* parent)
    : QWidget(parent),
      m_model(new EntityTypeModel(theme, project, this)),
      m_proxy(new QSortFilterProxyModel(this)),
      m_view(new QListView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("entities"), tr("Find a type"), this)) {
    setObjectName(QStringLiteral("entities"));
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setObjectName(QStringLiteral("entities.list"));
    m_view->setAccessibleName(tr("Entity types"));
    m_view->setModel(m_proxy);
    m_view->setDragEnabled(true);
    m_view->setDragDropMode(QAbstractItemView::DragOnly);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* empty = new EmptyState(theme, QStringLiteral("definition"),
                                 tr("No entity types. A project's definition file declares them."));
    m_switch = new EmptySwitch(m_view, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);

    m_bar->focusOnFind(*this);
    setFocusProxy(m_view);
    connect(m_bar, &FilterBar::filterChanged, this, [this](const QString& text) {
        m_proxy->setFilterFixedString(text);
        m_bar->setCounts(m_proxy->rowCount(), m_model->rowCount());
    });
    const auto refresh = [this] {
        m_model->refresh();
        m_bar->setCounts(m_proxy->rowCount(), m_model->rowCount());
        m_switch->setEmpty(m_model->rowCount() == 0);
    };
    connect(&project, &ProjectModel::contentChanged, this, refresh);
    connect(m_view, &QListView::doubleClicked, this,
            [this](const QModelIndex& index) { emit createRequested(index.data().toString()); });
    connect(m_view, &QListView::customContextMenuRequested, this, [this](const QPoint& at) {
        const QString type = m_view->indexAt(at).data().toString();
        if (type.isEmpty())
            return;
        QMenu menu;
        menu.addAction(tr("Create %1").arg(type), this, [this, type] { emit createRequested(type); });
        menu.addAction(tr("Go to definition"), this, [this, type] { emit definitionRequested(type); });
        menu.exec(m_view->viewport()->mapToGlobal(at));
    });
    refresh();
}

QString EntityBrowser::currentType() const { return m_view->currentIndex().data().toString(); }

} // namespace sbx::ui
