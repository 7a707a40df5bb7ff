#include "app/editor/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/common/exported_game.h"
#include "widgets/common/document_files.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

#include <algorithm>
#include <array>

namespace sbx::editor {

namespace {

constexpr int ExportWidth = 620; // pixels
constexpr int ContentsHeight = 7 * ui::measure::RowHeight;
constexpr int ProgressSteps = 1000;
constexpr int WatchMs = 50;
constexpr int Archive = 1; // row of the chooser of kinds

const QString ExportFolderKey = QStringLiteral("export/folder");
const QString ExportKindKey = QStringLiteral("export/archive");
const QString ExportLibrariesKey = QStringLiteral("export/libraries");

QString sizeText(std::uint64_t bytes) { return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1); }

QString placedText(const Error& error) { return ui::shownLine(error.file.empty() ? error.message : error.file + ": " + error.message); }

} // namespace

ExportDialog::ExportDialog(Project project, ui::UserSettings& settings, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_project(std::move(project)),
      m_settings(settings),
      m_theme(theme),
      m_name(new QLineEdit(this)),
      m_parent(new QLineEdit(this)),
      m_browse(new QPushButton(tr("&Browse…"), this)),
      m_kind(new QComboBox(this)),
      m_libraries(new QCheckBox(tr("Carry &Qt and the other libraries"), this)),
      m_target(new QLabel(this)),
      m_contents(new QTreeWidget(this)),
      m_state(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_export(new QPushButton(this)) {
    setObjectName(QStringLiteral("exportPlayer"));
    setWindowTitle(tr("Export player"));
    auto* what = new QLabel(tr("Writes the project with a player into a folder of its own, which is started by double click, without Signalbox."), this);
    what->setWordWrap(true);
    m_name->setObjectName(QStringLiteral("exportPlayer.name"));
    m_name->setAccessibleName(tr("Name of the game"));
    m_name->setText(QString::fromStdString(app::gameNameFor(m_project.name.toStdString())));
    m_parent->setObjectName(QStringLiteral("exportPlayer.parent"));
    m_parent->setAccessibleName(tr("Folder"));
    const QString kept = m_settings.value(ExportFolderKey).toString();
    m_parent->setText(QDir::toNativeSeparators(kept.isEmpty() || !QFileInfo(kept).isDir() ? QDir::homePath() : kept));
    m_browse->setObjectName(QStringLiteral("exportPlayer.browse"));
    m_browse->setAutoDefault(false);
    m_kind->setObjectName(QStringLiteral("exportPlayer.kind"));
    m_kind->setAccessibleName(tr("Kind"));
    m_kind->addItems({tr("Folder"), tr("Archive (.tar.gz)")});
    m_kind->setCurrentIndex(m_settings.value(ExportKindKey).toBool() ? Archive : 0);
    m_libraries->setObjectName(QStringLiteral("exportPlayer.libraries"));
    m_libraries->setChecked(m_settings.value(ExportLibrariesKey, true).toBool());
    m_libraries->setToolTip(tr("With them the game runs on any desktop Linux with OpenGL. Without, it is smaller and needs the same libraries as Signalbox itself:\n"
                               "its README.txt names their packages."));
    m_target->setObjectName(QStringLiteral("exportPlayer.target"));
    m_target->setTextFormat(Qt::PlainText);
    m_target->setWordWrap(true);
    ui::setTextToken(*m_target, theme, ui::Token::Muted);
    m_contents->setObjectName(QStringLiteral("exportPlayer.contents"));
    m_contents->setAccessibleName(tr("What it will hold"));
    m_contents->setHeaderLabels({tr("What it will hold"), tr("Size")});
    m_contents->header()->setStretchLastSection(false);
    m_contents->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_contents->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_contents->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    m_contents->setUniformRowHeights(true);
    m_contents->setMinimumHeight(ContentsHeight);
    m_state->setObjectName(QStringLiteral("exportPlayer.state"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_progress->setObjectName(QStringLiteral("exportPlayer.progress"));
    m_progress->setAccessibleName(tr("How much is written"));
    m_progress->setRange(0, ProgressSteps);
    m_progress->setTextVisible(false);
    QSizePolicy keepsItsPlace = m_progress->sizePolicy();
    keepsItsPlace.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keepsItsPlace);
    m_progress->hide();
    m_cancel->setObjectName(QStringLiteral("exportPlayer.cancel"));
    m_cancel->setAutoDefault(false);
    m_export->setObjectName(QStringLiteral("exportPlayer.export"));
    m_export->setText(m_project.save ? tr("Save and &export") : tr("&Export"));
    m_export->setDefault(true);
    ui::setPrimary(*m_export);

    auto* form = new QGridLayout;
    form->setHorizontalSpacing(ui::measure::PanelPadding);
    form->setVerticalSpacing(ui::measure::RelatedGap);
    const auto label = [this](const QString& text, QWidget* buddy) {
        auto* out = new QLabel(text, this);
        out->setBuddy(buddy);
        return out;
    };
    form->addWidget(label(tr("&Name"), m_name), 0, 0);
    form->addWidget(m_name, 0, 1, 1, 2);
    form->addWidget(label(tr("&Folder"), m_parent), 1, 0);
    form->addWidget(m_parent, 1, 1);
    form->addWidget(m_browse, 1, 2);
    form->addWidget(label(tr("&As"), m_kind), 2, 0);
    form->addWidget(m_kind, 2, 1, 1, 2, Qt::AlignLeft);
    form->addWidget(m_target, 3, 1, 1, 2);
    form->addWidget(m_libraries, 4, 1, 1, 2);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_export);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(what);
    layout->addLayout(form);
    layout->addWidget(m_contents, 1);
    layout->addWidget(m_state);
    layout->addWidget(m_progress);
    layout->addLayout(buttons);
    resize(ExportWidth, sizeHint().height());

    setTabOrder(m_name, m_parent);
    setTabOrder(m_parent, m_browse);
    setTabOrder(m_browse, m_kind);
    setTabOrder(m_kind, m_libraries);
    setTabOrder(m_libraries, m_contents);
    setTabOrder(m_contents, m_cancel);
    setTabOrder(m_cancel, m_export);
    for (QLineEdit* field : {m_name, m_parent})
        connect(field, &QLineEdit::textChanged, this, &ExportDialog::follow);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ExportDialog::follow);
    connect(m_libraries, &QCheckBox::toggled, this, &ExportDialog::plan);
    connect(m_browse, &QPushButton::clicked, this, [this] {
        const QString chosen = ui::folderToOpen(this, tr("Folder for the export"), m_parent->text());
        if (!chosen.isEmpty())
            m_parent->setText(QDir::toNativeSeparators(chosen));
    });
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::write);
    connect(m_cancel, &QPushButton::clicked, this, &ExportDialog::reject);
    m_watch.setInterval(WatchMs);
    connect(&m_watch, &QTimer::timeout, this, &ExportDialog::showProgress);
    plan();
    m_name->setFocus();
    m_name->selectAll();
}

ExportDialog::~ExportDialog() {
    if (m_running)
        m_running->givenUp = true;
    if (m_thread != nullptr) {
        m_thread->disconnect(this);
        m_thread->wait();
        delete m_thread;
    }
}

app::ExportRequest ExportDialog::request() const {
    return {m_project.folder, m_name->text().trimmed().toStdString(), m_libraries->isChecked()};
}

QString ExportDialog::target() const {
    const QDir folder(QDir::fromNativeSeparators(m_parent->text()));
    const QString ending = m_kind->currentIndex() == Archive ? QStringLiteral(".tar.gz") : QString();
    const QString name = m_name->text().trimmed();
    QString out = folder.absoluteFilePath(name + ending);
    for (int i = 2; QFileInfo::exists(out) || QFileInfo(out).isSymLink(); ++i)
        out = folder.absoluteFilePath(QStringLiteral("%1 %2%3").arg(name).arg(i).arg(ending));
    return QDir::cleanPath(out);
}

QString ExportDialog::fault() const {
    if (const std::string wrong = app::gameNameFault(m_name->text().trimmed().toStdString()); !wrong.empty())
        return QString::fromStdString(wrong);
    if (!QDir::isAbsolutePath(QDir::fromNativeSeparators(m_parent->text())))
        return tr("The folder's path must begin with /.");
    return QString::fromStdString(app::PlayerExport::targetFault(ui::pathOf(target()), m_project.folder));
}

void ExportDialog::follow() {
    const QString wrong = fault();
    m_target->setText(ui::shownLine(wrong.isEmpty() ? target() : wrong));
    ui::setTextToken(*m_target, m_theme, wrong.isEmpty() ? ui::Token::Muted : ui::Token::Error);
    ui::setInvalid(*m_name, !app::gameNameFault(m_name->text().trimmed().toStdString()).empty());
    for (QWidget* each : std::initializer_list<QWidget*>{m_name, m_parent, m_browse, m_kind, m_libraries})
        each->setEnabled(!m_writing);
    m_export->setEnabled(!m_writing && wrong.isEmpty() && m_plan && m_plan->plan);
}

// Runs it on a thread, and then the other here, unless the dialog has gone.
void ExportDialog::start(const std::function<void(Work&)>& run, const std::function<void(const std::shared_ptr<Work>&)>& then) {
    m_running = std::make_shared<Work>();
    m_thread = QThread::create([work = m_running, run] { run(*work); });
    connect(m_thread, &QThread::finished, this, [this, then] {
        m_thread->deleteLater();
        m_thread = nullptr;
        then(std::exchange(m_running, nullptr));
    });
    m_thread->start();
}

void ExportDialog::plan() {
    if (m_thread != nullptr) {
        m_again = true;
        return;
    }
    m_plan = nullptr;
    m_state->setText(tr("Looking at what belongs to it…"));
    ui::setTextToken(*m_state, m_theme, ui::Token::Muted);
    start(
        [request = request(), plugins = m_project.plugins](Work& work) {
            app::ExportRequest named = request;
            named.name.clear(); // what was typed may be no name yet
            const auto sources = app::ExportSources::ofThisProgram();
            if (!sources) {
                work.fault = placedText(sources.error());
                return;
            }
            Diagnostics faults;
            auto made = app::PlayerExport::plan(named, *sources, *plugins, faults);
            if (made) {
                work.plan = std::move(*made);
                return;
            }
            work.fault = placedText(made.error());
            const auto first = std::find_if(faults.items.begin(), faults.items.end(), [](const Diagnostic& each) { return each.severity == Severity::Error; });
            if (first != faults.items.end())
                work.fault += QLatin1Char('\n') + ui::shownLine(first->toString());
        },
        [this](const std::shared_ptr<Work>& work) { planned(work); });
    follow();
}

void ExportDialog::planned(const std::shared_ptr<Work>& work) {
    if (std::exchange(m_again, false)) {
        plan();
        return;
    }
    m_plan = work;
    m_state->setText(work->plan ? tr("%1 in %2 files; as an archive about half of it.").arg(sizeText(work->plan->size())).arg(work->plan->files().size())
                                : work->fault);
    ui::setTextToken(*m_state, m_theme, work->plan ? ui::Token::Muted : ui::Token::Error);
    showContents();
    follow();
}

void ExportDialog::showContents() {
    m_contents->clear();
    if (!m_plan->plan)
        return;
    const std::array<std::pair<app::ExportPart, QString>, 4> parts{{{app::ExportPart::Game, tr("The project")},
                                                                    {app::ExportPart::Program, tr("The player")},
                                                                    {app::ExportPart::Libraries, tr("Qt and other libraries")},
                                                                    {app::ExportPart::Licences, tr("Licences")}}};
    for (const auto& [part, title] : parts) {
        auto* top = new QTreeWidgetItem;
        int count = 0;
        for (const app::ExportedFile& file : m_plan->plan->files())
            if (file.part == part) {
                auto* item = new QTreeWidgetItem(top, {ui::shownLine(file.path), sizeText(file.size)});
                item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
                ++count;
            }
        if (count == 0) {
            delete top;
            continue;
        }
        top->setText(0, count == 1 ? tr("%1: 1 file").arg(title) : tr("%1: %2 files").arg(title).arg(count));
        top->setText(1, sizeText(m_plan->plan->size(part)));
        top->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        m_contents->addTopLevelItem(top);
    }
}

void ExportDialog::write() {
    follow();
    if (!m_export->isEnabled() || m_thread != nullptr)
        return;
    if (m_project.save && !m_project.save())
        return;
    m_project.save = nullptr;
    m_export->setText(tr("&Export"));
    m_writing = true;
    m_progress->setValue(0);
    m_progress->show();
    m_state->setText(tr("Writing…"));
    ui::setTextToken(*m_state, m_theme, ui::Token::Muted);
    m_watch.start();
    const QString to = target();
    start(
        [request = request(), plugins = m_project.plugins, to](Work& work) {
            const auto sources = app::ExportSources::ofThisProgram();
            if (!sources) {
                work.fault = placedText(sources.error());
                return;
            }
            // Once more: the project is saved now, and the name is the game's.
            Diagnostics faults;
            const auto made = app::PlayerExport::plan(request, *sources, *plugins, faults);
            if (!made) {
                work.fault = placedText(made.error());
                return;
            }
            work.whole = made->size();
            const auto written = made->write(ui::pathOf(to), [&work](std::uint64_t done) {
                work.done = done;
                return !work.givenUp;
            });
            if (!written)
                work.fault = placedText(written.error());
            else
                work.written = *written;
        },
        [this, to](const std::shared_ptr<Work>& work) { wrote(work, to); });
    follow();
}

void ExportDialog::showProgress() {
    if (m_running && m_running->whole > 0)
        m_progress->setValue(static_cast<int>(m_running->done * ProgressSteps / m_running->whole));
}

void ExportDialog::wrote(const std::shared_ptr<Work>& work, const QString& to) {
    m_writing = false;
    m_watch.stop();
    m_progress->hide();
    if (work->written) {
        m_settings.setValue(ExportFolderKey, QFileInfo(to).absolutePath());
        m_settings.setValue(ExportKindKey, m_kind->currentIndex() == Archive);
        m_settings.setValue(ExportLibrariesKey, m_libraries->isChecked());
        accept();
        emit exported(to);
        return;
    }
    m_state->setText(work->fault.isEmpty() ? tr("Cancelled: nothing was left in %1.").arg(ui::shownLine(QFileInfo(to).absolutePath())) : work->fault);
    ui::setTextToken(*m_state, m_theme, work->fault.isEmpty() ? ui::Token::Muted : ui::Token::Error);
    follow();
}

void ExportDialog::reject() {
    if (m_writing) {
        m_running->givenUp = true; // wrote() says so
        return;
    }
    QDialog::reject();
}

} // namespace sbx::editor

#include "moc_export_dialog.cpp"
