#pragma once

#include <cstdint>

namespace iosx {

// Whether a kernel that reads channels of a larger tensor is as fast as on a dense one. Of one sample the channels of
// an NCHW tensor are dense anyway.
enum class FreeSlices { kNever, kOneSample, kAlways };

inline constexpr std::int64_t kMostInputChannelMultiple = 64;

// Says what a device wants of its plans.
struct LowerOptions {
  // A convolution or linear layer takes in the Add of its result to a tensor of the same shape that is there before it
  // starts, and the activation that follows, where they are in one group and nobody else reads what lies between. So
  // it takes a schedule that puts them into one group, or a graph that has them in one unit.
  bool fuse = false;
  // Producers write into the channel slices of a concatenation's buffer (core/model/graph/concat_places.h), and the
  // concatenation copies only what could not be written there.
  bool concat_in_place = false;
  // Then convolutions that could be merged lie side by side (core/model/plan/tensor_places.h).
  FreeSlices free_slices = FreeSlices::kNever;
  // A kernel that reads or writes columns of a larger matrix is as fast as on a dense one: features of linear layers of
  // one input, which then lie side by side, too.
  bool free_columns = false;
  // Feature maps that are inputs of the graph, and that nothing but convolutions without groups reads, get blank
  // channels (Buffer::blank) up to a multiple of this, so that the first convolutions need not make them: an image has
  // 3 channels, tensor cores take 4 or 8 at once. 1: none; at most kMostInputChannelMultiple.
  std::int64_t input_channel_multiple = 1;
  // A network of more weights than this, in elements, finds none of them in the device's cache when it runs again, so
  // its stages are to be timed so, too (ExecutionPlan::cold_weights). 0: the device does not tell.
  std::int64_t cached_weights = 0;

  friend bool operator==(const LowerOptions&, const LowerOptions&) = default;
};

}  // namespace iosx
