// Names, files and limits that nobody would choose: one clear line each, and nothing raw on the terminal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdio.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/support/sanitized.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace std::chrono_literals;

// A convolution of this name, and its name as the network's.
std::string network(const std::string& name) {
  const Json input{{"type", "placeholder"}, {"name", "in"}, {"hint_name", "in"}, {"output_shape", {8, 16, 16}}};
  const Json conv{{"type", "conv"},
                  {"name", name},
                  {"hint_name", name},
                  {"inputs", Json::array({Json::array({Json::array({"in", 0, 8})})})},
                  {"out_channels", 8},
                  {"kernel", {3, 3}},
                  {"stride", {1, 1}},
                  {"padding", {1, 1}},
                  {"groups", 1},
                  {"act", "relu"},
                  {"output_shape", {8, 16, 16}}};
  const Json blocks = Json::array({{{"enter_name", "in"},
                                    {"enter_node", input},
                                    {"inner_nodes", Json::array()},
                                    {"exit_node", conv},
                                    {"stages", Json::array({Json::array({Json::array({name})})})}}});
  return Json{{"name", name}, {"input", input}, {"blocks", blocks}}.dump();
}

TEST(Surroundings, NamesAreEscapedOnTheTerminal) {
  const TemporaryFolder folder;
  const std::string evil = "x\xe2\x80\xae\xc2\x9by";
  const std::string graph = folder.write("evil.json", network(evil));
  for (const char* command : {"inspect", "run", "explain"}) {
    std::vector<std::string> arguments{command, graph};
    if (std::string(command) != "inspect") arguments.insert(arguments.end(), {"--schedule", "sequential"});
    const Finished run = iosx(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out + run.err, Not(HasSubstr("\xe2\x80\xae"))) << command;
    EXPECT_THAT(run.out, HasSubstr("x\\u{202E}\\u{009B}y")) << command;
  }
  const Finished json = iosx({"inspect", graph, "--json"});
  EXPECT_THAT(json.out, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_EQ(json.json().at("graph"), evil);  // the name stays what it is
  const Finished wrong = iosx({"inspect", "\x1b[31m\xff.onnx"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("\\x1B[31m\\xFF.onnx: there is no such file"));
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
    const Finished run = iosx(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, Not(HasSubstr("\xe2\x80\xae"))) << testing::PrintToString(arguments);
    EXPECT_THAT(run.out, Not(HasSubstr("\xc2\x9b"))) << testing::PrintToString(arguments);
    EXPECT_THAT(run.out, testing::AnyOf(HasSubstr("x\\u202e\\u009by"), HasSubstr("x\\u{202E}\\u{009B}y")));
  }
}

TEST(Surroundings, NoNameIsAFormula) {
  const TemporaryFolder folder;
  const std::string graph = folder.write("evil.json", network("=HYPERLINK(0)"));
  const Finished run = iosx({"convert", graph, "-o", "-", "--format", "csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "stage,strategy,group,step,units,latency_ms\n1,concurrent,1,1,'=HYPERLINK(0),\n");
}

TEST(Surroundings, MinusIsStandardOutput) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"convert", "sample", "-o", "-"},
           {"optimize", "sample", "-o", "-"},
           {"run", "sample", "--schedule", "sequential", "-o", "-"},
       }) {
    const Finished run = iosx(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(run.json().is_object()) << arguments.front();
  }
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"convert", "sample", "-o", "-", "--json"},
           {"convert", "sample", "-o", "-", "--format", "onnx"},
           {"compare", "sample", "-o", "-"},
           {"compare", "sample", "--save", "-"},
       }) {
    const Finished run = iosx(arguments);
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.err, HasSubstr("cannot be written to standard output"));
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
      EXPECT_THAT(run.text, testing::AnyOf(HasSubstr("memory"), HasSubstr("MB"), HasSubstr("thread")));
      EXPECT_EQ(std::count(run.text.begin(), run.text.end(), '\n'), 1) << run.text;
    }
  }
}
#endif

TEST(Surroundings, WhatACardCouldNotHoldIsSaid) {
  const Finished large =
      iosx({"run", "inception_v3", "--schedule", "sequential", "--device", "tesla-v100", "--batch", "65536"});
  EXPECT_EQ(large.exit_code, 0) << large.err;
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
