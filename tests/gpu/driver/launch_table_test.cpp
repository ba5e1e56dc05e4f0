// The table that gpu_launch_bench writes is the one that `iosx validate --operators` reads: all of it, on every GPU.
// What stands in it is made up, as the runtime is on which the benchmark runs here.

#include "core/base/json/text_file.h"
#include "core/operators/recorded.h"
#include "tests/cli/process.h"
#include "tests/gpu/driver/machine.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

// Runs the benchmark, what it says going to a file, and returns whether it ended well.
bool run_bench(const std::string& variables, const std::string& arguments, const std::string& said) {
  static const std::string folder = std::filesystem::path(IOS_MADE_UP_DRIVER).parent_path().string();
  const std::string command = "LD_LIBRARY_PATH='" + folder + "':\"$LD_LIBRARY_PATH\" " + variables +
                              " '" IOS_MADE_UP_LAUNCH_BENCH "' " + arguments + " > '" + said + "' 2>&1";
  return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe): nothing else runs
}

TEST(LaunchTable, IsReadAndSimulatedOnEveryGpu) {
  const iosx::test::TemporaryFolder folder;
  for (const Chip& chip : chips()) {
    SCOPED_TRACE(chip.name);
    const std::string file = folder.file(std::string(chip.id) + ".csv");
    const std::string said = folder.file("said");
    ASSERT_TRUE(run_bench("IOS_MADE_UP_GPU=" + std::string(chip.id), "--csv '" + file + "'", said))
        << read_text_file(said).value_or("");
    const auto text = must(read_text_file(file));
    const auto rows = must(read_operators(text, file));
    std::map<std::string, std::set<std::int64_t>> lanes;  // by what is launched
    std::set<MeasuredKind> kinds;
    for (const MeasuredOperator& row : rows) {
      EXPECT_EQ(row.device, chip.name);
      EXPECT_EQ(row.source, kOwnSource);
      kinds.insert(row.kind);
      if (row.kind == MeasuredKind::kLaunches) lanes[row.op].insert(row.lanes);
    }
    EXPECT_THAT(kinds, UnorderedElementsAre(MeasuredKind::kConvolution, MeasuredKind::kMatrix, MeasuredKind::kStream,
                                            MeasuredKind::kRows, MeasuredKind::kPool, MeasuredKind::kLaunches));
    EXPECT_THAT(lanes["ladder"], IsSupersetOf({2, 4, 8, 16}));
    EXPECT_THAT(lanes["stage"], IsSupersetOf({2, 4, 8, 16}));
    const auto validated = iosx::test::iosx({"validate", "--without-searches", "--json", "--operators", file});
    ASSERT_EQ(validated.exit_code, 0) << validated.err;
    const auto document = validated.json();
    std::size_t simulated = 0;
    for (const auto& errors : document["operators"]) simulated += errors["rows"].get<std::size_t>();
    EXPECT_EQ(simulated, rows.size());
    EXPECT_EQ(document["operators_left_out"].get<int>(), 0);
  }
}

// What an H100 and an H200 took. Of stages and rungs that take 20 µs and more the simulation is off by 6 %; shorter
// kernels start sooner after one another than it assumes.
TEST(LaunchTable, OfTwoGpusIsSimulated) {
  const std::string folder = IOS_SOURCE_FOLDER "/gpu/bench/measured/2026-11-26/";
  const auto validated = iosx::test::iosx({"validate", "--without-searches", "--json", "--operators",
                                           folder + "h100-launch.csv", folder + "h200-launch.csv"});
  ASSERT_EQ(validated.exit_code, 0) << validated.err;
  const auto document = validated.json();
  EXPECT_EQ(document["operators_left_out"].get<int>(), 0);
  std::size_t rows = 0;
  bool long_ones = false;
  for (const auto& errors : document["operators"]) rows += errors["rows"].get<std::size_t>();
  for (const auto& errors : document["operators_by_size"]) {
    if (errors["kind"] != "launches, 20 to 50 µs") continue;
    long_ones = true;
    EXPECT_LT(errors["mape"].get<double>(), 0.1);
  }
  EXPECT_EQ(rows, 114U);
  EXPECT_TRUE(long_ones);
}

TEST(LaunchTable, SomeTablesAreEnoughAndMistakesAreNamed) {
  const iosx::test::TemporaryFolder folder;
  const std::string said = folder.file("said");
  const auto says = [&](const std::string& arguments, const std::string& failure = "") {
    run_bench("IOS_MADE_UP_FAILURE=" + failure, arguments, said);
    return read_text_file(said).value_or("");
  };
  const std::string file = folder.file("table.csv");
  EXPECT_THAT(says("chains --csv '" + file + "'"), HasSubstr("Chains of empty kernels"));
  EXPECT_EQ(must(read_operators(read_text_file(file).value_or(""), file)).size(), 1U);
  EXPECT_THAT(says("chain"), HasSubstr("there is no table chain"));
  EXPECT_THAT(says("--csv"), HasSubstr("--csv wants a file"));
  EXPECT_THAT(says("chains --csv /nowhere/table.csv"), HasSubstr("/nowhere/table.csv cannot be written"));
  EXPECT_THAT(says("", "driver-too-old"), HasSubstr("skipped: "));
}

}  // namespace
}  // namespace iosx::gpu::test
