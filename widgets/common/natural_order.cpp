#include "widgets/common/natural_order.h"

namespace sbx::ui {

namespace {

bool isDigit(QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); }

QStringView takeDigits(QStringView& text) {
    qsizetype length = 0;
    while (length < text.size() && isDigit(text[length]))
        ++length;
    const QStringView digits = text.first(length);
    text = text.sliced(length);
    return digits;
}

// Without leading zeros: of two numbers, the longer is the greater.
QStringView value(QStringView digits) {
    while (digits.size() > 1 && digits.front() == QLatin1Char('0'))
        digits = digits.sliced(1);
    return digits;
}

int compareNumbers(QStringView a, QStringView b) {
    const QStringView left = value(a);
    const QStringView right = value(b);
    return left.size() != right.size() ? (left.size() < right.size() ? -1 : 1) : left.compare(right);
}

} // namespace

int compareNaturally(QStringView a, QStringView b) {
    QStringView left = a;
    QStringView right = b;
    while (!left.isEmpty() && !right.isEmpty()) {
        if (isDigit(left.front()) && isDigit(right.front())) {
            if (const int order = compareNumbers(takeDigits(left), takeDigits(right)); order != 0)
                return order;
            continue;
        }
        const QChar one = left.front().toCaseFolded();
        const QChar other = right.front().toCaseFolded();
        if (one != other)
            return one < other ? -1 : 1;
        left = left.sliced(1);
        right = right.sliced(1);
    }
    if (left.isEmpty() != right.isEmpty())
        return left.isEmpty() ? -1 : 1;
    return a.size() != b.size() ? (a.size() < b.size() ? -1 : 1) : a.compare(b);
}

} // namespace sbx::ui
