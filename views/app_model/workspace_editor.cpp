#include "views/app_model/workspace_editor.h"

#include <algorithm>
#include <utility>

#include "core/analysis/compare/comparison.h"

namespace iosx {

void WorkspaceEditor::addRun(NetworkId network, std::shared_ptr<const Run> run, bool automatic, RunId grown) {
  const bool known = workspace_.find(grown) != nullptr;
  if (workspace_.find(network) == nullptr || (grown.valid() && !known)) return;  // removed meanwhile
  // A search stopped before it found anything adds nothing to what is known.
  const auto others = workspace_.runs_of(network).size() - (known ? 1 : 0);
  if (others > 0 && !run->comparison.complete && !has_search(run->comparison)) return endGrowing(grown);
  if (known) workspace_.finish(grown, run);
  tell({.run = known ? grown : workspace_.add({.network = network, .run = run, .automatic = automatic})}, !automatic);
  const Comparison& comparison = run->comparison;
  const auto* best = comparison.complete && !automatic ? best_search(comparison) : nullptr;
  if (best == nullptr) return;
  // Given schedules that were faster than the searches are kept.
  for (const ScheduleResult& result : comparison.results) {
    if (row_of(result.schedule_kind).given() && beats(result.stage_sum, spread_of(result.stage_latencies), *best))
      offerWarmStart(network, {result.schedule, comparison.device.fingerprint, comparison.batch, result.stage_sum});
  }
}

RunId WorkspaceEditor::grow(RunId id, NetworkId network, std::shared_ptr<const Run> run) {
  if (workspace_.find(network) == nullptr) return id;
  if (!id.valid()) {
    id = workspace_.add({.network = network, .run = std::move(run), .growing = true});
  } else if (workspace_.find(id) == nullptr) {
    return id;  // the user does not want to see it
  } else {
    workspace_.replace(id, std::move(run));
  }
  tell();
  return id;
}

void WorkspaceEditor::endGrowing(RunId id) {
  const WorkspaceRun* run = workspace_.find(id);
  if (run == nullptr || !run->growing) return;
  workspace_.finish(id, run->run);
  tell();
}

void WorkspaceEditor::setProfile(RunId id, const Comparison& profiled) {
  if (workspace_.find(id) == nullptr) return;  // removed meanwhile
  workspace_.learn(id, [&profiled](Comparison& known) {
    for (ScheduleResult& result : known.results) {
      const ScheduleResult* seen = profiled.find(result.id);
      if (seen != nullptr && seen->schedule == result.schedule) result.trace = seen->trace;
    }
    for (const Message& notice : profiled.notices) {
      if (std::ranges::find(known.notices, notice) == known.notices.end()) known.notices.push_back(notice);
    }
  });
  tell();
}

void WorkspaceEditor::setVerification(RunId id, const ScheduleId& schedule, const Verification& verification) {
  if (workspace_.find({id, schedule}) == nullptr) return;  // removed meanwhile
  workspace_.learn(id, [&](auto& known) { known.results[*known.index_of(schedule)].verification = verification; });
  tell({.verified = Choice{id, schedule}});
}

void WorkspaceEditor::addHandMade(RunId id, const ScheduleResult& result) {
  if (workspace_.find(id) == nullptr) return;  // removed meanwhile
  ScheduleId added;
  workspace_.learn(id, [&](Comparison& known) {
    const auto same = std::ranges::find_if(known.results, [&](const ScheduleResult& other) {
      return other.schedule_kind == result.schedule_kind && other.schedule == result.schedule &&
             other.lanes == result.lanes;
    });
    ScheduleResult& place = same == known.results.end() ? known.add(result.schedule_kind, result.schedule) : *same;
    added = place.id;
    place = result;
    place.id = added;
  });
  tell({.hand_made = Choice{id, added}});
  emit handMadeRan({id, added});
}

void WorkspaceEditor::addRecorded(std::shared_ptr<const Run> run) {
  const WorkspaceNetwork* known = workspace_.same(run->network.source, *run->network.graph);
  NetworkId network = known != nullptr ? known->id : NetworkId();
  if (known == nullptr) {
    network = workspace_.add({.document = {run->network.graph, std::nullopt, run->network.batched},
                              .source = run->network.source,
                              .weights_left_behind = run->own_weights});
  }
  for (const ScheduleResult& result : run->comparison.results) {
    if (!row_of(result.schedule_kind).given() || result.lanes) continue;  // stages only
    const auto& given = workspace_.find(network)->given;
    if (std::ranges::find(given, result.schedule) == given.end()) workspace_.give_schedule(network, result.schedule);
  }
  for (const ExternalRun& external : run->external) {
    const auto same = [&](const WorkspaceExternal& known) {
      return known.network == network && known.run->label == external.label && known.run->file == external.file;
    };
    if (std::ranges::any_of(workspace_.external(), same)) continue;
    workspace_.add({.network = network, .run = std::make_shared<const ExternalRun>(external)});
  }
  // A file that is opened again shows the run that is there.
  for (const WorkspaceRun* const open : workspace_.runs_of(network)) {
    if (!open->automatic && !open->growing && same_run(*open->run, *run))
      return tell({.run = open->id, .recorded = true});
  }
  tell({.run = workspace_.add({.network = network, .run = std::move(run), .recorded = true}), .recorded = true});
}

bool WorkspaceEditor::addDocument(Document document, const QString& source, const InputSizes& sizes) {
  const WorkspaceNetwork* const known = workspace_.same(source.toStdString(), *document.graph);
  const bool other = known == nullptr || known->weights_left_behind || !(known->sizes == sizes);
  NetworkId id;
  if (known != nullptr) {
    id = known->id;
    workspace_.set_document(id, std::move(document));
    workspace_.set_sizes(id, sizes);
  } else {
    WorkspaceNetwork network{.document = std::move(document), .source = source.toStdString()};
    network.sizes = sizes;
    const auto& file = network.document.schedule;
    if (file && !file->lanes) network.given.push_back(file->schedule);
    id = workspace_.add(std::move(network));
  }
  tell({.network = id}, false);
  return other;
}

NetworkId WorkspaceEditor::addDrawn(NetworkId of, Document document, const QString& source, bool in_use) {
  const WorkspaceNetwork* const before = workspace_.find(of);
  NetworkId id = of;
  bool fits = true;
  if (before != nullptr && before->drawn && !in_use && workspace_.runs_of(of).empty()) {
    fits = workspace_.set_document(of, std::move(document));
  } else {
    WorkspaceNetwork network{.document = std::move(document), .source = source.toStdString()};
    network.drawn = true;
    if (before != nullptr) network.sizes = before->sizes;
    if (before != nullptr && before->draft && before->draft->edited()) {
      network.draft = carried(*before->draft, *before->document.graph, *network.document.graph);
      fits = network.draft.has_value();
    }
    if (before != nullptr && before->column) {
      network.column = std::make_shared<const UnitColumn>(
          carried(*before->column, *before->document.graph, *network.document.graph));
    }
    id = workspace_.add(std::move(network));
  }
  tell({.network = id});
  if (!fits) emit draftLeft();
  return id;
}

DrawingId WorkspaceEditor::keepDrawing(WorkspaceDrawing drawing) {
  const DrawingId id = workspace_.add(std::move(drawing));
  touch();
  emit drawingsChanged();
  return id;
}

void WorkspaceEditor::removeDrawing(DrawingId id) {
  if (workspace_.find(id) == nullptr) return;
  workspace_.remove(id);
  touch();
  emit drawingsChanged();
}

void WorkspaceEditor::addSchedule(NetworkId network, Schedule schedule) {
  const WorkspaceNetwork* to = workspace_.find(network);
  if (to == nullptr) return;
  schedule.name = free_schedule_name(schedule.name, to->given);
  workspace_.give_schedule(network, std::move(schedule));
  tell();
}

void WorkspaceEditor::takeProject(Workspace workspace, const QString& path, bool modified,
                                  std::optional<FileStamp> stamp) {
  workspace.continue_ids(workspace_);
  workspace_ = std::move(workspace);
  project_path_ = path;
  project_stamp_ = stamp;
  modified_ = modified;
  taken_at_ = ++changes_;
  tell({}, false);
  emit projectOpened();
}

void WorkspaceEditor::savedAs(const QString& path, std::uint64_t changes, std::optional<FileStamp> stamp) {
  if (changes < taken_at_) return;
  project_path_ = path;
  project_stamp_ = stamp;
  modified_ = changes_ != changes;
  tell({}, false);
}

void WorkspaceEditor::touch() {
  modified_ = true;
  ++changes_;
}

void WorkspaceEditor::tell(const WorkspaceChange& change, bool asked) {
  if (asked) touch();
  emit changed(change);
}

void WorkspaceEditor::setNote(RunId id, const QString& note) {
  workspace_.set_note(id, note.toStdString());
  tell();
}

void WorkspaceEditor::setNotes(const QString& notes) {
  if (workspace_.notes() == notes.toStdString()) return;
  workspace_.set_notes(notes.toStdString());
  touch();
  emit notesChanged();
}

// A mere copy is worth no question; taking changes back to one is.
void WorkspaceEditor::setDraft(NetworkId id, std::optional<WorkspaceDraft> draft) {
  const WorkspaceNetwork* network = workspace_.find(id);
  if (network == nullptr || network->draft == draft) return;
  const auto edited = [](const std::optional<WorkspaceDraft>& any) { return any && any->edited(); };
  if (edited(network->draft) || edited(draft)) touch();
  workspace_.set_draft(id, std::move(draft));
  emit draftsChanged();
}

void WorkspaceEditor::setColumn(NetworkId network, std::shared_ptr<const UnitColumn> column) {
  if (workspace_.find(network) == nullptr) return;
  workspace_.set_column(network, std::move(column));
  tell();
}

void WorkspaceEditor::offerWarmStart(NetworkId id, WorkspaceWarmStart start) {
  const WorkspaceNetwork* network = workspace_.find(id);
  if (network == nullptr) return;
  if (const auto& known = network->warm_start; known) {
    const bool same_place = known->fingerprint == start.fingerprint && known->batch == start.batch;
    if (same_place && known->cost <= start.cost) return;
    start.used = known->used;
  }
  workspace_.set_warm_start(id, std::move(start));
  emit draftsChanged();
}

void WorkspaceEditor::setWarmStartUsed(NetworkId id, bool used) {
  const WorkspaceNetwork* network = workspace_.find(id);
  if (network == nullptr || !network->warm_start || network->warm_start->used == used) return;
  WorkspaceWarmStart start = *network->warm_start;
  start.used = used;
  workspace_.set_warm_start(id, std::move(start));
  touch();
  emit draftsChanged();
}

void WorkspaceEditor::setBaseline(const std::optional<Choice>& baseline) {
  if (baseline == workspace_.baseline()) return;
  workspace_.set_baseline(baseline);
  tell();
}

void WorkspaceEditor::setCompared(const Choice& choice, bool compared) {
  workspace_.set_compared(choice, compared);
  tell();
}

void WorkspaceEditor::setAllCompared(const std::vector<Choice>& choices, const std::optional<Choice>& baseline) {
  workspace_.set_baseline(baseline);
  const std::vector<Choice> before = workspace_.compared();
  for (const Choice& choice : before) workspace_.set_compared(choice, false);
  for (const Choice& choice : choices) workspace_.set_compared(choice, true);
  tell();
}

void WorkspaceEditor::addRecording(WorkspaceRecording recording) {
  tell({.recording = workspace_.add(std::move(recording))}, false);
}

void WorkspaceEditor::addExternal(NetworkId network, std::vector<ExternalRun> runs) {
  if (workspace_.find(network) == nullptr || runs.empty()) return;
  for (ExternalRun& run : runs) {
    workspace_.add({.network = network, .run = std::make_shared<const ExternalRun>(std::move(run))});
  }
  tell();
}

}  // namespace iosx

#include "moc_workspace_editor.cpp"
