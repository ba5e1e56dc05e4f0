
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <system_error>

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json/text_file.h"
#include "core/base/text.h"
#include "core/devices/measure/store_place.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"
#include "core/operators/kept_predictor.h"

namespace iosx {

namespace wire {

inline std::string_view word(Spelled<RegressorKind> x) {
  switch (x.value) {
    case RegressorKind::kRidge: return "ridge";
    case RegressorKind::kTrees: return "trees";
  }
  return {};
}
IOS_FIELDS(DeviceRates, all, not_negative("flops_per_s", x.flops_per_s), not_negative("bytes_per_s", x.bytes_per_s),
           not_negative("cores", x.cores));
IOS_FIELDS(PredictionErrors, all, field("what", x.what), not_negative("rows", x.rows), not_negative("mean", x.mean),
           not_negative("median", x.median), not_negative("within_10", x.within_10));
IOS_FIELDS(OperatorPredictor::Saved, all, not_negative("samples_alone", x.samples_alone),
           not_negative("samples_together", x.samples_together),
           not_negative("samples_side_by_side", x.samples_side_by_side), field("scale", x.scale),
           field("kind_alone", x.kind_alone), field("kind_together", x.kind_together), unwritten(x.alone),
           unwritten(x.together), field("cross_validation", x.cross_validation),
           field("errors_by_kind", x.errors_by_kind), field("errors_by_time", x.errors_by_time));

IOS_FIELDS(PredictorFacts, all, field("name", x.name), field("device", x.device), field("rates", x.rates),
           field("samples", x.samples), field("model", x.model), field("date", x.date), field("unseen", x.unseen),
           not_negative("samples_alone", x.samples_alone), not_negative("samples_together", x.samples_together),
           field("side_by_side", x.side_by_side), field("kind_alone", x.kind_alone),
           field("kind_together", x.kind_together), field("errors", x.errors),
           field("errors_by_kind", x.errors_by_kind), field("errors_by_time", x.errors_by_time));

struct ModelRecord {
  OperatorPredictor::Saved predictor;
  std::vector<std::string> alone;  // of the predictor, in pieces
  std::vector<std::string> together;
};
IOS_FIELDS(ModelRecord, all, field("predictor", x.predictor), field("alone", x.alone), field("together", x.together));

}  // namespace wire

namespace {

constexpr std::string_view kPredictorFormat = "iosx-predictor";
constexpr std::string_view kModelFormat = "iosx-predictor-model";
constexpr std::string_view kExtension = ".json";

// No text of a document is longer than a MiB.
std::vector<std::string> pieces(const std::string& bytes) {
  constexpr std::size_t kPiece = 500'000;
  std::vector<std::string> made;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) made.push_back(bytes.substr(at, kPiece));
  return made;
}
std::string joined(const std::vector<std::string>& pieces) {
  std::string bytes;
  for (const std::string& piece : pieces) bytes += piece;
  return bytes;
}

std::string hash_of(const OperatorPredictor::Saved& model) {
  return fmt::format("{:016x}", hash64(model.alone + '|' + model.together));
}

std::filesystem::path model_of(std::filesystem::path file) { return file.replace_extension(".model"); }

Latency predicted(double ms) { return Latency{Millis(ms), Millis(0), 1, Origin::kPredicted}; }

const PredictionErrors* find_errors(const std::vector<PredictionErrors>& list, std::string_view what) {
  const auto found = std::ranges::find(list, what, &PredictionErrors::what);
  return found == list.end() ? nullptr : &*found;
}

DeviceInfo info_of(const PredictorFacts& facts) {
  DeviceInfo info;
  info.id = "predicted:" + facts.name;
  info.name = fmt::format("{}, predicted", printable(facts.device.name));
  info.summary =
      fmt::format("learned from {} operators alone and {} stages", facts.samples_alone, facts.samples_together);
  info.fingerprint = fmt::format("predicted {} {}", facts.device.fingerprint, facts.model);
  info.origin = Origin::kPredicted;
  info.lowering = facts.device.lowering;
  info.overhead = facts.device.overhead;
  info.precision = facts.device.precision;
  info.plans_at_once = 256;
  const PredictionErrors* const alone = find_errors(facts.errors, facts.kind_alone);
  const PredictionErrors* const together =
      facts.side_by_side ? find_errors(facts.errors_by_kind, "side by side") : nullptr;
  if (alone != nullptr && together != nullptr) {
    info.grade =
        message("off by {:.0f} % for single operators, {:.0f} % in parallel", alone->mean * 100, together->mean * 100);
  } else if (alone != nullptr) {
    info.grade = message("off by {:.0f} % for single operators", alone->mean * 100);
  }
  if (!facts.side_by_side) {
    info.caution = message(
        "too few parallel operators were measured on this device: operators of a stage count as running one after "
        "another, so schedules differ only by what they merge");
  }
  return info;
}

// A stage's operators spread over its time: those of a group one after another, the longest group over all of it.
class PredictedRun {
 public:
  PredictedRun(const KeptPredictor& kept, const ExecutionPlan& plan) : kept_(kept), plan_(plan) {}

  RunResult result(bool traced) {
    RunResult made;
    made.trace.lanes = plan_.lane_count();
    made.trace.source = "predicted";
    Millis now{0};
    std::optional<StageWidth> last;
    for (std::size_t s = 0; s < plan_.stages.size(); ++s) {
      const StageFeatures features = stage_features(plan_, s);
      const double ms = features.empty() ? 0 : kept_.predictor.stage_ms(features, kept_.facts.rates);
      const Millis begin = now;
      if (!features.empty()) {
        const StageWidth width = features.size() > 1 ? StageWidth::kSeveralLanes : StageWidth::kOneLane;
        now += kept_.facts.device.overhead.before(last, width);
        last = width;
      }
      if (traced) lay_out(s, features, now, Millis(ms), made.trace);
      now += Millis(ms);
      made.stage_latencies.push_back(predicted((now - begin).count()));
      made.trace.stages.push_back(StageSpan{begin, now});
    }
    std::ranges::stable_sort(made.trace.kernels, std::less<>{}, &KernelSpan::begin);
    made.latency = predicted(now.count());
    made.trace.duration = now;
    if (!traced) made.trace = {};
    return made;
  }

 private:
  void lay_out(std::size_t s, const StageFeatures& features, Millis begin, Millis length, Trace& trace) const {
    if (features.empty()) return;
    const std::vector<double> alone = kept_.predictor.alone_ms(features, kept_.facts.rates);
    std::vector<double> sums;
    std::size_t next = 0;
    for (const auto& group : features) {
      sums.push_back(std::accumulate(alone.begin() + static_cast<std::ptrdiff_t>(next),
                                     alone.begin() + static_cast<std::ptrdiff_t>(next + group.size()), 0.0));
      next += group.size();
    }
    const double longest = std::max(*std::ranges::max_element(sums), 1e-12);
    next = 0;
    for (const std::vector<KernelId>& lane : plan_.stages[s].lanes) {
      Millis at = begin;
      for (const KernelId id : lane) {
        const Kernel& kernel = plan_.kernel(id);
        const Millis takes = length * (alone[next++] / longest);
        trace.kernels.push_back({kernel.name, id, kernel.lane, kernel.stage, at, at + takes});
        at += takes;
      }
    }
  }

  const KeptPredictor& kept_;
  const ExecutionPlan& plan_;
};

class PredictedDevice final : public Device {
 public:
  explicit PredictedDevice(std::shared_ptr<const KeptPredictor> kept)
      : kept_(std::move(kept)), info_(info_of(kept_->facts)) {}

  const DeviceInfo& info() const override { return info_; }

 private:
  class Loaded final : public LoadedPlan {
   public:
    Loaded(const PredictedDevice& device, ExecutionPlan plan)
        : LoadedPlan(device.info(), std::move(plan)), kept_(device.kept_) {}

   private:
    Result<RunResult> do_run(const RunOptions& options, const JobContext& /*job*/) override {
      return PredictedRun(*kept_, plan()).result(options.trace);
    }
    std::shared_ptr<const KeptPredictor> kept_;
  };

  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& /*timing*/,
                                          const JobContext& /*job*/) override {
    std::vector<StageFeatures> stages;
    for (const ExecutionPlan& plan : plans) {
      IOS_TRY(refuse_lanes(plan));
      stages.push_back(plan.stages.size() == 1 ? stage_features(plan) : StageFeatures());
    }
    const std::vector<double> ms = kept_->predictor.stage_ms(stages, kept_->facts.rates);
    std::vector<Latency> latencies;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      latencies.push_back(plans[i].stages.size() == 1 ? predicted(ms[i])
                                                      : PredictedRun(*kept_, plans[i]).result(false).latency);
    }
    return latencies;
  }

  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& /*options*/,
                                              const JobContext& /*job*/) override {
    IOS_TRY(refuse_lanes(plan));
    return std::make_unique<Loaded>(*this, std::move(plan));
  }

  static Result<void> refuse_lanes(const ExecutionPlan& plan) {
    if (!plan.barrier_free) return {};
    return fail(message("predicts only stages, but a schedule without barriers has none"), {},
                message("choose a schedule with stages, or a simulated device"));
  }

  std::shared_ptr<const KeptPredictor> kept_;
  DeviceInfo info_;
};

}  // namespace

Result<std::filesystem::path> predictor_folder() {
  IOS_TRY(const auto store, default_store_file());
  return store.parent_path() / "predictors";
}

Message why_no_name(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  const auto possible = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  if (!name.empty() && name.size() <= kLongest && name.front() != '.' && std::ranges::all_of(name, possible)) return {};
  return message("is not a predictor name: letters, digits, '.', '_' and '-', at most {}", kLongest);
}

Result<void> write_predictor(const std::filesystem::path& file, const KeptPredictor& kept) {
  std::error_code wrong;
  std::filesystem::create_directories(file.parent_path(), wrong);
  const auto write = [](const std::filesystem::path& path, const std::string& text) -> Result<void> {
    NewFile written(path, Readers::kOwner);
    IOS_TRY(written.write(std::as_bytes(std::span(text))));
    return written.finish();
  };
  wire::ModelRecord model{kept.predictor.saved(), {}, {}};
  model.alone = pieces(model.predictor.alone);
  model.together = pieces(model.predictor.together);
  PredictorFacts facts = kept.facts;
  facts.model = hash_of(model.predictor);
  IOS_TRY(write(model_of(file), wire::write_document(kModelFormat, model) + "\n"));
  return write(file, wire::write_document(kPredictorFormat, facts) + "\n");
}

Result<PredictorFacts> read_predictor_facts(const std::filesystem::path& file) {
  IOS_TRY(const auto text, read_text_file(file));
  IOS_TRY(auto facts, wire::read_document<PredictorFacts>(text, file.string(), kPredictorFormat));
  if (const Message why = why_no_name(facts.name); !why.empty()) return fail(why, file.string());
  return facts;
}

Result<KeptPredictor> read_predictor(const std::filesystem::path& file) {
  IOS_TRY(auto facts, read_predictor_facts(file));
  const std::filesystem::path model = model_of(file);
  IOS_TRY(const auto text, read_text_file(model));
  IOS_TRY(auto record, wire::read_document<wire::ModelRecord>(text, model.string(), kModelFormat));
  record.predictor.alone = joined(record.alone);
  record.predictor.together = joined(record.together);
  if (hash_of(record.predictor) != facts.model) {
    return fail(message("is not the model of {}", file.string()), model.string(), message("train it again"));
  }
  auto predictor = OperatorPredictor::restore(record.predictor);
  if (!predictor) {
    return fail(message("contains no predictor: {}", predictor.error().what), model.string(),
                message("train it again"));
  }
  return KeptPredictor{std::move(facts), std::move(*predictor)};
}

std::vector<std::filesystem::path> predictor_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code wrong;
  for (std::filesystem::directory_iterator at(folder, wrong), end; !wrong && at != end; at.increment(wrong)) {
    if (at->path().extension() == kExtension) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

std::unique_ptr<Device> make_predicted_device(std::shared_ptr<const KeptPredictor> kept) {
  return std::make_unique<PredictedDevice>(std::move(kept));
}

std::vector<Message> add_predicted_devices(DeviceRegistry& registry, const std::filesystem::path& folder) {
  std::vector<Message> notices;
  for (const std::filesystem::path& file : predictor_files(folder)) {
    auto facts = read_predictor_facts(file);
    if (!facts) {
      notices.push_back(message("a predictor is not used: {}", facts.error().line()));
      continue;
    }
    DeviceRegistry::Entry entry;
    entry.info = info_of(*facts);
    entry.open = [file]() -> Result<std::unique_ptr<Device>> {
      IOS_TRY(auto kept, read_predictor(file));
      return make_predicted_device(std::make_shared<const KeptPredictor>(std::move(kept)));
    };
    registry.add(std::move(entry));
  }
  return notices;
}

}  // namespace iosx
