#include "views/compare/compare_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/difference_tables.h"
#include "views/compare/difference_text.h"
#include "views/compare/distribution_figure.h"
#include "views/style/theme.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

constexpr int kSectionLeast = 84;   // pixels of height of one that is open
constexpr int kTimelineWish = 260;  // of height, at first
constexpr std::size_t kMostMatrixRows = 14;
constexpr int kMostSentenceLines = 2;
constexpr double kMatrixShare = 0.6;  // of the width, at most
constexpr int kAroundMatrix = 6;      // pixels between its columns and its edges
constexpr int kWidestStages = 96;     // pixels of the columns with numbers of stages
constexpr quint8 kArrangement = 2;    // version of its bytes

// Its height is set from outside: a layout with a height for a width gives everything below its preferred height,
// however small the window is.
class Head final : public QWidget {
 public:
  bool hasHeightForWidth() const override { return false; }
};

// Returns the text in that many lines, cut at its end where necessary.
QString fitted(const QString& text, const QFontMetrics& metrics, int width, int lines) {
  const auto fits = [&](const QString& words) {
    const QRect box = metrics.boundingRect(QRect(0, 0, std::max(width, 1), 1 << 20), Qt::TextWordWrap, words);
    return box.height() <= lines * metrics.lineSpacing();
  };
  if (fits(text)) return text;
  const QString dots = QStringLiteral("…");
  qsizetype most = 1;  // fits, or nothing does
  for (qsizetype too_many = text.size(); most + 1 < too_many;) {
    const qsizetype half = (most + too_many) / 2;
    (fits(text.left(half) + dots) ? most : too_many) = half;
  }
  return text.left(most) + dots;
}

std::vector<UnitId> told(const std::vector<UnitId>& units, const std::vector<UnitId>& counterparts) {
  std::vector<UnitId> list;
  for (const UnitId unit : units) {
    if (unit.index() < counterparts.size() && counterparts[unit.index()].valid()) {
      list.push_back(counterparts[unit.index()]);
    }
  }
  std::ranges::sort(list);
  return list;
}

void set_up_words(QLabel& label) {
  label.setWordWrap(true);
  label.setTextFormat(Qt::PlainText);  // names are in it
  label.setTextInteractionFlags(Qt::TextSelectableByMouse);
}

QScrollArea* scrolled(QWidget* content) {
  auto* area = new QScrollArea;
  area->setWidget(content);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return area;
}

SectionHeights heights_of(const QSplitter& sections) {
  const QList<int> sizes = sections.sizes();
  return {sizes.value(0), sizes.value(1), sizes.value(2)};
}

}  // namespace

ComparePage::ComparePage(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      matrix_(new PartMatrixModel(this)),
      stages_(new StageDifferenceModel(this)),
      shown_stages_(new StageDifferenceFilter(this)),
      statistics_(new StatisticsModel(this)),
      sections_menu_(new QMenu(this)),
      sentence_(named("compare-sentence", new QLabel)),
      details_(named("compare-details", new QLabel)),
      gains_(named("compare-gains", new QLabel)),
      baseline_box_(new ElidedComboBox),
      b_box_(new ElidedComboBox),
      chart_(new ComparisonChart(nullptr)),
      matrix_table_(new CompareTable(tr("Parts and schedules"))),
      stages_table_(new CompareTable(tr("A and B, stage against stage"))),
      statistics_table_(new CompareTable(tr("Statistics of the schedules"))),
      distribution_(new DistributionView),
      rest_(new QLabel),
      match_(new QLabel),
      filter_(named("compare-filter", new QLineEdit)),
      changed_only_(new QCheckBox(tr("Only &differences"))),
      tabs_(new QTabWidget),
      canvases_(new CanvasPair),
      overview_(new QSplitter(Qt::Horizontal)),
      sections_(new QSplitter(Qt::Vertical)),
      timeline_place_(new QWidget) {
  setAccessibleName(tr("Comparison of runs"));
  auto* box = put_into(inset(new QVBoxLayout(this), {8, 6, 8, 8}, 6), {makeHead()});
  auto* place = new QVBoxLayout(timeline_place_);
  place->setContentsMargins(0, 0, 0, 0);
  timeline_place_->hide();
  for (QWidget* section : {timeline_place_, makeTables(), static_cast<QWidget*>(canvases_)}) {
    section->setMinimumHeight(section == tabs_ ? tabs_->tabBar()->sizeHint().height() : kSectionLeast);
    sections_->addWidget(section);
  }
  sections_->setMinimumHeight(1);  // in a low window sections are lower than they should be, rather than out of sight
  box->addWidget(sections_, 1);
  makeSectionsMenu();
  connectSelections();
  setSubjects({}, 0);
  follow_theme(this, [this](const Theme& theme) {
    matrix_->setTheme(theme);
    stages_->setTheme(theme);
  });
}

ComparePage::~ComparePage() = default;

QWidget* ComparePage::makeHead() {
  head_ = new Head;
  auto* box = new QVBoxLayout(head_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(3);
  sentence_->setProperty("result", "large");  // for the style sheet: a font of its own would not outlive another theme
  auto* row = new QHBoxLayout;
  head_row_ = row;
  row->setSpacing(8);
  const auto add = [&](const QString& text, QComboBox* choice, const QString& help) {
    auto* label = new QLabel(text);
    label->setBuddy(choice);
    choice->setToolTip(help);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(10);  // the page fits a small screen
    put_into(row, {label, {choice, 3}});
  };
  add(tr("Baseline (&A):"), baseline_box_, tr("All others are compared with this"));
  add(tr("Compare with (&B):"), b_box_, tr("Shown in the second canvas and in the table of stages"));
  row->addStretch(1);
  box->addLayout(row);
  for (QLabel* words : {sentence_, details_, gains_}) {
    set_up_words(*words);
    box->addWidget(words);
  }
  connect(baseline_box_, &QComboBox::activated, this,
          [this](int index) { chooseBaseline(static_cast<std::size_t>(index)); });
  connect(b_box_, &QComboBox::activated, this,
          [this](int index) { chooseSubject(static_cast<std::size_t>(b_box_->itemData(index).toInt())); });
  return head_;
}

void ComparePage::makeSectionsMenu() {
  const std::array titles{tr("&Timelines"), tr("&Bars and tables"), tr("&Graphs")};
  for (std::size_t i = 0; i < titles.size(); ++i) {
    QAction* action = sections_menu_->addAction(titles[i]);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this,
            [this, i](bool shown) { setSectionShown(static_cast<CompareSection>(i), shown); });
  }
  auto* button = named("compare-sections", new QToolButton);
  button->setText(tr("Show"));
  button->setToolTip(tr("Choose the views below the sentence; drag the lines between them to resize"));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(sections_menu_);
  head_row_->addWidget(button);
}

QWidget* ComparePage::makeOverview() {
  overview_->setChildrenCollapsible(false);
  QScrollArea* bars = scrolled(chart_);
  bars->setFocusPolicy(Qt::NoFocus);
  bars->setMinimumWidth(320);
  matrix_table_->setModel(matrix_);
  matrix_table_->setMinimumWidth(320);
  matrix_table_->setSelectionMode(QAbstractItemView::SingleSelection);
  matrix_table_->horizontalHeader()->setSectionsClickable(true);
  overview_->addWidget(bars);
  overview_->addWidget(matrix_table_);
  connect(chart_, &ComparisonChart::barActivated, this, [this](std::size_t bar) {
    if (runs_ && bar < runs_->subjects.size()) chooseSubject(bar);
  });
  connect(matrix_table_->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
    if (const auto subject = matrix_->subject(column)) chooseSubject(*subject);
  });
  connect(matrix_table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ComparePage::selectUnitsOfParts);
  return overview_;
}

QWidget* ComparePage::makeTables() {
  tabs_->setDocumentMode(true);
  tabs_->addTab(makeOverview(), tr("Bars and parts"));
  shown_stages_->setSourceModel(stages_);
  stages_table_->setModel(shown_stages_);
  stages_table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  stages_table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  statistics_table_->setModel(statistics_);
  statistics_table_->setSelectionBehavior(QAbstractItemView::SelectRows);

  auto* stages = new QWidget;
  filter_->setPlaceholderText(tr("Filter by unit, part or change"));
  filter_->setAccessibleName(tr("Filter of the stages"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(320);
  auto* row = put_into(new QHBoxLayout, {{filter_, 1}, changed_only_, FreeRoom{1}});
  auto* box = put_into(inset(new QVBoxLayout(stages), {0, 4, 0, 0}, 4), {row});
  for (QLabel* words : {rest_, match_}) {
    set_up_words(*words);
    box->addWidget(words);
  }
  box->addWidget(stages_table_, 1);
  tabs_->addTab(stages, tr("Stage against stage"));
  tabs_->addTab(statistics_table_, tr("Statistics"));
  tabs_->addTab(scrolled(distribution_), tr("Distribution"));
  connect(tabs_, &QTabWidget::tabBarClicked, this, &ComparePage::openDetails);
  connect(tabs_, &QTabWidget::currentChanged, this, &ComparePage::showSelectedRows);  // it scrolls to what it hid
  connect(filter_, &QLineEdit::textChanged, shown_stages_, &StageDifferenceFilter::setWords);
  connect(changed_only_, &QCheckBox::toggled, shown_stages_, &StageDifferenceFilter::setChangedOnly);
  connect(stages_table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ComparePage::selectUnitsOfRows);
  return tabs_;
}

void ComparePage::addHeadAction(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  button->setVisible(action->isVisible());
  connect(action, &QAction::visibleChanged, button, [button, action] { button->setVisible(action->isVisible()); });
  head_row_->addWidget(button);
}

QByteArray ComparePage::arrangement() const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << kArrangement << matrix_share_.value_or(0);
  for (const double share : shares_.value_or(SectionShares{})) stream << share;
  stream << canvases_->arrangement();
  return bytes;
}

void ComparePage::setArrangement(const QByteArray& arrangement) {
  QDataStream stream(arrangement);
  quint8 version = 0;
  double share = 0;
  SectionShares sections{};
  QByteArray canvases;
  stream >> version >> share;
  for (double& each : sections) stream >> each;
  stream >> canvases;
  const auto fair = [](double part) { return part >= 0 && part <= 1; };
  if (stream.status() != QDataStream::Ok || version != kArrangement || !std::ranges::all_of(sections, fair)) return;
  if (share > 0 && share < 1) matrix_share_ = share;
  if (sections != SectionShares{}) shares_ = sections;
  canvases_->setArrangement(canvases);
  shareOverview();
  shareHeight();
}

void ComparePage::resetArrangement() {
  matrix_share_.reset();
  shares_.reset();
  canvases_->setArrangement({});
  shareOverview();
  shareHeight();
  canvases_->canvasA()->zoomToFit();
  canvases_->canvasB()->zoomToFit();
}

void ComparePage::connectSelections() {
  connect(overview_, &QSplitter::splitterMoved, this, [this] {
    const double width = overview_->sizes().value(0) + overview_->sizes().value(1);
    if (width > 0) matrix_share_ = overview_->sizes().value(1) / width;
    emit arranged();
  });
  connect(sections_, &QSplitter::splitterMoved, this, [this] {
    shares_ = shares_of(heights_of(*sections_));
    showSections();
    emit arranged();
  });
  connect(canvases_, &CanvasPair::arranged, this, &ComparePage::arranged);
  connect(selection_, &SelectionModel::changed, this, &ComparePage::takeSelection);
  connect(canvases_->selectionA(), &SelectionModel::changed, this, [this](const Selection& selection) {
    giveSelection(selection);
    showSelectedRows();
  });
}

void ComparePage::setSubjects(std::vector<Subject> subjects, std::size_t baseline, std::optional<std::size_t> b) {
  const std::optional<Subject> before = runs_ && b_ ? std::optional(runs_->subjects[*b_]) : std::nullopt;
  runs_ = make_run_matrix(std::move(subjects), baseline);
  b_.reset();
  if (runs_ && runs_->subjects.size() > 1) {
    b_ = runs_->finding.subject;
    for (std::size_t i = 0; before && i < runs_->subjects.size(); ++i) {
      const Subject& subject = runs_->subjects[i];
      if (i != runs_->matrix.baseline && subject.comparison == before->comparison && subject.result == before->result) {
        b_ = i;
      }
    }
    if (b && *b < runs_->subjects.size() && *b != runs_->matrix.baseline) b_ = b;
  }
  speakOfB();
  matchSelectionGraph();
  showRuns();
  showPair();
}

// The sentence is about A and B, like everything below it.
void ComparePage::speakOfB() {
  if (!runs_ || !b_ || runs_->finding.subject == *b_) return;
  auto data = std::make_shared<RunMatrix>(*runs_);
  data->finding = find_out(data->subjects, data->matrix, b_);
  runs_ = std::move(data);
}

void ComparePage::setExternal(std::vector<LatencyBar> bars) {
  external_ = std::move(bars);
  showBars();
  showStatistics();
}

void ComparePage::setSelectionGraph(std::shared_ptr<const Graph> graph) {
  selection_graph_ = std::move(graph);
  matchSelectionGraph();
  takeSelection(selection_->current());
}

void ComparePage::matchSelectionGraph() {
  same_units_ = true;
  if (!runs_ || !selection_graph_) return;
  GraphMatch match = match_graphs(*selection_graph_, runs_->baseline().graph());
  same_units_ = match.identical;
  to_a_ = std::move(match.units_in_b);
  from_a_ = std::move(match.units_in_a);
}

void ComparePage::setTimeline(QWidget* timeline) {
  delete timeline_.data();
  timeline_ = timeline;
  timeline_place_->setVisible(timeline != nullptr);
  if (timeline != nullptr) {
    timeline->setMinimumHeight(1);  // the section's least height is the page's choice
    timeline_place_->layout()->addWidget(timeline);
  }
  shareHeight();
}

bool ComparePage::sectionShown(CompareSection section) const {
  return sections_->sizes().value(static_cast<int>(section)) > 0;
}

void ComparePage::setSectionShown(CompareSection section, bool shown) {
  if (sectionShown(section) == shown) return showSections();
  shares_ = with_section(shares_of(heights_of(*sections_)), section, shown);
  shareHeight();
  emit arranged();
}

void ComparePage::showSections() {
  const auto actions = sections_menu_->actions();
  for (qsizetype i = 0; i < actions.size(); ++i) actions[i]->setChecked(sectionShown(static_cast<CompareSection>(i)));
  actions.front()->setEnabled(timeline_ != nullptr);
}

void ComparePage::chooseBaseline(std::size_t subject) {
  if (!runs_ || subject >= runs_->subjects.size() || subject == runs_->matrix.baseline) return;
  const std::size_t before = runs_->matrix.baseline;
  const bool swapped = b_ == subject;
  setSubjects(runs_->subjects, subject);
  if (swapped) {
    b_ = before;  // A and B change places
    speakOfB();
    showRuns();
    showPair();
  }
  emit baselineChosen(static_cast<int>(subject));
}

void ComparePage::chooseSubject(std::size_t subject) {
  if (!runs_ || subject >= runs_->subjects.size() || subject == runs_->matrix.baseline || b_ == subject) return;
  b_ = subject;
  speakOfB();
  showRunsOfB();
  showPair();
  emit subjectChosen(static_cast<int>(subject));
}

QString ComparePage::sentence() const {
  return runs_ ? finding_words(runs_->subjects, runs_->matrix, runs_->finding) : finding_words({}, {}, {});
}

void ComparePage::fillBoxes() {
  const QSignalBlocker quiet_baseline(baseline_box_);
  const QSignalBlocker quiet_b(b_box_);
  baseline_box_->clear();
  b_box_->clear();
  if (runs_) {
    for (std::size_t i = 0; i < runs_->subjects.size(); ++i) {
      const QString label = shown_name(runs_->subjects[i].label);
      baseline_box_->addItem(label, static_cast<int>(i));
      if (i != runs_->matrix.baseline) b_box_->addItem(label, static_cast<int>(i));
    }
    baseline_box_->setCurrentIndex(static_cast<int>(runs_->matrix.baseline));
    if (b_) b_box_->setCurrentIndex(b_box_->findData(static_cast<int>(*b_)));
  }
  baseline_box_->setEnabled(baseline_box_->count() > 1);
  b_box_->setEnabled(b_box_->count() > 0);
}

std::vector<LatencyBar> ComparePage::bars() const {
  return latency_bars(runs_->subjects, runs_->matrix.baseline, external_);
}

void ComparePage::showBars() {
  if (!runs_) {
    distribution_->setBars({});
    chart_->setBars({}, {});
    return;
  }
  std::vector<LatencyBar> all = bars();
  distribution_->setBars(all);
  chart_->setMinimumHeight(least_plot_height(all));
  chart_->setBars(std::move(all), {.context = context_text(*runs_->baseline().comparison)}, b_);
  chart_->setAccessibleDescription(sentence());
}

void ComparePage::showStatistics() {
  statistics_->setRuns(runs_, external_);
  statistics_table_->fitColumns(true);
}

void ComparePage::showRunsOfB() {
  showWords();
  fillBoxes();
  showBars();
  matrix_->setRuns(runs_);
  matrix_->setEmphasised(b_);
  showStatistics();
}

void ComparePage::showRuns() {
  showRunsOfB();
  matrix_table_->fitColumns(false);
  shareOverview();
  shareHeight();
}

// Shows in the head: the claim, the rest of the finding, and the gain of lanes.
void ComparePage::showWords() {
  const auto say = [](QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
  };
  claim_ = runs_ ? finding_claim(runs_->subjects, runs_->finding) : finding_claim({}, {});
  say(details_, runs_ ? finding_details(runs_->subjects, runs_->matrix, runs_->finding) : QString());
  std::vector<Subject> pair;
  if (runs_) pair.push_back(runs_->baseline());
  if (b_) pair.push_back(runs_->subjects[*b_]);
  say(gains_, gain_words(pair));
  shareHeight();
}

// The head has the height that its words need; the sections share the rest.
void ComparePage::shareHeight() {
  const QMargins margins = layout()->contentsMargins();
  const int width = this->width() - margins.left() - margins.right();
  sentence_->setText(fitted(claim_, sentence_->fontMetrics(), width, kMostSentenceLines));
  sentence_->setToolTip(sentence_->text() == claim_ ? QString() : plain_tip(claim_));
  head_->setFixedHeight(head_->layout()->totalHeightForWidth(width));
  layout()->activate();
  const bool timeline = timeline_ != nullptr;
  const int room = std::max(0, sections_->height() - (timeline ? 2 : 1) * sections_->handleWidth());
  const std::size_t rows = runs_ ? std::min(runs_->matrix.rows.size() + 3, kMostMatrixRows) : 0;
  const int overview = std::max(matrix_table_->heightOf(static_cast<int>(rows)), chart_->minimumHeight());
  const int tabs = tabs_->tabBar()->sizeHint().height();
  const SectionHeights heights =
      shares_ ? chosen_heights(room, *shares_) : first_heights(room, kTimelineWish, tabs + overview, tabs, !timeline);
  sections_->setSizes({heights.begin(), heights.end()});
  showSections();
}

void ComparePage::openDetails() {
  SectionHeights heights = heights_of(*sections_);
  int& own = heights[static_cast<std::size_t>(CompareSection::kDetails)];
  if (own >= kSectionLeast) return;
  own = 0;
  shares_ = with_section(shares_of(heights), CompareSection::kDetails, true);
  shareHeight();
  emit arranged();
}

// Makes the matrix as wide as it needs to be, up to a limit; the bars have the rest.
void ComparePage::shareOverview() {
  const int width = overview_->width();
  if (matrix_share_) {
    const int chosen = static_cast<int>(*matrix_share_ * width);
    overview_->setSizes({std::max(1, width - chosen), chosen});
    return;
  }
  const int needed = matrix_table_->horizontalHeader()->length() +
                     matrix_table_->verticalScrollBar()->sizeHint().width() + kAroundMatrix;
  const int matrix = std::clamp(needed, 320, std::max(320, static_cast<int>(kMatrixShare * width)));
  overview_->setSizes({std::max(1, width - matrix), matrix});
}

void ComparePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareHeight();
  shareOverview();
}

void ComparePage::showPair() {
  pair_.reset();
  if (runs_ && b_)
    pair_ = make_stage_pair(runs_->baseline(), runs_->subjects[*b_], runs_->matches[*b_], runs_->matrix.per);
  {
    const bool before = std::exchange(selecting_, true);  // rows that vanish are no choice
    stages_->setPair(pair_);
    selecting_ = before;
  }
  if (pair_) {
    canvases_->setPair(pair_);
  } else {
    canvases_->setAlone(runs_ ? std::optional(runs_->baseline()) : std::nullopt);
  }
  rest_->setText(pair_ ? rest_words(pair_->difference) : QString());
  rest_->setHidden(rest_->text().isEmpty());
  match_->setText(pair_ ? match_words(pair_->a, pair_->b, pair_->match) : QString());
  match_->setHidden(match_->text().isEmpty());
  for (const char* id : {"stages_a", "stages_b"}) stages_table_->setWidest(stages_->columnOf(id), kWidestStages);
  stages_table_->fitColumns(true);
  if (!stages_table_->isSortingEnabled()) {
    stages_table_->setSortingEnabled(true);
    stages_table_->sortByColumn(0, Qt::AscendingOrder);
  }
  takeSelection(selection_->current());
}

void ComparePage::takeSelection(const Selection& selection) {
  if (selecting_ || !runs_) return;
  selecting_ = true;
  // Stages are those of the window's schedule, which need not be A's: units are what both know.
  canvases_->selectionA()->select({same_units_ ? selection.units : told(selection.units, to_a_), {}, {}});
  selecting_ = false;
  showSelectedRows();
}

void ComparePage::giveSelection(const Selection& selection) {
  if (selecting_) return;
  selecting_ = true;
  selection_->select({same_units_ ? selection.units : told(selection.units, from_a_), {}, {}});
  selecting_ = false;
}

void ComparePage::selectUnitsOfRows() {
  if (selecting_ || !pair_) return;
  std::vector<UnitId> units_a;
  std::vector<UnitId> units_b;
  for (const QModelIndex& index : stages_table_->selectionModel()->selectedRows()) {
    const StageRow& row = stagesOf(index);
    units_a.insert(units_a.end(), row.units_a.begin(), row.units_a.end());
    units_b.insert(units_b.end(), row.units_b.begin(), row.units_b.end());
  }
  std::ranges::sort(units_a);
  std::ranges::sort(units_b);
  if (!units_a.empty() || units_b.empty()) {
    canvases_->selectionA()->select({units_a, {}, {}});
  } else {
    canvases_->selectionB()->select({units_b, {}, {}});
  }
}

void ComparePage::selectUnitsOfParts() {
  if (selecting_ || !runs_) return;
  const QModelIndexList chosen = matrix_table_->selectionModel()->selectedIndexes();
  const int row = chosen.empty() ? -1 : chosen.front().row();
  if (!matrix_->isPart(row)) return;
  const std::vector<UnitId> units = matrix_->units(row);
  if (!units.empty()) {
    canvases_->selectionA()->select({units, {}, {}});
  } else if (b_) {
    canvases_->selectionB()->select({runs_->matrix.rows[static_cast<std::size_t>(row)].cells[*b_].units, {}, {}});
  }
}

// Selects rows that hold what is selected; the first one is scrolled to.
void ComparePage::showSelectedRows() {
  if (!pair_) return;
  const bool before = std::exchange(selecting_, true);
  QItemSelection rows;
  QModelIndex first;
  for (const int row : stages_->rowsOf(canvases_->selectionA()->current().units)) {
    const QModelIndex index = shown_stages_->mapFromSource(stages_->index(row, 0));
    if (!index.isValid()) continue;
    rows.select(index, index.siblingAtColumn(stages_->columnCount() - 1));
    if (!first.isValid() || index.row() < first.row()) first = index;
  }
  stages_table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (first.isValid() && !stages_table_->hasFocus()) stages_table_->scrollTo(first);
  selecting_ = before;
}

std::unique_ptr<Figure> ComparePage::figure(ComparedFigure figure) const {
  if (figure == ComparedFigure::kStages) return pair_ ? make_stage_difference_figure(pair_) : nullptr;
  if (!runs_) return nullptr;
  const QString context = context_text(*runs_->baseline().comparison);
  switch (figure) {
    case ComparedFigure::kBars: return make_latency_figure(bars(), {.context = context, .sentence = sentence()});
    case ComparedFigure::kMatrix: return make_part_matrix_figure(runs_);
    case ComparedFigure::kStatistics: return make_run_statistics_figure(runs_, external_);
    case ComparedFigure::kDistribution: return make_distribution_figure(bars(), context);
    case ComparedFigure::kStages: break;
  }
  return nullptr;
}

const StageRow& ComparePage::stagesOf(const QModelIndex& index) const {
  return stages_->row(shown_stages_->mapToSource(index).row());
}

}  // namespace iosx

#include "moc_compare_page.cpp"
