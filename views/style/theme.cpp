#include "views/style/theme.h"

#include <array>

namespace iosx {
namespace {

const QColor kBlue(0x00, 0x72, 0xB2);
const QColor kOrange(0xE6, 0x9F, 0x00);
const QColor kGreen(0x00, 0x9E, 0x73);
const QColor kSky(0x56, 0xB4, 0xE9);
const QColor kVermilion(0xD5, 0x5E, 0x00);
const QColor kPurple(0xCC, 0x79, 0xA7);
const QColor kYellow(0xF0, 0xE4, 0x42);
const QColor kGrey(0x8A, 0x93, 0x9E);
const QColor kWine(0x88, 0x22, 0x55);

QColor mix(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                          static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                          static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

// Dark and light in turn, in the order in which schedules are listed.
QColor paper_schedule(ColorRole role) {
  switch (role) {
    case ColorRole::kSequential: return {0x34, 0x3A, 0x42};
    case ColorRole::kGreedy: return kOrange;
    case ColorRole::kMerge: return {0x8B, 0x3A, 0x72};
    case ColorRole::kParallel: return kSky;
    case ColorRole::kBoth: return {0x00, 0x67, 0x4C};
    case ColorRole::kGiven: break;
  }
  return {0xFA, 0xBC, 0x98};
}

// Five steps of lightness; what shares one is hatched in different ways (operatorHatch).
QColor paper_operator(OperatorClass what) {
  switch (what) {
    case OperatorClass::kConv: return {0xA9, 0xD0, 0xEE};
    case OperatorClass::kMergedConv: return {0xE6, 0xC2, 0xD6};
    case OperatorClass::kGroupedConv: return {0xB4, 0xD4, 0xD8};
    case OperatorClass::kPool: return {0x2E, 0x94, 0x77};
    case OperatorClass::kLinear: return {0x8F, 0x3F, 0x00};
    case OperatorClass::kArithmetic: return {0xF9, 0xF3, 0xB0};
    case OperatorClass::kActivation: return {0xFB, 0xE8, 0xC8};
    case OperatorClass::kOpaque: return {0x6B, 0x1B, 0x43};
    case OperatorClass::kConcat:
    case OperatorClass::kInput: break;
  }
  return {0x9A, 0xA2, 0xAC};
}

}  // namespace

QColor Theme::schedule(ColorRole role) const {
  if (paper) return paper_schedule(role);
  switch (role) {
    case ColorRole::kSequential: return dark ? QColor(0x9A, 0xA5, 0xB1) : QColor(0x6B, 0x77, 0x85);
    case ColorRole::kGreedy: return kOrange;
    case ColorRole::kMerge: return kPurple;
    case ColorRole::kParallel: return dark ? kSky : kBlue;
    case ColorRole::kBoth: return dark ? QColor(0x2B, 0xC4, 0x95) : kGreen;
    case ColorRole::kGiven: break;
  }
  return kVermilion;
}

QColor Theme::operatorFill(OperatorClass what) const {
  if (paper) return paper_operator(what);
  const auto soften = [this](const QColor& base) { return mix(base, canvas, dark ? 0.35 : 0.45); };
  switch (what) {
    case OperatorClass::kConv: return soften(kBlue);
    case OperatorClass::kMergedConv: return soften(kPurple);
    case OperatorClass::kGroupedConv: return soften(kSky);
    case OperatorClass::kPool: return soften(kGreen);
    case OperatorClass::kLinear: return soften(kVermilion);
    case OperatorClass::kArithmetic: return soften(kYellow);
    case OperatorClass::kActivation: return soften(kOrange);
    case OperatorClass::kOpaque: return soften(dark ? kWine.lighter(150) : kWine);
    case OperatorClass::kConcat:
    case OperatorClass::kInput: break;
  }
  return soften(kGrey);
}

Hatch Theme::operatorHatch(OperatorClass what) const {
  if (!paper) return Hatch::kNone;
  switch (what) {
    case OperatorClass::kMergedConv: return Hatch::kCrossed;
    case OperatorClass::kGroupedConv: return Hatch::kRising;
    case OperatorClass::kActivation: return Hatch::kLevel;
    case OperatorClass::kOpaque: return Hatch::kFalling;
    default: return Hatch::kNone;
  }
}

QColor Theme::stageBand(std::size_t stage) const {
  QColor band = mutedText;
  const std::array<float, 2> shares = dark ? std::array{0.14F, 0.28F} : std::array{0.09F, 0.19F};
  band.setAlphaF(shares[stage % shares.size()]);
  return band;
}

QColor Theme::readableOn(const QColor& fill) {
  const double luminance = 0.2126 * fill.redF() + 0.7152 * fill.greenF() + 0.0722 * fill.blueF();
  return luminance > 0.45 ? QColor(0x14, 0x1A, 0x21) : QColor(0xFF, 0xFF, 0xFF);
}

Theme Theme::light() {
  Theme theme;
  theme.window = QColor(0xEE, 0xF1, 0xF5);
  theme.canvas = QColor(0xFF, 0xFF, 0xFF);
  theme.panel = QColor(0xF7, 0xF9, 0xFB);
  theme.text = QColor(0x1B, 0x23, 0x2C);
  theme.mutedText = QColor(0x5A, 0x67, 0x74);
  theme.gridLine = QColor(0xDD, 0xE3, 0xEA);
  theme.outline = QColor(0x9A, 0xA6, 0xB3);
  theme.selection = QColor(0x0B, 0x3F, 0xC0);
  theme.selectionFill = QColor(0xD3, 0xE4, 0xFB);
  theme.error = QColor(0xC4, 0x2F, 0x00);
  theme.errorFill = QColor(0xFF, 0xE3, 0xD6);
  theme.simulated = QColor(0x8A, 0x5A, 0x00);
  theme.measured = QColor(0x00, 0x6B, 0x4E);
  return theme;
}

Theme Theme::paperTheme() {
  Theme theme = light();
  theme.paper = true;
  theme.panel = theme.canvas;
  theme.text = QColor(0x00, 0x00, 0x00);
  theme.mutedText = QColor(0x3A, 0x42, 0x4B);
  theme.gridLine = QColor(0xD0, 0xD5, 0xDB);
  theme.outline = QColor(0x6B, 0x75, 0x80);
  return theme;
}

Theme Theme::darkTheme() {
  Theme theme;
  theme.dark = true;
  theme.window = QColor(0x1B, 0x20, 0x27);
  theme.canvas = QColor(0x14, 0x18, 0x1E);
  theme.panel = QColor(0x22, 0x29, 0x32);
  theme.text = QColor(0xE8, 0xEC, 0xF1);
  theme.mutedText = QColor(0xA3, 0xAF, 0xBC);
  theme.gridLine = QColor(0x2E, 0x37, 0x42);
  theme.outline = QColor(0x5A, 0x67, 0x76);
  theme.selection = QColor(0x6C, 0xB8, 0xFF);
  theme.selectionFill = QColor(0x1E, 0x3C, 0x63);
  theme.error = QColor(0xFF, 0x8A, 0x4C);
  theme.errorFill = QColor(0x5A, 0x31, 0x1C);
  theme.simulated = QColor(0xF2, 0xB8, 0x4B);
  theme.measured = QColor(0x3F, 0xD0, 0xA2);
  return theme;
}

}  // namespace iosx
