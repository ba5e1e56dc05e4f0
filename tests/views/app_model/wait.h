#pragma once

#include <QtCore>
#include <QtTest>
#include <functional>

#include "tests/support/sanitized.h"
#include "views/app_model/session.h"

namespace iosx::test {

// Runs the event loop until the condition holds; returns false after the time limit.
inline bool wait_until(const std::function<bool()>& condition, int millis = kSanitized ? 120000 : 20000) {
  return QTest::qWaitFor(condition, millis);
}

// Changes a session's settings.
template <typename Change>
void set(Session& session, Change change) {
  RunSettings settings = session.settings();
  change(settings);
  session.setSettings(std::move(settings));
}

}  // namespace iosx::test
