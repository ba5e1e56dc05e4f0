#include "core/analysis/recording/fold.h"

#include "core/analysis/recording/opened_recording.h"
#include "core/formats/external/open_recording.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

const std::filesystem::path kFoldedRecordings =
    std::filesystem::path(IOS_SOURCE_FOLDER) / "../shared/reference/recordings";

NameId named(Recording& recording, const std::string& name) {
  const auto found = std::ranges::find(recording.names, name);
  if (found != recording.names.end()) return static_cast<NameId>(found - recording.names.begin());
  recording.names.push_back(name);
  return static_cast<NameId>(recording.names.size() - 1);
}

std::uint32_t add_range(Recording& recording, const std::string& name, RangeKind kind, double begin, double end,
                        std::uint32_t outer = kNoIndex, std::uint32_t thread = 0) {
  recording.ranges.push_back(
      {.begin = begin, .end = end, .name = named(recording, name), .thread = thread, .outer = outer, .kind = kind});
  return static_cast<std::uint32_t>(recording.ranges.size() - 1);
}

void add_kernel(Recording& recording, const std::string& name, double begin, std::uint32_t range = kNoIndex) {
  if (recording.lanes.empty()) recording.lanes.push_back({.stream = "7"});
  recording.kernels.push_back({.begin = begin, .end = begin + 2, .name = named(recording, name), .range = range});
}

// A step of `layers` equal layers of two operators, the second with two kernels, and a loss.
Recording layers(int count) {
  Recording recording;
  double at = 0;
  const std::uint32_t step = add_range(recording, "ProfilerStep#3", RangeKind::kStep, 0, 1000);
  for (int i = 0; i < count; ++i) {
    const auto layer = add_range(recording, "Layer_" + std::to_string(i), RangeKind::kModule, at, at + 9, step);
    const auto linear = add_range(recording, "aten::linear", RangeKind::kOperator, at, at + 4, layer);
    const auto addmm = add_range(recording, "aten::addmm", RangeKind::kOperator, at, at + 4, linear);
    add_kernel(recording, "sgemm", at, addmm);
    const auto norm = add_range(recording, "aten::layer_norm", RangeKind::kOperator, at + 4, at + 9, layer);
    add_kernel(recording, "welford", at + 4, norm);
    add_kernel(recording, "scale", at + 7, norm);
    at += 10;
  }
  add_kernel(recording, "loss", at, add_range(recording, "aten::mse", RangeKind::kOperator, at, at + 3, step));
  return recording;
}

std::vector<std::string> names_inside(const Recording& recording, const RecordingFold& fold, std::uint32_t node) {
  std::vector<std::string> names;
  for (const std::uint32_t child : fold.children(node)) {
    std::string name = recording.name(fold.nodes[child].name);
    if (fold.nodes[child].repeats > 1) name += " x " + std::to_string(fold.nodes[child].repeats);
    names.push_back(name);
  }
  return names;
}

TEST(Fold, EqualLayersAreOneBox) {
  const Recording recording = layers(36);
  const RecordingFold fold = fold_of(recording);
  const auto step = fold.children(0);
  ASSERT_EQ(step.size(), 1U);
  EXPECT_EQ(fold.nodes[step[0]].kind, FoldKind::kStep);
  EXPECT_EQ(names_inside(recording, fold, step[0]), (std::vector<std::string>{"Layer_0 x 36", "aten::mse"}));
  const std::uint32_t layer = fold.children(step[0])[0];
  EXPECT_EQ(names_inside(recording, fold, layer), (std::vector<std::string>{"aten::linear", "aten::layer_norm"}));
  EXPECT_EQ(fold.nodes[layer].kernels, 36U * 3);
  EXPECT_EQ(fold.nodes[layer].time, 36.0 * 3 * 2);
  // An operator inside one, and its only kernel, are the same box.
  EXPECT_TRUE(fold.nodes[fold.children(layer)[0]].leaf);
  EXPECT_EQ(names_inside(recording, fold, fold.children(layer)[1]), (std::vector<std::string>{"welford", "scale"}));
}

TEST(Fold, ABoxStandsForTheKernelsOfAllItsRepeats) {
  const Recording recording = layers(5);
  const RecordingFold fold = fold_of(recording);
  const std::uint32_t layer = fold.children(fold.children(0)[0])[0];
  const std::uint32_t linear = fold.children(layer)[0];
  EXPECT_EQ(fold.kernels_of(linear), (std::vector<std::uint32_t>{0, 3, 6, 9, 12}));
  EXPECT_EQ(fold.kernels_of(0).size(), recording.kernels.size());
}

TEST(Fold, EqualStretchesWithoutNamesAreOneBox) {
  Recording recording;
  double at = 0;
  for (int i = 0; i < 12; ++i) {
    for (const char* name : {"qkv", "softmax", "project", "mlp"}) add_kernel(recording, name, at += 3);
  }
  add_kernel(recording, "head", at += 3);
  const RecordingFold fold = fold_of(recording);
  EXPECT_EQ(names_inside(recording, fold, 0), (std::vector<std::string>{"qkv x 12", "head"}));
  const std::uint32_t repeat = fold.children(0)[0];
  EXPECT_EQ(fold.nodes[repeat].kind, FoldKind::kRepeat);
  EXPECT_EQ(names_inside(recording, fold, repeat), (std::vector<std::string>{"qkv", "softmax", "project", "mlp"}));
}

TEST(Fold, AnotherThreadWorksWithinTheStep) {
  Recording recording;
  const auto step = add_range(recording, "ProfilerStep#0", RangeKind::kStep, 0, 100);
  add_kernel(recording, "a", 1, add_range(recording, "forward", RangeKind::kAnnotation, 0, 40, step));
  add_kernel(recording, "b", 50, add_range(recording, "MmBackward0", RangeKind::kOperator, 50, 60, kNoIndex, 1));
  const RecordingFold fold = fold_of(recording);
  ASSERT_EQ(fold.children(0).size(), 1U);
  EXPECT_EQ(names_inside(recording, fold, 1), (std::vector<std::string>{"forward", "MmBackward0"}));
}

TEST(Fold, ALongListIsDivided) {
  Recording recording;
  for (int i = 0; i < 10000; ++i)
    add_kernel(recording, "k" + std::string(1, 'a') + std::to_string(i * 7919) + "x", i * 3);
  const RecordingFold fold = fold_of(recording);
  EXPECT_EQ(fold.children(0).size(), 100U);
  EXPECT_EQ(fold.nodes[1].kind, FoldKind::kStretch);
  EXPECT_EQ(fold.kernels_of(0).size(), 10000U);
}

TEST(Fold, AMillionRangesAroundAKernelAreSafe) {
  Recording recording;
  std::uint32_t outer = kNoIndex;
  for (int i = 0; i < 1000000; ++i) outer = add_range(recording, "r", RangeKind::kAnnotation, 0, 10, outer);
  add_kernel(recording, "deep", 1, outer);
  add_kernel(recording, "flat", 5);
  const RecordingFold fold = fold_of(recording);
  EXPECT_EQ(fold.children(0).size(), 2U);
}

TEST(Unfolding, ShowsSomeBoxesAtFirstAndNeverTooMany) {
  Recording recording;
  for (int i = 0; i < 10000; ++i) add_kernel(recording, "k" + std::to_string(i * 7919) + "x", i * 3);
  const RecordingFold fold = fold_of(recording);
  Unfolding shown(fold);
  EXPECT_EQ(shown.count(), 100U);
  bool refused = false;
  for (const std::uint32_t stretch : fold.children(0)) refused = !shown.unfold(stretch) || refused;
  EXPECT_TRUE(refused);
  EXPECT_LE(shown.count(), Unfolding::kMost);
  const std::size_t before = shown.count();
  shown.fold(fold.children(0)[0]);
  EXPECT_EQ(shown.count(), before - 100);
  EXPECT_EQ(shown.box_of(5), fold.children(0)[0]);
  EXPECT_TRUE(shown.reveal(fold.box_of[5]));
  EXPECT_EQ(shown.box_of(5), fold.box_of[5]);
}

TEST(Unfolding, EdgesLeadBetweenBoxesBesideOneAnother) {
  const Recording recording = layers(2);
  const RecordingFold fold = fold_of(recording);
  Unfolding shown(fold);
  const std::uint32_t layer = fold.children(fold.children(0)[0])[0];
  const std::uint32_t loss = fold.children(fold.children(0)[0])[1];
  const std::uint32_t linear = fold.children(layer)[0];
  const std::uint32_t norm = fold.children(layer)[1];
  RecordedEdges edges;
  edges.edges = {{0, 1, EdgeKind::kData, EdgeCertainty::kKnown},
                 {2, 3, EdgeKind::kData, EdgeCertainty::kKnown},  // to the next layer
                 {5, 6, EdgeKind::kOrder, EdgeCertainty::kAssumed}};
  EXPECT_EQ(fold_edges(fold, shown, edges), (std::vector<FoldEdge>{{layer, loss, 1, false}, {linear, norm, 1, true}}));
  shown.fold(layer);
  EXPECT_EQ(fold_edges(fold, shown, edges), (std::vector<FoldEdge>{{layer, loss, 1, false}}));
  edges.broken[static_cast<std::size_t>(EdgeKind::kOrder)] = 1;
  EXPECT_TRUE(fold_edges(fold, shown, edges).empty());
}

TEST(ShortName, HasTheFunctionOfAKernelAndTheNodeOfAutograd) {
  EXPECT_EQ(short_name("autograd::engine::evaluate_function: AddmmBackward0"), "AddmmBackward0");
  EXPECT_EQ(short_name("void at::native::(anonymous namespace)::indexKernel<float, int>(float*)"), "indexKernel");
  EXPECT_EQ(short_name("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad"), "AccumulateGrad");
  EXPECT_EQ(short_name("aten::linear"), "aten::linear");
  EXPECT_EQ(short_name("volta_sgemm_128x64_tn"), "volta_sgemm_128x64_tn");
  EXPECT_EQ(short_name("<lambda>"), "<lambda>");
}

TEST(FoldedRecordings, AreFoldedWithoutLosingAKernel) {
  if (!std::filesystem::exists(kFoldedRecordings)) GTEST_SKIP() << "there is no ../shared/reference/recordings";
  for (const char* file : {"public/dlrm_rank0.trace.json.gz", "pairs/train.trace.json.gz", "public/hta_alexnet.json.gz",
                           "public/hta_event_multi.json.gz", "public/extrap_con_kernel.sqlite",
                           "pairs/forward.trace.json", "pairs/forward_stack.trace.json.gz"}) {
    SCOPED_TRACE(file);
    const auto opened = look_into(must(open_recording(kFoldedRecordings / file, {})), std::nullopt);
    const RecordingFold& fold = opened->fold;
    EXPECT_EQ(fold.nodes[0].kernels, opened->recording.kernels.size());
    EXPECT_NEAR(fold.nodes[0].time, opened->report.usage.work, 1e-6 * opened->report.usage.work);
    for (std::uint32_t i = 0; i < opened->recording.kernels.size(); ++i)
      EXPECT_TRUE(fold.nodes[fold.box_of[i]].leaf) << i;
    const Unfolding shown(fold);
    EXPECT_GT(shown.count(), 1U);
    for (const FoldEdge& edge : fold_edges(fold, shown, opened->report.edges)) {
      EXPECT_LT(edge.before, edge.after);
      EXPECT_EQ(fold.nodes[edge.before].parent, fold.nodes[edge.after].parent);
    }
    double idle = 0;
    for (const IdlePart& part : opened->idle) idle += part.end - part.begin;
    EXPECT_NEAR(idle, opened->report.usage.idle.total(), 1e-6 * opened->report.usage.span);
  }
}

}  // namespace
}  // namespace iosx
