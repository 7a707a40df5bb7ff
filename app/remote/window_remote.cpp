#include "app/remote/window_remote.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>
#include <QTimer>

#include "app/remote/remote_words.h"
#include "app/remote/widget_input.h"
#include "app/remote/widget_search.h"
#include "app/remote/widget_tree.h"
#include "engine/session/session.h"
#include "widgets/common/document_files.h"

#include <map>

namespace sbx::remote {

namespace {

constexpr int LookAgainMs = 20; // while something loads

QString fromText(const std::string& text) { return QString::fromStdString(text); }

template <typename Json> std::string toText(const Json& json) {
    return QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
}

Error usage(const std::string& what) { return makeError("expected " + what); }

Result<QPoint> point(const std::string& x, const std::string& y) {
    const Result<long long> left = wholeNumber(x, "x", 0, 100'000);
    const Result<long long> top = wholeNumber(y, "y", 0, 100'000);
    if (!left || !top)
        return left ? top.error() : left.error();
    return QPoint(static_cast<int>(*left), static_cast<int>(*top));
}

// `button`, modifiers and `double` in any order, then `x y` or `row TEXT`.
Result<Click> clickOf(const std::vector<std::string>& words) {
    static const std::map<std::string, Qt::MouseButton> Buttons = {
        {"left", Qt::LeftButton}, {"right", Qt::RightButton}, {"middle", Qt::MiddleButton}};
    static const std::map<std::string, Qt::KeyboardModifier> Modifiers = {
        {"ctrl", Qt::ControlModifier}, {"shift", Qt::ShiftModifier}, {"alt", Qt::AltModifier}};
    Click click;
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (const auto button = Buttons.find(words[i]); button != Buttons.end()) {
            click.button = button->second;
        } else if (const auto modifier = Modifiers.find(words[i]); modifier != Modifiers.end()) {
            click.modifiers |= modifier->second;
        } else if (words[i] == "double") {
            click.isDouble = true;
        } else if (words[i] == "row" && i + 2 == words.size()) {
            click.row = fromText(words[++i]);
        } else if (words[i] == "part" && i + 2 == words.size()) {
            click.part = fromText(words[++i]);
        } else if (i + 2 == words.size()) {
            const Result<QPoint> at = point(words[i], words[i + 1]);
            if (!at)
                return at.error();
            click.at = *at;
            ++i;
        } else {
            return makeError("\"" + words[i]
                             + "\" is not understood; expected click NAME [left|right|middle] [ctrl] [shift] "
                               "[alt] [double] [X Y | row TEXT | part TEXT]");
        }
    }
    return click;
}

} // namespace

WindowRemote::WindowRemote(Session& session, WindowParts parts)
    : m_session(session), m_parts(std::move(parts)) {}

void WindowRemote::take(const std::shared_ptr<Request>& request) {
    QMetaObject::invokeMethod(
        this, [this, request] { run(request); }, Qt::QueuedConnection);
}

void WindowRemote::run(const std::shared_ptr<Request>& request) {
    const Result<std::vector<std::string>> words = splitWords(request->line());
    if (!words)
        return request->fail(words.error().message);
    const std::string& word = words->front();
    Result<void> done;
    if (word == "ui.dump")
        done = dump(*request, *words);
    else if (word == "ui.find")
        done = find(*request, *words);
    else if (word == "click")
        done = click(request, *words);
    else if (word == "drag")
        done = drag(request, *words);
    else if (word == "type")
        done = type(request, *words);
    else if (word == "key")
        done = key(request, *words);
    else if (word == "screenshot")
        done = screenshot(*request, *words);
    else if (word == "wait.idle")
        waitIdle(request);
    else if (const auto& what = word == "undo.dump" ? m_parts.undo : m_parts.selection; what)
        request->answer({true, {}, toText(what())});
    else
        done = makeError(word + " is not there: this program edits nothing");
    if (!done)
        request->fail(done.error().message);
}

Result<void> WindowRemote::dump(Request& request, const std::vector<std::string>& words) {
    if (words.size() > 2)
        return usage("ui.dump [NAME]");
    if (words.size() == 2) {
        const Result<QWidget*> widget = findWidget(fromText(words[1]));
        if (!widget)
            return widget.error();
        request.answer({true, {}, toText(widgetTreeJson(**widget))});
        return {};
    }
    QJsonArray windows;
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible())
            windows.append(widgetTreeJson(*window));
    request.answer({true, {}, toText(windows)});
    return {};
}

Result<void> WindowRemote::find(Request& request, const std::vector<std::string>& words) {
    if (words.size() != 2)
        return usage("ui.find NAME");
    QJsonArray found;
    for (const QWidget* widget : findWidgets(fromText(words[1]))) {
        QJsonObject json = widgetJson(*widget);
        json.insert(QStringLiteral("path"), widgetPath(*widget));
        found.append(json);
    }
    request.answer({true, {}, toText(found)});
    return {};
}

void WindowRemote::deliver(const std::shared_ptr<Request>& request, std::function<void()> input) {
    QMetaObject::invokeMethod(this, std::move(input), Qt::QueuedConnection);
    QMetaObject::invokeMethod(
        this,
        [request] {
            request->answer({true, {}, {}});
        },
        Qt::QueuedConnection);
}

Result<void> WindowRemote::click(const std::shared_ptr<Request>& request,
                                 const std::vector<std::string>& words) {
    if (words.size() < 2)
        return usage("click NAME [left|right|middle] [ctrl] [shift] [alt] [double] [X Y | row TEXT | part TEXT]");
    const Result<QWidget*> widget = findForInput(fromText(words[1]));
    if (!widget)
        return widget.error();
    const Result<Click> what = clickOf(words);
    if (!what)
        return what.error();
    const Result<ClickPlace> place = placeOf(**widget, *what);
    if (!place)
        return place.error();
    deliver(request, [at = place->at, target = QPointer<QWidget>(place->widget), what = *what] {
        if (target)
            deliverClick({target, at}, what);
    });
    return {};
}

Result<void> WindowRemote::drag(const std::shared_ptr<Request>& request,
                                const std::vector<std::string>& words) {
    if (words.size() != 6)
        return usage("drag NAME X Y X Y");
    const Result<QWidget*> widget = findForInput(fromText(words[1]));
    if (!widget)
        return widget.error();
    const Result<QPoint> from = point(words[2], words[3]);
    const Result<QPoint> to = point(words[4], words[5]);
    if (!from || !to)
        return from ? to.error() : from.error();
    deliver(request, [target = QPointer<QWidget>(*widget), from = *from, to = *to] {
        if (target)
            deliverDrag(*target, from, to);
    });
    return {};
}

Result<void> WindowRemote::type(const std::shared_ptr<Request>& request,
                                const std::vector<std::string>& words) {
    if (words.size() != 3)
        return usage("type NAME \"TEXT\"");
    const Result<QWidget*> widget = findForInput(fromText(words[1]));
    if (!widget)
        return widget.error();
    deliver(request, [target = QPointer<QWidget>(*widget), text = fromText(words[2])] {
        if (target)
            deliverText(*target, text);
    });
    return {};
}

Result<void> WindowRemote::key(const std::shared_ptr<Request>& request,
                               const std::vector<std::string>& words) {
    if (words.size() != 3)
        return usage("key NAME KEYS");
    const Result<QWidget*> widget = findForInput(fromText(words[1]));
    if (!widget)
        return widget.error();
    const Result<int> keys = keyOf(fromText(words[2]));
    if (!keys)
        return keys.error();
    deliver(request, [target = QPointer<QWidget>(*widget), keys = *keys] {
        if (target)
            deliverKey(*target, keys);
    });
    return {};
}

Result<void> WindowRemote::screenshot(Request& request, const std::vector<std::string>& words) {
    if (words.size() != 2 && words.size() != 3)
        return usage("screenshot FILE.png [NAME]");
    QImage image;
    if (words.size() == 3) {
        const Result<QWidget*> widget = findWidget(fromText(words[2]));
        if (!widget)
            return widget.error();
        image = (*widget)->grab().toImage();
    } else {
        image = m_parts.picture();
    }
    if (image.isNull())
        return makeError("there is no picture yet");
    if (const Result<void> written = ui::writePicture(fromText(words[1]), image); !written)
        return makeError(written.error().toString());
    request.answer({true,
                    {},
                    "{\"width\":" + std::to_string(image.width())
                        + ",\"height\":" + std::to_string(image.height()) + "}"});
    return {};
}

// Work is idle when the session has run what was posted, the window shows its publication and has handled what that caused.
void WindowRemote::waitIdle(const std::shared_ptr<Request>& request) {
    if (request->abandoned())
        return;
    const auto again = [this, request] { waitIdle(request); };
    if (m_parts.catchUp && !m_parts.catchUp()) {
        QTimer::singleShot(LookAgainMs, this, again);
        return;
    }
    // The session's commands run in order; the second is there when what the first caused has been published.
    m_session.post([this, request](Session& session) {
        session.post([this, request](Session&) {
            QMetaObject::invokeMethod(
                this,
                [this, request] {
                    const bool quiet = !m_parts.catchUp || m_parts.catchUp();
                    QTimer::singleShot(0, this, [this, request, quiet] {
                        QTimer::singleShot(quiet ? 0 : LookAgainMs, this, [this, request, quiet] {
                            if (quiet)
                                request->answer({true, {}, {}});
                            else
                                waitIdle(request);
                        });
                    });
                },
                Qt::QueuedConnection);
        });
    });
}

} // namespace sbx::remote
