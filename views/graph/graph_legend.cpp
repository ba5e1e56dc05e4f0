#include "views/graph/graph_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

namespace iosx::canvas {
namespace {

constexpr double kPadding = 10;
constexpr double kRow = 20;
constexpr double kSign = 24;
constexpr double kScaleHeight = 54;

QString translated(const char* text) { return QCoreApplication::translate("GraphView", text); }

}  // namespace

GraphLegend::GraphLegend(const Model& model) {
  std::array<bool, kCategories> present{};
  for (const UnitLabel& label : model.labels) present[static_cast<std::size_t>(label.category)] = true;
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<Category>(c);
    if (present[c]) rows_.push_back({category_name(category), Row::Sign::kKind, category});
  }
  bool groups = false;
  bool merges = false;
  if (model.schedule) {
    for (const Stage& stage : model.schedule->stages) {
      for (const Group& group : stage.groups) {
        groups = groups || stage.groups.size() > 1 || group.steps.size() > 1;
        merges =
            merges || std::any_of(group.steps.begin(), group.steps.end(), [](const Step& s) { return s.merged(); });
      }
    }
  }
  if (groups) rows_.push_back({translated("group: units in order on one stream"), Row::Sign::kGroup, {}});
  if (merges) rows_.push_back({translated("merged: convolutions run as one"), Row::Sign::kMerged, {}});
  const QFontMetricsF metrics(body_font());
  for (const Row& row : rows_) width_ = std::max(width_, metrics.horizontalAdvance(row.text));
  width_ += kSign + 8 + 2 * kPadding;
}

QSizeF GraphLegend::size(const OverlayScale& overlay) const {
  if (rows_.empty()) return {};
  const double rows = static_cast<double>(rows_.size()) * kRow;
  return {std::max(width_, overlay.active() ? 230.0 : 0.0),
          rows + 2 * kPadding + (overlay.active() ? kScaleHeight : 0)};
}

void GraphLegend::paintSign(QPainter& painter, const QRectF& area, const Row& row, const Theme& theme) const {
  const QRectF sign(area.left(), area.center().y() - 7.5, kSign - 4, 15);
  if (row.sign == Row::Sign::kGroup) {
    painter.setPen(QPen(theme.outline, 1.2, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(sign, 3, 3);
    return;
  }
  if (row.sign == Row::Sign::kMerged) {
    painter.setPen(QPen(theme.mutedText, 1.1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(sign, 4, 4);
    painter.drawRoundedRect(sign.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
    return;
  }
  const QColor fill = theme.operatorFill(category_example(row.category));
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawRoundedRect(sign, 3, 3);
  QFont letter = name_font();
  letter.setPixelSize(11);
  painter.setFont(letter);
  painter.setPen(Theme::readableOn(fill));
  painter.drawText(sign, Qt::AlignCenter, category_letter(row.category));
}

void GraphLegend::paint(QPainter& painter, const QPointF& top_left, const OverlayScale& overlay,
                        const Theme& theme) const {
  const QSizeF extent = size(overlay);
  if (extent.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  QColor back = theme.canvas;
  back.setAlphaF(0.93F);
  painter.setPen(QPen(theme.gridLine, 1));
  painter.setBrush(back);
  painter.drawRoundedRect(QRectF(top_left, extent), 7, 7);
  const double x = top_left.x() + kPadding;
  double y = top_left.y() + kPadding;
  if (overlay.active()) {
    painter.setFont(body_font());
    painter.setPen(theme.text);
    const double width = extent.width() - 2 * kPadding;
    painter.drawText(QRectF(x, y, width, 16), Qt::AlignLeft | Qt::AlignVCenter, overlay.title());
    const QRectF bar(x, y + 19, width, 10);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 8; ++i) gradient.setColorAt(i / 8.0, OverlayScale::ramp(i / 8.0, theme));
    painter.fillRect(bar, gradient);
    painter.setPen(theme.mutedText);
    painter.drawText(QRectF(x, y + 31, width, 16), Qt::AlignLeft | Qt::AlignVCenter, overlay.low());
    painter.drawText(QRectF(x, y + 31, width, 16), Qt::AlignRight | Qt::AlignVCenter, overlay.high());
    y += kScaleHeight;
  }
  for (const Row& row : rows_) {
    const QRectF area(x, y, extent.width() - 2 * kPadding, kRow);
    paintSign(painter, area, row, theme);
    painter.setFont(body_font());
    painter.setPen(theme.text);
    painter.drawText(area.adjusted(kSign + 4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.text);
    y += kRow;
  }
}

}  // namespace iosx::canvas
