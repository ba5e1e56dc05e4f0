#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/check.h"
#include "core/model/graph/operator_table.h"
#include "tests/support/element_functions.h"

namespace iosx::test {
namespace {

double larger(double a, double b) { return a < b || std::isnan(b) ? b : a; }

using Numbers = std::vector<double>;
using Index = std::array<std::int64_t, Shape::kMaxRank>;

// One sample's tensor.
struct Sample {
  Shape shape;
  Numbers numbers;

  std::size_t offset(const Index& index) const {
    std::int64_t at = 0;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) at = at * shape[axis] + index[axis];
    return static_cast<std::size_t>(at);
  }
  double at(const Index& index) const { return numbers[offset(index)]; }
  double at(std::int64_t c, std::int64_t y, std::int64_t x) const {
    return numbers[static_cast<std::size_t>((c * shape[1] + y) * shape[2] + x)];
  }
  // 0 outside.
  double at_or_zero(std::int64_t c, std::int64_t y, std::int64_t x) const {
    return y >= 0 && y < shape[1] && x >= 0 && x < shape[2] ? at(c, y, x) : 0.0;
  }
};

// function(index) for every index of the shape, in row-major order.
Numbers each(const Shape& shape, const std::function<double(const Index&)>& function) {
  Numbers numbers;
  Index index{};
  for (std::int64_t i = 0; i < shape.elements(); ++i) {
    std::int64_t rest = i;
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    numbers.push_back(function(index));
  }
  return numbers;
}

// The element of a tensor that broadcasts to a larger one.
double broadcast_at(const Sample& in, const Index& index, std::size_t rank) {
  Index own{};
  for (std::size_t axis = 0; axis < in.shape.rank(); ++axis) {
    own[axis] = in.shape[axis] == 1 ? 0 : index[rank - in.shape.rank() + axis];
  }
  return in.at(own);
}

// One operator on one sample.
struct Compute {
  const std::vector<Sample>& in;
  const Shape& out;
  std::span<const float> weights;
  std::span<const float> bias;

  Numbers operator()(const Conv& conv) const {
    const std::int64_t in_group = in[0].shape[0] / conv.groups;
    const std::int64_t out_group = conv.out_channels / conv.groups;
    return each(out, [&](const Index& at) {
      double sum = bias[static_cast<std::size_t>(at[0])];
      for (std::int64_t c = 0; c < in_group; ++c) {
        for (std::int64_t y = 0; y < conv.kernel.height; ++y) {
          for (std::int64_t x = 0; x < conv.kernel.width; ++x) {
            const auto w = ((at[0] * in_group + c) * conv.kernel.height + y) * conv.kernel.width + x;
            sum += static_cast<double>(weights[static_cast<std::size_t>(w)]) *
                   in[0].at_or_zero(at[0] / out_group * in_group + c,
                                    at[1] * conv.stride.height - conv.padding.height + y * conv.dilation.height,
                                    at[2] * conv.stride.width - conv.padding.width + x * conv.dilation.width);
          }
        }
      }
      return activated(conv.activation, sum);
    });
  }

  // Every input element is spread over the output.
  Numbers operator()(const ConvTranspose& conv) const {
    const std::int64_t in_group = in[0].shape[0] / conv.groups;
    const std::int64_t out_group = conv.out_channels / conv.groups;
    Sample sums{out, each(out, [&](const Index& at) { return bias[static_cast<std::size_t>(at[0])]; })};
    each(in[0].shape, [&](const Index& from) {
      for (std::int64_t c = 0; c < out_group; ++c) {
        for (std::int64_t y = 0; y < conv.kernel.height; ++y) {
          for (std::int64_t x = 0; x < conv.kernel.width; ++x) {
            const Index to{from[0] / in_group * out_group + c,
                           from[1] * conv.stride.height - conv.padding.height + y * conv.dilation.height,
                           from[2] * conv.stride.width - conv.padding.width + x * conv.dilation.width};
            if (to[1] < 0 || to[1] >= out[1] || to[2] < 0 || to[2] >= out[2]) continue;
            const auto w = ((from[0] * out_group + c) * conv.kernel.height + y) * conv.kernel.width + x;
            sums.numbers[sums.offset(to)] += weights[static_cast<std::size_t>(w)] * in[0].at(from);
          }
        }
      }
      return 0.0;
    });
    for (double& sum : sums.numbers) sum = activated(conv.activation, sum);
    return sums.numbers;
  }

  Numbers operator()(const Pool& pool) const {
    const Shape& from = in[0].shape;
    const bool global = pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage;
    const bool max = pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kMax;
    const Extent kernel = global ? Extent{from[1], from[2]} : pool.kernel;
    const Extent padding = global ? Extent{0, 0} : pool.padding;
    const Extent end = global
                           ? Extent{0, 0}
                           : Extent{padding.height + pool.end_padding.height, padding.width + pool.end_padding.width};
    return each(out, [&](const Index& at) {
      double sum = 0;
      double most = -std::numeric_limits<double>::infinity();
      std::int64_t inside = 0;
      std::int64_t padded = 0;  // inside the padding too
      for (std::int64_t ky = 0; ky < kernel.height; ++ky) {
        for (std::int64_t kx = 0; kx < kernel.width; ++kx) {
          const std::int64_t y = at[1] * (global ? 1 : pool.stride.height) - padding.height + ky * pool.dilation.height;
          const std::int64_t x = at[2] * (global ? 1 : pool.stride.width) - padding.width + kx * pool.dilation.width;
          if (y < from[1] + end.height && x < from[2] + end.width) ++padded;
          if (y < 0 || y >= from[1] || x < 0 || x >= from[2]) continue;
          ++inside;
          sum += in[0].at(at[0], y, x);
          most = larger(most, in[0].at(at[0], y, x));
        }
      }
      if (max) return most;
      return sum / static_cast<double>(pool.count_padding && !global ? padded : inside);
    });
  }

  Numbers operator()(const Activate& activate) const {
    return each(out, [&](const Index& at) { return activated(activate.function, in[0].at(at)); });
  }
  Numbers operator()(const Affine& affine) const {
    return each(out, [&](const Index& at) {
      const auto channel = static_cast<std::size_t>(at[0]);
      const double x = in[0].at(at);
      const double value =
          affine.shift_first ? weights[channel] * (x + bias[channel]) : weights[channel] * x + bias[channel];
      return activated(affine.activation, value);
    });
  }

  Numbers combined(const std::function<double(double, double)>& function) const {
    return each(out, [&](const Index& at) {
      double value = broadcast_at(in[0], at, out.rank());
      for (std::size_t i = 1; i < in.size(); ++i) value = function(value, broadcast_at(in[i], at, out.rank()));
      return value;
    });
  }
  Numbers operator()(const Add&) const { return combined(std::plus<>()); }
  Numbers operator()(const Mul&) const { return combined(std::multiplies<>()); }
  Numbers operator()(const Binary& binary) const {
    return combined([&](double a, double b) { return applied(binary.function, a, b); });
  }
  Numbers operator()(const Where&) const {
    return each(out, [&](const Index& at) {
      return broadcast_at(in[broadcast_at(in[0], at, out.rank()) != 0 ? 1 : 2], at, out.rank());
    });
  }
  Numbers operator()(const Expand&) const {
    return each(out, [&](const Index& at) { return broadcast_at(in[0], at, out.rank()); });
  }
  Numbers operator()(const Gather& gather) const {
    const Shape& data = in[0].shape;
    const Shape& indices = in[1].shape;
    return each(out, [&](const Index& at) {
      Index from = at;
      Index where = at;
      if (gather.kind == GatherKind::kSlices) {
        for (std::size_t i = 0; i < indices.rank(); ++i) where[i] = at[gather.axis + i];
        for (std::size_t i = gather.axis + 1; i < data.rank(); ++i) from[i] = at[i + indices.rank() - 1];
      }
      const auto index = static_cast<std::int64_t>(in[1].at(where));
      from[gather.axis] = index < 0 ? index + data[gather.axis] : index;
      return in[0].at(from);
    });
  }
  Numbers operator()(const Normalize& normalize) const {
    std::int64_t count = 1;
    for (std::size_t axis = normalize.axis; axis < out.rank(); ++axis) count *= out[axis];
    Numbers made = in[0].numbers;
    for (std::size_t first = 0; first < made.size(); first += static_cast<std::size_t>(count)) {
      const std::span<double> part(&made[first], static_cast<std::size_t>(count));
      double mean = 0;
      double squares = 0;
      for (const double x : part) mean += normalize.centred ? x / static_cast<double>(count) : 0;
      for (const double x : part) squares += (x - mean) * (x - mean) / static_cast<double>(count);
      for (std::size_t i = 0; i < part.size(); ++i) {
        part[i] = (part[i] - mean) / std::sqrt(squares + normalize.epsilon);
        if (normalize.scaled) part[i] = part[i] * weights[i] + bias[i];
      }
    }
    return made;
  }

  Numbers operator()(const Concat& concat) const {
    return each(out, [&](Index at) {
      std::size_t i = 0;
      for (; at[concat.axis] >= in[i].shape[concat.axis]; ++i) at[concat.axis] -= in[i].shape[concat.axis];
      return in[i].at(at);
    });
  }
  Numbers operator()(const Identity&) const { return in[0].numbers; }
  Numbers operator()(const Reshape&) const { return in[0].numbers; }

  Numbers operator()(const Linear& linear) const {
    const auto features = static_cast<std::size_t>(in[0].shape.elements_from(linear.axis));
    return each(out, [&](const Index& at) {
      std::size_t place = 0;
      for (std::size_t axis = 0; axis < linear.axis; ++axis) {
        place = place * static_cast<std::size_t>(out[axis]) + static_cast<std::size_t>(at[axis]);
      }
      const auto feature = static_cast<std::size_t>(at[linear.axis]);
      double sum = bias[feature];
      for (std::size_t i = 0; i < features; ++i) {
        sum += static_cast<double>(weights[feature * features + i]) * in[0].numbers[place * features + i];
      }
      return activated(linear.activation, sum);
    });
  }

  Numbers operator()(const MatMul& matmul) const {
    const std::size_t rank = out.rank();
    const std::int64_t inner = in[0].shape[in[0].shape.rank() - 1];
    return each(out, [&](const Index& at) {
      double sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        Index a = at;
        Index b = at;
        a[rank - 1] = k;
        b[rank - 2] = k;
        const double left = broadcast_at(in[0], a, rank);
        const double right = broadcast_at(in[1], b, rank);
        if (!matmul.sparse || (left != 0 && right != 0)) sum += left * right;
      }
      return sum;
    });
  }

  Numbers operator()(const Transpose& transpose) const {
    return each(out, [&](const Index& at) {
      Index from{};
      for (std::size_t axis = 0; axis < out.rank(); ++axis) from[transpose.axes[axis]] = at[axis];
      return in[0].at(from);
    });
  }
  Numbers operator()(const Slice& slice) const {
    return each(out, [&](Index at) {
      for (std::size_t axis = 0; axis < out.rank(); ++axis) {
        at[axis] = slice.begins[axis] + at[axis] * slice.steps[axis];
      }
      return in[0].at(at);
    });
  }
  Numbers operator()(const Pad& pad) const {
    return each(out, [&](Index at) {
      for (std::size_t axis = 0; axis < out.rank(); ++axis) {
        const std::int64_t size = in[0].shape[axis];
        std::int64_t& i = at[axis];
        i -= pad.begins[axis];
        if (i >= 0 && i < size) continue;
        if (pad.mode == PadMode::kConstant) return static_cast<double>(pad.value);
        if (pad.mode == PadMode::kEdge) i = std::clamp<std::int64_t>(i, 0, size - 1);
        if (pad.mode == PadMode::kReflect) i = i < 0 ? -i : 2 * (size - 1) - i;
      }
      return in[0].at(at);
    });
  }

  // Where along an axis of the input an output element comes from.
  double source(const Resize& resize, std::size_t axis, std::int64_t i) const {
    const double scale = resize.scales[axis];
    const auto from = static_cast<double>(in[0].shape[axis]);
    const auto to = static_cast<double>(out[axis]);
    const auto x = static_cast<double>(i);
    switch (resize.coordinates) {
      case ResizeCoordinates::kHalfPixel: return (x + 0.5) / scale - 0.5;
      case ResizeCoordinates::kPytorchHalfPixel: return to > 1 ? (x + 0.5) / scale - 0.5 : 0.0;
      case ResizeCoordinates::kAlignCorners: return to > 1 ? x * (from - 1) / (to - 1) : 0.0;
      case ResizeCoordinates::kAsymmetric: return x / scale;
    }
    return x;
  }
  static double rounded(ResizeRounding rounding, double x) {
    switch (rounding) {
      case ResizeRounding::kPreferFloor: return std::ceil(x - 0.5);
      case ResizeRounding::kPreferCeil: return std::floor(x + 0.5);
      case ResizeRounding::kFloor: return std::floor(x);
      case ResizeRounding::kCeil: return std::ceil(x);
    }
    return x;
  }
  double interpolated(const Resize& resize, const Index& at, Index from, std::size_t axis) const {
    if (axis == out.rank()) return in[0].at(from);
    const std::int64_t last = in[0].shape[axis] - 1;
    const double x = source(resize, axis, at[axis]);
    const auto value = [&](double position) {
      from[axis] = std::clamp(static_cast<std::int64_t>(position), std::int64_t{0}, last);
      return interpolated(resize, at, from, axis + 1);
    };
    if (resize.mode == ResizeMode::kNearest) return value(rounded(resize.rounding, x));
    const double low = std::floor(x);
    return (1 - (x - low)) * value(low) + (x - low) * value(low + 1);
  }
  Numbers operator()(const Resize& resize) const {
    return each(out, [&](const Index& at) { return interpolated(resize, at, {}, 0); });
  }

  // One direction, written into the output from its first element on.
  void recur(const Recurrent& recurrent, std::int64_t direction, Numbers& made) const {
    const std::int64_t positions = in[0].shape[0];
    const std::int64_t sequences = in[0].shape[1];
    const std::int64_t features = in[0].shape[2];
    const std::int64_t hidden = recurrent.hidden;
    const std::int64_t directions = directions_of(recurrent.direction);
    const std::int64_t rows = gates_of(recurrent.kind) * hidden;
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    const std::int64_t biases = static_cast<std::int64_t>(bias.size()) / directions;
    const auto bias_at = [&](std::int64_t i) { return double{bias[static_cast<std::size_t>(direction * biases + i)]}; };
    const auto weight = [&](std::int64_t row, std::int64_t column) {
      return double{weights[static_cast<std::size_t>((direction * rows + row) * (features + hidden) + column)]};
    };
    for (std::int64_t n = 0; n < sequences; ++n) {
      Numbers h(static_cast<std::size_t>(hidden), 0.0);
      Numbers c = h;
      for (std::size_t j = 0; j < h.size(); ++j) {
        if (in.size() > 1) h[j] = in[1].at({direction, n, static_cast<std::int64_t>(j)});
        if (in.size() > 2) c[j] = in[2].at({direction, n, static_cast<std::int64_t>(j)});
      }
      const bool backwards = recurrent.direction == RecurrentDirection::kReverse || direction == 1;
      for (std::int64_t step = 0; step < positions; ++step) {
        const std::int64_t t = backwards ? positions - 1 - step : step;
        const auto of_input = [&](std::int64_t row) {
          double sum = bias_at(row);
          for (std::int64_t f = 0; f < features; ++f) sum += weight(row, f) * in[0].at({t, n, f});
          return sum;
        };
        const auto of_state = [&](std::int64_t row, const Numbers& state) {
          double sum = bias_at(rows + row);
          for (std::int64_t j = 0; j < hidden; ++j) {
            sum += weight(row, features + j) * state[static_cast<std::size_t>(j)];
          }
          return sum;
        };
        const Numbers before = h;
        Numbers reset_state = h;
        for (std::int64_t j = 0; j < hidden && recurrent.kind == RecurrentKind::kGru; ++j) {
          reset_state[static_cast<std::size_t>(j)] *= sigmoid(of_input(hidden + j) + of_state(hidden + j, before));
        }
        for (std::int64_t j = 0; j < hidden; ++j) {
          double& state = h[static_cast<std::size_t>(j)];
          double& cell = c[static_cast<std::size_t>(j)];
          const auto gate = [&](std::int64_t g) { return of_input(g * hidden + j) + of_state(g * hidden + j, before); };
          const auto peep = [&](std::int64_t g) {
            return recurrent.peepholes ? bias_at(2 * rows + g * hidden + j) : 0;
          };
          if (recurrent.kind == RecurrentKind::kRnn) {
            state = std::tanh(gate(0));
          } else if (recurrent.kind == RecurrentKind::kGru) {
            const double update = sigmoid(gate(0));
            const double fresh =
                recurrent.linear_before_reset
                    ? std::tanh(of_input(2 * hidden + j) + sigmoid(gate(1)) * of_state(2 * hidden + j, before))
                    : std::tanh(of_input(2 * hidden + j) + of_state(2 * hidden + j, reset_state));
            state = (1 - update) * fresh + update * before[static_cast<std::size_t>(j)];
          } else {
            const double entry = sigmoid(gate(0) + peep(0) * cell);
            const double forget = sigmoid(gate(2) + peep(2) * cell);
            cell = forget * cell + entry * std::tanh(gate(3));
            state = sigmoid(gate(1) + peep(1) * cell) * std::tanh(cell);
          }
          made[static_cast<std::size_t>(((t * directions + direction) * sequences + n) * hidden + j)] = state;
        }
      }
      for (std::int64_t j = 0; j < hidden && recurrent.last_cell; ++j) {
        made[static_cast<std::size_t>(((positions * directions + direction) * sequences + n) * hidden + j)] =
            c[static_cast<std::size_t>(j)];
      }
    }
  }
  Numbers operator()(const Recurrent& recurrent) const {
    Numbers made(static_cast<std::size_t>(out.elements()));
    for (std::int64_t d = 0; d < directions_of(recurrent.direction); ++d) recur(recurrent, d, made);
    return made;
  }

  Numbers operator()(const TopK& top) const {
    return each(out, [&](const Index& at) {
      // The element that so many others come before.
      Index one = at;
      Index other = at;
      for (one[top.axis] = 0; one[top.axis] < in[0].shape[top.axis]; ++one[top.axis]) {
        std::int64_t before = 0;
        for (other[top.axis] = 0; other[top.axis] < in[0].shape[top.axis]; ++other[top.axis]) {
          const double difference = (in[0].at(other) - in[0].at(one)) * (top.largest ? 1 : -1);
          before += difference > 0 || (difference == 0 && other[top.axis] < one[top.axis]) ? 1 : 0;
        }
        if (before == at[top.axis]) break;
      }
      return top.output == TopKOutput::kValues ? in[0].at(one) : static_cast<double>(one[top.axis]);
    });
  }

  // The pixel that a position outside stands for; 0 for one that reads nothing.
  double pixel(const GridSample& sample, std::int64_t c, double y, double x) const {
    double place[2] = {y, x};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto last = static_cast<double>(in[0].shape[axis + 1] - 1);
      const double edge = sample.align_corners ? 0 : 0.5;
      double& at = place[axis];
      if (sample.padding == GridPadding::kReflection) {
        while (at < -edge || at > last + edge) at = at < -edge ? -2 * edge - at : 2 * (last + edge) - at;
      }
      if (sample.padding != GridPadding::kZeros) at = std::clamp(at, 0.0, last);
    }
    return in[0].at_or_zero(c, static_cast<std::int64_t>(place[0]), static_cast<std::int64_t>(place[1]));
  }
  Numbers operator()(const GridSample& sample) const {
    return each(out, [&](const Index& at) {
      double place[2];
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto size = static_cast<double>(in[0].shape[axis + 1]);
        const double g = in[1].at({at[1], at[2], static_cast<std::int64_t>(1 - axis)});
        place[axis] = sample.align_corners ? (g + 1) / 2 * (size - 1) : ((g + 1) * size - 1) / 2;
      }
      if (sample.mode == GridMode::kNearest) {
        return pixel(sample, at[0], std::nearbyint(place[0]), std::nearbyint(place[1]));
      }
      const auto share = [&](double distance) {
        const double d = std::abs(distance);
        if (sample.mode == GridMode::kLinear) return std::max(0.0, 1 - d);
        if (d >= 2) return 0.0;
        return d <= 1 ? 1.25 * d * d * d - 2.25 * d * d + 1 : -0.75 * (d * d * d - 5 * d * d + 8 * d - 4);
      };
      double sum = 0;
      for (double y = std::floor(place[0]) - 1; y <= std::floor(place[0]) + 2; ++y) {
        for (double x = std::floor(place[1]) - 1; x <= std::floor(place[1]) + 2; ++x) {
          sum += share(place[0] - y) * share(place[1] - x) * pixel(sample, at[0], y, x);
        }
      }
      return sum;
    });
  }

  Numbers operator()(const Softmax& softmax) const {
    return each(out, [&](const Index& at) {
      double most = -std::numeric_limits<double>::infinity();
      double sum = 0;
      Index other = at;
      const auto walk = [&](const auto& visit) {
        for (other[softmax.axis] = 0; other[softmax.axis] < out[softmax.axis]; ++other[softmax.axis]) {
          visit(in[0].at(other));
        }
      };
      walk([&](double x) { most = larger(most, x); });
      walk([&](double x) { sum += std::exp(x - most); });
      return std::exp(in[0].at(at) - most) / sum;
    });
  }
  Numbers operator()(const Lrn& lrn) const {
    return each(out, [&](const Index& at) {
      double squares = 0;
      Index other = at;
      const std::int64_t begin = at[0] - (lrn.size - 1) / 2;
      for (std::int64_t c = begin; c < begin + lrn.size; ++c) {
        if (c < 0 || c >= out[0]) continue;
        other[0] = c;
        squares += in[0].at(other) * in[0].at(other);
      }
      return in[0].at(at) / std::pow(lrn.bias + lrn.alpha / static_cast<double>(lrn.size) * squares, lrn.beta);
    });
  }
  Numbers operator()(const Reduce& reduce) const {
    Shape kept = in[0].shape;
    for (const std::size_t axis : reduce.axes) kept = kept.with(axis, 1);
    std::vector<Numbers> parts(static_cast<std::size_t>(kept.elements()));
    const Sample places{kept, {}};
    each(in[0].shape, [&](Index at) {
      const double value = in[0].at(at);
      for (const std::size_t axis : reduce.axes) at[axis] = 0;
      parts[places.offset(at)].push_back(value);
      return 0.0;
    });
    Numbers made;
    for (const Numbers& part : parts) made.push_back(reduced(reduce, part));
    return made;
  }
  static double reduced(const Reduce& reduce, const Numbers& part) {
    double sum = 0;
    double product = 1;
    double magnitudes = 0;
    double squares = 0;
    for (const double x : part) {
      sum += x;
      product *= x;
      magnitudes += std::abs(x);
      squares += x * x;
    }
    // NaN is larger and smaller than all numbers, and the first one counts.
    const auto beyond = [](const auto& less) {
      return [less](double a, double b) { return std::isnan(b) ? !std::isnan(a) : less(a, b); };
    };
    const auto most = std::ranges::max_element(part, beyond(std::less<>{}));
    const auto least = std::ranges::max_element(part, beyond(std::greater<>{}));
    const auto place = [&](auto of) { return static_cast<double>(of - part.begin()); };
    const auto last = [&](double value) {
      return static_cast<double>(part.rend() - std::find(part.rbegin(), part.rend(), value) - 1);
    };
    switch (reduce.kind) {
      case ReduceKind::kMean: return sum / static_cast<double>(part.size());
      case ReduceKind::kSum: return sum;
      case ReduceKind::kMax: return *most;
      case ReduceKind::kMin: return *least;
      case ReduceKind::kProduct: return product;
      case ReduceKind::kL1: return magnitudes;
      case ReduceKind::kL2: return std::sqrt(squares);
      case ReduceKind::kSumOfSquares: return squares;
      case ReduceKind::kArgMax: return reduce.last ? last(*most) : place(most);
      case ReduceKind::kArgMin: return reduce.last ? last(*least) : place(least);
    }
    return 0;
  }

  Numbers operator()(const Constant&) const { return {weights.begin(), weights.end()}; }
  Numbers otherwise() const { return {}; }  // nothing that a test compares
};

// Channels of what an operator made.
Sample read(const Graph& graph, const std::vector<Numbers>& made, const Value& value) {
  const Numbers& whole = made[value.producer.index()];
  const Shape shape = graph.shape(value);
  const auto begin = shape.rank() == 0 ? 0 : value.begin * shape.elements() / std::max<std::int64_t>(shape[0], 1);
  return {shape, Numbers(whole.begin() + begin, whole.begin() + begin + shape.elements())};
}

}  // namespace

std::vector<Tensor> reference_outputs(const Graph& graph, const std::vector<Tensor>& inputs, std::int64_t batch) {
  std::vector<std::vector<float>> outputs(graph.outputs().size());
  for (std::int64_t n = 0; n < batch; ++n) {
    std::vector<Numbers> made(graph.operators().size());
    for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
      const auto all = inputs[i].elements();
      const auto sample = all.subspan(static_cast<std::size_t>(n) * (all.size() / static_cast<std::size_t>(batch)),
                                      all.size() / static_cast<std::size_t>(batch));
      made[graph.inputs()[i].index()].assign(sample.begin(), sample.end());
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Operator& op = graph.operators()[i];
      if (op.is_input()) continue;
      std::vector<Sample> in;
      for (const Value& value : op.inputs) in.push_back(read(graph, made, value));
      const Tensor weights = graph.parameters()->weights(OperatorId(i));
      const Tensor bias = graph.parameters()->bias(OperatorId(i));
      made[i] = visit_kind(Compute{in, op.output, weights.elements(), bias.elements()}, op.attributes);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Numbers& numbers = made[graph.outputs()[i].index()];
      outputs[i].insert(outputs[i].end(), numbers.begin(), numbers.end());
    }
  }
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Shape& shape = graph.op(graph.outputs()[i]).output;
    std::vector<std::int64_t> dims{batch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    tensors.emplace_back(std::move(dims), std::move(outputs[i]));
  }
  return tensors;
}

double largest_error(const Tensor& expected, const Tensor& actual) {
  if (!std::ranges::equal(expected.dims(), actual.dims())) return std::numeric_limits<double>::infinity();
  double largest = 1e-30;
  double error = 0;
  for (std::size_t i = 0; i < expected.elements().size(); ++i) {
    const double difference = std::abs(static_cast<double>(expected.elements()[i]) - actual.elements()[i]);
    error = std::isnan(error) || difference <= error ? error : difference;  // keeps one that is no number
    largest = std::max(largest, std::abs(static_cast<double>(expected.elements()[i])));
  }
  return error / largest;
}

std::optional<std::size_t> first_unlike(const Tensor& expected, const Tensor& actual, double tolerance) {
  if (!std::ranges::equal(expected.dims(), actual.dims())) return 0;
  double largest = 1e-30;
  for (const float element : expected.elements()) {
    if (std::isfinite(element)) largest = std::max(largest, std::abs(static_cast<double>(element)));
  }
  for (std::size_t i = 0; i < expected.elements().size(); ++i) {
    const double a = expected.elements()[i];
    const double b = actual.elements()[i];
    const bool numbers = std::isfinite(a) && std::isfinite(b);
    const bool like = numbers ? std::abs(a - b) <= tolerance * largest : a == b || (std::isnan(a) && std::isnan(b));
    if (!like) return i;
  }
  return std::nullopt;
}

}  // namespace iosx::test
