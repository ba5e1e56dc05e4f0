#include "views/window/shell/opening.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QRegularExpression>
#include <QUrl>
#include <algorithm>
#include <string>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "core/formats/external/open_recording.h"
#include "core/formats/file_kind.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/dialogs/size_dialog.h"

namespace iosx {
namespace {

QStringList local_files(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  return files;
}

QString recording_filter() {
  return Opening::tr("Recordings (*.json *.json.gz *.sqlite *.db *.csv *.tsv *.pftrace *.perfetto-trace)");
}

bool is_table(const QString& path) {
  static const QRegularExpression kTable(QStringLiteral("\\.(csv|tsv)(\\.gz)?$"),
                                         QRegularExpression::CaseInsensitiveOption);
  return path.contains(kTable);
}

bool is_external(const QString& path) { return file_kind(path.toStdString()) == FileKind::kExternal; }

QString warnings_text(const std::vector<Message>& warnings) {
  constexpr std::size_t kMost = 4;
  QStringList lines;
  for (std::size_t i = 0; i < std::min(warnings.size(), kMost); ++i) lines << message_text(warnings[i]);
  if (warnings.size() > kMost) lines << Opening::tr("and %1 more").arg(warnings.size() - kMost);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

Opening::Opening(const WindowContext& context)
    : QObject(context.window), context_(context), recent_(context.actions.menu("recent")) {
  connect(recent_, &QMenu::aboutToShow, this, &Opening::fillRecent);
  connect(&context_.jobs, &Jobs::opened, this, &Opening::showOpened);
  connect(&context_.jobs, &Jobs::failed, this, &Opening::showFailure);
  connect(&context_.session.editor(), &WorkspaceEditor::projectOpened, this, &Opening::tellOfMissing,
          Qt::QueuedConnection);  // after earlier messages were dismissed
}

bool Opening::canDrop(const QMimeData* data) { return !local_files(data).isEmpty(); }

void Opening::drop(const QMimeData* data) {
  const QStringList files = local_files(data);
  if (files.isEmpty()) return;
  // A network replaces the shown one. Recordings are beside one another, and execution traces and drawings belong to
  // the one that comes with them.
  QStringList recordings;
  RecordingChoices choices;
  for (const QString& file : files) {
    if (files.size() > 1 && is_dependency_file(file.toStdString())) {
      choices.with.push_back(file.toStdString());
    } else if (is_external(file)) {
      recordings << file;
    }
  }
  const WorkspaceRecording* const shown = context_.session.shownRecording();
  if (files.size() == 1 && shown != nullptr && shown->opened && is_dependency_file(files.front().toStdString()))
    return addTo(*shown, files.front());
  if (recordings.isEmpty()) return open(files.front());
  if (recordings.size() == 1) return openRecording(recordings.front(), choices);
  waiting_ = recordings.mid(1);
  openRecording(recordings.front(), {});
}

void Opening::openWaiting() {
  if (waiting_.isEmpty()) return;
  const QString next = waiting_.takeFirst();
  QMetaObject::invokeMethod(
      this, [this, next] { openRecording(next, {}); }, Qt::QueuedConnection);
}

void Opening::openRecording(const QString& file, const RecordingChoices& choices) {
  if (QFileInfo(file).isFile()) context_.settings.setFolderOf(file);
  context_.jobs.openRecording(file, choices);
}

void Opening::addTo(const WorkspaceRecording& recording, const QString& file) {
  RecordingChoices choices = recording.choices;
  choices.with.push_back(file.toStdString());
  context_.jobs.openRecording(QString::fromStdString(recording.file), choices, recording.id);
}

// An execution trace alone is the file that is added to the trace of its run.
void Opening::askTraceOf(RecordingId id) {
  const QString path =
      QFileDialog::getOpenFileName(context_.window, tr("Open the trace of the same run"), context_.settings.folder(),
                                   recording_filter() + QStringLiteral(";;") + tr("All files (*)"));
  const WorkspaceRecording* const now = context_.session.workspace().find(id);
  if (!path.isEmpty() && now != nullptr) context_.jobs.openRecording(path, {.with = {now->file}}, id);
}

void Opening::askWith(RecordingId id) {
  const WorkspaceRecording* const asked = context_.session.workspace().find(id);
  if (asked != nullptr && asked->opened && !asked->opened->recording.timed) return askTraceOf(id);
  const QString path = QFileDialog::getOpenFileName(
      context_.window, tr("Add an execution trace or a graph dump"), context_.settings.folder(),
      tr("Execution traces and graph dumps (*.json *.json.gz *.et *.dot);;All files (*)"));
  const WorkspaceRecording* const recording = context_.session.workspace().find(id);
  if (!path.isEmpty() && recording != nullptr) addTo(*recording, path);
}

void Opening::askSource(RecordingId id) {
  const WorkspaceRecording* recording = context_.session.workspace().find(id);
  if (recording == nullptr) return;
  const QString path = QFileDialog::getOpenFileName(
      context_.window, tr("Where is %1?").arg(QString::fromStdString(recording->file)), context_.settings.folder(),
      recording_filter() + QStringLiteral(";;") + tr("All files (*)"));
  recording = context_.session.workspace().find(id);
  if (!path.isEmpty() && recording != nullptr) context_.jobs.openRecording(path, recording->choices, id);
}

void Opening::tellOfMissing() {
  for (const WorkspaceRecording& recording : context_.session.workspace().recordings()) {
    if (!recording.lacks) continue;
    context_.messages.showError(tr("A recording of the project cannot be read. %1").arg(error_text(*recording.lacks)),
                                {tr("Find the file…"), [this, id = recording.id] { askSource(id); }});
  }
}

void Opening::ask() {
  const QString path = QFileDialog::getOpenFileName(
      context_.window, tr("Open a network, recording, project, run or schedule"), context_.settings.folder(),
      tr("Everything that can be opened (*.onnx *.json *.json.gz *.sqlite *.db *.csv *.tsv *.pftrace *.perfetto-trace "
         "*.iosproj *.iosrun)") +
          QStringLiteral(";;") + recording_filter() + QStringLiteral(";;") +
          tr("Projects (*.iosproj);;Runs (*.iosrun);;All files (*)"));
  if (!path.isEmpty()) open(path);
}

void Opening::open(const QString& source, const std::optional<InputSizes>& sizes) {
  if (QFileInfo(source).isFile()) context_.settings.setFolderOf(source);
  const InputSizes given = sizes.value_or(context_.settings.inputSizes(source));
  remembered_sizes_ = !sizes && !given.empty();
  context_.jobs.open(source, given);
}

void Opening::showOpened(const QString& source) {
  failed_.clear();
  openWaiting();
  if (QFileInfo(source).isFile()) context_.settings.addRecentFile(source);
  context_.messages.dismiss();  // what was wrong with another file
  emit opened();
  if (context_.session.shownRecording() != nullptr) return showRecording(source);
  const QString warnings = warnings_text(context_.session.document().warnings);
  if (!warnings.isEmpty()) context_.messages.showNote(warnings);
  const std::int64_t batch = context_.session.settings().options.batch;
  if (file_kind(source.toStdString()) == FileKind::kJson && context_.session.document().batched && batch != 1) {
    context_.messages.showNote(tr("The file gives no batch size: that of the tool bar is used, %1.").arg(batch));
  }
  const std::string chosen = open_text(context_.session.document().file, SizeOrigin::kChosen);
  if (chosen.empty()) return;
  context_.messages.showNote(tr("The file leaves sizes open; chosen here: %1.").arg(QString::fromStdString(chosen)),
                             offerSizes());
}

Offer Opening::offerImport(const QString& source) {
  const QString network = shown_name(context_.session.document().graph->name());
  return {tr("Import as a profile of %1").arg(network), [this, source] {
            context_.session.showNetwork(context_.session.networkId());
            emit importAsked(source);
          }};
}

void Opening::showRecording(const QString& source) {
  const WorkspaceRecording& shown = *context_.session.shownRecording();
  if (!context_.session.hasDocument() || !shown.choices.with.empty() || !is_external(source)) return;
  context_.messages.showNote(tr("The profile was opened as a recording of its own, without the open network."),
                             offerImport(source));
}

void Opening::showFailure(const Error& error, const QString& source) {
  if (source.isEmpty()) return context_.messages.showError(error_text(error));
  if (remembered_sizes_ && error.where.starts_with("--")) {
    // The file is another one now.
    remembered_sizes_ = false;
    context_.settings.setInputSizes(source, {});
    QMetaObject::invokeMethod(
        this, [this, source] { open(source); }, Qt::QueuedConnection);
    return;
  }
  openWaiting();
  // A table of names and times is no recording, but may be a profile of the network.
  if (is_table(source) && context_.session.hasDocument()) return emit importAsked(source);
  if (is_external(source) && context_.session.hasDocument())
    return context_.messages.showError(error_text(error), offerImport(source));
  const bool model = file_kind(source.toStdString()) == FileKind::kOnnx;
  // Other sizes help where the file leaves some open: the remedy then names the options that set them.
  const bool sizes = model && error.remedy.text().find("--") != std::string::npos;
  if (sizes) failed_ = source;
  context_.messages.showError(error_text(error), sizes ? offerSizes() : Offer());
  if (!context_.session.hasDocument() && context_.session.shownRecording() == nullptr) emit failedWithNothingOpen();
}

void Opening::fillRecent() {
  recent_->clear();
  for (const QString& path : context_.settings.recentFiles()) {
    connect(recent_->addAction(path), &QAction::triggered, this, [this, path] { open(path); });
  }
  if (recent_->isEmpty()) {
    recent_->addAction(tr("No files yet"))->setEnabled(false);
    return;
  }
  recent_->addSeparator();
  connect(recent_->addAction(tr("Forget these files")), &QAction::triggered, this,
          [this] { context_.settings.clearRecentFiles(); });
}

Offer Opening::offerSizes() {
  return {tr("Input sizes…"), [this] { askSizes(); }};
}

bool Opening::hasOpenSizes() const {
  const Session& session = context_.session;
  return !failed_.isEmpty() || (session.hasDocument() && !session.document().file.deciding().empty());
}

void Opening::askSizes() {
  const bool failed = !failed_.isEmpty();
  const QString path = failed ? failed_ : context_.session.source();
  auto* dialog = new SizeDialog(path, failed ? FileInterface() : context_.session.document().file, context_.window);
  open_dialog(dialog, this, [this, dialog, path] {
    const InputSizes sizes = dialog->sizes();
    context_.settings.setInputSizes(path, sizes);
    open(path, sizes);
  });
}

}  // namespace iosx

#include "moc_opening.cpp"
