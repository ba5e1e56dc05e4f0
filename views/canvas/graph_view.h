#pragma once

#include <QObject>
#include <QPixmap>
#include <QPointer>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>

#include "views/app_model/selection.h"
#include "views/canvas/canvas_widget.h"
#include "views/canvas/layout/layout.h"
#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/hit.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"
#include "views/figures/figure.h"

class QAction;
class QTimer;
class QVariantAnimation;

namespace iosx::canvas {

// Lays out graphs on its own thread, one at a time. A new request stops the previous one, whose results are then never
// delivered. Call public functions on the GUI thread. The destructor waits for at most one frame's layout.
class LayoutRunner final : public QObject {
  Q_OBJECT

 public:
  explicit LayoutRunner(QObject* parent = nullptr);
  ~LayoutRunner() override;

  void start(LayoutRequest request);
  void cancel();
  bool busy() const { return busy_; }

 signals:
  void ready(std::shared_ptr<const iosx::canvas::Drawing> drawing);

 private:
  struct Job {
    LayoutRequest request;
    std::uint64_t id = 0;
    std::stop_token stop;
  };
  void work(const std::stop_token& quit);
  void deliver(std::uint64_t id, Layout layout);  // worker thread

  bool busy_ = false;          // GUI thread
  std::uint64_t current_ = 0;  // id of the current job; GUI thread
  std::stop_source job_stop_;  // GUI thread
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Job> next_;  // guarded by mutex_
  std::jthread thread_;      // last member: stops before the others are destroyed
};

}  // namespace iosx::canvas

namespace iosx {

namespace canvas {
class CanvasBar;
class LegendCard;
class Minimap;
class PartList;
struct SceneState;
struct SceneTexts;

// The place of a canvas in a form that another canvas can follow with a different drawing: a
// schedule's bands change the graph's shape, and another graph has other units.
struct ViewPlace {
  // The first selected unit if it is visible, else a visible one, which stays the same while it is visible.
  std::optional<UnitId> unit;
  Point offset;        // from the middle of the canvas to the middle of that unit, in pixels
  Point share;         // the middle of the canvas, in widths and heights of the drawing from its top left corner
  double zoom = 1;     // pixels per unit of length
  bool fitted = true;  // shows everything, and stays so after a resize of the canvas
};
}  // namespace canvas

// The graph canvas: the units of a network part by part, with a schedule's stages as bands. A drag pans, arrow keys
// go to neighbours, Page Up and Page Down to the parts before and after, G lists the parts. A click on a part's
// header selects its units, a double click fits them, its triangle shows that part alone or all again. The search is
// for units (unit_query.h). Layouts are made in the background; the old one stays until the new one is ready.
class GraphView final : public CanvasWidget {
  Q_OBJECT

 public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  void setGraph(std::shared_ptr<const Graph> graph);  // null: none; removes the schedule
  // Copies the schedule. There is one latency per stage, or none. Null and a schedule that is
  // illegal for the graph show no stages.
  void setSchedule(const Schedule* schedule, std::span<const Latency> stage_latencies,
                   canvas::ScheduleLabel label = {});
  // Animates changes between layouts of schedules of the same graph, to show what changes. Initially off.
  void setMorphing(bool morphing) { morphing_ = morphing; }
  void setSelectionModel(SelectionModel* selection);  // may be null
  SelectionModel* selectionModel() const { return selection_; }
  void setTheme(const Theme& theme) override;
  void setOverlay(canvas::Overlay overlay);
  canvas::Overlay overlay() const { return overlay_; }
  // Arranges frames for the room of another canvas, which must outlive it, so that both have the same columns.
  void arrangeAs(const GraphView& other);
  // Both are fitted at the smaller zoom of the two while the other one is in sight; null: at its own.
  void fitLike(const GraphView* other);
  void setGhosted(bool ghosted);                     // dims the rest during a selection
  void setExpandedPart(std::optional<PartId> part);  // opens only this part; none: all

  // The lists below belong to the current graph and schedule; setGraph() removes them all,
  // setSchedule() the deltas of stages and the running units.
  void setUnitMarks(std::vector<canvas::UnitMark> marks);  // one per unit, or none
  void setTies(std::vector<canvas::Tie> ties);             // marks neighbours in a row
  const std::vector<canvas::Tie>& ties() const { return ties_; }
  const canvas::Deltas& deltas() const { return deltas_; }
  void setDeltas(canvas::Deltas deltas);  // for Overlay::kDelta and the headers; without values: none
  // Sets the column of Overlay::kColumn, with a value or none per unit; null ends that overlay.
  void setColumn(std::shared_ptr<const UnitColumn> column);
  QString columnTitle() const;  // plain text; empty: none
  // Highlights running units and dims those that have not begun; both sorted by id.
  void setRunning(std::vector<UnitId> units, std::vector<UnitId> ahead = {});
  void setBrushed(std::vector<UnitId> units);         // those of a range of time, by id: dims the rest; empty: none
  void setPointed(const std::vector<UnitId>& units);  // those under the pointer in another view: dashed outline

  void addOverlayAction(QAction* action);  // to the bar's list, below the overlays

  // Returns the whole graph as on the canvas: with the same stages, overlay, marks and open parts.
  // `context` is as in graph_figure().
  std::unique_ptr<Figure> figure(const QString& context = {}) const;

  // The content of the screen; null before the first layout.
  const canvas::Layout* layoutShown() const { return shown_.drawing ? &shown_.drawing->layout : nullptr; }
  const canvas::Model* modelShown() const { return shown_.model.get(); }
  canvas::GraphLegend legend() const;  // of it
  // Shows or hides it; without room, opens it over everything.
  void toggleLegend();
  bool legendVisible() const { return legend_visible_; }
  const canvas::OverlayScale& overlayScale() const { return scale_; }
  canvas::ViewPlace place() const;
  bool layoutPending() const { return runner_.busy() || onTheWay(); }
  // Returns the units found by the search; empty without one.
  const std::vector<UnitId>& found() const { return found_; }
  // Returns whether the search dims the unit.
  bool dimmed(UnitId unit) const { return unit.index() < matches_.size() && !matches_[unit.index()]; }

 public slots:
  void revealSelection();                               // scrolls as little as needed
  void centreSelection();                               // unless everything is visible
  void setPlace(const iosx::canvas::ViewPlace& place);  // does not emit placeChanged()
  void setLegendVisible(bool visible);
  void setLegendElsewhere(bool elsewhere);  // hides the card: the caller shows legend()
  void setMapVisible(bool visible);
  void setGainsShown(bool shown);  // headers show what their frames save, where known; initially on
  void goToPart(int step);         // the part `step` after the current one, selected and fitted
  void listParts();

 signals:
  void layoutChanged();
  void roomChanged();                                       // frames are arranged for another room
  void placeChanged(const iosx::canvas::ViewPlace& place);  // the view was moved, but not by setPlace()
  void selectionShown();                                    // the selection model has another selection
  void overlayChanged(iosx::canvas::Overlay overlay);
  void columnChanged();  // columnTitle()
  void legendVisibleChanged(bool visible);
  void legendChanged();  // legend() or overlayScale()

 protected:
  std::optional<canvas::Rect> sceneBounds() const override;
  canvas::Rect selectionBounds() const override;
  canvas::Rect viewArea() const override;  // below the bar
  canvas::Rect fitArea(const canvas::Rect& scene) const override;
  double mostFitZoom() const override;
  void paintCanvas(QPainter& painter) override;
  QString tipAt(const QPointF& at) const override;
  QPoint tipPlace(const QPoint& at) const override;
  void viewMoved() override;
  void placeOverlays() override;
  std::shared_ptr<canvas::CanvasTool> toolAt(const canvas::Pointer& pointer) override;
  std::shared_ptr<canvas::CanvasTool> doubleClicked(const canvas::Pointer& pointer) override;
  void hover(const QPointF& at) override;
  void unhover() override;
  bool keyPressed(QKeyEvent& event) override;
  void search(const QString& text) override;
  std::size_t foundCount() override { return upToDate() ? found_.size() : 0; }
  void goToFound(std::size_t index) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class SelectTool;
  static constexpr double kRevealMargin = 24;  // pixels

  // The content of the screen: a model and its layout.
  struct Shown {
    std::shared_ptr<const canvas::Model> model;
    std::shared_ptr<const canvas::Drawing> drawing;
  };
  // A picture of everything that stays while the pointer moves, and its camera.
  struct Base {
    QPixmap picture;
    canvas::Camera camera;
    bool valid = false;
  };

  // graph_view.cpp
  void dropOldGraph();
  void showNothing();
  canvas::LayoutRequest layoutRequest() const;
  void requestLayout();
  canvas::Size wantedRoom() const;
  void rearrange();  // if the window has taken another shape
  void showLayout(std::shared_ptr<const canvas::Model> model, std::shared_ptr<const canvas::Drawing> drawing);
  void moveTo(std::shared_ptr<const canvas::Drawing> drawing);
  bool onTheWay() const;
  std::optional<UnitId> anchor() const;  // the unit that should stay in place when the layout changes
  void keepAnchor() const;               // of the place, while it is visible
  bool upToDate() const { return shown_.drawing && wanted_ && shown_.model->graph == wanted_->graph; }
  const Selection& selection() const;
  canvas::Rect boundsOfSelection() const;
  canvas::Rect arrangementArea() const;
  void sceneChanged();  // the content of the base picture changed
  void describeScale();
  void dropDeltas();
  void keepColumn(std::shared_ptr<const UnitColumn> column);
  canvas::SceneState sceneState() const;
  void paintBase();
  void drawBase(QPainter& painter, const QRectF& window) const;
  void paintVeil(QPainter& painter) const;  // over everything unselected

  // graph_view_input.cpp
  void selectAt(const QPointF& at, bool add);
  void selectUnits(std::vector<UnitId> units, std::optional<std::size_t> stage, bool named);
  void selectFrame(std::size_t frame);
  bool goTo(canvas::Direction direction);
  canvas::Hit hitAt(const QPointF& at) const;

  void makeOverlays();
  void describeSelection();  // in the bar, and for assistive technology
  void showCrumbs();
  std::optional<std::size_t> frameInView() const;
  void showFrame(std::size_t frame);

  canvas::TextStyle style_;
  std::shared_ptr<const canvas::Model> wanted_;  // the newest; null without a graph
  Shown shown_;
  canvas::OverlayScale scale_;
  canvas::Overlay overlay_ = canvas::Overlay::kNone;
  canvas::Deltas deltas_;
  std::shared_ptr<const UnitColumn> column_;
  canvas::PartGains gains_;  // of the deltas, where shown
  bool gains_shown_ = true;
  std::vector<canvas::UnitMark> marks_;
  std::vector<canvas::Tie> ties_;
  std::vector<UnitId> running_;
  std::vector<UnitId> ahead_;
  std::vector<UnitId> brushed_;
  std::vector<UnitId> pointed_;
  QPointer<SelectionModel> selection_;
  std::optional<PartId> expanded_;
  mutable std::optional<UnitId> place_unit_;
  Base base_;
  std::unique_ptr<canvas::SceneTexts> texts_;  // of the base picture
  canvas::Size room_{1600, 1000};              // for which the newest layout's frames were arranged
  std::optional<std::size_t> hovered_;
  std::optional<std::size_t> hovered_header_;
  std::vector<UnitId> partners_;      // of the hovered unit, and itself, by id
  QPointer<const GraphView> twin_;    // that is fitted at the same zoom; null: none
  QPointer<const GraphView> leader_;  // whose room it takes; null: its own
  QTimer* rearrange_;                 // runs during a resize of the window
  std::vector<UnitId> found_;
  std::vector<bool> matches_;  // per unit during a search; else empty
  bool ghosted_ = false;
  bool legend_visible_ = true;
  bool legend_elsewhere_ = false;
  bool legend_fits_ = true;
  bool map_visible_ = true;
  bool morphing_ = false;
  QVariantAnimation* morph_;  // from 0 to 1, during an animation
  std::shared_ptr<const canvas::Drawing> morph_from_;
  std::shared_ptr<const canvas::Drawing> morph_to_;
  canvas::CanvasBar* bar_;
  canvas::LegendCard* legend_;
  canvas::Minimap* map_;
  canvas::PartList* parts_;
  canvas::LayoutRunner runner_;
};

}  // namespace iosx
