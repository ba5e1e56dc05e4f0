#include "core/model/schedule/merge.h"

#include <algorithm>
#include <map>

namespace iosx {
namespace {

// Returns whether the operators after the first one of a unit copy something, for a further output
// of the model.
bool rest_copies(const Graph& graph, UnitId id) {
  const auto& operators = graph.unit(id).operators;
  return std::all_of(operators.begin() + 1, operators.end(),
                     [&](OperatorId op) { return graph.op(op).as<Identity>() != nullptr; });
}

// Returns whether the operators after the first one of a unit can run as soon as it has.
bool rest_reads_the_unit_alone(const Graph& graph, UnitId id) {
  const auto& operators = graph.unit(id).operators;
  return std::all_of(operators.begin() + 1, operators.end(), [&](OperatorId op) {
    return std::ranges::all_of(graph.op(op).inputs, [&](const Value& value) {
      const Operator& producer = graph.op(value.producer);
      return producer.is_constant() || producer.unit == id;
    });
  });
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

Linear with_all_features(const std::vector<const Operator*>& layers) {
  Linear all = *layers.front()->as<Linear>();
  all.out_features = 0;
  for (const Operator* op : layers) all.out_features += op->as<Linear>()->out_features;
  return all;
}

// Returns why `op` cannot join the first layer, or none.
std::optional<MergeRefusal> refusal(const Operator& first, const Operator& op) {
  if (op.attributes.index() != first.attributes.index()) return MergeRefusal::kDifferentKind;
  if (op.inputs != first.inputs) return MergeRefusal::kDifferentInput;
  if (const Conv* const conv = op.as<Conv>(); conv != nullptr) {
    const Conv& lead = *first.as<Conv>();
    if (conv->groups != 1) return MergeRefusal::kGrouped;
    if (conv->stride != lead.stride) return MergeRefusal::kDifferentStride;
    if (conv->dilation != lead.dilation) return MergeRefusal::kDifferentDilation;
    if (conv->end_padding != lead.end_padding) return MergeRefusal::kNotCentred;
  } else if (op.as<Linear>()->axis != first.as<Linear>()->axis) {
    return MergeRefusal::kDifferentAxis;
  }
  if (fused_activation(op.attributes) != fused_activation(first.attributes)) return MergeRefusal::kDifferentActivation;
  const bool map = op.as<Conv>() != nullptr;
  if (map && (op.output.height() != first.output.height() || op.output.width() != first.output.width())) {
    return MergeRefusal::kDifferentOutputSize;
  }
  return std::nullopt;
}

// Returns the place of a convolution's kernel in the enclosing one; none if it cannot be centred.
std::optional<Extent> offset_in(const Conv& all, const Conv& conv) {
  if (!centred(all.kernel.height, all.padding.height, all.dilation.height, conv.kernel.height, conv.padding.height) ||
      !centred(all.kernel.width, all.padding.width, all.dilation.width, conv.kernel.width, conv.padding.width)) {
    return std::nullopt;
  }
  return Extent{(all.kernel.height - conv.kernel.height) / 2, (all.kernel.width - conv.kernel.width) / 2};
}

}  // namespace

Message text(MergeRefusal refusal) {
  switch (refusal) {
    case MergeRefusal::kTooFew: return message("at least two units are needed");
    case MergeRefusal::kNoLayer:
      return message(
          "a unit is neither one convolution nor a linear layer followed by operators that read only this unit");
    case MergeRefusal::kDifferentKind: return message("one is a convolution, another a linear layer");
    case MergeRefusal::kDifferentInput: return message("they do not all read the same channels of the same tensor");
    case MergeRefusal::kGrouped: return message("a convolution has groups");
    case MergeRefusal::kDifferentStride: return message("their strides differ");
    case MergeRefusal::kDifferentDilation: return message("their dilations differ");
    case MergeRefusal::kDifferentAxis: return message("their features begin at different axes");
    case MergeRefusal::kDifferentActivation: return message("their activations differ");
    case MergeRefusal::kDifferentOutputSize: return message("their output sizes differ");
    case MergeRefusal::kNotCentred:
      return message("with its padding, a kernel cannot be centred in the largest kernel");
  }
  return message("unknown reason");
}

const Operator* merging_layer(const Graph& graph, UnitId unit) {
  const auto& operators = graph.unit(unit).operators;
  const Operator& op = graph.op(operators.front());
  if (op.inputs.size() != 1) return nullptr;
  const bool is_conv = op.as<Conv>() != nullptr;
  const bool merges = is_conv ? rest_copies(graph, unit) : op.as<Linear>() != nullptr;
  return merges && rest_reads_the_unit_alone(graph, unit) ? &op : nullptr;
}

tl::expected<MergedLayer, MergeRefusal> merge(const Graph& graph, std::span<const UnitId> units) {
  if (units.size() < 2) return tl::unexpected(MergeRefusal::kTooFew);
  std::vector<const Operator*> layers;
  for (const UnitId unit : units) {
    const Operator* op = merging_layer(graph, unit);
    if (op == nullptr) return tl::unexpected(MergeRefusal::kNoLayer);
    layers.push_back(op);
  }
  const Operator& first = *layers.front();
  for (const Operator* op : layers) {
    if (const auto why = refusal(first, *op)) return tl::unexpected(*why);
  }

  MergedLayer merged{first.attributes, first.inputs.front(), first.output, 0, {}};
  const bool convolutions = first.as<Conv>() != nullptr;
  if (convolutions) {
    merged.attributes = enclosing(layers);
  } else {
    merged.attributes = with_all_features(layers);
    merged.axis = first.as<Linear>()->axis;
  }
  std::int64_t channel = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::int64_t end = channel + layers[i]->output[merged.axis];
    MergedSource source{units[i], graph.unit(units[i]).operators.front(), std::exchange(channel, end), end};
    if (convolutions) {
      const auto offset = offset_in(std::get<Conv>(merged.attributes), *layers[i]->as<Conv>());
      if (!offset) return tl::unexpected(MergeRefusal::kNotCentred);
      source.kernel_offset = *offset;
    }
    merged.sources.push_back(source);
  }
  merged.output = merged.output.with(merged.axis, channel);
  return merged;
}

std::vector<std::vector<UnitId>> mergeable_sets(const Graph& graph) {
  std::vector<std::vector<UnitId>> sets;
  std::map<OperatorId, std::vector<std::size_t>> readers;  // by what they read: indices into sets
  for (std::size_t i = 0; i < graph.units().size(); ++i) {
    const UnitId unit(i);
    const Operator* op = merging_layer(graph, unit);
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
