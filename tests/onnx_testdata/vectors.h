#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/devices/device.h"

// The ONNX project's own test vectors: a folder each, with a model and the outputs that its inputs must give.
namespace iosx::test {

// Of Debian's package libonnx-testdata, or IOS_ONNX_VECTORS, such as what ONNX's backend-test-tools generate; may be
// absent.
std::filesystem::path vectors_folder();

// Folders of one kind ("node", "simple", "real", …), by name.
std::vector<std::filesystem::path> vectors(const std::string& kind);

enum class Verdict { kPassed, kFailed, kNotSupported };

struct Outcome {
  std::string name;  // of the vector
  Verdict verdict = Verdict::kPassed;
  std::string reason;                 // unless it passed
  std::vector<std::string> unlisted;  // operators that this program does not list
};

// Imports the model, runs its sequential schedule and compares every output: |is - wanted| <= 1e-7 + 1e-3 |wanted|, as
// ONNX's own runner does. All inputs are fed at run time if the graph can be executed like that, otherwise the first
// alone, otherwise none: the others are constants that were known while the model was read.
Outcome run_vector(const std::filesystem::path& folder, Device& device);

}  // namespace iosx::test
