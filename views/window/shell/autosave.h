#pragma once

#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "views/app_model/job_runner.h"

namespace iosx {

class Session;

// Keeps what is open, on disk, while the program runs: a project file of this process, written anew some seconds after
// every change, beside a lock that says that the process lives. A program that ends in order leaves it as the last
// session; one that is killed leaves it where the next start finds it. What nobody asked for is not kept, and takes
// nothing's place. Writing takes a core for as long as a second, so it can wait for what measures.
class Autosave final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(Autosave)

 public:
  // Keeps what is open in this folder, which is made. The session must outlive the object. Where the folder cannot be
  // written, failed() says so once, and nothing is kept.
  Autosave(Session& session, const QString& folder, QObject* parent = nullptr);
  ~Autosave() override;

  // Returns the path of what the program wrote before it ended; empty where there is none.
  QString lastSession() const;
  // Returns the newest file of a process that is gone; none where there is no such file.
  std::optional<QString> leftBehind() const;
  // `left` is what is open now: removes it as soon as that is on disk again.
  void replace(const QString& left);
  void discard(const QString& left);
  // Gives it another name, by which nothing looks for it; answers its path, empty where that failed.
  QString putAside(const QString& kept);
  // Says whether what is open is, or will be, on disk.
  bool keeps() const { return !failing_; }

  void setDelay(int millis) { timer_.setInterval(millis); }
  // While `measuring` says so, what has changed waits, at most for so many milliseconds.
  void waitWhile(std::function<bool()> measuring, int most_millis = 60'000);

 signals:
  void saved();
  void failed(const iosx::Error& error);

 private:
  void save();
  void removeLocksOfTheGone() const;
  QString lockOf(const QString& file) const { return file + QStringLiteral(".lock"); }

  Session& session_;
  QString folder_;
  QString path_;
  std::unique_ptr<QLockFile> lock_;
  QTimer timer_;
  QElapsedTimer waiting_;  // since the first change that is not on disk
  std::function<bool()> measuring_ = [] { return false; };
  int longest_wait_ = 0;  // in ms
  QString replaced_;
  int replaced_at_ = 0;   // of the changes: earlier files of this process do not hold it
  bool told_ = false;     // failed() has been
  bool failing_ = false;  // the last time
  int changes_ = 0;       // of the workspace so far
  int kept_ = 0;          // of them, those that are on disk
  std::unique_ptr<JobRunner> writer_ = std::make_unique<JobRunner>();
};

}  // namespace iosx
