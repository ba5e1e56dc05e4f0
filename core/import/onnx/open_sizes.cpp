#include "core/import/onnx/open_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include "core/graph/shape_inference.h"

namespace iosx::onnx_import {
namespace {

constexpr std::int64_t kUsualImage = 224;
constexpr std::int64_t kImageStep = 32;
constexpr std::int64_t kLargestImage = 640;
constexpr std::int64_t kHighestStrip = 64;  // an image of a line of text
constexpr std::int64_t kUsualStrip = 320;
// A choice is tried by converting the model, so that a long model gets fewer.
constexpr std::size_t kNodesToConvert = 60'000;
constexpr std::size_t kFewestChoices = 6;
constexpr std::size_t kMostChoices = 48;
constexpr std::size_t kMostSuggestions = 6;
constexpr std::size_t kMostListed = 8;  // names in an error
constexpr std::size_t kLongestSum = 200;

// 224, then what is nearest to it; then sizes that networks are known for. What takes no square above 64 most likely
// reads lines of text, whose height and width differ.
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

// Names that say only that a size is open.
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

// Sums and products of names and numbers, as exporters write sizes that follow from others.
class Sum {
 public:
  Sum(std::string_view text, const Sizes& sizes) : rest_(text), sizes_(sizes) {}

  std::optional<std::int64_t> value() {
    const auto result = sum();
    skip();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  using Number = std::optional<std::int64_t>;

  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool eat(std::string_view sign) {
    skip();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  Number sum() {
    Number left = product();
    while (left) {
      const bool plus = eat("+");
      if (!plus && !eat("-")) break;
      const Number right = product();
      std::int64_t made = 0;
      if (!right ||
          (plus ? __builtin_add_overflow(*left, *right, &made) : __builtin_sub_overflow(*left, *right, &made)))
        return std::nullopt;
      left = made;
    }
    return left;
  }
  Number product() {
    Number left = factor();
    while (left) {
      const bool times = eat("*");
      if (!times && !eat("//") && !eat("/")) break;
      const Number right = factor();
      std::int64_t made = 0;
      if (!right || (times ? __builtin_mul_overflow(*left, *right, &made) : *right < 1)) return std::nullopt;
      left = times ? made : *left / *right;
    }
    return left;
  }
  Number factor() {
    if (eat("(")) {
      const Number inner = sum();
      return eat(")") ? inner : std::nullopt;
    }
    std::size_t end = 0;
    while (end < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[end])) != 0 || rest_[end] == '_' || rest_[end] == '.')) {
      ++end;
    }
    const std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    const auto found = sizes_.symbols.find(word);
    if (found != sizes_.symbols.end()) return found->second;
    const bool number = !word.empty() && word.size() < 10 &&
                        std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    return number ? Number(std::stoll(word)) : std::nullopt;
  }

  std::string_view rest_;
  const Sizes& sizes_;
};

// Sizes that the weights of an input's reader leave no choice about: by input and axis, negative from the end.
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
      found.emplace(*input, std::pair{1, dims[1] * int_attribute(node, "group", 1).value_or(1)});
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

// Tensors that a recurrent layer reads as positions x sequences x features.
std::set<std::string> inputs_by_time(const OnnxModel& model) {
  std::set<std::string> found;
  for (const Node& node : model.nodes) {
    const std::string* const input = node.input(0);
    const bool recurrent = node.domain.empty() && is_one_of(node.op_type, {"LSTM", "GRU", "RNN"});
    if (recurrent && input != nullptr && int_attribute(node, "layout", 0).value_or(0) == 0) found.insert(*input);
  }
  return found;
}

std::string option_text(const std::string& input, const Dims& shape) {
  return fmt::format("--shape {}={}", input, sizes_text(shape));
}

std::string listed(std::vector<std::string> names) {
  if (names.size() <= kMostListed) return fmt::format("{}", fmt::join(names, ", "));
  const std::size_t more = names.size() - kMostListed;
  names.resize(kMostListed);
  return fmt::format("{} and {} more", fmt::join(names, ", "), more);
}

}  // namespace

std::optional<std::int64_t> Sizes::of(const std::string& symbol) const {
  if (const auto found = symbols.find(symbol); found != symbols.end()) return found->second;
  if (symbol.size() > kLongestSum || symbol.find_first_of("+-*/(") == std::string::npos) return std::nullopt;
  const auto value = Sum(symbol, *this).value();
  return value && *value >= 1 ? value : std::nullopt;
}

struct OpenSizes::Place {
  Role role = Role::kUnknown;
  std::string alias = {};                   // a name for it; empty: that of input and axis
  std::optional<std::int64_t> prefer = {};  // the other side of an image
};

Result<OpenSizes> OpenSizes::of(const OnnxModel& model, const OnnxOptions& options) {
  OpenSizes made;
  made.take_inputs(model, options);
  made.name_axes(model, options);
  auto done = made.take_shapes(options);
  if (done) done = made.take_dims(options);
  if (done) done = made.check_given();
  if (!done) return tl::unexpected(std::move(done.error()));
  made.list_choices(model.nodes.size());
  return made;
}

void OpenSizes::take_inputs(const OnnxModel& model, const OnnxOptions& options) {
  for (const ValueInfo& info : model.inputs) {
    if (options.bind.contains(info.name)) continue;
    SizedInput input{info.name, info.type, {}, info.dims.has_value()};
    if (info.dims) {
      for (const Dim& dim : *info.dims) {
        const bool beyond = input.axes.size() > Shape::kMaxRank + 1;  // is refused later
        input.axes.push_back(
            {beyond ? std::int64_t{1} : dim.size, says_nothing(dim.symbol) ? std::string() : dim.symbol});
      }
    } else if (const auto shape = options.shapes.find(info.name); shape != options.shapes.end()) {
      input.axes.resize(shape->second.size());
      input.known_rank = true;
    }
    leading_open_ = leading_open_ || (input.axes.size() >= 2 && !input.axes.front().size);
    inputs_.push_back(std::move(input));
  }
}

std::size_t OpenSizes::dim_named(const std::string& name) {
  const auto [at, added] = index_.emplace(name, dims_.size());
  if (added) dims_.push_back({.name = name});
  return at->second;
}

OpenSizes::Role OpenSizes::role_of_name(const std::string& symbol, bool integers) {
  const std::string name = lower_case(symbol);
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (has("batch") || is_one_of(name, {"bs", "b", "n"})) return Role::kBatch;
  if (has("height") || has("width") || is_one_of(name, {"h", "w"})) return Role::kImage;
  if (has("channel")) return Role::kChannels;
  if (has("seq") || has("token") || has("text") || has("past")) return integers ? Role::kText : Role::kSequence;
  if (has("sample") || has("audio") || has("wav")) return Role::kSound;
  if (has("len") || has("time") || has("frame") || name == "t") return integers ? Role::kText : Role::kSequence;
  return Role::kUnknown;
}

// The roles of axes without a telling name.
OpenSizes::Place OpenSizes::place_of(const SizedInput& input, std::size_t axis) const {
  const std::size_t rank = input.axes.size();
  const auto open = [&](std::size_t i) { return !input.axes[i].size; };
  const auto few = [&](std::size_t i) {  // channels of an image
    const auto size = input.axes[i].size;
    return size && (*size == 1 || *size == 3);
  };
  const bool bytes = input.type == ElementType::kUint8;
  const bool integers = is_integer(input.type) && !bytes;
  const std::string name = lower_case(input.name);
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  const bool named_image = bytes || has("image") || has("img") || has("pixel");

  // Where an image's height is; its width follows.
  std::optional<std::size_t> height;
  if (rank >= 4 && !integers) {
    const bool first = few(rank - 3) && (open(rank - 2) || open(rank - 1));
    const bool last = few(rank - 1) && (open(rank - 3) || open(rank - 2));
    if (first || (!last && open(rank - 2) && open(rank - 1))) height = rank - 2;
    if (!first && last) height = rank - 3;
  } else if (rank == 3 && !integers) {
    const auto size = input.axes[0].size;
    if (size == 3 && open(1) && open(2)) height = 1;
    if (named_image && few(2) && open(0) && open(1)) height = 0;
  }
  if (height && (axis == *height || axis == *height + 1)) {
    const auto other = input.axes[axis == *height ? axis + 1 : axis - 1].size;
    const Role role = other && *other <= kHighestStrip ? Role::kStrip : Role::kImage;
    return {role, axis == *height ? "height" : "width", role == Role::kImage ? other : std::nullopt};
  }
  if (height && rank == 4 && axis == (*height == 2 ? 1U : 3U)) return {Role::kChannels, "channels"};
  if (input.time_first && axis <= 1) {
    return axis == 0 ? Place{Role::kSequence, "sequence"} : Place{Role::kBatch, "batch"};
  }
  if (axis == 0 && rank >= 2) return {Role::kBatch, "batch"};
  if (axis == 0 && leading_open_) return {Role::kBatch, "batch"};
  // Of a recurrent layer: directions x sequences x hidden.
  const bool state = is_one_of(name, {"state", "hidden", "cell", "h", "c", "h0", "c0", "h_0", "c_0", "hx", "cx"});
  if (state && rank == 3 && axis == 1 && !open(0) && !open(2)) return {Role::kBatch, "batch"};
  const bool sound = has("audio") || has("wav") || has("speech") || has("pcm") || has("input_values");
  if (rank <= 2 && integers) return {Role::kText, "sequence"};
  if (rank <= 2 && sound) return {Role::kSound, {}};
  if (rank >= 3 && axis >= 1 && axis + 1 >= rank - 1 && (axis == rank - 2 || !open(rank - 2))) {
    return {Role::kSequence, rank == 3 ? "sequence" : ""};
  }
  return {};
}

void OpenSizes::name_axis(SizedInput& input, std::size_t axis) {
  Axis& open = input.axes[axis];
  const Place place = place_of(input, axis);
  std::string name = !open.symbol.empty() ? open.symbol : place.alias;
  if (name.empty()) name = fmt::format("{}[{}]", input.name, axis);
  open.dim = dim_named(name);
  Dimension& dim = dims_[open.dim];
  dim.width = dim.width || (place.alias == "width" && input.axes[axis - 1].dim != open.dim);
  Role role = open.symbol.empty() ? Role::kUnknown : role_of_name(open.symbol, is_integer(input.type));
  if (role == Role::kUnknown || (role == Role::kImage && place.role == Role::kStrip)) role = place.role;
  if (dim.role == Role::kUnknown || role == Role::kBatch) dim.role = role;
  if (place.prefer && dim.candidates.empty()) dim.candidates.push_back(*place.prefer);
}

void OpenSizes::name_axes(const OnnxModel& model, const OnnxOptions& options) {
  const auto time_first = inputs_by_time(model);
  for (SizedInput& input : inputs_) {
    input.time_first = input.axes.size() == 3 && time_first.contains(input.name);
    for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
      if (!input.axes[axis].size) name_axis(input, axis);
    }
  }
  if (dims_.empty()) return;
  const auto known = sizes_of_readers(model);
  for (const SizedInput& input : inputs_) {
    const auto [begin, end] = known.equal_range(input.name);
    for (auto reader = begin; reader != end; ++reader) {
      const auto [from, size] = reader->second;
      const auto rank = static_cast<std::int64_t>(input.axes.size());
      const std::int64_t axis = from < 0 ? from + rank : from;
      if (axis < 0 || axis >= rank || size < 1 || size > kMaxExtent) continue;
      const Axis& open = input.axes[static_cast<std::size_t>(axis)];
      if (!open.size && dims_[open.dim].role != Role::kBatch) dims_[open.dim].candidates = {size};
    }
  }
  for (Dimension& dim : dims_) {
    if (dim.candidates.size() == 1 && dim.role != Role::kImage) continue;
    std::vector<std::int64_t> usual;
    switch (dim.role) {
      case Role::kBatch: usual = {options.batch}; break;
      case Role::kChannels: usual = {3, 1, 4}; break;
      case Role::kImage: usual = image_sizes(dim.width); break;
      case Role::kStrip: usual = {320, 160, 256, 128, 192, 96, 64, 100, 480, 640}; break;
      case Role::kText: usual = {128, 64, 32, 16, 8, 256, 512, 77, 1}; break;
      case Role::kSequence: usual = {128, 256, 64, 512, 1024, 32, 16, 8, 3000, 1}; break;
      case Role::kSound: usual = {16000, 512, 1024, 1536, 48000, 256}; break;
      case Role::kUnknown: usual = {1, 16, 32, 64, 128, 256, 2, 4, 8, 512}; break;
    }
    dim.candidates.insert(dim.candidates.end(), usual.begin(), usual.end());
  }
  find_derived();
}

void OpenSizes::find_derived() {
  Sizes plain;
  for (const Dimension& dim : dims_) {
    if (dim.name.find_first_of("+-*/(") == std::string::npos) plain.symbols.emplace(dim.name, kMaxExtent);
  }
  for (Dimension& dim : dims_) dim.derived = !plain.symbols.contains(dim.name) && plain.of(dim.name).has_value();
}

std::string OpenSizes::names() const {
  std::vector<std::string> names;
  for (const Dimension& dim : dims_) names.push_back(name_text(dim.name));
  return names.empty() ? "the file leaves none open" : "the file leaves open " + listed(std::move(names));
}

Result<void> OpenSizes::take_shapes(const OnnxOptions& options) {
  for (const auto& [name, shape] : options.shapes) {
    const std::string where = option_text(name, shape);
    const auto input = std::ranges::find(inputs_, name, &SizedInput::name);
    if (input == inputs_.end()) {
      std::vector<std::string> known;
      for (const SizedInput& other : inputs_) known.push_back(name_text(other.name));
      return fail("names no input of the network", where, "its inputs are " + listed(std::move(known)));
    }
    if (input->axes.size() != shape.size()) {
      std::vector<std::string> axes;
      for (const Axis& axis : input->axes)
        axes.push_back(axis.size ? fmt::to_string(*axis.size) : dims_[axis.dim].name);
      return fail(fmt::format("has {} sizes, and the input has {} axes", shape.size(), input->axes.size()), where,
                  axes.empty() ? "leave it out" : fmt::format("give {}", fmt::join(axes, "x")));
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
      Axis& axis = input->axes[i];
      if (axis.size && *axis.size != shape[i]) {
        return fail(fmt::format("axis {} has the size {} in the file, not {}", i, *axis.size, shape[i]), where,
                    "only sizes that the file leaves open can be given");
      }
      if (axis.size) continue;
      axis.given = shape[i];
      Dimension& dim = dims_[axis.dim];
      if (!axis.symbol.empty() && dim.given.value_or(shape[i]) != shape[i]) {
        return fail(
            fmt::format("gives {} the size {}, and elsewhere it has {}", name_text(dim.name), shape[i], *dim.given),
            where, "a dimension has one size");
      }
      if (!dim.given) dim.given = shape[i];
    }
  }
  return {};
}

Result<void> OpenSizes::take_dims(const OnnxOptions& options) {
  for (const auto& [name, size] : options.dims) {
    const std::string where = fmt::format("--dim {}={}", name, size);
    const auto dim = std::ranges::find(dims_, name, &Dimension::name);
    if (dim == dims_.end()) return fail("names no dimension that the file leaves open", where, names());
    for (const SizedInput& input : inputs_) {
      for (const Axis& axis : input.axes) {
        if (axis.size || &dims_[axis.dim] != &*dim || axis.given.value_or(size) == size) continue;
        return fail(fmt::format("contradicts the shape of {}, which has {} there", name_text(input.name), *axis.given),
                    where, "give one of them");
      }
    }
    dim->given = size;
  }
  return {};
}

// Sizes that follow from others must be those that were given.
Result<void> OpenSizes::check_given() const {
  Sizes sizes;
  for (const Dimension& dim : dims_) {
    if (!dim.derived && dim.given) sizes.symbols.emplace(dim.name, *dim.given);
  }
  for (const Dimension& dim : dims_) {
    const auto follows = dim.derived && dim.given ? sizes.of(dim.name) : std::nullopt;
    if (!follows || *follows == *dim.given) continue;
    return fail(fmt::format("{} was given the size {}, and the other sizes make it {}", name_text(dim.name), *dim.given,
                            *follows),
                "--shape or --dim", "give sizes that fit one another");
  }
  return {};
}

void OpenSizes::list_choices(std::size_t nodes) {
  std::array<std::size_t, kRoles> most{};
  for (const Dimension& dim : dims_) {
    const bool varies = !dim.given && !dim.derived && dim.role != Role::kBatch;
    if (!varies) continue;
    auto& count = most[static_cast<std::size_t>(dim.role)];
    count = std::max(count, dim.candidates.size());
  }
  choices_.push_back({});
  std::vector<std::size_t> varying;
  for (const Role role :
       {Role::kChannels, Role::kImage, Role::kStrip, Role::kText, Role::kSequence, Role::kSound, Role::kUnknown}) {
    const auto at = static_cast<std::size_t>(role);
    if (most[at] < 2) continue;
    varying.push_back(at);
    for (std::size_t i = 1; i < most[at]; ++i) {
      choices_.push_back({});
      choices_.back()[at] = i;
    }
  }
  if (varying.size() >= 2) {
    constexpr std::size_t kOfEach = 4;
    for (std::size_t i = 1; i < std::min(most[varying[0]], kOfEach); ++i) {
      for (std::size_t j = 1; j < std::min(most[varying[1]], kOfEach); ++j) {
        choices_.push_back({});
        choices_.back()[varying[0]] = i;
        choices_.back()[varying[1]] = j;
      }
    }
  }
  const std::size_t affordable =
      std::clamp(kNodesToConvert / std::max<std::size_t>(nodes, 1), kFewestChoices, kMostChoices);
  if (choices_.size() > affordable) choices_.resize(affordable);
}

std::int64_t OpenSizes::size_of(const Axis& axis, const Choice& choice, const Sizes& sizes) const {
  if (axis.size) return *axis.size;
  if (axis.given) return *axis.given;
  const Dimension& dim = dims_[axis.dim];
  if (dim.given) return *dim.given;
  if (dim.derived) return std::min(sizes.of(dim.name).value_or(1), kMaxExtent);
  const std::size_t at = choice[static_cast<std::size_t>(dim.role)];
  return dim.candidates[std::min(at, dim.candidates.size() - 1)];
}

Sizes OpenSizes::sizes(std::size_t choice) const {
  Sizes made;
  for (const bool derived : {false, true}) {
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i].derived != derived) continue;
      Axis axis;
      axis.dim = i;
      made.symbols.emplace(dims_[i].name, size_of(axis, choices_[choice], made));
    }
  }
  for (const SizedInput& input : inputs_) {
    if (!input.known_rank) continue;
    Dims dims;
    for (const Axis& axis : input.axes) dims.push_back(size_of(axis, choices_[choice], made));
    made.inputs.emplace(input.name, std::move(dims));
  }
  return made;
}

std::optional<OpenSizes::Batch> OpenSizes::batch(const Sizes& sizes) const {
  std::optional<Batch> found;
  bool samples = false;  // have axes of their own
  for (const SizedInput& input : inputs_) {
    if (input.axes.empty()) return std::nullopt;
    const Axis& leading = input.axes.front();
    if (leading.size) {
      const bool image = input.axes.size() == 3 && place_of(input, 1).role == Role::kImage && !input.axes[1].size;
      if (input.axes.size() < 2 || (image && !input.axes[2].size)) return std::nullopt;
    } else if (dims_[leading.dim].role != Role::kBatch) {
      return std::nullopt;
    }
    samples = samples || input.axes.size() >= 2;
    const std::int64_t size = sizes.inputs.at(input.name).front();
    if (found && found->size != size) return std::nullopt;
    found = Batch{size, (found && found->open) || !leading.size};
  }
  return samples ? found : std::nullopt;
}

SizeOrigin OpenSizes::origin_of(const Axis& axis) const {
  if (axis.size) return SizeOrigin::kFile;
  return axis.given || dims_[axis.dim].given ? SizeOrigin::kGiven : SizeOrigin::kChosen;
}

FileInterface OpenSizes::describe(std::size_t choice) const {
  const Sizes chosen = sizes(choice);
  FileInterface interface;
  std::vector<std::vector<std::string>> places(dims_.size());
  for (const SizedInput& input : inputs_) {
    FileTensor tensor{.name = input.name, .op = input.name};
    if (input.type != ElementType::kUndefined) tensor.type = to_string(input.type);
    for (std::size_t i = 0; i < input.axes.size(); ++i) {
      const Axis& axis = input.axes[i];
      tensor.axes.push_back(
          {size_of(axis, choices_[choice], chosen), origin_of(axis), axis.size ? std::string() : dims_[axis.dim].name});
      if (!axis.size) places[axis.dim].push_back(fmt::format("axis {} of {}", i, name_text(input.name)));
    }
    interface.inputs.push_back(std::move(tensor));
  }
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    const Dimension& dim = dims_[i];
    if (dim.derived) continue;
    std::vector<std::int64_t> suggestions;
    for (const std::int64_t size : dim.candidates) {
      if (suggestions.size() == kMostSuggestions) break;
      if (std::ranges::find(suggestions, size) == suggestions.end()) suggestions.push_back(size);
    }
    interface.open.push_back({dim.name, chosen.symbols.at(dim.name),
                              dim.given ? SizeOrigin::kGiven : SizeOrigin::kChosen, std::move(suggestions),
                              std::move(places[i]), dim.role == Role::kBatch});
  }
  return interface;
}

}  // namespace iosx::onnx_import
