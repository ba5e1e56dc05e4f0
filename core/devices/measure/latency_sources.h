#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/function_ref.h"
#include "core/devices/device.h"
#include "core/devices/store/measurement_store.h"
#include "core/model/cost/latency.h"
#include "core/model/plan/stage_planner.h"

namespace iosx {

// Requests the latency of every stage key once, however often a search names the stage. Derived classes provide
// the latencies. The graph must outlive it.
class StageLatencySource : public LatencySource {
 public:
  StageLatencySource(const Graph& graph, std::int64_t batch, const LowerOptions& wishes)
      : planner_(graph, batch, wishes) {}
  ~StageLatencySource() override = default;
  StageLatencySource(const StageLatencySource&) = delete;
  StageLatencySource& operator=(const StageLatencySource&) = delete;

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override {
    return answer_all(stages, Look::kQuick, job);
  }
  // Measures quick estimates again: the least sum of many noisy latencies picks those that happened to be low, and a
  // second measurement corrects that. They count in the tally only if nothing was known.
  Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) override {
    return answer_all(stages, Look::kThorough, job);
  }
  Result<std::vector<std::optional<Latency>>> known_latencies(std::span<const Stage> stages) override;
  // The key joins the words with the structure of every unit of the graph.
  std::optional<std::int64_t> searched_before(std::string_view words) override;
  void note_searched(std::string_view words, std::int64_t stages) override;
  void start_tally() override {
    ++tally_number_;
    tally_ = {};
  }
  StageTally tally() const override { return tally_; }
  // Returns how many quick estimates were measured again, in total.
  std::int64_t refined() const { return refined_; }

  // How many stages have refined latencies, and how many of these spread over more than `spread` of their median.
  struct Noise {
    std::int64_t known = 0;
    std::int64_t noisy = 0;
  };
  Noise noise(double spread) const;

  // Returns the planner of its plans, for runs of the chosen schedule.
  StagePlanner& planner() { return planner_; }

 protected:
  // Look up and record whether a search came to its end.
  virtual std::optional<std::int64_t> recall_search(const StageKey& /*search*/) { return std::nullopt; }
  virtual void keep_search(const StageKey& /*search*/, std::int64_t /*stages*/) {}
  // Returns in words how thoroughly it measures: a search with less care is another search.
  virtual std::string thoroughness() const { return {}; }

  using Asked = std::span<const StagePlanner::Canonical>;
  struct Known {
    Latency latency;
    bool refined = true;  // false: a quick estimate
  };
  // Returns the kept latencies of these stages, which were not requested before, in order. Measures nothing.
  virtual std::vector<std::optional<Known>> recall(Asked stages) = 0;
  enum class Look { kQuick, kThorough };
  // Provides the latencies that recall() did not know or not well: calls `take` with those of consecutive stages,
  // from the first on. Ends early on a stop.
  using Take = FunctionRef<void(std::span<const Latency>)>;
  virtual Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) = 0;

 private:
  struct Answer {
    std::optional<Latency> latency;  // empty only during the request
    bool refined = false;
    std::int64_t tallied = 0;  // number of the last tally that includes it
  };
  Result<std::vector<Latency>> answer_all(std::span<const Stage> stages, Look look, const JobContext& job);
  // Appends the latencies of the stages; a prefix where a stop or an error came between.
  Result<void> answer(std::span<const Stage> stages, Look look, const JobContext& job, std::vector<Latency>& latencies);

  StageKey search_key(std::string_view words);

  StagePlanner planner_;
  std::unordered_map<StageKey, std::int64_t> searched_;
  std::unordered_set<StageKey> nowhere_;  // unknown to recall()
  std::int64_t tally_number_ = 1;
  StageTally tally_;
  std::int64_t refined_ = 0;
  std::unordered_map<StageKey, Answer> known_;
};

// Returns which of these latencies of a schedule's stages is left out (Latency::left_out()); empty: none. Only
// latencies without one may be summed.
Message left_out_among(std::span<const Latency> latencies, const std::string& schedule);

// Where latencies are kept between runs, and the program version that makes them. The store must outlive its users;
// without one, latencies live as long as their source.
struct Keeping {
  MeasurementStore* store = nullptr;
  std::string program = {};
  bool anew = false;  // replaces kept latencies without using them, for example after measuring on a busy machine
};

// Returns the set of a device's measurements in a store.
MeasurementSet measurement_set(const DeviceInfo& device, std::int64_t batch);

// Looks each stage key up in the store, then measures it on the device, once. The graph and the device must outlive it.
//
// A device's latency is a quick estimate (quick_estimate()) until the refined one is requested. A stored latency
// serves only if it was measured as thoroughly as this source would. Each reply of the device is stored before the
// next request. After an error of the store, take_notices() reports it, and measuring goes on without the store.
class DeviceLatencySource final : public StageLatencySource {
 public:
  DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch, const TimingOptions& timing = {},
                      Keeping keeping = {});

  InterStageOverhead overhead() const override { return device_.info().overhead; }
  bool estimates_quickly() const override { return !is_modelled(set_.origin); }
  // Sets how to time unknown stages; known latencies stay.
  void set_timing(const TimingOptions& timing) { timing_ = timing; }
  // Makes guesses() return predictions of this device, which must outlive the source and runs stages in the same
  // form. With another device there are no guesses.
  void set_guesser(Device* guesser) { guesser_ = guesser; }
  std::vector<double> guesses(std::span<const Stage> stages) override;
  // Returns sentences for the user about the store since the last call.
  std::vector<Message> take_notices();

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override;
  Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) override;
  std::optional<std::int64_t> recall_search(const StageKey& search) override;
  void keep_search(const StageKey& search, std::int64_t stages) override;
  std::string thoroughness() const override;
  void keep(Asked stages, std::span<const Latency> latencies, const TimingOptions& timing);
  void give_up_store(const Error& error);

  Device& device_;
  TimingOptions timing_;
  Keeping keeping_;
  MeasurementSet set_;
  Device* guesser_ = nullptr;
  std::vector<Message> notices_;
};

// Returns the one set of the store that was measured on this device (its id or fingerprint; empty: any) with this batch
// size, if the device's terms are known. The error lists the available sets.
Result<MeasurementSet> recorded_set(MeasurementStore& store, const std::string& device, std::int64_t batch);

// Answers from known latencies alone, those of a store and of give(), so that a search repeats without the device: on
// another computer, with other options. Measured latencies get the origin "recorded", unless they were measured here;
// simulated ones stay simulated. Errors: a stage without a known latency, and the store's. The graph and the store must
// outlive it.
class RecordedLatencySource final : public StageLatencySource {
 public:
  enum class Where { kElsewhere, kHere };

  // `set` comes from recorded_set() or measurement_set(). A null store knows nothing.
  RecordedLatencySource(const Graph& graph, MeasurementStore* store, MeasurementSet set,
                        Where where = Where::kElsewhere);

  // Adds a known latency, which takes precedence over the store. Call it before any request.
  void give(const Stage& stage, const Latency& latency);

  InterStageOverhead overhead() const override { return set_.terms->overhead; }
  bool measures() const override { return false; }
  // Returns how many distinct stages known_latencies() was called for and did not know.
  std::int64_t lacking() const { return static_cast<std::int64_t>(lacking_.size()); }
  std::int64_t asked() const { return static_cast<std::int64_t>(asked_.size()); }

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override;
  Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) override;

  MeasurementStore* store_;
  MeasurementSet set_;
  Where where_;
  std::unordered_map<StageKey, Latency> given_;
  std::optional<Error> store_error_;
  std::unordered_set<StageKey> asked_;
  std::unordered_set<StageKey> lacking_;
};

}  // namespace iosx
