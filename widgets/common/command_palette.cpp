#include "widgets/common/command_palette.h"

#include <QAbstractListModel>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/common/action_registry.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <numeric>

namespace sbx::ui {

namespace {

constexpr int PaletteWidth = 560;
constexpr int NoneWidth = 300; // of the typed text, in what says that nothing matches it
constexpr int MaximumRows = 12;
constexpr int RowHeight = 26;
constexpr int MaximumHits = 200;

enum Role { ItemRole = Qt::UserRole, PositionsRole };

} // namespace

int fuzzyScore(const QString& query, const QString& text, std::vector<int>* positions) {
    if (positions != nullptr)
        positions->clear();
    if (query.isEmpty())
        return 0;
    const qsizetype n = query.size();
    const qsizetype m = text.size();
    if (n > m)
        return -1;
    const auto startsWord = [&](qsizetype i) {
        return i == 0 || !text[i - 1].isLetterOrNumber() || (text[i].isUpper() && text[i - 1].isLower());
    };
    // best[i][j]: best score with query[i] matched at text[j]. Small tables: names are short.
    constexpr int No = -1'000'000;
    const auto at = [m](qsizetype i, qsizetype j) { return static_cast<std::size_t>(i * m + j); };
    std::vector<int> best(static_cast<std::size_t>(n * m), No);
    std::vector<qsizetype> from(static_cast<std::size_t>(n * m), -1);
    for (qsizetype i = 0; i < n; ++i) {
        int bestBefore = No; // over j' < j - 1 of row i - 1
        qsizetype bestAt = -1;
        for (qsizetype j = i; j < m; ++j) {
            if (i > 0 && j >= 2 && best[at(i - 1, j - 2)] > bestBefore) {
                bestBefore = best[at(i - 1, j - 2)];
                bestAt = j - 2;
            }
            if (query[i].toCaseFolded() != text[j].toCaseFolded())
                continue;
            int own = 10 + (startsWord(j) ? 12 : 0) + (query[i] == text[j] ? 1 : 0);
            if (i == 0) {
                best[at(i, j)] = own - static_cast<int>(std::min<qsizetype>(j, 15));
                continue;
            }
            const int run = j > 0 ? best[at(i - 1, j - 1)] : No;
            if (run > No / 2 && run + 15 >= bestBefore) {
                best[at(i, j)] = run + own + 15;
                from[at(i, j)] = j - 1;
            } else if (bestBefore > No / 2) {
                best[at(i, j)] = bestBefore + own - 2;
                from[at(i, j)] = bestAt;
            }
        }
    }
    qsizetype end = -1;
    int score = No;
    for (qsizetype j = n - 1; j < m; ++j)
        if (best[at(n - 1, j)] > score) {
            score = best[at(n - 1, j)];
            end = j;
        }
    if (score <= No / 2)
        return -1;
    if (positions != nullptr) {
        for (qsizetype i = n - 1, j = end; i >= 0; j = from[at(i, j)], --i)
            positions->push_back(static_cast<int>(j));
        std::reverse(positions->begin(), positions->end());
    }
    return std::max(0, score * 4 - static_cast<int>(std::min<qsizetype>(m, 60)));
}

int paletteScore(const QString& query, const PaletteItem& item, std::vector<int>* positions) {
    constexpr int Begins = 1'000'000; // more than any fuzzy score
    if (positions != nullptr)
        positions->clear();
    const QString typed = query.trimmed();
    int score = fuzzyScore(typed, item.text, positions);
    if (score < 0) {
        score = 0;
        for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            std::vector<int> hits;
            int found = fuzzyScore(word, item.text, &hits);
            for (const QString& alias : item.aliases)
                if (found < 0)
                    found = alias.startsWith(word, Qt::CaseInsensitive) ? fuzzyScore(word, alias) : -1;
            // What stands behind (an id, a type) also finds it, less well.
            if (found < 0)
                found = fuzzyScore(word, item.detail) / 2;
            if (found <= 0) {
                if (positions != nullptr)
                    positions->clear();
                return -1;
            }
            score += found;
            if (positions != nullptr)
                positions->insert(positions->end(), hits.begin(), hits.end());
        }
        if (positions != nullptr) {
            std::sort(positions->begin(), positions->end());
            positions->erase(std::unique(positions->begin(), positions->end()), positions->end());
        }
    }
    if (typed.isEmpty())
        return 0;
    for (const qsizetype from : {item.nameAt, qsizetype{0}})
        if (QStringView(item.text).mid(from).startsWith(typed, Qt::CaseInsensitive)) {
            if (positions != nullptr) {
                positions->resize(static_cast<std::size_t>(typed.size()));
                std::iota(positions->begin(), positions->end(), static_cast<int>(from));
            }
            return score + Begins;
        }
    for (const QString& alias : item.aliases)
        if (alias.startsWith(typed, Qt::CaseInsensitive))
            return score + Begins / 2;
    return score;
}

class PaletteModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    struct Hit {
        std::size_t item;
        int score;
        std::vector<int> positions;
    };

    void setItems(std::vector<PaletteItem> items) {
        beginResetModel();
        m_items = std::move(items);
        m_hits.clear();
        endResetModel();
    }

    void search(const QString& query) {
        beginResetModel();
        m_hits.clear();
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            Hit hit{i, 0, {}};
            hit.score = paletteScore(query, m_items[i], &hit.positions);
            if (hit.score >= 0)
                m_hits.push_back(std::move(hit));
        }
        std::stable_sort(m_hits.begin(), m_hits.end(), [this](const Hit& a, const Hit& b) {
            if (a.score != b.score)
                return a.score > b.score;
            return m_items[a.item].enabled && !m_items[b.item].enabled;
        });
        if (m_hits.size() > MaximumHits)
            m_hits.resize(MaximumHits);
        endResetModel();
    }

    [[nodiscard]] const Hit& hit(int row) const { return m_hits[static_cast<std::size_t>(row)]; }
    [[nodiscard]] const PaletteItem& item(int row) const { return m_items[hit(row).item]; }

    int rowCount(const QModelIndex& parent) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_hits.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid())
            return {};
        if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
            return item(index.row()).text;
        return {};
    }

private:
    std::vector<PaletteItem> m_items;
    std::vector<Hit> m_hits;
};

namespace {

class PaletteDelegate : public QStyledItemDelegate {
public:
    PaletteDelegate(const Theme& theme, const PaletteModel& model, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, RowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const PaletteItem& item = m_model.item(index.row());
        const std::vector<int>& positions = m_model.hit(index.row()).positions;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(m_theme.color(Token::Selection));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 0, -4, 0), measure::Radius,
                                     measure::Radius);
        }
        const QColor ink = m_theme.color(item.enabled ? Token::Text : Token::Disabled);
        const QColor quiet = m_theme.color(item.enabled ? Token::Muted : Token::Disabled);
        QRect r = option.rect.adjusted(12, 0, -12, 0);
        const QRect icon(r.x(), r.center().y() - 7, measure::IconSize, measure::IconSize);
        const QString name = item.checked ? QStringLiteral("check") : item.icon;
        if (!name.isEmpty())
            m_theme.icon(name, ink).paint(painter, icon);
        r.setLeft(icon.right() + 9);
        if (!item.trailing.isEmpty()) {
            painter->setPen(quiet);
            painter->drawText(r, Qt::AlignRight | Qt::AlignVCenter, item.trailing);
            r.setRight(r.right() - option.fontMetrics.horizontalAdvance(item.trailing) - 12);
        }
        // Letter by letter, with the matched ones strong.
        int x = r.x();
        const QFont plain = option.font;
        const QFont strong = m_theme.strongFont(FontRole::Ui);
        std::size_t next = 0;
        qsizetype at = 0;
        while (at < item.text.size() && x < r.right()) {
            const bool hit = next < positions.size() && positions[next] == at;
            qsizetype end = at;
            while (end < item.text.size() && (next < positions.size() && positions[next] == end) == hit) {
                if (hit)
                    ++next;
                ++end;
            }
            const QString part = item.text.mid(at, end - at);
            painter->setFont(hit ? strong : plain);
            painter->setPen(hit && item.enabled ? m_theme.color(Token::Accent) : ink);
            painter->drawText(QRect(x, r.y(), r.right() - x, r.height()), Qt::AlignLeft | Qt::AlignVCenter,
                              part);
            x += painter->fontMetrics().horizontalAdvance(part);
            at = end;
        }
        painter->setFont(plain);
        painter->setPen(quiet);
        const QRect rest(x + 8, r.y(), r.right() - x - 8, r.height());
        if (rest.width() > 20)
            painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                              option.fontMetrics.elidedText(item.detail, Qt::ElideRight, rest.width()));
        painter->restore();
    }

private:
    const Theme& m_theme;
    const PaletteModel& m_model;
};

} // namespace

CommandPalette::CommandPalette(const Theme& theme, ActionRegistry& registry, QWidget& window)
    : QFrame(&window, Qt::Popup | Qt::FramelessWindowHint),
      m_theme(theme),
      m_registry(registry),
      m_window(window),
      m_edit(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_none(new QLabel(this)),
      m_model(new PaletteModel(this)) {
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Command palette"));
    setFrameShape(QFrame::Box);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_edit->setObjectName(QStringLiteral("palette.input"));
    m_edit->setAccessibleName(tr("Search or command"));
    m_edit->addAction(theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    m_edit->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("palette.list"));
    m_list->setAccessibleName(tr("Matches"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(theme, *m_model, this));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_none->setObjectName(QStringLiteral("palette.none"));
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setTextFormat(Qt::PlainText);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setFixedHeight(RowHeight);
    m_none->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, measure::PanelPadding, 1, measure::PanelPadding);
    column->setSpacing(measure::PanelPadding);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, 0);
    top->addWidget(m_edit);
    column->addLayout(top);
    column->addWidget(m_list);
    column->addWidget(m_none);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        m_list->setCurrentIndex(index);
        runCurrent();
    });
}

void CommandPalette::addProvider(QChar prefix, const QString& hint, PaletteProvider provider) {
    m_providers.insert(prefix, {hint, std::move(provider)});
}

std::vector<PaletteItem> CommandPalette::actions() {
    m_registry.refresh();
    std::vector<PaletteItem> items;
    for (const QString& id : m_registry.ids()) {
        const Action& action = *m_registry.describe(id);
        const QAction* q = m_registry.find(id);
        if (!q->isVisible())
            continue;
        PaletteItem item;
        // As it is now, with what it is about. A doubled & is one of a name.
        item.text = q->text().replace(QLatin1String("&&"), QString(QChar::Null)).remove(QLatin1Char('&'));
        item.text.replace(QChar::Null, QLatin1Char('&'));
        // "Sound" says nothing without its submenu: "Layout: Sound".
        const QString group = action.menu.section(QLatin1Char('/'), 1).section(QLatin1Char('#'), 0, 0);
        if (!group.isEmpty()) {
            item.nameAt = group.size() + 2;
            item.text.prepend(group + QStringLiteral(": "));
        }
        item.detail = id;
        item.icon = action.icon;
        item.trailing = q->shortcut().toString(QKeySequence::NativeText);
        item.enabled = q->isEnabled();
        item.checked = q->isChecked();
        item.run = [this, id] { static_cast<void>(m_registry.trigger(id).ok()); };
        items.push_back(std::move(item));
    }
    if (m_commands)
        for (PaletteItem& command : m_commands())
            items.push_back(std::move(command));
    return items;
}

void CommandPalette::popUp(const QString& text) {
    m_loaded = false;
    QString hint = tr("Command");
    for (auto it = m_providers.cbegin(); it != m_providers.cend(); ++it)
        hint += QStringLiteral("   %1 %2").arg(it.key()).arg(it->hint);
    m_edit->setPlaceholderText(hint);
    m_edit->setText(text);
    search();
    const int width = std::min(PaletteWidth, m_window.width() - 32);
    setFixedWidth(width);
    move(m_window.mapToGlobal(QPoint((m_window.width() - width) / 2, std::min(64, m_window.height() / 8))));
    show();
    m_edit->setFocus();
}

void CommandPalette::search() {
    QString query = m_edit->text();
    QChar prefix;
    if (!query.isEmpty() && (query[0] == QLatin1Char('>') || m_providers.contains(query[0]))) {
        prefix = query[0];
        query = query.mid(1).trimmed();
    }
    if (!m_loaded || prefix != m_loadedFor) {
        const bool commands = prefix.isNull() || prefix == QLatin1Char('>');
        m_model->setItems(commands ? actions() : m_providers[prefix].items());
        m_loaded = true;
        m_loadedFor = prefix;
    }
    m_model->search(query);
    const int rows = std::min(m_model->rowCount({}), MaximumRows);
    m_list->setFixedHeight(rows * RowHeight);
    m_list->setVisible(rows > 0);
    m_none->setVisible(rows == 0);
    const QFontMetrics metrics = m_none->fontMetrics();
    m_none->setText(query.isEmpty() ? tr("There is nothing to choose from.")
                                    : tr("Nothing matches “%1”.").arg(metrics.elidedText(query, Qt::ElideRight, NoneWidth)));
    m_list->setCurrentIndex(m_model->index(0, 0));
    adjustSize();
}

void CommandPalette::runCurrent() {
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || !m_model->item(index.row()).enabled)
        return;
    const std::function<void()> run = m_model->item(index.row()).run;
    // Focus goes back to the panel first: an action may ask which has it.
    hide();
    if (run)
        run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_edit || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const int rows = m_model->rowCount({});
    const auto go = [&](int row) {
        if (rows > 0) {
            m_list->setCurrentIndex(m_model->index((row + rows) % rows, 0));
            m_list->scrollTo(m_list->currentIndex());
        }
        return true;
    };
    switch (key->key()) {
    case Qt::Key_Down:
        return go(m_list->currentIndex().row() + 1);
    case Qt::Key_Up:
        return go(m_list->currentIndex().row() - 1);
    case Qt::Key_PageDown:
        return go(std::min(rows - 1, m_list->currentIndex().row() + MaximumRows));
    case Qt::Key_PageUp:
        return go(std::max(0, m_list->currentIndex().row() - MaximumRows));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

void CommandPalette::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    emit closed();
}

} // namespace sbx::ui

#include "moc_command_palette.cpp"
