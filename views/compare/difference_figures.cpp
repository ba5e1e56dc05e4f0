#include "views/compare/difference_figures.h"

#include <QAbstractItemModel>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <utility>
#include <vector>

#include "views/compare/difference_text.h"
#include "views/compare/part_matrix_model.h"
#include "views/compare/stage_difference_model.h"
#include "views/export/csv.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kTextSize = 12;  // pixels
constexpr double kRowHeight = 22;
constexpr double kLineHeight = 16;  // of a header
constexpr double kCellPadding = 8;  // on both sides of a text
constexpr double kWidestCell = 340;
constexpr double kSentenceHeight = 44;
constexpr double kNarrowest = 640;

// A table drawn as a figure: columns as wide as their widest text, up to a limit.
class TableDrawing {
 public:
  explicit TableDrawing(const QAbstractItemModel& model) : model_(model) {
    const QFontMetricsF metrics(sized(QGuiApplication::font(), kTextSize, true));
    for (int column = 0; column < model.columnCount(); ++column) {
      double width = 24;
      for (const QString& line : header(column)) width = std::max(width, metrics.horizontalAdvance(line));
      lines_ = std::max(lines_, static_cast<int>(header(column).size()));
      for (int row = 0; row < model.rowCount(); ++row) {
        width = std::max(width, metrics.horizontalAdvance(model.index(row, column).data().toString()));
      }
      widths_.push_back(std::min(width, kWidestCell) + 2 * kCellPadding);
    }
  }

  QSizeF size() const {
    double width = 0;
    for (const double column : widths_) width += column;
    return {width, header_height() + kRowHeight * model_.rowCount()};
  }

  void paint(QPainter& painter, QPointF at, const Theme& theme) const {
    const QFont font = QGuiApplication::font();
    double left = at.x();
    for (int column = 0; column < model_.columnCount(); ++column) {
      const double width = widths_[static_cast<std::size_t>(column)];
      painter.setFont(sized(font, kTextSize, true));
      painter.setPen(theme.mutedText);
      painter.drawText(QRectF(left + kCellPadding, at.y(), width - 2 * kCellPadding, header_height() - 6),
                       static_cast<int>(alignment(model_.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)) |
                                        Qt::AlignBottom),
                       header(column).join(QLatin1Char('\n')));
      for (int row = 0; row < model_.rowCount(); ++row) {
        paint_cell(painter, model_.index(row, column),
                   QRectF(left, at.y() + header_height() + row * kRowHeight, width, kRowHeight), theme);
      }
      left += width;
    }
    painter.setPen(theme.outline);
    const double line = at.y() + header_height() - 2;
    painter.drawLine(QPointF(at.x(), line), QPointF(left, line));
  }

 private:
  QStringList header(int column) const {
    return model_.headerData(column, Qt::Horizontal).toString().split(QLatin1Char('\n'));
  }
  double header_height() const { return lines_ * kLineHeight + 8; }

  static Qt::Alignment alignment(const QVariant& value) {
    const auto given = value.isValid() ? value.value<Qt::Alignment>() : Qt::Alignment(Qt::AlignLeft);
    return given & Qt::AlignHorizontal_Mask;
  }

  static void paint_cell(QPainter& painter, const QModelIndex& index, const QRectF& box, const Theme& theme) {
    const QVariant fill = index.data(Qt::BackgroundRole);
    if (fill.isValid()) painter.fillRect(box.adjusted(0.5, 0.5, -0.5, -0.5), fill.value<QColor>());
    const QVariant ink = index.data(Qt::ForegroundRole);
    const QVariant font = index.data(Qt::FontRole);
    painter.setPen(ink.isValid() ? ink.value<QColor>() : theme.text);
    painter.setFont(sized(QGuiApplication::font(), kTextSize, font.isValid() && font.value<QFont>().bold()));
    const QRectF inner = box.adjusted(kCellPadding, 0, -kCellPadding, 0);
    painter.drawText(inner, static_cast<int>(alignment(index.data(Qt::TextAlignmentRole)) | Qt::AlignVCenter),
                     QFontMetricsF(painter.font()).elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
  }

  const QAbstractItemModel& model_;
  std::vector<double> widths_;
  int lines_ = 1;
};

void paint_with_sentence(QPainter& painter, const QRectF& area, const Theme& theme, const QString& sentence,
                         const TableDrawing& table) {
  painter.setFont(sized(QGuiApplication::font(), 13));
  painter.setPen(theme.text);
  painter.drawText(QRectF(area.left(), area.top(), area.width(), kSentenceHeight), Qt::AlignLeft | Qt::TextWordWrap,
                   sentence);
  table.paint(painter, area.topLeft() + QPointF(0, kSentenceHeight + 4), theme);
}

QSizeF size_with_sentence(const QSizeF& table) {
  return {std::max(table.width(), kNarrowest), table.height() + kSentenceHeight + 4};
}

QString noise_number(const Delta& delta) { return delta.noise ? csv_number(delta.noise->count()) : QString(); }

// In documents; core words.
QString verdict_id(const Delta& delta) {
  switch (delta.verdict()) {
    case Verdict::kFaster: return QStringLiteral("faster");
    case Verdict::kSlower: return QStringLiteral("slower");
    case Verdict::kSame: return QStringLiteral("same");
    case Verdict::kUnknown: break;
  }
  return QStringLiteral("unknown");
}

QString recorded_of(const Subject& subject) { return shown_name(subject.comparison->recorded); }

class PartMatrixFigure final : public Figure {
 public:
  explicit PartMatrixFigure(std::shared_ptr<const RunMatrix> data) : data_(std::move(data)) {
    model_.setTheme(Theme::light());
    model_.setRuns(data_);
  }

  QString title() const override {
    return PartMatrixModel::tr("Where the difference lies: %1").arg(context_text(*data_->baseline().comparison));
  }
  QString fileStem() const override { return QStringLiteral("part-matrix"); }
  QSizeF size() const override { return size_with_sentence(TableDrawing(model_).size()); }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    PartMatrixModel model;
    model.setTheme(theme);
    model.setRuns(data_);
    paint_with_sentence(painter, area, theme, finding_words(data_->subjects, data_->matrix, data_->finding),
                        TableDrawing(model));
  }

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
                            origin_text(subject.schedule().latency.origin), recorded_of(subject)});
      }
    }
    return text;
  }

 private:
  std::shared_ptr<const RunMatrix> data_;
  PartMatrixModel model_;
};

class StageDifferenceFigure final : public Figure {
 public:
  explicit StageDifferenceFigure(std::shared_ptr<const StagePair> pair) : pair_(std::move(pair)) {
    model_.setPair(pair_);
  }

  QString title() const override {
    return StageDifferenceModel::tr("A: %1, B: %2, stage against stage")
        .arg(shown_name(pair_->a.label), shown_name(pair_->b.label));
  }
  QString fileStem() const override { return QStringLiteral("stage-differences"); }
  QSizeF size() const override { return size_with_sentence(TableDrawing(model_).size()); }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    StageDifferenceModel model;
    model.setTheme(theme);
    model.setPair(pair_);
    paint_with_sentence(painter, area, theme, rest_words(pair_->difference), TableDrawing(model));
  }

  QString csv() const override {
    QString text = csv_record({QStringLiteral("stages_a"), QStringLiteral("stages_b"), QStringLiteral("part"),
                               QStringLiteral("units"), QStringLiteral("a_ms"), QStringLiteral("b_ms"),
                               QStringLiteral("delta_ms"), QStringLiteral("delta_share"), QStringLiteral("noise_ms"),
                               QStringLiteral("verdict"), QStringLiteral("change")});
    const StageDifference& difference = pair_->difference;
    for (int i = 0; i < model_.rowCount(); ++i) {
      const StageRow& row = model_.row(i);
      const auto relative = row.relative();
      const auto cell = [&](int column) { return model_.index(i, column).data().toString(); };
      QStringList units;
      const Graph& graph = row.units_a.empty() ? pair_->b.graph() : pair_->a.graph();
      for (const UnitId unit : row.units_a.empty() ? row.units_b : row.units_a) {
        units << shown_name(graph.unit(unit).name);
      }
      text += csv_record({cell(StageDifferenceModel::kStagesA), cell(StageDifferenceModel::kStagesB),
                          cell(StageDifferenceModel::kPart), units.join(QLatin1Char(' ')),
                          csv_number(row.latency_a.count()), csv_number(row.latency_b.count()),
                          csv_number(row.delta.value.count()), relative ? csv_number(*relative) : QString(),
                          noise_number(row.delta), verdict_id(row.delta), cell(StageDifferenceModel::kChange)});
    }
    const auto more = [&](const QString& name, const Delta& delta) {
      text += csv_record(
          {name, {}, {}, {}, {}, {}, csv_number(delta.value.count()), {}, noise_number(delta), verdict_id(delta), {}});
    };
    more(QStringLiteral("between stages"), difference.between_stages);
    more(QStringLiteral("rest"), difference.rest);
    more(QStringLiteral("whole"), difference.whole.delta);
    return text;
  }

  QString recorded() const override { return recorded_of(pair_->b); }

 private:
  std::shared_ptr<const StagePair> pair_;
  StageDifferenceModel model_;
};

}  // namespace

std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data) {
  return std::make_unique<PartMatrixFigure>(std::move(data));
}

std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair) {
  return std::make_unique<StageDifferenceFigure>(std::move(pair));
}

}  // namespace iosx
