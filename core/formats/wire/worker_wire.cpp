#include "core/formats/wire/worker_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/text.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"
#include "core/model/plan/plan_validity.h"

namespace iosx::wire {

IOS_KIND(Outline, "outline");
IOS_KIND(Numbers, "numbers");
IOS_KIND(Forget, "forget");
IOS_KIND(Measure, "measure");
IOS_KIND(Load, "load");
IOS_KIND(Unload, "unload");
IOS_KIND(Run, "run");
IOS_KIND(Look, "look");
IOS_KIND(KeepMethods, "keep methods");
IOS_KIND(Choice, "choice");
IOS_KIND(Stop, "stop");
IOS_KIND(Alive, "alive");
IOS_KIND(Measured, "measured");
IOS_KIND(Asked, "asked");
IOS_KIND(Done, "done");
IOS_KIND(Loaded, "loaded");
IOS_KIND(Ran, "ran");
IOS_KIND(Profiled, "profiled");
IOS_KIND(Failed, "failed");

IOS_FIELDS(Hello, all, field("protocol", x.protocol), field("program", x.program), field("device", x.device),
           field("methods_key", x.methods_key), field("peak", x.peak), field("host", x.host),
           not_negative("cores", x.cores), not_negative("load", x.load));
IOS_FIELDS(OperatorOutline, row, not_negative({}, x.weights), not_negative({}, x.bias), field(x.seed), field(x.biased));
IOS_FIELDS(Outline, all, field("parameters", x.parameters), field("init", x.init), field("operators", x.operators));
IOS_FIELDS(Numbers, all, field("parameters", x.parameters), field("operator", x.op), field("bias", x.bias),
           not_negative("dims", x.dims), not_negative("begin", x.begin), field("values", x.values));
IOS_FIELDS(Forget, all, field("parameters", x.parameters));
IOS_FIELDS(Measure, all, field("parameters", x.parameters), field("plans", x.plans), field("timing", x.timing));
IOS_FIELDS(Load, all, field("parameters", x.parameters), field("loaded", x.loaded), field("plan", x.plan),
           field("tune", x.tune));
IOS_FIELDS(Unload, all, field("loaded", x.loaded));
IOS_FIELDS(Run, all, field("loaded", x.loaded), field("options", x.options));
IOS_FIELDS(Profile, all, field("trace", x.trace), field("notices", x.notices));
IOS_FIELDS(Look, all, field("loaded", x.loaded), field("options", x.options), field("timeline", x.timeline));
IOS_FIELDS(KeepMethods, all);
IOS_FIELDS(Choice, all, field("method", x.method));
IOS_FIELDS(Stop, all);
IOS_FIELDS(Order, all, not_negative("number", x.number), field("what", x.what));
IOS_FIELDS(Said, all, field("pattern", x.pattern), field("verbatim", x.verbatim), field("arguments", x.arguments));
IOS_FIELDS(Alive, all, field("phase", x.phase), not_negative("done", x.done), not_negative("total", x.total),
           field("waits", x.waits));
IOS_FIELDS(Measured, all, field("plan", x.plan), field("latency", x.latency));
IOS_FIELDS(Asked, all, field("problem", x.problem), field("method", x.method));
IOS_FIELDS(Done, all);
IOS_FIELDS(Loaded, all, field("methods", x.methods));
IOS_FIELDS(Ran, all, field("result", x.result));
IOS_FIELDS(Profiled, all, field("profile", x.profile));
IOS_FIELDS(Failed, all, field("what", x.what), field("where", x.where), field("remedy", x.remedy));
IOS_FIELDS(Reply, all, not_negative("number", x.number), field("what", x.what));

// What every hello has, of whatever protocol.
struct Spoken {
  int protocol = 0;
};
IOS_FIELDS(Spoken, all, field("protocol", x.protocol));

namespace {

constexpr std::string_view kHello = "iosx-worker";
constexpr std::string_view kOrder = "iosx-order";
constexpr std::string_view kReply = "iosx-reply";
constexpr std::string_view kBeginning = R"({"format":"iosx-)";  // of every line

Result<void> check_timing(const TimingOptions& timing, const std::string& origin) {
  if (timing.repeats >= 1 && timing.max_repeats >= timing.repeats) return {};
  return fail(message("{} to {} repeats", timing.repeats, timing.max_repeats), origin);
}

// Returns the length of the message once all of its holes are filled; more than kMaxTextBytes for one that is too long
// or too deep.
std::size_t spelled_out(const Said& said, int level) {
  constexpr std::size_t kTooLong = kMaxTextBytes + 1;
  if (level > kMaxSaidLevels) return kTooLong;
  if (said.verbatim) return std::min(said.pattern.size(), kTooLong);
  std::vector<std::size_t> lengths;
  for (const Said& argument : said.arguments) lengths.push_back(spelled_out(argument, level + 1));
  std::size_t length = 0;
  for (const PatternPiece& piece : pieces_of(said.pattern)) {
    if (!piece.hole) length += piece.text.size();
    if (piece.hole && *piece.hole < lengths.size()) length += lengths[*piece.hole];
    if (length > kMaxTextBytes) return kTooLong;
  }
  return std::max(length, lengths.empty() ? 0 : std::ranges::max(lengths));
}

Result<void> check_said(const Reply& reply, const std::string& origin) {
  std::vector<const Said*> all;
  if (const auto* alive = std::get_if<Alive>(&reply.what)) all = {&alive->phase};
  if (const auto* failed = std::get_if<Failed>(&reply.what)) all = {&failed->what, &failed->remedy};
  for (const Said* said : all) {
    if (spelled_out(*said, 1) > kMaxTextBytes)
      return fail(message("contains a text of more than {} MiB", kMaxTextBytes >> 20U), origin);
  }
  return {};
}

// Returns whether a line of the protocol was cut or changed on its way: it is a piece of the beginning, or has the rest
// of that, or closes more braces at its end than it opens. Text and JSON of other programs do neither.
bool is_garbled(std::string_view line) {
  if (line.size() > 2 && kBeginning.starts_with(line)) return true;
  constexpr std::string_view kVersion = R"(","version":)";
  if (const std::size_t version = line.find(kVersion); version != std::string_view::npos) {
    std::string_view rest = line.substr(version + kVersion.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
    if (rest.starts_with(R"(,"content":{")")) return true;
  }
  return line.ends_with("}}") && std::ranges::count(line, '}') > std::ranges::count(line, '{');
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
  if (hello.device.id.empty() || hello.device.fingerprint.empty())
    return fail(message("names no device"), origin, message("this is a bug of the worker"));
  return hello;
}

Result<Order> order_of(std::string_view line, const std::string& origin) {
  IOS_TRY(auto order, read_document<Order>(line, origin, kOrder));
  if (const auto* measure = std::get_if<Measure>(&order.what)) IOS_TRY(check_timing(measure->timing, origin));
  if (const auto* run = std::get_if<Run>(&order.what)) IOS_TRY(check_timing(run->options.timing, origin));
  return order;
}

Result<Reply> reply_of(std::string_view line, const std::string& origin) {
  IOS_TRY(auto reply, read_document<Reply>(line, origin, kReply));
  IOS_TRY(check_said(reply, origin));
  return reply;
}

bool is_spoken(std::string_view line) { return line.starts_with(kBeginning) || is_garbled(line); }

Result<void> complete(ExecutionPlan& plan, std::shared_ptr<const Parameters> parameters, const std::string& origin,
                      std::string_view part) {
  plan.parameters = std::move(parameters);
  return inside(check_plan(plan), origin, fmt::format("content.what.{}", part));
}

}  // namespace iosx::wire
