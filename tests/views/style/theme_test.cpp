#include <QtWidgets>

#include "tests/support/prelude.h"
#include "views/style/fills.h"
#include "views/style/theme.h"

namespace iosx {
namespace {

using Rgb = std::array<double, 3>;  // linear
using Triple = std::array<double, 3>;
using Sight = std::array<Triple, 3>;

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Rgb linear(const QColor& color) { return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())}; }

// What a printer in grey, or a photocopier, leaves of a colour: its relative luminance (IEC 61966-2-1).
double grey(const QColor& color) {
  const Rgb rgb = linear(color);
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

// CIE L* of that.
double lightness(const QColor& color) {
  const double y = grey(color);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

// WCAG's.
double contrast(const QColor& a, const QColor& b) {
  const double first = grey(a);
  const double second = grey(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

// Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
using Matrix = std::array<Rgb, 3>;
constexpr Matrix kProtanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Rgb seen(const Rgb& color, const Matrix& eye) {
  Rgb result{};
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += eye[row][i] * color[i];
    result[row] = std::clamp(sum, 0.0, 1.0);
  }
  return result;
}

// CIE L*a*b* under D65.
Rgb lab(const Rgb& rgb) {
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
  const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
  const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(const Rgb& a, const Rgb& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

constexpr std::array kRoles{ColorRole::kSequential, ColorRole::kGreedy,   ColorRole::kSideBySide,
                            ColorRole::kMerge,      ColorRole::kParallel, ColorRole::kBoth,
                            ColorRole::kList,       ColorRole::kFlow,     ColorRole::kGiven};

std::vector<OperatorClass> every_class() {
  std::vector<OperatorClass> all;
  for (std::size_t i = 0; i < kOperatorClasses; ++i) all.push_back(static_cast<OperatorClass>(i));
  return all;
}

TEST(PaperTheme, NeighbouringSchedulesDifferInGrey) {
  const Theme theme = Theme::paperTheme();
  for (std::size_t i = 0; i + 1 < kRoles.size(); ++i) {
    EXPECT_GT(contrast(theme.schedule(kRoles[i]), theme.schedule(kRoles[i + 1])), 2.0) << i;
  }
}

// The usual palette would not do.
TEST(PaperTheme, TheWindowsSchedulesWouldNotDifferInGrey) {
  const Theme theme = Theme::light();
  EXPECT_LT(contrast(theme.schedule(ColorRole::kParallel), theme.schedule(ColorRole::kBoth)), 2.0);
}

TEST(PaperTheme, OperatorsDifferInGreyOrHatching) {
  const Theme theme = Theme::paperTheme();
  for (const OperatorClass a : every_class()) {
    for (const OperatorClass b : every_class()) {
      const bool alike = a == OperatorClass::kConcat && b == OperatorClass::kInput;  // which share a sign
      if (a >= b || alike || theme.operatorHatch(a) != theme.operatorHatch(b)) continue;
      EXPECT_GT(std::abs(lightness(theme.operatorFill(a)) - lightness(theme.operatorFill(b))), 8.0)
          << static_cast<int>(a) << " and " << static_cast<int>(b);
    }
  }
}

// Nor would its operators, which it does not hatch.
TEST(PaperTheme, TheWindowsOperatorsWouldNotDifferInGrey) {
  const Theme theme = Theme::light();
  EXPECT_LT(std::abs(lightness(theme.operatorFill(OperatorClass::kConv1x1)) -
                     lightness(theme.operatorFill(OperatorClass::kDepthwiseConv))),
            2.0);
  for (const OperatorClass what : every_class()) {
    EXPECT_EQ(theme.operatorHatch(what), Hatch::kNone);
    EXPECT_NE(Theme::paperTheme().operatorHatch(what), Theme::paperTheme().mergedHatch()) << "is told from its class";
  }
  EXPECT_NE(theme.mergedHatch(), Hatch::kNone) << "a shape, not a hue";
}

TEST(PaperTheme, SchedulesDifferForEveryEye) {
  const Theme theme = Theme::paperTheme();
  for (const Matrix& eye : {kProtanopia, kDeuteranopia, kTritanopia}) {
    for (std::size_t a = 0; a < kRoles.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Rgb first = lab(seen(linear(theme.schedule(kRoles[a])), eye));
        const Rgb second = lab(seen(linear(theme.schedule(kRoles[b])), eye));
        EXPECT_GT(difference(first, second), 10) << a << " and " << b;
      }
    }
  }
}

TEST(PaperTheme, TextIsLegible) {
  const Theme theme = Theme::paperTheme();
  EXPECT_GT(contrast(theme.text, theme.canvas), 15.0);
  EXPECT_GT(contrast(theme.mutedText, theme.canvas), 7.0);
  for (const OperatorClass what : every_class()) {
    const QColor fill = theme.operatorFill(what);
    EXPECT_GT(contrast(Theme::readableOn(fill), fill), 4.5) << static_cast<int>(what);
  }
}

TEST(Hatch, LinesStayInTheirBox) {
  const QRectF box(3, 5, 40, 13);
  std::map<Hatch, std::size_t> counts;
  for (const Hatch hatch : {Hatch::kNone, Hatch::kRising, Hatch::kFalling, Hatch::kCrossed, Hatch::kLevel}) {
    const std::vector<QLineF> lines = hatch_lines(box, hatch, 4);
    counts[hatch] = lines.size();
    for (const QLineF& line : lines) {
      EXPECT_TRUE(box.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p1()) &&
                  box.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p2()));
      const bool up = (line.x2() - line.x1()) * (line.y2() - line.y1()) < 0;
      EXPECT_FALSE(hatch == Hatch::kRising && !up);
      EXPECT_FALSE(hatch == Hatch::kFalling && up);
      EXPECT_FALSE(hatch == Hatch::kLevel && line.y1() != line.y2());
    }
  }
  EXPECT_EQ(counts[Hatch::kNone], 0U);
  EXPECT_EQ(counts[Hatch::kLevel], 3U);
  EXPECT_EQ(counts[Hatch::kRising], 13U);  // (40 + 13) / 4
  EXPECT_EQ(counts[Hatch::kCrossed], counts[Hatch::kRising] + counts[Hatch::kFalling]);
}

// One meaning a colour: operators have hues, schedules are grey but for the one in focus, and nobody takes one for the
// other.

// Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
constexpr std::array<Sight, 4> kSights{
    Sight{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    Sight{{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    Sight{{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    Sight{{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

// CIE L*a*b* under D65 of what an eye sees.
Triple seen_as(const QColor& color, const Sight& eye) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const Triple rgb{linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
  Triple seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) seen[i] += eye[i][j] * rgb[j];
    seen[i] = std::clamp(seen[i], 0.0, 1.0);
  }
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double apart(const QColor& a, const QColor& b, const Sight& eye) {
  const Triple first = seen_as(a, eye);
  const Triple second = seen_as(b, eye);
  return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

constexpr std::array kListed{ColorRole::kSequential, ColorRole::kGreedy,  ColorRole::kSideBySide, ColorRole::kMerge,
                             ColorRole::kParallel,   ColorRole::kBoth,    ColorRole::kList,       ColorRole::kFlow,
                             ColorRole::kGiven,      ColorRole::kOneByOne};

class ScheduleColours : public testing::TestWithParam<bool> {
 protected:
  Theme theme_ = GetParam() ? Theme::darkTheme() : Theme::light();
};

// The bound: two colours 15 of CIE76 apart are told apart side by side at a glance (2.3 is just noticeable).
TEST_P(ScheduleColours, NoneIsNearAnOperatorsWhoeverLooks) {
  constexpr double kApart = 15;
  std::vector<QColor> schedules{theme_.accent};
  for (const ColorRole role : kListed) schedules.push_back(theme_.schedule(role));
  for (std::size_t eye = 0; eye < kSights.size(); ++eye) {
    for (std::size_t c = 0; c < kOperatorClasses; ++c) {
      for (const QColor& schedule : schedules) {
        EXPECT_GE(apart(schedule, theme_.operatorFill(static_cast<OperatorClass>(c)), kSights[eye]), kApart)
            << schedule.name().toStdString() << " and what " << c << " for eye " << eye;
      }
    }
  }
}

TEST_P(ScheduleColours, AreGreyButForTheOneInFocus) {
  for (const ColorRole role : kListed) {
    const Triple grey = seen_as(theme_.schedule(role), kSights[0]);
    EXPECT_LT(std::hypot(grey[1], grey[2]), 6) << "no hue";
    EXPECT_EQ(theme_.schedule(role, true), theme_.accent);
    for (const Sight& eye : kSights) EXPECT_GE(apart(theme_.schedule(role), theme_.accent, eye), 15);
  }
  const Triple accent = seen_as(theme_.accent, kSights[0]);
  EXPECT_GT(std::hypot(accent[1], accent[2]), 50);
}

// In grey too.
TEST_P(ScheduleColours, NeighboursInListsDifferInLightness) {
  for (std::size_t i = 0; i + 1 < kListed.size(); ++i) {
    const double step =
        seen_as(theme_.schedule(kListed[i]), kSights[0])[0] - seen_as(theme_.schedule(kListed[i + 1]), kSights[0])[0];
    EXPECT_GE(std::abs(step), 5) << i;
  }
  EXPECT_GE(
      std::abs(seen_as(theme_.schedule(ColorRole::kSequential), kSights[0])[0] - seen_as(theme_.accent, kSights[0])[0]),
      8);
}

TEST_P(ScheduleColours, LinesAndOutlinesAreSeenOnEveryGround) {
  for (const QColor& ground : {theme_.window, theme_.canvas, theme_.panel, theme_.selectionFill}) {
    EXPECT_GE(Theme::contrast(theme_.accent, ground), 3);
    EXPECT_GE(Theme::contrast(theme_.scheduleLine(), ground), 3);
    EXPECT_GE(Theme::contrast(theme_.scheduleLine(true), ground), 3);
    EXPECT_GE(Theme::contrast(theme_.boxLine, ground), 3) << "around swatches and bars";
  }
}

TEST_P(ScheduleColours, SwatchesHaveAnOutline) {
  const QImage square = schedule_swatch(theme_, ScheduleKind::kGreedy, false).toImage();
  EXPECT_EQ(square.pixelColor(0, square.height() / 2), theme_.boxLine);
  EXPECT_EQ(square.pixelColor(square.width() / 2, square.height() / 2), theme_.schedule(ScheduleKind::kGreedy));
  EXPECT_NE(schedule_swatch(theme_, ScheduleKind::kGreedy, true).toImage(), square);
}

// A report has the window's colours: --c0 … by class, --r0 … by role.
TEST_P(ScheduleColours, ReportHasTheSame) {
  QFile file(QStringLiteral(IOS_SOURCE_FOLDER "/resources/report/report.css"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QString css = QString::fromUtf8(file.readAll());
  const qsizetype dark = css.indexOf(QStringLiteral("prefers-color-scheme: dark"));
  ASSERT_GT(dark, 0);
  const QString own = GetParam() ? css.mid(dark) : css.left(dark);
  const auto colour = [&](const QString& name) {
    const QRegularExpression rule(QStringLiteral("--%1: (#[0-9a-f]{6});").arg(name));
    return QColor(rule.match(own).captured(1));
  };
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    EXPECT_EQ(colour(QStringLiteral("c%1").arg(i)), theme_.operatorFill(static_cast<OperatorClass>(i))) << i;
  }
  for (std::size_t i = 0; i < kListed.size(); ++i) {
    EXPECT_EQ(colour(QStringLiteral("r%1").arg(i)), theme_.schedule(static_cast<ColorRole>(i))) << i;
  }
  EXPECT_EQ(colour(QStringLiteral("accent")), theme_.accent);
  const std::array ends{std::pair(true, QStringLiteral("faster")), std::pair(false, QStringLiteral("slower"))};
  for (const auto& [saved, name] : ends) {
    const QColor fill = colour(name + QStringLiteral("-fill"));
    EXPECT_EQ(colour(name), gain_color(saved, theme_));
    EXPECT_GE(Theme::contrast(colour(name), fill), 4.5) << name.toStdString();
    EXPECT_NE(fill, colour(QStringLiteral("select-fill"))) << "which is the row that is selected";
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ScheduleColours, testing::Bool());

}  // namespace

}  // namespace iosx
