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

// Says what a predictor is trained from, and how.
struct TrainingChoice {
  std::string fingerprint;  // of the device in the store
  std::string name;
  std::optional<RegressorKind> kind = {};  // without it whichever is better
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

  // These do nothing while busy(). What they do takes the store and the timing of the moment at which they are called.
  void train(const TrainingChoice& choice);
  // Measures at most so many stages of the graph on a device that measures.
  void measure(std::shared_ptr<const Graph> graph, std::int64_t batch, const std::string& device, std::size_t most);

  bool busy() const { return job_ != 0; }          // a job of its runs or waits
  bool waiting() const;                            // for other jobs
  const QString& title() const { return title_; }  // of the job, or of the last one
  // Ends the job: a predictor that is not learned is not kept, what was measured is.
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
