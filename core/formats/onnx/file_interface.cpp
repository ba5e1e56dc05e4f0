#include "core/formats/onnx/file_interface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/onnx/model.h"

namespace iosx {
namespace {

constexpr std::size_t kMostNamed = 6;  // dimensions in one line

std::optional<std::int64_t> extent_of(std::string_view text) {
  const auto size = read_number<std::int64_t>(text);
  return size && *size >= 1 && *size <= kMaxExtent ? size : std::nullopt;
}

// Returns the texts before and after the last "=": names may have that sign too.
std::optional<std::pair<std::string, std::string_view>> halves(std::string_view text) {
  const std::size_t at = text.rfind('=');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  return std::pair{std::string(text.substr(0, at)), text.substr(at + 1)};
}

std::string joined(const std::vector<std::string>& words, std::string_view last) {
  if (words.size() < 2) return words.empty() ? std::string() : words.front();
  return fmt::format("{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), last, words.back());
}

}  // namespace

Result<void> add_shape(InputSizes& sizes, const std::string& text) {
  const std::string where = "--shape " + text;
  const Message remedy = message("give --shape INPUT=1x3x640x640: whole numbers from 1 to {}", kMaxExtent);
  const auto given = halves(text);
  if (!given) return fail(message("names no input with its shape"), where, remedy);
  std::vector<std::int64_t> shape;
  std::string_view rest = given->second;
  while (true) {
    const std::size_t end = std::min(rest.find_first_of("xX,"), rest.size());
    const auto size = extent_of(rest.substr(0, end));
    if (!size) return fail(message("is not a shape"), where, remedy);
    shape.push_back(*size);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  const auto [at, added] = sizes.shapes.emplace(given->first, shape);
  if (added || at->second == shape) return {};
  return fail(message("contradicts {}={}", given->first, sizes_text(at->second)), where,
              message("give one shape per input"));
}

Result<void> add_dim(InputSizes& sizes, const std::string& text) {
  const std::string where = "--dim " + text;
  const auto given = halves(text);
  const auto size = given ? read_number<std::int64_t>(given->second) : std::nullopt;
  if (!size || *size < 0 || *size > kMaxExtent) {
    return fail(message("is not a dimension name with a size"), where,
                message("give --dim NAME=640: a whole number from 1 to {}", kMaxExtent));
  }
  const auto [at, added] = sizes.dims.emplace(given->first, *size);
  if (added || at->second == *size) return {};
  return fail(message("contradicts {}={}", given->first, at->second), where, message("give one size per dimension"));
}

std::string_view to_string(SizeOrigin origin) {
  switch (origin) {
    case SizeOrigin::kFile: return "file";
    case SizeOrigin::kGiven: return "option";
    case SizeOrigin::kChosen: return "chosen";
  }
  return {};
}

std::vector<std::int64_t> FileTensor::shape() const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(axes.size());
  for (const FileAxis& axis : axes) sizes.push_back(axis.size);
  return sizes;
}

std::vector<const OpenDim*> FileInterface::deciding() const {
  std::vector<const OpenDim*> dims;
  for (const OpenDim& dim : open) {
    if (!leading_batch || !dim.batch) dims.push_back(&dim);
  }
  return dims;
}

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  return sizes.empty() ? "scalar" : fmt::format("{}", fmt::join(sizes, "x"));
}

std::string open_text(const FileInterface& interface, SizeOrigin origin) {
  std::vector<std::string> words;
  std::size_t more = 0;
  for (const OpenDim* dim : interface.deciding()) {
    if (dim->origin != origin) continue;
    if (words.size() == kMostNamed) {
      ++more;
    } else {
      words.push_back(fmt::format("{} {}", onnx_import::name_text(dim->name), dim->size));
    }
  }
  if (more > 0) words.push_back(fmt::format("{} more", more));
  return joined(words, "and");
}

std::string size_options(const FileInterface& interface) {
  // Longer names, which nobody would type, are shortened.
  constexpr std::size_t kLongestName = 60;
  constexpr std::size_t kMostAxes = 12;
  const auto dims = interface.deciding();
  std::vector<std::string> options;
  const auto first = std::ranges::find(dims, false, &OpenDim::batch);
  if (!dims.empty()) {
    const std::string& name = (first == dims.end() ? dims.front() : *first)->name;
    options.push_back(fmt::format("--dim {}=SIZE", name.size() > kLongestName ? "NAME" : name));
  }
  const auto deciding = [&](const FileAxis& axis) {
    return std::ranges::any_of(dims, [&](const OpenDim* dim) { return dim->name == axis.dim; });
  };
  const auto open = std::ranges::find_if(
      interface.inputs, [&](const FileTensor& input) { return std::ranges::any_of(input.axes, deciding); });
  if (open != interface.inputs.end() && open->name.size() <= kLongestName && open->axes.size() <= kMostAxes) {
    options.push_back(fmt::format("--shape {}={}", open->name, sizes_text(open->shape())));
  }
  return joined(options, "or");
}

std::string chosen_text(const FileInterface& interface) {
  const std::string chosen = open_text(interface, SizeOrigin::kChosen);
  if (chosen.empty()) return {};
  return fmt::format("sizes that the file leaves open, chosen here: {}; {} sets other sizes", chosen,
                     size_options(interface));
}

}  // namespace iosx
