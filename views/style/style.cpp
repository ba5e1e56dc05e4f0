#include "views/style/style.h"

#include <QApplication>
#include <QFont>
#include <QPalette>
#include <QPointer>
#include <QStyle>
#include <QStyleFactory>
#include <utility>
#include <vector>

namespace iosx {
namespace {

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
