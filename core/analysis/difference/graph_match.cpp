#include "core/analysis/difference/graph_match.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/hash.h"
#include "core/model/graph/attribute_list.h"

namespace iosx {
namespace {

using Hash = std::uint64_t;
using Hashes = std::vector<Hash>;  // one an operator

constexpr int kRadius = 3;  // edges, of the neighbourhood that must be alike

Hash mixed(Hash a, Hash b) {
  a ^= b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U);
  a ^= a >> 32U;
  a *= 0xd6e8feb86659fd93U;
  return a ^ (a >> 29U);
}

// What operators must have in common to be counterparts.
enum class Likeness { kShape, kAttributes, kKind };
constexpr std::array kLikenesses{Likeness::kShape, Likeness::kAttributes, Likeness::kKind};

Hash own_hash(const Operator& op, Likeness likeness) {
  std::string text = std::to_string(op.attributes.index());
  if (likeness != Likeness::kKind) put_attributes(text, op.attributes);
  if (likeness == Likeness::kShape) put(text, '=', op.output);
  return hash64(text);
}

// A place where an operator's output is read.
struct Use {
  OperatorId consumer;
  Hash place = 0;  // which input, which channels
};

Hash place_of(const Operator& op, std::size_t input, Likeness likeness) {
  const Value& value = op.inputs[input];
  // The order of an element-wise sum does not matter, but a pair summed in another order is rare enough.
  const Hash position = mixed(input, op.attributes.index());
  return likeness == Likeness::kShape
             ? mixed(position, mixed(static_cast<Hash>(value.begin), static_cast<Hash>(value.end)))
             : position;
}

// One of the two graphs, with its operators' hashes at one likeness.
struct Side {
  explicit Side(const Graph& its_graph) : graph(its_graph), partner(its_graph.operators().size()) {
    for (std::size_t i = 0; i < partner.size(); ++i) names.emplace(graph.operators()[i].name, OperatorId(i));
  }

  void look(Likeness likeness) {
    const auto operators = graph.operators();
    own.clear();
    uses.assign(operators.size(), {});
    for (const Operator& op : operators) {
      own.push_back(own_hash(op, likeness));
      const OperatorId id(own.size() - 1);
      for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        uses[op.inputs[i].producer.index()].push_back({id, place_of(op, i, likeness)});
      }
    }
    ancestors = own;
    for (std::size_t i = 0; i < operators.size(); ++i) {
      for (std::size_t k = 0; k < operators[i].inputs.size(); ++k) {
        const Hash from = ancestors[operators[i].inputs[k].producer.index()];
        ancestors[i] = mixed(ancestors[i], mixed(from, place_of(operators[i], k, likeness)));
      }
    }
    descendants = own;
    for (std::size_t i = operators.size(); i-- > 0;) {
      Hash sum = 0;  // their order says nothing
      for (const Use& use : uses[i]) sum += mixed(descendants[use.consumer.index()], use.place);
      descendants[i] = mixed(descendants[i], sum);
    }
  }

  bool free(OperatorId id) const { return !partner[id.index()].valid(); }
  OperatorId named(const std::string& name) const {
    const auto at = names.find(name);
    return at == names.end() ? OperatorId() : at->second;
  }

  const Graph& graph;
  std::vector<OperatorId> partner;  // in the other graph
  std::unordered_map<std::string_view, OperatorId> names;
  Hashes own;
  Hashes ancestors;    // of the operator with all that it is computed from
  Hashes descendants;  // of the operator with all that is computed from it
  std::vector<std::vector<Use>> uses;
};

using Keyed = std::vector<std::pair<Hash, OperatorId>>;

// Operators of both sides with one hash.
struct Class {
  std::vector<OperatorId> a;
  std::vector<OperatorId> b;
};

class Matcher {
 public:
  Matcher(const Graph& a, const Graph& b) : a_(a), b_(b) {}

  void run() {
    for (const Likeness likeness : kLikenesses) {
      a_.look(likeness);
      b_.look(likeness);
      match_at(likeness);
    }
  }

  const std::vector<OperatorId>& in_b() const { return a_.partner; }
  const std::vector<OperatorId>& in_a() const { return b_.partner; }

 private:
  void match_at(Likeness likeness) {
    const bool loosely = likeness == Likeness::kKind;  // then a look at one side says little
    const Hashes exact_a = together(a_);
    const Hashes exact_b = together(b_);
    const bool trusted = trusts_names();
    link_classes(exact_a, exact_b, true);
    if (!loosely) {
      for (const Class& same : classes(a_.ancestors, b_.ancestors)) link_names_of(same);
      for (const Class& same : classes(a_.descendants, b_.descendants)) link_names_of(same);
    }
    grow_from_all(trusted);
    link_twins(exact_a, exact_b, trusted);
    if (trusted) link_names(trusted);
    if (!loosely) {
      link_classes(a_.ancestors, b_.ancestors, false);
      link_classes(a_.descendants, b_.descendants, false);
      grow(false);
      link_neighbourhoods();
    }
    grow_from_all(false);
    link_names(false);
  }

  static Hashes together(const Side& side) {
    Hashes hashes(side.own.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = mixed(side.ancestors[i], side.descendants[i]);
    return hashes;
  }

  // Returns whether structure supports the names more often than it contradicts them.
  bool trusts_names() const {
    std::unordered_map<Hash, std::vector<OperatorId>> by_ancestors;
    std::unordered_map<Hash, std::vector<OperatorId>> by_descendants;
    for (std::size_t i = 0; i < b_.own.size(); ++i) {
      by_ancestors[b_.ancestors[i]].emplace_back(i);
      by_descendants[b_.descendants[i]].emplace_back(i);
    }
    std::size_t agree = 0;
    std::size_t contradict = 0;
    for (std::size_t i = 0; i < a_.own.size(); ++i) {
      const OperatorId named = b_.named(a_.graph.operators()[i].name);
      if (!named.valid()) continue;
      if (a_.ancestors[i] == b_.ancestors[named.index()] || a_.descendants[i] == b_.descendants[named.index()]) {
        ++agree;
      } else if (by_ancestors.contains(a_.ancestors[i]) || by_descendants.contains(a_.descendants[i])) {
        ++contradict;
      }
    }
    return 2 * contradict <= agree;
  }

  bool link(OperatorId a, OperatorId b) {
    if (!a_.free(a) || !b_.free(b)) return false;
    a_.partner[a.index()] = b;
    b_.partner[b.index()] = a;
    open_.emplace_back(a, b);
    return true;
  }

  bool same_name(OperatorId a, OperatorId b) const { return a_.graph.op(a).name == b_.graph.op(b).name; }

  // Returns whether a free operator on the other side has the name of one of the two.
  bool name_is_elsewhere(OperatorId a, OperatorId b) const {
    const OperatorId of_a = b_.named(a_.graph.op(a).name);
    const OperatorId of_b = a_.named(b_.graph.op(b).name);
    return (of_a.valid() && b_.free(of_a) && b_.own[of_a.index()] == a_.own[a.index()]) ||
           (of_b.valid() && a_.free(of_b) && a_.own[of_b.index()] == b_.own[b.index()]);
  }

  // Returns the classes that both lists have.
  static std::vector<Class> classes_of(Keyed list_a, Keyed list_b) {
    std::ranges::sort(list_a);
    std::ranges::sort(list_b);
    std::vector<Class> result;
    auto b = list_b.begin();
    for (auto a = list_a.begin(); a != list_a.end();) {
      const Hash hash = a->first;
      while (b != list_b.end() && b->first < hash) ++b;
      Class same;
      for (; a != list_a.end() && a->first == hash; ++a) same.a.push_back(a->second);
      for (; b != list_b.end() && b->first == hash; ++b) same.b.push_back(b->second);
      if (!same.b.empty()) result.push_back(std::move(same));
    }
    return result;
  }

  // Returns the free ones by hash: classes that both sides have.
  std::vector<Class> classes(const Hashes& hashes_a, const Hashes& hashes_b) const {
    const auto free = [](const Side& side, const Hashes& hashes) {
      Keyed list;
      for (std::size_t i = 0; i < hashes.size(); ++i) {
        if (side.free(OperatorId(i))) list.emplace_back(hashes[i], OperatorId(i));
      }
      return list;
    };
    return classes_of(free(a_, hashes_a), free(b_, hashes_b));
  }

  // Links equal names of one class on both sides, then single members of a class.
  void link_classes(const Hashes& hashes_a, const Hashes& hashes_b, bool names) {
    for (const Class& same : classes(hashes_a, hashes_b)) {
      if (names) link_names_of(same);
      if (same.a.size() == 1 && same.b.size() == 1) link(same.a.front(), same.b.front());
    }
  }

  void link_names_of(const Class& same) {
    std::unordered_map<std::string_view, OperatorId> names;
    for (const OperatorId b : same.b) names.emplace(b_.graph.op(b).name, b);
    for (const OperatorId a : same.a) {
      const auto at = names.find(a_.graph.op(a).name);
      if (at != names.end()) link(a, at->second);
    }
  }

  // Among operators with the same ancestors and descendants, such as equal branches, any choice is right if their
  // operators stay together: one is linked, and the match grows from it before the next.
  void link_twins(const Hashes& hashes_a, const Hashes& hashes_b, bool trusted) {
    for (const Class& same : classes(hashes_a, hashes_b)) {
      if (same.a.size() != same.b.size()) continue;
      auto b = same.b.begin();
      for (const OperatorId a : same.a) {
        while (b != same.b.end() && !b_.free(*b)) ++b;
        if (b == same.b.end()) break;
        if (link(a, *b)) grow(trusted);
      }
    }
  }

  // Links equal names and likeness, with any neighbourhood.
  void link_names(bool trusted) {
    for (std::size_t i = 0; i < a_.own.size(); ++i) {
      const OperatorId a(i);
      if (!a_.free(a)) continue;
      const OperatorId b = b_.named(a_.graph.op(a).name);
      if (b.valid() && a_.own[i] == b_.own[b.index()]) link(a, b);
    }
    grow(trusted);
  }

  void grow_from_all(bool heed_names) {
    for (std::size_t i = 0; i < a_.partner.size(); ++i) {
      if (a_.partner[i].valid()) open_.emplace_back(OperatorId(i), a_.partner[i]);
    }
    grow(heed_names);
  }

  // From linked operators to their neighbours, until there are no new ones.
  void grow(bool heed_names) {
    while (!open_.empty()) {
      const auto [a, b] = open_.front();
      open_.pop_front();
      grow_up(a, b, heed_names);
      grow_down(a, b, heed_names);
    }
  }

  void link_neighbour(OperatorId a, OperatorId b, bool heed_names) {
    if (!a_.free(a) || !b_.free(b) || a_.own[a.index()] != b_.own[b.index()]) return;
    if (heed_names && !same_name(a, b) && name_is_elsewhere(a, b)) return;
    link(a, b);
  }

  void grow_up(OperatorId a, OperatorId b, bool heed_names) {
    const auto& inputs_a = a_.graph.op(a).inputs;
    const auto& inputs_b = b_.graph.op(b).inputs;
    if (inputs_a.size() == inputs_b.size()) {
      for (std::size_t i = 0; i < inputs_a.size(); ++i) {
        link_neighbour(inputs_a[i].producer, inputs_b[i].producer, heed_names);
      }
      return;
    }
    const auto keyed = [](const Side& side, const std::vector<Value>& inputs) {
      Keyed list;
      list.reserve(inputs.size());
      for (const Value& value : inputs) list.emplace_back(side.own[value.producer.index()], value.producer);
      return list;
    };
    link_unique(keyed(a_, inputs_a), keyed(b_, inputs_b), heed_names);
  }

  void grow_down(OperatorId a, OperatorId b, bool heed_names) {
    const auto keyed = [](const Side& side, OperatorId id) {
      Keyed list;
      for (const Use& use : side.uses[id.index()]) {
        list.emplace_back(mixed(side.own[use.consumer.index()], use.place), use.consumer);
      }
      return list;
    };
    link_unique(keyed(a_, a), keyed(b_, b), heed_names);
  }

  // Among neighbours with hashes: links those of one name, then those with a unique hash on both sides.
  void link_unique(Keyed of_a, Keyed of_b, bool heed_names) {
    std::erase_if(of_a, [this](const auto& entry) { return !a_.free(entry.second); });
    std::erase_if(of_b, [this](const auto& entry) { return !b_.free(entry.second); });
    for (const Class& same : classes_of(std::move(of_a), std::move(of_b))) {
      if (same.a.size() == 1 && same.b.size() == 1) {
        link_neighbour(same.a.front(), same.b.front(), heed_names);
      } else {
        link_names_of(same);
      }
    }
  }

  // Alike with their neighbourhood, in which linked operators stand for themselves; the widest first.
  void link_neighbourhoods() {
    std::vector<std::pair<Hashes, Hashes>> rounds{{colours(a_, true), colours(b_, false)}};
    for (int round = 0; round < kRadius; ++round) {
      rounds.emplace_back(around(a_, rounds.back().first), around(b_, rounds.back().second));
    }
    for (auto round = rounds.rbegin(); round != rounds.rend() - 1; ++round) {
      link_classes(round->first, round->second, true);
      grow(false);
    }
  }

  static Hashes colours(const Side& side, bool is_a) {
    Hashes result = side.own;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (side.partner[i].valid()) result[i] = mixed(~Hash{0}, is_a ? i : side.partner[i].index());
    }
    return result;
  }

  static Hashes around(const Side& side, const Hashes& before) {
    Hashes result = before;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (side.partner[i].valid()) continue;
      for (const Value& value : side.graph.operators()[i].inputs) {
        result[i] = mixed(result[i], before[value.producer.index()]);
      }
      Hash sum = 0;
      for (const Use& use : side.uses[i]) sum += mixed(before[use.consumer.index()], use.place);
      result[i] = mixed(result[i], sum);
    }
    return result;
  }

  Side a_;
  Side b_;
  std::deque<std::pair<OperatorId, OperatorId>> open_;  // linked, their neighbours not yet looked at
};

bool same_operators(const Graph& a, const Graph& b) {
  if (&a == &b) return true;
  const auto same = [](const Operator& one, const Operator& other) {
    return one.name == other.name && one.unit == other.unit && one.output == other.output &&
           one.inputs == other.inputs && one.attributes == other.attributes;
  };
  return std::ranges::equal(a.operators(), b.operators(), same) &&
         std::ranges::equal(a.units(), b.units(), {}, &Unit::name, &Unit::name);
}

template <typename Id>
std::vector<Id> every(std::size_t count) {
  std::vector<Id> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.emplace_back(i);
  return ids;
}

template <typename Id>
std::vector<Id> without_counterpart(const std::vector<Id>& counterparts) {
  std::vector<Id> ids;
  for (std::size_t i = 0; i < counterparts.size(); ++i) {
    if (!counterparts[i].valid()) ids.emplace_back(i);
  }
  return ids;
}

// Pairs with most operators in common first; of equal ones those that share what they give to others.
void match_units(const Graph& a, const Graph& b, GraphMatch& match) {
  match.units_in_b.assign(a.units().size(), {});
  match.units_in_a.assign(b.units().size(), {});
  struct Pair {
    int common = 0;
    bool outputs_differ = true;
    UnitId a;
    UnitId b;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < a.units().size(); ++i) {
    const std::size_t first = pairs.size();
    const std::vector<OperatorId> outputs = a.outputs(UnitId(i));
    for (const OperatorId op : a.units()[i].operators) {
      const OperatorId other = match.operators_in_b[op.index()];
      if (!other.valid() || !b.op(other).unit.valid()) continue;
      const UnitId unit = b.op(other).unit;
      auto at = std::find_if(pairs.begin() + static_cast<std::ptrdiff_t>(first), pairs.end(),
                             [&](const Pair& pair) { return pair.b == unit; });
      if (at == pairs.end()) at = pairs.insert(pairs.end(), Pair{0, true, UnitId(i), unit});
      ++at->common;
      const auto gives = [](const std::vector<OperatorId>& all, OperatorId id) {
        return std::ranges::find(all, id) != all.end();
      };
      if (gives(outputs, op) && gives(b.outputs(unit), other)) at->outputs_differ = false;
    }
  }
  std::ranges::sort(pairs, [](const Pair& one, const Pair& other) {
    return std::tuple(-one.common, one.outputs_differ, one.a, one.b) <
           std::tuple(-other.common, other.outputs_differ, other.a, other.b);
  });
  for (const Pair& pair : pairs) {
    if (match.units_in_b[pair.a.index()].valid() || match.units_in_a[pair.b.index()].valid()) continue;
    match.units_in_b[pair.a.index()] = pair.b;
    match.units_in_a[pair.b.index()] = pair.a;
  }
}

}  // namespace

std::vector<OperatorId> GraphMatch::missing() const { return without_counterpart(operators_in_b); }
std::vector<OperatorId> GraphMatch::added() const { return without_counterpart(operators_in_a); }

GraphMatch match_graphs(const Graph& a, const Graph& b) {
  GraphMatch match;
  if (same_operators(a, b)) {
    match.identical = true;
    match.operators_in_b = match.operators_in_a = every<OperatorId>(a.operators().size());
    match.units_in_b = match.units_in_a = every<UnitId>(a.units().size());
    return match;
  }
  Matcher matcher(a, b);
  matcher.run();
  match.operators_in_b = matcher.in_b();
  match.operators_in_a = matcher.in_a();
  for (std::size_t i = 0; i < match.operators_in_b.size(); ++i) {
    if (!match.operators_in_b[i].valid()) continue;
    const Operator& one = a.operators()[i];
    const Operator& other = b.op(match.operators_in_b[i]);
    if (one.name != other.name) match.renamed.emplace_back(i);
    if (own_hash(one, Likeness::kShape) != own_hash(other, Likeness::kShape)) match.changed.emplace_back(i);
  }
  match_units(a, b, match);
  return match;
}

}  // namespace iosx
