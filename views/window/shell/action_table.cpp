#include "views/window/shell/action_table.h"
#include "views/figures/figure.h"
#include "views/recording/recording_page.h"

#include <map>
#include <string_view>
#include <utility>

#include "core/documents/exports/exports.h"
#include "views/app_model/session.h"
#include "views/edit_graph/graph_controller.h"
#include "views/share/animation.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/key_sheet.h"
#include "views/window/base/toasts.h"
#include "views/window/menus/export_menu.h"
#include "views/window/menus/external_menu.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/opening.h"
#include "views/window/shell/project_keeper.h"
#include "views/window/start/help.h"
#include "views/window/start/start_page.h"

namespace iosx {

std::vector<ActionRow> action_table(MainWindow& window) {
  const ActionTable table(window);
  return {table.file(), table.edit(), table.view(), table.graph(), table.schedule(), table.help()};
}

ActionTable::ActionTable(MainWindow& window) : w(&window) {
  no_network = [w = w] { return w->session_.hasDocument() ? QString() : tr("No network is open"); };
  nothing_open = [w = w, none = no_network] {
    return w->session_.workspace().recordings().empty() ? none() : QString();
  };
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
           .tip = tr("Open a network (ONNX or JSON), a recording of another program, a saved run or a schedule file"),
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
          {.id = "external-matches",
           .text = tr("&Matches of a profile…"),
           .tip = tr("List the operators of the imported profile that match no unit, and the units that it lacks"),
           .run = [w] { w->external_->showNewestMatches(); },
           .cannot = [w] { return w->external_->matchesDisabledReason(); },
           .listed = false},  // the project panel has it
          {},
          {.id = "save-project",
           .text = tr("&Save project"),
           .tip = tr("Write the open networks, all their runs and notes to one file"),
           .keys = QKeySequence::Save,
           .run = [w] { w->keeper_->save(); },
           .cannot = nothing_open},
          {.id = "save-project-as",
           .text = tr("Save project &as…"),
           .tip = tr("Write the project to another file, and use that file from now on"),
           .run = [w] { w->keeper_->saveAs(); },
           .cannot = nothing_open},
          {},
          {.id = "export",
           .text = tr("&Export…"),
           .tip = tr("Choose a figure, a schedule, a model, a page or an animation, and write it to a file"),
           .keys = {tr("Ctrl+Alt+E")},
           .run = [w] { w->exports_->askAny(); },
           .cannot = no_network},
          {.id = "export-figures", .text = tr("Export &figure"), .listed = false, .rows = figures()},
          {.id = "exports", .text = tr("&Export"), .listed = false, .rows = exports()},
          {.id = "export-original", .text = tr("Export for the original &IOS"), .listed = false, .rows = originals()},
          {.id = "export-results",
           .text = tr("Export the &result"),
           .listed = false,
           .rows = {{.id = "save-run",
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
                    {.id = "export-animation",
                     .text = tr("Export a&nimation…"),
                     .tip = tr("Write the race of the shown schedule against sequential as a GIF, MP4 or WebM"),
                     .run = [w] { w->exports_->askAnimation(); },
                     .cannot =
                         [schedule = no_schedule] {
                           const QString nothing = schedule();
                           return nothing.isEmpty() ? film_writer_lack() : nothing;
                         }}}},
          {},
          {.id = "quit",
           .text = tr("&Quit"),
           .tip = tr("Close the program"),
           .keys = {tr("Ctrl+Q")},
           .run = [w] { w->close(); },
           .role = QAction::QuitRole},
      }};
}

ActionRow ActionTable::exportRow(const ExportFormat& format) const {
  const std::map<std::string_view, QKeySequence> keys{
      {"iosx", {tr("Ctrl+E")}}, {"onnx", {tr("Ctrl+Shift+S")}}, {"trace", {tr("Ctrl+T")}}};
  const bool network = format.needs == ExportNeeds::kNetwork;
  const bool weights = network || format.needs == ExportNeeds::kPlan;
  const auto key = keys.find(format.id);
  return {.id = export_action(format),
          .text = tr("Export as %1…").arg(core_words(format.title)),
          .tip = core_words(format.summary),
          .keys = key == keys.end() ? QKeySequence() : key->second,
          .run =
              [w = w, &format, weights] {
                // As it is drawn, not as it was a moment ago.
                GraphController& drawing = w->editing_->controller();
                if (weights && drawing.active()) drawing.built();
                w->exports_->askExport(format);
              },
          .cannot = network   ? no_weights
                    : weights ? not_written
                              : no_schedule};
}

std::vector<ActionRow> ActionTable::exports() const {
  std::vector<ActionRow> rows;
  for (const ExportFormat& format : export_formats()) {
    const bool elsewhere = format.id == "run" || format.id == "html" || format.id == kOriginalExport;
    if (!elsewhere) rows.push_back(exportRow(format));  // save-run, save-page, and originals()
  }
  return rows;
}

std::vector<ActionRow> ActionTable::originals() const {
  return {exportRow(*find_export(kOriginalExport)),
          {.id = "export-original-graph",
           .text = tr("Export graph as original IOS &JSON…"),
           .tip = tr("Write the network in the format of the original IOS program"),
           .run = [w = w] { w->editing_->exportOriginal(); },
           .cannot = no_network}};
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
      row("export-recording", FigureKind::kRecording, tr("Rec&orded timeline…")),
      row("export-predicted-lanes", FigureKind::kPredictedLanes, tr("&Lanes predicted for a recording…")),
  };
  const auto without = [&](FigureKind kind, const QString& why, const std::function<bool()>& nothing) {
    rows[static_cast<std::size_t>(kind)].cannot = [why, nothing] { return nothing() ? why : QString(); };
  };
  without(FigureKind::kDrawing, tr("Nothing is drawn"),
          [w] { return w->editing_->controller().graph().operators().empty(); });
  without(FigureKind::kRecording, tr("No recording with times is open"),
          [w] { return w->recording_page_->timelineFigure() == nullptr; });
  without(FigureKind::kPredictedLanes, tr("No recording is open for which lanes are predicted"),
          [w] { return w->recording_page_->predictedFigure() == nullptr; });
  return rows;
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
