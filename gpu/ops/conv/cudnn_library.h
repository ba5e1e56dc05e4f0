#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/ops/conv/cudnn_descriptor.h"
#include "gpu/ops/conv/cudnn_graph.h"
#include "gpu/ops/conv/problem.h"

namespace iosx::gpu {

// How many plans of a problem are built. Engines that are not listed yet come before further settings of others.
struct PlanLimits {
  std::size_t plans = 16;
  // With Effort::kAll, how many plans to try that are compiled at run time, about a second each: the first proposal for
  // each engine, then compiled_settings(), then further proposals. None where the activation fuses_well() and a
  // precompiled engine uses the tensor cores, if the math allows them, and needs no workspace large enough for copies
  // of tensors.
  std::size_t runtime_compiled = 6;
};

// cuDNN's convolutions and matrix products for one GPU. All plans are CudnnPlans. It skips proposals whose plan cannot
// be built, and engines that round more than the math allows or differ from run to run (keeps_promise()). Transposed
// convolutions have plans only without residual, bias and activation: others take seconds to compile and hide the
// precompiled ones.
class CudnnLibrary final : public KernelLibrary {
 public:
  // Opens the library for an existing GPU. Every call makes it the calling thread's current one. Throws GpuError.
  static std::unique_ptr<CudnnLibrary> open(int device, const PlanLimits& limits = {});
  // Opens it for a GPU that cuDNN's JSON describes (device_description()), without GPU and driver. Its plans can be
  // inspected and stored, not run. Throws GpuError if cuDNN does not understand the description.
  static std::unique_ptr<CudnnLibrary> described(const std::string& json, const PlanLimits& limits = {});

  const std::string& version() const override { return version_; }
  bool fuses(const Activation& activation) const override;
  std::vector<LibraryPlanPtr> plans(const Problem& problem) override;
  LibraryPlanPtr restore(const Problem& problem, const std::string& serialised) override;

 private:
  CudnnLibrary(std::shared_ptr<const CudnnTarget> target, const PlanLimits& limits);

  std::shared_ptr<const CudnnTarget> target_;
  PlanLimits limits_;
  std::string version_;
};

// cuDNN's properties of an engine.
struct EngineNotes {
  bool tensor_cores = false;
  bool converts_inputs = false;    // to a smaller type
  bool reduced_sums = false;       // below float32
  bool transforms = false;         // Winograd or FFT
  bool nondeterministic = false;   // two runs may differ
  bool runtime_compiled = false;   // takes 0.1 to 1 s to build, and needs the driver
  bool reordered_weights = false;  // needs its own order of the filter
};

// Returns whether an engine computes what `math` promises, the same in every run. All sum in float32 and keep the
// inputs' type: half precision has TF32's digits but not its range. Winograd and FFT lose digits in transforms of
// their inputs: with kStrict they could miss 1e-4, and with 16 bits they round the transforms; kTf32 may use them.
bool keeps_promise(const EngineNotes& notes, Math math);

// An engine with all its knobs set.
struct EngineChoice {
  Descriptor config;
  std::int64_t engine = 0;  // its number; meaningful within one version of cuDNN only
  EngineNotes notes;
  std::string knobs;                                           // "TYPE=VALUE …", sorted by type
  std::size_t rank = std::numeric_limits<std::size_t>::max();  // among cuDNN's proposals
};

struct Knob {
  cudnnBackendKnobType_t type = CUDNN_KNOB_TYPE_COUNTS;
  std::int64_t value = 0;
};

// Returns the engine of this number for a graph, set so. Throws GpuError if cuDNN refuses it, before it compiles
// anything.
EngineChoice choose_engine(const CudnnGraph& graph, const CudnnTarget& target, std::int64_t engine,
                           std::span<const Knob> knobs);

// Returns "cuDNN engine 41 (KNOBS), tensor cores", equal for the same choice in every run.
std::string name_of(const EngineChoice& choice);

// Returns cuDNN's proposals for a graph, the best first: those of its heuristics, then its fallbacks, each once.
// If one of the two gave none, `refusal` receives its message.
std::vector<EngineChoice> proposed_engines(const CudnnGraph& graph, const CudnnTarget& target, std::string& refusal);

// A CudnnPlan owns a built plan of cuDNN.
class CudnnPlan final : public LibraryPlan {
 public:
  // Builds the plan, which takes 0.01 ms, or a second where the engine is compiled at run time. Throws GpuError if the
  // engine cannot do it.
  CudnnPlan(const Problem& problem, EngineChoice choice, std::shared_ptr<const CudnnGraph> graph,
            std::shared_ptr<const CudnnTarget> target);
  // Restores the plan from serialised(). Throws GpuError if this library did not write the text.
  CudnnPlan(const Problem& problem, const std::string& serialised, std::shared_ptr<const CudnnTarget> target);

  const Problem& problem() const override { return problem_; }
  const std::string& name() const override { return name_; }
  std::int64_t workspace_bytes() const override { return workspace_bytes_; }
  std::int64_t shared_bytes() const override;  // of a built plan, not a restored one
  std::string serialised() const override;
  bool compiled() const override { return choice_ && choice_->notes.runtime_compiled; }

  // Enqueues it on the handle's stream. The handle belongs to the plan's GPU and is used exclusively meanwhile; the
  // plan may run on several at once. Throws GpuError.
  void execute(cudnnHandle_t handle, const Operands& operands) const;

 private:
  std::string purpose() const;  // of its serialised form
  void read_workspace();

  Problem problem_;
  std::string name_;
  std::int64_t workspace_bytes_ = 0;
  std::shared_ptr<const CudnnTarget> target_;
  std::shared_ptr<const CudnnGraph> graph_;  // the plan refers to it and to its choice; a restored one has neither
  std::optional<EngineChoice> choice_;
  Descriptor plan_;
};

// Returns the version of the loaded library, "cuDNN 9.19.0".
std::string cudnn_version();

}  // namespace iosx::gpu
