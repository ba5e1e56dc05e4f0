#pragma once

#include "core/devices/device.h"
#include "tests/support/prelude.h"

// The ONNX project's own test vectors: a folder each, with a model and the expected outputs for its inputs.
namespace iosx::test {

// From Debian's package libonnx-testdata, or IOS_ONNX_VECTORS, such as the output of ONNX's backend-test-tools; may
// be absent.
std::filesystem::path vectors_folder();

// Returns folders of one kind ("node", "simple", "real", …), sorted by name.
std::vector<std::filesystem::path> vectors(const std::string& kind);

enum class Verdict { kPassed, kFailed, kNotSupported };

struct Outcome {
  std::string name;  // of the vector
  Verdict verdict = Verdict::kPassed;
  std::string reason;                 // unless it passed
  std::vector<std::string> unlisted;  // operators missing in this program's list
};

// Imports the model, runs its sequential schedule and compares every output: |is - wanted| <= 1e-7 + 1e-3 |wanted|,
// like ONNX's own runner. All inputs are fed at run time if the graph is then executable, otherwise only the first,
// otherwise none: the others are constants at import.
Outcome run_vector(const std::filesystem::path& folder, Device& device);

}  // namespace iosx::test
