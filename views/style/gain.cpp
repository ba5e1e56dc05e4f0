#include "views/style/gain.h"

#include <algorithm>
#include <cmath>

namespace iosx {

QColor gain_color(bool saved, const Theme& theme) {
  if (theme.dark) return saved ? QColor(0x6C, 0xB8, 0xFF) : QColor(0xFF, 0x9A, 0x5C);
  return saved ? QColor(0x12, 0x5A, 0xA8) : QColor(0xB8, 0x42, 0x00);
}

QColor gain_band(double lost, std::size_t stage, const Theme& theme) {
  constexpr double kFaintest = 0.12;  // of the tint, where anything is saved or lost at all
  if (lost == 0) return theme.stageBand(stage);
  QColor tint;
  double strongest = 0;
  if (theme.dark) {
    tint = lost < 0 ? QColor(0x1E, 0x6F, 0xC0) : QColor(0xB8, 0x6A, 0x10);
    strongest = lost < 0 ? 0.37 : 0.28;
  } else {
    tint = lost < 0 ? QColor(0x56, 0xB4, 0xE9) : QColor(0xE6, 0x9F, 0x00);
    strongest = 0.36;
  }
  const double share = std::clamp(std::abs(lost), 0.0, 1.0);
  tint.setAlphaF(static_cast<float>(strongest * (kFaintest + (1 - kFaintest) * share)));
  return tint;
}

}  // namespace iosx
