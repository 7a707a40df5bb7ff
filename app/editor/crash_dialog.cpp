#include "app/editor/crash_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {

constexpr int CrashWidth = 640; // pixels
constexpr int RecordHeight = 180;

QString meaningOf(const QString& signal) {
    if (signal == QLatin1String("SIGSEGV") || signal == QLatin1String("SIGBUS"))
        return CrashDialog::tr("it used memory that is not there (%1)").arg(signal);
    if (signal == QLatin1String("SIGABRT"))
        return CrashDialog::tr("it ended itself (%1)").arg(signal);
    if (signal == QLatin1String("SIGFPE"))
        return CrashDialog::tr("it divided by zero (%1)").arg(signal);
    if (signal == QLatin1String("SIGILL"))
        return CrashDialog::tr("it came to code that is none (%1)").arg(signal);
    return CrashDialog::tr("it ended by %1").arg(signal);
}

QString whenOf(std::int64_t time) {
    const QDateTime local = QDateTime::fromSecsSinceEpoch(time);
    const QLocale locale;
    return local.date() == QDate::currentDate()
               ? CrashDialog::tr("today at %1").arg(locale.toString(local.time(), QStringLiteral("HH:mm")))
               : CrashDialog::tr("on %1").arg(locale.toString(local, QStringLiteral("d MMM yyyy, HH:mm")));
}

} // namespace

QString CrashDialog::pluginName(const app::CrashRecord& record) {
    const QString plugin = QString::fromStdString(record.plugin);
    return plugin.isEmpty() ? QString() : QFileInfo(plugin).fileName() + QStringLiteral(".so");
}

QString CrashDialog::what(const app::CrashRecord& record) {
    const QString meaning = meaningOf(QString::fromStdString(record.signal));
    if (record.component.empty())
        return tr("No handler of a component was under way: %1.").arg(meaning);
    QString who = tr("the component %1").arg(QString::fromStdString(record.component));
    if (!record.entity.empty())
        who += tr(" of the entity %1").arg(QString::fromStdString(record.entity));
    if (!record.plugin.empty())
        who += tr(", from the plugin %1,").arg(pluginName(record));
    return record.message.empty()
               ? tr("It happened while %1 was being made: %2.").arg(who, meaning)
               : tr("It happened while %1 was handling %2: %3.").arg(who, QString::fromStdString(record.message), meaning);
}

CrashDialog::CrashDialog(const app::CrashRecord& record, int crashes, const QString& project,
                         const ui::Theme& theme, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("crash"));
    setWindowTitle(tr("Signalbox crashed"));
    const auto label = [&](const QString& name, const QString& text) {
        auto* out = new QLabel(text, this);
        out->setObjectName(name);
        out->setWordWrap(true);
        out->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return out;
    };
    auto* icon = new QLabel(this);
    icon->setPixmap(theme.icon(QStringLiteral("error"), ui::Token::Error).pixmap(24, 24));
    auto* heading = label(QStringLiteral("crash.heading"),
                          crashes == 1 ? tr("The last run crashed %1.").arg(whenOf(record.time))
                                       : tr("%1 runs crashed, the last %2.").arg(crashes).arg(whenOf(record.time)));
    QFont strong = heading->font();
    strong.setWeight(QFont::DemiBold);
    heading->setFont(strong);
    auto* title = new QHBoxLayout;
    title->setSpacing(ui::measure::PanelPadding);
    title->addWidget(icon, 0, Qt::AlignTop);
    title->addWidget(heading, 1);

    auto* attach = label(QStringLiteral("crash.attach"),
                         tr("To report it, attach this record. It holds where it happened and the end of the log; "
                            "nothing is sent by itself.\n%1")
                             .arg(QString::fromStdString(record.path)));
    auto* text = new QPlainTextEdit(this);
    text->setObjectName(QStringLiteral("crash.record"));
    text->setAccessibleName(tr("Record of the crash"));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(theme.font(ui::FontRole::Mono));
    text->setMinimumHeight(RecordHeight);
    QFile file(QString::fromStdString(record.path));
    if (file.open(QIODevice::ReadOnly))
        text->setPlainText(QString::fromUtf8(file.readAll()));

    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& name, const QString& words) {
        auto* out = new QPushButton(words, this);
        out->setObjectName(name);
        out->setAutoDefault(false);
        return out;
    };
    QPushButton* const copy = button(QStringLiteral("crash.copy"), tr("&Copy record"));
    QPushButton* const folder = button(QStringLiteral("crash.folder"), tr("Show &folder"));
    buttons->addWidget(copy);
    buttons->addWidget(folder);
    buttons->addStretch();
    const QString plugin = pluginName(record);
    const QString name = QFileInfo(project).fileName() == QLatin1String("project.toml")
                             ? QFileInfo(QFileInfo(project).path()).fileName()
                             : QFileInfo(project).fileName();
    QPushButton* const open = button(QStringLiteral("crash.open"), project.isEmpty() ? tr("&Go on") : tr("&Open %1").arg(name));
    if (!plugin.isEmpty()) {
        QPushButton* const without = button(QStringLiteral("crash.without"), tr("Open &without %1").arg(plugin));
        without->setToolTip(tr("Its components are missing until Tools ▸ Load plugins again"));
        buttons->addWidget(open);
        buttons->addWidget(without);
        without->setDefault(true);
        connect(without, &QPushButton::clicked, this, [this] { done(Without); });
    } else {
        buttons->addWidget(open);
        open->setDefault(true);
    }
    connect(open, &QPushButton::clicked, this, &QDialog::accept);
    connect(copy, &QPushButton::clicked, this,
            [text] { QApplication::clipboard()->setText(text->toPlainText()); });
    connect(folder, &QPushButton::clicked, this, [path = QString::fromStdString(record.path)] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).path()));
    });

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(ui::measure::GroupGap, ui::measure::GroupGap, ui::measure::GroupGap, ui::measure::GroupGap);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addLayout(title);
    layout->addWidget(label(QStringLiteral("crash.what"), what(record)));
    layout->addWidget(attach);
    layout->addWidget(text, 1);
    layout->addLayout(buttons);
    resize(CrashWidth, sizeHint().height());
}

} // namespace sbx::editor

#include "moc_crash_dialog.cpp"
