#include "core/formats/onnx/convert/branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <variant>

namespace iosx::onnx_import {

const Subgraphs* branch_of(const Node& node, bool condition) {
  const Attribute* const attribute = find_attribute(node, condition ? "then_branch" : "else_branch");
  const auto* const subgraphs = attribute == nullptr ? nullptr : std::get_if<Subgraphs>(attribute);
  return subgraphs == nullptr || subgraphs->branch == nullptr ? nullptr : subgraphs;
}

std::optional<bool> truth_of(const HostTensor& condition) {
  if (!condition.holds_integers() || condition.elements() != 1) return std::nullopt;
  return condition.integers()[0] != 0;
}

Inlined inlined(const Node& node, const Subgraphs& subgraphs, std::size_t number) {
  const std::string prefix = fmt::format("If#{}/", number);
  std::unordered_map<std::string, std::string> names;
  for (std::size_t i = 0; i < subgraphs.captures_inside.size(); ++i) {
    names.emplace(subgraphs.captures_inside[i], subgraphs.captures[i]);
  }
  const auto rename = [&](std::string& name) {
    if (!name.empty()) name = names.emplace(name, prefix + name).first->second;
  };
  Inlined made;
  for (const auto& [name, tensor] : subgraphs.branch->initializers)
    made.initializers.emplace_back(prefix + name, tensor);
  for (Node inner : subgraphs.branch->nodes) {
    inner.index = node.index;
    if (!node.name.empty()) inner.name = node.name + "/" + (inner.name.empty() ? inner.op_type : inner.name);
    std::for_each(inner.inputs.begin(), inner.inputs.end(), rename);
    std::for_each(inner.outputs.begin(), inner.outputs.end(), rename);
    for (auto& [name, attribute] : inner.attributes) {
      if (auto* const graphs = std::get_if<Subgraphs>(&attribute)) {
        std::for_each(graphs->captures.begin(), graphs->captures.end(), rename);
      }
    }
    made.nodes.push_back(std::move(inner));
  }
  made.outputs = subgraphs.branch->outputs;
  std::for_each(made.outputs.begin(), made.outputs.end(), rename);
  return made;
}

}  // namespace iosx::onnx_import
