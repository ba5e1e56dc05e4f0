// pytorch_packages FOLDER: a package for each kind of operator and for random graphs under random schedules, and beside
// each what it must compute for a batch of 2: FOLDER/NAME/package, FOLDER/NAME/input_I and output_I, raw float32
// numbers.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/documents/pytorch/export.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/operator_cases.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kBatch = 2;

void write_numbers(const fs::path& file, const Tensor& tensor) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(tensor.elements().data()),
            static_cast<std::streamsize>(tensor.elements().size_bytes()));
}

std::vector<Tensor> inputs_of(const Graph& graph) {
  std::vector<Tensor> inputs;
  for (const OperatorId id : graph.inputs()) {
    const Shape& shape = graph.op(id).output;
    std::vector<std::int64_t> dims{kBatch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    auto values =
        synthetic_values(synthetic_seed(graph.op(id).name), kBatch * shape.elements(), ParameterInit::kScaled);
    for (float& value : values) value += value < 0 ? -0.1F : 0.1F;  // something to divide by
    inputs.emplace_back(std::move(dims), std::move(values));
  }
  return inputs;
}

void write_case(const fs::path& folder, const Graph& graph, const Schedule& schedule,
                const std::optional<ExecutionPlan>& barrier_free = {}) {
  fs::create_directories(folder);
  pytorch::ExportOptions options{.barrier_free = barrier_free};
  const auto written = pytorch::write_package(graph, schedule, folder / "package", options);
  if (!written) throw std::runtime_error(written.error().text());
  const auto inputs = inputs_of(graph);
  const auto outputs = reference_outputs(graph, inputs, kBatch);
  for (std::size_t i = 0; i < inputs.size(); ++i) write_numbers(folder / fmt::format("input_{}", i), inputs[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) write_numbers(folder / fmt::format("output_{}", i), outputs[i]);
}

// Beyond what devices are tested with: what torch has no function for.
std::vector<OperatorCase> more_operator_cases() {
  using enum PoolKind;
  const Shape map{8, 9, 11};
  std::vector<OperatorCase> cases{
      {"max_pool_much_padding", Pool{kMax, {3, 4}, {1, 2}, {2, 3}}, {map}},
      {"average_pool_much_padding", Pool{kAverage, {3, 4}, {1, 2}, {2, 3}}, {map}},
      {"pad_edge_everywhere", Pad{PadMode::kEdge, {1, 2, 1}, {2, 1, 3}, 0}, {map}},
      {"pad_reflect_matrix", Pad{PadMode::kReflect, {2, 1}, {0, 3}, 0}, {Shape{4, 6}}},
      {"pad_infinite", Pad{PadMode::kConstant, {0, 1, 0}, {0, 0, 1}, -std::numeric_limits<float>::infinity()}, {map}},
      {"slice_backwards", Slice{{7, 8, 10}, {-1, -3, -1}, Shape{8, 3, 11}}, {map}},
      {"resize_vector",
       Resize{ResizeMode::kLinear, ResizeCoordinates::kHalfPixel, ResizeRounding::kFloor, {2.5F}, Shape{20}},
       {Shape{8}}},
      {"resize_channels",
       Resize{ResizeMode::kLinear, ResizeCoordinates::kHalfPixel, ResizeRounding::kFloor, {2, 1, 1}, {16, 9, 11}},
       {map}},
      {"softmax_matrix", Softmax{1}, {Shape{4, 6}}},
      {"lrn_wide", Lrn{11, 1e-2F, 0.75F, 1}, {map}},
      {"reduce_mean_none", Reduce{ReduceKind::kMean, {}, true}, {map}},
      {"identity_scalar", Identity{}, {Shape{}}},
  };
  // Sizes whose ratios are exact, so that doubles and floats round to the same neighbour.
  const Shape even{8, 8, 11};
  using C = ResizeCoordinates;
  using R = ResizeRounding;
  for (const C coordinates : {C::kHalfPixel, C::kPytorchHalfPixel, C::kAlignCorners, C::kAsymmetric}) {
    for (const std::int64_t rows : {1, 6, 16, 20}) {
      const Shape out{8, rows, 22};
      const std::vector<float> scales{1, static_cast<float>(rows) / 8, 2};
      const std::string name = fmt::format("{}_{}", static_cast<int>(coordinates), rows);
      cases.push_back(
          {"resize_linear_" + name, Resize{ResizeMode::kLinear, coordinates, R::kFloor, scales, out}, {even}});
      for (const R rounding : {R::kPreferFloor, R::kPreferCeil, R::kFloor, R::kCeil}) {
        cases.push_back({fmt::format("resize_nearest_{}_{}", name, static_cast<int>(rounding)),
                         Resize{ResizeMode::kNearest, coordinates, rounding, scales, out},
                         {even}});
      }
    }
  }
  return cases;
}

// Convolutions of several kernels merged, with padding that is not the same on all sides, and activations of
// parameters.
Graph merging_network() {
  GraphBuilder builder("merging");
  const Value in = builder.input("in", Shape{6, 12, 13});
  const auto conv = [&](const char* name, std::int64_t channels, Extent kernel, Extent padding) {
    Conv made{.out_channels = channels,
              .kernel = kernel,
              .stride = {2, 1},
              .padding = padding,
              .activation = {ActivationKind::kLeakyRelu, 0.3F},
              .end_padding = {1, 0}};
    return builder.add(name, made, {in});
  };
  const Value a = conv("small", 3, {1, 1}, {0, 0});
  const Value b = conv("wide", 5, {1, 5}, {0, 2});
  const Value c = conv("large", 4, {5, 3}, {2, 1});
  builder.add("join", Concat{}, {a, b, c});
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::move(*graph);
}

// Names that are none in Python, or that Python or the written class uses.
Graph strangely_named_network() {
  auto [builder, x] = test::sketch("3 \"strange\" names\\\n", Shape{4, 5, 5}, "self");
  Conv conv{.out_channels = 4};
  for (const char* name : {"forward", "/a/b.0", "a_b_0", "1", "class", "stage_1", "group_1", "__init__", "load",
                           "batch", "F", "torch", "\xC3\xA9t\xC3\xA9", "\xFF", "with\nline", "quote\"", "\\", "type"}) {
    x = builder.add(name, conv, {x});
  }
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::move(*graph);
}

// Constants where operators want a batch.
Graph network_of_constants() {
  auto [builder, in] = test::sketch("constants", Shape{4, 6, 6});
  const Value map = builder.constant("map", Shape{4, 6, 6});
  const Value row = builder.constant("row", Shape{6});
  const Value sum = builder.add("of_constants", Add{}, {row, map});
  Conv conv{.out_channels = 3};
  const Value a = builder.add("conv", conv, {map});
  const Value b = builder.add("slice", Identity{}, {Value{map.producer, 1, 3}});
  const Value c = builder.add("product", Mul{}, {in, row, Value{map.producer, 0, 4}});
  builder.add("join", Concat{}, {in, sum, a, b, c, map});
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::move(*graph);
}

// The schedule's kernels as some device has them, on random lanes.
void write_on_lanes(const fs::path& folder, const Graph& graph, const Schedule& schedule, std::mt19937& random) {
  const LowerOptions device{.fuse = random() % 2 == 0, .concat_in_place = random() % 2 == 0};
  const ExecutionPlan staged = lower(graph, schedule, 1, device);
  const std::size_t lanes = 1 + random() % 5;
  write_case(folder, graph, schedule, on_lanes(staged, needs_of(staged), random_lanes(staged, lanes, random)));
}

// Tensors that share memory in PyTorch, read here and there.
Graph network_of_views() {
  auto [builder, in] = test::sketch("views", Shape{4, 6, 8});
  Conv conv{.out_channels = 4};
  const Value a = builder.add("a", conv, {in});
  const Value flat = builder.add("flat", Reshape{Shape{4, 48}}, {a});
  const Value turned = builder.add("turned", Transpose{{1, 0}}, {flat});
  const Value same = builder.add("same", Identity{}, {a});
  const Value half = builder.add("half", Slice{{0, 0, 2}, {1, 1, 1}, Shape{4, 6, 4}}, {same});
  const Value b = builder.add("b", Activate{Activation::kTanh}, {half});
  const Value c = builder.add("c", Activate{Activation::kRelu}, {turned});
  const Value d = builder.add("d", conv, {same});
  const Value back = builder.add("back", Reshape{Shape{4, 6, 8}}, {c});
  builder.add("sum", Add{}, {back, d, a});
  builder.add("e", Activate{Activation::kSigmoid}, {b});
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::move(*graph);
}

void write_all(const fs::path& folder) {
  std::vector<OperatorCase> cases = operator_cases();
  for (OperatorCase& one : more_operator_cases()) cases.push_back(std::move(one));
  for (OperatorCase& one : host_operator_cases()) cases.push_back(std::move(one));
  for (const OperatorCase& one : cases) {
    for (const Placement placement : {Placement::kWhole, Placement::kSliced}) {
      const Graph graph = network_of(one, placement);
      write_case(folder / (one.name + (placement == Placement::kWhole ? "" : "-sliced")), graph,
                 one_by_one_schedule(graph));
    }
  }
  std::mt19937 random(1);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph concats = random_concat_graph(seed, 20);
    write_case(folder / fmt::format("random-{}", seed), concats, random_schedule(concats, random));
    const Graph dag = random_dag(seed, 12);
    write_case(folder / fmt::format("dag-{}", seed), dag, random_schedule(dag, random));
  }
  const Graph views = network_of_views();
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph concats = random_concat_graph(100 + seed, 20);
    write_on_lanes(folder / fmt::format("lanes-{}", seed), concats, random_schedule(concats, random), random);
    write_on_lanes(folder / fmt::format("lanes-views-{}", seed), views, greedy_schedule(views), random);
  }
  const Graph merging = merging_network();
  write_case(folder / "merging", merging,
             {"merged", {merge_stage({UnitId(1), UnitId(0), UnitId(2)}), single_unit_stage(UnitId(3))}});
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const Graph siblings = linear_siblings();
    std::mt19937 merges(seed);
    write_case(folder / fmt::format("linear-siblings-{}", seed), siblings, random_schedule(siblings, merges));
  }
  const Graph strange = strangely_named_network();
  write_case(folder / "strange", strange, one_by_one_schedule(strange));
  const Graph constants = network_of_constants();
  write_case(folder / "constants", constants, greedy_schedule(constants));
}

}  // namespace
}  // namespace iosx::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("pytorch_packages FOLDER\n", stderr);
    return 2;
  }
  try {
    iosx::test::write_all(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
