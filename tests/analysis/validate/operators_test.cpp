#include "core/analysis/validate/operators.h"
#include "core/devices/simulated/residuals.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/operators/sessions.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr const char* kElementwise = "source,device,precision,op,latency_ms,rows,columns\n";

OperatorValidation validated(const std::string& table) {
  const auto operators = must(read_operators(table, "t.csv"));
  return validate_operators(operators, simulated_descriptions());
}

std::vector<std::vector<MeasuredOperator>> reference_tables() {
  std::vector<std::vector<MeasuredOperator>> tables;
  for (const char* name : {"convolutions.csv", "matrix_products.csv", "elementwise.csv"}) {
    std::ifstream file(test::reference_folder() / "gpu_operators" / name);
    auto table = must(read_operators(std::string{std::istreambuf_iterator<char>(file), {}}, name));
    tables.push_back(std::move(table));
  }
  return tables;
}

TEST(MeasuredOperators, TablesAreToldApartByTheirColumns) {
  const auto conv = must(
      read_operators("source,device,precision,order,latency_ms,N,C,H,W,K,R,S,pad_h,pad_w,stride_h,stride_w,kernel\r\n"
                     "neusight,Tesla T4,float32,12,0.5,8,3,64,48,16,5,3,2,1,2,1,\"void conv<a, b>\"\r\n",
                     "c.csv"));
  ASSERT_EQ(conv.size(), 1U);
  const MeasuredOperator& first = conv.front();
  EXPECT_EQ(first.kind, MeasuredKind::kConvolution);
  EXPECT_EQ(first.device, "Tesla T4");
  EXPECT_EQ(first.order, 12);
  EXPECT_DOUBLE_EQ(first.us, 500);
  EXPECT_EQ(first.batch, 8);
  EXPECT_EQ(first.filter_height, 5);
  EXPECT_EQ(first.filter_width, 3);
  EXPECT_EQ(first.pad_height, 2);
  EXPECT_EQ(first.stride_height, 2);
  EXPECT_EQ(first.stride_width, 1);
  const auto product =
      read_operators("source,device,precision,op,latency_ms,batch,M,N,K\nx,y,float16,bmm,1,2,3,4,5\n\n", "m.csv");
  ASSERT_TRUE(product.has_value());
  ASSERT_EQ(product->size(), 1U);
  EXPECT_EQ(product->front().kind, MeasuredKind::kMatrix);
  EXPECT_TRUE(product->front().half);
  EXPECT_EQ(product->front().columns, 4);
  EXPECT_EQ(product->front().depth, 5);
  EXPECT_LT(product->front().order, 0);
  const auto rows =
      read_operators(std::string(kElementwise) + "x,y,float32,softmax,1,2,3\nx,y,float32,add,1,2,3\n", "");
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->at(0).kind, MeasuredKind::kRows);
  EXPECT_EQ(rows->at(1).kind, MeasuredKind::kStream);
}

// As gpu_launch_bench --csv writes one: all kinds in one table, most cells empty.
constexpr const char* kOwn =
    "source,device,precision,op,latency_us,N,C,H,W,K,R,S,pad_h,pad_w,stride_h,stride_w,groups,batch,M,rows,columns,"
    "lanes,kernel_us\n";
constexpr const char* kOwnRows[] = {
    "ios-explorer,NVIDIA H200,float32,conv,2.5,1,64,14,14,64,3,3,1,1,1,1,64,,,,,,",
    "ios-explorer,NVIDIA H200,float32,max_pool,3,1,64,56,56,,3,3,1,1,2,2,,,,,,,",
    "ios-explorer,NVIDIA H200,float16,global_pool,11.5,1,32,256,256,,1,1,0,0,1,1,,,,,,,",
    "ios-explorer,NVIDIA H200,float32,bmm,9,,,,,64,,,,,,,,6,197,,,,",  // N is missing
    "ios-explorer,NVIDIA H200,float32,softmax,4,,,,,,,,,,,,,,,197,384,,",
    "ios-explorer,NVIDIA H200,tf32,copy,1.3,,,,,,,,,,,,,,,196,256,,",
    "ios-explorer,NVIDIA H200,float32,chain,5.5,,,,,,,,,,,,,,,,,,5",
    "ios-explorer,NVIDIA H200,float32,stage,6.9,,,,,,,,,,,,,,,,,4,5",
    "ios-explorer,NVIDIA H200,float32,ladder,6.1,,,,,,,,,,,,,,,,,4,5"};

TEST(MeasuredOperators, ATableMayHaveAllKinds) {
  std::string table = kOwn;
  for (const std::string line : kOwnRows) {
    if (!line.ends_with("6,197,,,,")) table += line + "\n";
  }
  const auto read = must(read_operators(table, "t.csv"));
  ASSERT_EQ(read.size(), 8U);
  EXPECT_EQ(read.at(0).kind, MeasuredKind::kConvolution);
  EXPECT_EQ(read.at(0).groups, 64);
  EXPECT_DOUBLE_EQ(read.at(0).us, 2.5);
  EXPECT_EQ(read.at(1).kind, MeasuredKind::kPool);
  EXPECT_EQ(read.at(2).kind, MeasuredKind::kPool);
  EXPECT_EQ(read.at(2).filter_height, 256);
  EXPECT_TRUE(read.at(2).half);
  EXPECT_EQ(read.at(3).kind, MeasuredKind::kRows);
  EXPECT_EQ(read.at(4).kind, MeasuredKind::kStream);
  EXPECT_TRUE(read.at(4).tf32);
  EXPECT_EQ(read.at(5).kind, MeasuredKind::kLaunches);
  EXPECT_DOUBLE_EQ(read.at(5).kernel_us, 5);
  EXPECT_EQ(read.at(6).lanes, 4);
  EXPECT_THAT(refused(read_operators(std::string(kOwn) + kOwnRows[3] + "\n", "t.csv")).text(),
              HasSubstr("N must be a number"));
}

TEST(MeasuredOperators, GroupsDivideChannelsAndLanesAreFew) {
  const auto error = [](const std::string& row) {
    const auto operators = read_operators(std::string(kOwn) + row + "\n", "t.csv");
    return operators ? std::string() : operators.error().text();
  };
  EXPECT_THAT(error("s,d,float32,conv,2.5,1,64,14,14,64,3,3,1,1,1,1,7,,,,,,"), HasSubstr("groups 7 must divide"));
  EXPECT_THAT(error("s,d,float32,stage,2.5,,,,,,,,,,,,,,,,,5000,5"), HasSubstr("lanes must be a whole number up to"));
  EXPECT_THAT(error("s,d,float32,loop,2.5,,,,,,,,,,,,,,,,,5,5"), HasSubstr("op is 'loop'"));
  EXPECT_THAT(error("s,d,int8,chain,2.5,,,,,,,,,,,,,,,,,,5"), HasSubstr("precision must be float32, tf32 or float16"));
}

// A captured kernel of 5 µs begins a gap after the one before it, and later for each other lane that it waits for.
TEST(MeasuredOperators, LaunchesAreThoseOfACapturedGraph) {
  const auto found = validated(std::string(kOwn) + kOwnRows[6] + "\n" + kOwnRows[7] + "\n" + kOwnRows[8] + "\n" +
                               "ios-explorer,NVIDIA H200,float32,stage,6.9,,,,,,,,,,,,,,,,,1,5\n");
  ASSERT_EQ(found.pairs.size(), 4U);
  const simulated::CapturedFigures figures = simulated_description("h200").launches->figures;
  const double alone = figures.gap_us + 5;
  EXPECT_NEAR(found.pairs[0].simulated_us, alone, 1e-6);
  EXPECT_NEAR(found.pairs[1].simulated_us, alone + wait_us(figures, true, 3), 1e-6);
  EXPECT_NEAR(found.pairs[2].simulated_us, alone + wait_us(figures, true, 1), 1e-6);
  EXPECT_NEAR(found.pairs[3].simulated_us, alone, 1e-6);
  // The precision says which description it is, and other people's launches had a host before them.
  EXPECT_EQ(validated(std::string(kOwn) + "ios-explorer,Tesla T4,tf32,chain,5,,,,,,,,,,,,,,,,,,5\n").skipped, 1U);
  EXPECT_EQ(validated(std::string(kOwn) + "somebody,NVIDIA H200,float32,chain,5,,,,,,,,,,,,,,,,,,5\n").skipped, 1U);
}

// A row of a table takes what the operator takes in a network of its own.
TEST(MeasuredOperators, OurOwnKernelsAreSimulatedAsInANetwork) {
  auto [builder, in] = test::sketch("pool", Shape{64, 56, 56});
  Pool pool{.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
  builder.add("max", pool, {in});
  const Graph graph = std::move(builder).build().value();
  simulated::SimulatedDevice device(simulated_description("h200-f32"));
  const ExecutionPlan plan = StagePlanner(graph, 1, device.info().lowering).plan(sequential_schedule(graph));
  const auto measured = must(device.measure({&plan, 1}, {}, {}));
  const auto found = validated(std::string(kOwn) + kOwnRows[1] + "\n");
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_NEAR(found.pairs[0].simulated_us, Micros(measured.front().value).count(), 1e-6);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].kind, "pool");
}

TEST(MeasuredOperators, MistakesInATableNameTheLine) {
  const auto error = [](const std::string& table) {
    const auto operators = read_operators(table, "t.csv");
    return operators ? std::string() : operators.error().text();
  };
  EXPECT_THAT(error(""), HasSubstr("is empty"));
  EXPECT_THAT(error("source,device\nx,y\n"), HasSubstr("line 1: there is no column precision"));
  const std::string head = kElementwise;
  EXPECT_THAT(error(head + "x,y,float32,add,1,2,3\nx,y,float32,add,fast,2,3\n"),
              HasSubstr("line 3: latency_ms must be a number"));
  EXPECT_THAT(error(head + "x,y,float64,add,1,2,3\n"), HasSubstr("precision must be float32, tf32 or float16"));
  EXPECT_THAT(error(head + "x,y,float32,add,0,2,3\n"), HasSubstr("latency_ms must be more than 0"));
  EXPECT_THAT(error(head + "x,y,float32,add,1,0,3\n"), HasSubstr("rows must be a number, at least 1"));
  EXPECT_THAT(error(head + "x,y,float32,add,1,2\n"), HasSubstr("columns must be a number"));
  EXPECT_THAT(error("source,device,precision,latency_ms,N,C,H,W,K,R,S,pad_h,pad_w,stride_h,stride_w\n"
                    "x,y,float32,1,1,1,2,2,1,5,5,1,1,1,1\n"),
              HasSubstr("the filter is larger than the image"));
}

// 2²⁶ floats are read and written once: 2²⁹ bytes at 0.92 of 900 GB/s, and a few µs more until the last block has gone.
TEST(MeasuredOperators, AStreamTakesItsBytesAndItsSessionsHostTime) {
  const double memory_us = 536870912 / (0.92 * 900e3);
  const auto found = validated(std::string(kElementwise) + "somebody,tesla-v100,float32,relu,1,65536,1024\n" +
                               "neusight,Tesla V100-PCIE-32GB,float32,relu,1,65536,1024\n");
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_NEAR(found.pairs[0].simulated_us, memory_us + 3, 0.01 * memory_us);
  const auto session = must(sessions::find("neusight", "Tesla V100-PCIE-32GB", "relu"));
  EXPECT_NEAR(found.pairs[1].simulated_us - found.pairs[0].simulated_us, session.host_us - 3, 1e-6);
}

TEST(MeasuredOperators, ErrorsAreThoseOfTheRatios) {
  const std::string head = kElementwise;
  const double us = validated(head + "s,tesla-v100,float32,relu,1,65536,1024\n").pairs[0].simulated_us;
  const auto row = [&](double of) {
    return "s,tesla-v100,float32,relu," + std::to_string(us * of / 1e3) + ",65536,1024\n";
  };
  const auto found = validated(head + row(1) + row(0.5) + row(2));
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].rows, 3U);
  EXPECT_NEAR(found.errors[0].mape, (0 + 1 + 0.5) / 3, 1e-4);
  EXPECT_NEAR(found.errors[0].median, 0.5, 1e-4);
  EXPECT_NEAR(found.errors[0].within_25, 1.0 / 3, 1e-4);
}

TEST(MeasuredOperators, WhatIsNotSimulatedIsLeftOut) {
  const std::string head = kElementwise;
  EXPECT_EQ(validated(head + "s,abacus,float32,relu,1,2,3\n").skipped, 1U);
  EXPECT_EQ(validated(head + "s,Tesla P4,float16,relu,1,2,3\n").skipped, 1U);  // it has no tensor cores
  EXPECT_TRUE(validated(head + "s,abacus,float32,relu,1,2,3\n").errors.empty());
  // How much host time this session adds follows from the order of measuring, which this row does not say.
  EXPECT_EQ(validated("source,device,precision,order,latency_ms,N,C,H,W,K,R,S,pad_h,pad_w,stride_h,stride_w\n"
                      "neusight,Tesla T4,float32,,1,1,1,2,2,1,1,1,0,0,1,1\n")
                .skipped,
            1U);
}

TEST(MeasuredOperators, ADrawingHasASquareWherePointsLie) {
  OperatorValidation validation;
  validation.pairs = {{"d", MeasuredKind::kStream, "float32", 100, 1000},
                      {"d", MeasuredKind::kStream, "float32", 101, 1001},
                      {"d", MeasuredKind::kStream, "float32", 1e9, 1},
                      {"d", MeasuredKind::kRows, "float32", 100, 100}};
  const std::string svg = operators_svg(validation, MeasuredKind::kStream);
  EXPECT_THAT(svg, HasSubstr("measured (stream)"));
  // 44 + 60 to the right for 100 µs, 8 + 300 - 120 - 4 down for 1 ms; what lies outside is on the edge.
  EXPECT_THAT(svg, HasSubstr("d='M104 184h4v4h-4zM340 304h4v4h-4z'"));
  EXPECT_THAT(operators_svg({}, MeasuredKind::kStream), Not(HasSubstr("h4v4")));
}

// Of every four rows of a table the first is kept to judge by, and nothing is fitted to it.
TEST(MeasuredOperators, GradesCountTheRowsThatWereFittedTo) {
  if (test::reference_folder().empty() || !std::filesystem::exists(test::reference_folder() / "gpu_operators")) {
    GTEST_SKIP() << "the tables of measured operators are not here";
  }
  std::map<std::string, int> counted;
  for (const std::vector<MeasuredOperator>& table : reference_tables()) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (i % 4 == 0) continue;
      const auto card = std::ranges::find(sessions::cards(), table[i].device, &sessions::Card::name);
      ASSERT_NE(card, sessions::cards().end());
      // The nearest description is of another GPU.
      if (card->name == "GTX 1080 Ti" || card->name == "Tesla M40") continue;
      const bool unordered = table[i].kind == MeasuredKind::kConvolution && table[i].source == "neusight";
      if (unordered && table[i].order < 0) continue;
      ++counted[std::string(card->description) + (table[i].half ? " f16" : " f32")];
    }
  }
  for (const char* id : {"tesla-v100", "tesla-t4-streams", "a100-streams", "tesla-p100", "tesla-p4"}) {
    const auto grades = simulated::DeviceDescription(simulated_description(id)).grades;
    ASSERT_TRUE(grades.contains(simulated::NumberFormat::kFloat32)) << id;
    EXPECT_EQ(grades.at(simulated::NumberFormat::kFloat32).count, counted[std::string(id) + " f32"]) << id;
  }
  EXPECT_EQ(simulated_description("tesla-t4-f16").grades.at(simulated::NumberFormat::kFloat16).count,
            counted["tesla-t4-streams f16"]);
}

// What accuracy.md says, with room for a rounding.
TEST(MeasuredOperators, ErrorsOfTheReferenceTables) {
  if (test::reference_folder().empty() || !std::filesystem::exists(test::reference_folder() / "gpu_operators")) {
    GTEST_SKIP() << "the tables of measured operators are not here";
  }
  std::vector<MeasuredOperator> all;
  for (std::vector<MeasuredOperator>& table : reference_tables()) std::ranges::move(table, std::back_inserter(all));
  const OperatorValidation found = validate_operators(all, simulated_descriptions());
  EXPECT_EQ(found.pairs.size() + found.skipped, all.size());
  std::map<std::string, OperatorErrors> by_name;
  for (const OperatorErrors& each : found.errors) {
    by_name[each.device + ' ' + each.kind + ' ' + each.precision] = each;
    if (each.kind == "stream" || each.kind == "rows") {
      EXPECT_LT(each.mape, each.kind == "stream" ? 0.08 : 0.15) << each.device << ' ' << each.kind;
    }
  }
  for (const char* name : {"Tesla V100-PCIE-32GB conv float32", "NVIDIA A100 80GB PCIe conv float32",
                           "Tesla V100-PCIE-32GB matrix float32", "Tesla V100 (DGX-1) matrix float32",
                           "NVIDIA A100 80GB PCIe matrix float32", "NVIDIA A100-PCIE-40GB matrix float32",
                           "Tesla P100-PCIE-16GB matrix float32"}) {
    ASSERT_TRUE(by_name.contains(name)) << name;
    EXPECT_LT(by_name[name].mape, 0.10) << name;
  }
  for (const char* name : {"Tesla T4 conv float32", "Tesla P100-PCIE-16GB conv float32", "Tesla P4 conv float32"}) {
    ASSERT_TRUE(by_name.contains(name)) << name;
    EXPECT_LT(by_name[name].mape, 0.15) << name;
  }
  // What a device's description says of its convolutions, and so the list of devices: of the rows that nothing is
  // fitted to.
  std::vector<MeasuredOperator> kept;
  for (const std::vector<MeasuredOperator>& table : reference_tables()) {
    for (std::size_t i = 0; i < table.size(); i += 4) kept.push_back(table[i]);
  }
  std::map<std::string, double> off;
  for (const OperatorErrors& each : validate_operators(kept, simulated_descriptions()).errors) {
    if (each.kind == "conv") off[each.device + ' ' + each.precision] = each.mape;
  }
  const auto said = [](const char* id, simulated::NumberFormat format) {
    return simulated::DeviceDescription(simulated_description(id)).grades.at(format).error_percent.value() / 100;
  };
  constexpr double kRounding = 0.0006;
  const auto f32 = simulated::NumberFormat::kFloat32;
  EXPECT_NEAR(said("tesla-v100", f32), off["Tesla V100-PCIE-32GB float32"], kRounding);
  EXPECT_NEAR(said("a100-f32", f32), off["NVIDIA A100 80GB PCIe float32"], kRounding);
  EXPECT_NEAR(said("tesla-t4", f32), off["Tesla T4 float32"], kRounding);
  EXPECT_NEAR(said("tesla-p100", f32), off["Tesla P100-PCIE-16GB float32"], kRounding);
  EXPECT_NEAR(said("tesla-p4", f32), off["Tesla P4 float32"], kRounding);
  EXPECT_NEAR(said("tesla-t4-f16", simulated::NumberFormat::kFloat16), by_name["Tesla T4 conv float16"].mape,
              kRounding);
}

// The spread by which simulated devices are redrawn is that of the model's errors.

simulated::ResidualKind residual_kind_of(MeasuredKind kind) {
  switch (kind) {
    case MeasuredKind::kConvolution: return simulated::ResidualKind::kConvolution;
    case MeasuredKind::kMatrix: return simulated::ResidualKind::kMatrix;
    case MeasuredKind::kRows: return simulated::ResidualKind::kRows;
    case MeasuredKind::kStream:
    case MeasuredKind::kPool:
    case MeasuredKind::kLaunches: break;
  }
  return simulated::ResidualKind::kStream;
}

TEST(ResidualSpread, IsThatOfTheMeasuredOperators) {
  const auto folder = test::reference_folder() / "gpu_operators";
  if (test::reference_folder().empty() || !std::filesystem::exists(folder))
    GTEST_SKIP() << "the folder with measured operators is not here";
  constexpr std::size_t kEnough = 100;  // rows: of fewer the mean says little
  constexpr std::array kUpTo{20.0, 50.0, 100.0, 300.0, 1000.0, 1e9};
  std::map<std::pair<simulated::ResidualKind, std::size_t>, std::pair<double, std::size_t>> errors;
  for (const char* name : {"convolutions.csv", "matrix_products.csv", "elementwise.csv"}) {
    std::ifstream stream(folder / name);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto operators = must(read_operators(text, name));
    for (const OperatorPair& pair : validate_operators(operators, simulated_descriptions()).pairs) {
      if (pair.precision != "float32") continue;
      std::size_t size = 0;
      while (pair.measured_us >= kUpTo.at(size)) ++size;
      auto& [sum, rows] = errors[{residual_kind_of(pair.kind), size}];
      sum += std::abs(pair.simulated_us / pair.measured_us - 1);
      ++rows;
    }
  }
  std::size_t compared = 0;
  for (const auto& [key, error] : errors) {
    if (error.second < kEnough) continue;
    ++compared;
    const double mean = error.first / static_cast<double>(error.second);
    EXPECT_NEAR(simulated::residual_spread(key.first, kUpTo.at(key.second) * 0.999), 1.2533 * mean, 0.02)
        << static_cast<int>(key.first) << " up to " << kUpTo.at(key.second) << " µs: " << mean;
  }
  EXPECT_GE(compared, 15U);
}

}  // namespace

}  // namespace iosx
