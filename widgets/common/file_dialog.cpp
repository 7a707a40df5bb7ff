#include "widgets/common/file_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QUrl>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {

QString nearestFolder(const QString& path) {
    QFileInfo info(path);
    while (!path.isEmpty() && !info.isDir() && info.absolutePath() != info.absoluteFilePath())
        info = QFileInfo(info.absolutePath());
    return path.isEmpty() ? QDir::homePath() : info.absoluteFilePath();
}

// Of "Meshes (*.obj *.gltf)": *.obj, *.gltf.
QStringList patternsOf(const QString& kind) {
    static const QRegularExpression InBrackets(QStringLiteral("\\(([^()]*)\\)\\s*$"));
    const QRegularExpressionMatch match = InBrackets.match(kind);
    return (match.hasMatch() ? match.captured(1) : kind).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

// The parent may go while the dialog runs, and takes it along.
class Question {
public:
    Question(QWidget* parent, const QString& title, const QString& start, const QString& kinds)
        : m_dialog(new FileDialog(parent, title, start, kinds)) {}
    ~Question() { delete m_dialog; }
    Q_DISABLE_COPY_MOVE(Question)
    FileDialog* operator->() const { return m_dialog; }
    [[nodiscard]] QStringList answer() const {
        return m_dialog->exec() == QDialog::Accepted && m_dialog ? m_dialog->selectedFiles() : QStringList();
    }

private:
    QPointer<FileDialog> m_dialog;
};

} // namespace

FileDialog::FileDialog(QWidget* parent, const QString& title, const QString& start, const QString& kinds)
    : QFileDialog(parent, title, nearestFolder(start), kinds), m_fault(new QLabel(this)), m_name(nullptr) {
    setObjectName(QStringLiteral("fileDialog"));
    setOption(QFileDialog::DontUseNativeDialog);
    m_name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    setHistory({});
    QList<QUrl> places{QUrl::fromLocalFile(QDir::homePath())};
    if (const QUrl here = QUrl::fromLocalFile(directory().absolutePath()); !places.contains(here))
        places.prepend(here);
    setSidebarUrls(places);
    m_fault->setObjectName(QStringLiteral("fileDialog.fault"));
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->hide();
    if (auto* grid = qobject_cast<QGridLayout*>(layout()))
        grid->addWidget(m_fault, grid->rowCount(), 0, 1, grid->columnCount());
    const auto forget = [this] { showFault({}); };
    connect(this, &QFileDialog::currentChanged, this, forget);
    connect(this, &QFileDialog::directoryEntered, this, forget);
    connect(m_name, &QLineEdit::textEdited, this, forget);
    // Of a name that it does not list, Qt's dialog only disables its button.
    connect(m_name, &QLineEdit::returnPressed, this, [this] {
        const QPushButton* open = findChild<QDialogButtonBox*>()->button(
            acceptMode() == AcceptSave ? QDialogButtonBox::Save : QDialogButtonBox::Open);
        if (open != nullptr && !open->isEnabled() && !m_name->text().isEmpty())
            showFault(faultOf(directory().absoluteFilePath(m_name->text())));
    });
    if (QFileInfo(start).isFile())
        selectFile(QFileInfo(start).fileName());
}

QString FileDialog::faultOf(const QString& file) const {
    const QFileInfo info(file);
    const QString name = shownLine(info.fileName());
    if (acceptMode() == AcceptSave) {
        const QFileInfo target = info.exists() ? info : QFileInfo(info.absolutePath());
        return target.isWritable()
                   ? QString()
                   : tr("%1 cannot be written; choose a folder that you may write to.").arg(name);
    }
    if (!info.exists())
        return tr("%1 does not exist; choose a file that does.").arg(name);
    if (info.isDir())
        return {};
    const QStringList kinds = nameFilters();
    const bool isWanted =
        kinds.isEmpty() || std::any_of(kinds.begin(), kinds.end(), [&](const QString& kind) {
            return QDir::match(patternsOf(kind), info.fileName());
        });
    if (!isWanted)
        return tr("%1 is of another kind; expected %2.").arg(name, kinds.join(QStringLiteral(", ")));
    QFile bytes(file);
    if (!bytes.open(QIODevice::ReadOnly))
        return tr("%1 cannot be read: %2.").arg(name, bytes.errorString());
    return {};
}

void FileDialog::accept() {
    for (const QString& file : selectedFiles())
        if (const QString fault = faultOf(file); !fault.isEmpty()) {
            showFault(fault);
            return;
        }
    QFileDialog::accept();
}

void FileDialog::showFault(const QString& fault) {
    m_fault->setText(fault);
    m_fault->setVisible(!fault.isEmpty());
    setInvalid(*m_name, !fault.isEmpty());
}

QString fileToOpen(QWidget* parent, const QString& title, const QString& start, const QString& kinds) {
    const Question dialog(parent, title, start, kinds);
    dialog->setFileMode(QFileDialog::ExistingFile);
    return dialog.answer().value(0);
}

QStringList filesToOpen(QWidget* parent, const QString& title, const QString& start, const QString& kinds) {
    const Question dialog(parent, title, start, kinds);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    return dialog.answer();
}

QString fileToSave(QWidget* parent, const QString& title, const QString& suggested, const QString& kinds) {
    const Question dialog(parent, title, QFileInfo(suggested).absolutePath(), kinds);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->selectFile(QFileInfo(suggested).fileName());
    dialog->setDefaultSuffix(QFileInfo(suggested).suffix());
    return dialog.answer().value(0);
}

QString folderToOpen(QWidget* parent, const QString& title, const QString& start) {
    const Question dialog(parent, title, start, QString());
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    return dialog.answer().value(0);
}

QString assetKinds(std::optional<AssetKind> wanted) {
    if (!wanted)
        return FileDialog::tr("Meshes and sounds (*.gltf *.glb *.obj *.wav *.flac *.ogg)");
    return *wanted == AssetKind::Mesh ? FileDialog::tr("Meshes (*.gltf *.glb *.obj)")
                                      : FileDialog::tr("Sounds (*.wav *.flac *.ogg)");
}

} // namespace sbx::ui

#include "moc_file_dialog.cpp"
