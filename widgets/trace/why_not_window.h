#pragma once
// Why did this component not act? What its handlers saw of the newest messages of their types, in sentences with links; renewed while the
// world runs. GUI thread; theme and model must outlive it.

#include <QDialog>

#include "widgets/trace/handler_question.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QTextBrowser;
class QTimer;

namespace sbx::ui {

class Theme;
class TraceModel;

// The component, and what records do not say of it.
struct WhyNotSubject {
    AskedComponent asked;
    std::string part; // "Mesh#2"
    std::string type; // of the entity
    // Messages that it handles only in the server's world, or only in a client's, which the recorded world is not.
    std::vector<MessageTypeId> otherSide;
    bool client = false; // the world whose messages are recorded is that of a client
    QString
        shownWorld; // "client 1": the picture shows that world, and the messages are those of the server's; empty: they are the same
    // Whether the entity is there. Empty: not known.
    std::function<bool()> lives;
    // Where the code of a component is: "Signalbox", "the plugin parts/my_parts". Empty: not known.
    std::function<QString(const std::string& component)> codeOf;
    // The components that say that they send messages of the type.
    std::function<std::vector<std::string>(MessageTypeId type)> sendersOf;
    // What puts `component` before `other` in the definition; none: it cannot be done now.
    std::function<std::function<void()>(const std::string& component, const std::string& other)> mover;
};

class WhyNotWindow : public QDialog {
    Q_OBJECT

public:
    WhyNotWindow(const Theme& theme, TraceModel& model, QWidget* parent = nullptr);
    ~WhyNotWindow() override;

    void ask(WhyNotSubject subject);
    // Of the last question; null: none was put.
    [[nodiscard]] const HandlerQuestion* question() const { return m_question.get(); }

signals:
    void recordPicked(quint64 sequence);
    void entityPicked(const QString& entity);
    // A component of the asked entity's type.
    void definitionPicked(const QString& type, const QString& component);
    // A line of source code, counted from 1.
    void codePicked(const QString& file, int line);
    // Messages of this type are to be recorded from now on.
    void recordWanted(const QString& type);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void look();
    void write();
    void follow(const QUrl& link);
    using QDialog::show;

    const Theme& m_theme;
    TraceModel& m_model;
    QTextBrowser* m_text;
    QTimer* m_timer;
    QTimer* m_rest; // goes on where a slice ended
    WhyNotSubject m_subject;
    std::unique_ptr<HandlerQuestion> m_question;
    QString m_html;
    bool m_iconsDue = true;
};

} // namespace sbx::ui
