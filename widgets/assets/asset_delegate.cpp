#include "widgets/assets/asset_delegate.h"

#include <QAbstractProxyModel>
#include <QApplication>
#include <QLineEdit>
#include <QPainter>
#include <QTimer>

#include "widgets/assets/asset_model.h"
#include "widgets/assets/asset_previews.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {
constexpr int FileHeight = 48;
constexpr QSize PictureSize(60, 40);
} // namespace

void drawPreview(QPainter& painter, const QRect& area, const Theme& theme, const AssetPreview* preview, bool isSound) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Ground));
    painter.drawRoundedRect(area, measure::Radius, measure::Radius);
    const bool ready = preview != nullptr && preview->state == AssetPreview::State::Ready;
    if (ready && isSound && !preview->wave.isEmpty()) {
        const QRectF inner = QRectF(area).adjusted(3, 3, -3, -3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QColor ink = theme.color(Token::Accent);
        const int columns = static_cast<int>(inner.width());
        for (int x = 0; x < columns; ++x) {
            // Every column of the preview counts: of those that share a pixel the loudest is drawn.
            const qsizetype from = x * preview->wave.size() / columns;
            const qsizetype to = std::max(from + 1, (x + 1) * preview->wave.size() / columns);
            float low = 0.0F;
            float high = 0.0F;
            for (qsizetype i = from; i < to; ++i) {
                low = std::min(low, preview->wave[i].first);
                high = std::max(high, preview->wave[i].second);
            }
            const double half = inner.height() / 2.0;
            const double top = inner.center().y() - static_cast<double>(high) * half;
            const double bottom = inner.center().y() - static_cast<double>(low) * half;
            painter.fillRect(QRectF(inner.left() + x, top, 1.0, std::max(1.0, bottom - top)), ink);
        }
    } else if (ready && !isSound && !preview->picture.isNull()) {
        const int edge = std::min(area.width(), area.height());
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(QRect(area.center().x() - edge / 2, area.center().y() - edge / 2, edge, edge), preview->picture);
    } else {
        const bool faulty = preview == nullptr || preview->state == AssetPreview::State::Faulty;
        const QIcon icon = faulty ? theme.icon(QStringLiteral("warning"), Token::Warning)
                                  : theme.icon(isSound ? QStringLiteral("sound") : QStringLiteral("mesh"), Token::Disabled);
        QRect place(0, 0, measure::IconSize, measure::IconSize);
        place.moveCenter(area.center());
        icon.paint(&painter, place);
    }
    painter.restore();
}

AssetDelegate::AssetDelegate(const Theme& theme, const AssetModel& model, QObject* parent)
    : NameDelegate(theme, parent), m_theme(theme), m_model(model) {}

QSize AssetDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    return {120, index.data(AssetModel::IsFolderRole).toBool() ? measure::RowHeight : FileHeight};
}

void AssetDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    if (index.data(AssetModel::IsFolderRole).toBool()) {
        option.icon = m_theme.icon(QStringLiteral("folder"), Token::Muted);
        option.features |= QStyleOptionViewItem::HasDecoration;
        option.decorationSize = {measure::IconSize, measure::IconSize};
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        return;
    }
    // The row's ground and focus as everywhere; what stands on it is drawn here.
    const QString name = std::exchange(option.text, QString());
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
    const bool isSound = index.data(AssetModel::KindRole).toInt() == static_cast<int>(AssetKind::Sound);
    const bool isMissing = index.data(AssetModel::MissingRole).toBool();
    const auto* proxy = qobject_cast<const QAbstractProxyModel*>(index.model());
    const AssetPreview* preview = m_model.previewOf(proxy != nullptr ? proxy->mapToSource(index) : index);
    const QRect row = option.rect;
    const QRect picture(QPoint(row.left() + measure::RelatedGap, row.top() + (row.height() - PictureSize.height()) / 2), PictureSize);
    drawPreview(*painter, picture, m_theme, preview, isSound);
    const int left = picture.right() + measure::PanelPadding;
    const QRect text(left, row.top() + 5, row.right() - left - measure::RelatedGap, row.height() - 10);
    painter->save();
    painter->setFont(option.font);
    painter->setPen(m_theme.color(Token::Text));
    const QRect upper(text.left(), text.top(), text.width(), text.height() / 2);
    painter->drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, option.fontMetrics.elidedText(name, Qt::ElideMiddle, upper.width()));
    const QString fault = index.data(AssetModel::FaultRole).toString();
    const int uses = index.data(AssetModel::UsesRole).toInt();
    // What matters most first: there is little room.
    QString below = uses == 0 ? tr("unused") : tr("used %1×").arg(uses);
    if (isMissing)
        below = tr("missing · %1").arg(below);
    else if (!fault.isEmpty())
        below = tr("cannot be read");
    else if (const QString facts = index.data(AssetModel::FactsRole).toString(); !facts.isEmpty())
        below += QStringLiteral(" · ") + facts;
    painter->setPen(m_theme.color(isMissing || !fault.isEmpty() ? Token::Warning : Token::Muted));
    const QRect lower(text.left(), text.top() + text.height() / 2, text.width(), text.height() / 2);
    painter->drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, option.fontMetrics.elidedText(below, Qt::ElideRight, lower.width()));
    painter->restore();
}

QWidget* AssetDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    auto* line = new QLineEdit(parent);
    line->setObjectName(QStringLiteral("assets.rename"));
    line->setAccessibleName(tr("New name or path of the file"));
    line->setToolTip(tr("Another folder in the path moves the file there"));
    guard(*line, index);
    return line;
}

void AssetDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* line = static_cast<QLineEdit*>(editor);
    const QString name = index.data(Qt::EditRole).toString();
    line->setText(name);
    const auto begin = static_cast<int>(name.lastIndexOf(QLatin1Char('/')) + 1);
    const auto end = static_cast<int>(name.lastIndexOf(QLatin1Char('.')));
    // The view selects everything when it opens the line.
    QTimer::singleShot(0, line, [line, begin, end] { line->setSelection(begin, end - begin); });
}

void AssetDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
    const QRect row = option.rect;
    const int left = row.left() + measure::RelatedGap;
    editor->setGeometry(left, row.top() + (row.height() - measure::ControlHeight) / 2, row.width() - 2 * measure::RelatedGap,
                        measure::ControlHeight);
}

} // namespace sbx::ui

#include "moc_asset_delegate.cpp"
