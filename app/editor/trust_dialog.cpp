#include "app/editor/trust_dialog.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "engine/session/trusted_projects.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <unistd.h>

namespace sbx::editor {

namespace {

constexpr int TrustWidth = 640; // pixels
constexpr int ShownRows = 5;

QString shownPath(const std::filesystem::path& path) { return ui::shownLine(path.string()); }

QTreeWidget* makeTable(QWidget* parent, const QString& name, const QString& accessible, const QStringList& columns) {
    auto* table = new QTreeWidget(parent);
    table->setObjectName(name);
    table->setAccessibleName(accessible);
    table->setRootIsDecorated(false);
    table->setHeaderLabels(columns);
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setStretchLastSection(true);
    table->setFixedHeight((ShownRows + 1) * ui::measure::RowHeight);
    return table;
}

} // namespace

TrustDialog::TrustDialog(TrustedProjects& trusted, std::filesystem::path folder, std::vector<PluginState> plugins,
                         const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_trusted(trusted),
      m_folder(std::move(folder)),
      m_plugins(std::move(plugins)),
      m_theme(theme),
      m_heading(new QLabel(this)),
      m_code(makeTable(this, QStringLiteral("trust.code"), tr("Plugins of this project"),
                       {tr("Plugin"), tr("Library"), tr("Size"), tr("Built")})),
      m_trust(new QPushButton(this)),
      m_list(makeTable(this, QStringLiteral("trust.list"), tr("Trusted projects"), {tr("Folder"), tr("Owner")})),
      m_remove(new QPushButton(tr("&Remove"), this)),
      m_close(new QPushButton(tr("&Close"), this)) {
    setObjectName(QStringLiteral("trust"));
    setWindowTitle(tr("Trusted projects"));
    m_heading->setObjectName(QStringLiteral("trust.heading"));
    m_heading->setWordWrap(true);
    m_heading->setTextFormat(Qt::PlainText);
    m_trust->setObjectName(QStringLiteral("trust.change"));
    m_trust->setAutoDefault(false);
    m_remove->setObjectName(QStringLiteral("trust.remove"));
    m_remove->setAutoDefault(false);
    m_remove->setToolTip(tr("Ask again before this project's plugins run"));
    // What changes nothing is what Return does.
    m_close->setObjectName(QStringLiteral("trust.close"));
    m_close->setDefault(true);

    auto* changeRow = new QHBoxLayout;
    changeRow->addStretch();
    changeRow->addWidget(m_trust);
    auto* all = new QLabel(tr("Projects whose plugins may run:"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_remove);
    buttons->addStretch();
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(m_heading);
    layout->addWidget(m_code);
    layout->addLayout(changeRow);
    layout->addSpacing(ui::measure::GroupGap);
    layout->addWidget(all);
    layout->addWidget(m_list);
    layout->addLayout(buttons);
    resize(TrustWidth, sizeHint().height());

    connect(m_trust, &QPushButton::clicked, this, [this] { change(m_folder, !m_trusted.trusts(m_folder)); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const QTreeWidgetItem* item = m_list->currentItem())
            change(item->data(0, Qt::UserRole).toString().toStdString(), false);
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] { m_remove->setEnabled(m_list->currentItem() != nullptr); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    showProject();
    refill();
}

void TrustDialog::showProject() {
    const bool any = !m_plugins.empty();
    m_code->setVisible(any);
    m_trust->setVisible(any);
    if (!any) {
        m_heading->setText(m_folder.empty() ? tr("No project is open.")
                                            : tr("%1 has no plugins: nothing of it runs as a program of its own.").arg(shownPath(m_folder)));
        return;
    }
    const bool trusted = m_trusted.trusts(m_folder);
    const QFileInfo folder(QString::fromStdString(m_folder.string()));
    QString text = trusted ? tr("The plugins of %1 may run.") : tr("The plugins of %1 are held back.");
    text = text.arg(shownPath(m_folder));
    if (folder.ownerId() != ::geteuid())
        text += tr(" The folder belongs to %1, not to you.").arg(folder.owner().isEmpty() ? QString::number(folder.ownerId()) : folder.owner());
    text += tr("\n\nPlugins are programs: they can read, change and send whatever you can. Trust a project only if you know who made it and "
               "how it came here.");
    m_heading->setText(text);
    m_trust->setText(trusted ? tr("&Stop trusting this project") : tr("&Trust this project"));
    m_code->clear();
    for (const PluginState& plugin : m_plugins) {
        const QFileInfo file(QString::fromStdString(plugin.file));
        auto* item = new QTreeWidgetItem(m_code);
        item->setText(0, ui::shownLine(plugin.path));
        item->setText(1, ui::shownLine(file.fileName()));
        item->setToolTip(1, ui::tipText(file.absoluteFilePath()));
        item->setText(2, file.exists() ? QLocale().formattedDataSize(file.size()) : tr("not there"));
        item->setText(3, file.exists() ? QLocale().toString(file.lastModified(), QLocale::ShortFormat) : QString());
    }
}

void TrustDialog::refill() {
    m_list->clear();
    const auto entries = m_trusted.entries();
    if (!entries) {
        emit failed(QString::fromStdString(entries.error().toString()));
    } else {
        for (const TrustedProjects::Entry& entry : *entries) {
            auto* item = new QTreeWidgetItem(m_list);
            item->setText(0, shownPath(entry.folder));
            item->setData(0, Qt::UserRole, QString::fromStdString(entry.folder.string()));
            const QString owner = QFileInfo(item->data(0, Qt::UserRole).toString()).owner();
            item->setText(1, owner.isEmpty() ? QString::number(entry.owner) : owner);
        }
    }
    m_remove->setEnabled(m_list->currentItem() != nullptr);
}

void TrustDialog::change(const std::filesystem::path& folder, bool trusted) {
    const bool before = m_trusted.trusts(m_folder);
    if (const Result<void> done = trusted ? m_trusted.trust(folder) : m_trusted.forget(folder); !done)
        emit failed(QString::fromStdString(done.error().toString()));
    showProject();
    refill();
    if (m_trusted.trusts(m_folder) != before)
        emit trustChanged();
}

} // namespace sbx::editor

#include "moc_trust_dialog.cpp"
