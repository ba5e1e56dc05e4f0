#pragma once

#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/conv/problem.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {

// A library whose plans HostRuntime computes by plain loops. Every problem has the engines 1 (no workspace) and 2 (a
// workspace of 4096 bytes), unless `refuses` excludes them.
class HostConvolutions final : public KernelLibrary {
 public:
  struct Options {
    bool slices = true;       // accepts pitches other than the channels
    bool residuals = true;    // fuses residuals
    bool activations = true;  // fuses them, of inputs too
    bool products = true;     // multiplies matrices
    bool attention = true;    // computes it
  };
  HostConvolutions() : HostConvolutions(Options{}) {}
  explicit HostConvolutions(Options options) : options_(options) {}

  const std::string& version() const override { return version_; }
  bool fuses(const Activation& activation) const override;
  std::vector<LibraryPlanPtr> plans(const Problem& problem) override;
  LibraryPlanPtr restore(const Problem& problem, const std::string& serialised) override;

  int asked = 0;  // calls of plans()

 private:
  bool takes(const ConvProblem& problem) const;

  Options options_;
  std::string version_ = "host 1";
};

// Compute y of the problem: elements are converted from and to its type, sums are double.
void compute(const Problem& problem, const Operands& operands);
void convolve(const ConvProblem& problem, const Operands& operands);

// Element `index` of an array of the type, straight from the definition of the formats.
float load(const void* data, DataType type, std::int64_t index);
void store(void* data, DataType type, std::int64_t index, float value);

}  // namespace iosx::gpu::test
