#include "views/window/shell/project_keeper.h"

#include <QAction>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "core/documents/project/project_file.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/dialogs/save_dialogs.h"

namespace iosx {
namespace {

KeptOf kept_of(const WorkspaceEditor& editor) {
  KeptOf of{editor.projectPath().toStdString(), editor.modified(), {}};
  for (const WorkspaceNetwork& network : editor.workspace().networks()) {
    of.networks.push_back(network.document.graph->name());
  }
  return of;
}

constexpr int kDelay = 3000;  // milliseconds
const auto kPattern = QStringLiteral("session-*.iosproj");

}  // namespace

Autosave::Autosave(const Session& session, const QString& folder, QObject* parent)
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
  for (const auto changed :
       {&WorkspaceEditor::notesChanged, &WorkspaceEditor::draftsChanged, &WorkspaceEditor::drawingsChanged})
    connect(&session_.editor(), changed, this, note_change);
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
    (void)keep_project(session_.workspace(), kept_of(session_.editor()), path_.toStdString());
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
  const auto work = [this, changes = changes_, workspace = session_.workspace(), of = kept_of(session_.editor()),
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

ProjectKeeper::ProjectKeeper(const WindowContext& context) : QObject(context.window), context_(context) {
  connect(&context_.jobs, &Jobs::projectSaved, this,
          [this](const QString& path) { context_.messages.showNote(tr("Saved %1").arg(path)); });
  connect(&context_.jobs, &Jobs::projectNotSaved, this, [this](const Error& error) {
    context_.messages.showError(error_text(error), {tr("Save as…"), [this] { saveAs(); }});
  });
}

void ProjectKeeper::save() {
  if (const QString path = pathToSave(); !path.isEmpty()) context_.jobs.saveProject(path);
}

void ProjectKeeper::saveAs() {
  if (const QString path = askPath(); !path.isEmpty()) context_.jobs.saveProject(path);
}

// Returns whether another program, perhaps another window, changed it. Unknown while it is being written here.
bool ProjectKeeper::changedByOthers() const {
  const auto& known = context_.session.editor().projectStamp();
  const auto now = stamp_of(context_.session.editor().projectPath().toStdString());
  return known && now && *known != *now && !context_.jobs.saving();
}

QString ProjectKeeper::pathToSave() {
  QString path = context_.session.editor().projectPath();
  if (path.isEmpty()) return askPath();
  if (!changedByOthers()) return path;
  QMessageBox box(QMessageBox::Question, tr("IOS Explorer"),
                  tr("%1 was changed by another program or window since it was opened or saved here. If you replace "
                     "it, those changes are lost.")
                      .arg(QFileInfo(path).fileName()),
                  QMessageBox::Cancel, context_.window);
  const QAbstractButton* other = box.addButton(tr("Save as…"), QMessageBox::AcceptRole);
  const QAbstractButton* replace = box.addButton(tr("Replace it"), QMessageBox::DestructiveRole);
  box.exec();
  if (box.clickedButton() == other) return askPath();
  return box.clickedButton() == replace ? path : QString();
}

QString ProjectKeeper::askPath() {
  const QFileInfo now(context_.session.editor().projectPath());
  const QString stem = context_.session.editor().projectPath().isEmpty()
                           ? tr("project")
                           : now.absoluteDir().filePath(now.completeBaseName());
  QString path =
      ask_where_to_save(context_.window, context_.settings, tr("Save the project"), stem, {tr("Projects (*.iosproj)")});
  if (!path.isEmpty()) context_.settings.setFolderOf(path);
  return path;
}

// The window draws itself meanwhile, and takes no keys or clicks.
void ProjectKeeper::waitForSaving() {
  while (context_.jobs.saving()) {
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents | QEventLoop::WaitForMoreEvents);
  }
}

// Drops later results of a search; returns true once the present ones are on disk.
bool ProjectKeeper::saveNow(const QString& path) {
  waitForSaving();
  bool saved = false;
  const auto told = connect(&context_.jobs, &Jobs::projectSaved, this, [&saved] { saved = true; });
  context_.jobs.saveProject(path);
  waitForSaving();
  disconnect(told);
  return saved;
}

void ProjectKeeper::offerLastSession() {
  last_session_ = autosave_->lastSession();
  context_.actions["last-session"]->setData(last_session_.isEmpty() ? QString() : nameOfKept(last_session_));
}

void ProjectKeeper::openLastSession() { context_.jobs.restore(autosave_->lastSession()); }

void ProjectKeeper::keepSessions(Autosave& autosave, bool asks) {
  autosave_ = &autosave;
  offerLastSession();
  connect(&context_.jobs, &Jobs::restored, this, [this](const QString& kept) {
    if (kept != autosave_->lastSession()) autosave_->replace(kept);
  });
  connect(&context_.jobs, &Jobs::notRestored, this, &ProjectKeeper::putAside);
  connect(&autosave, &Autosave::failed, this, [this](const Error& error) {
    context_.messages.showNote(tr("Crash recovery cannot save the open networks: %1").arg(error_text(error)));
  });
  if (!asks) return;
  if (const auto left = autosave.leftBehind()) askRecover(*left);
}

// Writes "detector.iosproj: Inception V3, SqueezeNet and others"; empty where nothing is known.
QString ProjectKeeper::nameOfKept(const QString& kept) {
  const auto of = read_kept_of(kept.toStdString());
  if (!of) return {};
  constexpr std::size_t kMostNamed = 3;
  QStringList networks;
  for (std::size_t i = 0; i < of->networks.size() && i < kMostNamed; ++i) networks << shown_name(of->networks[i]);
  QString text = networks.join(QStringLiteral(", "));
  if (of->networks.size() > kMostNamed) text = tr("%1 and others").arg(text);
  if (of->file.empty()) return text;
  const QString file = shown_name(QFileInfo(QString::fromStdString(of->file)).fileName().toStdString());
  return text.isEmpty() ? file : QStringLiteral("%1: %2").arg(file, text);
}

void ProjectKeeper::askRecover(const QString& left) {
  const QString when = QLocale().toString(QFileInfo(left).lastModified(), QLocale::ShortFormat);
  QString text = tr("IOS Explorer ended unexpectedly. What was open at %1 was saved.").arg(when);
  if (const QString what = nameOfKept(left); !what.isEmpty()) text += QStringLiteral("\n\n") + what;
  auto* box = new QMessageBox(QMessageBox::Question, tr("IOS Explorer"), text, QMessageBox::NoButton, context_.window);
  box->setObjectName(QStringLiteral("recover"));
  box->setTextFormat(Qt::PlainText);  // names are in it
  box->setAttribute(Qt::WA_DeleteOnClose);
  const QPushButton* open = box->addButton(tr("Open it"), QMessageBox::AcceptRole);
  const QPushButton* discard = box->addButton(tr("Discard it"), QMessageBox::DestructiveRole);
  box->addButton(tr("Later"), QMessageBox::RejectRole);
  connect(open, &QPushButton::clicked, this, [this, left] { context_.jobs.restore(left); });
  connect(discard, &QPushButton::clicked, this, [this, left] { autosave_->discard(left); });
  box->open();
}

// Gives it another name, so that the next start does not stumble over it, nor the next end write over it.
void ProjectKeeper::putAside(const QString& kept, const Error& error) {
  const QString aside = autosave_->putAside(kept);
  const QString why = error_text(error);
  context_.messages.showError(aside.isEmpty() ? why : tr("%1. The file was renamed to %2.").arg(why, aside));
  offerLastSession();
}

bool ProjectKeeper::mayLeave() {
  waitForSaving();
  return !context_.session.editor().modified() || settle();
}

bool ProjectKeeper::settle() {
  const QString path = context_.session.editor().projectPath();
  const QString what = path.isEmpty() ? tr("Save the open networks as a project?")
                                      : tr("Save changes to %1?").arg(QFileInfo(path).fileName());
  QMessageBox box(QMessageBox::Question, tr("IOS Explorer"), what,
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, context_.window);
  // Standard buttons have no key of their own.
  box.button(QMessageBox::Save)->setText(path.isEmpty() ? tr("&Save…") : tr("&Save"));
  box.button(QMessageBox::Discard)->setText(tr("&Don't save"));
  box.button(QMessageBox::Cancel)->setText(tr("&Cancel"));
  box.setDefaultButton(QMessageBox::Save);
  box.setEscapeButton(QMessageBox::Cancel);
  const int answer = box.exec();
  if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
  const QString to = pathToSave();
  return !to.isEmpty() && saveNow(to);
}

}  // namespace iosx

#include "moc_project_keeper.cpp"
