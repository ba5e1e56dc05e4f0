#include "core/formats/external/match.h"
#include "core/formats/external/open_recording.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// The kernels of a run on one stream, of 10 µs, one after another, by the names of their functions.
Recording of_functions(const std::vector<std::string>& functions) {
  Recording recording;
  recording.lanes = {{.stream = "7", .kernels = functions.size()}};
  for (const std::string& function : functions) {
    recording.names.push_back(function);
    const double begin = 20 * static_cast<double>(recording.kernels.size());
    recording.kernels.push_back({.begin = begin,
                                 .end = begin + 10,
                                 .name = static_cast<NameId>(recording.names.size() - 1),
                                 .kind = kind_of_kernel(function)});
  }
  return recording;
}

// What cuDNN and ATen launch for each operator of a network, in the network's order.
std::vector<std::string> functions_of(const Graph& graph) {
  std::vector<std::string> functions;
  for (const Operator& op : graph.operators()) {
    if (op.is_source()) continue;
    if (op.as<Conv>() != nullptr) {
      functions.emplace_back("void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>(...)");
      functions.emplace_back("sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x64");
    } else if (op.as<Concat>() != nullptr) {
      functions.emplace_back(
          "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 4>(...)");
    } else if (op.as<Linear>() != nullptr) {
      functions.emplace_back("ampere_sgemm_32x128_tn");
      functions.emplace_back("void splitKreduce_kernel<32, 16, int, float>(...)");
    } else {
      functions.emplace_back("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEE");
    }
    if (fused_activation(op.attributes) != Activation::kIdentity)
      functions.emplace_back("void at::native::vectorized_elementwise_kernel<4, launch_clamp_scalar(...)>");
  }
  return functions;
}

TEST(LinkNetwork, MatchesFunctionsOfCudnnAndAten) {
  const Graph graph = test::sample();
  Recording recording = of_functions(functions_of(graph));
  const auto linked = link_network(recording, graph, "run");
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_THAT(recording.in_network, Each(true));
  EXPECT_THAT(recording.notices, Contains(HasSubstr("by their order and type")));
  // Its edges are those of the network: two convolutions that read the input are not ordered.
  for (const RecordedEdge& edge : recording.edges) EXPECT_LT(edge.before, edge.after);
  const auto first =
      std::ranges::count_if(recording.edges, [](const RecordedEdge& edge) { return edge.kind == EdgeKind::kData; });
  EXPECT_GT(first, 0);
}

TEST(LinkNetwork, GivesTheDependenciesOfTheNetwork) {
  const Graph graph = test::diamond();
  std::vector<std::string> names;
  for (const Operator& op : graph.operators()) {
    if (!op.is_source()) names.push_back(op.name);
  }
  ASSERT_EQ(names.size(), 4U);
  Recording recording = of_functions(names);
  ASSERT_TRUE(link_network(recording, graph, "run"));
  const auto pairs = mapped<std::pair<std::uint32_t, std::uint32_t>>(
      recording.edges, [](const RecordedEdge& edge) { return std::pair(edge.before, edge.after); });
  EXPECT_THAT(pairs, UnorderedElementsAre(std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 3U), std::pair(2U, 3U)));
  for (const RecordedEdge& edge : recording.edges) EXPECT_EQ(edge.certainty, EdgeCertainty::kKnown);
  EXPECT_TRUE(recording.notices.empty());
}

TEST(LinkNetwork, TakesKernelsOfOneOperatorTogether) {
  const Graph graph = test::chain(2);
  Recording recording = of_functions({"im2col", "a kernel", "the second one"});
  recording.names.insert(recording.names.end(), {"aten::conv2d", "aten::mkldnn_convolution"});
  const auto conv = static_cast<NameId>(recording.names.size() - 2);
  recording.ranges = {{.begin = 0, .end = 1, .name = conv},
                      {.begin = 0, .end = 1, .name = conv + 1, .outer = 0},
                      {.begin = 2, .end = 3, .name = conv}};
  recording.kernels[0].range = 0;
  recording.kernels[1].range = 1;
  recording.kernels[2].range = 2;
  const auto linked = link_network(recording, graph, "run");
  ASSERT_TRUE(linked) << linked.error().text();
  ASSERT_EQ(recording.edges.size(), 2U);
  EXPECT_THAT(recording.edges, Contains(RecordedEdge{0, 1, EdgeKind::kInner, EdgeCertainty::kAssumed}));
  EXPECT_THAT(recording.edges, Contains(RecordedEdge{1, 2, EdgeKind::kData, EdgeCertainty::kAssumed}));
}

TEST(LinkNetwork, RefusesAnotherNetwork) {
  Recording recording = of_functions({"void cub::DeviceScan(...)", "ncclKernel_AllReduce", "fused_dropout"});
  EXPECT_THAT(refused(link_network(recording, test::sample(), "run")).text(),
              HasSubstr("only 0 % of its kernels' time"));
  EXPECT_TRUE(recording.edges.empty());
  // Several runs of a network are more kernels than it has operators.
  std::vector<std::string> functions = functions_of(test::sample());
  const std::vector<std::string> once = functions;
  for (int run = 0; run < 3; ++run) functions.insert(functions.end(), once.begin(), once.end());
  recording = of_functions(functions);
  EXPECT_THAT(refused(link_network(recording, test::sample(), "run")).text(), HasSubstr("one step"));
}

TEST(LinkNetwork, RefusesSeveralRunsByTheirNumber) {
  std::vector<std::string> names;
  const Graph network = test::diamond();
  for (int run = 0; run < 3; ++run) {
    for (const Operator& op : network.operators()) {
      if (!op.is_source()) names.push_back(op.name);
    }
  }
  Recording recording = of_functions(names);
  EXPECT_THAT(refused(link_network(recording, test::diamond(), "run")).text(),
              AllOf(HasSubstr("has 3 runs of the network"), HasSubstr("one step")));
  EXPECT_TRUE(recording.edges.empty());
  // One operator that launches a function twice is one run all the same.
  names.resize(4);
  names.push_back(names.back());
  recording = of_functions(names);
  EXPECT_TRUE(link_network(recording, test::diamond(), "run"));
}

TEST(LinkNetwork, RefusesSeveralSteps) {
  Recording recording = of_functions({"a", "b"});
  recording.ranges = {{.begin = 0, .end = 19, .kind = RangeKind::kStep},
                      {.begin = 19, .end = 40, .kind = RangeKind::kStep},
                      {.begin = 50, .end = 90, .kind = RangeKind::kStep}};
  EXPECT_THAT(refused(link_network(recording, test::chain(2), "run")).text(), HasSubstr("has 2 steps"));
  recording.window = {0, 40};
  EXPECT_TRUE(link_network(recording, test::chain(2), "run"));
}

// A profile of ONNX Runtime says the types and shapes of its nodes, so names need not tell anything.
TEST(LinkNetwork, KnowsTheTypesThatAProfileSays) {
  const auto node = [](int number, int channels) {
    return fmt::format(
        R"({{"cat": "Node", "name": "n{}_kernel_time", "ph": "X", "pid": 1, "tid": 1, "ts": {}, "dur": 5, "args":)"
        R"( {{"op_name": "Conv", "output_type_shape": [{{"float": [1, {}, 15, 15]}}]}}}})",
        number, 10 * number, channels);
  };
  // Of the sample network: a and c make 375 channels, b and d 750.
  const std::string text = '[' + node(1, 375) + ',' + node(2, 750) + ',' + node(3, 375) + ',' + node(4, 750) + ']';
  Recording recording = must(read_recording_text(text, "profile.json", {}));
  const auto linked = link_network(recording, test::sample(), "profile.json");
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_THAT(recording.in_network, ElementsAre(true, true, true, true));
  EXPECT_THAT(recording.edges, ElementsAre(RecordedEdge{0, 3, EdgeKind::kData, EdgeCertainty::kAssumed}));
}

TEST(KindsOfKernel, AnImplicitGemmIsAConvolution) {
  const auto conv = external::kinds_of_type("conv");
  EXPECT_EQ(external::kinds_of_kernel("sm80_xmma_fprop_implicit_gemm_tf32f32"), conv);
  EXPECT_EQ(external::kinds_of_kernel("void cudnn::winograd_nonfused::winogradForwardData4x4"), conv);
  EXPECT_EQ(external::kinds_of_kernel("ampere_sgemm_32x128_tn"), external::kinds_of_type("gemm"));
  EXPECT_EQ(external::kinds_of_kernel("void cudnn::bn_fw_inf_1C11_kernel_NCHW"), external::kinds_of_type("batchnorm"));
  EXPECT_EQ(external::kinds_of_kernel("void at::native::(anonymous namespace)::max_pool_forward_nchw"),
            external::kinds_of_type("pool"));
  EXPECT_EQ(external::kinds_of_kernel("void cudnn::ops::nchwToNhwcKernel<float>"), 0U);
}

}  // namespace
}  // namespace iosx
