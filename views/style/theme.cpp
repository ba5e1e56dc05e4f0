#include "views/style/theme.h"

#include <QApplication>
#include <QFont>
#include <QPalette>
#include <QPointer>
#include <QStyle>
#include <QStyleFactory>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

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

constexpr double kFontPoints = 9;

QPalette palette_of(const Theme& theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, theme.window);
  palette.setColor(QPalette::WindowText, theme.text);
  palette.setColor(QPalette::Base, theme.canvas);
  palette.setColor(QPalette::AlternateBase, theme.panel);
  palette.setColor(QPalette::Text, theme.text);
  palette.setColor(QPalette::Button, theme.panel);
  palette.setColor(QPalette::ButtonText, theme.text);
  palette.setColor(QPalette::BrightText, theme.error);
  palette.setColor(QPalette::ToolTipBase, theme.panel);
  palette.setColor(QPalette::ToolTipText, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.mutedText);
  palette.setColor(QPalette::Highlight, theme.selectionFill);
  palette.setColor(QPalette::HighlightedText, theme.text);
  palette.setColor(QPalette::Link, theme.selection);
  palette.setColor(QPalette::Light, theme.dark ? theme.outline : QColor(Qt::white));
  palette.setColor(QPalette::Midlight, theme.gridLine);
  palette.setColor(QPalette::Mid, theme.outline);
  palette.setColor(QPalette::Dark, theme.outline.darker(140));
  palette.setColor(QPalette::Shadow, QColor(Qt::black));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
    palette.setColor(QPalette::Disabled, role, theme.outline);
  }
  return palette;
}

// Placeholders in braces are replaced by the theme's colours.
const char* const kStyleSheet = R"(
QMainWindow::separator { background: {grid}; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: {outline}; }
QSplitter::handle { background: {grid}; }
QToolBar { background: {panel}; border: 0; border-bottom: 1px solid {grid}; spacing: 6px; padding: 0 8px; }
QToolBar QLabel { color: {muted}; padding-left: 4px; }
QWidget#headline { background: {panel}; border-bottom: 1px solid {grid}; }
QLabel#headline-detail, QLabel#headline-stale, QLabel#compare-details, QLabel#compare-gains { color: {muted}; }
QLabel[result="large"] { font-size: 13pt; font-weight: 700; }
QMenuBar { background: {panel}; }
QStatusBar { background: {panel}; border-top: 1px solid {grid}; }
QStatusBar::item { border: 0; }
QProgressBar { border: 1px solid {outline}; border-radius: 3px; background: {canvas}; color: {text};
               text-align: center; }
QProgressBar::chunk { background: {progress}; }
QDockWidget { font-weight: 700; }
QDockWidget::title { background: {panel}; padding: 1px 8px; border-bottom: 1px solid {grid}; }
QTableView { border: 0; background: {canvas}; alternate-background-color: {panel}; gridline-color: {grid};
             selection-background-color: {highlight}; selection-color: {text}; }
QTableView::item { padding: 2px 6px; }
QHeaderView::section { background: {panel}; color: {muted}; border: 0; border-bottom: 1px solid {grid};
                       border-right: 1px solid {grid}; padding: 3px 6px; }
QHeaderView::up-arrow, QHeaderView::down-arrow {
  subcontrol-origin: margin; subcontrol-position: bottom left; width: 9px; height: 9px; }
QWidget#tasks { background: {canvas}; }
QToolButton[mode="true"] { padding: 4px 10px; border-radius: 5px; }
QToolButton[mode="true"]:checked { background: {selection}; font-weight: 700; }
QToolButton[accent], QPushButton[accent] { color: white; font-weight: 700; border: 0; border-radius: 5px;
                                           padding: 5px 14px; }
QToolButton[accent="go"], QPushButton[accent="go"] { background: {go}; }
QToolButton[accent="go"]:hover, QPushButton[accent="go"]:hover { background: {goHover}; }
QToolButton[accent="stop"], QPushButton[accent="stop"] { background: {stop}; }
QToolButton[accent="stop"]:hover, QPushButton[accent="stop"]:hover { background: {stopHover}; }
QToolButton[accent]:disabled, QPushButton[accent]:disabled { background: {outline}; }
QToolButton[accent]:focus, QPushButton[accent]:focus { border: 2px solid {text}; padding: 3px 12px; }
QLabel[badge="simulated"] { color: {simulated}; border: 1px solid {simulated}; border-radius: 4px; padding: 2px 8px;
                            font-weight: 700; }
QLabel[badge="measured"] { color: {measured}; border: 1px solid {measured}; border-radius: 4px; padding: 2px 8px;
                           font-weight: 700; }
QFrame[message="hint"] { background: {hint}; border: 0; border-left: 4px solid {go}; }
QFrame[message="error"] { background: {error}; border: 0; border-left: 4px solid {errorEdge}; }
QDialog#palette-window { background: {panel}; border: 1px solid {outline}; }
QCheckBox::indicator, QTreeView::indicator, QListView::indicator {
  width: 11px; height: 11px; border: 1px solid {muted}; border-radius: 3px; background: {canvas}; }
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {
  background: {go}; border-color: {go}; image: url(:/icons/check.svg); }
QCheckBox::indicator:disabled, QTreeView::indicator:disabled, QListView::indicator:disabled {
  border-color: {outline}; }
QCheckBox::indicator:checked:disabled, QTreeView::indicator:checked:disabled, QListView::indicator:checked:disabled {
  background: {outline}; }
QToolTip { background: {panel}; color: {text}; border: 1px solid {outline}; padding: 4px; }
)";

QColor blend(const QColor& over, const QColor& under, float share) {
  return QColor::fromRgbF(over.redF() * share + under.redF() * (1 - share),
                          over.greenF() * share + under.greenF() * (1 - share),
                          over.blueF() * share + under.blueF() * (1 - share));
}

QString style_sheet(const Theme& theme) {
  // Dark enough that white text on it has a contrast of at least 4.5 : 1.
  const QColor go(0x00, 0x6F, 0x52);
  const QColor stop(0xB0, 0x3A, 0x10);
  QString sheet = QString::fromLatin1(kStyleSheet);
  const auto set = [&sheet](const char* name, const QColor& color) {
    sheet.replace(QLatin1Char('{') + QString::fromLatin1(name) + QLatin1Char('}'), color.name());
  };
  set("panel", theme.panel);
  set("canvas", theme.canvas);
  set("grid", theme.gridLine);
  set("outline", theme.outline);
  set("text", theme.text);
  set("muted", theme.mutedText);
  set("highlight", theme.selectionFill);
  set("errorEdge", theme.error);
  set("simulated", theme.simulated);
  set("measured", theme.measured);
  set("go", go);
  set("goHover", go.lighter(120));
  set("stop", stop);
  set("stopHover", stop.lighter(115));
  set("progress", blend(theme.measured, theme.canvas, 0.45F));
  set("hint", blend(theme.measured, theme.panel, 0.12F));
  set("error", theme.errorFill);
  return sheet;
}

struct Followers {
  struct Follower {
    QPointer<QObject> object;
    std::function<void(const Theme&)> take;
  };
  Theme theme = Theme::light();
  std::vector<Follower> all;
};

Followers& followers() {
  static Followers followers;
  return followers;
}

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

Theme theme_of(ThemeMode mode, bool system_is_dark) {
  const bool dark = mode == ThemeMode::kDark || (mode == ThemeMode::kSystem && system_is_dark);
  return dark ? Theme::darkTheme() : Theme::light();
}

bool palette_is_dark(const QApplication& application) {
  const QPalette palette = application.palette();
  return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
}

Theme theme_of(const QPalette& palette) {
  const bool dark = palette.color(QPalette::Text).lightness() > palette.color(QPalette::Base).lightness();
  return dark ? Theme::darkTheme() : Theme::light();
}

void apply_theme(QApplication& application, const Theme& theme) {
  if (application.style()->name() != QStringLiteral("fusion")) {
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  }
  QFont font = application.font();
  if (font.pointSizeF() != kFontPoints) {
    font.setPointSizeF(kFontPoints);
    application.setFont(font);
  }
  application.setPalette(palette_of(theme));
  application.setStyleSheet(style_sheet(theme));
  tell_theme(theme);
}

void follow_theme(QObject* object, std::function<void(const Theme&)> take) {
  take(followers().theme);
  std::erase_if(followers().all, [](const auto& each) { return each.object.isNull(); });
  followers().all.push_back({object, std::move(take)});
}

void tell_theme(const Theme& theme) {
  followers().theme = theme;
  const auto all = followers().all;  // what is told may make others
  for (const auto& each : all) {
    if (!each.object.isNull()) each.take(theme);
  }
}

QFont sized(QFont font, int pixels, bool bold) {
  font.setPixelSize(pixels);
  font.setBold(bold);
  return font;
}

}  // namespace iosx
