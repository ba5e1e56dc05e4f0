#include "views/compare/canvas_pair.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "core/analysis/difference/saving.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/view_link.h"
#include "views/compare/shared_legend.h"
#include "views/compare/unit_changes.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kRoomForLegend = 150;  // pixels of height of both

ViewLink::Match linked(const std::vector<UnitId>& counterparts) {
  ViewLink::Match match;
  for (const UnitId unit : counterparts) match.push_back(unit.valid() ? std::optional(unit) : std::nullopt);
  return match;
}

canvas::Deltas deltas_of(const StagePair& pair) {
  const Per per = pair.difference.per;
  const QString baseline = shown_name(pair.a.label);
  canvas::Deltas deltas =
      canvas::stage_deltas(stage_savings(pair.a, pair.b, pair.match, per),
                           per == Per::kSample ? CanvasPair::tr("%1, per sample").arg(baseline) : baseline);
  deltas.per_sample = per == Per::kSample;
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
      legend_(new SharedLegend(this)),
      link_(new ViewLink(*a_, *b_, this)) {
  a_->setSelectionModel(&selection_a_);
  b_->setSelectionModel(&selection_b_);
  a_->setObjectName(QStringLiteral("compare-canvas-a"));
  b_->setObjectName(QStringLiteral("compare-canvas-b"));
  link_box_->setChecked(true);
  link_box_->setToolTip(tr("Both canvases show the same place and the same selection"));
  connect(link_box_, &QCheckBox::toggled, link_, &ViewLink::setEnabled);
  for (GraphView* canvas : {a_, b_}) {
    canvas->setLegendElsewhere(true);
    connect(canvas, &GraphView::legendChanged, this, &CanvasPair::showLegend);
    connect(canvas, &GraphView::legendVisibleChanged, this, [this](bool visible) {
      for (GraphView* each : {a_, b_}) each->setLegendVisible(visible);  // there is one for both
      showLegend();
    });
  }
  splitter_->addWidget(side(title_a_, a_));
  QWidget* const right = side(title_b_, b_);
  splitter_->addWidget(right);
  splitter_->setChildrenCollapsible(false);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(splitter_, 1);
  box->addWidget(legend_);
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
  canvas->setMinimumSize(200, 1);
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
  show(*a, *a_, shown_a_);
  showTitles();
  a_->setUnitMarks({});
  a_->setDeltas({});
  showLegend();
}

void CanvasPair::setPair(const std::shared_ptr<const StagePair>& pair) {
  if (splitter_->widget(1)->isHidden()) {
    splitter_->widget(1)->show();
    shareWidth();
  }
  title_a_->setToolTip(plain_tip(context_text(*pair->a.comparison)));
  title_b_->setToolTip(plain_tip(context_text(*pair->b.comparison)));
  show(pair->a, *a_, shown_a_);
  show(pair->b, *b_, shown_b_);
  showTitles();
  link_->setMatch(linked(pair->match.units_in_b), linked(pair->match.units_in_a));
  a_->setUnitMarks(unit_marks(*pair, true));
  b_->setUnitMarks(unit_marks(*pair, false));
  b_->setDeltas(deltas_of(*pair));
  showLegend();
}

void CanvasPair::showTitles() {
  const auto title = [](const QString& text, const Subject& shown, bool finished) {
    return finished ? tr("%1 – finished, %2").arg(text, duration_text(shown.schedule().latency.value)) : text;
  };
  title_a_->setText(title(tr("A: %1").arg(shown_name(shown_a_.label)), shown_a_, finished_a_));
  if (shown_b_.valid()) title_b_->setText(title(tr("B: %1").arg(shown_name(shown_b_.label)), shown_b_, finished_b_));
}

void CanvasPair::setProgress(const Progress& a, const Progress& b) {
  a_->setRunning(a.running, a.ahead);
  b_->setRunning(b.running, b.ahead);
  if (finished_a_ == a.finished && finished_b_ == b.finished) return;
  finished_a_ = a.finished;
  finished_b_ = b.finished;
  if (shown_a_.valid()) showTitles();
}

void CanvasPair::showLegend() {
  const bool both = !splitter_->widget(1)->isHidden();
  canvas::GraphLegend legend = a_->legend();
  if (both) legend.add(b_->legend());
  legend_->setLegend(std::move(legend), {a_->overlayScale(), both ? b_->overlayScale() : canvas::OverlayScale()});
  legend_->setVisible(a_->legendVisible() && height() >= kRoomForLegend);
}

// At a low height the graphs have all the room.
void CanvasPair::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  legend_->setVisible(a_->legendVisible() && height() >= kRoomForLegend);
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
