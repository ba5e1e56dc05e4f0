#include "core/formats/wire/device_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/devices/plan_checks.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/trace/trace.h"

namespace iosx {
namespace wire {

constexpr std::string_view kMeasureFormat = "iosx-measure";
constexpr std::string_view kRunFormat = "iosx-run-request";
constexpr std::string_view kLatenciesFormat = "iosx-latencies";
constexpr std::string_view kResultFormat = "iosx-run-result";

struct MeasureMessage {
  WeightsReference weights;
  MeasureRequest request;
};
struct RunMessage {
  WeightsReference weights;
  RunRequest request;
};

template <typename A>
void fields(A& a, typename A::template Of<MeasureRequest>& x) {
  a.all(x, field("plans", x.plans), field("timing", x.timing));
}
template <typename A>
void fields(A& a, typename A::template Of<MeasureMessage>& x) {
  a.all(x, field("weights", x.weights), field("request", x.request));
}
template <typename A>
void fields(A& a, typename A::template Of<RunRequest>& x) {
  a.all(x, field("plan", x.plan), field("options", x.options));
}
template <typename A>
void fields(A& a, typename A::template Of<RunMessage>& x) {
  a.all(x, field("weights", x.weights), field("request", x.request));
}

namespace {

Result<void> check_timing(const TimingOptions& timing) {
  if (timing.repeats < 1 || timing.max_repeats < timing.repeats) {
    return fail(message("{} to {} repeats", timing.repeats, timing.max_repeats));
  }
  return {};
}

}  // namespace
}  // namespace wire

std::string request_to_wire(const MeasureRequest& request, const WeightsReference& weights) {
  return wire::write_document(wire::kMeasureFormat, wire::MeasureMessage{weights, request});
}

std::string request_to_wire(const RunRequest& request, const WeightsReference& weights) {
  return wire::write_document(wire::kRunFormat, wire::RunMessage{weights, request});
}

std::string answer_to_wire(std::span<const Latency> latencies) {
  return wire::write_document(wire::kLatenciesFormat, std::vector<Latency>(latencies.begin(), latencies.end()));
}

std::string answer_to_wire(const RunResult& result) { return wire::write_document(wire::kResultFormat, result); }

Result<MeasureRequest> measure_request_from_wire(std::string_view text, const std::string& origin,
                                                 const GraphOpener& opener) {
  IOS_TRY(auto message, wire::read_document<wire::MeasureMessage>(text, origin, wire::kMeasureFormat));
  if (auto fits = wire::check_timing(message.request.timing); !fits) {
    return wire::inside(std::move(fits.error()), origin, "content.request.timing");
  }
  IOS_TRY(auto parameters, resolve(message.weights, opener));
  for (std::size_t i = 0; i < message.request.plans.size(); ++i) {
    ExecutionPlan& plan = message.request.plans[i];
    plan.parameters = parameters;
    if (auto valid = check_plan(plan); !valid) {
      return wire::inside(std::move(valid.error()), origin, fmt::format("content.request.plans[{}]", i));
    }
  }
  return std::move(message.request);
}

Result<RunRequest> run_request_from_wire(std::string_view text, const std::string& origin, const GraphOpener& opener) {
  IOS_TRY(auto message, wire::read_document<wire::RunMessage>(text, origin, wire::kRunFormat));
  RunRequest& request = message.request;
  if (auto fits = wire::check_timing(request.options.timing); !fits) {
    return wire::inside(std::move(fits.error()), origin, "content.request.options.timing");
  }
  IOS_TRY(auto parameters, resolve(message.weights, opener));
  request.plan.parameters = std::move(parameters);
  if (auto valid = check_plan(request.plan); !valid) {
    return wire::inside(std::move(valid.error()), origin, "content.request.plan");
  }
  if (request.options.inputs.empty()) return std::move(request);
  IOS_TRY(check_inputs(request.plan, request.options.inputs, origin));
  return std::move(request);
}

Result<std::vector<Latency>> latencies_from_wire(std::string_view text, const std::string& origin,
                                                 const MeasureRequest& request) {
  auto latencies = wire::read_document<std::vector<Latency>>(text, origin, wire::kLatenciesFormat);
  if (latencies && latencies->size() != request.plans.size()) {
    return fail(message("answers {} plans, asked were {}", latencies->size(), request.plans.size()), origin);
  }
  return latencies;
}

Result<RunResult> run_result_from_wire(std::string_view text, const std::string& origin, const RunRequest& request) {
  auto result = wire::read_document<RunResult>(text, origin, wire::kResultFormat);
  if (!result) return result;
  const ExecutionPlan& plan = request.plan;
  const std::size_t stages = plan.barrier_free ? 0 : plan.stages.size();
  if (result->stage_latencies.size() != stages) {
    return fail(message("answers {} stages, the plan has {}", result->stage_latencies.size(), stages), origin);
  }
  if (auto valid = check_trace(result->trace, plan); !valid) {
    return wire::inside(std::move(valid.error()), origin, "content.trace");
  }
  if (result->trace.stages.empty() && request.options.trace && !plan.stages.empty()) {
    return fail(message("answers without the trace that was asked for"), origin);
  }
  const std::size_t wanted = request.options.outputs ? plan.outputs.size() : 0;
  if (result->outputs.size() != wanted) {
    return fail(message("answers {} outputs, asked were {}", result->outputs.size(), wanted), origin);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    if (result->outputs[i].empty() ||
        !std::ranges::equal(result->outputs[i].dims(), output_dims(plan, plan.outputs[i]))) {
      return fail(message("output '{}' has other dims than the plan's", plan.outputs[i].name), origin);
    }
  }
  return result;
}

}  // namespace iosx
