#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts losses, with which models exported together with their training's last operator end.
namespace iosx::onnx_import {
namespace {

DraftValue number(ConversionContext& call, float value, std::string_view name) {
  return call.constant_value(Tensor({}, std::vector<float>{value}), name);
}

// Scores by sample and class, and the class of each sample, one of which may be ignored.
struct Targets {
  DraftValue classes;
  DraftValue ignored;  // 1 where it does not count; no operator where all count
  bool some_ignored = false;
};

Targets targets(ConversionContext& call) {
  Targets made{call.value(1), {}, false};
  const std::int64_t ignored = call.integer("ignore_index", -1);
  if (call.failed() || find_attribute(call.node(), "ignore_index") == nullptr) return made;
  made.some_ignored = true;
  const DraftValue index = number(call, static_cast<float>(ignored), "ignored_class");
  made.ignored = call.add(Binary{BinaryFunction::kEqual}, {made.classes, index}, {}, {}, "ignored");
  made.classes = call.add(Where{}, {made.ignored, number(call, 0, "any_class"), made.classes}, {}, {}, "classes");
  return made;
}

// Returns what each sample weighs; nothing where all weigh 1.
std::optional<DraftValue> weights(ConversionContext& call, const Targets& target, std::size_t input) {
  std::optional<DraftValue> weight;
  if (call.given(input)) {
    weight = call.add(Gather{GatherKind::kSlices, 0}, {call.value(input), target.classes}, {}, {}, "weights");
  } else if (target.some_ignored) {
    weight = number(call, 1, "weight");
  }
  if (weight && target.some_ignored) {
    weight = call.add(Where{}, {target.ignored, number(call, 0, "no_weight"), *weight}, {}, {}, "counted");
  }
  return weight;
}

DraftValue sum(ConversionContext& call, const DraftValue& value, std::string_view suffix) {
  Reduce all{ReduceKind::kSum, {}, false};
  for (std::size_t axis = 0; axis < value.shape.rank(); ++axis) all.axes.push_back(axis);
  return call.add(all, {value}, {}, {}, suffix);
}

DraftValue loss(ConversionContext& call, const DraftValue& log_probability) {
  const std::string reduction = call.text("reduction", "mean");
  if (call.failed()) return {};
  if (log_probability.shape.rank() < 2) call.bad(message("needs samples x classes"));
  if (reduction != "mean" && reduction != "sum" && reduction != "none") {
    call.bad(message("its reduction is '{}'", reduction));
  }
  const Targets target = targets(call);
  if (call.failed()) return {};
  const Shape shape = target.classes.shape;
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims.insert(dims.begin() + (dims.empty() ? 0 : 1), 1);
  const DraftValue at = call.reshape(target.classes, Shape(dims), "places");
  const DraftValue picked = call.add(Gather{GatherKind::kElements, 1}, {log_probability, at}, {}, {}, "picked");
  DraftValue each = call.add(Activate{{ActivationKind::kNeg}}, {call.reshape(picked, shape)}, {}, {}, "each");
  const auto weight = weights(call, target, 2);
  if (weight) each = call.add(Mul{}, {each, *weight}, {}, {}, "weighted");
  if (reduction == "none") return each;
  const DraftValue total = sum(call, each, reduction == "sum" ? "" : "sum");
  if (reduction == "sum") return total;
  const DraftValue count =
      weight ? sum(call, *weight, "weight_sum") : number(call, static_cast<float>(shape.elements()), "count");
  return call.add(Binary{BinaryFunction::kDiv}, {total, count});
}

Converted convert_likelihood_loss(ConversionContext& call) {
  if (call.lead() == 1) call.mixes_batch(message("it sums over the batch"));
  return {loss(call, call.value(0))};
}

Converted convert_cross_entropy(ConversionContext& call) {
  if (call.lead() == 1) call.mixes_batch(message("it sums over the batch"));
  const DraftValue scores = call.value(0);
  if (call.failed()) return {};
  if (scores.shape.rank() < 2) call.bad(message("needs samples x classes"));
  const DraftValue log_probability = call.log_softmax(scores, 1, "log_probability");
  const DraftValue made = loss(call, log_probability);
  return {made, log_probability};
}

constexpr std::array kLossConverters{
    Converter{"NegativeLogLikelihoodLoss", convert_likelihood_loss},
    Converter{"SoftmaxCrossEntropyLoss", convert_cross_entropy},
};

}  // namespace

std::span<const Converter> loss_converters() { return kLossConverters; }

}  // namespace iosx::onnx_import
