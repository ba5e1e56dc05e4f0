#include "views/window/shell/project_keeper.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include "core/documents/project/project_file.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/dialogs/files.h"
#include "views/window/shell/autosave.h"

namespace iosx {

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
  const auto& known = context_.session.projectStamp();
  const auto now = stamp_of(context_.session.projectPath().toStdString());
  return known && now && *known != *now && !context_.jobs.saving();
}

QString ProjectKeeper::pathToSave() {
  QString path = context_.session.projectPath();
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
  const QFileInfo now(context_.session.projectPath());
  const QString stem =
      context_.session.projectPath().isEmpty() ? tr("project") : now.absoluteDir().filePath(now.completeBaseName());
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

bool ProjectKeeper::mayClose() {
  waitForSaving();
  return !context_.session.modified() || settle();
}

bool ProjectKeeper::mayReplace() {
  waitForSaving();
  return !context_.session.modified() || settle();
}

bool ProjectKeeper::settle() {
  const QString path = context_.session.projectPath();
  const QString what = path.isEmpty() ? tr("Save the open networks as a project?")
                                      : tr("Save changes to %1?").arg(QFileInfo(path).fileName());
  const auto answer =
      QMessageBox::question(context_.window, tr("IOS Explorer"), what,
                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
  const QString to = pathToSave();
  return !to.isEmpty() && saveNow(to);
}

}  // namespace iosx

#include "moc_project_keeper.cpp"
