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

// Selects measurements; what is left open matches all.
struct MeasurementFilter {
  std::string device = {};     // its id or fingerprint
  std::int64_t batch = 0;      // 0: open
  std::string precision = {};  // "f32"
  std::string program = {};    // a version
  std::optional<Date> before = {};

  bool everything() const { return device.empty() && batch == 0 && precision.empty() && program.empty() && !before; }
};

// Describes one set of a store: a search that asks for it by name is replayed without the device.
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
  std::uintmax_t bytes = 0;  // on disk, the log beside the file included
  std::int64_t measurements = 0;
  std::int64_t methods = 0;   // that devices compute by
  std::vector<SetInfo> sets;  // by device, batch and precision
};

// Says what the stage of a key is: a text of who learns from measurements (core/operators/features.h). It is the same
// on every device.
struct DescribedStage {
  StageKey key;
  std::string features;
};

struct Taken {
  std::int64_t seen = 0;
  std::int64_t taken = 0;  // new, or newer than what was known
};

// Keeps what was measured in a file (SQLite) from run to run: one measurement a stage and set, the newest one.
//
// Several processes may use one file at once; a reader never waits, a writer at most ten seconds. What append() was
// given is safe from the end of the process as soon as it returns, whatever ends it. A store may be used from any
// thread, one call at a time goes through; it must not be used across a fork.
//
// A damaged file is never dropped: it is renamed to FILE.damaged-N, an empty one takes its place, and take_notices()
// says so. A file of another version of the program or of another kind is an error and stays as it is. Every other
// error (no permission, no room, a disk that fails) leaves the store usable: what was not stored can be measured again.
class MeasurementStore {
 public:
  enum class Access {
    kReadWrite,  // the file and its folders are made if they are not there
    kReadOnly,   // nothing is changed: a missing or damaged file is an error
    kSnapshot,   // as kReadOnly, for a moment: where no other process has the file open, nothing is made beside it
  };

  static Result<std::unique_ptr<MeasurementStore>> open(const std::filesystem::path& file,
                                                        Access access = Access::kReadWrite);
  ~MeasurementStore();
  MeasurementStore(const MeasurementStore&) = delete;
  MeasurementStore& operator=(const MeasurementStore&) = delete;

  const std::filesystem::path& file() const;
  // Returns sentences for the user about what happened to the file since the last call: files set aside.
  std::vector<Message> take_notices();

  // Returns what is known of these stages in exactly this set, in order.
  Result<std::vector<std::optional<Measurement>>> find(const MeasurementSet& set, std::span<const StageKey> keys);

  // Adds them, in place of what was known of the same stages; all or none.
  Result<void> append(const MeasurementSet& set, std::span<const Measurement> measurements);
  Result<void> append(const MeasurementSet& set, const Measurement& measurement) {
    return append(set, std::span(&measurement, 1));
  }
  // These note and answer searches that came to their end with the measurements of a set, by a key of what was searched
  // and how: see LatencySource::note_searched(). Pruning forgets them all; they stay where they are when measurements
  // go elsewhere. `stages` is how many it knew then; nothing where it is not noted.
  Result<void> note_search(const MeasurementSet& set, const StageKey& search, std::int64_t stages);
  Result<std::optional<std::int64_t>> noted_search(const MeasurementSet& set, const StageKey& search);

  // These are a MethodKeeper's find() and keep(), for the devices of one Device::methods_key(); `id` is what a user
  // calls the device. Pruning a device, or all, removes them; they stay where they are when measurements go elsewhere.
  Result<std::optional<std::string>> find_choice(const std::string& device, const std::string& problem);
  Result<std::string> keep_choice(const std::string& device, const std::string& id, const std::string& problem,
                                  const std::string& choice);

  // Writes down what stages are, in place of what was known of them; all or none.
  Result<void> describe(std::span<const DescribedStage> stages);

  // Adds those that are not known, or newer than what is known, and what stages are as describe() does; all or none.
  Result<Taken> take_over(const MeasurementSet& set, std::span<const Measurement> measurements,
                          std::span<const DescribedStage> stages = {});
  // Does the same with all of another store's, and with what stages are. The other one is not changed; its damage is an
  // error.
  Result<Taken> merge(const std::filesystem::path& other);

  Result<StoreInfo> info();
  // Visits the selected measurements in the order of sets and keys, each with what its stage is: nothing where that is
  // not known. The visitor must not use this store; its error ends the walk.
  using Visitor = FunctionRef<Result<void>(const MeasurementSet&, const Measurement&, const std::string& features)>;
  Result<void> visit(const MeasurementFilter& selection, Visitor visitor);
  // Visits those alone of which it is known what their stages are.
  Result<void> visit_described(const MeasurementFilter& selection, Visitor visitor);
  Result<std::int64_t> count(const MeasurementFilter& selection);
  // Removes them for good and gives the room back; returns how many. What stages are goes with their last measurement;
  // who removes everything removes what methods devices compute by, too.
  Result<std::int64_t> prune(const MeasurementFilter& selection);

 private:
  struct State;
  explicit MeasurementStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace iosx
