#include "core/devices/simulated/kernel_form.h"

#include <variant>

namespace iosx::simulated {
namespace {

// Mixes what a kernel is made of into one number, the same on every computer: its kind, its batch and its output first.
struct Mixed {
  Mixed(const KernelForm& form, const Attributes& kind) {
    add(static_cast<std::int64_t>(kind.index()));
    add(form.batch);
    add(form.output);
  }
  void add(std::int64_t part) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0xFF51AFD7ED558CCDULL;
    hash ^= hash >> 32;
  }
  void add(const Shape& shape) {
    for (const std::int64_t size : shape.dims()) add(size);
  }
  void add(const Extent& extent) {
    add(extent.height);
    add(extent.width);
  }

  std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
};

}  // namespace

std::uint64_t hash_of(const KernelForm& form) noexcept {
  Mixed mixed(form, form.attributes);
  for (const KernelForm::Read& read : form.reads) mixed.add(read.shape);
  if (const auto* conv = std::get_if<Conv>(&form.attributes)) mixed.add(conv->kernel);  // many differ in it alone
  return mixed.hash;
}

std::uint64_t operator_seed(const KernelForm& form) {
  const bool sum = std::holds_alternative<Activate>(form.attributes) && form.reads.size() > 1;
  Mixed seed(form, sum ? Attributes(Add{}) : form.attributes);
  const auto* conv = std::get_if<Conv>(&form.attributes);
  const bool may_hold_residual = conv != nullptr || std::holds_alternative<Linear>(form.attributes);
  for (std::size_t i = 0; i < form.reads.size() && (i == 0 || !may_hold_residual); ++i) seed.add(form.reads[i].shape);
  if (conv != nullptr) {
    seed.add(conv->kernel);
    seed.add(conv->stride);
    seed.add(conv->dilation);
    seed.add(conv->groups);
  }
  if (const auto* pool = std::get_if<Pool>(&form.attributes)) {
    seed.add(static_cast<std::int64_t>(pool->kind));
    seed.add(pool->kernel);
    seed.add(pool->stride);
  }
  return seed.hash;
}

}  // namespace iosx::simulated
