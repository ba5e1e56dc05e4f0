#include "app/gui/arguments.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "core/compare/comparison.h"

namespace iosx {

std::variant<Arguments, int> parse_arguments(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Arguments arguments;
  std::string report;
  CLI::App app{"Search, compare and export schedules of convolutional networks.", "ios-explorer"};
  app.add_option("GRAPH", arguments.graph, "a built-in network (see iosx networks) or a file; default: sample");
  app.add_option("--device", arguments.device, "device id (see iosx devices)");
  app.add_option("--batch", arguments.batch, "images at once")->check(CLI::Range(std::int64_t{1}, kMaxBatch));
  const auto* report_option =
      app.add_option("--report", report, "compare without a window; write tables and figures into this folder")
          ->option_text("DIR");
  app.set_version_flag("--version", "ios-explorer " IOSX_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wish) {
    app.exit(wish, out, err);
    return 0;
  } catch (const CLI::ParseError& mistake) {
    err << "ios-explorer: " << mistake.what() << " (see ios-explorer --help)\n";
    return 2;
  }
  if (report_option->count() > 0) {
    if (report.empty()) {
      err << "ios-explorer: --report needs the name of a folder (see ios-explorer --help)\n";
      return 2;
    }
    arguments.report = report;
  }
  return arguments;
}

}  // namespace iosx
