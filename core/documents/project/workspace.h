#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/id.h"
#include "core/base/result.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/document.h"
#include "core/formats/external/external_run.h"
#include "core/formats/external/unit_column.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/lower_options.h"

// A workspace has networks, their runs, recordings, and choices among these: everything open in a window.
namespace iosx {

struct OpenedRecording;  // core/analysis/recording/opened_recording.h

using NetworkId = Id<struct NetworkTag>;
using RunId = Id<struct RunTag>;
using ExternalId = Id<struct ExternalTag>;
using DrawingId = Id<struct DrawingTag>;
using RecordingId = Id<struct RecordingTag>;

// Barrier-free lanes that are edited by hand, for the kernels of a schedule under these lowering options and this
// batch.
struct WorkspaceLanes {
  LaneSchedule lanes = {};
  LaneSchedule start = {};  // what they were copied from
  LowerOptions lowering = {};
  std::int64_t batch = 1;
  friend bool operator==(const WorkspaceLanes&, const WorkspaceLanes&) = default;
};

// A schedule that is edited by hand.
struct WorkspaceDraft {
  Schedule schedule = {};
  std::vector<std::size_t> locked = {};  // its stages, ascending
  // Its source: the copied schedule, its kind, and its title, which is empty where no longer known.
  Schedule start = {};
  ScheduleKind schedule_kind = ScheduleKind::kByHand;
  std::string title = {};
  // For a barrier-free one: its stages then only choose the kernels, and stay as copied.
  std::optional<WorkspaceLanes> lanes = {};

  bool edited() const { return !locked.empty() || schedule != start || (lanes && lanes->lanes != lanes->start); }
  friend bool operator==(const WorkspaceDraft&, const WorkspaceDraft&) = default;
};

// A schedule made by hand that was faster than a search's: later searches of the network start from it.
struct WorkspaceWarmStart {
  Schedule schedule = {};
  std::string fingerprint = {};  // of the device where it was faster
  std::int64_t batch = 1;
  Millis cost{0};    // there: of its stages and the gaps between them
  bool used = true;  // false: searches ignore it
  friend bool operator==(const WorkspaceWarmStart&, const WorkspaceWarmStart&) = default;
};

// A network as it was opened.
struct WorkspaceNetwork {
  NetworkId id = {};
  Document document = {};
  std::string source = {};  // the name of a built-in one, or a path
  InputSizes sizes = {};    // given for open sizes of its file
  // The document's weights are made up; its own stayed in its original file.
  bool weights_left_behind = false;
  // The file or name now has another graph: its runs are of the earlier one.
  bool changed_since = false;
  bool drawn = false;    // made in an editor: never equal to what it was opened by, if anything
  std::size_t read = 0;  // counts documents: a larger number was read later
  // From files, with stages and distinct names; compared in addition to the made ones. Those on lanes become drafts.
  std::vector<Schedule> given = {};
  // Both are legal for its graph.
  std::optional<WorkspaceDraft> draft = {};
  std::optional<WorkspaceWarmStart> warm_start = {};
  std::shared_ptr<const UnitColumn> column = {};  // for colouring units, with a value each; null: none
};

struct WorkspaceRun {
  RunId id = {};
  NetworkId network = {};
  std::shared_ptr<const Run> run = {};
  bool recorded = false;  // opened from a run file
  // It was not requested: a network's first picture, which disappears when another run shows at least as much.
  bool automatic = false;
  std::string note = {};  // the user's
  bool growing = false;   // its job still runs: results so far
};

// Another program's recording of a network, matched to its graph.
struct WorkspaceExternal {
  ExternalId id = {};
  NetworkId network = {};
  std::shared_ptr<const ExternalRun> run = {};
};

// A graph in the user's drawing, with places and whatever cannot be computed yet.
struct WorkspaceDrawing {
  DrawingId id = {};
  NetworkId network = {};  // its computable part; invalid without one
  std::string source = {};
  std::shared_ptr<const EditableGraph> graph = {};  // not null
};

// What a recording is read with, besides its file.
struct RecordingChoices {
  std::vector<std::string> with = {};       // execution traces, drawings of CUDA graphs
  std::optional<std::size_t> step = {};     // none: all
  std::string range = {};                   // the name of ranges that are steps; empty: those of PyTorch's profiler
  std::optional<std::int64_t> device = {};  // none: the one with the most kernels
  std::optional<double> share = {};         // of kernels of unknown share; none: see shares_of()
  friend bool operator==(const RecordingChoices&, const RecordingChoices&) = default;
};

// A recording of another program, by itself. A project keeps its file and choices.
struct WorkspaceRecording {
  RecordingId id = {};
  std::string file = {};
  RecordingChoices choices = {};
  std::shared_ptr<const OpenedRecording> opened = {};  // null: the file could not be read, see `lacks`
  std::optional<Error> lacks = {};
};

// One schedule of one run.
struct Choice {
  RunId run = {};
  ScheduleId schedule = {};
  friend bool operator==(const Choice&, const Choice&) = default;
};

// A value: copies are snapshots that share documents and runs. Ids are unique and stay valid until removal; for a
// workspace that replaces another, see continue_ids().
class Workspace {
 public:
  const std::vector<WorkspaceNetwork>& networks() const { return networks_; }  // in the order of opening
  const std::vector<WorkspaceRun>& runs() const { return runs_; }              // in the order of their making
  const WorkspaceNetwork* find(NetworkId id) const;                            // may be null
  const WorkspaceRun* find(RunId id) const;                                    // may be null
  const ScheduleResult* find(const Choice& choice) const;                      // may be null
  std::vector<const WorkspaceRun*> runs_of(NetworkId network) const;
  const std::vector<WorkspaceExternal>& external() const { return external_; }  // in the order of addition
  std::vector<const WorkspaceExternal*> external_of(NetworkId network) const;
  const std::vector<WorkspaceDrawing>& drawings() const { return drawings_; }        // in the order of their beginning
  const WorkspaceDrawing* find(DrawingId id) const;                                  // may be null
  const std::vector<WorkspaceRecording>& recordings() const { return recordings_; }  // in the order of opening
  const WorkspaceRecording* find(RecordingId id) const;                              // may be null
  // Returns the open network of this name or path with this graph, operator for operator, or null.
  const WorkspaceNetwork* same(const std::string& source, const Graph& graph) const;

  // Returns true if the file has changed since: another network was read later by the same name or path, with the same
  // sizes, or was found there when the project was opened. A drawing is older only than later drawings.
  bool of_older_file(NetworkId network) const;
  // Returns true if it has requested results, which opening the same networks would not restore.
  bool asked_for() const;
  // Renumbers its ids, and all later ones, to ids that `before`, which it replaces, never used: late results for that
  // one then find nothing.
  void continue_ids(const Workspace& before);

  NetworkId add(WorkspaceNetwork network);  // its id is set here
  // Removes automatic runs of the same network, device and batch that show no more and have no references. An
  // automatic new one is dropped if such a complete requested run exists, whose id is then returned.
  RunId add(WorkspaceRun run);  // its id is set here
  // Sets its id. A new one replaces one of the same file and label.
  ExternalId add(WorkspaceExternal external);
  // Sets its id, unless it has that of an existing drawing, which it then replaces. A network has one drawing: an
  // older one is removed.
  DrawingId add(WorkspaceDrawing drawing);
  // Sets its id, unless it has that of a recording that is there, which it then replaces, or is of the same file.
  RecordingId add(WorkspaceRecording recording);
  void replace(RunId id, std::shared_ptr<const Run> run);
  // Adds requested results to a run: its verification, its profile.
  void learn(RunId id, FunctionRef<void(Comparison&)> add_what_is_new);
  // Stores the result of a growing run; automatic runs disappear as in add().
  void finish(RunId id, std::shared_ptr<const Run> run);
  // Takes the document's weights. Hand-edited schedules of another graph stay if they fit the new one; returns false
  // if one did not and was removed. Removes the warm start, whose cost is unknown there. Matches external runs.
  bool set_document(NetworkId network, Document document);
  void set_sizes(NetworkId network, InputSizes sizes);
  void set_changed_since(NetworkId network);
  void give_schedule(NetworkId network, Schedule schedule);
  void set_draft(NetworkId network, std::optional<WorkspaceDraft> draft);
  void set_warm_start(NetworkId network, std::optional<WorkspaceWarmStart> warm_start);
  void set_column(NetworkId network, std::shared_ptr<const UnitColumn> column);
  void set_note(RunId id, std::string note);
  void remove(RunId id);      // and choices of it
  void remove(NetworkId id);  // and its runs, external runs and drawing
  void remove(ExternalId id);
  void remove(DrawingId id);
  void remove(RecordingId id);

  // The reference for others; without one, each run's sequential schedule.
  const std::optional<Choice>& baseline() const { return baseline_; }
  void set_baseline(std::optional<Choice> baseline) { baseline_ = std::move(baseline); }
  // Returns the baseline where it is of the run's network, batch and device: for others it is none.
  std::optional<Choice> baseline_of(RunId run) const;
  // Picked for the comparison of runs, in the order of picking.
  const std::vector<Choice>& compared() const { return compared_; }
  void set_compared(const Choice& choice, bool compared);
  // Shown in the views.
  const std::optional<Choice>& shown() const { return shown_; }
  void set_shown(std::optional<Choice> shown) { shown_ = std::move(shown); }
  // Shown in place of a network; not valid: none is.
  RecordingId shown_recording() const { return find(shown_recording_) != nullptr ? shown_recording_ : RecordingId(); }
  void set_shown_recording(RecordingId id) { shown_recording_ = id; }
  // The user's notes about the whole.
  const std::string& notes() const { return notes_; }
  void set_notes(std::string notes) { notes_ = std::move(notes); }

 private:
  bool referred_to(RunId id) const;
  void drop_automatic(const WorkspaceRun& newest);
  void forget(RunId id);

  std::vector<WorkspaceNetwork> networks_;
  std::vector<WorkspaceRun> runs_;
  std::vector<WorkspaceExternal> external_;
  std::vector<WorkspaceDrawing> drawings_;
  std::vector<WorkspaceRecording> recordings_;
  std::size_t next_network_ = 0;
  std::size_t next_run_ = 0;
  std::size_t next_external_ = 0;
  std::size_t next_drawing_ = 0;
  std::size_t next_recording_ = 0;
  std::size_t next_read_ = 0;
  std::optional<Choice> baseline_;
  std::vector<Choice> compared_;
  std::optional<Choice> shown_;
  RecordingId shown_recording_;
  std::string notes_;
};

// Returns true if both have the same operators with the same attributes and inputs, in the same units. Weights and
// parts do not count.
bool same_structure(const Graph& a, const Graph& b);
// Says whether two are one run, such as of one file that was opened twice: the same network, place, time and latencies.
bool same_run(const Run& a, const Run& b);

// Returns a hand-edited schedule for a graph with the same units by name; none if it is not legal there, or for lanes,
// whose kernels differ there.
std::optional<WorkspaceDraft> carried(const WorkspaceDraft& draft, const Graph& from, const Graph& to);

// Returns a name for a schedule from a file that differs from those of the program's own schedules and of `others`.
std::string free_schedule_name(std::string name, const std::vector<Schedule>& others);

}  // namespace iosx
