#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/views/compare/runs.h"
#include "views/compare/distribution_figure.h"
#include "views/compare/statistics_model.h"

namespace iosx {
namespace {

std::vector<Millis> spread_around(double middle, int count) {
  std::vector<Millis> samples;
  for (int i = 0; i < count; ++i) samples.emplace_back(middle * (1 + 0.001 * i));
  return samples;
}

LatencyBar bar_with(const QString& label, std::vector<Millis> samples, Origin origin = Origin::kMeasured) {
  LatencyBar bar;
  bar.label = label;
  bar.latency = {.value = samples.empty() ? Millis(1) : samples.front(),
                 .samples = static_cast<std::int64_t>(samples.size()),
                 .origin = origin};
  bar.samples = std::move(samples);
  return bar;
}

QImage painted(const Figure& figure, double width) {
  QImage image(figure.sizeWithin(width).toSize() + QSize(20, 20), QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  figure.paint(painter, QRectF(QPointF(10, 10), figure.sizeWithin(width)), Theme::light());
  return image;
}

TEST(Distribution, SaysPercentilesAsFarAsTheRunsTellThem) {
  const std::vector<LatencyBar> bars{bar_with("many", spread_around(4, 200)), bar_with("some", spread_around(6, 50)),
                                     bar_with("few", spread_around(6, 7))};
  const auto rows = distribution_rows(bars);
  ASSERT_EQ(rows.size(), 3U);
  // Of 200 values from 4 in steps of 0.004: the middle, the 190th and the 198th.
  EXPECT_EQ(rows[0].percentiles, QString::fromUtf8("p50 4.398 \u00B7 p95 4.756 \u00B7 p99 4.788"));
  EXPECT_EQ(rows[0].runs, "200 runs, measured");
  EXPECT_TRUE(rows[1].percentiles.endsWith(QString::fromUtf8("\u00B7 p99: too few runs")))
      << rows[1].percentiles.toStdString();
  EXPECT_TRUE(rows[2].percentiles.endsWith(QString::fromUtf8("\u00B7 p95: too few runs")))
      << rows[2].percentiles.toStdString();
  EXPECT_TRUE(has_distribution(bars));
}

TEST(Distribution, SaysWhyThereIsNone) {
  LatencyBar averaged = bar_with("gpu", {});
  averaged.latency.samples = 70;
  LatencyBar once = bar_with("other", {Millis(3)}, Origin::kRecorded);
  const std::vector<LatencyBar> bars{bar_with("ios-both", {}, Origin::kSimulated), averaged, once};
  const auto rows = distribution_rows(bars);
  EXPECT_TRUE(rows[0].runs.startsWith("simulated: one run without noise")) << rows[0].runs.toStdString();
  EXPECT_TRUE(rows[1].runs.startsWith("the single runs are not known")) << rows[1].runs.toStdString();
  EXPECT_TRUE(rows[2].runs.startsWith("only one time is known")) << rows[2].runs.toStdString();
  for (const DistributionRow& row : rows) EXPECT_TRUE(row.percentiles.isEmpty());
  EXPECT_FALSE(has_distribution(bars));
  EXPECT_FALSE(painted(*make_distribution_figure(bars, "x"), 600).isNull());
}

TEST(Distribution, OfThinnedSamplesSaysHowManyThereWere) {
  LatencyBar bar = bar_with("a", spread_around(1, 4000));
  bar.latency.samples = 9000;
  EXPECT_EQ(distribution_rows(std::span(&bar, 1)).front().runs.remove(QChar(0x2009)), "4000 of 9000 runs, measured");
}

TEST(Distribution, DataHasEveryRun) {
  std::vector<Millis> samples = spread_around(4, 200);
  samples.emplace_back(500);
  const std::vector<LatencyBar> bars{bar_with("a, \"b\"", samples), bar_with("none", {}, Origin::kSimulated)};
  const QStringList lines = make_distribution_figure(bars, "x")->csv().split("\n", Qt::SkipEmptyParts);
  EXPECT_EQ(lines.front(), "label,origin,runs,p50_ms,p95_ms,p99_ms,from_ms,to_ms,count");
  int runs = 0;
  for (const QString& line : lines.mid(1)) {
    if (line.startsWith("\"a, \"\"b\"\"\",measured,201,")) runs += line.section(',', -1).toInt();
  }
  EXPECT_EQ(runs, 201);
  EXPECT_TRUE(lines[lines.size() - 2].endsWith(",500,1")) << lines[lines.size() - 2].toStdString();
  EXPECT_EQ(lines.back(), "none,simulated,0,,,,,,");
}

TEST(Distribution, StaysInItsArea) {
  std::vector<Millis> samples = spread_around(4, 200);
  samples.emplace_back(500);
  LatencyBar external =
      bar_with("somebody else's program with a name that is quite long", spread_around(4.5, 30), Origin::kRecorded);
  external.external = true;
  external.source = "recorded in times.csv";
  const auto figure = make_distribution_figure({bar_with("ios-both", samples), external}, "sample");
  for (const double width : {900.0, 420.0}) {
    const QImage image = painted(*figure, width);
    const QRect inside(9, 9, image.width() - 18, image.height() - 18);
    bool drawn = false;
    for (int x = 0; x < image.width(); ++x) {
      for (int y = 0; y < image.height(); ++y) {
        const bool touched = image.pixelColor(x, y) != QColor(Qt::magenta);
        drawn = drawn || touched;
        ASSERT_TRUE(inside.contains(x, y) || !touched) << x << ' ' << y;
      }
    }
    EXPECT_TRUE(drawn);
  }
  EXPECT_EQ(figure->title(), "Distribution of the runs: sample");
  EXPECT_EQ(figure->fileStem(), "distribution");
}

}  // namespace
}  // namespace iosx
