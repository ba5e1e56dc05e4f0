#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

std::string text(const Extent& extent) { return fmt::format("{}x{}", extent.height, extent.width); }
std::string text(const Shape& shape) {
  return fmt::format("{}x{}x{}", shape.channels(), shape.height(), shape.width());
}

std::string attributes(const Operator& op) {
  if (const auto* conv = op.as<Conv>()) {
    return fmt::format(" out {} kernel {} stride {} padding {} dilation {} groups {} {} merged [{}]",
                       conv->out_channels, text(conv->kernel), text(conv->stride), text(conv->padding),
                       text(conv->dilation), conv->groups, activation_name(conv->activation),
                       fmt::join(conv->merged_from, " "));
  }
  if (const auto* pool = op.as<Pool>()) {
    return fmt::format(" kernel {} stride {} padding {} ceil {}", text(pool->kernel), text(pool->stride),
                       text(pool->padding), pool->ceil_mode);
  }
  if (const auto* linear = op.as<Linear>()) {
    return fmt::format(" out {} {}", linear->out_features, activation_name(linear->activation));
  }
  return {};
}

std::string line(const Graph& graph, const Operator& op) {
  std::string inputs;
  for (const Value& value : op.inputs) {
    inputs += fmt::format(" {}[{},{})", graph.op(value.producer).name, value.begin, value.end);
  }
  return fmt::format("    {} = {}{} of{} -> {}\n", op.name, kind_name(op.attributes), attributes(op), inputs,
                     text(op.output));
}

}  // namespace

std::string describe(const Graph& graph) {
  std::string all = graph.name() + "\n";
  for (const OperatorId id : graph.inputs()) all += line(graph, graph.op(id));
  for (const Part& part : graph.parts()) {
    all += fmt::format("part {}\n", part.name);
    for (const UnitId unit : part.units) {
      all += fmt::format("  unit {} hint '{}'\n", graph.unit(unit).name, graph.unit(unit).hint);
      for (const OperatorId op : graph.unit(unit).operators) all += line(graph, graph.op(op));
    }
  }
  return all;
}

}  // namespace iosx::test
