#include <pybind11/stl.h>

#include <filesystem>
#include <system_error>

#include "app/python/values.h"
#include "core/devices/store/measurement_store.h"

namespace iosx::python {
namespace {

// Returns the store of an option, for reading; null where the usual place has none.
std::unique_ptr<MeasurementStore> store_of(const Options& options) {
  const StoreChoice choice = store_choice(options);
  const std::filesystem::path file = take(choice.place.path());
  std::error_code ignored;
  if (!choice.named && !std::filesystem::exists(file, ignored)) return nullptr;
  return take(MeasurementStore::open(file, MeasurementStore::Access::kReadOnly));
}

// Returns a row for each set of measurements: what iosx store list shows.
py::list list_sets(const py::dict& values) {
  py::list sets;
  const auto store = store_of(Options(values));
  if (store == nullptr) return sets;
  for (const SetInfo& info : take(store->info()).sets) {
    py::dict row;
    row["device"] = info.set.device_id;
    row["name"] = info.set.device_name;
    row["origin"] = origin_name(info.set.origin);
    row["fingerprint"] = info.set.fingerprint;
    row["batch"] = info.set.batch;
    row["precision"] = info.set.precision;
    row["measurements"] = info.measurements;
    row["first"] = date_text(info.first);
    row["last"] = date_text(info.last);
    sets.append(std::move(row));
  }
  return sets;
}

// Takes over what another store has and this one does not; returns how many measurements that were.
std::int64_t merge(const std::string& other, const py::dict& values) {
  const Options options(values);
  const std::filesystem::path file = take(store_choice(options).place.path());
  const OtherThreads others;
  return take(take(MeasurementStore::open(file))->merge(other)).taken;
}

}  // namespace

void bind_stores(py::module_& module) {
  module.def("store_file",
             [](const py::dict& values) { return take(store_choice(Options(values)).place.path()).string(); });
  module.def("store_sets", &list_sets);
  module.def("store_merge", &merge);
}

}  // namespace iosx::python
