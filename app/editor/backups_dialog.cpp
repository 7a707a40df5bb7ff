#include "app/editor/backups_dialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/editor/shown_time.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {
enum BackupColumn { SavedColumn, BackupFilesColumn, SizeColumn, BackupColumnCount };
constexpr QSize BackupsSize(560, 380);
} // namespace

BackupsDialog::BackupsDialog(ui::Backups& backups, int most, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_backups(backups),
      m_list(backups.list()),
      m_tree(new QTreeWidget(this)),
      m_restore(new QPushButton(tr("&Restore"), this)) {
    setObjectName(QStringLiteral("backups"));
    setAccessibleName(tr("Backups"));
    setWindowTitle(tr("Backups"));
    auto* heading = new QLabel(most > 0 ? tr("What the project's files were before each of the last saves; %1 saves are kept. Restoring one "
                                             "is a step of undo, and nothing is written until you save.")
                                              .arg(most)
                                        : tr("No backups are kept: editor.backups is 0."),
                               this);
    heading->setObjectName(QStringLiteral("backups.heading"));
    heading->setWordWrap(true);
    ui::setTextToken(*heading, theme, ui::Token::Muted);
    m_tree->setObjectName(QStringLiteral("backups.list"));
    m_tree->setAccessibleName(tr("Backups, newest first"));
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->setColumnCount(BackupColumnCount);
    m_tree->setHeaderLabels({tr("Before the save of"), tr("Files"), tr("Size")});
    m_tree->headerItem()->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(BackupFilesColumn, QHeaderView::Stretch);
    for (const ui::Backup& backup : m_list) {
        const QString files = ui::shownLine(backup.files.join(QStringLiteral(", ")));
        auto* row = new QTreeWidgetItem({shownTime(backup.time), files, QLocale().formattedDataSize(backup.bytes, 1)});
        row->setToolTip(BackupFilesColumn, ui::tipText(files));
        row->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
        m_tree->addTopLevelItem(row);
    }
    auto* empty = new ui::EmptyState(theme, QStringLiteral("history"),
                                     tr("No backups yet. The next save keeps what the files were before it."));
    empty->setObjectName(QStringLiteral("backups.empty"));
    auto* content = new ui::EmptySwitch(m_tree, empty, this);
    content->setObjectName(QStringLiteral("backups.switch"));
    content->setEmpty(m_list.empty());
    m_restore->setObjectName(QStringLiteral("backups.restore"));
    m_restore->setDefault(true);
    m_restore->setEnabled(!m_list.empty());
    ui::setPrimary(*m_restore);
    auto* close = new QPushButton(tr("&Close"), this);
    close->setObjectName(QStringLiteral("backups.close"));
    close->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(close);
    buttons->addWidget(m_restore);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(heading);
    layout->addWidget(content, 1);
    layout->addLayout(buttons);
    resize(BackupsSize);
    if (!m_list.empty())
        m_tree->setCurrentItem(m_tree->topLevelItem(0));
    setTabOrder(m_tree, close);
    setTabOrder(close, m_restore);
    connect(m_tree, &QTreeWidget::itemDoubleClicked, this, &BackupsDialog::restoreChosen);
    connect(m_restore, &QPushButton::clicked, this, &BackupsDialog::restoreChosen);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
}

void BackupsDialog::restoreChosen() {
    const int row = m_tree->indexOfTopLevelItem(m_tree->currentItem());
    if (row < 0)
        return;
    const ui::Backup& backup = m_list[static_cast<std::size_t>(row)];
    QStringList leftOut;
    if (const Result<void> done = m_backups.restore(backup, &leftOut); !done) {
        emit failed(tr("The backup is not restored: %1.").arg(QString::fromStdString(done.error().toString())));
        return;
    }
    QString text = tr("The project is as it was before the save of %1; Undo takes it back.").arg(shownTime(backup.time));
    if (!leftOut.isEmpty())
        text += QLatin1Char(' ') + tr("Not part of the project any more, and left out: %1.").arg(leftOut.join(QStringLiteral(", ")));
    emit restored(text);
    accept();
}

} // namespace sbx::editor

#include "moc_backups_dialog.cpp"
