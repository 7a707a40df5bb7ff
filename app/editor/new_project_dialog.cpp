#include "app/editor/new_project_dialog.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/file_dialog.h"
#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {

constexpr int DialogWidth = 560; // pixels
constexpr int ListHeight = 6 * ui::measure::RowHeight;

QLabel* plainLabel(QWidget* parent, const QString& name, const QString& text = {}) {
    auto* label = new QLabel(text, parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

NewProjectDialog::NewProjectDialog(std::vector<ProjectTemplate> templates, const QString& chosen,
                                   const QString& parentFolder, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_templates(std::move(templates)),
      m_list(new QListWidget(this)),
      m_doc(plainLabel(this, QStringLiteral("newProject.doc"))),
      m_name(new QLineEdit(this)),
      m_parent(new QLineEdit(QDir::toNativeSeparators(parentFolder), this)),
      m_path(plainLabel(this, QStringLiteral("newProject.path"))),
      m_create(new QPushButton(tr("&Create"), this)) {
    setObjectName(QStringLiteral("newProject"));
    setWindowTitle(tr("New project"));
    m_list->setObjectName(QStringLiteral("newProject.templates"));
    m_list->setAccessibleName(tr("Templates"));
    m_list->setFixedHeight(ListHeight + 2);
    for (const ProjectTemplate& each : m_templates) {
        auto* item = new QListWidgetItem(
            theme.icon(each.icon), each.isSample ? tr("%1 (sample)").arg(each.name) : each.name, m_list);
        item->setSizeHint({0, ui::measure::RowHeight});
        if (each.id == chosen)
            m_list->setCurrentItem(item);
    }
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(0);
    ui::setTextToken(*m_doc, theme, ui::Token::Muted);
    ui::setTextToken(*m_path, theme, ui::Token::Muted);
    m_name->setObjectName(QStringLiteral("newProject.name"));
    m_name->setAccessibleName(tr("Name"));
    m_parent->setObjectName(QStringLiteral("newProject.parent"));
    m_parent->setAccessibleName(tr("Folder"));
    auto* browse = new QPushButton(tr("&Browse…"), this);
    browse->setObjectName(QStringLiteral("newProject.browse"));
    browse->setAutoDefault(false);
    m_create->setObjectName(QStringLiteral("newProject.create"));
    m_create->setDefault(true);
    ui::setPrimary(*m_create);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);

    auto* form = new QGridLayout;
    form->setHorizontalSpacing(ui::measure::PanelPadding);
    form->setVerticalSpacing(ui::measure::RelatedGap);
    auto* nameLabel = new QLabel(tr("&Name"), this);
    nameLabel->setBuddy(m_name);
    auto* parentLabel = new QLabel(tr("&Folder"), this);
    parentLabel->setBuddy(m_parent);
    form->addWidget(nameLabel, 0, 0);
    form->addWidget(m_name, 0, 1, 1, 2);
    form->addWidget(parentLabel, 1, 0);
    form->addWidget(m_parent, 1, 1);
    form->addWidget(browse, 1, 2);
    form->addWidget(m_path, 2, 1, 1, 2);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_create);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(m_list);
    layout->addWidget(m_doc);
    layout->addSpacing(ui::measure::PanelPadding);
    layout->addLayout(form);
    layout->addSpacing(ui::measure::PanelPadding);
    layout->addLayout(buttons);
    layout->setSizeConstraint(QLayout::SetMinimumSize);
    resize(DialogWidth, sizeHint().height());

    setTabOrder(browse, cancel);
    setTabOrder(cancel, m_create);
    connect(m_list, &QListWidget::currentRowChanged, this, &NewProjectDialog::follow);
    connect(m_list, &QListWidget::itemActivated, this, &NewProjectDialog::create);
    connect(m_name, &QLineEdit::textEdited, this, [this] {
        m_named = true;
        follow();
    });
    connect(m_parent, &QLineEdit::textChanged, this, &NewProjectDialog::follow);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosenFolder = ui::folderToOpen(this, tr("Folder for the project"), m_parent->text());
        if (!chosenFolder.isEmpty())
            m_parent->setText(QDir::toNativeSeparators(chosenFolder));
    });
    connect(m_create, &QPushButton::clicked, this, &NewProjectDialog::create);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    follow();
    m_name->setFocus();
    m_name->selectAll();
}

const ProjectTemplate* NewProjectDialog::chosen() const {
    const int row = m_list->currentRow();
    return row < 0 ? nullptr : &m_templates[static_cast<std::size_t>(row)];
}

QString NewProjectDialog::folder() const {
    return QDir::cleanPath(
        QDir(QDir::fromNativeSeparators(m_parent->text())).absoluteFilePath(m_name->text().trimmed()));
}

void NewProjectDialog::follow() {
    const ProjectTemplate* from = chosen();
    m_doc->setText(from == nullptr ? QString() : from->doc);
    if (!m_named && from != nullptr) {
        const QString offered = from->isSample ? from->name : tr("My project");
        m_name->setText(QFileInfo(freeProjectFolder(m_parent->text(), offered)).fileName());
    }
    QString fault = projectNameFault(m_name->text());
    if (fault.isEmpty() && !QDir::isAbsolutePath(m_parent->text()))
        fault = tr("The folder's path must begin with /.");
    if (fault.isEmpty())
        fault = projectFolderFault(folder());
    m_path->setText(fault.isEmpty() ? folder() : fault);
    ui::setInvalid(*m_name, !projectNameFault(m_name->text()).isEmpty());
    m_create->setEnabled(from != nullptr && fault.isEmpty());
}

void NewProjectDialog::create() {
    follow();
    const ProjectTemplate* from = chosen();
    if (from == nullptr || !m_create->isEnabled())
        return;
    if (const Result<void> made = createProject(*from, folder(), m_name->text().trimmed()); !made) {
        m_path->setText(QString::fromStdString(made.error().toString()));
        return;
    }
    emit created(folder());
    accept();
}

} // namespace sbx::editor

#include "moc_new_project_dialog.cpp"
