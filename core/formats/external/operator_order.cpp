#include "core/formats/external/operator_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

struct Word {
  std::string_view word;  // somewhere in the type, letters only
  std::uint64_t kinds;
};
// The first that fits counts.
constexpr std::array kWords{
    Word{"reorder", 0},
    Word{"memcpy", 0},
    Word{"convtranspose", bits<ConvTranspose>()},
    Word{"transposedconv", bits<ConvTranspose>()},
    Word{"deconv", bits<ConvTranspose>()},
    Word{"conv", bits<Conv, ConvTranspose>()},
    Word{"pool", bits<Pool>()},
    Word{"batchnorm", bits<Affine>()},
    Word{"norm", bits<Normalize, Affine, Lrn>()},
    Word{"lrn", bits<Lrn>()},
    Word{"softmax", bits<Softmax>()},
    Word{"addmm", bits<Linear, MatMul>()},
    Word{"gemm", bits<Linear, MatMul>()},
    Word{"linear", bits<Linear, MatMul>()},
    Word{"dense", bits<Linear>()},
    Word{"innerproduct", bits<Linear>()},
    Word{"matmul", bits<Linear, MatMul>()},
    Word{"bmm", bits<Linear, MatMul>()},
    Word{"concat", bits<Concat>()},
    Word{"relu", bits<Activate>()},
    Word{"clip", bits<Activate>()},
    Word{"clamp", bits<Activate>()},
    Word{"hardtanh", bits<Activate>()},
    Word{"sigmoid", bits<Activate>()},
    Word{"swish", bits<Activate>()},
    Word{"silu", bits<Activate>()},
    Word{"mish", bits<Activate>()},
    Word{"gelu", bits<Activate>()},
    Word{"tanh", bits<Activate>()},
    Word{"lstm", bits<Recurrent>()},
    Word{"gru", bits<Recurrent>()},
    Word{"rnn", bits<Recurrent>()},
    Word{"topk", bits<TopK>()},
    Word{"gridsample", bits<GridSample>()},
    Word{"resize", bits<Resize>()},
    Word{"upsample", bits<Resize>()},
    Word{"interpolate", bits<Resize>()},
    Word{"transpose", bits<Transpose>()},
    Word{"permute", bits<Transpose>()},
    Word{"expand", bits<Expand>()},
    Word{"reshape", bits<Reshape>()},
    Word{"flatten", bits<Reshape>()},
    Word{"squeeze", bits<Reshape>()},
    Word{"view", bits<Reshape>()},
    Word{"gather", bits<Gather>()},
    Word{"embedding", bits<Gather>()},
    Word{"slice", bits<Slice>()},
    Word{"narrow", bits<Slice>()},
    Word{"split", bits<Slice>()},
    Word{"reducemean", bits<Reduce, Pool>()},
    Word{"reduce", bits<Reduce>()},
    Word{"argm", bits<Reduce>()},
    Word{"where", bits<Where>()},
};
// These words are the whole type.
constexpr std::array kShortWords{
    Word{"elu", bits<Activate>()},         Word{"erf", bits<Activate>()},
    Word{"cat", bits<Concat>()},           Word{"add", bits<Add>()},
    Word{"sum", bits<Add, Reduce>()},      Word{"mul", bits<Mul, Activate>()},
    Word{"sub", bits<Binary>()},           Word{"div", bits<Binary>()},
    Word{"pow", bits<Binary, Activate>()}, Word{"mm", bits<Linear, MatMul>()},
    Word{"mean", bits<Reduce, Pool>()},    Word{"pad", bits<Pad>()},
    Word{"max", bits<Reduce, Binary>()},   Word{"min", bits<Reduce, Binary>()},
    Word{"identity", bits<Identity>()},    Word{"affine", bits<Affine>()},
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

// A kernel that an operator may run as.
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
            .kinds = kinds_of_type(entry.type.empty() ? entry.name : entry.type),
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

}  // namespace

std::uint64_t kinds_of_type(std::string_view type) {
  constexpr std::size_t kMostLetters = 64;
  if (const std::size_t space = type.rfind("::"); space != std::string_view::npos) type = type.substr(space + 2);
  std::string letters;
  for (const char c : type) {
    if (letters.size() == kMostLetters) break;
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') letters += c;
  }
  for (const Word& word : kShortWords) {
    if (letters == word.word) return word.kinds;
  }
  for (const Word& word : kWords) {
    if (letters.find(word.word) != std::string::npos) return word.kinds;
  }
  return 0;
}

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

}  // namespace iosx::external
