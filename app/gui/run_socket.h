#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace iosx {

class Session;

// Hands the run that the window shows to whoever of this user connects to a socket in the file system: Python's
// iosx.attach(). The answer is the bytes of a run file, and nothing where no run is shown; the connection is then
// closed. Nobody is listened to, and no network is used. Of several windows, the socket of the one that was used last
// has the youngest time.
class RunSocket final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(RunSocket)

 public:
  // Listens at `path`, which it replaces; where that cannot be, nobody can connect, and isListening() says so. The
  // session must outlive the object.
  RunSocket(Session& session, const QString& path, QObject* parent = nullptr);

  // Returns the place for this process, in a folder of this user alone, which is made: where Python looks.
  static QString usualPath();

  bool isListening() const { return server_.isListening(); }

 private:
  void answer();

  Session& session_;
  QString path_;
  QLocalServer server_;
};

}  // namespace iosx
