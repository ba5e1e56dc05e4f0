#include "core/devices/store/terms.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace iosx::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<FreeSlices, const char*>, 3> kFreeSlices{
    {{FreeSlices::kNever, "never"}, {FreeSlices::kOneSample, "one sample"}, {FreeSlices::kAlways, "always"}}};

Json json_of(const InterStageOverhead::ByWidth& overhead) { return Json{overhead[0].count(), overhead[1].count()}; }

InterStageOverhead::ByWidth overhead_of(const Json& json) {
  return {Millis{json.at(0).get<double>()}, Millis{json.at(1).get<double>()}};
}

bool possible(const InterStageOverhead::ByWidth& overhead) {
  return std::isfinite(overhead[0].count()) && std::isfinite(overhead[1].count()) && overhead[0].count() >= 0 &&
         overhead[1].count() >= 0;
}

bool possible_multiple(std::int64_t channels) { return channels >= 1 && channels <= kMostInputChannelMultiple; }

}  // namespace

Json terms_json(const DeviceTerms& terms) {
  Json json{{"fuse", terms.lowering.fuse}, {"concat_in_place", terms.lowering.concat_in_place}};
  for (const auto& [slices, word] : kFreeSlices) {
    if (slices == terms.lowering.free_slices) json["free_slices"] = word;
  }
  if (terms.lowering.input_channel_multiple > 1) json["input_channel_multiple"] = terms.lowering.input_channel_multiple;
  json["overhead_ms"] =
      Json{json_of(terms.overhead.first), json_of(terms.overhead.between[0]), json_of(terms.overhead.between[1])};
  return json;
}

std::optional<DeviceTerms> parse_terms(const Json& json) {
  try {
    DeviceTerms terms;
    terms.lowering.fuse = json.at("fuse").get<bool>();
    terms.lowering.concat_in_place = json.at("concat_in_place").get<bool>();
    const auto slices = json.at("free_slices").get<std::string>();
    bool known = false;
    for (const auto& [value, word] : kFreeSlices) {
      if (slices != word) continue;
      terms.lowering.free_slices = value;
      known = true;
    }
    terms.lowering.input_channel_multiple = json.value("input_channel_multiple", std::int64_t{1});
    const Json& overhead = json.at("overhead_ms");
    terms.overhead = {.first = overhead_of(overhead.at(0)),
                      .between = {overhead_of(overhead.at(1)), overhead_of(overhead.at(2))}};
    const bool sound =
        possible(terms.overhead.first) && possible(terms.overhead.between[0]) && possible(terms.overhead.between[1]);
    if (known && sound && possible_multiple(terms.lowering.input_channel_multiple)) return terms;
  } catch (const nlohmann::json::exception&) {
    // Of another program: as good as none.
  }
  return std::nullopt;
}

std::optional<DeviceTerms> parse_terms_text(std::string_view text) {
  return parse_terms(Json::parse(text, nullptr, /*allow_exceptions=*/false));
}

}  // namespace iosx::store
