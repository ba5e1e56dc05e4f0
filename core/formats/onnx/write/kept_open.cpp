#include "core/formats/onnx/write/kept_open.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/formats/onnx/write/export_graph.h"
#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {
namespace {

// Each dimension needs another reading of the model, so their number is limited.
constexpr std::size_t kMostDims = 8;

// Returns what is written of the graph but the sizes of its inputs and outputs, with a hash for weights; nothing where
// it cannot be written.
std::optional<std::string> nodes_of(const Graph& graph, const FileInterface& file) {
  onnx::GraphProto written;
  OnnxExportOptions options;
  options.file = file;
  const StoreFloats hashed = [](onnx::TensorProto& tensor, std::span<const float> elements) -> Result<void> {
    const auto bytes = std::as_bytes(elements);
    const Hash128 hash = hash128({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    tensor.add_uint64_data(hash.high);
    tensor.add_uint64_data(hash.low);
    return {};
  };
  if (!GraphExport(graph, options, hashed, written).run()) return std::nullopt;
  written.clear_input();
  written.clear_output();
  return written.SerializeAsString();
}

// The model with other sizes of some dimensions: the same nodes with other inputs and outputs.
using Others = std::vector<FileInterface>;

class Asking {
 public:
  Asking(const Graph& graph, const FileInterface& file, const ReadWithSizes& read)
      : file_(file), read_(read), nodes_(nodes_of(graph, file)) {}

  // Returns nothing where the nodes hang on the sizes of these dimensions, or nothing else is possible.
  std::optional<Others> with_others(const std::vector<const OpenDim*>& dims) const {
    if (!nodes_) return std::nullopt;
    Others found;
    // Sizes that no stride and no window divides tell most; some models take multiples only.
    const auto one_more = [](std::int64_t size) { return size + 1; };
    const auto next_odd = [](std::int64_t size) { return size + 3 - size % 2; };
    const auto twice = [](std::int64_t size) { return 2 * size; };
    for (const auto& other : {std::function<std::int64_t(std::int64_t)>(one_more), {next_odd}, {twice}}) {
      InputSizes sizes;
      for (const OpenDim& dim : file_.open) {
        const bool asked = std::ranges::find(dims, &dim) != dims.end();
        const std::int64_t size = asked ? other(dim.size) : dim.size;
        if (size > kMaxExtent) return std::nullopt;
        sizes.dims.emplace(dim.name, size);
      }
      auto model = read_(sizes);
      if (!model) continue;
      if (nodes_of(model->graph, model->file) != nodes_) return std::nullopt;
      found.push_back(std::move(model->file));
    }
    return found.empty() ? std::nullopt : std::optional(std::move(found));
  }

 private:
  const FileInterface& file_;
  const ReadWithSizes& read_;
  std::optional<std::string> nodes_;
};

void open_axes_that_differ(std::vector<FileTensor>& tensors, const std::vector<FileTensor>& others) {
  if (tensors.size() != others.size()) return;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].axes.size() != others[i].axes.size()) continue;
    for (std::size_t axis = 0; axis < tensors[i].axes.size(); ++axis) {
      FileAxis& own = tensors[i].axes[axis];
      own.open = own.open || own.size != others[i].axes[axis].size;
    }
  }
}

}  // namespace

FileInterface kept_open(const Graph& graph, const FileInterface& file, const ReadWithSizes& read) {
  std::vector<const OpenDim*> chosen;
  for (const OpenDim& dim : file.open) {
    const bool any = file.any_batch && dim.batch;
    if (dim.origin == SizeOrigin::kChosen && !any) chosen.push_back(&dim);
  }
  FileInterface kept = file;
  if (chosen.empty() || chosen.size() > kMostDims) return kept;
  const Asking asking(graph, file, read);
  const auto keep = [&](const Others& others) {
    for (const FileInterface& other : others) {
      open_axes_that_differ(kept.inputs, other.inputs);
      open_axes_that_differ(kept.outputs, other.outputs);
    }
  };
  if (const auto others = asking.with_others(chosen)) {
    keep(*others);
    return kept;
  }
  if (chosen.size() == 1) return kept;
  // Dimensions that can stay open one by one stay so together, or none does.
  std::vector<const OpenDim*> free;
  for (const OpenDim* dim : chosen) {
    if (asking.with_others({dim})) free.push_back(dim);
  }
  if (free.empty()) return kept;
  if (const auto others = asking.with_others(free)) keep(*others);
  return kept;
}

}  // namespace iosx::onnx_import
