#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "views/window/base/toasts.h"

class QMenu;
class QMimeData;
class QWidget;

namespace iosx {

struct Actions;
class Jobs;
class Session;
class Settings;

// Opens the user's files: by dialog, by drop, from the recent files. It remembers the given sizes for open axes, and
// shows messages with the result.
class Opening final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it. `recent` is filled when it is about to be shown.
  Opening(Session& session, Jobs& jobs, Settings& settings, const Actions& actions, QMenu* recent, Toasts& messages,
          QWidget* window);

  // Opens it with these sizes for open axes; by default with those that were given for it last.
  void open(const QString& source, const std::optional<InputSizes>& sizes = {});
  void ask();
  static bool canDrop(const QMimeData* data);
  void drop(const QMimeData* data);
  // Returns whether an ONNX model could not be opened, perhaps for lack of sizes.
  bool asksForSizes() const { return !failed_.isEmpty(); }

 signals:
  void opened();
  void failedWithNothingOpen();
  void externalNamed(const QString& path);  // another program's recording, for its reader

 private:
  void fillRecent();
  void showOpened(const QString& source);
  void showFailure(const Error& error, const QString& source);  // empty: of another job
  void askSizes();
  Offer offerSizes();

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  const Actions& actions_;
  QMenu* recent_;
  Toasts& messages_;
  QWidget* window_;
  bool remembered_sizes_ = false;  // the current attempt uses sizes of an earlier time
  QString failed_;                 // an ONNX model that could not be opened, until another one is opened
};

}  // namespace iosx
