#include "views/window/menus/export_menu.h"

#include <fmt/format.h>

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <utility>

#include "core/base/file_stem.h"
#include "core/documents/report/comparison_files.h"
#include "core/formats/document.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/figures/exporter.h"
#include "views/share/animation.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
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

ExportMenu::ExportMenu(Session& session, Jobs& jobs, const Views& views, Settings& settings, const Actions& actions,
                       Toasts& messages, QWidget* window)
    : QObject(window),
      session_(session),
      jobs_(jobs),
      views_(views),
      settings_(settings),
      messages_(messages),
      window_(window) {
  for (const auto& [id, action] : actions.exports) {
    connect(action, &QAction::triggered, this, [this, format = find_export(id)] { askExport(*format); });
  }
  for (const FigureKind kind : kFigureKinds) {
    connect(actions.export_figure[static_cast<std::size_t>(kind)], &QAction::triggered, this,
            [this, kind] { askFigure(kind); });
  }
  connect(views_.timeline(), &TimelineView::statisticsExportWanted, this, &ExportMenu::askStatistics);
  connect(actions.export_animation, &QAction::triggered, this, &ExportMenu::askAnimation);
  connect(actions.copy_card, &QAction::triggered, this, &ExportMenu::copyCard);
  connect(actions.save_run, &QAction::triggered, this, &ExportMenu::askRun);
  connect(&jobs_, &Jobs::runSaved, this, [this](const QString& path) { told({}, path); });
  connect(&jobs_, &Jobs::fileWritten, this, [this](const QString& path) { told({}, path); });
}

ExportSource ExportMenu::source(const ExportFormat& format) const {
  ExportSource source;
  const auto comparison = session_.comparison();
  if (session_.hasDocument()) {
    source.file = session_.document().file;
    source.outputs = output_names(session_.document());
  }
  // A schedule is of the parts that were searched, which have no weights where a run was opened from a file.
  const bool weights = format.needs == ExportNeeds::kNetwork || format.needs == ExportNeeds::kPlan;
  source.graph = weights || !comparison ? session_.document().graph : comparison->graph;
  if (!comparison) return source;
  const ScheduleResult& shown = comparison->results[session_.activeSchedule()];
  source.schedule = shown.schedule;
  source.notes = notes_of(*comparison, shown);
  source.lanes = shown.lanes;
  source.plan = shown.plan;
  source.run = session_.shownRun()->run;
  return source;
}

bool ExportMenu::exportAs(const ExportFormat& format, const QString& path) {
  const bool possible = format.needs == ExportNeeds::kNetwork ? session_.hasDocument() : bool(session_.comparison());
  if (!possible) return told(tr("There is no schedule yet; press Optimize first."), path);
  ExportSource source = this->source(format);
  if (format.text != nullptr) return told(text_of(write_export(format, source, path.toStdString())), path);
  jobs_.writeFile(path, [path, &format, source = std::move(source)](const JobContext& job) {
    job.report(message("writing"), 0, 0);
    return write_export(format, source, path.toStdString());
  });
  return true;
}

bool ExportMenu::exportDraft(const ScheduleController& controller, const ExportFormat& format, const QString& path) {
  if (!controller.edits()) return told(tr("No schedule is being changed."), path);
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
    return messages_.showError(tr("There is nothing to compare yet: a card shows a schedule beside sequential."));
  const auto image = render_figure(*figure, FigureFormat::kPng);
  if (!image) return messages_.showError(error_text(image.error()));
  QGuiApplication::clipboard()->setImage(QImage::fromData(*image, "PNG"));
  messages_.showNote(tr("A picture of the result is on the clipboard"));
}

void ExportMenu::exportAnimation(const QString& path) {
  const auto rivals = views_.rivals();
  if (!rivals)
    return messages_.showError(tr("There is nothing to compare yet: a race shows a schedule beside sequential."));
  jobs_.writeFile(path, [path, rivals = *rivals](const JobContext& job) { return write_animation(rivals, path, job); });
}

void ExportMenu::saveRun(const QString& path) { jobs_.saveRun(path); }

bool ExportMenu::told(const QString& error, const QString& path) {
  if (!error.isEmpty()) {
    messages_.showError(error);
    return false;
  }
  settings_.setFolderOf(path);
  messages_.dismissErrors(messages_.newest());
  messages_.showNote(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
  return true;
}

QString ExportMenu::ask(const QString& title, const QString& stem, const QStringList& filters) {
  return ask_where_to_save(window_, settings_, title, stem, filters);
}

QString ExportMenu::askFor(const ExportFormat& format, const QString& stem) {
  const QString title = core_words(format.title);
  if (format.suffix.empty()) {
    return QFileDialog::getExistingDirectory(
        window_, tr("Export as %1: an empty folder, or one of an earlier export").arg(title), settings_.folder());
  }
  return ask(tr("Export as %1").arg(title), stem, {QStringLiteral("%1 (*.%2)").arg(title, qstring(format.suffix))});
}

void ExportMenu::askExport(const ExportFormat& format) {
  const bool network = format.needs == ExportNeeds::kNetwork;
  const auto comparison = session_.comparison();
  if (network ? !session_.hasDocument() : !comparison) return;
  const Graph& graph = comparison ? *comparison->graph : *session_.document().graph;
  std::string stem = file_stem(graph.name());
  if (format.needs == ExportNeeds::kRun) {
    stem += fmt::format("-{}", format.id);
  } else if (!network) {
    stem += '-' + comparison->results[session_.activeSchedule()].id.text();
  }
  const QString path = askFor(format, QString::fromStdString(stem));
  if (!path.isEmpty()) exportAs(format, path);
}

void ExportMenu::askFigure(FigureKind kind) {
  const auto figure = figures_(kind);
  if (!figure) {
    told(tr("This view shows nothing yet."), {});
    return;
  }
  FigureDialog dialog(*figure, settings_.figurePaper(), window_);
  if (dialog.exec() != QDialog::Accepted) return;
  settings_.setFigurePaper(dialog.paper());
  QStringList filters;
  for (const FigureFormat format : kFigureFormats) filters << file_filter(format);
  const QString path = ask(tr("Export figure"), figure->fileStem(), filters);
  if (!path.isEmpty()) exportFigure(kind, path, dialog.paper());
}

void ExportMenu::askAnimation() {
  if (film_writer().isEmpty()) {
    return messages_.showError(
        tr("Animations are written by ffmpeg, which is not installed. A card is a picture that needs nothing else."));
  }
  const auto comparison = session_.comparison();
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

void ExportMenu::askRun() {
  const auto comparison = session_.comparison();
  if (!comparison) return;
  const std::string stem = file_stem(comparison->graph->name()) + '-' + file_stem(comparison->device.id);
  const QString path = ask(tr("Save run"), QString::fromStdString(stem), {tr("Run (*.iosrun)")});
  if (!path.isEmpty()) saveRun(path);
}

}  // namespace iosx

#include "moc_export_menu.cpp"
