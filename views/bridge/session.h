#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/device/registry.h"
#include "core/import/document.h"
#include "views/bridge/job_runner.h"

namespace iosx {

// What a comparison is made with.
struct RunSettings {
  std::string device;  // id in the registry
  std::int64_t batch = 1;
  std::vector<std::string> schedules{"sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"};  // of optimize()
  SearchOptions search;
  TimingOptions timing;  // of a device that measures
  friend bool operator==(const RunSettings& a, const RunSettings& b);
};

// The open network and what is known about it. GUI thread only; reading files, searching and running happen on the
// background thread of its job. A job that fails or is cancelled leaves the document and the comparison as they were.
class Session final : public QObject {
  Q_OBJECT

 public:
  // Reads a network by the name of a built-in one or by path; called on the job's thread.
  using Opener = std::function<Result<Document>(const std::string& source)>;

  // At most this many units: comparing takes moments, so open() does all of it at once.
  static constexpr std::size_t kQuickUnits = 32;
  // The same on a device that measures every stage for real: seconds.
  static constexpr std::size_t kQuickMeasuredUnits = 16;
  // Writes a network to a file; called on the job's thread.
  using Writer = std::function<Result<void>(const Graph& graph, const std::string& path)>;

  // The registry must outlive the session and must not change any more.
  Session(const DeviceRegistry& devices, Opener opener, QObject* parent = nullptr);

  // Opens a network, then compares: everything for a quick network (on a device that measures after the baselines,
  // which are there first), the baselines and the file's own schedule otherwise. A file with one of our schedules joins
  // the comparison of the open network instead, where it is a schedule of that network.
  void open(const QString& source);
  void optimize();  // compares the schedules of the settings, and those from files; nothing without a document
  // Runs the active schedule on the device and the sequential one on the registry's reference (on the device too where
  // there is none), on the same inputs, and compares what they compute.
  // Nothing where whyNotVerify() has a reason.
  void verify();
  QString whyNotVerify() const;  // empty where verify() can be done
  // What verify() found about a result of the comparison; null before.
  const Verification* verification(std::size_t result) const;
  void writeNetwork(const QString& path, Writer writer);  // networkWritten() says when it is done
  void cancel() { runner_.cancel(); }
  void abandon() { runner_.abandon(); }  // the running job's result is not wanted: before closing

  bool hasDocument() const { return document_.graph != nullptr; }
  const Document& document() const { return document_; }  // its graph is cut into parts that a search can take
  const QString& source() const { return source_; }       // what open() was given
  std::shared_ptr<const Comparison> comparison() const { return comparison_; }  // may be null
  // The comparison has a schedule that a search found.
  bool searched() const;
  // The comparison has all that optimize() would give with the settings of now.
  bool upToDate() const;

  // Index into comparison()->results of the schedule that canvas and stage table show; 0 where there is none.
  std::size_t activeSchedule() const { return active_; }
  void setActiveSchedule(std::size_t index);
  void setActiveSchedule(const std::string& name);

  const RunSettings& settings() const { return settings_; }
  void setSettings(RunSettings settings);
  const DeviceRegistry& devices() const { return devices_; }
  const DeviceInfo* device() const;  // the chosen one; null where the registry does not have it
  const JobRunner& job() const { return runner_; }

 signals:
  void documentChanged();
  void comparisonChanged();
  void activeScheduleChanged();
  void settingsChanged();
  void verified(std::size_t result);  // verification() has news
  void networkWritten(const QString& path);
  void jobStarted(const QString& title);
  void jobProgress(const iosx::Progress& progress);
  void jobFailed(const iosx::Error& error);
  void jobFinished(bool stopped);

 private:
  void compareWith(const QString& title, std::vector<std::string> schedules, const TimingOptions& timing);
  void compareBaselines();
  void deliver(std::shared_ptr<const Comparison> comparison, const RunSettings& settings);
  void addSchedule(Schedule schedule);
  void setDocument(Document document, const QString& source);
  void setComparison(std::shared_ptr<const Comparison> comparison, const RunSettings& settings);

  const DeviceRegistry& devices_;
  Opener opener_;
  RunSettings settings_;
  Document document_;
  QString source_;
  std::vector<Schedule> given_;  // from files, compared besides those that the program makes
  std::shared_ptr<const Comparison> comparison_;
  std::optional<RunSettings> compared_with_;  // what comparison_ was made with
  std::size_t active_ = 0;
  bool then_optimize_ = false;  // the baselines of a network just opened are run first: they are there in a moment
  std::map<std::string, Verification> verified_;  // of comparison_, by schedule
  JobRunner runner_;                              // last: its thread ends before the rest goes
};

}  // namespace iosx
