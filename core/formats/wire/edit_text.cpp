#include "core/formats/wire/edit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/formats/wire/document.h"
#include "core/formats/wire/graph_fields.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace wire {

constexpr std::int64_t kMostUnits = std::int64_t{1} << 24;  // of the canvas, each way

template <typename A>
void fields(A& a, typename A::template Of<ChannelRange>& x) {
  a.row(x, field(x.begin), field(x.end));
}
template <typename A>
void fields(A& a, typename A::template Of<CanvasPlace>& x) {
  a.row(x, field({}, x.x, -kMostUnits, kMostUnits), field({}, x.y, -kMostUnits, kMostUnits));
}
namespace {

constexpr std::string_view kEditFormat = "iosx-editable-graph";

struct SlotRecord {
  OperatorKey from;     // place of the operator; none: open
  std::string outside;  // name of what it read outside of a fragment
  std::optional<ChannelRange> channels;
};
struct DrawnOperatorRecord {
  std::string name;
  Attributes attributes;
  std::vector<SlotRecord> inputs;
  UnitKey unit;  // place
  bool biased = true;
  Tensor weights;
  Tensor bias;
  std::optional<CanvasPlace> place;
};
struct DrawnUnitRecord {
  std::string name;
  std::string hint;
  PartKey part;  // place
};
struct DrawnPartRecord {
  std::string name;
  bool continued = false;
};
struct DrawnNetworkRecord {
  std::string name;
  std::vector<OperatorKey> operators;  // places
};
struct DrawnGraphRecord {
  std::string name;
  std::vector<DrawnPartRecord> parts;
  std::vector<DrawnUnitRecord> units;
  std::vector<DrawnOperatorRecord> operators;
  std::vector<DrawnNetworkRecord> networks;  // where there are several
};

template <typename A>
void fields(A& a, typename A::template Of<SlotRecord>& x) {
  a.all(x, field("from", x.from), field("outside", x.outside), field("channels", x.channels));
}
template <typename A>
void fields(A& a, typename A::template Of<DrawnOperatorRecord>& x) {
  a.all(x, field("name", x.name), field("attributes", x.attributes), field("inputs", x.inputs), field("unit", x.unit),
        field("biased", x.biased), field("weights", x.weights), field("bias", x.bias), field("place", x.place));
}
template <typename A>
void fields(A& a, typename A::template Of<DrawnUnitRecord>& x) {
  a.all(x, field("name", x.name), field("hint", x.hint), field("part", x.part));
}
template <typename A>
void fields(A& a, typename A::template Of<DrawnPartRecord>& x) {
  a.all(x, field("name", x.name), field("continued", x.continued));
}
template <typename A>
void fields(A& a, typename A::template Of<DrawnNetworkRecord>& x) {
  a.all(x, field("name", x.name), field("operators", x.operators));
}
template <typename A>
void fields(A& a, typename A::template Of<DrawnGraphRecord>& x) {
  a.all(x, field("name", x.name), field("parts", x.parts), field("units", x.units), field("operators", x.operators),
        later(field("networks", x.networks)));
}

class EditWriter {
 public:
  explicit EditWriter(const Fragment& fragment) : graph_(fragment.graph) {
    for (const OutsideInput& input : fragment.outside) outside_[{input.reader, input.slot}] = &input;
  }

  std::string run() const {
    DrawnGraphRecord record{.name = graph_.name(), .parts = {}, .units = {}, .operators = {}, .networks = {}};
    for (const EditPart& part : graph_.parts()) record.parts.push_back({part.name, part.continued});
    for (const auto& [key, unit] : graph_.units()) {
      const auto part = std::ranges::find(graph_.parts(), unit->part, &EditPart::key);
      record.units.push_back(
          {unit->name, unit->hint, PartKey(static_cast<std::size_t>(part - graph_.parts().begin()))});
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
                               .inputs = {},
                               .unit = {},
                               .biased = op.biased,
                               .weights = op.weights,
                               .bias = op.bias,
                               .place = op.place};
    if (op.unit.valid()) record.unit = UnitKey(graph_.units().position(op.unit));
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
      const EditInput& input = op.inputs[slot];
      SlotRecord written{.from = {}, .outside = {}, .channels = input.channels};
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
    std::vector<EditPart> parts;
    for (DrawnPartRecord& part : record_.parts) {
      parts.push_back({PartKey(parts.size()), std::move(part.name), part.continued});
    }
    made.graph.set_parts(std::move(parts));
    for (std::size_t i = 0; i < record_.units.size(); ++i) {
      DrawnUnitRecord& unit = record_.units[i];
      if (!unit.part.valid() || unit.part.index() >= record_.parts.size()) {
        return fail(message("is in a part that does not exist"), fmt::format("units[{}]", i));
      }
      made.graph.set(UnitKey(i), EditUnit{std::move(unit.name), std::move(unit.hint), unit.part});
    }
    std::vector<std::string> networks(record_.operators.size());
    for (std::size_t i = 0; i < record_.networks.size(); ++i) {
      for (const OperatorKey place : record_.networks[i].operators) {
        if (!place.valid() || place.index() >= networks.size()) {
          return fail(message("names no operator"), fmt::format("networks[{}]", i));
        }
        networks[place.index()] = record_.networks[i].name;
      }
    }
    std::vector<bool> used(record_.units.size(), false);
    for (std::size_t i = 0; i < record_.operators.size(); ++i) {
      DrawnOperatorRecord& op = record_.operators[i];
      if (Message wrong = mistake(op); !wrong.empty()) {
        return fail(std::move(wrong), fmt::format("operators[{}]", i));
      }
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
      if (input.from.valid() && input.from.index() >= record_.operators.size()) {
        return message("reads an operator that does not exist");
      }
      if (input.from.valid() && !input.outside.empty()) return message("reads two operators at once");
      if (input.channels && (input.channels->begin < 0 || input.channels->begin >= input.channels->end)) {
        return message("must read at least one channel, from 0 on");
      }
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
  auto fragment = wire::EditReader(std::move(record)).run();
  if (!fragment) return wire::inside(std::move(fragment.error()), origin, "content");
  return fragment;
}

Result<EditableGraph> edit_from_text(std::string_view text, const std::string& origin) {
  IOS_TRY(auto fragment, fragment_from_text(text, origin));
  return std::move(fragment.graph);
}

}  // namespace iosx
