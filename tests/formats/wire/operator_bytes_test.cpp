// Kept files must keep their bytes: the text of operators that stage keys are made of, their form in files,
// and the keys of the zoo's stages. The golden files were written before operators had a schema.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/formats/wire/graph_fields.h"
#include "core/formats/wire/writer.h"
#include "core/model/graph/attribute_text.h"
#include "core/model/plan/stage_planner.h"
#include "models/networks/zoo.h"
#include "tests/support/element_functions.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

// Every member of every kind, with its usual value and others.
std::vector<Attributes> variants() {
  std::vector<Attributes> all;
  const auto vary = [&]<typename Kind>(const Kind& usual, auto... changes) {
    all.emplace_back(usual);
    const auto with = [&](auto change) {
      Kind other = usual;
      change(other);
      all.emplace_back(other);
    };
    (with(changes), ...);
  };
  vary(Input{Shape{3, 224, 224}}, [](Input& x) { x.shape = {}; });
  vary(Constant{Shape{4}}, [](Constant& x) { x.shape = {2, 3, 4, 5}; });
  vary(
      Conv{.out_channels = 8, .kernel = {3, 5}},
      [](Conv& x) {
        x.stride = {2, 1};
      },
      [](Conv& x) {
        x.padding = {1, 2};
      },
      [](Conv& x) {
        x.dilation = {2, 3};
      },
      [](Conv& x) { x.groups = 4; }, [](Conv& x) { x.activation = Activation::kRelu; },
      [](Conv& x) {
        x.merged_from = {"a", "b"};
      },
      [](Conv& x) {
        x.end_padding = {-1, 2};
      },
      [](Conv& x) {
        x = {12, {1, 7}, {2, 2}, {3, 4}, {5, 6}, 2, {ActivationKind::kClip, -1.5F, 6}, {"c"}, {1, -1}};
      });
  vary(
      ConvTranspose{.out_channels = 8, .kernel = {3, 5}},
      [](ConvTranspose& x) {
        x.stride = {2, 1};
      },
      [](ConvTranspose& x) {
        x.padding = {1, 2};
      },
      [](ConvTranspose& x) {
        x.dilation = {2, 3};
      },
      [](ConvTranspose& x) { x.groups = 4; }, [](ConvTranspose& x) { x.activation = Activation::kTanh; },
      [](ConvTranspose& x) {
        x.end_padding = {-1, 2};
      },
      [](ConvTranspose& x) {
        x.output_padding = {1, 0};
      },
      [](ConvTranspose& x) {
        x = {12, {1, 7}, {2, 2}, {3, 4}, {5, 6}, 2, {ActivationKind::kLeakyRelu, 0.1F, 0}, {1, -1}, {1, 1}};
      });
  for (const PoolKind kind : {PoolKind::kMax, PoolKind::kAverage, PoolKind::kGlobalMax, PoolKind::kGlobalAverage}) {
    vary(
        Pool{.kind = kind},
        [](Pool& x) {
          x.kernel = {3, 2};
        },
        [](Pool& x) {
          x.stride = {2, 1};
        },
        [](Pool& x) {
          x.padding = {1, 2};
        },
        [](Pool& x) { x.ceil_mode = true; },
        [](Pool& x) {
          x.dilation = {2, 3};
        },
        [](Pool& x) { x.count_padding = false; },
        [](Pool& x) {
          x.end_padding = {-1, 2};
        },
        [](Pool& x) {
          x = {x.kind, {3, 3}, {2, 2}, {1, 1}, true, {2, 2}, false, {1, 0}};
        });
  }
  for (const Activation& function : test::every_activation()) all.emplace_back(Activate{function});
  vary(Affine{}, [](Affine& x) { x.activation = {ActivationKind::kHardSigmoid, 0.2F, 0.5F}; });
  all.insert(all.end(), {Add{}, Mul{}, Where{}, Identity{}});
  for (const BinaryRow& row : binary_rows()) all.emplace_back(Binary{row.function});
  vary(Concat{}, [](Concat& x) { x.axis = 2; });
  vary(
      Linear{.out_features = 10}, [](Linear& x) { x.activation = Activation::kRelu; }, [](Linear& x) { x.axis = 1; },
      [](Linear& x) {
        x = {7, {ActivationKind::kElu, 0.5F, 0}, 3};
      });
  vary(MatMul{}, [](MatMul& x) { x.sparse = true; });
  for (const RecurrentKind kind : {RecurrentKind::kRnn, RecurrentKind::kGru, RecurrentKind::kLstm}) {
    vary(
        Recurrent{.kind = kind}, [](Recurrent& x) { x.direction = RecurrentDirection::kReverse; },
        [](Recurrent& x) { x.direction = RecurrentDirection::kBoth; }, [](Recurrent& x) { x.hidden = 32; },
        [](Recurrent& x) { x.linear_before_reset = true; }, [](Recurrent& x) { x.peepholes = true; },
        [](Recurrent& x) { x.last_cell = true; });
  }
  vary(
      TopK{}, [](TopK& x) { x.k = 5; }, [](TopK& x) { x.axis = 2; }, [](TopK& x) { x.largest = false; },
      [](TopK& x) { x.output = TopKOutput::kIndices; },
      [](TopK& x) {
        x = {3, 1, false, TopKOutput::kIndices};
      });
  for (const GridMode mode : {GridMode::kNearest, GridMode::kLinear, GridMode::kCubic}) {
    vary(
        GridSample{.mode = mode}, [](GridSample& x) { x.padding = GridPadding::kBorder; },
        [](GridSample& x) { x.padding = GridPadding::kReflection; }, [](GridSample& x) { x.align_corners = true; });
  }
  vary(Reshape{Shape{3, 4}}, [](Reshape& x) { x.shape = {}; });
  vary(Expand{Shape{3, 4}}, [](Expand& x) { x.shape = {}; });
  vary(Transpose{{2, 0, 1}}, [](Transpose& x) { x.axes = {}; });
  vary(Slice{{1, 2}, {1, 1}, Shape{3, 4}}, [](Slice& x) { x = {{9, 0}, {-2, 1}, Shape{2, 1}}; });
  for (const PadMode mode : {PadMode::kConstant, PadMode::kReflect, PadMode::kEdge}) {
    vary(
        Pad{mode, {0, 1}, {2, -3}, 0}, [](Pad& x) { x.value = 1.5F; },
        [](Pad& x) { x.value = -std::numeric_limits<float>::infinity(); });
  }
  for (const ResizeMode mode : {ResizeMode::kNearest, ResizeMode::kLinear}) {
    vary(
        Resize{.mode = mode, .scales = {1, 2, 1.5F}, .shape = {3, 8, 6}},
        [](Resize& x) { x.coordinates = ResizeCoordinates::kPytorchHalfPixel; },
        [](Resize& x) { x.coordinates = ResizeCoordinates::kAlignCorners; },
        [](Resize& x) { x.coordinates = ResizeCoordinates::kAsymmetric; },
        [](Resize& x) { x.rounding = ResizeRounding::kPreferCeil; },
        [](Resize& x) { x.rounding = ResizeRounding::kFloor; }, [](Resize& x) { x.rounding = ResizeRounding::kCeil; });
  }
  for (const GatherKind kind : {GatherKind::kSlices, GatherKind::kElements}) {
    vary(Gather{.kind = kind}, [](Gather& x) { x.axis = 3; });
  }
  vary(Softmax{}, [](Softmax& x) { x.axis = 2; });
  vary(
      Normalize{}, [](Normalize& x) { x.axis = 1; }, [](Normalize& x) { x.epsilon = 1e-3F; },
      [](Normalize& x) { x.centred = false; }, [](Normalize& x) { x.scaled = false; });
  vary(Lrn{}, [](Lrn& x) { x = {5, 2e-4F, 0.5F, 2}; });
  for (int kind = 0; kind <= static_cast<int>(ReduceKind::kArgMin); ++kind) {
    vary(
        Reduce{.kind = static_cast<ReduceKind>(kind), .axes = {1}},
        [](Reduce& x) {
          x.axes = {0, 2};
        },
        [](Reduce& x) { x.keep_dims = false; }, [](Reduce& x) { x.last = true; });
  }
  vary(Opaque{"LSTM", "node 7", Shape{3}}, [](Opaque& x) { x = {"com.example.Foo", "", {}}; });
  return all;
}

std::string bytes_of_operators() {
  std::string lines;
  for (const Attributes& attributes : variants()) {
    put_attributes(lines, attributes);
    wire::Writer writer;
    writer.put(attributes);
    lines += '\t' + std::move(writer).take() + '\n';
  }
  return lines;
}

// Returns a line for a network: the hash of the keys of each of its units alone, in order.
std::string keys_of(const ZooNetwork& network) {
  const Graph graph = network.build();
  StagePlanner planner(graph, 1, {});
  std::string keys;
  for (std::size_t unit = 0; unit < graph.units().size(); ++unit)
    keys += planner.canonical(single_unit_stage(UnitId(unit))).key.text();
  return fmt::format("{} {:016x}", network.name, hash64(keys));
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(IOS_SOURCE_FOLDER) + "/tests/golden/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(OperatorBytes, StayAsTheyWere) {
  std::istringstream expected(golden("operators.txt"));
  std::istringstream found(bytes_of_operators());
  std::string line;
  std::string other;
  while (std::getline(expected, line)) {
    ASSERT_TRUE(std::getline(found, other)) << line;
    EXPECT_EQ(other, line);
  }
  EXPECT_FALSE(std::getline(found, other)) << other;
}

TEST(OperatorBytes, StageKeysOfTheZooStayAsTheyWere) {
  const std::string expected = golden("stage_keys.txt");
  for (std::size_t i = 0; i < zoo().size(); i += test::every(6)) {
    const std::string line = keys_of(zoo()[i]);
    EXPECT_NE(expected.find(line + '\n'), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace iosx
