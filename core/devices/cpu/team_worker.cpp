#include "core/devices/cpu/team_worker.h"

#include <utility>

#include "core/devices/cpu/cores.h"

namespace iosx {
namespace {

constexpr auto kNothing = [](int) {};

}  // namespace

std::exception_ptr call_seated(FunctionRef<void(int)> function, int argument, const Seat& seat) noexcept {
  const SeatScope scope(seat);
  try {
    function(argument);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

TeamWorker::TeamWorker(const Watch& watch, int core)
    : task_{kNothing, 0, {}, false}, watch_(watch), thread_([this, core] { work(core); }) {}

TeamWorker::~TeamWorker() {
  post({kNothing, 0, {}, true});
  thread_.join();
}

void TeamWorker::start(FunctionRef<void(int)> function, int argument, const Seat& seat) {
  post({function, argument, seat, false});
}

std::exception_ptr TeamWorker::finish() {
  done_.wait_past(finished_, watch_);
  return error_ == nullptr ? nullptr : std::exchange(error_, nullptr);
}

// The thread has finished its last task and the caller knows it, so no other thread uses task_.
void TeamWorker::post(const Task& task) {
  task_ = task;
  finished_ = done_.count();
  go_.advance();
}

void TeamWorker::work(int core) {
  const CorePin pin(core);
  for (std::uint32_t tasks = 0;; ++tasks) {
    go_.wait_past(tasks & (UINT32_MAX >> 1), watch_);
    if (task_.last) return;
    error_ = call_seated(task_.function, task_.argument, task_.seat);
    done_.advance();
  }
}

}  // namespace iosx
