#include "core/devices/registry.h"

#include <algorithm>
#include <utility>

namespace iosx {

namespace {

bool can_be_used(const DeviceRegistry::Entry& entry) { return entry.unavailable.empty(); }

}  // namespace

void DeviceRegistry::add(Entry entry) {
  const std::scoped_lock lock(state_->mutex);
  auto made = std::make_unique<const Entry>(std::move(entry));
  const auto same =
      std::ranges::find_if(state_->entries, [&](const auto& each) { return each->info.id == made->info.id; });
  if (same == state_->entries.end()) return state_->entries.push_back(std::move(made));
  state_->gone.push_back(std::exchange(*same, std::move(made)));
}

void DeviceRegistry::remove(std::string_view id) {
  const std::scoped_lock lock(state_->mutex);
  const auto found = std::ranges::find_if(state_->entries, [&](const auto& each) { return each->info.id == id; });
  if (found == state_->entries.end()) return;
  state_->gone.push_back(std::move(*found));
  state_->entries.erase(found);
}

std::vector<const DeviceRegistry::Entry*> DeviceRegistry::entries() const {
  const std::scoped_lock lock(state_->mutex);
  std::vector<const Entry*> all;
  for (const auto& entry : state_->entries) all.push_back(entry.get());
  return all;
}

const DeviceRegistry::Entry* DeviceRegistry::find(std::string_view id) const {
  const Entry* base = nullptr;
  for (const Entry* const entry : entries()) {
    if (entry->info.id == id) return entry;
    if (base == nullptr && !can_be_used(*entry) && id.starts_with(entry->info.id + '-')) base = entry;
  }
  return base;
}

const DeviceRegistry::Entry* DeviceRegistry::best() const {
  for (const Entry* const entry : entries()) {
    if (can_be_used(*entry)) return entry;
  }
  return nullptr;
}

const DeviceRegistry::Entry* DeviceRegistry::best_computing() const {
  for (const Entry* const entry : entries()) {
    if (can_be_used(*entry) && entry->info.computes && !entry->by_workers) return entry;
  }
  return nullptr;
}

void DeviceRegistry::set_reference(std::string id) {
  const std::scoped_lock lock(state_->mutex);
  state_->reference = std::move(id);
}

const DeviceRegistry::Entry* DeviceRegistry::reference() const {
  std::string id;
  {
    const std::scoped_lock lock(state_->mutex);
    id = state_->reference;
  }
  const Entry* const entry = find(id);
  return entry != nullptr && can_be_used(*entry) && entry->info.computes ? entry : nullptr;
}

Result<std::unique_ptr<Device>> DeviceRegistry::open(std::string_view id) const {
  const Entry* entry = find(id);
  if (entry == nullptr) {
    std::string known;
    for (const Entry* const each : entries()) known += (known.empty() ? "" : ", ") + each->info.id;
    return fail(message("there is no device '{}'", id), {},
                known.empty() ? Message() : message("choose one of {}", known));
  }
  if (!entry->unavailable.empty())
    return fail(message("device '{}' cannot be used: {}", entry->info.id, entry->unavailable));
  return entry->open();
}

}  // namespace iosx
