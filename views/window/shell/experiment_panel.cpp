#include "views/window/shell/experiment_panel.h"

#include <QAction>
#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <algorithm>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/explore/experiment/experiment_figure.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/actions.h"
#include "views/window/dialogs/experiment_dialogs.h"

namespace iosx {
namespace {

constexpr int kKindsWidth = 170;
constexpr int kLeastFigureHeight = 300;
constexpr int kSweepRow = 0;
constexpr int kFirstExperiment = 2;  // below the heading

}  // namespace

ExperimentPanel::ExperimentPanel(const WindowContext& context, SweepView* sweep, QWidget* parent)
    : QWidget(parent),
      context_(context),
      sweep_(sweep),
      list_(named("experiment-list", new QListWidget, tr("Experiments"))),
      pages_(new QStackedWidget),
      question_(wrapping({}, Qt::PlainText)),
      run_(named("experiment-run", new QPushButton)),
      reason_(wrapping({}, Qt::PlainText)),
      box_(named("experiment-box", new QComboBox, tr("Result"))),
      open_(named("experiment-open", new QPushButton(tr("Table and export…")))),
      scroll_(new QScrollArea) {
  setAccessibleName(tr("Experiments"));
  setAutoFillBackground(true);
  pages_->addWidget(sweep_);
  pages_->addWidget(makePage());
  flush(put_into(new QHBoxLayout(this), {makeList(), {pages_, 1}}), 0);
  connect(&context_.session, &Session::experimentAdded, this,
          [this] { choose(context_.session.experiments().front()->kind); });
  list_->setCurrentRow(kSweepRow);
  // A window that was made again shows what ran in the one before.
  if (const auto& known = context_.session.experiments(); !known.empty()) choose(known.front()->kind);
}

QWidget* ExperimentPanel::makeList() {
  list_->setFixedWidth(kKindsWidth);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->addItem(tr("What if"));
  list_->item(kSweepRow)->setToolTip(tr("One value changed: batch size, device, limits, sizes"));
  list_->addItem(tr("From the paper"));
  QListWidgetItem* heading = list_->item(1);
  heading->setFlags(Qt::NoItemFlags);
  QFont bold = font();
  bold.setBold(true);
  heading->setFont(bold);
  list_->item(kSweepRow)->setFont(bold);
  for (const ExperimentRow& row : experiment_table()) {
    auto* item = new QListWidgetItem(core_words(row.title), list_);
    item->setToolTip(core_words(row.summary));
  }
  connect(list_, &QListWidget::currentRowChanged, this, &ExperimentPanel::showChosen);
  return list_;
}

QWidget* ExperimentPanel::makePage() {
  auto* page = new QWidget;
  box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  open_->setToolTip(tr("Show the experiment in a window, with its table, and export both"));
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  auto* results = put_into(new QHBoxLayout, {{box_, 1}, open_});
  put_into(inset(new QVBoxLayout(page), {12, 8, 12, 6}, 6),
           {put_into(new QHBoxLayout, {{question_, 1}, run_}), reason_, results, {scroll_, 1}, FreeRoom{}});
  connect(run_, &QPushButton::clicked, this, [this] { action_->trigger(); });
  connect(box_, &QComboBox::currentIndexChanged, this, &ExperimentPanel::showResult);
  connect(open_, &QPushButton::clicked, this, &ExperimentPanel::openWindow);
  for (QAction* action : context_.actions.of("experiments")) {
    connect(action, &QAction::changed, this, &ExperimentPanel::showAction);
  }
  return page;
}

void ExperimentPanel::choose(ExperimentKind kind) {
  const auto& table = experiment_table();
  const auto at = std::ranges::find(table, kind, &ExperimentRow::kind) - table.begin();
  const int row = kFirstExperiment + static_cast<int>(at);
  if (list_->currentRow() == row) return showChosen();
  list_->setCurrentRow(row);
}

void ExperimentPanel::setLookedAt(bool looked_at) {
  looked_at_ = looked_at;
  sweep_->setLookedAt(looked_at_ && action_ == nullptr);
}

void ExperimentPanel::showChosen() {
  const int row = list_->currentRow() - kFirstExperiment;
  action_ = row < 0 ? nullptr : context_.actions.of("experiments").at(static_cast<std::size_t>(row));
  pages_->setCurrentIndex(action_ == nullptr ? 0 : 1);
  setLookedAt(looked_at_);
  if (action_ == nullptr) return;
  const ExperimentRow& experiment = experiment_table()[static_cast<std::size_t>(row)];
  question_->setText(tr("%1. It searches the shown network several times, on the chosen device with the present "
                        "settings.")
                         .arg(core_words(experiment.summary)));
  run_->setText(has_choice(experiment.kind) ? tr("&Run…") : tr("&Run"));
  showAction();
  fill();
}

void ExperimentPanel::showAction() {
  if (action_ == nullptr) return;
  const QString reason = Actions::reason(action_);
  run_->setEnabled(reason.isEmpty());
  reason_->setText(reason);
  reason_->setVisible(!reason.isEmpty());
}

void ExperimentPanel::fill() {
  const ExperimentKind kind = experiment_table()[static_cast<std::size_t>(list_->currentRow() - kFirstExperiment)].kind;
  results_.clear();
  for (const auto& result : context_.session.experiments()) {
    if (result->kind == kind) results_.push_back(result);
  }
  {
    const QSignalBlocker quiet(box_);
    box_->clear();
    for (const auto& result : results_) box_->addItem(experiment_title(*result));
  }
  for (QWidget* part : {static_cast<QWidget*>(box_), static_cast<QWidget*>(open_), static_cast<QWidget*>(scroll_)})
    part->setVisible(!results_.empty());
  showResult(0);
}

void ExperimentPanel::showResult(int index) {
  figure_ = nullptr;
  if (index < 0 || static_cast<std::size_t>(index) >= results_.size()) return delete scroll_->takeWidget();
  figure_ = new FigureWidget(figure_of(results_[static_cast<std::size_t>(index)]));
  figure_->setMinimumHeight(std::max(kLeastFigureHeight, figure_->sizeHint().height() * 3 / 4));
  scroll_->setWidget(figure_);
}

void ExperimentPanel::openWindow() {
  const int index = box_->currentIndex();
  if (index < 0) return;
  auto* opened = new ExperimentWindow(results_[static_cast<std::size_t>(index)], context_.settings, window());
  opened->setAttribute(Qt::WA_DeleteOnClose);
  opened->show();
}

}  // namespace iosx

#include "moc_experiment_panel.cpp"
