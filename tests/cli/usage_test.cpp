// Exit codes and errors: 0 done, 1 the job failed, 2 the command line is wrong; one line on standard error that says
// where, what and what to do.
#include <stdio.h>
#include <sys/stat.h>

#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

void expect_error(const Finished& run, int exit_code, const std::string& where, const std::string& remedy) {
  EXPECT_EQ(run.exit_code, exit_code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.error_lines(), 1U) << run.err;
  EXPECT_THAT(run.err, AllOf(StartsWith("iosx: "), HasSubstr(where), HasSubstr(remedy)));
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
              "give --streams"},
        Wrong{{"export", "onnx", "sample", "--schedule", "greedy", "-o", "x"}, "--schedule", "leave it out"},
        Wrong{{"export", "csv", "sample", "--graph", "sample", "--schedule", "greedy", "-o", "x"},
              "--graph",
              "leave it out"},
        Wrong{{"compare", "sample", "--external-runs", "3"}, "--external", "--help"},
        Wrong{{"export", "pytorch", "sample", "--schedule", "greedy"}, "--output", "iosx export --help"},
        Wrong{
            {"export", "pytorch", "sample", "--schedule", "ios-merge", "-o", "x"}, "ios-merge", "iosx optimize sample"},
        Wrong{{"convert", "sample"}, "--output", "iosx convert --help"}));

// An option that has no effect is refused or said.
TEST(Unused, OptionsAreSaid) {
  const TemporaryFolder folder;
  iosx_done({"compare", "sample", "--batch", "8", "-o", folder.file("out")});
  const std::string eight = folder.file("out/ios-parallel.schedule.json");
  const std::string store = folder.file("store.db");
  iosx_done({"compare", "sample", "--store", store});
  for (const auto& [arguments, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"compare", "sample", "--schedules", "greedy", "--budget", "5"}, "have no effect: --budget"},
           {{"compare", "sample", "--schedules", "list", "--warm-start", eight}, "have no effect: warm start"},
           {{"compare", "sample", "--search", "exhaustive", "--seed", "3"}, "--seed has no effect"},
           {{"optimize", "sample", "--search", "exhaustive", "--seed", "3", "-o", folder.file("x.json")},
            "--seed has no effect"},
           {{"compare", "sample", "--replay", "--store", store}, "Schedules on lanes are left out"},
           {{"run", "sample", "--schedule", eight}, "found for batch 8, and runs at batch 1"},
           {{"explain", "sample", "--schedule", folder.file("out/ios-flow.schedule.json")},
            "runs on lanes without stages"}}) {
    EXPECT_THAT(iosx_done(arguments).err, HasSubstr(said));
  }
  EXPECT_EQ(iosx_done({"run", eight, "--json"}).json().at("batch"), 8) << "the file's own";
}

TEST(Unused, OptionsAreRefusedOfWhatIsSaved) {
  const TemporaryFolder folder;
  const std::string run = folder.file("x.iosrun");
  iosx_done({"compare", "sample", "--save", run});
  for (const std::vector<std::string>& rest : std::vector<std::vector<std::string>>{
           {"--device", "h200"}, {"--batch", "2"}, {"--finer-units"}, {"--no-store"}, {"-r", "2"}}) {
    EXPECT_THAT(iosx_refused(with({"diff", run}, rest), 2), HasSubstr("nothing is run"));
  }
  EXPECT_THAT(iosx_refused({"verify-order", run, "--finer-units"}, 2), HasSubstr("already contains its network"));
  iosx_done({"diff", "mixture_of_experts:sequential", "mixture_of_experts:greedy", "--finer-units"});
}

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
  iosx_done({"optimize", "alexnet", "-o", schedule});
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
    const Finished run = iosx_done(arguments);
    EXPECT_FALSE(run.out.empty());
    EXPECT_EQ(run.err, "");
  }
}

TEST(Success, IsSilentOnStandardErrorWithoutATerminal) {
  const Finished run = iosx_done({"compare", "squeezenet"});
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

// Names, files and limits that nobody would choose: one clear line each, and nothing raw on the terminal.

TEST(Surroundings, NamesAreEscapedOnTheTerminal) {
  const TemporaryFolder folder;
  const std::string evil = "x\xe2\x80\xae\xc2\x9by";
  const std::string graph = folder.write("evil.json", network(evil));
  for (const char* command : {"inspect", "run", "explain"}) {
    std::vector<std::string> arguments{command, graph};
    if (std::string(command) != "inspect") arguments.insert(arguments.end(), {"--schedule", "sequential"});
    const Finished run = iosx_done(arguments);
    EXPECT_THAT(run.out + run.err, Not(HasSubstr("\xe2\x80\xae"))) << command;
    EXPECT_THAT(run.out, HasSubstr("x\\u{202E}\\u{009B}y")) << command;
  }
  const Finished json = iosx({"inspect", graph, "--json"});
  EXPECT_THAT(json.out, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_EQ(json.json().at("graph"), evil);  // the name stays what it is
  EXPECT_THAT(iosx_refused({"inspect", "\x1b[31m\xff.onnx"}, 1),
              HasSubstr("\\x1B[31m\\xFF.onnx: there is no such file"));
}

// What would go into a file goes to the terminal, which obeys control characters that the file holds.
TEST(Surroundings, DocumentsOnStandardOutputAreWhatATerminalMayBeGiven) {
  const TemporaryFolder folder;
  const std::string graph = folder.write("evil.json", network("x\xe2\x80\xae\xc2\x9by"));
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"convert", graph, "-o", "-", "--format", "iosx"},
                                             {"convert", graph, "-o", "-", "--format", "ios"},
                                             {"convert", graph, "-o", "-", "--format", "csv"},
                                             {"optimize", graph, "-o", "-"},
                                             {"run", graph, "--schedule", "sequential", "-o", "-"}}) {
    const Finished run = iosx_done(arguments);
    EXPECT_THAT(run.out, Not(HasSubstr("\xe2\x80\xae"))) << testing::PrintToString(arguments);
    EXPECT_THAT(run.out, Not(HasSubstr("\xc2\x9b"))) << testing::PrintToString(arguments);
    EXPECT_THAT(run.out, AnyOf(HasSubstr("x\\u202e\\u009by"), HasSubstr("x\\u{202E}\\u{009B}y")));
  }
}

TEST(Surroundings, NoNameIsAFormula) {
  const TemporaryFolder folder;
  const std::string graph = folder.write("evil.json", network("=HYPERLINK(0)"));
  const Finished run = iosx_done({"convert", graph, "-o", "-", "--format", "csv"});
  EXPECT_EQ(run.out, "stage,strategy,group,step,units,latency_ms\n1,concurrent,1,1,'=HYPERLINK(0),\n");
}

TEST(Surroundings, MinusIsStandardOutput) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"convert", "sample", "-o", "-"},
           {"optimize", "sample", "-o", "-"},
           {"run", "sample", "--schedule", "sequential", "-o", "-"},
       }) {
    const Finished run = iosx_done(arguments);
    EXPECT_TRUE(run.json().is_object()) << arguments.front();
  }
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"convert", "sample", "-o", "-", "--json"},
           {"convert", "sample", "-o", "-", "--format", "onnx"},
           {"compare", "sample", "-o", "-"},
           {"compare", "sample", "--save", "-"},
       }) {
    EXPECT_THAT(iosx_refused(arguments, 1), HasSubstr("cannot be written to standard output"));
    EXPECT_FALSE(std::filesystem::exists("-"));
  }
}

// Nobody ever writes into this pipe.
TEST(Surroundings, PipesAndDevicesAreNotWaitedFor) {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe.onnx");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& path : {pipe, std::string("/dev/null"), folder.path().string()}) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"inspect", path},
             {"show", path},
             {"convert", path, "-o", folder.file("out.json")},
             {"run", "sample", "--schedule", path},
             {"run", "sample", "--schedule", "sequential", "--output-dir", folder.file("d"), "--input", path},
             {"store", "info", "--store", path},
             {"store", "import", path, "--store", folder.file("s.db")},
             {"store", "merge", path, "--store", folder.file("s.db")},
         }) {
      const Finished run = iosx(arguments);
      EXPECT_TRUE(run.exit_code == 1 || run.exit_code == 2) << arguments.front() << ' ' << path << ' ' << run.exit_code;
      EXPECT_EQ(run.error_lines() - (run.err.find("; --device chooses") != std::string::npos ? 1 : 0), 1U) << run.err;
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 60s * every(10));
}

#ifndef IOS_SANITIZED  // they need all the address space there is
struct Limited {
  int exit_code = 0;
  std::string text;  // both streams
};

Limited with_address_space(int kibibytes, const std::string& arguments) {
  const std::string command =
      fmt::format("(ulimit -v {}; {} {}; echo \"exit $?\") 2>&1", kibibytes, IOSX_PROGRAM, arguments);
  Limited run;
  FILE* const stream = popen(command.c_str(), "r");
  if (stream == nullptr) return run;
  char block[4096];
  for (std::size_t n = 0; (n = fread(block, 1, sizeof block, stream)) > 0;) run.text.append(block, n);
  pclose(stream);
  const std::size_t at = run.text.rfind("exit ");
  if (at == std::string::npos) return run;
  run.exit_code = std::stoi(run.text.substr(at + 5));
  run.text.resize(at);
  return run;
}

// From too little to start with up to enough.
TEST(Surroundings, TooLittleMemoryIsOneLine) {
  for (const int megabytes : {75, 100, 130, 250}) {
    for (const char* arguments : {"run squeezenet --schedule sequential --device cpu", "inspect vgg19",
                                  "convert vgg19 -o /dev/null --format onnx"}) {
      const Limited run = with_address_space(megabytes * 1000, arguments);
      if (run.exit_code == 127) continue;  // the system's loader already had too little
      if (run.exit_code == 0) continue;
      EXPECT_EQ(run.exit_code, 1) << megabytes << ' ' << arguments << ": " << run.text;
      EXPECT_THAT(run.text, StartsWith("iosx: "));
      EXPECT_THAT(run.text, AnyOf(HasSubstr("memory"), HasSubstr("MB"), HasSubstr("thread")));
      EXPECT_EQ(std::count(run.text.begin(), run.text.end(), '\n'), 1) << run.text;
    }
  }
}
#endif

TEST(Surroundings, WhatACardCouldNotHoldIsSaid) {
  const Finished large =
      iosx_done({"run", "inception_v3", "--schedule", "sequential", "--device", "tesla-v100", "--batch", "65536"});
  EXPECT_THAT(large.err, HasSubstr("with 16 GB cannot run this: batch 65536 needs"));
  const Finished compared =
      iosx({"compare", "sample", "--device", "rtx-2080-ti", "--batch", "65536", "--schedules", "sequential"});
  EXPECT_THAT(compared.err, HasSubstr("with 11 GB cannot run this"));
  const Finished small =
      iosx({"run", "inception_v3", "--schedule", "sequential", "--device", "tesla-v100", "--batch", "8"});
  EXPECT_THAT(small.err, Not(HasSubstr("cannot run this")));
}

// Whatever the moment, it ends within moments, and leaves no half of a file.
TEST(Interrupt, OfConvertEndsIt) {
  const TemporaryFolder folder;
  for (const auto delay : {50ms, 200ms, 500ms}) {
    const Finished run = iosx({"convert", "vgg19", "-o", folder.file("vgg.onnx")}, delay);
    if (run.exit_code == -1 || run.exit_code == 0) continue;
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("cancelled while writing"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

}  // namespace

}  // namespace iosx::test
