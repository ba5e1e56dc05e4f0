#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace iosx {

class Session;

// Sends the run shown in the window to this user's clients of a socket in the file system: Python's iosx.attach().
// The reply is the bytes of a run file, or nothing without a shown run; the connection is then closed. It reads
// nothing from clients and uses no network. Of several windows, the socket of the last used one has the latest time.
class RunSocket final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(RunSocket)

 public:
  // Listens at `path`, which it replaces; where that fails, isListening() is false. The session must outlive the
  // object.
  RunSocket(Session& session, const QString& path, QObject* parent = nullptr);

  // Returns the path for this process, where Python looks for it, in a folder of this user alone, which is made.
  static QString usualPath();

  bool isListening() const { return server_.isListening(); }

 private:
  void answer();

  Session& session_;
  QString path_;
  QLocalServer server_;
};

}  // namespace iosx
