#include "core/formats/external/match.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/formats/external/csv_times.h"
#include "core/model/graph/operator_table.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostPairs = 40'000'000;

template <typename... Kinds>
constexpr std::uint64_t bits() {
  static_assert(std::variant_size_v<Attributes> <= 64);
  return ((std::uint64_t{1} << operator_table::kIndex<Kinds>) | ...);
}
std::uint64_t bit_of(const Attributes& attributes) { return std::uint64_t{1} << attributes.index(); }

struct Words {
  std::array<std::string_view, 10> words;  // each somewhere in the type, letters only; the rest is empty
  std::uint64_t kinds = 0;
};
// The first that fits counts.
constexpr std::array kWords{
    Words{{"reorder", "memcpy"}, 0},
    Words{{"convtranspose", "transposedconv", "deconv"}, bits<ConvTranspose>()},
    Words{{"conv"}, bits<Conv, ConvTranspose>()},
    Words{{"pool"}, bits<Pool>()},
    Words{{"batchnorm"}, bits<Affine>()},
    Words{{"norm"}, bits<Normalize, Affine, Lrn>()},
    Words{{"lrn"}, bits<Lrn>()},
    Words{{"softmax"}, bits<Softmax>()},
    Words{{"addmm", "gemm", "linear"}, bits<Linear, MatMul>()},
    Words{{"dense", "innerproduct"}, bits<Linear>()},
    Words{{"matmul", "bmm"}, bits<Linear, MatMul>()},
    Words{{"concat"}, bits<Concat>()},
    Words{{"relu", "clip", "clamp", "hardtanh", "sigmoid", "swish", "silu", "mish", "gelu", "tanh"}, bits<Activate>()},
    Words{{"lstm", "gru", "rnn"}, bits<Recurrent>()},
    Words{{"topk"}, bits<TopK>()},
    Words{{"gridsample"}, bits<GridSample>()},
    Words{{"resize", "upsample", "interpolate"}, bits<Resize>()},
    Words{{"transpose", "permute"}, bits<Transpose>()},
    Words{{"expand"}, bits<Expand>()},
    Words{{"reshape", "flatten", "squeeze", "view"}, bits<Reshape>()},
    Words{{"gather", "embedding"}, bits<Gather>()},
    Words{{"slice", "narrow", "split"}, bits<Slice>()},
    Words{{"reducemean"}, bits<Reduce, Pool>()},
    Words{{"reduce", "argm"}, bits<Reduce>()},
    Words{{"where"}, bits<Where>()},
};
// These words are the whole type.
constexpr std::array kShortWords{
    Words{{"elu", "erf"}, bits<Activate>()},
    Words{{"cat"}, bits<Concat>()},
    Words{{"add"}, bits<Add>()},
    Words{{"sum"}, bits<Add, Reduce>()},
    Words{{"mul"}, bits<Mul, Activate>()},
    Words{{"sub", "div"}, bits<Binary>()},
    Words{{"pow"}, bits<Binary, Activate>()},
    Words{{"mm"}, bits<Linear, MatMul>()},
    Words{{"mean"}, bits<Reduce, Pool>()},
    Words{{"pad"}, bits<Pad>()},
    Words{{"max", "min"}, bits<Reduce, Binary>()},
    Words{{"identity"}, bits<Identity>()},
    Words{{"affine"}, bits<Affine>()},
};

std::optional<std::int64_t> elements_of_sample(const ExternalDims& dims) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  if (dims.empty()) return std::nullopt;
  std::int64_t elements = 1;
  for (std::size_t axis = 1; axis < dims.size(); ++axis) {
    if (dims[axis] <= 0 || elements > kMost / dims[axis]) return std::nullopt;
    elements *= dims[axis];
  }
  return elements;
}

// An operator may run as this kernel.
struct Expected {
  OperatorId op;
  std::uint64_t kind = 0;
  std::int64_t made = 0;                // elements of its output in one sample
  std::int64_t read = 0;                // of its first input
  std::optional<std::int64_t> weights;  // elements
};

void expect(const Graph& graph, OperatorId id, std::vector<Expected>& out) {
  const Operator& op = graph.op(id);
  Expected one{.op = id, .kind = bit_of(op.attributes), .made = op.output.elements(), .read = 0, .weights = {}};
  if (!op.inputs.empty()) one.read = graph.shape(op.inputs.front()).elements();
  if (const Conv* conv = op.as<Conv>()) {
    const std::int64_t channels = op.inputs.empty() ? 0 : graph.shape(op.inputs.front()).channels();
    one.weights = conv->out_channels * (channels / conv->groups) * conv->kernel.height * conv->kernel.width;
  }
  out.push_back(one);
  // If the tool does not fuse it, it is a separate kernel.
  if (!op.as<Activate>() && fused_activation(op.attributes) != Activation::kIdentity) {
    out.push_back({.op = id, .kind = bits<Activate>(), .made = one.made, .read = one.made, .weights = {}});
  }
}

struct Open {
  std::size_t entry;
  std::uint64_t kinds;
  std::optional<std::int64_t> made;
  std::optional<std::int64_t> read;
  std::optional<std::int64_t> weights;
};

Open open_entry(const ExternalRun& run, std::size_t index) {
  const ExternalEntry& entry = run.entries[index];
  Open open{.entry = index,
            .kinds = entry.type.empty() ? kinds_of_kernel(entry.name) : kinds_of_type(entry.type),
            .made = elements_of_sample(entry.dims),
            .read = std::nullopt,
            .weights = std::nullopt};
  if (!entry.inputs.empty()) open.read = elements_of_sample(entry.inputs.front());
  if (entry.inputs.size() > 1 && entry.inputs[1].size() == 4) {
    if (const auto sample = elements_of_sample(entry.inputs[1])) open.weights = *sample * entry.inputs[1].front();
  }
  return open;
}

bool agree(const Open& open, const Expected& expected) {
  const auto same = [](const std::optional<std::int64_t>& told, std::int64_t known) { return !told || *told == known; };
  return (open.kinds & expected.kind) != 0 && same(open.made, expected.made) && same(open.read, expected.read) &&
         (!expected.weights || same(open.weights, *expected.weights));
}

// Returns the pairs of a longest common subsequence, as places in both.
std::vector<std::pair<std::size_t, std::size_t>> common(const std::vector<Open>& entries,
                                                        const std::vector<Expected>& expected) {
  const std::size_t width = expected.size() + 1;
  std::vector<std::uint32_t> below(width);
  std::vector<std::uint32_t> row(width);
  std::vector<std::uint8_t> moves(entries.size() * width);  // 0: both, 1: the next entry, 2: the next operator
  for (std::size_t i = entries.size(); i-- > 0;) {
    row[expected.size()] = 0;
    moves[i * width + expected.size()] = 1;
    for (std::size_t j = expected.size(); j-- > 0;) {
      std::uint32_t best = below[j];
      std::uint8_t move = 1;
      if (row[j + 1] > best) {
        best = row[j + 1];
        move = 2;
      }
      if (agree(entries[i], expected[j]) && below[j + 1] + 1 >= best) {
        best = below[j + 1] + 1;
        move = 0;
      }
      row[j] = best;
      moves[i * width + j] = move;
    }
    std::swap(row, below);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < entries.size() && j < expected.size();) {
    const std::uint8_t move = moves[i * width + j];
    if (move == 0) pairs.emplace_back(i, j);
    if (move != 2) ++i;
    if (move != 1) ++j;
  }
  return pairs;
}

// Matches the remaining entries by MatchRule::kOrder: the longest common subsequence of the entries, in execution
// order, and the operators without an entry, in the graph's order. A pair agrees in its type and, where the file has
// shapes, in the number of elements that it reads or makes.
void match_by_order(ExternalRun& run, const Graph& graph) {
  std::vector<bool> taken(graph.operators().size());
  for (const ExternalEntry& entry : run.entries) {
    for (const OperatorId id : entry.match.operators) taken[id.index()] = true;
  }
  std::vector<Expected> expected;
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    if (!taken[i] && !graph.op(OperatorId(i)).is_source()) expect(graph, OperatorId(i), expected);
  }
  std::vector<Open> open;
  for (std::size_t i = 0; i < run.entries.size(); ++i) {
    if (run.entries[i].match.rule != MatchRule::kNone) continue;
    open.push_back(open_entry(run, i));
    if (open.back().kinds == 0) open.pop_back();
  }
  if (open.empty() || expected.empty()) return;
  if (open.size() > kMostPairs / expected.size()) {
    run.notices.push_back(message("{} kernels with uninformative names are too many to match by order", open.size()));
    return;
  }
  for (const auto& [i, j] : common(open, expected)) {
    run.entries[open[i].entry].match = {MatchRule::kOrder, {expected[j].op}};
  }
}

}  // namespace

std::uint64_t kinds_of_type(std::string_view type) {
  constexpr std::size_t kMostLetters = 64;
  if (const std::size_t space = type.rfind("::"); space != std::string_view::npos) type = type.substr(space + 2);
  std::string letters;
  for (const char c : lower_case(type)) {
    if (letters.size() == kMostLetters) break;
    if (c >= 'a' && c <= 'z') letters += c;
  }
  const auto is = [&](std::string_view word) { return !word.empty() && letters == word; };
  const auto has = [&](std::string_view word) { return !word.empty() && letters.find(word) != std::string::npos; };
  for (const Words& row : kShortWords) {
    if (std::ranges::any_of(row.words, is)) return row.kinds;
  }
  for (const Words& row : kWords) {
    if (std::ranges::any_of(row.words, has)) return row.kinds;
  }
  return 0;
}

}  // namespace iosx::external

namespace iosx {
namespace {

using Operators = std::vector<OperatorId>;

// Leaves letters and digits in lower case, everything else as one "_", without what tools put around names.
std::string alike_form(std::string_view name) {
  constexpr std::array<std::string_view, 4> kBefore{"fused ", "fused_", "pwn(", "/"};
  constexpr std::array<std::string_view, 7> kAfter{"_kernel_time", "_nchwc", "_nhwc", "_fused", ":0", ")", "_quant"};
  const std::string form = external::lower_case(name);
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
    add_aliases();
  }

  OperatorMatch match(std::string_view name) const {
    if (const Operators* found = exact(name)) return {MatchRule::kName, *found};
    const bool several = name.find(" + ") != std::string_view::npos;  // then it is no piece of one of them
    if (Operators found = several ? fused(name) : Operators(); !found.empty())
      return {MatchRule::kFused, std::move(found)};
    if (const Operators* found = alike(name)) return {MatchRule::kAlike, *found};
    if (Operators found = fused(name); !found.empty()) return {MatchRule::kFused, std::move(found)};
    if (Operators found = between(name); !found.empty()) return {MatchRule::kFused, std::move(found)};
    if (const Operators* found = in_template(name)) return {MatchRule::kAlike, *found};
    return {};
  }

  OperatorMatch match(const ExternalEntry& entry) const {
    OperatorMatch best = match(entry.name);
    if (best.rule == MatchRule::kName) return best;
    if (const Operators* found = entry.output.empty() ? nullptr : exact(entry.output))
      return {MatchRule::kOutput, *found};
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

  // Names of operators come first, and an alias of several operators tells nothing.
  void add_aliases() {
    std::unordered_map<std::string_view, Operators> aliases;
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      for (const std::string& alias : graph_.op(OperatorId(i)).aliases) {
        const auto [found, made] = aliases.emplace(alias, Operators{OperatorId(i)});
        if (!made && found->second != Operators{OperatorId(i)}) found->second.clear();
      }
    }
    std::unordered_map<std::string, Operators> alike;
    for (const auto& [alias, operators] : aliases) {
      if (operators.empty()) continue;
      exact_.emplace(alias, operators);
      const auto [found, made] = alike.emplace(alike_form(alias), operators);
      if (!made && found->second != operators) found->second.clear();
    }
    alike_.merge(alike);  // keeps what it has
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
        const Operators* operators = named(one);
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

  // Finds the only operator that the arguments of a function's template name: "Kernel<conv1_0>(Params)". Words without
  // a digit or an underscore are names of types.
  const Operators* in_template(std::string_view name) const {
    constexpr std::size_t kMostWords = 256;
    const auto part_of_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const auto tells = [](std::string_view word) {
      const bool letter = std::ranges::any_of(word, [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
      return letter && std::ranges::any_of(word, [](char c) { return c == '_' || (c >= '0' && c <= '9'); });
    };
    const Operators* found = nullptr;
    std::size_t open = 0;
    std::size_t words = 0;
    for (std::size_t i = 0; i < name.size() && words < kMostWords; ++i) {
      if (name[i] == '<') ++open;
      if (name[i] == '>' && open > 0) --open;
      if (!part_of_word(name[i])) continue;
      std::size_t end = i;
      while (end < name.size() && part_of_word(name[end])) ++end;
      const std::string_view word = name.substr(i, end - i);
      i = end - 1;
      if (open == 0 || !tells(word)) continue;
      ++words;
      const auto known = alike_.find(alike_form(word));
      if (known == alike_.end() || known->second.empty()) continue;
      if (found != nullptr && *found != known->second) return nullptr;
      found = &known->second;
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

std::vector<UnitId> units_of(const OperatorMatch& match, const Graph& graph) {
  std::vector<UnitId> units;
  for (const OperatorId id : match.operators) units.push_back(graph.op(id).unit);
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::erase_if(units, [](UnitId unit) { return !unit.valid(); });
  return units;
}

std::vector<Millis> time_of_units(const ExternalRun& run, const Graph& graph) {
  std::vector<Millis> times(graph.units().size());
  for (const ExternalEntry& entry : run.entries) {
    const std::vector<UnitId> units = units_of(entry.match, graph);
    for (const UnitId unit : units) times[unit.index()] += entry.duration / static_cast<double>(units.size());
  }
  return times;
}

}  // namespace iosx
