#include "views/window/menus/export_menu.h"

#include <fmt/format.h>

#include <QAction>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <QPointer>
#include <QUrl>
#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/formats/document.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/figures/exporter.h"
#include "views/share/animation.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/keys.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/dialogs/save_dialogs.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

QString text_of(const Result<void>& result) { return result ? QString() : error_text(result.error()); }

// Returns what is known of what is changed by hand, on the device whose latencies are shown.
ScheduleNotes notes_of_draft(const ScheduleController& controller) {
  ScheduleNotes notes;
  const DeviceInfo* device = controller.device();
  notes.batch = controller.batch();
  if (const LaneDraft* lanes = controller.lanes()) {
    const LaneCosts& costs = controller.laneCosts();
    if (device == nullptr || costs.draft() == nullptr) {  // the kernels are of another one
      notes.batch = lanes->kernels().staged.batch;
      return notes;
    }
    notes.device = device->name;
    if (costs.latency()) {
      notes.origin = origin_name(costs.latency()->origin);
      notes.latency_ms = costs.latency()->value.count();
    }
    return notes;
  }
  const auto& latencies = controller.costs().stages;
  if (device == nullptr || !controller.costs().sum) return notes;
  notes.device = device->name;
  notes.origin = origin_name(latencies.front()->origin);
  for (const auto& latency : latencies) notes.stage_ms.push_back(latency->value.count());
  return notes;
}

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
  const auto& baseline = workspace.baseline();
  const bool with_baseline = baseline && std::ranges::find(choices, *baseline) != choices.end();
  if (with_baseline) order.push_back(baseline->run);
  for (const Choice& choice : choices) {
    if (std::ranges::find(order, choice.run) == order.end()) order.push_back(choice.run);
  }
  const auto place = [&](const Choice& choice) {
    const auto found = std::ranges::find(order, choice.run);
    return Choice{RunId(static_cast<std::size_t>(found - order.begin())), choice.schedule};
  };
  for (const RunId id : order) content.runs.push_back(workspace.find(id)->run);
  for (const Choice& choice : choices) content.choices.push_back(place(choice));
  if (with_baseline) content.baseline = place(*baseline);
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

QString export_action(const ExportFormat& format) { return QStringLiteral("export-%1").arg(qstring(format.id)); }

ExportMenu::ExportMenu(const WindowContext& context, const Views& views)
    : QObject(context.window), context_(context), views_(views) {
  connect(views_.timeline(), &TimelineView::statisticsExportWanted, this, &ExportMenu::askStatistics);
  connect(&context_.jobs, &Jobs::runSaved, this, [this](const QString& path) { told({}, path); });
  connect(&context_.jobs, &Jobs::fileWritten, this, [this](const QString& path) { told({}, path); });
}

ExportSource ExportMenu::source(const ExportFormat& format) const {
  ExportSource source;
  const auto comparison = context_.session.comparison();
  if (context_.session.hasDocument()) {
    source.file = context_.session.document().file;
    source.outputs = output_names(context_.session.document());
  }
  // A schedule is of the parts that were searched, which have no weights where a run was opened from a file.
  const bool weights = format.needs == ExportNeeds::kNetwork || format.needs == ExportNeeds::kPlan;
  source.graph = weights || !comparison ? context_.session.document().graph : comparison->graph;
  if (!comparison) return source;
  const ScheduleResult& shown = comparison->results[context_.session.activeSchedule()];
  source.schedule = shown.named();
  source.notes = notes_of(*comparison, shown);
  source.lanes = shown.lanes;
  source.plan = shown.plan;
  source.run = context_.session.shownRun()->run;
  return source;
}

bool ExportMenu::exportAs(const ExportFormat& format, const QString& path) {
  const bool possible =
      format.needs == ExportNeeds::kNetwork ? context_.session.hasDocument() : bool(context_.session.comparison());
  if (!possible) return told(tr("There is no schedule yet; press Optimize first."), path);
  ExportSource source = this->source(format);
  if (format.text != nullptr) return told(text_of(write_export(format, source, path.toStdString())), path);
  context_.jobs.writeFile(path, [path, &format, source = std::move(source)](const JobContext& job) {
    job.report(message("writing"), 0, 0);
    return write_export(format, source, path.toStdString());
  });
  return true;
}

bool ExportMenu::exportDraft(const ScheduleController& controller, const ExportFormat& format, const QString& path) {
  if (!controller.edits()) return told(tr("No schedule is being edited."), path);
  const LaneDraft* const lanes = controller.lanes();
  const ExportSource source{.graph = controller.graph(),
                            .schedule = lanes != nullptr ? lanes->kernels().schedule : controller.draft()->schedule(),
                            .notes = notes_of_draft(controller),
                            .lanes = lanes != nullptr ? std::optional(lanes->lanes()) : std::nullopt};
  return told(text_of(write_export(format, source, path.toStdString())), path);
}

void ExportMenu::askDraft(const ScheduleController& controller, const ExportFormat& format) {
  if (!controller.edits()) return;
  const QString path = askFor(format, QString::fromStdString(file_stem(controller.graph()->name()) + "-mine"));
  if (!path.isEmpty()) exportDraft(controller, format, path);
}

bool ExportMenu::exportFigure(FigureKind kind, const QString& path, const FigureExport& how) {
  const auto figure = figures_(kind);
  if (!figure) return told(tr("This view shows nothing yet."), path);
  const auto written = write_figure_export(*figure, path, how);
  return written ? told({}, written->join(tr(" and ", "between two files"))) : told(error_text(written.error()), path);
}

void ExportMenu::copyCard() {
  const auto figure = figures_(FigureKind::kCard);
  if (!figure)
    return context_.messages.showError(
        tr("There is nothing to compare yet: a card shows a schedule next to sequential."));
  const auto image = render_figure(*figure, FigureFormat::kPng);
  if (!image) return context_.messages.showError(error_text(image.error()));
  QGuiApplication::clipboard()->setImage(QImage::fromData(*image, "PNG"));
  context_.messages.showNote(tr("A picture of the result is on the clipboard"));
}

void ExportMenu::exportAnimation(const QString& path) {
  const auto rivals = views_.rivals();
  if (!rivals)
    return context_.messages.showError(
        tr("There is nothing to compare yet: a race shows a schedule next to sequential."));
  context_.jobs.writeFile(
      path, [path, rivals = *rivals](const JobContext& job) { return write_animation(rivals, path, job); });
}

void ExportMenu::saveRun(const QString& path) { context_.jobs.saveRun(path); }

bool ExportMenu::told(const QString& error, const QString& path) {
  if (!error.isEmpty()) {
    context_.messages.showError(error);
    return false;
  }
  context_.settings.setFolderOf(path);
  context_.messages.dismissErrors(context_.messages.newest());
  context_.messages.showNote(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
  return true;
}

QString ExportMenu::ask(const QString& title, const QString& stem, const QStringList& filters) {
  return ask_where_to_save(context_.window, context_.settings, title, stem, filters);
}

QString ExportMenu::askFor(const ExportFormat& format, const QString& stem) {
  const QString title = core_words(format.title);
  if (format.suffix.empty()) {
    return QFileDialog::getExistingDirectory(
        context_.window, tr("Export as %1: an empty folder, or one of an earlier export").arg(title),
        context_.settings.folder());
  }
  return ask(tr("Export as %1").arg(title), stem, {QStringLiteral("%1 (*.%2)").arg(title, qstring(format.suffix))});
}

void ExportMenu::askExport(const ExportFormat& format) {
  const bool network = format.needs == ExportNeeds::kNetwork;
  const auto comparison = context_.session.comparison();
  if (network ? !context_.session.hasDocument() : !comparison) return;
  const Graph& graph = comparison ? *comparison->graph : *context_.session.document().graph;
  std::string stem = file_stem(graph.name());
  if (format.needs == ExportNeeds::kRun) {
    stem += fmt::format("-{}", format.id);
  } else if (!network) {
    stem += '-' + comparison->results[context_.session.activeSchedule()].id.text();
  }
  const QString path = askFor(format, QString::fromStdString(stem));
  if (!path.isEmpty()) exportAs(format, path);
}

void ExportMenu::askFigure(FigureKind kind) {
  const auto figure = figures_(kind);
  if (!figure) return void(told(tr("This view shows nothing yet."), {}));
  ExportDialog dialog(*figure, last_figure_export(context_.settings), context_.window);
  if (dialog.exec() == QDialog::Accepted) askWhereFor(kind, *figure, dialog.how());
}

void ExportMenu::askAny() {
  std::vector<std::unique_ptr<Figure>> figures;
  std::vector<FigureKind> kinds;
  std::vector<ExportDialog::Choice> choices;
  std::vector<QAction*> actions = context_.actions.of(QStringLiteral("export-figures"));  // in the kinds' order
  for (const FigureKind kind : kFigureKinds) {
    auto figure = figures_(kind);
    if (!figure) continue;
    const QString title = plain_text(actions.at(static_cast<std::size_t>(kind))->text());
    choices.push_back({tr("Figures"), title.chopped(title.endsWith(QChar(0x2026)) ? 1 : 0), figure.get()});
    kinds.push_back(kind);
    figures.push_back(std::move(figure));
  }
  actions.clear();
  addExports(choices, actions);
  const auto last = std::ranges::find(choices, last_, &ExportDialog::Choice::title);
  const std::size_t first = last == choices.end() ? 0 : static_cast<std::size_t>(last - choices.begin());
  ExportDialog dialog(choices, first, last_figure_export(context_.settings), context_.window);
  if (dialog.exec() != QDialog::Accepted) return;
  const std::size_t chosen = dialog.chosen();
  last_ = choices[chosen].title;
  if (chosen < figures.size()) return askWhereFor(kinds[chosen], *figures[chosen], dialog.how());
  actions[chosen - figures.size()]->trigger();
}

// All that is no figure, each with the action that asks where and writes it.
void ExportMenu::addExports(std::vector<ExportDialog::Choice>& choices, std::vector<QAction*>& actions) const {
  const auto add = [&](const QString& group, const QString& title, const QString& id, const QString& summary = {}) {
    QAction* const action = context_.actions[id];
    const QString what = summary.isEmpty() ? action->statusTip() : summary;
    choices.push_back(
        {group, title.left(1).toUpper() + title.mid(1), nullptr, tr("%1.").arg(what), Actions::reason(action)});
    actions.push_back(action);
  };
  const auto format = [&](const QString& group, std::string_view id) {
    const ExportFormat& row = *find_export(id);
    add(group, core_words(row.title), export_action(row), core_words(row.summary));
  };
  const QString result = tr("Result");
  add(result, core_words(find_export("html")->title), QStringLiteral("save-page"));
  add(result, core_words(find_export("run")->title), QStringLiteral("save-run"));
  format(result, "trace");
  add(result, tr("Animation"), QStringLiteral("export-animation"));
  const QString schedule = tr("Schedule and model");
  for (const ExportFormat& row : export_formats()) {
    if (row.needs != ExportNeeds::kRun && row.id != kOriginalExport) format(schedule, row.id);
  }
  const QString original = tr("Advanced: original IOS program");
  format(original, kOriginalExport);
  add(original, tr("Graph without a schedule"), QStringLiteral("export-original-graph"));
}

void ExportMenu::askWhereFor(FigureKind kind, const Figure& figure, const FigureExport& how) {
  keep_figure_export(context_.settings, how);
  const QString path = ask_where_to_export(context_.window, context_.settings, figure, how);
  if (!path.isEmpty()) exportFigure(kind, path, how);
}

void ExportMenu::askAnimation() {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  QStringList filters;
  for (const AnimationFormat format : kAnimationFormats) filters << file_filter(format);
  const QString path =
      ask(tr("Export animation"), QString::fromStdString(file_stem(comparison->graph->name()) + "-race"), filters);
  if (!path.isEmpty()) exportAnimation(path);
}

void ExportMenu::askStatistics() {
  const auto figure = views_.timeline()->statisticsFigure();
  if (!figure) return;
  const QStringList filters = figure_filters(FigureFormat::kCsv);  // it is numbers
  const QString path = ask(tr("Export statistics"), figure->fileStem(), filters);
  if (path.isEmpty()) return;
  const auto format = format_of(path);
  told(format ? text_of(write_figure(*figure, path, *format)) : error_text(format.error()), path);
}

void ExportMenu::askRun() {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  const std::string stem = file_stem(comparison->graph->name()) + '-' + file_stem(comparison->device.id);
  const QString path = ask(tr("Save run"), QString::fromStdString(stem), {tr("Run (*.iosrun)")});
  if (!path.isEmpty()) saveRun(path);
}

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

#include "moc_export_menu.cpp"
