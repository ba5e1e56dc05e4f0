#include "views/text/change_text.h"

#include <algorithm>
#include <cmath>

namespace iosx {

int change_decimals(Millis largest) {
  constexpr int kMost = 6;
  const double ms = std::abs(largest.count());
  if (ms <= 0) return 2;
  return std::clamp((ms < 1 ? 1 : 2) - static_cast<int>(std::floor(std::log10(ms))), 0, kMost);
}

QString change_number(Millis change, int decimals) {
  const QString digits = QString::number(std::abs(change.count()), 'f', decimals);
  if (digits.toDouble() == 0) return QStringLiteral("0");
  return (change < Millis{0} ? QChar(0x2212) : QLatin1Char('+')) + digits;
}

}  // namespace iosx
