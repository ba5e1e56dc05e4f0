#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/measure/store/measurement.h"

// Terms written down as JSON: {"fuse": …, "concat_in_place": …, "free_slices": "never", "gaps_ms": [[…, …], …]}, and
// "input_channels" if they are more than 1; the gaps before the first stage and after a stage of one lane and of several, each by what follows.
namespace iosx::store {

nlohmann::ordered_json terms_json(const DeviceTerms& terms);
// Empty for what terms_json() did not write. Throws nothing.
std::optional<DeviceTerms> parse_terms(const nlohmann::ordered_json& json);
std::optional<DeviceTerms> parse_terms_text(std::string_view text);

}  // namespace iosx::store
