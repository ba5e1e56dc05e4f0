#include "core/formats/wire/graph_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/formats/wire/document.h"
#include "core/formats/wire/graph_fields.h"
#include "core/model/graph/builder.h"

namespace iosx {
namespace wire {
namespace {

constexpr std::string_view kGraphFormat = "iosx-graph";

class GraphMaker {
 public:
  explicit GraphMaker(GraphRecord record) : record_(std::move(record)), builder_(record_.name) {}

  Result<Graph> make() && {
    for (ConstantRecord& constant : record_.constants) {
      constants_.emplace(constant.constant.index(), std::move(constant.value));
    }
    for (const OperatorId id : record_.unbiased) {
      if (!id.valid() || id.index() >= record_.operators.size()) return fail(message("names no operator"), "unbiased");
      unbiased_.insert(id.index());
    }
    IOS_TRY(share_out_networks());
    for (std::size_t i = 0; i < record_.operators.size(); ++i) {
      if (!add(i)) return tl::unexpected(std::move(*problem_));
      if (builder_.error()) return at(i, builder_.error()->line());
    }
    if (open_) builder_.end_unit();
    if (units_ != record_.units.size()) return fail(message("the last units have no operators"), "units");
    auto graph = std::move(builder_).build();
    if (!graph) return fail(graph.error().line(), "operators");
    auto in_parts = with_parts(*graph, std::move(record_.parts));
    if (in_parts) return in_parts;
    return fail(in_parts.error().what, "parts" + in_parts.error().where);
  }

 private:
  static tl::unexpected<Error> at(std::size_t op, Message what) {
    return fail(std::move(what), fmt::format("operators[{}]", op));
  }
  bool refuse(std::size_t op, Message what) {
    problem_ = at(op, std::move(what)).value();
    return false;
  }

  Result<void> share_out_networks() {
    if (record_.networks.empty()) return {};
    networks_.assign(record_.operators.size(), nullptr);
    for (std::size_t n = 0; n < record_.networks.size(); ++n) {
      const MemberRecord& network = record_.networks[n];
      const std::string place = fmt::format("networks[{}]", n);
      if (network.name.empty()) return fail(message("has no name"), place);
      for (const OperatorId id : network.operators) {
        if (!id.valid() || id.index() >= networks_.size()) return fail(message("names no operator"), place);
        if (networks_[id.index()] != nullptr) {
          return fail(message("names operator {}, which is already in '{}'", id.index(), *networks_[id.index()]),
                      place);
        }
        networks_[id.index()] = &network.name;
      }
    }
    const auto lost = std::ranges::find(networks_, nullptr);
    if (lost != networks_.end()) {
      return fail(message("operator {} is in no network", lost - networks_.begin()), "networks");
    }
    return {};
  }

  bool add(std::size_t i) {
    if (!networks_.empty()) builder_.set_network(*networks_[i]);
    OperatorRecord& op = record_.operators[i];
    if (op.name.empty()) return refuse(i, message("has no name"));
    const auto* const input = std::get_if<Input>(&op.attributes);
    const auto* const constant = std::get_if<Constant>(&op.attributes);
    const bool source = input != nullptr || constant != nullptr;
    if (source == op.unit.valid())
      return refuse(i, source ? message("a source is in no unit") : message("is in no unit"));
    if (source && !op.inputs.empty()) return refuse(i, message("a source has no inputs"));
    if (source && unbiased_.contains(i)) return refuse(i, message("a source has no bias"));
    const auto given = constants_.find(i);
    if (given != constants_.end() && constant == nullptr) return refuse(i, message("only a constant has a value"));
    if (input != nullptr) {
      builder_.input(std::move(op.name), input->shape);
    } else if (given != constants_.end()) {
      if (!std::ranges::equal(given->second.dims(), constant->shape.dims()) || given->second.empty()) {
        return refuse(i, message("its value has different dims"));
      }
      builder_.constant(std::move(op.name), std::move(given->second));
    } else if (constant != nullptr) {
      if (constant->shape.rank() == 0) return refuse(i, message("a scalar without its value"));
      builder_.constant(std::move(op.name), constant->shape);
    } else {
      if (!begin_unit(i, op.unit)) return false;
      const Value made = builder_.add(std::move(op.name), std::move(op.attributes), std::move(op.inputs));
      if (unbiased_.contains(i)) builder_.leave_out_bias(made);
    }
    return true;
  }

  // Units come in order, each with all its operators.
  bool begin_unit(std::size_t op, UnitId unit) {
    if (open_ && unit.index() + 1 == units_) return true;
    if (unit.index() != units_ || units_ >= record_.units.size()) {
      return refuse(op, message("is in unit {}, which is not the next unit", unit.index()));
    }
    if (open_) builder_.end_unit();
    UnitRecord& record = record_.units[units_++];
    if (record.name.empty()) return refuse(op, message("its unit has no name"));
    builder_.begin_unit(std::move(record.name), std::move(record.hint));
    open_ = true;
    return true;
  }

  GraphRecord record_;
  GraphBuilder builder_;
  std::unordered_map<std::size_t, Tensor> constants_;
  std::unordered_set<std::size_t> unbiased_;
  std::vector<const std::string*> networks_;  // by operator; empty where the graph is one
  std::size_t units_ = 0;                     // begun
  bool open_ = false;
  std::optional<Error> problem_;
};

}  // namespace

std::vector<PartRecord> part_records(const Graph& graph) {
  std::vector<PartRecord> records;
  for (const Part& part : graph.parts()) records.push_back({part.name, part.units.size(), part.continued});
  return records;
}

Result<Graph> with_parts(const Graph& graph, std::vector<PartRecord> records) {
  std::vector<Part> parts;
  std::size_t next = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t left = graph.units().size() - next;
    if (records[i].units < 1 || records[i].units > left) {
      return fail(message("has {} of the {} remaining units", records[i].units, left), fmt::format("[{}]", i));
    }
    parts.push_back({std::move(records[i].name), {}, records[i].continued});
    for (std::size_t unit = 0; unit < records[i].units; ++unit) parts.back().units.emplace_back(next++);
  }
  if (next != graph.units().size()) return fail(message("some units are in no part"));
  return graph.with_parts(std::move(parts));
}

GraphRecord record_of(const Graph& graph) {
  GraphRecord record{
      .name = graph.name(), .operators = {}, .units = {}, .parts = {}, .constants = {}, .unbiased = {}, .networks = {}};
  for (const std::string& network : graph.networks()) record.networks.push_back({network, {}});
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    record.operators.push_back({op.name, op.attributes, op.inputs, op.unit});
    if (op.is_constant() && op.output.elements() <= kMostConstantElements) {
      record.constants.push_back({OperatorId(i), graph.parameters()->weights(OperatorId(i))});
    }
    const bool may_have_bias = !graph.parameters()->dims(OperatorId(i)).bias.empty();
    if (op.network.valid()) record.networks[op.network.index()].operators.emplace_back(i);
    if (may_have_bias && !graph.parameters()->has_bias(OperatorId(i))) record.unbiased.emplace_back(i);
  }
  for (const Unit& unit : graph.units()) record.units.push_back({unit.name, unit.hint});
  record.parts = part_records(graph);
  return record;
}

Result<Graph> graph_of(GraphRecord record) { return GraphMaker(std::move(record)).make(); }

}  // namespace wire

bool has_numbers_of_its_own(const Graph& graph) {
  if (graph.parameters()->any_given()) return true;
  // Constants are not told one by one whether they were made up, but a graph's are all of one kind.
  return graph.parameters()->complete() && std::ranges::any_of(graph.operators(), [](const Operator& op) {
           return op.is_constant() && op.output.elements() > kMostConstantElements;
         });
}

std::string graph_to_wire(const Graph& graph) {
  return wire::write_document(wire::kGraphFormat, wire::record_of(graph));
}

Result<Graph> graph_from_wire(std::string_view text, const std::string& origin) {
  IOS_TRY(auto record, wire::read_document<wire::GraphRecord>(text, origin, wire::kGraphFormat));
  auto graph = wire::graph_of(std::move(record));
  if (!graph) return wire::inside(std::move(graph.error()), origin, "content");
  return graph;
}

}  // namespace iosx
