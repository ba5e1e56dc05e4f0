#pragma once

#include <QString>
#include <vector>

#include "core/devices/registry.h"

namespace iosx {

// A card and how it computes: one device of the registry for each.
struct DeviceCard {
  QString name;  // "H200-SXM"
  std::vector<const DeviceRegistry::Entry*> variants;
};

// Returns the card of a device's name: "H200-SXM" of "H200-SXM, float16", "CPU" of "CPU (Intel Xeon)".
QString card_name(const std::string& device_name);
// Returns the rest of it, "float16"; all of it where the card has one way to compute.
QString variant_name(const DeviceCard& card, const DeviceRegistry::Entry& device);
// Groups devices, in their order, by their cards.
std::vector<DeviceCard> cards_of(const std::vector<const DeviceRegistry::Entry*>& devices);

}  // namespace iosx
