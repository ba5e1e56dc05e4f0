#pragma once

#include <QTest>
#include <QtWidgets>
#include <functional>

#include "tests/support/sanitized.h"

namespace iosx::test {

// Runs the event loop until the condition holds; returns false after the time limit.
inline bool wait_until(const std::function<bool()>& condition, int millis = kSanitized ? 120000 : 20000) {
  return QTest::qWaitFor(condition, millis);
}

}  // namespace iosx::test
