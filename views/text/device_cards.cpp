#include "views/text/device_cards.h"

#include <algorithm>

#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

const QString kVariant = QStringLiteral(", ");

// Returns where the card's name ends.
qsizetype end_of_card(const QString& name) {
  const qsizetype variant = name.indexOf(kVariant);
  const qsizetype maker = name.indexOf(QStringLiteral(" ("));
  if (variant < 0 || maker < 0) return std::max(variant, maker);
  return std::min(variant, maker);
}

}  // namespace

QString card_name(const std::string& device_name) {
  const QString name = shown_name(device_name);
  return name.left(end_of_card(name));  // all of it without an end
}

QString variant_name(const DeviceCard& card, const DeviceRegistry::Entry& device) {
  const QString name = shown_name(device.info.name);
  const bool several = card.variants.size() > 1 && name.startsWith(card.name + kVariant);
  return several ? name.mid(card.name.size() + kVariant.size()) : name;
}

std::vector<DeviceCard> cards_of(const std::vector<const DeviceRegistry::Entry*>& devices) {
  std::vector<DeviceCard> cards;
  for (const DeviceRegistry::Entry* const device : devices) {
    const QString name = card_name(device->info.name);
    auto card = std::ranges::find(cards, name, &DeviceCard::name);
    if (card == cards.end()) card = cards.insert(cards.end(), {name, {}});
    card->variants.push_back(device);
  }
  return cards;
}

}  // namespace iosx
