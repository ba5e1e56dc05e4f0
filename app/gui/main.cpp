#include <QApplication>
#include <QElapsedTimer>
#include <QIcon>
#include <QTimer>
#include <cstdio>
#include <iostream>
#include <memory>
#include <variant>

#include "app/devices/all_devices.h"
#include "app/gui/arguments.h"
#include "app/gui/display.h"
#include "app/gui/main_window.h"
#include "app/gui/report.h"
#include "app/gui/settings.h"
#include "core/compare/report.h"
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

int run_report(const iosx::Arguments& arguments, const iosx::DeviceRegistry& devices) {
  const std::string id = arguments.device.empty() ? devices.best()->info.id : arguments.device;
  auto device = devices.open(id);
  if (!device) return say(device.error(), kUsage);
  const std::string source = arguments.graph.empty() ? kDefaultNetwork : arguments.graph;
  auto document = iosx::open_graph(source);
  if (!document) return say(document.error(), iosx::names_a_file(source) ? kFailed : kUsage);
  if (auto made = iosx::make_report_folder(*arguments.report); !made) return say(made.error(), kFailed);

  iosx::CompareOptions options;
  options.batch = arguments.batch;
  if (document->schedule) {
    options.given.push_back(*document->schedule);
    options.given.back().name = "file";
  }
  auto comparison = iosx::compare(*document->graph, **device, options, iosx::JobContext{});
  if (!comparison) return say(comparison.error(), kFailed);
  std::cout << iosx::comparison_table(*comparison) << std::flush;
  auto written = iosx::write_report(std::make_shared<const iosx::Comparison>(std::move(*comparison)), *arguments.report,
                                    std::cerr);
  if (!written) return say(written.error(), kFailed);
  std::cout << "\nWrote\n";
  for (const std::string& path : *written) std::cout << "  " << path << '\n';
  return std::cout.flush() ? 0 : kFailed;
}

int run_window(QApplication& application, const iosx::Arguments& arguments, const iosx::DeviceRegistry& devices,
               const QElapsedTimer& since_start) {
  iosx::Settings settings;
  const auto opener = [](const std::string& source) { return iosx::open_graph(source); };
  iosx::Session session(devices, opener);
  iosx::RunSettings run = session.settings();
  run.batch = arguments.batch;
  run.timing = settings.timing();
  if (!arguments.device.empty()) {
    if (auto device = devices.open(arguments.device); !device) return say(device.error(), kUsage);
    run.device = arguments.device;
  }
  session.setSettings(run);

  iosx::MainWindow window(session, settings, iosx::palette_is_dark(application));
  window.show();
  if (qEnvironmentVariableIsSet("IOS_EXPLORER_STARTUP")) {
    // After the events that show() has queued: the window has been painted once.
    QTimer::singleShot(0, &window, [&since_start] {
      std::fprintf(stderr, "first window after %lld ms\n", static_cast<long long>(since_start.elapsed()));
    });
  }
  session.open(QString::fromStdString(arguments.graph.empty() ? kDefaultNetwork : arguments.graph));
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  QElapsedTimer since_start;
  since_start.start();
  const auto parsed = iosx::parse_arguments(argc, argv, std::cout, std::cerr);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const auto& arguments = std::get<iosx::Arguments>(parsed);

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
  return arguments.report ? run_report(arguments, devices) : run_window(application, arguments, devices, since_start);
}
