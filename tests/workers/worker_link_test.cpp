// Both sides of the wire against anything that might be at the other end.
#include "core/workers/worker_link.h"

#include <csignal>

#include "tests/support/fake_devices.h"
#include "tests/support/prelude.h"
#include "tests/workers/workers.h"

namespace iosx {
namespace {

using Clock = std::chrono::steady_clock;

constexpr WorkerLimits kShort{
    .start = Seconds(20), .silence = Seconds(2), .measurement = Seconds(3), .stop = Seconds(2)};

std::string in_quotes_of_shell(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
  return quoted + "'";
}

// Says these lines, whatever it is told, and then does what is said last.
std::string says(const std::vector<std::string>& lines, const std::string& then = "sleep 60") {
  std::string command;
  for (const std::string& line : lines) command += fmt::format("echo {}; ", in_quotes_of_shell(line));
  return command + then;
}

std::string hello() {
  return to_line(
      wire::Hello{.program = "made up", .device = test::FakeDevice().info(), .methods_key = "", .host = "h"});
}

Result<WorkerLink> start(const std::string& command, WorkerLimits limits = kShort) {
  return WorkerLink::start(command, limits, {});
}

TEST(WorkerLink, StartsAWorkerBehindAnyLauncher) {
  for (const std::string& launcher :
       {std::string(), std::string("exec "), std::string("nice "), std::string("env A=1 ")}) {
    auto link = must(start(launcher + test::scripted_worker()));
    EXPECT_EQ(link.hello().program, "scripted");
    EXPECT_EQ(link.hello().device.name, "Fake device");
    EXPECT_FALSE(link.hello().host.empty());
    EXPECT_GE(link.hello().cores, 1);
  }
}

TEST(WorkerLink, BannersBeforeTheHelloAreNothing) {
  auto link = must(start(says(
      {"Welcome to the cluster!", "", R"({"motd": "down on Sunday"})", "module: loaded cuda",
       R"(srun: job "iosx-search" queued and waiting for resources)", R"({"level":"info","content":{"msg":"node up"}})",
       "template {{.ID}}", R"(I1129 {"kind":"Pod","version":1,"spec":{"node":{}}})", "{"},
      test::scripted_worker())));
  EXPECT_TRUE(link.ask(wire::Unload{0}, {}));
}

TEST(WorkerLink, WhatIsNoWorkerIsOneClearLine) {
  struct Case {
    std::string command;
    std::string says;
  };
  std::string older = hello();
  older.replace(older.find("\"version\":") + 10, 1, "1");
  const std::vector<Case> cases{
      {"/no/such/launcher worker", "not found"},
      {"echo 'Permission denied (publickey).' >&2; exit 255", "Permission denied (publickey)"},
      {"echo 'Permission denied (publickey).' >&2; exit 255", "exit code 255"},
      {"echo hello; exit 3", "its output: hello"},
      {"exit 0", "exit code 0"},
      {"kill -9 $$", "signal"},
      {says({older}), "written in version 1"},
      {says({hello().substr(0, 60)}), "does not use the protocol of this program"},
      {says({R"({"format":"iosx-worker","version":4,"content":[]})"}), "does not use the protocol"},
      {says({R"({"format":"iosx-order","version":4,"content":{}})"}), "does not use the protocol"},
  };
  for (const Case& each : cases) {
    const auto link = start(each.command);
    ASSERT_FALSE(link) << each.command;
    EXPECT_THAT(link.error().line().text(), HasSubstr(each.says)) << each.command;
    EXPECT_THAT(link.error().line().text(), Not(HasSubstr("\n")));
  }
}

TEST(WorkerLink, AWorkerWithoutADeviceSaysWhyInItsOwnWords) {
  const Error error = refused(start(says({to_line(wire::Reply{
      0, wire::failed_of({message("there is no device '{}'", "gpu2"), "", message("choose one of cpu")})})})));
  EXPECT_EQ(error.what, "there is no device 'gpu2'");
  EXPECT_EQ(error.remedy, "choose one of cpu");
}

TEST(WorkerLink, AQueueThatNeverStartsHasAnEnd) {
  const auto begin = Clock::now();
  EXPECT_THAT(
      refused(start("echo 'srun: job 7 queued and waiting for resources' >&2; sleep 60", {.start = Seconds(1)})).text(),
      AllOf(HasSubstr("has not started after 1 s"), HasSubstr("queued and waiting")));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
}

TEST(WorkerLink, AStopEndsTheWaitForAQueue) {
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const auto begin = Clock::now();
  EXPECT_FALSE(WorkerLink::start("sleep 60", kShort, {stop.get_token(), {}}));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(15));
}

TEST(WorkerLink, AGigabyteOnOneLineIsRefused) {
  EXPECT_THAT(refused(start("head -c 300000000 /dev/zero | tr '\\0' a; sleep 60", {.start = Seconds(120)})).text(),
              HasSubstr("a line of more than"));
}

// Says hello, then these lines to the first order, whatever that is.
Result<WorkerLink::Answer> ask_one_that_says(const std::vector<std::string>& lines, bool* gone = nullptr,
                                             const std::string& then = "sleep 60") {
  auto link = must(start(says({hello()}, "read order; " + says(lines, then))));
  auto answer = link.ask(wire::Unload{0}, {});
  if (gone != nullptr) *gone = link.gone();
  return answer;
}

TEST(WorkerLink, NonsenseAsAnAnswerLosesTheWorker) {
  const std::string done = to_line(wire::Reply{1, wire::Done{}});
  bool gone = true;
  EXPECT_TRUE(ask_one_that_says({"warning: a library says this", done}, &gone));
  EXPECT_FALSE(gone);
  for (const std::string& line :
       {done.substr(0, done.size() - 5), to_line(wire::Reply{2, wire::Done{}}), hello(),
        std::string(R"({"format":"iosx-reply","version":4,"content":{"number":1,"what":{"kind":"surprise"}}})"),
        std::string(R"({"format":"iosx-reply","version":3,"content":{"number":1,"what":{"kind":"done"}}})")}) {
    EXPECT_FALSE(ask_one_that_says({line}, &gone)) << line;
    EXPECT_TRUE(gone) << line;
  }
  EXPECT_FALSE(ask_one_that_says({}, &gone, "exit 4"));
  EXPECT_TRUE(gone);
}

// The ways in which a line is damaged on its way.
std::vector<std::string> garbled(const std::string& line) {
  std::string other = line;
  other[2] = 'F';
  std::string named = line;
  named.replace(named.find("iosx-"), 5, "iosX-");
  std::string noisy = line;
  noisy[line.size() / 2] = '\x07';
  return {
      line.substr(0, 8), line.substr(0, line.size() / 2), line.substr(line.size() / 2), other, named, "x" + line, noisy,
      line + line};
}

TEST(WorkerLink, APieceOfALineIsKnown) {
  for (const std::string& line : {hello(), to_line(wire::Reply{1, wire::Done{}})}) {
    for (std::size_t i = 3; i <= line.size(); ++i) EXPECT_TRUE(wire::is_spoken(line.substr(0, i))) << i;
    for (std::size_t i = 0; i + 2 <= line.size(); ++i) EXPECT_TRUE(wire::is_spoken(line.substr(i))) << i;
  }
}

TEST(WorkerLink, AGarbledLineLosesTheWorkerSoon) {
  for (const std::string& line : garbled(hello())) {
    const auto begin = Clock::now();
    EXPECT_FALSE(start(says({line}))) << line;
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5)) << line;
  }
  for (const std::string& line : garbled(to_line(wire::Reply{1, wire::Done{}}))) {
    bool gone = false;
    EXPECT_THAT(refused(ask_one_that_says({line}, &gone)).text(), HasSubstr("sent an invalid reply")) << line;
    EXPECT_TRUE(gone) << line;
  }
}

// Text of a few bytes that names an argument ten times, whose own pattern does the same, and so on.
TEST(WorkerLink, AMessageWithoutEndIsRefused) {
  wire::Said endless{"lol", true, {}};
  for (int i = 0; i < 10; ++i) endless = {"{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}", false, {endless}};
  wire::Said deep{"x", true, {}};
  for (int i = 0; i < wire::kMaxSaidLevels; ++i) deep = {"{}", false, {deep}};
  for (const wire::Said& said : {endless, deep}) {
    EXPECT_FALSE(start(says({to_line(wire::Reply{0, wire::Failed{said, {}, {}}})})));
    for (const auto& reply : {wire::Reply{1, wire::Failed{said, {}, {}}}, wire::Reply{1, wire::Failed{{}, {}, said}},
                              wire::Reply{1, wire::Alive{.phase = said}}}) {
      bool gone = false;
      EXPECT_THAT(refused(ask_one_that_says({to_line(reply)}, &gone)).text(), HasSubstr("a text of more than 1 MiB"));
      EXPECT_TRUE(gone);
    }
  }
  const wire::Said some{"{} and {}", false, {{"one", true, {}}, {"another", true, {}}}};
  EXPECT_TRUE(wire::reply_of(to_line(wire::Reply{1, wire::Alive{.phase = some}}), {}));
}

TEST(WorkerLink, ADevicesErrorIsNoLoss) {
  bool gone = true;
  const Error error = refused(ask_one_that_says(
      {to_line(wire::Reply{1, wire::failed_of({message("out of memory"), "conv1", message("use less")})})}, &gone));
  EXPECT_EQ(error.what, "out of memory");
  EXPECT_EQ(error.where, "conv1");
  EXPECT_FALSE(gone);
}

TEST(WorkerLink, ALateAnswerToAnEarlierOrderIsPassedOver) {
  const std::string late = to_line(wire::Reply{0, wire::Done{}});
  EXPECT_TRUE(ask_one_that_says({late, late, to_line(wire::Reply{1, wire::Done{}})}));
}

TEST(WorkerLink, OneThatSaysNothingIsLostInTime) {
  const auto begin = Clock::now();
  bool gone = false;
  EXPECT_THAT(refused(ask_one_that_says({}, &gone)).text(), HasSubstr("has not replied for 2 s"));
  EXPECT_TRUE(gone);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(30));
}

// An answer that is long, over a line that is slow.
TEST(WorkerLink, OneThatIsInTheMiddleOfALineIsNotSilent) {
  const std::string done = to_line(wire::Reply{1, wire::Done{}});
  const std::string first = "printf %s '" + done.substr(0, 20) + "'; sleep 1.5; printf %s '" + done.substr(20, 10) +
                            "'; sleep 1.5; printf '%s\\n' '" + done.substr(30) + "'; sleep 60";
  EXPECT_TRUE(ask_one_that_says({}, nullptr, first));
}

TEST(WorkerLink, OneThatIsAliveAndNeverDoneIsLostInTime) {
  auto link = must(start(test::scripted_worker("--hang-on a")));
  const auto plans = test::stage_plans(1);
  const auto parameters = must(link.give_parameters(plans, {}));
  EXPECT_THAT(refused(link.ask(wire::Measure{parameters, plans, {}}, {})).text(),
              HasSubstr("has worked on one request for more than 3 s"));
  EXPECT_TRUE(link.gone());
}

TEST(WorkerLink, OneThatStandsStillIsLostInTime) {
  auto link = must(start("exec " + test::scripted_worker()));
  ::kill(link.process(), SIGSTOP);
  EXPECT_FALSE(link.ask(wire::Unload{0}, {}));
  EXPECT_TRUE(link.gone());
}

// What a worker says to these lines, and how it ends. Its input ends so many seconds later: what it is at then is for
// nobody.
struct Told {
  std::string said;
  std::string code;
};
Told tell_worker(const std::string& text, int seconds_more = 0) {
  const auto folder = ScratchFolder::make();
  EXPECT_TRUE(folder);
  const std::filesystem::path file = folder->path() / "told";
  std::ofstream(file, std::ios::binary) << text;
  const std::string command =
      fmt::format("(cat {}; sleep {}) | {} > {}; echo $? > {}", file.string(), seconds_more, test::scripted_worker(),
                  (folder->path() / "said").string(), (folder->path() / "code").string());
  EXPECT_NE(std::system(command.c_str()), -1);
  const auto all = [&](const char* name) {
    std::ifstream stream(folder->path() / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  return {all("said"), all("code")};
}

TEST(Worker, EndsWithItsInput) {
  const Told nothing = tell_worker("");
  EXPECT_EQ(nothing.code, "0\n");
  EXPECT_TRUE(wire::hello_of(nothing.said.substr(0, nothing.said.find('\n')), "worker"));
}

TEST(Worker, WhatIsNoOrderIsOneLineAndTheEnd) {
  const std::string order = to_line(wire::Order{1, wire::Unload{0}});
  for (const std::string& line :
       {std::string("hello"), std::string("\0\0\0", 3), order.substr(0, order.size() / 2), std::string(100000, '['),
        std::string(R"({"format":"iosx-order","version":3,"content":{}})"), to_line(wire::Reply{1, wire::Done{}})}) {
    const Told told = tell_worker(line + "\n" + order + "\n");
    EXPECT_EQ(told.code, "1\n") << line.substr(0, 80);
    const std::string answer = told.said.substr(told.said.find('\n') + 1);
    EXPECT_EQ(std::ranges::count(answer, '\n'), 1) << answer;
    const auto reply = wire::reply_of(answer.substr(0, answer.size() - 1), "worker");
    ASSERT_TRUE(reply) << answer;
    EXPECT_TRUE(std::holds_alternative<wire::Failed>(reply->what));
  }
}

TEST(Worker, OrdersThatDoNotFollowFromEarlierOnesAreRefusedAndNothingElse) {
  const auto plans = test::stage_plans(2);
  wire::Outline outline{.parameters = 0, .init = {}, .operators = {}};
  for (std::size_t i = 0; i < plans[0].parameters->size(); ++i) {
    const ParameterDims& dims = plans[0].parameters->dims(OperatorId(i));
    outline.operators.push_back({dims.weights, dims.bias, "0000000000000001", true});
  }
  wire::Outline endless = outline;
  endless.parameters = 1;
  endless.operators[1].weights = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  wire::Outline no_seed = outline;
  no_seed.operators[0].seed = "luck";
  const std::vector<decltype(wire::Order::what)> refused{
      wire::Run{0, {}},
      wire::Look{4, {}, {}},
      wire::Measure{0, plans, {}},
      wire::Load{0, 0, plans[0], false},
      wire::Numbers{0, OperatorId(0), false, {1}, 0, Tensor({1}, {1})},
      wire::Choice{"x"},
      endless,
      no_seed,
  };
  std::string text;
  std::int64_t number = 0;
  for (const auto& what : refused) {
    if (!std::holds_alternative<wire::Choice>(what)) text += to_line(wire::Order{++number, what}) + "\n";
  }
  const std::int64_t wrong = number;
  text += to_line(wire::Order{++number, outline}) + "\n";
  const std::vector<decltype(wire::Order::what)> numbers{
      wire::Numbers{0, OperatorId(9999), false, {1}, 0, Tensor({1}, {1})},
      wire::Numbers{0, OperatorId(), false, {1}, 0, Tensor({1}, {1})},
      wire::Numbers{0, OperatorId(1), false, {7, 7}, 0, Tensor({1}, {1})},
      wire::Numbers{0, OperatorId(1), true, outline.operators[1].bias, 3, Tensor({1}, {1})},
      wire::Numbers{0, OperatorId(1), true, outline.operators[1].bias, 0, Tensor({999}, std::vector<float>(999))},
  };
  for (const auto& what : numbers) text += to_line(wire::Order{++number, what}) + "\n";
  text += to_line(wire::Order{++number, wire::Measure{0, plans, {}}}) + "\n";
  const Told told = tell_worker(text, 2);
  EXPECT_EQ(told.code, "0\n");
  std::size_t at = told.said.find('\n') + 1;
  std::vector<bool> failed(static_cast<std::size_t>(number) + 1);
  std::size_t measured = 0;
  while (at < told.said.size()) {
    const std::size_t end = told.said.find('\n', at);
    const auto reply = must(wire::reply_of(told.said.substr(at, end - at), "worker"));
    if (std::holds_alternative<wire::Failed>(reply.what)) failed[static_cast<std::size_t>(reply.number)] = true;
    if (std::holds_alternative<wire::Measured>(reply.what)) ++measured;
    at = end + 1;
  }
  for (std::int64_t i = 1; i <= number; ++i) {
    const bool wanted = i <= wrong || (i > wrong + 1 && i < number);
    EXPECT_EQ(failed[static_cast<std::size_t>(i)], wanted) << i;
  }
  EXPECT_EQ(measured, 2U);
}

}  // namespace
}  // namespace iosx
