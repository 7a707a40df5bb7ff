#include "widgets/assets/asset_panel.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/session/asset_reload.h"
#include "widgets/assets/asset_delegate.h"
#include "widgets/assets/asset_files.h"
#include "widgets/assets/asset_model.h"
#include "widgets/assets/asset_previews.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/asset_moves.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/sound_transport.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr int ReloadLookMs = 300; // between two looks at files on the disk: two of them and the reading stay within a second
constexpr int LowHeight = 130; // pixels: of a panel that has no room for details
constexpr int WideWidth = 480; // pixels: of one that has room for details and transport in one row
constexpr int UsesMs = 150;       // from an edit to what is used: a drag makes many edits

// Words that must all stand in the path or in what is said of a file; "unused", "used", "missing", "mesh" and "sound" are of the latter.
class AssetFilter : public QSortFilterProxyModel {
public:
    explicit AssetFilter(QObject* parent) : QSortFilterProxyModel(parent) { setRecursiveFilteringEnabled(true); }
    void setText(const QString& text) {
        m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (index.data(AssetModel::IsFolderRole).toBool())
            return false; // shown for what is in it
        const bool isUsed = index.data(AssetModel::UsesRole).toInt() > 0;
        const bool isSound = index.data(AssetModel::KindRole).toInt() == static_cast<int>(AssetKind::Sound);
        const QString name = index.data(AssetModel::NameRole).toString();
        return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
            const auto is = [&](const char* what) { return word.compare(QLatin1String(what), Qt::CaseInsensitive) == 0; };
            return name.contains(word, Qt::CaseInsensitive) || (is("used") && isUsed) || (is("unused") && !isUsed)
                   || (is("missing") && index.data(AssetModel::MissingRole).toBool()) || (is("sound") && isSound)
                   || (is("mesh") && !isSound);
        });
    }

private:
    QStringList m_words;
};

int filesIn(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    int count = 0;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        count += index.data(AssetModel::IsFolderRole).toBool() ? filesIn(model, index) : 1;
    }
    return count;
}

QStringList localFiles(const QMimeData* data) {
    QStringList out;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            out << url.toLocalFile();
    return out;
}

} // namespace

AssetPanel::AssetPanel(const Theme& theme, Document& document, ProjectModel& project, SessionFeed& feed, ActionRegistry& actions,
                       const QString& cacheFolder, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_document(document),
      m_project(project),
      m_feed(feed),
      m_files(new AssetFiles(this)),
      m_previews(new AssetPreviews(cacheFolder, this)),
      m_moves(new AssetMoves(document, this)),
      m_import(new AssetImport(this)),
      m_model(new AssetModel(*m_files, *m_previews, m_moves, this)),
      m_filter(new AssetFilter(this)),
      m_view(new QTreeView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("assets"), tr("Find a file: words, unused, missing"), this)),
      m_details(new QWidget(this)),
      m_facts(new QLabel(m_details)),
      m_used(new QToolButton(m_details)),
      m_findButton(new QToolButton(m_details)),
      m_transport(new SoundTransport(theme, feed, this)),
      m_reload(std::make_unique<AssetReload>(feed.session())) {
    setObjectName(QStringLiteral("assets"));
    setAccessibleName(tr("Assets"));
    m_filter->setSourceModel(m_model);
    m_view->setObjectName(QStringLiteral("assets.tree"));
    m_view->setAccessibleName(tr("Mesh and sound files of the project"));
    m_view->setModel(m_filter);
    auto* delegate = new AssetDelegate(theme, *m_model, m_view);
    delegate->setCheck([this](const QModelIndex& row, const QString& name) -> std::optional<NameRefusal> {
        const QString from = row.data(Qt::EditRole).toString();
        if (name.isEmpty() || name == from || m_feed.mode() != Mode::Edit) // nothing is renamed, or not now
            return std::nullopt;
        return m_moves->refusal(from.toStdString(), name.toStdString());
    });
    m_view->setItemDelegate(delegate);
    m_view->setHeaderHidden(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformRowHeights(false);
    m_view->setIndentation(measure::IconSize - measure::RelatedGap);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setDragEnabled(true);
    m_view->setAcceptDrops(true);
    m_view->setDropIndicatorShown(true);
    m_view->setDragDropMode(QAbstractItemView::DragDrop);
    m_view->setDefaultDropAction(Qt::CopyAction);
    m_view->setExpandsOnDoubleClick(true);
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);

    m_details->setObjectName(QStringLiteral("assets.details"));
    m_facts->setObjectName(QStringLiteral("assets.facts"));
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    m_facts->setMinimumWidth(40);
    setTextToken(*m_facts, theme, Token::Muted);
    m_used->setObjectName(QStringLiteral("assets.usedBy"));
    m_used->setPopupMode(QToolButton::InstantPopup);
    m_used->setAutoRaise(true);
    auto* menu = new QMenu(m_used);
    menu->setObjectName(QStringLiteral("assets.usedBy.menu"));
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fillUses(*menu, current());
    });
    m_used->setMenu(menu);
    m_findButton->setObjectName(QStringLiteral("assets.find"));
    m_findButton->setText(tr("Find…"));
    m_findButton->setAccessibleName(tr("Find the missing file"));
    m_findButton->setToolTip(tr("Choose the file that is meant, everywhere at once"));
    m_findButton->setAutoRaise(true);
    auto* row = new QHBoxLayout(m_details);
    row->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding, measure::RelatedGap);
    row->setSpacing(measure::RelatedGap);
    row->addWidget(m_facts, 1);
    row->addWidget(m_findButton);
    row->addWidget(m_used);

    addActions(actions);
    auto* empty = new EmptyState(theme, QStringLiteral("mesh"), tr("No mesh or sound files. Drop some here; they are copied into the project."));
    empty->setObjectName(QStringLiteral("assets.empty"));
    empty->setAction(actions.find(QStringLiteral("assets.import")), tr("Copy files into the project…"));
    m_noMatch = new NoMatchSwitch(theme, m_view, *m_bar, tr("No file matches the filter."),
                                  QStringLiteral("assets.noMatch"));
    m_switch = new EmptySwitch(m_noMatch, empty, this);
    setAcceptDrops(true);
    installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);
    m_foot = new QBoxLayout(QBoxLayout::TopToBottom);
    m_foot->setSpacing(0);
    m_foot->addWidget(m_details, 1);
    m_foot->addWidget(m_transport);
    layout->addLayout(m_foot);
    m_transport->layout()->setContentsMargins(measure::RelatedGap, 0, measure::PanelPadding, 0);
    m_bar->focusOnFind(*this);
    m_bar->leaveOnEsc();
    setFocusProxy(m_view);

    connect(m_bar, &FilterBar::filterChanged, this, [this](const QString& text) {
        static_cast<AssetFilter*>(m_filter)->setText(text);
        if (!text.isEmpty())
            m_view->expandAll();
        showCounts();
    });
    connect(m_files, &AssetFiles::changed, this, [this] {
        showFiles();
        // What the texts name is there now, or gone: the warnings about it are of the time when the texts were read.
        if (const QStringList missing = m_model->missing(); missing != m_missing) {
            m_missing = missing;
            if (m_project.isOpen())
                m_project.reread();
        }
    });
    connect(m_moves, &AssetMoves::changed, this, [this] {
        showFiles();
        m_files->look();
    });
    connect(m_moves, &AssetMoves::problem, this, &AssetPanel::problem);
    connect(m_previews, &AssetPreviews::ready, this, [this](const QString& name) {
        if (name == current())
            showCurrent();
    });
    connect(m_model, &AssetModel::moveRequested, this, [this](const QString& from, const QString& to) {
        // The view is in the middle of its own work.
        QMetaObject::invokeMethod(this, [this, from, to] { tell(rename(from, to)); }, Qt::QueuedConnection);
    });
    connect(m_import, &AssetImport::finished, this, [this](const AssetImport::Outcome& outcome) {
        for (const QString& refused : outcome.refused)
            emit problem(refused);
        if (!outcome.made.isEmpty()) {
            emit note(outcome.made.size() == 1 ? tr("Copied to %1.").arg(outcome.made.first())
                                               : tr("%1 files were copied into the project.").arg(outcome.made.size()));
            m_files->look();
        }
    });
    connect(&project, &ProjectModel::contentChanged, this, [this] {
        if (!m_usesTimer.isActive())
            m_usesTimer.start();
    });
    connect(&project, &ProjectModel::opened, this, [this] {
        m_closed.clear();
        m_chosen.clear();
        m_previews->setFolder(m_document.folder());
        m_files->setFolder(m_document.folder());
        readUses();
    });
    connect(&document, &Document::closed, this, [this] {
        m_previews->setFolder({});
        m_files->setFolder({});
        readUses();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (!m_arranging && now.isValid())
            m_chosen = current();
        showCurrent();
    });
    connect(m_filter, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_scrolled = m_view->verticalScrollBar()->value(); });
    connect(m_filter, &QAbstractItemModel::modelReset, this, &AssetPanel::restoreRows);
    const auto nameOf = [](const QModelIndex& index) { return index.data(AssetModel::NameRole).toString(); };
    connect(m_view, &QTreeView::collapsed, this, [this, nameOf](const QModelIndex& index) {
        if (!m_arranging)
            m_closed.insert(nameOf(index));
    });
    connect(m_view, &QTreeView::expanded, this, [this, nameOf](const QModelIndex& index) {
        if (!m_arranging)
            m_closed.remove(nameOf(index));
    });
    connect(m_view, &QTreeView::doubleClicked, this, &AssetPanel::open);
    connect(m_view, &QTreeView::customContextMenuRequested, this, &AssetPanel::showMenu);
    connect(m_findButton, &QToolButton::clicked, this, [this] { find(current(), m_findButton->mapToGlobal(QPoint(0, m_findButton->height()))); });
    connect(&theme, &Theme::changed, m_view->viewport(), qOverload<>(&QWidget::update));
    m_usesTimer.setSingleShot(true);
    m_usesTimer.setInterval(UsesMs);
    connect(&m_usesTimer, &QTimer::timeout, this, &AssetPanel::readUses);
    m_reloadTimer.setInterval(ReloadLookMs);
    connect(&m_reloadTimer, &QTimer::timeout, this, &AssetPanel::pollReload);
    m_reloadTimer.start();
    m_previews->setFolder(m_document.folder());
    m_files->setFolder(m_document.folder());
    readUses();
    showFiles();
}

AssetPanel::~AssetPanel() = default;

void AssetPanel::addActions(ActionRegistry& actions) {
    const QString here = QStringLiteral("assets");
    const auto isFile = [this] { return !current().isEmpty(); };
    const auto isThere = [this, isFile] { return isFile() && !m_model->indexOf(current()).data(AssetModel::MissingRole).toBool(); };
    actions.add({.id = QStringLiteral("assets.rename"),
                 .text = tr("Rename file…"),
                 .doc = tr("Another name or folder for the chosen file, and everywhere where it is named"),
                 .run = [this](bool) { ask(); },
                 .enabled = isThere});
    actions.add({.id = QStringLiteral("assets.play"),
                 .text = tr("Play sound file"),
                 .icon = QStringLiteral("play"),
                 .shortcuts = {QKeySequence(Qt::Key_Space)},
                 .context = here,
                 .doc = tr("Plays the chosen sound by itself, or stops it"),
                 .run = [this](bool) { togglePlay(); },
                 .enabled = [this, isThere] { return isThere() && assetKind(current().toStdString()) == AssetKind::Sound; }});
    actions.add({.id = QStringLiteral("assets.place"),
                 .text = tr("Put file into the scene"),
                 .icon = QStringLiteral("plus"),
                 .doc = tr("Makes an entity of the chosen file in the middle of the picture"),
                 .run = [this](bool) { emit createRequested(current()); },
                 .enabled = isThere});
    actions.add({.id = QStringLiteral("assets.findMissing"),
                 .text = tr("Find missing file…"),
                 .icon = QStringLiteral("search"),
                 .doc = tr("Chooses the file that is meant wherever a missing one is named"),
                 .run =
                     [this](bool) {
                         const QStringList missing = m_model->missing();
                         const QString which = missing.contains(current()) ? current() : missing.value(0);
                         choose(which);
                         find(which, m_view->mapToGlobal(m_view->rect().center()));
                     },
                 .enabled = [this] { return !m_model->missing().isEmpty(); }});
    actions.add({.id = QStringLiteral("assets.import"),
                 .text = tr("Copy files into the project…"),
                 .icon = QStringLiteral("folder"),
                 .doc = tr("Meshes into meshes/, sounds into sounds/; nothing is overwritten"),
                 .run =
                     [this](bool) {
                         importFiles(filesToOpen(window(), tr("Copy files into the project"),
                                                 m_document.folder(), assetKinds()));
                     },
                 .enabled = [this] { return m_document.isOpen(); }});
    actions.add({.id = QStringLiteral("assets.delete"),
                 .text = tr("Move file to the trash…"),
                 .icon = QStringLiteral("delete"),
                 .shortcuts = {QKeySequence(Qt::Key_Delete)},
                 .context = here,
                 .doc = tr("Takes the chosen file out of the project; the desktop's trash keeps it"),
                 .run = [this](bool) { remove(current()); },
                 .enabled = isThere});
    actions.add({.id = QStringLiteral("assets.showInFolder"),
                 .text = tr("Show file in its folder"),
                 .icon = QStringLiteral("folder"),
                 .doc = tr("Opens the folder of the chosen file, or of the project, in the desktop's file manager"),
                 .run = [this](bool) { showInFolder(current()); },
                 .enabled = [this] { return m_document.isOpen(); }});
    actions.attach(*this, here);
}

// Where the system reports no changes of the folder, files that came while another program was in front are found now.
void AssetPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        m_files->look();
}

void AssetPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_files->look();
}

// Files of the desktop, on the list, the empty state or the details; and keys that the tree has no use for.
bool AssetPanel::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress:
        if (auto* key = static_cast<QKeyEvent*>(event);
            watched == m_view && m_view->hasFocus() // not the Enter that ends a rename
            && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            open(m_view->currentIndex());
            return true;
        }
        break;
    case QEvent::DragEnter:
    case QEvent::DragMove:
        if (auto* drag = static_cast<QDragMoveEvent*>(event); drag->mimeData()->hasUrls() && m_document.isOpen()) {
            drag->setDropAction(Qt::CopyAction);
            drag->accept();
            return true;
        }
        break;
    case QEvent::Drop:
        if (auto* drop = static_cast<QDropEvent*>(event); drop->mimeData()->hasUrls() && m_document.isOpen()) {
            QString into;
            if (watched == m_view->viewport())
                if (const QModelIndex at = m_view->indexAt(drop->position().toPoint()); at.data(AssetModel::IsFolderRole).toBool())
                    into = at.data(AssetModel::NameRole).toString();
            importFiles(localFiles(drop->mimeData()), into);
            drop->setDropAction(Qt::CopyAction);
            drop->accept();
            return true;
        }
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void AssetPanel::readUses() {
    const std::shared_ptr<const Content>& content = m_project.content();
    const bool isOpen = content != nullptr && m_document.isOpen();
    if (m_files->folder() != m_document.folder()) { // saved as a copy elsewhere
        m_previews->setFolder(m_document.folder());
        m_files->setFolder(m_document.folder());
    }
    m_model->setUses(isOpen ? assetUses(*content, m_feed.session().catalog().schema) : std::vector<AssetUse>());
    m_switch->setEmpty(m_model->fileCount() == 0);
    showCounts();
    showCurrent();
}

void AssetPanel::showFiles() {
    m_model->refresh();
    m_switch->setEmpty(m_model->fileCount() == 0);
    showCounts();
    showCurrent();
}

void AssetPanel::restoreRows() {
    m_arranging = true;
    m_view->expandAll();
    for (const QString& folder : m_closed)
        m_view->collapse(m_filter->mapFromSource(m_model->indexOf(folder)));
    choose(m_chosen);
    // Nothing jumps because files came or went.
    m_view->doItemsLayout();
    m_view->verticalScrollBar()->setValue(m_scrolled);
    m_arranging = false;
}

void AssetPanel::showCounts() {
    const int shown = filesIn(*m_filter);
    m_bar->setCounts(shown, m_model->fileCount());
    m_noMatch->setEmpty(shown == 0);
}

QString AssetPanel::current() const {
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() && !index.data(AssetModel::IsFolderRole).toBool() ? index.data(AssetModel::NameRole).toString() : QString();
}

void AssetPanel::choose(const QString& name) {
    m_chosen = name;
    if (const QModelIndex at = m_filter->mapFromSource(m_model->indexOf(name)); at.isValid() && !name.isEmpty())
        m_view->setCurrentIndex(at);
}

const AssetPreview* AssetPanel::previewOf(const QString& name) const { return m_previews->known(name); }

void AssetPanel::showCurrent() {
    const QString name = current();
    bool needsWords = false; // more than its row says
    SoundAudition::Subject subject;
    if (!name.isEmpty()) {
        const QModelIndex index = m_model->indexOf(name);
        static_cast<void>(m_model->previewOf(index)); // asked for, whether its row is in view or not
        const bool isMissing = index.data(AssetModel::MissingRole).toBool();
        const QString fault = index.data(AssetModel::FaultRole).toString();
        needsWords = isMissing || !fault.isEmpty();
        const int uses = index.data(AssetModel::UsesRole).toInt();
        QString facts = isMissing ? tr("%1 is not there.").arg(name) : fault.isEmpty() ? index.data(AssetModel::FactsRole).toString() : fault;
        if (const AssetPreview* preview = m_previews->known(name); preview != nullptr && !isMissing && fault.isEmpty() && preview->triangles > 0) {
            const Vec3 size = preview->bounds.size();
            facts += tr(" · %1 × %2 × %3 m").arg(static_cast<double>(size.x), 0, 'g', 3).arg(static_cast<double>(size.y), 0, 'g', 3).arg(static_cast<double>(size.z), 0, 'g', 3);
        }
        m_facts->setText(shownText(facts));
        m_facts->setToolTip(tipText(facts));
        m_used->setText(uses == 0 ? tr("Unused") : uses == 1 ? tr("Used once") : tr("Used %1 times").arg(uses));
        m_used->setAccessibleName(tr("What uses %1").arg(shownLine(name)));
        m_used->setEnabled(uses > 0);
        m_findButton->setVisible(isMissing);
        if (!isMissing && assetKind(name.toStdString()) == AssetKind::Sound)
            subject.file = name.toStdString();
    }
    // In a panel that is low and narrow the list has the room: the row and its menu say the same.
    m_details->setVisible(!name.isEmpty() && (needsWords || height() >= LowHeight || width() >= WideWidth));
    m_transport->setSubject(subject);
    m_transport->reread();
}

void AssetPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_foot->setDirection(width() >= WideWidth ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    const auto hasRoom = [](const QSize& size) { return size.height() >= LowHeight || size.width() >= WideWidth; };
    if (hasRoom(event->oldSize()) != hasRoom(event->size()))
        showCurrent();
}

void AssetPanel::fillUses(QMenu& menu, const QString& name) {
    constexpr std::size_t Most = 40;
    const std::vector<AssetUse> uses = m_model->usesOf(name);
    for (std::size_t i = 0; i < uses.size() && i < Most; ++i) {
        const AssetUse& use = uses[i];
        const QString text = QStringLiteral("%1 · %2.%3").arg(shownLine(use.owner), shownLine(use.component), shownLine(use.key));
        QAction* action = menu.addAction(m_theme.icon(use.ofType ? QStringLiteral("definition") : QStringLiteral("entity")),
                                         QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
        connect(action, &QAction::triggered, this, [this, use] {
            if (use.ofType)
                emit placeRequested(QString::fromStdString(m_document.fileAt(QString::fromStdString(use.file))), use.region.line, use.region.column);
            else
                emit entityRequested(QString::fromStdString(use.owner));
        });
    }
    if (uses.size() > Most)
        menu.addAction(tr("and %1 more").arg(uses.size() - Most))->setEnabled(false);
}

void AssetPanel::open(const QModelIndex& index) {
    if (!index.isValid())
        return;
    if (index.data(AssetModel::IsFolderRole).toBool()) {
        m_view->setExpanded(index, !m_view->isExpanded(index));
        return;
    }
    const QString name = index.data(AssetModel::NameRole).toString();
    if (index.data(AssetModel::MissingRole).toBool())
        find(name, m_view->viewport()->mapToGlobal(m_view->visualRect(index).bottomLeft()));
    else if (assetKind(name.toStdString()) == AssetKind::Sound)
        m_transport->play();
    else
        emit createRequested(name);
}

void AssetPanel::togglePlay() {
    auto* stop = m_transport->findChild<QToolButton*>(QStringLiteral("transport.stop"));
    if (stop != nullptr && stop->isEnabled())
        m_transport->stop();
    else
        m_transport->play();
}

void AssetPanel::ask() {
    m_view->setFocus(Qt::OtherFocusReason);
    m_view->scrollTo(m_view->currentIndex());
    m_view->edit(m_view->currentIndex());
}

void AssetPanel::showMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    const QString name = index.data(AssetModel::NameRole).toString();
    const QPoint place = m_view->viewport()->mapToGlobal(at);
    if (!index.isValid() || index.data(AssetModel::IsFolderRole).toBool()) {
        showFolderMenu(index, place);
        return;
    }
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("assets.menu"));
    if (index.data(AssetModel::MissingRole).toBool()) {
        menu.addAction(m_theme.icon(QStringLiteral("search")), tr("Find…"), this, [this, name, place] { find(name, place); });
    } else {
        menu.addAction(m_theme.icon(QStringLiteral("plus")), tr("Put into the scene"), this, [this, name] { emit createRequested(name); });
        if (assetKind(name.toStdString()) == AssetKind::Sound)
            menu.addAction(m_theme.icon(QStringLiteral("play")), tr("Play"), this, [this] { m_transport->play(); });
        menu.addAction(tr("Rename…"), this, &AssetPanel::ask);
        menu.addAction(m_theme.icon(QStringLiteral("delete")), tr("Move to the trash…"), this, [this, name] { remove(name); });
        menu.addAction(m_theme.icon(QStringLiteral("folder")), tr("Show in folder"), this, [this, name] { showInFolder(name); });
    }
    auto* used = menu.addMenu(tr("Used by"));
    fillUses(*used, name);
    used->setEnabled(!used->isEmpty());
    menu.exec(place);
}

// Of a folder, or of the place behind the last row: what concerns more than a file.
void AssetPanel::showFolderMenu(const QModelIndex& folder, const QPoint& place) {
    if (!m_document.isOpen())
        return;
    const QString name = folder.isValid() ? folder.data(AssetModel::NameRole).toString() : QString();
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("assets.menu"));
    menu.addAction(
        m_theme.icon(QStringLiteral("plus")),
        name.isEmpty()
            ? tr("Copy files into the project…")
            : tr("Copy files into %1…").arg(shownLine(name).replace(QLatin1Char('&'), QStringLiteral("&&"))),
        this, [this, name] {
            importFiles(
                filesToOpen(window(), tr("Copy files into the project"), m_document.folder(), assetKinds()),
                name);
        });
    menu.addAction(m_theme.icon(QStringLiteral("folder")), tr("Show in folder"), this, [this, name] { showInFolder(name); });
    menu.addSeparator();
    menu.addAction(tr("Open all folders"), m_view, &QTreeView::expandAll);
    menu.addAction(tr("Close all folders"), m_view, &QTreeView::collapseAll);
    menu.exec(place);
}

void AssetPanel::showInFolder(const QString& name) {
    const QFileInfo file(QDir(m_document.folder()).filePath(name));
    const QString folder = name.isEmpty() || file.isDir() ? file.filePath() : file.path();
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        emit problem(tr("No program opens folders on this desktop. The folder is %1.").arg(folder));
}

void AssetPanel::remove(const QString& name) {
    if (name.isEmpty())
        return;
    if (m_feed.mode() != Mode::Edit) {
        emit problem(tr("%1 cannot be taken away while the world runs; stop it first.").arg(name));
        return;
    }
    readUses();
    const std::vector<AssetUse> uses = m_model->usesOf(name);
    auto* box = new QMessageBox(QMessageBox::Question, tr("Move to the trash"), QString(), QMessageBox::NoButton, window());
    box->setObjectName(QStringLiteral("assets.deleteQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setText(tr("Move %1 to the trash?").arg(shownLine(name)));
    if (uses.empty()) {
        box->setInformativeText(tr("Nothing in the open project names it."));
    } else {
        QStringList owners;
        constexpr std::size_t Named = 3;
        for (const AssetUse& use : uses)
            if (const QString owner = shownLine(use.owner); !owners.contains(owner))
                owners << owner;
        const qsizetype more = owners.size() - static_cast<qsizetype>(Named);
        QString list = owners.mid(0, static_cast<qsizetype>(Named)).join(tr(", "));
        if (more > 0)
            list = tr("%1 and %2 more").arg(list).arg(more);
        box->setInformativeText(tr("Used by: %1. The name stays there, and the file is listed as missing until it comes back or another one "
                                   "is found.")
                                    .arg(list));
    }
    QPushButton* const go = box->addButton(tr("&Move to the trash"), QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("assets.deleteQuestion.go"));
    QPushButton* const keep = box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(uses.empty() ? go : keep);
    box->setEscapeButton(keep);
    connect(box, &QMessageBox::buttonClicked, this, [this, name, go](QAbstractButton* pressed) {
        if (pressed == go)
            moveToTrash(name);
    });
    box->open();
}

void AssetPanel::moveToTrash(const QString& name) {
    QFile file(QDir(m_document.folder()).filePath(name));
    if (!file.moveToTrash()) {
        emit problem(tr("%1 is still there: %2. A file system without a trash keeps it; delete it in the file manager.")
                         .arg(shownLine(name), file.errorString()));
        return;
    }
    emit note(tr("%1 is in the trash.").arg(shownLine(name)));
    m_files->look();
}

void AssetPanel::tell(const Result<void>& result) {
    if (!result)
        emit problem(QString::fromStdString(result.error().toString()));
}

Result<void> AssetPanel::rename(const QString& from, const QString& to) {
    if (m_feed.mode() != Mode::Edit)
        return makeError(tr("%1 cannot be renamed while the world runs; stop it first.").arg(from).toStdString());
    m_project.refresh();
    if (!m_project.isCurrent())
        return makeError(tr("%1 cannot be renamed while the texts have errors: not all that name it may be known. Mend them first.")
                             .arg(from)
                             .toStdString());
    readUses();
    // What lies beside a mesh is named from where the mesh is.
    const AssetPreview* preview = m_previews->known(from);
    const auto folderOf = [](const QString& name) { return name.left(name.lastIndexOf(QLatin1Char('/')) + 1); };
    if (preview != nullptr && !preview->parts.isEmpty() && folderOf(from) != folderOf(QDir::cleanPath(to)))
        return makeError(tr("%1 is made of %2 too, and would not find it from another folder; export it there instead.")
                             .arg(from, preview->parts.first())
                             .toStdString());
    Result<void> done = m_moves->rename(from.toStdString(), to.toStdString(), m_model->usesOf(from));
    if (done)
        m_project.refresh();
    readUses();
    choose(QDir::cleanPath(to));
    return done;
}

QStringList AssetPanel::candidatesFor(const QString& missing) const {
    QStringList out;
    const QString own = missing.mid(missing.lastIndexOf(QLatin1Char('/')) + 1);
    const std::optional<AssetKind> kind = assetKind(missing.toStdString());
    for (const AssetEntry& entry : m_files->entries())
        if (entry.name != missing && (!kind || entry.kind == *kind)
            && entry.name.mid(entry.name.lastIndexOf(QLatin1Char('/')) + 1).compare(own, Qt::CaseInsensitive) == 0)
            out << entry.name;
    return out;
}

Result<void> AssetPanel::replace(const QString& missing, const QString& by) {
    m_project.refresh();
    readUses();
    const std::vector<AssetUse> uses = m_model->usesOf(missing);
    if (uses.empty())
        return makeError(tr("Nothing names %1 any more.").arg(missing).toStdString());
    const std::optional<AssetKind> kind = assetKind(by.toStdString());
    if (!kind || *kind != uses.front().kind)
        return makeError((uses.front().kind == AssetKind::Mesh ? tr("%1 is no mesh; expected a .gltf, .glb or .obj file.")
                                                               : tr("%1 is no sound; expected a .wav, .flac or .ogg file."))
                             .arg(by)
                             .toStdString());
    Result<std::vector<FileEdit>> edits = assetEdits(m_document, uses, by.toStdString());
    if (!edits)
        return edits.error();
    if (Result<void> done = m_document.edit(std::move(*edits), tr("Use %1 for %2").arg(by, missing)); !done)
        return done;
    m_project.refresh();
    readUses();
    choose(by);
    return {};
}

void AssetPanel::find(const QString& missing, const QPoint& at) {
    if (missing.isEmpty())
        return;
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("assets.candidates"));
    for (const QString& candidate : candidatesFor(missing))
        menu.addAction(tr("Use %1").arg(shownLine(candidate).replace(QLatin1Char('&'), QStringLiteral("&&"))), this,
                       [this, missing, candidate] { tell(replace(missing, candidate)); });
    if (menu.isEmpty())
        menu.addAction(tr("No file of that name is in the project"))->setEnabled(false);
    menu.addSeparator();
    menu.addAction(m_theme.icon(QStringLiteral("folder")), tr("Choose a file…"), this, [this, missing] {
        const QString chosen = fileToOpen(window(), tr("Choose the file for %1").arg(missing),
                                          m_document.folder(), assetKinds(assetKind(missing.toStdString())));
        if (chosen.isEmpty())
            return;
        const QString name = QDir(m_document.folder()).relativeFilePath(chosen);
        if (name.startsWith(QLatin1String("../")) || QDir::isAbsolutePath(name))
            emit problem(tr("%1 lies outside of the project. Copy it into the project first: drop it onto the Assets panel.").arg(chosen));
        else
            tell(replace(missing, name));
    });
    menu.exec(at);
}

void AssetPanel::importFiles(const QStringList& files, const QString& into) {
    if (files.isEmpty() || !m_document.isOpen())
        return;
    m_import->begin(m_document.folder(), files, into);
}

void AssetPanel::pollReload() {
    if (!m_document.isOpen())
        return;
    m_reload->look();
    if (const std::uint64_t changes = m_reload->changes(); changes != m_reloadChanges) {
        m_reloadChanges = changes;
        m_files->look(); // pictures follow
        m_transport->reread();
        emit faultsChanged();
    }
}

QStringList AssetPanel::faults() const {
    QStringList out;
    for (const AssetReload::Fault& fault : m_reload->faults())
        out << QString::fromStdString(fault.why);
    return out;
}

} // namespace sbx::ui

#include "moc_asset_panel.cpp"
