#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/onnx/convert/einsum_equation.h"
#include "core/formats/onnx/convert/node_cost.h"
#include "core/formats/onnx/element_functions.h"

// Says what ONNX's own operators cost.
namespace iosx::onnx_import {
namespace {

// ONNX's operators whose shapes its library infers.

void moves(NodeCost& op) { op.flops(0); }
// Copies elements of the first input, all of it only where the output is as large.
void picks(NodeCost& op) {
  op.flops(0);
  if (op.elements(0) > 0) op.reads_part(0, op.output_of_sample() / op.elements(0));
}
void per_output(NodeCost& op) { op.flops(op.output_elements()); }
void per_input(NodeCost& op) { op.flops(op.elements(0)); }
void in_and_out(NodeCost& op) { op.flops(op.elements(0) + op.output_elements()); }

// Sets the sizes that a window makes of the input, where the library does not know them.
void slide(NodeCost& op, std::int64_t channels, std::span<const std::int64_t> window) {
  if (op.is_sized() || op.rank(0) != window.size() + 2) return;
  const auto places = places_of(op, 2, window);
  if (!places) return;
  Dims sizes{op.size(0, 0), channels};
  sizes.insert(sizes.end(), places->begin(), places->end());
  op.output(0, std::move(sizes));
}

void pool(NodeCost& op) {
  const Dims window = op.integers("kernel_shape", {});
  slide(op, op.size(0, 1), window);
  op.flops(op.output_elements() * product_of(window));
}

void convolution(NodeCost& op) { conv(op, 1); }
// Convolutions of integers, whose shapes the library does not infer safely.
void integer_conv(NodeCost& op, std::size_t weights, ElementType type) {
  const Dims dims = op.dims(weights);
  if (dims.size() > 2) slide(op, dims[0], std::span(dims).subspan(2));
  op.type(0, type);
  conv(op, weights);
}
// The inputs are numbers, weights and the zero points of both.
void conv_integer(NodeCost& op) {
  integer_conv(op, 1, ElementType::kInt32);
  op.only_weights({1});
}
// Numbers, weights and the output each have a scale and a zero point; a bias follows.
void qlinear_conv(NodeCost& op) {
  integer_conv(op, 3, op.input(7).type);
  op.only_weights({3, 8});
}
void conv_transpose(NodeCost& op) {
  const Dims weights = op.dims(1);
  if (weights.size() > 1) op.flops(2 * op.elements(0) * product_of(std::span(weights).subspan(1)));
}
void matmul(NodeCost& op) { op.flops(2 * op.output_elements() * op.extent(0, -1)); }
void matmul_integer(NodeCost& op) {
  matmul(op);
  op.only_weights({0, 1});
}
void qlinear_matmul(NodeCost& op) {
  matmul(op);
  op.only_weights({0, 3});
}

// The weights are directions x (gates · hidden) x inputs.
void recurrent(NodeCost& op) {
  op.flops(2 * static_cast<double>(op.size(0, 0)) * static_cast<double>(op.size(0, 1)) *
           (op.elements(1) + op.elements(2)));
}

double log2_of(std::int64_t size) {
  return std::max(1.0, std::log2(static_cast<double>(std::max<std::int64_t>(size, 2))));
}

// Costs as core/model/graph/work.cpp has them of operators that are executed.

void like(NodeCost& op) { like_input(op, 1); }
// Maximum, exponential, sum, and quotient or difference.
void softmax(NodeCost& op) { like_input(op, 4); }
// Sum, sum of squares, difference and quotient, scale and shift.
void normalise(NodeCost& op) { like_input(op, 8); }
void rms_norm(NodeCost& op) { like_input(op, 4); }
void lp_norm(NodeCost& op) { like_input(op, 3); }
void mean_variance_norm(NodeCost& op) { like_input(op, 6); }
void lrn(NodeCost& op) { like_input(op, 2 * static_cast<double>(op.integer("size")) + 3); }

// The further outputs are the mean and 1 / deviation of each row.
void layer_norm(NodeCost& op) {
  like_input(op, 6 + (op.given(1) ? 1 : 0) + (op.given(2) ? 1 : 0));
  Dims rows = op.dims(0);
  std::int64_t axis = op.integer("axis", -1);
  if (axis < 0) axis += std::ssize(rows);
  if (axis < 0 || axis > std::ssize(rows)) return;
  std::fill(rows.begin() + axis, rows.end(), 1);
  for (const std::size_t i : {1U, 2U}) op.output(i, rows);
}

// From left to right.
void many(NodeCost& op) {
  const std::size_t inputs = std::max<std::size_t>(op.node().inputs.size(), 2);
  op.flops(op.output_elements() * static_cast<double>(inputs - 1));
}
// Sums and divides.
void mean(NodeCost& op) { op.flops(op.output_elements() * static_cast<double>(op.node().inputs.size())); }

// Costs by the definitions of ONNX.

// The range, and what quantising takes.
void dynamic_quantize(NodeCost& op) { op.flops(4 * op.elements(0)); }
// A triangular form of each matrix.
void det(NodeCost& op) { op.flops(op.elements(0) * op.extent(0, -1) * 2 / 3); }
// Each is start + i · step.
void range(NodeCost& op) { op.flops(2 * op.output_elements()); }
// Each is a - b · cos(c · i).
void cosine_window(NodeCost& op) { op.flops(4 * op.output_elements()); }
// Sorts.
void unique(NodeCost& op) { op.flops(op.elements(0) * std::max(1.0, std::log2(std::max(op.elements(0), 1.0)))); }
// Adds up the weighted number that each target picks. The inputs are numbers, targets, weights.
void likelihood_loss(NodeCost& op) { op.flops(2 * op.elements(1)); }
void cross_entropy(NodeCost& op) { op.flops(4 * op.elements(0) + 2 * op.elements(1)); }

// Each output combines so many samples of a region along each axis, from four pixels each. Without
// their number it follows from the regions.
void roi_align(NodeCost& op) {
  const auto samples = static_cast<double>(op.integer("sampling_ratio"));
  if (samples > 0) op.flops(8 * samples * samples * op.output_elements());
}

// Newer operators of ONNX, and ones that its library does not infer rightly.

// The input is signals with a last axis of 1 or 2 parts.
void dft(NodeCost& op) {
  Dims dims = op.dims(0);
  const auto rank = static_cast<std::int64_t>(dims.size());
  std::int64_t axis = op.opset() < 20 ? op.integer("axis", 1) : rank - 2;
  if (op.given(2)) axis = op.number(2).value_or(rank);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return;
  std::int64_t length = dims[static_cast<std::size_t>(axis)];
  if (op.given(1)) length = op.number(1).value_or(0);
  const bool onesided = op.integer("onesided") != 0;
  dims[static_cast<std::size_t>(axis)] = onesided && length > 0 ? length / 2 + 1 : length;
  op.output(0, ending_in(std::move(dims), 2));
  op.flops(5 * op.output_elements() / 2 * log2_of(length));
}

// The inputs are samples x length x 1, step, window, length of a frame.
void stft(NodeCost& op) {
  const std::int64_t step = op.number(1).value_or(0);
  const std::int64_t length = op.given(3) ? op.number(3).value_or(0) : op.size(2, 0);
  const std::int64_t signal = op.size(0, 1);
  if (step < 1 || length < 1 || signal < length) return;
  const std::int64_t frames = (signal - length) / step + 1;
  const bool onesided = op.integer("onesided", 1) != 0;
  op.output(0, {op.size(0, 0), frames, onesided ? length / 2 + 1 : length, 2});
  const double all = static_cast<double>(frames) * static_cast<double>(length);
  op.flops(5 * op.extent(0, 0) * all * log2_of(length));
}

void affine_grid(NodeCost& op) {
  const HostTensor* const size = op.input(1).constant;
  if (size == nullptr || !size->holds_integers() || size->elements() < 3) return;
  Dims dims{size->integers().begin(), size->integers().end()};
  const auto axes = static_cast<std::int64_t>(dims.size()) - 2;
  dims.erase(dims.begin() + 1);
  dims.push_back(axes);
  op.output(0, std::move(dims));
  op.flops(2 * static_cast<double>(axes + 1) * op.output_elements());
}

// The inputs are samples x channels x sizes, and samples x sizes of the output x coordinates.
void grid_sample(NodeCost& op) {
  const Dims grid = op.dims(1);
  if (op.rank(0) < 3 || grid.size() != op.rank(0)) return;
  Dims dims{op.size(0, 0), op.size(0, 1)};
  dims.insert(dims.end(), grid.begin() + 1, grid.end() - 1);
  const std::string mode = op.text("mode", "linear");
  const double along = mode == "nearest" ? 1 : mode.ends_with("cubic") ? 4 : 2;
  const double pixels = std::pow(along, static_cast<double>(dims.size() - 2));
  op.output(0, std::move(dims));
  op.flops((along > 1 ? 2 : 1) * pixels * op.output_elements());
}

void bitwise(NodeCost& op) {
  const std::size_t rank = std::max(op.rank(0), op.rank(1));
  Dims dims;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto along = [&](std::size_t i) {
      const std::size_t missing = rank - op.rank(i);
      return axis < missing ? 1 : op.size(i, static_cast<std::int64_t>(axis - missing));
    };
    const std::int64_t one = along(0);
    const std::int64_t other = along(1);
    dims.push_back(one == 0 || other == 0 ? 0 : std::max(one, other));
  }
  if (!op.is_sized()) op.output(0, std::move(dims));
  per_output(op);
}

// The inputs are indices, their number, and the two values.
void one_hot(NodeCost& op) {
  Dims dims = op.dims(0);
  const std::int64_t given = op.integer("axis", -1);
  const std::int64_t axis = given < 0 ? given + std::ssize(dims) + 1 : given;
  if (axis < 0 || axis > std::ssize(dims)) return;
  dims.insert(dims.begin() + axis, op.number(1).value_or(0));
  if (!op.is_sized()) op.output(0, std::move(dims), 2);
  op.only_weights({});
  op.flops(0);
}

// Returns these axes, or all, from the first; none where one does not exist.
using Axes = std::vector<std::size_t>;
std::optional<Axes> axes_of(const NodeCost& op, std::optional<Dims> axes) {
  const auto rank = static_cast<std::int64_t>(op.rank(0));
  Axes found(axes ? axes->size() : op.rank(0));
  std::iota(found.begin(), found.end(), 0U);
  for (std::size_t i = 0; axes && i < found.size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
    if (axis < 0 || axis >= rank) return std::nullopt;
    found[i] = static_cast<std::size_t>(axis);
  }
  return found;
}
std::optional<Axes> axes_of_attribute(const NodeCost& op) {
  const bool given = find_attribute(op.node(), "axes") != nullptr;
  return axes_of(op, given ? std::optional(op.integers("axes", {})) : std::nullopt);
}

// Sets these sizes along the axes; the others are those of the first input.
void set_sizes(NodeCost& op, const Axes& axes, const Dims& sizes) {
  Dims dims = op.dims(0);
  for (std::size_t i = 0; i < axes.size(); ++i) dims[axes[i]] = sizes[i];
  op.output(0, std::move(dims));
}

// The inputs are numbers, pads before and after each axis, a value, axes.
void pad(NodeCost& op) {
  op.flops(0);
  const auto pads = op.list(1);
  if (op.is_sized() || !pads || (op.given(3) && !op.list(3))) return;
  const auto axes = axes_of(op, op.given(3) ? op.list(3) : std::nullopt);
  if (!axes || pads->size() != 2 * axes->size()) return;
  Dims sizes;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const std::int64_t size = op.size(0, static_cast<std::int64_t>((*axes)[i]));
    sizes.push_back(size > 0 ? size + (*pads)[i] + (*pads)[axes->size() + i] : 0);
  }
  set_sizes(op, *axes, sizes);
}

void center_crop_pad(NodeCost& op) {
  op.flops(0);
  const auto sizes = op.list(1);
  const auto axes = axes_of_attribute(op);
  if (op.is_sized() || !sizes || !axes || sizes->size() != axes->size()) return;
  set_sizes(op, *axes, *sizes);
}

// The inputs are blocks in columns, sizes of the image, sizes of a block.
void col2im(NodeCost& op) {
  const auto image = op.list(1);
  const auto block = op.list(2);
  const double pixels = block ? product_of(*block) : 0;
  if (!op.is_sized() && image && pixels >= 1) {
    Dims dims{op.size(0, 0), static_cast<std::int64_t>(op.extent(0, 1) / pixels)};
    dims.insert(dims.end(), image->begin(), image->end());
    op.output(0, std::move(dims));
  }
  per_input(op);
}

// The inputs are numbers, regions, scales, sizes; the last two are of some axes.
std::optional<Dims> resized(const NodeCost& op, const Axes& axes) {
  const auto in = [&](std::size_t i) { return op.extent(0, static_cast<std::int64_t>(axes[i])); };
  Dims sizes;
  if (const auto given = op.list(3)) {
    if (given->size() != axes.size()) return std::nullopt;
    const std::string policy = op.text("keep_aspect_ratio_policy", "stretch");
    if (policy == "stretch") return given;
    std::vector<double> scales;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (in(i) < 1) return std::nullopt;
      scales.push_back(static_cast<double>((*given)[i]) / in(i));
    }
    if (scales.empty()) return sizes;
    const auto [least, most] = std::ranges::minmax(scales);
    const double scale = policy == "not_larger" ? least : most;
    for (std::size_t i = 0; i < axes.size(); ++i) sizes.push_back(std::llround(scale * in(i)));
    return sizes;
  }
  const HostTensor* const scales = op.input(2).constant;
  const bool crops = op.text("coordinate_transformation_mode", "") == "tf_crop_and_resize";
  if (scales == nullptr || crops || scales->floats().size() != axes.size()) return std::nullopt;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double size = std::floor(static_cast<double>(scales->floats()[i]) * in(i));
    const bool sane = size >= 1 && size <= static_cast<double>(kMaxExtent);
    sizes.push_back(sane ? static_cast<std::int64_t>(size) : 0);
  }
  return sizes;
}

// Each output combines pixels along each axis whose size changes: two, of cubic ones four, and more
// where a larger image is smoothed.
void resize(NodeCost& op) {
  op.only_weights({0});
  const auto axes = axes_of_attribute(op);
  const auto sizes = !op.is_sized() && axes ? resized(op, *axes) : std::nullopt;
  if (sizes) set_sizes(op, *axes, *sizes);
  const std::string mode = op.text("mode", "nearest");
  if (mode == "nearest") return op.flops(0);
  double pixels = 1;
  const Dims made = op.sizes();
  for (std::size_t axis = 0; axis < std::min(op.rank(0), made.size()); ++axis) {
    const double from = op.extent(0, static_cast<std::int64_t>(axis));
    const auto to = static_cast<double>(made[axis]);
    if (from == to) continue;
    pixels *= mode == "cubic" ? 4 : 2;
    if (op.integer("antialias") != 0 && to < from) pixels *= from / to;
  }
  op.flops(2 * pixels * op.output_elements());
}

// The inputs are samples x channels x sizes, weights, offsets of each tap at each place of the
// output, bias, and factors of the taps. Each tap of a channel is sampled from the pixels around
// it, and then convolved.
void deform_conv(NodeCost& op) {
  const Dims weights = op.dims(1);
  const Dims offsets = op.dims(2);
  const std::size_t rank = op.rank(0);
  if (rank < 3 || weights.size() != rank || offsets.size() != rank) return;
  Dims dims{op.size(0, 0), op.size(1, 0)};
  dims.insert(dims.end(), offsets.begin() + 2, offsets.end());
  op.output(0, std::move(dims));
  const double window = product_of(std::span(weights).subspan(2));
  const double places = product_of(std::span(offsets).subspan(2));
  const double taps = op.extent(0, 0) * op.extent(0, 1) * window * places;
  const double pixels = std::exp2(static_cast<double>(rank - 2));
  const double products = op.output_elements() * op.extent(1, 1) * window;
  op.flops(2 * products + taps * (2 * pixels + (op.given(4) ? 1 : 0)));
}

// Multiplies the terms from left to right. Each product is summed over the letters that neither the
// output nor a later term has.
void einsum(NodeCost& op) {
  const Equation equation = parse_equation(op.text("equation", ""));
  const std::size_t count = equation.terms.size();
  if (count != op.node().inputs.size()) return;
  std::vector<Labels> terms;
  std::map<int, std::int64_t> sizes;
  std::map<int, std::size_t> last;  // the last term with a letter
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& term = equation.terms[i];
    const std::size_t letters = letters_of(term);
    const auto labels = op.rank(i) < letters ? std::nullopt : labels_of(term, op.rank(i) - letters);
    if (!labels || labels->size() != op.rank(i)) return;
    most = std::max(most, op.rank(i) - letters);
    for (std::size_t axis = 0; axis < labels->size(); ++axis) {
      const int label = (*labels)[axis];
      auto& size = sizes[label];
      size = std::max(size, op.size(i, static_cast<std::int64_t>(axis)));
      last[label] = i;
    }
    terms.push_back(*labels);
  }
  const auto output = labels_of(equation.output, most);
  const auto known = [&](int label) { return sizes.contains(label); };
  if (!output || !std::ranges::all_of(*output, known)) return;
  Dims dims;
  for (const int label : *output) {
    dims.push_back(sizes[label]);
    last[label] = count;
  }
  op.output(0, std::move(dims));
  double flops = 0;
  std::set<int> product;
  for (std::size_t i = 0; i < count; ++i) {
    product.insert(terms[i].begin(), terms[i].end());
    double elements = 1;
    for (const int label : product) elements *= static_cast<double>(sizes[label]);
    const bool sums = std::erase_if(product, [&](int label) { return last[label] <= i; }) > 0;
    flops += elements * ((i > 0 ? 1 : 0) + (sums ? 1 : 0));
  }
  op.flops(flops);
}

// ONNX's own: queries, keys and values are samples x positions x features or samples x heads x
// positions x features; then a mask, past keys, past values.
void attention(NodeCost& op) {
  const bool apart = op.rank(0) == 4;
  const std::int64_t heads = apart ? op.size(0, 1) : op.integer("q_num_heads");
  const std::int64_t shared = apart ? op.size(1, 1) : op.integer("kv_num_heads");
  if (heads < 1 || shared < 1) return;
  const auto width = [&](std::size_t i, std::int64_t of) { return apart ? op.size(i, 3) : op.size(i, 2) / of; };
  const std::int64_t samples = op.size(0, 0);
  const std::int64_t queries = op.size(0, -2);
  const std::int64_t keys = op.size(1, -2) + (op.given(4) ? op.size(4, 2) : 0);
  if (apart) {
    op.output(0, {samples, heads, queries, width(2, shared)});
  } else {
    op.output(0, {samples, queries, heads * width(2, shared)});
  }
  op.output(1, {samples, shared, keys, width(1, shared)});
  op.output(2, {samples, shared, keys, width(2, shared)});
  op.output(3, {samples, heads, queries, keys});
  const double pairs = op.extent(0, 0) * op.extent(0, -2) * static_cast<double>(keys);
  op.flops(attention_flops(pairs, heads * width(0, heads), heads * width(2, shared)));
}

// The library's shapes are right for these, or nothing else is known.
constexpr std::array kOnnxRules{
    CostRule{"AffineGrid", affine_grid},
    CostRule{"ArgMax", per_input},
    CostRule{"ArgMin", per_input},
    CostRule{"Attention", attention},
    CostRule{"AveragePool", pool},
    CostRule{"BatchNormalization", in_and_out},
    CostRule{"Bernoulli", per_output},
    CostRule{"BitShift", per_output},
    CostRule{"BitwiseAnd", bitwise},
    CostRule{"BitwiseNot", like},
    CostRule{"BitwiseOr", bitwise},
    CostRule{"BitwiseXor", bitwise},
    CostRule{"BlackmanWindow", [](NodeCost& op) { op.flops(8 * op.output_elements()); }},
    CostRule{"Cast", moves},
    CostRule{"CastLike", moves},
    CostRule{"CenterCropPad", center_crop_pad},
    CostRule{"Clip", per_output},
    CostRule{"Col2Im", col2im},
    CostRule{"Compress", picks},
    CostRule{"Concat", moves},
    CostRule{"Constant", moves},
    CostRule{"ConstantOfShape", moves},
    CostRule{"Conv", convolution},
    CostRule{"ConvInteger", conv_integer},
    CostRule{"ConvTranspose", conv_transpose},
    CostRule{"CumProd", like},
    CostRule{"CumSum", like},
    CostRule{"DeformConv", deform_conv},
    CostRule{"DepthToSpace", moves},
    CostRule{"DequantizeLinear", in_and_out},
    CostRule{"Det", det},
    CostRule{"DFT", dft},
    CostRule{"Dropout", per_output},
    CostRule{"DynamicQuantizeLinear", dynamic_quantize},
    CostRule{"Einsum", einsum},
    CostRule{"Expand", moves},
    CostRule{"EyeLike", moves},
    CostRule{"Flatten", moves},
    CostRule{"Gather", picks},
    CostRule{"GatherElements", picks},
    CostRule{"GatherND", picks},
    CostRule{"Gelu", like},
    CostRule{"Gemm", gemm},
    CostRule{"GlobalAveragePool", per_input},
    CostRule{"GlobalLpPool", per_input},
    CostRule{"GlobalMaxPool", per_input},
    CostRule{"GridSample", grid_sample},
    CostRule{"GroupNormalization", normalise},
    CostRule{"GRU", recurrent},
    CostRule{"HammingWindow", cosine_window},
    CostRule{"HannWindow", cosine_window},
    CostRule{"Hardmax", per_input},
    CostRule{"Identity", moves},
    CostRule{"InstanceNormalization", normalise},
    CostRule{"IsInf", per_output},
    CostRule{"LayerNormalization", layer_norm},
    CostRule{"LogSoftmax", softmax},
    CostRule{"LpNormalization", lp_norm},
    CostRule{"LpPool", pool},
    CostRule{"LRN", lrn},
    CostRule{"LSTM", recurrent},
    CostRule{"MatMul", matmul},
    CostRule{"MatMulInteger", matmul_integer},
    CostRule{"Max", many},
    CostRule{"MaxPool", pool},
    CostRule{"MaxUnpool", moves},
    CostRule{"Mean", mean},
    CostRule{"MeanVarianceNormalization", mean_variance_norm},
    CostRule{"MelWeightMatrix", per_output},
    CostRule{"Min", many},
    CostRule{"Multinomial", in_and_out},
    CostRule{"NegativeLogLikelihoodLoss", likelihood_loss},
    CostRule{"NonZero", per_input},
    CostRule{"OneHot", one_hot},
    CostRule{"Pad", pad},
    CostRule{"QLinearConv", qlinear_conv},
    CostRule{"QLinearMatMul", qlinear_matmul},
    CostRule{"QuantizeLinear", in_and_out},
    CostRule{"RandomNormal", per_output},
    CostRule{"RandomNormalLike", per_output},
    CostRule{"RandomUniform", per_output},
    CostRule{"RandomUniformLike", per_output},
    CostRule{"Range", range},
    CostRule{"Reshape", moves},
    CostRule{"Resize", resize},
    CostRule{"ReverseSequence", moves},
    CostRule{"RMSNormalization", rms_norm},
    CostRule{"RNN", recurrent},
    CostRule{"RoiAlign", roi_align},
    CostRule{"RotaryEmbedding", rotary_embedding},
    CostRule{"Scatter", moves},
    CostRule{"ScatterElements", moves},
    CostRule{"ScatterND", moves},
    CostRule{"Slice", picks},
    CostRule{"Softmax", softmax},
    CostRule{"SoftmaxCrossEntropyLoss", cross_entropy},
    CostRule{"SpaceToDepth", moves},
    CostRule{"Split", moves},
    CostRule{"Squeeze", moves},
    CostRule{"STFT", stft},
    CostRule{"Sum", many},
    CostRule{"Swish", [](NodeCost& op) { like_input(op, 3); }},
    CostRule{"TensorScatter", [](NodeCost& op) { like_input(op, 0); }},
    CostRule{"Tile", moves},
    CostRule{"TopK", per_input},
    CostRule{"Transpose", moves},
    CostRule{"Trilu", moves},
    CostRule{"Unique", unique},
    CostRule{"Unsqueeze", moves},
    CostRule{"Upsample", resize},
    CostRule{"Where", per_output},
};

}  // namespace

void describe_onnx(NodeCost& op) {
  if (describe_by(kOnnxRules, op)) return;
  const std::string_view type = op.node().op_type;
  if (element_function(type) != nullptr) return like(op);
  if (binary_operator(type) != nullptr) return per_output(op);
  if (reduce_operator(type) != nullptr) return per_input(op);
}

}  // namespace iosx::onnx_import
