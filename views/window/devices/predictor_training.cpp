#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/operators/kept_predictor.h"
#include "core/operators/training.h"
#include "views/style/theme.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/devices/predictor_training.h"

namespace iosx {
namespace {

// Trains a predictor from the store's data of the chosen device, and keeps it.
Result<void> train_and_keep(const StorePlace& place, const TrainingChoice& choice, const DeviceRegistry& devices,
                            const JobContext& job) {
  job.report(message("reading the measurements"), 0, 0);
  IOS_TRY(const auto file, place.path());
  IOS_TRY(const auto store, MeasurementStore::open(file, MeasurementStore::Access::kReadOnly));
  MeasurementFilter filter;
  filter.device = choice.fingerprint;
  IOS_TRY(const auto stages, known_stages(*store, filter));
  if (stages.empty()) {
    return fail(message("contains no operators of '{}'", choice.fingerprint), file.string(),
                message("measure some: iosx profile-operators squeezenet --device cpu"));
  }
  const TrainingOptions options{.name = choice.name, .kind = choice.kind};
  IOS_TRY(const auto kept, train_predictor(stages, device_of(devices, stages.front().set), options, job));
  if (job.stopped()) return {};
  IOS_TRY(const auto folder, predictor_folder());
  return write_predictor(folder / (choice.name + ".json"), kept);
}

constexpr int kLeastTrainWidth = 720;
constexpr int kTrainSaidLines = 2;

Result<std::vector<KnownDevice>> read_known(const StorePlace& place, const JobContext& job) {
  IOS_TRY(const auto file, place.path());
  std::error_code error;
  if (!std::filesystem::exists(file, error) && !error) return std::vector<KnownDevice>();  // nothing was kept yet
  IOS_TRY(const auto store, MeasurementStore::open(file, MeasurementStore::Access::kReadOnly));
  return known_devices(*store, job);
}

QString data_text(const KnownDevice& known) {
  return TrainDialog::tr("%1, %2: %3 single operators, %4 stages of several")
      .arg(shown_name(known.set.device_name), origin_text(known.set.origin), format::count(known.alone),
           format::count(known.together));
}

// Returns a name that a predictor can have: "Tesla T4" becomes "tesla-t4".
std::string name_for(const std::string& device) {
  std::string name;
  for (const char c : qstring(device).toLower().toStdString()) {
    name += why_no_name(std::string{'x', c}).empty() ? c : '-';
  }
  return name;
}

constexpr int kLeastMeasureWidth = 480;
constexpr int kUsualStages = 300;
constexpr int kMostStages = 100'000;

}  // namespace

PredictorKeeper::PredictorKeeper(DeviceRegistry& devices, Session& session, Jobs& jobs)
    : devices_(devices), session_(session), jobs_(jobs) {
  connect(&jobs_.runner(), &JobRunner::progressed, this, [this](const Progress& progress) {
    if (busy() && jobs_.runner().running() == job_) emit progressed(progress);
  });
  connect(&jobs_.runner(), &JobRunner::failed, this, [this](const Error& error, JobRunner::JobId id) {
    if (busy() && id == job_ && !jobs_.runner().stopping()) emit failed(error);
  });
  connect(&jobs_, &Jobs::started, this, &PredictorKeeper::look);
  connect(&jobs_, &Jobs::finished, this, &PredictorKeeper::look);
  connect(&jobs_, &Jobs::waitingChanged, this, &PredictorKeeper::look);
}

bool PredictorKeeper::waiting() const { return busy() && jobs_.runner().running() != job_; }

void PredictorKeeper::look() {
  if (!busy()) return;
  if (!jobs_.has(job_)) job_ = 0;
  emit changed();
}

void PredictorKeeper::start(const QString& title, JobRunner::Work work) {
  title_ = title;
  job_ = jobs_.runner().next();  // known before it starts, which may be at once
  jobs_.workFor({}, title, std::move(work));
  emit changed();
}

void PredictorKeeper::train(const TrainingChoice& choice) {
  if (busy()) return;
  start(tr("Training %1").arg(shown_name(choice.name)),
        [keeper = QPointer(this), choice, place = store(), devices = &devices_](
            const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
          // A stop leaves nothing to keep.
          std::stop_source both;
          const std::stop_callback stopped(job.stop, [&both] { both.request_stop(); });
          const std::stop_callback abandoned(abandon, [&both] { both.request_stop(); });
          auto trained = train_and_keep(place, choice, *devices, {both.get_token(), job.progress});
          if (both.stop_requested()) return JobRunner::Delivery{};
          if (!trained) return tl::unexpected(std::move(trained.error()));
          return JobRunner::Delivery{[keeper, name = choice.name] {
            if (keeper) keeper->take(name);
          }};
        });
}

void PredictorKeeper::measure(std::shared_ptr<const Graph> graph, std::int64_t batch, const std::string& device,
                              std::size_t most) {
  if (busy()) return;
  ProfileOperatorsRequest request{std::move(graph), device, {}};
  request.options.batch = batch;
  request.options.timing = session_.settings().options.timing;
  request.options.most = most;
  start(tr("Measuring operators of %1").arg(shown_name(request.graph->name())),
        jobs_.running(request, [keeper = QPointer(this)](const OperatorProfile& found) {
          if (keeper) emit keeper->measured(found);
        }));
}

void PredictorKeeper::cancel() {
  if (!busy()) return;
  if (waiting()) return jobs_.abandon(job_);
  jobs_.cancel();
}

void PredictorKeeper::take(const std::string& name) {
  // Files of the folder that are no predictors are told where predictors are listed.
  if (const auto folder = predictor_folder()) static_cast<void>(add_predicted_devices(devices_, *folder));
  session_.tellDevices();
  emit trained(name);
}

TrainDialog::TrainDialog(const PredictorKeeper& keeper, std::set<std::string> names, QWidget* parent)
    : QDialog(parent),
      names_(std::move(names)),
      wanted_(keeper.chosenDevice()),
      data_(named("train-data", new QComboBox, tr("Training data"))),
      method_(named("train-method", new QComboBox, tr("Kind of regression"))),
      name_(named("train-name", new QLineEdit, tr("Name of the predictor"))),
      said_(named("train-said", selectable({}, kTrainSaidLines), tr("Notes before training"))) {
  setObjectName(QStringLiteral("train-dialog"));
  setWindowTitle(tr("Train a predictor"));
  setMinimumWidth(kLeastTrainWidth);
  auto* note =
      wrapping(tr("It trains on operators measured alone and on stages of several operators. Training takes seconds "
                  "to a minute; the window stays usable."));
  data_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  method_->addItem(tr("Better one on unseen data"));
  method_->addItem(tr("Boosted trees"), static_cast<int>(RegressorKind::kTrees));
  method_->addItem(tr("Ridge regression"), static_cast<int>(RegressorKind::kRidge));
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("&Data"), data_);
  form->addRow(tr("&Method"), method_);
  form->addRow(tr("&Name"), name_);
  auto* buttons = answers(this, QDialogButtonBox::Cancel);
  train_ = add_go_button(buttons, tr("&Train"), "train");
  put_into(new QVBoxLayout(this), {note, form, said_, buttons})->setSpacing(10);
  connect(data_, &QComboBox::currentIndexChanged, this, [this] {
    suggestName();
    check();
  });
  connect(name_, &QLineEdit::textChanged, this, &TrainDialog::check);
  connect(&reader_, &JobRunner::failed, this, [this](const Error& error) {
    reading_ = false;
    failed_ = error_text(error);
    check();
  });
  connect(&reader_, &JobRunner::finished, this, [this] {
    if (!isVisible()) deleteLater();
  });
  const auto read = [place = keeper.store()](const JobContext& job, const std::stop_token&) {
    return read_known(place, job);
  };
  reader_.start({}, JobRunner::work(read, [this](std::vector<KnownDevice> known) { take(std::move(known)); }));
  check();
}

void TrainDialog::take(std::vector<KnownDevice> known) {
  reading_ = false;
  known_ = std::move(known);
  std::stable_partition(known_.begin(), known_.end(),
                        [this](const KnownDevice& each) { return each.set.device_id == wanted_; });
  for (const KnownDevice& each : known_) {
    data_->addItem(data_text(each));
    data_->setItemData(data_->count() - 1, shown_name(each.set.fingerprint), Qt::ToolTipRole);
  }
  check();
}

// Typed text stays.
void TrainDialog::suggestName() {
  if (name_->isModified() || data_->currentIndex() < 0) return;
  name_->setText(qstring(name_for(known_.at(static_cast<std::size_t>(data_->currentIndex())).set.device_id)));
}

void TrainDialog::say(const QString& text, bool problem) {
  said_->setText(text);
  QPalette colours = palette();
  if (problem) colours.setColor(QPalette::WindowText, theme_of(palette()).error);
  said_->setPalette(colours);
  train_->setEnabled(!problem && !reading_);
}

void TrainDialog::check() {
  const bool any = !known_.empty();
  for (QWidget* widget : std::initializer_list<QWidget*>{data_, method_, name_}) widget->setEnabled(any);
  if (reading_) return say(tr("Reading the measurements…"), false);
  if (!failed_.isEmpty()) return say(failed_, true);
  if (!any) {
    return say(tr("No operators are measured yet. Measure operators… measures those of the open network; iosx "
                  "profile-operators squeezenet googlenet --device cpu measures those of several."),
               true);
  }
  const KnownDevice& chosen = known_.at(static_cast<std::size_t>(data_->currentIndex()));
  if (chosen.alone < OperatorPredictor::kLeastSamples) {
    return say(
        tr("%1 single operators are too few to train on, at least %2 are needed: iosx profile-operators measures more.")
            .arg(chosen.alone)
            .arg(OperatorPredictor::kLeastSamples),
        true);
  }
  const std::string name = choice().name;
  if (const Message why = why_no_name(name); !why.empty()) {
    return say(tr("“%1” %2").arg(shown_name(name), message_text(why)), true);
  }
  say(names_.contains(name) ? tr("It replaces the predictor of this name.") : QString(), false);
}

TrainingChoice TrainDialog::choice() const {
  TrainingChoice choice;
  const int row = data_->currentIndex();
  if (row >= 0) choice.fingerprint = known_.at(static_cast<std::size_t>(row)).set.fingerprint;
  choice.name = name_->text().trimmed().toStdString();
  if (const QVariant kind = method_->currentData(); kind.isValid()) {
    choice.kind = static_cast<RegressorKind>(kind.toInt());
  }
  return choice;
}

// The window that it belongs to stays free meanwhile.
void TrainDialog::done(int result) {
  QDialog::done(result);
  if (!reader_.busy()) return deleteLater();
  reader_.abandon();
}

MeasureOperatorsDialog::MeasureOperatorsDialog(const PredictorKeeper& keeper, const QString& network, QWidget* parent)
    : QDialog(parent),
      device_(named("measure-device", new QComboBox, tr("On which device"))),
      most_(named("measure-most", new QSpinBox, tr("Maximum number of stages"))) {
  setObjectName(QStringLiteral("measure-operators"));
  setWindowTitle(tr("Measure operators"));
  setMinimumWidth(kLeastMeasureWidth);
  auto* note = wrapping(tr("Operators of %1 are measured alone, in a row and side by side, and kept with the "
                           "measurements. Known values are not measured again.")
                            .arg(network));
  for (const DeviceRegistry::Entry* const entry : keeper.devices().entries()) {
    if (!entry->unavailable.empty() || entry->info.origin != Origin::kMeasured) continue;
    device_->addItem(shown_name(entry->info.name), qstring(entry->info.id));
    device_->setItemData(device_->count() - 1, device_summary(entry->info), Qt::ToolTipRole);
  }
  device_->setCurrentIndex(std::max(device_->findData(qstring(keeper.chosenDevice())), 0));
  most_->setRange(1, kMostStages);
  most_->setValue(kUsualStages);
  most_->setToolTip(tr("A third of them are single operators"));
  auto* form = new QFormLayout;
  form->addRow(tr("&Device"), device_);
  form->addRow(tr("&Stages, at most"), most_);
  auto* problem = named("measure-problem", wrapping());
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, theme_of(palette()).error);
  problem->setPalette(colours);
  if (device_->count() == 0) {
    problem->setText(tr("No device here measures. Schedule ▸ Devices… adds devices of other machines."));
  } else if (!keeper.store().kept) {
    problem->setText(tr("No measurements are kept: choose a file in Schedule ▸ Kept measurements…."));
  }
  problem->setVisible(!problem->text().isEmpty());
  auto* buttons = answers(this, QDialogButtonBox::Cancel);
  add_go_button(buttons, tr("&Measure"), "measure")->setEnabled(problem->text().isEmpty());
  put_into(new QVBoxLayout(this), {note, form, problem, buttons})->setSpacing(10);
}

std::string MeasureOperatorsDialog::device() const { return device_->currentData().toString().toStdString(); }

std::size_t MeasureOperatorsDialog::most() const { return static_cast<std::size_t>(most_->value()); }

}  // namespace iosx

#include "moc_predictor_training.cpp"
