#include "core/formats/onnx/convert/open_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace iosx::onnx_import {
namespace {

// Choices are tried by converting the model, so a long model gets fewer.
constexpr std::size_t kNodesToConvert = 60'000;
constexpr std::size_t kFewestChoices = 6;
constexpr std::size_t kMostChoices = 48;
constexpr std::size_t kMostSuggestions = 6;
constexpr std::size_t kMostListed = 8;  // names in an error
constexpr std::int64_t kModerate = 64;  // whose powers are numbers

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

Result<OpenSizes> OpenSizes::of(const OnnxModel& model, const OnnxOptions& options) {
  OpenSizes made;
  made.axes_ = open_axes(model, options);
  IOS_TRY(made.take_shapes(options));
  IOS_TRY(made.take_dims(options));
  for (OpenDimension& dim : made.axes_.dims) {
    // A sum that is only likely gives way to sizes that were all given.
    if (dim.formula != dim.name && dim.given && made.given_sizes().of(dim.formula)) dim.derived = false;
  }
  made.solve_given();
  IOS_TRY(made.check_given());
  made.list_choices(model.nodes.size());
  return made;
}

Message OpenSizes::names() const {
  std::vector<std::string> names;
  for (const OpenDimension& dim : axes_.dims) names.push_back(name_text(dim.name));
  return names.empty() ? message("the file leaves no dimension open")
                       : message("the file leaves {} open", listed(std::move(names)));
}

Result<void> OpenSizes::take_shapes(const OnnxOptions& options) {
  for (const auto& [name, shape] : options.shapes) {
    const std::string where = option_text(name, shape);
    const auto input = std::ranges::find(axes_.inputs, name, &SizedInput::name);
    if (input == axes_.inputs.end()) {
      std::vector<std::string> known;
      for (const SizedInput& other : axes_.inputs) known.push_back(name_text(other.name));
      return fail(message("names no input of the network"), where,
                  message("its inputs are {}", listed(std::move(known))));
    }
    if (shape.size() > Shape::kMaxRank + 1)
      return fail(message("has {} axes", shape.size()), where, message("at most {}", Shape::kMaxRank + 1));
    if (input->axes.size() != shape.size()) {
      std::vector<std::string> axes;
      for (const InputAxis& axis : input->axes)
        axes.push_back(axis.size ? fmt::to_string(*axis.size) : axes_.dims[axis.dim].name);
      return fail(message("has rank {}, but the input has rank {}", shape.size(), input->axes.size()), where,
                  axes.empty() ? message("leave it out") : message("give {}", fmt::join(axes, "x")));
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
      InputAxis& axis = input->axes[i];
      if (axis.size && *axis.size != shape[i]) {
        return fail(message("axis {} has the size {} in the file, not {}", i, *axis.size, shape[i]), where,
                    message("only sizes that the file leaves open can be given"));
      }
      if (axis.size) continue;
      axis.given = shape[i];
      OpenDimension& dim = axes_.dims[axis.dim];
      if (!axis.symbol.empty() && dim.given.value_or(shape[i]) != shape[i]) {
        return fail(message("gives {} the size {}, but elsewhere it has {}", name_text(dim.name), shape[i], *dim.given),
                    where, message("a dimension can have only one size"));
      }
      if (!dim.given) dim.given = shape[i];
    }
  }
  return {};
}

Result<void> OpenSizes::take_dims(const OnnxOptions& options) {
  for (const auto& [name, size] : options.dims) {
    const std::string where = fmt::format("--dim {}={}", name, size);
    const auto dim = std::ranges::find(axes_.dims, name, &OpenDimension::name);
    if (dim == axes_.dims.end()) return fail(message("names no dimension that the file leaves open"), where, names());
    for (const SizedInput& input : axes_.inputs) {
      for (const InputAxis& axis : input.axes) {
        if (axis.size || &axes_.dims[axis.dim] != &*dim || axis.given.value_or(size) == size) continue;
        return fail(message("contradicts the shape of {}, which has {} there", name_text(input.name), *axis.given),
                    where, message("give one of them"));
      }
    }
    dim->given = size;
  }
  return {};
}

// Returns sizes of the plain names that were given one; or this size instead of theirs.
Sizes OpenSizes::given_sizes(std::optional<std::int64_t> instead) const {
  Sizes sizes;
  for (const OpenDimension& dim : axes_.dims) {
    if (!dim.derived && dim.given) sizes.symbols.emplace(dim.name, instead.value_or(*dim.given));
  }
  return sizes;
}

// A computed size that was given says what the one name has that was not: 8 for "past + 1" that past is 7.
void OpenSizes::solve_given() {
  for (const OpenDimension& known : axes_.dims) {
    if (!known.derived || !known.given || given_sizes().of(known.formula)) continue;
    for (OpenDimension& dim : axes_.dims) {
      if (dim.derived || dim.given) continue;
      Sizes sizes = given_sizes();
      const auto value_at = [&](std::int64_t size) {
        sizes.symbols[dim.name] = size;
        return sizes.of(known.formula);
      };
      const bool overflows = !value_at(kMaxExtent);
      if (overflows && !value_at(kModerate)) continue;  // it takes others too
      // It is found by halving, as it grows with what it is made of. A size that gives no value is too small, or far
      // too large.
      std::int64_t low = dim.may_be_empty ? 0 : 1;
      std::int64_t high = kMaxExtent;
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        const auto value = value_at(middle);
        if (value ? *value < *known.given : !overflows || middle < kModerate) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (value_at(low) == known.given) dim.given = low;
      break;
    }
  }
}

// Sizes that follow from others must be those that were given, and sizes at all.
Result<void> OpenSizes::check_given() const {
  const char* const where = "--shape or --dim";
  const Sizes sizes = given_sizes();
  for (const OpenDimension& dim : axes_.dims) {
    const std::string name = name_text(dim.name);
    if (!dim.derived && dim.given == 0 && !dim.may_be_empty) {
      return fail(message("the given sizes make {} {}, outside 1..{}", name, 0, kMaxExtent), where,
                  message("give other sizes"));
    }
    if (!dim.derived) continue;
    const bool follows_from_given = given_sizes(kMaxExtent).of(dim.formula) || given_sizes(kModerate).of(dim.formula);
    if (!follows_from_given) {
      if (!dim.given) continue;
      return fail(
          message("{} was given the size {}, which does not determine the sizes that it depends on", name, *dim.given),
          where, message("give those sizes instead"));
    }
    const auto follows = sizes.of(dim.formula);
    if (follows && dim.given.value_or(*follows) != *follows) {
      return fail(message("{} was given the size {}, but the other sizes make it {}", name, *dim.given, *follows),
                  where, message("give sizes that match each other"));
    }
    if (!follows || *follows > kMaxExtent) {
      return fail(message("the given sizes make {} {}, outside 1..{}", name,
                          follows ? verbatim(fmt::to_string(*follows)) : message("no size"), kMaxExtent),
                  where, message("give other sizes"));
    }
  }
  return {};
}

void OpenSizes::list_choices(std::size_t nodes) {
  std::array<std::size_t, kAxisRoles> most{};
  for (const OpenDimension& dim : axes_.dims) {
    const bool varies = !dim.given && !dim.derived && dim.role != AxisRole::kBatch;
    if (!varies) continue;
    auto& count = most[static_cast<std::size_t>(dim.role)];
    count = std::max(count, dim.candidates.size());
  }
  choices_.push_back({});
  std::vector<std::size_t> varying;
  for (const AxisRole role : {AxisRole::kChannels, AxisRole::kImage, AxisRole::kStrip, AxisRole::kText,
                              AxisRole::kSequence, AxisRole::kSound, AxisRole::kUnknown}) {
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

std::int64_t OpenSizes::size_of(const InputAxis& axis, const Choice& choice, const Sizes& sizes) const {
  if (axis.size) return *axis.size;
  if (axis.given) return *axis.given;
  const OpenDimension& dim = axes_.dims[axis.dim];
  if (dim.given) return *dim.given;
  if (dim.derived) return std::min(sizes.of(dim.formula).value_or(1), kMaxExtent);
  const std::size_t at = choice[static_cast<std::size_t>(dim.role)];
  return dim.candidates[std::min(at, dim.candidates.size() - 1)];
}

Sizes OpenSizes::sizes(std::size_t choice, std::optional<std::int64_t> batch) const {
  Sizes made;
  std::vector<bool> leading(axes_.dims.size(), false);
  for (const SizedInput& input : axes_.inputs) {
    if (!input.axes.empty() && !input.axes.front().size) leading[input.axes.front().dim] = true;
  }
  const auto replaced = [&](std::size_t dim) { return batch && !axes_.dims[dim].derived && leading[dim]; };
  for (const bool derived : {false, true}) {
    for (std::size_t i = 0; i < axes_.dims.size(); ++i) {
      if (axes_.dims[i].derived != derived) continue;
      InputAxis axis;
      axis.dim = i;
      made.symbols.emplace(axes_.dims[i].name, replaced(i) ? *batch : size_of(axis, choices_[choice], made));
    }
  }
  for (const SizedInput& input : axes_.inputs) {
    if (!input.known_rank) continue;
    Dims dims;
    for (const InputAxis& axis : input.axes) {
      const bool other = !axis.size && replaced(axis.dim);
      dims.push_back(other ? *batch : size_of(axis, choices_[choice], made));
    }
    made.inputs.emplace(input.name, std::move(dims));
  }
  return made;
}

std::optional<OpenSizes::Batch> OpenSizes::batch(const Sizes& sizes) const {
  std::optional<Batch> found;
  bool samples = false;  // have axes of their own
  for (const SizedInput& input : axes_.inputs) {
    if (input.axes.empty()) return std::nullopt;
    const InputAxis& leading = input.axes.front();
    if (leading.size) {
      const bool image = input.axes.size() == 3 && image_height(input).has_value();
      if (input.axes.size() < 2 || image) return std::nullopt;
    } else if (axes_.dims[leading.dim].role != AxisRole::kBatch) {
      return std::nullopt;
    }
    samples = samples || input.axes.size() >= 2;
    const std::int64_t size = sizes.inputs.at(input.name).front();
    if (found && found->size != size) return std::nullopt;
    found = Batch{size, (found && found->open) || !leading.size};
  }
  return samples ? found : std::nullopt;
}

SizeOrigin OpenSizes::origin_of(const InputAxis& axis) const {
  if (axis.size) return SizeOrigin::kFile;
  return axis.given || axes_.dims[axis.dim].given ? SizeOrigin::kGiven : SizeOrigin::kChosen;
}

FileInterface OpenSizes::describe(std::size_t choice) const {
  const Sizes chosen = sizes(choice);
  FileInterface interface;
  std::vector<std::vector<std::string>> places(axes_.dims.size());
  for (const SizedInput& input : axes_.inputs) {
    const auto empty = chosen.inputs.find(input.name);
    if (empty != chosen.inputs.end() && element_count(empty->second) == 0) continue;  // a constant of the graph
    FileTensor tensor{.name = input.name, .op = input.name};
    if (input.type != ElementType::kUndefined) tensor.type = to_string(input.type);
    for (std::size_t i = 0; i < input.axes.size(); ++i) {
      const InputAxis& axis = input.axes[i];
      tensor.axes.push_back({size_of(axis, choices_[choice], chosen), origin_of(axis),
                             axis.size ? std::string() : axes_.dims[axis.dim].name});
      if (!axis.size) places[axis.dim].push_back(fmt::format("axis {} of {}", i, name_text(input.name)));
    }
    interface.inputs.push_back(std::move(tensor));
  }
  for (std::size_t i = 0; i < axes_.dims.size(); ++i) {
    const OpenDimension& dim = axes_.dims[i];
    if (dim.derived) continue;
    std::vector<std::int64_t> suggestions;
    for (const std::int64_t size : dim.candidates) {
      if (suggestions.size() == kMostSuggestions) break;
      if (std::ranges::find(suggestions, size) == suggestions.end()) suggestions.push_back(size);
    }
    interface.open.push_back({dim.name, chosen.symbols.at(dim.name),
                              dim.given ? SizeOrigin::kGiven : SizeOrigin::kChosen, std::move(suggestions),
                              std::move(places[i]), dim.role == AxisRole::kBatch});
  }
  return interface;
}

}  // namespace iosx::onnx_import
