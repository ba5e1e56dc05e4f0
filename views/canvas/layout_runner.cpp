#include "views/canvas/graph_view.h"
#include "views/canvas/weave/weave.h"

#include <utility>

namespace iosx::canvas {

LayoutRunner::LayoutRunner(QObject* parent) : QObject(parent) {
  thread_ = std::jthread([this](const std::stop_token& quit) { work(quit); });
}

LayoutRunner::~LayoutRunner() {
  cancel();
  thread_.request_stop();
  thread_.join();
}

void LayoutRunner::start(LayoutRequest request) {
  cancel();
  job_stop_ = std::stop_source();
  busy_ = true;
  {
    const std::lock_guard lock(mutex_);
    next_ = Job{std::move(request), current_, job_stop_.get_token()};
  }
  wake_.notify_one();
}

void LayoutRunner::cancel() {
  ++current_;
  busy_ = false;
  job_stop_.request_stop();
  const std::lock_guard lock(mutex_);
  next_.reset();
}

void LayoutRunner::work(const std::stop_token& quit) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, quit, [this] { return next_.has_value(); })) return;
    const Job job = std::move(*next_);
    next_.reset();
    lock.unlock();
    Layout layout = weave_graph(job.request, job.stop);
    if (!job.stop.stop_requested()) deliver(job.id, std::move(layout));
  }
}

void LayoutRunner::deliver(std::uint64_t id, Layout layout) {
  auto drawing = make_drawing(std::move(layout));
  // The destructor joins this thread, and a call queued for a destroyed object is dropped: `this` stays valid.
  QMetaObject::invokeMethod(
      this,
      [this, id, drawing = std::move(drawing)] {
        if (id != current_) return;
        busy_ = false;
        emit ready(drawing);
      },
      Qt::QueuedConnection);
}

}  // namespace iosx::canvas
