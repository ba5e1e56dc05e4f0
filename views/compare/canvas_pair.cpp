#include "views/compare/canvas_pair.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/analysis/difference/difference_report.h"
#include "core/analysis/difference/part_matrix.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/view_link.h"
#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

constexpr double kScaleLabel = 14;  // pixels, for A and B before their scales
constexpr double kLegendPadding = 2;

bool any_scale(const canvas::OverlayScale& scale) { return scale.active() || !scale.title().isEmpty(); }

canvas::UnitChange sign_of(UnitChange change, Marked marked) {
  switch (change) {
    case UnitChange::kSame:
      return marked == Marked::kWhatIsTheSame ? canvas::UnitChange::kAlike : canvas::UnitChange::kSame;
    case UnitChange::kMoved: return canvas::UnitChange::kMoved;
    case UnitChange::kJoined: return canvas::UnitChange::kJoined;
    case UnitChange::kSplit: return canvas::UnitChange::kSplit;
    case UnitChange::kMerged: return canvas::UnitChange::kMergedOtherwise;
    case UnitChange::kRegrouped: return canvas::UnitChange::kMoved;  // in its stage: see the note
    case UnitChange::kAdded: return canvas::UnitChange::kAdded;
    case UnitChange::kMissing: break;
  }
  return canvas::UnitChange::kMissing;
}

constexpr int kRoomForLegend = 150;  // pixels of height of both

ViewLink::Match linked(const std::vector<UnitId>& counterparts) {
  ViewLink::Match match;
  for (const UnitId unit : counterparts) match.push_back(unit.valid() ? std::optional(unit) : std::nullopt);
  return match;
}

canvas::Deltas deltas_of(const StagePair& pair) {
  const auto steps = saving_steps(pair.a, pair.b, pair.difference.per);
  if (!steps) return {};
  const QString baseline = shown_name(pair.a.label);
  return canvas::saving_deltas(*steps,
                               steps->per == Per::kSample ? CanvasPair::tr("%1, per sample").arg(baseline) : baseline);
}

}  // namespace

SharedLegend::SharedLegend(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Legend of both graphs"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  follow_theme(this, theme_, [this] { update(); });
}

void SharedLegend::setLegend(canvas::GraphLegend legend, std::array<canvas::OverlayScale, 2> scales) {
  legend_ = std::move(legend);
  scales_ = std::move(scales);
  setAccessibleDescription(legend_.texts().join(QStringLiteral("; ")));
  fitHeight();
  update();
}

double SharedLegend::scalesHeight() const {
  double height = 0;
  const double width = this->width() / 2.0 - kScaleLabel;
  for (const canvas::OverlayScale& scale : scales_) {
    if (any_scale(scale)) height = std::max(height, canvas::GraphLegend().height(width, scale));
  }
  return height;
}

void SharedLegend::fitHeight() {
  const double own = legend_.height(width(), {});
  const double height = own + scalesHeight();
  setFixedHeight(height > 0 ? static_cast<int>(std::ceil(height + 2 * kLegendPadding)) : 0);
}

void SharedLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != width()) fitHeight();
}

void SharedLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.panel);
  const double scales = scalesHeight();
  for (std::size_t i = 0; i < scales_.size() && scales > 0; ++i) {
    if (!any_scale(scales_[i])) continue;
    const double half = width() / 2.0;
    const double left = static_cast<double>(i) * half + kScaleLabel;
    paint_text(painter, sized(font(), 11, true), theme_.text,
               QRectF(left - kScaleLabel + 8, kLegendPadding + 2, kScaleLabel, 20), kAtLeft,
               i == 0 ? tr("A") : tr("B"));
    canvas::GraphLegend().paint(painter, QRectF(left, kLegendPadding, half - kScaleLabel, scales), scales_[i], theme_);
  }
  legend_.paint(painter, QRectF(0, kLegendPadding + scales, width(), height() - scales), {}, theme_);
}

Marked marked_units(std::span<const UnitChange> a, std::span<const UnitChange> b) {
  const auto same = std::ranges::count(a, UnitChange::kSame) + std::ranges::count(b, UnitChange::kSame);
  const auto all = static_cast<std::ptrdiff_t>(a.size() + b.size());
  return 2 * same < all ? Marked::kWhatIsTheSame : Marked::kWhatDiffers;
}

std::vector<canvas::UnitMark> unit_marks(const StagePair& pair, bool of_a) {
  const Marked marked = marked_units(pair.difference.units_a, pair.difference.units_b);
  const std::vector<UnitChange>& changes = of_a ? pair.difference.units_a : pair.difference.units_b;
  std::vector<canvas::UnitMark> marks(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    marks[i].change = sign_of(changes[i], marked);
    marks[i].quiet = (changes[i] == UnitChange::kSame) != (marked == Marked::kWhatIsTheSame);
  }
  for (const StageRow& row : pair.difference.rows) {
    if (row.same()) continue;
    const QString note = Text::tr("stages %1 → %2: %3")
                             .arg(qstring(stages_text(row.a)), qstring(stages_text(row.b)),
                                  message_text(change_message(row, pair.a, pair.b)));
    for (const UnitId unit : of_a ? row.units_a : row.units_b) {
      if (changes[unit.index()] != UnitChange::kSame) marks[unit.index()].note = note;
    }
  }
  return marks;
}

CanvasPair::CanvasPair(QWidget* parent)
    : QWidget(parent),
      a_{.title = new ElidedLabel, .canvas = new GraphView},
      b_{.title = new ElidedLabel, .canvas = new GraphView},
      link_box_(new QCheckBox(tr("&Move together"), this)),
      splitter_(new QSplitter(Qt::Horizontal, this)),
      legend_(new SharedLegend(this)),
      link_(new ViewLink(*a_.canvas, *b_.canvas, this)) {
  b_.canvas->arrangeAs(*a_.canvas);
  link_box_->setChecked(true);
  link_box_->setToolTip(tr("Both canvases show the same place and the same selection"));
  connect(link_box_, &QCheckBox::toggled, link_, &ViewLink::setEnabled);
  splitter_->addWidget(makeSide(a_, "compare-canvas-a"));
  splitter_->addWidget(makeSide(b_, "compare-canvas-b"));
  splitter_->setChildrenCollapsible(false);
  put_into(flush(new QVBoxLayout(this), 0), {{splitter_, 1}, legend_});
  connect(splitter_, &QSplitter::splitterMoved, this, [this] {
    arrangement_ = splitter_->saveState();
    emit arranged();
  });
}

CanvasPair::~CanvasPair() {
  for (const Side* side : {&a_, &b_}) side->canvas->setSelectionModel(nullptr);
}

QWidget* CanvasPair::makeSide(Side& side, const char* name) {
  side.canvas->setSelectionModel(&side.selection);
  side.canvas->setObjectName(QString::fromLatin1(name));
  side.canvas->setLegendElsewhere(true);
  connect(side.canvas, &GraphView::legendChanged, this, &CanvasPair::showLegend);
  connect(side.canvas, &GraphView::legendVisibleChanged, this, [this](bool visible) {
    for (const Side* each : {&a_, &b_}) each->canvas->setLegendVisible(visible);  // one for both
    showLegend();
  });
  auto* widget = new QWidget(splitter_);
  side.title->setTextFormat(Qt::PlainText);
  side.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  side.title->setMinimumHeight(link_box_->sizeHint().height());  // both heads are equally high
  auto* head = put_into(inset(new QHBoxLayout, {8, 2, 8, 2}), {{side.title, 1}});
  if (&side == &b_) head->addWidget(link_box_);
  auto* box = put_into(flush(new QVBoxLayout(widget), 0), {head});
  side.canvas->setMinimumSize(200, 1);
  box->addWidget(side.canvas, 1);
  return widget;
}

void CanvasPair::show(const Subject& subject, Side& side) {
  const bool same_run = side.shown.comparison == subject.comparison;
  if (!side.shown.valid() || side.shown.comparison->graph != subject.comparison->graph) {
    side.canvas->setGraph(subject.comparison->graph);
  } else if (same_run && side.shown.result == subject.result && side.shown.label == subject.label) {
    return;
  }
  side.shown = subject;
  const ScheduleResult& result = subject.schedule();
  side.canvas->setSchedule(&result.schedule, result.stage_latencies,
                           canvas::schedule_label(*subject.comparison, result, shown_name(subject.label)));
}

void CanvasPair::setAlone(std::optional<Subject> a) {
  splitter_->widget(1)->hide();
  if (!a) {
    a_.title->clear();
    a_.shown = {};
    a_.canvas->setGraph(nullptr);
    return;
  }
  show(*a, a_);
  showTitles();
  a_.canvas->setUnitMarks({});
  a_.canvas->setTies({});
  a_.canvas->setDeltas({});
  showLegend();
}

void CanvasPair::setPair(const std::shared_ptr<const StagePair>& pair) {
  if (splitter_->widget(1)->isHidden()) {
    splitter_->widget(1)->show();
    shareWidth();
  }
  for (const auto& [side, subject] : {std::pair(&a_, &pair->a), std::pair(&b_, &pair->b)}) {
    side->title->setToolTip(plain_tip(context_text(*subject->comparison)));
    show(*subject, *side);
  }
  showTitles();
  link_->setMatch(linked(pair->match.units_in_b), linked(pair->match.units_in_a));
  // Without barriers stages do not run: that a unit is of another stage says nothing.
  const bool staged = !pair->a.schedule().lanes && !pair->b.schedule().lanes;
  const bool marked = staged || !pair->match.identical;
  a_.canvas->setUnitMarks(marked ? unit_marks(*pair, true) : std::vector<canvas::UnitMark>());
  b_.canvas->setUnitMarks(marked ? unit_marks(*pair, false) : std::vector<canvas::UnitMark>());
  b_.canvas->setDeltas(deltas_of(*pair));
  showPairs(*pair);
  showLegend();
}

// Marks what runs at the same time in one of them only, and counts it.
void CanvasPair::showPairs(const StagePair& pair) {
  const auto pairs = [](const Subject& subject) {
    const auto label = canvas::schedule_label(*subject.comparison, subject.schedule(), {});
    std::set<canvas::Tie> found;
    for (const Overlap& each : at_once(*label.spans, overlaps(*label.spans))) found.emplace(each.a, each.b);
    return found;
  };
  const std::set<canvas::Tie> in_a = pairs(pair.a);
  std::set<canvas::Tie> in_b = pairs(pair.b);
  std::vector<canvas::Tie> only_a;
  std::size_t both = 0;
  for (const auto& [one, other] : in_a) {
    const UnitId x = pair.match.units_in_b[one.index()];
    const UnitId y = pair.match.units_in_b[other.index()];
    if (!x.valid() || !y.valid()) continue;
    if (in_b.erase(std::minmax(x, y)) > 0) {
      ++both;
    } else {
      only_a.emplace_back(one, other);
    }
  }
  std::erase_if(in_b, [&](const canvas::Tie& tie) {
    return !pair.match.units_in_a[tie.first.index()].valid() || !pair.match.units_in_a[tie.second.index()].valid();
  });
  pairs_ = tr("pairs at once: %1 in both, %2 in A, %3 in B").arg(both).arg(only_a.size()).arg(in_b.size());
  a_.canvas->setTies(std::move(only_a));
  b_.canvas->setTies({in_b.begin(), in_b.end()});
  showTitles();
}

void CanvasPair::showTitles() {
  const auto show = [](const QString& title, const Side& side) {
    const QString text = title.arg(shown_name(side.shown.label));
    side.title->setText(
        side.finished ? tr("%1 – finished, %2").arg(text, duration_text(side.shown.schedule().latency.value)) : text);
  };
  show(tr("A: %1"), a_);
  if (b_.shown.valid()) show(tr("B: %1") + QStringLiteral(" \u00B7 ") + pairs_, b_);
}

void CanvasPair::setProgress(const Progress& a, const Progress& b) {
  a_.canvas->setRunning(a.running, a.ahead);
  b_.canvas->setRunning(b.running, b.ahead);
  a_.canvas->setBrushed(a.brushed);
  b_.canvas->setBrushed(b.brushed);
  if (a_.finished == a.finished && b_.finished == b.finished) return;
  a_.finished = a.finished;
  b_.finished = b.finished;
  if (a_.shown.valid()) showTitles();
}

void CanvasPair::showLegend() {
  const bool both = !splitter_->widget(1)->isHidden();
  canvas::GraphLegend legend = a_.canvas->legend();
  if (both) legend.add(b_.canvas->legend());
  legend_->setLegend(std::move(legend),
                     {a_.canvas->overlayScale(), both ? b_.canvas->overlayScale() : canvas::OverlayScale()});
  legend_->setVisible(a_.canvas->legendVisible() && height() >= kRoomForLegend);
}

// At a low height the graphs have all the room.
void CanvasPair::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  legend_->setVisible(a_.canvas->legendVisible() && height() >= kRoomForLegend);
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
