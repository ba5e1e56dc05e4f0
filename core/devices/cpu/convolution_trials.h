#pragma once

#include <cstdint>
#include <dnnl.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/devices/cpu/memory.h"
#include "core/devices/device.h"
#include "core/model/graph/attributes.h"
#include "core/model/graph/parameters.h"
#include "core/model/layout/tensor_ref.h"

namespace iosx::cpu {

enum class ConvolutionWay {
  kPlain,       // by oneDNN in the device's formats
  kOwnFormats,  // by oneDNN in its preferred formats, with reorders before and after
  kWinograd,    // by the program's own kernel (kernels/winograd.h)
};

// The names in the store: "plain", "own formats", "winograd".
std::string_view name_of(ConvolutionWay way);

// The ways to compute one convolution between the same tensors.
struct ConvolutionTrial {
  TensorRef source;  // dense, at any address
  TensorRef target;
  dnnl::convolution_forward::primitive_desc plain;               // in the device's formats
  std::optional<dnnl::convolution_forward::primitive_desc> own;  // in oneDNN's formats, if a candidate
  const Conv* winograd = nullptr;                                // for the program's own kernel, if a candidate
  bool residual = false;                                         // adds to the target
};

// Returns whether other formats may gain enough for a trial. With AVX-512 oneDNN's channels-last convolutions are as
// fast as its blocked ones; without it they take up to three times as long.
bool may_gain_from_formats(const char* implementation);

// Returns the way that, reorders included, beats the plain one by more than the noise of a few runs on the calling
// thread's team. Trial memory comes from the budget and lies in large pages like a plan's: in small pages
// channels-last formats would look up to twice as slow. Returns none where memory for a trial is missing or the job
// was stopped.
std::optional<ConvolutionWay> fastest_way(const ConvolutionTrial& trial, const dnnl::engine& engine,
                                          const dnnl::stream& stream, MemoryBudget& budget, const JobContext& job);

// Chooses a way per convolution problem. Sizes alone do not tell the fastest way, because it depends on how rows of
// pixels fall into the caches. Ways round differently, so a choice holds for teams of any size and, with a keeper, for
// later runs. It is not thread-safe.
class ConvolutionTrials {
 public:
  // Returns the remembered or kept way, else the result of `find_out`; kPlain, not remembered, where that has none.
  // Without a keeper it tries nothing and returns `rule`.
  ConvolutionWay way(const std::string& problem, ConvolutionWay rule,
                     FunctionRef<std::optional<ConvolutionWay>()> find_out);

  // Forgets all choices and takes those of the keeper.
  void set_keeper(std::unique_ptr<MethodKeeper> keeper);

  // Ends trials: all convolutions that can be computed this way use it.
  void decide(ConvolutionWay way) { decided_ = way; }
  std::optional<ConvolutionWay> decided() const { return decided_; }

 private:
  std::optional<ConvolutionWay> decided_;
  std::unique_ptr<MethodKeeper> keeper_;
  std::unordered_map<std::string, ConvolutionWay> found_;
};

// Returns the error of winograd() with these weights of out channels × in channels × 3 × 3: the largest error in an
// output tile for made-up inputs (of both signs, and of one) against sums in double precision, relative to the largest
// output. Transforms of large weights that cancel lose digits that a direct sum keeps.
double winograd_error(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels);

// Remembers per layer whether Winograd's method is accurate enough for its weights. It is not thread-safe.
class WinogradLayers {
 public:
  // Calls `find_out` once for the convolution that these operators form.
  bool accurate(const std::shared_ptr<const Parameters>& parameters, std::span<const OperatorId> operators,
                FunctionRef<bool()> find_out);

 private:
  using Known = std::map<std::vector<OperatorId>, bool>;
  std::map<std::weak_ptr<const Parameters>, Known, std::owner_less<>> known_;
};

}  // namespace iosx::cpu
