// Conversations that something changed on their way, in both directions.
#include <fcntl.h>
#include <unistd.h>

#include "core/base/files.h"
#include "core/model/schedule/baselines.h"
#include "core/workers/worker.h"
#include "core/workers/worker_link.h"
#include "tests/support/attacks.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"
#include "tests/workers/workers.h"

namespace iosx {
namespace {

// One direction of a conversation, as descriptors.
struct Direction {
  Direction() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    constexpr int kRoom = 1 << 20;  // for all that either side says
    EXPECT_GE(::fcntl(ends[1], F_SETPIPE_SZ, kRoom), kRoom);
    out = ends[0];
    in = ends[1];
  }
  ~Direction() {
    close(out);
    close(in);
  }
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  int out = -1;
  int in = -1;
};

// Says these lines to a worker, waits for its reply to the last one or for its end, and returns its lines.
std::vector<std::string> told_worker(const std::string& text, std::int64_t last) {
  Direction orders;
  Direction replies;
  EXPECT_EQ(::write(orders.in, text.data(), text.size()), std::ssize(text));
  std::jthread worker([&] {
    test::FakeDevice device;
    serve(device, "made up", {.input = orders.out, .output = replies.in});
    Direction::close(replies.in);
  });
  std::vector<std::string> said;
  Lines lines(replies.out);
  while (auto line = must(lines.next({}))) {
    const auto reply = wire::reply_of(*line, {});
    EXPECT_EQ(reply.has_value(), !said.empty()) << *line;  // the first one is its hello
    said.push_back(std::move(*line));
    if (reply && reply->number == last && std::holds_alternative<wire::Done>(reply->what)) break;
  }
  Direction::close(orders.in);
  return said;
}

wire::Outline outline_of(const ExecutionPlan& plan) {
  wire::Outline outline{.parameters = 0, .init = {}, .operators = {}};
  for (std::size_t i = 0; i < plan.parameters->size(); ++i) {
    const ParameterDims& dims = plan.parameters->dims(OperatorId(i));
    outline.operators.push_back({dims.weights, dims.bias, "0000000000000001", true});
  }
  return outline;
}

TEST(WorkerAttack, AWorkerAnswersAnyOrdersOrEnds) {
  const auto plans = test::stage_plans(3);
  const wire::Outline outline = outline_of(plans[0]);
  const auto& bias = outline.operators[1].bias;
  const Tensor zeros(bias, std::vector<float>(static_cast<std::size_t>(bias.at(0))));
  const std::vector<decltype(wire::Order::what)> orders{outline,
                                                        wire::Numbers{0, OperatorId(1), true, bias, 0, zeros},
                                                        wire::Measure{0, plans, {}},
                                                        wire::KeepMethods{},
                                                        wire::Load{0, 0, plans[0], false},
                                                        wire::Run{0, {.trace = true}},
                                                        wire::Look{0, {}, {}},
                                                        wire::Unload{0},
                                                        wire::Forget{{0}}};
  std::string text;
  std::int64_t number = 0;
  for (const auto& what : orders) text += to_line(wire::Order{++number, what}) + '\n';
  text += to_line(wire::Order{number, wire::Stop{}}) + '\n';
  constexpr std::int64_t kLast = 1000;
  const std::string last = to_line(wire::Order{kLast, wire::Forget{}}) + '\n';
  const auto usual = told_worker(text + last, kLast);
  for (const std::string& line : usual) EXPECT_THAT(line, Not(HasSubstr("failed")));
  test::attack_often(2000 / test::every(20),
                     [&](std::mt19937& random) { told_worker(test::attacked(text, random) + last, kLast); });
}

TEST(WorkerAttack, AProgramTakesAnyRepliesOrLosesTheWorker) {
  const Result<ScratchFolder> folder = ScratchFolder::make();
  const std::filesystem::path file = folder->path() / "said";
  const auto plans = test::stage_plans(2);
  const Graph graph = test::sample();
  test::FakeDevice here;
  const auto latencies = must(here.measure(plans, {}, {}));
  const ExecutionPlan whole = lower(graph, greedy_schedule(graph), 1, here.info().lowering);
  const RunResult run = must(load_and_run(here, whole, {.trace = true}, {}));
  const std::vector<wire::Reply> replies{{1, wire::Done{}},  // to the outline
                                         {2, wire::Alive{wire::said_of(message("{} of {}", 1, "two")), 1, 2}},
                                         {2, wire::Measured{0, latencies[0]}},
                                         {2, wire::Measured{1, latencies[1]}},
                                         {2, wire::Done{}},
                                         {3, wire::Loaded{{"a method"}}},
                                         {4, wire::Ran{run}},
                                         {5, wire::Profiled{{run.trace}}},
                                         {6, wire::Done{}}};
  std::string text = to_line(wire::Hello{.program = "made up", .device = here.info(), .methods_key = {}, .host = "h"});
  for (const wire::Reply& reply : replies) text += '\n' + to_line(reply);
  const auto converse = [&](const std::string& said, const WorkerLimits& limits) -> Result<void> {
    test::write_file(file, said + '\n');
    IOS_TRY(WorkerLink link, WorkerLink::start(fmt::format("cat {}; cat > /dev/null", file.string()), limits, {}));
    IOS_TRY(const std::size_t parameters, link.give_parameters(plans, {}));
    const auto heard = [&](const wire::Measured*, const wire::Alive*) { return true; };
    IOS_TRY(link.ask(wire::Measure{parameters, plans, {}}, {}, heard));
    IOS_TRY(link.ask(wire::Load{parameters, 0, plans[0], false}, {}));
    IOS_TRY(link.ask(wire::Run{0, {}}, {}));
    IOS_TRY(link.ask(wire::Look{0, {}, {}}, {}));
    IOS_TRY(link.ask(wire::Unload{0}, {}));
    return {};
  };
  must(converse(text, {}));
  constexpr WorkerLimits kHurried{.start = Seconds(0.5), .silence = Seconds(0.2)};
  test::attack_often(20 / test::every(4), [&](std::mt19937& random) {
    const auto ended = converse(test::attacked(text, random), kHurried);
    EXPECT_TRUE(ended || !ended.error().what.empty());
  });
}

}  // namespace
}  // namespace iosx
