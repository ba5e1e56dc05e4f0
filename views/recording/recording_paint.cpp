#include "views/recording/recording_paint.h"

#include <QPainter>

#include "views/recording/recording_text.h"
#include "views/style/fills.h"

namespace iosx {
namespace {

constexpr double kLeastHatched = 5;  // pixels
constexpr double kHatchStep = 6;

Hatch idle_hatch(IdleReason reason) {
  switch (reason) {
    case IdleReason::kLaunchedLate: return Hatch::kRising;
    case IdleReason::kHostWait: return Hatch::kFalling;
    case IdleReason::kLatency: return Hatch::kLevel;
    case IdleReason::kQueued: return Hatch::kCrossed;
    case IdleReason::kUnknown: return Hatch::kNone;
  }
  return Hatch::kNone;
}

}  // namespace

QColor kernel_fill(const Theme& theme, KernelKind kind) { return theme.operatorFill(class_of(kind)); }

QColor idle_fill(const Theme& theme, IdleReason reason) {
  const bool host = reason == IdleReason::kLaunchedLate || reason == IdleReason::kHostWait;
  return host ? gain_color(false, theme) : theme.outline;
}

void paint_idle(QPainter& painter, const QRectF& box, const Theme& theme, IdleReason reason) {
  const QColor fill = with_alpha(idle_fill(theme, reason), reason == IdleReason::kHostWait ? 0.55F : 0.38F);
  fill_translucent(painter, box, fill);
  const Hatch hatch = idle_hatch(reason);
  if (box.width() < kLeastHatched || hatch == Hatch::kNone) return;
  painter.setPen(QPen(idle_fill(theme, reason), 1));
  const std::vector<QLineF> lines = hatch_lines(box, hatch, kHatchStep);
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

}  // namespace iosx
