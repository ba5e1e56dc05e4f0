#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/formats/wire/orders.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

constexpr LowerOptions kOptions[] = {{false, false},
                                     {.fuse = true,
                                      .fuse_sums = true,
                                      .fuse_before = true,
                                      .fuse_attention = true,
                                      .fuse_excitation = true,
                                      .concat_in_place = true,
                                      .strided_products = true,
                                      .input_channel_multiple = 8}};

std::size_t merged_kernels(const ExecutionPlan& plan) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.kernels, [](const Kernel& kernel) { return kernel.operators.size() > 1; }));
}

// Sequential, greedy, and one that merges wherever a coin says so.
std::vector<Schedule> schedules(const Graph& graph) {
  std::mt19937 random(7);
  return {one_by_one_schedule(graph), greedy_schedule(graph), test::random_schedule(graph, random)};
}

TEST(PlanWire, BringsPlansOfEveryZooNetworkBack) {
  constexpr std::size_t kEvery = test::every(4);
  std::size_t merged = 0;
  std::size_t merged_into_place = 0;
  std::size_t seen = 0;
  std::size_t turn = 0;
  for (const ZooNetwork& network : zoo()) {
    if (turn++ % kEvery != 0) continue;
    const auto graph = std::make_shared<const Graph>(network.build());
    for (const Schedule& schedule : schedules(*graph)) {
      for (const LowerOptions& options : kOptions) {
        SCOPED_TRACE(fmt::format("{}, {}", network.name, schedule.name));
        const ExecutionPlan plan = lower(*graph, schedule, 3, options);
        must(check_plan(plan));
        const std::string text = test::load_order(plan);
        const auto read = must(test::plan_of_order(text, "test", graph->parameters()));
        EXPECT_TRUE(read == plan);
        EXPECT_EQ(test::load_order(read), text);
        seen += static_cast<std::size_t>(std::ranges::count_if(plan.kernels, [](const Kernel& kernel) {
          return std::ranges::any_of(kernel.reads, [](const TensorView& view) { return view.seen.size() > 1; });
        }));
        merged += merged_kernels(plan);
        merged_into_place += options.concat_in_place ? merged_kernels(plan) : 0;
      }
    }
  }
  EXPECT_GT(merged, 20U / kEvery);
  EXPECT_GT(merged_into_place, 10U / kEvery);
  if (kEvery == 1) {
    EXPECT_GT(seen, 50U) << "keys of a parallel ViT";
  }
}

TEST(PlanWire, FindsThePlansOfRandomGraphsAndTheirStagesValid) {
  std::mt19937 random(11);
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Graph graph = test::random_concat_graph(seed, 6 + seed % 20);
    const Schedule schedule = test::random_schedule(graph, random);
    for (const LowerOptions& options : kOptions) {
      const auto whole = check_plan(lower(graph, schedule, 2, options));
      ASSERT_TRUE(whole) << seed << ": " << whole.error().text();
      for (const Stage& stage : schedule.stages) {
        const auto alone = check_plan(lower_stage(graph, stage, 2, options));
        ASSERT_TRUE(alone) << seed << ": " << alone.error().text();
      }
    }
  }
}

struct PlanEdit {
  const char* pointer;  // JSON pointer below the order; what is there is replaced
  const char* value;
  const char* place;  // of the error, below the order
};

// The plan of the sample network with two kernels side by side, a merged convolution and a concatenation in place.
class HostilePlan : public testing::Test {
 protected:
  Result<ExecutionPlan> read(const std::string& text) const {
    return test::plan_of_order(text, "f", graph_->parameters());
  }

  // Each edit alone, with an error at its place.
  void expect_refused(const std::string& text, std::span<const PlanEdit> edits) const {
    const auto json = nlohmann::json::parse(text);
    for (const PlanEdit& edit : edits) {
      auto edited = json;
      edited["content"]["what"][nlohmann::json::json_pointer(edit.pointer)] = nlohmann::json::parse(edit.value);
      const auto result = read(edited.dump());
      ASSERT_FALSE(result) << edit.pointer << " = " << edit.value;
      EXPECT_EQ(result.error().where, std::string("f: content.what.") + edit.place)
          << edit.pointer << " = " << edit.value << ": " << result.error().text();
    }
  }

  static Schedule schedule(const Graph& graph) {
    const auto unit = [&](const char* name) { return *graph.find_unit(name); };
    Schedule schedule{"by hand", {}};
    schedule.stages.push_back(Stage{{Group{{Step{{unit("a")}}}}, Group{{Step{{unit("b"), unit("c")}}}}}});
    schedule.stages.push_back(Stage{{Group{{Step{{unit("d")}}, Step{{unit("concat")}}}}}});
    return schedule;
  }

  std::shared_ptr<const Graph> graph_ = std::make_shared<const Graph>(test::sample());
  ExecutionPlan plan_ = lower(*graph_, schedule(*graph_), 1, {});
  std::string text_ = test::load_order(plan_);
};

TEST_F(HostilePlan, CutShortIsAnErrorInWords) {
  for (std::size_t size = 0; size < text_.size(); size += test::every(5) + size % 3) {
    const auto result = read(text_.substr(0, size));
    ASSERT_FALSE(result) << size;
    EXPECT_THAT(result.error().where, StartsWith("f"));
    EXPECT_FALSE(result.error().what.empty());
  }
}

TEST_F(HostilePlan, ChangedBytesGiveAnErrorOrAValidPlan) {
  std::mt19937 random(3);
  std::size_t refused = 0;
  constexpr std::size_t kTrials = 3000 / test::every(5);
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    std::string text = text_;
    for (std::size_t change = 0; change <= trial % 3; ++change) {
      // Mostly digits for digits: they pass the parser.
      const std::size_t at = random() % text.size();
      const bool digit = text[at] >= '0' && text[at] <= '9' && trial % 4 != 0;
      text[at] = static_cast<char>(digit ? '0' + random() % 10 : random() % 256);
    }
    const auto result = read(text);
    if (result) {
      EXPECT_TRUE(check_plan(*result));
    } else {
      ++refused;
      EXPECT_FALSE(result.error().what.empty());
    }
  }
  EXPECT_GT(refused, kTrials / 2);
}

// Buffers: input, a, b + c, d, concat. Kernels: a and b + c side by side, d, concat.
TEST_F(HostilePlan, SaysWhereAMistakeIs) {
  // b + c and a copy of each, beside a; then d and the concatenation.
  ASSERT_EQ(plan_.kernels.size(), 6U);
  ASSERT_EQ(plan_.buffers.size(), 7U);
  constexpr PlanEdit kEdits[] = {
      {"/plan/batch", "0", "plan.batch"},
      {"/plan/batch", "9007199254740993", "plan.batch"},
      {"/plan/buffers/0/shape", "[16777216,65536]", "plan.kernels[0].attributes"},
      {"/plan/buffers/1/shape", "[16777216,65537]", "plan.buffers[1].shape"},
      {"/plan/buffers/0/source", "99", "plan.buffers[0]"},
      {"/plan/buffers/0/constant", "true", "plan.buffers[0]"},
      {"/plan/buffers/0/blank", "-1", "plan.buffers[0]"},
      {"/plan/buffers/0/blank", "375", "plan.buffers[0]"},
      {"/plan/buffers/0/axis", "3", "plan.buffers[0]"},
      {"/plan/buffers/0/axis", "1", "plan.kernels[0].reads[0]"},    // 375 of 15
      {"/plan/buffers/1/blank", "1", "plan.buffers[1]"},            // not filled before the run
      {"/plan/buffers/0/blank", "3", "plan.kernels[0].operators"},  // their weights have as many channels as the buffer
      {"/plan/buffers/0/external", "false", "plan.kernels[0].reads[0]"},
      {"/plan/inputs/0", "7", "plan.inputs[0]"},
      {"/plan/inputs/0", "null", "plan.inputs[0]"},
      {"/plan/outputs/0/view", "[7,0,1]", "plan.outputs[0].view"},
      {"/plan/outputs/0/view", "[4,0,99999]", "plan.outputs[0].view"},
      {"/plan/kernels/0/operators", "[]", "plan.kernels[0]"},
      {"/plan/kernels/0/operators", "[99]", "plan.kernels[0]"},
      {"/plan/kernels/3/operators", "[4]", "plan.kernels[3].operators"},  // other channels
      {"/plan/kernels/0/operators", "[2]", "plan.kernels[0].operators"},  // half of what is merged
      {"/plan/kernels/0/operators", "[2,0]", "plan.kernels[0].operators"},
      {"/plan/kernels/0/fused", "[null]", "plan.kernels[0]"},
      {"/plan/kernels/0/reads/0", "[0,-1,3]", "plan.kernels[0].reads[0]"},
      {"/plan/kernels/0/reads/0", "[0,3,3]", "plan.kernels[0].reads[0]"},
      {"/plan/kernels/3/reads/0", "[0,0,374]", "plan.kernels[3].operators"},
      {"/plan/kernels/0/reads/0", "[5,0,375]", "plan.kernels[0].reads[0]"},  // d comes later
      {"/plan/kernels/0/reads", "[]", "plan.kernels[0].attributes"},
      {"/plan/kernels/3/writes", "[0,0,375]", "plan.kernels[3]"},
      {"/plan/kernels/3/writes", "[4,0,374]", "plan.kernels[3].output"},
      {"/plan/kernels/3/writes", "[1,0,375]", "plan.kernels[4].reads[0]"},  // its place stays empty
      {"/plan/kernels/3/output", "[375,15,14]", "plan.kernels[3].output"},
      {"/plan/kernels/3/attributes", R"({"kind":"input","shape":[375,15,15]})", "plan.kernels[3].attributes"},
      {"/plan/kernels/3/attributes/groups", "2", "plan.kernels[3].attributes"},
      {"/plan/kernels/3/stage", "1", "plan.kernels[3]"},
      {"/plan/kernels/3/lane", "0", "plan.kernels[3]"},
      {"/plan/kernels/0/waits", "[0]", "plan.kernels[0].waits"},
      {"/plan/kernels/4/waits", "[]", "plan.kernels[4].waits"},
      {"/plan/kernels/4/waits", "[5]", "plan.kernels[4].waits"},
      {"/plan/stages/0/0", "[]", "plan.stages[0].lanes[0]"},
      {"/plan/stages/0/0", "[1]", "plan.stages[0].lanes[0]"},
      {"/plan/stages/1/0", "[4]", "plan.kernels[5]"},
      {"/plan/stages/1/0", "[4,5,6]", "plan.stages[1].lanes[0]"},
  };
  expect_refused(text_, kEdits);
}

// The input has 375 channels and one that is blank; a reads it first.
TEST_F(HostilePlan, BlankChannelsAreForConvolutionsAlone) {
  const ExecutionPlan plan = lower(*graph_, schedule(*graph_), 1, {.input_channel_multiple = 8});
  ASSERT_EQ(plan.buffers[0].blank, 1);
  const std::string text = test::load_order(plan);
  ASSERT_TRUE(read(text));
  constexpr PlanEdit kEdits[] = {
      {"/plan/buffers/0/blank", "0", "plan.kernels[0].operators"},
      {"/plan/buffers/0/blank", "2", "plan.kernels[0].operators"},
      {"/plan/buffers/0/blank", "64", "plan.buffers[0]"},
      {"/plan/buffers/0/constant", "true", "plan.buffers[0]"},
      {"/plan/buffers/0/row_major", "true", "plan.buffers[0]"},
      {"/plan/buffers/0/shape", "[84600]", "plan.buffers[0]"},
      {"/plan/kernels/0/reads/0", "[0,0,375]", "plan.kernels[0].reads[0]"},
      {"/plan/kernels/0/attributes/groups", "2", "plan.kernels[0].reads[0]"},
      {"/plan/kernels/0/attributes", R"({"kind":"identity"})", "plan.kernels[0].reads[0]"},
      {"/plan/kernels/0/reads", "[[0,0,376],[0,0,376]]", "plan.kernels[0].reads[1]"},
      {"/plan/kernels/0/writes", "[0,0,375]", "plan.kernels[0].writes"},
      {"/plan/outputs/0/view", "[0,0,375]", "plan.outputs[0].view"},
  };
  expect_refused(text, kEdits);
}

// What documents did not have before is as it was then.
TEST_F(HostilePlan, OfATimeWithoutColdWeightsHasNone) {
  auto json = nlohmann::json::parse(text_);
  ASSERT_EQ(json["content"]["what"]["plan"]["cold_weights"], false);
  json["content"]["what"]["plan"]["cold_weights"] = true;
  EXPECT_TRUE(must(read(json.dump())).cold_weights);
  json["content"]["what"]["plan"].erase("cold_weights");
  EXPECT_FALSE(must(read(json.dump())).cold_weights);
  json["content"]["what"]["plan"].erase("stages");
  EXPECT_FALSE(read(json.dump())) << "all else has to be there";
}

TEST_F(HostilePlan, OfMoreMemoryThanAnyComputerHasIsRefused) {
  auto json = nlohmann::json::parse(text_);
  json["content"]["what"]["plan"]["batch"] = 1 << 24;
  auto& buffers = json["content"]["what"]["plan"]["buffers"];
  buffers.push_back(R"({"name":"huge","shape":[16777216],"external":true,"constant":false,"source":null,
                        "row_major":false,"blank":0})"_json);
  const Error error = refused(read(json.dump()));
  EXPECT_EQ(error.where, "f: content.what.plan.buffers[7]");
  EXPECT_THAT(error.what, HasSubstr("1024 TiB"));
}

TEST_F(HostilePlan, OfManyEmptyThingsEndsAtTheFirst) {
  std::string kernels = "{}";
  for (int i = 0; i < 300000; ++i) kernels += ",{}";
  auto json = nlohmann::json::parse(text_);
  json["content"]["what"]["plan"]["kernels"] = nlohmann::json::parse("[" + kernels + "]");
  EXPECT_EQ(refused(read(json.dump())).where, "f: content.what.plan.kernels[0]");
}

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

  RunResult answer() const { return must(load_and_run(*device_, plan_, options_, {})); }
  template <typename T>
  static T back(const std::string& line) {
    auto reply = must(wire::reply_of(line, "worker"));
    return std::get<T>(std::move(reply.what));
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
  const auto read = must(wire::hello_of(to_line(hello), "worker"));
  EXPECT_EQ(read.device.fingerprint, hello.device.fingerprint);
  EXPECT_EQ(read.device.lowering, hello.device.lowering);
  EXPECT_EQ(read.device.overhead, hello.device.overhead);
  EXPECT_EQ(read.device.grade.text(), hello.device.grade.text());
  EXPECT_EQ(read.methods_key, hello.methods_key);
  ASSERT_TRUE(read.peak);
  EXPECT_EQ(read.peak->flops_per_s, hello.peak->flops_per_s);
  EXPECT_EQ(read.host, "node1");
  EXPECT_EQ(read.load, 3.25);
  EXPECT_TRUE(wire::is_spoken(to_line(hello)));
  EXPECT_FALSE(wire::is_spoken("Last login: yesterday"));
}

TEST_F(WorkerWireTest, AnotherVersionIsRefusedInOneLine) {
  std::string line = to_line(wire::Hello{.protocol = 1, .program = "1", .device = device_->info()});
  const auto json = nlohmann::json::parse(line);
  const int version = json["version"];
  auto older = json;
  older["version"] = version - 1;
  EXPECT_THAT(refused(wire::hello_of(older.dump(), "worker")).line().text(), HasSubstr("written in version"));
  const Error error = refused(wire::hello_of(
      to_line(wire::Hello{.protocol = wire::kWorkerProtocol - 1, .program = "0.0.9", .device = device_->info()}),
      "worker"));
  EXPECT_THAT(error.line().text(), HasSubstr(fmt::format("a worker with protocol {}", wire::kWorkerProtocol - 1)));
}

TEST_F(WorkerWireTest, AnOrderToRunComesAsItWasGiven) {
  options_.inputs = synthetic_inputs(plan_);
  options_.host_clock = true;
  const auto read = must(wire::order_of(to_line(Order{7, wire::Run{3, options_}}), "asker"));
  EXPECT_EQ(read.number, 7);
  const auto& run = std::get<wire::Run>(read.what);
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
  RunResult result{.outputs = {Tensor({4}, odd)}};
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
  auto read = must(wire::order_of(to_line(Order{1, measure}), "asker"));
  auto& there = std::get<wire::Measure>(read.what);
  EXPECT_EQ(there.timing, measure.timing);
  for (std::size_t i = 0; i < there.plans.size(); ++i) {
    ASSERT_TRUE(wire::complete(there.plans[i], graph_->parameters(), "asker", "plans"));
    EXPECT_EQ(there.plans[i], measure.plans[i]);
  }
  const auto latencies = must(device_->measure(there.plans, there.timing, {}));
  const auto measured = back<wire::Measured>(to_line(Reply{1, wire::Measured{4, latencies.back()}}));
  EXPECT_EQ(measured.plan, 4U);
  EXPECT_EQ(measured.latency, latencies.back());
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
