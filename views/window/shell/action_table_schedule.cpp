#include "core/analysis/experiment/experiment.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/panels/run_bar.h"
#include "views/window/shell/action_table.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/opening.h"
#include "views/window/shell/run_dialogs.h"
#include "views/window/shell/schedule_editor.h"

namespace iosx {

bool ActionTable::warm_start_used(const MainWindow& w) {
  const WorkspaceNetwork* network = w.session_.shownNetwork();
  return network != nullptr && network->warm_start && network->warm_start->used;
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
          {.id = "show-experiments",
           .text = tr("E&xperiments"),
           .tip =
               tr("Show the panel of experiments: what if one thing were different, and the experiments of the paper"),
           .run = [w] { w->showExperiments(); }},
          {.id = "experiments", .text = tr("&Experiments"), .listed = false, .rows = experiments()},
          {.id = "cancel",
           .text = tr("&Cancel"),
           .tip = tr("Stop the running job and keep the best result so far"),
           .keys = {tr("Ctrl+.")},
           .icon = "cancel",
           .run = [w] { w->jobs_.cancel(); },
           .cannot = [w] { return w->jobs_.canCancel() ? QString() : tr("Nothing is running"); }},
          {.id = "pause",
           .text = tr("P&ause"),
           .tip = tr("Hold the running job after its present measurement, or let it go on"),
           .run = [w] { w->jobs_.setPaused(!w->jobs_.runner().paused()); },
           .cannot = [w] { return w->jobs_.canPause() ? QString() : tr("Nothing is running"); },
           .text_now = [w] { return w->jobs_.runner().paused() ? tr("&Go on") : tr("P&ause"); },
           .listed = false},  // the status bar has a button for it
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

std::vector<ActionRow> ActionTable::experiments() const {
  std::vector<ActionRow> rows;
  for (const ExperimentRow& row : experiment_table()) {
    rows.push_back({.id = QStringLiteral("experiment-") + qstring(row.id),
                    .text = has_choice(row.kind) ? tr("%1…").arg(core_words(row.title)) : core_words(row.title),
                    .tip = core_words(row.summary),
                    .run = [w = w, kind = row.kind] { w->run_dialogs_->askExperiment(kind); },
                    .cannot = [w = w, kind = row.kind] { return w->jobs_.experimentDisabledReason(kind); }});
  }
  return rows;
}

}  // namespace iosx
