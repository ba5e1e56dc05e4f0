#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <optional>

#include "core/base/result.h"
#include "core/documents/project/workspace.h"
#include "core/formats/onnx/file_interface.h"
#include "views/window/base/context.h"
#include "views/window/base/toasts.h"

class QMenu;
class QMimeData;

namespace iosx {

// Opens what the user names: by dialog, by dropping it, from the recent files. Remembers the sizes that were given for
// what a file leaves open, and says in messages what came of it.
class Opening final : public QObject {
  Q_OBJECT

 public:
  explicit Opening(const WindowContext& context);

  // Opens it with these sizes for open axes; by default with those that were given for it last. Another program's
  // profile becomes a recording of its own.
  void open(const QString& source, const std::optional<InputSizes>& sizes = {});
  void ask();
  // Asks for an execution trace or a graph dump of a recording, and reads the recording with it; of an execution trace
  // alone it asks for the trace of its run. The other one asks where the file of a recording is now.
  void askWith(RecordingId id);
  void askSource(RecordingId id);
  static bool canDrop(const QMimeData* data);
  void drop(const QMimeData* data);
  void askSizes();
  // Says whether sizes of the shown network are open, or an ONNX model could not be opened, perhaps for want of sizes.
  bool hasOpenSizes() const;

 signals:
  void opened();
  void failedWithNothingOpen();
  void importAsked(const QString& path);  // another program's profile, of the shown network

 private:
  void fillRecent();
  void showOpened(const QString& source);
  void showRecording(const QString& source);
  void openWaiting();
  void askTraceOf(RecordingId id);
  void openRecording(const QString& file, const RecordingChoices& choices);
  void addTo(const WorkspaceRecording& recording, const QString& file);
  void tellOfMissing();  // recordings of a project
  Offer offerImport(const QString& source);
  void showFailure(const Error& error, const QString& source);  // empty: of another job
  Offer offerSizes();

  WindowContext context_;
  QMenu* recent_;
  bool remembered_sizes_ = false;  // what is opened is tried with sizes of an earlier time
  QStringList waiting_;            // recordings that were dropped along with the one that is read
  QString failed_;                 // an ONNX model that could not be opened, while nothing else was
};

}  // namespace iosx
