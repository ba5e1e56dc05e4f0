#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace iosx::engines {

// Starts an interpreter. Its standard error goes to the file.
Result<ChildProcess> start_python(const std::string& python, const std::vector<std::string>& arguments,
                                  const std::filesystem::path& errors);

// Starts an adapter, which imports what lies beside it, then what the folder of the program's own adapters has.
Result<ChildProcess> start_adapter(const std::string& python, const std::filesystem::path& script,
                                   const std::filesystem::path& own_adapters, const std::filesystem::path& errors);

// Says one thing to an adapter and returns its answer, an object with "ok": true. Errors: what it says in "error" of
// one that is not ok, an answer that is none, that it ended, took too long, or a stop. Unless it answered, it is ended.
Result<nlohmann::json> ask(ChildProcess& adapter, const nlohmann::json& request, Seconds limit, const JobContext& job);

// Writes the program's own adapters into the folder and returns their paths, by name.
Result<std::vector<std::filesystem::path>> write_adapters(const std::filesystem::path& folder);

}  // namespace iosx::engines
