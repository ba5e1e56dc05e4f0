#include "views/app_model/shown_saving.h"

#include <array>
#include <utility>

#include "views/app_model/session.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

std::optional<Subject> baseline_of(const Session& session, const std::shared_ptr<const Comparison>& shown) {
  const Workspace& workspace = session.workspace();
  if (const auto chosen = workspace.baseline_of(session.runId())) {
    const std::shared_ptr<const Run>& run = workspace.find(chosen->run)->run;
    return Subject{{run, &run->comparison}, *run->comparison.index_of(chosen->schedule), {}};
  }
  const ScheduleResult* sequential = shown->find(ScheduleKind::kSequential);
  if (sequential == nullptr) return std::nullopt;
  return Subject{shown, *shown->index_of(sequential->id), {}};
}

bool same(const Subject& a, const Subject& b) { return a.comparison == b.comparison && a.result == b.result; }

}  // namespace

SavingFacts saving_of(const std::optional<Subject>& baseline, const Subject& schedule) {
  SavingFacts saving;
  if (!schedule.valid()) return saving;
  saving.schedule = schedule;
  saving.kind = SavingFacts::Kind::kNoBaseline;
  if (!baseline || !baseline->valid()) return saving;
  std::array subjects{*baseline, schedule};
  label_subjects(subjects, shown_labels());
  saving.baseline = subjects[0];
  saving.schedule = subjects[1];
  saving.kind = SavingFacts::Kind::kBaseline;
  if (same(saving.baseline, saving.schedule)) return saving;
  auto steps = saving_steps(saving.baseline, saving.schedule);
  saving.kind = steps ? SavingFacts::Kind::kSteps : SavingFacts::Kind::kUnknown;
  if (steps) saving.steps = std::move(*steps);
  return saving;
}

ShownSaving::ShownSaving(const Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_, &Session::workspaceChanged, this, &ShownSaving::refresh);  // another baseline
  connect(&session_, &Session::documentChanged, this, &ShownSaving::refresh);
  connect(&session_, &Session::comparisonChanged, this, &ShownSaving::refresh);
  connect(&session_, &Session::activeScheduleChanged, this, &ShownSaving::refresh);
  refresh();
}

void ShownSaving::refresh() {
  const auto comparison = session_.comparison();
  const Subject schedule{comparison, session_.activeSchedule(), {}};
  const auto baseline = comparison ? baseline_of(session_, comparison) : std::nullopt;
  const bool known = baseline && same(*baseline, current_.baseline) && same(schedule, current_.schedule);
  if (known) return;
  current_ = saving_of(baseline, schedule);
  emit changed();
}

}  // namespace iosx

#include "moc_shown_saving.cpp"
