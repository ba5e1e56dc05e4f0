#include "core/formats/onnx/read/proto_node.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace iosx::onnx_import {
namespace {

constexpr std::size_t kMaxNodes = 1'000'000;
constexpr std::size_t kMaxBytes = std::size_t{1} << 28;  // of names and lists in the nodes of all calls
constexpr int kMaxCallDepth = 32;
constexpr Sentence kInlineFirst{"inline the model's functions (onnx.inliner) before opening it"};

using Names = std::unordered_map<std::string, std::string>;  // a function's tensor, the model's tensor

class Inliner {
 public:
  explicit Inliner(const std::vector<Function>& functions) {
    for (const Function& function : functions) {
      by_name_.emplace(std::tuple(function.domain, function.name, function.overload), &function);
    }
  }

  Result<void> add(Node node, int depth) {
    IOS_TRY(inline_branches(node, depth));
    const auto found = by_name_.find(std::tuple(node.domain, node.op_type, node.overload));
    if (found != by_name_.end()) return add_body(*found->second, node, depth);
    if (++count_ > kMaxNodes)
      return fail(message("the model has more than {} nodes", kMaxNodes), node.where(), message("open a smaller one"));
    nodes.push_back(std::move(node));
    return {};
  }

  std::vector<Node> nodes;

 private:
  Result<void> inline_branches(Node& node, int depth) {
    for (auto& [name, attribute] : node.attributes) {
      auto* const graphs = std::get_if<Subgraphs>(&attribute);
      if (graphs == nullptr || graphs->branch == nullptr) continue;
      Branch branch = *graphs->branch;
      std::vector<Node> outside = std::exchange(nodes, {});
      for (Node& inner : branch.nodes) IOS_TRY(add(std::move(inner), depth));
      branch.nodes = std::exchange(nodes, std::move(outside));
      graphs->branch = std::make_shared<const Branch>(std::move(branch));
    }
    return {};
  }

  Result<void> add_body(const Function& function, const Node& call, int depth) {
    if (depth > kMaxCallDepth)
      return fail(message("calls itself, or others too deeply"), function.where(), kInlineFirst);
    if (call.inputs.size() > function.inputs.size() || call.outputs.size() > function.outputs.size()) {
      return fail(message("gives the function {} more inputs or outputs than it has", name_text(function.name)),
                  call.where(), message("export the model again"));
    }
    if (++steps_ > kMaxNodes) return fail(message("is called too often"), function.where(), kInlineFirst);
    const std::string prefix = fmt::format("{}#{}/", function.name, steps_);
    Names names = bind(function, call);
    IOS_TRY(pass_through(function, call, names, depth));
    for (const Node& inner : function.nodes) {
      Node node = instance(function, inner, call, names, prefix);
      bytes_ += bytes_of(node);
      if (bytes_ > kMaxBytes)
        return fail(message("is too large for the number of its calls"), function.where(), kInlineFirst);
      IOS_TRY(add(std::move(node), depth + 1));
    }
    return {};
  }

  static Names bind(const Function& function, const Node& call) {
    Names names;
    for (std::size_t i = 0; i < function.inputs.size(); ++i) {
      const std::string* const given = call.input(i);
      names.emplace(function.inputs[i], given != nullptr ? *given : std::string());
    }
    for (std::size_t i = 0; i < function.outputs.size(); ++i) {
      if (const std::string* const wanted = call.output(i)) names.emplace(function.outputs[i], *wanted);
    }
    return names;
  }

  // An output of the call whose name in the function is used already (for one of its inputs, or an output named
  // twice) is a copy of that.
  Result<void> pass_through(const Function& function, const Node& call, const Names& names, int depth) {
    for (std::size_t i = 0; i < function.outputs.size(); ++i) {
      const std::string* const wanted = call.output(i);
      if (wanted == nullptr || names.at(function.outputs[i]) == *wanted) continue;
      Node copy;
      copy.index = call.index;
      copy.name = call.name;
      copy.op_type = "Identity";
      copy.inputs = {names.at(function.outputs[i])};
      copy.outputs = {*wanted};
      IOS_TRY(add(std::move(copy), depth + 1));
    }
    return {};
  }

  static Node instance(const Function& function, const Node& inner, const Node& call, Names& names,
                       const std::string& prefix) {
    Node node = inner;
    stand_for(call, node, [&](std::string& name) {
      if (!name.empty()) name = names.emplace(name, prefix + name).first->second;
    });
    resolve_references(function, call, node);
    return node;
  }

  // Gives the node, and those in its branches, the attributes that are the function's.
  static void resolve_references(const Function& function, const Node& call, Node& node) {
    for (auto& [name, attribute] : node.attributes) {
      auto* const graphs = std::get_if<Subgraphs>(&attribute);
      if (graphs == nullptr || graphs->branch == nullptr) continue;
      Branch branch = *graphs->branch;
      for (Node& inner : branch.nodes) resolve_references(function, call, inner);
      graphs->branch = std::make_shared<const Branch>(std::move(branch));
    }
    for (const auto& [own, of_function] : std::exchange(node.references, {})) {
      const Attribute* given = find_attribute(call, of_function);
      const auto standard = function.defaults.find(of_function);
      if (given == nullptr && standard != function.defaults.end()) given = &standard->second;
      if (given != nullptr) node.attributes.insert_or_assign(own, *given);
    }
  }

  std::map<std::tuple<std::string, std::string, std::string>, const Function*> by_name_;  // domain, name, overload
  std::size_t steps_ = 0;                                                                 // calls so far
  std::size_t count_ = 0;  // nodes so far, in branches too
  std::size_t bytes_ = 0;
};

Result<void> adopt_opsets(const Function& function, std::map<std::string, std::int64_t, std::less<>>& opsets) {
  for (const auto& [domain, version] : function.opsets) {
    const auto [found, added] = opsets.emplace(domain, version);
    if (found->second == version) continue;
    return fail(message("is written for version {} of the operators {}, but the model for version {}", version,
                        name_text(domain.empty() ? "ai.onnx" : domain), found->second),
                function.where(), kInlineFirst);
  }
  return {};
}

// Adds the names that a graph uses and does not define: tensors of the outer graph.
void collect_captures(const onnx::GraphProto& graph, std::set<std::string>& captures) {
  std::set<std::string> used;
  for (const auto& node : graph.node()) {
    for (const auto& name : node.input()) used.insert(name);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) collect_captures(attribute.g(), used);
      for (const auto& inner : attribute.graphs()) collect_captures(inner, used);
    }
  }
  for (const auto& output : graph.output()) used.insert(output.name());
  used.erase("");
  for (const auto& input : graph.input()) used.erase(input.name());
  for (const auto& tensor : graph.initializer()) used.erase(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) used.erase(tensor.values().name());
  for (const auto& node : graph.node()) {
    for (const auto& name : node.output()) used.erase(name);
  }
  captures.merge(used);
}

Subgraphs read_subgraphs(const onnx::AttributeProto& attribute) {
  Subgraphs subgraphs;
  std::set<std::string> captures;
  const auto add = [&](const onnx::GraphProto& graph) {
    subgraphs.names.push_back(graph.name());
    collect_captures(graph, captures);
  };
  if (attribute.has_g()) add(attribute.g());
  for (const auto& graph : attribute.graphs()) add(graph);
  subgraphs.captures.assign(captures.begin(), captures.end());
  return subgraphs;
}

// The attribute's kind; files older than IR version 2 do not say it.
onnx::AttributeProto::AttributeType kind_of(const onnx::AttributeProto& attribute) {
  using Proto = onnx::AttributeProto;
  if (attribute.type() != Proto::UNDEFINED) return attribute.type();
  if (attribute.has_f()) return Proto::FLOAT;
  if (attribute.has_i()) return Proto::INT;
  if (attribute.has_s()) return Proto::STRING;
  if (attribute.has_t()) return Proto::TENSOR;
  if (attribute.has_g()) return Proto::GRAPH;
  if (attribute.floats_size() > 0) return Proto::FLOATS;
  if (attribute.ints_size() > 0) return Proto::INTS;
  if (attribute.strings_size() > 0) return Proto::STRINGS;
  if (attribute.tensors_size() > 0) return Proto::TENSORS;
  if (attribute.graphs_size() > 0) return Proto::GRAPHS;
  return Proto::UNDEFINED;
}

template <typename To, typename Field>
std::vector<To> list_of(const Field& field) {
  return {field.begin(), field.end()};
}

Result<Attribute> take_tensors(onnx::AttributeProto& attribute, ExternalFolder& folder, const std::string& where) {
  std::vector<HostTensor> tensors;
  for (auto& proto : *attribute.mutable_tensors()) {
    IOS_TRY(auto tensor, take_tensor(proto, folder, where));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<std::shared_ptr<const Branch>> take_branch(onnx::GraphProto& graph, ExternalFolder& folder) {
  auto branch = std::make_shared<Branch>();
  for (auto& proto : *graph.mutable_initializer()) {
    const std::string name = proto.name();
    IOS_TRY(auto tensor, take_tensor(proto, folder, fmt::format("initializer {} of a branch", name_text(name))));
    branch->initializers.emplace(name, std::move(tensor));
  }
  for (auto& proto : *graph.mutable_sparse_initializer()) {
    const std::string name = proto.values().name();
    IOS_TRY(auto tensor, take_sparse_tensor(proto, folder, fmt::format("initializer {} of a branch", name_text(name))));
    branch->initializers.emplace(name, std::move(tensor));
  }
  for (auto& message : *graph.mutable_node()) {
    IOS_TRY(auto node, take_node(message, branch->nodes.size(), folder));
    branch->nodes.push_back(std::move(node));
  }
  for (const auto& input : graph.input()) branch->inputs.push_back(input.name());
  for (const auto& output : graph.output()) branch->outputs.push_back(output.name());
  return branch;
}

Result<Attribute> take_attribute(onnx::AttributeProto& attribute, ExternalFolder& folder, const std::string& where,
                                 bool with_branch = false) {
  using Proto = onnx::AttributeProto;
  switch (kind_of(attribute)) {
    case Proto::FLOAT: return attribute.f();
    case Proto::INT: return static_cast<std::int64_t>(attribute.i());
    case Proto::STRING: return attribute.s();
    case Proto::FLOATS: return list_of<float>(attribute.floats());
    case Proto::INTS: return list_of<std::int64_t>(attribute.ints());
    case Proto::STRINGS: return list_of<std::string>(attribute.strings());
    case Proto::GRAPH: {
      Subgraphs subgraphs = read_subgraphs(attribute);
      if (!with_branch) return subgraphs;
      IOS_TRY(auto branch, take_branch(*attribute.mutable_g(), folder));
      subgraphs.branch = std::move(branch);
      subgraphs.captures_inside = subgraphs.captures;
      return subgraphs;
    }
    case Proto::GRAPHS: return read_subgraphs(attribute);
    case Proto::TENSORS: return take_tensors(attribute, folder, where);
    case Proto::TENSOR: {
      IOS_TRY(auto tensor, take_tensor(*attribute.mutable_t(), folder, where));
      return tensor;
    }
    case Proto::SPARSE_TENSOR: {
      IOS_TRY(auto tensor, take_sparse_tensor(*attribute.mutable_sparse_tensor(), folder, where));
      return tensor;
    }
    default: return UnknownAttribute{fmt::format("ONNX's kind {}", static_cast<int>(attribute.type()))};
  }
}

// Default values of a function's attributes: field 11 of the message, which protobuf's classes of ONNX 1.12 do not
// know.
Result<void> take_defaults(const onnx::FunctionProto& proto, ExternalFolder& folder, Function& function) {
  constexpr int kAttributeProto = 11;
  const auto& unknown = proto.unknown_fields();
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& field = unknown.field(i);
    if (field.number() != kAttributeProto || field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
      continue;
    }
    onnx::AttributeProto attribute;
    if (!attribute.ParseFromString(field.length_delimited()))
      return fail(message("has a damaged attribute"), function.where(), message("export the model again"));
    IOS_TRY(auto value, take_attribute(attribute, folder, function.where()));
    function.defaults.emplace(attribute.name(), std::move(value));
  }
  return {};
}

// Returns the overload of a function or of a node that calls one: a text in this field, which protobuf's classes of
// ONNX 1.12 do not know.
std::string overload_of(const google::protobuf::UnknownFieldSet& unknown, int number) {
  std::string found;
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& field = unknown.field(i);
    const bool text = field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED;
    if (field.number() == number && text) found = field.length_delimited();
  }
  return found;
}

}  // namespace

std::string Function::where() const {
  const std::string whole = domain.empty() ? name : fmt::format("{}.{}", domain, name);
  return fmt::format("function {}", name_text(overload.empty() ? whole : fmt::format("{}:{}", whole, overload)));
}

Result<std::vector<Node>> inline_functions(std::vector<Node> nodes, const std::vector<Function>& functions,
                                           std::map<std::string, std::int64_t, std::less<>>& opsets) {
  if (functions.empty()) return nodes;
  std::set<std::tuple<std::string, std::string, std::string>> names;
  for (const Function& function : functions) {
    if (!names.insert({function.domain, function.name, function.overload}).second)
      return fail(message("is defined twice"), function.where(), kInlineFirst);
    IOS_TRY(adopt_opsets(function, opsets));
  }
  Inliner inliner(functions);
  for (Node& node : nodes) IOS_TRY(inliner.add(std::move(node), 0));
  return std::move(inliner.nodes);
}

std::string domain_of(const std::string& written) { return written == "ai.onnx" ? std::string() : written; }

Result<Node> take_node(onnx::NodeProto& proto, std::size_t index, ExternalFolder& folder) {
  Node node;
  node.index = index;
  node.name = proto.name();
  node.op_type = proto.op_type();
  node.domain = domain_of(proto.domain());
  node.overload = overload_of(proto.unknown_fields(), 8);
  node.inputs = list_of<std::string>(proto.input());
  node.outputs = list_of<std::string>(proto.output());
  if (node.op_type.empty())
    return fail(message("has no operator type"), node.where(), message("export the model again"));
  for (auto& attribute : *proto.mutable_attribute()) {
    if (!attribute.ref_attr_name().empty()) {
      node.references.emplace_back(attribute.name(), attribute.ref_attr_name());
      continue;
    }
    const std::string where = fmt::format("attribute {} of {}", name_text(attribute.name()), node.where());
    const bool with_branch = node.domain.empty() && (node.op_type == "If" || node.op_type == "Loop");
    IOS_TRY(auto value, take_attribute(attribute, folder, where, with_branch));
    if (!node.attributes.emplace(attribute.name(), std::move(value)).second)
      return fail(message("appears twice"), where, message("export the model again"));
  }
  return node;
}

Result<Function> take_function(onnx::FunctionProto& proto, ExternalFolder& folder) {
  Function function;
  function.domain = domain_of(proto.domain());
  function.name = proto.name();
  function.overload = overload_of(proto.unknown_fields(), 13);
  function.inputs = list_of<std::string>(proto.input());
  function.outputs = list_of<std::string>(proto.output());
  for (const auto& opset : proto.opset_import()) function.opsets[domain_of(opset.domain())] = opset.version();
  IOS_TRY(take_defaults(proto, folder, function));
  std::size_t index = 0;
  for (auto& inner : *proto.mutable_node()) {
    auto node = take_node(inner, index++, folder);
    if (!node) {
      node.error().where = fmt::format("{} in {}", node.error().where, function.where());
      return tl::unexpected(std::move(node.error()));
    }
    function.nodes.push_back(std::move(*node));
  }
  return function;
}

ValueInfo read_value_info(const onnx::ValueInfoProto& proto) {
  ValueInfo info;
  info.name = proto.name();
  const auto kind = proto.type().value_case();
  info.is_tensor = kind == onnx::TypeProto::kTensorType || kind == onnx::TypeProto::VALUE_NOT_SET;
  if (kind != onnx::TypeProto::kTensorType) return info;
  const auto& type = proto.type().tensor_type();
  info.type = element_type_of(type.elem_type());
  if (!type.has_shape()) return info;
  info.dims.emplace();
  for (const auto& dim : type.shape().dim()) {
    Dim read;
    // A size below zero leaves it open, as ONNX Runtime has it.
    if (dim.has_dim_value() && dim.dim_value() >= 0) read.size = dim.dim_value();
    read.symbol = dim.dim_param();
    info.dims->push_back(std::move(read));
  }
  return info;
}

}  // namespace iosx::onnx_import
