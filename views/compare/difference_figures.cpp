#include "views/compare/difference_figures.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/difference/difference_report.h"
#include "core/tables/render.h"
#include "views/compare/difference_tables.h"
#include "views/compare/difference_text.h"
#include "views/figures/figure.h"
#include "views/figures/figure_table.h"
#include "views/style/theme.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kSentenceSize = 13;       // pixels
constexpr double kSentenceHeight = 44;  // at least
constexpr double kSentenceGap = 4;
constexpr double kNarrowest = 640;  // where there is room: a sentence in a narrow column is hard to read

// A sentence over a table, which becomes narrower where necessary.
class SentenceAndTable : public Figure {
 public:
  QSizeF size() const override {
    const FigureTable table = tableIn(Theme::light());
    const TableLayout layout(table);
    const double width = std::max(layout.size().width(), kNarrowest);
    return {width, sentenceHeight(width) + kSentenceGap + layout.size().height()};
  }
  QSizeF sizeWithin(double width) const override {
    const FigureTable table = tableIn(Theme::light());
    return {width, sentenceHeight(width) + kSentenceGap + TableLayout(table, width).size().height()};
  }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const double above = sentenceHeight(area.width());
    painter.setFont(sized(QGuiApplication::font(), kSentenceSize));
    painter.setPen(theme.text);
    painter.drawText(QRectF(area.left(), area.top(), area.width(), above), Qt::AlignLeft | Qt::TextWordWrap,
                     sentence());
    const FigureTable table = tableIn(theme);
    TableLayout(table, area.width()).paint(painter, area.topLeft() + QPointF(0, above + kSentenceGap), theme);
  }

 protected:
  virtual QString sentence() const = 0;
  virtual FigureTable tableIn(const Theme& theme) const = 0;

 private:
  double sentenceHeight(double width) const {
    const QRectF box = QFontMetricsF(sized(QGuiApplication::font(), kSentenceSize))
                           .boundingRect(QRectF(0, 0, width, 1e5), Qt::AlignLeft | Qt::TextWordWrap, sentence());
    return std::max(kSentenceHeight, std::ceil(box.height()) + 8);
  }
};

QString noise_number(const Delta& delta) { return delta.noise ? csv_number(delta.noise->count()) : QString(); }

QString verdict_id(const Delta& delta) { return qstring(verdict_name(delta.verdict())); }

QString recorded_of(const Subject& subject) { return shown_name(subject.comparison->recorded.text()); }

class PartMatrixFigure final : public SentenceAndTable {
 public:
  explicit PartMatrixFigure(std::shared_ptr<const RunMatrix> data) : data_(std::move(data)) {
    model_.setTheme(Theme::light());
    model_.setRuns(data_);
  }

  QString title() const override {
    return PartMatrixModel::tr("Where the difference lies: %1").arg(context_text(*data_->baseline().comparison));
  }
  QString fileStem() const override { return QStringLiteral("part-matrix"); }

  QString csv() const override {
    QString text = csv_record({QStringLiteral("part"), QStringLiteral("schedule"), QStringLiteral("baseline"),
                               QStringLiteral("latency_ms"), QStringLiteral("delta_ms"), QStringLiteral("noise_ms"),
                               QStringLiteral("verdict"), QStringLiteral("units"), QStringLiteral("origin"),
                               QStringLiteral("recorded")});
    const PartMatrix& matrix = data_->matrix;
    for (int row = 0; row < model_.rowCount(); ++row) {
      for (std::size_t i = 0; i < data_->subjects.size(); ++i) {
        const Subject& subject = data_->subjects[i];
        const auto latency = model_.latency(row, i);
        const auto delta = model_.delta(row, i);
        const QString units = model_.isPart(row)
                                  ? QString::number(matrix.rows[static_cast<std::size_t>(row)].cells[i].units.size())
                                  : QString();
        text += csv_record({model_.index(row, PartMatrixModel::kPart).data().toString(), shown_name(subject.label),
                            i == matrix.baseline ? QStringLiteral("yes") : QStringLiteral("no"),
                            latency ? csv_number(latency->count()) : QString(),
                            delta ? csv_number(delta->value.count()) : QString(),
                            delta ? noise_number(*delta) : QString(), delta ? verdict_id(*delta) : QString(), units,
                            origin_id(subject.schedule().latency.origin), recorded_of(subject)});
      }
    }
    return text;
  }

 protected:
  QString sentence() const override { return finding_words(data_->subjects, data_->matrix, data_->finding); }
  FigureTable tableIn(const Theme& theme) const override {
    PartMatrixModel model;
    model.setTheme(theme);
    model.setRuns(data_);
    return figure_table(model);
  }

 private:
  std::shared_ptr<const RunMatrix> data_;
  PartMatrixModel model_;
};

class StageDifferenceFigure final : public SentenceAndTable {
 public:
  explicit StageDifferenceFigure(std::shared_ptr<const StagePair> pair) : pair_(std::move(pair)) {
    model_.setPair(pair_);
  }

  QString title() const override {
    const QString a = context_text(*pair_->a.comparison);
    const QString b = context_text(*pair_->b.comparison);
    return StageDifferenceModel::tr("A: %1, B: %2, stage against stage")
               .arg(shown_name(pair_->a.label), shown_name(pair_->b.label)) +
           QStringLiteral(" · ") + (a == b ? a : a + QStringLiteral(" · ") + b);
  }
  QString fileStem() const override { return QStringLiteral("stage-differences"); }

  QString csv() const override { return QString::fromStdString(table_csv(model_.table())); }

  QString recorded() const override { return recorded_of(pair_->b); }

 protected:
  QString sentence() const override { return rest_words(pair_->difference); }
  FigureTable tableIn(const Theme& theme) const override {
    StageDifferenceModel model;
    model.setTheme(theme);
    model.setPair(pair_);
    FigureTable table = figure_table(model);
    const auto at = [&](std::string_view id) { return static_cast<std::size_t>(model.columnOf(id)); };
    table.keys = 2;  // stages of A and of B
    table.below = {{at("part"), at("units")}, {at("change")}};
    return table;
  }

 private:
  std::shared_ptr<const StagePair> pair_;
  StageDifferenceModel model_;
};

class StatisticsFigure final : public SentenceAndTable {
 public:
  StatisticsFigure(std::shared_ptr<const RunMatrix> data, std::vector<LatencyBar> external)
      : data_(std::move(data)), external_(std::move(external)) {}

  QString title() const override {
    return StatisticsModel::tr("Statistics: %1").arg(context_text(*data_->baseline().comparison));
  }
  QString fileStem() const override { return QStringLiteral("run-statistics"); }

  QString csv() const override {
    StatisticsModel model;
    model.setRuns(data_, external_);
    return QString::fromStdString(table_csv(model.table()));
  }

 protected:
  QString sentence() const override { return finding_words(data_->subjects, data_->matrix, data_->finding); }
  FigureTable tableIn(const Theme& /*theme*/) const override {
    StatisticsModel model;
    model.setRuns(data_, external_);
    FigureTable table = figure_table(model);
    table.below = {
        {static_cast<std::size_t>(model.columnOf("origin")), static_cast<std::size_t>(model.columnOf("remarks"))}};
    return table;
  }

 private:
  std::shared_ptr<const RunMatrix> data_;
  std::vector<LatencyBar> external_;
};

}  // namespace

std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data) {
  return std::make_unique<PartMatrixFigure>(std::move(data));
}

std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair) {
  return std::make_unique<StageDifferenceFigure>(std::move(pair));
}

std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external) {
  return std::make_unique<StatisticsFigure>(std::move(data), std::move(external));
}

}  // namespace iosx
