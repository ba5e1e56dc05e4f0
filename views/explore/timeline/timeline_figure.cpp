#include "views/explore/timeline/timeline_figure.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>

#include "views/explore/timeline/legend.h"
#include "views/explore/timeline/timeline_painter.h"
#include "views/explore/timeline/timeline_scene.h"
#include "views/explore/utilization/why_painter.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kWidth = 1400;
constexpr double kLegendGap = 6;  // above the legend
constexpr double kLegendRow = 22;
constexpr double kBesideAxis = 26;
constexpr double kBeyondEnd = 1.06;    // of the longest run
constexpr double kLeastHeader = 172;   // of a narrow figure: of IOS-Parallel and its speed-up
constexpr double kHeaderShare = 0.36;  // of its width

double header_width(double width) {
  return std::clamp(kHeaderShare * width, kLeastHeader, TimelineScene::kHeaderWidth);
}

double axis_width(double width) { return std::max(width - header_width(width) - kBesideAxis, 40.0); }

// Returns the subject of the picture: the given one, or else the fastest.
std::optional<std::size_t> focus_of(const TimelinePicture& picture) {
  if (picture.focus) return picture.focus;
  const auto latency = [&](const WarpedTrack& track) { return track.track.schedule().latency.value; };
  const auto fastest = std::ranges::min_element(picture.tracks, {}, latency);
  if (fastest == picture.tracks.end()) return std::nullopt;
  return static_cast<std::size_t>(fastest - picture.tracks.begin());
}

TimelineScene scene_of(const TimelinePicture& picture) {
  const std::vector<WarpedTrack>& placed = picture.tracks;
  std::vector<TimelineTrack> tracks;
  for (const WarpedTrack& track : placed) tracks.push_back(track.track);
  const auto heats = band_heats(tracks, {});
  std::vector<ShownTrack> shown;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    shown.push_back({i, picture.collapsed.contains(i), false,
                     std::make_shared<const TrackIndex>(tracks[i], nullptr, placed[i].warp), heats[i]});
  }
  TimelineScene scene(tracks, shown);
  scene.set_more(picture.hidden, false);
  scene.set_baseline(picture.baseline);
  scene.set_focus(focus_of(picture));
  return scene;
}

std::shared_ptr<const WhyPanel> why_of(const TimelinePicture& picture) {
  if (!picture.why_of) return nullptr;
  return why_panel(picture.baseline ? std::optional(picture.tracks[*picture.baseline]) : std::nullopt,
                   picture.tracks[*picture.why_of]);
}

class TimelineFigure final : public Figure {
 public:
  TimelineFigure(const TimelinePicture& picture, TimeRange range, std::optional<TimeMeasure> measure)
      : scene_(scene_of(picture)),
        why_(why_of(picture)),
        range_(range),
        measure_(measure),
        playhead_(picture.playhead) {
    scene_.fill_height(0);
    if (range_.length() > Micros(0)) return;
    const Micros longest = scene_.duration() > Micros(0) ? scene_.duration() : Micros(1);
    range_ = {Micros(0), longest * kBeyondEnd};
  }

  QString title() const override { return Text::tr("Timeline: %1").arg(contexts(&context_text)); }
  QString fileStem() const override { return QStringLiteral("timeline"); }
  QSizeF size() const override { return sizeWithin(kWidth); }
  QSizeF sizeWithin(double width) const override {
    const auto rows = static_cast<double>(legendRows(width, Theme::light()).size());
    return {width, TimelinePainter::kRulerHeight + scene_.height() + whyHeight(width) + kLegendGap + kLegendRow * rows};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.save();
    painter.translate(area.topLeft());
    const TimeAxis axis{range_, header_width(area.width()), axis_width(area.width())};
    const Selection nothing;
    const QFont font = QGuiApplication::font();
    const TimelinePainter parts(scene_, theme, axis, nothing, font);
    parts.ruler(painter, QRectF(0, 0, area.width(), TimelinePainter::kRulerHeight));
    painter.translate(0, TimelinePainter::kRulerHeight);
    parts.bands(painter, 0, scene_.height());
    if (why_) {
      WhyPainter(*why_, whyPicture(area.width()), theme, font)
          .paint(painter, QRectF(0, scene_.height(), area.width(), whyHeight(area.width())));
    }
    const double below = scene_.height() + whyHeight(area.width());
    if (measure_) parts.measure(painter, *measure_, 0, below);
    if (playhead_) parts.playhead(painter, *playhead_, 0, below);
    QRectF row(legendLeft(area.width()), below + kLegendGap, area.width(), kLegendRow);
    for (const std::vector<LegendEntry>& entries : legendRows(area.width(), theme)) {
      paint_legend(painter, row, entries, theme, font);
      row.translate(0, kLegendRow);
    }
    painter.restore();
  }

  QString recorded() const override {
    return contexts([](const Comparison& comparison) { return shown_name(comparison.recorded.text()); });
  }
  QString csv() const override {
    QStringList header{"schedule", "origin",   "stage",       "stream", "kernel", "operators",
                       "kind",     "begin_us", "duration_us", "flops",  "bytes"};
    if (several_runs()) header << QStringLiteral("run");
    if (measure_) header << QStringLiteral("in_range_us");
    QString text = csv_record(header);
    for (const TimelineBand& band : scene_.bands()) {
      for (std::size_t i = 0; i < scene_.result(band).trace.kernels.size(); ++i) {
        const TimeRange at = band.index->range(i);
        if (at.end < range_.begin || at.begin > range_.end) continue;
        text += record(band, i);
      }
    }
    return text;
  }

 private:
  // The legend begins below the axis, or where that is narrow below everything.
  static double legendLeft(double width) {
    return header_width(width) < TimelineScene::kHeaderWidth ? 0 : TimelineScene::kHeaderWidth;
  }
  std::vector<std::vector<LegendEntry>> legendRows(double width, const Theme& theme) const {
    const std::vector<LegendEntry> entries = legend(scene_.bands(), theme);
    return legend_rows(entries, width - legendLeft(width), QGuiApplication::font());
  }

  WhyPicture whyPicture(double width) const {
    return {.axis = {range_, header_width(width), axis_width(width)},
            .extent = {Micros(0), scene_.duration() * kBeyondEnd},
            .whole = false};
  }
  double whyHeight(double width) const {
    if (!why_) return 0;
    return WhyPainter(*why_, whyPicture(width), Theme::light(), QGuiApplication::font()).least() + WhyPainter::kPlot;
  }

  bool several_runs() const {
    return std::ranges::any_of(scene_.tracks(), [&](const TimelineTrack& track) {
      return track.comparison != scene_.tracks().front().comparison;
    });
  }

  // Returns the text of every comparison shown, each once.
  QString contexts(const auto& text_of) const {
    QStringList texts;
    for (const TimelineTrack& track : scene_.tracks()) texts << text_of(*track.comparison);
    texts.removeAll(QString());
    texts.removeDuplicates();
    return texts.join(QStringLiteral("; "));
  }

  QString record(const TimelineBand& band, std::size_t index) const {
    const TimelineTrack& track = scene_.tracks()[band.track];
    const ScheduleResult& result = track.schedule();
    const KernelSpan& span = result.trace.kernels[index];
    QStringList operators;
    QStringList work{{}, {}, {}};
    if (span.kernel.index() < result.plan.kernels.size()) {
      const Kernel& kernel = result.plan.kernel(span.kernel);
      for (const OperatorId id : kernel.operators) {
        if (track.comparison->graph) operators << shown_name(track.comparison->graph->op(id).name);
      }
      work = {qstring(class_name(operator_class(kernel.attributes))), csv_number(kernel.work.flops),
              QString::number(kernel.work.bytes())};
    }
    QStringList fields{shown_name(result.id.text()),
                       origin_id(result.latency.origin),
                       QString::number(span.stage + 1),
                       QString::number(span.lane + 1),
                       shown_name(span.name),
                       operators.join(QLatin1Char(' ')),
                       work[0],
                       csv_number(span.begin.count()),
                       csv_number((span.end - span.begin).count()),
                       work[1],
                       work[2]};
    if (several_runs()) fields << track.name();
    if (measure_) {
      const TimeRange at = band.index->range(index);
      const TimeRange in = measure_->range();
      fields << csv_number(std::max(Micros(0), std::min(at.end, in.end) - std::max(at.begin, in.begin)).count());
    }
    return csv_record(fields);
  }

  TimelineScene scene_;
  std::shared_ptr<const WhyPanel> why_;
  TimeRange range_;
  std::optional<TimeMeasure> measure_;
  std::optional<Micros> playhead_;
};

}  // namespace

std::unique_ptr<Figure> make_timeline_figure(const TimelinePicture& picture, TimeRange range,
                                             std::optional<TimeMeasure> measure) {
  return std::make_unique<TimelineFigure>(picture, range, measure);
}

std::unique_ptr<Figure> make_timeline_figure(const std::shared_ptr<const Comparison>& comparison,
                                             const std::vector<std::size_t>& shown, TimeRange range) {
  TimelinePicture picture{.tracks = unaligned(tracks_of(comparison, shown)).tracks};
  for (std::size_t i = 0; i < picture.tracks.size(); ++i) {
    const TimelineTrack& track = picture.tracks[i].track;
    if (&track.schedule() == comparison->find(ScheduleKind::kSequential)) picture.baseline = i;
    if (track.result == comparison->best()) picture.why_of = i;
  }
  return make_timeline_figure(picture, range);
}

}  // namespace iosx
