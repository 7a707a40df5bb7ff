// Every control of the house style in both themes. `gallery FOLDER` writes dark.png, light.png, … and ends;
// without arguments it stays open.

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QStatusBar>
#include <QTableWidget>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/common/action_registry.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"

using namespace sbx;
using namespace sbx::ui;

namespace {

enum class Motion { Dynamic, Kinematic, Static };

struct Sample {
    bool enabled = true;
    int count = 12;
    float mass = 5.0F;
    float friction = 0.5F;
    Vec3 position{1.5F, 0.0F, -2.25F};
    Quat rotation{1, 0, 0, 0};
    Vec4 tint{0.35F, 0.1F, 0.7F, 1.0F};
    Vec4 glow{3.0F, 1.2F, 0.3F, 0.6F};
    Motion motion = Motion::Dynamic;
    std::string title = "A wooden box";
    std::string mesh = "meshes/crate.gltf";
    std::string target = "door";

    static void describe(FieldList<Sample>& f) {
        f.add("enabled", &Sample::enabled, "Takes part in the world.");
        f.add("count", &Sample::count, "How many at once.").range(0, 100000);
        f.add("mass", &Sample::mass, "Mass of a dynamic body.").unit("kg").range(0.001, 1e6);
        f.add("friction", &Sample::friction, "Coulomb friction.").range(0, 1);
        f.add("position", &Sample::position, "Where it is.").unit("m");
        f.add("rotation", &Sample::rotation, "How it is turned.");
        f.add("tint", &Sample::tint, "Base colour.").color().range(0, 1);
        f.add("glow", &Sample::glow, "Own light.").color();
        f.add("motion", &Sample::motion, "Who moves it.").choices({"dynamic", "kinematic", "static"});
        f.add("title", &Sample::title, "What people call it.");
        f.add("mesh", &Sample::mesh, "Its shape.").role(TextRole::AssetPath);
        f.add("target", &Sample::target, "Whom it opens.").role(TextRole::EntityName);
    }
};

QWidget* controls(const Theme& theme) {
    auto* page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(8);
    const auto row = [&](std::initializer_list<QWidget*> widgets) {
        auto* line = new QHBoxLayout;
        line->setSpacing(8);
        for (QWidget* widget : widgets)
            line->addWidget(widget);
        line->addStretch();
        column->addLayout(line);
    };
    auto* plain = new QPushButton(QStringLiteral("Duplicate"));
    auto* primary = new QPushButton(theme.icon(QStringLiteral("play")), QStringLiteral("Play"));
    setPrimary(*primary);
    auto* withIcon = new QPushButton(theme.icon(QStringLiteral("open")), QStringLiteral("Open project…"));
    auto* off = new QPushButton(QStringLiteral("Revert"));
    off->setEnabled(false);
    auto* menuButton = new QPushButton(QStringLiteral("Add component"));
    menuButton->setMenu(new QMenu(menuButton));
    row({primary, plain, withIcon, menuButton, off});
    auto* on = new QCheckBox(QStringLiteral("Shadows"));
    on->setChecked(true);
    auto* part = new QCheckBox(QStringLiteral("Mixed"));
    part->setTristate(true);
    part->setCheckState(Qt::PartiallyChecked);
    auto* offBox = new QCheckBox(QStringLiteral("Grid"));
    auto* disabledBox = new QCheckBox(QStringLiteral("Fog"));
    disabledBox->setChecked(true);
    disabledBox->setEnabled(false);
    auto* radioOn = new QRadioButton(QStringLiteral("World"));
    radioOn->setChecked(true);
    row({on, offBox, part, disabledBox, radioOn, new QRadioButton(QStringLiteral("Local"))});
    auto* line = new QLineEdit(QStringLiteral("crate_3"));
    auto* hint = new QLineEdit;
    hint->setPlaceholderText(QStringLiteral("Filter entities"));
    auto* wrong = new QLineEdit(QStringLiteral("masss"));
    setInvalid(*wrong, true);
    auto* readOnly = new QLineEdit(QStringLiteral("read only"));
    readOnly->setReadOnly(true);
    row({line, hint, wrong, readOnly});
    auto* combo = new QComboBox;
    combo->setObjectName(QStringLiteral("gallery.combo"));
    combo->addItems({QStringLiteral("dynamic"), QStringLiteral("kinematic"), QStringLiteral("static")});
    auto* editable = new QComboBox;
    editable->setEditable(true);
    editable->addItem(QStringLiteral("editable"));
    auto* spin = new QSpinBox;
    spin->setValue(60);
    spin->setSuffix(QStringLiteral(" Hz"));
    auto* real = new QDoubleSpinBox;
    real->setValue(9.81);
    auto* offSpin = new QSpinBox;
    offSpin->setEnabled(false);
    row({combo, editable, spin, real, offSpin});
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(40);
    slider->setFixedWidth(200);
    auto* progress = new QProgressBar;
    progress->setValue(62);
    progress->setFixedWidth(200);
    row({slider, progress});
    auto* tools = new QToolBar;
    for (const char* name : {"select", "move", "rotate", "scale"}) {
        QAction* action = tools->addAction(theme.icon(QLatin1String(name)), QLatin1String(name));
        action->setCheckable(true);
        action->setChecked(QLatin1String(name) == QLatin1String("move"));
    }
    tools->addSeparator();
    QAction* snap = tools->addAction(theme.icon(QStringLiteral("snap")), QStringLiteral("0.25 m"));
    if (auto* button = qobject_cast<QToolButton*>(tools->widgetForAction(snap)))
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tools->addAction(theme.icon(QStringLiteral("grid")), QStringLiteral("Grid"))->setEnabled(false);
    row({tools});
    auto* box = new QGroupBox(QStringLiteral("Shadow"));
    auto* boxColumn = new QVBoxLayout(box);
    boxColumn->addWidget(new QCheckBox(QStringLiteral("Soft edges")));
    column->addWidget(box);
    auto* icons = new QListWidget;
    icons->setViewMode(QListView::IconMode);
    icons->setGridSize(QSize(30, 30));
    icons->setResizeMode(QListView::Adjust);
    icons->setMinimumHeight(240);
    for (const QString& name : Theme::iconNames()) {
        auto* item = new QListWidgetItem(theme.icon(name), QString());
        item->setToolTip(name);
        icons->addItem(item);
    }
    column->addWidget(icons, 1);
    return page;
}

QWidget* fields(const Theme& theme) {
    auto* page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* form = new QFormLayout(page);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(4);
    FieldSources sources;
    sources.entityNames = [] {
        return QStringList{QStringLiteral("ball"), QStringLiteral("door"), QStringLiteral("phantom")};
    };
    int i = 0;
    static const Sample Defaults;
    for (const FieldInfo& field : fieldsOf<Sample>()) {
        FieldEditor* editor = FieldEditor::create(field, theme, sources);
        editor->setValue(field.read(&Defaults));
        editor->setOrigin(i % 3 == 0   ? FieldOrigin::Inherited
                          : i % 3 == 1 ? FieldOrigin::Default
                                       : FieldOrigin::Overridden);
        auto* label = new QLabel(QString::fromStdString(field.name));
        label->setForegroundRole(QPalette::PlaceholderText);
        form->addRow(label, editor);
        if (field.name == "count")
            editor->setProblem(
                QStringLiteral("“twelve” is not a number; expected a whole number in [0, 100000]"));
        ++i;
    }
    auto* picker = new ColorPicker(theme, true, page);
    picker->setWindowFlags(Qt::Widget);
    picker->setColor({3.0F, 1.2F, 0.3F, 0.6F});
    form->addRow(picker);
    return page;
}

QTreeWidget* tree(const Theme& theme) {
    auto* view = new QTreeWidget;
    view->setHeaderLabels({QStringLiteral("Entity"), QStringLiteral("Type")});
    const auto add = [&](QTreeWidgetItem* parent, const QString& name, const QString& type,
                         const QString& icon) {
        auto* item = parent != nullptr ? new QTreeWidgetItem(parent, {name, type})
                                       : new QTreeWidgetItem(view, {name, type});
        item->setIcon(0, theme.icon(icon));
        return item;
    };
    auto* yard = add(nullptr, QStringLiteral("yard"), QStringLiteral("Yard"), QStringLiteral("entity"));
    for (int i = 1; i < 5; ++i)
        add(yard, QStringLiteral("crate_%1").arg(i), QStringLiteral("Crate"), QStringLiteral("crate"));
    auto* door = add(nullptr, QStringLiteral("door"), QStringLiteral("Door"), QStringLiteral("door"));
    add(door, QStringLiteral("door_trigger"), QStringLiteral("Trigger"), QStringLiteral("trigger"));
    for (int i = 1; i < 9; ++i)
        add(nullptr, QStringLiteral("bat_%1").arg(i), QStringLiteral("Bat"), QStringLiteral("bat"));
    add(nullptr, QStringLiteral("phantom"), QStringLiteral("FirePhantom"), QStringLiteral("ghost"));
    view->expandAll();
    view->setColumnWidth(0, 160);
    view->setCurrentItem(yard->child(1));
    return view;
}

QTableWidget* trace(const Theme& theme) {
    auto* view = new QTableWidget(60, 5);
    view->setHorizontalHeaderLabels({QStringLiteral("Sequence"), QStringLiteral("Tick"),
                                     QStringLiteral("Type"), QStringLiteral("Sender"),
                                     QStringLiteral("Receiver")});
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(measure::TraceRowHeight);
    view->setShowGrid(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->horizontalHeader()->setStretchLastSection(true);
    view->setFont(theme.font(FontRole::Mono));
    view->horizontalHeader()->setFont(theme.font(FontRole::Ui));
    for (int row = 0; row < 60; ++row) {
        const QStringList cells{QString::number(812 + row), QString::number(120 + row / 8),
                                row % 3 ? QStringLiteral("Damage") : QStringLiteral("Contact"),
                                QStringLiteral("phantom_1"), QStringLiteral("crate_%1").arg(row % 7)};
        for (int column = 0; column < 5; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            if (column < 2)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (column == 2)
                item->setForeground(
                    theme.readable(theme.color(row % 3 ? Meaning::Consumed : Meaning::Passed)));
            view->setItem(row, column, item);
        }
    }
    view->setSortingEnabled(true);
    view->sortByColumn(0, Qt::AscendingOrder);
    view->selectRow(3);
    return view;
}

void grab(QWidget& widget, const QString& path) {
    QApplication::processEvents();
    widget.grab().save(path);
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    Theme theme(ThemeMode::Dark);
    theme.apply(application);
    ActionRegistry registry(theme);
    bool grid = true;
    const auto nothing = [](bool) {};
    registry.add({QStringLiteral("file.open"),
                  QStringLiteral("&Open project…"),
                  QStringLiteral("File"),
                  QStringLiteral("open"),
                  {QKeySequence::Open},
                  {},
                  QStringLiteral("Opens a folder with a project.toml"),
                  nothing});
    registry.add({QStringLiteral("file.save"),
                  QStringLiteral("&Save"),
                  QStringLiteral("File"),
                  QStringLiteral("save"),
                  {QKeySequence::Save},
                  {},
                  {},
                  nothing});
    registry.add({QStringLiteral("edit.undo"),
                  QStringLiteral("&Undo Move crate_3"),
                  QStringLiteral("Edit"),
                  QStringLiteral("undo"),
                  {QKeySequence::Undo},
                  {},
                  {},
                  nothing});
    registry.add({QStringLiteral("edit.redo"),
                  QStringLiteral("&Redo"),
                  QStringLiteral("Edit"),
                  QStringLiteral("redo"),
                  {QKeySequence::Redo},
                  {},
                  {},
                  nothing,
                  false,
                  [] { return false; }});
    registry.add({QStringLiteral("edit.duplicate"),
                  QStringLiteral("Duplicate"),
                  QStringLiteral("Edit#1"),
                  QStringLiteral("duplicate"),
                  {QKeySequence(QStringLiteral("Ctrl+D"))},
                  {},
                  {},
                  nothing});
    registry.add({QStringLiteral("view.grid"),
                  QStringLiteral("Grid"),
                  QStringLiteral("Edit#2"),
                  {},
                  {QKeySequence(QStringLiteral("G"))},
                  {},
                  {},
                  [&](bool on) { grid = on; },
                  true,
                  {},
                  [&] { return grid; }});
    registry.add({QStringLiteral("layout.author"),
                  QStringLiteral("Author"),
                  QStringLiteral("Edit/Layout#3"),
                  QStringLiteral("layout"),
                  {},
                  {},
                  {},
                  nothing});
    registry.add({QStringLiteral("play.start"),
                  QStringLiteral("Play"),
                  QStringLiteral("Play"),
                  QStringLiteral("play"),
                  {QKeySequence(QStringLiteral("F5"))},
                  {},
                  {},
                  nothing});

    QMainWindow window;
    window.setWindowTitle(QStringLiteral("Signalbox gallery"));
    registry.buildMenus(*window.menuBar(), {QStringLiteral("&File"), QStringLiteral("&Edit")});
    registry.attach(window);
    auto* bar = window.addToolBar(QStringLiteral("Play"));
    bar->setMovable(false);
    for (const char* id : {"file.open", "file.save", "edit.undo", "edit.redo"})
        bar->addAction(registry.find(QLatin1String(id)));
    bar->addSeparator();
    bar->addAction(registry.find(QStringLiteral("play.start")));
    setPrimary(*bar->widgetForAction(registry.find(QStringLiteral("play.start"))));
    for (const char* name : {"pause", "step", "stop"})
        bar->addAction(theme.icon(QLatin1String(name)), QLatin1String(name));

    const auto dock = [&](const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* widget = new QDockWidget(title, &window);
        widget->setObjectName(QStringLiteral("dock.") + title.toLower());
        widget->setWidget(content);
        window.addDockWidget(area, widget);
        return widget;
    };
    auto* outliner = new QWidget;
    outliner->setAutoFillBackground(true);
    outliner->setBackgroundRole(QPalette::Base);
    auto* outlinerColumn = new QVBoxLayout(outliner);
    outlinerColumn->setContentsMargins(0, 0, 0, 0);
    outlinerColumn->setSpacing(0);
    auto* filter = new FilterBar(theme, QStringLiteral("outliner"), QStringLiteral("Filter entities"));
    filter->setText(QStringLiteral("type == Crate and"));
    filter->setCounts(12, 430);
    filter->setProblem(QStringLiteral("column 15: a comparison is missing after “and”"));
    outlinerColumn->addWidget(filter);
    QTreeWidget* entities = tree(theme);
    outlinerColumn->addWidget(entities, 1);
    dock(QStringLiteral("Outliner"), outliner, Qt::LeftDockWidgetArea);
    auto* empty =
        new EmptyState(theme, QStringLiteral("problems"), QStringLiteral("Nothing is wrong in these files."));
    empty->setAutoFillBackground(true);
    empty->setBackgroundRole(QPalette::Base);
    empty->setAction(registry.find(QStringLiteral("file.open")));
    QDockWidget* traceDock = dock(QStringLiteral("Trace"), trace(theme), Qt::BottomDockWidgetArea);
    QDockWidget* emptyDock = dock(QStringLiteral("Problems"), empty, Qt::BottomDockWidgetArea);
    auto* consoleText = new QPlainTextEdit(QStringLiteral("sim.tickRate = 60\ncrate_3 took 5.0 damage"));
    consoleText->setFont(theme.font(FontRole::Mono));
    window.tabifyDockWidget(traceDock, emptyDock);
    window.tabifyDockWidget(emptyDock,
                            dock(QStringLiteral("Console"), consoleText, Qt::BottomDockWidgetArea));
    traceDock->raise();
    dock(QStringLiteral("Inspector"), fields(theme), Qt::RightDockWidgetArea);
    window.setCentralWidget(controls(theme));
    window.statusBar()->showMessage(QStringLiteral("Edit · tick 0 · 60 fps · 1 selected"));
    window.resize(1440, 980);
    NoticeList notices;
    NoticeStack stack(theme, notices, window);
    window.show();
    window.resizeDocks({traceDock}, {220}, Qt::Vertical);
    entities->setFocus();
    CommandPalette palette(theme, registry, window);
    QElapsedTimer settle;
    // The window manager gives focus, if there is one.
    for (settle.start(); !window.isActiveWindow() && settle.elapsed() < 5000;)
        QApplication::processEvents(QEventLoop::AllEvents, 50);

    if (argc < 2)
        return application.exec();
    const QDir out(QString::fromLocal8Bit(argv[1]));
    for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
        theme.setMode(mode);
        const QString name = mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
        notices.dismissContext({});
        grab(window, out.filePath(name + QStringLiteral(".png")));
        Notice wrong{Severity::Error,
                     QStringLiteral("entities.toml:14: masss is no key of Body; did you mean mass?"),
                     QStringLiteral("Show"),
                     {},
                     {},
                     0,
                     1,
                     {}};
        notices.post(wrong);
        notices.post(wrong);
        notices.post({Severity::Note, QStringLiteral("Saved entities.toml"), {}, {}, {}, 0, 1, {}});
        palette.popUp(QStringLiteral("du"));
        grab(window, out.filePath(name + QStringLiteral("_notices.png")));
        grab(palette, out.filePath(name + QStringLiteral("_palette.png")));
        palette.hide();
        auto* menu = window.menuBar()->findChild<QMenu*>(QStringLiteral("menu.edit"));
        menu->popup(QPoint(0, 0));
        menu->setActiveAction(registry.find(QStringLiteral("edit.duplicate")));
        grab(*menu, out.filePath(name + QStringLiteral("_menu.png")));
        menu->hide();
        auto* combo = window.findChild<QComboBox*>(QStringLiteral("gallery.combo"));
        combo->showPopup();
        grab(*combo->view()->window(), out.filePath(name + QStringLiteral("_combo.png")));
        combo->hidePopup();
        QMessageBox box(QMessageBox::Warning, QStringLiteral("Signalbox"),
                        QStringLiteral("Save changes to Courtyard before closing?"),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window);
        box.setInformativeText(
            QStringLiteral("entities.toml and courtyard.scene.toml have unsaved changes."));
        box.show();
        grab(box, out.filePath(name + QStringLiteral("_box.png")));
        box.hide();
        FileDialog files(&window, QStringLiteral("Open project"), QStringLiteral("/etc"),
                         QStringLiteral("Projects and scenes (project.toml *.scene.toml)"));
        files.setFileMode(QFileDialog::ExistingFile);
        files.resize(720, 420);
        files.show();
        files.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QStringLiteral("passwd"));
        files.accept();
        grab(files, out.filePath(name + QStringLiteral("_files.png")));
        files.hide();
    }
    return 0;
}
