// Plans of the engines that cuDNN compiles when it builds them, for the convolutions of six networks. They need a
// driver to be built, kept and restored; one that runs nothing is enough.
#include <dlfcn.h>
#include <unistd.h>

#include "core/model/schedule/baselines.h"
#include "gpu/device/gpu_device.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/way.h"
#include "gpu/ops/conv/compiled_settings.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"
#include "models/networks/zoo.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNoTensor = 1024;  // bytes: a workspace that is smaller holds no copy of one

using Problems = std::map<std::string, ConvProblem>;  // by key

// Returns the driver library made up for tests, in the place of the system's: what looks for libcuda.so.1 later is
// given the one that is loaded.
void* made_up_driver() {
  static void* const library = dlopen(IOS_MADE_UP_DRIVER, RTLD_NOW | RTLD_GLOBAL);
  return library;
}

// Returns how many compiled kernels cuDNN has had loaded in this process.
int images_loaded() {
  const auto count = reinterpret_cast<int (*)()>(dlsym(made_up_driver(), "made_up_images"));
  return count();
}

// Returns the name of the kernel that was loaded last.
std::string kernel_loaded() {
  const auto name = reinterpret_cast<const char* (*)()>(dlsym(made_up_driver(), "made_up_kernel"));
  return name();
}

// Returns the convolutions of the sequential and of the greedy schedule, as this GPU's device lowers them.
Problems problems_of(const std::string& network, Math math) {
  const Graph graph = zoo_network(network).value();
  Properties properties{.compute_capability = machine().capability};
  const LowerOptions wishes = gpu_device_info(properties, 0, math, "").lowering;
  Problems problems;
  for (const Schedule& schedule : {sequential_schedule(graph), greedy_schedule(graph)}) {
    for (const ConvProblem& problem : conv_problems(lower(graph, schedule, 1, wishes), math)) {
      problems.emplace(key_of(problem), problem);
    }
  }
  return problems;
}

bool is_slice(const ConvProblem& problem) {
  return problem.x.pitch != problem.channels || problem.y.pitch != problem.out_channels;
}

// Returns the same of tensors that are slices of ones with twice as many channels.
ConvProblem sliced(ConvProblem problem) {
  for (PixelLayout* layout : {&problem.x, &problem.y, &problem.z}) layout->pitch *= 2;
  return problem;
}

// Returns the smallest and the largest convolution, as they are and sliced.
Problems sample_of(const Problems& problems) {
  const auto multiply_adds = [](const auto& entry) {
    const ConvProblem& problem = entry.second;
    return problem.output.height * problem.output.width * problem.out_channels * problem.channels / problem.groups *
           problem.kernel.height * problem.kernel.width;
  };
  Problems sample;
  for (const auto& one :
       {std::ranges::min_element(problems, {}, multiply_adds), std::ranges::max_element(problems, {}, multiply_adds)}) {
    for (const ConvProblem& problem : {one->second, sliced(one->second)}) sample.emplace(key_of(problem), problem);
  }
  return sample;
}

// Builds a plan of the first engine that is compiled, or else the first plan that can be built; null without any.
std::shared_ptr<const CudnnPlan> first_plan(const ConvProblem& problem, std::shared_ptr<const CudnnTarget> target) {
  const auto graph = std::make_shared<const CudnnGraph>(problem, target->handle());
  std::string refusal;
  std::vector<EngineChoice> choices = proposed_engines(*graph, *target, refusal);
  std::erase_if(choices, [&](const EngineChoice& choice) { return !keeps_promise(choice.notes, problem.math); });
  std::stable_partition(choices.begin(), choices.end(),
                        [](const EngineChoice& choice) { return choice.notes.runtime_compiled; });
  for (EngineChoice& choice : choices) {
    const bool compiled = choice.notes.runtime_compiled;
    try {
      return std::make_shared<const CudnnPlan>(problem, std::move(choice), graph, target);
    } catch (const GpuError& error) {
      EXPECT_FALSE(compiled) << key_of(problem) << ": " << error.what();
    }
  }
  return nullptr;
}

// Returns "engine 52, tensor cores, runtime compiled": the plan's name without the hash of its knobs.
std::string engine_of(const CudnnPlan& plan) {
  std::string name = plan.name();
  const std::size_t hash = name.find(" (");
  name.erase(hash, name.find(')') + 1 - hash);
  return name.substr(name.find("engine"));
}

// Returns what of a plan must not depend on the process.
std::string identity_of(const LibraryPlan& plan) {
  return fmt::format("{}, workspace {}", plan.name(), plan.workspace_bytes());
}

std::string name_of(Math math) {
  constexpr std::array kNames{"tf32", "strict", "half", "bfloat16"};
  return kNames[static_cast<std::size_t>(math)];
}

// Says what another process restores of the plans that are kept in the folder: this program, see main().
std::string restored_elsewhere(const fs::path& folder, const std::string& network, Math math) {
  const std::string command = fmt::format("'{}' --restore '{}' {} {}", fs::read_symlink("/proc/self/exe").string(),
                                          folder.string(), network, static_cast<int>(math));
  std::string said;
  FILE* const process = popen(command.c_str(), "r");
  if (process == nullptr) return "";
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), process) != nullptr) said += line.data();
  return pclose(process) == 0 ? said : "failed: " + said;
}

struct Restored {
  int same = 0;
  int others = 0;
};

Restored restore(const fs::path& folder, const Problems& problems) {
  const auto library = CudnnLibrary::described(description(machine()));
  const PlanStore store(folder, description(machine()));
  Restored restored;
  for (const auto& [key, problem] : problems) {
    const std::vector<PlanStore::Way>* const ways = store.ways(key);
    if (ways == nullptr || ways->empty()) continue;
    const LibraryPlanPtr plan = library->restore(problem, ways->front().plan);
    const bool same =
        plan != nullptr && plan->serialised() == ways->front().plan && identity_of(*plan) == ways->front().name;
    if (!same) std::printf("not as it was: %s, %s\n", key.c_str(), ways->front().name.c_str());
    ++(same ? restored.same : restored.others);
  }
  return restored;
}

class CompiledPlans : public testing::TestWithParam<std::tuple<const char*, Math>> {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    if (dlopen(IOS_NVRTC, RTLD_LAZY | RTLD_NODELETE) == nullptr) GTEST_SKIP() << "no run-time compiler: " << dlerror();
  }
  void TearDown() override { fs::remove_all(folder_); }

  Problems problems() const { return problems_of(network_, math_); }

  // Builds a plan for each of the problems, looks at it, and has another process restore it.
  void build_keep_and_restore(const Problems& problems) {
    std::map<std::string, int> engines;
    int slices = 0;
    int kept = 0;
    PlanStore store(folder_, description(machine()));
    for (const auto& [key, problem] : problems) {
      slices += is_slice(problem) ? 1 : 0;
      const auto plan = checked_plan(key, problem);
      ++engines[plan == nullptr ? "none" : engine_of(*plan)];
      if (plan == nullptr) continue;
      store.set_ways(key, {{identity_of(*plan), plan->serialised(), Millis(1)}});
      ++kept;
    }
    store.save();
    const std::string said = restored_elsewhere(folder_, network_, math_);
    EXPECT_EQ(said, fmt::format("{} plans as they were, kernels loaded: {}\n", kept, compiled_ > 0));
    std::printf("%s, %s, %s: %zu convolutions, %d of slices;", machine().name, network_.c_str(), name_of(math_).c_str(),
                problems.size(), slices);
    for (const auto& [engine, count] : engines) std::printf(" %d %s;", count, engine.c_str());
    std::printf(" in another process %s", said.c_str());
  }

  std::shared_ptr<const CudnnPlan> checked_plan(const std::string& key, const ConvProblem& problem) {
    const int images = images_loaded();
    auto plan = first_plan(problem, target_);
    if (plan == nullptr) {
      ConvProblem apart = problem;
      apart.before = Activation::kIdentity;
      const bool depthwise = problem.groups == problem.channels;
      EXPECT_TRUE(depthwise || (apart != problem && first_plan(apart, target_) != nullptr))
          << key << ": a kernel of ours is only for depthwise ones";
      return nullptr;
    }
    EXPECT_GE(plan->workspace_bytes(), 0) << key;
    EXPECT_FALSE(plan->serialised().empty()) << key;
    if (plan->compiled()) {
      ++compiled_;
      EXPECT_GT(images_loaded(), images) << key << ": no kernel was compiled";
      EXPECT_LT(plan->workspace_bytes(), kNoTensor) << key << ": it copies a tensor";
    } else {
      EXPECT_LT(plan->workspace_bytes(), std::int64_t{4} << 30) << key;
    }
    return plan;
  }

  std::string network_ = std::get<0>(GetParam());
  Math math_ = std::get<1>(GetParam());
  std::shared_ptr<const CudnnTarget> target_ = CudnnTarget::described(description(machine()));
  int compiled_ = 0;
  fs::path folder_ = fs::path(testing::TempDir()) /
                     fmt::format("made-up-{}-{}-{}-{}", machine().id, network_, name_of(math_), getpid());
};

// With TF32 cuDNN 9.19 has a compiled engine for every one of them, but before Ampere.
TEST_P(CompiledPlans, OfEveryConvolution) {
  if (network_ != "squeezenet" && std::getenv("IOS_EVERY_CONVOLUTION") == nullptr) {
    GTEST_SKIP() << "cuDNN compiles for minutes; IOS_EVERY_CONVOLUTION=1 does it";
  }
  build_keep_and_restore(problems());
  if (machine().capability >= 80 && cudnn_version() == kKnownVersion) {
    EXPECT_EQ(compiled_, static_cast<int>(problems().size()));
  }
}

std::string name_of_case(const testing::TestParamInfo<CompiledPlans::ParamType>& info) {
  return fmt::format("{}_{}", std::get<0>(info.param), name_of(std::get<1>(info.param)));
}

// They are in an order in which two that run at the same time take equally long.
INSTANTIATE_TEST_SUITE_P(SixNetworks, CompiledPlans,
                         testing::Combine(testing::Values("nasnet", "googlenet", "resnet50", "inception_v3",
                                                          "squeezenet", "randwire"),
                                          testing::Values(Math::kTf32)),
                         name_of_case);

class CompiledPlansOfASample : public CompiledPlans {};

TEST_P(CompiledPlansOfASample, OfSlicesToo) {
  if (math_ == Math::kBfloat16 && machine().capability < 80) GTEST_SKIP() << machine().name << " has no bfloat16";
  build_keep_and_restore(sample_of(problems()));
  EXPECT_EQ(compiled_ > 0, machine().capability >= 80);
}

INSTANTIATE_TEST_SUITE_P(SixNetworks, CompiledPlansOfASample,
                         testing::Values(std::tuple("nasnet", Math::kTf32), std::tuple("googlenet", Math::kHalf),
                                         std::tuple("resnet50", Math::kBfloat16),
                                         std::tuple("inception_v3", Math::kHalf), std::tuple("squeezenet", Math::kTf32),
                                         std::tuple("randwire", Math::kHalf)),
                         name_of_case);

// Returns the matrix products of a network, as this GPU's device lowers it, also those of attention.
std::map<std::string, MatMulProblem> products_of(const std::string& network, Math math) {
  const Graph graph = zoo_network(network).value();
  Properties properties{.compute_capability = machine().capability};
  LowerOptions wishes = gpu_device_info(properties, 0, math, "").lowering;
  wishes.fuse_attention = false;
  std::map<std::string, MatMulProblem> products;
  for (const auto& problem : problems_by_kernel(lower(graph, sequential_schedule(graph), 1, wishes), math)) {
    if (!problem) continue;
    if (const auto* const product = std::get_if<MatMulProblem>(&*problem)) products.emplace(key_of(*product), *product);
  }
  return products;
}

class CompiledProducts : public testing::TestWithParam<std::tuple<const char*, Math>> {};

// Only compiled engines with tensor cores multiply activations. Elsewhere our kernel does.
TEST_P(CompiledProducts, NeedNoCopiesAndAreRestored) {
  const auto [network, math] = GetParam();
  if (dlopen(IOS_NVRTC, RTLD_LAZY | RTLD_NODELETE) == nullptr) GTEST_SKIP() << "no run-time compiler: " << dlerror();
  const auto products = products_of(network, math);
  ASSERT_FALSE(products.empty());
  const bool none = math == Math::kStrict || (math == Math::kTf32 && machine().capability < 80);
  const auto seen = [](const MatMulProblem& product) {
    return (product.a.batch > 0 && product.a.batch < product.a.row) || product.b.row == 1;
  };
  EXPECT_EQ(std::ranges::any_of(products, [&](const auto& entry) { return seen(entry.second); }), !none)
      << "heads between others, or a key that nobody turned";
  const auto library = CudnnLibrary::described(description(machine()));
  for (const auto& [key, product] : products) {
    const std::vector<LibraryPlanPtr> plans = library->plans(product);
    EXPECT_EQ(plans.empty(), none) << key << ": " << library->refusal();
    const auto in_place = [](const LibraryPlanPtr& plan) { return plan->workspace_bytes() < kNoTensor; };
    EXPECT_EQ(std::ranges::any_of(plans, in_place), !none) << "others keep sums of split tiles";
    for (const LibraryPlanPtr& plan : plans) {
      EXPECT_TRUE(plan->compiled()) << plan->name();
      EXPECT_THAT(plan->name(), HasSubstr("tensor cores")) << key;
      EXPECT_EQ(plan->problem(), Problem(product));
      const LibraryPlanPtr again = library->restore(product, plan->serialised());
      ASSERT_NE(again, nullptr) << key;
      EXPECT_EQ(identity_of(*again), identity_of(*plan));
      MatMulProblem other = product;
      other.rows += 1;
      EXPECT_EQ(library->restore(other, plan->serialised()), nullptr) << "a plan serves its own problem only";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Transformers, CompiledProducts,
                         testing::Values(std::tuple("parallel_vit_s16", Math::kTf32),
                                         std::tuple("bert_base", Math::kHalf), std::tuple("vit_b16", Math::kStrict)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param), name_of(std::get<1>(info.param)));
                         });

// Returns the attention of a network, as this GPU's device lowers it.
std::map<std::string, AttentionProblem> attentions_of(const std::string& network, Math math) {
  const Graph graph = zoo_network(network).value();
  Properties properties{.compute_capability = machine().capability};
  const LowerOptions wishes = gpu_device_info(properties, 0, math, "").lowering;
  std::map<std::string, AttentionProblem> found;
  for (const auto& problem : problems_by_kernel(lower(graph, sequential_schedule(graph), 1, wishes), math)) {
    if (!problem) continue;
    if (const auto* const one = std::get_if<AttentionProblem>(&*problem)) found.emplace(key_of(*one), *one);
  }
  return found;
}

class CompiledAttention : public CompiledProducts {};

// In strict float32 keys are turned, so it is computed in steps there.
TEST_P(CompiledAttention, IsBuiltAndRestored) {
  const auto [network, math] = GetParam();
  if (dlopen(IOS_NVRTC, RTLD_LAZY | RTLD_NODELETE) == nullptr) GTEST_SKIP() << "no run-time compiler: " << dlerror();
  const auto problems = attentions_of(network, math);
  ASSERT_EQ(problems.size(), 1U);
  const AttentionProblem& problem = problems.begin()->second;
  const bool none = math == Math::kStrict || machine().capability < 80;
  const auto library = CudnnLibrary::described(description(machine()), {.runtime_compiled = 2});
  const int images = images_loaded();
  const std::vector<LibraryPlanPtr> plans = library->plans(problem);
  EXPECT_EQ(plans.empty(), none) << library->refusal();
  EXPECT_EQ(images_loaded() > images, !none);
  for (const LibraryPlanPtr& plan : plans) {
    EXPECT_TRUE(plan->compiled()) << plan->name();
    EXPECT_EQ(plan->name().find("tensor cores") == std::string::npos, math == Math::kTf32)
        << "float32 is multiplied on CUDA cores: " << plan->name();
    EXPECT_LT(plan->workspace_bytes(), 1 << 20) << plan->name();
    const LibraryPlanPtr again = CudnnLibrary::described(description(machine()))->restore(problem, plan->serialised());
    ASSERT_NE(again, nullptr) << plan->name();
    EXPECT_EQ(identity_of(*again), identity_of(*plan));
    AttentionProblem other = problem;
    other.scale *= 2;
    EXPECT_EQ(library->restore(other, plan->serialised()), nullptr) << "a plan serves its own problem only";
    std::printf("%s, %s: %s, %lld bytes\n", machine().name, network, plan->name().c_str(),
                static_cast<long long>(plan->workspace_bytes()));
  }
  const std::vector<Way> ways = candidate_ways(problem, *library);
  EXPECT_EQ(ways.size(), plans.size() + 1);
  EXPECT_EQ(ways.back().kind, Way::Kind::kSteps);
}

INSTANTIATE_TEST_SUITE_P(Transformers, CompiledAttention,
                         testing::Values(std::tuple("parallel_vit_s16", Math::kTf32),
                                         std::tuple("bert_base", Math::kHalf), std::tuple("vit_b16", Math::kStrict)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param), name_of(std::get<1>(info.param)));
                         });

// cuDNN would read 16 bytes at once nevertheless.
TEST(CompiledAttentionLayouts, ThatCannotBeReadAreRefused) {
  if (machine().capability < 80) GTEST_SKIP() << machine().name << " has no attention";
  const auto library = CudnnLibrary::described(description(machine()), {.runtime_compiled = 1});
  const AttentionProblem problem = attentions_of("vit_b16", Math::kTf32).begin()->second;
  ASSERT_EQ(library->plans(problem).size(), 1U);
  const auto refused = [&](const auto& change) {
    AttentionProblem other = problem;
    change(other);
    return library->plans(other).empty();
  };
  EXPECT_TRUE(refused([](AttentionProblem& p) { p.scores.a.alignment = 4; }));
  EXPECT_TRUE(refused([](AttentionProblem& p) { p.context.y.alignment = 8; }));
  EXPECT_TRUE(refused([](AttentionProblem& p) { std::swap(p.scores.b.row, p.scores.b.column); })) << "turned keys";
  EXPECT_TRUE(refused([](AttentionProblem& p) { p.scores.depth = 60; }));
  EXPECT_TRUE(refused([](AttentionProblem& p) { p.scale = -0.125F; }));
  EXPECT_TRUE(refused([](AttentionProblem& p) { p.scores.b.batch = 0; })) << "keys that heads share";
}

// A convolution of HRNet's: its channels fill no 16 bytes, so the precompiled engines copy them or have no tensor
// cores.
ConvProblem odd_channels(Activation activation = Activation::kRelu, Math math = Math::kTf32) {
  ConvProblem problem = conv3x3(math);
  problem.channels = problem.out_channels = 18;
  problem.input = problem.output = {56, 56};
  problem.x = problem.y = dense_layout(18, math);
  problem.activation = activation;
  return problem;
}

// Tests settings that cuDNN does not propose itself.
class CompiledSettingsOfASample : public testing::Test {
 protected:
  void SetUp() override {
    if (dlopen(IOS_NVRTC, RTLD_LAZY | RTLD_NODELETE) == nullptr) GTEST_SKIP() << "no run-time compiler: " << dlerror();
    if (machine().capability < 80) GTEST_SKIP() << machine().name << " has no such engine";
    if (cudnn_version() != kKnownVersion) GTEST_SKIP() << "facts of " << kKnownVersion;
  }

  // Builds all plans of the problem and returns the compiled ones. Another library restores them.
  std::vector<LibraryPlanPtr> compiled_plans(const ConvProblem& problem, const PlanLimits& limits = {}) {
    std::vector<LibraryPlanPtr> plans = CudnnLibrary::described(description(machine()), limits)->plans(problem);
    std::erase_if(plans, [](const LibraryPlanPtr& plan) { return !plan->compiled(); });
    const auto other = CudnnLibrary::described(description(machine()));
    std::set<std::string> names;
    for (const LibraryPlanPtr& plan : plans) {
      EXPECT_TRUE(names.insert(plan->name()).second) << plan->name();
      const LibraryPlanPtr restored = other->restore(problem, plan->serialised());
      EXPECT_TRUE(restored != nullptr && restored->name() == plan->name() &&
                  restored->workspace_bytes() == plan->workspace_bytes())
          << plan->name();
    }
    return plans;
  }

  std::shared_ptr<const CudnnTarget> target_ = CudnnTarget::described(description(machine()));
};

// The tile that the table names is in the kernel's name.
TEST_F(CompiledSettingsOfASample, BuildAsTheTableSays) {
  const ConvProblem problem = odd_channels();
  const auto graph = std::make_shared<const CudnnGraph>(problem, target_->handle());
  std::string refusal;
  std::vector<EngineChoice> proposed = proposed_engines(*graph, *target_, refusal);
  std::erase_if(proposed, [](const EngineChoice& choice) { return !choice.notes.runtime_compiled; });
  ASSERT_EQ(proposed.size(), 1U);
  for (const CompiledTile& tile : compiled_engine(cudnn_version(), 41)->tiles) {
    const std::array knobs{Knob{CUDNN_KNOB_TYPE_KERNEL_CFG, tile.setting}};
    EngineChoice choice = choose_engine(*graph, *target_, proposed[0].engine, knobs);
    EXPECT_EQ(choice.knobs, fmt::format("24={}", tile.setting));
    EXPECT_TRUE(choice.notes.tensor_cores && keeps_promise(choice.notes, problem.math));
    const CudnnPlan plan(problem, std::move(choice), graph, target_);
    EXPECT_LT(plan.workspace_bytes(), kNoTensor);
    EXPECT_THAT(kernel_loaded(), HasSubstr(fmt::format("_{}_{}x{}x", tile.setting, tile.pixels, tile.channels)));
  }
  const std::array unknown{Knob{CUDNN_KNOB_TYPE_KERNEL_CFG, 42}};
  EXPECT_THROW(choose_engine(*graph, *target_, proposed[0].engine, unknown), GpuError);
}

// A split kernel keeps one sum of every tile in the workspace: the table's first number counts pixels.
TEST_F(CompiledSettingsOfASample, KeepSumsOfSplitTiles) {
  const ConvProblem problem = odd_channels();
  const auto graph = std::make_shared<const CudnnGraph>(problem, target_->handle());
  std::string refusal;
  const std::int64_t engine = proposed_engines(*graph, *target_, refusal).back().engine;
  const std::array knobs{Knob{CUDNN_KNOB_TYPE_KERNEL_CFG, 25}, Knob{CUDNN_KNOB_TYPE_SPLIT_K_SLC, 2}};
  const CudnnPlan plan(problem, choose_engine(*graph, *target_, engine, knobs), graph, target_);
  const std::int64_t tiles = (56 * 56 + 127) / 128;
  EXPECT_GE(plan.workspace_bytes(), tiles * 128 * 32 * 4);
  EXPECT_LT(plan.workspace_bytes(), tiles * 128 * 32 * 4 + kNoTensor);
}

TEST_F(CompiledSettingsOfASample, AreTriedForChannelsThatFillNoVector) {
  EXPECT_EQ(compiled_plans(odd_channels()).size(), PlanLimits{}.runtime_compiled);
}

TEST_F(CompiledSettingsOfASample, AreTriedForSlices) {
  const std::vector<LibraryPlanPtr> plans = compiled_plans(sliced(conv3x3(Math::kHalf)), {.runtime_compiled = 3});
  ASSERT_EQ(plans.size(), 3U);
  const auto in_place = [](const LibraryPlanPtr& plan) { return plan->workspace_bytes() < kNoTensor; };
  EXPECT_GE(std::ranges::count_if(plans, in_place), 2) << "the third may keep sums of split tiles";
}

TEST_F(CompiledSettingsOfASample, AreTriedForOtherActivations) {
  for (const Activation& activation :
       {Activation::kSwish, Activation{ActivationKind::kGelu}, Activation{ActivationKind::kGeluTanh}}) {
    const std::vector<LibraryPlanPtr> plans = compiled_plans(odd_channels(activation), {.runtime_compiled = 3});
    EXPECT_EQ(plans.size(), 3U) << activation_name(activation);
    for (const LibraryPlanPtr& plan : plans) EXPECT_THAT(plan->name(), HasSubstr("tensor cores"));
  }
}

// They apply a function as they load; others need it in memory.
TEST_F(CompiledSettingsOfASample, AreTriedForFunctionsOfTheInput) {
  for (const Activation& before : {Activation::kRelu, Activation{ActivationKind::kClip, 0, 6}}) {
    ConvProblem problem = conv3x3(Math::kTf32);
    problem.kernel = {1, 1};
    problem.padding = problem.padding_end = {0, 0};
    problem.before = before;
    const std::vector<LibraryPlanPtr> plans = compiled_plans(problem, {.runtime_compiled = 3});
    ASSERT_EQ(plans.size(), 3U) << activation_name(before);
    for (const LibraryPlanPtr& plan : plans) EXPECT_THAT(plan->name(), HasSubstr("tensor cores"));
    EXPECT_LT(plans.front()->workspace_bytes(), kNoTensor);
    const auto library = CudnnLibrary::described(description(machine()), {.runtime_compiled = 1});
    const std::vector<Way> ways = candidate_ways(problem, *library);
    EXPECT_TRUE(ways.front().plan->compiled() && !ways.front().dense_input);
    const auto apart = [](const Way& way) { return way.dense_input && !way.plan->compiled(); };
    EXPECT_TRUE(std::ranges::all_of(ways.begin() + 1, ways.end(), apart));
    EXPECT_GT(ways.size(), 1U);
  }
}

TEST_F(CompiledSettingsOfASample, AreNotTriedWithoutNeed) {
  const int images = images_loaded();
  EXPECT_THAT(compiled_plans(conv3x3(Math::kHalf)), IsEmpty());
  EXPECT_THAT(compiled_plans(odd_channels(), {.runtime_compiled = 0}), IsEmpty());
  EXPECT_EQ(images_loaded(), images);
}

// The driver looks at what it is given: it takes no kernel that was compiled for another generation.
TEST(MadeUpDriver, RefusesKernelsOfAnotherGpu) {
  const auto target = CudnnTarget::described(description(chip(machine().id == "A100" ? "H100" : "A100")));
  const ConvProblem problem = conv3x3(Math::kHalf);
  const auto graph = std::make_shared<const CudnnGraph>(problem, target->handle());
  std::string refusal;
  int refused = 0;
  const int before = images_loaded();
  for (EngineChoice& choice : proposed_engines(*graph, *target, refusal)) {
    if (!choice.notes.runtime_compiled || ++refused > 1) continue;
    EXPECT_THROW(CudnnPlan(problem, std::move(choice), graph, target), GpuError);
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(images_loaded(), before);
}

}  // namespace
}  // namespace iosx::gpu::test

// `gpu_driver_test --restore FOLDER NETWORK MATH` is the second process.
int main(int argc, char** argv) {
  using namespace iosx::gpu;
  using namespace iosx::gpu::test;
  if (made_up_driver() == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  if (argc == 5 && std::string_view(argv[1]) == "--restore") {
    Problems problems = problems_of(argv[3], static_cast<Math>(std::atoi(argv[4])));
    problems.merge(sample_of(problems));
    const Restored restored = restore(argv[2], problems);
    std::printf("%d plans as they were, kernels loaded: %s\n", restored.same, images_loaded() > 0 ? "true" : "false");
    return restored.others > 0 ? 1 : 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
