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
// Rows that contain the text in their name or their description, and the headings of those.
class BrowserFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setText(const QString& text) {
        m_text = text;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (!index.data(EntityTypeModel::IsHeadingRole).toBool())
            return m_text.isEmpty() || index.data().toString().contains(m_text, Qt::CaseInsensitive)
                   || index.data(EntityTypeModel::DocRole).toString().contains(m_text, Qt::CaseInsensitive);
        const int count = sourceModel()->rowCount(parent);
        for (int below = row + 1; below < count; ++below) {
            if (sourceModel()->index(below, 0, parent).data(EntityTypeModel::IsHeadingRole).toBool())
                return false;
            if (filterAcceptsRow(below, parent))
                return true;
        }
        return false;
    }

private:
    QString m_text;
};

int countWithoutHeadings(const QAbstractItemModel& model) {
    int count = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        count += model.index(row, 0).data(EntityTypeModel::IsHeadingRole).toBool() ? 0 : 1;
    return count;
}

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
    const auto addTypes = [&](const QString& heading, bool builtIn) {
        const qsizetype before = rows.size();
        for (const definition::EntityTypeDefinition& type : m_project.content()->definitions->types()) {
            if (type.builtIn != builtIn)
                continue;
            if (rows.size() == before)
                rows.append({heading, {}, {}, {}, Kind::Heading});
            const Vec4 color = type.color.value_or(Vec4(0.0F));
            rows.append(
                {QString::fromStdString(type.name), QString::fromStdString(type.doc),
                 QString::fromStdString(type.icon),
                 type.color ? QColor(encoded(color.x), encoded(color.y), encoded(color.z)) : QColor()});
        }
    };
    if (m_project.content()) {
        addTypes(tr("This project"), false);
        addTypes(tr("Built in"), true);
    }
    if (!m_files->files().isEmpty())
        rows.append({tr("Sound files"), {}, {}, {}, Kind::Heading});
    for (const QString& file : m_files->files())
        rows.append({file, {}, QStringLiteral("sound"), {}, Kind::File});
    const auto same = [](const Row& a, const Row& b) {
        return a.name == b.name && a.doc == b.doc && a.icon == b.icon && a.color == b.color && a.kind == b.kind;
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
    const bool heading = row.kind == Kind::Heading;
    switch (role) {
    case Qt::DisplayRole:
        return shownLine(row.name);
    case Qt::ToolTipRole:
        if (heading)
            return {};
        return tipText(row.doc.isEmpty() ? row.name : QStringLiteral("%1\n%2").arg(row.name, row.doc));
    case Qt::DecorationRole: {
        if (heading)
            return {};
        const QString icon = row.icon.isEmpty() ? QStringLiteral("entity") : row.icon;
        return row.color.isValid() ? m_theme.icon(icon, m_theme.readable(row.color)) : m_theme.icon(icon);
    }
    case Qt::FontRole:
        return heading ? QVariant(m_theme.strongFont(FontRole::Ui)) : QVariant();
    case Qt::ForegroundRole:
        return heading ? QVariant(m_theme.color(Token::Muted)) : QVariant();
    case IsFileRole:
        return row.kind == Kind::File;
    case IsHeadingRole:
        return heading;
    case DocRole:
        return row.doc;
    default:
        return {};
    }
}

Qt::ItemFlags EntityTypeModel::flags(const QModelIndex& index) const {
    const Kind kind = index.isValid() ? m_rows[index.row()].kind : Kind::Heading;
    if (kind == Kind::Heading)
        return Qt::NoItemFlags;
    return QAbstractListModel::flags(index) | (kind == Kind::Type ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

QStringList EntityTypeModel::mimeTypes() const { return {QString::fromLatin1(MimeType)}; }

QMimeData* EntityTypeModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty() || m_rows[indexes.first().row()].kind != Kind::Type)
        return nullptr;
    auto data = std::make_unique<QMimeData>();
    data->setData(QString::fromLatin1(MimeType), m_rows[indexes.first().row()].name.toUtf8());
    return data.release(); // the view takes it
}

EntityBrowser::EntityBrowser(const Theme& theme, ProjectModel& project, SessionFeed& feed, QWidget* parent)
    : QWidget(parent),
      m_project(project),
      m_model(new EntityTypeModel(theme, project, this)),
      m_proxy(new BrowserFilter(this)),
      m_view(new QListView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("entities"), tr("Find a type or sound"), this)),
      m_transport(new SoundTransport(theme, feed, this)) {
    setObjectName(QStringLiteral("entities"));
    m_proxy->setSourceModel(m_model);
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
    empty->setObjectName(QStringLiteral("entities.empty"));
    m_noMatch = new NoMatchSwitch(theme, m_view, *m_bar, tr("No type and no sound matches."),
                                  QStringLiteral("entities.noMatch"));
    m_switch = new EmptySwitch(m_noMatch, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);
    m_transport->layout()->setContentsMargins(measure::RelatedGap, 0, measure::PanelPadding, 0);
    layout->addWidget(m_transport);

    m_bar->focusOnFind(*this);
    m_bar->leaveOnEsc();
    setFocusProxy(m_view);
    connect(m_bar, &FilterBar::filterChanged, this, [this](const QString& text) {
        static_cast<BrowserFilter*>(m_proxy)->setText(text);
        showCounts();
    });
    connect(&project, &ProjectModel::contentChanged, this, [this] { refresh(false); });
    connect(&project, &ProjectModel::opened, this, [this] { refresh(true); });
    connect(&m_model->soundFiles(), &SoundFiles::changed, this, [this] { refresh(false); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &EntityBrowser::showSound);
    connect(m_view, &QListView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.data(EntityTypeModel::IsHeadingRole).toBool())
            return;
        if (index.data(EntityTypeModel::IsFileRole).toBool())
            m_transport->play();
        else
            emit createRequested(index.data().toString());
    });
    connect(m_view, &QListView::customContextMenuRequested, this, [this](const QPoint& at) {
        const QString type = m_view->indexAt(at).data().toString();
        if (type.isEmpty() || m_view->indexAt(at).data(EntityTypeModel::IsHeadingRole).toBool())
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
    showCounts();
    m_switch->setEmpty(m_model->rowCount() == 0);
    if (!kept.isEmpty() && !m_view->currentIndex().isValid()) // others have come
        for (int row = 0; row < m_proxy->rowCount(); ++row)
            if (const QModelIndex index = m_proxy->index(row, 0); index.data().toString() == kept)
                m_view->setCurrentIndex(index);
    showSound();
}

void EntityBrowser::showCounts() {
    const int shown = countWithoutHeadings(*m_proxy);
    m_bar->setCounts(shown, countWithoutHeadings(*m_model));
    m_noMatch->setEmpty(shown == 0);
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
