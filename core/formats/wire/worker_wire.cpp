#include "core/formats/wire/worker_wire.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"
#include "core/model/plan/plan_validity.h"

namespace iosx::wire {

template <>
inline constexpr std::string_view kKind<Outline> = "outline";
template <>
inline constexpr std::string_view kKind<Numbers> = "numbers";
template <>
inline constexpr std::string_view kKind<Forget> = "forget";
template <>
inline constexpr std::string_view kKind<Measure> = "measure";
template <>
inline constexpr std::string_view kKind<Load> = "load";
template <>
inline constexpr std::string_view kKind<Unload> = "unload";
template <>
inline constexpr std::string_view kKind<Run> = "run";
template <>
inline constexpr std::string_view kKind<Look> = "look";
template <>
inline constexpr std::string_view kKind<KeepMethods> = "keep methods";
template <>
inline constexpr std::string_view kKind<Choice> = "choice";
template <>
inline constexpr std::string_view kKind<Stop> = "stop";
template <>
inline constexpr std::string_view kKind<Alive> = "alive";
template <>
inline constexpr std::string_view kKind<Measured> = "measured";
template <>
inline constexpr std::string_view kKind<Asked> = "asked";
template <>
inline constexpr std::string_view kKind<Done> = "done";
template <>
inline constexpr std::string_view kKind<Loaded> = "loaded";
template <>
inline constexpr std::string_view kKind<Ran> = "ran";
template <>
inline constexpr std::string_view kKind<Profiled> = "profiled";
template <>
inline constexpr std::string_view kKind<Failed> = "failed";

template <typename A>
void fields(A& a, typename A::template Of<Hello>& x) {
  a.all(x, field("protocol", x.protocol), field("program", x.program), field("device", x.device),
        field("methods_key", x.methods_key), field("peak", x.peak), field("host", x.host),
        not_negative("cores", x.cores), not_negative("load", x.load));
}
template <typename A>
void fields(A& a, typename A::template Of<OperatorOutline>& x) {
  a.row(x, not_negative({}, x.weights), not_negative({}, x.bias), field(x.seed), field(x.biased));
}
template <typename A>
void fields(A& a, typename A::template Of<Outline>& x) {
  a.all(x, field("parameters", x.parameters), field("init", x.init), field("operators", x.operators));
}
template <typename A>
void fields(A& a, typename A::template Of<Numbers>& x) {
  a.all(x, field("parameters", x.parameters), field("operator", x.op), field("bias", x.bias),
        not_negative("dims", x.dims), not_negative("begin", x.begin), field("values", x.values));
}
template <typename A>
void fields(A& a, typename A::template Of<Forget>& x) {
  a.all(x, field("parameters", x.parameters));
}
template <typename A>
void fields(A& a, typename A::template Of<Measure>& x) {
  a.all(x, field("parameters", x.parameters), field("plans", x.plans), field("timing", x.timing));
}
template <typename A>
void fields(A& a, typename A::template Of<Load>& x) {
  a.all(x, field("parameters", x.parameters), field("loaded", x.loaded), field("plan", x.plan), field("tune", x.tune));
}
template <typename A>
void fields(A& a, typename A::template Of<Unload>& x) {
  a.all(x, field("loaded", x.loaded));
}
template <typename A>
void fields(A& a, typename A::template Of<Run>& x) {
  a.all(x, field("loaded", x.loaded), field("options", x.options));
}
template <typename A>
void fields(A& a, typename A::template Of<Profile>& x) {
  a.all(x, field("trace", x.trace), field("notices", x.notices));
}
template <typename A>
void fields(A& a, typename A::template Of<Look>& x) {
  a.all(x, field("loaded", x.loaded), field("options", x.options), field("timeline", x.timeline));
}
template <typename A>
void fields(A& a, typename A::template Of<KeepMethods>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Choice>& x) {
  a.all(x, field("method", x.method));
}
template <typename A>
void fields(A& a, typename A::template Of<Stop>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Order>& x) {
  a.all(x, not_negative("number", x.number), field("what", x.what));
}
template <typename A>
void fields(A& a, typename A::template Of<Said>& x) {
  a.all(x, field("pattern", x.pattern), field("verbatim", x.verbatim), field("arguments", x.arguments));
}
template <typename A>
void fields(A& a, typename A::template Of<Alive>& x) {
  a.all(x, field("phase", x.phase), not_negative("done", x.done), not_negative("total", x.total),
        field("waits", x.waits));
}
template <typename A>
void fields(A& a, typename A::template Of<Measured>& x) {
  a.all(x, field("plan", x.plan), field("latency", x.latency));
}
template <typename A>
void fields(A& a, typename A::template Of<Asked>& x) {
  a.all(x, field("problem", x.problem), field("method", x.method));
}
template <typename A>
void fields(A& a, typename A::template Of<Done>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Loaded>& x) {
  a.all(x, field("methods", x.methods));
}
template <typename A>
void fields(A& a, typename A::template Of<Ran>& x) {
  a.all(x, field("result", x.result));
}
template <typename A>
void fields(A& a, typename A::template Of<Profiled>& x) {
  a.all(x, field("profile", x.profile));
}
template <typename A>
void fields(A& a, typename A::template Of<Failed>& x) {
  a.all(x, field("what", x.what), field("where", x.where), field("remedy", x.remedy));
}
template <typename A>
void fields(A& a, typename A::template Of<Reply>& x) {
  a.all(x, not_negative("number", x.number), field("what", x.what));
}

// What every hello has, of whatever protocol.
struct Spoken {
  int protocol = 0;
};
template <typename A>
void fields(A& a, typename A::template Of<Spoken>& x) {
  a.all(x, field("protocol", x.protocol));
}

namespace {

constexpr std::string_view kHello = "iosx-worker";
constexpr std::string_view kOrder = "iosx-order";
constexpr std::string_view kReply = "iosx-reply";

Result<void> check_timing(const TimingOptions& timing, const std::string& origin) {
  if (timing.repeats >= 1 && timing.max_repeats >= timing.repeats) return {};
  return fail(message("{} to {} repeats", timing.repeats, timing.max_repeats), origin);
}

}  // namespace

Said said_of(const Message& message) {
  Said said{message.pattern(), message.is_verbatim(), {}};
  for (const Message& argument : message.arguments()) said.arguments.push_back(said_of(argument));
  return said;
}

Message message_of(const Said& said) {
  if (said.verbatim) return verbatim(printable(said.pattern));
  std::vector<Message> arguments;
  for (const Said& argument : said.arguments) arguments.push_back(message_of(argument));
  return Message::sentence(printable(said.pattern), std::move(arguments));
}

Failed failed_of(const Error& error) { return {said_of(error.what), error.where, said_of(error.remedy)}; }
Error error_of(const Failed& failed) { return {message_of(failed.what), failed.where, message_of(failed.remedy)}; }

std::string to_line(const Hello& hello) { return write_document(kHello, hello); }
std::string to_line(const Order& order) { return write_document(kOrder, order); }
std::string to_line(const Reply& reply) { return write_document(kReply, reply); }

Result<Hello> hello_of(std::string_view line, const std::string& origin) {
  IOS_TRY(const auto spoken, read_document<Spoken>(line, origin, kHello));
  if (spoken.protocol != kWorkerProtocol) {
    return fail(message("is a worker with protocol {}, but this program uses {}", spoken.protocol, kWorkerProtocol),
                origin, message("install the same version on both sides"));
  }
  IOS_TRY(auto hello, read_document<Hello>(line, origin, kHello));
  if (hello.device.id.empty() || hello.device.fingerprint.empty()) {
    return fail(message("names no device"), origin, message("this is a bug of the worker"));
  }
  return hello;
}

Result<Order> order_of(std::string_view line, const std::string& origin) {
  IOS_TRY(auto order, read_document<Order>(line, origin, kOrder));
  if (const auto* measure = std::get_if<Measure>(&order.what)) IOS_TRY(check_timing(measure->timing, origin));
  if (const auto* run = std::get_if<Run>(&order.what)) IOS_TRY(check_timing(run->options.timing, origin));
  return order;
}

Result<Reply> reply_of(std::string_view line, const std::string& origin) {
  return read_document<Reply>(line, origin, kReply);
}

bool is_spoken(std::string_view line) { return line.starts_with(R"({"format":"iosx-)"); }

Result<void> complete(ExecutionPlan& plan, std::shared_ptr<const Parameters> parameters, const std::string& origin,
                      std::string_view part) {
  plan.parameters = std::move(parameters);
  if (auto valid = check_plan(plan); !valid) {
    return inside(std::move(valid.error()), origin, fmt::format("content.what.{}", part));
  }
  return {};
}

}  // namespace iosx::wire
