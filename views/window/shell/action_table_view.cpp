#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/paint/overlay.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/recording/fold_canvas.h"
#include "views/recording/recording_page.h"
#include "views/style/theme.h"
#include "views/window/base/language.h"
#include "views/window/base/settings.h"
#include "views/window/menus/column_menu.h"
#include "views/window/panels/views.h"
#include "views/window/shell/action_table.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/main_window.h"

namespace iosx {

namespace {

constexpr double kZoomStep = 1.25;

// The one of the mode.
CanvasWidget* canvas_of(MainWindow& window, CanvasWidget* drawn, CanvasWidget* graph) {
  if (window.mode() == Mode::kEditGraph) return drawn;
  return window.mode() == Mode::kRecording ? window.recordingPage()->canvas() : graph;
}

}  // namespace

ActionRow ActionTable::view() const {
  MainWindow* const w = this->w;
  // The zoom applies to the graph of the mode.
  const auto zoom = [w](double factor) {
    return [w, factor] { canvas_of(*w, w->editing_->canvas(), w->views_->graph())->zoomBy(factor); };
  };
  return {.id = "view",
          .text = tr("&View"),
          .rows = {
              {.id = "modes", .one_of = true, .listed = false, .rows = modes()},  // the tool bar has them
              {.id = "panels", .text = tr("&Panels")},
              {.id = "reset-layout",
               .text = tr("&Reset layout"),
               .tip = tr("Move all panels of this mode back to their first places"),
               .run = [w] { w->resetLayout(); }},
              {},
              {.id = "zoom-in",
               .text = tr("Zoom &in"),
               .tip = tr("Enlarge the graph"),
               .keys = QKeySequence::ZoomIn,
               .icon = "zoom-in",
               .run = zoom(kZoomStep),
               .listed = false},  // the wheel does it
              {.id = "zoom-out",
               .text = tr("Zoom &out"),
               .tip = tr("Shrink the graph"),
               .keys = QKeySequence::ZoomOut,
               .icon = "zoom-out",
               .run = zoom(1 / kZoomStep),
               .listed = false},
              {.id = "zoom-fit",
               .text = tr("Zoom to &fit"),
               .tip = tr("Show the whole graph"),
               .keys = {tr("Ctrl+0")},
               .icon = "fit",
               .run = [w] { canvas_of(*w, w->editing_->canvas(), w->views_->graph())->zoomToFit(); }},
              {.id = "zoom-selection",
               .text = tr("Zoom to &selection"),
               .tip = tr("Show the selection"),
               .keys = {tr("Ctrl+9")},
               .run = [w] { canvas_of(*w, w->editing_->canvas(), w->views_->graph())->zoomToSelection(); }},
              {.id = "overlay",
               .text = tr("Colour &units by"),
               .listed = false,  // the canvas has a button for it
               .rows = {{.id = "overlays", .one_of = true, .rows = overlays()},
                        {},
                        {.id = "colour-by-column",
                         .text = tr("Colour by &my column…"),
                         .tip = tr("Colour the units by a table of values by node name, CSV or JSON: memory, an error "
                                   "after quantisation, sparsity, energy"),
                         .run = [w] { w->columns_->ask(); },
                         .cannot = no_network}}},
              {.id = "legend",
               .text = tr("Legend of the &graph"),
               .tip = tr("Show or hide the meaning of colours and outlines"),
               .keys = {tr("Ctrl+Shift+L")},
               .run = [w] { w->views_->graph()->toggleLegend(); },
               .checked = [w] { return w->views_->graph()->legendVisible(); },
               .listed = false},  // the canvas has a button for it
              {},
              {.id = "theme", .text = tr("&Theme"), .one_of = true, .rows = themes()},
              {.id = "language", .text = tr("&Language / 语言"), .one_of = true, .rows = languages()},
          }};
}

std::vector<ActionRow> ActionTable::modes() const {
  std::vector<ActionRow> rows;
  for (const Mode mode : kModes) {
    const ModeRow row = row_of(mode);
    rows.push_back({.id = QStringLiteral("mode-") + row.name,
                    .text = row.title,
                    .tip = row.tip,
                    .keys = row.keys,
                    .run = [w = w, mode] { w->setMode(mode); },
                    .cannot =
                        [w = w, mode] {
                          const bool nothing = w->mode() == Mode::kRecording && !w->session_.hasDocument();
                          return nothing && mode != Mode::kEditGraph ? tr("No network is open") : QString();
                        },
                    .checked = [w = w, mode] { return w->mode() == mode; }});
  }
  return rows;
}

std::vector<ActionRow> ActionTable::overlays() const {
  const auto row = [w = w](const char* id, canvas::Overlay what, std::function<QString()> cannot = {}) {
    return ActionRow{.id = id,
                     .text = canvas::overlay_name(what),
                     .tip = canvas::overlay_meaning(what),
                     .run = [w, what] { w->views_->graph()->setOverlay(what); },
                     .cannot = std::move(cannot),
                     .checked = [w, what] { return w->views_->graph()->overlay() == what; }};
  };
  return {row("colour-kind", canvas::Overlay::kNone),
          row("colour-flops", canvas::Overlay::kFlops),
          row("colour-latency", canvas::Overlay::kLatency),
          row("colour-bytes", canvas::Overlay::kBytes),
          row("colour-intensity", canvas::Overlay::kIntensity),
          row("colour-slack", canvas::Overlay::kSlack),
          row("colour-critical-path", canvas::Overlay::kCriticalPath),
          row("colour-delta", canvas::Overlay::kDelta),
          row("colour-column", canvas::Overlay::kColumn, [w = w] {
            return w->views_->graph()->columnTitle().isEmpty()
                       ? tr("No table of values is open: choose Colour by my column…")
                       : QString();
          })};
}

std::vector<ActionRow> ActionTable::themes() const {
  const auto row = [w = w](const char* id, ThemeMode mode, const QString& text, const QString& tip) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tip,
                     .run = [w, mode] { w->setThemeMode(mode); },
                     .checked = [w, mode] { return w->settings_.themeMode() == mode; }};
  };
  return {row("theme-system", ThemeMode::kSystem, tr("&System"), tr("Use the colours of the desktop")),
          row("theme-light", ThemeMode::kLight, tr("&Light"), tr("Dark on light")),
          row("theme-dark", ThemeMode::kDark, tr("&Dark"), tr("Light on dark"))};
}

// By their own names, so that whoever reads only one of them finds it.
std::vector<ActionRow> ActionTable::languages() const {
  const auto row = [w = w](const char* id, LanguageMode mode, const QString& text, const QString& tip) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tip,
                     .run = [w, mode] { w->setLanguage(mode); },
                     .checked = [w, mode] { return w->settings_.language() == mode; }};
  };
  return {row("language-system", LanguageMode::kSystem, tr("&System"), tr("The language of the desktop")),
          row("language-en", LanguageMode::kEnglish, QStringLiteral("&English"), tr("The window in English")),
          row("language-zh-CN", LanguageMode::kChinese, QString::fromUtf8("简体中文 · Chinese"),
              tr("The window in Simplified Chinese"))};
}

}  // namespace iosx
