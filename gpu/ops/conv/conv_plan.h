#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/ops/conv/conv_problem.h"

namespace iosx::gpu {

// Device addresses; null where the problem has no such operand. x, w, bias and residual are only read.
struct ConvOperands {
  const void* x = nullptr;
  const void* weights = nullptr;  // dense
  const void* bias = nullptr;     // of the problem's data type
  const void* residual = nullptr;
  void* y = nullptr;
  void* workspace = nullptr;  // of the plan's workspace_bytes, aligned to 256; not shared with concurrent work
};

// A library's way to compute a problem. It is immutable and thread-safe.
class ConvPlan {
 public:
  ConvPlan() = default;
  virtual ~ConvPlan() = default;
  ConvPlan(const ConvPlan&) = delete;
  ConvPlan& operator=(const ConvPlan&) = delete;

  virtual const ConvProblem& problem() const = 0;
  virtual const std::string& name() const = 0;  // "cuDNN engine 41, tensor cores"; unique among the plans of a problem
  virtual std::int64_t workspace_bytes() const = 0;
  // Returns the shared memory of a thread block in bytes, which leaves neighbours less; 0: the library does not tell.
  virtual std::int64_t shared_bytes() const { return 0; }
  // Returns the data for ConvLibrary::restore(); empty if the plan cannot be stored.
  virtual std::string serialised() const = 0;
  // Returns whether it was compiled when it was built.
  virtual bool compiled() const { return false; }
};

using ConvPlanPtr = std::shared_ptr<const ConvPlan>;

// How much time a library may spend on the plans of a problem. Some plans are compiled when they are built, which
// takes half a second or more each.
enum class Effort {
  kQuick,  // the first plan that builds without compilation
  kAll
};

class TrialLog;

// Computes convolutions on one device. It is not thread-safe.
class ConvLibrary {
 public:
  ConvLibrary() = default;
  virtual ~ConvLibrary() = default;
  ConvLibrary(const ConvLibrary&) = delete;
  ConvLibrary& operator=(const ConvLibrary&) = delete;

  // Returns "cuDNN 9.19.0". Plans of other versions are not restored.
  virtual const std::string& version() const = 0;
  // Returns whether the activation can be part of a problem. Others need a kernel of their own.
  virtual bool fuses(const Activation& activation) const = 0;
  void set_effort(Effort effort) { effort_ = effort; }
  Effort effort() const { return effort_; }
  // Records plans that are built or run for the first time, and skips those that ended a process; null: no log. The log
  // must outlive this.
  void set_trials(TrialLog* trials) { trials_ = trials; }
  TrialLog* trials() const { return trials_; }
  // Returns the plans that this effort can build, in the library's order of preference. Empty if there are none, for
  // example for an unsupported alignment or type.
  virtual std::vector<ConvPlanPtr> plans(const ConvProblem& problem) = 0;
  // Returns null if the text is of another library version or device, or is damaged.
  virtual ConvPlanPtr restore(const ConvProblem& problem, const std::string& serialised) = 0;
  // Returns the library's last reason for a refusal, for messages where nothing could be built.
  const std::string& refusal() const { return refusal_; }

 protected:
  void set_refusal(std::string words) { refusal_ = std::move(words); }

 private:
  std::string refusal_;
  Effort effort_ = Effort::kAll;
  TrialLog* trials_ = nullptr;
};

}  // namespace iosx::gpu
