// What the inspector's menus offer: the ways between an entity's overrides and its type.

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "widgets/common/foreign_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/component_section.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/inspector/new_type_dialog.h"
#include "widgets/inspector/setting_answer.h"

#include <algorithm>

namespace sbx::ui {

namespace {

// Of the field that is being typed in, if it lies at that place of the screen: the menu stands in for that of the text.
void offerText(QMenu& menu, const QWidget& panel, const QPoint& at) {
    auto* const line = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    if (line == nullptr || !panel.isAncestorOf(line) || !line->rect().contains(line->mapFromGlobal(at)))
        return;
    const auto offer = [&](const QString& text, const char* name, bool possible, auto run) {
        QAction* const action = menu.addAction(text, line, run);
        action->setObjectName(QLatin1String(name));
        action->setEnabled(possible);
    };
    const bool selected = line->hasSelectedText();
    offer(InspectorPanel::tr("Cut"), "text.cut", selected && !line->isReadOnly(), &QLineEdit::cut);
    offer(InspectorPanel::tr("Copy"), "text.copy", selected, &QLineEdit::copy);
    offer(InspectorPanel::tr("Paste"), "text.paste", !line->isReadOnly(), &QLineEdit::paste);
    menu.addSeparator();
}

} // namespace

void InspectorPanel::offerOverrides(QMenu& menu, const std::string& component) {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr)
        return;
    const std::vector<std::string> names = targets(component);
    const bool several = names.size() > 1;
    const bool stopped = m_feed.mode() == Mode::Edit;
    const bool overrides = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return m_typeEdits.hasOverrides(name, component);
    });
    const QString of = component.empty() ? QString() : tr(" of %1").arg(QString::fromStdString(component));
    QAction* apply = menu.addAction(tr("Apply overrides%1 to all of %2 (%3)")
                                        .arg(of, shownLine(row->type))
                                        .arg(m_componentEdits.usedBy(row->type)));
    apply->setObjectName(QStringLiteral("overrides.apply"));
    // Several may override a setting with different values.
    apply->setEnabled(stopped && !several && m_typeEdits.hasOverrides(m_shown, component));
    connect(apply, &QAction::triggered, this,
            [this, entity = m_shown, component] { report(m_typeEdits.applyOverrides(entity, component)); });
    QAction* revert = menu.addAction(tr("Revert overrides%1").arg(of));
    revert->setObjectName(QStringLiteral("overrides.revert"));
    revert->setEnabled(stopped && overrides);
    const auto components = [this, component] {
        if (!component.empty())
            return std::vector<std::string>{component};
        std::vector<std::string> all;
        for (const ComponentSection* section : m_components)
            all.push_back(section->objectName().mid(qsizetype(sizeof("inspector.") - 1)).toStdString());
        return all;
    };
    connect(revert, &QAction::triggered, this,
            [this, names, components] { report(m_edits.revertComponents(names, components())); });
    QAction* write = menu.addAction(tr("Override all values%1").arg(of));
    write->setObjectName(QStringLiteral("overrides.write"));
    write->setToolTip(tr("Writes every value into the scene, so that a later change of the type does not reach this one."));
    write->setEnabled(stopped && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return m_edits.settingLock(name, component).isEmpty();
    }));
    connect(write, &QAction::triggered, this,
            [this, names, components] { report(m_edits.writeValues(names, components())); });
}

void InspectorPanel::offerForField(const std::string& component, const FieldInfo& field, const QPoint& at) {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr)
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("inspector.fieldMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    offerText(*menu, *this, at);
    const QString name = QString::fromStdString(field.name);
    const bool stopped = m_feed.mode() == Mode::Edit;
    const bool ofType = scope() == EditScope::AllOfType;
    const std::vector<std::string> names = targets(component);
    QAction* apply = menu->addAction(tr("Apply %1 to all of %2 (%3)")
                                         .arg(name, shownLine(row->type))
                                         .arg(m_componentEdits.usedBy(row->type)));
    apply->setObjectName(QStringLiteral("field.apply"));
    apply->setEnabled(stopped && names.size() == 1
                      && m_typeEdits.hasOverrides(m_shown, component, field.name));
    connect(apply, &QAction::triggered, this, [this, entity = m_shown, component, key = field.name] {
        report(m_typeEdits.applyOverrides(entity, component, key));
    });
    QAction* revert = menu->addAction(tr("Revert %1").arg(name));
    revert->setObjectName(QStringLiteral("field.revert"));
    FieldEditor* editor = this->editor(component, field.name);
    revert->setEnabled(editor != nullptr
                       && (editor->origin() == FieldOrigin::Live || (editor->origin() == FieldOrigin::Overridden && (stopped || ofType))));
    if (editor != nullptr)
        connect(revert, &QAction::triggered, editor, &FieldEditor::revertRequested);
    const bool pinned = m_favourites.contains(QString::fromStdString(component + "." + field.name));
    menu->addSeparator();
    QAction* pin = menu->addAction(m_theme.icon(pinned ? QStringLiteral("starred") : QStringLiteral("star")),
                                   pinned ? tr("Take off the top") : tr("Pin to the top"));
    pin->setObjectName(QStringLiteral("field.pin"));
    pin->setEnabled(!component.empty()); // the place is there already
    connect(pin, &QAction::triggered, this, [this, component, &field, pinned] { setFavourite(component, field, !pinned); });
    if (component.empty())
        offerHistory(*menu, component, field);
    else
        offerSetting(*menu, component, field);
    menu->popup(at);
}

void InspectorPanel::offerSetting(QMenu& menu, const std::string& component, const FieldInfo& field) {
    QAction* who = menu.addAction(m_theme.icon(QStringLiteral("history")),
                                  tr("Who sets %1?…").arg(menuText(QString::fromStdString(field.name))));
    who->setObjectName(QStringLiteral("field.whoSets"));
    who->setToolTip(
        tr("What gives it its value, where that stands, and whether the undo history has a step for it"));
    connect(who, &QAction::triggered, this, [this, entity = m_shown, component, &field] {
        const EntityRow* row = m_feed.frame().entities->find(entity);
        if (row == nullptr)
            return;
        const SettingAnswer answer =
            whoSets({entity, row->type, component, field.name, m_edits.isLive({entity}, component, field)},
                    m_document, m_project, m_typeEdits);
        emit settingExplained(answer.text, QString::fromStdString(answer.file), answer.line, answer.column);
    });
}

void InspectorPanel::offerForState(const std::string& component, const FieldInfo& field, const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("inspector.stateMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    offerText(*menu, *this, at);
    offerHistory(*menu, component, field);
    menu->popup(at);
}

void InspectorPanel::offerHistory(QMenu& menu, const std::string& component, const FieldInfo& field) {
    QAction* who = menu.addAction(m_theme.icon(QStringLiteral("history")),
                                  tr("Who changed %1, and why?…").arg(shownLine(field.name)));
    who->setObjectName(QStringLiteral("field.whoChanged"));
    who->setEnabled(m_feed.mode() != Mode::Edit);
    who->setToolTip(
        tr("While the world runs: the handlers and messages that changed this value, and what caused these"));
    connect(who, &QAction::triggered, this, [this, entity = m_shown, component, name = field.name] {
        emit whoChanged(QString::fromStdString(entity), QString::fromStdString(component), QString::fromStdString(name));
    });
}

void InspectorPanel::offerWhyNot(QMenu& menu, const std::string& component) {
    QAction* why = menu.addAction(m_theme.icon(QStringLiteral("help")),
                                  tr("Why did %1 not act?…").arg(shownLine(component)));
    why->setObjectName(QStringLiteral("component.whyNot"));
    why->setToolTip(tr("Which messages came to it, and which another component consumed before"));
    connect(why, &QAction::triggered, this, [this, entity = m_shown, component] {
        emit whyNotAsked(QString::fromStdString(entity), QString::fromStdString(component));
    });
}

void InspectorPanel::fillEntityMenu(QMenu& menu) {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr)
        return;
    QAction* make =
        menu.addAction(tr("New type from %1…").arg(shownLine(m_shown)), this, &InspectorPanel::makeType);
    make->setObjectName(QStringLiteral("entity.newType"));
    make->setEnabled(m_feed.mode() == Mode::Edit && row->fromScene);
    menu.addSeparator();
    offerClipboard(menu, {});
    menu.addSeparator();
    offerOverrides(menu, {});
    menu.addSeparator();
    menu.addAction(tr("Go to the definition of %1").arg(shownLine(row->type)), this,
                   [this, type = row->type] { emit definitionRequested(QString::fromStdString(type), {}); });
}

void InspectorPanel::makeType() {
    const EntityRow* row = m_feed.frame().entities->find(m_shown);
    if (row == nullptr)
        return;
    if (m_feed.mode() != Mode::Edit || !row->fromScene) {
        report(Error{"a type can be made of an entity of the scene when the world is stopped", {}, {}});
        return;
    }
    const std::string entity = m_shown;
    auto* dialog = new NewTypeDialog(
        m_theme, QString::fromStdString(m_typeEdits.proposedTypeName(entity)),
        tr("It extends %1 and takes over what %2 overrides. %2 becomes the first entity of it.")
            .arg(shownLine(row->type), shownLine(entity)),
        [this](const QString& name) { return m_typeEdits.typeNameFault(name.toStdString()); }, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, entity] { report(m_typeEdits.makeType(entity, dialog->name().toStdString())); });
    dialog->open();
}

} // namespace sbx::ui
