#pragma once

#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "views/app_model/job_runner.h"
#include "views/window/base/context.h"

namespace iosx {

// Saves the open workspace while the program runs: a project file of this process, rewritten some seconds after every
// change, with a lock that lives as long as the process. A program that exits normally leaves it as the last session;
// after a crash the next start finds it. Results that were not requested are not saved, and replace nothing. Writing
// takes a core for up to a second, so it can wait for measurements.
class Autosave final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(Autosave)

 public:
  // Saves in this folder, which is made. The session must outlive the object. Where the folder is not writable,
  // failed() is emitted once, and nothing is saved.
  Autosave(const Session& session, const QString& folder, QObject* parent = nullptr);
  ~Autosave() override;

  // Returns the path of the file written at the last normal exit; empty without one.
  QString lastSession() const;
  // Returns the newest file of an ended process; none without one.
  std::optional<QString> leftBehind() const;
  // `left` is the open one: removes it as soon as its content is saved again.
  void replace(const QString& left);
  void discard(const QString& left);
  // Renames it so that no start finds it; returns its path, empty on an error.
  QString putAside(const QString& kept);
  // Returns whether the open workspace is, or will be, on disk.
  bool keeps() const { return !failing_; }

  void setDelay(int millis) { timer_.setInterval(millis); }
  // While `measuring` returns true, changes wait, at most that many milliseconds.
  void waitWhile(std::function<bool()> measuring, int most_millis = 60'000);

 signals:
  void saved();
  void failed(const iosx::Error& error);

 private:
  void save();
  void removeLocksOfTheGone() const;
  QString lockOf(const QString& file) const { return file + QStringLiteral(".lock"); }

  const Session& session_;
  QString folder_;
  QString path_;
  std::unique_ptr<QLockFile> lock_;
  QTimer timer_;
  QElapsedTimer waiting_;  // since the first unsaved change
  std::function<bool()> measuring_ = [] { return false; };
  int longest_wait_ = 0;  // in ms
  QString replaced_;
  int replaced_at_ = 0;   // number of the change: earlier files of this process lack it
  bool told_ = false;     // failed() was emitted
  bool failing_ = false;  // the last attempt failed
  int changes_ = 0;       // of the workspace so far
  int kept_ = 0;          // of these, the saved ones
  std::unique_ptr<JobRunner> writer_ = std::make_unique<JobRunner>();
};

// Protects unsaved work: saves the project, asks about unsaved changes, and offers earlier sessions.
class ProjectKeeper final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  explicit ProjectKeeper(const WindowContext& context);

  // The last session goes into the menu; a crashed one is offered with a question, unless `asks` is false because it
  // was already asked. The autosave must outlive it.
  void keepSessions(Autosave& autosave, bool asks);
  // Returns true once unsaved work is saved or rejected; it may ask. Before the project is closed or replaced.
  bool mayLeave();

  void save();
  void saveAs();
  const QString& lastSession() const { return last_session_; }  // its file; empty: there is none
  void openLastSession();                                       // there is one

 private:
  // Returns an empty path where the user cancelled.
  QString pathToSave();
  QString askPath();
  bool changedByOthers() const;  // the project's file, since it was read or written here
  bool saveNow(const QString& path);
  bool settle();  // asks
  void waitForSaving();
  void offerLastSession();
  static QString nameOfKept(const QString& kept);
  void askRecover(const QString& left);
  void putAside(const QString& kept, const Error& error);

  WindowContext context_;
  Autosave* autosave_ = nullptr;  // may be null
  QString last_session_;          // as the program began
};

}  // namespace iosx
