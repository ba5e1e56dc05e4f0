#include "core/formats/wire/device_wire.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/devices/registry.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/formats/wire/openers.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx {
namespace {

using testing::HasSubstr;

class DeviceWireTest : public testing::Test {
 protected:
  DeviceWireTest() {
    DeviceRegistry devices;
    add_simulated_devices(devices);
    auto opened = devices.open("tesla-v100");
    EXPECT_TRUE(opened);
    device_ = std::move(*opened);
    request_.plan = lower(*graph_, greedy_schedule(*graph_), 4, device_->info().lowering);
    request_.options.trace = true;
  }

  RunResult answer() const {
    auto result = load_and_run(*device_, request_.plan, request_.options, {});
    EXPECT_TRUE(result) << result.error().text();
    return std::move(*result);
  }

  std::shared_ptr<const Graph> graph_ = std::make_shared<const Graph>(*zoo_network("inception_v3"));
  GraphOpener opener_ = test::only_opens("inception_v3", graph_);
  WeightsReference weights_ = weights_reference(*graph_, "inception_v3");
  std::unique_ptr<Device> device_;
  RunRequest request_;
};

TEST_F(DeviceWireTest, RunsThePlanOfARequestAsTheOriginal) {
  request_.options.inputs = synthetic_inputs(request_.plan);
  const auto read = run_request_from_wire(request_to_wire(request_, weights_), "client", opener_);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->plan, request_.plan);
  EXPECT_EQ(read->options.timing, request_.options.timing);
  EXPECT_TRUE(read->options.trace);
  EXPECT_FALSE(read->options.outputs);
  ASSERT_EQ(read->options.inputs.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(read->options.inputs[0].elements(), request_.options.inputs[0].elements()));
  const auto there = load_and_run(*device_, read->plan, read->options, {});
  ASSERT_TRUE(there);
  EXPECT_EQ(there->latency, answer().latency);
  EXPECT_EQ(there->trace, answer().trace);
}

TEST_F(DeviceWireTest, BringsAnAnswerBackExactly) {
  const RunResult result = answer();
  ASSERT_FALSE(result.trace.counters.empty());
  const std::string text = answer_to_wire(result);
  const auto read = run_result_from_wire(text, "server", request_);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->latency, result.latency);
  EXPECT_EQ(read->stage_latencies, result.stage_latencies);
  EXPECT_EQ(read->trace, result.trace);
  EXPECT_EQ(read->peak_bytes, result.peak_bytes);
  EXPECT_EQ(answer_to_wire(*read), text);
}

TEST_F(DeviceWireTest, BringsOutputsBackBitByBit) {
  const std::vector<float> odd{0.1F, -0.0F, std::numeric_limits<float>::infinity(), 1e-42F};
  RunRequest request;
  request.plan = lower(test::chain(1), one_by_one_schedule(test::chain(1)), 1);
  request.options.outputs = true;
  const auto elements = static_cast<std::size_t>(request.plan.buffers.back().shape.elements());
  std::vector<float> numbers(elements);
  for (std::size_t i = 0; i < elements; ++i) numbers[i] = odd[i % odd.size()];
  RunResult result;
  result.stage_latencies.resize(1);
  result.outputs = {Tensor({1, 8, 16, 16}, numbers)};
  const auto read = run_result_from_wire(answer_to_wire(result), "server", request);
  ASSERT_TRUE(read) << read.error().text();
  const auto bits = [](std::span<const float> floats) { return std::as_bytes(floats); };
  EXPECT_TRUE(std::ranges::equal(bits(read->outputs[0].elements()), bits(numbers)));
}

TEST_F(DeviceWireTest, MeasuresTheStagesOfARequest) {
  MeasureRequest request;
  const Schedule greedy = greedy_schedule(*graph_);
  for (std::size_t i = 0; i < 5; ++i) {
    request.plans.push_back(lower_stage(*graph_, greedy.stages[i], 1, device_->info().lowering));
  }
  request.timing.max_time = Millis{12.5};
  const auto read = measure_request_from_wire(request_to_wire(request, weights_), "client", opener_);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->plans, request.plans);
  EXPECT_EQ(read->timing, request.timing);
  const auto latencies = device_->measure(request.plans, request.timing, {});
  ASSERT_TRUE(latencies);
  const auto answered = latencies_from_wire(answer_to_wire(*latencies), "server", request);
  ASSERT_TRUE(answered) << answered.error().text();
  EXPECT_EQ(*answered, *latencies);
}

TEST_F(DeviceWireTest, AnAnswerToSomethingElseIsAnErrorThatNamesTheSender) {
  MeasureRequest request;
  request.plans.resize(3);
  const auto few = latencies_from_wire(answer_to_wire(std::vector<Latency>(2)), "gpu server", request);
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error().text(), HasSubstr("gpu server: answers 2 plans, asked were 3"));

  const RunResult result = answer();
  RunResult short_answer = result;
  short_answer.stage_latencies.pop_back();
  EXPECT_FALSE(run_result_from_wire(answer_to_wire(short_answer), "gpu server", request_));
  RunResult without_trace = result;
  without_trace.trace = {};
  EXPECT_FALSE(run_result_from_wire(answer_to_wire(without_trace), "gpu server", request_));
  RunResult strange = result;
  strange.outputs = {Tensor({1}, {1})};
  EXPECT_FALSE(run_result_from_wire(answer_to_wire(strange), "gpu server", request_));
}

TEST_F(DeviceWireTest, NonsenseInAnAnswerIsAnErrorWithItsPlace) {
  const auto json = nlohmann::json::parse(answer_to_wire(answer()));
  constexpr std::array<std::array<const char*, 3>, 11> kEdits{{
      {"/latency/ms", "-1", "latency.ms"},
      {"/latency/ms", "\"nan\"", "latency.ms"},
      {"/latency/ms", "null", "latency.ms"},
      {"/latency/samples", "0.5", "latency.samples"},
      {"/latency/origin", "\"guessed\"", "latency.origin"},
      {"/trace/lanes", "1000000000", "trace.lanes"},
      {"/trace/stages", "[]", "trace"},
      {"/trace/kernels/2/kernel", "100000", "trace.kernels[2]"},
      {"/trace/kernels/2/lane", "64", "trace.kernels[2]"},
      {"/trace/kernels/2/end_us", "0", "trace.kernels[2]"},
      {"/trace/counters/0/values", "[1]", "trace.counters[0]"},
  }};
  for (const auto& [pointer, value, place] : kEdits) {
    auto edited = json;
    edited["content"][nlohmann::json::json_pointer(pointer)] = nlohmann::json::parse(value);
    const auto read = run_result_from_wire(edited.dump(), "server", request_);
    ASSERT_FALSE(read) << pointer;
    const std::string where =
        pointer == std::string("/trace/stages") ? "server" : std::string("server: content.") + place;
    EXPECT_EQ(read.error().where, where) << read.error().text();
  }
}

TEST_F(DeviceWireTest, RequestsOfEndlessWorkAreRefused) {
  request_.options.timing.repeats = 0;
  EXPECT_FALSE(run_request_from_wire(request_to_wire(request_, weights_), "client", opener_));
  request_.options.timing = {};
  request_.options.inputs = {Tensor({1}, {1})};
  EXPECT_FALSE(run_request_from_wire(request_to_wire(request_, weights_), "client", opener_));
}

}  // namespace
}  // namespace iosx
