#include "core/formats/external/match.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/formats/external/operator_order.h"

namespace iosx {
namespace {

using Operators = std::vector<OperatorId>;

// Leaves letters and digits in lower case, everything else as one "_", without what tools put around names.
std::string alike_form(std::string_view name) {
  constexpr std::array<std::string_view, 4> kBefore{"fused ", "fused_", "pwn(", "/"};
  constexpr std::array<std::string_view, 7> kAfter{"_kernel_time", "_nchwc", "_nhwc", "_fused", ":0", ")", "_quant"};
  std::string form;
  form.reserve(name.size());
  for (const char c : name) form += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::string_view rest = form;
  for (const std::string_view before : kBefore) {
    if (rest.starts_with(before)) rest.remove_prefix(before.size());
  }
  for (const std::string_view after : kAfter) {
    if (rest.ends_with(after)) rest.remove_suffix(after.size());
  }
  std::string out;
  out.reserve(rest.size());
  for (const char c : rest) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (kept) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  if (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

class Names {
 public:
  explicit Names(const Graph& graph) : graph_(graph) {
    for (std::size_t i = 0; i < graph.operators().size(); ++i) {
      if (!graph.op(OperatorId(i)).is_source()) add(graph.op(OperatorId(i)).name, {OperatorId(i)});
    }
    for (const Unit& unit : graph.units()) {
      if (!exact_.contains(unit.name)) add(unit.name, unit.operators);
    }
  }

  OperatorMatch match(std::string_view name) const {
    if (const Operators* found = exact(name)) return {MatchRule::kName, *found};
    const bool several = name.find(" + ") != std::string_view::npos;  // then it is no piece of one of them
    if (Operators found = several ? fused(name) : Operators(); !found.empty()) {
      return {MatchRule::kFused, std::move(found)};
    }
    if (const Operators* found = alike(name)) return {MatchRule::kAlike, *found};
    if (Operators found = fused(name); !found.empty()) return {MatchRule::kFused, std::move(found)};
    if (Operators found = between(name); !found.empty()) return {MatchRule::kFused, std::move(found)};
    return {};
  }

  OperatorMatch match(const ExternalEntry& entry) const {
    OperatorMatch best = match(entry.name);
    if (best.rule == MatchRule::kName) return best;
    if (const Operators* found = entry.output.empty() ? nullptr : exact(entry.output)) {
      return {MatchRule::kOutput, *found};
    }
    for (const std::string& range : entry.within) {
      if (best.rule != MatchRule::kNone || range == graph_.name()) break;
      best = match(range);
    }
    return best;
  }

 private:
  void add(const std::string& name, Operators operators) {
    if (const auto [found, made] = alike_.emplace(alike_form(name), operators); !made && found->second != operators) {
      found->second.clear();  // of several: it tells nothing
    }
    exact_.emplace(name, std::move(operators));
  }

  const Operators* exact(std::string_view name) const {
    const auto found = exact_.find(std::string(name));
    return found == exact_.end() ? nullptr : &found->second;
  }

  // Also finds the operators that the name is a piece of: "conv1/activation" is of "conv1".
  const Operators* alike(std::string_view name) const {
    constexpr std::size_t kMostPieces = 16;
    for (std::size_t piece = 0; piece < kMostPieces && !name.empty(); ++piece) {
      if (piece > 0) {
        if (const Operators* found = exact(name)) return found;
      }
      const std::string form = alike_form(name);
      const auto found = alike_.find(form);
      if (!form.empty() && found != alike_.end() && !found->second.empty()) return &found->second;
      const std::size_t slash = name.find_last_of('/');
      if (slash == std::string_view::npos) break;
      name = name.substr(0, slash);
    }
    return nullptr;
  }

  Operators fused(std::string_view name) const {
    constexpr std::array<std::string_view, 4> kBetween{" + ", " || ", ", ", "+"};
    constexpr std::size_t kMostNames = 64;
    for (const std::string_view between : kBetween) {
      if (name.find(between) == std::string_view::npos) continue;
      Operators found;
      std::string_view rest = name;
      for (std::size_t part = 0; part < kMostNames && !rest.empty(); ++part) {
        const std::size_t end = rest.find(between);
        const std::string_view one = rest.substr(0, end);
        const Operators* operators = exact(one);
        if (operators == nullptr) operators = alike(one);
        if (operators != nullptr) found.insert(found.end(), operators->begin(), operators->end());
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + between.size());
      }
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
      if (!found.empty()) return found;
    }
    return {};
  }

  // Finds what lies between two operators, both included: TensorRT calls a block that it compiles
  // "{ForeignNode[first...last]}".
  Operators between(std::string_view name) const {
    constexpr std::string_view kBefore = "ForeignNode[";
    constexpr std::string_view kBetween = "...";
    const std::size_t begin = name.find(kBefore);
    const std::size_t middle = name.find(kBetween, begin);
    const std::size_t end = name.find(']', middle);
    if (begin == std::string_view::npos || end == std::string_view::npos) return {};
    const std::size_t first = begin + kBefore.size();
    const Operators* from = named(name.substr(first, middle - first));
    const std::size_t second = middle + kBetween.size();
    const Operators* to = named(name.substr(second, end - second));
    if (from == nullptr || to == nullptr) return {};
    std::vector<bool> after(graph_.operators().size());
    std::vector<bool> before(after.size());
    for (const OperatorId id : *from) after[id.index()] = true;
    for (const OperatorId id : *to) before[id.index()] = true;
    for (std::size_t i = 0; i < after.size(); ++i) {  // operators stand after what they read
      for (const OperatorId user : graph_.consumers(OperatorId(i))) {
        if (after[i]) after[user.index()] = true;
      }
    }
    for (std::size_t i = before.size(); i-- > 0;) {
      for (const OperatorId user : graph_.consumers(OperatorId(i))) {
        if (before[user.index()]) before[i] = true;
      }
    }
    Operators found;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (after[i] && before[i]) found.emplace_back(i);
    }
    return found;
  }

  const Operators* named(std::string_view name) const {
    const Operators* found = exact(name);
    return found != nullptr ? found : alike(name);
  }

  const Graph& graph_;
  std::unordered_map<std::string, Operators> exact_;
  std::unordered_map<std::string, Operators> alike_;
};

}  // namespace

OperatorMatch match_name(std::string_view name, const Graph& graph) { return Names(graph).match(name); }

std::vector<OperatorMatch> match_names(std::span<const std::string> names, const Graph& graph) {
  const Names of_graph(graph);
  std::vector<OperatorMatch> matches;
  matches.reserve(names.size());
  for (const std::string& name : names) matches.push_back(of_graph.match(name));
  return matches;
}

void match_operators(ExternalRun& run, const Graph& graph) {
  const Names names(graph);
  for (ExternalEntry& entry : run.entries) entry.match = names.match(entry);
  external::match_by_order(run, graph);
}

std::array<RuleTally, kMatchRules> tally_of(const ExternalRun& run) {
  std::array<RuleTally, kMatchRules> tally{};
  for (const ExternalEntry& entry : run.entries) {
    RuleTally& of_rule = tally[static_cast<std::size_t>(entry.match.rule)];
    ++of_rule.entries;
    of_rule.time += entry.duration;
  }
  return tally;
}

std::vector<OperatorId> without_entry(const ExternalRun& run, const Graph& graph) {
  std::vector<bool> seen(graph.operators().size());
  for (const ExternalEntry& entry : run.entries) {
    for (const OperatorId id : entry.match.operators) seen[id.index()] = true;
  }
  std::vector<OperatorId> missing;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i] && !graph.op(OperatorId(i)).is_source()) missing.emplace_back(i);
  }
  return missing;
}

std::optional<Piece> piece_of(const ExternalRun& run, const Graph& graph) {
  constexpr double kMostly = 0.5;
  if (run.entries.empty() || run.matched_share() < kMostly) return std::nullopt;  // the rest may be anything
  const auto computing = static_cast<std::size_t>(
      std::ranges::count_if(graph.operators(), [](const Operator& op) { return !op.is_source(); }));
  const Piece piece{computing - without_entry(run, graph).size(), computing};
  if (static_cast<double>(piece.recorded) >= kMostly * static_cast<double>(piece.of)) return std::nullopt;
  return piece;
}

std::vector<Millis> time_of_units(const ExternalRun& run, const Graph& graph) {
  std::vector<Millis> times(graph.units().size());
  for (const ExternalEntry& entry : run.entries) {
    std::vector<UnitId> units;
    for (const OperatorId id : entry.match.operators) units.push_back(graph.op(id).unit);
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    std::erase_if(units, [](UnitId unit) { return !unit.valid(); });
    for (const UnitId unit : units) times[unit.index()] += entry.duration / static_cast<double>(units.size());
  }
  return times;
}

}  // namespace iosx
