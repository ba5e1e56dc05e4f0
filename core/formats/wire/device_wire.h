#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"
#include "core/formats/wire/plan_wire.h"

namespace iosx {

// These functions write what a device in another process is asked, and what it answers, each as one line of JSON
// (core/formats/wire/fields.h says how). All plans of a request are of one graph.
struct MeasureRequest {
  std::vector<ExecutionPlan> plans;
  TimingOptions timing;
};
struct RunRequest {
  ExecutionPlan plan;
  RunOptions options;
};

std::string request_to_wire(const MeasureRequest& request, const WeightsReference& weights);
std::string request_to_wire(const RunRequest& request, const WeightsReference& weights);
std::string answer_to_wire(std::span<const Latency> latencies);
std::string answer_to_wire(const RunResult& result);

// Any bytes are safe to read; `origin`, the name of who sent them, leads every error's place. Plans are checked by
// check_plan(), options as far as that keeps a device from endless work.
Result<MeasureRequest> measure_request_from_wire(std::string_view text, const std::string& origin,
                                                 const GraphOpener& opener);
Result<RunRequest> run_request_from_wire(std::string_view text, const std::string& origin, const GraphOpener& opener);

// Answers are checked against what was asked: an answer for other plans than the request's is an error.
Result<std::vector<Latency>> latencies_from_wire(std::string_view text, const std::string& origin,
                                                 const MeasureRequest& request);
Result<RunResult> run_result_from_wire(std::string_view text, const std::string& origin, const RunRequest& request);

}  // namespace iosx
