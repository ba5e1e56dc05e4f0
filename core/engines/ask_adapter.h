#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace iosx::engines {

// Starts a Python interpreter. Its standard error goes to the file.
Result<ChildProcess> start_python(const std::string& python, const std::vector<std::string>& arguments,
                                  const std::filesystem::path& errors);

// Starts an adapter. It imports from its own folder, then from the folder of the program's own adapters.
Result<ChildProcess> start_adapter(const std::string& python, const std::filesystem::path& script,
                                   const std::filesystem::path& own_adapters, const std::filesystem::path& errors);

// Sends one request to an adapter and returns its reply, an object with "ok": true. Errors: the text of "error" in a
// reply that is not ok, an invalid reply, the adapter's end, a timeout, a stop. Without a reply the adapter is ended.
Result<nlohmann::json> ask(ChildProcess& adapter, const nlohmann::json& request, Seconds limit, const JobContext& job);

// Writes the program's own adapters into the folder and returns their paths, sorted by name.
Result<std::vector<std::filesystem::path>> write_adapters(const std::filesystem::path& folder);

}  // namespace iosx::engines
