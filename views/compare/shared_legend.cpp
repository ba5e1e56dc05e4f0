#include "views/compare/shared_legend.h"

#include <QPainter>
#include <cmath>
#include <utility>

#include "views/style/style.h"

namespace iosx {
namespace {

constexpr double kScaleLabel = 14;  // pixels, for A and B before their scales
constexpr double kLegendPadding = 2;

bool any_scale(const canvas::OverlayScale& scale) { return scale.active() || !scale.title().isEmpty(); }

}  // namespace

SharedLegend::SharedLegend(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Legend of both graphs"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void SharedLegend::setLegend(canvas::GraphLegend legend, std::array<canvas::OverlayScale, 2> scales) {
  legend_ = std::move(legend);
  scales_ = std::move(scales);
  setAccessibleDescription(legend_.texts().join(QStringLiteral("; ")));
  fitHeight();
  update();
}

void SharedLegend::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

double SharedLegend::scalesHeight() const {
  double height = 0;
  const double width = this->width() / 2.0 - kScaleLabel;
  for (const canvas::OverlayScale& scale : scales_) {
    if (any_scale(scale)) height = std::max(height, canvas::GraphLegend().height(width, scale));
  }
  return height;
}

void SharedLegend::fitHeight() {
  const double own = legend_.height(width(), {});
  const double height = own + scalesHeight();
  setFixedHeight(height > 0 ? static_cast<int>(std::ceil(height + 2 * kLegendPadding)) : 0);
}

void SharedLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != width()) fitHeight();
}

void SharedLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.panel);
  const double scales = scalesHeight();
  for (std::size_t i = 0; i < scales_.size() && scales > 0; ++i) {
    if (!any_scale(scales_[i])) continue;
    const double half = width() / 2.0;
    const double left = static_cast<double>(i) * half + kScaleLabel;
    painter.setFont(sized(font(), 11, true));
    painter.setPen(theme_.text);
    painter.drawText(QRectF(left - kScaleLabel + 8, kLegendPadding + 2, kScaleLabel, 20),
                     Qt::AlignLeft | Qt::AlignVCenter, i == 0 ? tr("A") : tr("B"));
    canvas::GraphLegend().paint(painter, QRectF(left, kLegendPadding, half - kScaleLabel, scales), scales_[i], theme_);
  }
  legend_.paint(painter, QRectF(0, kLegendPadding + scales, width(), height() - scales), {}, theme_);
}

}  // namespace iosx

#include "moc_shared_legend.cpp"
