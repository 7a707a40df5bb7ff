#include "app/editor/recovery_dialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/editor/shown_time.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/journal.h"
#include "widgets/common/line_diff.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::editor {

namespace {

enum Column { When, Changes, FilesColumn, OnDisk, ColumnCount };

constexpr int Width = 720; // pixels
constexpr int Height = 480;
constexpr std::size_t MaxLines = 2000; // shown of one file's differences

} // namespace

RecoveryDialog::RecoveryDialog(ui::Document& document, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_theme(theme),
      m_heading(new QLabel(this)),
      m_list(new QTreeWidget(this)),
      m_warning(new QLabel(this)),
      m_differences(new QTextBrowser(this)),
      m_recover(new QPushButton(tr("&Recover"), this)),
      m_keep(new QPushButton(tr("&Keep what is saved"), this)),
      m_look(new QPushButton(tr("&Look…"), this)),
      m_discard(new QPushButton(tr("&Discard…"), this)) {
    setObjectName(QStringLiteral("recovery"));
    setWindowTitle(tr("Unsaved work"));
    m_heading->setWordWrap(true);
    m_list->setObjectName(QStringLiteral("recovery.list"));
    m_list->setAccessibleName(tr("Runs that ended with unsaved work"));
    m_list->setRootIsDecorated(false);
    m_list->setColumnCount(ColumnCount);
    m_list->setHeaderLabels({tr("Last change"), tr("Changes"), tr("Files"), tr("On disk")});
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(true);
    m_list->setMaximumHeight(6 * ui::measure::RowHeight);
    m_warning->setObjectName(QStringLiteral("recovery.warning"));
    m_warning->setWordWrap(true);
    m_differences->setObjectName(QStringLiteral("recovery.differences"));
    m_differences->setAccessibleName(tr("Differences to what is on disk"));
    m_differences->setLineWrapMode(QTextEdit::NoWrap);
    m_differences->setOpenLinks(false);
    m_recover->setObjectName(QStringLiteral("recovery.recover"));
    m_recover->setToolTip(tr("Put this work in, unsaved; undo takes it back"));
    m_keep->setObjectName(QStringLiteral("recovery.keep"));
    m_keep->setToolTip(
        tr("Go on with the files as they are on disk; File ▸ Recover unsaved work asks again"));
    m_look->setObjectName(QStringLiteral("recovery.look"));
    m_look->setToolTip(tr("Read the whole texts as this work left them; nothing is changed"));
    m_discard->setObjectName(QStringLiteral("recovery.discard"));
    m_discard->setToolTip(tr("Delete this work, after one more question"));

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_discard);
    buttons->addWidget(m_look);
    buttons->addStretch();
    buttons->addWidget(m_keep);
    buttons->addWidget(m_recover);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(m_heading);
    layout->addWidget(m_list);
    layout->addWidget(m_warning);
    layout->addWidget(m_differences, 1);
    layout->addLayout(buttons);
    resize(Width, Height);

    setTabOrder(m_differences, m_discard);
    setTabOrder(m_discard, m_look);
    setTabOrder(m_look, m_keep);
    setTabOrder(m_keep, m_recover);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &RecoveryDialog::showChosen);
    connect(m_recover, &QPushButton::clicked, this, &RecoveryDialog::recoverChosen);
    connect(m_keep, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_look, &QPushButton::clicked, this, &RecoveryDialog::lookAtChosen);
    connect(m_discard, &QPushButton::clicked, this, &RecoveryDialog::discardChosen);
    connect(&m_document, &ui::Document::recoveriesChanged, this, &RecoveryDialog::refill);
    connect(&m_document, &ui::Document::saved, this, &RecoveryDialog::refill);
    connect(&m_document, &ui::Document::closed, this, &QDialog::reject);
    connect(&m_theme, &ui::Theme::changed, this, &RecoveryDialog::showChosen);
    refill();
}

void RecoveryDialog::refill() {
    const QString before = chosen();
    const std::vector<ui::Recovery> all = m_document.recoveries();
    m_list->clear();
    for (const ui::Recovery& recovery : all) {
        auto* item = new QTreeWidgetItem(m_list);
        QStringList files;
        bool since = false;
        for (const ui::JournalText& text : recovery.texts) {
            files.append(QString::fromStdString(text.file));
            since = since || m_document.savedSince(text);
        }
        item->setData(0, Qt::UserRole, recovery.path);
        item->setText(When, shownTime(recovery.time));
        item->setText(Changes, QString::number(recovery.changes));
        item->setText(FilesColumn, files.join(QStringLiteral(", ")));
        item->setText(OnDisk, since ? tr("saved since") : tr("as it was then"));
        if (since)
            item->setForeground(OnDisk, m_theme.color(ui::Token::Warning));
        if (recovery.path == before)
            m_list->setCurrentItem(item);
    }
    if (all.empty()) {
        accept();
        return;
    }
    m_heading->setText(
        all.size() == 1
            ? tr("A run ended before its changes to this project were saved. They are kept here:")
            : tr("%1 runs ended before their changes to this project were saved. They are kept here:")
                  .arg(all.size()));
    if (m_list->currentItem() == nullptr)
        m_list->setCurrentItem(m_list->topLevelItem(0));
    showChosen();
}

QString RecoveryDialog::chosen() const {
    const QTreeWidgetItem* item = m_list->currentItem();
    return item != nullptr ? item->data(0, Qt::UserRole).toString() : QString();
}

QString RecoveryDialog::differences(const ui::Recovery& recovery) const {
    const auto colored = [](const QColor& color, const QString& text) {
        return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), ui::htmlText(text));
    };
    const QColor ground = m_theme.color(ui::Token::Surface);
    const QColor added = m_theme.readable(m_theme.color(ui::Token::Success), ground);
    const QColor removed = m_theme.readable(m_theme.color(ui::Token::Error), ground);
    const QColor muted = m_theme.color(ui::Token::Muted);
    QString html;
    for (const ui::JournalText& text : recovery.texts) {
        html += QStringLiteral("<b>%1</b><br>").arg(ui::htmlText(text.file));
        const std::string* saved = m_document.savedText(text.file);
        if (saved == nullptr) {
            html += colored(muted, tr("no file of the project as it is now")) + QStringLiteral("<br>");
            continue;
        }
        const std::vector<ui::DiffLine> lines = ui::lineDiff(*saved, text.text);
        if (lines.empty())
            html += colored(muted, tr("as on disk")) + QStringLiteral("<br>");
        for (std::size_t i = 0; i < std::min(lines.size(), MaxLines); ++i) {
            const QString line = QString::fromStdString(lines[i].line);
            switch (lines[i].kind) {
            case ui::DiffLine::Kind::Same:
                html += colored(m_theme.color(ui::Token::Text), QStringLiteral("  ") + line);
                break;
            case ui::DiffLine::Kind::Removed:
                html += colored(removed, QStringLiteral("− ") + line);
                break;
            case ui::DiffLine::Kind::Added:
                html += colored(added, QStringLiteral("+ ") + line);
                break;
            case ui::DiffLine::Kind::Skipped:
                html += colored(muted, line.toInt() == 1 ? tr("  … 1 line alike") : tr("  … %1 lines alike").arg(line));
                break;
            }
            html += QStringLiteral("<br>");
        }
        if (lines.size() > MaxLines)
            html +=
                colored(muted, tr("  … and %1 more").arg(lines.size() - MaxLines)) + QStringLiteral("<br>");
    }
    return QStringLiteral("<div style=\"white-space:pre\">%1</div>").arg(html);
}

std::optional<ui::Recovery> RecoveryDialog::chosenRecovery() const {
    const QString path = chosen();
    for (ui::Recovery& one : m_document.recoveries())
        if (one.path == path)
            return std::move(one);
    return std::nullopt;
}

void RecoveryDialog::showChosen() {
    const std::optional<ui::Recovery> it = chosenRecovery();
    if (!it)
        return;
    QStringList since;
    for (const ui::JournalText& text : it->texts)
        if (m_document.savedSince(text))
            since.append(QString::fromStdString(text.file));
    m_warning->setVisible(!since.isEmpty());
    m_warning->setText(tr("%1 was saved after this work was left: recovering replaces newer work (− below). "
                          "Undo brings it back.")
                           .arg(since.join(QStringLiteral(", "))));
    QPalette palette = m_warning->palette();
    palette.setColor(QPalette::WindowText, m_theme.readable(m_theme.color(ui::Token::Warning)));
    m_warning->setPalette(palette);
    m_differences->setFont(m_theme.font(ui::FontRole::Mono));
    m_differences->setHtml(differences(*it));
    // What loses nothing is what Return does.
    (since.isEmpty() ? m_recover : m_keep)->setDefault(true);
}

void RecoveryDialog::lookAtChosen() {
    const std::optional<ui::Recovery> recovery = chosenRecovery();
    if (!recovery)
        return;
    auto* look = new QDialog(this);
    look->setAttribute(Qt::WA_DeleteOnClose);
    look->setObjectName(QStringLiteral("recovery.texts"));
    look->setWindowTitle(tr("Unsaved work, %1").arg(shownTime(recovery->time)));
    auto* tabs = new QTabWidget(look);
    tabs->setDocumentMode(true);
    for (const ui::JournalText& text : recovery->texts) {
        auto* view = new QPlainTextEdit(look);
        view->setObjectName(QStringLiteral("recovery.text"));
        view->setAccessibleName(ui::shownLine(text.file));
        view->setReadOnly(true);
        view->setLineWrapMode(QPlainTextEdit::NoWrap);
        view->setFont(m_theme.font(ui::FontRole::Mono));
        view->setPlainText(ui::shownText(text.text));
        // The first line that differs from what is on the disk is in sight.
        if (const std::string* saved = m_document.savedText(text.file)) {
            const auto end =
                std::mismatch(text.text.begin(), text.text.end(), saved->begin(), saved->end()).first;
            const auto line = static_cast<int>(std::count(text.text.begin(), end, '\n'));
            view->setTextCursor(QTextCursor(view->document()->findBlockByNumber(line)));
        }
        tabs->addTab(view, ui::shownLine(text.file).replace(QLatin1Char('&'), QLatin1String("&&")));
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, look);
    connect(buttons, &QDialogButtonBox::rejected, look, &QDialog::reject);
    auto* layout = new QVBoxLayout(look);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(tabs);
    layout->addWidget(buttons);
    look->resize(size());
    look->open();
}

void RecoveryDialog::recoverChosen() {
    if (const Result<void> recovered = m_document.recover(chosen()); !recovered) {
        emit failed(QString::fromStdString(recovered.error().message));
        return;
    }
    accept();
}

void RecoveryDialog::discardChosen() {
    QMessageBox box(QMessageBox::Warning, tr("Discard unsaved work"),
                    tr("Discard the changes of %1 for good?").arg(m_list->currentItem()->text(When)),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("recovery.sure"));
    const QPushButton* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == discard)
        m_document.discardRecovery(chosen());
}

} // namespace sbx::editor

#include "moc_recovery_dialog.cpp"
