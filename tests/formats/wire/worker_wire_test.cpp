#include "core/formats/wire/worker_wire.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/devices/registry.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/formats/wire/orders.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx {
namespace {

using testing::HasSubstr;
using wire::Order;
using wire::Reply;

class WorkerWireTest : public testing::Test {
 protected:
  WorkerWireTest() {
    DeviceRegistry devices;
    add_simulated_devices(devices);
    auto opened = devices.open("tesla-v100");
    EXPECT_TRUE(opened);
    device_ = std::move(*opened);
    plan_ = lower(*graph_, greedy_schedule(*graph_), 4, device_->info().lowering);
    options_.trace = true;
  }

  RunResult answer() const {
    auto result = load_and_run(*device_, plan_, options_, {});
    EXPECT_TRUE(result) << result.error().text();
    return std::move(*result);
  }
  template <typename T>
  static T back(const std::string& line) {
    auto reply = wire::reply_of(line, "worker");
    EXPECT_TRUE(reply) << reply.error().text();
    return std::get<T>(std::move(reply->what));
  }

  std::shared_ptr<const Graph> graph_ = std::make_shared<const Graph>(*zoo_network("inception_v3"));
  std::unique_ptr<Device> device_;
  ExecutionPlan plan_;
  RunOptions options_;
};

TEST_F(WorkerWireTest, AHelloBringsAllThatADeviceSaysOfItself) {
  const wire::Hello hello{.program = "1.2",
                          .device = device_->info(),
                          .methods_key = "a key",
                          .peak = device_->peak_rates(),
                          .host = "node1",
                          .cores = 64,
                          .load = 3.25};
  const auto read = wire::hello_of(to_line(hello), "worker");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->device.fingerprint, hello.device.fingerprint);
  EXPECT_EQ(read->device.lowering, hello.device.lowering);
  EXPECT_EQ(read->device.overhead, hello.device.overhead);
  EXPECT_EQ(read->device.grade.text(), hello.device.grade.text());
  EXPECT_EQ(read->methods_key, hello.methods_key);
  ASSERT_TRUE(read->peak);
  EXPECT_EQ(read->peak->flops_per_s, hello.peak->flops_per_s);
  EXPECT_EQ(read->host, "node1");
  EXPECT_EQ(read->load, 3.25);
  EXPECT_TRUE(wire::is_spoken(to_line(hello)));
  EXPECT_FALSE(wire::is_spoken("Last login: yesterday"));
}

TEST_F(WorkerWireTest, AnotherVersionIsRefusedInOneLine) {
  std::string line = to_line(wire::Hello{.protocol = 1, .program = "1", .device = device_->info()});
  const auto json = nlohmann::json::parse(line);
  const int version = json["version"];
  auto older = json;
  older["version"] = version - 1;
  const auto read = wire::hello_of(older.dump(), "worker");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().line().text(), HasSubstr("written in version"));
  const auto other = wire::hello_of(
      to_line(wire::Hello{.protocol = wire::kWorkerProtocol - 1, .program = "0.0.9", .device = device_->info()}),
      "worker");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().line().text(),
              HasSubstr(fmt::format("a worker with protocol {}", wire::kWorkerProtocol - 1)));
}

TEST_F(WorkerWireTest, AnOrderToRunComesAsItWasGiven) {
  options_.inputs = synthetic_inputs(plan_);
  options_.host_clock = true;
  const auto read = wire::order_of(to_line(Order{7, wire::Run{3, options_}}), "asker");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->number, 7);
  const auto& run = std::get<wire::Run>(read->what);
  EXPECT_EQ(run.loaded, 3U);
  EXPECT_EQ(run.options.timing, options_.timing);
  EXPECT_TRUE(run.options.trace);
  EXPECT_FALSE(run.options.outputs);
  EXPECT_TRUE(run.options.host_clock);
  ASSERT_EQ(run.options.inputs.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(run.options.inputs[0].elements(), options_.inputs[0].elements()));
}

TEST_F(WorkerWireTest, AnAnswerComesBackExactly) {
  const RunResult result = answer();
  ASSERT_FALSE(result.trace.counters.empty());
  const std::string line = to_line(Reply{1, wire::Ran{result}});
  const auto ran = back<wire::Ran>(line);
  EXPECT_EQ(ran.result.latency, result.latency);
  EXPECT_EQ(ran.result.stage_latencies, result.stage_latencies);
  EXPECT_EQ(ran.result.trace, result.trace);
  EXPECT_EQ(ran.result.peak_bytes, result.peak_bytes);
  EXPECT_EQ(to_line(Reply{1, ran}), line);
}

TEST_F(WorkerWireTest, OutputsComeBackBitByBit) {
  const std::vector<float> odd{0.1F, -0.0F, std::numeric_limits<float>::infinity(), 1e-42F};
  RunResult result;
  result.outputs = {Tensor({4}, odd)};
  const auto ran = back<wire::Ran>(to_line(Reply{1, wire::Ran{result}}));
  const auto bits = [](std::span<const float> floats) { return std::as_bytes(floats); };
  EXPECT_TRUE(std::ranges::equal(bits(ran.result.outputs[0].elements()), bits(odd)));
}

TEST_F(WorkerWireTest, StagesAreMeasuredThereAsHere) {
  wire::Measure measure{.parameters = 2, .plans = {}, .timing = {}};
  const Schedule greedy = greedy_schedule(*graph_);
  for (std::size_t i = 0; i < 5; ++i) {
    measure.plans.push_back(lower_stage(*graph_, greedy.stages[i], 1, device_->info().lowering));
  }
  measure.timing.max_time = Millis{12.5};
  auto read = wire::order_of(to_line(Order{1, measure}), "asker");
  ASSERT_TRUE(read) << read.error().text();
  auto& there = std::get<wire::Measure>(read->what);
  EXPECT_EQ(there.timing, measure.timing);
  for (std::size_t i = 0; i < there.plans.size(); ++i) {
    ASSERT_TRUE(wire::complete(there.plans[i], graph_->parameters(), "asker", "plans"));
    EXPECT_EQ(there.plans[i], measure.plans[i]);
  }
  const auto latencies = device_->measure(there.plans, there.timing, {});
  ASSERT_TRUE(latencies);
  const auto measured = back<wire::Measured>(to_line(Reply{1, wire::Measured{4, latencies->back()}}));
  EXPECT_EQ(measured.plan, 4U);
  EXPECT_EQ(measured.latency, latencies->back());
}

TEST_F(WorkerWireTest, NonsenseInAnAnswerIsAnErrorWithItsPlace) {
  const auto json = nlohmann::json::parse(to_line(Reply{1, wire::Ran{answer()}}));
  constexpr std::array<std::array<const char*, 3>, 8> kEdits{{
      {"/latency/ms", "-1", "latency.ms"},
      {"/latency/ms", "\"nan\"", "latency.ms"},
      {"/latency/ms", "null", "latency.ms"},
      {"/latency/samples", "0.5", "latency.samples"},
      {"/latency/origin", "\"guessed\"", "latency.origin"},
      {"/trace/kernels/2/begin_us", "-1", "trace.kernels[2].begin_us"},
      {"/trace/stages", "{}", "trace.stages"},
      {"/trace/counters/0/values", "[null]", "trace.counters[0].values[0]"},
  }};
  for (const auto& [pointer, value, place] : kEdits) {
    auto edited = json;
    edited["content"]["what"]["result"][nlohmann::json::json_pointer(pointer)] = nlohmann::json::parse(value);
    const auto read = wire::reply_of(edited.dump(), "worker");
    ASSERT_FALSE(read) << pointer;
    EXPECT_EQ(read.error().where, std::string("worker: content.what.result.") + place) << read.error().text();
  }
  auto unknown = json;
  unknown["content"]["what"]["kind"] = "surprise";
  EXPECT_FALSE(wire::reply_of(unknown.dump(), "worker"));
}

TEST_F(WorkerWireTest, OrdersOfEndlessWorkAreRefused) {
  options_.timing.repeats = 0;
  EXPECT_FALSE(wire::order_of(to_line(Order{1, wire::Run{0, options_}}), "asker"));
  EXPECT_FALSE(wire::order_of(to_line(Order{1, wire::Measure{0, {}, options_.timing}}), "asker"));
}

TEST_F(WorkerWireTest, EveryKindOfOrderAndReplyComesBack) {
  const std::vector<Order> orders{
      {1, wire::Outline{3, ParameterInit::kIntegers, {{{4, 3}, {4}, "00000000000000ff", true}, {}}}},
      {2, wire::Numbers{3, OperatorId(1), true, {4}, 2, Tensor({2}, {1, 2})}},
      {3, wire::Forget{{3, 4}}},
      {4, wire::Unload{9}},
      {5, wire::Look{9, {}, Profile{answer().trace, {}}}},
      {6, wire::KeepMethods{}},
      {7, wire::Choice{"winograd"}},
      {7, wire::Choice{}},
      {8, wire::Stop{}},
  };
  for (const Order& order : orders) {
    const std::string line = to_line(order);
    const auto read = wire::order_of(line, "asker");
    ASSERT_TRUE(read) << line.substr(0, 200) << read.error().text();
    EXPECT_EQ(to_line(*read), line);
  }
  const std::vector<Reply> replies{
      {1, wire::Alive{wire::said_of(message("measuring {}", 1)), 1, 2}},
      {2, wire::Asked{"conv 3x3", std::nullopt}},
      {2, wire::Asked{"conv", "gemm"}},
      {3, wire::Done{}},
      {4, wire::Loaded{{"a", "b"}}},
      {5, wire::Profiled{{answer().trace, {message("no counters")}}}},
      {6, wire::failed_of({message("out of memory: {}", message("{} MB", 3)), "conv1", message("use less")})},
  };
  for (const Reply& reply : replies) {
    const std::string line = to_line(reply);
    const auto read = wire::reply_of(line, "worker");
    ASSERT_TRUE(read) << line.substr(0, 200) << read.error().text();
    EXPECT_EQ(to_line(*read), line);
  }
}

// So that a window says it in its own language.
TEST(WorkerWire, AMessageArrivesAsWhatItIsMadeOf) {
  const Error said{message("needs {} of {}", message("{} MB", 3), "conv\n1"), "here", message("use less")};
  const Error read = wire::error_of(wire::failed_of(said));
  EXPECT_EQ(read.what.pattern(), "needs {} of {}");
  EXPECT_EQ(read.what.arguments()[0].pattern(), "{} MB");
  EXPECT_EQ(read.what.text(), "needs 3 MB of conv\\n1");
  EXPECT_EQ(read.remedy, said.remedy);
}

}  // namespace
}  // namespace iosx
