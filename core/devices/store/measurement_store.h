#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/devices/store/measurement.h"

namespace iosx {

// Selects measurements; empty fields match all.
struct MeasurementFilter {
  std::string device = {};     // its id or fingerprint
  std::int64_t batch = 0;      // 0: any
  std::string precision = {};  // "f32"
  std::string program = {};    // a version
  std::optional<Date> before = {};

  bool everything() const { return device.empty() && batch == 0 && precision.empty() && program.empty() && !before; }
};

// One set of a store. A search that names it is replayed without the device.
struct SetInfo {
  MeasurementSet set;
  std::int64_t measurements = 0;
  Date first{};
  Date last{};
  std::vector<std::string> programs;  // sorted
};

struct StoreInfo {
  std::filesystem::path file;
  int form = 0;              // version of the schema
  std::uintmax_t bytes = 0;  // on disk, with the log
  std::int64_t measurements = 0;
  std::int64_t methods = 0;   // kept by devices
  std::vector<SetInfo> sets;  // by device, batch and precision
};

// Describes the stage of a key in the text form for training (core/operators/features.h). It is the same on every
// device.
struct DescribedStage {
  StageKey key;
  std::string features;
};

struct Taken {
  std::int64_t seen = 0;
  std::int64_t taken = 0;  // new, or newer than the stored one
};

// Keeps measurements in a file (SQLite) from run to run: one per stage and set, the newest.
//
// Several processes may use one file at once; a reader never waits, a writer at most ten seconds. Once append()
// returns, its data survives any end of the process. Any thread may use a store, one call at a time; it must not be
// used across a fork.
//
// A damaged file is never dropped: it is renamed to FILE.damaged-N, an empty one replaces it, and take_notices()
// reports it. A file of another program version or kind is an error and stays. After any other error (no permission, no
// room, a failing disk) the store stays usable: lost measurements can be made again.
class MeasurementStore {
 public:
  enum class Access {
    kReadWrite,  // creates a missing file with its folders
    kReadOnly,   // changes nothing: a missing or damaged file is an error
    kSnapshot,   // like kReadOnly, briefly: without other users of the file, it creates no further file
  };

  static Result<std::unique_ptr<MeasurementStore>> open(const std::filesystem::path& file,
                                                        Access access = Access::kReadWrite);
  ~MeasurementStore();
  MeasurementStore(const MeasurementStore&) = delete;
  MeasurementStore& operator=(const MeasurementStore&) = delete;

  const std::filesystem::path& file() const;
  // Returns sentences for the user about files set aside since the last call.
  std::vector<Message> take_notices();

  // Returns the known measurements of these stages in exactly this set, in order.
  Result<std::vector<std::optional<Measurement>>> find(const MeasurementSet& set, std::span<const StageKey> keys);

  // Adds them or replaces those of the same stages; all or none.
  Result<void> append(const MeasurementSet& set, std::span<const Measurement> measurements);
  Result<void> append(const MeasurementSet& set, const Measurement& measurement) {
    return append(set, std::span(&measurement, 1));
  }
  // Record and look up completed searches with the measurements of a set, by a key of the search: see
  // LatencySource::note_searched(). Any pruning forgets them; they do not move with measurements. `stages` is how many
  // it knew then; none where it is not recorded.
  Result<void> note_search(const MeasurementSet& set, const StageKey& search, std::int64_t stages);
  Result<std::optional<std::int64_t>> noted_search(const MeasurementSet& set, const StageKey& search);

  // Implement MethodKeeper's find() and keep() for devices of one Device::methods_key(); `id` is the device's id for
  // users. Pruning a device, or all, removes them; they do not move with measurements.
  Result<std::optional<std::string>> find_choice(const std::string& device, const std::string& problem);
  Result<std::string> keep_choice(const std::string& device, const std::string& id, const std::string& problem,
                                  const std::string& choice);

  // Stores descriptions of stages and replaces older ones; all or none.
  Result<void> describe(std::span<const DescribedStage> stages);

  // Adds measurements that are new or newer, and descriptions as describe() does; all or none.
  Result<Taken> take_over(const MeasurementSet& set, std::span<const Measurement> measurements,
                          std::span<const DescribedStage> stages = {});
  // Does the same with the whole content of another store, which it does not change; damage of it is an error.
  Result<Taken> merge(const std::filesystem::path& other);

  Result<StoreInfo> info();
  // Visits the selected measurements in the order of sets and keys, each with its stage's description (empty:
  // unknown). The visitor must not use this store; its error ends the visit.
  using Visitor = FunctionRef<Result<void>(const MeasurementSet&, const Measurement&, const std::string& features)>;
  Result<void> visit(const MeasurementFilter& selection, Visitor visitor);
  // Visits only those whose stages have a description.
  Result<void> visit_described(const MeasurementFilter& selection, Visitor visitor);
  Result<std::int64_t> count(const MeasurementFilter& selection);
  // Removes them permanently, frees the space and returns their number. A description goes with its last measurement;
  // removing everything also removes the devices' methods.
  Result<std::int64_t> prune(const MeasurementFilter& selection);

 private:
  struct State;
  explicit MeasurementStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace iosx
