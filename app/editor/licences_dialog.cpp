#include "app/editor/licences_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace sbx::editor {

namespace {

constexpr qint64 LongestText = 1 << 20; // bytes

void addFolder(std::vector<Licence>& out, const QDir& folder, const QStringList& but) {
    for (const QString& name : folder.entryList(QDir::Files, QDir::Name))
        if (!but.contains(name))
            out.push_back({QString(name).remove(QStringLiteral(".txt")), folder.filePath(name)});
}

} // namespace

std::vector<Licence> shippedLicences(const std::vector<std::filesystem::path>& resources) {
    for (const std::filesystem::path& base : resources) {
        const QDir folder(QString::fromStdString(base.string()));
        // share/signalbox has its documents in share/doc/signalbox, resources has them in itself and above.
        const QDir installed(folder.filePath(QStringLiteral("../doc/signalbox")));
        const bool isInstalled = installed.exists(QStringLiteral("licenses"));
        const QDir licences(isInstalled ? installed.filePath(QStringLiteral("licenses")) : folder.filePath(QStringLiteral("licenses")));
        const QString own = (isInstalled ? installed : QDir(folder.filePath(QStringLiteral("..")))).filePath(QStringLiteral("LICENSE"));
        if (!licences.exists() || !QFile::exists(own))
            continue;
        std::vector<Licence> out{
            {LicencesDialog::tr("Signalbox: engine (MIT)"), own},
            {LicencesDialog::tr("Signalbox: programs (GPL 3)"), licences.filePath(QStringLiteral("LICENSE.GPL-3.0.txt"))},
            {LicencesDialog::tr("What it is built with"), licences.filePath(QStringLiteral("THIRD-PARTY.md"))}};
        const QDir bundled(licences.filePath(QStringLiteral("third-party")));
        if (bundled.exists(QStringLiteral("SOURCES")))
            out.push_back({LicencesDialog::tr("Source code of what is included"), bundled.filePath(QStringLiteral("SOURCES"))});
        addFolder(out, bundled, {QStringLiteral("SOURCES")});
        return out;
    }
    return {};
}

LicencesDialog::LicencesDialog(std::vector<Licence> licences, QWidget* parent)
    : QDialog(parent), m_licences(std::move(licences)), m_list(new QListWidget), m_text(new QPlainTextEdit) {
    setObjectName(QStringLiteral("licences"));
    setWindowTitle(tr("Licences"));
    m_list->setObjectName(QStringLiteral("licences.list"));
    m_list->setAccessibleName(tr("Licences"));
    m_text->setObjectName(QStringLiteral("licences.text"));
    m_text->setAccessibleName(tr("Text of the licence"));
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    for (const Licence& licence : m_licences)
        m_list->addItem(licence.title);
    auto* about = new QLabel(tr("Qt and the other libraries are used unchanged under the licences below, and can be replaced by builds of your own. Their "
                                "source code is offered where they came from: the distribution, or the sources named in the list."));
    about->setTextFormat(Qt::PlainText);
    about->setWordWrap(true);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    split->addWidget(m_list);
    split->addWidget(m_text);
    split->setStretchFactor(1, 1);
    split->setSizes({fontMetrics().averageCharWidth() * 32, fontMetrics().averageCharWidth() * 84});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(split, 1);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 34);
    connect(m_list, &QListWidget::currentRowChanged, this, &LicencesDialog::show);
    m_list->setCurrentRow(0);
    m_list->setFocus();
}

void LicencesDialog::show(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= m_licences.size())
        return;
    QFile file(m_licences[static_cast<std::size_t>(row)].file);
    m_text->setPlainText(file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(LongestText))
                                                         : tr("%1: %2").arg(file.fileName(), file.errorString()));
}

} // namespace sbx::editor
