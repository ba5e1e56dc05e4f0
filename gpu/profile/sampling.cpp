#include <utility>

#include "gpu/profile/profiler.h"

namespace iosx::gpu {

Result<Sampler*> Sampling::at(Micros interval) {
  if (sampler_ == nullptr) {
    IOS_TRY(auto opened, profiler_->open_sampler(interval));
    sampler_ = std::move(opened);
  } else if (interval != asked_) {
    if (auto set = sampler_->set_interval(interval); !set) {
      end();
      return tl::unexpected(std::move(set.error()));
    }
  }
  asked_ = interval;
  return sampler_.get();
}

void Sampling::end() {
  sampler_.reset();
  asked_ = Micros{0};
}

}  // namespace iosx::gpu
