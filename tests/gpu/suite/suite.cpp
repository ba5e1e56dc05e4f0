#include "tests/gpu/suite/suite.h"

#include "app/devices/all_devices.h"
#include "core/analysis/compare/comparison.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

constexpr std::size_t kLargeNetwork = 200;  // units

// Sets a variable for as long as it lives. What the user set stays otherwise: IOS_GPU_EAGER=1 makes all tests eager.
class Variable {
 public:
  Variable(const char* name, bool set) : name_(name), set_(set) {
    if (!set) return;
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, "1", 1);
  }
  ~Variable() {
    if (set_ && before_) setenv(name_, before_->c_str(), 1);
    if (set_ && !before_) unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  bool set_;
  std::optional<std::string> before_;
};

std::map<std::string, std::unique_ptr<Device>>& opened() {
  static std::map<std::string, std::unique_ptr<Device>> devices;
  return devices;
}

// Devices end before main() does: libraries that they call have destructors of their own at exit.
class ReleasesDevices final : public testing::Environment {
 public:
  void TearDown() override { opened().clear(); }
};

// GoogleTest's own.
[[maybe_unused]] const testing::Environment* const releases_devices =
    testing::AddGlobalTestEnvironment(new ReleasesDevices());

Schedule searched(const Graph& graph, StrategySet strategies, Device& v100) {
  SearchOptions options{.strategies = strategies};
  if (graph.units().size() > kLargeNetwork) options.pruning = {.r = 2, .s = 4};
  auto prepared = must(prepare(graph, options));
  DeviceLatencySource source(prepared, v100, 1);
  auto found = must(search(prepared, source, options, {}));
  return std::move(found.schedule);
}

}  // namespace

const DeviceRegistry& devices() {
  static const DeviceRegistry registry = [] {
    DeviceRegistry made;
    add_all_devices(made);
    return made;
  }();
  return registry;
}

std::string missing(const std::string& id) {
  const DeviceRegistry::Entry* entry = devices().find(id);
  if (entry == nullptr) entry = devices().find("gpu");  // one entry says why there are none
  return entry == nullptr ? "there is no such device" : entry->unavailable.text();
}

std::unique_ptr<Device> open(const std::string& id, Mode mode) {
  const Variable eager("IOS_GPU_EAGER", mode == Mode::kEager);
  const Variable untuned("IOS_GPU_UNTUNED", mode != Mode::kTuned);
  return must(devices().open(id));
}

Device& shared(const std::string& id) {
  std::unique_ptr<Device>& device = opened()[id];
  if (!device) device = open(id, Mode::kUntuned);
  if (!device) throw std::runtime_error("cannot open " + id);
  return *device;
}

std::vector<std::string> gpu_ids() { return {"gpu", "gpu-f32", "gpu-f16", "gpu-bf16"}; }

std::vector<Tensor> outputs_of(Device& device, const Graph& graph, const Schedule& schedule, std::int64_t batch) {
  RunOptions options;
  options.timing = {.warmup = 0, .repeats = 2, .max_repeats = 2, .min_time = Millis{0}};
  options.outputs = true;
  auto run = load_and_run(device, lower(graph, schedule, batch, device.info().lowering), options, {}, {.tune = true});
  EXPECT_TRUE(run) << graph.name() << ", " << schedule.name << " on " << device.info().id << ": " << run.error().text();
  return run ? std::move(run->outputs) : std::vector<Tensor>{};
}

void expect_close(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual, const Device& device,
                  const std::string& what) {
  const double tolerance = tolerance_of(device.info().precision);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < expected.size(); ++i) names.push_back("output " + std::to_string(i));
  const auto found = differences(names, actual, expected, tolerance);
  ASSERT_TRUE(found) << what << ": " << found.error().text();
  double worst = 0;
  for (const OutputDifference& output : *found) {
    EXPECT_TRUE(output.passed) << what << " on " << device.info().id << ", " << output.name << ": " << output.scaled()
                               << " of the largest value; element " << output.worst << " is " << output.value
                               << ", expected " << output.reference;
    worst = std::max(worst, output.scaled());
  }
  std::printf("  %-40s %-9s %.2g of %.2g\n", what.c_str(), device.info().id.c_str(), worst, tolerance);
  std::fflush(stdout);  // so that it is there if time runs out
}

std::vector<Schedule> schedules_of(const Graph& graph) {
  auto v100 = devices().open("tesla-v100");
  EXPECT_TRUE(v100);
  std::vector<Schedule> schedules{one_by_one_schedule(graph), greedy_schedule(graph)};
  for (const StrategySet set : {StrategySet::kBoth, StrategySet::kParallel, StrategySet::kMerge}) {
    schedules.push_back(searched(graph, set, **v100));
    EXPECT_TRUE(check_legal(graph, schedules.back()));
  }
  return schedules;
}

}  // namespace iosx::gpu::test
