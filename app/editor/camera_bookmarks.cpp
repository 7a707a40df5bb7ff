#include "app/editor/camera_bookmarks.h"

#include <QAction>

#include "app/editor/name_dialog.h"
#include "app/editor/scene_memory.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/user_settings.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>

namespace sbx::editor {

namespace {
const QString BookmarkName = QStringLiteral("name");
const QString BookmarkCamera = QStringLiteral("camera");
const QString BookmarksMenu = QStringLiteral("View/Bookmarks");
QString goId(int number) { return QStringLiteral("view.bookmark%1").arg(number); }
QString setId(int number) { return QStringLiteral("view.bookmarkSet%1").arg(number); }
} // namespace

CameraBookmarks::CameraBookmarks(const Services& services) : QObject(&services.window), m_services(services) {
    const ui::Document& document = services.document;
    for (const auto change : {&ui::Document::opened, &ui::Document::closed, &ui::Document::filesChanged})
        connect(&document, change, this, &CameraBookmarks::readScene);
}

void CameraBookmarks::addActions() {
    ui::ActionRegistry& actions = m_services.actions;
    const QString context = QStringLiteral("viewport");
    const auto isOpen = [this] { return m_services.document.isOpen(); };
    for (int number = 1; number <= Count; ++number)
        actions.add({.id = setId(number),
                     .text = tr("Set %1").arg(number),
                     .menu = BookmarksMenu + QStringLiteral("/") + tr("Set"),
                     .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number))},
                     .context = context,
                     .doc = tr("Keep where the camera stands now"),
                     .run = [this, number](bool) { set(number); },
                     .enabled = isOpen});
    for (int number = 1; number <= Count; ++number)
        actions.add({.id = goId(number),
                     .text = tr("Bookmark %1").arg(number),
                     .menu = BookmarksMenu,
                     .icon = QStringLiteral("camera"),
                     .shortcuts = {QKeySequence(static_cast<Qt::Key>(Qt::Key_0 + number))},
                     .context = context,
                     .doc = tr("Look from where the camera stood when the bookmark was set"),
                     .run = [this, number](bool) { go(number); },
                     .enabled = isOpen});
    const auto isThere = [this] { return m_current > 0; };
    actions.add({.id = QStringLiteral("view.bookmarkRename"),
                 .text = tr("Re&name…"),
                 .menu = BookmarksMenu + QStringLiteral("#2"),
                 .doc = tr("Give the bookmark that was set or gone to last another name"),
                 .run = [this](bool) { askForName(); },
                 .enabled = isThere});
    actions.add({.id = QStringLiteral("view.bookmarkDelete"),
                 .text = tr("&Delete"),
                 .menu = BookmarksMenu + QStringLiteral("#2"),
                 .doc = tr("Forget the bookmark that was set or gone to last"),
                 .run = [this](bool) { remove(m_current); },
                 .enabled = isThere});
    for (int number = 1; number <= Count; ++number)
        m_services.viewport.QWidget::addActions({actions.find(goId(number)), actions.find(setId(number))});
    readScene();
}

CameraBookmarks::Bookmark* CameraBookmarks::at(int number) {
    return number >= 1 && number <= Count ? &m_bookmarks[static_cast<std::size_t>(number - 1)] : nullptr;
}

QString CameraBookmarks::name(int number) const {
    return number >= 1 && number <= Count ? m_bookmarks[static_cast<std::size_t>(number - 1)].name : QString();
}

void CameraBookmarks::set(int number) {
    Bookmark* bookmark = at(number);
    const QVariantMap camera = m_services.viewport.saveCamera();
    if (bookmark == nullptr || m_scene.isEmpty() || camera.isEmpty())
        return;
    bookmark->camera = camera;
    if (bookmark->name.isEmpty())
        bookmark->name = tr("View %1").arg(number);
    m_current = number;
    keep();
    nameActions();
    emit said(tr("Bookmark %1 is this view: %2.").arg(number).arg(bookmark->name));
}

void CameraBookmarks::go(int number) {
    const Bookmark* bookmark = at(number);
    if (bookmark == nullptr || m_scene.isEmpty())
        return;
    if (bookmark->camera.isEmpty()) {
        const QAction* action = m_services.actions.find(setId(number));
        emit said(tr("There is no bookmark %1 in this scene yet; %2 sets it.")
                      .arg(QString::number(number), action != nullptr && !action->shortcut().isEmpty()
                                                        ? action->shortcut().toString(QKeySequence::NativeText)
                                                        : tr("View ▸ Bookmarks ▸ Set")));
        return;
    }
    m_services.viewport.moveCamera(bookmark->camera);
    m_current = number;
    nameActions();
}

void CameraBookmarks::rename(int number, const QString& name) {
    Bookmark* bookmark = at(number);
    if (bookmark == nullptr || bookmark->camera.isEmpty() || name.isEmpty() || name.size() > LongestName)
        return;
    bookmark->name = name;
    keep();
    nameActions();
}

void CameraBookmarks::remove(int number) {
    Bookmark* bookmark = at(number);
    if (bookmark == nullptr || bookmark->camera.isEmpty())
        return;
    *bookmark = {};
    m_current = m_current == number ? 0 : m_current;
    keep();
    nameActions();
}

// Of the scene that is open now, as they were kept.
void CameraBookmarks::readScene() {
    const ui::Document& document = m_services.document;
    const QString scene = document.isOpen() ? document.path(document.file(ui::FileRole::Scene)) : QString();
    if (scene != m_scene) {
        m_scene = scene;
        m_current = 0;
        m_bookmarks = {};
        const QVariantMap kept = SceneMemory::bookmarks(m_services.settings).find(scene);
        for (int number = 1; number <= Count; ++number) {
            const QVariantMap each = kept.value(QString::number(number)).toMap();
            const QString name = each.value(BookmarkName).toString().left(LongestName);
            const QVariantMap camera = each.value(BookmarkCamera).toMap();
            if (!name.isEmpty() && !camera.isEmpty())
                *at(number) = {name, camera};
        }
    }
    nameActions();
}

void CameraBookmarks::keep() {
    if (!m_services.remembers)
        return;
    QVariantMap entry;
    for (int number = 1; number <= Count; ++number)
        if (const Bookmark& bookmark = *at(number); !bookmark.camera.isEmpty())
            entry.insert(QString::number(number), QVariantMap{{BookmarkName, bookmark.name}, {BookmarkCamera, bookmark.camera}});
    SceneMemory::bookmarks(m_services.settings).keep(m_scene, entry);
}

void CameraBookmarks::nameActions() {
    const auto shown = [](const QString& name) { return ui::shownLine(name).replace(QLatin1Char('&'), QStringLiteral("&&")); };
    for (int number = 1; number <= Count; ++number) {
        const Bookmark& bookmark = *at(number);
        const bool isSet = !bookmark.camera.isEmpty();
        if (QAction* go = m_services.actions.find(goId(number)))
            go->setText(isSet ? shown(bookmark.name) : tr("Bookmark %1: none yet").arg(number));
        if (QAction* set = m_services.actions.find(setId(number)))
            set->setText(isSet ? tr("Set %1, now %2").arg(QString::number(number), shown(bookmark.name)) : tr("Set %1").arg(number));
    }
    const QString current = shown(name(m_current));
    if (QAction* rename = m_services.actions.find(QStringLiteral("view.bookmarkRename")))
        rename->setText(current.isEmpty() ? tr("Re&name…") : tr("Re&name %1…").arg(current));
    if (QAction* remove = m_services.actions.find(QStringLiteral("view.bookmarkDelete")))
        remove->setText(current.isEmpty() ? tr("&Delete") : tr("&Delete %1").arg(current));
    m_services.actions.refresh();
}

void CameraBookmarks::askForName() {
    const int number = m_current;
    const NameDialog::Words words{QStringLiteral("bookmarkName"), tr("Rename bookmark %1").arg(number), tr("&Name of the bookmark"),
                                  tr("&Rename")};
    const auto faultOf = [](const QString& name) {
        return name.isEmpty() ? tr("A bookmark needs a name.")
               : name.size() > LongestName
                   ? tr("The name has %1 characters; at most %2 fit.").arg(name.size()).arg(LongestName)
                   : QString();
    };
    auto* dialog = new NameDialog(m_services.theme, words, name(number), faultOf, &m_services.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, number] { rename(number, dialog->name()); });
    dialog->open();
}

} // namespace sbx::editor

#include "moc_camera_bookmarks.cpp"
