#include "app/editor/layouts.h"

#include <QAction>
#include <QMainWindow>
#include <QVariantMap>

#include "app/editor/dock_layout.h"
#include "app/editor/name_dialog.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

namespace {
const QString OwnKey = QStringLiteral("layouts");
const QString CurrentKey = QStringLiteral("window/layout");
const QString OwnPrefix = QStringLiteral("own:");
const QString LayoutMenu = QStringLiteral("View/Layout");
QString ownId(int index) { return QStringLiteral("view.layoutOwn%1").arg(index + 1); }
} // namespace

Layouts::Layouts(const Services& services) : QObject(&services.window), m_services(services) {
    for (const QVariant& each : services.settings.value(OwnKey).toList()) {
        const QVariantMap map = each.toMap();
        OwnLayout layout{
            map.value(QStringLiteral("name")).toString(), map.value(QStringLiteral("state")).toByteArray(),
            map.value(QStringLiteral("rightCorner")).toInt(), map.value(QStringLiteral("size")).toSize()};
        if (m_own.size() < MostOwn && faultOf(layout.name).isEmpty() && !layout.state.isEmpty())
            m_own.append(std::move(layout));
    }
    m_current = services.settings.value(CurrentKey).toString();
    if (m_current.startsWith(OwnPrefix) && indexOf(m_current.mid(OwnPrefix.size())) < 0)
        m_current.clear();
}

void Layouts::addFixed(const QString& id, const QString& text, const QString& doc, std::function<void()> arrange) {
    if (m_current.isEmpty())
        m_current = id;
    m_fixed.append({id, text, std::move(arrange)});
    m_services.actions.add({.id = QStringLiteral("view.") + id,
                            .text = text,
                            .menu = LayoutMenu,
                            .doc = doc,
                            .run = [this, id](bool) { showFixed(id); },
                            .checkable = true,
                            .checked = [this, id] { return m_current == id; }});
}

void Layouts::addOwn() {
    ui::ActionRegistry& actions = m_services.actions;
    if (!m_current.startsWith(OwnPrefix)
        && std::none_of(m_fixed.begin(), m_fixed.end(), [this](const Fixed& fixed) { return fixed.id == m_current; }))
        m_current = m_fixed.isEmpty() ? QString() : m_fixed.front().id;
    for (int i = 0; i < MostOwn; ++i)
        actions.add({.id = ownId(i),
                     .text = tr("Own layout %1").arg(i + 1),
                     .menu = LayoutMenu + QStringLiteral("#1"),
                     .doc = tr("A layout of your own"),
                     .run = [this, i](bool) { show(i); },
                     .checkable = true,
                     .enabled = [this, i] { return i < m_own.size(); },
                     .checked = [this, i] { return i < m_own.size() && m_current == OwnPrefix + m_own[i].name; }});
    const auto isOwn = [this] { return !currentOwn().isEmpty(); };
    actions.add({.id = QStringLiteral("view.layoutSaveAs"),
                 .text = tr("&Save layout as…"),
                 .menu = LayoutMenu + QStringLiteral("#2"),
                 .doc = tr("Keep the places of the panels under a name"),
                 .run = [this](bool) { askForName({}); },
                 .enabled = [this] { return m_own.size() < MostOwn; }});
    actions.add({.id = QStringLiteral("view.layoutSave"),
                 .text = tr("Save changes"),
                 .menu = LayoutMenu + QStringLiteral("#2"),
                 .doc = tr("Keep the places of the panels under the name of the current own layout"),
                 .run = [this](bool) { saveAs(currentOwn()); },
                 .enabled = isOwn});
    actions.add({.id = QStringLiteral("view.layoutReset"),
                 .text = tr("&Reset this layout"),
                 .menu = LayoutMenu + QStringLiteral("#2"),
                 .doc = tr("Put the panels where the current layout has them"),
                 .run = [this](bool) { reset(); }});
    actions.add({.id = QStringLiteral("view.layoutRename"),
                 .text = tr("Re&name…"),
                 .menu = LayoutMenu + QStringLiteral("#3"),
                 .doc = tr("Give the current own layout another name"),
                 .run = [this](bool) { askForName(currentOwn()); },
                 .enabled = isOwn});
    actions.add({.id = QStringLiteral("view.layoutDelete"),
                 .text = tr("&Delete"),
                 .menu = LayoutMenu + QStringLiteral("#3"),
                 .doc = tr("Forget the current own layout; the panels stay where they are"),
                 .run = [this](bool) { removeOwn(currentOwn()); },
                 .enabled = isOwn});
    nameActions();
}

QString Layouts::currentOwn() const {
    return m_current.startsWith(OwnPrefix) ? m_current.mid(OwnPrefix.size()) : QString();
}

int Layouts::indexOf(const QString& name) const {
    const auto found = std::find_if(m_own.begin(), m_own.end(), [&](const OwnLayout& layout) { return layout.name == name; });
    return found == m_own.end() ? -1 : static_cast<int>(found - m_own.begin());
}

QString Layouts::faultOf(const QString& name, const QString& except) const {
    if (name.isEmpty())
        return tr("A layout needs a name.");
    if (name.size() > LongestName)
        return tr("The name has %1 characters; at most %2 fit.").arg(name.size()).arg(LongestName);
    if (std::any_of(name.begin(), name.end(), [](QChar c) { return !c.isPrint(); }))
        return tr("The name has a character that cannot be shown.");
    const auto isSame = [&](const QString& other) {
        return other != except && other.compare(name, Qt::CaseInsensitive) == 0;
    };
    if (std::any_of(m_own.begin(), m_own.end(), [&](const OwnLayout& layout) { return isSame(layout.name); })
        || std::any_of(m_fixed.begin(), m_fixed.end(), [&](const Fixed& fixed) { return isSame(fixed.text); }))
        return tr("There is a layout %1 already.").arg(name);
    return {};
}

OwnLayout Layouts::arrangedNow(const QString& name) const {
    return {name, m_services.window.saveState(m_services.version),
            static_cast<int>(m_services.window.corner(Qt::BottomRightCorner)), m_services.window.size()};
}

void Layouts::saveAs(const QString& name) {
    const int index = indexOf(name);
    if (index >= 0)
        m_own[index] = arrangedNow(name);
    else if (m_own.size() < MostOwn && faultOf(name).isEmpty())
        m_own.append(arrangedNow(name));
    else
        return;
    keep();
    setCurrent(OwnPrefix + name);
}

void Layouts::rename(const QString& from, const QString& to) {
    const int index = indexOf(from);
    if (index < 0 || !faultOf(to, from).isEmpty())
        return;
    m_own[index].name = to;
    keep();
    setCurrent(m_current == OwnPrefix + from ? OwnPrefix + to : m_current);
}

void Layouts::removeOwn(const QString& name) {
    const int index = indexOf(name);
    if (index < 0)
        return;
    const OwnLayout removed = m_own.takeAt(index);
    const bool wasCurrent = m_current == OwnPrefix + name;
    keep();
    if (wasCurrent)
        setCurrent(m_fixed.isEmpty() ? QString() : m_fixed.front().id);
    else
        setCurrent(m_current);
    ui::Notice notice;
    notice.context = QStringLiteral("layout");
    notice.text = tr("The layout %1 is deleted.").arg(name);
    notice.actionText = tr("Undo");
    notice.action = [this, removed, index, wasCurrent] {
        m_services.notices.dismissContext(QStringLiteral("layout"));
        if (m_own.size() >= MostOwn || !faultOf(removed.name).isEmpty())
            return;
        m_own.insert(std::min<qsizetype>(index, m_own.size()), removed);
        keep();
        setCurrent(wasCurrent ? OwnPrefix + removed.name : m_current);
    };
    m_services.notices.post(notice);
}

void Layouts::showFixed(const QString& id) {
    for (const Fixed& fixed : m_fixed)
        if (fixed.id == id)
            fixed.arrange();
    setCurrent(id);
}

void Layouts::show(int own) {
    if (own < 0 || own >= m_own.size())
        return;
    const OwnLayout& layout = m_own[own];
    m_services.window.setCorner(Qt::BottomRightCorner, layout.corner == static_cast<int>(Qt::RightDockWidgetArea)
                                                           ? Qt::RightDockWidgetArea
                                                           : Qt::BottomDockWidgetArea);
    if (!restoreLayout(m_services.window, layout.state, m_services.version, layout.size)) {
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.context = QStringLiteral("layout");
        notice.text = tr("The layout %1 was saved by another version of the program and cannot be shown. Arrange the panels and save "
                         "it again, or delete it.")
                          .arg(layout.name);
        m_services.notices.post(notice);
    }
    setCurrent(OwnPrefix + layout.name);
}

void Layouts::reset() {
    if (const int index = indexOf(currentOwn()); index >= 0)
        show(index);
    else
        showFixed(m_current);
}

void Layouts::setCurrent(const QString& current) {
    m_current = current;
    m_services.settings.setValue(CurrentKey, current);
    nameActions();
    m_services.actions.refresh();
}

QString Layouts::currentText() const {
    for (const Fixed& fixed : m_fixed)
        if (fixed.id == m_current)
            return fixed.text;
    return currentOwn();
}

// Names are the user's: & is a letter there.
void Layouts::nameActions() {
    const auto shown = [](const QString& name) { return ui::shownLine(name).replace(QLatin1Char('&'), QStringLiteral("&&")); };
    const auto name = [this](const QString& id, const QString& text) {
        if (QAction* action = m_services.actions.find(id))
            action->setText(text);
    };
    for (int i = 0; i < MostOwn; ++i)
        if (QAction* action = m_services.actions.find(ownId(i))) {
            action->setVisible(i < m_own.size());
            action->setText(i < m_own.size() ? shown(m_own[i].name) : tr("Own layout %1").arg(i + 1));
        }
    const QString own = shown(currentOwn());
    name(QStringLiteral("view.layoutReset"), tr("&Reset %1").arg(shown(currentText())));
    name(QStringLiteral("view.layoutSave"), own.isEmpty() ? tr("Save changes") : tr("Save changes to %1").arg(own));
    name(QStringLiteral("view.layoutRename"), own.isEmpty() ? tr("Re&name…") : tr("Re&name %1…").arg(own));
    name(QStringLiteral("view.layoutDelete"), own.isEmpty() ? tr("&Delete") : tr("&Delete %1").arg(own));
}

void Layouts::keep() {
    QVariantList list;
    for (const OwnLayout& layout : m_own)
        list.append(QVariantMap{{QStringLiteral("name"), layout.name},
                                {QStringLiteral("state"), layout.state},
                                {QStringLiteral("rightCorner"), layout.corner},
                                {QStringLiteral("size"), layout.size}});
    m_services.settings.setValue(OwnKey, list);
}

// Of a new layout, or for one that has the name `from`.
void Layouts::askForName(const QString& from) {
    const bool isNew = from.isEmpty();
    const NameDialog::Words words{QStringLiteral("layoutName"), isNew ? tr("Save layout as") : tr("Rename layout"),
                                  tr("&Name of the layout"), isNew ? tr("&Save") : tr("&Rename")};
    auto* dialog =
        new NameDialog(m_services.theme, words, from, [this, from](const QString& name) { return faultOf(name, from); }, &m_services.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, from, isNew] {
        if (isNew)
            saveAs(dialog->name());
        else
            rename(from, dialog->name());
    });
    dialog->open();
}

} // namespace sbx::editor

#include "moc_layouts.cpp"
