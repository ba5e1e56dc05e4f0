#include "core/cost/signature.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/cost/attribute_text.h"

// The text of a stage is its groups, one a line. A group lists its steps; "[a+b]" is a merged step, ";" stands between
// steps and "," between the operators of a unit. An operator names what it reads:
//   t2=288x35x35  the group's third tensor from outside the stage (its shape where it first appears; "c": a constant)
//   u0            the output of the group's first unit
//   o1            the unit's own second operator
// followed by ":begin-end" where it is a channel slice. "@3,0" closes a group: its t0, t1, … are the stage's tensors 3
// and 0, which says what groups share. Where it matters to the device,
//   ^4=288+64  after an operator or a new tensor: it lies in t4, of 288 channels, from channel 64 on ("=288" where t4
//              first appears). t4 may also be made in the stage: its operator then says "^4+0".
//   !          after a unit's last operator: only another unit of the group reads it
namespace iosx {
namespace {

// One group, with its outside tensors numbered as they appear: the same for every group of this structure.
struct GroupText {
  std::string text;
  std::vector<OperatorId> tensors;     // t0, t1, … of the text, also those that it only names as places
  std::vector<std::uint64_t> colours;  // of the tensors: who else reads them, and as what
};

class GroupWriter {
 public:
  GroupWriter(const Graph& graph, const SignatureOptions& options, GroupText& out)
      : graph_(graph), options_(options), out_(out) {}

  void write(const Group& group) {
    group_ = &group;
    for (std::size_t i = 0; i < group.steps.size(); ++i) {
      if (i > 0) out_.text += ';';
      const Step& step = group.steps[i];
      if (step.merged()) out_.text += '[';
      for (std::size_t u = 0; u < step.units.size(); ++u) {
        if (u > 0) out_.text += '+';
        write_unit(step.units[u]);
      }
      if (step.merged()) out_.text += ']';
    }
  }

 private:
  void write_unit(UnitId id) {
    const Unit& unit = graph_.unit(id);
    for (std::size_t o = 0; o < unit.operators.size(); ++o) {
      if (o > 0) out_.text += ',';
      const Operator& op = graph_.op(unit.operators[o]);
      put_attributes(out_.text, op.attributes);
      char mark = '(';
      for (const Value& value : op.inputs) {
        out_.text += mark;
        write_value(id, value);
        mark = ' ';
      }
      out_.text += ')';
      write_place(unit.operators[o]);
      if (o + 1 == unit.operators.size() && options_.fuse && read_only_in_group(op, unit.operators[o])) {
        out_.text += '!';
      }
    }
    units_.push_back(id);
  }

  void write_value(UnitId reader, const Value& value) {
    const Operator& producer = graph_.op(value.producer);
    if (producer.unit == reader) {
      const auto& operators = graph_.unit(reader).operators;
      put(out_.text, 'o', std::find(operators.begin(), operators.end(), value.producer) - operators.begin());
    } else if (const auto made = std::find(units_.begin(), units_.end(), producer.unit); made != units_.end()) {
      put(out_.text, 'u', made - units_.begin());
    } else {
      write_outside(value.producer, producer.output);
    }
    if (value.begin == 0 && value.end == producer.output.channels()) return;
    put(out_.text, ':', value.begin);
    put(out_.text, '-', value.end);
  }

  void write_outside(OperatorId id, const Shape& shape) {
    const auto known = std::find(out_.tensors.begin(), out_.tensors.end(), id);
    put(out_.text, 't', known - out_.tensors.begin());
    if (known != out_.tensors.end()) return;
    put(out_.text, '=', shape);
    if (graph_.op(id).is_constant()) out_.text += 'c';  // one for the whole batch
    out_.tensors.push_back(id);
    if (options_.places != nullptr && options_.places->of(id).root != id) write_place(id);
  }

  void write_place(OperatorId id) {
    if (options_.places == nullptr) return;
    const ChannelPlace place = options_.places->of(id);
    if (!options_.places->shared(place.root)) return;  // in a buffer of its own
    const auto known = std::find(out_.tensors.begin(), out_.tensors.end(), place.root);
    put(out_.text, '^', known - out_.tensors.begin());
    if (known == out_.tensors.end()) {
      put(out_.text, '=', graph_.op(place.root).output.channels());
      out_.tensors.push_back(place.root);
    }
    put(out_.text, '+', place.begin);
  }

  // What decides whether the operator is fused with a later unit.
  bool read_only_in_group(const Operator& op, OperatorId id) const {
    if (op.as<Conv>() == nullptr && op.as<Linear>() == nullptr && op.as<Add>() == nullptr) return false;
    const auto readers = graph_.consumers(id);
    if (readers.size() != 1) return false;
    const Operator& reader = graph_.op(readers.front());
    if (reader.as<Add>() == nullptr && reader.as<Activate>() == nullptr) return false;
    return std::ranges::any_of(group_->steps, [&](const Step& step) {
      return std::ranges::find(step.units, reader.unit) != step.units.end();
    });
  }

  const Graph& graph_;
  const SignatureOptions& options_;
  GroupText& out_;
  const Group* group_ = nullptr;
  std::vector<UnitId> units_;  // written so far
};

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL;
  return h ^ (h >> 31);
}

// Colours a tensor by the groups that read it, so that groups alike in themselves are told apart by what they share.
// It decides only the order of the lines.
void colour_tensors(std::vector<GroupText>& groups) {
  struct Reading {
    OperatorId tensor;
    std::uint64_t as;
  };
  std::vector<Reading> readings;
  for (const GroupText& group : groups) {
    const std::uint64_t hash = std::hash<std::string_view>{}(group.text);
    for (std::size_t t = 0; t < group.tensors.size(); ++t) readings.push_back({group.tensors[t], mix(hash, t)});
  }
  for (GroupText& group : groups) {
    for (const OperatorId tensor : group.tensors) {
      std::uint64_t colour = 0;  // a sum: the same in any order of the readers
      for (const Reading& reading : readings) colour += reading.tensor == tensor ? reading.as : 0;
      group.colours.push_back(colour);
    }
  }
}

// Tensors of the stage, numbered as the lines name them.
class TensorNumbers {
 public:
  std::size_t find(OperatorId id) const {
    return static_cast<std::size_t>(std::find(known_.begin(), known_.end(), id) - known_.begin());
  }
  std::size_t number(OperatorId id) {
    const std::size_t at = find(id);
    if (at == known_.size()) known_.push_back(id);
    return at;
  }
  // Of two groups that are alike so far: the one that reads the tensors named earlier comes first.
  bool before(const GroupText& a, const GroupText& b) const {
    return std::lexicographical_compare(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                                        [&](OperatorId x, OperatorId y) { return find(x) < find(y); });
  }

 private:
  std::vector<OperatorId> known_;
};

struct Ordered {
  std::string text;
  std::vector<std::size_t> groups;  // indices into the stage's groups, in the order of the text's lines
};

Ordered ordered(const Graph& graph, const Stage& stage, const SignatureOptions& options) {
  std::vector<GroupText> groups(stage.groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    GroupWriter(graph, options, groups[g]).write(stage.groups[g]);
  }
  if (groups.size() > 1) colour_tensors(groups);

  std::vector<const GroupText*> order;
  order.reserve(groups.size());
  for (const GroupText& group : groups) order.push_back(&group);
  auto key = [](const GroupText* group) { return std::tie(group->text, group->colours); };
  std::sort(order.begin(), order.end(), [&](auto* a, auto* b) { return key(a) < key(b); });

  Ordered result;
  TensorNumbers numbers;
  for (auto next = order.begin(); next != order.end(); ++next) {
    const auto alike = std::find_if(next, order.end(), [&](auto* other) { return key(other) != key(*next); });
    std::iter_swap(next, std::min_element(next, alike, [&](auto* a, auto* b) { return numbers.before(*a, *b); }));
    result.groups.push_back(static_cast<std::size_t>(*next - groups.data()));
    std::string& text = result.text;
    text += (*next)->text;
    char mark = '@';
    for (const OperatorId tensor : (*next)->tensors) {
      put(text, mark, static_cast<std::int64_t>(numbers.number(tensor)));
      mark = ',';
    }
    text += '\n';
  }
  return result;
}

}  // namespace

std::string stage_signature(const Graph& graph, const Stage& stage, const SignatureOptions& options) {
  return ordered(graph, stage, options).text;
}

CanonicalStage canonical(const Graph& graph, const Stage& stage, const SignatureOptions& options) {
  Ordered order = ordered(graph, stage, options);
  CanonicalStage result{std::move(order.text), {}};
  result.stage.groups.reserve(order.groups.size());
  for (const std::size_t g : order.groups) result.stage.groups.push_back(stage.groups[g]);
  return result;
}

}  // namespace iosx
