#pragma once
// Draws a row of the asset panel: a folder in one line; a file with its picture, its name, and below it what it is and how often it is
// used. GUI thread; parent owns it.

#include "widgets/common/name_delegate.h"

namespace sbx::ui {

class AssetModel;
class Theme;
struct AssetPreview;

// A thumbnail or a waveform, as large as the rectangle; a placeholder while there is none. `preview` null: the file is missing.
void drawPreview(QPainter& painter, const QRect& area, const Theme& theme, const AssetPreview* preview, bool isSound);

class AssetDelegate : public NameDelegate {
    Q_OBJECT

public:
    // `model` is the one behind the view's; both outlive it.
    AssetDelegate(const Theme& theme, const AssetModel& model, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // The whole path, with the name without its ending selected.
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
    const AssetModel& m_model;
};

} // namespace sbx::ui
