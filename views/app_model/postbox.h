#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <mutex>

namespace iosx {

// Brings calls of other threads to the thread it lives on, one at a time and in their order, when that thread's event
// loop comes to them. Calls that have not been made when the box is destroyed never are. The box outlives the threads
// that post to it.
//
// A call to QMetaObject::invokeMethod() would do the same, but hands over what the call captured by locks inside of Qt,
// which the thread sanitizer does not see: it would report every call as a race.
class Postbox final : public QObject {
 public:
  Postbox() = default;

  void post(std::function<void()> call);  // by any thread

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex mutex_;
  std::deque<std::function<void()>> calls_;
};

}  // namespace iosx
