#include "views/window/menus/export_menu.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <filesystem>

#include "core/base/file_stem.h"
#include "core/documents/pytorch/export.h"
#include "core/documents/report/comparison_files.h"
#include "core/formats/document.h"
#include "core/formats/onnx/write/export.h"
#include "core/formats/scheduled_onnx.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/figures/exporter.h"
#include "views/share/animation.h"
#include "views/text/messages.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/dialogs/figure_dialog.h"
#include "views/window/dialogs/files.h"
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

}  // namespace

ExportMenu::ExportMenu(const WindowContext& context, const Views& views)
    : QObject(context.window), context_(context), views_(views) {
  connect(views_.timeline(), &TimelineView::statisticsExportWanted, this, &ExportMenu::askStatistics);
  connect(&context_.jobs, &Jobs::runSaved, this, [this](const QString& path) { told({}, path); });
  connect(&context_.jobs, &Jobs::fileWritten, this, [this](const QString& path) { told({}, path); });
}

bool ExportMenu::exportSchedule(ScheduleFormat format, const QString& path) {
  const auto comparison = context_.session.comparison();
  if (!comparison) return told(tr("There is no schedule yet; press Optimize first."), path);
  const auto text = schedule_text(*comparison, context_.session.activeSchedule(), format);
  if (!text) return told(error_text(text.error()), path);
  return told(text_of(write_file(path, QByteArray::fromStdString(*text))), path);
}

bool ExportMenu::exportDraft(const ScheduleController& controller, ScheduleFormat format, const QString& path) {
  if (!controller.edits()) return told(tr("No schedule is being changed."), path);
  const LaneDraft* const lanes = controller.lanes();
  const Schedule& schedule = lanes != nullptr ? lanes->kernels().schedule : controller.draft()->schedule();
  const auto text = schedule_text(*controller.graph(), schedule, notes_of_draft(controller), format,
                                  lanes != nullptr ? std::optional(lanes->lanes()) : std::nullopt);
  if (!text) return told(error_text(text.error()), path);
  return told(text_of(write_file(path, QByteArray::fromStdString(*text))), path);
}

void ExportMenu::askDraft(const ScheduleController& controller, ScheduleFormat format) {
  if (!controller.edits()) return;
  const QString stem = QString::fromStdString(file_stem(controller.graph()->name()) + "-mine");
  const QString kind = format == ScheduleFormat::kCsv ? tr("Table") : tr("JSON");
  const QString path = ask(tr("Export schedule"), stem, {QStringLiteral("%1 (*.%2)").arg(kind, suffix(format))});
  if (!path.isEmpty()) exportDraft(controller, format, path);
}

bool ExportMenu::exportFigure(FigureKind kind, const QString& path, const std::optional<PaperFormat>& paper) {
  const auto figure = figures_(kind);
  if (!figure) return told(tr("This view shows nothing yet."), path);
  const auto format = format_of(path);
  if (!format) return told(error_text(format.error()), path);
  return told(text_of(write_figure(*figure, path, *format, paper)), path);
}

void ExportMenu::copyCard() {
  const auto figure = figures_(FigureKind::kCard);
  if (!figure)
    return context_.messages.showError(
        tr("There is nothing to compare yet: a card shows a schedule beside sequential."));
  const auto image = render_figure(*figure, FigureFormat::kPng);
  if (!image) return context_.messages.showError(error_text(image.error()));
  QGuiApplication::clipboard()->setImage(QImage::fromData(*image, "PNG"));
  context_.messages.showNote(tr("A picture of the result is on the clipboard"));
}

void ExportMenu::exportAnimation(const QString& path) {
  const auto rivals = views_.rivals();
  if (!rivals)
    return context_.messages.showError(
        tr("There is nothing to compare yet: a race shows a schedule beside sequential."));
  context_.jobs.writeFile(
      path, [path, rivals = *rivals](const JobContext& job) { return write_animation(rivals, path, job); });
}

bool ExportMenu::exportTrace(const QString& path) {
  const auto comparison = context_.session.comparison();
  if (!comparison) return told(tr("There is no timeline yet; press Optimize first."), path);
  return told(text_of(write_file(path, QByteArray::fromStdString(comparison_trace(*comparison)))), path);
}

void ExportMenu::exportNetwork(const QString& path) {
  context_.jobs.writeNetwork(
      path,
      [interface = context_.session.document().file](const Graph& graph, const std::string& file) -> Result<void> {
        IOS_TRY(onnx_import::write_onnx(graph, std::filesystem::path(file), {.file = interface}));
        return {};
      });
}

void ExportMenu::exportScheduled(const QString& path) {
  const auto comparison = context_.session.comparison();
  if (!comparison) {
    told(tr("There is no schedule yet; press Optimize first."), path);
    return;
  }
  context_.jobs.writeNetwork(
      path, [comparison, shown = context_.session.activeSchedule(), interface = context_.session.document().file](
                const Graph& graph, const std::string& file) {
        const ScheduleResult& result = comparison->results[shown];
        return write_scheduled_onnx(
            graph, result.plan, std::filesystem::path(file),
            {.schedule = result.schedule.name, .notes = notes_of(*comparison, result), .model = {.file = interface}});
      });
}

void ExportMenu::exportPytorch(const QString& folder) {
  const auto comparison = context_.session.comparison();
  if (!comparison) {
    told(tr("There is no schedule yet; press Optimize first."), folder);
    return;
  }
  context_.jobs.writeNetwork(
      folder, [comparison, shown = context_.session.activeSchedule(),
               outputs = output_names(context_.session.document())](const Graph& graph, const std::string& path) {
        const ScheduleResult& result = comparison->results[shown];
        return pytorch::write_package(graph, result.schedule, path,
                                      {.notes = notes_of(*comparison, result),
                                       .outputs = outputs,
                                       .barrier_free = result.lanes ? std::optional(result.plan) : std::nullopt});
      });
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

void ExportMenu::askSchedule(ScheduleFormat format) {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  const std::string& id = comparison->results[context_.session.activeSchedule()].id.text();
  const QString stem = QString::fromStdString(file_stem(comparison->graph->name()) + '-' + id);
  const QString kind = format == ScheduleFormat::kCsv ? tr("Table") : tr("JSON");
  const QString path = ask(tr("Export schedule"), stem, {QStringLiteral("%1 (*.%2)").arg(kind, suffix(format))});
  if (!path.isEmpty()) exportSchedule(format, path);
}

void ExportMenu::askFigure(FigureKind kind) {
  const auto figure = figures_(kind);
  if (!figure) {
    told(tr("This view shows nothing yet."), {});
    return;
  }
  FigureDialog dialog(*figure, context_.settings.figurePaper(), context_.window);
  if (dialog.exec() != QDialog::Accepted) return;
  context_.settings.setFigurePaper(dialog.paper());
  QStringList filters;
  for (const FigureFormat format : kFigureFormats) filters << file_filter(format);
  const QString path = ask(tr("Export figure"), figure->fileStem(), filters);
  if (!path.isEmpty()) exportFigure(kind, path, dialog.paper());
}

void ExportMenu::askAnimation() {
  if (film_writer().isEmpty()) {
    return context_.messages.showError(
        tr("Animations are written by ffmpeg, which is not installed. A card is a picture that needs nothing else."));
  }
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
  QStringList filters{file_filter(FigureFormat::kCsv)};  // first: it is numbers
  for (const FigureFormat format : kFigureFormats) filters << file_filter(format);
  filters.removeDuplicates();
  const QString path = ask(tr("Export statistics"), figure->fileStem(), filters);
  if (path.isEmpty()) return;
  const auto format = format_of(path);
  told(format ? text_of(write_figure(*figure, path, *format)) : error_text(format.error()), path);
}

void ExportMenu::askNetwork() {
  if (!context_.session.hasDocument()) return;
  const QString path =
      ask(tr("Export network"), QString::fromStdString(file_stem(context_.session.document().graph->name())),
          {tr("ONNX model (*.onnx)")});
  if (!path.isEmpty()) exportNetwork(path);
}

void ExportMenu::askScheduled() {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  const std::string& id = comparison->results[context_.session.activeSchedule()].id.text();
  const QString path =
      ask(tr("Export network as scheduled"), QString::fromStdString(file_stem(comparison->graph->name()) + '-' + id),
          {tr("ONNX model (*.onnx)")});
  if (!path.isEmpty()) exportScheduled(path);
}

void ExportMenu::askPytorch() {
  const QString folder = QFileDialog::getExistingDirectory(
      context_.window, tr("Export as PyTorch package: an empty folder, or one of an earlier export"),
      context_.settings.folder());
  if (!folder.isEmpty()) exportPytorch(folder);
}

void ExportMenu::askRun() {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  const std::string stem = file_stem(comparison->graph->name()) + '-' + file_stem(comparison->device.id);
  const QString path = ask(tr("Save run"), QString::fromStdString(stem), {tr("Run (*.iosrun)")});
  if (!path.isEmpty()) saveRun(path);
}

void ExportMenu::askTrace() {
  const auto comparison = context_.session.comparison();
  if (!comparison) return;
  const QString path =
      ask(tr("Export Chrome trace"), QString::fromStdString(file_stem(comparison->graph->name()) + "-trace"),
          {tr("Chrome trace (*.json)")});
  if (!path.isEmpty()) exportTrace(path);
}

}  // namespace iosx

#include "moc_export_menu.cpp"
