// The panel's parts: how they are made, arranged and connected.

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/number_field.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/sound_files.h"
#include "widgets/common/theme.h"
#include "widgets/probe/curve_view.h"
#include "widgets/probe/head_quiz.h"
#include "widgets/probe/load_view.h"
#include "widgets/probe/place_view.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/probe_panel_shared.h"
#include "widgets/probe/voice_model.h"
#include "widgets/probe/why_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::ui {

namespace {

constexpr int MinWidth = 584;
constexpr int MeterWidth = 320;
constexpr int NarrowWidth = 980; // below it
const QList<int> WideSizes = {530, 390, 360}; // of the parts, to one another
constexpr int LowHeight = 232;                // below it
constexpr int MinHeight = 128;                // of what is below the bar: all of it in a low place
constexpr int HandsWidth = 216;
constexpr int LowHandsWidth = 312;
constexpr int FilterWidth = 250; // in the bar

// The number, and below it a bar from -60 to 0 dB.
class LevelDelegate : public QStyledItemDelegate {
public:
    LevelDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const double level = index.data(VoiceModel::SortRole).toDouble();
        if (level <= 0.0)
            return;
        const double share = std::clamp(1.0 + 20.0 * std::log10(level) / 60.0, 0.0, 1.0);
        const QRectF track = QRectF(option.rect).adjusted(4.0, option.rect.height() - 4.0, -4.0, -2.0);
        painter->fillRect(QRectF(track.left(), track.top(), track.width() * share, track.height()),
                          m_theme.hue(share >= 1.0 ? Hue::Vermillion : Hue::BluishGreen));
    }

private:
    const Theme& m_theme;
};

QLabel* mutedLabel(const Theme& theme, const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setTextToken(*label, theme, Token::Muted);
    return label;
}

} // namespace

ProbePanel::ProbePanel(const Theme& theme, SessionFeed& feed, Selection& selection, Document& document,
                       QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_feed(feed),
      m_selection(selection),
      m_document(document),
      m_edits(document, feed),
      m_probe(std::make_shared<SoundProbe>(feed.session())),
      m_view(m_probe->view()),
      m_empty(new EmptyState(
          theme, QStringLiteral("sound"),
          tr("Sound is being prepared: the head's responses are read once, which takes a moment."), this)),
      m_place(new PlaceView(theme, this)) {
    setObjectName(QStringLiteral("probe"));
    setAcceptDrops(true);
    setAccessibleName(tr("Audio probe"));
    m_empty->button().hide();
    auto* body = new QWidget(this);
    m_split = new QSplitter(Qt::Horizontal, body);
    m_split->setObjectName(QStringLiteral("probe.split"));
    m_split->setChildrenCollapsible(false);
    auto* places = new QWidget(m_split);
    m_placeRow = new QHBoxLayout(places);
    m_placeRow->setContentsMargins(measure::PanelPadding, 0, measure::RelatedGap, measure::PanelPadding);
    m_placeRow->setSpacing(measure::PanelPadding);
    m_placeRow->addWidget(m_place, 1);
    m_placeRow->addWidget(makeHands());
    m_split->addWidget(places);
    m_split->addWidget(makeTabs());
    m_meterPane = makeMeters();
    m_split->addWidget(m_meterPane);
    m_split->setStretchFactor(0, 5);
    m_split->setStretchFactor(1, 5);
    m_split->setStretchFactor(2, 4);
    m_split->setSizes(WideSizes);
    // Narrower or lower than its parts want to be: then arrange() has them elsewhere.
    m_split->setMinimumSize(MinWidth, MinHeight);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_split, 1);
    m_switch = new EmptySwitch(body, m_empty, this);
    m_switch->setEmpty(true);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_switch);
    setFocusProxy(m_place);
    m_timer.setTimerType(Qt::PreciseTimer);
    fillListeners();
    fillSignals();
    connectParts();
}

QToolButton* ProbePanel::button(const QString& name, const QString& icon, const QString& text,
                                const QString& tip) {
    auto* out = new QToolButton(this);
    out->setObjectName(QStringLiteral("probe.") + name);
    if (!icon.isEmpty())
        out->setIcon(m_theme.icon(icon));
    out->setText(text);
    out->setToolButtonStyle(icon.isEmpty()   ? Qt::ToolButtonTextOnly
                            : text.isEmpty() ? Qt::ToolButtonIconOnly
                                             : Qt::ToolButtonTextBesideIcon);
    out->setIconSize({measure::IconSize, measure::IconSize});
    out->setToolTip(tip);
    out->setAccessibleName(text.isEmpty() ? tip : text);
    return out;
}

QWidget* ProbePanel::makeBar() {
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("probe.bar"));
    bar->setMinimumWidth(MinWidth);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                            measure::RelatedGap);
    row->setSpacing(measure::RelatedGap);
    m_barRow = row;
    m_listener = new QComboBox(bar);
    m_listener->setObjectName(QStringLiteral("probe.listener"));
    m_listener->setAccessibleName(tr("Listener"));
    m_listener->setToolTip(tr("Who hears: everything follows, without a click"));
    m_listener->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_listener->setMinimumWidth(132);
    row->addWidget(m_listener);
    m_pick =
        button(QStringLiteral("pick"), QStringLiteral("select"), {}, tr("Listen from the selected entity"));
    row->addWidget(m_pick);
    m_client = button(QStringLiteral("client"), QStringLiteral("network"), tr("Server"),
                      tr("Whose world is heard: the server's, or what has come to a client, with its lag"));
    m_client->setPopupMode(QToolButton::InstantPopup);
    m_clientMenu = new QMenu(m_client);
    m_clientMenu->setObjectName(QStringLiteral("probe.clientMenu"));
    m_client->setMenu(m_clientMenu);
    m_client->hide();
    row->addWidget(m_client);
    row->addSpacing(measure::PanelPadding);
    auto* modes = new QButtonGroup(this);
    modes->setExclusive(true);
    static const char* const Tips[] = {"As a head hears: delay, level and spectrum at each ear",
                                       "Stereo by level alone", "Both ears alike",
                                       "Two points 15 cm apart with a delay each, and nothing else"};
    for (std::size_t i = 0; i < Modes.size(); ++i) {
        m_modes[i] = button(QStringLiteral("mode%1").arg(i), {}, modeName(Modes[i]),
                            tr(Tips[i]) + tr(". B: binaural or the other, equally loud"));
        m_modes[i]->setCheckable(true);
        modes->addButton(m_modes[i]);
        row->addWidget(m_modes[i]);
        connect(m_modes[i], &QToolButton::clicked, this, [this, i] { setMode(Modes[i]); });
    }
    row->addSpacing(measure::PanelPadding);
    m_hrtf = button(QStringLiteral("hrtf"), {}, tr("Head"),
                    tr("Whose head hears: a measured set, a sphere, or a SOFA file"));
    m_hrtf->setPopupMode(QToolButton::InstantPopup);
    auto* heads = new QMenu(m_hrtf);
    heads->addAction(tr("The one that came with the program"), this, [this] {
        if (m_firstHrtf)
            useHrtf(m_firstHrtf, {});
    });
    for (const double radius : {0.0775, 0.0875, 0.0975}) {
        const QString name = tr("Rigid sphere of %1 mm").arg(radius * 1e3, 0, 'f', 1);
        heads->addAction(name, this, [this, radius, name] {
            useHrtf(audio::HrtfSet::sphere(m_view->sampleRate, radius), name);
        });
    }
    heads->addSeparator();
    heads->addAction(tr("Load a SOFA file…"), this, [this] {
        const QString file =
            fileToOpen(this, tr("Head-related responses"), m_document.folder(), tr("SOFA files (*.sofa)"));
        if (!file.isEmpty())
            loadHrtf(file);
    });
    m_hrtf->setMenu(heads);
    row->addWidget(m_hrtf);
    m_record = button(QStringLiteral("record"), QStringLiteral("record"), {},
                      tr("Record what is heard to a WAV file (R)"));
    m_record->setCheckable(true);
    row->addWidget(m_record);
    m_create = button(QStringLiteral("createSound"), QStringLiteral("plus"), tr("Create sound"), {});
    m_create->hide();
    row->addWidget(m_create);
    row->addStretch(1);
    m_load = new LoadView(m_theme, bar);
    row->addWidget(m_load);
    m_cost = mutedLabel(m_theme, {}, bar);
    m_cost->setObjectName(QStringLiteral("probe.cost"));
    m_cost->setFont(m_theme.font(FontRole::Mono));
    row->addWidget(m_cost);
    row->addSpacing(measure::PanelPadding);
    m_device = button(QStringLiteral("device"), QStringLiteral("sound"), {}, tr("The device that plays"));
    m_device->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_device->setPopupMode(QToolButton::InstantPopup);
    m_deviceMenu = new QMenu(m_device);
    m_deviceMenu->setObjectName(QStringLiteral("probe.deviceMenu"));
    m_device->setMenu(m_deviceMenu);
    row->addWidget(m_device);

    m_line = new QWidget(this);
    m_line->setObjectName(QStringLiteral("probe.line"));
    m_line->setAutoFillBackground(true); // it lies over the meters
    auto* line = new QHBoxLayout(m_line);
    line->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::RelatedGap);
    m_said = new QLabel(m_line);
    m_said->setObjectName(QStringLiteral("probe.said"));
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    line->addWidget(m_said, 1);
    auto* close = button(QStringLiteral("said.close"), QStringLiteral("close"), {}, tr("Dismiss"));
    connect(close, &QToolButton::clicked, m_line, &QWidget::hide);
    line->addWidget(close);
    m_line->hide();
    return bar;
}

QWidget* ProbePanel::makeHands() {
    auto* hands = new QWidget(this);
    m_hands = hands;
    hands->setObjectName(QStringLiteral("probe.hands"));
    hands->setFixedWidth(HandsWidth);
    auto* column = new QVBoxLayout(hands);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(measure::RelatedGap);
    m_sound = new QComboBox(hands);
    m_sound->setObjectName(QStringLiteral("probe.sound"));
    m_sound->setAccessibleName(tr("Chosen sound"));
    m_sound->setToolTip(tr("The sound that is moved, played and shown"));
    column->addWidget(m_sound);

    auto* place = new QHBoxLayout;
    place->setSpacing(measure::RelatedGap);
    const auto field = [&](const char* name, const QString& accessible, const NumberFormat& format) {
        auto* out = new NumberField(m_theme, format, hands);
        out->setObjectName(QStringLiteral("probe.") + QLatin1String(name));
        out->setAccessibleName(accessible);
        out->setToolTip(accessible);
        place->addWidget(out, 1);
        return out;
    };
    m_azimuth = field("azimuth", tr("Azimuth: 0 ahead, positive to the right"),
                      {.decimals = 1,
                       .smallExact = false,
                       .typedDecimals = 3,
                       .minimum = -360.0,
                       .maximum = 360.0,
                       .unit = QStringLiteral("°")});
    m_elevation = field("elevation", tr("Elevation: positive up"),
                        {.decimals = 1,
                         .smallExact = false,
                         .typedDecimals = 3,
                         .minimum = -90.0,
                         .maximum = 90.0,
                         .unit = QStringLiteral("°")});
    m_distance = field("distance", tr("Distance"),
                       {.decimals = 2,
                        .smallExact = false,
                        .typedDecimals = 4,
                        .minimum = 0.1,
                        .maximum = 1000.0,
                        .unit = QStringLiteral("m")});
    column->addLayout(place);

    auto* transport = new QHBoxLayout;
    transport->setSpacing(measure::RelatedGap);
    m_play = button(QStringLiteral("play"), QStringLiteral("play"), {},
                    tr("Play it where it is, from the start (P); the world need not run"));
    m_stop = button(QStringLiteral("stop"), QStringLiteral("stop"), {}, tr("Stop"));
    m_loop = button(QStringLiteral("loop"), QStringLiteral("revert"), {}, tr("Start over at its end"));
    m_loop->setCheckable(true);
    m_seek = new QSlider(Qt::Horizontal, hands);
    m_seek->setObjectName(QStringLiteral("probe.seek"));
    m_seek->setAccessibleName(tr("Place in the sound"));
    m_seek->setRange(0, SeekSteps);
    m_time = mutedLabel(m_theme, {}, hands);
    m_time->setObjectName(QStringLiteral("probe.time"));
    m_time->setFont(m_theme.font(FontRole::Mono));
    for (QToolButton* each : {m_play, m_stop, m_loop})
        transport->addWidget(each);
    transport->addWidget(m_seek, 1);
    transport->addWidget(m_time);
    column->addLayout(transport);

    m_sourceRow = new QWidget(hands);
    auto* source = new QGridLayout(m_sourceRow);
    m_sourceGrid = source;
    source->setContentsMargins(0, 0, 0, 0);
    source->setSpacing(measure::RelatedGap);
    m_soundFiles = new SoundFiles(this);
    m_signal = new QComboBox(m_sourceRow);
    m_signal->setObjectName(QStringLiteral("probe.signal"));
    m_signal->setAccessibleName(tr("Test signal"));
    m_signal->setToolTip(
        tr("What it plays: a signal to listen and measure by, or any sound file of the project"));
    m_path = new QComboBox(m_sourceRow);
    m_path->setObjectName(QStringLiteral("probe.path"));
    m_path->setAccessibleName(tr("Path of the probe's source"));
    m_path->addItems({tr("Still"), tr("Circle"), tr("Figure 8"), tr("Fly-by")});
    m_path->setToolTip(tr("How it moves about the head; F starts a fly-by"));
    m_speed = new NumberField(
        m_theme, {.decimals = 1, .minimum = 0.1, .maximum = 100.0, .unit = QStringLiteral("m/s")},
        m_sourceRow);
    m_speed->setObjectName(QStringLiteral("probe.speed"));
    m_speed->setAccessibleName(tr("Speed on the path"));
    for (QComboBox* box : {m_signal, m_path}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(5);
        source->addWidget(box, 0, box == m_signal ? 0 : 1);
        source->setColumnStretch(box == m_signal ? 0 : 1, 1);
    }
    source->addWidget(m_speed, 1, 0);
    m_flyBy = button(QStringLiteral("flyBy"), {}, tr("Fly-by"), tr("Let it fly past the head (F)"));
    m_flyBy->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_flyBy, &QToolButton::clicked, this, &ProbePanel::startFlyBy);
    source->addWidget(m_flyBy, 1, 1);
    column->addWidget(m_sourceRow);
    m_note = mutedLabel(m_theme, {}, hands);
    m_note->setObjectName(QStringLiteral("probe.note"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::RichText);
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_note->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    column->addWidget(m_note, 1);
    return hands;
}

QWidget* ProbePanel::makeTabs() {
    m_tabs = new QTabWidget(this);
    m_tabs->setObjectName(QStringLiteral("probe.tabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setElideMode(Qt::ElideNone); // the names are what one chooses by: rather arrows beside them
    m_tabs->setUsesScrollButtons(true);
    auto* voices = new QWidget(m_tabs);
    auto* column = new QVBoxLayout(voices);
    m_voicesColumn = column;
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_filter = new FilterBar(m_theme, QStringLiteral("probe"), tr("Filter sounds"), voices);
    m_filter->leaveOnEsc();
    m_heardOnly = button(QStringLiteral("heardOnly"), {}, tr("Sounding"), tr("Only those that have a voice"));
    m_heardOnly->setCheckable(true);
    m_filter->addTrailing(m_heardOnly);
    column->addWidget(m_filter);
    m_voices = new VoiceModel(m_theme, this);
    m_proxy = new VoiceProxy(this);
    m_proxy->setSourceModel(m_voices);
    // Rows do not jump while levels move: they are sorted when others come, and when a header is clicked. See showVoices().
    m_proxy->setDynamicSortFilter(false);
    m_table = new QTableView(voices);
    m_table->setObjectName(QStringLiteral("probe.voices"));
    m_table->setAccessibleName(tr("Voices"));
    m_table->setModel(m_proxy);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(VoiceModel::Entity, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(measure::RowHeight);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setHighlightSections(false);
    header.setMinimumSectionSize(measure::RowHeight);
    static constexpr int Widths[] = {24, 24, 92, 108, 168, 76, 72, 56, 76, 56, 84, 64, 72, 68};
    for (int i = 0; i < VoiceModel::ColumnCount; ++i)
        header.resizeSection(i, Widths[i]);
    for (int place = 0; place < VoiceModel::ColumnCount; ++place)
        header.moveSection(header.visualIndex(VoiceModel::Order[static_cast<std::size_t>(place)]), place);
    m_table->setItemDelegateForColumn(VoiceModel::Level, new LevelDelegate(m_theme, m_table));
    header.setSectionResizeMode(VoiceModel::Mute, QHeaderView::Fixed);
    header.setSectionResizeMode(VoiceModel::Solo, QHeaderView::Fixed);
    auto* noMatch = new NoMatchSwitch(m_theme, m_table, *m_filter, tr("No sound matches the filter."),
                                      QStringLiteral("probe.noMatch"));
    connect(noMatch, &NoMatchSwitch::cleared, this, [this] { m_heardOnly->setChecked(false); });
    m_noMatch = noMatch;
    auto* noSound = new EmptyState(m_theme, QStringLiteral("sound"),
                                   tr("No sound is in the scene. Create one to hear it where it is."));
    noSound->setObjectName(QStringLiteral("probe.noSound"));
    m_noSound = new EmptySwitch(m_noMatch, noSound);
    column->addWidget(m_noSound, 1);
    m_tabs->addTab(voices, tr("Voices"));

    const auto padded = [&](QWidget* inner) {
        auto* page = new QWidget(m_tabs);
        auto* layout = new QVBoxLayout(page);
        layout->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                                   measure::PanelPadding);
        layout->addWidget(inner);
        return page;
    };
    auto* reasons = new QScrollArea(m_tabs);
    reasons->setFrameShape(QFrame::NoFrame);
    reasons->setWidgetResizable(true);
    reasons->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_why = new WhyView(m_theme, reasons);
    reasons->setWidget(m_why);
    m_tabs->addTab(reasons, tr("Why"));
    m_tabs->setTabToolTip(1, tr("Why can't I hear this?"));
    m_curve = new CurveView(m_theme, m_tabs);
    m_tabs->addTab(padded(m_curve), tr("Distance"));
    m_response = new SpectrumView(m_theme, QStringLiteral("probe.response"), tr("Response of the head"),
                                  -36.0, 18.0, m_tabs);
    m_quiz = new HeadQuiz(m_theme, m_tabs);
    QWidget* head = padded(m_response);
    head->layout()->addWidget(m_quiz);
    m_tabs->addTab(head, tr("Head"));
    return m_tabs;
}

QWidget* ProbePanel::makeMeters() {
    auto* meters = new QWidget(this);
    auto* column = new QVBoxLayout(meters);
    m_meterColumn = column;
    column->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::PanelPadding);
    column->setSpacing(measure::RelatedGap);
    m_meters = new EarMeters(m_theme, meters);
    m_wave = new WaveView(m_theme, meters);
    m_spectrum =
        new SpectrumView(m_theme, QStringLiteral("probe.spectrum"), tr("Spectrum, dB"), -96.0, 0.0, meters);
    m_figures = new FiguresView(m_theme, meters);
    column->addWidget(m_meters);
    m_scopes = new QWidget(meters);
    auto* scopes = new QHBoxLayout(m_scopes);
    scopes->setContentsMargins(0, 0, 0, 0);
    scopes->setSpacing(measure::RelatedGap);
    scopes->addWidget(m_wave, 1);
    scopes->addWidget(m_spectrum, 1);
    column->addWidget(m_scopes, 1);
    column->addWidget(m_figures);
    meters->setMinimumWidth(MeterWidth);
    return meters;
}

void ProbePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(event->size().width() < NarrowWidth, event->size().height() < LowHeight);
    placeLine();
}

// It lies over what is only looked at: nothing moves when it comes and goes, and no row is kept free for it.
void ProbePanel::placeLine() {
    if (m_line->isHidden())
        return;
    const QWidget& below = m_narrow ? static_cast<const QWidget&>(*m_tabs) : *m_meterPane;
    const QWidget& body = *m_line->parentWidget();
    QRect area(below.mapTo(&body, QPoint(0, 0)), below.size());
    area.setTop(area.bottom() + 1 - m_line->sizeHint().height());
    m_line->setGeometry(area);
    m_line->raise();
}

void ProbePanel::setCreateAction(QAction* create) {
    findChild<EmptyState*>(QStringLiteral("probe.noSound"))->setAction(create);
    m_create->setToolTip(create->toolTip());
    connect(m_create, &QToolButton::clicked, create, &QAction::trigger);
    connect(create, &QAction::changed, m_create,
            [this, create] { m_create->setEnabled(create->isEnabled()); });
}

void ProbePanel::arrange(bool narrow, bool low) {
    if (narrow == m_narrow && low == m_low)
        return;
    setNarrow(narrow);
    setLow(low);
    m_meterColumn->setDirection(narrow && low ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    if (const bool inBar = low && !narrow; inBar != m_filterInBar) {
        m_filterInBar = inBar;
        m_filter->setMinimumWidth(inBar ? FilterWidth : 0);
        m_filter->setMaximumWidth(inBar ? FilterWidth : QWIDGETSIZE_MAX);
        if (inBar) {
            m_barRow->insertWidget(m_barRow->indexOf(m_record) + 1, m_filter);
        } else {
            m_voicesColumn->insertWidget(0, m_filter);
        }
        m_filter->show();
    }
    showBar();
    showHands();
}

void ProbePanel::setLow(bool low) {
    if (low == m_low)
        return;
    m_low = low;
    m_hands->setFixedWidth(low ? LowHandsWidth : HandsWidth);
    // Signal and path, below them speed and fly-by; or all in a row.
    m_sourceGrid->addWidget(m_speed, low ? 0 : 1, low ? 2 : 0);
    m_sourceGrid->addWidget(m_flyBy, low ? 0 : 1, low ? 3 : 1);
    if (low) {
        auto* page = new QWidget(m_tabs);
        auto* layout = new QVBoxLayout(page);
        layout->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                                   measure::PanelPadding);
        layout->addWidget(m_scopes);
        m_tabs->addTab(page, tr("Waves"));
    } else {
        QWidget* page = m_scopes->parentWidget();
        m_meterColumn->insertWidget(1, m_scopes, 1);
        m_tabs->removeTab(m_tabs->indexOf(page));
        delete page;
    }
    m_scopes->show();
}

void ProbePanel::setNarrow(bool narrow) {
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    if (narrow) {
        m_tabs->insertTab(0, m_place, tr("Places"));
        m_tabs->insertTab(1, m_meterPane, tr("Meters"));
        m_tabs->setCurrentIndex(0);
        m_split->setSizes({HandsWidth, NarrowWidth}); // all that the hands leave
    } else {
        m_tabs->removeTab(m_tabs->indexOf(m_meterPane));
        m_tabs->removeTab(m_tabs->indexOf(m_place));
        m_placeRow->insertWidget(0, m_place, 1);
        m_place->show();
        m_split->addWidget(m_meterPane);
        m_split->setStretchFactor(2, 4);
        m_meterPane->show();
        m_split->setSizes(WideSizes);
    }
    for (QWidget* each : {static_cast<QWidget*>(m_load), static_cast<QWidget*>(m_cost)})
        each->setVisible(!narrow);
    m_device->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    m_listener->setMaximumWidth(narrow ? m_listener->minimumWidth() : QWIDGETSIZE_MAX);
}

void ProbePanel::connectParts() {
    connect(&m_timer, &QTimer::timeout, this, &ProbePanel::beat);
    connect(m_place, &PlaceView::chosen, this, [this](const SoundKey& key) { setCurrent(key); });
    connect(m_place, &PlaceView::moved, this, &ProbePanel::move);
    connect(m_place, &PlaceView::activated, this, [this](const SoundKey& key) {
        if (key.entity.empty())
            return;
        setCurrent(key);
        emit entityActivated();
    });
    const auto typed = [this](double, bool committed) {
        const ProbeSound* sound = currentSound();
        if (sound == nullptr)
            return;
        move(m_current, {m_azimuth->value() * Degree, m_elevation->value() * Degree, m_distance->value()},
             committed);
    };
    for (NumberField* field : {m_azimuth, m_elevation, m_distance})
        connect(field, &NumberField::changed, this, typed);
    connect(m_sound, &QComboBox::activated, this, [this](int index) {
        const QVariantList key = m_sound->itemData(index).toList();
        if (key.size() == 2)
            setCurrent({key[0].toString().toStdString(), key[1].toInt()});
    });
    connect(m_play, &QToolButton::clicked, this, &ProbePanel::playCurrent);
    connect(m_stop, &QToolButton::clicked, this, &ProbePanel::stopCurrent);
    connect(m_loop, &QToolButton::clicked, this, [this](bool on) {
        m_loops = on;
        m_probe->setLoop(m_current, on);
    });
    connect(m_seek, &QSlider::sliderReleased, this, [this] {
        if (const ProbeSound* sound = currentSound(); sound != nullptr && sound->length_s > 0.0)
            m_probe->play(m_current, m_loops, sound->length_s * m_seek->value() / SeekSteps);
    });
    connect(m_signal, &QComboBox::activated, this, [this](int index) {
        ProbeSource source = m_source;
        source.file = m_signal->itemData(index).toString().toStdString();
        if (source.file.empty())
            source.signal = static_cast<audio::TestSignal>(index);
        setSource(source);
    });
    connect(m_path, &QComboBox::activated, this, [this](int index) {
        if (static_cast<ProbeSource::Path>(index) == ProbeSource::Path::FlyBy) {
            startFlyBy();
            return;
        }
        ProbeSource source = m_source;
        source.path = static_cast<ProbeSource::Path>(index);
        ++source.start;
        setSource(source);
    });
    connect(m_speed, &NumberField::changed, this, [this](double value, bool committed) {
        if (!committed)
            return;
        ProbeSource source = m_source;
        source.speed = static_cast<float>(value);
        ++source.start;
        setSource(source);
    });
    connect(m_curve, &CurveView::changed, this, &ProbePanel::setField);
    connect(m_quiz, &HeadQuiz::soundRequested, this, &ProbePanel::soundFrom);
    connect(m_quiz, &HeadQuiz::ended, this, [this] {
        ProbeSource source = m_source;
        source.on = false;
        setSource(source);
    });
    connect(m_split, &QSplitter::splitterMoved, this, &ProbePanel::placeLine);
    connect(m_why, &WhyView::fixRequested, this, &ProbePanel::fix);
    connect(m_filter, &FilterBar::filterChanged, this, [this](const QString& text) {
        m_proxy->setText(text);
        countVoices();
    });
    connect(m_heardOnly, &QToolButton::toggled, this, [this](bool only) {
        m_proxy->setHeardOnly(only);
        countVoices();
    });
    connect(m_voices, &VoiceModel::rebuilt, this, [this] { m_sortDue = true; });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (!index.flags().testFlag(Qt::ItemIsEnabled))
            return; // its entity is gone
        const int row = m_proxy->mapToSource(index).row();
        if (index.column() != VoiceModel::Mute && index.column() != VoiceModel::Solo) {
            pick(row);
            return;
        }
        setCurrent(m_voices->keyAt(row)); // a switch is no question for its message
        if (index.column() == VoiceModel::Mute)
            toggleMuted();
        else
            toggleSolo();
    });
    connect(m_table, &QTableView::activated, this, [this] {
        if (!m_current.entity.empty())
            emit entityActivated();
    });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &ProbePanel::showVoiceMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid() && now.flags().testFlag(Qt::ItemIsEnabled) && m_table->hasFocus())
                    setCurrent(m_voices->keyAt(m_proxy->mapToSource(now).row()));
            });
    connect(m_listener, &QComboBox::activated, this, &ProbePanel::chooseListener);
    connect(m_pick, &QToolButton::clicked, this,
            [this] { listen(Listening::From::Entity, m_selection.primary()); });
    connect(m_record, &QToolButton::clicked, this, [this] {
        m_record->setChecked(isRecording());
        isRecording() ? stopRecording() : record();
    });
    connect(m_deviceMenu, &QMenu::aboutToShow, this, &ProbePanel::fillDevices);
    connect(m_clientMenu, &QMenu::aboutToShow, this, &ProbePanel::fillClients);
    connect(m_note, &QLabel::linkActivated, this, [this](const QString& entity) {
        m_selection.setEntity(entity.toStdString(), QStringLiteral("probe.obstacle"));
    });
    connect(&m_selection, &Selection::entitiesChanged, this, [this](const QString& source) {
        m_pick->setEnabled(!m_selection.primary().empty());
        if (source == QStringLiteral("probe") || m_selection.primary() == m_current.entity)
            return;
        const SoundKey key{m_selection.primary(), 0};
        if (m_view->find(key) != nullptr)
            setCurrent(key, false);
    });
    m_pick->setEnabled(!m_selection.primary().empty());
    for (const auto moved : {&Document::opened, &Document::filesChanged})
        connect(&m_document, moved, this, [this] { m_soundFiles->setFolder(m_document.folder()); });
    connect(m_soundFiles, &SoundFiles::changed, this, [this] {
        m_signalsStale = m_signal->view()->isVisible();
        if (!m_signalsStale)
            fillSignals();
    });
    m_soundFiles->setFolder(m_document.folder());
    connect(&m_feed, &SessionFeed::entitiesChanged, this, &ProbePanel::fillListeners);
}

} // namespace sbx::ui
