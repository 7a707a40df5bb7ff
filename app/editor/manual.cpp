#include "app/editor/manual.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTextTable>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <memory>
#include <utility>

namespace sbx::editor {

namespace {
// Beside the installed program, or in the source tree it was built from.
QString manualFolder() {
    const QDir program(QApplication::applicationDirPath());
    for (const QString& candidate : {program.filePath(QStringLiteral("../share/signalbox/manual")),
                                     program.filePath(QStringLiteral("../../../resources/manual"))})
        if (QFileInfo::exists(candidate + QStringLiteral("/index.md")))
            return candidate;
    return {};
}

// Markdown comes in without dress: lines under the rows instead of boxes, room around headings and examples.
void dress(QTextDocument& page, const ui::Theme& theme) {
    page.setDocumentMargin(ui::measure::PanelPadding * 2);
    const QList<QTextFrame*> frames = page.rootFrame()->childFrames();
    for (QTextFrame* frame : frames)
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorder(0);
            format.setCellSpacing(0);
            format.setCellPadding(4);
            format.setTopMargin(4);
            format.setBottomMargin(10);
            table->setFormat(format);
            for (int row = 0; row < table->rows(); ++row)
                for (int column = 0; column < table->columns(); ++column) {
                    QTextTableCell cell = table->cellAt(row, column);
                    QTextTableCellFormat line = cell.format().toTableCellFormat();
                    line.setBottomBorder(1);
                    line.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                    line.setBottomBorderBrush(theme.color(ui::Token::Line));
                    cell.setFormat(line);
                }
        }
    QTextCursor cursor(&page);
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (format.headingLevel() > 1)
            format.setTopMargin(18);
        else if (format.hasProperty(QTextFormat::BlockCodeLanguage)
                 || format.hasProperty(QTextFormat::BlockCodeFence))
            format.setBackground(theme.color(ui::Token::Raised));
        else
            continue;
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

// "messages.md#contactbegan": Markdown headings carry no anchors here, so the heading is looked for by its words.
void scrollToHeading(QTextBrowser& browser, const QString& anchor) {
    static const QRegularExpression Punctuation(QStringLiteral("[^\\w\\- ]"));
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0)
            continue;
        if (block.text().toLower().remove(Punctuation).replace(QLatin1Char(' '), QLatin1Char('-')) != anchor)
            continue;
        browser.moveCursor(QTextCursor::End); // from below, the heading comes to the top
        browser.setTextCursor(QTextCursor(block));
        browser.ensureCursorVisible();
        return;
    }
}
} // namespace

void showManual(const ui::Theme& theme, QWidget* parent, const QString& projectPage, const QString& page) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("manual"));
    dialog->setWindowTitle(QObject::tr("Manual"));
    dialog->resize(760, 720);
    auto* text = new QTextBrowser(dialog);
    text->setObjectName(QStringLiteral("manual.text"));
    text->setAccessibleName(QObject::tr("Manual"));
    text->setFont(theme.font(ui::FontRole::Ui));
    text->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(ui::measure::PanelPadding, ui::measure::PanelPadding, 0, 0);
    if (!projectPage.isEmpty()) {
        // A page like the others, so that Back leads from it and to it; it lives as long as the window.
        const auto pages = std::make_shared<QTemporaryDir>();
        const QString path = pages->filePath(QStringLiteral("project_components.md"));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(projectPage.toUtf8());
        file.close();
        auto* link = new QLabel(QStringLiteral("<a href=\"page\">%1</a>").arg(QObject::tr("Components of this project")), dialog);
        link->setTextFormat(Qt::RichText);
        link->setObjectName(QStringLiteral("manual.project"));
        link->setFont(theme.font(ui::FontRole::Ui));
        link->setContentsMargins(ui::measure::PanelPadding, 0, 0, 0);
        QObject::connect(link, &QLabel::linkActivated, text, [text, path, pages] {
            text->setSource(QUrl::fromLocalFile(path), QTextDocument::MarkdownResource);
        });
        layout->addWidget(link);
    }
    layout->addWidget(text);
    const QString folder = manualFolder();
    if (folder.isEmpty()) {
        text->setPlainText(
            QObject::tr("The manual is not installed; expected share/signalbox/manual/index.md."));
    } else {
        text->setSearchPaths({folder});
        QObject::connect(text, &QTextBrowser::sourceChanged, text,
                         [text, &theme, seen = QString()](const QUrl& url) mutable {
                             if (std::exchange(seen, url.path()) != url.path())
                                 dress(*text->document(), theme);
                             if (url.hasFragment())
                                 scrollToHeading(*text, url.fragment());
                         });
        text->setSource(QUrl::fromLocalFile(folder + QLatin1Char('/') + page),
                        QTextDocument::MarkdownResource);
    }
    dialog->show();
}

} // namespace sbx::editor
