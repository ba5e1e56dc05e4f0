#include "views/explore/timeline/range_statistics.h"

#include <QPainter>
#include <algorithm>
#include <numeric>

#include "views/explore/timeline/legend.h"
#include "views/figures/csv.h"
#include "views/figures/figure_table.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString mean_text(const RangeStatistics::CounterMean& counter) {
  const QString amount = quantity_text(counter.mean, counter.peak);
  if (counter.unit == QLatin1String("%")) return QStringLiteral("%1 %").arg(amount);
  if (counter.peak <= 0) return QStringLiteral("%1 %2").arg(amount, core_words(counter.unit));
  return QStringLiteral("%1 = %2").arg(amount, percent_text(counter.mean / counter.peak));
}

constexpr qsizetype kMostLetters = 200;  // of a cell: names may have any length

class StatisticsFigure final : public Figure {
 public:
  explicit StatisticsFigure(StatisticsTable table) : table_(std::move(table)) {
    drawn_.header = cells_of(table_.header());
    for (const QStringList& row : table_.rows()) drawn_.rows.push_back(cells_of(row));
  }

  QString title() const override {
    return Text::tr("Statistics from %1 to %2")
        .arg(duration_text(table_.shown().begin), duration_text(table_.shown().end));
  }
  QString fileStem() const override { return QStringLiteral("statistics"); }
  QSizeF size() const override { return TableLayout(drawn_).size(); }
  QSizeF sizeWithin(double width) const override { return {width, TableLayout(drawn_, width).size().height()}; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    TableLayout(drawn_, area.width()).paint(painter, area.topLeft(), theme);
  }
  QString csv() const override { return table_.csv(); }

 private:
  static std::vector<FigureCell> cells_of(const QStringList& texts) {
    std::vector<FigureCell> cells;
    for (const QString& text : texts) cells.push_back({.text = text.left(kMostLetters), .right = !cells.empty()});
    return cells;
  }

  StatisticsTable table_;
  FigureTable drawn_;
};

}  // namespace

double RangeStatistics::lane_share(std::size_t lane) const {
  return own.length() > Micros(0) ? lanes[lane] / own.length() : 0;
}

double RangeStatistics::busy_share() const {
  if (lanes.empty() || own.length() <= Micros(0)) return 0;
  return std::accumulate(lanes.begin(), lanes.end(), Micros(0)) / (own.length() * static_cast<double>(lanes.size()));
}

RangeStatistics range_statistics(const TimelineScene& scene, const TimelineBand& band, TimeRange shown) {
  const Trace& trace = scene.result(band).trace;
  RangeStatistics statistics;
  statistics.track = scene.tracks()[band.track];
  const TimeWarp& warp = band.index->warp();
  statistics.own = {std::clamp(warp.own(shown.begin), Micros(0), trace.duration),
                    std::clamp(warp.own(shown.end), Micros(0), trace.duration)};
  for (const LaneIndex& lane : band.lanes) {
    statistics.lanes.push_back(lane.busy_between(shown.begin, shown.end));
    statistics.kernels += lane.count_between(shown.begin, shown.end);
    const ClassTimes times = lane.class_times_between(shown.begin, shown.end);
    for (std::size_t i = 0; i < kOperatorClasses; ++i) statistics.by_class[i] += times[i];
  }
  for (const Counter& counter : trace.counters) {
    if (counter.values.empty()) continue;
    statistics.counters.push_back({text_of(counter.name), text_of(counter.unit), text_of(counter.source),
                                   counter.mean(statistics.own.begin, statistics.own.end), counter.peak});
  }
  return statistics;
}

StatisticsTable::StatisticsTable(const TimelineScene& scene, TimeRange shown) : shown_(shown) {
  for (const TimelineBand& band : scene.bands()) runs_.push_back(range_statistics(scene, band, shown));
}

QStringList StatisticsTable::header() const {
  QStringList header{Text::tr("In %1").arg(duration_text(shown_.length()))};
  for (const RangeStatistics& run : runs_) header << run.track.name();
  return header;
}

std::vector<QStringList> StatisticsTable::rows() const {
  std::vector<QStringList> rows;
  const auto add = [&](const QString& quantity, const auto& text_of_run) {
    QStringList row{quantity};
    for (const RangeStatistics& run : runs_) row << text_of_run(run);
    rows.push_back(row);
  };
  add(Text::tr("busy lanes"), [](const RangeStatistics& run) { return percent_text(run.busy_share()); });
  std::size_t lanes = 0;
  for (const RangeStatistics& run : runs_) lanes = std::max(lanes, run.lanes.size());
  for (std::size_t lane = 0; lanes > 1 && lane < lanes; ++lane) {
    add(Text::tr("lane %1 busy").arg(lane + 1), [lane](const RangeStatistics& run) {
      return lane < run.lanes.size() ? percent_text(run.lane_share(lane)) : QString();
    });
  }
  add(Text::tr("kernels"), [](const RangeStatistics& run) { return count_text(static_cast<double>(run.kernels)); });
  QStringList quantities;
  for (const RangeStatistics& run : runs_) {
    for (const RangeStatistics::CounterMean& counter : run.counters) quantities << counter.quantity;
  }
  quantities.removeDuplicates();
  for (const QString& quantity : quantities) {
    add(Text::tr("mean %1").arg(core_words(quantity)), [&](const RangeStatistics& run) {
      const auto found = std::ranges::find(run.counters, quantity, &RangeStatistics::CounterMean::quantity);
      return found == run.counters.end() ? QString() : mean_text(*found);
    });
  }
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    const bool any = std::ranges::any_of(runs_, [&](const auto& run) { return run.by_class[i] > Micros(1e-6); });
    if (!any) continue;
    add(class_text(static_cast<OperatorClass>(i)), [i](const RangeStatistics& run) {
      return run.by_class[i] > Micros(1e-6) ? duration_text(run.by_class[i]) : QString::fromUtf8("\u2013");
    });
  }
  return rows;
}

QString StatisticsTable::tab_separated() const {
  const auto line = [](QStringList cells) {
    for (QString& cell : cells) cell.replace(QLatin1Char('\t'), QLatin1Char(' '));
    return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  };
  QString text = line(header());
  for (const QStringList& row : rows()) text += line(row);
  return text;
}

QString StatisticsTable::csv() const {
  QString text = csv_record({QStringLiteral("schedule"), QStringLiteral("run"), QStringLiteral("origin"),
                             QStringLiteral("begin_us"), QStringLiteral("end_us"), QStringLiteral("quantity"),
                             QStringLiteral("value"), QStringLiteral("unit"), QStringLiteral("source")});
  for (const RangeStatistics& run : runs_) {
    const auto add = [&](const QString& quantity, double value, const QString& unit, const QString& source = {}) {
      text += csv_record({shown_name(run.track.schedule().id.text()), shown_name(run.track.run),
                          origin_id(run.track.schedule().latency.origin), csv_number(run.own.begin.count()),
                          csv_number(run.own.end.count()), quantity, csv_number(value), unit, source});
    };
    add(QStringLiteral("busy lanes"), run.busy_share() * 100, QStringLiteral("%"));
    for (std::size_t lane = 0; lane < run.lanes.size(); ++lane) {
      add(QStringLiteral("lane %1 busy").arg(lane + 1), run.lane_share(lane) * 100, QStringLiteral("%"));
    }
    add(QStringLiteral("kernels"), static_cast<double>(run.kernels), {});
    for (const RangeStatistics::CounterMean& counter : run.counters) {
      add(QStringLiteral("mean ") + counter.quantity, counter.mean, counter.unit, counter.source);
    }
    for (std::size_t i = 0; i < kOperatorClasses; ++i) {
      if (run.by_class[i] <= Micros(1e-6)) continue;
      add(qstring(class_name(static_cast<OperatorClass>(i))), run.by_class[i].count(), QStringLiteral("us"));
    }
  }
  return text;
}

std::unique_ptr<Figure> make_statistics_figure(StatisticsTable table) {
  return std::make_unique<StatisticsFigure>(std::move(table));
}

}  // namespace iosx
