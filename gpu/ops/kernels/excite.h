#pragma once

#include <algorithm>

#include "gpu/ops/kernels/activate.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Every block of a sample computes the whole squeezed layer, then the gates of its own channels and their products with
// some pixels of the feature map. So no block waits for another one, at the price of reading the first layer's weights
// in each: a sample of a large batch has fewer blocks.
template <class T, int kWidth>
struct ExciteBlocks {
  static constexpr int kThreads = 256;
  static constexpr int kPhases = 6;
  static constexpr int kLanes = 16;  // threads that share a sum

  const float* sums;  // channels of the first part, sample by sample
  std::int64_t parts;
  std::int64_t part_stride;
  float factor;  // of a sum, for the mean
  const T* squeeze;
  const float* squeeze_bias;
  const T* excite;
  const float* excite_bias;
  int channels;
  int squeezed;
  int block_channels;  // of a block, the last of which may have fewer
  int channel_blocks;
  std::int64_t pixel_blocks;
  Activate inner;
  Activate gate;
  int width;  // of the feature map
  std::int64_t pixels;
  const T* in;
  std::int64_t in_strides[4];
  T* out;
  std::int64_t out_strides[4];

  IOS_HD int shared_floats() const { return channels + larger() * kLanes + squeezed + block_channels; }

  // Runs one thread between two barriers.
  IOS_HD void operator()(int phase, std::int64_t block, int thread, float* shared) const {
    float* const means = shared;
    float* const partial = means + channels;
    float* const hidden = partial + larger() * kLanes;
    float* const gates = hidden + squeezed;
    const std::int64_t sample = block / (channel_blocks * pixel_blocks);
    const int first = static_cast<int>(block % channel_blocks) * block_channels;
    const int own = first + block_channels < channels ? block_channels : channels - first;
    switch (phase) {
      case 0:
        for (int c = thread; c < channels; c += kThreads) {
          float sum = 0;
          for (std::int64_t part = 0; part < parts; ++part) sum += sums[part * part_stride + sample * channels + c];
          means[c] = sum * factor;
        }
        break;
      case 1: add_products(squeeze, channels, means, squeezed, thread, partial); break;
      case 2: finish(partial, squeeze_bias, inner, squeezed, thread, hidden); break;
      case 3:
        add_products(excite + static_cast<std::int64_t>(first) * squeezed, squeezed, hidden, own, thread, partial);
        break;
      case 4: finish(partial, excite_bias + first, gate, own, thread, gates); break;
      default: multiply(sample, block / channel_blocks % pixel_blocks, first, own, thread, gates);
    }
  }

 private:
  IOS_HD int larger() const { return squeezed < block_channels ? block_channels : squeezed; }

  // Adds products of `rows` rows of weights with a vector, every kLanes-th of a row for each lane.
  IOS_HD static void add_products(const T* weights, int length, const float* vector, int rows, int thread,
                                  float* partial) {
    const int lane = thread % kLanes;
    for (int row = thread / kLanes; row < rows; row += kThreads / kLanes) {
      const T* const from = weights + static_cast<std::int64_t>(row) * length;
      float sum = 0;
      IOS_UNROLL_BY(4)
      for (int i = lane; i < length; i += kLanes) sum += to_float(from[i]) * vector[i];
      partial[row * kLanes + lane] = sum;
    }
  }
  IOS_HD static void finish(const float* partial, const float* bias, const Activate& activate, int rows, int thread,
                            float* to) {
    for (int row = thread; row < rows; row += kThreads) {
      float sum[1] = {bias[row]};
      IOS_UNROLL
      for (int lane = 0; lane < kLanes; ++lane) sum[0] += partial[row * kLanes + lane];
      activate(sum);
      to[row] = sum[0];
    }
  }
  // The threads of all blocks that share channels take turns.
  IOS_HD void multiply(std::int64_t sample, std::int64_t part, int first, int own, int thread,
                       const float* gates) const {
    const int vectors = own / kWidth;  // of a pixel
    IOS_UNROLL_BY(4)
    for (std::int64_t i = part * kThreads + thread; i < pixels * vectors; i += pixel_blocks * kThreads) {
      const std::int64_t pixel = i / vectors;
      const int c = static_cast<int>(i - pixel * vectors) * kWidth;
      const std::int64_t row = pixel / width;
      const std::int64_t column = pixel - row * width;
      const auto place = [&](const std::int64_t(&strides)[4]) {
        return sample * strides[0] + (first + c) * strides[1] + row * strides[2] + column * strides[3];
      };
      float x[kWidth];
      read<T, kWidth>(in + place(in_strides), x);
      IOS_UNROLL
      for (int k = 0; k < kWidth; ++k) x[k] *= gates[c + k];
      write<T, kWidth>(x, out + place(out_strides));
    }
  }
};

template <class Executor>
void dispatch(const ExciteCall& call, const Executor& executor) {
  constexpr std::int64_t kMostBlocks = 32;        // of a sample
  constexpr std::int64_t kMostLightBlocks = 128;  // where a block reads few weights
  constexpr std::int64_t kFewWeights = 4096;
  constexpr std::int64_t kFullBatch = 8;  // samples; more of them share as many blocks
  constexpr std::int64_t kMostOwn = 256;  // channels of a block: its sums fit into 16 KB
  constexpr std::int64_t kTogether = 8;   // channels: 32 bytes of float32, which memory moves at once
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  IOS_CHECK(in.rank == 4 && out.rank == 4 && in.dims == out.dims && in.type == out.type);
  if (out.elements() == 0) return;
  const std::int64_t channels = in.dims[1];
  const bool light = channels * call.squeezed <= kFewWeights;
  const std::int64_t crowd = std::max(in.dims[0], kFullBatch);
  const std::int64_t most = std::max<std::int64_t>((light ? kMostLightBlocks : kMostBlocks) * kFullBatch / crowd, 1);
  const std::int64_t groups = std::min(most, kMostBlocks);
  const std::int64_t each = std::min((channels + groups - 1) / groups, kMostOwn);
  const std::int64_t block_channels = (each + kTogether - 1) / kTogether * kTogether;
  const std::int64_t blocks = (channels + block_channels - 1) / block_channels;
  const std::int64_t pixels = in.dims[2] * in.dims[3];
  const std::int64_t pixel_blocks = std::clamp<std::int64_t>(most / blocks, 1, (pixels + kTogether - 1) / kTogether);
  const auto fit = [&](int w) { return kTogether % w == 0 && fits_along(1, {&in, &out}, w); };
  choose_full_vectors(out.type, executor.choice, fit, [&]<class T, int kWidth>() {
    ExciteBlocks<T, kWidth> functor{.sums = static_cast<const float*>(call.sums.data),
                                    .parts = call.parts,
                                    .part_stride = in.dims[0] * channels,
                                    .factor = 1.0F / static_cast<float>(pixels),
                                    .squeeze = static_cast<const T*>(call.squeeze),
                                    .squeeze_bias = call.squeeze_bias,
                                    .excite = static_cast<const T*>(call.excite),
                                    .excite_bias = call.excite_bias,
                                    .channels = static_cast<int>(channels),
                                    .squeezed = static_cast<int>(call.squeezed),
                                    .block_channels = static_cast<int>(block_channels),
                                    .channel_blocks = static_cast<int>(blocks),
                                    .pixel_blocks = pixel_blocks,
                                    .inner = Activate(call.inner),
                                    .gate = Activate(call.gate),
                                    .width = static_cast<int>(in.dims[3]),
                                    .pixels = pixels,
                                    .in = static_cast<const T*>(in.data),
                                    .in_strides = {},
                                    .out = static_cast<T*>(out.data),
                                    .out_strides = {}};
    std::copy_n(in.strides.begin(), 4, functor.in_strides);
    std::copy_n(out.strides.begin(), 4, functor.out_strides);
    executor.phases(functor, in.dims[0] * blocks * pixel_blocks);
  });
}

}  // namespace iosx::gpu::kernels
