#include "core/devices/registry.h"

#include <algorithm>
#include <utility>

namespace iosx {

void DeviceRegistry::add(Entry entry) { entries_.push_back(std::move(entry)); }

const DeviceRegistry::Entry* DeviceRegistry::find(std::string_view id) const {
  const auto at = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.info.id == id; });
  if (at != entries_.end()) return &*at;
  const auto base = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return !entry.unavailable.empty() && id.starts_with(entry.info.id + '-'); });
  return base == entries_.end() ? nullptr : &*base;
}

const DeviceRegistry::Entry* DeviceRegistry::best() const {
  const auto at = std::ranges::find_if(entries_, [](const Entry& entry) { return entry.unavailable.empty(); });
  return at == entries_.end() ? nullptr : &*at;
}

const DeviceRegistry::Entry* DeviceRegistry::best_computing() const {
  const auto at = std::ranges::find_if(
      entries_, [](const Entry& entry) { return entry.unavailable.empty() && entry.info.computes; });
  return at == entries_.end() ? nullptr : &*at;
}

const DeviceRegistry::Entry* DeviceRegistry::reference() const {
  const Entry* entry = find(reference_);
  return entry != nullptr && entry->unavailable.empty() && entry->info.computes ? entry : nullptr;
}

Result<std::unique_ptr<Device>> DeviceRegistry::open(std::string_view id) const {
  const Entry* entry = find(id);
  if (entry == nullptr) {
    std::string known;
    for (const Entry& each : entries_) known += (known.empty() ? "" : ", ") + each.info.id;
    return fail(message("there is no device '{}'", id), {},
                known.empty() ? Message() : message("choose one of {}", known));
  }
  if (!entry->unavailable.empty())
    return fail(message("device '{}' cannot be used: {}", entry->info.id, entry->unavailable));
  return entry->open();
}

}  // namespace iosx
