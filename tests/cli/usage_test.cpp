// Exit codes and errors: 0 done, 1 the job failed, 2 the command line is wrong; one line on standard error that says
// where, what and what to do.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/cli/process.h"

namespace iosx::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void expect_error(const Finished& run, int exit_code, const std::string& where, const std::string& remedy) {
  EXPECT_EQ(run.exit_code, exit_code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.error_lines(), 1U) << run.err;
  EXPECT_THAT(run.err, StartsWith("iosx: "));
  EXPECT_THAT(run.err, HasSubstr(where));
  EXPECT_THAT(run.err, HasSubstr(remedy));
}

struct Wrong {
  std::vector<std::string> arguments;
  std::string where;
  std::string remedy;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << testing::PrintToString(wrong.arguments); }

class WrongUsage : public testing::TestWithParam<Wrong> {};

TEST_P(WrongUsage, ExitsWithTwoAndOneLine) {
  expect_error(iosx(GetParam().arguments), 2, GetParam().where, GetParam().remedy);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, WrongUsage,
    testing::Values(
        Wrong{{}, "a command is missing", "iosx --help"},                                 //
        Wrong{{"store"}, "a command is missing", "iosx store --help"},                    //
        Wrong{{"store", "inof"}, "'inof'", "did you mean info? iosx store --help"},       //
        Wrong{{"optimise", "sample"}, "optimise", "did you mean optimize"},               //
        Wrong{{"--frobnicate"}, "frobnicate", "--help"},                                  //
        Wrong{{"inspect"}, "GRAPH", "iosx inspect --help"},                               //
        Wrong{{"inspect", "sample", "more"}, "more", "--help"},                           //
        Wrong{{"inspect", "inceptoin_v3"}, "inceptoin_v3", "did you mean inception_v3"},  //
        Wrong{{"inspect", "zzz"}, "zzz", "squeezenet"},                                   //
        Wrong{{"inspect", ""}, "argument 2", "give it a value"},                          //
        Wrong{{"compare", "sample", "--device", "v100"}, "v100", "tesla-v100"},           //
        Wrong{{"compare", "sample", "--batch", "0"}, "--batch", "from 1 to"},             //
        Wrong{{"compare", "sample", "--batch", "-4"}, "--batch", "from 1 to"},            //
        Wrong{{"compare", "sample", "--batch", "two"}, "'two'", "from 1 to"},             //
        Wrong{{"compare", "sample", "--batch", "010"}, "'010'", "from 1 to"},             //
        Wrong{{"compare", "sample", "--batch", "1.5"}, "'1.5'", "from 1 to"},             //
        Wrong{{"compare", "sample", "--batch", "99999999999999999999"}, "--batch", "from 1 to"},
        Wrong{{"compare", "sample", "--schedules", "sequential,ios-bth"}, "ios-bth", "ios-both"},
        Wrong{{"compare", "sample", "--schedules", ""}, "--schedules", "give it a value"},
        Wrong{{"compare", "sample", "--schedules", "file"}, "sample", "--schedules"},
        Wrong{{"compare", "sample", "--strategy", "merge", "--schedules", "greedy"}, "--strategy", "--schedules"},
        Wrong{{"compare", "sample", "--repeat", "0"}, "--repeat", "from 1 to"},
        Wrong{{"compare", "sample", "--repeat", "100001"}, "'100001'", "from 1 to"},
        Wrong{{"run", "sample", "--warmup", "-1"}, "--warmup", "from 0 to"},
        Wrong{{"optimize", "sample", "-o", "x", "--min-time", "1e9"}, "'1e9'", "from 0 to"},
        Wrong{{"run", "sample", "--schedule", "greedy", "--verify"}, "tesla-v100", "such as cpu"},
        Wrong{{"compare", "sample", "--verify"}, "tesla-v100", "computes no outputs"},
        Wrong{{"optimize", "sample", "-o", "x.json", "--verify"}, "tesla-v100", "computes no outputs"},
        Wrong{{"count", "sample", "-r", "-1"}, "-r", "0 = unlimited"},  //
        Wrong{{"count", "sample", "-s", "x"}, "-s", "0 = unlimited"},   //
        Wrong{{"count", "sample", "-r"}, "-r", "--help"},               //
        Wrong{{"count", "sample", "--ending-rule", "both"}, "--ending-rule", "single-root"},
        Wrong{{"count", "sample", "--max-part-size", "0"}, "--max-part-size", "64"},
        Wrong{{"count", "sample", "--max-part-size", "65"}, "--max-part-size", "64"},
        Wrong{{"optimize", "sample"}, "--output", "--help"},  //
        Wrong{{"optimize", "sample", "-o", "x", "--strategy", "parrallel"}, "parrallel", "parallel"},
        Wrong{{"optimize", "sample", "-o", "x", "--format", "xml"}, "xml", "iosx"},
        Wrong{{"optimize", "sample", "-o", "x.onnx"}, "'.onnx'", "choose a format: iosx, ios, csv"},
        Wrong{{"compare", "sample", "--replay", "--repeat", "3"}, "--repeat", "runs nothing"},
        Wrong{{"experiment"}, "a command is missing", "iosx experiment --help"},
        Wrong{{"experiment", "prunning", "sample"}, "'prunning'", "did you mean pruning"},
        Wrong{{"experiment", "pruning"}, "GRAPH", "iosx experiment pruning --help"},
        Wrong{{"experiment", "pruning", "sample", "-r", "1,x"}, "'x'", "0 = unlimited"},
        Wrong{{"experiment", "batches", "sample", "--batches", ""}, "--batches", "give it a value"},
        Wrong{{"experiment", "batches", "sample", "--batches", "1,,2"}, "'1,,2'", "remove that comma"},
        Wrong{{"experiment", "batches", "sample", "--batches", "1,2,"}, "--batches", "remove that comma"},
        Wrong{{"experiment", "devices", "sample", "--devices", ",tesla-v100"}, "--devices", "remove that comma"},
        Wrong{{"experiment", "batches", "sample", "--batches", "0,2"}, "'0'", "from 1 to"},
        Wrong{{"experiment", "batches", "sample", "--batches", "2"}, "--batches", "give at least two"},
        Wrong{{"experiment", "throughput", "sample", "--batches", "2,2"}, "--batches", "give each once"},
        Wrong{{"experiment", "devices", "sample", "--devices", "tesla-v100"}, "--devices", "give at least two"},
        Wrong{{"experiment", "devices", "sample", "--devices", "tesla-v100,k80"}, "'k80'", "tesla-k80"},
        Wrong{{"experiment", "schedules", "zzz"}, "zzz", "squeezenet"},
        Wrong{{"experiment", "search", "sample", "--seeds", "0"}, "--seeds", "from 1 to"},
        Wrong{{"optimize", "sample", "-o", "x.foo"}, "'.foo'", "choose a format: iosx, ios, csv"},
        Wrong{{"run", "sample", "--schedule", "ios-both"}, "ios-both", "iosx optimize sample -o FILE"},
        Wrong{{"run", "sample"}, "sample", "--schedule"},  //
        Wrong{{"export", "pytorch", "sample", "-o", "x"}, "sample", "--schedule"},
        Wrong{{"export", "scheduled-onnx", "sample", "-o", "x"}, "sample", "--schedule"},
        Wrong{{"export", "scheduled-onnx", "sample", "--schedule", "greedy", "-o", "x", "--streams-on", "cpu"},
              "--streams-on",
              "give --streams FILE"},
        Wrong{{"export", "onnx", "sample", "--schedule", "greedy", "-o", "x"}, "--schedule", "leave it out"},
        Wrong{{"export", "csv", "sample", "--graph", "sample", "--schedule", "greedy", "-o", "x"},
              "--graph",
              "leave it out"},
        Wrong{{"compare", "sample", "--external-runs", "3"}, "--external", "--help"},
        Wrong{{"export", "pytorch", "sample", "--schedule", "greedy"}, "--output", "iosx export --help"},
        Wrong{
            {"export", "pytorch", "sample", "--schedule", "ios-merge", "-o", "x"}, "ios-merge", "iosx optimize sample"},
        Wrong{{"convert", "sample"}, "--output", "iosx convert --help"}));

TEST(Failure, OfAFileExitsWithOne) {
  const TemporaryFolder folder;
  expect_error(iosx({"inspect", folder.file("missing.json")}), 1, "missing.json", "path");
  expect_error(iosx({"inspect", folder.path().string()}), 1, folder.path().string(), "");
  expect_error(iosx({"inspect", folder.write("empty.json", "")}), 1, "empty.json", "");
  expect_error(iosx({"inspect", folder.write("text.json", "hello\nworld\n")}), 1, "text.json", "");
  expect_error(iosx({"inspect", folder.write("cut.json", "{\"name\": \"x\", \"blocks\": [")}), 1, "cut.json", "");
  expect_error(iosx({"inspect", folder.write("other.json", "{\"a\": 1}")}), 1, "other.json", "");
  expect_error(iosx({"compare", folder.write("deep.json", std::string(1'000'000, '['))}), 1, "deep.json", "");
}

TEST(Failure, OfAScheduleFileExitsWithOne) {
  const TemporaryFolder folder;
  expect_error(iosx({"run", "sample", "--schedule", folder.file("missing.json")}), 1, "missing.json", "");
  expect_error(iosx({"run", "sample", "--schedule", folder.write("not.json", "nonsense")}), 1, "not.json", "");
  const std::string schedule = folder.file("alexnet.json");
  ASSERT_EQ(iosx({"optimize", "alexnet", "-o", schedule}).exit_code, 0);
  expect_error(iosx({"run", "sample", "--schedule", schedule}), 1, "alexnet.json", "");
}

TEST(Failure, ToWriteIsToldBeforeTheSearch) {
  const TemporaryFolder folder;
  const std::string inside_nothing = folder.file("missing/x.json");
  expect_error(iosx({"optimize", "sample", "-o", inside_nothing}), 1, inside_nothing, "folder");
  expect_error(iosx({"run", "sample", "--schedule", "greedy", "-o", inside_nothing}), 1, inside_nothing, "folder");
  expect_error(iosx({"convert", "sample", inside_nothing}), 1, inside_nothing, "folder");
  expect_error(iosx({"optimize", "sample", "-o", folder.path().string()}), 1, folder.path().string(), "file");
  const std::string file = folder.write("file", "");
  expect_error(iosx({"export", "pytorch", "sample", "--schedule", "greedy", "-o", file}), 1, file, "folder");
  expect_error(iosx({"export", "scheduled-onnx", "sample", "--schedule", "greedy", "-o", inside_nothing}), 1,
               inside_nothing, "folder");
  expect_error(iosx({"export", "pytorch", "sample", "--schedule", "greedy", "-o", folder.path().string()}), 1,
               folder.path().string(), "name a new folder");
  expect_error(iosx({"compare", "sample", "-o", file + "/below"}), 1, "below", "another place");
}

TEST(Failure, ToWriteStandardOutputIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  // A shell, because only it redirects.
  const std::string command = std::string(IOSX_PROGRAM) + " networks > /dev/full 2> /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
}

TEST(Success, HelpAndVersionGoToStandardOutput) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"compare", "--help"}, {"--version"}}) {
    const Finished run = iosx(arguments);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_FALSE(run.out.empty());
    EXPECT_EQ(run.err, "");
  }
}

TEST(Success, IsSilentOnStandardErrorWithoutATerminal) {
  const Finished run = iosx({"compare", "squeezenet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("simulated"));
  for (const char* name : {"sequential", "greedy", "ios-merge", "ios-parallel", "ios-both", "best: "}) {
    EXPECT_THAT(run.out, HasSubstr(name));
  }
}

TEST(Success, ProgressOnATerminalLeavesStandardOutputAlone) {
  const Finished run = iosx_on_terminal({"compare", "inception_v3", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.json().at("schedules").size(), 7U);
  EXPECT_THAT(run.err, HasSubstr(" of "));                // progress was shown
  EXPECT_TRUE(run.err.ends_with("\r\033[K")) << run.err;  // and taken away
}

// A script's unset variable: whatever the option is, and however it is written.
TEST(EmptyValues, AreAWrongCommandLine) {
  for (const auto& [arguments, option] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"store", "prune", "--program", "", "--batch", "1"}, "--program"},
           {{"store", "prune", "--program=", "--batch", "1"}, "--program"},
           {{"compare", "sample", "--save", ""}, "--save"},
           {{"compare", "sample", "--schedules", ""}, "--schedules"},
           {{"compare", "sample", "--external", ""}, "--external"},
           {{"compare", "sample", "--batch", ""}, "--batch"},
           {{"compare", "sample", "--dim", ""}, "--dim"},
           {{"compare", ""}, "argument 2"},
           {{""}, "argument 1"},
           {{"sweep", "sample", "--csv", ""}, "--csv"},
           {{"sweep", "sample", "--values", ""}, "--values"},
           {{"optimize", "sample", "-o", ""}, "-o"},
           {{"run", "sample", "--input", ""}, "--input"},
           {{"report", "", "page.html"}, "argument 2"},
           {{"external", "times.csv", ""}, "argument 3"},
           {{"devices", "--json="}, "--json"}}) {
    expect_error(iosx(arguments), 2, option + ": is empty", "give it a value, or leave it out");
  }
}

TEST(Outputs, OfOneNameAreAWrongCommandLine) {
  const TemporaryFolder folder;
  for (const std::string& other : {folder.file("x"), folder.path().string() + "/./x"}) {
    expect_error(iosx({"compare", "sample", "--device", "tesla-v100", "--save", folder.file("x"), "--report", other}),
                 2, folder.file("x"), "name another file");
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("x")));
}

}  // namespace
}  // namespace iosx::test
