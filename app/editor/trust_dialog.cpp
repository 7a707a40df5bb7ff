#include "app/editor/trust_dialog.h"

#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>

namespace sbx::editor {

namespace {

constexpr int TrustWidth = 640; // pixels
constexpr int CodeRows = 3;
constexpr int ListRows = 5;

QString shownPath(const std::filesystem::path& path) { return ui::shownLine(path.string()); }

QTreeWidget* makeTable(QWidget* parent, const QString& name, const QString& accessible,
                       const QStringList& columns, int rows) {
    auto* table = new QTreeWidget(parent);
    table->setObjectName(name);
    table->setAccessibleName(accessible);
    table->setRootIsDecorated(false);
    table->setHeaderLabels(columns);
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setStretchLastSection(true);
    table->setFixedHeight((rows + 1) * ui::measure::RowHeight);
    table->setUniformRowHeights(true);
    return table;
}

QLabel* makeText(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

TrustDialog::TrustDialog(TrustedProjects& trusted, std::filesystem::path folder,
                         std::vector<PluginState> plugins, bool safeMode, const ui::Theme& theme,
                         QWidget* parent)
    : QDialog(parent),
      m_trusted(trusted),
      m_folder(std::move(folder)),
      m_plugins(std::move(plugins)),
      m_safeMode(safeMode),
      m_theme(theme),
      m_heading(makeText(this, QStringLiteral("trust.heading"))),
      m_place(makeText(this, QStringLiteral("trust.place"))),
      m_advice(makeText(this, QStringLiteral("trust.advice"))),
      m_code(makeTable(this, QStringLiteral("trust.code"), tr("Plugins of this project"),
                       {tr("Plugin"), tr("Library"), tr("Size"), tr("Changed")}, CodeRows)),
      m_trust(new QPushButton(this)),
      m_list(makeTable(this, QStringLiteral("trust.list"), tr("Trusted projects"),
                       {tr("Folder"), tr("Owner")}, ListRows)),
      m_fault(makeText(this, QStringLiteral("trust.fault"))),
      m_remove(new QPushButton(tr("&Remove from the list"), this)),
      m_close(new QPushButton(tr("&Close"), this)) {
    setObjectName(QStringLiteral("trust"));
    setWindowTitle(tr("Trusted projects"));
    m_heading->setFont(m_theme.strongFont(ui::FontRole::Ui));
    ui::setTextToken(*m_place, m_theme, ui::Token::Muted);
    ui::setTextToken(*m_fault, m_theme, ui::Token::Error);
    m_fault->hide();
    m_trust->setObjectName(QStringLiteral("trust.change"));
    m_trust->setAutoDefault(false);
    m_trust->installEventFilter(this);
    m_remove->setObjectName(QStringLiteral("trust.remove"));
    m_remove->setAutoDefault(false);
    m_remove->setToolTip(tr("The plugins of the chosen project are held back until you trust it again"));
    // What changes nothing is what Return does.
    m_close->setObjectName(QStringLiteral("trust.close"));
    m_close->setDefault(true);
    layOut();

    connect(m_trust, &QPushButton::clicked, this, [this] { change(m_folder, !m_trusted.trusts(m_folder)); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const int row = m_list->indexOfTopLevelItem(m_list->currentItem()); row >= 0)
            change(std::filesystem::path(m_entries[static_cast<std::size_t>(row)].folder), false);
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this,
            [this] { m_remove->setEnabled(m_list->currentItem() != nullptr); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    showProject();
    refill();
    resize(TrustWidth, 0);
    fit();
    m_close->setFocus();
}

void TrustDialog::layOut() {
    auto* changeRow = new QHBoxLayout;
    changeRow->addStretch();
    changeRow->addWidget(m_trust);
    auto* all = new QLabel(tr("Projects that you trust:"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_remove);
    buttons->addStretch();
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(m_heading);
    layout->addWidget(m_place);
    layout->addWidget(m_advice);
    layout->addWidget(m_code);
    layout->addLayout(changeRow);
    layout->addSpacing(ui::measure::GroupGap);
    layout->addWidget(all);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_fault);
    layout->addLayout(buttons);
}

// Texts that wrap take more lines or fewer; the style has its say first.
void TrustDialog::fit() {
    for (QWidget* part : findChildren<QWidget*>())
        part->ensurePolished();
    layout()->invalidate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void TrustDialog::showEvent(QShowEvent* event) {
    fit();
    QDialog::showEvent(event);
}

// The first click makes the button the opposite one, which a second, meant as the same, must not press.
bool TrustDialog::eventFilter(QObject* watched, QEvent* event) {
    return (watched == m_trust && event->type() == QEvent::MouseButtonDblClick)
           || QDialog::eventFilter(watched, event);
}

QString TrustDialog::stateText(TrustReason reason) const {
    if (m_safeMode)
        return tr("Safe mode: no plugins run, whichever projects you trust.");
    switch (reason) {
    case TrustReason::None:
        return tr("This project is restricted: its plugins are held back until you trust it.");
    case TrustReason::Listed:
        return tr("You trust this project: its plugins may run.");
    case TrustReason::ForNow:
        return tr(
            "The plugins of this project may run until Signalbox ends, since it was started with --trust.");
    case TrustReason::ComesWithProgram:
        return tr("This project comes with Signalbox: its plugins may run.");
    }
    return {};
}

QString TrustDialog::folderText() const {
    const QFileInfo folder(QFile::decodeName(m_folder.c_str()));
    const QString owner = folder.owner().isEmpty() ? QString::number(folder.ownerId()) : folder.owner();
    return shownPath(m_folder) + QLatin1Char('\n')
           + (folder.ownerId() == ::geteuid() ? tr("The folder belongs to you (%1).").arg(owner)
                                              : tr("The folder belongs to %1, not to you.").arg(owner));
}

void TrustDialog::showProject() {
    const bool any = !m_plugins.empty();
    const TrustReason reason = m_folder.empty() ? TrustReason::None : m_trusted.reason(m_folder);
    // What comes with the program cannot lose its trust, and in safe mode nothing is remembered but what is
    // taken back.
    const bool canChange =
        any && reason != TrustReason::ComesWithProgram && (!m_safeMode || reason != TrustReason::None);
    m_place->setVisible(!m_folder.empty());
    m_code->setVisible(any);
    m_trust->setVisible(canChange);
    m_place->setText(m_folder.empty() ? QString() : folderText());
    m_heading->setText(m_folder.empty() ? tr("No project is open.")
                       : any            ? stateText(reason)
                                        : tr("This project has no plugins: nothing of it needs your trust."));
    m_advice->setVisible(canChange);
    m_advice->setText(
        reason == TrustReason::None
            ? tr("Until then it can be edited and played as far as it does not need them. Plugins "
                 "are programs: they can read, change and send whatever you can. Trust a project "
                 "only if you know who made it and how it came here. These would run, and each "
                 "new build of them:")
        : m_safeMode
            ? tr("You trust this project: without --safe-mode these run, and each new build of them:")
            : tr("Plugins are programs: they can read, change and send whatever you can. These "
                 "may run, and each new build of them:"));
    m_trust->setText(reason == TrustReason::None ? tr("&Trust this project")
                                                 : tr("&Stop trusting this project"));
    m_code->clear();
    for (const PluginState& plugin : m_plugins) {
        const QFileInfo file(QFile::decodeName(plugin.file.c_str()));
        auto* item = new QTreeWidgetItem(m_code);
        item->setText(0, ui::shownLine(plugin.path));
        item->setText(1, ui::shownLine(file.fileName()));
        item->setToolTip(1, ui::tipText(file.absoluteFilePath()));
        item->setText(2, file.exists() ? QLocale().formattedDataSize(file.size()) : tr("not there"));
        item->setText(3, file.exists() ? QLocale().toString(file.lastModified(), QLocale::ShortFormat)
                                       : QString());
    }
}

void TrustDialog::showFault(const QString& reason) {
    m_fault->setText(ui::shownText(reason));
    m_fault->show();
    emit failed(reason);
}

void TrustDialog::refill() {
    m_list->clear();
    m_entries.clear();
    auto entries = m_trusted.entries();
    if (!entries) {
        showFault(QString::fromStdString(entries.error().toString()));
    } else {
        m_entries = std::move(*entries);
        for (const TrustedProjects::Entry& entry : m_entries) {
            auto* item = new QTreeWidgetItem(m_list);
            item->setText(0, shownPath(entry.folder));
            item->setToolTip(0, ui::tipText(shownPath(entry.folder)));
            const passwd* const owner = ::getpwuid(entry.owner);
            item->setText(1, owner == nullptr ? QString::number(entry.owner)
                                              : ui::shownLine(std::string_view(owner->pw_name)));
        }
    }
    m_remove->setEnabled(m_list->currentItem() != nullptr);
}

void TrustDialog::change(const std::filesystem::path& folder, bool trusted) {
    const bool before = m_trusted.trusts(m_folder);
    m_fault->hide();
    const Result<void> done = trusted ? m_trusted.trust(folder) : m_trusted.forget(folder);
    if (!done)
        showFault(QString::fromStdString(done.error().toString()));
    showProject();
    if (done)
        refill();
    fit();
    if (m_trusted.trusts(m_folder) != before)
        emit trustChanged();
}

} // namespace sbx::editor

#include "moc_trust_dialog.cpp"
