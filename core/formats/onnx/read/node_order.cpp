#include "core/formats/onnx/read/node_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace iosx::onnx_import {
namespace {

constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();  // a graph input or an initializer

using Definitions = std::unordered_map<std::string_view, std::size_t>;  // a tensor, the node that computes it

Result<Definitions> definitions(const OnnxModel& model) {
  Definitions defined;
  for (const ValueInfo& input : model.inputs) {
    if (!defined.emplace(input.name, kNoNode).second) {
      return fail(message("appears twice"), fmt::format("graph input {}", name_text(input.name)), kExportAgain);
    }
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

// Calls `visit` with the names that a node reads, also in its subgraphs.
template <typename Visit>
void for_each_read(const Node& node, Visit visit) {
  for (const std::string& name : node.inputs) {
    if (!name.empty()) visit(name);
  }
  for (const auto& [name, attribute] : node.attributes) {
    const auto* const subgraphs = std::get_if<Subgraphs>(&attribute);
    if (subgraphs == nullptr) continue;
    for (const std::string& capture : subgraphs->captures) visit(capture);
  }
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
    if (!defined.contains(output.name)) {
      return fail(message("no node computes it"), fmt::format("graph output {}", name_text(output.name)), kExportAgain);
    }
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

}  // namespace

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

}  // namespace iosx::onnx_import
