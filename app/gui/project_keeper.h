#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace iosx {

struct Actions;
class Autosave;
class Jobs;
class Session;
class Settings;
class Toasts;

// Sees to it that nothing is lost: saves the project, asks what shall become of a changed one, and offers what earlier
// sessions left.
class ProjectKeeper final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  ProjectKeeper(Session& session, Jobs& jobs, Settings& settings, const Actions& actions, Toasts& messages,
                QWidget* window);

  // The last session goes into the menu; one that was killed is offered with a question, which `asks` says was not put
  // before. The autosave must outlive it.
  void keepSessions(Autosave& autosave, bool asks);
  bool mayClose();  // what would be lost is saved, or not wanted

 private:
  void askSave();
  void askRecover(const QString& left);

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  const Actions& actions_;
  Toasts& messages_;
  QWidget* window_;
  Autosave* autosave_ = nullptr;  // may be null
};

}  // namespace iosx
