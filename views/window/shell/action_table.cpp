#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "core/documents/exports/exports.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/paint/overlay.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/style/theme.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/key_sheet.h"
#include "views/window/base/language.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/menus/column_menu.h"
#include "views/window/menus/export_menu.h"
#include "views/window/menus/external_menu.h"
#include "views/window/panels/run_bar.h"
#include "views/window/panels/views.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/opening.h"
#include "views/window/shell/project_keeper.h"
#include "views/window/shell/run_dialogs.h"
#include "views/window/shell/schedule_editor.h"
#include "views/window/shell/window_panels.h"
#include "views/window/start/help.h"
#include "views/window/start/start_page.h"

namespace iosx {
namespace {

constexpr double kZoomStep = 1.25;

}  // namespace

// Makes the table of a window, menu by menu. Rows hold the window: what they do and ask is called once it is whole.
struct ActionTable {
  Q_DECLARE_TR_FUNCTIONS(iosx::Actions)

 public:
  explicit ActionTable(MainWindow& window);

  ActionRow file() const;
  ActionRow edit() const;
  ActionRow view() const;
  ActionRow graph() const;
  ActionRow schedule() const;
  ActionRow experiments() const;
  ActionRow help() const;

 private:
  std::vector<ActionRow> exports() const;
  std::vector<ActionRow> figures() const;
  std::vector<ActionRow> drawing() const;
  std::vector<ActionRow> alignments() const;
  std::vector<ActionRow> modes() const;
  std::vector<ActionRow> overlays() const;
  std::vector<ActionRow> themes() const;
  std::vector<ActionRow> languages() const;

  static bool draws(const MainWindow* w) { return w->mode() == Mode::kEditGraph; }
  // These return what a step of the mode is called, empty where there is none. None: the mode edits nothing.
  static std::optional<QString> undo_step(const MainWindow& w) {
    if (draws(&w)) return w.editing_->controller().undoText();
    return w.mode() == Mode::kEditSchedule ? std::optional(w.editor_->controller().undoName()) : std::nullopt;
  }
  static std::optional<QString> redo_step(const MainWindow& w) {
    if (draws(&w)) return w.editing_->controller().redoText();
    return w.mode() == Mode::kEditSchedule ? std::optional(w.editor_->controller().redoName()) : std::nullopt;
  }
  static QString reason(const std::optional<QString>& step, const QString& none) {
    if (!step) return tr("This mode has no edits");
    return step->isEmpty() ? none : QString();
  }
  static bool warm_start_used(const MainWindow& w) {
    const WorkspaceNetwork* network = w.session_.shownNetwork();
    return network != nullptr && network->warm_start && network->warm_start->used;
  }

  MainWindow* w;
  // These return why something cannot be done.
  std::function<QString()> no_network;
  std::function<QString()> no_schedule;
  std::function<QString()> no_weights;   // or no network
  std::function<QString()> not_written;  // of models with a schedule
  std::function<QString()> no_operator;
  std::function<QString()> not_one_operator;
};

std::vector<ActionRow> action_table(MainWindow& window) {
  const ActionTable table(window);
  return {table.file(), table.edit(), table.view(), table.graph(), table.schedule(), table.experiments(), table.help()};
}

ActionTable::ActionTable(MainWindow& window) : w(&window) {
  no_network = [w = w] { return w->session_.hasDocument() ? QString() : tr("No network is open"); };
  no_schedule = [w = w] { return w->session_.comparison() ? QString() : tr("There is no schedule yet"); };
  no_weights = [w = w, none = no_network] {
    return w->session_.weightsLeftBehind()
               ? tr("A run file does not hold the network's weights; open the network itself")
               : none();
  };
  not_written = [schedule = no_schedule, weights = no_weights, network = no_network] {
    const QString none = network();
    const QString nothing = none.isEmpty() ? schedule() : none;
    return nothing.isEmpty() ? weights() : nothing;
  };
  const auto selected = [w = w] { return w->editing_->controller().selected().size(); };
  no_operator = [selected] { return selected() > 0 ? QString() : tr("No operator is selected"); };
  not_one_operator = [selected] { return selected() == 1 ? QString() : tr("Select one operator"); };
}

ActionRow ActionTable::file() const {
  MainWindow* const w = this->w;
  return {
      .id = "file",
      .text = tr("&File"),
      .rows = {
          {.id = "new-graph",
           .text = tr("&New graph"),
           .tip = tr("Draw a new network; the open networks stay open"),
           .keys = QKeySequence::New,
           .run =
               [w] {
                 w->editGraph();
                 w->editing_->newGraph();
               }},
          {.id = "open",
           .text = tr("&Open…"),
           .tip = tr("Open a network (ONNX or JSON), a saved run or a schedule file"),
           .keys = QKeySequence::Open,
           .icon = "open",
           .run = [w] { w->opening_->ask(); }},
          {.id = "zoo", .text = tr("Open built-in &network")},
          {.id = "recent", .text = tr("Open &recent")},
          {.id = "last-session",
           .text = tr("Open &last session"),
           .tip = tr("Open the last session again"),
           .run = [w] { w->keeper_->openLastSession(); },
           .cannot = [w] { return w->keeper_->lastSession().isEmpty() ? tr("No session is saved yet") : QString(); }},
          {.id = "start-page",
           .text = tr("&Start page"),
           .tip = tr("Recent files and the built-in networks"),
           .keys = {tr("Alt+Home")},
           .icon = "start",
           .run = [w] { w->start_page_->show(); }},
          {},
          {.id = "add-external",
           .text = tr("&Import profile…"),
           .tip = tr("Compare with another program's recording of this network: a CSV table, a Chrome trace, a profile "
                     "of ONNX Runtime or PyTorch, an nsys SQLite export"),
           .run = [w] { w->external_->ask(); },
           .cannot = no_network},
          {},
          {.id = "save-project",
           .text = tr("&Save project"),
           .tip = tr("Write the open networks, all their runs and notes to one file"),
           .keys = QKeySequence::Save,
           .run = [w] { w->keeper_->save(); },
           .cannot = no_network},
          {.id = "save-project-as",
           .text = tr("Save project &as…"),
           .tip = tr("Write the project to another file, and use that file from now on"),
           .run = [w] { w->keeper_->saveAs(); },
           .cannot = no_network},
          {.id = "save-run",
           .text = tr("Sa&ve run…"),
           .tip = tr("Write the shown run to one file, to open it here or elsewhere"),
           .keys = {tr("Ctrl+Alt+S")},
           .run = [w] { w->exports_->askRun(); },
           .cannot = no_schedule},
          {.id = "save-page",
           .text = tr("Save &HTML report…"),
           .tip = tr("Write the comparison as one interactive page for any browser"),
           .keys = {tr("Ctrl+Alt+H")},
           .run = [w] { w->html_->ask(); },
           .cannot = no_schedule},
          {},
          {.id = "exports", .text = tr("&Export"), .rows = exports()},
          {.id = "export-figure",
           .text = tr("Export &figure…"),
           .tip = tr("Choose a figure and its size, and write it as SVG, PDF or PNG, or its data as CSV"),
           .run = [w] { w->exports_->askFigures(); }},
          {.id = "export-figures", .text = tr("Export &figure"), .listed = false, .rows = figures()},
          {.id = "export-animation",
           .text = tr("Export a&nimation…"),
           .tip = tr("Write the race of the shown schedule against sequential as a GIF, MP4 or WebM"),
           .run = [w] { w->exports_->askAnimation(); },
           .cannot = no_schedule},
          {},
          {.id = "quit",
           .text = tr("&Quit"),
           .tip = tr("Close the program"),
           .keys = {tr("Ctrl+Q")},
           .run = [w] { w->close(); },
           .role = QAction::QuitRole},
      }};
}

std::vector<ActionRow> ActionTable::exports() const {
  MainWindow* const w = this->w;
  const std::map<std::string_view, QKeySequence> keys{
      {"iosx", {tr("Ctrl+E")}}, {"onnx", {tr("Ctrl+Shift+S")}}, {"trace", {tr("Ctrl+T")}}};
  std::vector<ActionRow> rows;
  for (const ExportFormat& format : export_formats()) {
    if (format.id == "run" || format.id == "html") continue;  // save-run and save-page
    const bool network = format.needs == ExportNeeds::kNetwork;
    const bool weights = network || format.needs == ExportNeeds::kPlan;
    const auto key = keys.find(format.id);
    rows.push_back({.id = export_action(format),
                    .text = tr("Export as %1…").arg(core_words(format.title)),
                    .tip = core_words(format.summary),
                    .keys = key == keys.end() ? QKeySequence() : key->second,
                    .run =
                        [w, &format, weights] {
                          // As it is drawn, not as it was a moment ago.
                          GraphController& drawing = w->editing_->controller();
                          if (weights && drawing.active()) drawing.built();
                          w->exports_->askExport(format);
                        },
                    .cannot = network   ? no_weights
                              : weights ? not_written
                                        : no_schedule});
  }
  // For the original IOS program.
  ActionRow advanced{.id = "export-advanced", .text = tr("Ad&vanced")};
  const auto original = std::ranges::find(rows, QStringLiteral("export-ios"), &ActionRow::id);
  advanced.rows.push_back(std::move(*original));
  rows.erase(original);
  advanced.rows.push_back({.id = "export-original-graph",
                           .text = tr("Export graph as original IOS &JSON…"),
                           .tip = tr("Write the network in the format of the original IOS program"),
                           .run = [w] { w->editing_->exportOriginal(); }});
  rows.push_back(std::move(advanced));
  return rows;
}

std::vector<ActionRow> ActionTable::figures() const {
  MainWindow* const w = this->w;
  const auto row = [this](const char* id, FigureKind kind, const QString& text) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tr("Write the figure as SVG, PDF or PNG, or its data as CSV"),
                     .run = [w = this->w, kind] { w->exports_->askFigure(kind); },
                     .cannot = no_schedule};
  };
  std::vector<ActionRow> rows{
      row("export-card", FigureKind::kCard, tr("Ca&rd…")),
      row("export-graph", FigureKind::kGraph, tr("&Graph…")),
      row("export-saving", FigureKind::kSaving, tr("Sa&vings by part…")),
      row("export-timeline", FigureKind::kTimeline, tr("&Timeline…")),
      row("export-utilization", FigureKind::kUtilization, tr("&Why it is faster…")),
      row("export-comparison", FigureKind::kComparison, tr("&Comparison…")),
      row("export-stage-latencies", FigureKind::kStageLatencies, tr("&Stage latencies…")),
      row("export-searches", FigureKind::kSearches, tr("S&earches…")),
      row("export-sweep", FigureKind::kSweep, tr("&What if…")),
      row("export-compared-runs", FigureKind::kComparedRuns, tr("Compared &runs…")),
      row("export-part-matrix", FigureKind::kPartMatrix, tr("&Parts and schedules…")),
      row("export-stage-differences", FigureKind::kStageDifferences, tr("Stage &differences…")),
      row("export-statistics", FigureKind::kStatistics, tr("St&atistics…")),
      row("export-distribution", FigureKind::kDistribution, tr("D&istribution…")),
      row("export-drawing", FigureKind::kDrawing, tr("Dra&wing…")),
  };
  rows.back().cannot = [w] {
    return w->editing_->controller().graph().operators().empty() ? tr("Nothing is drawn") : QString();
  };
  return rows;
}

ActionRow ActionTable::edit() const {
  MainWindow* const w = this->w;
  return {
      .id = "edit",
      .text = tr("&Edit"),
      .rows = {{.id = "drawing", .rows = drawing()},
               {},
               {.id = "copy-card",
                .text = tr("Copy as &image"),
                .tip = tr("Copy one picture of the result to the clipboard: the speed-up, the network, both timelines"),
                .keys = {tr("Ctrl+Shift+C")},
                .run = [w] { w->exports_->copyCard(); },
                .cannot = no_schedule}}};
}

std::vector<ActionRow> ActionTable::drawing() const {
  MainWindow* const w = this->w;
  const auto does = [w](auto what) { return [w, what] { (w->editing_->controller().*what)(); }; };
  const auto row = [](const char* id, const QString& text, const QString& tip, const QKeySequence& keys,
                      std::function<void()> run, std::function<QString()> cannot = {}) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tip,
                     .keys = keys,
                     .mode = Mode::kEditGraph,
                     .run = std::move(run),
                     .cannot = std::move(cannot)};
  };
  const auto unlisted = [](ActionRow row) {
    row.listed = false;
    return row;
  };
  const auto nothing_selected = [w] {
    const GraphController& controller = w->editing_->controller();
    return controller.selected().empty() && !controller.wire() ? tr("Nothing is selected") : QString();
  };
  return {
      {.id = "undo",
       .text = tr("&Undo"),
       .tip = tr("Undo the last change"),
       .keys = {tr("Ctrl+Z")},
       .run = [w] { draws(w) ? w->editing_->controller().undo() : w->editor_->controller().undo(); },
       .cannot = [w] { return reason(undo_step(*w), tr("Nothing to undo")); },
       .text_now =
           [w] {
             const QString step = undo_step(*w).value_or(QString());
             return step.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(menu_text(step));
           }},
      {.id = "redo",
       .text = tr("&Redo"),
       .tip = tr("Redo the last undone change"),
       .keys = {tr("Ctrl+Shift+Z")},
       .run = [w] { draws(w) ? w->editing_->controller().redo() : w->editor_->controller().redo(); },
       .cannot = [w] { return reason(redo_step(*w), tr("Nothing to redo")); },
       .text_now =
           [w] {
             const QString step = redo_step(*w).value_or(QString());
             return step.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(menu_text(step));
           }},
      {},
      row("cut", tr("Cu&t"), tr("Move the selected operators to the clipboard"), {tr("Ctrl+X")},
          does(&GraphController::cut), no_operator),
      row("copy", tr("&Copy"), tr("Copy the selected operators to the clipboard as text"), {tr("Ctrl+C")},
          does(&GraphController::copy), no_operator),
      row("paste", tr("&Paste"), tr("Insert the operators from the clipboard"), {tr("Ctrl+V")},
          [w] { w->editing_->controller().paste(); }),
      row("duplicate", tr("&Duplicate"), tr("Copy the selected operators, with the same inputs"), {tr("Ctrl+D")},
          does(&GraphController::duplicateSelected), no_operator),
      row(
          "remove", tr("D&elete"), tr("Delete the selection; its readers get open inputs"), {tr("Del")},
          [w] { w->editing_->controller().remove(Healing::kNone); }, nothing_selected),
      row(
          "remove-healing", tr("Delete and &heal"), tr("Delete the selection and reconnect its readers to its inputs"),
          {tr("Shift+Del")}, [w] { w->editing_->controller().remove(Healing::kHeal); }, nothing_selected),
      row(
          "rename", tr("Re&name"), tr("Give the selected operator another name"), {tr("F2")},
          [w] { w->editing_->canvas()->rename(); }, not_one_operator),
      row("select-all", tr("Select &all"), tr("Select all operators"), {tr("Ctrl+A")},
          does(&GraphController::selectAll)),
      {},
      row("add-operator", tr("Add an &operator…"),
          tr("Find an operator or template by its name and add it after the selection"), {tr("Ctrl+Space")},
          [w] { w->editing_->palette()->focusSearch(); }),
      row(
          "connect-operator", tr("Connect &from here"),
          tr("Choose the reader of the selected operator with the arrow keys"), {},
          [w] {
            w->editing_->canvas()->setFocus();
            w->editing_->canvas()->connectByKeys();
          },
          not_one_operator),
      row(
          "save-template", tr("Save as &template…"),
          tr("Save the selected operators under a name, to insert them again"), {},
          [w] { w->editing_->saveTemplate(); }, no_operator),
      {},
      row("group-unit", tr("&Group into a unit"), tr("The scheduler moves the selected operators as one unit"),
          {tr("Ctrl+G")}, does(&GraphController::group), no_operator),
      row("split-unit", tr("&Split the unit"), tr("Each of its operators becomes a separate unit"),
          {tr("Ctrl+Shift+G")}, does(&GraphController::split), no_operator),
      unlisted(row("begin-part", tr("&Begin a part here"),
                   tr("The rest of the part, from the selected unit on, is scheduled by itself"), {},
                   does(&GraphController::beginPart), no_operator)),
      unlisted(row("join-part", tr("&Join with the part before"),
                   tr("Schedule the part of the selected unit together with the part before it"), {},
                   does(&GraphController::joinPart), no_operator)),
      {},
      {.id = "align", .text = tr("Al&ign"), .listed = false, .rows = alignments()},
      row("lay-out", tr("&Lay out"), tr("Arrange all operators except those placed by hand"), {tr("Ctrl+Shift+Y")},
          does(&GraphController::layOut)),
      unlisted(row("release-place", tr("Place b&y layout"), tr("Let the layout place the selected operators"), {},
                   does(&GraphController::releaseSelected), no_operator)),
      row("rename-graph", tr("Rename the grap&h…"), tr("Give the network another name"), {},
          [w] { w->editing_->askGraphName(); }),
  };
}

std::vector<ActionRow> ActionTable::alignments() const {
  const auto row = [w = w](const char* id, Alignment where, const QString& text) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tr("Align the selected operators"),
                     .mode = Mode::kEditGraph,
                     .run = [w, where] { w->editing_->controller().alignSelected(where); },
                     .cannot =
                         [w] {
                           const bool several = w->editing_->controller().selected().size() > 1;
                           return several ? QString() : tr("Select several operators");
                         }};
  };
  return {
      row("align-left", Alignment::kLeft, tr("&Left")),       row("align-centre", Alignment::kCentre, tr("&Centre")),
      row("align-right", Alignment::kRight, tr("&Right")),    row("align-top", Alignment::kTop, tr("&Top")),
      row("align-middle", Alignment::kMiddle, tr("&Middle")), row("align-bottom", Alignment::kBottom, tr("&Bottom"))};
}

ActionRow ActionTable::view() const {
  MainWindow* const w = this->w;
  // The zoom applies to the graph of the mode.
  const auto zoom = [w](double factor) {
    return [w, factor] { draws(w) ? w->editing_->canvas()->zoomBy(factor) : w->views_->graph()->zoomBy(factor); };
  };
  return {
      .id = "view",
      .text = tr("&View"),
      .rows = {
          {.id = "modes", .one_of = true, .rows = modes()},
          {},
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
           .run = zoom(kZoomStep)},
          {.id = "zoom-out",
           .text = tr("Zoom &out"),
           .tip = tr("Shrink the graph"),
           .keys = QKeySequence::ZoomOut,
           .icon = "zoom-out",
           .run = zoom(1 / kZoomStep)},
          {.id = "zoom-fit",
           .text = tr("Zoom to &fit"),
           .tip = tr("Show the whole graph"),
           .keys = {tr("Ctrl+0")},
           .icon = "fit",
           .run = [w] { draws(w) ? w->editing_->canvas()->zoomToFit() : w->views_->graph()->zoomToFit(); }},
          {.id = "zoom-selection",
           .text = tr("Zoom to &selection"),
           .tip = tr("Show the selection"),
           .keys = {tr("Ctrl+9")},
           .run = [w] { draws(w) ? w->editing_->canvas()->zoomToSelection() : w->views_->graph()->zoomToSelection(); }},
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
           .checked = [w] { return w->views_->graph()->legendVisible(); }},
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

ActionRow ActionTable::graph() const {
  MainWindow* const w = this->w;
  return {.id = "graph",
          .text = tr("&Graph"),
          .rows = {
              {.id = "add-network",
               .text = tr("&Add network…"),
               .tip = tr("Choose another network that runs on the device together with this one"),
               .run = [w] { w->chooseNetworkToAdd(); },
               .cannot = no_network},
              {.id = "input-sizes",
               .text = tr("&Input sizes…"),
               .tip = tr("Open the network again with other sizes for its open dimensions"),
               .keys = {tr("Ctrl+I")},
               .run = [w] { w->opening_->askSizes(); },
               .cannot =
                   [w] { return w->opening_->hasOpenSizes() ? QString() : tr("All sizes of this network are known"); }},
              {.id = "focus-network",
               .text = tr("Choose a net&work"),
               .tip = tr("Go to the list of networks"),
               .keys = {tr("Ctrl+L")},
               .run = [w] { w->run_bar_->focusNetwork(); },
               .listed = false},
              {.id = "unfinished", .text = tr("&Unfinished graphs")}}};
}

ActionRow ActionTable::schedule() const {
  MainWindow* const w = this->w;
  const auto controller = [w]() -> ScheduleController& { return w->editor_->controller(); };
  const auto not_improved = [controller] { return controller().improveDisabledReason(); };
  return {
      .id = "schedule",
      .text = tr("&Schedule"),
      .rows = {
          {.id = "optimize",
           .text = tr("&Optimize"),
           .tip = tr("Search schedules and run them on the device"),
           .keys = {tr("Ctrl+Return")},
           .icon = "optimize",
           .run = [w] { w->jobs_.optimize(); },
           .cannot = no_network},
          {.id = "measure-here",
           .text = tr("Measure on this &machine"),
           .tip = tr("Search schedules and run them on the best device of this machine"),
           .run = [w] { w->jobs_.measureHere(); },
           .cannot = [w] { return w->jobs_.measureHereDisabledReason(); }},
          {.id = "verify",
           .text = tr("&Verify"),
           .tip = tr(
               "Compare the outputs of the shown schedule with those of the sequential schedule on the CPU in float32"),
           .keys = {tr("Ctrl+Shift+V")},
           .run = [w] { w->jobs_.verify(); },
           .cannot = [w] { return w->jobs_.verifyDisabledReason(); }},
          {.id = "profile",
           .text = tr("&Profile"),
           .tip = tr("Profile the runs of all schedules: every launch, and hardware counters over time"),
           .keys = {tr("Ctrl+Shift+R")},
           .run = [w] { w->jobs_.profile(); },
           .cannot = [w] { return w->jobs_.profileDisabledReason(); }},
          {.id = "cancel",
           .text = tr("&Cancel"),
           .tip = tr("Stop the running job and keep the best result so far"),
           .keys = {tr("Ctrl+.")},
           .icon = "cancel",
           .run = [w] { w->jobs_.cancel(); },
           .cannot = [w] { return w->jobs_.canCancel() ? QString() : tr("Nothing is running"); }},
          {},
          {.id = "run-settings",
           .text = tr("Run se&ttings…"),
           .tip = tr("How networks are searched, timed and compared"),
           .keys = {tr("Ctrl+Shift+M")},
           .run = [w] { w->run_dialogs_->askRunSettings(); }},
          {.id = "store",
           .text = tr("&Kept measurements…"),
           .tip = tr("Set whether and where stage latencies are kept from run to run"),
           .run = [w] { w->run_dialogs_->askStore(); }},
          {.id = "devices",
           .text = tr("&Devices…"),
           .tip = tr("Devices of other machines: query, add or remove the workers that measure there"),
           .run = [w] { w->run_dialogs_->showDevices(); }},
          {.id = "advanced",
           .text = tr("Ad&vanced"),
           .rows =
               {
                   {.id = "predictors",
                    .text = tr("P&redictors…"),
                    .tip = tr("Predictors trained on measured operators, their errors, and the predicted latency of "
                              "this network"),
                    .run = [w] { w->run_dialogs_->showPredictors(); }},
                   {.id = "use-warm-start",
                    .text = tr("&Start from the faster schedule"),
                    .tip = tr("Optimize starts from the hand-made schedule that was faster than a search; the result "
                              "is never worse"),
                    .run =
                        [w] { w->session_.editor().setWarmStartUsed(w->session_.networkId(), !warm_start_used(*w)); },
                    .cannot =
                        [w] {
                          const WorkspaceNetwork* network = w->session_.shownNetwork();
                          return network != nullptr && network->warm_start
                                     ? QString()
                                     : tr("No hand-made schedule of this network was faster than a search");
                        },
                    .checked = [w] { return warm_start_used(*w); }},
               }},
          {},
          {.id = "edit-copy",
           .text = tr("&Edit a copy"),
           .tip = tr("Edit a copy of the shown schedule by hand"),
           .keys = {tr("Ctrl+Shift+E")},
           .run =
               [w, controller] {
                 controller().copyShown();
                 w->setMode(Mode::kEditSchedule);
               },
           .cannot = no_network},
          {.id = "fill-by-ios",
           .text = tr("Fill by &IOS"),
           .tip = tr("Keep the locked stages of the hand-made schedule and search the rest"),
           .keys = {tr("Ctrl+Shift+F")},
           .run = [controller] { controller().fill(); },
           .cannot = not_improved,
           .listed = false},
          {.id = "search-from-here",
           .text = tr("Search &from here"),
           .tip = tr("Search with all stages of the hand-made schedule as candidates: never worse than it is now"),
           .run = [controller] { controller().searchFromHere(); },
           .cannot = not_improved,
           .listed = false},
          {.id = "run-mine",
           .text = tr("Run the &hand-made schedule"),
           .tip = tr("Run it end to end and add it to the schedules of the run"),
           .keys = {tr("Ctrl+Shift+Return")},
           .run = [controller] { controller().run(); },
           .cannot = [controller] { return controller().runDisabledReason(); },
           .listed = false},
          {.id = "verify-mine",
           .text = tr("Verify the hand-made schedule"),
           .tip = tr("Run it and compare its outputs with those of the sequential schedule"),
           .run = [controller] { controller().run(true); },
           .cannot = [controller] { return controller().verifyDisabledReason(); },
           .listed = false},
          {},
          {.id = "next-schedule",
           .text = tr("&Next schedule"),
           .tip = tr("Show the next schedule"),
           .keys = {tr("Ctrl+PgDown")},
           .run = [w] { w->stepSchedule(1); },
           .listed = false},
          {.id = "previous-schedule",
           .text = tr("&Previous schedule"),
           .tip = tr("Show the previous schedule"),
           .keys = {tr("Ctrl+PgUp")},
           .run = [w] { w->stepSchedule(-1); },
           .listed = false},
          {.id = "clear-selection",
           .text = tr("C&lear selection"),
           .tip = tr("Clear the selection"),
           .keys = {tr("Ctrl+Shift+A")},
           .run = [w] { w->selection_.clear(); },
           .listed = false},
      }};
}

ActionRow ActionTable::experiments() const {
  ActionRow menu{.id = "experiments", .text = tr("&Experiments")};
  for (const ExperimentRow& row : experiment_table()) {
    menu.rows.push_back({.id = QStringLiteral("experiment-") + qstring(row.id),
                         .text = has_choice(row.kind) ? tr("%1…").arg(core_words(row.title)) : core_words(row.title),
                         .tip = core_words(row.summary),
                         .run = [w = w, kind = row.kind] { w->run_dialogs_->askExperiment(kind); },
                         .cannot = [w = w, kind = row.kind] { return w->jobs_.experimentDisabledReason(kind); }});
  }
  return menu;
}

ActionRow ActionTable::help() const {
  MainWindow* const w = this->w;
  return {.id = "help",
          .text = tr("&Help"),
          .rows = {
              {.id = "guide",
               .text = tr("&Guide"),
               .tip = tr("Three pages with pictures: draw a network, change a schedule, why stages cost"),
               .keys = {tr("F1")},
               .run = [w] { w->showGuide(); }},
              {.id = "help-topics",
               .text = tr("Help &topics"),
               .tip = tr("The command line, measurements, figures, GPU servers and more, one page each"),
               .run = [w] { w->showGuide()->showTopics(); }},
              {.id = "palette",
               .text = tr("Command &palette"),
               .tip = tr("Find any action, network, file or schedule by its name"),
               .keys = {tr("Ctrl+Shift+P")},
               .icon = "find",
               .run = [w] { w->showPalette(); }},
              {.id = "keys",
               .text = tr("&Keys"),
               .tip = tr("Show all keyboard shortcuts, and change them"),
               .keys = {tr("?")},
               .run = [w] { (new KeySheet(*w->bindings_, w))->show(); }},
              {.id = "first-minute",
               .text = tr("&Hints for a beginner"),
               .tip = tr("Show the hints for beginners again, one after another"),
               .run =
                   [w] {
                     w->setMode(Mode::kExplore);
                     w->first_minute_->start(true);
                   }},
              {},
              {.id = "messages",
               .text = tr("&Messages"),
               .tip = tr("Show all messages"),
               .keys = {tr("Ctrl+Shift+H")},
               .run = [w] { (new MessageHistory(*w->messages_, w))->show(); }},
              {.id = "focus-message",
               .text = tr("&Go to the newest message"),
               .tip = tr("Move the keyboard focus to it: Return accepts its offer, Escape closes it"),
               .keys = {tr("Ctrl+Shift+N")},
               .run = [w] { w->messages_->focusNewest(); },
               .listed = false},
              {.id = "close-message",
               .text = tr("&Close the newest message"),
               .tip = tr("It stays in the list of messages"),
               .keys = {tr("Ctrl+Shift+X")},
               .run = [w] { w->messages_->closeNewest(); },
               .listed = false},
              {},
              {.id = "about",
               .text = tr("&About IOS Explorer"),
               .tip = tr("Version, method and licence"),
               .run = [w] { w->showAbout(); },
               .role = QAction::AboutRole},
          }};
}

}  // namespace iosx
