#pragma once

#include <dnnl.hpp>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/cpu/memory.h"

namespace iosx::cpu {

// A convolution in the device's formats and in those that oneDNN likes best, between the same tensors.
struct FormatTrial {
  dnnl::memory::desc source;  // the device's
  dnnl::memory::desc target;
  dnnl::convolution_forward::primitive_desc plain;  // reads and writes these
  dnnl::convolution_forward::primitive_desc own;    // with formats of its own, so that reorders stand around it
  bool residual = false;                            // the target is added to: what is in it is reordered too
};

// Whether an implementation gains enough from other formats for a trial. With AVX-512 oneDNN's channels-last
// convolutions are as fast as its blocked ones; with less they take up to three times as long.
bool may_gain_from_formats(const char* implementation);

// Whether the own formats are faster, reorders included, by more than the noise of a few runs on the calling thread's
// team. In memory from the budget, as it lies in large pages like that of plans: in small ones channels-last formats
// would look up to twice as slow as they are. False where there is none for a trial; nothing where the job was stopped.
std::optional<bool> own_formats_win(const FormatTrial& trial, const dnnl::engine& engine, const dnnl::stream& stream,
                                    MemoryBudget& budget, const JobContext& job);

// What trials found out, by problem and team: which ones gain cannot be said from the sizes alone, as it depends on how
// rows of pixels fall into the caches. Not thread-safe.
class FormatTrials {
 public:
  // False, and not remembered, where `find_out` has no answer.
  bool own_wins(const std::string& problem, FunctionRef<std::optional<bool>()> find_out);

 private:
  std::unordered_map<std::string, bool> won_;
};

}  // namespace iosx::cpu
