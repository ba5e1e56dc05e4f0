#include "core/import/onnx/load_onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/graph/shape_inference.h"
#include "core/import/onnx/emit.h"
#include "core/import/onnx/fuse.h"
#include "core/import/onnx/read_model.h"
#include "core/import/onnx/walk.h"

namespace iosx::onnx_import {
namespace {

struct Attempt {
  Walked walked;
  std::optional<std::int64_t> batch;  // of the leading axis; nothing: it is part of the shapes
  bool any_batch = false;             // the graph holds for other batches too
};

// At batch 1 a literal 1 cannot be told from the batch, so a model whose batch is open is read at this one first.
constexpr std::int64_t kProbeBatch = 2;

bool has_open_batch(const OnnxModel& model, const OnnxOptions& options) {
  return std::any_of(model.inputs.begin(), model.inputs.end(), [&](const ValueInfo& input) {
    return !options.bind.contains(input.name) && input.dims && !input.dims->empty() && !input.dims->front().size;
  });
}

// With the batch taken off if that is possible.
Result<Attempt> convert(const OnnxModel& model, const OnnxOptions& options) {
  const auto batch = common_batch(model, options);
  std::string why = "its inputs do not share a leading axis";
  bool any_batch = true;
  if (batch && *batch == 1 && has_open_batch(model, options)) {
    auto walked = walk(model, options, kProbeBatch);
    if (walked) return Attempt{std::move(*walked), batch, true};
    any_batch = false;
    why = walked.error().error.text();
  }
  if (batch) {
    auto walked = walk(model, options, batch);
    if (walked && !any_batch) {
      walked->warnings.push_back(fmt::format("The model runs with batch 1 only: {}.", why));
    }
    if (walked) return Attempt{std::move(*walked), batch, any_batch};
    if (walked.error().kind != Refusal::Kind::kMixesBatch) return tl::unexpected(std::move(walked.error().error));
    why = walked.error().error.text();
  }
  auto walked = walk(model, options, std::nullopt);
  if (!walked) return tl::unexpected(std::move(walked.error().error));
  walked->warnings.push_back(
      fmt::format("The model runs with the sizes it has here only, not with other batches: {}.", why));
  return Attempt{std::move(*walked), std::nullopt, false};
}

}  // namespace

Result<LoadedOnnx> to_graph(const OnnxModel& model, const OnnxOptions& options, std::string name) {
  if (options.batch < 1 || options.batch > kMaxExtent) {
    return fail(fmt::format("the batch {} must lie in 1..{}", options.batch, kMaxExtent));
  }
  auto attempt = convert(model, options);
  if (!attempt) return tl::unexpected(std::move(attempt.error()));
  Draft& draft = attempt->walked.draft;
  if (auto fused = fuse(draft); !fused) return tl::unexpected(std::move(fused.error()));
  if (name.empty()) name = model.graph_name.empty() ? "model" : model.graph_name;
  std::vector<OnnxOutput> outputs;
  auto graph = emit(std::move(draft), std::move(name), outputs);
  if (!graph) return tl::unexpected(std::move(graph.error()));
  LoadedOnnx loaded{std::move(*graph), attempt->any_batch, attempt->batch.value_or(1), std::move(outputs),
                    model.warnings};
  auto& warnings = attempt->walked.warnings;
  loaded.warnings.insert(loaded.warnings.end(), warnings.begin(), warnings.end());
  return loaded;
}

Result<LoadedOnnx> load_onnx(const std::filesystem::path& path, const OnnxOptions& options) {
  const auto model = read_onnx(path);
  if (!model) return tl::unexpected(model.error());
  auto loaded = to_graph(*model, options, path.stem().string());
  if (!loaded) loaded.error().where = fmt::format("{}, {}", path.string(), loaded.error().where);
  return loaded;
}

bool looks_like_onnx(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool named = extension == ".onnx";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const int first = file.get();
  if (first == std::char_traits<char>::eof()) return named;
  // The tags of a model's fields that no text begins with, then those that are printable characters.
  constexpr std::array kUnprintable{0x08, 0x12, 0x1a, 0xa2, 0xca};
  if (std::find(kUnprintable.begin(), kUnprintable.end(), first) != kUnprintable.end()) return true;
  return named && first != '{' && std::isspace(first) == 0;
}

}  // namespace iosx::onnx_import
