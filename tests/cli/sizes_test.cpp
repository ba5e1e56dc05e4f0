#include "tests/cli/process.h"
#include "tests/support/open_model.h"
#include "tests/support/prelude.h"

// Sizes that a model leaves open, on the command line.
namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

class Sizes : public testing::Test {
 protected:
  std::string model(const std::vector<OpenInput>& inputs) { return folder_.write("net.onnx", open_model(inputs)); }
  std::string image() { return model({{"x", {"N", "3", "height", "width"}}}); }

  TemporaryFolder folder_;
};

TEST_F(Sizes, AreInTheInspection) {
  const Finished done = iosx_done({"inspect", image(), "--json", "--dim", "height=64"});
  EXPECT_THAT(done.err, HasSubstr("'width' 224; --dim height=SIZE or --shape x=1x3x64x224 sets other sizes"));
  const auto json = done.json();
  EXPECT_EQ(json.at("inputs")[0].at("name"), "x");
  EXPECT_EQ(json.at("inputs")[0].at("type"), "float32");
  EXPECT_EQ(json.at("inputs")[0].at("file_shape"), Json::array({1, 3, 64, 224}));
  EXPECT_EQ(json.at("inputs")[0].at("shape"), Json::array({3, 64, 224}));
  EXPECT_EQ(json.at("outputs")[0].at("name"), "x/out");
  EXPECT_EQ(json.at("outputs")[0].at("file_shape"), Json::array({1, 3, 64, 224}));
  EXPECT_EQ(json.at("open_sizes")[1].at("from"), "option");
  EXPECT_EQ(json.at("open_sizes")[2].at("from"), "chosen");

  const Finished text = iosx({"inspect", image(), "--shape", "x=4x3x32x32"});
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, AllOf(HasSubstr("batch 4"), HasSubstr("x  4x3x32x32 float32"), HasSubstr("height  32, given")));
}

TEST_F(Sizes, OfABatchGoWithTheOption) {
  const std::string path = image();
  EXPECT_EQ(iosx({"inspect", path, "--json", "--batch", "8"}).json().at("inputs")[0].at("file_shape")[0], 8);
  EXPECT_EQ(iosx({"inspect", path, "--json", "--dim", "N=8"}).json().at("batch"), 8);
  EXPECT_THAT(iosx_refused({"inspect", path, "--batch", "8", "--dim", "N=4"}, 2),
              HasSubstr("--batch 8: contradicts the batch of 4"));
  // The file's own.
  EXPECT_EQ(iosx({"inspect", model({{"x", {"5", "3"}}}), "--json"}).json().at("batch"), 5);
}

// What is written has the interface of what was read, other names and types included.
TEST_F(Sizes, StayInAConvertedModelWithNamesAndTypes) {
  const std::string path = folder_.write(
      "typed.onnx", open_model({{"b", {"N", "3", "height", "width"}}, {"a", {"N", "4"}, 7}, {"c", {"N", "2"}, 10}}));
  const std::string again = folder_.file("again.onnx");
  EXPECT_EQ(iosx_done({"convert", path, "-o", again, "--json"}).json().at("batch"), nullptr);
  const auto before = iosx({"inspect", path, "--json"}).json();
  const auto after = iosx({"inspect", again, "--json"}).json();
  for (const char* key : {"inputs", "outputs", "open_sizes"}) EXPECT_EQ(before.at(key), after.at(key)) << key;

  // One that has its batch keeps it, and one without a batch gets none.
  const std::string fixed = folder_.write("fixed.onnx", open_model({{"x", {"5", "3"}}}));
  EXPECT_EQ(iosx({"convert", fixed, "-o", again, "--json"}).json().at("batch"), 5);
  EXPECT_EQ(iosx({"inspect", again, "--json"}).json().at("inputs")[0].at("file_shape"), Json::array({5, 3}));
  EXPECT_EQ(iosx({"convert", fixed, "-o", again, "--json", "--batch", "2"}).json().at("batch"), 2);
  const std::string vector = folder_.write("vector.onnx", open_model({{"x", {"3"}}}));
  iosx_done({"convert", vector, "-o", again});
  EXPECT_EQ(iosx({"inspect", again, "--json"}).json().at("inputs")[0].at("file_shape"), Json::array({3}));
}

// Two outputs that are one value are two outputs for every command.
TEST_F(Sizes, OfOutputsThatAreOneValueAreWrittenForEach) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const std::string path = folder_.write("twice.onnx", open_model({{"x", {"N", "3"}}}, true));
  const Finished run = iosx_done({"run", path, "--device", "cpu", "--schedule", "greedy", "--repeat", "1",
                                  "--output-dir", folder_.file("out"), "--verify", "--json"});
  const auto outputs = run.json().at("outputs");
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].at("name"), "x/out");
  EXPECT_EQ(outputs[1].at("name"), "x/again");
  iosx_done({"convert", path, "-o", folder_.file("again.onnx")});
  EXPECT_EQ(iosx({"inspect", folder_.file("again.onnx"), "--json"}).json().at("outputs").size(), 2U);
  const Finished package =
      iosx_done({"export", "pytorch", path, "-o", folder_.file("package"), "--schedule", "sequential"});
  std::ifstream source(folder_.file("package") + "/network.py");
  const std::string text{std::istreambuf_iterator<char>(source), {}};
  EXPECT_THAT(text, AllOf(HasSubstr("x/out"), HasSubstr("x/again")));
}

TEST_F(Sizes, ThatAreWrongAreALineAndExitCodeTwo) {
  const std::string path = image();
  const auto error_of = [](const std::vector<std::string>& words) {
    const Finished done = iosx(words);
    EXPECT_EQ(done.exit_code, 2) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    return done.err;
  };
  EXPECT_THAT(error_of({"inspect", path, "--dim", "depth=3"}), HasSubstr("'N', 'height', 'width'"));
  EXPECT_THAT(error_of({"inspect", path, "--dim", "height=0"}), HasSubstr("make 'height' 0"));
  EXPECT_THAT(error_of({"inspect", path, "--dim", "height=3", "--dim", "height=4"}), HasSubstr("contradicts"));
  EXPECT_THAT(error_of({"inspect", path, "--shape", "y=1x3x8x8"}), HasSubstr("its inputs are 'x'"));
  EXPECT_THAT(error_of({"inspect", path, "--shape", "x=1x3x8"}), HasSubstr("give Nx3xheightxwidth"));
  EXPECT_THAT(error_of({"inspect", path, "--shape", "x=1x4x8x8"}), HasSubstr("3 in the file"));
  EXPECT_THAT(error_of({"inspect", path, "--shape", "x=0x3"}), HasSubstr("--shape: x=0x3: is not a shape"));
  EXPECT_THAT(error_of({"inspect", "sample", "--dim", "height=3"}), HasSubstr("ONNX models"));
  // GRAPH may follow them.
  iosx_done({"inspect", "--dim", "height=64", "--dim", "width=32", path});
}

TEST_F(Sizes, AreTakenByEveryCommandWithAGraph) {
  const std::string path = image();
  const std::string out = folder_.file("out.json");
  const std::vector<std::vector<std::string>> commands{
      {"count", path},
      {"optimize", path, "-o", out, "--device", "tesla-v100"},
      {"compare", path, "--device", "tesla-v100"},
      {"explain", path, "--device", "tesla-v100", "--schedule", "sequential"},
      {"experiment", "schedules", path, "--device", "tesla-v100"},
      {"run", path, "--device", "tesla-v100", "--schedule", "sequential"},
      {"profile", path, "--device", "tesla-v100"},
      {"convert", path, folder_.file("out.onnx")},
      {"export", "pytorch", path, "-o", folder_.file("package"), "--schedule", "sequential"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--shape", "x=1x3x32x48"});
    const Finished done = iosx(words);
    EXPECT_EQ(done.exit_code, 0) << words[0] << ": " << done.err;
    EXPECT_THAT(done.err, Not(HasSubstr("chosen here"))) << words[0];
    words.back() = "x=1x3x32";
    EXPECT_EQ(iosx(words).exit_code, 2) << words[0];
  }
}

// NumPy files of any type, one a line of [type, bytes of an element 3].
template <typename T>
std::string npy_of(const std::string& type, T value, const std::string& shape, std::size_t count,
                   const std::string& order = "False") {
  std::string bytes = npy_header(type, shape, order);
  for (std::size_t i = 0; i < count; ++i, value = static_cast<T>(value + 1)) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  return bytes;
}

TEST_F(Sizes, RunTakesArraysOfAnyTypeInTheFilesShape) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const std::string path = model({{"x", {"N", "rows", "3"}}, {"y", {"N", "2"}}});
  const auto outputs = [&](const std::string& x) {
    const Finished done =
        iosx_done({"run", path, "--schedule", "sequential", "--device", "cpu", "--repeat", "1", "--json", "--shape",
                   "x=1x2x3", "--output-dir", folder_.file("out"), "--input", folder_.write("x.npy", x),
                   folder_.write("y.npy", npy_of<double>("<f8", 7, "(1, 2)", 2))});
    std::vector<std::string> files;
    if (done.exit_code != 0) return files;
    const auto json = done.json();
    for (const auto& output : json.at("outputs")) files.push_back(read(output.at("file").get<std::string>()));
    EXPECT_EQ(json.at("outputs")[0].at("name"), "x/out");
    return files;
  };
  const std::vector<float> wanted{3, 4, 5, 6, 7, 8};
  for (const std::string& x :
       {npy_of<float>("<f4", 3, "(1, 2, 3)", 6), npy_of<double>("<f8", 3, "(1, 2, 3)", 6),
        npy_of<std::int64_t>("<i8", 3, "(1, 2, 3)", 6), npy_of<std::int32_t>("<i4", 3, "(2, 3)", 6),
        npy_of<std::uint8_t>("|u1", 3, "(1, 2, 3)", 6), npy_of<std::int16_t>("<i2", 3, "(1, 2, 3)", 6)}) {
    const auto files = outputs(x);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(floats_in(files[0]), wanted);
    EXPECT_EQ(floats_in(files[1]), (std::vector<float>{7, 8}));
    EXPECT_THAT(files[0].substr(0, 128), HasSubstr("(1, 2, 3)"));
  }
  // The first axis innermost.
  const auto columns = outputs(npy_of<float>("<f4", 3, "(1, 2, 3)", 6, "True"));
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(floats_in(columns[0]), (std::vector<float>{3, 5, 7, 4, 6, 8}));
  // The header is Python's, whose quotes are of two kinds.
  std::string quoted = npy_of<float>("<f4", 3, "(1, 2, 3)", 6, "True");
  std::ranges::replace(quoted, '\'', '"');
  EXPECT_EQ(floats_in(outputs(quoted).at(0)), (std::vector<float>{3, 5, 7, 4, 6, 8}));
}

TEST_F(Sizes, RunWantsWholeNumbersWhereTheFileDoes) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const std::string path = model({{"ids", {"N", "3"}, 7}});
  const auto run = [&](float first) {
    return iosx({"run", path, "--schedule", "sequential", "--device", "cpu", "--repeat", "1", "--output-dir",
                 folder_.file("out"), "--input", folder_.write("x.npy", npy_of<float>("<f4", first, "(1, 3)", 3))});
  };
  EXPECT_EQ(run(2).exit_code, 0);
  const Finished refused = run(1.5F);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("has 1.5, but 'ids' accepts only whole numbers (int64)"));
}

// Several networks on one device, from the command line.

TEST(SeveralNetworks, AreComparedWithTheirOwnLatencies) {
  const TemporaryFolder folder;
  const Finished run =
      iosx_done({"compare", "sample+squeezenet", "--device", "h200", "--no-store", "--json", "-o", folder.file("out"),
                 "--save", folder.file("both.iosrun"), "--report", folder.file("both.html")});
  const auto json = run.json();
  ASSERT_EQ(json.at("networks").size(), 2U);
  std::map<std::string, double> takes;
  for (const auto& schedule : json.at("schedules")) {
    ASSERT_EQ(schedule.at("networks").size(), 2U);
    takes[schedule.at("id")] = schedule.at("latency_ms");
  }
  // Side by side gains, and lanes are never slower than that or than one after another.
  EXPECT_LT(takes.at("side-by-side"), takes.at("sequential"));
  EXPECT_LE(takes.at("ios-flow"), takes.at("side-by-side"));
  EXPECT_THAT(read(folder.path() / "out" / "networks.csv"), HasSubstr("alone,squeezenet,"));
  EXPECT_THAT(read(folder.path() / "out" / "comparison.txt"),
              AllOf(HasSubstr("own latency"), HasSubstr("side-by-side")));
  EXPECT_THAT(read(folder.path() / "both.html"), HasSubstr("squeezenet"));
  // A run that was saved says the same.
  const Finished shown = iosx_done({"show", folder.file("both.iosrun"), "--json"});
  EXPECT_EQ(shown.json().at("networks"), json.at("networks"));
}

TEST(SeveralNetworks, ComputeOnTheProcessorWhatSequentialDoes) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  // So short a measurement may say that the cores are busy anyway.
  const auto json = iosx_done(briefly({"compare", "sample+sample", "--device", "cpu", "--no-store", "--verify",
                                       "--schedules", "sequential,side-by-side", "--json"}))
                        .json();
  for (const auto& schedule : json.at("schedules")) {
    EXPECT_TRUE(schedule.at("verification").at("passed")) << schedule.at("id");
    EXPECT_EQ(schedule.at("verification").at("outputs").size(), 2U);
  }
}

TEST(SeveralNetworks, AreRefusedInOneLine) {
  for (const auto& [graph, code, what] :
       {std::tuple("sample+", 2, "NETWORK+NETWORK"), std::tuple("+sample", 2, "NETWORK+NETWORK"),
        std::tuple("sample+inceptoin_v3", 2, "did you mean inception_v3"),
        std::tuple("sample+no/such.onnx", 1, "no/such.onnx")}) {
    const Finished run = iosx({"inspect", graph});
    EXPECT_EQ(run.exit_code, code) << graph;
    EXPECT_EQ(run.error_lines(), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr(what));
  }
  const Finished one = iosx({"compare", "sample", "--schedules", "side-by-side"});
  EXPECT_NE(one.exit_code, 0);
  EXPECT_THAT(one.err, HasSubstr("several networks"));
}

TEST(SeveralNetworks, AreWhatEveryCommandTakes) {
  const TemporaryFolder folder;
  iosx_done({"inspect", "sample+sample"});
  iosx_done({"count", "sample+sample"});
  iosx_done({"convert", "sample+sample", "-o", folder.file("both.onnx")});
  iosx_done({"inspect", folder.file("both.onnx")});
  const Finished optimized =
      iosx_done({"optimize", "sample+sample", "--no-store", "-o", folder.file("both.schedule.json")});
  // It names its networks, so it opens by itself.
  iosx_done({"inspect", folder.file("both.schedule.json")});
}

// iosx sweep: tables, documents, and what it refuses.

double latency(const Json& point, const std::string& id) {
  for (const Json& each : point.at("schedules")) {
    if (each.at("id") == id) return each.at("latency_ms").get<double>();
  }
  throw std::runtime_error("no schedule " + id);
}

TEST(Sweep, IsWhatCompareSaysAtEachValue) {
  const Json sweep = iosx({"sweep", "sample", "--values", "1,8", "--json"}).json();
  EXPECT_EQ(sweep.at("parameter"), "batch");
  EXPECT_EQ(sweep.at("present"), 1);
  ASSERT_EQ(sweep.at("points").size(), 2U);
  const Json compared = iosx({"compare", "sample", "--batch", "8", "--json"}).json();
  for (const Json& each : compared.at("schedules")) {
    const std::string id = each.at("id");
    if (id == "ios-merge" || id == "ios-parallel" || id == "list" || id == "ios-flow") continue;
    EXPECT_DOUBLE_EQ(latency(sweep.at("points")[1], id), each.at("latency_ms").get<double>()) << id;
  }
}

TEST(Sweep, OfAnOperatorsSize) {
  const Finished table =
      iosx_done({"sweep", "sample", "--vary", "channels", "--operator", "sample.conv_a", "--values", "128,375"});
  EXPECT_THAT(table.out, HasSubstr("latency in ms over output channels of sample.conv_a (simulated)"));
  EXPECT_THAT(table.out, HasSubstr("375 (now)"));
  const Json kernel = iosx({"sweep", "sample", "--vary", "kernel", "--operator", "sample.conv_a", "--json"}).json();
  const Json& points = kernel.at("points");
  EXPECT_LT(latency(points.front(), "sequential"), latency(points.back(), "sequential"));
}

TEST(Sweep, NamesAllOriginsOfItsRows) {
  const std::vector<std::string> sweep{"sweep", "sample", "--vary", "device", "--schedules", "sequential", "--values"};
  EXPECT_THAT(iosx_done(with(sweep, {"tesla-v100,h200"})).out, HasSubstr("(simulated)"));
  EXPECT_THAT(iosx_done(with(sweep, {"tesla-v100,cpu", "--no-store", "--repeat", "1", "--min-time", "0"})).out,
              HasSubstr("(simulated and measured)"));
}

TEST(Sweep, OfSeveralNetworksSaysWhatItVaries) {
  const std::vector<std::string> sweep{"sweep", "sample+squeezenet", "--schedules", "sequential", "--vary"};
  EXPECT_THAT(iosx_done(with(sweep, {"input-size", "--values", "15,30"})).out,
              HasSubstr("of sample, the others in proportion"));
}

TEST(Sweep, WhatCannotBeIsSaidInItsRow) {
  const Json json = iosx({"sweep", "inception_v3", "--vary", "input-size", "--values", "32,299", "--json"}).json();
  EXPECT_FALSE(json.at("points")[0].at("problem").is_null());
  EXPECT_TRUE(json.at("points")[1].at("problem").is_null());
  // Where nothing at all can be, the command has failed.
  const Finished none = iosx({"sweep", "inception_v3", "--vary", "input-size", "--values", "32", "--json"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_FALSE(none.json().at("points")[0].at("problem").is_null());
  EXPECT_THAT(none.err, HasSubstr("sweep: no value could be run"));
}

TEST(Sweep, RefusesWhatNamesNothing) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--vary", "colour"}, "choose one of batch, device"},
      {{"--vary", "kernel"}, "name the operator"},
      {{"--vary", "kernel", "--operator", "nobody"}, "no operator 'nobody'"},
      {{"--operator", "sample.conv_a"}, "does not apply to one operator"},
      {{"--values", "1,x"}, "'x' is not a valid value"},
      {{"--values", "0"}, "'0' is not a valid value"},
      {{"--values", "4,4"}, "'4' is given twice"},
      {{"--vary", "device", "--values", "nobody"}, "there is no device 'nobody'"},
      {{"--device", ""}, "--device: is empty"},
      {{"--schedules", "file"}, "for one graph only"},
  };
  for (const auto& [words, error] : mistakes) {
    const Finished run = iosx(with({"sweep", "sample"}, words));
    EXPECT_EQ(run.exit_code, 2) << error;
    EXPECT_THAT(run.err, HasSubstr(error));
  }
}

}  // namespace

}  // namespace iosx::test
