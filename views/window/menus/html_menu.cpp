#include "views/window/menus/html_menu.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QPointer>
#include <QUrl>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/file_stem.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/output_file.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/qstring.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/dialogs/files.h"
#include "views/window/panels/compared_runs.h"

namespace iosx {
namespace {

// The content of the page at this moment; it shares the runs with the workspace.
struct Content {
  std::vector<std::shared_ptr<const Run>> runs;
  std::vector<Choice> choices;  // a choice's run is a place in `runs`
  bool picked = false;          // by the user; else all that was asked for in the run
  std::optional<Choice> baseline;
  std::vector<std::shared_ptr<const ExternalRun>> beside;
};

// The baseline's run comes first: what others recorded is matched to its graph.
Content content_of(const Workspace& workspace, const ComparedRuns& compared) {
  Content content;
  content.picked = !workspace.compared().empty();
  std::vector<Choice> choices = compared.choices();
  std::vector<RunId> order;
  if (workspace.baseline() && std::ranges::find(choices, *workspace.baseline()) != choices.end()) {
    order.push_back(workspace.baseline()->run);
  }
  for (const Choice& choice : choices) {
    if (std::ranges::find(order, choice.run) == order.end()) order.push_back(choice.run);
  }
  const auto place = [&](const Choice& choice) {
    const auto found = std::ranges::find(order, choice.run);
    return Choice{RunId(static_cast<std::size_t>(found - order.begin())), choice.schedule};
  };
  for (const RunId id : order) content.runs.push_back(workspace.find(id)->run);
  for (const Choice& choice : choices) content.choices.push_back(place(choice));
  if (workspace.baseline() && std::ranges::find(choices, *workspace.baseline()) != choices.end()) {
    content.baseline = place(*workspace.baseline());
  }
  if (order.empty()) return content;
  for (const WorkspaceExternal* external : workspace.external_of(workspace.find(order.front())->network)) {
    content.beside.push_back(external->run);
  }
  return content;
}

Result<std::string> page_of(const Content& content) {
  Report report;
  for (std::size_t i = 0; i < content.runs.size(); ++i) {
    ReportRun run = report_run(*content.runs[i]);
    if (content.picked) {
      auto chosen = std::make_shared<Comparison>(*run.comparison);
      for (ScheduleResult& result : chosen->results) {
        result.asked = std::ranges::find(content.choices, Choice{RunId(i), result.id}) != content.choices.end();
      }
      run.comparison = std::move(chosen);
    }
    report.runs.push_back(std::move(run));
  }
  if (content.baseline) report.baseline = {content.baseline->run.index(), content.baseline->schedule};
  for (const auto& run : content.beside) report.beside.push_back(*run);
  return html_report(report);
}

}  // namespace

HtmlMenu::HtmlMenu(const WindowContext& context, const ComparedRuns& compared)
    : QObject(context.window), context_(context), compared_(compared) {}

void HtmlMenu::ask() {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  const QString stem = QString::fromStdString(file_stem(comparison->graph->name())) + QStringLiteral("-report");
  const QString path =
      ask_where_to_save(context_.window, context_.settings, tr("Save HTML report"), stem, {tr("HTML page (*.html)")});
  if (!path.isEmpty()) save(path);
}

void HtmlMenu::save(const QString& path) {
  const auto work = [menu = QPointer<HtmlMenu>(this), path,
                     content = content_of(context_.session.workspace(), compared_)](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("writing"), 0, 0);
    IOS_TRY(const auto page, page_of(content));
    if (job.stopped()) return JobRunner::Delivery{};
    IOS_TRY(iosx::write_file(std::filesystem::path(path.toStdString()), page));
    return JobRunner::Delivery{[menu, path] {
      if (menu) menu->tell(path);
    }};
  };
  context_.jobs.writeNext(tr("Writing %1").arg(path), work);
}

void HtmlMenu::tell(const QString& path) {
  context_.settings.setFolderOf(path);
  context_.messages.showNote(tr("Wrote %1").arg(QDir::toNativeSeparators(path)),
                             {tr("Open"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }});
}

}  // namespace iosx

#include "moc_html_menu.cpp"
