#include "app/gui/display.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QString>
#include <QtGlobal>
#include <cstdio>
#include <cstdlib>

#include "core/base/memory_limit.h"

namespace iosx {
namespace {

constexpr int kNoDisplay = 1;  // exit code

bool is_set(const char* variable) { return !qEnvironmentVariableIsEmpty(variable); }

QString display_name() {
  for (const char* variable : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
    if (is_set(variable))
      return QStringLiteral("%1=%2").arg(QString::fromLatin1(variable), qEnvironmentVariable(variable));
  }
  return QStringLiteral("DISPLAY");
}

void say_in_window(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  const bool starting = QCoreApplication::instance() == nullptr || QCoreApplication::startingUp();
  if (type == QtFatalMsg && starting) {
    const Error error{iosx::message("the display cannot be used"), display_name().toStdString(),
                      iosx::message("log in to a desktop, or make a report: ios-explorer --report DIR GRAPH")};
    std::fprintf(stderr, "ios-explorer: %s\n", error.text().c_str());
    std::_Exit(kNoDisplay);
  }
  const bool platform = QByteArray(context.category).startsWith("qt.qpa");
  if (type != QtFatalMsg && starting && platform) return;              // the fatal message that follows says it all
  if (message.startsWith(QStringLiteral("QStandardPaths: "))) return;  // where Qt puts what we do not use
  std::fprintf(stderr, "%s\n", qPrintable(message));
  if (type == QtFatalMsg) std::abort();
}

void say_in_report(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (message.contains(QStringLiteral("Thread creation error"))) end_where_threads_are_out("ios-explorer");
  say_in_window(type, context, message);
}

}  // namespace

Result<void> choose_platform(bool report) {
  if (is_set("QT_QPA_PLATFORM")) return {};
  if (report) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return {};
  }
  if (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) return {};
  return fail(message("there is no display"), "DISPLAY",
              message("log in to a desktop, or make a report: ios-explorer --report DIR GRAPH"));
}

void say_qt_messages_plainly(bool report) { qInstallMessageHandler(report ? say_in_report : say_in_window); }

}  // namespace iosx
