#pragma once

#include <cstdint>

namespace iosx {

// Whether reading channels of a larger tensor is as fast as reading a dense one. For one sample the channels of an
// NCHW tensor are dense anyway.
enum class FreeSlices { kNever, kOneSample, kAlways };

inline constexpr std::int64_t kMostInputChannelMultiple = 64;

// A device's requirements for its plans.
struct LowerOptions {
  // Fuses into a convolution or linear layer the Add of its result to an existing tensor of the same shape, and the
  // following activation, where they are in one group and nothing else reads the intermediate values. So the schedule
  // has to put them into one group, or the graph into one unit.
  bool fuse = false;
  // With `fuse`, an Add takes the activation that alone reads its sum, in the same group.
  bool fuse_sums = false;
  // With `fuse`, a convolution takes the rectifier or clip of its input that it alone reads, in the same group, where
  // takes_before() says so (Kernel::before).
  bool fuse_before = false;
  // Attention inside one unit is one kernel (core/model/plan/patterns.h).
  bool fuse_attention = false;
  // Squeeze and excitation is one kernel where it is in one group and one part (core/model/plan/patterns.h).
  bool fuse_excitation = false;
  // Producers write into channel slices of a concatenation's buffer (core/model/graph/concat_places.h), and the
  // concatenation copies only the rest.
  bool concat_in_place = false;
  // Convolutions that could be merged then lie side by side (core/model/plan/tensor_places.h).
  FreeSlices free_slices = FreeSlices::kNever;
  // Reading or writing columns of a larger matrix is as fast as using a dense one: linear layers of one input then have
  // features side by side, too.
  bool free_columns = false;
  // Matrix products read and write tensors of any strides as fast as dense ones. Then a Transpose or Reshape that
  // serves only products has no kernel (core/model/plan/seen_tensors.h).
  bool strided_products = false;
  // Feature maps that are inputs of the graph, read only by convolutions without groups, get blank channels
  // (Buffer::blank) up to a multiple of this, so that the first convolutions need not add them: an image has 3
  // channels, tensor cores take 4 or 8 at once. 1: none; at most kMostInputChannelMultiple.
  std::int64_t input_channel_multiple = 1;
  // A network with more weights than this, in elements, finds none of them in the device's cache when it runs again,
  // so its stages are timed the same way (ExecutionPlan::cold_weights). 0: unknown.
  std::int64_t cached_weights = 0;

  friend bool operator==(const LowerOptions&, const LowerOptions&) = default;
};

}  // namespace iosx
