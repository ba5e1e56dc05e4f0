#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/ops/conv/problem.h"
#include "gpu/ops/kernels/calls.h"

namespace iosx::gpu {

struct LibraryStep {
  LibraryPlanPtr plan;
  Operands operands;
};

// One launch. A kernel of a plan takes one or a few, one after another on its stream.
using Step = std::variant<KernelCall, LibraryStep>;

// A convolution of a plan with all data that a way to compute it needs.
struct ConvTask {
  ConvProblem problem;  // with everything fused and written in place
  TensorRef x;
  TensorRef y;
  TensorRef residual;                 // data null: none
  const void* weights = nullptr;      // KRSC; for kDepthwise kernel × channels
  const void* bias = nullptr;         // in the problem's type
  const float* bias_float = nullptr;  // the same numbers, for AffineCall
};

// Matrix products of a plan. The axes before the last two fold into one.
struct MatMulTask {
  MatMulProblem problem;
  TensorRef a;  // all of one rank, repeated with strides of 0
  TensorRef b;
  TensorRef y;
};

// Attention of a plan. The data of the scores is null: they lie in scratch memory.
struct AttentionTask {
  AttentionProblem problem;
  MatMulTask scores;
  MatMulTask context;
};

using Task = std::variant<ConvTask, MatMulTask, AttentionTask>;

// One way to compute a task. All ways compute the same.
struct Way {
  enum class Kind {
    kFused,      // one library plan for everything
    kSeparate,   // a plan without residual and activation, or without bias; our own kernels follow
    kDepthwise,  // our own kernel, no library plan
    kProduct,    // the same of matrices
    kSteps       // attention by its products, with a kernel of ours between them
  };
  Kind kind = Kind::kFused;
  LibraryPlanPtr plan;          // for the library's share of the problem
  bool dense_input = false;     // before(x) is first written to dense scratch memory
  bool dense_output = false;    // y is computed in dense scratch memory and then copied
  std::vector<Way> parts = {};  // of kSteps: the ways of both products
  std::string name() const;     // unique among the ways of a problem; the same in every run of the program
};

// Returns the bytes of a task's workspace and dense copies, each aligned to 256.
std::int64_t scratch_bytes(const Way& way, const Task& task);
// Returns the launches; they use scratch_bytes() of scratch memory (null is valid for 0).
std::vector<Step> steps_of(const Way& way, const Task& task, void* scratch);

// Chooses how convolutions and matrix products are computed.
class WayChooser : public Interface {
 public:
  // Returns the ways worth considering, the fastest first: at least one, otherwise it throws Unsupported. Equal
  // problems get equal answers while the chooser lives. The reference is valid until the next call.
  virtual const std::vector<Way>& ways(const Problem& problem) = 0;
};

// Keeps the order of candidate_ways() and measures nothing: the library's attention comes before its steps.
class FirstWay final : public WayChooser {
 public:
  explicit FirstWay(KernelLibrary& library) : library_(library) {}

  const std::vector<Way>& ways(const Problem& problem) override;

 private:
  KernelLibrary& library_;
  std::map<std::string, std::vector<Way>> known_;  // by key_of(problem)
};

// Returns every way to compute a problem that may be worth measuring, likely fast ones first: our own kernel for a
// depthwise convolution; the library's plans with as much fused as possible; the same on dense copies of slices and of
// badly aligned pixels; our own kernel for matrices; attention in steps, each in the first of the chooser's ways.
// Throws Unsupported if there is none.
std::vector<Way> candidate_ways(const Problem& problem, KernelLibrary& library, WayChooser& chooser);

// The same with the library's first plans for the steps.
inline std::vector<Way> candidate_ways(const Problem& problem, KernelLibrary& library) {
  FirstWay first(library);
  return candidate_ways(problem, library, first);
}

// Restores the way of this name, with its library plan from LibraryPlan::serialised() (empty without one). Returns
// none if the library rejects the plan, or the chooser now has other ways for the steps.
std::optional<Way> restored_way(const Problem& problem, std::string_view name, const std::string& plan,
                                KernelLibrary& library, WayChooser& chooser);
inline std::optional<Way> restored_way(const Problem& problem, std::string_view name, const std::string& plan,
                                       KernelLibrary& library) {
  FirstWay first(library);
  return restored_way(problem, name, plan, library, first);
}

}  // namespace iosx::gpu
