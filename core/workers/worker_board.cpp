#include "core/workers/worker_device.h"

#include <utility>

namespace iosx {

WorkerBoard::Place WorkerBoard::add(WorkerDoing doing) {
  const std::scoped_lock lock(mutex_);
  doings_.emplace(++last_, std::move(doing));
  return last_;
}

void WorkerBoard::change(Place place, const std::function<void(WorkerDoing&)>& change) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = doings_.find(place); found != doings_.end()) change(found->second);
}

void WorkerBoard::remove(Place place) {
  const std::scoped_lock lock(mutex_);
  doings_.erase(place);
}

std::vector<WorkerDoing> WorkerBoard::now() const {
  const std::scoped_lock lock(mutex_);
  std::vector<WorkerDoing> all;
  for (const auto& [place, doing] : doings_) all.push_back(doing);
  return all;
}

}  // namespace iosx
