#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/experiment/parameter.h"
#include "core/base/result.h"
#include "core/documents/project/workspace.h"
#include "core/model/edit/check.h"
#include "core/model/edit/drawn_graph.h"
#include "core/model/edit/fragment.h"
#include "core/model/edit/operators.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/selection.h"
#include "views/edit_graph/edit_scene.h"

class QTimer;

namespace iosx {

class Jobs;
class Session;

// The place of an edit: what it changed and still exists, and the earlier place.
struct EditSite {
  std::vector<OperatorKey> operators;
  canvas::Rect before;  // empty: it had no place
};

// The edited network: its drawing with all undo steps, problems, selection and places. Every edit of the window goes
// through it. A moment after each edit it gives the computable part to the session, so that the rest of the window
// shows it; earlier runs then belong to an older version. The drawing itself, with places and invalid operators, is in
// the session's workspace after every edit. A shown network is drawn on the first request. GUI thread.
class GraphController final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(GraphController)

 public:
  // Both must outlive the object. It outlives windows, which are recreated for a change of language, for example.
  GraphController(Session& session, Jobs& jobs, QObject* parent = nullptr);
  ~GraphController() override;

  // Connects it to a window, with its selection, language and fonts; initially inactive.
  void attach(SelectionModel& selection);

  void setActive(bool active);  // follows the session's network only while active
  bool active() const { return active_; }
  void newGraph();  // an empty drawing, besides the open ones
  // Drawings without a computable part, which no network of the window shows; the newest is last.
  struct Unfinished {
    DrawingId id;
    QString name;
  };
  std::vector<Unfinished> unfinished() const;
  void openUnfinished(DrawingId id);

  bool open() const { return drawing_ != nullptr; }
  bool unpublished() const;                                       // a drawing has no network in the session yet
  const EditableGraph& graph() const { return drawn().graph(); }  // empty without an open one
  const GraphCheck& check() const { return drawn().check(); }
  const editor::EditScene& scene() const { return scene_; }
  // A large drawing; until its layout is there scene() is empty.
  bool layingOut() const { return layouts_.running() != 0 || !layouts_.waiting().empty(); }
  std::uint64_t drawingNumber() const;  // of the open one, unique; 0: none
  // Returns the drawing without invalid operators; null where nothing is left.
  std::shared_ptr<const Graph> built();
  std::size_t leftOut() const;  // invalid operators of the drawing
  // Returns one sentence about what the session's network lacks of its drawing because of a problem; empty where it
  // lacks nothing.
  QString shownLacks() const;

  // Applies an edit; an impossible one is refused() with its reason. Consecutive patches of one gesture are one step.
  bool push(Patch patch, std::uint64_t gesture = 0);
  bool push(Result<Patch> patch, std::uint64_t gesture = 0);
  std::uint64_t newGesture() { return ++last_gesture_; }
  void undo();
  void redo();
  QString undoText() const;  // of the step; empty without one
  QString redoText() const;

  // Return the selection: operators by key, or one connection.
  const std::vector<OperatorKey>& selected() const { return selected_; }
  bool isSelected(OperatorKey key) const;
  const std::optional<editor::Slot>& wire() const { return wire_; }
  void select(std::vector<OperatorKey> keys);
  void selectWire(const editor::Slot& slot);
  void selectAll();

  // Edit the selection, or at a place. Kinds are indices of Attributes. Without a place the operator is put after
  // the selected operator and reads it, or on the selected connection.
  bool add(std::size_t kind, std::optional<CanvasPlace> place = {});
  bool insert(std::size_t kind, const editor::Slot& slot, std::optional<CanvasPlace> place = {});
  bool connectSlot(OperatorKey from, const editor::Slot& to, std::uint64_t gesture = 0);
  bool disconnectSlot(const editor::Slot& slot, std::uint64_t gesture = 0);
  // Returns the slot for a connection without a named slot: the first open one that accepts it, else a new one.
  editor::Slot slotFor(OperatorKey from, OperatorKey to) const;
  // Returns why this connection is impossible; empty where it is possible.
  QString connectDisabledReason(OperatorKey from, const editor::Slot& to) const;
  bool remove(Healing healing);
  bool duplicateSelected();
  void copy() const;
  bool cut();
  bool paste(std::optional<CanvasPlace> at = {});
  // Inserts it around a place, else below the selected operator, which its open slots read if `fed`.
  bool insertFragment(const Fragment& fragment, std::optional<CanvasPlace> at = {}, bool fed = true);
  Fragment selectedFragment() const;
  bool rename(OperatorKey key, const QString& name);
  // Changes a size of the network or of the operator of that name, with all consequences.
  bool resize(SweepParameter parameter, const QString& operator_name, std::int64_t value);
  bool group();
  bool split();
  bool beginPart();
  bool joinPart();
  bool alignSelected(Alignment alignment);
  bool move(std::span<const OperatorKey> keys, double dx, double dy, std::uint64_t gesture = 0);
  bool releaseSelected();  // to the layout
  void layOut();           // everything not placed by hand; not an edit

 signals:
  void changed();  // the drawing changed, or another one is open
  void opened();   // another one is open: the next changed() shows it completely
  // Reports an edit, an undo or a redo that changes more than places; it comes before changed(). Edits of one gesture
  // share its number, 0 is none.
  void edited(const iosx::EditSite& site, quint64 gesture);
  void selectionChanged();
  void refused(const QString& reason);
  void lacksChanged();  // shownLacks()
  void revealAsked(iosx::OperatorKey key);

 public slots:
  void reveal(iosx::OperatorKey key);  // selects it and asks the canvas to show it

 private:
  struct Drawing;
  const DrawnGraph& drawn() const;  // the open one
  void followSession();
  void followSelection(const Selection& selection);
  void tellSelection();
  void take(const Patch& patch, std::uint64_t gesture = 0);
  bool pushAdded(AddedOperator added);
  void refresh();
  bool layOutApart();
  void publish();
  void handOver();
  void keep();
  void show(std::shared_ptr<Drawing> drawing);
  std::shared_ptr<Drawing> made(Drawing drawing);
  std::shared_ptr<Drawing> drawingOfShown();
  void dropGone();
  void forgetGone();
  UnitKey unitOfSelection() const;  // of its first operator; not valid without one
  PartKey partOfSelection() const;  // of its last one

  Session& session_;
  Jobs& jobs_;
  QPointer<SelectionModel> selection_;  // of the window; null: none
  bool active_ = false;
  bool telling_ = false;  // while one selection is copied to the other
  std::vector<std::shared_ptr<Drawing>> drawings_;
  std::shared_ptr<Drawing> drawing_;  // the open one; null: none
  DrawnGraph nothing_;
  editor::EditScene scene_;
  std::vector<OperatorKey> selected_;  // sorted by key
  std::optional<editor::Slot> wire_;
  std::uint64_t last_gesture_ = 0;
  // The last results for a drawing that is not open.
  struct LookedAt {
    std::shared_ptr<const EditableGraph> graph = {};
    bool computes = true;
    std::size_t left_out = 0;
  };
  mutable LookedAt looked_at_;
  std::size_t drawn_ = 0;  // number of new graphs so far
  std::uint64_t last_drawing_ = 0;
  bool unpublished_ = false;  // the session lacks an edit; a firing timer is no longer active
  QTimer* publish_;
  JobRunner layouts_;  // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
