#include "views/app_model/automatic_search.h"

#include <QTimer>
#include <algorithm>
#include <limits>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

// Takes moments, whatever the network.
std::vector<ScheduleKind> baselines() { return {ScheduleKind::kSequential, ScheduleKind::kGreedy}; }

// Takes about a second for a thousand kernels, and is often the fastest already.
std::vector<ScheduleKind> with_list() {
  return {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kList};
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
  const std::vector<ScheduleKind>& wanted = settings.options.schedule_kinds;
  phase_ = wanted == baselines() ? Phase::kBaselines : wanted == with_list() ? Phase::kList : Phase::kSearch;
  compare_(settings, settings == session_.settings(), title);
}

void AutomaticSearch::follow(NetworkId network, const Run& found) {
  const std::vector<ScheduleKind>& before = found.options.schedule_kinds;
  if (network != session_.networkId() || !found.comparison.complete || session_.workspace().of_older_file(network) ||
      (before != baselines() && before != with_list())) {
    return;
  }
  RunSettings wanted = settings_of(found);
  wanted.options.schedule_kinds = session_.settings().options.schedule_kinds;
  if (wanted != session_.settings() || wanted.options.schedule_kinds == before) return;
  const QString name = shown_name(session_.document().graph->name());
  const bool lists =
      found.comparison.device.barrier_free &&
      std::ranges::find(wanted.options.schedule_kinds, ScheduleKind::kList) != wanted.options.schedule_kinds.end();
  if (before == baselines() && lists && wanted.options.schedule_kinds != with_list())
    return start(with_list(), Jobs::tr("Finding lanes of %1").arg(name));
  start(wanted.options.schedule_kinds, Jobs::tr("Optimizing %1").arg(name));
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
  for (const ScheduleResult& result : results) {
    if (!stopped(result)) fastest = std::min(fastest, result.latency.value);
  }
  std::erase_if(results, [&](const ScheduleResult& result) {
    const bool measured_against = comparison.own_lanes && comparison.own_lanes->of == result.id;
    return stopped(result) && result.latency.value >= fastest && !measured_against;
  });
}

}  // namespace iosx
