#pragma once

#include <filesystem>
#include <string>

#include "core/engines/engine.h"

namespace iosx::test {

// Returns whether there is a Python interpreter, which adapters need; tests skip without one.
bool has_python();

// Writes an adapter of made-up engines into the folder. It needs no package. The ids describe the engines:
//   right        computes as ComputingDevice: element i of every output is the sum of all inputs and i + 1; takes 2 ms
//   slow         the same in 9 ms
//   wrong        has another first element
//   absent       is not installed: "pip install made-up"
//   refuses      cannot be loaded, and says why
//   dies         ends when it is timed the second time
//   hangs        never answers when it is loaded
//   mumbles      answers what is no answer
//   quiet        has no profile; else as right
//   gpu-only     runs on "cuda" alone
// All but quiet have the profile of two operators, "a" and "b + c".
void write_made_up_engines(const std::filesystem::path& folder);

// Returns the settings to find only those with these ids.
EngineSettings made_up_engines(const std::filesystem::path& folder, std::vector<std::string> ids);

}  // namespace iosx::test
