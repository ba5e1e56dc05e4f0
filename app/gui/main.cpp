#include <unistd.h>
#include <QApplication>
#include <QElapsedTimer>
#include <QIcon>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/devices/all_devices.h"
#include "app/gui/arguments.h"
#include "app/gui/display.h"
#include "app/gui/report.h"
#include "app/gui/run_socket.h"
#include "app/gui/window_host.h"
#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/analysis/experiment/report.h"
#include "core/base/files.h"
#include "core/base/memory_limit.h"
#include "core/base/text.h"
#include "core/documents/report/progress_printer.h"
#include "core/documents/run_file/run_file.h"
#include "core/workbench/workbench.h"
#include "models/open_graph.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/style/theme.h"
#include "views/window/base/settings.h"
#include "views/window/dialogs/experiment_dialogs.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/project_keeper.h"

namespace iosx {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr const char* kDefaultNetwork = "sample";

int say(const Error& error, int code) {
  std::cerr << "ios-explorer: " << printable(error.text()) << '\n';
  return code;
}

void note(const std::vector<Message>& sentences) {
  for (const Message& sentence : sentences) std::cerr << "ios-explorer: " << printable(sentence.text()) << '\n';
}

// An unknown device is a mistake in the call; a known one that is not here is not.
int device_fault(const DeviceRegistry& devices, const std::string& id) {
  return devices.find(id) == nullptr ? kUsage : kFailed;
}

int list_written(const std::vector<std::string>& paths) {
  std::cout << "\nWrote\n";
  for (const std::string& path : paths) std::cout << "  " << printable(path) << '\n';
  return std::cout.flush() ? 0 : kFailed;
}

int report_on(const std::shared_ptr<const Comparison>& comparison, const Arguments& arguments) {
  const std::string mark = comparison->recorded.text();
  std::cout << printable_lines(comparison_table(*comparison) + (mark.empty() ? "" : mark + '\n')) << std::flush;
  auto written = write_report(comparison, *arguments.report, std::cerr, arguments.paper);
  if (!written) return say(written.error(), kFailed);
  return list_written(*written);
}

bool names_a_run(const Arguments& arguments) { return file_kind(arguments.graph) == FileKind::kRun; }

// A saved run brings what a network's is chosen for.
Result<void> check_arguments(const Arguments& arguments) {
  constexpr Sentence kRemedy{"leave it out, or give a network instead of a run"};
  if (!names_a_run(arguments)) return {};
  if (!arguments.device.empty()) return fail(message("a saved run has its own device"), "--device", kRemedy);
  if (!arguments.sizes.empty()) return fail(message("a saved run has its own sizes"), "--shape or --dim", kRemedy);
  if (arguments.batch) return fail(message("a saved run has its own batch"), "--batch", kRemedy);
  if (arguments.store) return fail(message("a saved run has its own measurements"), "--store or --no-store", kRemedy);
  if (arguments.experiment)
    return fail(message("a saved run is a comparison, not an experiment"), "--experiment", kRemedy);
  return {};
}

// Writes the report of a saved run: nothing is run.
int report_recorded(const Arguments& arguments) {
  auto run = open_run(arguments.graph);
  if (!run) return say(run.error(), kFailed);
  if (auto made = make_report_folder(*arguments.report); !made) return say(made.error(), kFailed);
  return report_on(std::make_shared<const Comparison>(std::move(run->comparison)), arguments);
}

// Prints how to measure results that were only simulated.
void say_how_to_measure(const std::string& program, const Arguments& arguments, const DeviceInfo& device,
                        const DeviceRegistry& devices) {
  const DeviceRegistry::Entry* const real = devices.best_computing();
  if (device.origin != Origin::kSimulated || real == nullptr) return;
  std::cout << "\nThese latencies are simulated. To measure on this machine, " << printable(real->info.name)
            << " (minutes for a large network):\n  " << printable(report_command(program, arguments, real->info.id))
            << '\n';
}

// The device of a report, or for the experiment that compares devices the paper's.
struct ReportSource {
  std::vector<std::string> devices;
  Document document;
  std::int64_t batch = 1;  // without meaning where an experiment varies it
};

JobContext shown_by(ProgressPrinter& progress) {
  return {{}, [&progress](const Progress& now) { progress.report(now); }};
}

// Makes it as iosx does: a file that was named must do.
Workbench workbench_of(const Arguments& arguments, const DeviceRegistry& devices) {
  return {devices,
          {.place = arguments.store.value_or(StorePlace{.kept = true}), .named = arguments.store.has_value()},
          IOSX_VERSION};
}

JobHooks hooks_of(ProgressPrinter& progress) {
  return {.notice = [&progress](const Message& sentence) {
    progress.clear();
    note({sentence});
  }};
}

// Returns the exit code where something is missing, which was said.
tl::expected<ReportSource, int> open_source(const Arguments& arguments, const DeviceRegistry& devices) {
  ReportSource source;
  source.devices = {arguments.device};
  if (arguments.device.empty()) {
    const bool several = arguments.experiment == ExperimentKind::kDevices;
    source.devices = several ? paper_devices() : std::vector{devices.best()->info.id};
  }
  for (const std::string& id : source.devices) {
    const auto* const entry = devices.find(id);
    if (entry != nullptr && entry->unavailable.empty()) continue;
    return tl::unexpected(say(devices.open(id).error(), device_fault(devices, id)));
  }
  const std::string name = arguments.graph.empty() ? kDefaultNetwork : arguments.graph;
  auto document = open_graph(name, arguments.sizes);
  if (!document) {
    const bool file = names_a_file(name) && !document.error().where.starts_with("--");
    return tl::unexpected(say(document.error(), file ? kFailed : kUsage));
  }
  note(document->warnings);
  if (const std::string chosen = chosen_text(document->file); !chosen.empty()) note({verbatim(name + ": " + chosen)});
  std::optional<std::int64_t> asked = arguments.batch;
  if (arguments.experiment) {
    for (const std::int64_t batch : usual_batches(*arguments.experiment)) asked = std::max(batch, asked.value_or(1));
  }
  const auto batch = batch_to_run(*document, name, asked);
  if (!batch) return tl::unexpected(say(batch.error(), kUsage));
  source.document = std::move(*document);
  source.batch = *batch;
  if (auto made = make_report_folder(*arguments.report); !made) return tl::unexpected(say(made.error(), kFailed));
  return source;
}

int report_comparison(const std::string& program, const Arguments& arguments, const Workbench& workbench,
                      const ReportSource& source, ProgressPrinter& progress) {
  CompareRequest request{.graph = source.document.graph, .device = source.devices.front()};
  request.options.batch = source.batch;
  if (source.document.schedule) {
    request.options.given.push_back(
        schedule_in_file(source.document.schedule->schedule, source.document.schedule->lanes));
  }
  auto comparison = workbench.run(request, shown_by(progress), hooks_of(progress));
  progress.clear();
  if (!comparison) return say(comparison.error(), kFailed);
  const DeviceInfo device = comparison->device;
  const int code = report_on(std::make_shared<const Comparison>(std::move(*comparison)), arguments);
  if (code == 0) say_how_to_measure(program, arguments, device, workbench.devices());
  return std::cout.flush() ? code : kFailed;
}

int report_experiment(const Arguments& arguments, const Workbench& workbench, const ReportSource& source,
                      ProgressPrinter& progress) {
  ExperimentRequest request{.kind = *arguments.experiment, .graph = source.document.graph, .devices = source.devices};
  request.options.compare.batch = source.batch;
  request.options.batches = usual_batches(request.kind);
  request.options.rivals = rivals_of(source.document, arguments.graph, source.batch);
  if (auto valid = check_experiment(request.kind, request.devices, request.options); !valid) {
    return say(valid.error(), kUsage);
  }
  auto result = workbench.run(request, shown_by(progress), hooks_of(progress));
  progress.clear();
  if (!result) return say(result.error(), kFailed);
  std::cout << printable_lines(experiment_table_text(*result)) << std::flush;
  const auto shared = std::make_shared<const ExperimentResult>(std::move(*result));
  const auto written = write_experiment_report(shared, *arguments.report, arguments.paper);
  return written ? list_written(*written) : say(written.error(), kFailed);
}

int run_report(const std::string& program, const Arguments& arguments, const DeviceRegistry& devices) {
  if (names_a_run(arguments)) return report_recorded(arguments);
  auto source = open_source(arguments, devices);
  if (!source) return source.error();
  ProgressPrinter progress("ios-explorer", std::cerr, isatty(STDERR_FILENO) == 1);
  const Workbench workbench = workbench_of(arguments, devices);
  return arguments.experiment ? report_experiment(arguments, workbench, *source, progress)
                              : report_comparison(program, arguments, workbench, *source, progress);
}

int run_window(QApplication& application, const Arguments& arguments, DeviceRegistry& devices,
               const std::shared_ptr<WorkerBoard>& board, const std::vector<Message>& notices,
               const QElapsedTimer& since_start) {
  Settings settings;
  const auto opener = [](const std::string& source, const InputSizes& sizes) { return open_graph(source, sizes); };
  Session session(devices);
  Jobs jobs(session, opener);
  RunSettings run = session.settings();
  if (!arguments.device.empty()) {
    if (auto device = devices.open(arguments.device); !device) {
      return say(device.error(), device_fault(devices, arguments.device));
    }
  }
  const StartPlan plan = plan_start(arguments, settings, devices);
  run.options.batch = plan.batch;
  run.options.schedule_kinds = schedule_kinds_within(plan.strategies);
  run.options.search.pruning = plan.pruning;
  run.options.timing = settings.timing();
  run.device = plan.device;
  session.setSettings(run);
  jobs.setStore(arguments.store.value_or(settings.store()));

  Autosave autosave(session,
                    QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"));
  // For any chosen device: experiments and "Measure on this machine" measure on others.
  autosave.waitWhile([&jobs] { return jobs.canCancel(); });
  const RunSocket socket(session, RunSocket::usualPath());
  WindowHost host(devices, session, jobs, settings, &autosave, palette_is_dark(application), arguments.language, board);
  host.window().show();
  if (qEnvironmentVariableIsSet("IOS_EXPLORER_STARTUP")) {
    // After the events that show() has queued: the window has been painted once.
    QTimer::singleShot(0, &host.window(), [&since_start] {
      std::fprintf(stderr, "first window after %lld ms\n", static_cast<long long>(since_start.elapsed()));
    });
  }
  if (!arguments.with.empty()) {
    jobs.openRecording(plan.source, {.with = arguments.with});
    return QApplication::exec();
  }
  host.window().start(plan.source, plan.hints, arguments.sizes.empty() ? std::optional<InputSizes>() : arguments.sizes);
  host.window().tellOfWorkers(notices);
  return QApplication::exec();
}

int run(int argc, char** argv) {
  QElapsedTimer since_start;
  since_start.start();
  const auto parsed = parse_arguments(argc, argv, std::cout, std::cerr);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const auto& arguments = std::get<Arguments>(parsed);

  let_large_writes_fail();
  ScratchFolder::remove_abandoned();
  if (auto valid = check_arguments(arguments); !valid) return say(valid.error(), kUsage);
  if (auto chosen = choose_platform(arguments.report.has_value()); !chosen) return say(chosen.error(), kFailed);
  say_qt_messages_plainly(arguments.report.has_value());

  // Qt gets no arguments of ours.
  int qt_argc = 1;
  QApplication application(qt_argc, argv);
  QApplication::setApplicationName(QStringLiteral("ios-explorer"));
  QApplication::setApplicationDisplayName(QStringLiteral("IOS Explorer"));
  QApplication::setApplicationVersion(QStringLiteral(IOSX_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("ios-explorer"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/ios-explorer.svg")));

  DeviceRegistry devices;
  add_all_devices(devices);
  const auto board = std::make_shared<WorkerBoard>();
  const auto notices = add_users_devices(devices, board);
  note(notices);
  Languages languages;  // a report is in English unless another language is asked for
  if (arguments.report && arguments.language) languages.use(*arguments.language);
  return arguments.report ? run_report(argv[0], arguments, devices)
                          : run_window(application, arguments, devices, board, notices, since_start);
}

}  // namespace
}  // namespace iosx

int main(int argc, char** argv) {
  iosx::end_where_memory_is_out();
  return iosx::run_to_its_end("ios-explorer", [&] { return iosx::run(argc, argv); });
}
