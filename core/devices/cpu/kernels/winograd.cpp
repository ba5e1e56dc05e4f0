#include "core/devices/cpu/kernels/winograd.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/vectorised.h"
#include "core/devices/cpu/team.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kTaps = 3;  // of the kernel along an axis

// The products are made for a panel of output channels and some tiles at a time: sums that fill AVX2's registers.
constexpr std::int64_t kPanel = 2 * kLanes;
constexpr std::int64_t kTogether = 6;

// A block's transformed input stays in the second-level cache; with too few tiles in it weights would be read for too
// little.
constexpr std::int64_t kBlockFloats = std::int64_t{128} * 1024;
constexpr std::int64_t kMostTiles = 96;
constexpr std::int64_t kFewestTiles = 12;

// Planes that a power of two lies between would fall onto the same few places of the first-level cache.
constexpr std::int64_t kCacheWay = 1024;
constexpr std::int64_t kCacheLine = 16;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t plane_size(std::int64_t floats) { return ceil_div(floats, kCacheWay) * kCacheWay + kCacheLine; }

IOS_INLINE void load(Lanes& lanes, const float* from) { std::memcpy(&lanes, from, sizeof lanes); }
IOS_INLINE void store(const Lanes& lanes, float* to) { std::memcpy(to, &lanes, sizeof lanes); }

// F(4, 3) with the points 0, ±p, ±q and infinity. With p = 11/16 and q = 3/2 errors are less than half of those with
// the usual 1 and 2, a few millionths of the largest value at most.
struct Transform {
  static constexpr int kTile = 4;           // pixels of the output along an axis
  static constexpr int kPatch = kTile + 2;  // of the input that they see
  static constexpr float kP = 0.6875F;
  static constexpr float kQ = 1.5F;
  static constexpr float kP2 = kP * kP;
  static constexpr float kQ2 = kQ * kQ;

  static IOS_INLINE void input(const Lanes (&in)[kPatch], Lanes (&out)[kPatch]) {
    const Lanes even_p = in[4] - kQ2 * in[2];
    const Lanes odd_p = kP * (in[3] - kQ2 * in[1]);
    const Lanes even_q = in[4] - kP2 * in[2];
    const Lanes odd_q = kQ * (in[3] - kP2 * in[1]);
    out[0] = in[4] - (kP2 + kQ2) * in[2] + kP2 * kQ2 * in[0];
    out[1] = even_p + odd_p;
    out[2] = even_p - odd_p;
    out[3] = even_q + odd_q;
    out[4] = even_q - odd_q;
    out[5] = in[5] - (kP2 + kQ2) * in[3] + kP2 * kQ2 * in[1];
  }
  static IOS_INLINE void output(const Lanes (&in)[kPatch], Lanes (&out)[kTile]) {
    const Lanes sum_p = in[1] + in[2];
    const Lanes sum_q = in[3] + in[4];
    const Lanes difference_p = in[1] - in[2];
    const Lanes difference_q = in[3] - in[4];
    out[0] = in[0] + sum_p + sum_q;
    out[1] = kP * difference_p + kQ * difference_q;
    out[2] = kP2 * sum_p + kQ2 * sum_q;
    out[3] = kP * kP2 * difference_p + kQ * kQ2 * difference_q + in[5];
  }
  // Returns the factors of the taps at a point.
  static std::array<double, kTaps> weights(int point) {
    constexpr double kPScale = 1 / (2.0 * kP2 * (kP2 - kQ2));
    constexpr double kQScale = 1 / (2.0 * kQ2 * (kQ2 - kP2));
    switch (point) {
      case 0: return {1 / (double{kP2} * kQ2), 0, 0};
      case 1: return {kPScale, kPScale * kP, kPScale * kP2};
      case 2: return {kPScale, -kPScale * kP, kPScale * kP2};
      case 3: return {kQScale, kQScale * kQ, kQScale * kQ2};
      case 4: return {kQScale, -kQScale * kQ, kQScale * kQ2};
      default: return {0, 0, 1};
    }
  }
};
constexpr std::int64_t kTile = Transform::kTile;
constexpr std::int64_t kPatch = Transform::kPatch;
constexpr std::int64_t kPoints = kPatch * kPatch;  // products a tile

// Transforms kLanes channels of a patch, whose pixels lie anywhere: columns, then rows.
IOS_INLINE void transform_patch(const float* const* pixels, std::int64_t channel, float* out, std::int64_t plane) {
  Lanes columns[kPatch][kPatch];
  for (int x = 0; x < kPatch; ++x) {
    Lanes in[kPatch];
    for (int y = 0; y < kPatch; ++y) load(in[y], pixels[y * kPatch + x] + channel);
    Transform::input(in, columns[x]);
  }
  for (int y = 0; y < kPatch; ++y) {
    Lanes in[kPatch];
    Lanes row[kPatch];
    for (int x = 0; x < kPatch; ++x) in[x] = columns[x][y];
    Transform::input(in, row);
    for (int x = 0; x < kPatch; ++x) store(row[x], out + (y * kPatch + x) * plane);
  }
}

// Transforms all channels. The last lanes are filled up with zeros.
IOS_VECTORISED void transform_input(const float* const* pixels, std::int64_t channels, float* out, std::int64_t plane) {
  std::int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes) transform_patch(pixels, c, out + c, plane);
  if (c == channels) return;
  float last[kPoints][kLanes] = {};
  const float* places[kPoints];
  for (int i = 0; i < kPoints; ++i) {
    std::copy(pixels[i] + c, pixels[i] + channels, last[i]);
    places[i] = last[i];
  }
  transform_patch(places, 0, out + c, plane);
}

// Multiplies kRows rows of a, `pitch` apart, with a panel of b.
template <int kRows>
IOS_INLINE void multiply_rows(const float* a, std::int64_t pitch, const float* b, std::int64_t depth, float* out) {
  Lanes sums[kRows][2] = {};
  for (std::int64_t k = 0; k < depth; ++k) {
    Lanes left;
    Lanes right;
    load(left, b + k * kPanel);
    load(right, b + k * kPanel + kLanes);
    for (int r = 0; r < kRows; ++r) {
      const float factor = a[r * pitch + k];
      sums[r][0] += factor * left;
      sums[r][1] += factor * right;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    store(sums[r][0], out + r * kPanel);
    store(sums[r][1], out + r * kPanel + kLanes);
  }
}

// Multiplies all rows of a, in as few strips as there can be, and as even.
IOS_VECTORISED void multiply(const float* a, std::int64_t pitch, std::int64_t rows, const float* b, std::int64_t depth,
                             float* out) {
  const std::int64_t strips = ceil_div(rows, kTogether);
  for (std::int64_t strip = 0; strip < strips; ++strip) {
    const std::int64_t row = rows * strip / strips;
    const float* const from = a + row * pitch;
    float* const to = out + row * kPanel;
    switch (rows * (strip + 1) / strips - row) {
      case 6: multiply_rows<6>(from, pitch, b, depth, to); break;
      case 5: multiply_rows<5>(from, pitch, b, depth, to); break;
      case 4: multiply_rows<4>(from, pitch, b, depth, to); break;
      case 3: multiply_rows<3>(from, pitch, b, depth, to); break;
      case 2: multiply_rows<2>(from, pitch, b, depth, to); break;
      default: multiply_rows<1>(from, pitch, b, depth, to); break;
    }
  }
}

// Products of `tiles` tiles and a panel become pixels: those of the plane y * kTile + x are the tiles' at (y, x).
IOS_VECTORISED void transform_output(float* products, std::int64_t plane, std::int64_t tiles, const float* bias) {
  for (std::int64_t i = 0; i < tiles * kPanel; i += kLanes) {
    float* const at = products + i;
    Lanes shift;
    load(shift, bias + i % kPanel);
    Lanes columns[kPatch][kTile];
    for (int x = 0; x < kPatch; ++x) {
      Lanes in[kPatch];
      for (int y = 0; y < kPatch; ++y) load(in[y], at + (y * kPatch + x) * plane);
      Transform::output(in, columns[x]);
    }
    for (int y = 0; y < kTile; ++y) {
      Lanes in[kPatch];
      Lanes row[kTile];
      for (int x = 0; x < kPatch; ++x) in[x] = columns[x][y];
      Transform::output(in, row);
      for (int x = 0; x < kTile; ++x) store(row[x] + shift, at + (y * kTile + x) * plane);
    }
  }
}

std::int64_t most_tiles(std::int64_t in_channels) {
  const std::int64_t tiles = kBlockFloats / (kPoints * std::max<std::int64_t>(in_channels, 1));
  return std::clamp(tiles / kTogether * kTogether, kFewestTiles, kMostTiles);
}

// Returns the channels of transformed patches, filled up to whole lanes.
std::int64_t pitch_of(std::int64_t in_channels) { return ceil_div(in_channels, kLanes) * kLanes; }

// Divides a thread's share of the scratch memory.
struct Share {
  float* input;     // kPoints planes of transformed patches
  float* products;  // kPoints planes of a panel
  float* zeros;     // a pixel in the padding

  static std::int64_t size(std::int64_t in_channels) {
    const std::int64_t tiles = most_tiles(in_channels);
    const std::int64_t pitch = pitch_of(in_channels);
    return kPoints * (plane_size(tiles * pitch) + plane_size(tiles * kPanel)) +
           ceil_div(pitch, kCacheLine) * kCacheLine;
  }
};

struct Convolution {
  TensorRef in;
  TensorRef out;
  std::optional<TensorRef> residual;
  WinogradConv conv;
  std::int64_t down = 0;    // tiles
  std::int64_t across = 0;  // tiles

  std::int64_t in_channels() const { return in.dims[1]; }
  std::int64_t out_channels() const { return out.dims[1]; }
  std::int64_t panels() const { return ceil_div(out_channels(), kPanel); }
  std::int64_t tiles() const { return out.dims[0] * down * across; }
  std::int64_t input_plane() const { return plane_size(most_tiles(in_channels()) * pitch_of(in_channels())); }
  std::int64_t product_plane() const { return plane_size(most_tiles(in_channels()) * kPanel); }

  static float* pixel(const TensorRef& tensor, std::int64_t n, std::int64_t y, std::int64_t x) {
    return static_cast<float*>(tensor.data) + n * tensor.strides[0] + y * tensor.strides[2] + x * tensor.strides[3];
  }

  void transform_tile(std::int64_t tile, const float* zeros, float* to) const {
    const std::int64_t n = tile / (down * across);
    const std::int64_t top = tile / across % down * kTile - conv.padding.height;
    const std::int64_t left = tile % across * kTile - conv.padding.width;
    const float* pixels[kPoints];
    for (std::int64_t i = 0; i < kPoints; ++i) {
      const std::int64_t y = top + i / kPatch;
      const std::int64_t x = left + i % kPatch;
      const bool inside = y >= 0 && y < in.dims[2] && x >= 0 && x < in.dims[3];
      pixels[i] = inside ? pixel(in, n, y, x) : zeros;
    }
    transform_input(pixels, in_channels(), to, input_plane());
  }

  // Calls each(pixel of the tensor, its place in the products) for the pixels of `tiles` tiles inside the output.
  template <typename Each>
  void for_each_pixel(const TensorRef& tensor, std::int64_t first, std::int64_t count, const Each& each) const {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t n = (first + i) / (down * across);
      const std::int64_t top = (first + i) / across % down * kTile;
      const std::int64_t left = (first + i) % across * kTile;
      for (std::int64_t y = 0; y < std::min(kTile, out.dims[2] - top); ++y) {
        for (std::int64_t x = 0; x < std::min(kTile, out.dims[3] - left); ++x) {
          each(pixel(tensor, n, top + y, left + x), (y * kTile + x) * product_plane() + i * kPanel);
        }
      }
    }
  }

  // Computes the output of one panel's channels for `count` tiles whose patches are transformed.
  void panel(std::int64_t index, std::int64_t first, std::int64_t count, const Share& share) const {
    const std::int64_t channel = index * kPanel;
    const std::int64_t width = std::min(kPanel, out_channels() - channel);
    const std::int64_t plane = product_plane();
    const float* const weights = conv.weights + index * kPoints * in_channels() * kPanel;
    for (std::int64_t point = 0; point < kPoints; ++point) {
      multiply(share.input + point * input_plane(), pitch_of(in_channels()), count,
               weights + point * in_channels() * kPanel, in_channels(), share.products + point * plane);
    }
    float bias[kPanel] = {};
    std::copy_n(conv.bias + channel, width, bias);
    transform_output(share.products, plane, count, bias);
    if (residual) {
      for_each_pixel(*residual, first, count, [&](const float* from, std::int64_t at) {
        for (std::int64_t c = 0; c < width; ++c) share.products[at + c] += from[channel + c];
      });
    }
    if (conv.activation.kind != ActivationKind::kIdentity) {
      for (std::int64_t i = 0; i < kTile * kTile; ++i) {
        float* const row = share.products + i * plane;
        activate_row(conv.activation, row, row, count * kPanel);
      }
    }
    for_each_pixel(out, first, count,
                   [&](float* to, std::int64_t at) { std::copy_n(share.products + at, width, to + channel); });
  }

  // Blocks of tiles, as many for each thread; where there are too few tiles for that, threads share a block's panels
  // and each transforms its patches for itself.
  void run(float* scratch) const {
    const std::int64_t work = tiles() * kPoints * in_channels() * out_channels();
    const int threads = threads_for(work);
    const std::int64_t fewest_blocks = ceil_div(tiles(), most_tiles(in_channels()));
    const std::int64_t even = ceil_div(fewest_blocks, threads) * threads;
    const std::int64_t blocks = std::clamp(tiles() / kFewestTiles, fewest_blocks, even);
    const std::int64_t groups = std::min(panels(), ceil_div(threads, blocks));
    split(blocks * groups, work, [&](std::int64_t begin, std::int64_t end) {
      float* const mine = scratch + Team::seat().index * Share::size(in_channels());
      const Share share{.input = mine,
                        .products = mine + kPoints * input_plane(),
                        .zeros = mine + kPoints * (input_plane() + product_plane())};
      std::fill_n(share.zeros, in_channels(), 0.0F);
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = tiles() * (i / groups) / blocks;
        const std::int64_t count = tiles() * (i / groups + 1) / blocks - first;
        if (i == begin || i % groups == 0) {  // another block than before
          for (std::int64_t t = 0; t < count; ++t) {
            transform_tile(first + t, share.zeros, share.input + t * pitch_of(in_channels()));
          }
        }
        for (std::int64_t p = panels() * (i % groups) / groups; p < panels() * (i % groups + 1) / groups; ++p) {
          panel(p, first, count, share);
        }
      }
    });
  }
};

}  // namespace

bool winograd_fits(const Conv& conv) {
  const Extent one{1, 1};
  return conv.kernel == Extent{3, 3} && conv.stride == one && conv.dilation == one && conv.groups == 1;
}

bool winograd_fits(const TensorRef& tensor) {
  return tensor.rank == 4 && tensor.type == DataType::kFloat32 && (tensor.strides[1] == 1 || tensor.dims[1] == 1);
}

std::int64_t winograd_weight_count(std::int64_t out_channels, std::int64_t in_channels) {
  return ceil_div(out_channels, kPanel) * kPanel * kPoints * in_channels;
}

std::vector<float> winograd_weights(std::span<const float> weights, std::int64_t out_channels,
                                    std::int64_t in_channels) {
  std::array<std::array<double, kTaps>, kPatch> points{};
  for (int i = 0; i < kPatch; ++i) points[static_cast<std::size_t>(i)] = Transform::weights(i);
  std::vector<float> transformed(static_cast<std::size_t>(winograd_weight_count(out_channels, in_channels)));
  for (std::int64_t o = 0; o < out_channels; ++o) {
    for (std::int64_t c = 0; c < in_channels; ++c) {
      const float* const taps = weights.data() + (o * in_channels + c) * kTaps * kTaps;
      for (std::int64_t point = 0; point < kPoints; ++point) {
        double sum = 0;
        for (std::int64_t t = 0; t < kTaps * kTaps; ++t) {
          sum += points[point / kPatch][t / 3] * points[point % kPatch][t % 3] * static_cast<double>(taps[t]);
        }
        const std::int64_t at = ((o / kPanel * kPoints + point) * in_channels + c) * kPanel + o % kPanel;
        transformed[static_cast<std::size_t>(at)] = static_cast<float>(sum);
      }
    }
  }
  return transformed;
}

std::int64_t winograd_scratch(std::int64_t in_channels, int threads) { return Share::size(in_channels) * threads; }

void winograd(const TensorRef& in, const WinogradConv& conv, const std::optional<TensorRef>& residual,
              const TensorRef& out, float* scratch) {
  IOS_CHECK(winograd_fits(in) && winograd_fits(out) && in.dims[0] == out.dims[0]);
  IOS_CHECK(!residual || (winograd_fits(*residual) && residual->dims == out.dims));
  const Convolution work{.in = in,
                         .out = out,
                         .residual = residual,
                         .conv = conv,
                         .down = ceil_div(out.dims[2], kTile),
                         .across = ceil_div(out.dims[3], kTile)};
  work.run(scratch);
}

}  // namespace iosx::cpu
