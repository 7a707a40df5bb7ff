#include "widgets/definition/definition_panel.h"

#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QResizeEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "engine/definition/toml_syntax.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/field_sources.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/sound_transport.h"
#include "widgets/common/theme.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/find_bar.h"
#include "widgets/definition/outline_model.h"
#include "widgets/definition/outline_tree.h"
#include "widgets/definition/problem_marks.h"
#include "widgets/definition/text_assist.h"
#include "widgets/definition/text_binding.h"
#include "widgets/definition/tree_edits.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

const QString Source = QStringLiteral("definition");
constexpr int OutlineDelayMs = 60;
constexpr std::size_t FewPlaces = 16; // of a text that one edit changes
constexpr int PauseMs = 500;          // of a drag that changes more
// Below this the outline stands above the text instead of beside it.
constexpr int NarrowWidth = 560;
constexpr int MinOutlineRows = 4;

QString iconOf(FileRole role) {
    switch (role) {
    case FileRole::Definitions:
        return QStringLiteral("definition");
    case FileRole::Scene:
        return QStringLiteral("world");
    case FileRole::Project:
        return QStringLiteral("settings");
    }
    return {};
}

} // namespace

DefinitionPanel::DefinitionPanel(const Theme& theme, Document& document, ProjectModel& project,
                                 SessionFeed& feed, Selection& selection, ActionRegistry& actions,
                                 QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_document(document),
      m_project(project),
      m_feed(feed),
      m_selection(selection),
      m_actions(actions),
      m_files(new QTabBar(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_edits(std::make_unique<TreeEdits>(document, project, feed)),
      m_outline(new OutlineTree(
          theme,
          [this](const std::string& type) {
              const auto& content = m_project.content();
              const auto* known =
                  content && content->definitions ? content->definitions->find(type) : nullptr;
              return known != nullptr ? QString::fromStdString(known->icon) : QString();
          },
          *m_edits, [this] { return fieldSources(m_document, m_project, m_feed); }, actions, this)),
      m_view(new CodeView(theme, this)),
      m_find(new FindBar(theme, *m_view, this)),
      m_binding(new TextBinding(document, *m_view, this)),
      m_marks(new ProblemMarks(theme, document, project, *m_binding, *m_view, this)),
      m_assist(new TextAssist(theme, document, project, feed, *m_binding, *m_view, *m_marks, this)),
      m_state(new QToolButton(this)),
      m_place(new QLabel(this)),
      m_transport(new SoundTransport(theme, feed, this)) {
    setObjectName(Source);
    setAccessibleName(tr("Definition"));
    build();
    addActions();
    connectParts();
    updateFiles();
    updateFooter();
}

QToolButton* DefinitionPanel::toolButton(const QString& name, const QString& icon, const QString& title,
                                         const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("definition.") + name);
    button->setAccessibleName(title);
    button->setToolTip(tip);
    button->setIcon(m_theme.icon(icon));
    button->setCheckable(true);
    button->setChecked(true);
    button->setAutoRaise(true);
    button->setFixedHeight(measure::ControlHeight);
    return button;
}

void DefinitionPanel::build() {
    m_files->setObjectName(QStringLiteral("definition.files"));
    m_files->setAccessibleName(tr("Files of the project"));
    m_files->setExpanding(false);
    m_files->setDrawBase(false);
    m_files->setElideMode(Qt::ElideNone);
    m_files->setUsesScrollButtons(true);
    // Tabs added before it is shown do not reach the layout (Qt 6.4).
    m_files->setMinimumHeight(measure::ControlHeight + 2);
    m_link = toolButton(QStringLiteral("link"), QStringLiteral("link"), tr("Follow the selection"),
                        tr("Follow the selection\nShow the definition of what is selected"));
    m_treeButton = toolButton(QStringLiteral("showTree"), QStringLiteral("outliner"), tr("Outline"),
                              tr("Show the outline"));
    auto* top = new QWidget(this);
    auto* bar = new QHBoxLayout(top);
    bar->setContentsMargins(0, 0, measure::PanelPadding, 0);
    bar->setSpacing(measure::RelatedGap);
    bar->addWidget(m_files, 1);
    bar->addWidget(m_treeButton);
    bar->addWidget(m_link);

    m_view->setObjectName(QStringLiteral("definition.text"));
    m_view->setAccessibleName(tr("Text"));
    auto* text = new QWidget(this);
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_find);
    column->addWidget(m_view, 1);
    // In the text Ctrl+F finds, beside it it filters.
    auto* find = new QShortcut(QKeySequence::Find, text);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_find, &FindBar::start);
    setFocusProxy(m_view);

    m_splitter->setObjectName(QStringLiteral("definition.splitter"));
    m_splitter->addWidget(m_outline);
    m_splitter->addWidget(text);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setCollapsible(1, false);
    m_splitter->setSizes({240, 520});
    m_outline->view().setMinimumHeight(MinOutlineRows * measure::RowHeight);

    m_state->setObjectName(QStringLiteral("definition.state"));
    m_state->setAccessibleName(tr("State of the texts"));
    m_state->setAutoRaise(true);
    m_state->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_state->setFocusPolicy(Qt::NoFocus);
    m_place->setObjectName(QStringLiteral("definition.place"));
    m_place->setAccessibleName(tr("Line and column"));
    m_place->setFont(m_theme.font(FontRole::Mono));
    setTextToken(*m_place, m_theme, Token::Muted);
    auto* footer = new QWidget(this);
    auto* foot = new QHBoxLayout(footer);
    foot->setContentsMargins(measure::RelatedGap, 0, measure::PanelPadding, 0);
    foot->setSpacing(measure::PanelPadding);
    foot->addWidget(m_state, 1);
    foot->addWidget(m_transport);
    foot->addWidget(m_place);

    auto* content = new QWidget(this);
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    inner->addWidget(top);
    inner->addWidget(m_splitter, 1);
    inner->addWidget(footer);
    auto* empty = new EmptyState(m_theme, QStringLiteral("definition"),
                                 tr("No project is open: its definitions stand here."));
    empty->setObjectName(QStringLiteral("definition.empty"));
    m_switch = new EmptySwitch(content, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_switch);
    m_outlineTimer.setSingleShot(true);
}

void DefinitionPanel::connectParts() {
    connect(m_files, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_filling && index >= 0)
            setFile(m_files->tabData(index).toString());
    });
    connect(m_treeButton, &QToolButton::toggled, m_outline, &QWidget::setVisible);
    connect(m_binding, &TextBinding::refused, this, &DefinitionPanel::problem);
    connect(m_link, &QToolButton::toggled, this, [this](bool on) {
        if (on)
            followSelection({});
    });
    connect(m_state, &QToolButton::clicked, this, [this] {
        for (const Diagnostic& problem : m_project.problems().items)
            if (m_document.contains(problem.file))
                return goTo(QString::fromStdString(problem.file), problem.region.line, problem.region.column);
    });

    connect(&m_document, &Document::opened, this, &DefinitionPanel::updateFiles);
    connect(&m_document, &Document::closed, this, &DefinitionPanel::updateFiles);
    connect(&m_document, &Document::filesChanged, this, &DefinitionPanel::updateFiles);
    connect(&m_document, &Document::fileDirtyChanged, this, &DefinitionPanel::updateTabs);
    connect(&m_project, &ProjectModel::problemsChanged, this, [this] {
        updateTabs();
        updateFooter();
        updateTreeFaults();
    });
    connect(&m_project, &ProjectModel::contentChanged, this, [this] {
        updateFooter();
        m_transport->reread();
        if (m_outline->showsDefaults()) // which come from what is in force
            m_outlineTimer.start(OutlineDelayMs);
    });
    connect(&m_feed, &SessionFeed::modeChanged, this, &DefinitionPanel::updateFooter);
    connect(&m_theme, &Theme::changed, this, [this] {
        m_place->setFont(m_theme.font(FontRole::Mono));
        updateTabs();
        updateFooter();
    });

    connect(m_binding, &TextBinding::fileChanged, this, [this] {
        m_edits->setFile(m_binding->file());
        updateTabs();
        updateOutline(true);
        updateFooter();
        updateSound();
    });
    connect(m_binding, &TextBinding::textChanged, this, [this] { m_outlineTimer.start(OutlineDelayMs); });
    connect(&m_outlineTimer, &QTimer::timeout, this, [this] {
        updateOutline(false);
        if (std::exchange(m_manyPlaces, false))
            updateSound();
    });
    connect(&m_document, &Document::textChanged, this,
            [this](const std::string& file, const std::vector<TextEdit>& edits) {
                if (file != m_binding->file())
                    return;
                m_manyPlaces = edits.size() > FewPlaces;
                if (m_manyPlaces) // behind the binding, which has started it
                    m_outlineTimer.start(PauseMs);
            });
    connect(m_view, &CodeView::caretMoved, this, [this] {
        updatePlace();
        // A drag of many entities writes the text sixty times a second: what reads all of it is worked out when it pauses.
        if (m_outlineTimer.isActive() && m_manyPlaces)
            return;
        updateSound();
        // While the tree is worked in, it leads.
        if (!m_outlineTimer.isActive() && !m_binding->file().empty() && !m_outline->view().hasFocus())
            m_outline->follow(m_binding->caret());
    });
    connect(m_outline, &OutlineTree::picked, this, [this](std::size_t offset) {
        m_binding->setCaret(offset);
        m_binding->reveal(offset);
    });
    connect(m_outline, &OutlineTree::activated, this, [this](std::size_t offset) {
        m_binding->setCaret(offset);
        m_binding->reveal(offset);
        m_view->setFocus(Qt::OtherFocusReason);
    });
    connectTree();
    connect(m_view, &CodeView::followRequested, this,
            [this](std::size_t position) { followName(m_binding->toText(position)); });
    connect(m_view, &CodeView::menuRequested, this, &DefinitionPanel::showMenu);
    connect(&m_selection, &Selection::entitiesChanged, this, &DefinitionPanel::followSelection);
}

void DefinitionPanel::connectTree() {
    connect(m_outline, &OutlineTree::refreshNeeded, this, [this] {
        if (m_outlineTimer.isActive())
            updateOutline(false);
    });
    connect(m_outline, &OutlineTree::problem, this, &DefinitionPanel::problem);
    connect(m_outline, &OutlineTree::addComponentRequested, this, &DefinitionPanel::addComponentRequested);
    connect(m_outline, &OutlineTree::fixRequested, this, [this](std::size_t offset) { fixAt(offset); });
    connect(m_outline, &OutlineTree::menuOfComponent, this, &DefinitionPanel::offerWhyNot);
    m_outline->setFixSource([this](std::size_t offset) {
        for (const ProblemMark& mark : m_marks->at(offset, true))
            if (const auto fix = m_marks->fixFor(mark))
                return fix->title;
        return QString();
    });
    m_files->setAcceptDrops(true);
    m_files->installEventFilter(this);
}

std::vector<ComponentChoice> DefinitionPanel::componentChoices() const { return m_outline->componentChoices(); }

void DefinitionPanel::addComponent(const QString& component) { m_outline->addComponent(component); }

bool DefinitionPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool drop = event->type() == QEvent::Drop;
    if (watched != m_files || (!drop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove))
        return QWidget::eventFilter(watched, event);
    auto* drag = static_cast<QDropEvent*>(event);
    const TreePlace what = m_outline->model().dragged();
    if (!drag->mimeData()->hasFormat(OutlineModel::MimeType) || what.kind != definition::OutlineNode::Kind::Type)
        return QWidget::eventFilter(watched, event);
    const int tab = m_files->tabAt(drag->position().toPoint());
    const std::string file = tab < 0 ? std::string() : m_files->tabData(tab).toString().toStdString();
    const std::vector<std::string> others = m_edits->otherFiles();
    const bool takes = std::find(others.begin(), others.end(), file) != others.end();
    // To enter is to be asked again at each tab.
    drag->setAccepted(takes || event->type() == QEvent::DragEnter);
    if (takes)
        drag->setDropAction(Qt::MoveAction);
    if (drop && takes)
        if (const Result<void> done = m_edits->moveTypeTo(what.owner, file); !done)
            emit problem(QString::fromStdString(done.error().message));
    return true;
}

void DefinitionPanel::updateTreeFaults() {
    if (m_binding->file().empty())
        return;
    std::vector<OutlineModel::Fault> faults;
    for (const ProblemMark& mark : m_marks->marks())
        faults.push_back({mark.begin, mark.problem.severity, QString::fromStdString(mark.problem.message())});
    m_outline->setFaults(faults);
}

QString DefinitionPanel::file() const { return QString::fromStdString(m_binding->file()); }

void DefinitionPanel::setFile(const QString& file) {
    if (m_document.contains(file.toStdString()))
        m_binding->show(file.toStdString());
}

bool DefinitionPanel::isLinked() const { return m_link->isChecked(); }

void DefinitionPanel::setLinked(bool linked) { m_link->setChecked(linked); }

// Definitions first: they are what this panel is named for.
void DefinitionPanel::updateFiles() {
    std::vector<DocumentFile> files = m_document.files();
    const auto rank = [](FileRole role) {
        return role == FileRole::Definitions ? 0 : role == FileRole::Scene ? 1 : 2;
    };
    std::stable_sort(files.begin(), files.end(), [&](const DocumentFile& a, const DocumentFile& b) {
        return rank(a.role) < rank(b.role);
    });
    m_filling = true;
    while (m_files->count() > 0)
        m_files->removeTab(0);
    for (const DocumentFile& file : files) {
        const int tab = m_files->addTab(m_theme.icon(iconOf(file.role), Token::Muted), {});
        m_files->setTabData(tab, QString::fromStdString(file.file));
    }
    m_filling = false;
    m_switch->setEmpty(files.empty());
    if (files.empty())
        m_binding->show({});
    else if (m_binding->file().empty() || !m_document.contains(m_binding->file()))
        m_binding->show(files.front().file);
    updateTabs();
}

void DefinitionPanel::updateTabs() {
    const QSignalBlocker quiet(m_files);
    for (int tab = 0; tab < m_files->count(); ++tab) {
        const QString file = m_files->tabData(tab).toString();
        const std::string name = file.toStdString();
        const auto& problems = m_project.problems().items;
        const auto count = std::count_if(problems.begin(), problems.end(),
                                         [&](const Diagnostic& d) { return d.file == name; });
        const bool errors = std::any_of(problems.begin(), problems.end(), [&](const Diagnostic& d) {
            return d.file == name && d.severity == Severity::Error;
        });
        const bool dirty = m_document.contains(name) && m_document.isDirty(name);
        m_files->setTabText(tab, dirty ? file + QStringLiteral(" •") : file);
        FileRole role = FileRole::Definitions;
        for (const DocumentFile& known : m_document.files())
            if (known.file == name)
                role = known.role;
        m_files->setTabIcon(tab, count == 0 ? m_theme.icon(iconOf(role), Token::Muted)
                                 : errors   ? m_theme.icon(QStringLiteral("error"), Token::Error)
                                            : m_theme.icon(QStringLiteral("warning"), Token::Warning));
        QString tip = file;
        if (dirty)
            tip += QLatin1Char('\n') + tr("Not saved");
        if (count > 0)
            tip += QLatin1Char('\n') + (count == 1 ? tr("1 problem") : tr("%1 problems").arg(count));
        m_files->setTabToolTip(tab, tipText(tip));
        if (name == m_binding->file())
            m_files->setCurrentIndex(tab);
    }
}

void DefinitionPanel::updateOutline(bool another) {
    m_outlineTimer.stop();
    const bool open = !m_binding->file().empty();
    m_outline->setText(open ? m_binding->text() : std::string(), another);
    updateTreeFaults();
    if (open && !m_outline->view().hasFocus())
        m_outline->follow(m_binding->caret());
}

void DefinitionPanel::updatePlace() {
    if (m_binding->file().empty())
        return m_place->clear();
    const int line = m_view->lineOf(m_view->caret());
    m_place->setText(tr("Ln %1, Col %2").arg(line + 1).arg(m_view->caret() - m_view->lineStart(line) + 1));
}

void DefinitionPanel::updateSound() {
    SoundAudition::Subject subject;
    if (!m_binding->file().empty()) {
        const std::string& text = m_binding->text();
        const std::size_t caret = m_binding->caret();
        const definition::TextLocation at = definition::locate(text, caret);
        if (at.component == "Sound") {
            if (at.instance.empty())
                subject.type = at.entityType;
            else
                subject.entity = at.instance;
            // Of several in one type: which of them, by the headers before the caret. Those that are taken out do not count.
            int before = 0;
            bool out = false; // the one at the caret
            for (const definition::OutlineNode& node : definition::outline(text))
                if (node.name == (at.instance.empty() ? at.entityType : at.instance))
                    for (const definition::OutlineNode& part : node.children)
                        if (part.kind == definition::OutlineNode::Kind::Component && part.name == "Sound"
                            && part.span.begin <= caret) {
                            out = std::any_of(part.children.begin(), part.children.end(),
                                              [](const definition::OutlineNode& key) {
                                                  return key.name == "enabled" && key.detail == "false";
                                              });
                            before += out ? 0 : 1;
                        }
            subject.index = std::max(before - 1, 0);
            if (out)
                subject = {};
        }
        // Wherever else a sound file is named, that file.
        if (!subject && at.quoted && namesSoundFile(QString::fromStdString(at.wordText)))
            subject.file = at.wordText;
    }
    m_transport->setSubject(subject);
}

void DefinitionPanel::updateFooter() {
    updatePlace();
    const auto& problems = m_project.problems().items;
    const auto errors = std::count_if(problems.begin(), problems.end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::Error; });
    const auto others = static_cast<std::ptrdiff_t>(problems.size()) - errors;
    const bool scene = !m_binding->file().empty() && m_binding->file() == m_document.file(FileRole::Scene);
    QString text;
    if (errors > 0)
        text = errors == 1 ? tr("1 error: the world keeps the last good definitions")
                           : tr("%1 errors: the world keeps the last good definitions").arg(errors);
    else if (scene && m_feed.mode() != Mode::Edit)
        text = tr("In force; changes of the scene show after Stop");
    else
        text = tr("In force");
    if (errors == 0 && others > 0)
        text += others == 1 ? tr("; 1 warning") : tr("; %1 warnings").arg(others);
    m_state->setText(text);
    m_state->setToolTip(problems.empty() ? tr("What stands here is what runs")
                                         : text + QLatin1Char('\n') + tr("Click: to the first"));
    m_state->setIcon(errors > 0   ? m_theme.icon(QStringLiteral("error"), Token::Error)
                     : others > 0 ? m_theme.icon(QStringLiteral("warning"), Token::Warning)
                                  : m_theme.icon(QStringLiteral("success"), Token::Success));
    setTextToken(*m_state, m_theme, errors > 0 ? Token::Text : Token::Muted);
}

void DefinitionPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const Qt::Orientation wanted = event->size().width() < NarrowWidth ? Qt::Vertical : Qt::Horizontal;
    if (wanted == m_splitter->orientation())
        return;
    m_splitter->setOrientation(wanted);
    if (wanted == Qt::Vertical) {
        // Whole rows above the text, a third of the height, at least MinOutlineRows.
        const int height = m_splitter->height() - m_splitter->handleWidth();
        const int bar = m_outline->filterBar().sizeHint().height();
        const int rows = std::max(MinOutlineRows, (height / 3 - bar) / measure::RowHeight);
        const int outline = bar + rows * measure::RowHeight;
        m_splitter->setSizes({outline, std::max(1, height - outline)});
    } else {
        m_splitter->setSizes({240, event->size().width() - 240});
    }
}

void DefinitionPanel::showAt(const std::string& file, int line, int column, bool focus) {
    if (!m_document.contains(file))
        return;
    m_binding->show(file);
    if (line > 0) {
        const std::size_t offset = definition::LineIndex(m_binding->text()).offset(line, std::max(1, column));
        m_binding->setCaret(offset);
        m_binding->reveal(offset);
        m_outline->follow(offset);
    }
    if (focus)
        m_view->setFocus(Qt::OtherFocusReason);
    updateFooter();
}

void DefinitionPanel::goTo(const QString& file, int line, int column) {
    showAt(file.toStdString(), line, column, true);
}

void DefinitionPanel::showType(const QString& type, const QString& component) {
    if (const auto target = m_assist->findType(type.toStdString(), component.toStdString()))
        showAt(target->file, target->line, target->column, false);
}

bool DefinitionPanel::applyFix(const QString& file, int line, int column) {
    if (!m_document.contains(file.toStdString()))
        return false;
    m_binding->show(file.toStdString());
    for (const ProblemMark& mark : m_marks->marks())
        if (mark.problem.region.line == line && mark.problem.region.column == column && m_marks->fixFor(mark))
            return fixAt(mark.begin);
    return false;
}

} // namespace sbx::ui

#include "moc_definition_panel.cpp"
