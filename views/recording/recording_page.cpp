#include "views/recording/recording_page.h"

#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>
#include <map>

#include "core/analysis/recording/opened_recording.h"
#include "views/recording/fold_canvas.h"
#include "views/recording/opportunity_panel.h"
#include "views/recording/predicted_view.h"
#include "views/recording/recording_header.h"
#include "views/recording/recording_lines.h"
#include "views/recording/recording_text.h"
#include "views/recording/recording_timeline.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr std::size_t kMostSteps = 500;  // in the list
constexpr std::size_t kMostRangeNames = 40;

QString file_name(const std::string& file) {
  return shown_name(QFileInfo(QString::fromStdString(file)).fileName().toStdString());
}

// What a step box offers: all, the steps of PyTorch's profiler, and annotations that occur several times.
struct StepChoice {
  QString title;
  std::optional<std::size_t> step;
  std::string range;
};

std::vector<StepChoice> step_choices(const Recording& recording) {
  std::vector<StepChoice> choices{{RecordingPage::tr("Everything"), std::nullopt, {}}};
  std::vector<std::pair<double, QString>> steps;
  std::map<std::string, std::size_t> annotations;
  for (const RecordedRange& range : recording.ranges) {
    if (range.kind == RangeKind::kStep) steps.emplace_back(range.begin, shown_name(recording.name(range.name)));
    if (range.kind == RangeKind::kAnnotation) ++annotations[recording.name(range.name)];
  }
  std::ranges::sort(steps);
  for (std::size_t i = 0; i < std::min(steps.size(), kMostSteps); ++i) {
    const QString name = steps[i].second;
    choices.push_back({name.isEmpty() ? RecordingPage::tr("Step %1").arg(i) : name, i, {}});
  }
  std::size_t names = 0;
  for (const auto& [name, count] : annotations) {
    if (names == kMostRangeNames) break;
    ++names;
    choices.push_back({RecordingPage::tr("Range %1").arg(short_menu_text(shown_name(name))), std::size_t{0}, name});
  }
  return choices;
}

QString fact_row(const QString& title, const QString& html) {
  return QStringLiteral("<tr><td style='padding:2px 10px 2px 0'>%1</td><td style='padding:2px 0'>%2</td></tr>")
      .arg(title.toHtmlEscaped(), html);
}

QString plain_html(const QString& text) {
  return text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
}

}  // namespace

RecordingPage::RecordingPage(QWidget* parent)
    : QWidget(parent),
      stack_(new QStackedWidget),
      header_(new RecordingHeader),
      steps_(named("recording-step", new QComboBox, tr("Step or range"))),
      devices_(named("recording-device", new QComboBox, tr("Device of the recording"))),
      share_title_(new QLabel(tr("Share of unknown kernels"))),
      share_(named("recording-share", new QDoubleSpinBox, tr("Share of the device of kernels of unknown share"))),
      add_(named("recording-add", bar_button(tr("Add execution trace or graph dump…"),
                                             tr("A file that says which kernels wait for which")))),
      with_(named("recording-with", bar_button({}, tr("The files that say which kernels wait for which")))),
      timeline_(named("recording-timeline", new RecordingTimeline)),
      canvas_(named("recording-canvas", new FoldCanvas)),
      opportunities_(new OpportunityPanel),
      predicted_(named("recording-predicted", new PredictedView, tr("Recorded beside predicted lanes"))),
      none_predicted_(new NoPredictions),
      predictions_(new QStackedWidget),
      views_(named("recording-views", new QSplitter(Qt::Vertical))),
      facts_(named("recording-facts", new QTextBrowser, tr("The chosen kernel"))),
      tabs_(named("recording-tabs", new QTabWidget)) {
  setObjectName(QStringLiteral("recording-page"));
  facts_->setFrameShape(QFrame::NoFrame);
  facts_->setMinimumWidth(220);
  tabs_->setDocumentMode(true);
  tabs_->addTab(canvas_, tr("Graph of kernels"));
  tabs_->addTab(opportunities_, tr("What could run at once"));
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(predicted_);
  predictions_->addWidget(scroll);
  predictions_->addWidget(none_predicted_);
  tabs_->addTab(predictions_, tr("Recorded beside predicted"));
  auto* below = new QSplitter(Qt::Horizontal);
  below->addWidget(tabs_);
  below->addWidget(facts_);
  below->setStretchFactor(0, 4);
  below->setStretchFactor(1, 1);
  below->setSizes({1000, 300});
  QSplitter* const views = views_;
  views->addWidget(timeline_);
  views->addWidget(below);
  views->setStretchFactor(0, 0);
  views->setStretchFactor(1, 1);
  views->setSizes({300, 360});
  views->setChildrenCollapsible(false);
  auto* page = new QWidget;
  put_into(flush(new QVBoxLayout(page), 0), {header_, buildChoices(), {views, 1}});
  stack_->addWidget(page);
  stack_->addWidget(buildEmpty());
  flush(new QVBoxLayout(this), 0)->addWidget(stack_);
  connect(views_, &QSplitter::splitterMoved, this, [this] { height_chosen_ = true; });
  connect(timeline_, &RecordingTimeline::kernelChosen, this, [this](std::uint32_t kernel) { choose(kernel, true); });
  connect(timeline_, &RecordingTimeline::cleared, this, &RecordingPage::clear);
  connect(opportunities_, &OpportunityPanel::chosen, this, &RecordingPage::chooseOpportunity);
  connect(predicted_, &PredictedView::kernelChosen, this, [this](std::uint32_t kernel) { choose(kernel, false); });
  connect(canvas_, &FoldCanvas::boxChosen, this, &RecordingPage::chooseBox);
  connect(canvas_, &FoldCanvas::cleared, this, &RecordingPage::clear);
  connect(canvas_, &FoldCanvas::refused, this, &RecordingPage::refused);
  connect(facts_, &QTextBrowser::anchorClicked, this,
          [this](const QUrl& url) { choose(url.toString().mid(1).toUInt(), false); });
  facts_->setOpenLinks(false);
  setRecording(nullptr);
}

QWidget* RecordingPage::buildChoices() {
  auto* bar = new QWidget;
  steps_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  steps_->setMinimumContentsLength(18);
  share_->setRange(0.01, 1);
  share_->setSingleStep(0.05);
  share_->setDecimals(2);
  share_->setKeyboardTracking(false);
  share_title_->setBuddy(share_);
  share_->setToolTip(tr("How much of the device a kernel fills whose grid or device is not recorded"));
  auto* how = named("recording-how", bar_button(tr("How to record…"), tr("The lines of Python that record all of it")));
  connect(how, &QToolButton::clicked, this, &RecordingPage::showHow);
  with_->setPopupMode(QToolButton::InstantPopup);
  with_->setMenu(new QMenu(with_));
  put_into(inset(new QHBoxLayout(bar), {14, 0, 14, 6}, 8),
           {steps_, devices_, share_title_, share_, add_, with_, FreeRoom{1}, how});
  connect(steps_, &QComboBox::activated, this, [this](int index) {
    RecordingChoices choices = recording_->choices;
    const std::vector<StepChoice> offered = step_choices(recording_->opened->recording);
    const StepChoice& chosen = offered[static_cast<std::size_t>(index)];
    choices.step = chosen.step;
    choices.range = chosen.range;
    changeChoices(choices);
  });
  connect(devices_, &QComboBox::activated, this, [this](int index) {
    RecordingChoices choices = recording_->choices;
    choices.device = devices_->itemData(index).toLongLong();
    changeChoices(choices);
  });
  connect(share_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    if (showing_) return;
    RecordingChoices choices = recording_->choices;
    choices.share = value < 1 ? std::optional(value) : std::nullopt;
    changeChoices(choices);
  });
  connect(add_, &QToolButton::clicked, this, [this] { emit filesAsked(recording_->id); });
  return bar;
}

void RecordingPage::showHow() {
  auto* lines = new RecordingLines;
  lines->showWhole();
  auto* dialog = named("recording-how-dialog", new QDialog(this));
  dialog->setWindowTitle(tr("How to record"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  put_into(inset(new QVBoxLayout(dialog), {20, 18, 20, 16}, 12), {lines, answers(dialog, QDialogButtonBox::Close)});
  dialog->open();
}

QWidget* RecordingPage::buildEmpty() {
  auto* page = new QWidget;
  empty_title_ = named("recording-empty", wrapping());
  QFont large = empty_title_->font();
  large.setPointSizeF(large.pointSizeF() * 1.4);
  large.setBold(true);
  empty_title_->setFont(large);
  empty_why_ = named("recording-missing", wrapping({}, Qt::PlainText));
  find_ = named("recording-find", bar_button(tr("Find the file…"), tr("Choose where the recording is now")));
  connect(find_, &QToolButton::clicked, this,
          [this] { recording_ ? emit sourceAsked(recording_->id) : emit openAsked(); });
  put_into(inset(new QVBoxLayout(page), {40, 32, 40, 32}, 12),
           {empty_title_, empty_why_, find_, new RecordingLines, FreeRoom{1}});
  return page;
}

void RecordingPage::setRecording(const WorkspaceRecording* recording) {
  const bool same = recording != nullptr && recording_ && recording->opened == recording_->opened;
  recording_ = recording == nullptr ? std::nullopt : std::optional(*recording);
  if (same && recording_->opened) return showChoices();
  chosen_.reset();
  const bool there = recording_ && recording_->opened;
  const bool timed = there && recording_->opened->recording.timed;
  timeline_->setRecording(timed ? recording_->opened : nullptr);
  canvas_->setRecording(there ? recording_->opened : nullptr);
  opportunities_->setRecording(there ? recording_->opened : nullptr);
  predicted_->setRecording(there ? recording_->opened : nullptr);
  stack_->setCurrentIndex(there ? 0 : 1);
  if (there) {
    showViews(*recording_->opened);
    header_->setRecording(*recording_->opened, file_name(recording_->file));
    showChoices();
    showFacts();
    // Once the header has its height.
    QMetaObject::invokeMethod(this, &RecordingPage::shareHeight, Qt::QueuedConnection);
    return;
  }
  empty_title_->setText(recording_ ? tr("%1 cannot be shown").arg(file_name(recording_->file)).toHtmlEscaped()
                                   : tr("No recording is open"));
  empty_why_->setText(recording_ && recording_->lacks ? error_text(*recording_->lacks) : QString());
  empty_why_->setVisible(!empty_why_->text().isEmpty());
  find_->setText(recording_ ? tr("Find the file…") : tr("Open a recording…"));
}

// Without times there is nothing over time, and nothing is predicted.
void RecordingPage::showViews(const OpenedRecording& opened) {
  const bool timed = opened.recording.timed;
  timeline_->setVisible(timed);
  if (!timed) tabs_->setCurrentIndex(0);
  for (int tab = 1; tab < tabs_->count(); ++tab) tabs_->setTabVisible(tab, timed);
  tabs_->tabBar()->setVisible(timed);
  none_predicted_->setRecording(opened);
  predictions_->setCurrentIndex(opened.predictions.lanes.empty() ? 1 : 0);
  setFocusProxy(timed ? static_cast<QWidget*>(timeline_) : canvas_);
}

std::unique_ptr<Figure> RecordingPage::timelineFigure() const {
  return timeline_->figure(recording_ ? tr("Recording %1").arg(file_name(recording_->file)) : QString());
}

std::unique_ptr<Figure> RecordingPage::predictedFigure() const {
  return predicted_->figure(recording_ ? tr("Lanes predicted for %1 (modelled)").arg(file_name(recording_->file))
                                       : QString());
}

// The timeline has what it needs, but leaves the graph its part.
void RecordingPage::shareHeight() {
  if (height_chosen_ || !recording_ || !recording_->opened || timeline_->isHidden()) return;
  constexpr int kMostPercent = 60;
  const int room = std::max(views_->height(), 300);
  const int timeline = std::min(timeline_->fullHeight(), room * kMostPercent / 100);
  views_->setSizes({timeline, room - timeline});
}

void RecordingPage::showChoices() {
  showing_ = true;
  const Recording& recording = recording_->opened->recording;
  const RecordingChoices& choices = recording_->choices;
  steps_->clear();
  int current = 0;
  for (const StepChoice& one : step_choices(recording)) {
    if (one.step == choices.step && one.range == choices.range) current = steps_->count();
    steps_->addItem(one.title);
  }
  steps_->setCurrentIndex(current);
  steps_->setVisible(steps_->count() > 1);
  devices_->clear();
  for (const std::int64_t device : recording.seen_devices)
    devices_->addItem(tr("Device %1").arg(device), static_cast<qlonglong>(device));
  const std::int64_t shown = recording.lanes.empty() ? 0 : recording.lanes.front().device;
  devices_->setCurrentIndex(devices_->findData(static_cast<qlonglong>(shown)));
  devices_->setVisible(devices_->count() > 1);
  share_->setValue(choices.share.value_or(1));
  const bool unknown = std::ranges::count(recording_->opened->shares_unknown, true) > 0 && recording.timed;
  share_->setVisible(unknown);
  share_title_->setVisible(unknown);
  add_->setText(recording.timed ? tr("Add execution trace or graph dump…") : tr("Open the trace of the same run…"));
  add_->setToolTip(recording.timed ? tr("A file that says which kernels wait for which")
                                   : tr("A recording that says when the operators of this file ran"));
  add_->setVisible(recording.timed || recording.execution.has_value());
  with_->setText(choices.with.size() == 1 ? tr("With 1 file") : tr("With %1 files").arg(choices.with.size()));
  with_->setVisible(!choices.with.empty());
  with_->menu()->clear();
  for (const std::string& file : choices.with) {
    with_->menu()->addAction(tr("Without %1").arg(short_menu_text(file_name(file))), this, [this, file] {
      RecordingChoices fewer = recording_->choices;
      std::erase(fewer.with, file);
      changeChoices(fewer);
    });
  }
  showing_ = false;
}

void RecordingPage::changeChoices(const RecordingChoices& choices) {
  if (showing_ || choices == recording_->choices) return;
  emit choicesChanged(recording_->id, choices);
  showChoices();  // until it was read, those that are shown
}

// Marks the kernels of all its groups in the views, and says why they are independent.
void RecordingPage::chooseOpportunity(std::size_t number) {
  const Opportunity& one = recording_->opened->predictions.opportunities[number];
  std::vector<std::uint32_t> kernels;
  for (const auto& group : one.groups) kernels.insert(kernels.end(), group.begin(), group.end());
  chosen_.reset();
  timeline_->mark(kernels, std::nullopt, true);
  predicted_->mark(kernels);
  canvas_->showKernel(kernels.front());
  const bool processor = recording_->opened->recording.of_processor;
  const auto gain = [](const std::optional<double>& micros) {
    return micros ? duration_text(Micros(*micros)) : tr("not known");
  };
  showRows({{tr("Kernels"), shown_name(one.what)},
            {tr("Independent"), one.known ? tr("known") : tr("may be")},
            {tr("Why"), message_text(one.why)},
            {tr("Groups"), QString::number(one.groups.size())},
            {processor ? tr("Predicted gain without gaps") : tr("Predicted gain as a CUDA graph"), gain(one.as_graph)},
            {processor ? tr("Predicted gain with gaps") : tr("Predicted gain as launched"), gain(one.as_launched)}});
}

void RecordingPage::showRows(const std::vector<std::pair<QString, QString>>& rows) {
  QString html;
  for (const auto& [title, text] : rows) html += fact_row(title, plain_html(text));
  facts_->setHtml(QStringLiteral("<table>%1</table>").arg(html));
}

void RecordingPage::choose(std::uint32_t kernel, bool in_timeline) {
  if (!recording_ || !recording_->opened || kernel >= recording_->opened->recording.kernels.size()) return;
  chosen_ = kernel;
  timeline_->mark({kernel}, kernel, !in_timeline);
  predicted_->mark({kernel});
  canvas_->showKernel(kernel);
  showFacts();
}

void RecordingPage::chooseBox(std::uint32_t box) {
  const FoldNode& node = recording_->opened->fold.nodes[box];
  const std::vector<std::uint32_t> kernels = recording_->opened->fold.kernels_of(box);
  chosen_ = node.kernels == 1 ? std::optional(kernels.front()) : std::nullopt;
  timeline_->mark(kernels, chosen_, true);
  predicted_->mark(kernels);
  canvas_->choose(box, false);
  showFacts();
}

void RecordingPage::clear() {
  chosen_.reset();
  timeline_->mark({}, std::nullopt, false);
  predicted_->mark({});
  canvas_->choose(std::nullopt, false);
  showFacts();
}

void RecordingPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  QMetaObject::invokeMethod(this, &RecordingPage::shareHeight, Qt::QueuedConnection);
}

void RecordingPage::showFacts() {
  const OpenedRecording& opened = *recording_->opened;
  QString html;
  if (chosen_) {
    for (const auto& [title, text] : kernel_facts(opened, *chosen_)) html += fact_row(title, plain_html(text));
    QStringList links;
    for (const RecordedEdge& edge : opened.edges_to(*chosen_)) {
      if (links.size() == 12) break;
      links << QStringLiteral("<a href='#%1'>%2</a>")
                   .arg(edge.before)
                   .arg(plain_html(kernel_name(opened.recording, edge.before)));
    }
    if (!links.isEmpty()) html += fact_row(tr("Go to"), links.join(QStringLiteral("<br>")));
  } else if (canvas_->chosen()) {
    for (const auto& [title, text] : box_facts(opened, *canvas_->chosen())) html += fact_row(title, plain_html(text));
  }
  if (html.isEmpty()) {
    facts_->setHtml(
        QStringLiteral("<p>%1</p>")
            .arg(plain_html(opened.recording.timed
                                ? tr("Click a kernel in the timeline or a box of the graph to see what it is and what "
                                     "it waits for.")
                                : tr("Click a box of the graph to see what it is and what it waits for."))));
    return;
  }
  facts_->setHtml(QStringLiteral("<table>%1</table>").arg(html));
}

}  // namespace iosx

#include "moc_recording_page.cpp"
