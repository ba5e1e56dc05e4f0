#include "core/workers/worker_link.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "core/base/text.h"

namespace iosx {

Result<std::optional<std::string>> Lines::next(const std::stop_token& stop) {
  constexpr int kLookMillis = 50;  // between two looks whether a stop is wanted
  std::size_t looked_at = 0;
  while (!stop.stop_requested()) {
    const std::size_t end = unread_.find('\n', looked_at);
    if (std::min(end, unread_.size()) > kMostLineBytes)
      return fail(message("a line of more than {} MiB", kMostLineBytes >> 20U));
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    looked_at = unread_.size();
    pollfd watched{input_, POLLIN, 0};
    const int ready = ::poll(&watched, 1, kLookMillis);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    std::array<char, 1 << 16> bytes{};
    const ssize_t count = ready < 0 ? -1 : ::read(input_, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return std::nullopt;
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

namespace {

using namespace wire;  // what is said

constexpr std::size_t kMostHello = std::size_t{1} << 20;  // bytes of it, or of a line before it
constexpr Seconds kLook{0.1};                             // between two looks at stops and limits
constexpr Seconds kToTell{60};                            // without reading on
constexpr Seconds kToEnd{2};                              // twice, after which a launcher is killed
constexpr std::size_t kMostBanner = 2000;                 // bytes that are kept of what comes before the hello
constexpr std::int64_t kPiece = std::int64_t{1} << 22;    // numbers in one order

std::string seed_text(std::uint64_t seed) { return fmt::format("{:016x}", seed); }

// Returns the operators whose numbers a plan computes with.
std::set<OperatorId> computed_with(std::span<const ExecutionPlan> plans) {
  std::set<OperatorId> used;
  for (const ExecutionPlan& plan : plans) {
    for (const Kernel& kernel : plan.kernels) {
      used.insert(kernel.operators.begin(), kernel.operators.end());
      used.insert(kernel.fused.begin(), kernel.fused.end());
    }
    for (const Buffer& buffer : plan.buffers) {
      if (buffer.constant) used.insert(buffer.source);
    }
  }
  return used;
}

}  // namespace

Result<WorkerLink> WorkerLink::start(const std::string& command, const WorkerLimits& limits, const JobContext& job) {
  IOS_TRY(auto folder, ScratchFolder::make());
  auto held = std::make_unique<ScratchFolder>(std::move(folder));
  IOS_TRY(auto child, ChildProcess::start_shell(command, held->path() / "said.txt"));
  WorkerLink link(std::move(child), std::move(held), limits);
  if (auto greeted = link.greet(job); !greeted) {
    Error error = std::move(greeted.error());
    link.gone_ = true;
    link.end();
    if (error.where.empty()) error.where = printable(command);
    return tl::unexpected(std::move(error));
  }
  return link;
}

std::filesystem::path WorkerLink::said() const { return folder_->path() / "said.txt"; }

// Adds what it said last to why it is gone.
tl::unexpected<Error> WorkerLink::lost(Error error) {
  gone_ = true;
  end();
  if (const std::string words = last_words(said()); !words.empty()) {
    error.what = message("{}; its message: {}", error.what, words);
  }
  return tl::unexpected(std::move(error));
}

tl::unexpected<Error> WorkerLink::lost_by_its_words(Error error) {
  talked_nonsense_ = true;
  return lost(std::move(error));
}

Result<void> WorkerLink::greet(const JobContext& job) {
  const auto began = Clock::now();
  std::string banner;
  while (true) {
    const Seconds left = limits_.start - (Clock::now() - began);
    if (left <= Seconds(0)) {
      return lost({message("has not started after {:.0f} s", limits_.start.count()),
                   {},
                   message("check the queue, or allow more time")});
    }
    job.report(message("waiting for a worker"), 0, 0);
    auto line = child_.next_line(kMostHello, {std::min(left, Seconds(1)), job.stop});
    if (!line) {
      if (job.stopped()) return tl::unexpected(std::move(line.error()));
      Error error = std::move(line.error());
      if (!banner.empty()) error.what = message("{}; its output: {}", error.what, last_lines(banner));
      return lost(std::move(error));
    }
    if (!*line) continue;
    if (is_spoken(**line)) {
      if (auto reply = reply_of(**line, {}); reply && std::holds_alternative<Failed>(reply->what))
        return tl::unexpected(error_of(std::get<Failed>(reply->what)));
      auto hello = hello_of(**line, {});
      if (!hello) {
        return lost({message("does not use the protocol of this program: {}", hello.error().what),
                     {},
                     message("install the same version of IOS Explorer on that computer")});
      }
      hello_ = std::move(*hello);
      return {};
    }
    banner += **line + '\n';
    if (banner.size() > kMostBanner) banner.erase(0, banner.size() - kMostBanner);
  }
}

Result<void> WorkerLink::send(const Order& order) {
  if (gone_) return fail(message("is no longer connected"));
  auto sent = child_.write_line(to_line(order), {.most = kToTell});
  if (!sent) return lost(std::move(sent.error()));
  return {};
}

// Returns the next word about the order, within the limits. A stop is passed on once, and then waited for.
Result<Reply> WorkerLink::listen(std::int64_t number, const JobContext& job, Clock::time_point began, Seconds limit,
                                 std::optional<Clock::time_point>& stopped) {
  auto heard = Clock::now();
  std::size_t bytes = child_.bytes_read();
  while (true) {
    const auto now = Clock::now();
    if (job.stopped() && !stopped) {
      stopped = now;
      IOS_TRY(send({number, Stop{}}));
    }
    if (stopped && now - *stopped > limits_.stop) return lost({message("does not stop"), {}, {}});
    if (child_.bytes_read() != std::exchange(bytes, child_.bytes_read())) heard = now;  // of a line that is on its way
    if (now - heard > limits_.silence)
      return lost({message("has not replied for {:.0f} s", limits_.silence.count()), {}, {}});
    if (now - began > limit)
      return lost({message("has worked on one request for more than {:.0f} s", limit.count()), {}, {}});
    auto line = child_.next_line(kMostLineBytes, {.most = kLook});
    if (!line) return lost(std::move(line.error()));
    if (!*line || !is_spoken(**line)) continue;  // what a library writes there is nothing for us
    auto reply = reply_of(**line, {});
    if (!reply && hello_of(**line, {})) {
      return lost_by_its_words(
          {message("several workers reply to one command"), {}, message("give each worker a command: \"4 x ...\"")});
    }
    if (!reply) return lost_by_its_words({message("sent an invalid reply: {}", reply.error().line()), {}, {}});
    const bool refused = reply->number == 0 && std::holds_alternative<Failed>(reply->what);
    if (refused) return lost({error_of(std::get<Failed>(reply->what)).what, {}, {}});
    if (reply->number > number) {
      return lost_by_its_words({message("replied to a request that was not sent"), {}, {}});
    }
    if (reply->number == number) return std::move(*reply);
    heard = Clock::now();  // late words about something before
  }
}

Result<WorkerLink::Answer> WorkerLink::ask(decltype(Order::what) what, const JobContext& job, const Heard& heard) {
  const Seconds limit = std::holds_alternative<Measure>(what) ? limits_.measurement : limits_.measurement * 10;
  const std::int64_t number = ++last_number_;
  IOS_TRY(send({number, std::move(what)}));
  auto began = Clock::now();
  std::optional<Clock::time_point> stopped;
  while (true) {
    IOS_TRY(auto reply, listen(number, job, began, limit, stopped));
    if (const auto* alive = std::get_if<Alive>(&reply.what)) {
      if (alive->waits) began = Clock::now();
      if (heard) heard(nullptr, alive);
      if (!alive->phase.pattern.empty()) job.report(message_of(alive->phase), alive->done, alive->total);
    } else if (const auto* measured = std::get_if<Measured>(&reply.what)) {
      if (!heard || !heard(measured, nullptr)) return lost_by_its_words({message("sent an unexpected reply"), {}, {}});
      began = Clock::now();  // the next one's time
    } else if (const auto* asked = std::get_if<Asked>(&reply.what)) {
      Choice choice;
      if (keeper_ != nullptr) {
        choice.method = asked->method ? keeper_->keep(asked->problem, *asked->method) : keeper_->find(asked->problem);
      }
      IOS_TRY(send({number, std::move(choice)}));
    } else if (const auto* failed = std::get_if<Failed>(&reply.what)) {
      return tl::unexpected(error_of(*failed));
    } else {
      return std::move(reply.what);
    }
  }
}

Result<WorkerLink::Given*> WorkerLink::outline(const std::shared_ptr<const Parameters>& parameters,
                                               const JobContext& job) {
  Forget forget;
  std::erase_if(given_, [&](const Given& given) {
    if (given.parameters.expired()) forget.parameters.push_back(given.number);
    return given.parameters.expired();
  });
  if (!forget.parameters.empty()) IOS_TRY(ask(std::move(forget), job));
  for (Given& given : given_) {
    if (given.parameters.lock() == parameters) return &given;
  }
  Outline outline{.parameters = parameters_made_++, .init = parameters->init(), .operators = {}};
  for (std::size_t i = 0; i < parameters->size(); ++i) {
    const OperatorId id(i);
    const ParameterDims& dims = parameters->dims(id);
    outline.operators.push_back({dims.weights, dims.bias, seed_text(parameters->seed(id)), parameters->has_bias(id)});
  }
  const std::size_t number = outline.parameters;
  IOS_TRY(ask(std::move(outline), job));
  return &given_.emplace_back(Given{number, parameters, std::vector<bool>(parameters->size())});
}

Result<void> WorkerLink::give_numbers(const Given& given, OperatorId op, bool bias, const Tensor& tensor,
                                      const JobContext& job) {
  const std::span<const float> all = tensor.elements();
  for (std::int64_t begin = 0; begin < std::ssize(all); begin += kPiece) {
    if (job.stopped()) return fail(message("stopped"));
    const std::int64_t count = std::min(kPiece, std::ssize(all) - begin);
    const auto piece = all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    IOS_TRY(ask(Numbers{.parameters = given.number,
                        .op = op,
                        .bias = bias,
                        .dims = {tensor.dims().begin(), tensor.dims().end()},
                        .begin = begin,
                        .values = Tensor({count}, std::vector<float>(piece.begin(), piece.end()))},
                job));
  }
  return {};
}

Result<std::size_t> WorkerLink::give_parameters(std::span<const ExecutionPlan> plans, const JobContext& job) {
  const std::shared_ptr<const Parameters>& parameters = plans.front().parameters;
  IOS_TRY(Given* const given, outline(parameters, job));
  for (const OperatorId op : computed_with(plans)) {
    if (given->given[op.index()]) continue;
    if (const Tensor& weights = parameters->given_weights(op); !weights.empty())
      IOS_TRY(give_numbers(*given, op, false, weights, job));
    if (const Tensor& bias = parameters->given_bias(op); !bias.empty())
      IOS_TRY(give_numbers(*given, op, true, bias, job));
    given->given[op.index()] = true;
  }
  return given->number;
}

Result<void> WorkerLink::keep_methods(MethodKeeper& keeper, const JobContext& job) {
  keeper_ = &keeper;
  IOS_TRY(ask(KeepMethods{}, job));
  return {};
}

void WorkerLink::end() {
  const Seconds by_itself = std::exchange(gone_, true) ? Seconds(0) : kToEnd;
  child_.finish(by_itself, kToEnd);
}

}  // namespace iosx
