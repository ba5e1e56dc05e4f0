// What cuDNN proposes for GPUs that are only described.

#include "gpu/ops/conv/cudnn_library.h"
#include "core/model/schedule/baselines.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/way.h"
#include "gpu/runtime/errors.h"
#include "models/networks/zoo.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu {
namespace {

constexpr Math kMaths[] = {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16};

std::vector<std::string> names(const std::vector<LibraryPlanPtr>& plans) {
  return mapped<std::string>(plans, [](const LibraryPlanPtr& plan) { return plan->name(); });
}

bool on_tensor_cores(const LibraryPlan& plan) { return plan.name().find("tensor cores") != std::string::npos; }

// The first that runs on the tensor cores; fails the test if there is none.
std::int64_t tensor_core_workspace(const std::vector<LibraryPlanPtr>& plans) {
  for (const LibraryPlanPtr& plan : plans) {
    if (on_tensor_cores(*plan)) return plan->workspace_bytes();
  }
  ADD_FAILURE() << "no plan on the tensor cores";
  return -1;
}

class Library : public testing::Test {
 protected:
  std::unique_ptr<CudnnLibrary> h200_ = CudnnLibrary::described(test::h200());
  bool known_ = h200_->version() == test::kKnownVersion;
};

TEST_F(Library, SaysItsVersion) { EXPECT_THAT(h200_->version(), StartsWith("cuDNN 9.")); }

TEST_F(Library, RefusesADescriptionThatIsNone) {
  EXPECT_THROW(CudnnLibrary::described("{"), GpuError);
  EXPECT_THROW(CudnnLibrary::described(""), GpuError);
}

TEST_F(Library, DescriptionsCanBeReadBack) {
  Descriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  properties.set_all<char>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, test::a100());
  properties.finalize();
  const std::string text = properties.text(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION);
  EXPECT_EQ(nlohmann::json::parse(text).at("deviceName"), "NVIDIA A100-SXM4-80GB");
}

TEST_F(Library, PlansOfAProblemHaveNamesOfTheirOwn) {
  for (const Math math : kMaths) {
    const auto plans = h200_->plans(test::conv3x3(math));
    const auto all = names(plans);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    EXPECT_LE(all.size(), PlanLimits{}.plans);
    EXPECT_EQ(names(h200_->plans(test::conv3x3(math))), all) << "the same again";
    for (const LibraryPlanPtr& plan : plans) EXPECT_EQ(plan->problem(), Problem(test::conv3x3(math)));
  }
}

TEST_F(Library, TellsSharedMemoryWhereTheLibraryDoes) {
  int told = 0;
  const auto plans = h200_->plans(test::conv3x3(Math::kTf32));
  for (const auto& plan : plans) {
    EXPECT_GE(plan->shared_bytes(), 0);
    EXPECT_LE(plan->shared_bytes(), 228 << 10) << plan->name();
    told += plan->shared_bytes() > 0 ? 1 : 0;
  }
  std::printf("  %d of %zu plans\n", told, plans.size());
}

TEST_F(Library, EveryEngineIsThereBeforeFurtherSettingsOfAnother) {
  const ConvProblem problem = test::conv3x3(Math::kTf32);
  const CudnnGraph graph(problem, nullptr);
  std::string refusal;
  std::set<std::int64_t> engines;
  for (const EngineChoice& choice : proposed_engines(graph, *CudnnTarget::described(test::h200()), refusal)) {
    if (!choice.notes.runtime_compiled) engines.insert(choice.engine);
  }
  const PlanLimits limits{.plans = engines.size(), .runtime_compiled = 0};
  std::set<std::string> listed;
  for (const std::string& name : names(CudnnLibrary::described(test::h200(), limits)->plans(problem))) {
    listed.insert(name.substr(0, name.find(" (")));
  }
  EXPECT_EQ(listed.size(), engines.size());
}

TEST_F(Library, AQuickAnswerIsOneOfThePlans) {
  const auto quick = CudnnLibrary::described(test::h200());
  quick->set_effort(Effort::kQuick);
  for (const Math math : kMaths) {
    const auto one = names(quick->plans(test::conv3x3(math)));
    ASSERT_EQ(one.size(), 1U);
    EXPECT_THAT(names(h200_->plans(test::conv3x3(math))), Contains(one[0]));
  }
}

TEST_F(Library, StrictMathStaysOffTheTensorCores) {
  EXPECT_THAT(names(h200_->plans(test::conv3x3(Math::kStrict))), Each(Not(HasSubstr("tensor cores"))));
  EXPECT_TRUE(on_tensor_cores(*h200_->plans(test::conv3x3(Math::kTf32)).at(0)));
}

TEST(EngineNotes, EachMathKeepsItsPromise) {
  EXPECT_TRUE(keeps_promise({}, Math::kStrict));
  const EngineNotes tensor_cores{.tensor_cores = true};
  const EngineNotes transforms{.transforms = true};
  for (const EngineNotes& notes : {tensor_cores, transforms}) {
    EXPECT_FALSE(keeps_promise(notes, Math::kStrict));
    EXPECT_TRUE(keeps_promise(notes, Math::kTf32));
  }
  EXPECT_TRUE(keeps_promise(tensor_cores, Math::kHalf));
  EXPECT_FALSE(keeps_promise(transforms, Math::kHalf));
  EXPECT_FALSE(keeps_promise(transforms, Math::kBfloat16));
  for (const Math math : kMaths) {
    EXPECT_FALSE(keeps_promise({.reduced_sums = true}, math));
    EXPECT_FALSE(keeps_promise({.converts_inputs = true}, math));
    EXPECT_FALSE(keeps_promise({.nondeterministic = true}, math));
    EXPECT_FALSE(keeps_promise({.reordered_weights = true}, math));
  }
}

TEST_F(Library, TakesSlicesOfAnyAlignment) {
  for (const Math math : kMaths) {
    const std::int64_t bytes = bytes_of(data_type(math));
    for (const PixelLayout& slice : {PixelLayout{768, 16}, PixelLayout{770, 2 * bytes}, PixelLayout{769, bytes}}) {
      ConvProblem x = test::conv3x3(math);
      x.x = slice;
      ConvProblem y = test::conv3x3(math);
      y.y = slice;
      ConvProblem both = x;
      both.y = slice;
      for (const ConvProblem& problem : {x, y, both}) {
        EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
      }
    }
  }
}

TEST_F(Library, TakesOddChannels) {
  for (const Math math : kMaths) {
    const std::int64_t bytes = bytes_of(data_type(math));
    ConvProblem problem = test::conv3x3(math);
    problem.channels = 35;
    problem.x = {77, bytes};
    problem.out_channels = 33;
    problem.y = {70, bytes};
    EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
  }
}

TEST_F(Library, TakesBatchesStridesDilationAndUnequalPaddings) {
  for (const Math math : kMaths) {
    ConvProblem batch = test::conv3x3(math);
    batch.batch = 32;
    ConvProblem same = test::conv3x3(math);  // TensorFlow's "same" with stride 2
    same.stride = {2, 2};
    same.padding = {0, 0};
    same.output = {4, 4};
    ConvProblem unequal = test::conv3x3(math);
    unequal.kernel = {2, 4};
    unequal.padding = {0, 1};
    unequal.padding_end = {1, 2};
    ConvProblem negative = test::conv3x3(math);
    negative.padding_end = {-1, -2};
    negative.output = {6, 5};
    ConvProblem dilated = test::conv3x3(math);
    dilated.dilation = {2, 2};
    dilated.padding = dilated.padding_end = {2, 2};
    for (const ConvProblem& problem : {batch, same, unequal, negative, dilated}) {
      EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
    }
  }
}

TEST_F(Library, TakesGroupsAndDepthwise) {
  for (const Math math : kMaths) {
    for (const std::int64_t groups : {32, 384}) {
      ConvProblem problem = test::conv3x3(math);
      problem.groups = groups;
      EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
    }
  }
}

TEST_F(Library, TakesTransposedConvolutionsWithNothingFused) {
  for (const Math math : kMaths) {
    ConvProblem plain = test::transposed3x3(math);
    ConvProblem padded = plain;
    padded.output = {16, 16};
    ConvProblem slice = plain;
    slice.y = {768, 16};
    ConvProblem grouped = plain;
    grouped.groups = 4;
    grouped.out_channels = 96;
    grouped.y = {96, 16};
    for (const ConvProblem& problem : {plain, padded, slice, grouped}) {
      EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
    }
    plain.bias = true;
    EXPECT_THAT(h200_->plans(plain), IsEmpty());
  }
}

TEST_F(Library, TakesLinearLayers) {
  for (const Math math : kMaths) {
    for (const std::int64_t batch : {1, 32}) {
      ConvProblem problem = test::conv3x3(math);
      problem.batch = batch;
      problem.input = problem.output = problem.kernel = {1, 1};
      problem.padding = problem.padding_end = {0, 0};
      problem.out_channels = 1000;
      problem.y = {1000, 16};
      problem.activation = Activation::kIdentity;
      EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
    }
  }
}

TEST_F(Library, ResidualsMustLieAsTheOutputDoes) {
  for (const Math math : kMaths) {
    ConvProblem problem = test::conv3x3(math);
    problem.residual = true;
    problem.z = {384, 16};
    EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
    problem.y = problem.z = {768, 16};
    EXPECT_THAT(h200_->plans(problem), Not(IsEmpty())) << key_of(problem);
    problem.z = {384, 16};
    if (known_) {
      EXPECT_THAT(names(h200_->plans(problem)), Each(HasSubstr("runtime compiled"))) << key_of(problem);
    }
  }
}

TEST_F(Library, OtherGenerations) {
  const auto a100 = CudnnLibrary::described(test::a100());
  const auto t4 = CudnnLibrary::described(test::t4());
  for (const Math math : kMaths) EXPECT_THAT(a100->plans(test::conv3x3(math)), Not(IsEmpty()));
  EXPECT_TRUE(on_tensor_cores(*a100->plans(test::conv3x3(Math::kTf32)).at(0)));
  EXPECT_THAT(t4->plans(test::conv3x3(Math::kStrict)), Not(IsEmpty()));
  EXPECT_TRUE(on_tensor_cores(*t4->plans(test::conv3x3(Math::kHalf)).at(0)));
  EXPECT_THAT(names(t4->plans(test::conv3x3(Math::kTf32))), Each(Not(HasSubstr("tensor cores"))));
  EXPECT_THAT(t4->plans(test::conv3x3(Math::kBfloat16)), IsEmpty());
}

TEST_F(Library, ProposesWhatItDidWhenThisWasWritten) {
  if (!known_) GTEST_SKIP() << "facts of " << test::kKnownVersion << ", this is " << h200_->version();
  const auto first = [&](const ConvProblem& problem) { return h200_->plans(problem).at(0); };
  for (const bool residual : {false, true}) {
    for (const auto& [math, engine] : {std::pair{Math::kTf32, "cuDNN engine 51 ("},
                                       {Math::kHalf, "cuDNN engine 41 ("},
                                       {Math::kBfloat16, "cuDNN engine 41 ("}}) {
      ConvProblem problem = test::conv3x3(math);
      problem.residual = residual;
      if (residual) problem.z = {384, 16};
      EXPECT_THAT(first(problem)->name(), StartsWith(engine));
      EXPECT_EQ(first(problem)->workspace_bytes(), 0);
    }
  }
}

// Why slices may be worth a copy of our own, or an engine that is compiled at run time.
TEST_F(Library, PrecompiledEnginesPackSlicesIntoTheWorkspace) {
  if (!known_) GTEST_SKIP() << "facts of " << test::kKnownVersion << ", this is " << h200_->version();
  const std::int64_t packed = std::int64_t{8} * 8 * 384 * 2;
  ConvProblem problem = test::conv3x3(Math::kHalf);
  problem.x = {768, 16};
  EXPECT_EQ(tensor_core_workspace(h200_->plans(problem)), packed + 16);
  problem.y = {768, 16};
  EXPECT_EQ(tensor_core_workspace(h200_->plans(problem)), 2 * packed + 16);
}

// cuDNN tells in a plan what it was asked for.
nlohmann::json graph_of(const LibraryPlan& plan) {
  const std::string text = plan.serialised();
  return nlohmann::json::parse(text.substr(text.find('{'))).at("operationGraph");
}

TEST_F(Library, AddsResidualAndBiasBeforeTheActivation) {
  if (!known_) GTEST_SKIP() << "the text of " << test::kKnownVersion << ", this is " << h200_->version();
  ConvProblem problem = test::conv3x3(Math::kHalf);
  problem.residual = true;
  problem.y = problem.z = {768, 8};
  problem.x = {512, 16};
  const nlohmann::json graph = graph_of(*h200_->plans(problem).at(0));
  const auto& nodes = graph.at("nodes");
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes[0].at("operation"), "CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR");
  EXPECT_EQ(nodes[0].at("X"), "1");
  EXPECT_EQ(nodes[0].at("W"), "2");
  EXPECT_EQ(nodes[1].at("pointwiseMode"), "CUDNN_POINTWISE_ADD");
  EXPECT_EQ(nodes[1].at("B"), "4") << "the residual";
  EXPECT_EQ(nodes[2].at("pointwiseMode"), "CUDNN_POINTWISE_ADD");
  EXPECT_EQ(nodes[2].at("B"), "3") << "the bias";
  EXPECT_EQ(nodes[3].at("pointwiseMode"), "CUDNN_POINTWISE_RELU_FWD");
  EXPECT_EQ(nodes[3].at("Y"), "5");
  for (std::size_t i = 1; i < nodes.size(); ++i) EXPECT_EQ(nodes[i].at("X"), nodes[i - 1].at("Y"));

  for (const auto& tensor : graph.at("tensors")) {
    if (tensor.at("isVirtual") == true) {
      EXPECT_EQ(tensor.at("dataType"), "CUDNN_DATA_FLOAT");
      continue;
    }
    EXPECT_EQ(tensor.at("dataType"), "CUDNN_DATA_HALF");
    const std::string name = tensor.at("name");
    const std::int64_t pitch = name == "1" ? 512 : name == "2" || name == "3" ? 384 : 768;
    EXPECT_EQ(tensor.at("stride")[1], 1);
    EXPECT_EQ(tensor.at("stride")[3], pitch) << name;
    EXPECT_EQ(tensor.at("ptrAlignment"), pitch == 768 ? 8 : 16) << name;
  }
}

// Every convolution and linear layer of every network of the zoo has plans, on a described H200.

using Problems = std::map<std::string, ConvProblem>;  // by key

// Of the sequential and the greedy schedule, and of one that merges at random.
Problems zoo_problems(Math math, std::int64_t batch) {
  Problems problems;
  for (std::size_t i = 0; i < zoo().size(); i += iosx::test::every(3)) {
    const Graph graph = zoo()[i].build();
    std::mt19937 random(7);
    for (const Schedule& schedule :
         {one_by_one_schedule(graph), greedy_schedule(graph), iosx::test::random_schedule(graph, random)}) {
      const ExecutionPlan plan =
          lower(graph, schedule, batch, {.fuse = true, .concat_in_place = true, .free_columns = true});
      for (const ConvProblem& problem : conv_problems(plan, math)) problems.emplace(key_of(problem), problem);
    }
  }
  return problems;
}

struct Case {
  Math math = Math::kTf32;
  std::int64_t batch = 1;
};

class Zoo : public testing::TestWithParam<Case> {};

TEST_P(Zoo, EveryLayerHasPlans) {
  const auto [math, batch] = GetParam();
  const auto library = CudnnLibrary::described(test::h200());
  const Problems problems = zoo_problems(math, batch);
  EXPECT_GE(problems.size(), 300U / iosx::test::every(3));
  std::size_t slices = 0;
  std::size_t residuals = 0;
  std::size_t other_ways = 0;
  for (const auto& [key, problem] : problems) {
    slices += problem.x.pitch != problem.channels || problem.y.pitch != problem.out_channels ? 1 : 0;
    residuals += problem.residual ? 1 : 0;
    const std::vector<LibraryPlanPtr> plans = library->plans(problem);
    if (problem.residual && problem.z.pitch != problem.y.pitch) {
      // Only engines that need a driver to be built; the executor has other ways (ResidualsMustLieAsTheOutputDoes).
      for (const LibraryPlanPtr& plan : plans) EXPECT_THAT(plan->name(), HasSubstr("runtime compiled")) << key;
      continue;
    }
    if (plans.empty()) {
      // Where cuDNN fuses less: activations that only its compiled engines know, which need a driver, transposed
      // convolutions, and depthwise ones, for which there is a kernel of our own.
      const bool plain = problem.activation == Activation::kRelu || problem.activation == Activation::kIdentity;
      EXPECT_TRUE(!plain || problem.transposed || problem.groups > 1) << key;
      EXPECT_THAT(candidate_ways(problem, *library), Not(IsEmpty())) << key;
      ++other_ways;
      continue;
    }
    for (const LibraryPlanPtr& plan : plans) {
      EXPECT_GE(plan->workspace_bytes(), 0) << key;
      EXPECT_LT(plan->workspace_bytes(), std::int64_t{4} << 30) << key;
      EXPECT_FALSE(plan->serialised().empty()) << key;
      if (math == Math::kStrict) {
        EXPECT_THAT(plan->name(), Not(HasSubstr("tensor cores"))) << key;
      }
    }
  }
  EXPECT_GT(slices, 50U / iosx::test::every(5));
  EXPECT_GT(residuals, 10U / iosx::test::every(5));
  EXPECT_LT(other_ways, problems.size() / 2);
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  constexpr const char* kNames[] = {"tf32", "strict", "half", "bfloat16"};
  return std::string(kNames[static_cast<int>(info.param.math)]) + "_batch" + std::to_string(info.param.batch);
}

INSTANTIATE_TEST_SUITE_P(Maths, Zoo,
                         testing::Values(Case{Math::kTf32, 1}, Case{Math::kStrict, 1}, Case{Math::kHalf, 1},
                                         Case{Math::kBfloat16, 1}, Case{Math::kHalf, 32}),
                         name_of);

}  // namespace

}  // namespace iosx::gpu
