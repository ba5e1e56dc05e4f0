#pragma once

#include <cstdint>
#include <vector>

#include "core/model/graph/attributes.h"
#include "core/model/graph/tensor.h"

namespace iosx::simulated {

// All facts about a plan's kernel that determine its loads; the key of remembered loads. It leaves out the names of a
// merged convolution.
struct KernelForm {
  struct Read {
    Shape shape;  // of the channels read
    bool slice = false;
    bool columns = false;   // the slice runs along another axis than the first, so one sample is not dense either
    bool constant = false;  // one for all samples
    bool turned = false;    // the axis before the last one lies together, not the last one
    friend bool operator==(const Read&, const Read&) = default;
  };
  Attributes attributes;
  std::int64_t batch = 1;
  Shape output;
  std::vector<Read> reads;
  bool writes_slice = false;  // of a larger buffer
  bool cold = false;          // its weights come from memory
  Activation before;          // of its first tensor (Kernel::before)
  std::int64_t squeezed = 0;  // channels of squeeze and excitation (Kernel::excitation)
  friend bool operator==(const KernelForm&, const KernelForm&) = default;
};

// Hashes the fields that distinguish most forms, equally on every computer; equality compares all.
std::uint64_t hash_of(const KernelForm& form) noexcept;

// Returns a number for the operator that the kernel computes, whatever is fused into it: a convolution with a residual
// sum and an activation is off as the one without is.
std::uint64_t operator_seed(const KernelForm& form);

}  // namespace iosx::simulated
