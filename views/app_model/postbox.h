#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <mutex>

namespace iosx {

// Delivers calls of other threads on its own thread, one at a time and in order, from that thread's event loop.
// Destroying the box drops pending calls. The box outlives the threads that post to it.
//
// QMetaObject::invokeMethod() would do the same, but passes captured values by locks inside Qt, which the thread
// sanitizer does not see: it would report every call as a race.
class Postbox final : public QObject {
 public:
  Postbox() = default;

  void post(std::function<void()> call);  // from any thread

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex mutex_;
  std::deque<std::function<void()>> calls_;
};

}  // namespace iosx
