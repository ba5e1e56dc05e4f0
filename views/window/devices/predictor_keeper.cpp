#include "views/window/devices/predictor_keeper.h"

#include <QPointer>
#include <utility>

#include "core/operators/predicted_device.h"
#include "core/operators/training.h"
#include "views/text/qstring.h"

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
        [keeper = QPointer(this), jobs = &jobs_, workbench = jobs_.workbench(), request](
            const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
          IOS_TRY(const auto found, workbench.run(request, job, jobs->hooks(abandon)));
          return JobRunner::Delivery{[keeper, found] {
            if (keeper) emit keeper->measured(found);
          }};
        });
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

}  // namespace iosx

#include "moc_predictor_keeper.cpp"
