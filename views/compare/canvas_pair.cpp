#include "views/compare/canvas_pair.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "views/canvas/graph_view.h"
#include "views/canvas/view_link.h"
#include "views/compare/difference_text.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kCanvasLeast = 240;      // pixels of height
constexpr int kRoomForLegends = 1100;  // pixels of width of both

canvas::UnitChange mark_of(UnitChange change) {
  switch (change) {
    case UnitChange::kSame: return canvas::UnitChange::kSame;
    case UnitChange::kMoved: return canvas::UnitChange::kMoved;
    case UnitChange::kJoined: return canvas::UnitChange::kJoined;
    case UnitChange::kSplit: return canvas::UnitChange::kSplit;
    case UnitChange::kMerged: return canvas::UnitChange::kMergedOtherwise;
    case UnitChange::kRegrouped: return canvas::UnitChange::kMoved;  // within its stage, as the note says
    case UnitChange::kAdded: return canvas::UnitChange::kAdded;
    case UnitChange::kMissing: break;
  }
  return canvas::UnitChange::kMissing;
}

ViewLink::Match linked(const std::vector<UnitId>& counterparts) {
  ViewLink::Match match;
  for (const UnitId unit : counterparts) match.push_back(unit.valid() ? std::optional(unit) : std::nullopt);
  return match;
}

// Returns a mark for each unit of a graph, with the words of its row.
std::vector<canvas::UnitMark> marks_of(const StagePair& pair, bool of_a) {
  const std::vector<UnitChange>& changes = of_a ? pair.difference.units_a : pair.difference.units_b;
  std::vector<canvas::UnitMark> marks(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) marks[i].change = mark_of(changes[i]);
  for (const StageRow& row : pair.difference.rows) {
    if (row.same()) continue;
    const QString note = CanvasPair::tr("stages %1 → %2: %3")
                             .arg(stage_numbers(row.a), stage_numbers(row.b), change_words(row, pair.a, pair.b));
    for (const UnitId unit : of_a ? row.units_a : row.units_b) {
      if (changes[unit.index()] != UnitChange::kSame) marks[unit.index()].note = note;
    }
  }
  return marks;
}

// Returns deltas of B's stages against those of A that hold the same; none where several share it, or the noise is not
// known.
canvas::Deltas deltas_of(const StagePair& pair) {
  const QString baseline = shown_name(pair.a.label);
  canvas::Deltas deltas{
      .baseline = pair.difference.per == Per::kSample ? CanvasPair::tr("%1, a sample").arg(baseline) : baseline,
      .of_stages = true,
      .values = {}};
  if (!pair.difference.has_latencies) return deltas;
  deltas.values.resize(pair.b.schedule().schedule.stages.size());
  for (const StageRow& row : pair.difference.rows) {
    if (row.b.size() != 1 || row.a.empty() || !row.delta.noise) continue;
    deltas.values[row.b.front()] = canvas::Delta{row.delta.value, *row.delta.noise};
  }
  return deltas;
}

}  // namespace

CanvasPair::CanvasPair(QWidget* parent)
    : QWidget(parent),
      title_a_(new QLabel(this)),
      title_b_(new QLabel(this)),
      a_(new GraphView),
      b_(new GraphView),
      link_box_(new QCheckBox(tr("&Move together"), this)),
      splitter_(new QSplitter(Qt::Horizontal, this)),
      link_(new ViewLink(*a_, *b_, this)) {
  a_->setSelectionModel(&selection_a_);
  b_->setSelectionModel(&selection_b_);
  a_->setObjectName(QStringLiteral("compare-canvas-a"));
  b_->setObjectName(QStringLiteral("compare-canvas-b"));
  link_box_->setChecked(true);
  link_box_->setToolTip(tr("Both canvases show the same place and the same selection"));
  connect(link_box_, &QCheckBox::toggled, link_, &ViewLink::setEnabled);
  for (GraphView* canvas : {a_, b_}) {
    canvas->setLegendVisible(false);
    connect(canvas, &GraphView::legendVisibleChanged, this, [this] { legends_chosen_ = legends_chosen_ || !placing_; });
  }
  splitter_->addWidget(side(title_a_, a_));
  QWidget* const right = side(title_b_, b_);
  splitter_->addWidget(right);
  splitter_->setChildrenCollapsible(false);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(splitter_);
  connect(splitter_, &QSplitter::splitterMoved, this, [this] {
    arrangement_ = splitter_->saveState();
    emit arranged();
  });
}

CanvasPair::~CanvasPair() {
  a_->setSelectionModel(nullptr);
  b_->setSelectionModel(nullptr);
}

QWidget* CanvasPair::side(QLabel* title, GraphView* canvas) {
  auto* side = new QWidget(splitter_);
  auto* box = new QVBoxLayout(side);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(8, 2, 8, 2);
  title->setTextFormat(Qt::PlainText);
  title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  title->setMinimumHeight(link_box_->sizeHint().height());  // both heads are equally high
  head->addWidget(title, 1);
  if (canvas == b_) head->addWidget(link_box_);
  box->addLayout(head);
  canvas->setMinimumHeight(kCanvasLeast);
  canvas->setMinimumWidth(200);
  box->addWidget(canvas, 1);
  return side;
}

void CanvasPair::show(const Subject& subject, GraphView& canvas, Subject& shown) {
  const bool same_run = shown.comparison == subject.comparison;
  if (!shown.valid() || shown.comparison->graph != subject.comparison->graph) {
    canvas.setGraph(subject.comparison->graph);
  } else if (same_run && shown.result == subject.result && shown.label == subject.label) {
    return;
  }
  shown = subject;
  const ScheduleResult& result = subject.schedule();
  canvas.setSchedule(
      &result.schedule, result.stage_latencies,
      {result.id, shown_name(subject.label), canvas::unit_launches(result, subject.graph().units().size())});
}

void CanvasPair::setAlone(std::optional<Subject> a) {
  splitter_->widget(1)->hide();
  if (!a) {
    title_a_->clear();
    shown_a_ = {};
    a_->setGraph(nullptr);
    return;
  }
  title_a_->setText(tr("A: %1").arg(shown_name(a->label)));
  show(*a, *a_, shown_a_);
  a_->setUnitMarks({});
  a_->setDeltas({});
}

void CanvasPair::setPair(std::shared_ptr<const StagePair> pair) {
  if (splitter_->widget(1)->isHidden()) {
    splitter_->widget(1)->show();
    shareWidth();
  }
  title_a_->setText(tr("A: %1").arg(shown_name(pair->a.label)));
  title_b_->setText(tr("B: %1").arg(shown_name(pair->b.label)));
  title_a_->setToolTip(plain_tip(context_text(*pair->a.comparison)));
  title_b_->setToolTip(plain_tip(context_text(*pair->b.comparison)));
  show(pair->a, *a_, shown_a_);
  show(pair->b, *b_, shown_b_);
  link_->setMatch(linked(pair->match.units_in_b), linked(pair->match.units_in_a));
  a_->setUnitMarks(marks_of(*pair, true));
  b_->setUnitMarks(marks_of(*pair, false));
  b_->setDeltas(deltas_of(*pair));
}

// In a narrow window the room is the graphs'.
void CanvasPair::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (legends_chosen_) return;
  placing_ = true;
  for (GraphView* canvas : {a_, b_}) canvas->setLegendVisible(width() >= kRoomForLegends);
  placing_ = false;
}

void CanvasPair::setTheme(const Theme& theme) {
  a_->setTheme(theme);
  b_->setTheme(theme);
}

void CanvasPair::setArrangement(const QByteArray& arrangement) {
  arrangement_ = arrangement;
  if (!splitter_->widget(1)->isHidden()) shareWidth();
}

void CanvasPair::shareWidth() {
  if (!splitter_->restoreState(arrangement_)) splitter_->setSizes({1000, 1000});  // in proportion
}

}  // namespace iosx

#include "moc_canvas_pair.cpp"
