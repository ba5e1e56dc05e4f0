#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/devices/store/measurement.h"

// Terms written down as JSON: {"fuse": …, "concat_in_place": …, "free_slices": "never", "overhead_ms": [[…, …], …]},
// with "input_channel_multiple" where it is more than 1. The overheads are those before the first stage and after a
// stage of one lane and of several, each by what follows.
namespace iosx::store {

nlohmann::ordered_json terms_json(const DeviceTerms& terms);
// Empty for what terms_json() did not write. Throws nothing.
std::optional<DeviceTerms> parse_terms(const nlohmann::ordered_json& json);
std::optional<DeviceTerms> parse_terms_text(std::string_view text);

}  // namespace iosx::store
