#include "core/formats/onnx/convert/open_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/formats/onnx/sizes.h"

namespace iosx::onnx_import {
namespace {

constexpr std::int64_t kUsualImage = 224;
constexpr std::int64_t kImageStep = 32;
constexpr std::int64_t kLargestImage = 640;
constexpr std::int64_t kHighestStrip = 64;  // an image of a line of text
constexpr std::int64_t kUsualStrip = 320;

// Returns 224, then what is nearest to it; then sizes that networks are known for. What takes no square above 64 most
// likely reads lines of text, whose height and width differ.
std::vector<std::int64_t> image_sizes(bool width) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = kImageStep; size <= kLargestImage; size += kImageStep) sizes.push_back(size);
  std::ranges::sort(sizes, [](std::int64_t a, std::int64_t b) {
    const std::int64_t far_a = std::abs(a - kUsualImage);
    const std::int64_t far_b = std::abs(b - kUsualImage);
    return far_a != far_b ? far_a < far_b : a > b;
  });
  const auto small = std::ranges::find(sizes, kHighestStrip);
  if (width) sizes.insert(small, {kUsualStrip, kUsualStrip, kUsualStrip});
  if (!width) sizes.insert(small, {48, 32, 64});
  sizes.insert(sizes.end(), {299, 227, 331, 28, 800, 1024});
  return sizes;
}

// Returns whether a name only says that a size is open.
bool says_nothing(const std::string& symbol) {
  return symbol.empty() || symbol == "?" || symbol == "-1" || symbol == "None" || symbol == "none" || symbol == "*" ||
         symbol == "unk" || symbol == "unknown" || symbol == "dynamic";
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::string lower_case(const std::string& text) {
  std::string made = text;
  std::ranges::transform(made, made.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

// Returns sizes that the weights of an input's reader leave no choice about: by input and axis, negative from the end.
std::multimap<std::string, std::pair<std::int64_t, std::int64_t>> sizes_of_readers(const OnnxModel& model) {
  std::multimap<std::string, std::pair<std::int64_t, std::int64_t>> found;
  for (const Node& node : model.nodes) {
    const std::string* const input = node.input(0);
    const std::string* const weights = node.input(1);
    if (input == nullptr || weights == nullptr || !node.domain.empty()) continue;
    const auto tensor = model.initializers.find(*weights);
    if (tensor == model.initializers.end()) continue;
    const auto dims = tensor->second.dims();
    if (node.op_type == "Conv" && dims.size() >= 3) {
      std::int64_t channels = 0;
      const std::int64_t groups = int_attribute(node, "group", 1).value_or(1);
      if (!__builtin_mul_overflow(dims[1], groups, &channels)) found.emplace(*input, std::pair{1, channels});
    } else if (node.op_type == "MatMul" && dims.size() >= 2) {
      found.emplace(*input, std::pair{-1, dims[dims.size() - 2]});
    } else if (node.op_type == "Gemm" && dims.size() == 2 && int_attribute(node, "transA", 0).value_or(0) == 0) {
      found.emplace(*input, std::pair{-1, dims[int_attribute(node, "transB", 0).value_or(0) != 0 ? 1 : 0]});
    } else if (node.op_type == "BatchNormalization" && dims.size() == 1) {
      found.emplace(*input, std::pair{1, dims[0]});
    } else if (is_one_of(node.op_type, {"LSTM", "GRU", "RNN"}) && dims.size() == 3) {
      found.emplace(*input, std::pair{2, dims[2]});
    }
  }
  return found;
}

// Returns tensors that a recurrent layer reads as positions x sequences x features.
std::set<std::string> inputs_by_time(const OnnxModel& model) {
  std::set<std::string> found;
  for (const Node& node : model.nodes) {
    const std::string* const input = node.input(0);
    const bool recurrent = node.domain.empty() && is_one_of(node.op_type, {"LSTM", "GRU", "RNN"});
    if (recurrent && input != nullptr && int_attribute(node, "layout", 0).value_or(0) == 0) found.insert(*input);
  }
  return found;
}

// The apparent role of an axis without a telling name, by its place.
struct Place {
  AxisRole role = AxisRole::kUnknown;
  std::string alias = {};                   // a name for it; empty: that of input and axis
  std::optional<std::int64_t> prefer = {};  // the other side of an image
};

Place place_of(const SizedInput& input, std::size_t axis, bool leading_open) {
  const std::size_t rank = input.axes.size();
  const auto open = [&](std::size_t i) { return !input.axes[i].size; };
  const bool integers = is_integer(input.type) && input.type != ElementType::kUint8;
  const std::string name = lower_case(input.name);
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  const auto height = image_height(input);
  if (height && (axis == *height || axis == *height + 1)) {
    const auto other = input.axes[axis == *height ? axis + 1 : axis - 1].size;
    const AxisRole role = other && *other <= kHighestStrip ? AxisRole::kStrip : AxisRole::kImage;
    return {role, axis == *height ? "height" : "width", role == AxisRole::kImage ? other : std::nullopt};
  }
  if (height && rank == 4 && axis == (*height == 2 ? 1U : 3U)) return {AxisRole::kChannels, "channels"};
  if (input.time_first && axis <= 1)
    return axis == 0 ? Place{AxisRole::kSequence, "sequence"} : Place{AxisRole::kBatch, "batch"};
  if (axis == 0 && rank >= 2) return {AxisRole::kBatch, "batch"};
  if (axis == 0 && leading_open) return {AxisRole::kBatch, "batch"};
  // A recurrent layer's state is directions x sequences x hidden.
  const bool state = is_one_of(name, {"state", "hidden", "cell", "h", "c", "h0", "c0", "h_0", "c_0", "hx", "cx"});
  if (state && rank == 3 && axis == 1 && !open(0) && !open(2)) return {AxisRole::kBatch, "batch"};
  const bool sound = has("audio") || has("wav") || has("speech") || has("pcm") || has("input_values");
  if (rank <= 2 && integers) return {AxisRole::kText, "sequence"};
  if (rank <= 2 && sound) return {AxisRole::kSound, {}};
  if (rank >= 3 && axis >= 1 && axis + 1 >= rank - 1 && (axis == rank - 2 || !open(rank - 2)))
    return {AxisRole::kSequence, rank == 3 ? "sequence" : ""};
  return {};
}

AxisRole role_of_name(const std::string& symbol, bool integers) {
  const std::string name = lower_case(symbol);
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (has("batch") || is_one_of(name, {"bs", "b", "n"})) return AxisRole::kBatch;
  if (has("height") || has("width") || is_one_of(name, {"h", "w"})) return AxisRole::kImage;
  if (has("channel")) return AxisRole::kChannels;
  if (has("seq") || has("token") || has("text") || has("past")) return integers ? AxisRole::kText : AxisRole::kSequence;
  if (has("sample") || has("audio") || has("wav")) return AxisRole::kSound;
  if (has("len") || has("time") || has("frame") || name == "t") return integers ? AxisRole::kText : AxisRole::kSequence;
  return AxisRole::kUnknown;
}

// Returns sizes worth trying.
std::vector<std::int64_t> usual_sizes(AxisRole role, bool width, std::int64_t batch) {
  switch (role) {
    case AxisRole::kBatch: return {batch};
    case AxisRole::kChannels: return {3, 1, 4};
    case AxisRole::kImage: return image_sizes(width);
    case AxisRole::kStrip: return {320, 160, 256, 128, 192, 96, 64, 100, 480, 640};
    case AxisRole::kText: return {128, 64, 32, 16, 8, 256, 512, 77, 1};
    case AxisRole::kSequence: return {128, 256, 64, 512, 1024, 32, 16, 8, 3000, 1};
    case AxisRole::kSound: return {16000, 512, 1024, 1536, 48000, 256};
    case AxisRole::kUnknown: return {1, 16, 32, 64, 128, 256, 2, 4, 8, 512};
  }
  IOS_CHECK(false);
}

class AxisReader {
 public:
  AxisReader(const OnnxModel& model, const OnnxOptions& options) : model_(model), options_(options) {}

  OpenAxes read() && {
    take_inputs();
    name_axes();
    if (!made_.dims.empty()) {
      ask_readers();
      add_usual_sizes();
      find_derived();
    }
    return std::move(made_);
  }

 private:
  void take_inputs() {
    for (const ValueInfo& info : model_.inputs) {
      if (options_.bind.contains(info.name)) continue;
      SizedInput input{info.name, info.type, {}, info.dims.has_value()};
      if (info.dims) {
        for (const Dim& dim : *info.dims) {
          const bool beyond = input.axes.size() > Shape::kMaxRank + 1;  // is refused later
          input.axes.push_back(
              {beyond ? std::int64_t{1} : dim.size, says_nothing(dim.symbol) ? std::string() : dim.symbol});
        }
      } else if (const auto shape = options_.shapes.find(info.name); shape != options_.shapes.end()) {
        input.axes.resize(shape->second.size());
        input.known_rank = true;
      }
      leading_open_ = leading_open_ || (input.axes.size() >= 2 && !input.axes.front().size);
      made_.inputs.push_back(std::move(input));
    }
  }

  std::size_t dim_named(const std::string& name) {
    const auto [at, added] = index_.emplace(name, made_.dims.size());
    if (added) made_.dims.push_back({.name = name});
    return at->second;
  }

  void name_axis(SizedInput& input, std::size_t axis) {
    InputAxis& open = input.axes[axis];
    const Place place = place_of(input, axis, leading_open_);
    std::string name = !open.symbol.empty() ? open.symbol : place.alias;
    if (name.empty()) name = fmt::format("{}[{}]", input.name, axis);
    open.dim = dim_named(name);
    OpenDimension& dim = made_.dims[open.dim];
    dim.width = dim.width || (place.alias == "width" && input.axes[axis - 1].dim != open.dim);
    dim.may_be_empty = lower_case(name).find("past") != std::string::npos;
    AxisRole role = open.symbol.empty() ? AxisRole::kUnknown : role_of_name(open.symbol, is_integer(input.type));
    if (role == AxisRole::kUnknown || (role == AxisRole::kImage && place.role == AxisRole::kStrip)) role = place.role;
    if (dim.role == AxisRole::kUnknown || role == AxisRole::kBatch) dim.role = role;
    if (place.prefer && dim.candidates.empty()) dim.candidates.push_back(*place.prefer);
  }

  void name_axes() {
    const auto time_first = inputs_by_time(model_);
    for (SizedInput& input : made_.inputs) {
      input.time_first = input.axes.size() == 3 && time_first.contains(input.name);
      for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
        if (!input.axes[axis].size) name_axis(input, axis);
      }
    }
  }

  // Finds what an input's reader leaves no choice about.
  void ask_readers() {
    const auto known = sizes_of_readers(model_);
    for (const SizedInput& input : made_.inputs) {
      const auto [begin, end] = known.equal_range(input.name);
      for (auto reader = begin; reader != end; ++reader) {
        const auto [from, size] = reader->second;
        const auto rank = static_cast<std::int64_t>(input.axes.size());
        const std::int64_t axis = from < 0 ? from + rank : from;
        if (axis < 0 || axis >= rank || size < 1 || size > kMaxExtent) continue;
        const InputAxis& open = input.axes[static_cast<std::size_t>(axis)];
        if (!open.size && made_.dims[open.dim].role != AxisRole::kBatch) made_.dims[open.dim].candidates = {size};
      }
    }
  }

  void add_usual_sizes() {
    for (OpenDimension& dim : made_.dims) {
      if (dim.candidates.size() == 1 && dim.role != AxisRole::kImage) continue;
      const auto usual = usual_sizes(dim.role, dim.width, options_.batch);
      dim.candidates.insert(dim.candidates.end(), usual.begin(), usual.end());
    }
  }

  void find_derived() {
    // A large one, of which much can be subtracted, and one whose powers are numbers.
    for (const std::int64_t probe : {kMaxExtent, std::int64_t{64}}) {
      Sizes plain;
      for (const OpenDimension& dim : made_.dims) {
        if (!is_computed(dim.name)) plain.symbols.emplace(dim.name, probe);
      }
      for (OpenDimension& dim : made_.dims) {
        dim.derived = dim.derived || (!plain.symbols.contains(dim.name) && plain.of(dim.name).has_value());
      }
    }
    for (OpenDimension& dim : made_.dims) dim.formula = dim.name;
    find_total();
  }

  // A decoder's whole sequence is that of earlier steps and that of this one, where it names one of each.
  void find_total() {
    const auto named = [&](bool total, bool past) {
      OpenDimension* found = nullptr;
      for (OpenDimension& dim : made_.dims) {
        const std::string name = lower_case(dim.name);
        const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
        if (!has("seq") || has("total") != total || has("past") != past || is_computed(dim.name)) continue;
        if (found != nullptr) return static_cast<OpenDimension*>(nullptr);
        found = &dim;
      }
      return found;
    };
    OpenDimension* const total = named(true, false);
    const OpenDimension* const past = named(false, true);
    const OpenDimension* const now = named(false, false);
    if (total == nullptr || past == nullptr || now == nullptr) return;
    total->formula = fmt::format("{} + {}", past->name, now->name);
    Sizes sizes;
    for (const OpenDimension* const part : {past, now}) sizes.symbols.emplace(part->name, 1);
    total->derived = sizes.of(total->formula) == 2;  // else the names are no words
  }

  const OnnxModel& model_;
  const OnnxOptions& options_;
  OpenAxes made_;
  std::unordered_map<std::string, std::size_t> index_;  // in dims, by name
  bool leading_open_ = false;                           // of an input that has further axes
};

}  // namespace

std::optional<std::size_t> image_height(const SizedInput& input) {
  const std::size_t rank = input.axes.size();
  const auto open = [&](std::size_t i) { return !input.axes[i].size; };
  const auto few = [&](std::size_t i) {  // channels of an image
    const auto size = input.axes[i].size;
    return size && (*size == 1 || *size == 3);
  };
  const bool bytes = input.type == ElementType::kUint8;
  if (is_integer(input.type) && !bytes) return std::nullopt;
  std::optional<std::size_t> height;
  if (rank >= 4) {
    const bool first = few(rank - 3) && (open(rank - 2) || open(rank - 1));
    const bool last = few(rank - 1) && (open(rank - 3) || open(rank - 2));
    if (first || (!last && open(rank - 2) && open(rank - 1))) height = rank - 2;
    if (!first && last) height = rank - 3;
  } else if (rank == 3) {
    const std::string name = lower_case(input.name);
    const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
    const bool named_image = bytes || has("image") || has("img") || has("pixel");
    if (input.axes[0].size == 3 && open(1) && open(2)) height = 1;
    if (named_image && few(2) && open(0) && open(1)) height = 0;
  }
  return height;
}

OpenAxes open_axes(const OnnxModel& model, const OnnxOptions& options) { return AxisReader(model, options).read(); }

}  // namespace iosx::onnx_import
