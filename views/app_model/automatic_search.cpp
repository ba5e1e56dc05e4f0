#include "views/app_model/automatic_search.h"

#include <QTimer>
#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "core/analysis/compare/compare.h"
#include "views/app_model/jobs.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

using Kinds = std::vector<ScheduleKind>;

// What is run before stages are searched, in turn, each with all that the one before has. The baselines take moments,
// whatever the network. Lanes take about a second for a thousand kernels of a schedule, and are often the fastest
// already: first those of one stream, then also those of what was the fastest until then.
const std::array<Kinds, 3>& first_steps() {
  using enum ScheduleKind;
  static const std::array<Kinds, 3> steps{Kinds{kSequential, kGreedy}, Kinds{kSequential, kGreedy, kList},
                                          Kinds{kSequential, kGreedy, kList, kIosFlow}};
  return steps;
}
const Kinds& baselines() { return first_steps().front(); }

bool is_first_step(const Kinds& kinds) { return std::ranges::find(first_steps(), kinds) != first_steps().end(); }

bool has_all(const Kinds& wanted, const Kinds& step) {
  return std::ranges::all_of(step, [&](ScheduleKind kind) { return std::ranges::find(wanted, kind) != wanted.end(); });
}

}  // namespace

AutomaticSearch::AutomaticSearch(const Session& session, JobRunner& runner, Compare compare, Abandon abandon)
    : session_(session), runner_(runner), compare_(std::move(compare)), abandon_(std::move(abandon)) {
  // By the time without pauses.
  auto* timer = new QTimer(this);
  timer->setSingleShot(true);
  connect(timer, &QTimer::timeout, this, &AutomaticSearch::limit);
  const auto count = [this, timer] {
    timer->stop();
    if (!runs() || phase_ != Phase::kSearch || runner_.paused()) return;  // the other phases are waited for
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit_ - runner_.elapsed());
    timer->start(std::max(left, std::chrono::milliseconds(0)));
  };
  connect(&runner_, &JobRunner::started, this, count);
  connect(&runner_, &JobRunner::pausedChanged, this, count);
}

void AutomaticSearch::compareBaselines() {
  const DeviceInfo* chosen = session_.device();
  if (chosen == nullptr || !is_modelled(chosen->origin)) return;
  start(baselines(), Jobs::tr("Running the baselines of %1").arg(shown_name(session_.document().graph->name())));
}

void AutomaticSearch::start(std::vector<ScheduleKind> kinds, const QString& title) {
  RunSettings settings = session_.settings();
  settings.options.schedule_kinds = std::move(kinds);
  job_ = runner_.next();  // known before it starts, which may be at once
  network_ = session_.networkId();
  limited_networks_.erase(network_);
  const Kinds& wanted = settings.options.schedule_kinds;
  phase_ = wanted == baselines() ? Phase::kBaselines : is_first_step(wanted) ? Phase::kLanes : Phase::kSearch;
  compare_(settings, settings == session_.settings(), title);
}

void AutomaticSearch::follow(NetworkId network, const Run& found) {
  const Kinds& before = found.options.schedule_kinds;
  if (network != session_.networkId() || !found.comparison.complete || session_.workspace().of_older_file(network) ||
      !is_first_step(before)) {
    return;
  }
  RunSettings wanted = settings_of(found);
  wanted.options.schedule_kinds = session_.settings().options.schedule_kinds;
  if (wanted != session_.settings() || wanted.options.schedule_kinds == before) return;
  const QString name = shown_name(session_.document().graph->name());
  const Kinds& kinds = wanted.options.schedule_kinds;
  for (const Kinds& step : first_steps()) {
    const bool is_next = step.size() > before.size() && step != kinds && has_all(kinds, step);
    if (is_next && found.comparison.device.barrier_free) return start(step, Jobs::tr("Finding lanes of %1").arg(name));
  }
  start(kinds, Jobs::tr("Optimizing %1").arg(name));
}

void AutomaticSearch::limit() {
  if (!runs()) return;
  limited_ = job_;
  limited_networks_.insert(network_);
  runner_.cancel();
}

void AutomaticSearch::turn() {
  if (waits()) {
    left_.insert(network_);
    abandon();
  }
  if (left_.erase(session_.networkId()) == 0) return;
  const WorkspaceRun* shown = session_.shownRun();
  if (shown == nullptr) return compareBaselines();
  if (shown->automatic) follow(shown->network, *shown->run);
}

void AutomaticSearch::request(JobId job) {
  if (is(job)) job_ = 0;
}

void AutomaticSearch::abandon() {
  if (job_ != 0) abandon_(std::exchange(job_, 0));
}

void AutomaticSearch::forget() {
  left_.clear();
  limited_networks_.clear();
  job_ = 0;
}

bool AutomaticSearch::waits() const { return runs() || runner_.waits(job_); }

std::shared_ptr<const Run> AutomaticSearch::kept(JobId job, std::shared_ptr<const Run> run) const {
  if (job != limited_) return run;
  auto part = std::make_shared<Run>(*run);
  drop_stopped(part->comparison);
  return part;
}

void drop_stopped(Comparison& comparison) {
  std::vector<ScheduleResult>& results = comparison.results;
  const auto stopped = [](const ScheduleResult& result) { return result.search && !result.search->complete; };
  Millis fastest(std::numeric_limits<double>::infinity());
  std::set<ScheduleId> needed;
  if (comparison.own_lanes) needed.insert(comparison.own_lanes->of);
  for (const ScheduleResult& result : results) {
    if (!stopped(result)) fastest = std::min(fastest, result.latency.value);
    if (result.lanes) needed.insert(comparison.kernels_of(result).id);
  }
  const auto drops = [&](const ScheduleResult& result) {
    return stopped(result) && result.latency.value >= fastest && !needed.contains(result.id);
  };
  for (const ScheduleResult& result : results) {
    if (drops(result)) comparison.missing.push_back(result.title());
  }
  std::erase_if(results, drops);
  if (comparison.missing.empty()) return;
  std::erase_if(comparison.notices, [](const Message& each) { return each.pattern() == stopped_before({}).pattern(); });
  comparison.notices.push_back(stopped_before(comparison.missing));
}

}  // namespace iosx
