#include "core/formats/onnx/read/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace iosx::onnx_import {
namespace {

constexpr std::size_t kMaxNodes = 1'000'000;
constexpr std::size_t kMaxBytes = std::size_t{1} << 28;  // of names and lists in the nodes of all calls
constexpr int kMaxCallDepth = 32;
constexpr Sentence kInlineFirst{"inline the model's functions (onnx.inliner) before opening it"};

using Names = std::unordered_map<std::string, std::string>;  // a function's tensor, the model's tensor

// Returns roughly the bytes of a copy of a node in addition to its own size.
std::size_t bytes_of(const Node& node) {
  std::size_t bytes = node.name.size() + node.op_type.size() + node.domain.size();
  for (const auto* names : {&node.inputs, &node.outputs}) {
    for (const std::string& name : *names) bytes += sizeof(name) + name.size();
  }
  for (const auto& [name, attribute] : node.attributes) {
    bytes += sizeof(attribute) + name.size();
    if (const auto* text = std::get_if<std::string>(&attribute)) bytes += text->size();
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute))
      bytes += list->size() * sizeof((*list)[0]);
    if (const auto* list = std::get_if<std::vector<float>>(&attribute)) bytes += list->size() * sizeof((*list)[0]);
    if (const auto* list = std::get_if<std::vector<std::string>>(&attribute)) {
      for (const std::string& text : *list) bytes += sizeof(text) + text.size();
    }
    if (const auto* graphs = std::get_if<Subgraphs>(&attribute)) {
      for (const std::string& text : graphs->names) bytes += sizeof(text) + text.size();
      for (const std::string& text : graphs->captures) bytes += sizeof(text) + text.size();
      if (graphs->branch == nullptr) continue;  // else it may come to stand for the copy
      for (const Node& inner : graphs->branch->nodes) bytes += sizeof(inner) + bytes_of(inner);
    }
  }
  return bytes;
}

class Inliner {
 public:
  explicit Inliner(const std::vector<Function>& functions) {
    for (const Function& function : functions) {
      by_name_.emplace(std::tuple(function.domain, function.name, function.overload), &function);
    }
  }

  Result<void> add(Node node, int depth) {
    const auto found = by_name_.find(std::tuple(node.domain, node.op_type, node.overload));
    if (found != by_name_.end()) return add_body(*found->second, node, depth);
    if (nodes.size() >= kMaxNodes) {
      return fail(message("the model has more than {} nodes", kMaxNodes), node.where(), message("open a smaller one"));
    }
    nodes.push_back(std::move(node));
    return {};
  }

  std::vector<Node> nodes;

 private:
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
    if (auto done = pass_through(function, call, names, depth); !done) return done;
    for (const FunctionNode& inner : function.nodes) {
      Node node = instance(function, inner, call, names, prefix);
      bytes_ += bytes_of(node);
      if (bytes_ > kMaxBytes)
        return fail(message("is too large for the number of its calls"), function.where(), kInlineFirst);
      if (auto done = add(std::move(node), depth + 1); !done) return done;
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
      if (auto done = add(std::move(copy), depth + 1); !done) return done;
    }
    return {};
  }

  static Node instance(const Function& function, const FunctionNode& inner, const Node& call, Names& names,
                       const std::string& prefix) {
    const auto rename = [&](std::string& name) {
      if (!name.empty()) name = names.emplace(name, prefix + name).first->second;
    };
    Node node = inner.node;
    node.index = call.index;
    if (!call.name.empty()) node.name = call.name + "/" + (node.name.empty() ? node.op_type : node.name);
    std::for_each(node.inputs.begin(), node.inputs.end(), rename);
    std::for_each(node.outputs.begin(), node.outputs.end(), rename);
    for (auto& [name, attribute] : node.attributes) {
      if (auto* const graphs = std::get_if<Subgraphs>(&attribute)) {
        std::for_each(graphs->captures.begin(), graphs->captures.end(), rename);
      }
    }
    for (const auto& [own, of_function] : inner.references) {
      const Attribute* given = find_attribute(call, of_function);
      const auto standard = function.defaults.find(of_function);
      if (given == nullptr && standard != function.defaults.end()) given = &standard->second;
      if (given != nullptr) node.attributes.insert_or_assign(own, *given);
    }
    return node;
  }

  std::map<std::tuple<std::string, std::string, std::string>, const Function*> by_name_;  // domain, name, overload
  std::size_t steps_ = 0;                                                                 // calls so far
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
    if (!names.insert({function.domain, function.name, function.overload}).second) {
      return fail(message("is defined twice"), function.where(), kInlineFirst);
    }
    IOS_TRY(adopt_opsets(function, opsets));
  }
  Inliner inliner(functions);
  for (Node& node : nodes) {
    IOS_TRY(inliner.add(std::move(node), 0));
  }
  return std::move(inliner.nodes);
}

}  // namespace iosx::onnx_import
