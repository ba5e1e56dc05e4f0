#include "views/style/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace iosx {
namespace {

// The fills of operators by OperatorClass: their contrast is at least 3 : 1 on every stage band, and red- and
// green-blind people can distinguish them too.
constexpr std::array<QRgb, kOperatorClasses> kLightFills{
    0x0072B2,  // kConv1x1
    0x332288,  // kConv3x3
    0x0B8484,  // kConvLine
    0x7A3E9D,  // kConvOther
    0x9A6400,  // kDepthwiseConv
    0x7A4A00,  // kGroupedConv
    0x455A8C,  // kTransposedConv
    0x1B7A3A,  // kPool
    0x9C3200,  // kLinear
    0x454D57,  // kConcat
    0x3E3C00,  // kArithmetic
    0x8A1558,  // kActivation
    0x454D57,  // kInput
    0x7A1F1F,  // kOpaque
};
constexpr std::array<QRgb, kOperatorClasses> kDarkFills{
    0x56B4E9,  // kConv1x1
    0x8C9BFF,  // kConv3x3
    0x5FDDD0,  // kConvLine
    0xC39BEF,  // kConvOther
    0xF5B945,  // kDepthwiseConv
    0xD9A15B,  // kGroupedConv
    0x9FB3D9,  // kTransposedConv
    0x3FA564,  // kPool
    0xEE7230,  // kLinear
    0x8793A0,  // kConcat
    0xF3E88F,  // kArithmetic
    0xE2679F,  // kActivation
    0x8793A0,  // kInput
    0xEC7B7B,  // kOpaque
};

// The same hues in five steps of lightness, nine of CIE L* apart; fills of one step differ in their hatching.
constexpr std::array<QRgb, kOperatorClasses> kPaperFills{
    0x1A7ABA,  // kConv1x1
    0x322187,  // kConv3x3
    0x048282,  // kConvLine
    0x682D8B,  // kConvOther
    0xA06908,  // kDepthwiseConv
    0x6A3F00,  // kGroupedConv
    0x485D8F,  // kTransposedConv
    0x005522,  // kPool
    0xA63B09,  // kLinear
    0x1B222B,  // kConcat
    0x383600,  // kArithmetic
    0x8A1558,  // kActivation
    0x1B222B,  // kInput
    0x6B0F14,  // kOpaque
};
constexpr std::array<Hatch, kOperatorClasses> kPaperHatches{
    Hatch::kNone,     // kConv1x1
    Hatch::kNone,     // kConv3x3
    Hatch::kLevel,    // kConvLine
    Hatch::kFalling,  // kConvOther
    Hatch::kRising,   // kDepthwiseConv
    Hatch::kRising,   // kGroupedConv
    Hatch::kFalling,  // kTransposedConv
    Hatch::kNone,     // kPool
    Hatch::kNone,     // kLinear
    Hatch::kNone,     // kConcat
    Hatch::kLevel,    // kArithmetic
    Hatch::kLevel,    // kActivation
    Hatch::kNone,     // kInput
    Hatch::kFalling,  // kOpaque
};

// Returns the relative luminance of an sRGB colour, as WCAG 2 has it.
double luminance(const QColor& color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

constexpr std::size_t kColorRoles = static_cast<std::size_t>(ColorRole::kGiven) + 1;

// Greys by ColorRole. In the light palette they are lighter than all operators, in the dark one darker, so that no eye
// takes one for the other; neighbours in lists differ by six of CIE L* and more.
constexpr std::array<QRgb, kColorRoles> kLightGreys{
    0xA2A6AB,  // kSequential
    0xDFE3E8,  // kOneByOne
    0xBDC1C6,  // kGreedy
    0xAAAEB3,  // kSideBySide
    0xCED2D7,  // kMerge
    0xA7ACB1,  // kParallel
    0xC3C7CC,  // kBoth
    0xD9DDE2,  // kList
    0xB2B6BB,  // kFlow
    0xC8CCD1,  // kGiven
};
constexpr std::array<QRgb, kColorRoles> kDarkGreys{
    0x6A6D72,  // kSequential
    0x3A3E42,  // kOneByOne
    0x515559,  // kGreedy
    0x63666B,  // kSideBySide
    0x43474B,  // kMerge
    0x63666B,  // kParallel
    0x4D5055,  // kBoth
    0x3F4247,  // kList
    0x5B5F63,  // kFlow
    0x484C50,  // kGiven
};
// On paper they are dark and light in turn.
constexpr std::array<QRgb, kColorRoles> kPaperGreys{
    0x272B2F,  // kSequential
    0xB8BCC1,  // kOneByOne
    0x73777B,  // kGreedy
    0xC9CDD1,  // kSideBySide
    0x101418,  // kMerge
    0x8F9397,  // kParallel
    0x3F4347,  // kBoth
    0xACB0B4,  // kList
    0x585C60,  // kFlow
    0xE7EBEF,  // kGiven
};

}  // namespace

QColor Theme::schedule(ColorRole role, bool focus) const {
  const auto& greys = paper ? kPaperGreys : dark ? kDarkGreys : kLightGreys;
  return focus ? accent : QColor(greys[static_cast<std::size_t>(role)]);
}

QColor Theme::operatorFill(OperatorClass what) const {
  const auto& fills = paper ? kPaperFills : dark ? kDarkFills : kLightFills;
  return QColor(fills[static_cast<std::size_t>(what)]);
}

Hatch Theme::operatorHatch(OperatorClass what) const {
  return paper ? kPaperHatches[static_cast<std::size_t>(what)] : Hatch::kNone;
}

QColor Theme::stageBand(std::size_t stage) const {
  QColor band = mutedText;
  const std::array<float, 2> shares = dark ? std::array{0.09F, 0.18F} : std::array{0.09F, 0.19F};
  band.setAlphaF(shares[stage % shares.size()]);
  return band;
}

QColor Theme::readableOn(const QColor& fill) {
  constexpr double kEnough = 4.5;
  const QColor ink(0x14, 0x1A, 0x21);
  const QColor white(0xFF, 0xFF, 0xFF);
  const QColor& better = contrast(ink, fill) > contrast(white, fill) ? ink : white;
  return contrast(better, fill) >= kEnough ? better : QColor(0, 0, 0);  // where white is not enough, black is
}

double Theme::contrast(const QColor& a, const QColor& b) {
  const auto [least, most] = std::minmax({luminance(a), luminance(b)});
  return (most + 0.05) / (least + 0.05);
}

Theme Theme::light() {
  Theme theme;
  theme.window = QColor(0xEE, 0xF1, 0xF5);
  theme.canvas = QColor(0xFF, 0xFF, 0xFF);
  theme.panel = QColor(0xF7, 0xF9, 0xFB);
  theme.text = QColor(0x1B, 0x23, 0x2C);
  theme.mutedText = QColor(0x53, 0x5F, 0x6B);
  theme.gridLine = QColor(0xDD, 0xE3, 0xEA);
  theme.outline = QColor(0x9A, 0xA6, 0xB3);
  theme.boxLine = QColor(0x5B, 0x66, 0x73);
  theme.selection = QColor(0x0B, 0x3F, 0xC0);
  theme.selectionFill = QColor(0xD3, 0xE4, 0xFB);
  theme.error = QColor(0xC4, 0x2F, 0x00);
  theme.errorFill = QColor(0xFF, 0xE3, 0xD6);
  theme.simulated = QColor(0x8A, 0x5A, 0x00);
  theme.measured = QColor(0x00, 0x6B, 0x4E);
  theme.found = QColor(0x8A, 0x5A, 0x00);
  theme.running = QColor(0xB0, 0x00, 0x6B);
  theme.accent = QColor(0x7A, 0x2C, 0xF5);
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
  theme.boxLine = QColor(0xA9, 0xB4, 0xC0);
  theme.selection = QColor(0x6C, 0xB8, 0xFF);
  theme.selectionFill = QColor(0x1E, 0x3C, 0x63);
  theme.error = QColor(0xFF, 0x8A, 0x4C);
  theme.errorFill = QColor(0x5A, 0x31, 0x1C);
  theme.simulated = QColor(0xF2, 0xB8, 0x4B);
  theme.measured = QColor(0x3F, 0xD0, 0xA2);
  theme.found = QColor(0xFF, 0xC8, 0x4D);
  theme.running = QColor(0xFF, 0x7A, 0xC8);
  theme.accent = QColor(0x96, 0x69, 0xFF);
  return theme;
}

}  // namespace iosx
