#include "tests/support/prelude.h"
#include "views/canvas/paint/overlay.h"
#include "views/style/fills.h"

// The palette by WCAG 2: what is drawn on a stage's band has 3 : 1 to it, text 4.5 : 1 to what it stands on; classes of
// operators stay apart for people who see no red or no green.
namespace iosx::canvas::test {
namespace {

QColor over(const QColor& top, const QColor& under) {
  const auto mix = [&](float a, float b) { return b + (a - b) * top.alphaF(); };
  return QColor::fromRgbF(mix(top.redF(), under.redF()), mix(top.greenF(), under.greenF()),
                          mix(top.blueF(), under.blueF()));
}

// What boxes stand on: bands on a frame's panel, groups on bands, the canvas.
std::vector<QColor> grounds(const Theme& theme) {
  std::vector<QColor> all{theme.canvas, theme.panel};
  QColor group = theme.canvas;
  group.setAlphaF(0.55F);
  for (const std::size_t stage : {0U, 1U}) {
    all.push_back(over(theme.stageBand(stage), theme.panel));
    all.push_back(over(group, all.back()));
    for (const double lost : {-1.0, -0.5, -0.1, 0.1, 0.5, 1.0}) {
      all.push_back(over(gain_band(lost, stage, theme), theme.panel));
      all.push_back(over(group, all.back()));
    }
  }
  return all;
}

Theme theme_named(const std::string& name) {
  if (name == "Paper") return Theme::paperTheme();
  return name == "Dark" ? Theme::darkTheme() : Theme::light();
}

class Palette : public testing::TestWithParam<std::string> {
 protected:
  Theme theme_ = theme_named(GetParam());
};

TEST_P(Palette, OperatorsAreSeenOnEveryGround) {
  for (std::size_t c = 0; c < kOperatorClasses; ++c) {
    const auto what = static_cast<OperatorClass>(c);
    const QColor fill = theme_.operatorFill(what);
    for (const QColor& ground : grounds(theme_)) {
      EXPECT_GE(Theme::contrast(fill, ground), 3)
          << class_text(what).toStdString() << " on " << ground.name().toStdString();
    }
    EXPECT_GE(Theme::contrast(Theme::readableOn(fill), fill), 4.5) << class_text(what).toStdString();
  }
}

TEST_P(Palette, OutlinesAreSeenOnEveryGround) {
  for (const QColor& ground : grounds(theme_)) {
    EXPECT_GE(Theme::contrast(theme_.boxLine, ground), 3);
    EXPECT_GE(Theme::contrast(theme_.selection, ground), 3);
    EXPECT_GE(Theme::contrast(theme_.found, ground), 3);
    EXPECT_GE(Theme::contrast(theme_.running, ground), 3);
    for (std::size_t c = 1; c < kUnitChanges; ++c) {
      EXPECT_GE(Theme::contrast(change_color(static_cast<UnitChange>(c), theme_), ground), 3) << c;
    }
  }
}

TEST_P(Palette, TextIsReadEverywhere) {
  for (const QColor& ground : grounds(theme_)) {
    EXPECT_GE(Theme::contrast(theme_.text, ground), 4.5);
    EXPECT_GE(Theme::contrast(theme_.mutedText, ground), 4.5) << ground.name().toStdString();
  }
  for (double t = 0; t <= 1; t += 1.0 / 64) {
    const QColor fill = OverlayScale::ramp(t, theme_);
    EXPECT_GE(Theme::contrast(Theme::readableOn(fill), fill), 4.5) << t;
    const QColor delta = OverlayScale::diverging(2 * t - 1, theme_);
    EXPECT_GE(Theme::contrast(Theme::readableOn(delta), delta), 4.5) << t;
  }
}

// Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

std::array<double, 3> lab(const QColor& color, const Matrix& sight) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const std::array<double, 3> rgb{linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
  std::array<double, 3> seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) seen[i] += sight[i][j] * rgb[j];
    seen[i] = std::clamp(seen[i], 0.0, 1.0);
  }
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST_P(Palette, UsualClassesStayApartWhoeverLooks) {
  constexpr std::array kUsual{OperatorClass::kConv1x1,       OperatorClass::kConv3x3,   OperatorClass::kConvLine,
                              OperatorClass::kDepthwiseConv, OperatorClass::kPool,      OperatorClass::kLinear,
                              OperatorClass::kConcat,        OperatorClass::kArithmetic};
  for (const Matrix& sight : {kNormal, kProtan, kDeutan}) {
    for (std::size_t i = 0; i < kUsual.size(); ++i) {
      for (std::size_t j = i + 1; j < kUsual.size(); ++j) {
        const auto a = lab(theme_.operatorFill(kUsual[i]), sight);
        const auto b = lab(theme_.operatorFill(kUsual[j]), sight);
        EXPECT_GE(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 8)
            << class_text(kUsual[i]).toStdString() << " and " << class_text(kUsual[j]).toStdString();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Palette, testing::Values("Light", "Dark", "Paper"),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace iosx::canvas::test
