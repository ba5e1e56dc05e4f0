#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/devices/device.h"

// What a program and a worker (core/workers) say to each other: lines of JSON (core/formats/wire/fields.h), each a
// document that names its version. The worker begins with a Hello. Then it is given orders and answers each with any
// number of `Alive`, `Measured` and `Asked`, and one last word: `Done`, `Loaded`, `Ran`, `Profiled` or `Failed`.
//
// A plan's weights are those of Parameters that the worker got an outline of: most are made up from it. Numbers that
// are not come as they are needed, once.
namespace iosx::wire {

// This goes up with every change of what is said here: documents of other kinds keep the version of their form.
inline constexpr int kWorkerProtocol = 2;

struct Hello {
  int protocol = kWorkerProtocol;
  std::string program = {};  // its version
  DeviceInfo device = {};
  std::string methods_key = {};  // Device::methods_key()
  std::optional<PeakRates> peak = {};
  std::string host = {};
  std::int64_t cores = 0;
  double load = 0;  // processes that want to run there, the mean of the last minute
};

// What makes up the weights of an operator: see Parameters.
struct OperatorOutline {
  std::vector<std::int64_t> weights;  // their dims; empty without any
  std::vector<std::int64_t> bias;
  std::string seed;  // 16 hexadecimal digits
  bool biased = false;
};
struct Outline {
  std::size_t parameters = 0;  // their number in later orders; a new one
  ParameterInit init = ParameterInit::kScaled;
  std::vector<OperatorOutline> operators;
};
// These are numbers from place `begin` on of an operator's weights or bias.
struct Numbers {
  std::size_t parameters = 0;
  OperatorId op;
  bool bias = false;
  std::vector<std::int64_t> dims;  // of the whole tensor
  std::int64_t begin = 0;
  Tensor values;  // of one dim
};
// These parameters are not spoken of again.
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
  std::size_t loaded = 0;  // the plan's number in later orders; a new one
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
  std::optional<Profile> timeline;  // whose counters are wanted
};
struct KeepMethods {};  // from here on the worker asks for methods, and tells those that it finds out
// Answers an `Asked`, which waits for it.
struct Choice {
  std::optional<std::string> method;
};
struct Stop {};  // ends the order before it early

struct Order {
  std::int64_t number = 0;  // rising; that of a Choice or a Stop is the order's that they are about
  std::variant<Outline, Numbers, Forget, Measure, Load, Unload, Run, Look, KeepMethods, Choice, Stop> what;
};

// Is a message with what it is made of, so that who shows it can say it in another language.
struct Said {
  std::string pattern;
  bool verbatim = true;
  std::vector<Said> arguments;
};
Said said_of(const Message& message);
// Whatever cannot be shown in a line is replaced.
Message message_of(const Said& said);

// Is said every second while an order is worked on.
struct Alive {
  Said phase;
  std::int64_t done = 0;
  std::int64_t total = 0;
  bool waits = false;  // until other workers have measured on this hardware: nothing of the order has begun
};
struct Measured {
  std::size_t plan = 0;  // of the order's
  Latency latency;
};
// Wants the method of a problem, or tells one that was found out and wants the one that counts.
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

// Nothing is written that is not read back the same, but that messages in results come back in English.
std::string to_line(const Hello& hello);
std::string to_line(const Order& order);
std::string to_line(const Reply& reply);

// Any bytes are safe to read; `origin`, the name of who sent them, leads every error's place. Plans have no parameters
// yet: complete() gives them. Whether an answer is one to its order is the asking device's to check (answers.h).
Result<Hello> hello_of(std::string_view line, const std::string& origin);
Result<Order> order_of(std::string_view line, const std::string& origin);
Result<Reply> reply_of(std::string_view line, const std::string& origin);

// Says whether the line is of this form at all, of whatever version: others are banners and warnings.
bool is_spoken(std::string_view line);

// Gives a plan that was read its parameters and checks it by check_plan(). `part` is where in the order it stands:
// "plans[3]".
Result<void> complete(ExecutionPlan& plan, std::shared_ptr<const Parameters> parameters, const std::string& origin,
                      std::string_view part);

}  // namespace iosx::wire
