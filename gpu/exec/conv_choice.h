#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/exec/step.h"

namespace iosx::gpu {

// A task is a convolution of a plan with everything that a way of computing it needs.
struct ConvTask {
  ConvProblem problem;  // as if everything were fused and written in place
  TensorRef x;
  TensorRef y;
  TensorRef residual;                 // data null: none
  const void* weights = nullptr;      // KRSC; for kDepthwise kernel × channels
  const void* bias = nullptr;         // of the problem's type
  const float* bias_float = nullptr;  // the same numbers, for AffineCall
};

// A ConvWay is one way to compute a ConvTask. All of them compute the same.
struct ConvWay {
  enum class Kind {
    kFused,     // one library plan for everything
    kSeparate,  // a plan without residual and activation or without bias; kernels of ours after it
    kDepthwise  // our own kernel, no library plan
  };
  Kind kind = Kind::kFused;
  ConvPlanPtr plan;           // of the problem that way leaves to the library
  bool dense_input = false;   // x is copied to a dense scratch first
  bool dense_output = false;  // y is computed in a dense scratch and then copied
  std::string name() const;   // unique among the ways of a problem; stable between runs of the program
};

// Returns what ConvWay::name() adds to the name of the library's plan, which is for `problem`; way.plan is not looked
// at.
std::string name_suffix(const ConvWay& way, const ConvProblem& problem);

// Returns the bytes that workspace and dense copies of one task take, each aligned to 256.
std::int64_t scratch_bytes(const ConvWay& way, const ConvTask& task);
// Returns the launches, which use scratch memory of scratch_bytes() (null may stand for 0).
std::vector<Step> steps_of(const ConvWay& way, const ConvTask& task, void* scratch);

// Decides how convolutions are computed.
class ConvChooser {
 public:
  ConvChooser() = default;
  virtual ~ConvChooser() = default;
  ConvChooser(const ConvChooser&) = delete;
  ConvChooser& operator=(const ConvChooser&) = delete;

  // Returns the ways that are worth considering, the fastest first: at least one, otherwise it throws Unsupported. The
  // same problem gets the same answer as long as the chooser lives. The reference holds until the next call.
  virtual const std::vector<ConvWay>& ways(const ConvProblem& problem) = 0;
};

// Keeps the order of candidate_ways(), without any measurement.
class FirstWay final : public ConvChooser {
 public:
  explicit FirstWay(ConvLibrary& library) : library_(library) {}

  const std::vector<ConvWay>& ways(const ConvProblem& problem) override;

 private:
  ConvLibrary& library_;
  std::map<std::string, std::vector<ConvWay>> known_;  // by key_of(problem)
};

}  // namespace iosx::gpu
