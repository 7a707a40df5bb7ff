#pragma once
// What rendering costs, over the last half minute: the share of real time, the most expensive block as a thin line above it, and a mark wherever
// the device ran dry. GUI thread; parent owns it.

#include <QWidget>

#include <cstdint>
#include <deque>

namespace sbx::ui {

class Theme;

class LoadView : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t Looks = 300; // ten a second

    explicit LoadView(const Theme& theme, QWidget* parent = nullptr);
    // Shares of real time; `underruns` so far.
    void add(double load, double peak, std::uint64_t underruns);
    // How many marks are shown.
    [[nodiscard]] int marks() const;
    QSize sizeHint() const override { return {96, 22}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Look {
        double load = 0.0;
        double peak = 0.0;
        bool dry = false;
    };
    const Theme& m_theme;
    std::deque<Look> m_looks;
    std::uint64_t m_underruns = 0;
    bool m_first = true;
};

} // namespace sbx::ui
