// The editor of texts, names and paths.

#include <QAbstractItemView>
#include <QCompleter>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QStringListModel>
#include <QToolButton>
#include <QUrl>

#include "engine/simulation/asset_uses.h"
#include "widgets/common/asset_drag.h"
#include "widgets/common/field_editor_kinds.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

namespace {

// A line of text; with names to choose from it completes, with a folder of assets it browses.
class TextEditor : public FieldEditor {
public:
    TextEditor(const FieldInfo& field, const Theme& theme, const FieldSources& sources, QWidget* parent)
        : FieldEditor(field, theme, parent), m_sources(sources), m_edit(new QLineEdit(this)) {
        m_edit->setObjectName(QStringLiteral("input"));
        m_edit->installEventFilter(this);
        addField(m_edit);
        connect(m_edit, &QLineEdit::editingFinished, this, &TextEditor::commit);
        auto* box = new QWidget(this);
        auto* row = new QHBoxLayout(box);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(2);
        row->addWidget(m_edit, 1);
        if (field.role == TextRole::AssetPath && field.type == FieldType::String)
            addBrowse(*row);
        else if (m_names = namesFor(field); m_names)
            addCompletion();
        if ((field.type == FieldType::Entity || field.role == TextRole::EntityName) && m_sources.pickEntity)
            addPick(*row);
        if (field.type == FieldType::Entity)
            m_edit->setPlaceholderText(tr("none"));
        setAcceptDrops(true);
        m_edit->setAcceptDrops(false);
        setContent(box);
    }

protected:
    void showValue(const Value& value) override {
        if (m_edit->hasFocus() && m_edit->isModified())
            return;
        m_edit->setText(textOf(value));
        m_edit->setCursorPosition(0);
    }
    void showReadOnly(bool readOnly) override {
        m_edit->setReadOnly(readOnly);
        for (QToolButton* button : {m_browse, m_pick})
            if (button != nullptr)
                button->setEnabled(!readOnly);
    }
    void showMixed(std::uint8_t differ) override {
        if (differ != 0)
            m_edit->clear();
        m_edit->setPlaceholderText(differ != 0                         ? tr("mixed")
                                   : field().type == FieldType::Entity ? tr("none")
                                                                       : QString());
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
            if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && m_edit->isModified()) {
                if (event->type() == QEvent::ShortcutOverride) {
                    event->accept();
                } else {
                    m_edit->setText(textOf(value()));
                    fault({});
                }
                return true;
            }
        }
        if (event->type() == QEvent::FocusIn && m_model != nullptr)
            m_model->setStringList(m_names());
        return FieldEditor::eventFilter(watched, event);
    }

    void dragEnterEvent(QDragEnterEvent* event) override {
        // A file of the project is taken even where it does not fit: dropping it says why it does not.
        const bool file = field().role == TextRole::AssetPath && (event->mimeData()->hasUrls() || !assetOf(event->mimeData()).isEmpty());
        if (!isReadOnly() && (file || event->mimeData()->hasText()))
            event->acceptProposedAction();
    }
    void dropEvent(QDropEvent* event) override {
        if (const QString asset = assetOf(event->mimeData()); !asset.isEmpty()) {
            event->setDropAction(Qt::CopyAction);
            event->accept();
            takeAsset(asset);
            return;
        }
        const QList<QUrl> urls = event->mimeData()->urls();
        m_edit->setText(!urls.isEmpty() && urls.first().isLocalFile() ? relative(urls.first().toLocalFile())
                                                                      : event->mimeData()->text());
        m_edit->setModified(true);
        commit();
        event->acceptProposedAction();
    }

private:
    [[nodiscard]] std::function<QStringList()> namesFor(const FieldInfo& field) const {
        if (field.type == FieldType::Entity)
            return m_sources.entityNames;
        switch (field.role) {
        case TextRole::EntityName:
            return m_sources.entityNames;
        case TextRole::EntityType:
            return m_sources.entityTypes;
        case TextRole::MessageType:
            return m_sources.messageTypes;
        default:
            return {};
        }
    }

    // Which kind a field takes stands in its name: the engine's are `mesh` and `file`. A plugin's other names take either.
    [[nodiscard]] std::optional<AssetKind> wantedKind() const {
        return field().name == "mesh"   ? std::optional(AssetKind::Mesh)
               : field().name == "file" ? std::optional(AssetKind::Sound)
                                        : std::nullopt;
    }

    void takeAsset(const QString& asset) {
        const std::optional<AssetKind> kind = assetKind(asset.toStdString());
        const std::optional<AssetKind> wanted = wantedKind();
        if (!kind || (wanted && *kind != *wanted)) {
            fault(wanted.value_or(AssetKind::Mesh) == AssetKind::Mesh ? tr("%1 is no mesh; expected a .gltf, .glb or .obj file").arg(asset)
                                             : tr("%1 is no sound; expected a .wav, .flac or .ogg file").arg(asset));
            return;
        }
        m_edit->setText(asset);
        m_edit->setModified(true);
        commit();
    }

    void addCompletion() {
        m_model = new QStringListModel(this);
        auto* completer = new QCompleter(m_model, this);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        completer->popup()->setObjectName(QStringLiteral("completion"));
        m_edit->setCompleter(completer);
        connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
                [this](const QString& name) {
                    m_edit->setText(name);
                    m_edit->setModified(true);
                    commit();
                });
    }

    void addBrowse(QHBoxLayout& row) {
        m_browse = new QToolButton(this);
        m_browse->setObjectName(QStringLiteral("browse"));
        m_browse->setAccessibleName(tr("Browse for %1").arg(accessibleName()));
        m_browse->setToolTip(tr("Choose a file of the project"));
        m_browse->setIcon(theme().icon(QStringLiteral("folder"), Token::Muted));
        m_browse->setFixedSize(measure::ControlHeight, measure::ControlHeight);
        row.addWidget(m_browse);
        connect(m_browse, &QToolButton::clicked, this, [this] {
            const QString start = QDir(m_sources.assetFolder).absoluteFilePath(m_edit->text());
            // The dialog runs a loop of its own, in which this editor may go.
            const QPointer<QWidget> alive(this);
            const QString chosen = fileToOpen(window(), tr("Choose a file"), start, assetKinds(wantedKind()));
            if (!alive || chosen.isEmpty())
                return;
            m_edit->setText(relative(chosen));
            m_edit->setModified(true);
            commit();
        });
    }

    void addPick(QHBoxLayout& row) {
        m_pick = new QToolButton(this);
        m_pick->setObjectName(QStringLiteral("pick"));
        m_pick->setAccessibleName(tr("Point at %1").arg(accessibleName()));
        m_pick->setToolTip(tr("Point at the entity in the viewport or the outliner; Esc leaves it as it is"));
        m_pick->setIcon(theme().icon(QStringLiteral("eyedropper"), Token::Muted));
        m_pick->setFixedSize(measure::ControlHeight, measure::ControlHeight);
        row.addWidget(m_pick);
        connect(m_pick, &QToolButton::clicked, this, [this] {
            m_sources.pickEntity([this, alive = QPointer<QWidget>(this)](const QString& name) {
                if (!alive || name.isEmpty() || isReadOnly())
                    return;
                m_edit->setText(name);
                m_edit->setModified(true);
                commit();
            });
        });
    }

    [[nodiscard]] QString relative(const QString& path) const {
        return m_sources.assetFolder.isEmpty() ? path : QDir(m_sources.assetFolder).relativeFilePath(path);
    }

    [[nodiscard]] QString textOf(const Value& value) const {
        if (field().type != FieldType::Entity)
            return QString::fromStdString(valueOr(value, std::string()));
        const EntityId id = valueOr(value, EntityId{});
        if (id == EntityId{})
            return {};
        const QString name = m_sources.entityName ? m_sources.entityName(id) : QString();
        return name.isEmpty() ? QString::number(id.bits) : name;
    }

    void commit() {
        if (!m_edit->isModified())
            return;
        const QString text = m_edit->text();
        if (field().type != FieldType::Entity) {
            if (std::get_if<std::string>(&value()) == nullptr
                || text.toStdString() != std::get<std::string>(value()) || isMixed())
                submitText(text, true);
            else
                fault({});
        } else {
            EntityId id =
                text.isEmpty() || !m_sources.entityByName ? EntityId{} : m_sources.entityByName(text);
            if (id == EntityId{} && !text.isEmpty()) {
                const Result<Value> handle = field().parse(text.toStdString());
                if (!handle) {
                    fault(tr("there is no entity “%1”").arg(text));
                    return;
                }
                id = std::get<EntityId>(*handle);
            }
            submit(Value(id), true);
        }
        if (problem().isEmpty())
            m_edit->setModified(false);
    }

    FieldSources m_sources;
    QLineEdit* m_edit;
    QToolButton* m_browse = nullptr;
    QToolButton* m_pick = nullptr;
    QStringListModel* m_model = nullptr;
    std::function<QStringList()> m_names;
};

} // namespace

FieldEditor* createTextEditor(const FieldInfo& field, const Theme& theme, const FieldSources& sources,
                              QWidget* parent) {
    return new TextEditor(field, theme, sources, parent);
}

} // namespace sbx::ui
