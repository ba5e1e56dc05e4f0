#include "app/gui/project_keeper.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/actions.h"
#include "app/gui/autosave.h"
#include "app/gui/settings.h"
#include "app/gui/toasts.h"
#include "core/workspace/project_file.h"
#include "views/bridge/jobs.h"
#include "views/bridge/session.h"
#include "views/text/qstring.h"

namespace iosx {

ProjectKeeper::ProjectKeeper(Session& session, Jobs& jobs, Settings& settings, const Actions& actions, Toasts& messages,
                             QWidget* window)
    : QObject(window),
      session_(session),
      jobs_(jobs),
      settings_(settings),
      actions_(actions),
      messages_(messages),
      window_(window) {
  connect(actions.save_project, &QAction::triggered, this, &ProjectKeeper::askSave);
  connect(&jobs, &Jobs::projectSaved, this,
          [this](const QString& path) { messages_.showNote(tr("Saved %1").arg(path)); });
}

void ProjectKeeper::askSave() {
  QString path = session_.projectPath();
  if (path.isEmpty()) {
    const QString start = QDir(settings_.folder()).filePath(tr("project.iosproj"));
    path = QFileDialog::getSaveFileName(window_, tr("Save the project"), start, tr("Projects (*.iosproj)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".iosproj");
    settings_.setFolderOf(path);
  }
  jobs_.saveProject(path);
}

void ProjectKeeper::keepSessions(Autosave& autosave, bool asks) {
  autosave_ = &autosave;
  Actions::enable(actions_.last_session, autosave.lastSession().isEmpty() ? tr("No session was kept yet") : QString());
  connect(actions_.last_session, &QAction::triggered, this, [this] {
    if (mayClose()) jobs_.restore(autosave_->lastSession());
  });
  connect(&autosave, &Autosave::failed, this, [this](const Error& error) {
    messages_.showNote(tr("What is open cannot be kept for the case of a crash: %1").arg(shown_name(error.text())));
  });
  if (!asks) return;
  if (const auto left = autosave.leftBehind()) askRecover(*left);
}

void ProjectKeeper::askRecover(const QString& left) {
  const QString when = QLocale().toString(QFileInfo(left).lastModified(), QLocale::ShortFormat);
  auto* box = new QMessageBox(QMessageBox::Question, tr("IOS Explorer"),
                              tr("IOS Explorer ended unexpectedly. What was open until %1 was kept.").arg(when),
                              QMessageBox::NoButton, window_);
  box->setObjectName(QStringLiteral("recover"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  const QPushButton* open = box->addButton(tr("Open it"), QMessageBox::AcceptRole);
  const QPushButton* discard = box->addButton(tr("Discard it"), QMessageBox::DestructiveRole);
  box->addButton(tr("Later"), QMessageBox::RejectRole);
  connect(open, &QPushButton::clicked, this, [this, left] {
    autosave_->replace(left);
    jobs_.restore(left);
  });
  connect(discard, &QPushButton::clicked, this, [this, left] { autosave_->discard(left); });
  box->open();
}

bool ProjectKeeper::mayClose() {
  // Without a project file everything is kept as the last session.
  if (session_.projectPath().isEmpty() || !session_.modified()) return true;
  const auto answer = QMessageBox::question(
      window_, tr("IOS Explorer"), tr("%1 was changed.").arg(QFileInfo(session_.projectPath()).fileName()),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
  const auto saved = save_project(session_.workspace(), session_.projectPath().toStdString());
  if (!saved) messages_.showError(shown_name(saved.error().text()));
  return saved.has_value();
}

}  // namespace iosx
