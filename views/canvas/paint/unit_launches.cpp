#include "views/canvas/paint/unit_launches.h"

#include <QStringList>

#include "core/analysis/compare/comparison.h"
#include "views/text/translate.h"

namespace iosx::canvas {

UnitLaunches unit_launches(const ScheduleResult& result, std::size_t units) {
  if (!result.lanes) return {};
  UnitLaunches launches(units);
  for (std::size_t k = 0; k < result.plan.kernels.size(); ++k) {
    const Kernel& kernel = result.plan.kernels[k];
    for (const UnitId unit : kernel.units) {
      if (unit.index() < units) launches[unit.index()].push_back({kernel.lane, k});
    }
  }
  return launches;
}

QString launch_badge(const std::vector<UnitLaunch>& launches) {
  if (launches.empty()) return {};
  const QString text =
      QString::fromUtf8("%1 \u00B7 %2").arg(launches.front().lane + 1).arg(launches.front().launch + 1);
  return launches.size() > 1 ? text + QLatin1Char('+') : text;
}

QString launch_words(const std::vector<UnitLaunch>& launches) {
  QStringList words;
  for (const UnitLaunch& each : launches) {
    words << Text::tr("lane %1, launch %2").arg(each.lane + 1).arg(each.launch + 1);
  }
  return words.join(Text::tr("; "));
}

}  // namespace iosx::canvas
