#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/id.h"
#include "core/documents/run_file/run.h"
#include "core/formats/document.h"
#include "core/formats/external/external_run.h"
#include "core/formats/external/unit_column.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/lower_options.h"

// A workspace has networks, the runs that were made of them, and what was chosen among these: all that a window has
// open.
namespace iosx {

using NetworkId = Id<struct NetworkTag>;
using RunId = Id<struct RunTag>;
using ExternalId = Id<struct ExternalTag>;
using DrawingId = Id<struct DrawingTag>;

// Are lanes without barriers that are being changed by hand, of the kernels that a schedule has by these wishes with
// this batch.
struct WorkspaceLanes {
  LaneSchedule lanes = {};
  LaneSchedule start = {};  // what they were copied from
  LowerOptions lowering = {};
  std::int64_t batch = 1;
  friend bool operator==(const WorkspaceLanes&, const WorkspaceLanes&) = default;
};

// Is a schedule that is being changed by hand.
struct WorkspaceDraft {
  Schedule schedule = {};
  std::vector<std::size_t> locked = {};  // stages of it, ascending
  // It was copied from this: that schedule, how it came about, and its title, which is empty where that is not known
  // any more.
  Schedule start = {};
  ScheduleKind schedule_kind = ScheduleKind::kByHand;
  std::string title = {};
  // Of one without barriers: the stages only choose its kernels then, and are those that it was copied with.
  std::optional<WorkspaceLanes> lanes = {};

  bool edited() const { return !locked.empty() || schedule != start || (lanes && lanes->lanes != lanes->start); }
  friend bool operator==(const WorkspaceDraft&, const WorkspaceDraft&) = default;
};

// Is a schedule, made by hand, that was faster than what a search found: later searches of the network start from it.
struct WorkspaceWarmStart {
  Schedule schedule = {};
  std::string fingerprint = {};  // of the device where it was faster
  std::int64_t batch = 1;
  Millis cost{0};    // there: of its stages and the gaps between them
  bool used = true;  // false: searches are to go without it
  friend bool operator==(const WorkspaceWarmStart&, const WorkspaceWarmStart&) = default;
};

// Is a network as it was opened.
struct WorkspaceNetwork {
  NetworkId id = {};
  Document document = {};
  std::string source = {};  // what it was opened by: a built-in one's name, or a path
  InputSizes sizes = {};    // given for what its file leaves open
  // The document's weights are made up; its own stayed in the file that it was first read from.
  bool weights_left_behind = false;
  // The file or name that it was opened by holds another graph now: its runs are of what was there before.
  bool changed_since = false;
  bool drawn = false;                // made by an editor: what it was opened by, if anything, never was it
  std::size_t read = 0;              // counts documents: the larger, the later its own was read
  std::vector<Schedule> given = {};  // from files, their names unlike one another; compared besides those that are made
  // Both are legal for its graph.
  std::optional<WorkspaceDraft> draft = {};
  std::optional<WorkspaceWarmStart> warm_start = {};
  std::shared_ptr<const UnitColumn> column = {};  // that units can be coloured by, a value each; null: none
};

struct WorkspaceRun {
  RunId id = {};
  NetworkId network = {};
  std::shared_ptr<const Run> run = {};
  bool recorded = false;  // opened from a run file
  // Nobody asked for it: it is the first picture of a network, which goes when another run shows no less.
  bool automatic = false;
  std::string note = {};  // the user's
  bool growing = false;   // its job still runs: what it has found so far
};

// Holds what another program recorded of a network, matched to its graph.
struct WorkspaceExternal {
  ExternalId id = {};
  NetworkId network = {};
  std::shared_ptr<const ExternalRun> run = {};
};

// Is a graph as somebody draws it: with where things stand, and what cannot be computed yet.
struct WorkspaceDrawing {
  DrawingId id = {};
  NetworkId network = {};  // what can be computed of it; not valid where that is nothing
  std::string source = {};
  std::shared_ptr<const EditableGraph> graph = {};  // not null
};

// Names one schedule of one run.
struct Choice {
  RunId run = {};
  ScheduleId schedule = {};
  friend bool operator==(const Choice&, const Choice&) = default;
};

// Is a value: copies are snapshots that share documents and runs. Ids are given once and stay valid until what they
// name is removed; in one that takes another one's place, see continue_ids().
class Workspace {
 public:
  const std::vector<WorkspaceNetwork>& networks() const { return networks_; }  // in the order in which they were opened
  const std::vector<WorkspaceRun>& runs() const { return runs_; }              // in the order in which they were made
  const WorkspaceNetwork* find(NetworkId id) const;                            // may be null
  const WorkspaceRun* find(RunId id) const;                                    // may be null
  const ScheduleResult* find(const Choice& choice) const;                      // may be null
  std::vector<const WorkspaceRun*> runs_of(NetworkId network) const;
  const std::vector<WorkspaceExternal>& external() const { return external_; }  // in the order in which they were added
  std::vector<const WorkspaceExternal*> external_of(NetworkId network) const;
  const std::vector<WorkspaceDrawing>& drawings() const { return drawings_; }  // in the order in which they were begun
  const WorkspaceDrawing* find(DrawingId id) const;                            // may be null
  // Returns the open network that was opened by this name or path and has this graph, operator for operator; it may be
  // null.
  const WorkspaceNetwork* same(const std::string& source, const Graph& graph) const;

  // Returns true if the file has changed since: another network was read later by the same name or path, with the same
  // sizes, or it was found there when the project was opened. What was drawn is older than what was drawn later only.
  bool of_older_file(NetworkId network) const;
  // Returns true if it holds something that somebody asked for, which cannot be had again by opening the same networks.
  bool asked_for() const;
  // Its ids, and all that it will give, become ones that `before`, whose place it takes, never gave: what is still on
  // its way for that one then finds nothing.
  void continue_ids(const Workspace& before);

  NetworkId add(WorkspaceNetwork network);  // its id is given here
  // Automatic runs of the same network, device and batch that show no more and that nothing refers to go; so does an
  // automatic new one if such a complete run that somebody asked for is there (the answer is then that one's id).
  RunId add(WorkspaceRun run);  // its id is given here
  // Its id is given here. A new one takes the place of one of the same file and label.
  ExternalId add(WorkspaceExternal external);
  // Its id is given here, unless it has that of a drawing that is there, whose place it then takes. A network has one
  // drawing: an older one goes.
  DrawingId add(WorkspaceDrawing drawing);
  void replace(RunId id, std::shared_ptr<const Run> run);
  // Adds to what is known of a run, because somebody asked for that: its verification, its profile.
  void learn(RunId id, FunctionRef<void(Comparison&)> add_what_is_new);
  // Puts in what a growing run has become; an automatic run goes as by add().
  void finish(RunId id, std::shared_ptr<const Run> run);
  // Its weights are the document's from now on. What was changed by hand for another graph stays where it fits the new
  // one. It returns false if it did not fit and is gone. What searches start from goes: what it cost is not known
  // there.
  bool set_document(NetworkId network, Document document);
  void set_sizes(NetworkId network, InputSizes sizes);
  void set_changed_since(NetworkId network);
  void give_schedule(NetworkId network, Schedule schedule);
  void set_draft(NetworkId network, std::optional<WorkspaceDraft> draft);
  void set_warm_start(NetworkId network, std::optional<WorkspaceWarmStart> warm_start);
  void set_column(NetworkId network, std::shared_ptr<const UnitColumn> column);
  void set_note(RunId id, std::string note);
  void remove(RunId id);      // and what was chosen of it
  void remove(NetworkId id);  // and its runs, what others recorded of it, its drawing
  void remove(ExternalId id);
  void remove(DrawingId id);

  // Others are compared with this; without one, with each run's sequential schedule.
  const std::optional<Choice>& baseline() const { return baseline_; }
  void set_baseline(std::optional<Choice> baseline) { baseline_ = std::move(baseline); }
  // These are picked for the comparison of runs, in the order in which they were picked.
  const std::vector<Choice>& compared() const { return compared_; }
  void set_compared(const Choice& choice, bool compared);
  // The views show this.
  const std::optional<Choice>& shown() const { return shown_; }
  void set_shown(std::optional<Choice> shown) { shown_ = std::move(shown); }
  // These notes are the user's, about the whole.
  const std::string& notes() const { return notes_; }
  void set_notes(std::string notes) { notes_ = std::move(notes); }

 private:
  bool referred_to(RunId id) const;
  void drop_automatic(const WorkspaceRun& newest);

  std::vector<WorkspaceNetwork> networks_;
  std::vector<WorkspaceRun> runs_;
  std::vector<WorkspaceExternal> external_;
  std::vector<WorkspaceDrawing> drawings_;
  std::size_t next_network_ = 0;
  std::size_t next_run_ = 0;
  std::size_t next_external_ = 0;
  std::size_t next_drawing_ = 0;
  std::size_t next_read_ = 0;
  std::optional<Choice> baseline_;
  std::vector<Choice> compared_;
  std::optional<Choice> shown_;
  std::string notes_;
};

// Returns true if both have the same operators with the same attributes and inputs, in the same units. Weights and
// parts do not count.
bool same_structure(const Graph& a, const Graph& b);

// Returns what was changed by hand for a graph, for one with the same units by name; none if it is not legal there, and
// of lanes, whose kernels are others there.
std::optional<WorkspaceDraft> carried(const WorkspaceDraft& draft, const Graph& from, const Graph& to);

// Returns a name for a schedule from a file that must not be taken for one that the program makes itself, or for one of
// `others`.
std::string free_schedule_name(std::string name, const std::vector<Schedule>& others);

}  // namespace iosx
