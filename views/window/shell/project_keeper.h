#pragma once

#include <QObject>
#include <QString>

#include "core/base/result.h"

class QWidget;

namespace iosx {

struct Actions;
class Autosave;
class Jobs;
class Session;
class Settings;
class Toasts;

// Protects unsaved work: saves the project, asks about unsaved changes, and offers earlier sessions.
class ProjectKeeper final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  ProjectKeeper(Session& session, Jobs& jobs, Settings& settings, const Actions& actions, Toasts& messages,
                QWidget* window);

  // The last session goes into the menu; a crashed one is offered with a question, unless `asks` is false because it
  // was already asked. The autosave must outlive it.
  void keepSessions(Autosave& autosave, bool asks);
  // Returns true once unsaved work is saved or rejected; it may ask.
  bool mayClose();
  bool mayReplace();  // by another project

 private:
  void save();
  void saveAs();
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

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  const Actions& actions_;
  Toasts& messages_;
  QWidget* window_;
  Autosave* autosave_ = nullptr;  // may be null
};

}  // namespace iosx
