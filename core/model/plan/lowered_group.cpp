#include "core/model/plan/lowered_group.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "core/base/check.h"
#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/work.h"
#include "core/model/plan/patterns.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

// Holds what a kernel computes after its convolution, linear layer or sum.
struct Fusion {
  std::vector<OperatorId> fused;  // Add, Activate, or both in this order; empty: nothing
  std::optional<Value> residual;  // the second operand of the Add
  Activation activation = Activation::kIdentity;
};

bool may_fuse(const Operator& op) {
  return operator_row(op.attributes).takes_residual && op.inputs.size() == 1 &&
         fused_activation(op.attributes) == Activation::kIdentity;
}

// Fusion inside one group. Operators of a group run in order, so earlier ones and outside values exist when an
// operator starts: fusion depends on the group alone.
class GroupFusion {
 public:
  GroupFusion(const Graph& graph, const Group& group, const LowerOptions& wishes)
      : graph_(graph), sums_(wishes.fuse_sums), before_(wishes.fuse_before) {
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) {
        for (const OperatorId op : graph.unit(unit).operators) members_[op] = {members_.size(), false};
      }
    }
  }

  // Returns whether another kernel computes the operator.
  bool taken(OperatorId id) const {
    const auto member = members_.find(id);
    return member != members_.end() && member->second.taken;
  }

  // Returns whether the operator, which must be next in order, is left to the convolution that reads it, and marks it
  // as taken then.
  bool leave_to_reader(OperatorId id) {
    const auto* const activate = graph_.op(id).as<Activate>();
    const Operator* const reader = only_reader(id);
    if (!before_ || activate == nullptr || reader == nullptr) return false;
    const auto* const conv = reader->as<Conv>();
    const bool takes = conv != nullptr && reader->inputs.front() == graph_.whole(id) &&
                       takes_before(*conv, graph_.op(id).output.channels(), activate->function);
    const Operator& source = graph_.op(graph_.op(id).inputs.front().producer);
    if (!takes || source.is_constant() || part_of(*reader) != part_of(graph_.op(id))) return false;
    Member& member = members_.at(id);
    return member.taken = member.left = true;
  }

  // Returns the operator that was left to this one; invalid: none.
  OperatorId left_to(OperatorId id) const {
    const std::vector<Value>& inputs = graph_.op(id).inputs;
    const auto member = inputs.empty() ? members_.end() : members_.find(inputs.front().producer);
    return member != members_.end() && member->second.left ? member->first : OperatorId{};
  }

  // Returns what is fused into the operator, which must be next in order, and marks that as taken.
  Fusion take(OperatorId id) {
    Fusion fusion;
    const bool sum = sums_ && graph_.op(id).as<Add>() != nullptr;
    if (!sum && !may_fuse(graph_.op(id))) return fusion;
    const auto join = [&](OperatorId after) {
      const OperatorId reader = graph_.consumers(after).front();
      fusion.fused.push_back(reader);
      members_.at(reader).taken = true;
      return reader;
    };
    OperatorId last = id;
    const Operator* next = only_reader(last);
    // Stages of the sequential schedule end with parts, and no other schedule shall have fewer launches.
    if (sum && next != nullptr && part_of(*next) != part_of(graph_.op(id))) return fusion;
    if (!sum && next != nullptr && next->as<Add>() != nullptr) {
      fusion.residual = residual(*next, id);
      if (!fusion.residual) return fusion;
      last = join(last);
      next = only_reader(last);
    }
    if (next != nullptr && next->as<Activate>() != nullptr && next->inputs.front() == graph_.whole(last) &&
        activation_row(next->as<Activate>()->function.kind).fuses) {
      fusion.activation = next->as<Activate>()->function;
      join(last);
    }
    return fusion;
  }

 private:
  struct Member {
    std::size_t position = 0;
    bool taken = false;
    bool left = false;  // to its reader
  };

  PartId part_of(const Operator& op) const { return graph_.unit(op.unit).part; }

  // In the group; null if there are others.
  const Operator* only_reader(OperatorId id) const {
    const auto readers = graph_.consumers(id);
    if (readers.size() != 1 || !members_.contains(readers.front())) return nullptr;
    return &graph_.op(readers.front());
  }

  // The tensor that is added to the operator's whole output, if it has the same shape and is there before the operator
  // starts. A constant has no batch.
  std::optional<Value> residual(const Operator& add, OperatorId id) const {
    if (add.inputs.size() != 2) return std::nullopt;
    const std::size_t own = add.inputs[0].producer == id ? 0 : 1;
    const Value& other = add.inputs[1 - own];
    const Operator& producer = graph_.op(other.producer);
    if (add.inputs[own] != graph_.whole(id) || other.producer == id || producer.is_constant()) return std::nullopt;
    if (add.output != graph_.op(id).output || graph_.shape(other) != add.output) return std::nullopt;
    const auto made = members_.find(other.producer);
    if (made != members_.end() && made->second.position > members_.at(id).position) return std::nullopt;
    return other;
  }

  const Graph& graph_;
  const bool sums_;    // may take their activations
  const bool before_;  // convolutions may take those of their inputs
  std::unordered_map<OperatorId, Member> members_;
};

class GroupLowering {
 public:
  GroupLowering(const Graph& graph, const TensorPlaces& places, const LowerOptions& wishes, std::int64_t batch,
                const Group& group)
      : graph_(graph), places_(places), batch_(batch), patterns_(graph, group, wishes) {
    if (wishes.fuse) fusion_.emplace(graph, group, wishes);
  }

  LoweredGroup run(const Group& group) && {
    for (const Step& step : group.steps) {
      IOS_CHECK(!step.units.empty());
      if (step.merged()) {
        add_merged(step);
      } else {
        for (const OperatorId op : graph_.unit(step.units.front()).operators) add_operator(op);
      }
    }
    for (const Kernel& kernel : lowered_.kernels) lowered_.flops += kernel.work.flops;
    if (!lowered_.kernels.empty()) lowered_.first_channel = lowered_.kernels.back().writes.begin;
    lowered_.hash = hash128(text());
    return std::move(lowered_);
  }

 private:
  Kernel& new_kernel(std::string name, OperatorId op) {
    Kernel& kernel = lowered_.kernels.emplace_back();
    kernel.name = std::move(name);
    kernel.operators.assign(1, op);
    kernel.units.assign(1, graph_.op(op).unit);
    if (graph_.unit(kernel.units.front()).whole) kernel.piece = kernel.units.front();
    return kernel;
  }

  void add_operator(OperatorId id) {
    if (!places_.has_kernel(id) || patterns_.taken(id)) return;
    if (const Attention* const attention = patterns_.attention(id)) {
      add_pattern(attention->operators, attention->reads).scale = attention->scale;
      return;
    }
    if (const ExcitationPattern* const excitation = patterns_.excitation(id)) {
      add_pattern(excitation->operators, {&excitation->map, 1}).excitation = excitation->excitation;
      return;
    }
    if (fusion_ && (fusion_->taken(id) || fusion_->leave_to_reader(id))) return;
    if (copy_what_is_not_in_place(id)) return;
    const Operator& op = graph_.op(id);
    Kernel& kernel = new_kernel(op.name, id);
    kernel.attributes = op.attributes;
    kernel.output = op.output;
    kernel.work = kernel_work(graph_, id, batch_);
    kernel.reads.reserve(op.inputs.size());
    const OperatorId before = fusion_ ? fusion_->left_to(id) : OperatorId{};
    if (before.valid()) kernel.before = graph_.op(before).as<Activate>()->function;
    for (const Value& value : before.valid() ? graph_.op(before).inputs : op.inputs)
      kernel.reads.push_back(view(value));
    if (before.valid()) join(kernel, before);
    if (fusion_) fuse(kernel, fusion_->take(id));
    kernel.writes = output(kernel.result());
  }

  // Adds a kernel for all of these operators, of the kind of the last one.
  Kernel& add_pattern(const std::vector<OperatorId>& operators, std::span<const Value> reads) {
    Kernel& kernel = new_kernel(graph_.op(operators.front()).name, operators.front());
    kernel.attributes = graph_.op(operators.back()).attributes;
    kernel.output = graph_.op(operators.back()).output;
    kernel.work = kernel_work(graph_, operators.front(), batch_);
    for (const Value& value : reads) kernel.reads.push_back(view(value));
    for (std::size_t i = 1; i < operators.size(); ++i) join(kernel, operators[i]);
    kernel.writes = output(operators.back());
    return kernel;
  }

  // Adds an operator that the kernel computes too.
  void join(Kernel& kernel, OperatorId id) const {
    kernel.work += kernel_work(graph_, id, batch_);
    const UnitId unit = graph_.op(id).unit;
    if (std::ranges::find(kernel.units, unit) == kernel.units.end()) kernel.units.push_back(unit);
    kernel.fused.push_back(id);
  }

  void fuse(Kernel& kernel, const Fusion& fusion) {
    if (fusion.fused.empty()) return;
    if (fusion.residual) kernel.reads.push_back(view(*fusion.residual));
    if (Activation* own = fused_activation(kernel.attributes)) {
      *own = fusion.activation;
    } else {
      kernel.attributes = Activate{fusion.activation};  // of the tensors that the Add reads
    }
    for (const OperatorId id : fusion.fused) join(kernel, id);
  }

  // True for a concatenation of which at least one input lies in place.
  bool copy_what_is_not_in_place(OperatorId id) {
    const Operator& op = graph_.op(id);
    if (op.as<Concat>() == nullptr) return false;
    std::vector<bool> in_place;
    bool any = false;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      in_place.push_back(places_.in_place(id, i));
      any = any || in_place.back();
    }
    if (!any) return false;
    Value slice{id, 0, 0};
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      slice.begin = std::exchange(slice.end, slice.end + op.inputs[i].channels());
      const TensorView from = view(op.inputs[i]);  // even in place: it may come from outside the group
      if (!in_place[i]) add_copy(fmt::format("copy into {}", op.name), from, slice);
    }
    made_.push_back(id);
    return true;
  }

  // `to` is part of what its producer, an operator of the step being lowered, puts out.
  void add_copy(const std::string& name, const TensorView& from, const Value& to) {
    Kernel& kernel = new_kernel(name, to.producer);
    kernel.attributes = Identity{};
    kernel.output = graph_.shape(to);
    kernel.reads.push_back(from);
    kernel.writes = located(to);
    made_.push_back(to.producer);
    const std::int64_t sample = kernel.output.elements() * kFloat32Bytes;
    kernel.work.bytes_read = is_constant(from) ? sample : sample * batch_;
    kernel.work.bytes_written = sample * batch_;
  }

  bool is_constant(const TensorView& view) const {
    const RegionId region = lowered_.tensors[view.buffer.index()].region;
    return region.valid() && places_.region(region).constant;
  }

  // The layers as one, then what follows each of them in its unit.
  void add_merged(const Step& step) {
    const auto merged = merge(graph_, step.units);
    IOS_CHECK(merged.has_value());
    add_merged_layer(*merged, step.units);
    for (const MergedSource& source : merged->sources) {
      for (const OperatorId op : graph_.unit(source.unit).operators) {
        if (op != source.op) add_operator(op);
      }
    }
  }

  // If its sources are not side by side, its outputs are copied to their places: that is part of the step's own
  // cost, and no other code has to know about the merge.
  void add_merged_layer(const MergedLayer& merged, const std::vector<UnitId>& units) {
    const auto& sources = merged.sources;
    std::string name = graph_.op(sources.front().op).name;
    for (std::size_t i = 1; i < sources.size(); ++i) name += fmt::format(" + {}", graph_.op(sources[i].op).name);
    Kernel& kernel = new_kernel(name, sources.front().op);
    for (std::size_t i = 1; i < sources.size(); ++i) kernel.operators.push_back(sources[i].op);
    kernel.units = units;
    kernel.output = merged.output;
    kernel.work = layer_work(graph_, merged.attributes, merged.input, merged.output, batch_);
    kernel.reads.push_back(view(merged.input));
    kernel.attributes = merged.attributes;
    const std::int64_t channels = sources.back().channel_end;
    if (side_by_side(merged)) {
      kernel.writes = output(sources.front().op);
      kernel.writes.end = kernel.writes.begin + channels;
      for (const MergedSource& source : sources) made_.push_back(source.op);
      return;
    }
    // The features of a linear layer lie side by side.
    const bool row_major = merged.axis > 0 && merged.output.is_feature_map();
    lowered_.tensors.push_back({RegionId{}, merged.output, std::move(name), merged.axis, row_major, false});
    const BufferId scratch(lowered_.tensors.size() - 1);
    kernel.writes = TensorView{scratch, 0, channels};
    for (const MergedSource& source : sources) {
      const TensorView from{scratch, source.channel_begin, source.channel_end};
      add_copy(fmt::format("copy of {}", graph_.op(source.op).name), from, graph_.whole(source.op));
    }
  }

  // Returns whether the sources lie in one region in the order in which the merged layer writes them.
  bool side_by_side(const MergedLayer& merged) const {
    Place next = places_.of(merged.sources.front().op);
    if (places_.region(next.region).axis != merged.axis) return false;
    for (const MergedSource& source : merged.sources) {
      if (places_.of(source.op) != next) return false;
      next.begin += source.channel_end - source.channel_begin;
    }
    return true;
  }

  TensorView located(const Value& value) {
    const Place place = places_.of(value);
    std::size_t t = 0;
    while (t < lowered_.tensors.size() && lowered_.tensors[t].region != place.region) ++t;
    if (t == lowered_.tensors.size()) {
      lowered_.tensors.push_back({place.region, places_.region(place.region).shape, {}, 0, false, false});
    }
    const std::int64_t blank = places_.region(place.region).blank;  // with any, all channels are read
    return TensorView{BufferId(t), place.begin, place.begin + places_.channels(value) + blank, places_.seen(value)};
  }

  TensorView output(OperatorId id) {
    made_.push_back(id);
    return located(graph_.whole(id));
  }

  TensorView view(const Value& value) {
    TensorView found = located(value);
    OperatorId maker = value.producer;
    while (!places_.has_kernel(maker)) maker = graph_.op(maker).inputs.front().producer;
    if (std::ranges::find(made_, maker) == made_.end()) {
      lowered_.tensors[found.buffer.index()].filled_before = true;
    }
    return found;
  }

  // Every kernel, then every tensor; lossless.
  std::string text() const {
    std::string text;
    const auto put_view = [&](char mark, const TensorView& view) {
      put(text, mark, static_cast<std::int64_t>(view.buffer.index()));
      put(text, ':', view.begin);
      put(text, '-', view.end);
      for (const SeenAxis& axis : view.seen) {
        put(text, 'x', static_cast<std::int64_t>(axis.axis));
        put(text, '*', axis.size);
        put(text, '/', axis.step);
        put(text, '+', axis.begin);
      }
    };
    for (const Kernel& kernel : lowered_.kernels) {
      put_attributes(text, kernel.attributes);
      if (kernel.fused_before() > 0) {
        text += '<';
        put_attributes(text, Activate{kernel.before});
      }
      if (kernel.is_attention()) put(text, '~', std::bit_cast<std::int32_t>(kernel.scale));
      if (kernel.excitation.squeeze.valid()) {
        put(text, '^', kernel.excitation.squeezed);
        put_attributes(text, Activate{kernel.excitation.inner});
        put_attributes(text, Activate{kernel.excitation.gate});
      }
      put(text, '=', kernel.output);
      for (const TensorView& read : kernel.reads) put_view('r', read);
      put_view('w', kernel.writes);
      text += ';';
    }
    for (const LoweredGroup::Tensor& tensor : lowered_.tensors) {
      put(text, 't', tensor.shape);
      if (!tensor.region.valid()) text += 's';
      if (tensor.region.valid() && places_.region(tensor.region).constant) text += 'c';  // one for the whole batch
      if (tensor.filled_before) text += 'f';
      const Region* const region = tensor.region.valid() ? &places_.region(tensor.region) : nullptr;
      const std::size_t axis = region != nullptr ? region->axis : tensor.axis;
      if (region != nullptr ? region->row_major : tensor.row_major) text += 'o';
      if (region != nullptr && region->blank > 0) put(text, 'b', region->blank);
      if (axis > 0) put(text, 'a', static_cast<std::int64_t>(axis));
    }
    return text;
  }

  const Graph& graph_;
  const TensorPlaces& places_;
  const std::int64_t batch_;
  LoweredGroup lowered_;
  std::vector<OperatorId> made_;  // by kernels so far, or lying in place
  const GroupPatterns patterns_;
  std::optional<GroupFusion> fusion_;
};

}  // namespace

LoweredGroup lower_group(const Graph& graph, const TensorPlaces& places, const LowerOptions& wishes, std::int64_t batch,
                         const Group& group) {
  return GroupLowering(graph, places, wishes, batch, group).run(group);
}

}  // namespace iosx
