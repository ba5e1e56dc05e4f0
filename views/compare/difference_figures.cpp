#include "views/compare/difference_figures.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/analysis/difference/difference_report.h"
#include "core/tables/render.h"
#include "views/compare/difference_tables.h"
#include "views/compare/difference_text.h"
#include "views/figures/figure.h"
#include "views/figures/figure_table.h"
#include "views/figures/paint.h"
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
class SentenceAndTable final : public Figure {
 public:
  struct Content {
    QString title;
    QString file_stem;
    QString sentence;
    std::function<FigureTable(const Theme&)> table;
    std::function<QString()> csv;
    QString recorded = {};
  };

  explicit SentenceAndTable(Content content) : content_(std::move(content)) {}

  QString title() const override { return content_.title; }
  QString fileStem() const override { return content_.file_stem; }
  QString csv() const override { return content_.csv(); }
  QString recorded() const override { return content_.recorded; }
  QSizeF size() const override {
    const FigureTable table = content_.table(Theme::light());
    const QSizeF natural = TableLayout(table).size();
    const double width = std::max(natural.width(), kNarrowest);
    return {width, sentenceHeight(width) + kSentenceGap + natural.height()};
  }
  QSizeF sizeWithin(double width) const override {
    const FigureTable table = content_.table(Theme::light());
    return {width, sentenceHeight(width) + kSentenceGap + TableLayout(table, width).size().height()};
  }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const double above = sentenceHeight(area.width());
    paint_text(painter, sized(QGuiApplication::font(), kSentenceSize), theme.text,
               QRectF(area.left(), area.top(), area.width(), above), Qt::AlignLeft | Qt::TextWordWrap,
               content_.sentence);
    const FigureTable table = content_.table(theme);
    TableLayout(table, area.width()).paint(painter, area.topLeft() + QPointF(0, above + kSentenceGap), theme);
  }

 private:
  double sentenceHeight(double width) const {
    const QRectF box = QFontMetricsF(sized(QGuiApplication::font(), kSentenceSize))
                           .boundingRect(QRectF(0, 0, width, 1e5), Qt::AlignLeft | Qt::TextWordWrap, content_.sentence);
    return std::max(kSentenceHeight, std::ceil(box.height()) + 8);
  }

  Content content_;
};

QString noise_number(const Delta& delta) { return delta.noise ? csv_number(delta.noise->count()) : QString(); }

QString verdict_id(const Delta& delta) { return qstring(verdict_name(delta.verdict())); }

QString recorded_of(const Subject& subject) { return shown_name(subject.comparison->recorded.text()); }

QString part_matrix_csv(const RunMatrix& data, const PartMatrixModel& model) {
  auto text = QStringLiteral("part,schedule,baseline,latency_ms,delta_ms,noise_ms,verdict,units,origin,recorded\n");
  for (int row = 0; row < model.rowCount(); ++row) {
    for (std::size_t i = 0; i < data.subjects.size(); ++i) {
      const Subject& subject = data.subjects[i];
      const auto latency = model.latency(row, i);
      const auto delta = model.delta(row, i);
      const QString units = model.isPart(row)
                                ? QString::number(data.matrix.rows[static_cast<std::size_t>(row)].cells[i].units.size())
                                : QString();
      text += csv_record({model.index(row, PartMatrixModel::kPart).data().toString(), shown_name(subject.label),
                          i == data.matrix.baseline ? QStringLiteral("yes") : QStringLiteral("no"),
                          latency ? csv_number(latency->count()) : QString(),
                          delta ? csv_number(delta->value.count()) : QString(),
                          delta ? noise_number(*delta) : QString(), delta ? verdict_id(*delta) : QString(), units,
                          origin_id(subject.schedule().latency.origin), recorded_of(subject)});
    }
  }
  return text;
}

FigureTable stage_difference_table(const StageDifferenceModel& model) {
  FigureTable table = figure_table(model);
  const auto at = [&](std::string_view id) { return static_cast<std::size_t>(model.columnOf(id)); };
  table.keys = 2;  // stages of A and of B
  table.below = {{at("part"), at("units")}, {at("change")}};
  return table;
}

}  // namespace

std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data) {
  const auto model = std::make_shared<PartMatrixModel>();
  model->setRuns(data);
  return std::make_unique<SentenceAndTable>(SentenceAndTable::Content{
      .title = PartMatrixModel::tr("Where the difference lies: %1").arg(context_text(*data->baseline().comparison)),
      .file_stem = QStringLiteral("part-matrix"),
      .sentence = finding_words(data->subjects, data->matrix, data->finding),
      .table =
          [model](const Theme& theme) {
            model->setTheme(theme);
            return figure_table(*model);
          },
      .csv = [data, model] { return part_matrix_csv(*data, *model); }});
}

std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair) {
  const QString a = context_text(*pair->a.comparison);
  const QString b = context_text(*pair->b.comparison);
  const auto model = std::make_shared<StageDifferenceModel>();
  model->setPair(pair);
  return std::make_unique<SentenceAndTable>(
      SentenceAndTable::Content{.title = StageDifferenceModel::tr("A: %1, B: %2, stage against stage")
                                             .arg(shown_name(pair->a.label), shown_name(pair->b.label)) +
                                         QStringLiteral(" · ") + (a == b ? a : a + QStringLiteral(" · ") + b),
                                .file_stem = QStringLiteral("stage-differences"),
                                .sentence = rest_words(pair->difference),
                                .table =
                                    [model](const Theme& theme) {
                                      model->setTheme(theme);
                                      return stage_difference_table(*model);
                                    },
                                .csv = [model] { return QString::fromStdString(table_csv(model->table())); },
                                .recorded = recorded_of(pair->b)});
}

std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external) {
  const auto model = std::make_shared<StatisticsModel>();
  model->setRuns(data, std::move(external));
  return std::make_unique<SentenceAndTable>(SentenceAndTable::Content{
      .title = StatisticsModel::tr("Statistics: %1").arg(context_text(*data->baseline().comparison)),
      .file_stem = QStringLiteral("run-statistics"),
      .sentence = finding_words(data->subjects, data->matrix, data->finding),
      .table =
          [model](const Theme& /*theme*/) {
            FigureTable table = figure_table(*model);
            table.below = {{static_cast<std::size_t>(model->columnOf("origin")),
                            static_cast<std::size_t>(model->columnOf("remarks"))}};
            return table;
          },
      .csv = [model] { return QString::fromStdString(table_csv(model->table())); }});
}

}  // namespace iosx
