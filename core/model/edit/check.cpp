#include "core/model/edit/check.h"

#include <queue>
#include <tuple>
#include <unordered_map>

#include "core/base/check.h"
#include "core/base/components.h"
#include "core/model/edit/names.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

constexpr std::size_t kNone = EditIndex::kNone;

// A unit, or what was left of one: operators that are built together.
struct Block {
  std::size_t unit = kNone;  // position in the graph's units
  bool whole = true;
  std::size_t part = 0;  // position in the graph's parts; of what it reads the latest
  std::size_t declared = 0;
  std::size_t pushed_by = kNone;  // the block that it has to follow into a later part
  std::vector<std::size_t> operators;
  std::size_t first = 0;  // the lowest of them
};

// Puts the units of a graph in order: each after those that it reads, part by part, otherwise in the order of their
// first operators' keys. `order` is the index's. Appends the problems of units and parts.
class UnitOrder {
 public:
  UnitOrder(const EditableGraph& graph, const EditIndex& index, std::span<const std::size_t> order,
            std::vector<Problem>& problems)
      : graph_(graph), index_(index), order_(order), problems_(problems) {}

  std::vector<OrderedUnit> run() {
    share_out();
    check_readers();
    check_coherence();
    make_blocks();
    sort_blocks();
    for (const bool whole : {false, true}) {
      if (sorted_.size() == blocks_.size()) break;
      take_circles_apart(whole);
      make_blocks();
      sort_blocks();
    }
    IOS_CHECK(sorted_.size() == blocks_.size());
    report_parts();
    return result();
  }

 private:
  const EditUnit& unit(std::size_t position) const { return *graph_.units()[position].second; }
  const std::string& name(std::size_t op) const { return index_.op(op).name; }
  UnitKey key_of_unit(std::size_t position) const { return graph_.units()[position].first; }

  void share_out() {
    members_.resize(graph_.units().size());
    apart_.assign(graph_.units().size(), false);
    for (const std::size_t i : order_) {
      if (index_.unit(i) != kNone) members_[index_.unit(i)].push_back(i);
    }
  }

  // Only one operator of a unit may be read outside, and then by nothing in the unit; that one comes last. All
  // operators of whole units may be.
  void check_readers() {
    for (std::size_t u = 0; u < members_.size(); ++u) {
      if (unit(u).whole) continue;
      const auto [outside, reader_inside] = readers_of(u);
      if (outside.size() > 1 || reader_inside != kNone) {
        take_apart(u);
      } else if (outside.size() == 1) {
        auto& members = members_[u];
        const auto at = std::ranges::find(members, outside[0]);
        std::rotate(at, at + 1, members.end());
      }
    }
  }

  struct UnitReaders {
    std::vector<std::size_t> outside;   // operators that are read there
    std::size_t reader_inside = kNone;  // that reads one of them too
  };
  UnitReaders readers_of(std::size_t unit) const {
    UnitReaders found;
    for (const std::size_t i : members_[unit]) {
      const auto readers = index_.readers(i);
      const auto is_inside = [&](std::size_t reader) { return index_.unit(reader) == unit; };
      if (std::ranges::all_of(readers, is_inside)) continue;
      found.outside.push_back(i);
      const auto inside = std::ranges::find_if(readers, is_inside);
      if (inside != readers.end()) found.reader_inside = *inside;
    }
    return found;
  }

  // The unit is read at more than its last operator.
  void take_apart(std::size_t u) {
    apart_[u] = true;
    const auto [outside, reader_inside] = readers_of(u);
    if (outside.size() > 1) {
      report(ProblemKind::kUnitRead, u,
             message("unit '{}' is read at '{}' and at '{}'; only its last operator can be read outside it",
                     unit(u).name, name(outside[0]), name(outside[1])),
             outside);
    } else {
      report(ProblemKind::kUnitRead, u,
             message("unit '{}' is read at '{}', which is inside it, before '{}'; only its last operator can be read "
                     "outside it",
                     unit(u).name, name(outside[0]), name(reader_inside)),
             {outside[0], reader_inside});
    }
  }

  void report(ProblemKind kind, std::size_t unit, Message wording, const std::vector<std::size_t>& operators) {
    Problem problem{.kind = kind, .wording = std::move(wording)};
    problem.units = {key_of_unit(unit)};
    for (const std::size_t i : operators) problem.operators.push_back(index_.key(i));
    problems_.push_back(std::move(problem));
  }

  // Reports units that fall into pieces without a common value, unless they are whole. They can still be built.
  void check_coherence() {
    Components pieces(index_.size());
    for (std::size_t i = 0; i < index_.size(); ++i) {
      if (index_.unit(i) == kNone) continue;
      for (const std::size_t producer : index_.producers(i)) {
        if (producer != kNone && index_.unit(producer) == index_.unit(i)) pieces.connect(i, producer);
      }
    }
    for (std::size_t u = 0; u < members_.size(); ++u) {
      const auto& members = members_[u];
      if (members.empty() || unit(u).whole) continue;
      const std::size_t first = *std::ranges::min_element(members);
      std::size_t other = kNone;
      for (const std::size_t i : members) {
        if (pieces.lowest(i) != pieces.lowest(first)) other = std::min(other, i);
      }
      if (other == kNone) continue;
      report(ProblemKind::kUnitApart, u,
             message("unit '{}' is not connected: nothing in it connects '{}' and '{}'", unit(u).name, name(first),
                     name(other)),
             {first, other});
    }
  }

  std::size_t declared_part(std::size_t unit) const {
    if (unit == kNone) return 0;
    const std::size_t place = graph_.place(this->unit(unit).part);
    return place == graph_.parts().size() ? 0 : place;
  }

  void make_blocks() {
    blocks_.clear();
    block_of_.assign(index_.size(), kNone);
    const auto add = [&](std::size_t unit, bool whole, std::vector<std::size_t> operators) {
      Block block{.unit = unit, .whole = whole, .part = declared_part(unit), .operators = std::move(operators)};
      block.declared = block.part;
      block.first = *std::ranges::min_element(block.operators);
      for (const std::size_t i : block.operators) block_of_[i] = blocks_.size();
      blocks_.push_back(std::move(block));
    };
    for (std::size_t u = 0; u < members_.size(); ++u) {
      if (members_[u].empty()) continue;
      if (!apart_[u]) {
        add(u, true, members_[u]);
        continue;
      }
      for (const std::size_t i : members_[u]) add(u, false, {i});
    }
    for (const std::size_t i : order_) {  // without a unit that is there
      if (index_.unit(i) == kNone && !index_.op(i).is_source()) add(kNone, false, {i});
    }
  }

  // Calls f with every block that reads the block, as often as it does.
  template <typename F>
  void each_reader(std::size_t block, F&& f) const {
    for (const std::size_t i : blocks_[block].operators) {
      for (const std::size_t reader : index_.readers(i)) {
        if (block_of_[reader] != kNone && block_of_[reader] != block) f(block_of_[reader]);
      }
    }
  }

  // Readers of a later part move there, so parts never decrease along an edge, and the least ready one is next.
  void sort_blocks() {
    sorted_.clear();
    waits_.assign(blocks_.size(), 0);
    for (std::size_t b = 0; b < blocks_.size(); ++b) each_reader(b, [&](std::size_t reader) { ++waits_[reader]; });
    using Entry = std::tuple<std::size_t, std::size_t, std::size_t>;  // part, lowest operator, block
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const auto push = [&](std::size_t b) { ready.emplace(blocks_[b].part, blocks_[b].first, b); };
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (waits_[b] == 0) push(b);
    }
    while (!ready.empty()) {
      const std::size_t next = std::get<2>(ready.top());
      ready.pop();
      sorted_.push_back(next);
      each_reader(next, [&](std::size_t reader) {
        if (blocks_[next].part > blocks_[reader].part) {
          blocks_[reader].part = blocks_[next].part;
          blocks_[reader].pushed_by = next;
        }
        if (--waits_[reader] == 0) push(reader);
      });
    }
  }

  // Blocks that read one another while their operators do not: one of them has an operator that leads nowhere in it
  // (all others of a unit lead to its last one, through which alone it is read), or is read elsewhere too. Such units
  // are taken apart, the whole ones last, where circles are left without the others; then none is left.
  void take_circles_apart(bool whole) {
    std::vector<bool> left(blocks_.size(), true);
    for (const std::size_t b : sorted_) left[b] = false;
    trim(left);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const auto& operators = blocks_[b].operators;
      if (!left[b] || operators.size() < 2 || unit(blocks_[b].unit).whole != whole) continue;
      if (const auto found = readers_of(blocks_[b].unit); found.outside.size() > 1 || found.reader_inside != kNone) {
        apart_[blocks_[b].unit] = true;
        report(ProblemKind::kUnitCircle, blocks_[b].unit,
               message("unit '{}' reads another unit and is read by it", unit(blocks_[b].unit).name), found.outside);
        continue;
      }
      const auto leads_nowhere = [&](std::size_t i) {
        const auto in_block = [&](std::size_t reader) { return block_of_[reader] == b; };
        return i != operators.back() && std::ranges::none_of(index_.readers(i), in_block);
      };
      const auto loose = std::ranges::find_if(operators, leads_nowhere);
      if (loose == operators.end()) continue;
      apart_[blocks_[b].unit] = true;
      report(
          ProblemKind::kUnitCircle, blocks_[b].unit,
          message(
              "unit '{}' reads another unit and is read by it: nothing in the unit reads '{}'; make it a separate unit",
              unit(blocks_[b].unit).name, name(*loose)),
          {*loose});
    }
  }

  // Leaves what is on a circle or between two: what no block that is left reads goes.
  void trim(std::vector<bool>& left) const {
    std::vector<std::vector<std::size_t>> read(blocks_.size());
    std::vector<std::size_t> readers(blocks_.size(), 0);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!left[b]) continue;
      each_reader(b, [&](std::size_t reader) {
        if (!left[reader]) return;
        read[reader].push_back(b);
        ++readers[b];
      });
    }
    std::vector<std::size_t> unread;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (left[b] && readers[b] == 0) unread.push_back(b);
    }
    while (!unread.empty()) {
      const std::size_t b = unread.back();
      unread.pop_back();
      left[b] = false;
      for (const std::size_t producer : read[b]) {
        if (--readers[producer] == 0) unread.push_back(producer);
      }
    }
  }

  const std::string& block_name(const Block& block) const {
    return block.whole ? unit(block.unit).name : name(block.operators.back());
  }

  void report_parts() {
    std::vector<bool> reported(members_.size(), false);
    for (const std::size_t b : sorted_) {
      const Block& block = blocks_[b];
      if (block.part == block.declared || block.unit == kNone || reported[block.unit]) continue;
      reported[block.unit] = true;
      const std::string& later = graph_.parts()[block.part].name;
      report(
          ProblemKind::kPartOrder, block.unit,
          message("unit '{}' of part '{}' reads '{}', which runs in the later part '{}', so it also runs there",
                  block_name(block), graph_.parts()[block.declared].name, block_name(blocks_[block.pushed_by]), later),
          block.operators);
    }
  }

  std::vector<OrderedUnit> result() const {
    std::vector<OrderedUnit> made;
    made.reserve(sorted_.size());
    for (const std::size_t b : sorted_) {
      const Block& block = blocks_[b];
      OrderedUnit unit{.unit = block.unit == kNone ? UnitKey() : key_of_unit(block.unit),
                       .whole = block.whole,
                       .part = graph_.parts()[block.part].key,
                       .operators = {}};
      for (const std::size_t i : block.operators) unit.operators.push_back(index_.key(i));
      made.push_back(std::move(unit));
    }
    return made;
  }

  const EditableGraph& graph_;
  const EditIndex& index_;
  std::span<const std::size_t> order_;
  std::vector<Problem>& problems_;
  std::vector<std::vector<std::size_t>> members_;  // by unit, in order, the one that is read outside last
  std::vector<bool> apart_;                        // units that are taken apart
  std::vector<Block> blocks_;
  std::vector<std::size_t> block_of_;  // by operator
  std::vector<std::size_t> waits_;     // by block
  std::vector<std::size_t> sorted_;    // blocks
};

std::optional<Shape> sliced(const Shape& whole, const std::optional<ChannelRange>& channels) {
  if (!channels) return whole;
  if (channels->begin < 0 || channels->begin >= channels->end || channels->end > whole.channels()) return std::nullopt;
  return whole.rank() == 0 ? whole : whole.with(0, channels->end - channels->begin);
}

bool has_dims(const Tensor& tensor, const std::vector<std::int64_t>& dims) {
  return std::ranges::equal(tensor.dims(), dims);
}

class Checker {
 public:
  explicit Checker(const EditableGraph& graph) : graph_(graph), index_(graph) {}

  GraphCheck run() && {
    const std::vector<std::size_t> order = index_.order();
    for (const std::size_t i : order) found_.order.push_back(index_.key(i));
    if (order.size() < index_.size()) report_circles(order);
    shapes_.resize(index_.size());
    for (const std::size_t i : order) shapes_[i] = shape_of(i);
    for (std::size_t i = 0; i < index_.size(); ++i) {
      if (shapes_[i]) found_.shapes.set(index_.key(i), *shapes_[i]);
    }
    found_.units = UnitOrder(graph_, index_, order, found_.problems).run();
    check_names();
    return std::move(found_);
  }

 private:
  const EditOperator& op(std::size_t i) const { return index_.op(i); }

  void report(ProblemKind kind, std::size_t i, Message wording, std::optional<std::size_t> slot = {}) {
    Problem problem{.kind = kind, .wording = std::move(wording), .operators = {index_.key(i)}};
    problem.slot = slot;
    found_.problems.push_back(std::move(problem));
  }
  std::string kind_of(std::size_t i) const { return std::string(kind_name(op(i).attributes)); }

  // Follows the first slot between remaining operators from each of them to the circle where this ends. Each
  // remaining one is on a circle or after one.
  void report_circles(const std::vector<std::size_t>& order) {
    std::vector<std::size_t> round(index_.size(), 0);  // in which it was seen; 1: it is ordered
    for (const std::size_t i : order) round[i] = 1;
    std::size_t now = 1;
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (round[i] != 0) continue;
      ++now;
      std::vector<std::size_t> walk;
      std::size_t at = i;
      for (; round[at] == 0; at = next_on_circle(at, round)) {
        round[at] = now;
        walk.push_back(at);
      }
      if (round[at] == now) report_circle(std::vector(std::find(walk.begin(), walk.end(), at), walk.end()));
    }
  }
  std::size_t next_on_circle(std::size_t i, const std::vector<std::size_t>& round) const {
    const auto producers = index_.producers(i);
    return *std::ranges::find_if(producers, [&](std::size_t p) { return p != EditIndex::kNone && round[p] != 1; });
  }
  void report_circle(std::vector<std::size_t> circle) {  // each reads the next
    std::ranges::reverse(circle);
    std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
    Problem problem{.kind = ProblemKind::kCircle, .wording = {}};
    std::vector<std::string> names;
    for (const std::size_t i : circle) {
      names.push_back(op(i).name);
      problem.operators.push_back(index_.key(i));
    }
    names.push_back(names.front());
    problem.wording = message("{} is a cycle; an operator cannot read its own result", path_text(names));
    found_.problems.push_back(std::move(problem));
  }

  std::optional<Shape> shape_of(std::size_t i) {
    const EditOperator& op = this->op(i);
    const bool connected = check_slots(i);
    if (!check_count(i) || !connected) return std::nullopt;
    std::vector<Shape> read;
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
      read.push_back(*sliced(*shapes_[index_.producers(i)[slot]], op.inputs[slot].channels));
    }
    auto shape = infer_shape(op.attributes, read);
    if (!shape) {
      report_shape(i, shape.error().what, read);
      return std::nullopt;
    }
    if (std::holds_alternative<Constant>(op.attributes) && shape->rank() == 0 && op.weights.empty()) {
      report(ProblemKind::kShape, i, message("'{}' is a scalar constant without a value", op.name));
      return std::nullopt;
    }
    const bool as_made = op.weights.empty() && op.bias.empty();
    if (!as_made && !fits(op, parameter_dims(op.attributes, read))) {
      report(
          ProblemKind::kWeights, i,
          message("the weights given to '{}' do not fit its current sizes; made-up weights are used instead", op.name));
    }
    return *shape;
  }

  // True if all that it reads is known.
  bool check_slots(std::size_t i) {
    bool known = true;
    for (std::size_t slot = 0; slot < op(i).inputs.size(); ++slot) {
      const std::size_t producer = index_.producers(i)[slot];
      if (producer == EditIndex::kNone) {
        report_open(i, slot);
        known = false;
      } else if (!shapes_[producer]) {
        known = false;
      } else if (const auto& channels = op(i).inputs[slot].channels; !sliced(*shapes_[producer], channels)) {
        report(ProblemKind::kSlice, i,
               message("'{}' reads channels {} to {} of '{}', which has {} channels", op(i).name, channels->begin,
                       channels->end, op(producer).name, shapes_[producer]->channels()),
               slot);
        known = false;
      }
    }
    return known;
  }

  void report_open(std::size_t i, std::size_t slot) {
    const std::size_t count = op(i).inputs.size();
    if (count == 1)
      return report(ProblemKind::kOpenInput, i, message("'{}' ({}) has no inputs yet", op(i).name, kind_of(i)), slot);
    report(ProblemKind::kOpenInput, i,
           message("nothing is connected to input {} of {} of '{}' ({})", slot + 1, count, op(i).name, kind_of(i)),
           slot);
  }

  bool check_count(std::size_t i) {
    const OperatorRow& row = operator_row(op(i).attributes);
    const std::size_t count = op(i).inputs.size();
    if (count >= row.least_inputs && count <= row.most_inputs) return true;
    const bool too_few = count < row.least_inputs;
    report(ProblemKind::kArity, i,
           too_few ? message("'{}' ({}) has inputs: {}; it needs at least {}", op(i).name, kind_of(i), count,
                             row.least_inputs)
                   : message("'{}' ({}) has inputs: {}; it accepts at most {}", op(i).name, kind_of(i), count,
                             row.most_inputs));
    return false;
  }

  void report_shape(std::size_t i, const Message& what, const std::vector<Shape>& read) {
    if (read.empty()) return report(ProblemKind::kShape, i, message("'{}' ({}): {}", op(i).name, kind_of(i), what));
    constexpr std::size_t kMostNamed = 4;
    std::string inputs;
    for (std::size_t slot = 0; slot < read.size() && slot < kMostNamed; ++slot) {
      inputs +=
          fmt::format("{}'{}' {}", slot == 0 ? "" : ", ", op(index_.producers(i)[slot]).name, shape_text(read[slot]));
    }
    if (read.size() > kMostNamed) inputs += ", …";
    report(ProblemKind::kShape, i, message("'{}' ({}): {}; it reads {}", op(i).name, kind_of(i), what, inputs));
  }

  // Operators and units share one space of names; only a unit's last operator may be called as the unit.
  void check_names() {
    std::unordered_map<std::string_view, std::size_t> owners;
    owners.reserve(2 * index_.size());
    for (std::size_t i = 0; i < index_.size(); ++i) {
      const std::string& name = op(i).name;
      if (name.empty()) {
        report(ProblemKind::kName, i, message("an operator ({}) has no name", kind_of(i)));
        continue;
      }
      const auto [owner, is_new] = owners.emplace(name, i);
      if (is_new) continue;
      report(ProblemKind::kName, i, message("the name '{}' is used twice", name));
      found_.problems.back().operators.push_back(index_.key(owner->second));
    }
    check_unit_names(owners);
  }

  void check_unit_names(const std::unordered_map<std::string_view, std::size_t>& owners) {
    std::unordered_map<std::string_view, UnitKey> units;
    units.reserve(found_.units.size());
    for (const OrderedUnit& ordered : found_.units) {
      if (!ordered.whole) continue;
      const std::string& name = graph_.unit(ordered.unit).name;
      Problem problem{.kind = ProblemKind::kName, .wording = {}, .units = {ordered.unit}};
      const auto owner = owners.find(name);
      if (name.empty()) {
        problem.wording = message("the unit of '{}' has no name", graph_.op(ordered.operators.back()).name);
        problem.operators = {ordered.operators.back()};
      } else if (const auto [other, is_new] = units.emplace(name, ordered.unit); !is_new) {
        problem.wording = message("two units are called '{}'", name);
        problem.units.push_back(other->second);
      } else if (owner != owners.end() && index_.key(owner->second) != ordered.operators.back()) {
        problem.wording = message("a unit has the name '{}' of an operator that is not its last one", name);
        problem.operators = {index_.key(owner->second)};
      } else {
        continue;
      }
      found_.problems.push_back(std::move(problem));
    }
  }

  const EditableGraph& graph_;
  EditIndex index_;
  std::vector<std::optional<Shape>> shapes_;
  GraphCheck found_;
};

}  // namespace

std::optional<Shape> GraphCheck::shape_of(const EditInput& input) const {
  const Shape* const whole = shapes.find(input.producer);
  return whole == nullptr ? std::nullopt : sliced(*whole, input.channels);
}

bool fits(const EditOperator& op, const ParameterDims& dims) {
  if (op.weights.empty()) return op.bias.empty();
  if (dims.weights.empty() && !std::holds_alternative<Constant>(op.attributes)) return false;
  return has_dims(op.weights, dims.weights) &&
         (op.bias.empty() || (!dims.bias.empty() && has_dims(op.bias, dims.bias)));
}

GraphCheck check(const EditableGraph& graph) { return Checker(graph).run(); }

}  // namespace iosx
