#pragma once

#include <QColor>
#include <QRectF>

#include "core/analysis/recording/usage.h"
#include "core/model/recording/recording.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// The colours of recordings, the same in timeline, canvas and header: a kernel has that of its operators' class, and
// idle time that of lost time where the host is the reason, else a grey; hatchings tell the reasons apart.

QColor kernel_fill(const Theme& theme, KernelKind kind);
QColor idle_fill(const Theme& theme, IdleReason reason);
void paint_idle(QPainter& painter, const QRectF& box, const Theme& theme, IdleReason reason);

}  // namespace iosx
