#include "widgets/outliner/entity_browser.h"

#include <QColor>
#include <QEvent>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/sound_files.h"
#include "widgets/common/sound_transport.h"
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
    : QAbstractListModel(parent), m_theme(theme), m_project(project), m_files(new SoundFiles(this)) {}

void EntityTypeModel::lookForFiles() {
    m_files->setFolder(m_project.content()
                           ? QString::fromStdString(m_project.content()->project.folder.string())
                           : QString());
    refresh();
}

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
    for (const QString& file : m_files->files())
        rows.append({file, {}, QStringLiteral("sound"), {}, true});
    const auto same = [](const Row& a, const Row& b) {
        return a.name == b.name && a.doc == b.doc && a.icon == b.icon && a.color == b.color
               && a.isFile == b.isFile;
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
        return shownLine(row.name);
    case Qt::ToolTipRole:
        return tipText(row.doc.isEmpty() ? row.name : QStringLiteral("%1\n%2").arg(row.name, row.doc));
    case Qt::DecorationRole: {
        const QString icon = row.icon.isEmpty() ? QStringLiteral("entity") : row.icon;
        return row.color.isValid() ? m_theme.icon(icon, m_theme.readable(row.color)) : m_theme.icon(icon);
    }
    case IsFileRole:
        return row.isFile;
    default:
        return {};
    }
}

Qt::ItemFlags EntityTypeModel::flags(const QModelIndex& index) const {
    const bool draggable = index.isValid() && !m_rows[index.row()].isFile;
    return QAbstractListModel::flags(index) | (draggable ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

QStringList EntityTypeModel::mimeTypes() const { return {QString::fromLatin1(MimeType)}; }

QMimeData* EntityTypeModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty() || m_rows[indexes.first().row()].isFile)
        return nullptr;
    auto data = std::make_unique<QMimeData>();
    data->setData(QString::fromLatin1(MimeType), m_rows[indexes.first().row()].name.toUtf8());
    return data.release(); // the view takes it
}

EntityBrowser::EntityBrowser(const Theme& theme, ProjectModel& project, SessionFeed& feed, QWidget* parent)
    : QWidget(parent),
      m_project(project),
      m_model(new EntityTypeModel(theme, project, this)),
      m_proxy(new QSortFilterProxyModel(this)),
      m_view(new QListView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("entities"), tr("Find a type or sound"), this)),
      m_transport(new SoundTransport(theme, feed, this)) {
    setObjectName(QStringLiteral("entities"));
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setObjectName(QStringLiteral("entities.list"));
    m_view->setAccessibleName(tr("Entity types and sound files"));
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
    m_transport->layout()->setContentsMargins(measure::RelatedGap, 0, measure::PanelPadding, 0);
    layout->addWidget(m_transport);

    m_bar->focusOnFind(*this);
    setFocusProxy(m_view);
    connect(m_bar, &FilterBar::filterChanged, this, [this](const QString& text) {
        m_proxy->setFilterFixedString(text);
        m_bar->setCounts(m_proxy->rowCount(), m_model->rowCount());
    });
    connect(&project, &ProjectModel::contentChanged, this, [this] { refresh(false); });
    connect(&project, &ProjectModel::opened, this, [this] { refresh(true); });
    connect(&m_model->soundFiles(), &SoundFiles::changed, this, [this] { refresh(false); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &EntityBrowser::showSound);
    connect(m_view, &QListView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.data(EntityTypeModel::IsFileRole).toBool())
            m_transport->play();
        else
            emit createRequested(index.data().toString());
    });
    connect(m_view, &QListView::customContextMenuRequested, this, [this](const QPoint& at) {
        const QString type = m_view->indexAt(at).data().toString();
        if (type.isEmpty())
            return;
        QMenu menu;
        if (m_view->indexAt(at).data(EntityTypeModel::IsFileRole).toBool()) {
            menu.addAction(tr("Play %1").arg(type), this, [this] { m_transport->play(); });
            menu.exec(m_view->viewport()->mapToGlobal(at));
            return;
        }
        menu.addAction(tr("Create %1").arg(type), this, [this, type] { emit createRequested(type); });
        menu.addAction(tr("Go to definition"), this, [this, type] { emit definitionRequested(type); });
        menu.exec(m_view->viewport()->mapToGlobal(at));
    });
    refresh(true);
}

// Where the system reports no changes of the folder, files that came while another program was in front are found now.
void EntityBrowser::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && isVisible())
        refresh(true);
}

void EntityBrowser::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh(true);
}

void EntityBrowser::refresh(bool files) {
    const QString kept = m_view->currentIndex().data().toString();
    if (files)
        m_model->lookForFiles();
    else
        m_model->refresh();
    m_bar->setCounts(m_proxy->rowCount(), m_model->rowCount());
    m_switch->setEmpty(m_model->rowCount() == 0);
    if (!kept.isEmpty() && !m_view->currentIndex().isValid()) // others have come
        for (int row = 0; row < m_proxy->rowCount(); ++row)
            if (const QModelIndex index = m_proxy->index(row, 0); index.data().toString() == kept)
                m_view->setCurrentIndex(index);
    showSound();
}

void EntityBrowser::showSound() {
    const QModelIndex index = m_view->currentIndex();
    const std::string name = index.data().toString().toStdString();
    SoundAudition::Subject subject;
    if (index.data(EntityTypeModel::IsFileRole).toBool()) {
        subject.file = name;
    } else if (m_project.content()) {
        const definition::EntityTypeDefinition* type = m_project.content()->definitions->find(name);
        if (type != nullptr && type->find("Sound") != nullptr)
            subject.type = name;
    }
    m_transport->setSubject(subject);
    m_transport->reread();
}

QString EntityBrowser::currentType() const {
    const QModelIndex index = m_view->currentIndex();
    return index.data(EntityTypeModel::IsFileRole).toBool() ? QString() : index.data().toString();
}

} // namespace sbx::ui

#include "moc_entity_browser.cpp"
