#pragma once
// A form that sends a message by hand: type, receiver, way and time, and the message's fields with the editors of the inspector. It makes a line of
// the console's `send` and passes it on; the answer stands in the form, which stays open. What was sent while the program runs is listed and can be
// loaded again. GUI thread; parent owns it, the theme outlives it.

#include <QDialog>

#include "widgets/common/field_editor.h"
#include "widgets/trace/composed_message.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QScrollArea;
class QStringListModel;

namespace sbx::ui {

class FieldForm;
class Theme;
enum class Token;

class MessageComposer : public QDialog {
    Q_OBJECT

public:
    struct Answer {
        bool ok = false;
        QString text;             // without "error: "
        bool nobodyActed = false; // it was sent, asked for something, and came to no handler
    };
    // Runs a console line; `done` is called on this thread, once, now or later.
    using Send = std::function<void(const std::string& line, std::function<void(const Answer&)> done)>;
    using ComponentsOf = std::function<QStringList(const QString& entity)>;

    MessageComposer(const Theme& theme, FieldSources sources, Send send, ComponentsOf componentsOf, QWidget* parent = nullptr);

    // Shows the window. The receiver becomes that entity, unless it is empty.
    void compose(const QString& receiver);
    // The same with all that the message says.
    void compose(const ComposedMessage& message);
    // What becomes of a message that is sent now, one sentence or two; empty: it is handled as usual.
    void setWorldHint(const QString& hint);
    // As the form has it now.
    [[nodiscard]] ComposedMessage message() const;
    void send();

    [[nodiscard]] FieldForm& settings() { return *m_settings; }
    // Of the message; null while its type is not known.
    [[nodiscard]] FieldForm* fields() { return m_fields; }

    // Where paths of files are relative to.
    void setAssetFolder(const QString& folder) { m_sources.assetFolder = folder; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Sent {
        ComposedMessage message;
        std::string line;
    };
    void buildHistory(QWidget& side);
    void sendTyped();
    void fillTypes();
    void showType(const QString& name);
    void showLine();
    void showAnswer(const Answer& answer, std::size_t number);
    void showResult(const QString& icon, const QString& text, Token token);
    // Once nothing is marked any more, it does not say that something is.
    void settleRefusal();
    // False: something stands beside a field.
    [[nodiscard]] bool check();
    void load(const ComposedMessage& message);
    [[nodiscard]] std::string entityName(EntityId entity) const;

    const Theme& m_theme;
    FieldSources m_sources;
    Send m_send;
    ComponentsOf m_componentsOf;
    QComboBox* m_type;
    QLabel* m_typeDoc;
    FieldForm* m_settings;
    QLabel* m_fieldsTitle;
    QScrollArea* m_scroll;
    FieldForm* m_fields = nullptr;
    QStringListModel* m_components;
    QLabel* m_hint;
    QLabel* m_resultIcon;
    QLabel* m_result;
    QLineEdit* m_line;
    QPushButton* m_sendButton;
    QListWidget* m_history;
    QLabel* m_historyHint;
    std::string m_shownType;
    std::map<std::string, std::map<std::string, Value>> m_left; // by type: fields as they were when another type was chosen
    std::map<std::size_t, Sent> m_sent; // by number, those that the list shows
    std::size_t m_lastSent = 0;
    bool m_refused = false; // the result says that something is marked
};

} // namespace sbx::ui
