#pragma once

#include <dnnl.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/devices/cpu/memory.h"
#include "core/devices/method_keeper.h"
#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"

namespace iosx::cpu {

enum class ConvolutionWay {
  kPlain,       // by oneDNN in the device's formats
  kOwnFormats,  // by oneDNN in those that it likes best, reorders around it
  kWinograd,    // by a kernel of our own (kernels/winograd.h)
};

// These are the ways' names, as they are kept: "plain", "own formats", "winograd".
std::string_view name_of(ConvolutionWay way);

// Holds the ways to compute a convolution between the same tensors.
struct ConvolutionTrial {
  TensorRef source;  // dense; where they lie does not matter
  TensorRef target;
  dnnl::convolution_forward::primitive_desc plain;               // reads and writes these
  std::optional<dnnl::convolution_forward::primitive_desc> own;  // with formats of its own, if it contends
  const Conv* winograd = nullptr;                                // what the kernel of our own computes, if it contends
  bool residual = false;                                         // the target is added to
};

// Says whether an implementation may gain enough from other formats for a trial. With AVX-512 oneDNN's channels-last
// convolutions are as fast as its blocked ones; with less they take up to three times as long.
bool may_gain_from_formats(const char* implementation);

// Returns the way that is faster than the plain one, reorders included, by more than the noise of a few runs on the
// calling thread's team. The trial runs in memory from the budget, as it lies in large pages like that of plans: in
// small ones channels-last formats would look up to twice as slow as they are. There is no answer without room for a
// trial, and where the job was stopped.
std::optional<ConvolutionWay> fastest_way(const ConvolutionTrial& trial, const dnnl::engine& engine,
                                          const dnnl::stream& stream, MemoryBudget& budget, const JobContext& job);

// Decides by problem: which way is fastest cannot be said from the sizes alone, as it depends on how rows of pixels
// fall into the caches. Ways round differently, so what a trial found out once counts for teams of any size, and where
// there is a keeper in later runs too. It is not thread-safe.
class ConvolutionTrials {
 public:
  // Returns the way that is remembered or kept, else what `find_out` answers; plain, and not remembered, where that has
  // no answer. Without a keeper nothing is tried: `rule` is the way.
  ConvolutionWay way(const std::string& problem, ConvolutionWay rule,
                     FunctionRef<std::optional<ConvolutionWay>()> find_out);

  // Forgets what it knows: what is kept counts from here on.
  void set_keeper(std::unique_ptr<MethodKeeper> keeper);

  // From here on no trials are made: this way counts, where a convolution can be computed so.
  void decide(ConvolutionWay way) { decided_ = way; }
  std::optional<ConvolutionWay> decided() const { return decided_; }

 private:
  std::optional<ConvolutionWay> decided_;
  std::unique_ptr<MethodKeeper> keeper_;
  std::unordered_map<std::string, ConvolutionWay> found_;
};

}  // namespace iosx::cpu
