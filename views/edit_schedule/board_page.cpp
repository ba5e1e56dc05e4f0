#include "views/edit_schedule/board_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/app_model/selection.h"
#include "views/canvas/graph_view.h"
#include "views/edit_schedule/drag_board.h"
#include "views/edit_schedule/lane_board.h"
#include "views/edit_schedule/stage_board.h"
#include "views/tables/describe.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr qsizetype kMostReasons = 1;  // in the foot line; the tip has all

QToolButton* button(const char* name, const QString& text, const QString& tip) {
  return named(name, bar_button(text, tip), text);
}

// Returns it as rich text that stays on one line, Chinese too, which may be broken between any two letters.
QString unbroken(QString text) {
  constexpr char16_t kFirstIdeograph = 0x2E80;
  constexpr char16_t kWordJoiner = 0x2060;
  text.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
  for (qsizetype at = text.size() - 1; at > 0; --at) {
    if (text[at] >= QChar(kFirstIdeograph) || text[at - 1] >= QChar(kFirstIdeograph))
      text.insert(at, QChar(kWordJoiner));
  }
  return text.toHtmlEscaped();
}

// Returns the widget with the colours of a bar, and its row.
std::pair<QWidget*, QHBoxLayout*> bar_widget(const char* name) {
  auto* bar = new QWidget;
  bar->setObjectName(QString::fromLatin1(name));
  bar->setAutoFillBackground(true);
  bar->setBackgroundRole(QPalette::AlternateBase);
  return {bar, new QHBoxLayout(bar)};
}

void enable(QToolButton& button, const QString& why_not, const QString& tip) {
  button.setEnabled(why_not.isEmpty());
  button.setToolTip(why_not.isEmpty() ? tip : why_not);
}

}  // namespace

BoardPage::BoardPage(ScheduleController& controller, SelectionModel& selection, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      canvas_(named("board-canvas", new GraphView)),
      board_(new StageBoard(controller)),
      lane_board_(new LaneBoard(controller)),
      boards_(new QStackedWidget),
      splitter_(new QSplitter(Qt::Vertical)) {
  setObjectName(QStringLiteral("board-page"));
  canvas_->setSelectionModel(&selection);
  canvas_->setGhosted(true);
  canvas_->setLegendVisible(false);
  canvas_->setMinimumHeight(160);
  board_->setSelectionModel(&selection);
  lane_board_->setSelectionModel(&selection);
  boards_->addWidget(board_);
  boards_->addWidget(lane_board_);
  auto* lower = new QWidget;
  auto* column = put_into(flush(new QVBoxLayout(lower), 0), {makeBar(), {boards_, 1}});
  foot_ = makeFoot();
  column->addWidget(foot_);
  splitter_->addWidget(canvas_);
  splitter_->addWidget(lower);
  splitter_->setChildrenCollapsible(false);
  splitter_->setStretchFactor(0, 1);
  splitter_->setStretchFactor(1, 0);
  splitter_->setSizes({540, 380});
  put_into(flush(new QVBoxLayout(this)), {splitter_});
  connect(splitter_, &QSplitter::splitterMoved, this, &BoardPage::arranged);
  connect(board_, &StageBoard::selectionShown, canvas_, [this] {
    if (board_->hasFocus()) canvas_->revealSelection();
  });
  connect(lane_board_, &LaneBoard::selectionShown, canvas_, [this] {
    if (lane_board_->hasFocus()) canvas_->revealSelection();
  });
  connect(board_->horizontalScrollBar(), &QScrollBar::valueChanged, this, &BoardPage::showPartInView);
  connect(&controller_, &ScheduleController::changed, this, &BoardPage::showDraft);
  connect(&controller_, &ScheduleController::costsChanged, this, &BoardPage::showCosts);
  connect(&controller_, &ScheduleController::workChanged, this, &BoardPage::showWork);
  connect(&controller_, &ScheduleController::refused, this, &BoardPage::showRefused);
  showDraft();  // which buttons there are decides how narrow the page may be
  showCosts();
  follow_theme(this, theme_, [this] { showCosts(); });
}

BoardPage::~BoardPage() {
  canvas_->setSelectionModel(nullptr);
  board_->setSelectionModel(nullptr);
  lane_board_->setSelectionModel(nullptr);
}

QWidget* BoardPage::makeBar() {
  const auto [bar, row] = bar_widget("board-bar");
  row->setContentsMargins(6, 2, 6, 2);
  row->setSpacing(1);
  parts_ = named("board-part", new QComboBox, tr("Part"));
  parts_->setToolTip(tr("Go to the stages of a part"));
  parts_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  parts_->setMinimumContentsLength(8);
  connect(parts_, &QComboBox::activated, board_, [this](int row) { board_->goToPart(static_cast<std::size_t>(row)); });
  row->addWidget(parts_);
  edits_.push_back(parts_);
  std::vector<QWidget*>* edits = &edits_;
  const auto add = [this, row = row, &edits](const char* name, const QString& text, const QString& tip, auto act) {
    QToolButton* made = button(name, text, tip);
    connect(made, &QToolButton::clicked, this, act);
    row->addWidget(made);
    edits->push_back(made);
    return made;
  };
  const auto add_line = [row = row, &edits] {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    row->addWidget(line);
    edits->push_back(line);
  };
  add("board-split", tr("Split"),
      tr("Make the selection a stage of its own; without a selection, split the stage in half (S)"),
      [this] { board_->split(); });
  add("board-join", tr("Join"), tr("Join the stage and the next one (J)"), [this] { board_->join(); });
  add("board-new", tr("New stage"), tr("Put the selection into a stage of its own (N)"),
      [this] { board_->newStage(); });
  add_line();
  add("board-merge", tr("Merge"), tr("Merge the selected layers into one larger layer (M)"),
      [this] { board_->merge(); });
  add("board-apart", tr("Unmerge"), tr("Compute the merged layers one by one (T)"), [this] { board_->takeApart(); });
  add("board-one-by-one", tr("One by one"), tr("Start again with one stage per unit; Undo restores what was changed"),
      [this] { controller_.beginOneByOne(); });
  add_line();
  add("board-lock", tr("Lock"), tr("A locked stage cannot be changed; a search keeps it. Again: unlock (L)"),
      [this] { board_->toggleLock(); });
  fill_ = add("board-fill", tr("Fill by IOS"), {}, [this] { controller_.fill(); });
  search_ = add("board-search", tr("Search from here"), {}, [this] { controller_.searchFromHere(); });
  edits = &lane_edits_;
  add("lanes-own", tr("Own lane"), tr("Put the selected kernel on a lane of its own (N)"),
      [this] { lane_board_->ownLane(); });
  add("lanes-best", tr("Best place"),
      tr("Move the selected kernel to the place with the lowest total latency, if any is faster; on simulated devices "
         "(B)"),
      [this] { lane_board_->bestPlace(); });
  add_line();
  add("lanes-out", QStringLiteral("−"), tr("Show more time (−, Ctrl + wheel)"), [this] {
    lane_board_->zoomOut();
  })->setAccessibleName(tr("Zoom out"));
  add("lanes-fit", tr("Fit"), tr("Show the whole run (F)"), [this] { lane_board_->zoomToFit(); });
  add("lanes-in", QStringLiteral("+"), tr("Show less time (+, Ctrl + wheel)"), [this] {
    lane_board_->zoomIn();
  })->setAccessibleName(tr("Zoom in"));
  add_line();
  add("lanes-stages", tr("Its stages"), tr("Edit the stages that these kernels come from instead; Undo returns here"),
      [this] { controller_.copyStages(); });
  row->addStretch(1);
  std::vector<QWidget*> always;  // shown
  edits = &always;
  undo_ = add("board-undo", QStringLiteral("↶"), {}, [this] { controller_.undo(); });
  redo_ = add("board-redo", QStringLiteral("↷"), {}, [this] { controller_.redo(); });
  undo_->setAccessibleName(tr("Undo"));
  redo_->setAccessibleName(tr("Redo"));
  return bar;
}

QWidget* BoardPage::makeFoot() {
  const auto [foot, row] = bar_widget("board-foot");
  row->setContentsMargins(10, 4, 6, 4);
  row->setSpacing(6);
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  const auto label = [words](const char* name, Qt::TextFormat format) {
    auto* made = new QLabel;
    made->setObjectName(QString::fromLatin1(name));
    made->setTextFormat(format);
    made->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    made->setWordWrap(true);
    words->addWidget(made);
    return made;
  };
  sum_ = label("board-sum", Qt::RichText);
  insight_ = label("board-insight", Qt::PlainText);
  insight_->hide();
  row->addLayout(words, 1);
  copy_ = button("board-copy", tr("Edit a copy"), tr("Start from the shown schedule; Undo restores what was changed"));
  connect(copy_, &QToolButton::clicked, this, &BoardPage::copyAsked);
  measure_ = button("board-measure", tr("Measure"), tr("Measure the stages without a known latency"));
  connect(measure_, &QToolButton::clicked, this, [this] { controller_.measure(); });
  always_ = named("board-always", new QCheckBox(tr("after each drop")));
  always_->setToolTip(tr("Measure changed stages automatically after every change"));
  connect(always_, &QCheckBox::toggled, this, [this](bool on) { controller_.setMeasuresAfterDrop(on); });
  verify_ = button("board-verify", tr("Verify outputs"),
                   tr("Run it and compare its outputs with those of the sequential schedule"));
  connect(verify_, &QToolButton::clicked, this, [this] { controller_.run(true); });
  save_ = button("board-save", tr("Save"), tr("Write this schedule to a file"));
  save_menu_ = new QMenu(save_);
  save_->setMenu(save_menu_);
  save_->setPopupMode(QToolButton::InstantPopup);
  run_ = button("board-run", tr("Run"), tr("Run it end to end and add it to the schedules of the run"));
  run_->setProperty(kAccent, "go");
  connect(run_, &QToolButton::clicked, this, [this] { controller_.run(); });
  for (QWidget* widget : std::initializer_list<QWidget*>{measure_, always_, copy_, verify_, save_, run_})
    row->addWidget(widget);
  return foot;
}

void BoardPage::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  showDraft();
  if (!active) return;
  boardShown()->setFocus(Qt::OtherFocusReason);
  QTimer::singleShot(0, board_, &StageBoard::revealSelection);  // once it has its size
  QTimer::singleShot(0, lane_board_, &LaneBoard::revealSelection);
}

QByteArray BoardPage::arrangement() const { return splitter_->saveState(); }

void BoardPage::setArrangement(const QByteArray& arrangement) {
  if (!splitter_->restoreState(arrangement)) splitter_->setSizes({540, 380});
}

// ---- What it shows ----

QWidget* BoardPage::boardShown() const {
  return controller_.lanes() != nullptr ? static_cast<QWidget*>(lane_board_) : board_;
}

void BoardPage::showDraft() {
  const ScheduleDraft* draft = controller_.draft();
  const LaneDraft* lanes = controller_.lanes();
  const bool focused = boards_->currentWidget()->hasFocus();
  boards_->setCurrentWidget(boardShown());
  setFocusProxy(boardShown());
  if (focused) boardShown()->setFocus(Qt::OtherFocusReason);
  for (QWidget* edit : edits_) {
    edit->setVisible(lanes == nullptr);
    edit->setEnabled(draft != nullptr);
  }
  for (QWidget* edit : lane_edits_) edit->setVisible(lanes != nullptr);
  const QString undo = controller_.undoName();
  const QString redo = controller_.redoName();
  undo_->setEnabled(!undo.isEmpty());
  redo_->setEnabled(!redo.isEmpty());
  undo_->setToolTip(undo.isEmpty() ? tr("Nothing to undo") : tr("Undo: %1").arg(undo));
  redo_->setToolTip(redo.isEmpty() ? tr("Nothing to redo") : tr("Redo: %1").arg(redo));
  showWork();
  showParts();
  if (!active_) return;
  const std::shared_ptr<const Graph> graph = controller_.graph();
  if (graph != graph_) {
    graph_ = graph;
    canvas_->setGraph(graph_);
  }
  shown_times_.clear();
  showLanes();
  if (draft == nullptr) return;
  std::vector<Latency> latencies;
  for (const auto& latency : controller_.costs().stages) {
    if (latency) latencies.push_back(*latency);
  }
  if (latencies.size() != draft->schedule().stages.size()) latencies.clear();
  canvas_->setSchedule(&draft->schedule(), latencies, {ScheduleController::draftId(), tr("Manual")});
}

// The canvas has the instants of the board below it; before these are known, the order alone.
void BoardPage::showLanes() {
  const LaneDraft* lanes = controller_.lanes();
  if (lanes == nullptr || graph_ == nullptr) return;
  const LaneCosts& costs = controller_.laneCosts();
  canvas::ScheduleLabel label =
      canvas::lanes_label(*graph_, lanes->plan(), ScheduleController::draftId(), tr("Manual"));
  const bool timed =
      costs.timesAre() == LaneCosts::Times::kRun && costs.times().size() == lanes->kernels().staged.kernels.size();
  shown_times_ = timed ? costs.times() : std::vector<KernelTime>();
  if (timed) {
    Trace trace;
    for (std::size_t k = 0; k < shown_times_.size(); ++k) {
      KernelSpan& span = trace.kernels.emplace_back();
      span.kernel = KernelId(k);
      span.lane = lanes->place_of(span.kernel).lane;
      span.begin = shown_times_[k].begin;
      span.end = shown_times_[k].end;
    }
    label.spans = std::make_shared<const UnitSpans>(unit_spans(*graph_, lanes->kernels().staged, trace));
  }
  canvas_->setSchedule(&lanes->kernels().schedule, {}, std::move(label));
}

// For a running search of the draft its button says so, with the same width.
void BoardPage::showWork() {
  const ScheduleController::Improving improving = controller_.improving();
  const QString why = controller_.improveDisabledReason();
  const auto show = [&](QToolButton* on, bool runs, const QString& text, const QString& working, const QString& tip) {
    on->ensurePolished();
    if (on->minimumWidth() < on->sizeHint().width()) on->setMinimumWidth(on->sizeHint().width());
    on->setText(runs ? working : text);
    enable(*on, why, tip);
  };
  show(fill_, improving == ScheduleController::Improving::kFill, tr("Fill by IOS"), tr("Filling…"),
       tr("Keep the locked stages and search the rest: never worse than it is now"));
  show(search_, improving == ScheduleController::Improving::kSearch, tr("Search from here"), tr("Searching…"),
       tr("Search with all stages of this schedule as candidates: never worse than it is now"));
}

void BoardPage::showParts() {
  const QSignalBlocker quiet(parts_);
  parts_->clear();
  const ScheduleDraft* draft = controller_.draft();
  parts_->setEnabled(draft != nullptr);
  if (draft == nullptr) return;
  for (const board::PartStrip& strip : board_->layoutShown().parts)
    parts_->addItem(shown_name(draft->graph().part(strip.part).name));
  showPartInView();
}

void BoardPage::showPartInView() {
  const QSignalBlocker quiet(parts_);
  const auto strip = board_->stripInView();
  parts_->setCurrentIndex(strip ? static_cast<int>(*strip) : -1);
}

void BoardPage::showCosts() {
  const LaneCosts& times = controller_.laneCosts();
  if (active_ && times.timesAre() == LaneCosts::Times::kRun && times.times() != shown_times_) showLanes();
  const bool draft = controller_.draft() != nullptr;
  const bool lanes = controller_.lanes() != nullptr;
  const DeviceInfo* device = controller_.device();
  sum_->setText(lanes ? laneSumText() : sumText());
  if (device != nullptr) {
    const QString tip = lanes ? tr("%1, batch %2: latency end to end.")
                              : tr("%1, batch %2: the sum of the stages, each alone, and of the gaps between them. Run "
                                   "gives the latency end to end.");
    sum_->setToolTip(plain_tip(tip.arg(shown_name(device->name)).arg(controller_.batch())));
  }
  const QString insight = insightText();
  insight_->setText(insight);
  insight_->setVisible(!insight.isEmpty());
  const bool measures = draft && device != nullptr && device->origin == Origin::kMeasured;
  measure_->setVisible(measures);
  always_->setVisible(measures);
  measure_->setEnabled(controller_.lacksCosts());
  // The batch in the tool bar is for the next search, not for a schedule compared within a run.
  const bool other = controller_.batch() != controller_.chosenBatch();
  run_->setText(other ? tr("Run at batch %1").arg(controller_.batch()) : tr("Run"));
  enable(*run_, controller_.runDisabledReason(), tr("Run it end to end and add it to the schedules of the run"));
  enable(*verify_, controller_.verifyDisabledReason(),
         tr("Run it and compare its outputs with those of the sequential schedule"));
  save_->setEnabled(draft || lanes);
}

QString BoardPage::sumText() const {
  const DraftCosts& costs = controller_.costs();
  if (controller_.draft() == nullptr) return tr("No schedule is being edited").toHtmlEscaped();
  const auto missing = std::ranges::count_if(costs.stages, [](const auto& latency) { return !latency; });
  if (!costs.sum) {
    return QStringLiteral("<b>%1</b> &nbsp;%2")
        .arg(tr("Manual").toHtmlEscaped(), (missing == 1 ? tr("1 stage is not measured on this device")
                                                         : tr("%1 stages are not measured on this device").arg(missing))
                                               .toHtmlEscaped());
  }
  QString text = duration_text(*costs.sum);
  if (costs.spread > Millis(0)) text += QStringLiteral(" ± ") + duration_text(costs.spread);
  text = QStringLiteral("<b>%1 %2</b> <span style='color:%3'>%4</span>")
             .arg(tr("Manual").toHtmlEscaped(), text.toHtmlEscaped(), theme_.mutedText.name(),
                  origin_text(costs.stages.front()->origin).toHtmlEscaped());
  return text + againstText(*costs.sum, costs.spread, controller_.references());
}

QString BoardPage::againstText(Millis sum, Millis spread, const std::vector<DraftReference>& references) const {
  QString text;
  for (const DraftReference& reference : references) {
    const Millis change = sum - reference.sum;
    const bool same = std::abs(change.count()) <= std::max(1e-6 * reference.sum.count(), spread.count());
    const QString figure = same ? tr("the same") : board::change_text(change);
    text += QStringLiteral(" &nbsp; <span style='color:%1'>%2</span>&nbsp;<span style='color:%3'>%4</span>")
                .arg(theme_.mutedText.name(),
                     unbroken(tr("against %1:").arg(schedule_title(reference.schedule_kind, reference.title))),
                     (same ? theme_.mutedText : board::change_color(theme_, change)).name(), unbroken(figure));
  }
  return text;
}

QString BoardPage::laneSumText() const {
  const LaneCosts& costs = controller_.laneCosts();
  const QString muted = theme_.mutedText.name();
  const auto& latency = costs.latency();
  if (!latency) {
    const QString why = !costs.problem().isEmpty() ? costs.problem()
                        : costs.busy()             ? tr("computing the latency…")
                        : costs.timesAre() == LaneCosts::Times::kLaidOut
                            ? tr("not run yet: Run gives the latency. Bars are as long as in another run.")
                            : tr("not run yet: Run gives the latency.");
    return QStringLiteral("<b>%1</b> &nbsp;<span style='color:%2'>%3</span>")
        .arg(tr("Manual").toHtmlEscaped(), muted, why.toHtmlEscaped());
  }
  const QString text = QStringLiteral("<b>%1 %2</b> <span style='color:%3'>%4</span>")
                           .arg(tr("Manual").toHtmlEscaped(), latency_text(*latency).toHtmlEscaped(), muted,
                                origin_text(latency->origin).toHtmlEscaped());
  return text + againstText(latency->value, latency->spread, costs.references());
}

QString BoardPage::insightText() const {
  const auto& insight = controller_.insight();
  if (!insight) {
    insight_->setToolTip({});
    return {};
  }
  QStringList reasons;
  bool free = false;
  for (const StageBeyond& stage : insight->stages) {
    if (stage.why.empty()) {
      free = true;
    } else {
      reasons << tr("stage %1: %2").arg(stage.stage + 1).arg(why_words(stage.why));
    }
  }
  QString text = tr("Faster than %1 by %2.")
                     .arg(schedule_title(insight->schedule_kind, insight->title), duration_text(insight->gained));
  if (!reasons.isEmpty()) {
    text += QLatin1Char(' ') +
            tr("The search could not use %1").arg(reasons.mid(0, kMostReasons).join(QStringLiteral("; ")));
    const qsizetype more = reasons.size() - kMostReasons;
    text += more > 0 ? tr("; and %1 more.").arg(more) : QStringLiteral(".");
  }
  if (free && reasons.isEmpty())
    text += QLatin1Char(' ') + tr("The search could use its stages, but did not examine them.");
  if (controller_.startsSearches()) text += QLatin1Char(' ') + tr("Later searches start from it.");
  insight_->setToolTip(plain_tip(reasons.join(QLatin1Char('\n'))));
  return text;
}

void BoardPage::showRefused(const QString& why) {
  if (!isVisible()) return;
  const auto show = [&](const auto& board, bool has_cursor) {
    const QPoint at = has_cursor ? board.rectOf(*board.cursor()).bottomLeft() : QPoint(20, 20);
    QToolTip::showText(board.viewport()->mapToGlobal(at), plain_tip(why), board.viewport());
  };
  if (controller_.lanes() != nullptr) return show(*lane_board_, lane_board_->cursor().has_value());
  const auto& piece = board_->cursor();
  show(*board_, piece && piece->stage < board_->layoutShown().columns.size());
}

}  // namespace iosx

#include "moc_board_page.cpp"
