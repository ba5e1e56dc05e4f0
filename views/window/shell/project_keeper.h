#pragma once

#include <QObject>
#include <QString>

#include "core/base/result.h"
#include "views/window/base/context.h"

namespace iosx {

class Autosave;

// Protects unsaved work: saves the project, asks about unsaved changes, and offers earlier sessions.
class ProjectKeeper final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  explicit ProjectKeeper(const WindowContext& context);

  // The last session goes into the menu; a crashed one is offered with a question, unless `asks` is false because it
  // was already asked. The autosave must outlive it.
  void keepSessions(Autosave& autosave, bool asks);
  // Returns true once unsaved work is saved or rejected; it may ask.
  bool mayClose();
  bool mayReplace();  // by another project

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
