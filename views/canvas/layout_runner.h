#pragma once

#include <QObject>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "views/canvas/layout/layout.h"
#include "views/canvas/paint/scene.h"

namespace iosx::canvas {

// Lays out graphs on its own thread, one at a time. A new request stops the previous one, whose results are then never
// delivered. Call public functions on the GUI thread. The destructor waits for at most one frame's layout.
class LayoutRunner final : public QObject {
  Q_OBJECT

 public:
  explicit LayoutRunner(QObject* parent = nullptr);
  ~LayoutRunner() override;

  void start(LayoutRequest request);
  void cancel();
  bool busy() const { return busy_; }

 signals:
  void ready(std::shared_ptr<const iosx::canvas::Drawing> drawing);

 private:
  struct Job {
    LayoutRequest request;
    std::uint64_t id = 0;
    std::stop_token stop;
  };
  void work(const std::stop_token& quit);
  void deliver(std::uint64_t id, Layout layout);  // worker thread

  bool busy_ = false;          // GUI thread
  std::uint64_t current_ = 0;  // id of the current job; GUI thread
  std::stop_source job_stop_;  // GUI thread
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Job> next_;  // guarded by mutex_
  std::jthread thread_;      // last member: stops before the others are destroyed
};

}  // namespace iosx::canvas
