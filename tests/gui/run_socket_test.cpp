#include "app/gui/run_socket.h"

#include <sys/stat.h>

#include <QFile>
#include <QLocalSocket>

#include "core/documents/run_file/run_file.h"
#include "tests/gui/window_fixture.h"

namespace iosx {
namespace {

class RunSocketTest : public test::WindowTest {
 protected:
  // Returns what the socket answers until it closes.
  static QByteArray ask(const QString& path) {
    QLocalSocket socket;
    QByteArray answer;
    socket.connectToServer(path, QIODevice::ReadOnly);
    EXPECT_TRUE(QTest::qWaitFor([&] {
      answer += socket.readAll();
      return socket.state() == QLocalSocket::UnconnectedState;
    }));
    return answer + socket.readAll();
  }
};

TEST_F(RunSocketTest, HandsOverTheRunThatIsShown) {
  const QString place = path("window.socket");
  const RunSocket socket(*session_, place);
  ASSERT_TRUE(socket.isListening());
  EXPECT_EQ(ask(place), QByteArray());  // nothing is shown yet

  open(QStringLiteral("sample"));
  jobs_->optimize();
  idle();
  const auto run = run_from_bytes(ask(place).toStdString(), "socket");
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(run->comparison.graph->name(), "sample");
  EXPECT_EQ(run->comparison.results.size(), session_->comparison()->results.size());
}

TEST_F(RunSocketTest, IsForThisUserAlone) {
  const QString place = path("window.socket");
  const RunSocket socket(*session_, place);
  struct stat found {};
  ASSERT_EQ(stat(QFile::encodeName(place).constData(), &found), 0);
  EXPECT_EQ(found.st_mode & (S_IRWXG | S_IRWXO), 0U);
}

TEST_F(RunSocketTest, GoesWithItsWindowAndTakesThePlaceOfOneThatWasKilled) {
  const QString place = path("window.socket");
  { const RunSocket socket(*session_, place); }
  EXPECT_FALSE(QFile::exists(place));
  QFile left(place);
  ASSERT_TRUE(left.open(QIODevice::WriteOnly));
  left.close();
  const RunSocket socket(*session_, place);
  EXPECT_TRUE(socket.isListening());
}

TEST_F(RunSocketTest, DoesWithoutAPlace) {
  const RunSocket socket(*session_, path("no/such/folder/window.socket"));
  EXPECT_FALSE(socket.isListening());
}

}  // namespace
}  // namespace iosx
