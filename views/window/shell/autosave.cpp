#include "views/window/shell/autosave.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <utility>

#include "core/documents/project/project_file.h"
#include "views/app_model/session.h"

namespace iosx {
namespace {

KeptOf kept_of(const Session& session) {
  KeptOf of{session.projectPath().toStdString(), session.modified(), {}};
  for (const WorkspaceNetwork& network : session.workspace().networks()) {
    of.networks.push_back(network.document.graph->name());
  }
  return of;
}

constexpr int kDelay = 3000;  // milliseconds
const auto kPattern = QStringLiteral("session-*.iosproj");

}  // namespace

Autosave::Autosave(Session& session, const QString& folder, QObject* parent)
    : QObject(parent), session_(session), folder_(folder) {
  QDir().mkpath(folder_);
  path_ = QDir(folder_).filePath(QStringLiteral("session-%1-%2.iosproj")
                                     .arg(QCoreApplication::applicationPid())
                                     .arg(QDateTime::currentMSecsSinceEpoch()));
  lock_ = std::make_unique<QLockFile>(lockOf(path_));
  lock_->setStaleLockTime(0);  // only a process that is gone leaves one behind
  lock_->tryLock(0);
  removeLocksOfTheGone();
  timer_.setSingleShot(true);
  timer_.setInterval(kDelay);
  connect(&timer_, &QTimer::timeout, this, &Autosave::save);
  const auto note_change = [this] {
    ++changes_;
    if (timer_.isActive()) return;
    timer_.start();
    waiting_.start();
  };
  connect(&session_, &Session::workspaceChanged, this, note_change);
  connect(&session_, &Session::notesChanged, this, note_change);
  connect(&session_, &Session::draftsChanged, this, note_change);
  connect(&session_, &Session::drawingsChanged, this, note_change);
  connect(writer_.get(), &JobRunner::failed, this, [this](const Error& error) {
    failing_ = true;
    if (!std::exchange(told_, true)) emit failed(error);
  });
}

Autosave::~Autosave() {
  writer_.reset();  // two at once would not know which one is newer
  const bool worth_keeping = session_.workspace().asked_for();
  // Where it cannot be written, the last written state is better than nothing.
  if (worth_keeping && kept_ != changes_) {
    (void)keep_project(session_.workspace(), kept_of(session_), path_.toStdString());
  }
  if (worth_keeping && QFile::exists(path_)) {
    if (const QString last = lastSession(); !last.isEmpty()) QFile::remove(last);
    QFile::rename(path_, QDir(folder_).filePath(QStringLiteral("last-session.iosproj")));
  } else {
    QFile::remove(path_);
  }
}

QString Autosave::lastSession() const {
  const QString path = QDir(folder_).filePath(QStringLiteral("last-session.iosproj"));
  return QFile::exists(path) ? path : QString();
}

// Removes the locks of processes that were killed before they had anything to keep. A lock that was got goes when it is
// given back.
void Autosave::removeLocksOfTheGone() const {
  const QDir folder(folder_);
  for (const QString& name : folder.entryList({lockOf(kPattern)}, QDir::Files)) {
    const QString path = folder.filePath(name);
    if (path == lockOf(path_) || folder.exists(name.chopped(lockOf({}).size()))) continue;
    QLockFile lock(path);
    lock.setStaleLockTime(0);
    lock.tryLock(0);
  }
}

std::optional<QString> Autosave::leftBehind() const {
  const QDir folder(folder_);
  for (const QString& name : folder.entryList({kPattern}, QDir::Files, QDir::Time)) {
    const QString path = folder.filePath(name);
    if (path == path_) continue;
    QLockFile lock(lockOf(path));
    lock.setStaleLockTime(0);
    if (lock.tryLock(0)) return path;
  }
  return std::nullopt;
}

void Autosave::replace(const QString& left) {
  if (!session_.workspace().asked_for()) return discard(left);
  replaced_ = left;
  replaced_at_ = changes_;
}

void Autosave::discard(const QString& left) {
  QFile::remove(left);
  QFile::remove(lockOf(left));
}

QString Autosave::putAside(const QString& kept) {
  const QFileInfo file(kept);
  const QString stem = QStringLiteral("damaged-") + file.completeBaseName();
  QString aside = file.dir().filePath(stem + QStringLiteral(".iosproj"));
  for (int number = 2; QFile::exists(aside); ++number) {
    aside = file.dir().filePath(QStringLiteral("%1-%2.iosproj").arg(stem).arg(number));
  }
  if (!QFile::rename(kept, aside)) return {};
  QFile::remove(lockOf(kept));
  return aside;
}

void Autosave::waitWhile(std::function<bool()> measuring, int most_millis) {
  measuring_ = std::move(measuring);
  longest_wait_ = most_millis;
}

void Autosave::save() {
  if (!session_.workspace().asked_for()) return;
  if (writer_->busy() || (measuring_() && !waiting_.hasExpired(longest_wait_))) return timer_.start();
  const auto work = [this, changes = changes_, workspace = session_.workspace(), of = kept_of(session_),
                     path = path_.toStdString()](const JobContext&,
                                                 const std::stop_token&) -> Result<JobRunner::Delivery> {
    if (auto done = keep_project(workspace, of, path); !done) return tl::unexpected<Error>(done.error());
    return JobRunner::Delivery{[this, changes] {
      kept_ = changes;
      failing_ = false;
      if (!replaced_.isEmpty() && changes >= replaced_at_) discard(std::exchange(replaced_, {}));
      emit saved();
    }};
  };
  writer_->start({}, work);
}

}  // namespace iosx

#include "moc_autosave.cpp"
