#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/devices/device.h"

// The protocol between a program and a worker (core/workers): lines of JSON (core/formats/wire/fields.h), each a
// document with its version. The worker sends a Hello first. It answers each order with any number of `Alive`,
// `Measured` and `Asked`, and one final reply: `Done`, `Loaded`, `Ran`, `Profiled` or `Failed`.
//
// A plan's weights are those of Parameters whose outline the worker received: most are made up from it. Other
// numbers are sent on demand, once.
namespace iosx::wire {

// Rises with every change of this protocol: documents of other kinds keep the version of their form.
inline constexpr int kWorkerProtocol = 2;

struct Hello {
  int protocol = kWorkerProtocol;
  std::string program = {};  // its version
  DeviceInfo device = {};
  std::string methods_key = {};  // Device::methods_key()
  std::optional<PeakRates> peak = {};
  std::string host = {};
  std::int64_t cores = 0;
  double load = 0;  // runnable processes there, the mean of the last minute
};

// The data for making up an operator's weights: see Parameters.
struct OperatorOutline {
  std::vector<std::int64_t> weights;  // their dims; empty without any
  std::vector<std::int64_t> bias;
  std::string seed;  // 16 hexadecimal digits
  bool biased = false;
};
struct Outline {
  std::size_t parameters = 0;  // a new number, used in later orders
  ParameterInit init = ParameterInit::kScaled;
  std::vector<OperatorOutline> operators;
};
// Numbers from place `begin` on of an operator's weights or bias.
struct Numbers {
  std::size_t parameters = 0;
  OperatorId op;
  bool bias = false;
  std::vector<std::int64_t> dims;  // of the whole tensor
  std::int64_t begin = 0;
  Tensor values;  // of one dim
};
// These parameters are no longer used.
struct Forget {
  std::vector<std::size_t> parameters;
};
struct Measure {
  std::size_t parameters = 0;
  std::vector<ExecutionPlan> plans;
  TimingOptions timing;
};
struct Load {
  std::size_t parameters = 0;
  std::size_t loaded = 0;  // a new number of the plan, used in later orders
  ExecutionPlan plan;
  bool tune = false;
};
struct Unload {
  std::size_t loaded = 0;
};
struct Run {
  std::size_t loaded = 0;
  RunOptions options;
};
struct Look {  // Profile without and with counters: LoadedPlan::timeline() and counters()
  std::size_t loaded = 0;
  ProfileOptions options;
  std::optional<Profile> timeline;  // the timeline for which counters are wanted
};
struct KeepMethods {};  // from now on the worker asks for methods, and reports those that it finds
// Answers an `Asked`, which waits for it.
struct Choice {
  std::optional<std::string> method;
};
struct Stop {};  // ends the order before it early

struct Order {
  std::int64_t number = 0;  // increasing; for a Choice or a Stop that of its order
  std::variant<Outline, Numbers, Forget, Measure, Load, Unload, Run, Look, KeepMethods, Choice, Stop> what;
};

// A message with its arguments, so that the receiver can translate it. A pattern may name an argument many times, and
// so may that one's own: a reply is refused whose message would be longer than kMaxTextBytes once all of it is spelled
// out, or deeper than kMaxSaidLevels.
inline constexpr int kMaxSaidLevels = 16;
struct Said {
  std::string pattern;
  bool verbatim = true;
  std::vector<Said> arguments;
};
Said said_of(const Message& message);
// Characters that do not fit a line are replaced.
Message message_of(const Said& said);

// Sent every second while an order is in progress.
struct Alive {
  Said phase;
  std::int64_t done = 0;
  std::int64_t total = 0;
  bool waits = false;  // for other workers that measure on this hardware: the order has not begun
};
struct Measured {
  std::size_t plan = 0;  // index in the order
  Latency latency;
};
// Requests the method of a problem, or reports a found one and requests the valid one.
struct Asked {
  std::string problem;
  std::optional<std::string> method;
};
struct Done {};
struct Loaded {
  std::vector<std::string> methods;  // LoadedPlan::methods()
};
struct Ran {
  RunResult result;
};
struct Profiled {
  Profile profile;
};
struct Failed {
  Said what;
  std::string where;
  Said remedy;
};
Failed failed_of(const Error& error);
Error error_of(const Failed& failed);

struct Reply {
  std::int64_t number = 0;  // the order's
  std::variant<Alive, Measured, Asked, Done, Loaded, Ran, Profiled, Failed> what;
};

// Everything is read back as written, except that messages in results come back in English.
std::string to_line(const Hello& hello);
std::string to_line(const Order& order);
std::string to_line(const Reply& reply);

// Any bytes are safe to read; `origin`, the sender's name, begins every error's place. Plans have no parameters yet:
// complete() adds them. The device checks whether a reply fits its order (checks.h).
Result<Hello> hello_of(std::string_view line, const std::string& origin);
Result<Order> order_of(std::string_view line, const std::string& origin);
Result<Reply> reply_of(std::string_view line, const std::string& origin);

// Returns whether the line has this form, in any version, or had it before something changed it: other lines are
// banners and warnings.
bool is_spoken(std::string_view line);

// Adds the parameters to a plan that was read and checks it by check_plan(). `part` is its place in the order:
// "plans[3]".
Result<void> complete(ExecutionPlan& plan, std::shared_ptr<const Parameters> parameters, const std::string& origin,
                      std::string_view part);

}  // namespace iosx::wire
