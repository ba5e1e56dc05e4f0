#include "app/gui/run_socket.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLocalSocket>
#include <string>

#include "core/documents/run_file/run_file.h"
#include "views/app_model/session.h"

namespace iosx {

RunSocket::RunSocket(Session& session, const QString& path, QObject* parent)
    : QObject(parent), session_(session), path_(path) {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, &RunSocket::answer);
  QLocalServer::removeServer(path_);  // of a process that was killed
  server_.listen(path_);
  connect(qApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
    if (state == Qt::ApplicationActive) utimensat(AT_FDCWD, QFile::encodeName(path_).constData(), nullptr, 0);
  });
}

QString RunSocket::usualPath() {
  QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
  if (folder.isEmpty()) {
    folder = QStringLiteral("/tmp/ios-explorer-%1").arg(getuid());
    const QByteArray name = QFile::encodeName(folder);
    mkdir(name.constData(), S_IRWXU);
    struct stat found {};
    // Another user may have made it: then no process listens there.
    if (lstat(name.constData(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != getuid()) return {};
  }
  return QStringLiteral("%1/ios-explorer-%2.socket").arg(folder).arg(QCoreApplication::applicationPid());
}

void RunSocket::answer() {
  while (QLocalSocket* const asking = server_.nextPendingConnection()) {
    connect(asking, &QLocalSocket::disconnected, asking, &QObject::deleteLater);
    if (const WorkspaceRun* const shown = session_.shownRun()) {
      const std::string bytes = run_to_bytes(*shown->run);
      asking->write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
    asking->disconnectFromServer();  // when all is written
  }
}

}  // namespace iosx

#include "moc_run_socket.cpp"
