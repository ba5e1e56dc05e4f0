#include "gpu/exec/exec_context.h"

namespace iosx::gpu {

ExecContext::ExecContext(Runtime& device, ConvChooser& conv_chooser, Math conv_math)
    : runtime(device), chooser(conv_chooser), math(conv_math), weights(device) {}

std::byte* ExecContext::arena(std::int64_t bytes) {
  if (arena_ == nullptr || arena_->bytes() < bytes) {
    arena_.reset();  // first, so that both need not fit
    ++arena_number_;
    arena_ = std::make_unique<DeviceMemory>(runtime, bytes);
  }
  return arena_->data();
}

ColdWeights& ExecContext::cold_weights() {
  if (!cold_weights_) cold_weights_.emplace(runtime, data_type(math));
  return *cold_weights_;
}

void ExecContext::clear() {
  arena_.reset();
  cold_weights_.reset();
  ++arena_number_;
  weights.clear();
}

}  // namespace iosx::gpu
