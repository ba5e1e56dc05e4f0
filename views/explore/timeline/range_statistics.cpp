#include "views/explore/timeline/range_statistics.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "views/figures/figure_table.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

QString mean_text(const RangeStatistics::CounterMean& counter) {
  const QString amount = quantity_text(counter.mean, counter.peak);
  if (counter.unit == QLatin1String("%")) return QStringLiteral("%1 %").arg(amount);
  if (counter.peak <= 0) return QStringLiteral("%1 %2").arg(amount, core_words(counter.unit));
  return QStringLiteral("%1 = %2").arg(amount, percent_text(counter.mean / counter.peak));
}

constexpr qsizetype kMostLetters = 200;  // of a cell: names may have any length

std::vector<FigureCell> cells_of(const QStringList& texts) {
  std::vector<FigureCell> cells;
  for (const QString& text : texts) cells.push_back({.text = text.left(kMostLetters), .right = !cells.empty()});
  return cells;
}

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
  QString text = csv_record({"schedule", "run", "origin", "begin_us", "end_us", "quantity", "value", "unit", "source"});
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
  FigureTable drawn;
  drawn.header = cells_of(table.header());
  for (const QStringList& row : table.rows()) drawn.rows.push_back(cells_of(row));
  const auto paint = [drawn](QPainter& painter, const QRectF& area, const Theme& theme) {
    TableLayout(drawn, area.width()).paint(painter, area.topLeft(), theme);
  };
  return figure_of({.title = Text::tr("Statistics from %1 to %2")
                                 .arg(duration_text(table.shown().begin), duration_text(table.shown().end)),
                    .file_stem = QStringLiteral("statistics"),
                    .size = TableLayout(drawn).size(),
                    .paint = paint,
                    .csv = [table] { return table.csv(); },
                    .height_within = [drawn](double width) { return TableLayout(drawn, width).size().height(); }});
}

namespace {

constexpr int kMostColumn = 190;
constexpr int kMostWidth = 620;
constexpr int kRowHeight = 20;

QToolButton* head_button(const QString& text, const QString& what, QWidget* parent) {
  QToolButton* made = bar_button(text, what, parent);
  made->setAccessibleName(what);
  return made;
}

}  // namespace

RangePanel::RangePanel(QWidget* parent) : QFrame(parent), title_(new QLabel(this)), cells_(new QTableWidget(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setAccessibleName(tr("Statistics of the measured time"));
  setCursor(Qt::ArrowCursor);
  title_->setTextFormat(Qt::PlainText);
  cells_->setAccessibleName(accessibleName());
  cells_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  cells_->setSelectionBehavior(QAbstractItemView::SelectRows);
  cells_->setShowGrid(false);
  cells_->setFrameShape(QFrame::NoFrame);
  cells_->setWordWrap(false);
  cells_->verticalHeader()->hide();
  cells_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  cells_->verticalHeader()->setMinimumSectionSize(kRowHeight);
  cells_->horizontalHeader()->setHighlightSections(false);
  cells_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* copy = head_button(tr("Copy"), tr("Copy the statistics as tab-separated text (Ctrl+C)"), this);
  auto* save = head_button(tr("Export\u2026"), tr("Write the statistics to a file: CSV, or a picture"), this);
  auto* close = head_button(QString::fromUtf8("\u2715"), tr("Clear the range (Esc)"), this);
  connect(copy, &QToolButton::clicked, this, &RangePanel::copy);
  connect(save, &QToolButton::clicked, this, &RangePanel::exportWanted);
  connect(close, &QToolButton::clicked, this, &RangePanel::closed);
  auto* head = new QHBoxLayout;
  head->setSpacing(2);
  head->addWidget(title_, 1);
  for (QToolButton* each : {copy, save, close}) head->addWidget(each);
  put_into(inset(new QVBoxLayout(this), {6, 3, 3, 3}, 2), {head, cells_});
  hide();
  follow_theme(this, [this](const Theme& theme) {
    QPalette colors = palette();
    for (const auto role : {QPalette::Window, QPalette::Base, QPalette::Button}) colors.setColor(role, theme.panel);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
      colors.setColor(role, theme.text);
    colors.setColor(QPalette::Highlight, theme.selectionFill);
    colors.setColor(QPalette::HighlightedText, theme.text);
    setPalette(colors);
  });
}

void RangePanel::show(StatisticsTable table) {
  table_ = std::move(table);
  const QStringList header = table_.header();
  const std::vector<QStringList> rows = table_.rows();
  const TimeRange shown = table_.shown();
  title_->setText(tr("%1 to %2").arg(duration_text(shown.begin), duration_text(shown.end)));
  cells_->setColumnCount(static_cast<int>(header.size()));
  cells_->setRowCount(static_cast<int>(rows.size()));
  cells_->setHorizontalHeaderLabels(header);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (qsizetype k = 0; k < rows[i].size(); ++k) {
      auto* cell = new QTableWidgetItem(rows[i][k]);
      if (k > 0) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      cells_->setItem(static_cast<int>(i), static_cast<int>(k), cell);
    }
  }
  cells_->resizeColumnsToContents();
  int width = 4;
  for (int k = 0; k < cells_->columnCount(); ++k) {
    cells_->setColumnWidth(k, std::min(cells_->columnWidth(k) + 6, kMostColumn));
    width += cells_->columnWidth(k);
  }
  const int table_height = kRowHeight * cells_->rowCount() + cells_->horizontalHeader()->sizeHint().height() + 4;
  const int head = title_->sizeHint().height() + 14;
  const QSize room = parentWidget()->size() - QSize(40, 40);
  // A scroll bar of its own where there is not room for all of it.
  const int height = std::min(table_height + head, room.height());
  if (table_height + head > height) width += 18;
  resize(std::min({width + 14, kMostWidth, room.width()}), std::max(height, 60));
  QFrame::show();
  raise();
}

void RangePanel::copy() const { QGuiApplication::clipboard()->setText(table_.tab_separated()); }

void RangePanel::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  event->key() == Qt::Key_Escape ? emit closed() : QFrame::keyPressEvent(event);
}

}  // namespace iosx

#include "moc_range_statistics.cpp"
