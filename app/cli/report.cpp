#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/external.h"
#include "app/cli/opening.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"

namespace iosx::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> runs;
  std::string page;
  BesideFlags beside;
};

Exit report_command(const ReportArguments& options, Session& session) {
  for (const std::string& file : options.runs) {
    IOS_TRY(check_output(options.page, {file}, StandardOutput::kPossible));
  }
  IOS_TRY(check_output_beside(options.page, options.beside));
  Report report;
  for (const std::string& file : options.runs) {
    IOS_TRY(const auto run, open_run(file));
    report.runs.push_back(report_run(run));
  }
  IOS_TRY(report.beside, read_beside(options.beside, report.runs.front().comparison->graph.get(), session));
  IOS_TRY(const auto page, html_report(report));
  IOS_TRY(write_output(session, options.page, page));
  if (options.page != kStandardOutput) session.print(fmt::format("wrote {}\n", options.page));
  return kSuccess;
}

}  // namespace

void add_report(Command& program) {
  Command command = program.add_command(
      "report", "Write saved runs as one interactive page that any browser opens and that loads nothing");
  auto options = std::make_shared<ReportArguments>();
  command.add_option("RUN", options->runs, "Run files, FILE.iosrun (see compare --save); the first is compared against")
      .required()
      .type_name("FILE...");
  command.add_option("-o,--output", options->page, "The page").required().type_name("FILE.html");
  add_beside(command, options->beside);
  command.runs([options](Session& session) { return report_command(*options, session); });
}

}  // namespace iosx::cli
