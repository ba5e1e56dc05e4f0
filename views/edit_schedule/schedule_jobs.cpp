#include "views/edit_schedule/schedule_jobs.h"

#include <QCoreApplication>
#include <memory>
#include <utility>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/draft/draft_evaluation.h"
#include "core/workbench/workbench.h"
#include "views/app_model/run_settings.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(iosx::ScheduleJobs)
};

// Keeps how schedules were found when they are compared again.
void recall_searches(Comparison& made, const Comparison& before) {
  for (ScheduleResult& result : made.results) {
    for (const ScheduleResult& old : before.results) {
      if (old.schedule_kind == result.schedule_kind && old.schedule == result.schedule) result.search = old.search;
    }
  }
}

}  // namespace

const DeviceInfo* ScheduleJobs::device() const {
  const auto comparison = session_.comparison();
  return comparison ? &comparison->device : session_.device();
}

std::int64_t ScheduleJobs::batch() const {
  const auto comparison = session_.comparison();
  return comparison ? comparison->batch : session_.settings().options.batch;
}

void ScheduleJobs::measure(std::vector<Stage> stages, const std::function<void(const std::vector<Latency>&)>& done) {
  const QString title =
      stages.size() == 1 ? Words::tr("Measuring 1 stage") : Words::tr("Measuring %1 stages").arg(stages.size());
  const MeasureStagesRequest request{.graph = session_.document().graph,
                                     .device = device()->id,
                                     .batch = batch(),
                                     .timing = session_.settings().options.timing,
                                     .stages = std::move(stages)};
  jobs_.workFor(session_.networkId(), title,
                [request, done, workbench = jobs_.workbench(), &jobs = jobs_](
                    const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
                  IOS_TRY(auto measured, workbench.run(request, job, jobs.hooks(abandon)));
                  return JobRunner::Delivery{[done, found = std::move(measured.latencies)] { done(found); }};
                });
}

ScheduleJobs::Improving ScheduleJobs::improving() const {
  const auto found = improvers_.find(session_.networkId());
  return found != improvers_.end() && jobs_.has(found->second.job) ? found->second.how : Improving::kNot;
}

void ScheduleJobs::improve(const ScheduleDraft& from, Improving how,
                           const std::function<void(const Improvement&)>& done) {
  const RunSettings& settings = session_.settings();
  const bool fills = how == Improving::kFill;
  const NetworkId network = session_.networkId();
  ImproveRequest request{.graph = from.shared_graph(),
                         .device = device()->id,
                         .batch = batch(),
                         .timing = settings.options.timing,
                         .start = {from.schedule(), ScheduleKind::kByHand},
                         .search = session_.searched() ? session_.searchedWith() : settings.options.search,
                         .max_part_size = settings.options.max_part_size};
  request.search.strategies = strategies_of(settings.options.schedule_kinds).value_or(StrategySet::kBoth);
  if (fills) request.pinned = from.locked_stages();
  const auto work = [request, done, workbench = jobs_.workbench(), &jobs = jobs_](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    IOS_TRY(auto outcome, workbench.run(request, job, jobs.hooks(abandon)));
    return JobRunner::Delivery{[done, found = std::move(outcome.improvement)] { done(found); }};
  };
  const QString title = fills ? Words::tr("Filling the schedule by IOS") : Words::tr("Searching from the schedule");
  improvers_[network] = {jobs_.workFor(network, title, work), how};
}

QString ScheduleJobs::runDisabledReason() const {
  const DeviceInfo* info = device();
  const DeviceRegistry::Entry* entry = info == nullptr ? nullptr : session_.devices().find(info->id);
  const bool here = entry != nullptr && entry->unavailable.empty();
  return here ? QString() : Words::tr("The device of this run is not available");
}

QString ScheduleJobs::verifyDisabledReason() const {
  if (const QString why = runDisabledReason(); !why.isEmpty()) return why;
  if (session_.weightsLeftBehind()) return Words::tr("The weights of the network are missing; open the network itself");
  const auto computes = check_computes(*device());
  return computes ? QString() : error_text(computes.error());
}

void ScheduleJobs::run(const GivenSchedule& mine, bool verify) {
  const auto shown = session_.comparison();
  const bool exact = shown && is_modelled(shown->device.origin);
  const RunSettings& settings = session_.settings();
  const std::shared_ptr<const Graph> graph = session_.document().graph;
  const EvaluateRequest alone{.graph = graph,
                              .device = device()->id,
                              .batch = batch(),
                              .timing = settings.options.timing,
                              .given = mine,
                              .verify = verify};
  CompareRequest beside{.graph = graph, .device = device()->id, .options = settings.options};
  beside.options.sensitivity = false;
  beside.options.batch = batch();
  beside.options.schedule_kinds.clear();
  if (shown) beside.options.search = session_.searchedWith();
  beside.options.verify = verify;
  if (shown) {
    for (const ScheduleResult& result : shown->results) {
      if (row_of(result.schedule_kind).baseline()) continue;
      beside.options.given.emplace_back(result.schedule, result.schedule_kind).lanes = result.lanes;
    }
  }
  beside.options.given.push_back(mine);
  const auto work = [&session = session_, exact, shown, alone, beside, mine, to = session_.runId(),
                     network = session_.networkId(), workbench = jobs_.workbench(), &jobs = jobs_,
                     origin = RunNetwork{session_.source().toStdString(), graph, session_.document().batched}](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    if (exact) {
      auto found = workbench.run(alone, job, jobs.hooks(abandon));
      if (job.stopped()) return JobRunner::Delivery{};
      if (!found) return tl::unexpected(std::move(found.error()));
      return JobRunner::Delivery{[&session, to, found = std::move(found->result)] { session.addHandMade(to, found); }};
    }
    IOS_TRY(auto made, workbench.run(beside, job, jobs.hooks(abandon)));
    if (shown) recall_searches(made, *shown);
    auto run = std::make_shared<const Run>(make_run(std::move(made), beside.options, origin, workbench.version()));
    return JobRunner::Delivery{[&session, network, mine, run] {
      session.addRun(network, run, false);
      if (session.networkId() != network || !session.comparison()) return;
      const ScheduleResult* own = find_by_hand(*session.comparison(), mine.schedule, mine.lanes);
      if (own == nullptr) return;
      const Choice choice{session.runId(), own->id};
      session.setActiveSchedule(choice.schedule);
      emit session.handMadeRan(choice);
    }};
  };
  jobs_.workFor(session_.networkId(),
                verify ? Words::tr("Verifying the hand-made schedule") : Words::tr("Running the hand-made schedule"),
                work);
}

}  // namespace iosx
