#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "gpu/profile/cupti_library.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

// Samples GPU number `device` with CUPTI's PM sampling.
Result<std::unique_ptr<Sampler>> open_cupti_sampler(const CuptiLibrary& library, int device,
                                                    const Properties& properties, Micros interval);

// The outcome of decoding the hardware's output once.
struct DecodingEnd {
  bool all = false;       // everything was read
  bool overflow = false;  // samples may be missing
};
// `samples` is the number of new ones. CUPTI may stop for reasons that it does not name ("other"): without new
// samples that is the end, and no sign of missing ones.
DecodingEnd decoding_end(CUpti_PmSampling_DecodeStopReason reason, bool overflow, std::size_t samples);

// A hardware counter.
struct Metric {
  enum class Peak { kUnknown, kHundred, kWarpSlots };

  const char* cupti = "";  // CUPTI's name
  const char* name = "";   // in a trace
  const char* unit = "";
  double scale = 1;  // from CUPTI's unit
  Peak peak = Peak::kHundred;
};

// The part of CUPTI's sampling that needs neither GPU nor driver: the metrics that a kind of GPU can read in one
// pass, the image that configures them, and the decoding of samples.
class SamplingConfig {
 public:
  // `chip` is CUPTI's name, "GH100"; `availability` is the GPU's own image of its counters, or empty. Returns an
  // error where no set of metrics fits a single pass.
  static Result<SamplingConfig> make(const CuptiLibrary& library, const std::string& chip,
                                     std::vector<std::uint8_t> availability);

  const std::vector<Metric>& metrics() const { return metrics_; }
  const std::vector<const char*>& names() const { return names_; }   // CUPTI's metric names
  const std::vector<std::uint8_t>& image() const { return image_; }  // must outlive the sampling
  // Computes the metrics of one sample, in CUPTI's units.
  CUptiResult evaluate(const std::vector<std::uint8_t>& counter_data, std::size_t sample,
                       std::vector<double>& values) const;

 private:
  class Host {  // ends it
   public:
    explicit Host(const CuptiLibrary& library) : library_(&library) {}
    void operator()(CUpti_Profiler_Host_Object* object) const;

   private:
    const CuptiLibrary* library_;
  };

  SamplingConfig(const CuptiLibrary& library, std::vector<std::uint8_t> availability)
      : library_(&library), availability_(std::move(availability)), host_(nullptr, Host(library)) {}
  // Returns the number of passes; an error where the chip does not know a metric.
  Result<std::size_t> configure(const std::string& chip, const std::vector<Metric>& metrics);

  const CuptiLibrary* library_;
  std::vector<std::uint8_t> availability_;
  std::vector<Metric> metrics_;
  std::vector<const char*> names_;
  std::vector<std::uint8_t> image_;
  std::unique_ptr<CUpti_Profiler_Host_Object, Host> host_;
};

// Makes a zeroed parameter block of CUPTI with its size set. The macro knows the size by the type's name.
#define IOS_CUPTI_BLOCK(type) cupti_block<type>(type##_STRUCT_SIZE)
template <typename T>
T cupti_block(std::size_t size) {
  T block{};
  block.structSize = size;
  return block;
}

}  // namespace iosx::gpu
