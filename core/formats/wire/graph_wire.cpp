#include "core/formats/wire/graph_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"
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
      IOS_TRY(add(i));
      if (builder_.error()) return at(i, builder_.error()->line());
    }
    if (open_) builder_.end_unit();
    if (units_ != record_.units.size()) return fail(message("the last units have no operators"), "units");
    auto graph = std::move(builder_).build();
    if (!graph) return fail(graph.error().line(), "operators");
    return inside(with_parts(*graph, std::move(record_.parts)), {}, "parts");
  }

 private:
  static tl::unexpected<Error> at(std::size_t op, Message what) {
    return fail(std::move(what), fmt::format("operators[{}]", op));
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
    if (lost != networks_.end())
      return fail(message("operator {} is in no network", lost - networks_.begin()), "networks");
    return {};
  }

  Result<void> add(std::size_t i) {
    if (!networks_.empty()) builder_.set_network(*networks_[i]);
    OperatorRecord& op = record_.operators[i];
    if (op.name.empty()) return at(i, message("has no name"));
    const auto* const input = std::get_if<Input>(&op.attributes);
    const auto* const constant = std::get_if<Constant>(&op.attributes);
    const bool source = input != nullptr || constant != nullptr;
    if (source == op.unit.valid()) return at(i, source ? message("a source is in no unit") : message("is in no unit"));
    if (source && !op.inputs.empty()) return at(i, message("a source has no inputs"));
    if (source && unbiased_.contains(i)) return at(i, message("a source has no bias"));
    const auto given = constants_.find(i);
    if (given != constants_.end() && constant == nullptr) return at(i, message("only a constant has a value"));
    if (input != nullptr) {
      builder_.input(std::move(op.name), input->shape);
    } else if (given != constants_.end()) {
      if (!std::ranges::equal(given->second.dims(), constant->shape.dims()) || given->second.empty())
        return at(i, message("its value has different dims"));
      builder_.constant(std::move(op.name), std::move(given->second));
    } else if (constant != nullptr) {
      if (constant->shape.rank() == 0) return at(i, message("a scalar without its value"));
      builder_.constant(std::move(op.name), constant->shape);
    } else {
      IOS_TRY(begin_unit(i, op.unit));
      const Value made = builder_.add(std::move(op.name), std::move(op.attributes), std::move(op.inputs));
      if (unbiased_.contains(i)) builder_.leave_out_bias(made);
    }
    return {};
  }

  // Units come in order, each with all its operators.
  Result<void> begin_unit(std::size_t op, UnitId unit) {
    if (open_ && unit.index() + 1 == units_) return {};
    if (unit.index() != units_ || units_ >= record_.units.size())
      return at(op, message("is in unit {}, which is not the next unit", unit.index()));
    if (open_) builder_.end_unit();
    UnitRecord& record = record_.units[units_++];
    if (record.name.empty()) return at(op, message("its unit has no name"));
    builder_.begin_unit(std::move(record.name), std::move(record.hint), record.whole);
    open_ = true;
    return {};
  }

  GraphRecord record_;
  GraphBuilder builder_;
  std::unordered_map<std::size_t, Tensor> constants_;
  std::unordered_set<std::size_t> unbiased_;
  std::vector<const std::string*> networks_;  // by operator; empty where the graph is one
  std::size_t units_ = 0;                     // begun
  bool open_ = false;
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
    if (records[i].units < 1 || records[i].units > left)
      return fail(message("has {} of the {} remaining units", records[i].units, left), fmt::format("[{}]", i));
    parts.push_back({std::move(records[i].name), {}, records[i].continued});
    for (std::size_t unit = 0; unit < records[i].units; ++unit) parts.back().units.emplace_back(next++);
  }
  if (next != graph.units().size()) return fail(message("some units are in no part"));
  return graph.with_parts(std::move(parts));
}

GraphRecord record_of(const Graph& graph) {
  GraphRecord record;
  record.name = graph.name();
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
  for (const Unit& unit : graph.units()) record.units.push_back({unit.name, unit.hint, unit.whole});
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
  return wire::inside(wire::graph_of(std::move(record)), origin, "content");
}

namespace wire {

constexpr std::int64_t kMostUnits = std::int64_t{1} << 24;  // of the canvas, each way

IOS_FIELDS(ChannelRange, row, field(x.begin), field(x.end));
IOS_FIELDS(CanvasPlace, row, field({}, x.x, -kMostUnits, kMostUnits), field({}, x.y, -kMostUnits, kMostUnits));
IOS_FIELDS(EditUnit, all, field("name", x.name), field("hint", x.hint), field("part", x.part),
           written_if_set(field("whole", x.whole)));
IOS_FIELDS(EditPart, all, unwritten(x.key), field("name", x.name), field("continued", x.continued));
namespace {

constexpr std::string_view kEditFormat = "iosx-editable-graph";

struct SlotRecord {
  OperatorKey from = {};     // place of the operator; none: open
  std::string outside = {};  // name of what it read outside of a fragment
  std::optional<ChannelRange> channels = {};
};
struct DrawnOperatorRecord {
  std::string name;
  Attributes attributes;
  std::vector<SlotRecord> inputs = {};
  UnitKey unit = {};  // place
  bool biased = true;
  Tensor weights;
  Tensor bias;
  std::optional<CanvasPlace> place;
};
struct DrawnNetworkRecord {
  std::string name;
  std::vector<OperatorKey> operators;  // places
};
struct DrawnGraphRecord {
  std::string name;
  std::vector<EditPart> parts;
  std::vector<EditUnit> units;  // with places as keys of their parts
  std::vector<DrawnOperatorRecord> operators;
  std::vector<DrawnNetworkRecord> networks;  // where there are several
};

IOS_FIELDS(SlotRecord, all, field("from", x.from), field("outside", x.outside), field("channels", x.channels));
IOS_FIELDS(DrawnOperatorRecord, all, field("name", x.name), field("attributes", x.attributes),
           field("inputs", x.inputs), field("unit", x.unit), field("biased", x.biased), field("weights", x.weights),
           field("bias", x.bias), field("place", x.place));
IOS_FIELDS(DrawnNetworkRecord, all, field("name", x.name), field("operators", x.operators));
IOS_FIELDS(DrawnGraphRecord, all, field("name", x.name), field("parts", x.parts), field("units", x.units),
           field("operators", x.operators), later(field("networks", x.networks)));

class EditWriter {
 public:
  explicit EditWriter(const Fragment& fragment) : graph_(fragment.graph) {
    for (const OutsideInput& input : fragment.outside) outside_[{input.reader, input.slot}] = &input;
  }

  std::string run() const {
    DrawnGraphRecord record;
    record.name = graph_.name();
    record.parts.assign(graph_.parts().begin(), graph_.parts().end());
    for (const auto& [key, unit] : graph_.units()) {
      const auto part = std::ranges::find(graph_.parts(), unit->part, &EditPart::key);
      record.units.push_back(
          {unit->name, unit->hint, PartKey(static_cast<std::size_t>(part - graph_.parts().begin())), unit->whole});
    }
    record.operators.reserve(graph_.operators().size());
    for (const auto& [key, op] : graph_.operators()) {
      add_to_network(record, OperatorKey(record.operators.size()), *op);
      record.operators.push_back(record_of(key, *op));
    }
    return write_document(kEditFormat, record);
  }

 private:
  static void add_to_network(DrawnGraphRecord& record, OperatorKey place, const EditOperator& op) {
    if (op.network.empty()) return;
    auto at = std::ranges::find(record.networks, op.network, &DrawnNetworkRecord::name);
    if (at == record.networks.end()) at = record.networks.insert(at, {op.network, {}});
    at->operators.push_back(place);
  }

  DrawnOperatorRecord record_of(OperatorKey key, const EditOperator& op) const {
    DrawnOperatorRecord record{.name = op.name,
                               .attributes = op.attributes,
                               .biased = op.biased,
                               .weights = op.weights,
                               .bias = op.bias,
                               .place = op.place};
    if (op.unit.valid()) record.unit = UnitKey(graph_.units().position(op.unit));
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
      const EditInput& input = op.inputs[slot];
      SlotRecord written{.channels = input.channels};
      if (!input.open()) written.from = OperatorKey(graph_.operators().position(input.producer));
      if (const auto outside = outside_.find({key, slot}); outside != outside_.end()) {
        written.outside = outside->second->name;
        written.channels = outside->second->channels;
      }
      record.inputs.push_back(std::move(written));
    }
    return record;
  }

  const EditableGraph& graph_;
  std::map<std::pair<OperatorKey, std::size_t>, const OutsideInput*> outside_;
};

class EditReader {
 public:
  explicit EditReader(DrawnGraphRecord record) : record_(std::move(record)) {}

  // The error's place is inside the record.
  Result<Fragment> run() && {
    Fragment made{.graph = EditableGraph(record_.name)};
    if (record_.parts.empty()) return fail(message("a graph has at least one part"), "parts");
    for (std::size_t i = 0; i < record_.parts.size(); ++i) record_.parts[i].key = PartKey(i);
    made.graph.set_parts(record_.parts);
    for (std::size_t i = 0; i < record_.units.size(); ++i) {
      EditUnit& unit = record_.units[i];
      if (!unit.part.valid() || unit.part.index() >= record_.parts.size())
        return fail(message("is in a part that does not exist"), fmt::format("units[{}]", i));
      made.graph.set(UnitKey(i), std::move(unit));
    }
    std::vector<std::string> networks(record_.operators.size());
    for (std::size_t i = 0; i < record_.networks.size(); ++i) {
      for (const OperatorKey place : record_.networks[i].operators) {
        if (!place.valid() || place.index() >= networks.size())
          return fail(message("names no operator"), fmt::format("networks[{}]", i));
        networks[place.index()] = record_.networks[i].name;
      }
    }
    std::vector<bool> used(record_.units.size(), false);
    for (std::size_t i = 0; i < record_.operators.size(); ++i) {
      DrawnOperatorRecord& op = record_.operators[i];
      if (Message wrong = mistake(op); !wrong.empty()) return fail(std::move(wrong), fmt::format("operators[{}]", i));
      if (op.unit.valid()) used[op.unit.index()] = true;
      made.graph.set(OperatorKey(i), drawn(std::move(op), OperatorKey(i), std::move(networks[i]), made.outside));
    }
    const auto unused = std::ranges::find(used, false);
    if (unused != used.end()) return fail(message("has no operators"), fmt::format("units[{}]", unused - used.begin()));
    return made;
  }

 private:
  Message mistake(const DrawnOperatorRecord& op) const {
    const bool source = std::holds_alternative<Input>(op.attributes) || std::holds_alternative<Constant>(op.attributes);
    if (source && op.unit.valid()) return message("a source is in no unit");
    if (!source && (!op.unit.valid() || op.unit.index() >= record_.units.size()))
      return message("is in a unit that does not exist");
    if (op.weights.empty() && !op.bias.empty()) return message("has its own bias but not its own weights");
    for (const SlotRecord& input : op.inputs) {
      if (input.from.valid() && input.from.index() >= record_.operators.size())
        return message("reads an operator that does not exist");
      if (input.from.valid() && !input.outside.empty()) return message("reads two operators at once");
      if (input.channels && (input.channels->begin < 0 || input.channels->begin >= input.channels->end))
        return message("must read at least one channel, from 0 on");
    }
    return {};
  }

  static EditOperator drawn(DrawnOperatorRecord op, OperatorKey key, std::string network,
                            std::vector<OutsideInput>& outside) {
    EditOperator made{.name = std::move(op.name), .attributes = std::move(op.attributes), .inputs = {}};
    for (SlotRecord& input : op.inputs) {
      if (!input.outside.empty()) {
        outside.push_back({key, made.inputs.size(), std::move(input.outside), {}, input.channels});
        made.inputs.emplace_back();
      } else {
        made.inputs.push_back({input.from, input.from.valid() ? input.channels : std::nullopt});
      }
    }
    made.biased = op.biased;
    made.weights = std::move(op.weights);
    made.bias = std::move(op.bias);
    made.unit = op.unit;
    made.network = std::move(network);
    made.place = op.place;
    return made;
  }

  DrawnGraphRecord record_;
};

}  // namespace
}  // namespace wire

std::string edit_to_text(const EditableGraph& graph) { return fragment_to_text({.graph = graph}); }

std::string fragment_to_text(const Fragment& fragment) { return wire::EditWriter(fragment).run(); }

Result<Fragment> fragment_from_text(std::string_view text, const std::string& origin) {
  IOS_TRY(auto record, wire::read_document<wire::DrawnGraphRecord>(text, origin, wire::kEditFormat));
  return wire::inside(wire::EditReader(std::move(record)).run(), origin, "content");
}

Result<EditableGraph> edit_from_text(std::string_view text, const std::string& origin) {
  IOS_TRY(auto fragment, fragment_from_text(text, origin));
  return std::move(fragment.graph);
}

}  // namespace iosx
