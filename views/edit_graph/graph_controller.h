#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/sweep/parameter.h"
#include "core/base/result.h"
#include "core/documents/project/workspace.h"
#include "core/model/edit/arrange.h"
#include "core/model/edit/check.h"
#include "core/model/edit/drawn_graph.h"
#include "core/model/edit/fragment.h"
#include "core/model/edit/operators.h"
#include "views/app_model/selection.h"
#include "views/edit_graph/edit_scene.h"

class QTimer;

namespace iosx {

class Jobs;
class Session;

// Says where an edit happened: what it changed and is still there, and where what it changed stood before it.
struct EditSite {
  std::vector<OperatorKey> operators;
  canvas::Rect before;  // empty: it was nowhere
};

// Holds the network that is edited: its drawing with all undo steps, what is wrong with it, what of it is selected,
// where it stands. Every edit of the window goes through here. What can be computed of the drawing is handed to the
// session a moment after each edit, so that the rest of the window shows it; runs that were made before are then of an
// older version. The drawing itself, with where things stand and what cannot be computed, is in the session's workspace
// after every edit. A network that is shown is drawn when the controller is first asked for it. GUI thread.
class GraphController final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(GraphController)

 public:
  // Both must outlive the object. It outlives windows, which come and go, as when another language is chosen.
  GraphController(Session& session, Jobs& jobs, QObject* parent = nullptr);
  ~GraphController() override;

  // A window takes it over: with its selection, in its language and fonts. At first it is not active there.
  void attach(SelectionModel& selection);

  void setActive(bool active);  // follows what the session shows only while it is
  bool active() const { return active_; }
  void newGraph();  // an empty drawing, beside what is open
  // These are drawings of which nothing can be computed, so that no network of the window shows them; the newest is
  // last.
  struct Unfinished {
    DrawingId id;
    QString name;
  };
  std::vector<Unfinished> unfinished() const;
  void openUnfinished(DrawingId id);

  bool open() const { return drawing_ != nullptr; }
  bool unpublished() const;  // something is drawn that the session has no network of yet
  const EditableGraph& graph() const { return drawn().graph(); }  // an empty one where nothing is open
  const GraphCheck& check() const { return drawn().check(); }
  const editor::EditScene& scene() const { return scene_; }
  std::uint64_t drawingNumber() const;  // of the open one, never another's; 0: none
  // Returns the drawing without what is wrong in it; null where that is nothing.
  std::shared_ptr<const Graph> built();
  std::size_t leftOut() const;  // operators of the drawing that cannot be computed
  // Says in a sentence what the network that the session shows lacks of its drawing, because something is wrong there;
  // empty where it lacks nothing.
  QString shownLacks() const;

  // Does an edit; one that is impossible is refused() with its reason. Patches of one gesture, in a row, are one step.
  bool push(Patch patch, std::uint64_t gesture = 0);
  bool push(Result<Patch> patch, std::uint64_t gesture = 0);
  std::uint64_t newGesture() { return ++last_gesture_; }
  void undo();
  void redo();
  QString undoText() const;  // of the step; empty without one
  QString redoText() const;

  // These return what is selected: operators by key, or one connection.
  const std::vector<OperatorKey>& selected() const { return selected_; }
  bool isSelected(OperatorKey key) const;
  const std::optional<editor::Slot>& wire() const { return wire_; }
  void select(std::vector<OperatorKey> keys);
  void selectWire(const editor::Slot& slot);
  void selectAll();

  // These edit what is selected, or at a place. Kinds are indices of Attributes. Without a place the operator stands
  // after the selected operator and reads it, or on the selected connection.
  bool add(std::size_t kind, std::optional<CanvasPlace> place = {});
  bool insert(std::size_t kind, const editor::Slot& slot, std::optional<CanvasPlace> place = {});
  bool connectSlot(OperatorKey from, const editor::Slot& to, std::uint64_t gesture = 0);
  bool disconnectSlot(const editor::Slot& slot, std::uint64_t gesture = 0);
  // Returns the slot of an operator that somebody means who names none: the first open one that takes it, else a new
  // one.
  editor::Slot slotFor(OperatorKey from, OperatorKey to) const;
  // Says why this connection cannot be made; empty where it can be.
  QString connectDisabledReason(OperatorKey from, const editor::Slot& to) const;
  bool remove(Healing healing);
  bool duplicateSelected();
  void copy() const;
  bool cut();
  bool paste(std::optional<CanvasPlace> at = {});
  // Inserts it around a place, else below the selected operator, which its open slots then read if it is `fed`.
  bool insertFragment(const Fragment& fragment, std::optional<CanvasPlace> at = {}, bool fed = true);
  Fragment selectedFragment() const;
  bool rename(OperatorKey key, const QString& name);
  // Changes a size of the network or of the operator of that name, with everything that follows from it.
  bool resize(SweepParameter parameter, const QString& operator_name, std::int64_t value);
  bool group();
  bool split();
  bool beginPart();
  bool joinPart();
  bool alignSelected(Alignment alignment);
  bool move(std::span<const OperatorKey> keys, double dx, double dy, std::uint64_t gesture = 0);
  bool releaseSelected();  // to the layout
  void layOut();           // anew what nobody placed by hand; no edit

 signals:
  void changed();  // the drawing, or another one is open
  void opened();   // another one is open: what follows changed() shows all of it
  // Tells of an edit, an undo or a redo that changes more than where things stand; it comes before changed(). Those of
  // one gesture have its number, 0 is none.
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
  void refresh();
  void publish();
  void handOver();
  void keep();
  void show(std::shared_ptr<Drawing> drawing);
  std::shared_ptr<Drawing> made(Drawing drawing);
  std::shared_ptr<Drawing> drawingOfShown();
  void dropGone();
  void forgetGone();
  PartKey partOfSelection() const;

  Session& session_;
  Jobs& jobs_;
  QPointer<SelectionModel> selection_;  // of the window; null: there is none
  bool active_ = false;
  bool telling_ = false;  // the window's selection follows ours, or ours the window's
  std::vector<std::shared_ptr<Drawing>> drawings_;
  std::shared_ptr<Drawing> drawing_;  // the open one; null: none
  DrawnGraph nothing_;
  editor::EditScene scene_;
  std::vector<OperatorKey> selected_;  // by key
  std::optional<editor::Slot> wire_;
  std::uint64_t last_gesture_ = 0;
  // Keeps what was found out last of a drawing that is not open.
  struct LookedAt {
    std::shared_ptr<const EditableGraph> graph = {};
    bool computes = true;
    std::size_t left_out = 0;
  };
  mutable LookedAt looked_at_;
  std::size_t drawn_ = 0;  // new graphs so far
  std::uint64_t last_drawing_ = 0;
  bool unpublished_ = false;  // the session lacks an edit; a timer that fires is active no more
  QTimer* publish_;
};

}  // namespace iosx
