#include "core/formats/onnx/read/read_model.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/file_type.h"
#include "core/formats/onnx/read/external_data.h"
#include "core/formats/onnx/read/functions.h"
#include "core/formats/onnx/read/node_order.h"
#include "core/formats/onnx/read/proto_node.h"
#include "core/formats/onnx/read/tensor_data.h"
#include "core/formats/onnx/read/wire_check.h"

namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;
namespace protobuf = google::protobuf;

constexpr std::uint64_t kMaxFileBytes = std::numeric_limits<std::int32_t>::max();  // protobuf's limit

// Makes a new stream from the beginning of the bytes.
using OpenStream = std::function<std::unique_ptr<protobuf::io::ZeroCopyInputStream>()>;

// Fills the message from a stream of `bytes` bytes.
Result<void> parse(const OpenStream& open, std::uint64_t bytes, protobuf::Message& proto) {
  if (bytes == 0) return fail(message("is empty"), "", message("choose an ONNX model"));
  if (bytes > kMaxFileBytes) {
    return fail(message("has {} MiB, but an ONNX file can have at most 2047", bytes >> 20U), "",
                message("save the model with external data: its weights in files beside it"));
  }
  const auto first = open();
  auto checked = check_wire(*first, static_cast<std::int64_t>(bytes), *proto.GetDescriptor());
  if (!checked) return checked;
  const protobuf::LogSilencer quiet;
  const auto second = open();
  if (proto.ParseFromBoundedZeroCopyStream(second.get(), static_cast<int>(bytes))) return {};
  return fail(message("is not an ONNX model, or is damaged"), "", message("export or download it again"));
}

// Reads the file's bytes as messages. The place in errors is the file.
Result<void> parse_file(const fs::path& path, protobuf::Message& proto) {
  if (auto regular = check_regular_file(path); !regular) return regular;
  const std::string where = path.string();
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  const int file = error ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    const std::string why = error ? error.message() : std::strerror(errno);
    return fail(message("cannot be opened: {}", why), where, message("check its permissions"));
  }
  const auto from_start = [&] {
    ::lseek(file, 0, SEEK_SET);
    return std::make_unique<protobuf::io::FileInputStream>(file, 1 << 20);
  };
  auto done = parse(from_start, bytes, proto);
  ::close(file);
  if (!done && done.error().where.empty()) done.error().where = where;
  return done;
}

Result<void> read_header(const onnx::ModelProto& proto, OnnxModel& model) {
  model.ir_version = proto.ir_version();
  model.producer = proto.producer_name();
  if (!proto.producer_version().empty()) model.producer += " " + proto.producer_version();
  model.graph_name = proto.graph().name();
  for (const auto& entry : proto.metadata_props()) model.metadata.emplace(entry.key(), entry.value());
  for (const auto& opset : proto.opset_import()) {
    const auto [found, added] = model.opsets.emplace(domain_of(opset.domain()), opset.version());
    if (!added && found->second != opset.version()) {
      return fail(message("imports two versions of the operators {}", name_text(opset.domain())), "", kExportAgain);
    }
  }
  if (proto.training_info_size() > 0)
    model.warnings.push_back(message("The training information of the model is ignored."));
  if (proto.graph().node_size() == 0)
    return fail(message("has no operators"), "", message("choose a model with a graph"));
  if (proto.graph().output_size() == 0) return fail(message("has no outputs"), "", kExportAgain);
  return {};
}

Result<void> check_opset(OnnxModel& model) {
  constexpr Sentence kConvert{"export it again, or convert it (onnx.version_converter), with opset 7 to 23"};
  const bool needed =
      std::any_of(model.nodes.begin(), model.nodes.end(), [](const Node& node) { return node.domain.empty(); });
  if (!model.opsets.contains("")) {
    return needed ? fail(message("does not say which opset its operators use"), "", kConvert) : Result<void>();
  }
  const std::int64_t opset = model.opset();
  if (opset < kMinOpset) {
    return fail(message("is written for opset {}; {} and newer are supported", opset, kMinOpset), "", kConvert);
  }
  if (opset > kMaxOpset) {
    model.warnings.push_back(
        message("The model is written for opset {}, newer than {}: operators that have changed since then may be read "
                "incorrectly.",
                opset, kMaxOpset));
  }
  return {};
}

Result<void> take_initializers(onnx::GraphProto& graph, ExternalFolder& folder, OnnxModel& model) {
  const auto add = [&](const std::string& name, Result<HostTensor> tensor) -> Result<void> {
    if (!tensor) return tl::unexpected(std::move(tensor.error()));
    if (model.initializers.emplace(name, std::move(*tensor)).second) return {};
    return fail(message("appears twice"), fmt::format("initializer {}", name_text(name)), kExportAgain);
  };
  for (auto& proto : *graph.mutable_initializer()) {
    const std::string where = fmt::format("initializer {}", name_text(proto.name()));
    if (proto.name().empty()) return fail(message("has no name"), where, kExportAgain);
    if (auto done = add(proto.name(), take_tensor(proto, folder, where)); !done) return done;
  }
  for (auto& proto : *graph.mutable_sparse_initializer()) {
    const std::string name = proto.values().name();
    const std::string where = fmt::format("sparse initializer {}", name_text(name));
    if (name.empty()) return fail(message("has no name"), where, kExportAgain);
    if (auto done = add(name, take_sparse_tensor(proto, folder, where)); !done) return done;
  }
  return {};
}

Result<void> check_input(const ValueInfo& input) {
  const std::string where = fmt::format("graph input {}", name_text(input.name));
  if (input.name.empty()) return fail(message("has no name"), where, kExportAgain);
  if (!input.dims) return {};
  std::vector<std::int64_t> known;
  for (const Dim& dim : *input.dims) {
    if (dim.size) known.push_back(*dim.size);
  }
  if (element_count(known)) return {};
  return fail(message("has dims whose product is too large"), where, kExportAgain);
}

Result<void> read_interface(const onnx::GraphProto& graph, OnnxModel& model) {
  for (const auto& proto : graph.input()) {
    if (model.initializers.contains(proto.name())) continue;  // older files list initializers as inputs too
    model.inputs.push_back(read_value_info(proto));
    // Some exporters write 0 for an unknown size: no model takes tensors without elements.
    if (auto& dims = model.inputs.back().dims) {
      for (Dim& dim : *dims) dim.size = dim.size == 0 ? std::nullopt : dim.size;
    }
    if (auto checked = check_input(model.inputs.back()); !checked) return checked;
  }
  for (const auto& proto : graph.output()) {
    model.outputs.push_back(read_value_info(proto));
  }
  for (const auto& proto : graph.value_info()) model.value_info.emplace(proto.name(), read_value_info(proto));
  return {};
}

Result<void> take_nodes(onnx::ModelProto& proto, ExternalFolder& folder, OnnxModel& model) {
  std::vector<Function> functions;
  for (auto& each : *proto.mutable_functions()) {
    IOS_TRY(auto function, take_function(each, folder));
    functions.push_back(std::move(function));
  }
  for (auto& each : *proto.mutable_graph()->mutable_node()) {
    IOS_TRY(auto node, take_node(each, model.nodes.size(), folder));
    if (!node.references.empty()) {
      return fail(message("uses an attribute of a function, but is in no function"), node.node.where(), kExportAgain);
    }
    model.nodes.push_back(std::move(node.node));
  }
  IOS_TRY(auto nodes, inline_functions(std::move(model.nodes), functions, model.opsets));
  model.nodes = std::move(nodes);
  return {};
}

Result<OnnxModel> take_model(onnx::ModelProto& proto, ExternalFolder folder) {
  if (!proto.has_graph())
    return fail(message("is not an ONNX model: it has no graph"), "", message("choose another file"));
  OnnxModel model;
  IOS_TRY(read_header(proto, model));
  IOS_TRY(take_initializers(*proto.mutable_graph(), folder, model));
  IOS_TRY(read_interface(proto.graph(), model));
  IOS_TRY(take_nodes(proto, folder, model));
  IOS_TRY(check_opset(model));
  IOS_TRY(order_nodes(model));
  return model;
}

// Puts the file before the place of an error: "model.onnx, initializer 'w'".
template <typename T>
Result<T> in_file(Result<T> result, const fs::path& path) {
  if (!result) {
    std::string& where = result.error().where;
    where = where.empty() ? path.string() : path.string() + ", " + where;
  }
  return result;
}

}  // namespace

Result<OnnxModel> read_onnx(const fs::path& path) {
  onnx::ModelProto proto;
  IOS_TRY(parse_file(path, proto));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return in_file(take_model(proto, ExternalFolder(folder)), path);
}

Result<OnnxModel> parse_onnx(std::span<const std::byte> bytes, const fs::path& folder) {
  onnx::ModelProto proto;
  const auto from_start = [&] {
    return std::make_unique<protobuf::io::ArrayInputStream>(bytes.data(), static_cast<int>(bytes.size()));
  };
  IOS_TRY(parse(from_start, bytes.size(), proto));
  return take_model(proto, ExternalFolder(folder));
}

Result<HostTensor> read_tensor_file(const fs::path& path) {
  onnx::TensorProto proto;
  IOS_TRY(parse_file(path, proto));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  ExternalFolder external(folder);
  return in_file(take_tensor(proto, external, "the tensor"), path);
}

}  // namespace iosx::onnx_import
