#include "core/formats/onnx/read/read_model.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/base/files.h"
#include "core/formats/onnx/read/proto_node.h"
#include "core/formats/onnx/read/tensor_data.h"

namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;
namespace protobuf = google::protobuf;

constexpr std::uint64_t kMaxFileBytes = std::numeric_limits<std::int32_t>::max();  // protobuf's limit

// The most messages and texts of one file: protobuf's objects take a hundred times the bytes of small messages, so a
// file of a few megabytes could fill the memory. Real models have about ten per node.
constexpr std::int64_t kMaxMessages = std::int64_t{1} << 22;

constexpr int kDeepestMessage = 100;  // protobuf's own limit
constexpr Sentence kDownload{"export or download it again"};

class WireWalk {
 public:
  WireWalk(protobuf::io::ZeroCopyInputStream& stream, int bytes) : in_(&stream) { in_.PushLimit(bytes); }

  // Walks one message, up to the innermost limit.
  Result<void> walk(const protobuf::Descriptor& type, int depth) {
    if (depth > kDeepestMessage) return fail(message("is nested too deeply"), "", kDownload);
    while (in_.BytesUntilLimit() > 0) {
      const int at = in_.CurrentPosition();
      const std::uint32_t tag = in_.ReadTag();
      if (tag >> 3U == 0) return damaged(at);
      const auto* const field = type.FindFieldByNumber(static_cast<int>(tag >> 3U));
      if (auto done = value(tag & 7U, field, depth, at); !done) return done;
    }
    return {};
  }

 private:
  Result<void> value(std::uint32_t wire_type, const protobuf::FieldDescriptor* field, int depth, int at) {
    std::uint64_t ignored = 0;
    switch (wire_type) {
      case 0: return in_.ReadVarint64(&ignored) ? Result<void>() : damaged(at);
      case 1: return in_.Skip(8) ? Result<void>() : cut_off(at);
      case 2: return sized(field, depth, at);
      case 5: return in_.Skip(4) ? Result<void>() : cut_off(at);
      default: return damaged(at);  // ONNX has no groups
    }
  }

  Result<void> sized(const protobuf::FieldDescriptor* field, int depth, int at) {
    int size = 0;
    if (!in_.ReadVarintSizeAsInt(&size)) return damaged(at);
    if (size > in_.BytesUntilLimit()) return field != nullptr ? cut_off(at) : damaged(at);
    if (field != nullptr && field->is_packable()) return skip(size, at);
    if (++messages_ > kMaxMessages) {
      return fail(message("has more than {} parts (nodes, attributes, names, ...)", kMaxMessages), "",
                  message("models of this size are not supported"));
    }
    if (field == nullptr || field->message_type() == nullptr) return skip(size, at);
    const auto outer = in_.PushLimit(size);
    auto done = walk(*field->message_type(), depth + 1);
    in_.PopLimit(outer);
    return done;
  }

  Result<void> skip(int size, int at) { return in_.Skip(size) ? Result<void>() : cut_off(at); }
  static tl::unexpected<Error> damaged(int at) {
    return fail(message("is not an ONNX model, or is damaged at byte {}", at), "", kDownload);
  }
  static tl::unexpected<Error> cut_off(int at) {
    return fail(message("is truncated: the data from byte {} is incomplete", at), "", kDownload);
  }

  protobuf::io::CodedInputStream in_;
  std::int64_t messages_ = 0;
};

// Parses the next `bytes` bytes of the stream as a message of this type without keeping anything, and checks that
// nothing reaches beyond the end of its container, and that there are not too many messages. Errors have no place;
// `what` begins with a verb ("is cut off ...").
Result<void> check_wire(protobuf::io::ZeroCopyInputStream& stream, std::int64_t bytes,
                        const protobuf::Descriptor& type) {
  return WireWalk(stream, static_cast<int>(bytes)).walk(type, 0);
}

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
  return fail(message("is not an ONNX model, or is damaged"), "", kDownload);
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
    if (!added && found->second != opset.version())
      return fail(message("imports two versions of the operators {}", name_text(opset.domain())), "", kExportAgain);
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
  if (!model.opsets.contains(""))
    return needed ? fail(message("does not say which opset its operators use"), "", kConvert) : Result<void>();
  const std::int64_t opset = model.opset();
  if (opset < kMinOpset)
    return fail(message("is written for opset {}; {} and newer are supported", opset, kMinOpset), "", kConvert);
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
  for (const auto& proto : graph.output()) model.outputs.push_back(read_value_info(proto));
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
    if (!node.references.empty())
      return fail(message("uses an attribute of a function, but is in no function"), node.where(), kExportAgain);
    model.nodes.push_back(std::move(node));
  }
  IOS_TRY(auto nodes, inline_functions(std::move(model.nodes), functions, model.opsets));
  model.nodes = std::move(nodes);
  return {};
}

constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();  // a graph input or an initializer

using Definitions = std::unordered_map<std::string_view, std::size_t>;  // a tensor, the node that computes it

Result<Definitions> definitions(const OnnxModel& model) {
  Definitions defined;
  for (const ValueInfo& input : model.inputs) {
    if (!defined.emplace(input.name, kNoNode).second)
      return fail(message("appears twice"), fmt::format("graph input {}", name_text(input.name)), kExportAgain);
  }
  for (const auto& [name, tensor] : model.initializers) defined.emplace(name, kNoNode);
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    for (const std::string& name : model.nodes[i].outputs) {
      if (name.empty()) continue;
      const auto [found, added] = defined.emplace(name, i);
      if (added) continue;
      const std::string other =
          found->second == kNoNode ? "a graph input or an initializer" : model.nodes[found->second].where();
      return fail(message("its output {} is already defined by {}", name_text(name), other), model.nodes[i].where(),
                  kExportAgain);
    }
  }
  return defined;
}

Result<void> check_reads(const OnnxModel& model, const Definitions& defined) {
  for (const Node& node : model.nodes) {
    const std::string* missing = nullptr;
    for_each_read(node, [&](const std::string& name) {
      if (missing == nullptr && !defined.contains(name)) missing = &name;
    });
    if (missing != nullptr) {
      return fail(
          message("reads {}, which is not an input, an initializer or the output of a node", name_text(*missing)),
          node.where(), message("export the model again, with its weights"));
    }
  }
  for (const ValueInfo& output : model.outputs) {
    if (!defined.contains(output.name))
      return fail(message("no node computes it"), fmt::format("graph output {}", name_text(output.name)), kExportAgain);
  }
  return {};
}

// Returns some cycle among the nodes that still wait for others: "a -> b -> a".
std::string a_cycle(const OnnxModel& model, const Definitions& defined, const std::vector<std::size_t>& waiting) {
  const auto waited_for = [&](std::size_t node) {
    std::size_t producer = kNoNode;
    for_each_read(model.nodes[node], [&](const std::string& name) {
      const std::size_t candidate = defined.at(name);
      if (producer == kNoNode && candidate != kNoNode && waiting[candidate] > 0) producer = candidate;
    });
    return producer;
  };
  std::size_t node = 0;
  while (waiting[node] == 0) ++node;
  for (std::size_t step = 0; step < model.nodes.size(); ++step) node = waited_for(node);  // on the cycle by then
  constexpr std::size_t kMaxNamed = 8;
  std::string text = model.nodes[node].where();
  std::size_t next = waited_for(node);
  for (std::size_t named = 1; next != node && named < kMaxNamed; ++named, next = waited_for(next)) {
    text += ", which reads " + model.nodes[next].where();
  }
  return text + (next == node ? ", which reads the first" : ", ...");
}

// Returns for each node its place in the new order.
Result<std::vector<std::size_t>> sorted(const OnnxModel& model, const Definitions& defined) {
  const std::size_t n = model.nodes.size();
  std::vector<std::vector<std::size_t>> readers(n);
  std::vector<std::size_t> waiting(n, 0);  // inputs of the node that are not computed yet
  for (std::size_t i = 0; i < n; ++i) {
    for_each_read(model.nodes[i], [&](const std::string& name) {
      const std::size_t producer = defined.at(name);
      if (producer == kNoNode) return;
      readers[producer].push_back(i);
      ++waiting[i];
    });
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < n; ++i) {
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  order.reserve(n);
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::size_t reader : readers[order.back()]) {
      if (--waiting[reader] == 0) ready.push(reader);
    }
  }
  if (order.size() == n) return order;
  return fail(message("the graph has a cycle"), a_cycle(model, defined, waiting), kExportAgain);
}

// Checks that every tensor is defined once and every read tensor is defined, and sorts nodes so that each comes after
// those that it reads; a valid order stays. Cycles are errors.
Result<void> order_nodes(OnnxModel& model) {
  IOS_TRY(const auto defined, definitions(model));
  if (auto checked = check_reads(model, defined); !checked) return checked;
  IOS_TRY(const auto order, sorted(model, defined));
  std::vector<Node> nodes;
  nodes.reserve(order.size());
  for (const std::size_t i : order) nodes.push_back(std::move(model.nodes[i]));
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
