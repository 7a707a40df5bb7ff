#include "widgets/common/ini_text.h"

#include <QDataStream>
#include <QDateTime>
#include <QIODevice>
#include <QPoint>
#include <QRect>
#include <QSize>
#include <QStringList>

#include <string>

namespace sbx::ui {

namespace {

const QString General = QStringLiteral("General");

// ------------------------------------------------------------------------------------------------------- keys

// Letters, digits and "_-." are written as they are, the slash of a group within a group as a backslash, all others as %XX or %UXXXX.
QByteArray escapedKey(const QString& key) {
    QByteArray out;
    for (const QChar c : key) {
        const ushort code = c.unicode();
        if (code == '/')
            out += '\\';
        else if (code < 0x80 && (c.isLetterOrNumber() || code == '_' || code == '-' || code == '.'))
            out += static_cast<char>(code);
        else if (code <= 0xFF)
            out += '%' + QByteArray::number(code, 16).toUpper().rightJustified(2, '0');
        else
            out += "%U" + QByteArray::number(code, 16).toUpper().rightJustified(4, '0');
    }
    return out;
}

// Anything after a percent sign that is no number stays as it is.
QString unescapedKey(const QByteArray& bytes) {
    const QString key = QString::fromUtf8(bytes);
    QString out;
    for (qsizetype i = 0; i < key.size(); ++i) {
        if (key[i] == u'\\') {
            out += u'/';
            continue;
        }
        if (key[i] == u'%') {
            const bool wide = i + 1 < key.size() && key[i + 1] == u'U';
            const QString digits = key.mid(i + (wide ? 2 : 1), wide ? 4 : 2);
            bool isNumber = false;
            const ushort code = digits.toUShort(&isNumber, 16);
            if (isNumber && digits.size() == (wide ? 4 : 2)) {
                out += QChar(code);
                i += wide ? 5 : 2;
                continue;
            }
        }
        out += key[i];
    }
    return out;
}

// ----------------------------------------------------------------------------------------------- texts of values

bool isHexDigit(QChar c) {
    return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

// A text between quotes if it must be, with control characters and halves of a surrogate pair as \xHH.
QByteArray escapedText(const QString& text) {
    QString out;
    bool quoted = text.isEmpty() || text.startsWith(u' ') || text.endsWith(u' ');
    bool afterHex = false; // a digit that follows would be read as part of the number
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        const ushort code = c.unicode();
        quoted = quoted || code == ';' || code == ',' || code == '=' || code == '#';
        const bool pair = c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const bool asNumber = code < 0x20 || (code >= 0x7F && code < 0xA0) || (c.isSurrogate() && !pair)
                              || code == 0x2028 || code == 0x2029 || code == 0xFEFF || (afterHex && isHexDigit(c));
        afterHex = false;
        if (code == '"' || code == '\\') {
            out += u'\\';
            out += c;
        } else if (code == '\n') {
            out += QStringLiteral("\\n");
        } else if (code == '\t') {
            out += QStringLiteral("\\t");
        } else if (asNumber) {
            out += QStringLiteral("\\x") + QString::number(code, 16);
            afterHex = true;
        } else {
            out += c;
            if (pair)
                out += text[++i];
        }
    }
    const QByteArray bytes = out.toUtf8();
    return quoted ? '"' + bytes + '"' : bytes;
}

// The texts of one value, which commas outside quotes separate. `isList`: there was one.
QStringList unescapedTexts(const QByteArray& bytes, bool& isList) {
    const QString text = QString::fromUtf8(bytes);
    QStringList out;
    QString current;
    qsizetype kept = 0; // of `current`: what must not be trimmed, since it was quoted or escaped
    bool inQuotes = false;
    const auto finish = [&] {
        while (current.size() > kept && (current.back() == u' ' || current.back() == u'\t'))
            current.chop(1);
        out.append(current);
        current.clear();
        kept = 0;
    };
    isList = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == u'"') {
            inQuotes = !inQuotes;
            kept = current.size();
        } else if (c == u'\\' && i + 1 < text.size()) {
            const QChar escape = text[++i];
            if (escape == u'x' || (escape >= u'0' && escape <= u'7')) {
                const bool hex = escape == u'x';
                uint code = hex ? 0U : static_cast<uint>(escape.unicode() - u'0');
                while (i + 1 < text.size()
                       && (hex ? isHexDigit(text[i + 1]) : text[i + 1] >= u'0' && text[i + 1] <= u'7'))
                    code = (code * (hex ? 16U : 8U) + static_cast<uint>(QString(text[++i]).toUInt(nullptr, 16))) & 0xFFFFU;
                current += QChar(static_cast<ushort>(code));
            } else if (escape != u'\n' && escape != u'\r') { // a line that goes on in the next one
                const QString letters = QStringLiteral("abfnrtv");
                const qsizetype letter = letters.indexOf(escape);
                current += letter < 0 ? escape : QStringLiteral("\a\b\f\n\r\t\v")[letter];
            }
            kept = current.size();
        } else if (c == u',' && !inQuotes) {
            isList = true;
            finish();
        } else if (inQuotes || !(current.isEmpty() && kept == 0 && (c == u' ' || c == u'\t'))) {
            current += c;
            if (inQuotes)
                kept = current.size();
        }
    }
    finish();
    return out;
}

// ----------------------------------------------------------------------------------------------------- values

QString streamed(const QVariant& value, const char* kind, QDataStream::Version version) {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(version);
    stream << value;
    return QLatin1Char('@') + QLatin1String(kind) + QLatin1Char('(') + QString::fromLatin1(bytes) + QLatin1Char(')');
}

QString toText(const QVariant& value) {
    switch (value.metaType().id()) {
    case QMetaType::UnknownType:
        return QStringLiteral("@Invalid()");
    case QMetaType::QByteArray:
        return QStringLiteral("@ByteArray(") + QString::fromLatin1(value.toByteArray()) + QLatin1Char(')');
    case QMetaType::QString:
    case QMetaType::Bool:
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Double: {
        const QString text = value.toString();
        if (text.contains(QChar(0)))
            return QStringLiteral("@String(") + text + QLatin1Char(')');
        return text.startsWith(u'@') ? QLatin1Char('@') + text : text;
    }
    // The versions of the stream are part of the format.
    case QMetaType::QDateTime:
        return streamed(value, "DateTime", QDataStream::Qt_5_6);
    default:
        return streamed(value, "Variant", QDataStream::Qt_4_0);
    }
}

QVariant fromText(const QString& text) {
    if (!text.startsWith(u'@'))
        return text;
    if (text.startsWith(QLatin1String("@@")))
        return text.mid(1);
    const qsizetype open = text.indexOf(u'(');
    if (open < 0 || !text.endsWith(u')'))
        return text;
    const QString kind = text.mid(1, open - 1);
    const QString inside = text.mid(open + 1, text.size() - open - 2);
    if (kind == QLatin1String("Invalid"))
        return {};
    if (kind == QLatin1String("ByteArray"))
        return inside.toLatin1();
    if (kind == QLatin1String("String"))
        return inside;
    if (kind == QLatin1String("Variant") || kind == QLatin1String("DateTime")) {
        const QByteArray bytes = inside.toLatin1();
        QDataStream stream(bytes);
        stream.setVersion(kind == QLatin1String("Variant") ? QDataStream::Qt_4_0 : QDataStream::Qt_5_6);
        QVariant out;
        stream >> out;
        return stream.status() == QDataStream::Ok ? out : QVariant();
    }
    const QStringList numbers = inside.split(u' ');
    const auto number = [&numbers](qsizetype i) { return numbers[i].toInt(); };
    if (kind == QLatin1String("Rect") && numbers.size() == 4)
        return QRect(number(0), number(1), number(2), number(3));
    if (kind == QLatin1String("Size") && numbers.size() == 2)
        return QSize(number(0), number(1));
    if (kind == QLatin1String("Point") && numbers.size() == 2)
        return QPoint(number(0), number(1));
    return text;
}

QByteArray formattedValue(const QVariant& value) {
    // Lists of one are written as their element: a list of one text is read as that text, which converts back to the list.
    const int type = value.metaType().id();
    const QVariantList list = value.toList();
    if (type != QMetaType::QStringList && (type != QMetaType::QVariantList || list.size() == 1))
        return escapedText(toText(value));
    if (list.isEmpty())
        return QByteArrayLiteral("@Invalid()");
    QByteArray out;
    for (const QVariant& element : list)
        out += (out.isEmpty() ? "" : ", ") + escapedText(toText(element));
    return out;
}

QVariant parsedValue(const QByteArray& bytes) {
    bool isList = false;
    const QStringList texts = unescapedTexts(bytes, isList);
    if (!isList)
        return fromText(texts.first());
    QStringList plain;
    QVariantList values;
    bool allTexts = true;
    for (const QString& text : texts) {
        values.append(fromText(text));
        allTexts = allTexts && values.last().metaType().id() == QMetaType::QString;
        plain.append(values.last().toString());
    }
    return allTexts ? QVariant(plain) : QVariant(values);
}

// From `begin` to the end of the line; one that ends inside quotes or with a backslash goes on in the next.
qsizetype lineEnd(const QByteArray& text, qsizetype begin) {
    bool inQuotes = false;
    for (qsizetype i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\')
            ++i;
        else if (c == '"')
            inQuotes = !inQuotes;
        else if (c == '\n' && !inQuotes)
            return i;
    }
    return text.size();
}

} // namespace

Result<IniValues> parseIni(const QByteArray& text) {
    IniValues out;
    QString group;
    const auto fault = [&text](qsizetype at, const char* what) {
        return Error{std::string(what) + " (line " + std::to_string(1 + text.left(at).count('\n')) + ")", {}, {}};
    };
    qsizetype begin = text.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    while (begin < text.size()) {
        qsizetype end = lineEnd(text, begin);
        const bool isComment = [&] {
            const QByteArray start = text.mid(begin, end - begin).trimmed();
            return start.startsWith(';') || start.startsWith('#');
        }();
        if (isComment) // its quotes mean nothing
            end = text.indexOf('\n', begin) < 0 ? text.size() : text.indexOf('\n', begin);
        const QByteArray line = isComment ? QByteArray() : text.mid(begin, end - begin).trimmed();
        const qsizetype at = begin;
        begin = end + 1;
        if (line.isEmpty())
            continue;
        if (line.contains('\0'))
            return fault(at, "a byte that no text has");
        if (line.startsWith('[')) {
            const qsizetype close = line.indexOf(']');
            if (close < 0)
                return fault(at, "a group without its closing bracket");
            const QByteArray name = line.mid(1, close - 1).trimmed();
            group = name.compare("general", Qt::CaseInsensitive) == 0 ? QString()
                    : name == "%General"                              ? General + QLatin1Char('/')
                                                                      : unescapedKey(name) + QLatin1Char('/');
            continue;
        }
        const qsizetype equals = line.indexOf('=');
        if (equals <= 0)
            return fault(at, "neither a group nor a key with its value");
        out.insert(group + unescapedKey(line.left(equals).trimmed()), parsedValue(line.mid(equals + 1).trimmed()));
    }
    return out;
}

QByteArray formatIni(const IniValues& values) {
    // By group, so that each is written once.
    QMap<QString, QMap<QString, QVariant>> groups;
    for (auto it = values.begin(); it != values.end(); ++it) {
        const qsizetype slash = it.key().indexOf(u'/');
        groups[slash < 0 ? QString() : it.key().left(slash)].insert(it.key().mid(slash + 1), it.value());
    }
    QByteArray out;
    for (auto group = groups.begin(); group != groups.end(); ++group) {
        const QByteArray name = group.key().isEmpty()     ? QByteArrayLiteral("General")
                                : group.key() == General ? QByteArrayLiteral("%General")
                                                          : escapedKey(group.key());
        out += (out.isEmpty() ? "[" : "\n[") + name + "]\n";
        for (auto it = group->begin(); it != group->end(); ++it)
            out += escapedKey(it.key()) + '=' + formattedValue(it.value()) + '\n';
    }
    return out;
}

} // namespace sbx::ui
