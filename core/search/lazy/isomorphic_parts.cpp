#include "core/search/lazy/isomorphic_parts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace iosx {
namespace {

bool same_attributes(const Attributes& a, const Attributes& b) {
  if (const auto* conv = std::get_if<Conv>(&a)) {
    if (const auto* other = std::get_if<Conv>(&b)) {  // which ones a merged convolution is made of is no matter
      Conv one = *conv;
      Conv two = *other;
      one.merged_from.clear();
      two.merged_from.clear();
      return one == two;
    }
  }
  return a == b;
}

// Returns the operator's place in the unit; -1 if outside.
std::ptrdiff_t place_in(const Unit& unit, OperatorId id) {
  const auto at = std::ranges::find(unit.operators, id);
  return at == unit.operators.end() ? -1 : at - unit.operators.begin();
}

bool isomorphic(const Graph& graph, const Unit& a, const Unit& b) {
  if (a.operators.size() != b.operators.size()) return false;
  for (std::size_t i = 0; i < a.operators.size(); ++i) {
    const Operator& one = graph.op(a.operators[i]);
    const Operator& two = graph.op(b.operators[i]);
    if (one.output != two.output || one.inputs.size() != two.inputs.size()) return false;
    if (!same_attributes(one.attributes, two.attributes)) return false;
    for (std::size_t k = 0; k < one.inputs.size(); ++k) {
      const Value& read = one.inputs[k];
      const Value& other = two.inputs[k];
      if (place_in(a, read.producer) != place_in(b, other.producer) || graph.shape(read) != graph.shape(other) ||
          graph.op(read.producer).output != graph.op(other.producer).output) {
        return false;
      }
    }
  }
  return true;
}

// Everything that isomorphic_parts() compares, as numbers.
std::vector<std::int64_t> text_of(const Graph& graph, const Part& part, std::span<const std::uint32_t> kinds) {
  std::vector<std::int64_t> text;
  std::unordered_map<std::size_t, std::int64_t> outside;  // operators, numbered as they are first read
  const std::size_t first = part.units.front().index();
  for (const UnitId id : part.units) {
    text.push_back(kinds[id.index()]);
    for (const OperatorId op : graph.unit(id).operators) {
      for (const Value& read : graph.op(op).inputs) {
        const UnitId producer = graph.op(read.producer).unit;
        if (producer == id) continue;
        const bool inside = producer.valid() && graph.unit(producer).part == graph.unit(id).part;
        const std::int64_t number = inside
                                        ? static_cast<std::int64_t>(producer.index() - first)
                                        : -1 - outside.try_emplace(read.producer.index(), outside.size()).first->second;
        text.insert(text.end(), {number, read.begin, read.end});
      }
    }
    text.push_back(-1'000'000'000);  // what parts units
  }
  return text;
}

}  // namespace

std::vector<std::uint32_t> unit_kinds(const Graph& graph) {
  std::vector<std::uint32_t> kinds;
  std::vector<const Unit*> firsts;  // of each kind
  for (const Unit& unit : graph.units()) {
    const auto same = std::ranges::find_if(firsts, [&](const Unit* first) { return isomorphic(graph, unit, *first); });
    kinds.push_back(static_cast<std::uint32_t>(same - firsts.begin()));
    if (same == firsts.end()) firsts.push_back(&unit);
  }
  return kinds;
}

std::vector<std::vector<PartId>> isomorphic_parts(const Graph& graph, std::span<const std::uint32_t> kinds) {
  std::vector<std::vector<PartId>> groups;
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    const auto [at, is_new] = known.try_emplace(text_of(graph, graph.parts()[p], kinds), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].emplace_back(p);
  }
  return groups;
}

std::string text_of_parts(const Graph& graph, std::span<const std::uint32_t> kinds) {
  std::string text;
  for (const Part& part : graph.parts()) {
    for (const std::int64_t number : text_of(graph, part, kinds)) text += std::to_string(number) + ' ';
  }
  return text;
}

}  // namespace iosx
