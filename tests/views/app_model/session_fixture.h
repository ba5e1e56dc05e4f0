#pragma once

#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/wait.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"

namespace iosx::test {

// A session with its jobs, as the program composes them.
struct SessionWithJobs {
  SessionWithJobs(const DeviceRegistry& devices, Jobs::Opener opener)
      : session(devices), jobs(session, std::move(opener)) {}
  Session session;
  Jobs jobs;
};

// Returns small graphs by name; an error for other names.
Result<Document> open_test_graph(const std::string& source, const InputSizes& sizes);

// On the fake devices.
class SessionFixture : public testing::Test {
 protected:
  std::unique_ptr<SessionWithJobs> make() { return std::make_unique<SessionWithJobs>(registry_, open_test_graph); }

  static bool idle(SessionWithJobs& made) {
    return wait_until([&] { return !made.jobs.busy(); });
  }
  static bool open(SessionWithJobs& made, const char* source) {
    made.jobs.open(QString::fromLatin1(source));
    return idle(made);
  }

  // With this graph open, and what that begins at its end.
  std::unique_ptr<SessionWithJobs> opened(const char* source) {
    auto made = make();
    EXPECT_TRUE(open(*made, source));
    return made;
  }
  static bool optimize(SessionWithJobs& made) {
    made.jobs.optimize();
    return idle(made);
  }

  std::shared_ptr<ScriptedBehaviour> behaviour_ = std::make_shared<ScriptedBehaviour>();
  DeviceRegistry registry_ = scripted_registry(behaviour_);
};

}  // namespace iosx::test
