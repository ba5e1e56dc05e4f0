#include "core/model/edit/fragment.h"

#include <unordered_map>
#include <unordered_set>

#include "core/model/edit/names.h"

namespace iosx {
namespace {

class Insertion {
 public:
  Insertion(const EditableGraph& graph, const Fragment& fragment, const InsertOptions& options)
      : fragment_(fragment), options_(options), gesture_(graph), names_(graph) {}

  InsertedFragment run() && {
    for (const auto& [key, op] : fragment_.graph.operators()) {
      const EditUnit* const unit = fragment_.graph.find(op->unit);
      if (unit == nullptr || unit->name == op->name) called_as_operator_.insert(op->unit);
    }
    for (const auto& [key, op] : fragment_.graph.operators()) add(key, *op);
    for (const auto& [key, op] : fragment_.graph.operators()) connect(key, *op);
    connect_outside();
    if (options_.feed) feed();
    std::vector<OperatorKey> added;
    for (const auto& [key, op] : fragment_.graph.operators()) added.push_back(made_.at(key));
    const bool one = added.size() == 1;
    const std::string what = one ? gesture_.graph().op(added.front()).name : fragment_.graph.name();
    return {std::move(gesture_).finish(Message::sentence(options_.sentence.pattern, {verbatim(what)})),
            std::move(added)};
  }

 private:
  void add(OperatorKey key, const EditOperator& op) {
    EditOperator copy = op;
    copy.inputs.assign(op.inputs.size(), {});
    copy.name = names_.unique(op.name);
    if (copy.place) copy.place = CanvasPlace{copy.place->x + options_.offset.x, copy.place->y + options_.offset.y};
    copy.unit = op.is_source() ? UnitKey() : unit_for(op, copy.name);
    made_[key] = gesture_.graph().add(std::move(copy));
  }

  // A unit that is called as one of its operators is called as that is now.
  UnitKey unit_for(const EditOperator& op, const std::string& new_name) {
    const EditUnit* const drawn = fragment_.graph.find(op.unit);
    const EditUnit like = drawn == nullptr ? EditUnit{op.name, {}, {}} : *drawn;
    if (!units_.contains(op.unit)) {
      const std::string name = called_as_operator_.contains(op.unit) ? std::string() : names_.unique(like.name);
      units_[op.unit] = gesture_.graph().add(EditUnit{name, like.hint, part(), like.whole});
    }
    const UnitKey made = units_.at(op.unit);
    if (like.name == op.name) gesture_.change(made, [&](EditUnit& unit) { unit.name = new_name; });
    return made;
  }

  PartKey part() const {
    const EditableGraph& before = gesture_.before();
    const bool there = options_.part.valid() && before.find(options_.part) != nullptr;
    return there ? options_.part : before.parts().back().key;
  }

  void connect(OperatorKey key, const EditOperator& op) {
    gesture_.change(made_.at(key), [&](EditOperator& copy) {
      for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
        const auto producer = made_.find(op.inputs[slot].producer);
        if (producer != made_.end()) copy.inputs[slot] = {producer->second, op.inputs[slot].channels};
      }
    });
  }

  void connect_outside() {
    if (options_.outside == OutsideSlots::kOpen) return;
    std::unordered_map<std::string_view, OperatorKey> by_name;
    if (options_.outside == OutsideSlots::kByName) {
      for (const auto& [key, op] : gesture_.before().operators()) by_name.emplace(op->name, key);
    }
    for (const OutsideInput& input : fragment_.outside) {
      OperatorKey producer = input.producer;
      if (options_.outside == OutsideSlots::kByName) {
        const auto found = by_name.find(input.name);
        producer = found == by_name.end() ? OperatorKey() : found->second;
      }
      if (!producer.valid() || gesture_.before().find(producer) == nullptr) continue;
      gesture_.change(made_.at(input.reader), [&](EditOperator& copy) {
        copy.inputs[input.slot] = {producer, input.channels};
      });
    }
  }

  void feed() {
    for (const auto& [key, op] : fragment_.graph.operators()) {
      gesture_.change(made_.at(key), [&](EditOperator& copy) {
        for (EditInput& input : copy.inputs) {
          if (input.open()) input = *options_.feed;
        }
      });
    }
  }

  const Fragment& fragment_;
  const InsertOptions& options_;
  Gesture gesture_;
  Names names_;
  std::unordered_map<OperatorKey, OperatorKey> made_;  // by key in the fragment
  std::unordered_map<UnitKey, UnitKey> units_;
  std::unordered_set<UnitKey> called_as_operator_;  // units of the fragment that have the name of one of theirs
};

Conv conv(std::int64_t channels, std::int64_t kernel, Activation activation = Activation::kRelu) {
  Conv made;
  made.out_channels = channels;
  made.kernel = {kernel, kernel};
  made.padding = {kernel / 2, kernel / 2};
  made.activation = activation;
  return made;
}

Conv line(std::int64_t channels, std::int64_t height, std::int64_t width) {
  Conv made = conv(channels, 1);
  made.kernel = {height, width};
  made.padding = {height / 2, width / 2};
  return made;
}

Conv depthwise(std::int64_t channels, std::int64_t kernel) {
  Conv made = conv(channels, kernel, Activation::kIdentity);
  made.groups = channels;
  return made;
}

Linear linear(std::int64_t features, std::size_t axis, Activation activation = Activation::kIdentity) {
  Linear made;
  made.out_features = features;
  made.axis = axis;
  made.activation = activation;
  return made;
}

constexpr OperatorKey kOpen = {};

// Draws a piece. Readers of an open key have an open slot.
class Pen {
 public:
  explicit Pen(std::string name) : graph_(std::move(name)) {}

  OperatorKey add(std::string name, Attributes attributes, std::initializer_list<OperatorKey> reads) {
    const UnitKey unit = graph_.add(EditUnit{name, {}, graph_.parts().front().key});
    return add_to(unit, std::move(name), std::move(attributes), reads);
  }
  // As one unit, named after the last.
  UnitKey unit(std::string name) { return graph_.add(EditUnit{std::move(name), {}, graph_.parts().front().key}); }
  OperatorKey add_to(UnitKey unit, std::string name, Attributes attributes, std::initializer_list<OperatorKey> reads) {
    EditOperator op{.name = std::move(name), .attributes = std::move(attributes), .inputs = {}};
    for (const OperatorKey key : reads) op.inputs.push_back({key, std::nullopt});
    op.unit = unit;
    return graph_.add(std::move(op));
  }

  Fragment finish() && { return {std::move(graph_), {}}; }

 private:
  EditableGraph graph_;
};

Fragment inception_branches() {
  Pen pen("inception");
  const auto one = pen.add("branch1x1", conv(64, 1), {kOpen});
  const auto five_in = pen.add("branch5x5_1", conv(48, 1), {kOpen});
  const auto five = pen.add("branch5x5_2", conv(64, 5), {five_in});
  const auto three_in = pen.add("branch3x3_1", conv(64, 1), {kOpen});
  const auto three_mid = pen.add("branch3x3_2", conv(96, 3), {three_in});
  const auto three = pen.add("branch3x3_3", conv(96, 3), {three_mid});
  Pool average;
  average.kind = PoolKind::kAverage;
  average.kernel = {3, 3};
  average.padding = {1, 1};
  const auto pool = pen.add("branch_pool_1", average, {kOpen});
  const auto pooled = pen.add("branch_pool_2", conv(32, 1), {pool});
  pen.add("inception", Concat{}, {one, five, three, pooled});
  return std::move(pen).finish();
}

Fragment inception_line() {
  Pen pen("inception 7x7");
  const auto in = pen.add("branch7x7_1", conv(128, 1), {kOpen});
  const auto wide = pen.add("branch7x7_2", line(128, 1, 7), {in});
  pen.add("branch7x7_3", line(192, 7, 1), {wide});
  return std::move(pen).finish();
}

// Two separable convolutions, each relu, depthwise, pointwise, as one unit.
Fragment separable() {
  Pen pen("separable");
  const UnitKey unit = pen.unit("separable");
  OperatorKey value = kOpen;
  for (const char* const half : {"1", "2"}) {
    const std::string name = std::string("separable_") + half;
    value = pen.add_to(unit, name + ".relu", Activate{}, {value});
    value = pen.add_to(unit, name + ".depthwise", depthwise(64, 5), {value});
    value = pen.add_to(unit, *half == '2' ? "separable" : name, conv(64, 1, Activation::kIdentity), {value});
  }
  return std::move(pen).finish();
}

Fragment residual() {
  Pen pen("residual");
  const auto first = pen.add("residual_1", conv(64, 3), {kOpen});
  const auto second = pen.add("residual_2", conv(64, 3, Activation::kIdentity), {first});
  const auto sum = pen.add("residual_sum", Add{}, {second, kOpen});
  pen.add("residual", Activate{}, {sum});
  return std::move(pen).finish();
}

Fragment squeeze_expand() {
  Pen pen("fire");
  const auto squeeze = pen.add("squeeze", conv(16, 1), {kOpen});
  const auto small = pen.add("expand1x1", conv(64, 1), {squeeze});
  const auto large = pen.add("expand3x3", conv(64, 3), {squeeze});
  pen.add("fire", Concat{}, {small, large});
  return std::move(pen).finish();
}

Fragment squeeze_excite() {
  Pen pen("excite");
  Pool mean;
  mean.kind = PoolKind::kGlobalAverage;
  const auto pooled = pen.add("excite_mean", mean, {kOpen});
  const auto less = pen.add("excite_reduce", conv(16, 1), {pooled});
  const auto gates = pen.add("excite_gate", conv(64, 1, Activation::kSigmoid), {less});
  pen.add("excite", Mul{}, {kOpen, gates});
  return std::move(pen).finish();
}

// Four heads of 16 features side by side over tokens of 64: what concurrency is good for.
Fragment attention() {
  constexpr std::int64_t kHead = 16;
  Pen pen("attention");
  std::vector<OperatorKey> heads;
  for (const char* const head : {"1", "2", "3", "4"}) {
    const std::string name = std::string("head") + head;
    const auto query = pen.add(name + ".query", linear(kHead, 1), {kOpen});
    const auto key = pen.add(name + ".key", linear(kHead, 1), {kOpen});
    const auto value = pen.add(name + ".value", linear(kHead, 1), {kOpen});
    const UnitKey unit = pen.unit(name);
    const auto turned = pen.add_to(unit, name + ".turned", Transpose{{1, 0}}, {key});
    const auto scores = pen.add_to(unit, name + ".scores", MatMul{}, {query, turned});
    const auto shares = pen.add_to(unit, name + ".shares", Softmax{1}, {scores});
    heads.push_back(pen.add_to(unit, name, MatMul{}, {shares, value}));
  }
  const auto joined = pen.add("heads", Concat{1}, {heads[0], heads[1], heads[2], heads[3]});
  pen.add("attention", linear(64, 1), {joined});
  return std::move(pen).finish();
}

// All experts compute, and a gate weighs their outputs.
Fragment experts() {
  Pen pen("experts");
  const auto scores = pen.add("gate_scores", linear(4, 1), {kOpen});
  const auto gate = pen.add("gate", Softmax{1}, {scores});
  std::vector<OperatorKey> weighed;
  for (int e = 0; e < 4; ++e) {
    const std::string name = "expert" + std::to_string(e + 1);
    const auto hidden = pen.add(name + ".hidden", linear(256, 1, Activation{ActivationKind::kGelu}), {kOpen});
    const auto given = pen.add(name, linear(64, 1), {hidden});
    // Column e of the gate as a column.
    const UnitKey unit = pen.unit(name + ".weighed");
    Linear pick = linear(1, 1);
    const auto share = pen.add_to(unit, name + ".share", pick, {gate});
    weighed.push_back(pen.add_to(unit, name + ".weighed", Mul{}, {given, share}));
  }
  pen.add("experts", Add{}, {weighed[0], weighed[1], weighed[2], weighed[3]});
  return std::move(pen).finish();
}

}  // namespace

Fragment fragment_of(const EditableGraph& graph, std::span<const OperatorKey> keys) {
  const std::unordered_set<OperatorKey> chosen(keys.begin(), keys.end());
  Fragment made{.graph = EditableGraph(graph.name())};
  made.graph.set_parts({graph.parts().front()});
  const PartKey part = made.graph.parts().front().key;
  for (const auto& [key, op] : graph.operators()) {
    if (!chosen.contains(key)) continue;
    EditOperator copy = *op;
    for (std::size_t slot = 0; slot < copy.inputs.size(); ++slot) {
      EditInput& input = copy.inputs[slot];
      if (input.open() || chosen.contains(input.producer)) continue;
      const EditOperator* const producer = graph.find(input.producer);
      made.outside.push_back(
          {key, slot, producer == nullptr ? std::string() : producer->name, input.producer, input.channels});
      input = {};
    }
    if (const EditUnit* const unit = graph.find(copy.unit); unit != nullptr && made.graph.find(copy.unit) == nullptr) {
      made.graph.set(copy.unit, EditUnit{unit->name, unit->hint, part, unit->whole});
    }
    made.graph.set(key, std::move(copy));
  }
  return made;
}

InsertedFragment insert_fragment(const EditableGraph& graph, const Fragment& fragment, const InsertOptions& options) {
  return Insertion(graph, fragment, options).run();
}

InsertedFragment duplicate(const EditableGraph& graph, std::span<const OperatorKey> keys, const CanvasPlace& offset) {
  const Sentence sentence = keys.size() == 1 ? Sentence{"Duplicate as {}"} : Sentence{"Duplicate operators of {}"};
  return insert_fragment(graph, fragment_of(graph, keys),
                         {.outside = OutsideSlots::kSame, .offset = offset, .sentence = sentence});
}

const std::vector<GraphTemplate>& graph_templates() {
  static const std::vector<GraphTemplate> kAll{
      {"inception", said("Inception branches"), said("1×1, 5×5, two 3×3 and pooling in parallel, concatenated"),
       "a feature map", inception_branches},
      {"inception-line", said("Inception branch 1×7, 7×1"), said("A 7×7 convolution as 1×7 and 7×1"), "a feature map",
       inception_line},
      {"separable", said("NASNet separable unit"),
       said("relu, depthwise and pointwise convolution, twice, in one unit"), "a feature map of 64 channels",
       separable},
      {"residual", said("Residual"), said("Two 3×3 convolutions and a shortcut around them"),
       "a feature map of 64 channels", residual},
      {"fire", said("Squeeze-expand"), said("A 1×1 convolution, read by 1×1 and 3×3 ones, concatenated"),
       said("a feature map"), squeeze_expand},
      {"excite", said("Squeeze-and-excitation"), said("Channels scaled by weights from their means"),
       said("a feature map of 64 channels"), squeeze_excite},
      {"attention", said("Attention heads"), said("Four heads in parallel"), "tokens × 64 features", attention},
      {"experts", said("Mixture of experts"), said("Four experts in parallel, weighted by a gate"),
       said("tokens × 64 features"), experts},
  };
  return kAll;
}

}  // namespace iosx
