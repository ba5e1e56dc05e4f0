// The CUDA runtime on a real GPU (ctest -L gpu); without one, that it says so.

#include "gpu/runtime/cuda_runtime.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/probe.h"
#include "tests/gpu/cuda_runtime/plan_check.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kElements = 1 << 20;
constexpr std::int64_t kBytes = kElements * 4;

std::string reason() {
  const SystemFacts facts = probe_system();
  const Message why = refusal(facts);
  return (why.empty() ? refusal(facts.devices.front()) : why).text();
}

TensorRef vector_at(std::byte* data) {
  return {.data = data, .type = DataType::kFloat32, .rank = 1, .dims = {kElements}, .strides = {1}};
}

TEST(CudaRuntimeWithoutGpu, SaysWhatCudaSays) {
  if (reason().empty()) GTEST_SKIP() << "there is a GPU";
  try {
    make_cuda_runtime(0);
    FAIL() << "a runtime without a GPU";
  } catch (const GpuError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cudaSetDevice: cudaError"), HasSubstr("(")));
  }
}

class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = reason(); !why.empty()) GTEST_SKIP() << why;
    runtime_ = make_cuda_runtime(0);
    for (auto& memory : memory_) memory = std::make_unique<DeviceMemory>(*runtime_, kBytes);
  }
  std::byte* at(std::size_t i) const { return memory_[i]->data(); }
  void fill(std::size_t i, float value) {
    const std::vector<float> host(kElements, value);
    runtime_->upload(at(i), host.data(), kBytes);
  }
  std::vector<float> read(std::size_t i) {
    std::vector<float> host(kElements);
    runtime_->download(host.data(), at(i), kBytes);
    return host;
  }
  void add(StreamId stream, std::size_t a, std::size_t b, std::size_t out) {
    runtime_->launch(stream,
                     CombineCall{.count = 2, .in = {vector_at(at(a)), vector_at(at(b))}, .out = vector_at(at(out))});
  }
  // out 3 = (0 + 1) + (0 + 0), the sums on streams side by side.
  void fork_and_join() {
    const StreamId origin(0);
    const StreamId side(1);
    runtime_->record(EventId(0), origin);
    runtime_->wait(side, EventId(0));
    add(origin, 0, 1, 2);
    add(side, 0, 0, 4);
    runtime_->record(EventId(1), side);
    runtime_->wait(origin, EventId(1));
    add(origin, 2, 4, 3);
  }

  std::unique_ptr<Runtime> runtime_;
  std::array<std::unique_ptr<DeviceMemory>, 5> memory_;
};

TEST_F(OnGpu, PropertiesAreFilledIn) {
  const Properties& gpu = runtime_->properties();
  EXPECT_FALSE(gpu.name.empty());
  EXPECT_EQ(gpu.uuid.size(), 40U) << gpu.uuid;
  EXPECT_GT(gpu.multiprocessors, 0);
  EXPECT_GE(gpu.compute_capability, kOldestCapability);
  EXPECT_GT(gpu.memory_bytes, 0);
  EXPECT_GT(gpu.l2_bytes, 0);
  EXPECT_FALSE(gpu.driver.empty());
}

TEST_F(OnGpu, StreamsAndEventsOrderWork) {
  fill(0, 2);
  fill(1, 3);
  fork_and_join();
  runtime_->synchronize(StreamId(0));
  EXPECT_THAT(read(3), Each(9.0F));
}

TEST_F(OnGpu, GraphsCanBeReplayedAndTimed) {
  fill(0, 2);
  fill(1, 3);
  fork_and_join();
  runtime_->begin_capture(StreamId(0));
  runtime_->mark(TimerId(0), StreamId(0));
  fork_and_join();
  runtime_->mark(TimerId(1), StreamId(0));
  const auto graph = runtime_->end_capture(StreamId(0));
  for (const float value : {4.0F, 5.0F}) {
    fill(0, value);
    runtime_->launch(StreamId(0), *graph);
    runtime_->synchronize(StreamId(0));
    EXPECT_THAT(read(3), Each(3 * value + 3));
    EXPECT_GT(runtime_->between(TimerId(0), TimerId(1)).count(), 0);
    EXPECT_LT(runtime_->between(TimerId(1), TimerId(0)).count(), 0);
  }
}

TEST_F(OnGpu, TimersWorkOutsideOfGraphs) {
  fork_and_join();
  runtime_->mark(TimerId(5), StreamId(0));
  fork_and_join();
  runtime_->mark(TimerId(6), StreamId(0));
  runtime_->synchronize(StreamId(0));
  EXPECT_GT(runtime_->between(TimerId(5), TimerId(6)).count(), 0);
}

TEST_F(OnGpu, StreamsAndEventsMayBeNewInACapture) {
  fork_and_join();
  runtime_->begin_capture(StreamId(0));
  runtime_->record(EventId(10), StreamId(0));
  runtime_->wait(StreamId(7), EventId(10));
  add(StreamId(7), 0, 1, 2);
  runtime_->mark(TimerId(9), StreamId(7));
  runtime_->record(EventId(11), StreamId(7));
  runtime_->wait(StreamId(0), EventId(11));
  EXPECT_NE(runtime_->end_capture(StreamId(0)), nullptr);
}

TEST_F(OnGpu, CapturesThatWentWrongLeaveNothingBehind) {
  fork_and_join();
  runtime_->begin_capture(StreamId(0));
  runtime_->record(EventId(0), StreamId(0));
  runtime_->wait(StreamId(1), EventId(0));
  add(StreamId(1), 0, 1, 2);
  EXPECT_THROW(runtime_->end_capture(StreamId(0)), GpuError);  // stream 1 was not joined
  runtime_->begin_capture(StreamId(0));
  add(StreamId(0), 0, 1, 2);
  runtime_->abandon_capture(StreamId(0));
  runtime_->abandon_capture(StreamId(0));
  fill(0, 1);
  fill(1, 1);
  fork_and_join();
  EXPECT_THAT(read(3), Each(4.0F));
}

TEST_F(OnGpu, TooMuchMemoryIsRefusedAndNothingElseSuffers) {
  fill(0, 7);
  try {
    runtime_->allocate(runtime_->properties().memory_bytes * 2);
    FAIL() << "more memory than there is";
  } catch (const OutOfMemory& error) {
    EXPECT_THAT(error.what(), HasSubstr("MiB are free"));
  }
  EXPECT_THAT(read(0), Each(7.0F));
}

TEST_F(OnGpu, ClockIsPlausible) {
  for (int i = 0; i < 3; ++i) {
    runtime_->begin_clock(StreamId(0));
    for (int k = 0; k < 100; ++k) add(StreamId(0), 0, 1, 2);
    runtime_->end_clock(StreamId(0));
    runtime_->synchronize(StreamId(0));
    const double mhz = runtime_->clock_mhz();
    EXPECT_GT(mhz, 100);
    EXPECT_LT(mhz, 5000);
    if (runtime_->properties().max_clock_mhz > 0) {
      EXPECT_LT(mhz, runtime_->properties().max_clock_mhz * 1.05);
    }
  }
}

TEST_F(OnGpu, AnotherThreadMayGoOn) {
  fill(0, 2);
  fill(1, 3);
  std::thread([this] { fork_and_join(); }).join();
  EXPECT_THAT(read(3), Each(9.0F));
}

// One runtime captures while another one, on its own thread, allocates, copies, computes and waits.
TEST_F(OnGpu, CapturesBearOtherRuntimes) {
  fork_and_join();
  std::exception_ptr failure;
  std::thread other([&] {
    try {
      const auto runtime = make_cuda_runtime(0);
      for (int i = 0; i < 20; ++i) {
        const DeviceMemory memory(*runtime, kBytes);
        runtime->launch(StreamId(0), FillCall{.out = vector_at(memory.data()), .seed = 1});
        float first = 0;
        runtime->download(&first, memory.data(), sizeof(first));
      }
    } catch (...) {
      failure = std::current_exception();
    }
  });
  for (int i = 0; i < 20; ++i) {
    runtime_->begin_capture(StreamId(0));
    for (int repeat = 0; repeat < 50; ++repeat) fork_and_join();
    EXPECT_NE(runtime_->end_capture(StreamId(0)), nullptr);
  }
  other.join();
  EXPECT_EQ(failure, nullptr);
}

// Convolutions of cuDNN on a real GPU, each plan against plain loops (ctest -L gpu); and, anywhere, that the comparison
// finds what is wrong.

constexpr Math kMaths[] = {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16};
constexpr const char* kMathNames[] = {"tf32", "strict", "half", "bfloat16"};
constexpr int kFirstWithBfloat16 = 80;  // compute capability

struct Form {
  const char* name;
  ConvProblem (*problem)(Math math);
};
constexpr Form kForms[] = {{"bias_and_relu", test::small_conv},
                           {"residual", test::small_conv_with_residual},
                           {"into_a_slice", test::small_conv_into_slice}};

class CudnnOnGpu : public testing::TestWithParam<std::tuple<Math, Form>> {};

TEST_P(CudnnOnGpu, EveryPlanComputesWhatPlainLoopsDo) {
  const SystemFacts facts = probe_system();
  if (const Message why = refusal(facts); !why.empty()) GTEST_SKIP() << why;
  if (const Message why = refusal(facts.devices.front()); !why.empty()) GTEST_SKIP() << why;
  const auto& [math, form] = GetParam();
  const auto runtime = make_cuda_runtime(0);
  if (math == Math::kBfloat16 && runtime->properties().compute_capability < kFirstWithBfloat16) {
    GTEST_SKIP() << runtime->properties().name << " does not compute bfloat16";
  }
  const auto library = CudnnLibrary::open(0);
  TrialLog trials(default_plan_folder(), fmt::format("plan check, {}, driver {}, {}", runtime->properties().name,
                                                     runtime->properties().driver, library->version()));
  library->set_trials(&trials);
  const test::PlanReport report = test::check_plans(*runtime, *library, form.problem(math));
  std::printf("%s", report.text.c_str());
  std::fflush(stdout);  // so that it is there if time runs out
  for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
}

INSTANTIATE_TEST_SUITE_P(Small, CudnnOnGpu, testing::Combine(testing::ValuesIn(kMaths), testing::ValuesIn(kForms)),
                         [](const auto& info) {
                           return std::string(kMathNames[static_cast<int>(std::get<0>(info.param))]) + "_" +
                                  std::get<1>(info.param).name;
                         });

TEST(PlanCheck, PassesWhatIsRight) {
  for (const Form& form : kForms) {
    for (const Math math : kMaths) {
      test::HostRuntime runtime;
      test::HostConvolutions library;
      const test::PlanReport report = test::check_plans(runtime, library, form.problem(math));
      EXPECT_THAT(report.failures, IsEmpty()) << form.name;
      EXPECT_THAT(report.text, AllOf(HasSubstr("  host engine 1, 0 bytes of workspace: 0\n"),
                                     HasSubstr("  host engine 2, restored, 4096 bytes of workspace: 0\n")));
    }
  }
}

// A library that is asked for one problem and answers with the plans of another.
class Wrong final : public KernelLibrary {
 public:
  using Change = std::function<void(ConvProblem&)>;
  explicit Wrong(Change change) : change_(std::move(change)) {}

  const std::string& version() const override { return right_.version(); }
  bool fuses(const Activation& activation) const override { return right_.fuses(activation); }
  std::vector<LibraryPlanPtr> plans(const Problem& problem) override { return right_.plans(changed(problem)); }
  LibraryPlanPtr restore(const Problem& problem, const std::string& text) override {
    return right_.restore(changed(problem), text);
  }

 private:
  ConvProblem changed(const Problem& problem) const {
    auto conv = std::get<ConvProblem>(problem);
    change_(conv);
    return conv;
  }

  Change change_;
  test::HostConvolutions right_;
};

TEST(PlanCheck, FindsWhatIsWrong) {
  const auto failures = [](ConvProblem (*form)(Math), const Wrong::Change& change) {
    test::HostRuntime runtime;
    Wrong library(change);
    return test::check_plans(runtime, library, form(Math::kTf32)).failures;
  };
  // Two plans, made and restored, three times on two streams.
  const auto always = AllOf(SizeIs(24), Each(HasSubstr("of the largest value")));
  EXPECT_THAT(failures(test::small_conv, [](ConvProblem& p) { p.bias = false; }), always);
  EXPECT_THAT(failures(test::small_conv, [](ConvProblem& p) { p.activation = Activation::kIdentity; }), always);
  EXPECT_THAT(failures(test::small_conv_with_residual, [](ConvProblem& p) { p.residual = false; }), always);
  const auto half_written = failures(test::small_conv, [](ConvProblem& p) { p.out_channels = 32; });
  EXPECT_THAT(half_written, AllOf(SizeIs(24), Each(HasSubstr("was not written"))));
  // Begins in the middle of a pixel, and goes on into the next one's other half.
  const auto outside = failures(test::small_conv_into_slice, [](ConvProblem& p) { p.y.pitch = 64; });
  EXPECT_THAT(outside, AllOf(SizeIs(24), Each(HasSubstr("not y's, became"))));
}

TEST(PlanCheck, GoesOnAfterAPlanThatThrows) {
  test::HostRuntime runtime;
  Wrong library([](ConvProblem& p) { p.batch = 1000; });  // reads and writes outside of memory
  const auto failures = test::check_plans(runtime, library, test::small_conv(Math::kHalf)).failures;
  EXPECT_THAT(failures, AllOf(SizeIs(4), Each(HasSubstr("host engine"))));
  EXPECT_THAT(failures, Contains(HasSubstr("host engine 2, restored: ")));
}

TEST(PlanCheck, LeavesOutWhatEndedAnEarlierRun) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "plan_check_test";
  std::filesystem::remove_all(folder);
  const ConvProblem problem = test::small_conv(Math::kTf32);
  test::HostConvolutions library;
  std::string name;
  {  // the GPU is lost in the second plan
    TrialLog log(folder, "key");
    library.set_trials(&log);
    const auto plans = library.plans(problem);
    name = plans[1]->name();
    log.begin(fmt::format("check {}: {}", key_of(problem), name));
  }
  TrialLog log(folder, "key");
  EXPECT_EQ(log.known(), 1U);
  library.set_trials(&log);
  test::HostRuntime runtime;
  const auto report = test::check_plans(runtime, library, problem);
  EXPECT_THAT(report.failures, IsEmpty());
  EXPECT_THAT(report.text, AllOf(HasSubstr(name + ": left out"), HasSubstr("host engine 1, 0 bytes")));
  std::filesystem::remove_all(folder);
}

TEST(PlanCheck, FindsThatThereAreNoPlans) {
  test::HostRuntime runtime;
  test::HostConvolutions library({.residuals = false});
  const auto report = test::check_plans(runtime, library, test::small_conv_with_residual(Math::kTf32));
  EXPECT_THAT(report.failures, ElementsAre("no plans"));
}

}  // namespace

}  // namespace iosx::gpu
