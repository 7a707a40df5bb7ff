// What a person can do in the tree of the definition panel: its actions, its menus, and the question before something that is used goes.

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/definition/outline_tree.h"

#include <utility>

namespace sbx::ui {

using Kind = definition::OutlineNode::Kind;

namespace {

const QString TreeContext = QStringLiteral("definition.tree");
const char* const TreeActionIds[] = {
    "definition.tree.add",       "definition.tree.edit",       "definition.tree.delete",
    "definition.tree.duplicate", "definition.tree.moveUp",     "definition.tree.moveDown",
    "definition.tree.copy",      "definition.tree.cut",        "definition.tree.paste",
    "definition.tree.defaults",  "definition.tree.setMissing", "definition.tree.setDefaults"};
enum TreeAction {
    Add,
    Edit,
    Delete,
    Duplicate,
    MoveUp,
    MoveDown,
    Copy,
    Cut,
    Paste,
    Defaults,
    SetMissing,
    SetDefaults
};

QString treeAction(TreeAction action) { return QLatin1String(TreeActionIds[action]); }

} // namespace

OutlineTree::~OutlineTree() {
    for (const char* id : TreeActionIds)
        m_actions.remove(QLatin1String(id));
}

void OutlineTree::addActions() {
    const auto row = [this] { return current().isValid() && !m_model->isStale(); };
    const auto movable = [this, row] {
        const TreePlace at = current();
        return row() && at.written && at.ownerKind == Kind::Type && at.kind != Kind::Key;
    };
    const auto part = [this, row] {
        const TreePlace at = current();
        return row() && !at.component.empty() && at.component.find('.') == std::string::npos;
    };
    const auto add = [this](TreeAction which, const QString& text, const char* icon, const QKeySequence& keys,
                            const QString& doc, std::function<bool()> enabled, std::function<void()> run) {
        Action action;
        action.id = treeAction(which);
        action.text = text;
        action.icon = QLatin1String(icon);
        if (!keys.isEmpty())
            action.shortcuts = {keys};
        action.context = TreeContext;
        action.doc = doc;
        action.enabled = std::move(enabled);
        action.run = [run = std::move(run)](bool) { run(); };
        m_actions.add(std::move(action));
    };
    add(
        Add, tr("Add to the definition…"), "plus", QKeySequence(Qt::Key_Insert),
        tr("Add a type, a component or a key"), [this] { return m_edits.isOpen() && !m_model->isStale(); },
        [this] { popUpAdd(); });
    add(Edit, tr("Change the value or the name"), "", QKeySequence(Qt::Key_F2),
        tr("Change the value of a key, or the name of a type or an entity"), row, [this] { editCurrent(); });
    add(
        Delete, tr("Delete the row"), "delete", QKeySequence(Qt::Key_Delete),
        tr("Take a key, a component, a type or an entity out of the file; a key has its default then, or "
           "what the base says"),
        [this, row] { return row() && current().written; }, [this] { deleteCurrent(); });
    add(
        Duplicate, tr("Duplicate the type"), "duplicate", QKeySequence(Qt::CTRL | Qt::Key_D),
        tr("Make another type, or entity, like this one"),
        [this, row] { return row() && (current().kind == Kind::Type || current().kind == Kind::Instance); },
        [this] { duplicateCurrent(); });
    add(MoveUp, tr("Move up"), "arrow-up", QKeySequence(Qt::ALT | Qt::Key_Up),
        tr("Put the type or the component before the one above it"), movable, [this] { moveCurrent(-1); });
    add(MoveDown, tr("Move down"), "arrow-down", QKeySequence(Qt::ALT | Qt::Key_Down),
        tr("Put the type or the component behind the one below it"), movable, [this] { moveCurrent(1); });
    add(
        Copy, tr("Copy the row"), "", QKeySequence::Copy, tr("Copy it as TOML text"),
        [this, row] { return row() && current().written; }, [this] { copyCurrent(false); });
    add(
        Cut, tr("Cut the row"), "", QKeySequence::Cut, tr("Copy it as TOML text and delete it"),
        [this, row] { return row() && current().written; }, [this] { copyCurrent(true); });
    add(
        Paste, tr("Paste into the definition"), "", QKeySequence::Paste,
        tr("Put in types, components or keys that were copied here or in the text"),
        [this] { return m_edits.isOpen() && !m_model->isStale(); }, [this] { pasteAtCurrent(); });
    Action defaults;
    defaults.id = treeAction(Defaults);
    defaults.text = tr("Show defaults in the outline");
    defaults.icon = QStringLiteral("eye");
    defaults.context = TreeContext;
    defaults.doc =
        tr("Also the keys that the file does not say, in grey, with the values that they have all the same");
    defaults.checkable = true;
    defaults.run = [this](bool on) { setShowsDefaults(on); };
    defaults.checked = [this] { return showsDefaults(); };
    m_actions.add(std::move(defaults));
    add(SetMissing, tr("Set missing keys"), "", {},
        tr("Write the keys of the component that are not written, with the values they have"), part,
        [this] { act([this](const TreePlace& at) { return m_edits.setDefaults(at, false); }); });
    add(SetDefaults, tr("Set all defaults"), "", {}, tr("Write every key of the component with its default"),
        part, [this] { act([this](const TreePlace& at) { return m_edits.setDefaults(at, true); }); });
    m_actions.attach(*m_view, TreeContext);
}

void OutlineTree::act(const std::function<Result<void>(const TreePlace&)>& what) {
    emit refreshNeeded();
    report(what(current()));
    emit refreshNeeded();
}

void OutlineTree::addType(bool extends) {
    emit refreshNeeded();
    const TreePlace at = current();
    const Result<std::string> name =
        m_edits.addType(extends && at.ownerKind == Kind::Type ? at.owner : std::string());
    if (!name) {
        report(name.error());
        return;
    }
    emit refreshNeeded();
    // Its name is the next thing to say.
    if (select({Kind::Type, Kind::Type, *name, {}, 0, {}, true}))
        editCurrent();
}

void OutlineTree::addKey(const std::string& component, const std::string& key) {
    emit refreshNeeded();
    TreePlace owner = current();
    owner.key.clear();
    if (component != owner.component) {
        owner.component = component;
        owner.which = 0;
    }
    if (!report(m_edits.addKey(owner, key)))
        return;
    emit refreshNeeded();
    owner.kind = Kind::Key;
    owner.key = key;
    owner.written = true;
    if (select(owner))
        editCurrent();
}

void OutlineTree::addComponent(const QString& component) {
    act([this, component](const TreePlace& at) -> Result<void> {
        if (at.ownerKind != Kind::Type || !at.isValid())
            return Error{"choose the type that the component goes into", {}, {}};
        return m_edits.addComponent(at.owner, component.toStdString());
    });
    TreePlace place = current();
    select({Kind::Component, Kind::Type, place.owner, component.toStdString(), 0, {}, true});
}

std::vector<ComponentChoice> OutlineTree::componentChoices() const {
    const TreePlace at = current();
    return at.isValid() && at.ownerKind == Kind::Type && !m_model->isStale()
               ? m_edits.componentChoices(at.owner)
               : std::vector<ComponentChoice>();
}

void OutlineTree::fillAddMenu(QMenu& menu) {
    const TreePlace at = current();
    const auto add = [&](QMenu& into, const QString& text, const char* name, auto run) {
        QAction* action = into.addAction(text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    if (m_edits.outlined() == definition::OutlinedFile::Definitions) {
        add(menu, tr("Type"), "add.type", [this] { addType(false); });
        if (at.isValid() && at.ownerKind == Kind::Type) {
            add(menu, tr("Type that extends %1").arg(shownLine(at.owner)), "add.extending",
                [this] { addType(true); });
            add(menu, tr("Component of %1…").arg(shownLine(at.owner)), "add.component",
                [this] { emit addComponentRequested(); });
        }
    }
    const auto keys = [&](QMenu& into, const TreePlace& owner) {
        for (const FieldInfo* field : m_edits.missingKeys(owner)) {
            QAction* action =
                add(into, QString::fromStdString(field->name), "add.key",
                    [this, component = owner.component, key = field->name] { addKey(component, key); });
            action->setToolTip(QString::fromStdString(field->doc));
        }
        into.setToolTipsVisible(true);
    };
    if (!at.isValid())
        return;
    TreePlace owner = at;
    owner.key.clear();
    auto* own = menu.addMenu(at.component.empty() ? tr("Key of %1").arg(shownLine(at.owner))
                                                  : tr("Key of %1").arg(shownLine(at.component)));
    own->setObjectName(QStringLiteral("add.keys"));
    keys(*own, owner);
    own->setEnabled(!own->isEmpty());
    if (at.ownerKind != Kind::Instance || !at.component.empty())
        return;
    for (const std::string& component : m_edits.componentsOf(at)) {
        owner.component = component;
        auto* of = menu.addMenu(tr("Override in %1").arg(shownLine(component)));
        keys(*of, owner);
        of->setEnabled(!of->isEmpty());
    }
}

// "the component Body", as the words of a menu; empty: there is no row, or it is a table of the file.
QString OutlineTree::rowName(const TreePlace& at) {
    const auto name = [](const std::string& text) {
        return QString(shownLine(text)).replace(QLatin1Char('&'), QLatin1String("&&"));
    };
    switch (at.kind) {
    case Kind::Type:
        return tr("the type %1").arg(name(at.owner));
    case Kind::Instance:
        return tr("the entity %1").arg(name(at.owner));
    case Kind::Component:
        return tr("the component %1").arg(name(at.component));
    case Kind::Key:
        return name(at.key);
    case Kind::Table:
        break;
    }
    return {};
}

void OutlineTree::fillMenu(QMenu& menu) {
    const TreePlace at = current();
    const bool faulty = m_view->currentIndex().siblingAtColumn(0).data(OutlineModel::SeverityRole).isValid();
    if (const QString title = faulty && m_fixTitle ? m_fixTitle(offsetOf(m_view->currentIndex())) : QString();
        !title.isEmpty()) {
        QAction* fix = menu.addAction(m_theme.icon(QStringLiteral("check")), title);
        fix->setObjectName(QStringLiteral("tree.fix"));
        connect(fix, &QAction::triggered, this,
                [this] { emit fixRequested(offsetOf(m_view->currentIndex())); });
        menu.addSeparator();
    }
    auto* add = menu.addMenu(m_theme.icon(QStringLiteral("plus")), tr("Add"));
    add->setObjectName(QStringLiteral("tree.add"));
    add->setEnabled(!m_model->isStale());
    fillAddMenu(*add);
    QAction* show = menu.addAction(m_theme.icon(QStringLiteral("definition")), tr("Show in the text"));
    show->setEnabled(at.isValid());
    connect(show, &QAction::triggered, this, [this] { emit activated(offsetOf(m_view->currentIndex())); });
    if (!at.component.empty())
        emit menuOfComponent(menu, at);
    // The words name what is done, and to what; keys and state are those of the action.
    const auto named = [&](TreeAction which, const QString& text) {
        QAction* source = m_actions.find(treeAction(which));
        if (text.isEmpty()) {
            menu.addAction(source);
            return;
        }
        QAction* action = menu.addAction(source->icon(), text);
        action->setObjectName(source->objectName());
        action->setShortcut(source->shortcut());
        action->setShortcutContext(Qt::WidgetShortcut); // shown here; pressed in the tree, it is the other one's
        action->setEnabled(source->isEnabled());
        connect(action, &QAction::triggered, source, &QAction::trigger);
    };
    const QString what = rowName(at);
    named(Edit, what.isEmpty() || at.kind == Kind::Component ? QString()
                : at.kind == Kind::Key                       ? tr("Change the value of %1").arg(what)
                                                             : tr("Rename %1").arg(what));
    menu.addSeparator();
    named(Cut, what.isEmpty() ? QString() : tr("Cut %1").arg(what));
    named(Copy, what.isEmpty() ? QString() : tr("Copy %1").arg(what));
    named(Paste, {});
    named(Duplicate, what.isEmpty() ? QString() : tr("Duplicate %1").arg(what));
    named(Delete, what.isEmpty() ? QString() : tr("Delete %1").arg(what));
    menu.addSeparator();
    for (const TreeAction action : {MoveUp, MoveDown})
        menu.addAction(m_actions.find(treeAction(action)));
    if (at.kind == Kind::Type && !m_edits.otherFiles().empty()) {
        auto* move = menu.addMenu(tr("Move to another file"));
        move->setObjectName(QStringLiteral("tree.move"));
        move->setEnabled(!m_model->isStale());
        for (const std::string& file : m_edits.otherFiles())
            connect(move->addAction(shownLine(file)), &QAction::triggered, this, [this, file] {
                act([this, file](const TreePlace& place) { return m_edits.moveTypeTo(place.owner, file); });
            });
    }
    menu.addSeparator();
    for (const TreeAction action : {SetMissing, SetDefaults, Defaults})
        menu.addAction(m_actions.find(treeAction(action)));
}

void OutlineTree::showMenu(const QPoint& at) {
    emit refreshNeeded();
    m_actions.refresh();
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("definition.treeMenu"));
    fillMenu(menu);
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

void OutlineTree::popUpAdd() {
    emit refreshNeeded();
    if (!m_edits.isOpen())
        return;
    if (m_model->isStale()) {
        report(Error{fault().toStdString(), {}, {}});
        return;
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("definition.addMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillAddMenu(*menu);
    const QRect row = m_view->visualRect(m_view->currentIndex());
    // Beside the row that it adds to.
    menu->popup(m_view->hasFocus() && row.isValid() ? m_view->viewport()->mapToGlobal(row.bottomLeft())
                                                    : m_add->mapToGlobal(QPoint(0, m_add->height())));
}

std::optional<QString> OutlineTree::questionBeforeDelete(const TreePlace& place) const {
    if (place.kind != Kind::Type)
        return std::nullopt;
    const TreeEdits::Usage usage = m_edits.usageOf(place.owner);
    QStringList users;
    if (usage.entities > 0)
        users << (usage.entities == 1 ? tr("1 entity is of it")
                                      : tr("%1 entities are of it").arg(usage.entities));
    if (usage.types > 0)
        users << (usage.types == 1 ? tr("1 type extends it") : tr("%1 types extend it").arg(usage.types));
    if (usage.settings > 0)
        users << (usage.settings == 1 ? tr("1 setting names it")
                                      : tr("%1 settings name it").arg(usage.settings));
    if (users.isEmpty())
        return std::nullopt;
    return tr("%1 is used: %2").arg(shownLine(place.owner), users.join(QStringLiteral(", ")));
}

void OutlineTree::deleteCurrent() {
    emit refreshNeeded();
    const TreePlace place = current();
    const auto remove = [this, place] {
        emit refreshNeeded();
        report(m_edits.remove(place));
        emit refreshNeeded();
    };
    const std::optional<QString> question = questionBeforeDelete(place);
    if (!question)
        return remove();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("definition.deleteMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* title = menu->addAction(m_theme.icon(QStringLiteral("warning"), Token::Warning), *question);
    title->setObjectName(QStringLiteral("delete.question"));
    title->setEnabled(false);
    menu->addSeparator();
    QAction* keep = menu->addAction(tr("Keep it"));
    keep->setObjectName(QStringLiteral("delete.keep"));
    QAction* all = menu->addAction(tr("Delete it; what uses it becomes a problem"));
    all->setObjectName(QStringLiteral("delete.confirm"));
    connect(all, &QAction::triggered, this, remove);
    menu->setActiveAction(keep);
    const QRect row = m_view->visualRect(m_view->currentIndex());
    menu->popup(m_view->viewport()->mapToGlobal(row.bottomLeft()));
}

void OutlineTree::duplicateCurrent() {
    emit refreshNeeded();
    TreePlace place = current();
    const Result<std::string> name = m_edits.duplicate(place);
    if (!name) {
        report(name.error());
        return;
    }
    emit refreshNeeded();
    place.owner = *name;
    if (select(place))
        editCurrent();
}

void OutlineTree::copyCurrent(bool cut) {
    emit refreshNeeded();
    const TreePlace place = current();
    const Result<std::string> text = m_edits.textOf(place);
    if (!text) {
        report(text.error());
        return;
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(*text));
    if (cut)
        deleteCurrent();
}

void OutlineTree::pasteAtCurrent() {
    act([this](const TreePlace& at) {
        return m_edits.paste(at, QGuiApplication::clipboard()->text().toStdString());
    });
}

void OutlineTree::moveCurrent(int step) {
    emit refreshNeeded();
    const TreePlace place = current();
    if (!report(m_edits.moveBy(place, step)))
        return;
    emit refreshNeeded();
    select(place);
}

} // namespace sbx::ui
