#include "core/engines/engine.h"

#include "core/base/files.h"
#include "core/formats/npy.h"
#include "tests/support/made_up_engines.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using testing::Field;

class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_python()) GTEST_SKIP() << "there is no python3";
    test::write_made_up_engines(folder_.path());
    std::ofstream(folder_.path() / "model.onnx") << "not read by these engines";
    std::ofstream(folder_.path() / "input.npy") << npy_bytes(Tensor({1, 3}, {1, 2, 4}), network_shape_, "float32");
    std::ofstream(folder_.path() / "outputs.json") << R"({"first": [1, 2], "second": [1, 1, 3]})";
    ::setenv("IOSX_MADE_UP_OUTPUTS", (folder_.path() / "outputs.json").c_str(), 1);
    network_ = {.model = folder_.path() / "model.onnx",
                .inputs = {{"x", folder_.path() / "input.npy"}},
                .outputs = {output("second", {1, 1, 3}), output("first", {1, 2})},
                .threads = 2};
  }

  static FileTensor output(const std::string& name, const std::vector<std::int64_t>& shape) {
    FileTensor tensor{.name = name, .op = name};
    for (const std::int64_t size : shape) tensor.axes.push_back({.size = size});
    return tensor;
  }
  Result<std::vector<EngineInfo>> find(const std::vector<std::string>& ids) {
    return find_engines(test::made_up_engines(folder_.path(), ids), scratch_.path(), {}, notices_);
  }
  Result<Engine> load(const std::string& id, Seconds limit = Seconds(20), const JobContext& job = {}) {
    auto settings = test::made_up_engines(folder_.path(), {id});
    settings.limit = limit;
    const auto found = must(find_engines(settings, scratch_.path(), {}, notices_));
    return Engine::load(found.front(), network_, settings, scratch_.path() / id, job);
  }
  std::string refusal(const std::string& id, Seconds limit = Seconds(20)) {
    auto loaded = load(id, limit);
    return loaded ? "" : loaded.error().text();
  }

  const std::vector<std::int64_t> network_shape_{1, 3};
  ScratchFolder folder_ = ScratchFolder::make().value();
  ScratchFolder scratch_ = ScratchFolder::make().value();
  EngineNetwork network_;
  std::vector<Message> notices_;
};

TEST_F(EngineTest, AreFoundByTheirAdapters) {
  const auto found = must(find({"slow", "absent", "gpu-only", "right", "slow"}));
  ASSERT_THAT(found, SizeIs(4));
  EXPECT_EQ(found[0].id, "slow");
  EXPECT_EQ(found[0].title, "Slow");
  EXPECT_EQ(found[0].versions.at("made-up"), "1.2");
  EXPECT_THAT(found[0].devices, ElementsAre("cpu"));
  EXPECT_THAT(found[0].missing, IsEmpty());
  EXPECT_THAT(found[1].missing, ElementsAre("made-up"));
  EXPECT_EQ(found[1].install, "pip install made-up");
  EXPECT_THAT(found[2].devices, ElementsAre("cuda"));
  EXPECT_EQ(found[3].id, "right");
  EXPECT_THAT(notices_, IsEmpty());
}

// Anybody's adapter imports what the program's own do, without a copy of it.
TEST_F(EngineTest, AdaptersElsewhereImportTheProtocol) {
  std::filesystem::create_directories(folder_.path() / "mine");
  std::ofstream(folder_.path() / "mine" / "beside.py") << "TITLE = 'Mine'\n";
  std::ofstream(folder_.path() / "mine" / "mine.py") << "from beside import TITLE\n"
                                                        "from protocol import serve\n"
                                                        "if __name__ == '__main__':\n"
                                                        "    serve(None, {'mine': TITLE}, [], '', {'mine': ['cpu']})\n";
  const auto found =
      find_engines({.adapters = folder_.path() / "mine", .chosen = {"mine"}}, scratch_.path(), {}, notices_);
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_EQ(found->front().title, "Mine");
}

// The program's own adapters say what they are without their packages, which the interpreter need not have.
TEST_F(EngineTest, OfTheProgramAnswerWithoutTheirPackages) {
  const auto found = must(find({}));
  EXPECT_THAT(notices_, IsEmpty());
  for (const char* id : {"onnxruntime", "onnxruntime-parallel", "openvino", "pytorch", "pytorch-compile"}) {
    EXPECT_THAT(found, Contains(Field(&EngineInfo::id, id)));
  }
  for (const EngineInfo& engine : found) {
    EXPECT_FALSE(engine.title.empty()) << engine.id;
    EXPECT_FALSE(engine.devices.empty()) << engine.id;
    EXPECT_TRUE(engine.missing.empty() || engine.install.find("pip install") != std::string::npos) << engine.id;
  }
}

TEST_F(EngineTest, AnIdThatNoneHasNamesThoseThatAreThere) {
  const Error error = refused(find({"tensorrt-5"}));
  EXPECT_THAT(error.text(), AllOf(HasSubstr("tensorrt-5: is not an engine"), HasSubstr("right")));
}

TEST_F(EngineTest, AnAdapterThatDoesNotStartSaysWhy) {
  std::ofstream(folder_.path() / "broken.py") << "import nothing_such\n";
  const Error error = refused(find({"mine"}));
  EXPECT_THAT(error.text(), HasSubstr("mine: is not an engine; broken.py: has ended with exit code 1; its message: "));
  EXPECT_THAT(error.text(), HasSubstr("No module named 'nothing_such'"));
}

TEST_F(EngineTest, AnInterpreterThatAnswersNothingIsOneError) {
  const Error error = refused(find_engines({.python = "/bin/true"}, scratch_.path(), {}, notices_));
  EXPECT_THAT(error.text(), AllOf(HasSubstr("/bin/true: "), HasSubstr("--python")));
}

TEST_F(EngineTest, AnInterpreterThatIsNotThereIsOneError) {
  const Error error = refused(find_engines({.python = "/no/such/python"}, scratch_.path(), {}, notices_));
  EXPECT_THAT(error.text(), HasSubstr("/no/such/python: cannot be started"));
  EXPECT_THAT(error.text(), HasSubstr("--python"));
}

TEST_F(EngineTest, AnAdapterThatIsNoneIsANoticeAndTheOthersStay) {
  std::ofstream(folder_.path() / "broken.py") << "this is not Python\n";
  std::ofstream(folder_.path() / "empty.py") << "import sys\nprint('{\"ok\": true}')\nsys.stdin.read()\n";
  must(find({"right"}));
  ASSERT_THAT(notices_, SizeIs(2));
  EXPECT_THAT(notices_[0].text(), HasSubstr("broken.py: has ended with exit code 1"));
  EXPECT_THAT(notices_[1].text(), HasSubstr("empty.py: "));
  EXPECT_THAT(refused(find_engines({.adapters = scratch_.path() / "nowhere"}, scratch_.path(), {}, notices_)).text(),
              HasSubstr("name a folder with adapters"));
}

TEST_F(EngineTest, ComputesIsTimedAndProfiled) {
  auto engine = must(load("right"));
  EXPECT_EQ(engine.settings(), "threads 2 on cpu in float32");
  EXPECT_GT(engine.prepared_in().count(), 0);
  const auto outputs = must(engine.outputs({}));
  ASSERT_THAT(outputs, SizeIs(2));  // in the model's order, not the engine's
  EXPECT_THAT(outputs[0].elements(), ElementsAre(8, 9, 10));
  EXPECT_THAT(outputs[1].elements(), ElementsAre(8, 9));
  const auto latency = must(engine.time({.warmup = 1, .repeats = 12, .max_repeats = 12}, {}));
  EXPECT_NEAR(latency.value.count(), 2.001, 1e-9);
  EXPECT_EQ(latency.samples, 12);
  EXPECT_EQ(latency.origin, Origin::kMeasured);
  const auto profile = must(engine.profile({}));
  ASSERT_THAT(profile, SizeIs(2));
  EXPECT_EQ(profile[1].name, "b + c");
  EXPECT_EQ(profile[1].kind, "Fused");
  EXPECT_EQ(profile[1].latency, Millis(0.5));
}

TEST_F(EngineTest, WhatItCannotDoIsOneLine) {
  EXPECT_EQ(refusal("refuses"), "Refuses: cannot convert Gelu");
  EXPECT_THAT(refusal("mumbles"), HasSubstr("Mumbles: its adapter sent an invalid reply: 'hello there'"));
  EXPECT_THAT(refusal("hangs", Seconds(1)), HasSubstr("Hangs: has not replied for 1 s"));
  auto quiet = must(load("quiet"));
  EXPECT_EQ(quiet.profile({}).error().text(), "has no profile");
  EXPECT_TRUE(quiet.time({}, {})) << "a refusal ends nothing";
  network_.outputs.push_back(output("third", {1}));
  EXPECT_THAT(must(load("right")).outputs({}).error().text(), HasSubstr("does not compute the output 'third'"));
  network_.outputs = {output("first", {1, 5})};
  EXPECT_THAT(must(load("right")).outputs({}).error().text(), HasSubstr("has the shape (1, 2) instead of (1, 5)"));
}

TEST_F(EngineTest, ThatDiesSaysSoAndStaysDead) {
  auto engine = must(load("dies"));
  const TimingOptions once{.warmup = 0, .repeats = 1, .max_repeats = 1};
  EXPECT_TRUE(engine.time(once, {}));
  EXPECT_THAT(engine.time(once, {}).error().text(), HasSubstr("has ended with exit code 7"));
  EXPECT_FALSE(engine.time(once, {}));
}

TEST_F(EngineTest, IsLeftAtOnceWhenAStopIsWanted) {
  std::stop_source stop;
  std::jthread stops([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(load("hangs", Seconds(100), {.stop = stop.get_token(), .progress = {}}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

}  // namespace
}  // namespace iosx
