#include "core/formats/onnx/convert/load_onnx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/formats/onnx/convert/model_converter.h"
#include "core/formats/onnx/convert/open_sizes.h"
#include "core/formats/onnx/draft/draft.h"
#include "core/formats/onnx/draft/fuse.h"
#include "core/formats/onnx/read/read_model.h"

namespace iosx::onnx_import {
namespace {

struct Attempt {
  ConvertedModel walked;
  std::optional<std::int64_t> batch;  // of the leading axis; nothing: it is part of the shapes
  bool any_batch = false;             // the graph holds for other batches too
};

// No further sizes are tried then.
constexpr std::chrono::seconds kLongestTrial{8};

// Converts with the batch taken off if that is possible.
Result<Attempt> convert(const OnnxModel& model, const OnnxOptions& options, const OpenSizes& open, const Sizes& sizes) {
  Message why = message("its inputs do not share a leading axis");
  if (const auto batch = open.batch(sizes)) {
    auto walked = walk(model, options, sizes, batch->size);
    if (walked) return Attempt{std::move(*walked), batch->size, true};
    if (walked.error().kind != Refusal::Kind::kMixesBatch) return tl::unexpected(std::move(walked.error().error));
    why = walked.error().error.line();
  }
  auto walked = walk(model, options, sizes, std::nullopt);
  if (!walked) return tl::unexpected(std::move(walked.error().error));
  walked->warnings.push_back(message("The model runs only with its current sizes, not with other batches: {}.", why));
  return Attempt{std::move(*walked), std::nullopt, false};
}

// Collects the whole numbers that a model has as sizes, attributes and short constants.
std::set<std::int64_t> numbers_in(const OnnxModel& model) {
  constexpr std::size_t kShort = 4096;
  std::set<std::int64_t> found;
  const auto add = [&](std::span<const std::int64_t> numbers) {
    if (numbers.size() <= kShort) found.insert(numbers.begin(), numbers.end());
  };
  const auto add_tensor = [&](const HostTensor& tensor) {
    add(tensor.dims());
    add(tensor.integers());
  };
  for (const ValueInfo& input : model.inputs) {
    for (const Dim& dim : input.dims.value_or(std::vector<Dim>{})) found.insert(dim.size.value_or(0));
  }
  for (const auto& [name, tensor] : model.initializers) add_tensor(tensor);
  for (const Node& node : model.nodes) {
    for (const auto& [name, attribute] : node.attributes) {
      if (const auto* const number = std::get_if<std::int64_t>(&attribute)) found.insert(*number);
      if (const auto* const list = std::get_if<Dims>(&attribute)) add(*list);
      if (const auto* const tensor = std::get_if<HostTensor>(&attribute)) add_tensor(*tensor);
    }
  }
  return found;
}

// Returns two sizes for a batch that occur nowhere in the model, for what is computed with one of them is seldom equal
// to anything else then. Small primes keep tensors small that have an entry for each sample.
std::vector<std::int64_t> probe_batches(const OnnxModel& model, std::int64_t batch) {
  constexpr std::array<std::int64_t, 20> kPrimes{7,  11, 13, 17, 19, 23, 29, 31, 37, 41,
                                                 43, 47, 53, 59, 61, 67, 71, 73, 79, 83};
  const auto numbers = numbers_in(model);
  std::vector<std::int64_t> found;
  for (const bool anything : {false, true}) {
    for (const std::int64_t prime : kPrimes) {
      const bool free = anything ? std::ranges::find(found, prime) == found.end() : !numbers.contains(prime);
      if (found.size() < 2 && free && prime != batch) found.push_back(prime);
    }
  }
  return found;
}

// Returns why a graph that was converted with one size of an open batch does not hold for all: with others the
// model becomes different or invalid. A constant that happens to equal one size does not equal the others.
std::optional<Message> why_this_batch_only(const OnnxModel& model, const OnnxOptions& options, const OpenSizes& open,
                                           std::size_t choice, const Attempt& attempt) {
  for (const std::int64_t batch : probe_batches(model, *attempt.batch)) {
    const Sizes sizes = open.sizes(choice, batch);
    if (!open.batch(sizes)) return message("the leading axes of its inputs differ with other batches");
    const auto walked = walk(model, options, sizes, batch);
    if (!walked) return walked.error().error.line();
    if (!same_computation(walked->draft, attempt.walked.draft))
      return message("its result for one sample depends on the number of samples");
  }
  return std::nullopt;
}

// Returns the options with another size for an open dimension, and adds the options' texts that say so.
OnnxOptions with_size(OnnxOptions options, const FileInterface& file, const OpenDim& dim, std::int64_t size,
                      std::vector<std::string>& texts) {
  for (const FileTensor& input : file.inputs) {
    const auto shape = options.shapes.find(input.name);
    if (shape == options.shapes.end()) continue;
    const auto of_dim = [&](const FileAxis& axis) { return axis.dim == dim.name; };
    if (std::ranges::none_of(input.axes, of_dim)) continue;
    for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
      if (of_dim(input.axes[axis])) shape->second[axis] = size;
    }
    texts.push_back(fmt::format("--shape {}={}", input.name, sizes_text(shape->second)));
  }
  if (!texts.empty() && !options.dims.contains(dim.name)) return options;
  options.dims[dim.name] = size;
  texts.push_back(fmt::format("--dim {}={}", dim.name, size));
  return options;
}

// Returns the options with which the model can be read after all, where that takes another size of an open batch: a
// small one or one that the model has as a number. A mistake that stays as it is with another size does not come of it.
std::string batch_that_fits(const OnnxModel& model, const OnnxOptions& options, const FileInterface& file,
                            const Error& mistake, std::chrono::steady_clock::time_point end) {
  constexpr std::int64_t kSmall = 8;
  constexpr std::int64_t kLargest = 1024;
  std::set<std::int64_t> sizes = numbers_in(model);
  for (std::int64_t size = 1; size <= kSmall; ++size) sizes.insert(size);
  for (const OpenDim& dim : file.open) {
    if (!dim.batch) continue;
    for (auto size = sizes.lower_bound(1); size != sizes.end() && *size <= kLargest; ++size) {
      if (*size == dim.size) continue;
      if (std::chrono::steady_clock::now() > end) return {};
      std::vector<std::string> texts;
      const OnnxOptions other = with_size(options, file, dim, *size, texts);
      const auto open = OpenSizes::of(model, other);
      if (!open) break;
      const auto attempt = convert(model, other, *open, open->sizes(0));
      if (attempt) return fmt::format("{}", fmt::join(texts, " "));
      if (attempt.error().what == mistake.what && attempt.error().where == mistake.where) break;
    }
  }
  return {};
}

// A mistake may come from sizes that were given or chosen. `fitting` are options without it, if any were found.
Error with_open_sizes(Error error, const FileInterface& file, const std::string& fitting) {
  std::vector<std::string> parts;
  if (const std::string given = open_text(file, SizeOrigin::kGiven); !given.empty()) parts.push_back(given + " given");
  if (const std::string chosen = open_text(file, SizeOrigin::kChosen); !chosen.empty()) {
    parts.push_back(chosen + " chosen");
  }
  if (parts.empty()) return error;
  if (!fitting.empty()) {
    error.remedy = message("with {}: give {}", fmt::join(parts, ", "), fitting);
    return error;
  }
  // No number of samples makes one sample fit.
  const auto of_samples = [](const OpenDim* dim) { return dim->batch && dim->origin == SizeOrigin::kChosen; };
  if (std::ranges::all_of(file.deciding(), of_samples)) return error;
  error.remedy = message("with {}: give other sizes with {}", fmt::join(parts, ", "), size_options(file));
  return error;
}

struct Chosen {
  Attempt attempt;
  std::size_t choice = 0;
};

// Looks whether the graph holds for any batch, where the file leaves it open.
Chosen with_other_batches(const OnnxModel& model, const OnnxOptions& options, const OpenSizes& open, Chosen chosen) {
  Attempt& attempt = chosen.attempt;
  const auto batch = open.batch(open.sizes(chosen.choice));
  if (!attempt.batch || !batch || !batch->open) return chosen;
  if (const auto why = why_this_batch_only(model, options, open, chosen.choice, attempt)) {
    attempt.any_batch = false;
    attempt.walked.warnings.push_back(message("The model runs only with batch {}: {}.", *attempt.batch, *why));
  }
  return chosen;
}

// Converts with the first sizes that fit, or else the first with which it converts at all; otherwise the error is that
// of the likeliest.
Result<Chosen> convert_some(const OnnxModel& model, const OnnxOptions& options, const OpenSizes& open) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Error> first;
  std::optional<Chosen> fallback;
  for (std::size_t choice = 0; choice < open.choices(); ++choice) {
    if (choice > 0 && std::chrono::steady_clock::now() - start > kLongestTrial) break;
    auto attempt = convert(model, options, open, open.sizes(choice));
    if (!attempt) {
      if (!first) first = std::move(attempt.error());
      continue;
    }
    if (attempt->walked.fits) return with_other_batches(model, options, open, {std::move(*attempt), choice});
    if (!fallback) fallback = Chosen{std::move(*attempt), choice};
  }
  if (fallback) return with_other_batches(model, options, open, std::move(*fallback));
  const FileInterface file = open.describe(0);
  const std::string fitting = batch_that_fits(model, options, file, *first, start + kLongestTrial);
  return tl::unexpected(with_open_sizes(std::move(*first), file, fitting));
}

// Returns an output with the axes that the graph found; `leading` is what the file calls the batch.
FileTensor output_of(const ValueInfo& declared, const OnnxOutput& output, const Shape& shape, ElementType computed,
                     std::optional<std::int64_t> batch, const std::string& leading) {
  FileTensor tensor{.name = output.tensor, .op = output.op};
  tensor.type = to_string(declared.type == ElementType::kUndefined ? computed : declared.type);
  if (batch) tensor.axes.push_back({.size = *batch, .dim = leading});
  for (const std::int64_t size : shape.dims()) tensor.axes.push_back({size});
  if (!declared.dims || declared.dims->size() != tensor.axes.size()) return tensor;
  for (std::size_t axis = 0; axis < tensor.axes.size(); ++axis) {
    const std::string& symbol = (*declared.dims)[axis].symbol;
    if (!symbol.empty()) tensor.axes[axis].dim = symbol;
  }
  return tensor;
}

}  // namespace

Result<FileInterface> inputs_of(const OnnxModel& model, const OnnxOptions& options) {
  IOS_TRY(auto open, OpenSizes::of(model, options));
  FileInterface file = open.describe(0);
  file.leading_batch = open.batch(open.sizes(0)).has_value();
  return file;
}

Result<LoadedOnnx> to_graph(const OnnxModel& model, const OnnxOptions& options, std::string name) {
  if (options.batch < 1 || options.batch > kMaxExtent)
    return fail(message("the batch {} must lie in 1..{}", options.batch, kMaxExtent));
  IOS_TRY(const auto open, OpenSizes::of(model, options));
  IOS_TRY(auto found, convert_some(model, options, open));
  Attempt& attempt = found.attempt;
  Draft& draft = attempt.walked.draft;
  std::vector<ElementType> types;
  for (const auto& [tensor, value] : draft.outputs) types.push_back(value.type);
  IOS_TRY(fuse(draft));
  if (name.empty()) name = model.graph_name.empty() ? "model" : model.graph_name;
  std::vector<OnnxOutput> outputs;
  IOS_TRY(auto graph, emit(std::move(draft), std::move(name), outputs));

  FileInterface file = open.describe(found.choice);
  file.leading_batch = attempt.batch.has_value();
  for (std::size_t i = 0; i < file.inputs.size() && i < graph.inputs().size(); ++i) {
    file.inputs[i].op = graph.op(graph.inputs()[i]).name;
  }
  std::string leading;
  for (const FileTensor& input : file.inputs) {
    if (leading.empty() && !input.axes.empty()) leading = input.axes.front().dim;
  }
  std::unordered_map<std::string_view, const Operator*> operators;
  for (const Operator& op : graph.operators()) operators.emplace(op.name, &op);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto op = operators.find(outputs[i].op);
    IOS_CHECK(op != operators.end());
    file.outputs.push_back(
        output_of(model.outputs[i], outputs[i], op->second->output, types[i], attempt.batch, leading));
  }
  const std::int64_t batch = attempt.batch.value_or(1);
  file.any_batch = attempt.any_batch;
  LoadedOnnx loaded{
      std::move(graph), attempt.any_batch || batch > 1, batch, std::move(outputs), std::move(file), model.warnings,
      model.metadata};
  auto& warnings = attempt.walked.warnings;
  loaded.warnings.insert(loaded.warnings.end(), warnings.begin(), warnings.end());
  return loaded;
}

Result<LoadedOnnx> load_onnx(const std::filesystem::path& path, const OnnxOptions& options) {
  IOS_TRY(const auto model, read_onnx(path));
  auto loaded = to_graph(model, options, path.stem().string());
  // An option's mistake is not the file's.
  if (!loaded && !loaded.error().where.starts_with("--")) {
    loaded.error().where = fmt::format("{}, {}", path.string(), loaded.error().where);
  }
  return loaded;
}

bool begins_like_onnx(std::string_view head, bool named) {
  if (head.empty()) return named;
  const int first = static_cast<unsigned char>(head.front());
  // The tags of a model's fields that no text begins with, then those that are printable characters.
  constexpr std::array kUnprintable{0x08, 0x12, 0x1a, 0xa2, 0xca};
  if (std::find(kUnprintable.begin(), kUnprintable.end(), first) != kUnprintable.end()) return true;
  return named && first != '{' && std::isspace(first) == 0;
}

}  // namespace iosx::onnx_import
