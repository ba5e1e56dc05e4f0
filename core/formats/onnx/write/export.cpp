#include "core/formats/onnx/write/export.h"

#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>
#include <system_error>
#include <utility>

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/formats/onnx/write/export_graph.h"

namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "raw tensor data is little-endian");

constexpr std::int64_t kIrVersion = 8;
constexpr std::int64_t kOpset = 17;
constexpr std::int64_t kMostInline = std::int64_t{2000} << 20;  // protobuf's limit less what is not weights

std::int64_t bytes_of_weights(const Graph& graph) {
  const auto count = [](const std::vector<std::int64_t>& dims) {
    return dims.empty() ? 0 : std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
  };
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const ParameterDims& dims = graph.parameters()->dims(OperatorId(i));
    elements += count(dims.weights) + count(dims.bias);
  }
  return elements * static_cast<std::int64_t>(sizeof(float));
}

Result<OnnxNodes> fill(onnx::ModelProto& model, const Graph& graph, const OnnxExportOptions& options,
                       const StoreFloats& store) {
  if (options.batch && (*options.batch < 1 || *options.batch > kMaxExtent)) {
    return fail(message("a batch of {} cannot be exported", *options.batch), graph.name(),
                message("choose one in 1..{}", kMaxExtent));
  }
  model.set_ir_version(kIrVersion);
  model.set_producer_name("IOS Explorer");
  onnx::OperatorSetIdProto& opset = *model.add_opset_import();
  opset.set_domain("");
  opset.set_version(kOpset);
  for (const auto& [key, value] : options.metadata) {
    onnx::StringStringEntryProto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  return GraphExport(graph, options, store, *model.mutable_graph()).run();
}

Result<void> store_inline(onnx::TensorProto& tensor, std::span<const float> elements) {
  tensor.set_raw_data(elements.data(), elements.size_bytes());
  return {};
}

Result<void> write_model(const onnx::ModelProto& model, int descriptor) {
  google::protobuf::io::FileOutputStream stream(descriptor);
  if (model.SerializeToZeroCopyStream(&stream) && stream.Flush()) return {};
  errno = stream.GetErrno();
  return fail(message("could not be written"));
}

// Appends weights to another file and stores their place in their messages.
StoreFloats store_in(NewFile& data, const std::string& name) {
  const auto add = [](onnx::TensorProto& tensor, const char* key, std::string value) {
    onnx::StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(std::move(value));
  };
  return [&data, name, add, offset = std::uint64_t{0}](onnx::TensorProto& tensor,
                                                       std::span<const float> elements) mutable {
    // Scalars and bounds stay: runtimes look at them before they read files.
    if (elements.size() <= 16) return store_inline(tensor, elements);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    add(tensor, "location", name);
    add(tensor, "offset", fmt::to_string(offset));
    add(tensor, "length", fmt::to_string(elements.size_bytes()));
    offset += elements.size_bytes();
    return data.write(std::as_bytes(elements));
  };
}

struct InMemory {
  std::string bytes;
  OnnxNodes nodes;
};

Result<InMemory> in_memory(const Graph& graph, const OnnxExportOptions& options) {
  if (const std::int64_t bytes = bytes_of_weights(graph); bytes > kMostInline) {
    return fail(message("has {} MiB of weights, but an ONNX file can have at most 2047", bytes >> 20), graph.name(),
                message("write it to a file: the weights then go into another file beside it"));
  }
  onnx::ModelProto model;
  InMemory made;
  IOS_TRY(made.nodes, fill(model, graph, options, store_inline));
  if (!model.SerializeToString(&made.bytes)) return fail(message("does not fit one ONNX file"), graph.name());
  return made;
}

// Something that is no regular file, a pipe for example, is written as it is.
Result<OnnxNodes> write_special(const Graph& graph, const fs::path& path, const OnnxExportOptions& options) {
  IOS_TRY(auto made, in_memory(graph, options));
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(made.bytes.data(), static_cast<std::streamsize>(made.bytes.size()));
  file.close();
  if (file.good()) return std::move(made.nodes);
  return fail(message("could not be written: {}", errno != 0 ? std::strerror(errno) : "unknown reason"), path.string(),
              message("choose another place"));
}

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

Result<std::string> to_onnx(const Graph& graph, const OnnxExportOptions& options) {
  IOS_TRY(auto made, in_memory(graph, options));
  return std::move(made.bytes);
}

Result<OnnxNodes> write_onnx(const Graph& graph, const fs::path& path, const OnnxExportOptions& options) {
  std::error_code error;
  if (path.empty() || !path.has_filename())
    return fail(message("is not a file name"), path.string(), message("name a file"));
  if (fs::is_directory(path, error)) return fail(message("is a folder"), path.string(), message("name a file"));
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return write_special(graph, path, options);
  fs::path target = fs::weakly_canonical(path, error);  // through links, which stay: the weights go beside the model
  if (error) target = path;
  NewFile file(path);
  if (file.descriptor() < 0) return tl::unexpected(file.error().error());
  onnx::ModelProto model;
  const bool beside = bytes_of_weights(graph) > std::min(options.max_inline_bytes, kMostInline);
  if (!beside) {
    IOS_TRY(auto nodes, fill(model, graph, options, store_inline));
    if (!write_model(model, file.descriptor())) return tl::unexpected(file.error().error());
    IOS_TRY(file.finish());
    return nodes;
  }
  fs::path data_path = target;
  data_path += ".data";
  NewFile data(data_path);
  if (data.descriptor() < 0) return tl::unexpected(data.error().error());
  const StoreFloats store = store_in(data, data_path.filename().string());
  IOS_TRY(auto nodes, fill(model, graph, options, store));
  if (!write_model(model, file.descriptor())) return tl::unexpected(file.error().error());
  IOS_TRY(data.finish());
  IOS_TRY(file.finish());
  return nodes;
}

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
