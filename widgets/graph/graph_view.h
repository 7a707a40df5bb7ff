#pragma once
// The picture: time from left to right, a lane for each peer that receives; in it the sender's graph above the receiver's.
//
// Reads the model and draws what is in sight, nothing else. It changes neither model nor selection: it emits what was picked. Window
// thread; theme and model must outlive it.

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QVariantAnimation>

#include "widgets/graph/graph_axis.h"
#include "widgets/graph/graph_glyphs.h"
#include "widgets/graph/graph_model.h"

#include <optional>

namespace sbx::ui {

class Theme;

class GraphView : public QAbstractScrollArea {
    Q_OBJECT

public:
    static constexpr int HeaderWidth = 176;
    static constexpr int AxisHeight = 20;
    static constexpr int MinLane = 84;
    static constexpr int RowPitch = 12;

    GraphView(const Theme& theme, const GraphModel& model, QWidget* parent = nullptr);

    // The model has more, or time went on.
    void refresh();
    // Freezes the picture at the model's now, or lets go of it; what comes meanwhile is kept.
    void setFrozen(bool frozen);
    [[nodiscard]] bool frozen() const { return m_frozen.has_value(); }
    // The moment that is shown: the model's now, or when it was frozen.
    [[nodiscard]] net::Time shownTime() const { return m_frozen.value_or(m_model.now()); }
    void setCurrent(const GraphKey& key, bool reveal);
    // Rings run out from the current message for a moment: it was chosen elsewhere, and the eye has to find it.
    void pulse();
    [[nodiscard]] GraphKey current() const { return m_current; }
    // Messages whose record in the trace has a sequence in [first, second) stand out, the others are dim; nothing: none is.
    using Records = std::pair<std::uint64_t, std::uint64_t>;
    void setSpan(const std::optional<Records>& records);
    [[nodiscard]] const std::optional<Records>& span() const { return m_span; }
    // Under the peers' names, a line each; by peer.
    void setLaneNotes(std::vector<QStringList> notes);

    [[nodiscard]] const GraphAxis& axis() const { return m_axis; }
    void zoom(double factor);
    // Time that a pixel is, in ns, for a later run; see axis().perPixel(). What is out of the axis's range goes to its nearest end.
    void setPerPixel(double nanoseconds);
    void fit();
    void goLive();

    // Where a message is drawn, in the viewport: its place at the sender and at the receiver; nothing: not in sight.
    struct Place {
        GraphKey key;
        QPointF sender;
        std::optional<QPointF> receiver;
    };
    [[nodiscard]] std::optional<Place> placeOf(const GraphKey& key) const;
    [[nodiscard]] GraphKey at(const QPoint& point);
    // Handshakes have marks in the lane of their client; one is picked instead of a message. 0: none.
    [[nodiscard]] std::uint64_t handshake() const { return m_handshake; }
    [[nodiscard]] std::uint64_t handshakeAt(const QPoint& point) const;
    // The flag that says its outcome, as the last frame had it.
    [[nodiscard]] std::optional<QRectF> flagOf(std::uint64_t handshake) const;
    void nextHandshake();
    // Messages the last frame had in sight, shapes it put down, and how long it took.
    struct Frame {
        std::size_t inSight = 0;
        std::size_t drawn = 0;
        std::size_t edges = 0;
        double milliseconds = 0.0;
    };
    [[nodiscard]] const Frame& lastFrame() const { return m_frame; }
    [[nodiscard]] QSize sizeHint() const override { return {900, 320}; }

signals:
    void picked(const sbx::ui::GraphKey& key); // none: the selection was let go
    void handshakePicked(quint64 id);
    void activated(const sbx::ui::GraphKey& key);
    void freezeRequested();
    void nextWaitRequested();
    void axisChanged();
    void laneMenuRequested(int lane, const QPoint& global);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Lane {
        std::uint16_t peer = 0;
        int top = 0;
        int height = 0;
        int half = 0; // y between sender's and receiver's
        [[nodiscard]] int capacity() const { return std::max(1, (height / 2 - 6) / RowPitch); }
    };
    // A message in sight, where it goes.
    struct Drawn {
        GraphKey key;
        const GraphNode* node = nullptr;
        GraphState sender = GraphState::Queued;
        GraphState receiver = GraphState::Unseen;
        QPointF senderAt;
        QPointF receiverAt;
        bool folded = false; // its row is below the lane's last
    };
    struct Flag {
        std::uint64_t id = 0;
        std::uint16_t lane = 0;
        double line = 0.0; // x
        QRectF bar;
        QRectF box;
        QString text;
        GraphState state = GraphState::Sent;
    };
    [[nodiscard]] int laneCount() const;
    [[nodiscard]] Lane lane(int index) const;
    [[nodiscard]] int laneAt(int y) const;
    [[nodiscard]] int scrollOf(int lane) const;
    void scrollLane(int lane, int rows);
    void updateScrollBar();
    void collect();
    [[nodiscard]] Drawn drawn(const Lane& lane, const GraphKey& key, const GraphNode& node) const;
    [[nodiscard]] double rowY(const Lane& lane, bool receiver, int row) const;
    void findChain();
    [[nodiscard]] bool inChain(const GraphKey& key) const;
    [[nodiscard]] bool isDim(const Drawn& drawn) const;
    void pick(const GraphKey& key);
    void zoomAt(double factor, double x);
    void step(int step);
    void stepCause(bool toCause);

    // graph_view_handshakes.cpp
    void collectHandshakes();
    void paintHandshakes(QPainter& painter, const Lane& lane) const;
    void pickHandshake(std::uint64_t id);

    // graph_view_paint.cpp
    void paintGround(QPainter& painter, const Lane& lane, int index) const;
    void paintAxis(QPainter& painter) const;
    void paintLane(QPainter& painter, const Lane& lane, int index);
    void paintBars(QPainter& painter, const Drawn& drawn, bool dimmed) const;
    void paintEdges(QPainter& painter, const Lane& lane, const std::vector<Drawn>& in);
    void paintFlights(QPainter& painter, const Drawn& drawn) const;
    void paintCurrent(QPainter& painter) const;

    const Theme& m_theme;
    const GraphModel& m_model;
    GraphAxis m_axis;
    GraphGlyphs m_glyphs;
    std::optional<net::Time> m_frozen;
    GraphKey m_current;
    QVariantAnimation m_pulse; // 0 to 1
    GraphKey m_hovered;
    std::optional<Records> m_span;
    std::vector<GraphKey> m_chain; // of the current message to the root of its wait
    std::vector<std::vector<Drawn>> m_drawn; // by lane; of the model's version m_collected
    std::uint64_t m_collected = UINT64_MAX;
    std::vector<Flag> m_flags;
    std::uint64_t m_handshake = 0;
    std::uint64_t m_hoveredHandshake = 0;
    std::vector<int> m_laneScroll;
    std::vector<QStringList> m_notes;
    std::optional<QPoint> m_pressed;
    QPointF m_dragged;
    bool m_moved = false;
    qreal m_glyphScale = 0.0;
    std::uint64_t m_run = 0;
    Frame m_frame;
};

} // namespace sbx::ui
