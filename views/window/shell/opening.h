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

// Opens what the user names: by dialog, by dropping it, from the recent files. Remembers the sizes that were given for
// what a file leaves open, and says in messages what came of it.
class Opening final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it. `recent` is filled when it is about to be shown.
  Opening(Session& session, Jobs& jobs, Settings& settings, const Actions& actions, QMenu* recent, Toasts& messages,
          QWidget* window);

  // Opens it with these sizes of what its file leaves open; without any, with those that were given for it last.
  void open(const QString& source, const std::optional<InputSizes>& sizes = {});
  void ask();
  static bool canDrop(const QMimeData* data);
  void drop(const QMimeData* data);
  // Says whether an ONNX model could not be opened, perhaps for want of sizes.
  bool asksForSizes() const { return !failed_.isEmpty(); }

 signals:
  void opened();
  void failedWithNothingOpen();
  void externalNamed(const QString& path);  // what another program recorded: for who reads that

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
  bool remembered_sizes_ = false;  // what is opened is tried with sizes of an earlier time
  QString failed_;                 // an ONNX model that could not be opened, while nothing else was
};

}  // namespace iosx
