#include <unistd.h>
#include <QApplication>
#include <QElapsedTimer>
#include <QIcon>
#include <QTimer>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/devices/all_devices.h"
#include "app/gui/arguments.h"
#include "app/gui/display.h"
#include "app/gui/main_window.h"
#include "app/gui/report.h"
#include "app/gui/settings.h"
#include "core/compare/report.h"
#include "core/report/progress_printer.h"
#include "core/runfile/run_file.h"
#include "models/open_graph.h"
#include "views/bridge/session.h"
#include "views/style/style.h"

namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr const char* kDefaultNetwork = "sample";

int say(const iosx::Error& error, int code) {
  std::cerr << "ios-explorer: " << error.text() << '\n';
  return code;
}

void note(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) std::cerr << "ios-explorer: " << sentence << '\n';
}

// An unknown device is a mistake in the call; a known one that is not here is not.
int device_fault(const iosx::DeviceRegistry& devices, const std::string& id) {
  return devices.find(id) == nullptr ? kUsage : kFailed;
}

int report_on(const std::shared_ptr<const iosx::Comparison>& comparison, const iosx::Arguments& arguments) {
  const std::string& mark = comparison->recorded;
  std::cout << iosx::comparison_table(*comparison) << (mark.empty() ? "" : mark + '\n') << std::flush;
  auto written = iosx::write_report(comparison, *arguments.report, std::cerr);
  if (!written) return say(written.error(), kFailed);
  std::cout << "\nWrote\n";
  for (const std::string& path : *written) std::cout << "  " << path << '\n';
  return std::cout.flush() ? 0 : kFailed;
}

// A saved run brings what a network's is chosen for.
iosx::Result<void> check_arguments(const iosx::Arguments& arguments) {
  constexpr const char* kRemedy = "leave it out, or give a network instead of a run";
  if (!iosx::is_run_file(arguments.graph)) return {};
  if (!arguments.device.empty()) return iosx::fail("a saved run has its device", "--device", kRemedy);
  if (!arguments.sizes.empty()) return iosx::fail("a saved run has its sizes", "--shape or --dim", kRemedy);
  if (arguments.batch) return iosx::fail("a saved run has its batch", "--batch", kRemedy);
  if (arguments.store) return iosx::fail("a saved run has its measurements", "--store or --no-store", kRemedy);
  return {};
}

// Of a saved run: nothing is run.
int report_recorded(const iosx::Arguments& arguments) {
  auto run = iosx::open_run(arguments.graph);
  if (!run) return say(run.error(), kFailed);
  if (auto made = iosx::make_report_folder(*arguments.report); !made) return say(made.error(), kFailed);
  return report_on(std::make_shared<const iosx::Comparison>(std::move(run->comparison)), arguments);
}

// Of what was only simulated: how to have it measured.
void say_how_to_measure(const std::string& program, const iosx::Arguments& arguments, const iosx::DeviceInfo& device,
                        const iosx::DeviceRegistry& devices) {
  const iosx::DeviceRegistry::Entry* const real = devices.best_computing();
  if (device.origin != iosx::Origin::kSimulated || real == nullptr) return;
  std::cout << "\nThese latencies are simulated. To measure on this machine, " << real->info.name
            << " (minutes for a large network):\n  " << iosx::report_command(program, arguments, real->info.id) << '\n';
}

int run_report(const std::string& program, const iosx::Arguments& arguments, const iosx::DeviceRegistry& devices) {
  if (iosx::is_run_file(arguments.graph)) return report_recorded(arguments);
  const std::string id = arguments.device.empty() ? devices.best()->info.id : arguments.device;
  auto device = devices.open(id);
  if (!device) return say(device.error(), device_fault(devices, id));
  const std::string source = arguments.graph.empty() ? kDefaultNetwork : arguments.graph;
  auto document = iosx::open_graph(source, arguments.sizes);
  if (!document) {
    const bool file = iosx::names_a_file(source) && !document.error().where.starts_with("--");
    return say(document.error(), file ? kFailed : kUsage);
  }
  note(document->warnings);
  if (const std::string chosen = iosx::chosen_text(document->file); !chosen.empty()) note({source + ": " + chosen});
  if (auto made = iosx::make_report_folder(*arguments.report); !made) return say(made.error(), kFailed);

  iosx::CompareOptions options;
  options.batch = arguments.batch.value_or(document->batch);
  const iosx::StorePlace place = arguments.store.value_or(iosx::StorePlace{.kept = true});
  auto store = iosx::open_store(place, (*device)->info());
  // As iosx has it: a file that was named must do.
  if (!store && arguments.store) return say(store.error(), kFailed);
  if (!store) note({iosx::not_kept(store.error())});
  options.keeping = {store ? store->get() : nullptr, IOSX_VERSION};
  if (document->schedule) {
    options.given.emplace_back(*document->schedule);
    options.given.back().schedule.name = iosx::row_of(iosx::Recipe::kFile).id;
  }
  iosx::ProgressPrinter progress("ios-explorer", std::cerr, isatty(STDERR_FILENO) == 1);
  const iosx::JobContext job{{}, [&progress](const iosx::Progress& now) { progress.report(now); }};
  auto comparison = iosx::compare(*document->graph, **device, options, job);
  progress.clear();
  if (store && *store != nullptr) note((*store)->take_notices());
  if (!comparison) return say(comparison.error(), kFailed);
  note(comparison->notices);
  const int code = report_on(std::make_shared<const iosx::Comparison>(std::move(*comparison)), arguments);
  if (code == 0) say_how_to_measure(program, arguments, (*device)->info(), devices);
  return std::cout.flush() ? code : kFailed;
}

int run_window(QApplication& application, const iosx::Arguments& arguments, const iosx::DeviceRegistry& devices,
               const QElapsedTimer& since_start) {
  iosx::Settings settings;
  const auto opener = [](const std::string& source, const iosx::InputSizes& sizes) {
    return iosx::open_graph(source, sizes);
  };
  iosx::Session session(devices, opener);
  iosx::RunSettings run = session.settings();
  run.batch = arguments.batch.value_or(1);
  run.timing = settings.timing();
  if (!arguments.device.empty()) {
    if (auto device = devices.open(arguments.device); !device) {
      return say(device.error(), device_fault(devices, arguments.device));
    }
    run.device = arguments.device;
  }
  session.setSettings(run);
  session.setStore(arguments.store.value_or(settings.store()));

  iosx::MainWindow window(session, settings, iosx::palette_is_dark(application));
  window.show();
  if (qEnvironmentVariableIsSet("IOS_EXPLORER_STARTUP")) {
    // After the events that show() has queued: the window has been painted once.
    QTimer::singleShot(0, &window, [&since_start] {
      std::fprintf(stderr, "first window after %lld ms\n", static_cast<long long>(since_start.elapsed()));
    });
  }
  const QString source = QString::fromStdString(arguments.graph.empty() ? kDefaultNetwork : arguments.graph);
  window.open(source, arguments.sizes.empty() ? std::optional<iosx::InputSizes>() : arguments.sizes);
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  QElapsedTimer since_start;
  since_start.start();
  const auto parsed = iosx::parse_arguments(argc, argv, std::cout, std::cerr);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const auto& arguments = std::get<iosx::Arguments>(parsed);

  if (auto valid = check_arguments(arguments); !valid) return say(valid.error(), kUsage);
  if (auto chosen = iosx::choose_platform(arguments.report.has_value()); !chosen) return say(chosen.error(), kFailed);
  iosx::say_qt_messages_plainly();

  // Qt gets no arguments of ours.
  int qt_argc = 1;
  QApplication application(qt_argc, argv);
  QApplication::setApplicationName(QStringLiteral("ios-explorer"));
  QApplication::setApplicationDisplayName(QStringLiteral("IOS Explorer"));
  QApplication::setApplicationVersion(QStringLiteral(IOSX_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("ios-explorer"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/ios-explorer.svg")));

  iosx::DeviceRegistry devices;
  iosx::add_all_devices(devices);
  return arguments.report ? run_report(argv[0], arguments, devices)
                          : run_window(application, arguments, devices, since_start);
}
