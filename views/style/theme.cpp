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

// A colour in the light theme, in the dark one, and on paper.
struct Shades {
  QRgb light;
  QRgb dark;
  QRgb paper;

  QRgb of(const Theme& theme) const { return theme.paper ? paper : theme.dark ? dark : light; }
};

struct OperatorLook {
  Shades fill;
  Hatch on_paper;
};

// Operators by OperatorClass: the contrast of their fills is at least 3 : 1 on every stage band, and
// red- and green-blind people can distinguish them too. On paper the same hues have five steps of
// lightness, nine of CIE L* apart; fills of one step differ in their hatching.
constexpr std::array<OperatorLook, kOperatorClasses> kOperators{{
    {{0x0072B2, 0x56B4E9, 0x1A7ABA}, Hatch::kNone},     // kConv1x1
    {{0x332288, 0x8C9BFF, 0x322187}, Hatch::kNone},     // kConv3x3
    {{0x0B8484, 0x5FDDD0, 0x048282}, Hatch::kLevel},    // kConvLine
    {{0x7A3E9D, 0xC39BEF, 0x682D8B}, Hatch::kFalling},  // kConvOther
    {{0x9A6400, 0xF5B945, 0xA06908}, Hatch::kRising},   // kDepthwiseConv
    {{0x7A4A00, 0xD9A15B, 0x6A3F00}, Hatch::kRising},   // kGroupedConv
    {{0x455A8C, 0x9FB3D9, 0x485D8F}, Hatch::kFalling},  // kTransposedConv
    {{0x1B7A3A, 0x3FA564, 0x005522}, Hatch::kNone},     // kPool
    {{0x9C3200, 0xEE7230, 0xA63B09}, Hatch::kNone},     // kLinear
    {{0x454D57, 0x8793A0, 0x1B222B}, Hatch::kNone},     // kConcat
    {{0x3E3C00, 0xF3E88F, 0x383600}, Hatch::kLevel},    // kArithmetic
    {{0x8A1558, 0xE2679F, 0x8A1558}, Hatch::kLevel},    // kActivation
    {{0x454D57, 0x8793A0, 0x1B222B}, Hatch::kNone},     // kInput
    {{0x7A1F1F, 0xEC7B7B, 0x6B0F14}, Hatch::kFalling},  // kOpaque
}};

// Returns the relative luminance of an sRGB colour, as WCAG 2 has it.
double luminance(const QColor& color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

constexpr std::size_t kColorRoles = static_cast<std::size_t>(ColorRole::kGiven) + 1;

// Greys by ColorRole. In the light palette they are lighter than all operators, in the dark one darker, so that no eye
// takes one for the other; neighbours in lists differ by six of CIE L* and more. On paper they are dark and light in
// turn.
constexpr std::array<Shades, kColorRoles> kGreys{{
    {0xA2A6AB, 0x6A6D72, 0x272B2F},  // kSequential
    {0xDFE3E8, 0x3A3E42, 0xB8BCC1},  // kOneByOne
    {0xBDC1C6, 0x515559, 0x73777B},  // kGreedy
    {0xAAAEB3, 0x63666B, 0xC9CDD1},  // kSideBySide
    {0xCED2D7, 0x43474B, 0x101418},  // kMerge
    {0xA7ACB1, 0x63666B, 0x8F9397},  // kParallel
    {0xC3C7CC, 0x4D5055, 0x3F4347},  // kBoth
    {0xD9DDE2, 0x3F4247, 0xACB0B4},  // kList
    {0xB2B6BB, 0x5B5F63, 0x585C60},  // kFlow
    {0xC8CCD1, 0x484C50, 0xE7EBEF},  // kGiven
}};

// The other colours, light and dark.
struct ThemeColor {
  QColor Theme::*member;
  QRgb light;
  QRgb dark;
};

constexpr std::array<ThemeColor, 17> kThemeColors{{
    {&Theme::window, 0xEEF1F5, 0x1B2027},
    {&Theme::canvas, 0xFFFFFF, 0x14181E},
    {&Theme::panel, 0xF7F9FB, 0x222932},
    {&Theme::text, 0x1B232C, 0xE8ECF1},
    {&Theme::mutedText, 0x535F6B, 0xA3AFBC},
    {&Theme::gridLine, 0xDDE3EA, 0x2E3742},
    {&Theme::outline, 0x9AA6B3, 0x5A6776},
    {&Theme::boxLine, 0x5B6673, 0xA9B4C0},
    {&Theme::selection, 0x0B3FC0, 0x6CB8FF},
    {&Theme::selectionFill, 0xD3E4FB, 0x1E3C63},
    {&Theme::error, 0xC42F00, 0xFF8A4C},
    {&Theme::errorFill, 0xFFE3D6, 0x5A311C},
    {&Theme::simulated, 0x8A5A00, 0xF2B84B},
    {&Theme::measured, 0x006B4E, 0x3FD0A2},
    {&Theme::found, 0x8A5A00, 0xFFC84D},
    {&Theme::running, 0xB0006B, 0xFF7AC8},
    {&Theme::accent, 0x7A2CF5, 0x9669FF},
}};

Theme theme_with(bool dark) {
  Theme theme;
  theme.dark = dark;
  for (const ThemeColor& color : kThemeColors) {
    theme.*color.member = QColor(dark ? color.dark : color.light);
  }
  return theme;
}

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
QToolBar#run-bar QLabel { color: {muted}; padding-left: 4px; }
QToolBar#headline-bar { padding: 0; spacing: 0; }
QLabel#headline-speed { font-size: 20pt; font-weight: 700; }
QLabel#headline-sentence { font-size: 11pt; font-weight: 700; }
QLabel#headline-stale, QLabel#headline-search { color: {simulated}; }
QLabel#headline-detail, QLabel#compare-details, QLabel#compare-gains { color: {muted}; }
QToolButton[chip="true"] { background: {canvas}; border: 1px solid {outline}; border-radius: 5px; padding: 0 8px; }
QToolButton[chip="true"]:hover { background: {highlight}; }
QToolButton[chip="true"]:checked { border: 2px solid {accent}; font-weight: 700; padding: 0 7px; }
QToolButton[chip="true"]:focus { background: {highlight}; border-color: {text}; }
QToolButton[chip="true"]:checked:focus { border-color: {accent}; }
QToolButton#more-schedules { padding: 0 14px 0 2px; }
QToolButton#more-schedules::menu-indicator { subcontrol-position: right center; subcontrol-origin: padding; right: 3px; }
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
QLabel[badge="simulated"] { color: {simulated}; border: 1px solid {simulated}; border-radius: 4px; padding: 0 6px;
                            font-weight: 700; }
QLabel[badge="measured"] { color: {measured}; border: 1px solid {measured}; border-radius: 4px; padding: 0 6px;
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
  set("accent", theme.accent);
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
  return focus ? accent : QColor(kGreys[static_cast<std::size_t>(role)].of(*this));
}

QColor Theme::operatorFill(OperatorClass what) const {
  return QColor(kOperators[static_cast<std::size_t>(what)].fill.of(*this));
}

Hatch Theme::operatorHatch(OperatorClass what) const {
  return paper ? kOperators[static_cast<std::size_t>(what)].on_paper : Hatch::kNone;
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

Theme Theme::light() { return theme_with(false); }

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

Theme Theme::darkTheme() { return theme_with(true); }

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

void follow_theme(QObject* object, Theme& theme, const std::function<void()>& changed) {
  follow_theme(object, [&theme, changed](const Theme& now) {
    theme = now;
    changed();
  });
}

void tell_theme(const Theme& theme) {
  followers().theme = theme;
  const auto all = followers().all;  // what is told may make others
  for (const auto& each : all) {
    if (!each.object.isNull()) each.take(theme);
  }
}

QColor with_alpha(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

QFont bold_font(bool bold) {
  QFont font;
  font.setBold(bold);
  return font;
}

QFont sized(QFont font, int pixels, bool bold) {
  font.setPixelSize(pixels);
  font.setBold(bold);
  return font;
}

}  // namespace iosx
