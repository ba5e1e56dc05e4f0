#include "views/window/devices/predictors_dialog.h"

#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "views/style/theme.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/table_view.h"

namespace iosx {
namespace {

constexpr QSize kPredictorsSize(980, 560);
constexpr int kWidestPredictorColumn = 260;
constexpr int kBarHeight = 16;
constexpr std::array kShares{3, 4};  // of the height: predictors, and the errors of one

enum PredictorColumn {
  kPredictor,
  kLearnedFrom,
  kAlone,
  kStages,
  kOffAlone,
  kOffTogether,
  kNetwork,
  kPredictorColumns
};
enum ErrorColumn { kWhat, kRows, kMeanError, kMedianError, kWithin, kErrorColumns };

QString percent(double part) { return QStringLiteral("%1 %").arg(part * 100, 0, 'f', part < 0.0995 ? 1 : 0); }

QString mean_of(const std::vector<PredictionErrors>& errors, const std::string& what) {
  const auto found = std::ranges::find(errors, what, &PredictionErrors::what);
  return found == errors.end() ? PredictorsDialog::tr("–") : percent(found->mean);
}

QString source_of(const PredictorFacts& facts) {
  const QString device = shown_name(facts.device.name);
  return facts.rates.flops_per_s > 0 ? PredictorsDialog::tr("other cards than %1").arg(device) : device;
}

void append_row(QStandardItemModel& model, const QStringList& words, const QStringList& numbers) {
  QList<QStandardItem*> row;
  for (const QString& text : words + numbers) {
    row << new QStandardItem(text);
    row.back()->setEditable(false);
    if (row.size() > words.size()) row.back()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  model.appendRow(row);
}

QString kind_text(const std::string& what) {
  if (what == "alone, ridge regression") return PredictorsDialog::tr("alone, ridge regression");
  if (what == "alone, boosted trees") return PredictorsDialog::tr("alone, boosted trees");
  if (what == "together, ridge regression") return PredictorsDialog::tr("together, ridge regression");
  if (what == "together, boosted trees") return PredictorsDialog::tr("together, boosted trees");
  if (what == "in a row") return PredictorsDialog::tr("in a row");
  if (what == "side by side") return PredictorsDialog::tr("side by side");
  return qstring(what);
}

}  // namespace

PredictorsDialog::PredictorsDialog(PredictorKeeper& keeper, std::shared_ptr<const Graph> graph, std::int64_t batch,
                                   QWidget* parent)
    : QDialog(parent),
      keeper_(keeper),
      graph_(std::move(graph)),
      batch_(batch),
      model_(new QStandardItemModel(0, kPredictorColumns, this)),
      table_(named("predictors-table", new TableView(tr("Predictors"), kLearnedFrom))),
      pages_(new QStackedWidget),
      chosen_(named("predictors-chosen", wrapping({}, Qt::PlainText))),
      errors_(new QStandardItemModel(0, kErrorColumns, this)),
      errors_table_(named("predictors-errors", new TableView(tr("Errors of the chosen predictor"), kWhat))),
      problem_(named("predictors-problem", new QLabel)),
      train_(named("predictors-train", new QPushButton(tr("&Train…")))),
      measure_(named("predictors-measure", new QPushButton(tr("&Measure operators…")))),
      job_text_(named("predictors-job", new QLabel)),
      job_bar_(new QProgressBar),
      job_(makeJob()),
      said_(named("predictors-said", new QLabel)) {
  setObjectName(QStringLiteral("predictors-dialog"));
  setWindowTitle(tr("Predictors"));
  resize(kPredictorsSize);
  auto* note =
      wrapping(tr("A predictor predicts stage latencies from measurements of other operators. Each is a device in "
                  "the device list, under Predicted. Errors are for operators that it had not seen."));
  for (QLabel* const line : {problem_, said_}) {
    line->setWordWrap(true);
    line->setTextFormat(Qt::PlainText);
    line->hide();
  }
  said_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  train_->setToolTip(tr("Train on measured operators; the predictor is a device at once"));
  measure_->setToolTip(graph_ == nullptr
                           ? tr("No network is open")
                           : tr("Measure operators of %1 as training data").arg(shown_name(graph_->name())));
  auto* buttons = answers(this, QDialogButtonBox::Close);
  auto* actions = put_into(new QHBoxLayout, {train_, measure_, FreeRoom{}, buttons});
  put_into(new QVBoxLayout(this), {note, {makePages(), 1}, problem_, said_, job_, actions})->setSpacing(10);
  connect(train_, &QPushButton::clicked, this, &PredictorsDialog::askTraining);
  connect(measure_, &QPushButton::clicked, this, &PredictorsDialog::askMeasuring);
  connect(&keeper_, &PredictorKeeper::changed, this, &PredictorsDialog::showJob);
  connect(&keeper_, &PredictorKeeper::progressed, this, &PredictorsDialog::showProgress);
  connect(&keeper_, &PredictorKeeper::failed, this, [this](const Error& error) { say(error_text(error), true); });
  connect(&keeper_, &PredictorKeeper::trained, this, &PredictorsDialog::showTrained);
  connect(&keeper_, &PredictorKeeper::measured, this, [this](const OperatorProfile& found) {
    say(tr("%1 stages were measured; of this network, %2 single operators and %3 stages of several are known.")
            .arg(found.measured)
            .arg(found.alone)
            .arg(found.together),
        false);
  });
  connect(&runner_, &JobRunner::finished, this, [this] {
    if (!isVisible()) deleteLater();
  });
  read();
  fill();
  predict();
  showJob();
}

QWidget* PredictorsDialog::makePages() {
  table_->setModel(model_);
  errors_table_->setModel(errors_);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PredictorsDialog::showChosen);
  auto* empty =
      new QLabel(tr("There are no predictors yet.\n\nUse Measure operators…, then Train…, or in a terminal\n\niosx "
                    "profile-operators squeezenet googlenet --device cpu\niosx operators train cpu --device cpu"));
  empty->setAlignment(Qt::AlignCenter);
  empty->setTextInteractionFlags(Qt::TextSelectableByMouse);
  empty->setForegroundRole(QPalette::PlaceholderText);
  auto* below = new QWidget;
  put_into(flush(new QVBoxLayout(below)), {chosen_, {errors_table_, 1}});
  auto* halves = new QSplitter(Qt::Vertical);
  halves->addWidget(table_);
  halves->addWidget(below);
  halves->setStretchFactor(0, kShares[0]);
  halves->setStretchFactor(1, kShares[1]);
  halves->setChildrenCollapsible(false);
  pages_->addWidget(halves);
  pages_->addWidget(empty);
  return pages_;
}

QWidget* PredictorsDialog::makeJob() {
  auto* job = new QWidget;
  job_text_->setTextFormat(Qt::PlainText);
  job_bar_->setAccessibleName(tr("Progress of the running job"));
  job_bar_->setTextVisible(false);
  job_bar_->setMaximumHeight(kBarHeight);
  auto* cancel = named("predictors-cancel", new QPushButton(tr("Ca&ncel")));
  connect(cancel, &QPushButton::clicked, this, [this] { keeper_.cancel(); });
  put_into(flush(new QHBoxLayout(job)), {job_text_, {job_bar_, 1}, cancel});
  return job;
}

void PredictorsDialog::askTraining() {
  std::set<std::string> names;
  for (const PredictorFacts& facts : predictors_) names.insert(facts.name);
  auto* dialog = new TrainDialog(keeper_, std::move(names), this);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    said_->hide();
    keeper_.train(dialog->choice());
  });
  dialog->open();
}

void PredictorsDialog::askMeasuring() {
  auto* dialog = new MeasureOperatorsDialog(keeper_, shown_name(graph_->name()), this);
  open_dialog(dialog, this, [this, dialog] {
    said_->hide();
    keeper_.measure(graph_, batch_, dialog->device(), dialog->most());
  });
}

void PredictorsDialog::showJob() {
  const bool busy = keeper_.busy();
  job_->setVisible(busy);
  train_->setEnabled(!busy);
  measure_->setEnabled(!busy && graph_ != nullptr);
  if (!busy) return;
  job_text_->setText(keeper_.waiting() ? tr("%1: waits for another job").arg(keeper_.title()) : keeper_.title());
  job_bar_->setRange(0, 0);
}

void PredictorsDialog::showProgress(const Progress& progress) {
  job_text_->setText(tr("%1: %2").arg(keeper_.title(), message_text(progress.phase)));
  job_bar_->setRange(0, static_cast<int>(progress.total));
  job_bar_->setValue(static_cast<int>(progress.done));
}

void PredictorsDialog::say(const QString& text, bool problem) {
  said_->setText(text);
  said_->show();
  QPalette colours = palette();
  if (problem) colours.setColor(QPalette::WindowText, theme_of(palette()).error);
  said_->setPalette(colours);
}

// The list is read anew, with what is predicted: another one may have taken a place.
void PredictorsDialog::showTrained(const std::string& name) {
  read();
  fill();
  predict();
  const auto found = std::ranges::find(predictors_, name, &PredictorFacts::name);
  if (found == predictors_.end()) return;
  table_->selectRow(static_cast<int>(found - predictors_.begin()));
  say(tr("Trained. The predictor is now the device predicted:%1.").arg(shown_name(found->name)), false);
}

void PredictorsDialog::read() {
  files_.clear();
  predictors_.clear();
  const auto folder = predictor_folder();
  QStringList wrong;
  if (!folder) wrong << message_text(folder.error().line());
  for (const std::filesystem::path& file : folder ? predictor_files(*folder) : std::vector<std::filesystem::path>()) {
    auto facts = read_predictor_facts(file);
    if (!facts) {
      wrong << message_text(facts.error().line());
      continue;
    }
    files_.push_back(file);
    predictors_.push_back(std::move(*facts));
  }
  problem_->setText(wrong.join(QLatin1Char('\n')));
  problem_->setVisible(!wrong.isEmpty());
}

void PredictorsDialog::fill() {
  model_->setRowCount(0);
  model_->setHorizontalHeaderLabels({tr("Predictor"), tr("Trained on"), tr("Operators"), tr("Stages"), tr("Off alone"),
                                     tr("Off side by side"), tr("This network")});
  model_->horizontalHeaderItem(kAlone)->setToolTip(tr("Operators measured alone"));
  model_->horizontalHeaderItem(kStages)->setToolTip(tr("Measured stages of several operators"));
  model_->horizontalHeaderItem(kOffAlone)->setToolTip(tr("Mean error for unseen operators alone"));
  model_->horizontalHeaderItem(kOffTogether)->setToolTip(tr("Mean error for unseen stages of several groups"));
  model_->horizontalHeaderItem(kNetwork)->setToolTip(
      graph_ == nullptr
          ? tr("No network is open")
          : tr("Sequential latency of %1 at batch %2, as predicted").arg(shown_name(graph_->name())).arg(batch_));
  for (const PredictorFacts& facts : predictors_) {
    append_row(*model_, {shown_name(facts.name), source_of(facts)},
               {QString::number(facts.samples_alone), QString::number(facts.samples_together),
                mean_of(facts.errors, facts.kind_alone),
                facts.side_by_side ? mean_of(facts.errors_by_kind, "side by side") : tr("–"),
                graph_ == nullptr ? tr("–") : QStringLiteral("…")});
  }
  pages_->setCurrentIndex(predictors_.empty() ? 1 : 0);
  table_->fitColumns(kWidestPredictorColumn);
  if (!predictors_.empty()) table_->selectRow(0);
}

// One predictor after another, each in its own time: their models take a moment to read.
void PredictorsDialog::predict() {
  if (graph_ == nullptr || files_.empty()) return;
  runner_.start({},
                [this, files = files_, graph = graph_, batch = batch_, round = runner_.next()](
                    const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
                  for (std::size_t i = 0; i < files.size() && !job.stopped(); ++i) {
                    const auto answer = [&]() -> Result<Latency> {
                      IOS_TRY(auto kept, read_predictor(files[i]));
                      const auto device = make_predicted_device(std::make_shared<const KeptPredictor>(std::move(kept)));
                      StagePlanner planner(*graph, batch, device->info().lowering);
                      IOS_TRY(const auto loaded, device->load(planner.plan(sequential_schedule(*graph)), {}, job));
                      IOS_TRY(const auto run, loaded->run({}, job));
                      return run.latency;
                    }();
                    found_.post([this, i, answer, round] {
                      if (runner_.running() != round) return;  // the list was read anew
                      QStandardItem* const item = model_->item(static_cast<int>(i), kNetwork);
                      item->setText(answer ? tr("≈ %1 ms").arg(format::millis(answer->value)) : tr("–"));
                      if (!answer) item->setToolTip(message_text(answer.error().line()));
                      table_->fitColumns(kWidestPredictorColumn);
                    });
                  }
                  return JobRunner::Delivery();
                });
}

void PredictorsDialog::showChosen() {
  errors_->clear();
  errors_->setHorizontalHeaderLabels({tr("Of"), tr("Measured"), tr("Mean error"), tr("Median"), tr("Within 10 %")});
  const QModelIndexList chosen = table_->selectionModel()->selectedRows();
  chosen_->setVisible(!chosen.isEmpty());
  if (chosen.isEmpty()) return;
  const PredictorFacts& facts = predictors_[static_cast<std::size_t>(chosen.front().row())];
  QString text = tr("Trained %1").arg(qstring(facts.date.substr(0, 10)));
  if (!facts.unseen.empty()) {
    QStringList names;
    for (const std::string& name : facts.unseen) names << shown_name(name);
    text += tr(", without the operators of %1").arg(names.join(QStringLiteral(", ")));
  }
  if (facts.rates.flops_per_s > 0) text += tr(", from other cards: errors are for cards that it had not seen");
  if (!facts.side_by_side) {
    text +=
        tr(". Too few concurrent operators were measured, so predictions assume that operators of a stage run one "
           "after another.");
  }
  chosen_->setText(text);
  for (const auto* const list : {&facts.errors, &facts.errors_by_kind, &facts.errors_by_time}) {
    for (const PredictionErrors& each : *list) {
      append_row(*errors_, {kind_text(each.what)},
                 {QString::number(each.rows), percent(each.mean), percent(each.median), percent(each.within_10)});
    }
  }
  errors_table_->fitColumns(kWidestPredictorColumn);
}

// The window that it belongs to stays free meanwhile.
void PredictorsDialog::done(int result) {
  QDialog::done(result);
  if (!runner_.busy()) return deleteLater();
  runner_.abandon();
}

}  // namespace iosx

#include "moc_predictors_dialog.cpp"
