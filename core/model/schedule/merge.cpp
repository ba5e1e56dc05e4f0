#include "core/model/schedule/merge.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace iosx {
namespace {

// The convolution that is all of a unit, or null.
const Operator* only_convolution(const Graph& graph, UnitId unit) {
  const auto& operators = graph.unit(unit).operators;
  if (operators.size() != 1) return nullptr;
  const Operator& op = graph.op(operators.front());
  return op.as<Conv>() != nullptr && op.inputs.size() == 1 ? &op : nullptr;
}

bool centred(std::int64_t largest_kernel, std::int64_t largest_padding, std::int64_t dilation, std::int64_t kernel,
             std::int64_t padding) {
  const std::int64_t spare = largest_kernel - kernel;
  return spare % 2 == 0 && padding == largest_padding - spare / 2 * dilation;
}

// The smallest window that holds every convolution's kernel, with the padding it needs.
Conv enclosing(const std::vector<const Operator*>& convolutions) {
  Conv all = *convolutions.front()->as<Conv>();
  all.out_channels = 0;
  all.merged_from.clear();
  for (const Operator* op : convolutions) {
    const Conv& conv = *op->as<Conv>();
    all.out_channels += conv.out_channels;
    all.kernel.height = std::max(all.kernel.height, conv.kernel.height);
    all.kernel.width = std::max(all.kernel.width, conv.kernel.width);
    all.padding.height = std::max(all.padding.height, conv.padding.height);
    all.padding.width = std::max(all.padding.width, conv.padding.width);
    if (conv.merged_from.empty()) {
      all.merged_from.push_back(op->name);
    } else {
      all.merged_from.insert(all.merged_from.end(), conv.merged_from.begin(), conv.merged_from.end());
    }
  }
  return all;
}

// What keeps `op` from joining the first convolution, or nothing.
std::optional<MergeRefusal> refusal(const Operator& first, const Operator& op) {
  const Conv& lead = *first.as<Conv>();
  const Conv& conv = *op.as<Conv>();
  if (op.inputs != first.inputs) return MergeRefusal::kDifferentInput;
  if (conv.groups != 1) return MergeRefusal::kGrouped;
  if (conv.stride != lead.stride) return MergeRefusal::kDifferentStride;
  if (conv.dilation != lead.dilation) return MergeRefusal::kDifferentDilation;
  if (conv.end_padding != lead.end_padding) return MergeRefusal::kNotCentred;
  if (conv.activation != lead.activation) return MergeRefusal::kDifferentActivation;
  if (op.output.height() != first.output.height() || op.output.width() != first.output.width()) {
    return MergeRefusal::kDifferentOutputSize;
  }
  return std::nullopt;
}

}  // namespace

Message text(MergeRefusal refusal) {
  switch (refusal) {
    case MergeRefusal::kTooFew: return message("it takes at least two units");
    case MergeRefusal::kNotAConvolution: return message("a unit is not exactly one convolution");
    case MergeRefusal::kDifferentInput: return message("they do not all read the same channels of the same tensor");
    case MergeRefusal::kGrouped: return message("a convolution has groups");
    case MergeRefusal::kDifferentStride: return message("their strides differ");
    case MergeRefusal::kDifferentDilation: return message("their dilations differ");
    case MergeRefusal::kDifferentActivation: return message("their activations differ");
    case MergeRefusal::kDifferentOutputSize: return message("their output sizes differ");
    case MergeRefusal::kNotCentred:
      return message("a kernel cannot be centred in the largest one with the padding it has");
  }
  return message("unknown reason");
}

tl::expected<MergedConv, MergeRefusal> merge(const Graph& graph, std::span<const UnitId> units) {
  if (units.size() < 2) return tl::unexpected(MergeRefusal::kTooFew);
  std::vector<const Operator*> convolutions;
  for (const UnitId unit : units) {
    const Operator* op = only_convolution(graph, unit);
    if (op == nullptr) return tl::unexpected(MergeRefusal::kNotAConvolution);
    convolutions.push_back(op);
  }
  const Operator& first = *convolutions.front();
  for (const Operator* op : convolutions) {
    if (const auto why = refusal(first, *op)) return tl::unexpected(*why);
  }

  MergedConv merged{enclosing(convolutions), first.inputs.front(), first.output, {}};
  const Conv& all = merged.attributes;
  merged.output = merged.output.with(0, all.out_channels);
  std::int64_t channel = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Conv& conv = *convolutions[i]->as<Conv>();
    if (!centred(all.kernel.height, all.padding.height, all.dilation.height, conv.kernel.height, conv.padding.height) ||
        !centred(all.kernel.width, all.padding.width, all.dilation.width, conv.kernel.width, conv.padding.width)) {
      return tl::unexpected(MergeRefusal::kNotCentred);
    }
    merged.sources.push_back(
        MergedSource{units[i], graph.unit(units[i]).output(), channel, channel + conv.out_channels,
                     Extent{(all.kernel.height - conv.kernel.height) / 2, (all.kernel.width - conv.kernel.width) / 2}});
    channel += conv.out_channels;
  }
  return merged;
}

std::vector<std::vector<UnitId>> mergeable_sets(const Graph& graph) {
  std::vector<std::vector<UnitId>> sets;
  std::map<OperatorId, std::vector<std::size_t>> readers;  // by what they read: indices into sets
  for (std::size_t i = 0; i < graph.units().size(); ++i) {
    const UnitId unit(i);
    const Operator* op = only_convolution(graph, unit);
    if (op == nullptr) continue;
    std::vector<std::size_t>& candidates = readers[op->inputs.front().producer];
    const auto fits = std::ranges::find_if(candidates, [&](std::size_t set) {
      return merge(graph, std::array{sets[set].front(), unit}).has_value();
    });
    if (fits != candidates.end()) {
      sets[*fits].push_back(unit);
    } else {
      candidates.push_back(sets.size());
      sets.push_back({unit});
    }
  }
  std::erase_if(sets, [](const std::vector<UnitId>& set) { return set.size() < 2; });
  return sets;
}

}  // namespace iosx
