#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/operators/regressor.h"
#include "core/workbench/requests.h"
#include "views/app_model/jobs.h"

namespace iosx {

// What a predictor is trained on, and how.
struct TrainingChoice {
  std::string fingerprint;  // of the device in the store
  std::string name;
  std::optional<RegressorKind> kind = {};  // none: the better one
};

// Measures operators and trains predictors, each as a job of the window, one at a time; keeps predictors in the user's
// folder, and makes devices of them at once.
class PredictorKeeper final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  PredictorKeeper(DeviceRegistry& devices, Session& session, Jobs& jobs);

  const DeviceRegistry& devices() const { return devices_; }
  const StorePlace& store() const { return jobs_.store(); }
  const std::string& chosenDevice() const { return session_.settings().device; }

  // Do nothing while busy(). They use the store and the timing at the time of the call.
  void train(const TrainingChoice& choice);
  // Measures at most that many stages of the graph on a measuring device.
  void measure(std::shared_ptr<const Graph> graph, std::int64_t batch, const std::string& device, std::size_t most);

  bool busy() const { return job_ != 0; }          // one of its jobs runs or waits
  bool waiting() const;                            // for other jobs
  const QString& title() const { return title_; }  // of the current or the last job
  // Ends the job: an unfinished predictor is dropped, measurements are kept.
  void cancel();

 signals:
  void changed();  // busy() or waiting()
  void progressed(const iosx::Progress& progress);
  void failed(const iosx::Error& error);
  void trained(const std::string& name);
  void measured(const iosx::OperatorProfile& found);

 private:
  void start(const QString& title, JobRunner::Work work);
  void look();
  void take(const std::string& name);

  DeviceRegistry& devices_;
  Session& session_;
  Jobs& jobs_;
  JobRunner::JobId job_ = 0;
  QString title_;
};

}  // namespace iosx
