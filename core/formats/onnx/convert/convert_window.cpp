#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts convolutions, pools, and what else works on windows.
namespace iosx::onnx_import {
namespace {

// A value as channels x height x width for windows, and how to shape results. One-dimensional ones get a height of 1.
struct FeatureMap {
  DraftValue value;
  std::size_t axes = 2;           // spatial ones in the model: 1 or 2
  std::int64_t samples = 1;       // of a whole batch that was folded into the channels or the height
  bool has_sample_axis = false;   // ONNX's batch axis is in the shape
  bool samples_are_rows = false;  // rows of a height that one-dimensional windows do not use
};

struct Window {
  Extent kernel;
  Extent stride;
  Extent dilation;
  Extent begin{0, 0};  // padding above and on the left
  Extent end{0, 0};    // below and on the right

  Extent end_padding() const { return {end.height - begin.height, end.width - begin.width}; }
};

bool in_range(std::int64_t value, std::int64_t low) { return value >= low && value <= kMaxExtent; }
bool in_range(const Extent& extent, std::int64_t low) {
  return in_range(extent.height, low) && in_range(extent.width, low);
}

// Returns the padding along one axis so that the output has input / stride elements, rounded up.
std::int64_t same_padding(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
  const std::int64_t out = (in + stride - 1) / stride;
  return std::max<std::int64_t>((out - 1) * stride + dilation * (kernel - 1) + 1 - in, 0);
}

void pad_to_same(Window& window, const Shape& in, bool more_at_end) {
  const Extent total{same_padding(in.height(), window.kernel.height, window.stride.height, window.dilation.height),
                     same_padding(in.width(), window.kernel.width, window.stride.width, window.dilation.width)};
  const Extent less{total.height / 2, total.width / 2};
  const Extent more{total.height - less.height, total.width - less.width};
  window.begin = more_at_end ? less : more;
  window.end = more_at_end ? more : less;
}

// Makes a feature map of a value. Ranks other than 1 or 2 spatial axes are unsupported. A batch above 1 in the shape
// becomes channels where possible, rows where there is one spatial axis, and is otherwise unsupported.
FeatureMap feature_map(ConversionContext& call, const DraftValue& value, bool fold_batch) {
  FeatureMap map{value, 2, 1, call.lead() == 0};
  const std::size_t lead = map.has_sample_axis ? 1 : 0;
  const std::size_t rank = value.shape.rank();
  if (rank < lead + 2) call.bad(message("needs samples x channels x sizes, has {}", shape_text(value.shape)));
  if (rank > lead + 3) call.unsupported(message("windows over {} axes", rank - lead - 1));
  map.axes = rank - lead - 1;
  if (lead == 1) map.samples = value.shape[0];
  if (map.samples > 1 && !fold_batch && map.axes == 1) {
    map.samples_are_rows = true;
    map.value = call.transpose(value, {1, 0, 2}, "rows");
    return map;
  }
  if (map.samples > 1 && !fold_batch)
    call.unsupported(message("{} samples at once in a model that mixes them", map.samples));
  const std::int64_t height = map.axes == 2 ? value.shape[lead + 1] : 1;
  map.value = call.reshape(value, {map.samples * value.shape[lead], height, value.shape[rank - 1]});
  return map;
}

DraftValue restored(ConversionContext& call, const FeatureMap& map, const DraftValue& result) {
  if (map.samples_are_rows) return call.transpose(result, {1, 0, 2}, "samples");
  Dims dims;
  if (map.has_sample_axis) dims.push_back(map.samples);
  dims.push_back(result.shape[0] / map.samples);
  if (map.axes == 2) dims.push_back(result.shape[1]);
  dims.push_back(result.shape[2]);
  return call.reshape(result, Shape(dims));
}

// Returns one value per axis as an extent, `absent` where there are none; bad if their number is not that of the axes.
Extent extent(ConversionContext& call, const std::optional<Dims>& values, std::size_t axes, std::int64_t absent,
              std::string_view what) {
  const std::int64_t unused = absent == 0 ? 0 : 1;
  if (!values) return axes == 2 ? Extent{absent, absent} : Extent{unused, absent};
  if (values->size() != axes)
    call.bad(message("its attribute '{}' has {} values instead of {}", what, values->size(), axes));
  const Extent made = axes == 2 ? Extent{(*values)[0], (*values)[1]} : Extent{unused, (*values)[0]};
  if (in_range(made, unused)) return made;
  call.bad(message("its attribute '{}' [{}, {}] has values outside {}..{}", what, made.height, made.width, unused,
                   kMaxExtent));
}

void read_pads(ConversionContext& call, Window& window, std::size_t axes) {
  const auto pads = call.integers("pads");
  if (!pads) return;
  if (pads->size() != 2 * axes)
    call.bad(message("its attribute 'pads' has {} values instead of {}", pads->size(), 2 * axes));
  const auto middle = pads->begin() + static_cast<std::ptrdiff_t>(axes);
  window.begin = extent(call, Dims(pads->begin(), middle), axes, 0, "pads");
  window.end = extent(call, Dims(middle, pads->end()), axes, 0, "pads");
}

// Returns the window of the attributes kernel_shape (or the dims of the weights), strides and dilations.
Window unpadded_window(ConversionContext& call, const FeatureMap& map, std::optional<Dims> kernel_of_weights) {
  Window window;
  const auto kernel = call.integers("kernel_shape");
  if (kernel && kernel_of_weights && *kernel != *kernel_of_weights) {
    call.bad(message("its attribute 'kernel_shape' does not match its weights"));
  } else if (!kernel && !kernel_of_weights) {
    call.bad(message("its attribute 'kernel_shape' is missing"));
  }
  window.kernel = extent(call, kernel ? kernel : kernel_of_weights, map.axes, 1, "kernel_shape");
  window.stride = extent(call, call.integers("strides"), map.axes, 1, "strides");
  window.dilation = extent(call, call.integers("dilations"), map.axes, 1, "dilations");
  return window;
}

// Returns the same with pads and auto_pad.
Window window(ConversionContext& call, const FeatureMap& map, std::optional<Dims> kernel_of_weights) {
  Window window = unpadded_window(call, map, std::move(kernel_of_weights));
  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (automatic == "NOTSET") {
    read_pads(call, window, map.axes);
  } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    pad_to_same(window, map.value.shape, automatic == "SAME_UPPER");
  } else if (automatic != "VALID") {
    call.bad(message("its attribute 'auto_pad' is '{}'", automatic));
  }
  return window;
}

// Weights with one entry for each axis of the kernel, as rank 4.
struct Weights {
  Tensor tensor;
  Dims kernel;  // of the model's axes
};

Weights weights(ConversionContext& call, const FeatureMap& map) {
  const HostTensor* const tensor = call.floats(1);
  if (tensor->dims().size() != map.axes + 2 || tensor->elements() == 0)
    call.bad(message("its weights have {} axes and {} elements", tensor->rank(), tensor->elements()));
  Dims dims(tensor->dims().begin(), tensor->dims().end());
  Dims kernel(dims.begin() + 2, dims.end());
  if (map.axes == 1) dims.insert(dims.begin() + 2, 1);
  return {tensor->with_dims(std::move(dims)).to_tensor(), std::move(kernel)};
}

Tensor bias(ConversionContext& call, std::int64_t channels) {
  if (!call.given(2)) return {};
  const HostTensor* const tensor = call.floats(2);
  if (tensor->rank() != 1 || tensor->elements() != channels)
    call.bad(message("its bias has {} elements for {} channels", tensor->elements(), channels));
  return tensor->to_tensor();
}

std::int64_t groups(ConversionContext& call, std::int64_t channels) {
  const std::int64_t groups = call.integer("group", 1);
  if (groups >= 1 && channels % groups == 0) return groups;
  call.bad(message("its {} groups do not divide {} channels", groups, channels));
}

// One axis of a window.
struct WindowAxis {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t begin = 0;  // padding
  std::int64_t end = 0;

  std::int64_t reach() const { return dilation * (kernel - 1) + 1; }
  std::int64_t places(std::int64_t size) const { return (size + begin + end - reach()) / stride + 1; }
};

// Returns the axes of a window over channels x depth x height x width.
std::array<WindowAxis, 3> window_of_three(ConversionContext& call, const Shape& in,
                                          std::span<const std::int64_t> kernel) {
  std::array<WindowAxis, 3> window{};
  const auto read = [&](std::string_view name, std::size_t count, std::int64_t least, auto take) {
    const auto values = call.integers(name);
    if (!values) return;
    const auto fits = [&](std::int64_t value) { return value >= least && value <= kMaxExtent; };
    if (values->size() != count || !std::ranges::all_of(*values, fits))
      call.bad(message("its attribute '{}' does not fit three axes", name));
    for (std::size_t i = 0; i < count; ++i) take(window[i % 3], i / 3, (*values)[i]);
  };
  for (std::size_t i = 0; i < 3; ++i) window[i].kernel = kernel[i];
  read("strides", 3, 1, [](WindowAxis& along, std::size_t, std::int64_t value) { along.stride = value; });
  read("dilations", 3, 1, [](WindowAxis& along, std::size_t, std::int64_t value) { along.dilation = value; });
  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (automatic == "NOTSET") {
    read("pads", 6, 0,
         [](WindowAxis& along, std::size_t end, std::int64_t value) { (end == 0 ? along.begin : along.end) = value; });
  } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    for (std::size_t i = 0; i < 3; ++i) {
      WindowAxis& along = window[i];
      const std::int64_t size = in[i + 1];
      const std::int64_t places = (size + along.stride - 1) / along.stride;
      const std::int64_t total = std::max<std::int64_t>((places - 1) * along.stride + along.reach() - size, 0);
      along.begin = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      along.end = total - along.begin;
    }
  } else if (automatic != "VALID") {
    call.bad(message("its attribute 'auto_pad' is '{}'", automatic));
  }
  return window;
}

// Returns weights over frames side by side: of each output the taps, of each tap the channels.
Tensor over_frames(const HostTensor& given) {
  const auto dims = given.dims();
  const std::int64_t area = dims[3] * dims[4];
  std::vector<float> made;
  made.reserve(given.floats().size());
  for (std::int64_t out = 0; out < dims[0]; ++out) {
    for (std::int64_t tap = 0; tap < dims[2]; ++tap) {
      for (std::int64_t in = 0; in < dims[1]; ++in) {
        const auto from = given.floats().begin() + ((out * dims[1] + in) * dims[2] + tap) * area;
        made.insert(made.end(), from, from + area);
      }
    }
  }
  return {{dims[0], dims[2] * dims[1], dims[3], dims[4]}, std::move(made)};
}

constexpr std::int64_t kMostFrames = 64;

// Convolves over three axes: for each place along the first a convolution over two, of the frames that it reads side by
// side as channels. Frames in a row are channels of one tensor already; others are cut out, each channel with its taps
// as in the weights, so that a group's channels lie together.
DraftValue convolved_frames(ConversionContext& call, const DraftValue& value) {
  const HostTensor* const given = call.floats(1);
  const DraftValue sample = call.lead() == 1 ? value : call.reshape(value, Shape(value.shape.dims().subspan(1)));
  if (given->rank() != 5 || given->elements() == 0) call.bad(message("its weights do not fit three axes"));
  const Shape& in = sample.shape;
  const auto dims = given->dims();
  const auto [depth, height, width] = window_of_three(call, in, dims.subspan(2));
  const std::int64_t channels = in.channels();
  Conv conv;
  conv.out_channels = dims[0];
  conv.groups = groups(call, channels);
  conv.kernel = {height.kernel, width.kernel};
  conv.stride = {height.stride, width.stride};
  conv.dilation = {height.dilation, width.dilation};
  conv.padding = {height.begin, width.begin};
  conv.end_padding = {height.end - height.begin, width.end - width.begin};
  const std::int64_t frames = in[1] + depth.begin + depth.end;
  if (dims[1] != channels / conv.groups) call.bad(message("its weights are for {} channels per group", dims[1]));
  if (frames < depth.reach()) call.bad(message("its kernel is deeper than its input"));
  const std::int64_t places = depth.places(in[1]);
  if (places > kMostFrames) call.unsupported(message("a window at {} depths in {} groups", places, conv.groups));
  call.spend(given->elements());
  const bool in_a_row = depth.kernel == 1 || (conv.groups == 1 && depth.dilation == 1);
  const Tensor weights =
      in_a_row ? over_frames(*given) : given->with_dims({dims[0], dims[1] * dims[2], dims[3], dims[4]}).to_tensor();
  const Tensor biases = bias(call, conv.out_channels);
  DraftValue apart = in_a_row ? call.transpose(sample, {1, 0, 2, 3}, "frames") : sample;
  if (depth.begin + depth.end > 0) {
    Pad pad{PadMode::kConstant, {0, 0, 0, 0}, {0, 0, 0, 0}, 0};
    pad.begins[in_a_row ? 0 : 1] = depth.begin;
    pad.ends[in_a_row ? 0 : 1] = depth.end;
    apart = call.add(pad, {apart}, "padded");
  }
  if (in_a_row) apart = call.reshape(apart, Shape{frames * channels, in[2], in[3]});
  std::vector<DraftValue> made;
  for (std::int64_t place = 0; place < places; ++place) {
    const std::int64_t first = place * depth.stride;
    DraftValue read;
    if (in_a_row) {
      read = Draft::channels(apart, first * channels, (first + depth.kernel) * channels);
    } else {
      const Slice taps{{0, first, 0, 0}, {1, depth.dilation, 1, 1}, Shape{channels, depth.kernel, in[2], in[3]}};
      read = call.reshape(call.add(taps, {apart}, "taps"), Shape{channels * depth.kernel, in[2], in[3]});
    }
    made.push_back(call.add(conv, {read}, weights, biases, "frame"));
  }
  DraftValue all = made.size() == 1 ? made.front() : call.add(Concat{0}, made, "places");
  const Shape plane = made.front().shape;
  all = call.transpose(call.reshape(all, Shape{places, plane[0], plane[1], plane[2]}), {1, 0, 2, 3}, "depth");
  if (call.lead() == 1) return all;
  return call.reshape(all, Shape{1, plane[0], places, plane[1], plane[2]});
}

// Samples of an image that the model mixes are as many convolutions with the same weights.
constexpr std::int64_t kMostSamples = 64;

template <typename Convolve>
Converted of_each_sample(ConversionContext& call, Convolve convolve) {
  const DraftValue value = call.value(0);
  const std::int64_t samples = value.shape.rank() >= 4 ? value.shape[0] : 1;
  if (call.lead() == 1 || samples == 1 || samples > kMostSamples) return {convolve(value)};
  std::vector<DraftValue> made;
  for (std::int64_t i = 0; i < samples; ++i) {
    made.push_back(convolve(Draft::channels(value, i, i + 1)));
  }
  return {call.add(Concat{0}, std::move(made), "samples")};
}

DraftValue convolved(ConversionContext& call, const DraftValue& value) {
  if (call.rank(value) == 5) return convolved_frames(call, value);
  const FeatureMap map = feature_map(call, value, false);
  const Weights taken = weights(call, map);
  const Window shape = window(call, map, taken.kernel);
  const std::int64_t channels = map.value.shape.channels();
  const auto dims = taken.tensor.dims();
  Conv conv;
  conv.out_channels = dims[0];
  conv.groups = groups(call, channels);
  if (dims[1] != channels / conv.groups)
    call.bad(message("its weights are for {} channels in {} groups, its input has {}", dims[1] * conv.groups,
                     conv.groups, channels));
  conv.kernel = shape.kernel;
  conv.stride = shape.stride;
  conv.dilation = shape.dilation;
  conv.padding = shape.begin;
  conv.end_padding = shape.end_padding();
  Tensor given = bias(call, conv.out_channels);
  return restored(call, map, call.add(conv, {map.value}, taken.tensor, std::move(given)));
}

Converted convert_conv(ConversionContext& call) {
  return of_each_sample(call, [&](const DraftValue& value) { return convolved(call, value); });
}

// How a transposed convolution's full output is cropped along one axis.
struct Crop {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t extra = 0;  // added to the output after the crop
};

// To the wanted size; ONNX's text on ConvTranspose has the formula.
Crop crop_to(std::int64_t full, std::int64_t extra, std::int64_t wanted, bool more_at_end) {
  const std::int64_t total = full + extra - wanted;
  if (total < 0) return {0, 0, extra - total};
  const std::int64_t less = total / 2;
  return more_at_end ? Crop{less, total - less, extra} : Crop{total - less, less, extra};
}

struct Crops {
  Crop height;
  Crop width;
};

Crops crops(ConversionContext& call, const FeatureMap& map, const Window& shape) {
  const Shape& in = map.value.shape;
  const Extent extra = extent(call, call.integers("output_padding"), map.axes, 0, "output_padding");
  const std::string automatic = call.text("auto_pad", "NOTSET");
  auto wanted = call.integers("output_shape");
  // Some exporters write all axes.
  if (wanted && wanted->size() == map.axes + 2) wanted->erase(wanted->begin(), wanted->begin() + 2);
  const Extent full{(in.height() - 1) * shape.stride.height + shape.dilation.height * (shape.kernel.height - 1) + 1,
                    (in.width() - 1) * shape.stride.width + shape.dilation.width * (shape.kernel.width - 1) + 1};
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (wanted || same) {
    Extent to{in.height() * shape.stride.height, in.width() * shape.stride.width};
    if (wanted) to = extent(call, wanted, map.axes, 1, "output_shape");
    if (map.axes == 1) to.height = in.height();  // 1, or samples
    const bool more_at_end = automatic == "SAME_UPPER";
    return {crop_to(full.height, extra.height, to.height, more_at_end),
            crop_to(full.width, extra.width, to.width, more_at_end)};
  }
  Window pads = shape;
  if (automatic == "NOTSET") {
    read_pads(call, pads, map.axes);
  } else if (automatic != "VALID") {
    call.bad(message("its attribute 'auto_pad' is '{}'", automatic));
  }
  return {{pads.begin.height, pads.end.height, extra.height}, {pads.begin.width, pads.end.width, extra.width}};
}

// Returns the attributes of a node with three spatial axes for its depth alone, or for height and width.
NodeAttributes of_axes(ConversionContext& call, bool depth) {
  NodeAttributes made = call.node().attributes;
  for (const char* const name : {"kernel_shape", "strides", "dilations", "pads", "output_padding"}) {
    const auto list = call.integers(name);
    if (!list) continue;
    const bool pads = std::string_view(name) == "pads";
    const std::size_t count = pads ? 2 : 1;
    const std::int64_t none = pads || std::string_view(name) == "output_padding" ? 0 : 1;
    if (list->size() != 3 * count)
      call.bad(message("its attribute '{}' has {} values instead of {}", name, list->size(), 3 * count));
    Dims kept;
    for (std::size_t i = 0; i < list->size(); i += 3) {
      kept.push_back(depth ? (*list)[i] : (*list)[i + 1]);
      kept.push_back(depth ? none : (*list)[i + 2]);
    }
    made.insert_or_assign(name, std::move(kept));
  }
  return made;
}

// The depth of a transposed convolution over three axes.
struct TransposedDepth {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t begin = 0;  // what is cropped of the full output
  std::int64_t places = 1;

  // Returns the pairs of a frame and a tap that add up to a place of the output.
  std::vector<std::pair<std::int64_t, std::int64_t>> sources(std::int64_t place, std::int64_t frames) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (std::int64_t tap = 0; tap < kernel; ++tap) {
      const std::int64_t from = place + begin - tap * dilation;
      if (from >= 0 && from % stride == 0 && from / stride < frames) found.emplace_back(from / stride, tap);
    }
    return found;
  }
};

TransposedDepth transposed_depth(ConversionContext& call, std::int64_t frames, std::int64_t kernel) {
  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (call.integers("output_shape") || (automatic != "NOTSET" && automatic != "VALID"))
    call.unsupported(message("a transposed convolution over 3 axes to a given size"));
  const NodeAttributes attributes = of_axes(call, true);
  const auto first = [&](const char* name, std::size_t i, std::int64_t absent) {
    const auto found = attributes.find(name);
    const std::int64_t value = found == attributes.end() ? absent : std::get<Dims>(found->second)[i];
    if (!in_range(value, absent)) call.bad(message("its attribute '{}' does not fit three axes", name));
    return value;
  };
  TransposedDepth depth{.kernel = kernel};
  depth.stride = first("strides", 0, 1);
  depth.dilation = first("dilations", 0, 1);
  depth.begin = first("pads", 0, 0);
  const std::int64_t full = (frames - 1) * depth.stride + depth.dilation * (kernel - 1) + 1;
  depth.places = full - depth.begin - first("pads", 2, 0) + first("output_padding", 0, 0);
  if (depth.places < 1) call.bad(message("its kernel is deeper than its input"));
  if (depth.places > kMostFrames) call.unsupported(message("a window at {} depths in {} groups", depth.places, 1));
  return depth;
}

// Returns the weights of these taps side by side: of each tap the channels that it reads.
HostTensor over_taps(const HostTensor& given, std::span<const std::pair<std::int64_t, std::int64_t>> sources) {
  const auto dims = given.dims();
  const std::int64_t area = dims[3] * dims[4];
  std::vector<float> made;
  for (const auto& [frame, tap] : sources) {
    for (std::int64_t plane = 0; plane < dims[0] * dims[1]; ++plane) {
      const auto from = given.floats().begin() + (plane * dims[2] + tap) * area;
      made.insert(made.end(), from, from + area);
    }
  }
  return HostTensor::of_floats({std::ssize(sources) * dims[0], dims[1], dims[3], dims[4]}, std::move(made));
}

// A transposed convolution over three axes: for each place along the first one over two, of the frames that reach it.
DraftValue transposed_frames(ConversionContext& call, const DraftValue& value) {
  const HostTensor* const given = call.floats(1);
  const DraftValue sample = call.lead() == 1 ? value : call.reshape(value, Shape(value.shape.dims().subspan(1)));
  const Shape& in = sample.shape;
  if (given->rank() != 5 || given->elements() == 0 || given->dims()[0] != in[0])
    call.bad(message("its weights do not fit three axes"));
  if (call.integer("group", 1) != 1) call.unsupported(message("a transposed convolution over 3 axes in groups"));
  const TransposedDepth depth = transposed_depth(call, in[1], given->dims()[2]);
  NodeAttributes attributes = of_axes(call, false);
  const DraftValue turned = call.transpose(sample, {1, 0, 2, 3}, "frames");
  const DraftValue apart = call.reshape(turned, Shape{in[1] * in[0], in[2], in[3]});
  std::vector<DraftValue> made;
  for (std::int64_t place = 0; place < depth.places; ++place) {
    const auto sources = depth.sources(place, in[1]);
    if (sources.empty()) call.unsupported(message("a transposed convolution with depths that nothing reaches"));
    std::vector<DraftValue> taps;
    for (const auto& [frame, tap] : sources) taps.push_back(Draft::channels(apart, frame * in[0], (frame + 1) * in[0]));
    DraftValue read = taps.size() == 1 ? taps.front() : call.add(Concat{0}, std::move(taps), "taps");
    if (call.lead() == 0) read = call.reshape(read, Shape{1, read.shape[0], in[2], in[3]});
    call.spend(given->elements() / given->dims()[2] * std::ssize(sources));
    const DraftValue frame = call.as_value(
        call.compose("ConvTranspose", {read, over_taps(*given, sources), call.input(2)}, "frame", attributes));
    made.push_back(call.reshape(frame, Shape(frame.shape.dims().last(3))));
  }
  const Shape plane = made.front().shape;
  DraftValue all = made.size() == 1 ? made.front() : call.add(Concat{0}, std::move(made), "places");
  all = call.reshape(all, Shape{depth.places, plane[0], plane[1], plane[2]});
  all = call.transpose(all, {1, 0, 2, 3}, "depth");
  if (call.lead() == 1) return all;
  return call.reshape(all, Shape{1, plane[0], depth.places, plane[1], plane[2]});
}

DraftValue transposed(ConversionContext& call, const DraftValue& value) {
  if (call.rank(value) == 5) return transposed_frames(call, value);
  const FeatureMap map = feature_map(call, value, false);
  const Weights taken = weights(call, map);
  const Window shape = unpadded_window(call, map, taken.kernel);
  const auto dims = taken.tensor.dims();
  const std::int64_t channels = map.value.shape.channels();
  if (dims[0] != channels) call.bad(message("its weights are for {} channels, its input has {}", dims[0], channels));
  ConvTranspose conv;
  conv.groups = groups(call, channels);
  if (dims[1] > kMaxExtent / conv.groups) call.bad(message("has too many output channels"));
  conv.out_channels = dims[1] * conv.groups;
  conv.kernel = shape.kernel;
  conv.stride = shape.stride;
  conv.dilation = shape.dilation;
  const auto [height, width] = crops(call, map, shape);
  conv.padding = {height.begin, width.begin};
  conv.end_padding = {height.end - height.begin, width.end - width.begin};
  conv.output_padding = {height.extra, width.extra};
  Tensor given = bias(call, conv.out_channels);
  return restored(call, map, call.add(conv, {map.value}, taken.tensor, std::move(given)));
}

Converted convert_conv_transpose(ConversionContext& call) {
  return of_each_sample(call, [&](const DraftValue& value) { return transposed(call, value); });
}

// Windows of three axes: those of every frame, then those along the depth.
DraftValue pooled_frames(ConversionContext& call, const DraftValue& value) {
  const std::size_t at = value.shape.rank() - 4;  // the channels
  const auto with = [&](const Shape& shape, std::initializer_list<std::int64_t> last) {
    Dims dims(shape.dims().begin(), shape.dims().begin() + static_cast<std::ptrdiff_t>(at));
    dims.insert(dims.end(), last);
    return Shape(dims);
  };
  const Shape& in = value.shape;
  const std::string& type = call.node().op_type;
  const DraftValue frames = call.reshape(value, with(in, {in[at] * in[at + 1], in[at + 2], in[at + 3]}), "frames");
  const DraftValue small = call.as_value(call.compose(type, {frames}, "frames", of_axes(call, false)));
  const std::int64_t pixels = small.shape[at + 1] * small.shape[at + 2];
  const DraftValue columns = call.reshape(small, with(in, {in[at], in[at + 1], pixels}), "columns");
  const DraftValue pooled = call.as_value(call.compose(type, {columns}, "columns", of_axes(call, true)));
  return call.reshape(pooled, with(in, {in[at], pooled.shape[at + 1], small.shape[at + 1], small.shape[at + 2]}), "");
}

// Returns the part of a pool's window that lies in the input. One that is larger than an input without padding fits
// only where the number of windows is rounded up, to one.
std::int64_t inside(std::int64_t kernel, std::int64_t in, std::int64_t stride) {
  return kernel > in && kernel - in < stride ? in : kernel;
}

Converted convert_window_pool(ConversionContext& call, PoolKind kind) {
  const DraftValue value = call.value(0);
  if (call.rank(value) == 5) return {pooled_frames(call, value)};
  const FeatureMap map = feature_map(call, value, true);
  const Window shape = window(call, map, std::nullopt);
  Pool pool;
  pool.kind = kind;
  pool.ceil_mode = call.integer("ceil_mode", 0) != 0;
  pool.count_padding = kind == PoolKind::kMax || call.integer("count_include_pad", 0) != 0;
  pool.kernel = shape.kernel;
  pool.stride = shape.stride;
  pool.padding = shape.begin;
  pool.end_padding = shape.end_padding();
  pool.dilation = shape.dilation;
  const bool padded = shape.begin != Extent{0, 0} || shape.end != Extent{0, 0};
  if (pool.ceil_mode && !padded && shape.dilation == Extent{}) {
    const Shape& in = map.value.shape;
    pool.kernel = {inside(shape.kernel.height, in.height(), shape.stride.height),
                   inside(shape.kernel.width, in.width(), shape.stride.width)};
  }
  if (kind == PoolKind::kAverage && shape.dilation != Extent{})
    call.unsupported(message("average pooling with dilation"));
  return {restored(call, map, call.add(pool, {map.value}))};
}

Converted convert_max_pool(ConversionContext& call) {
  if (call.used(1)) call.unsupported(message("the positions of the maxima"));
  return convert_window_pool(call, PoolKind::kMax);
}

Converted convert_average_pool(ConversionContext& call) { return convert_window_pool(call, PoolKind::kAverage); }

DraftValue global_pool(ConversionContext& call, const DraftValue& value, PoolKind kind) {
  const FeatureMap map = feature_map(call, value, true);
  Pool pool;
  pool.kind = kind;
  return restored(call, map, call.add(pool, {map.value}));
}

// Reduces over the axes from `from` on, which stay with a size of 1.
DraftValue reduced_from(ConversionContext& call, ReduceKind kind, const DraftValue& value, std::size_t from) {
  Reduce mean{kind, {}, true};
  for (std::size_t axis = from; axis < value.shape.rank(); ++axis) mean.axes.push_back(axis);
  return call.add(mean, {value});
}

Converted convert_global_average_pool(ConversionContext& call) {
  const DraftValue value = call.value(0);
  if (call.rank(value) < 3) call.bad(message("needs samples x channels x sizes"));
  if (call.rank(value) == 4) return {global_pool(call, value, PoolKind::kGlobalAverage)};
  return {reduced_from(call, ReduceKind::kMean, value, 2 - call.lead())};
}

Converted convert_global_max_pool(ConversionContext& call) {
  const DraftValue value = call.value(0);
  if (call.rank(value) == 5) return {reduced_from(call, ReduceKind::kMax, value, 2 - call.lead())};
  return {global_pool(call, value, PoolKind::kGlobalMax)};
}

Converted convert_global_lp_pool(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t p = call.integer("p", 2);
  if (p != 1 && p != 2) call.unsupported(message("the norm of order {}", p));
  if (call.rank(value) < 3) call.bad(message("needs samples x channels x sizes"));
  return {reduced_from(call, p == 1 ? ReduceKind::kL1 : ReduceKind::kL2, value, 2 - call.lead())};
}

// Samples that are an axis of the shape become channels of one map, with zeros between them, which add nothing.
Converted convert_lrn(ConversionContext& call) {
  const DraftValue value = call.value(0);
  Lrn lrn;
  lrn.size = call.integer("size", 0);
  lrn.alpha = call.number("alpha", 1e-4F);
  lrn.beta = call.number("beta", 0.75F);
  lrn.bias = call.number("bias", 1);
  if (call.rank(value) < 2) call.bad(message("needs samples x channels"));
  if (lrn.size < 1 || lrn.size > kMaxExtent) call.bad(message("size {} must lie in 1..{}", lrn.size, kMaxExtent));
  if (call.lead() == 1 && value.shape.rank() == 3) return {call.add(lrn, {value})};
  const std::size_t lead = 1 - call.lead();
  const std::int64_t samples = lead == 1 ? value.shape[0] : 1;
  const std::int64_t channels = value.shape[lead];
  const bool image = value.shape.rank() == lead + 3;
  const std::int64_t height = image ? value.shape[lead + 1] : 1;
  const std::int64_t width = value.shape.elements() / (samples * channels * height);
  const std::int64_t gap = samples > 1 ? lrn.size - 1 : 0;
  if (channels + gap > kMaxExtent / samples) call.unsupported(message("{} channels at once", channels));
  DraftValue made = call.reshape(value, Shape{samples, channels, height, width}, "samples");
  if (gap > 0) made = call.add(Pad{PadMode::kConstant, {0, 0, 0, 0}, {0, gap, 0, 0}, 0}, {made}, "apart");
  made = call.reshape(made, Shape{samples * (channels + gap), height, width}, "channels");
  made = call.add(lrn, {made}, samples > 1 ? "lrn" : "");
  if (gap > 0) {
    made = call.reshape(made, Shape{samples, channels + gap, height, width}, "of_samples");
    const Slice own{{0, 0, 0, 0}, {1, 1, 1, 1}, Shape{samples, channels, height, width}};
    made = call.add(own, {made}, "together");
  }
  return {call.reshape(made, value.shape)};
}

constexpr std::array kWindowConverters{
    Converter{"AveragePool", convert_average_pool},
    Converter{"Conv", convert_conv},
    Converter{"ConvTranspose", convert_conv_transpose},
    Converter{"GlobalAveragePool", convert_global_average_pool},
    Converter{"GlobalMaxPool", convert_global_max_pool},
    Converter{"LRN", convert_lrn},
    Converter{"MaxPool", convert_max_pool},
    Converter{"GlobalLpPool", convert_global_lp_pool},
};

}  // namespace

std::span<const Converter> window_converters() { return kWindowConverters; }

}  // namespace iosx::onnx_import
