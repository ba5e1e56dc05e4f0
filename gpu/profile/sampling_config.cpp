#include "gpu/profile/sampling_config.h"

#include <fmt/format.h>

#include <utility>

namespace iosx::gpu {

void SamplingConfig::Host::operator()(CUpti_Profiler_Host_Object* object) const {
  auto block =
      cupti_block<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
  block.pHostObject = object;
  library_->host_deinitialize(&block);
}

Result<SamplingConfig> SamplingConfig::make(const CuptiLibrary& library, const std::string& chip,
                                            std::vector<std::uint8_t> availability) {
  SamplingConfig config(library, std::move(availability));
  std::string why;
  for (const std::vector<Metric>& metrics : metric_sets()) {
    const auto passes = config.configure(chip, metrics);
    if (passes && *passes == 1) return config;
    if (!why.empty()) why += "; ";
    why += passes ? fmt::format("{} passes", *passes) : passes.error().what.text();
  }
  return fail(message("no set of counters can be sampled on {}: {}", chip, why), "profiling",
              cupti_remedy(CUPTI_ERROR_NOT_SUPPORTED));
}

Result<std::size_t> SamplingConfig::configure(const std::string& chip, const std::vector<Metric>& metrics) {
  metrics_ = metrics;
  names_.clear();
  for (const Metric& metric : metrics_) names_.push_back(metric.cupti);
  const auto check = [this](CUptiResult result, const char* function) -> Result<void> {
    if (result == CUPTI_SUCCESS) return {};
    return tl::unexpected(library_->explain(result, function));
  };
  host_.reset();
  auto host = cupti_block<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
  host.profilerType = CUPTI_PROFILER_TYPE_PM_SAMPLING;
  host.pChipName = chip.c_str();
  host.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
  IOS_TRY(check(library_->host_initialize(&host), "cuptiProfilerHostInitialize"));
  host_.reset(host.pHostObject);
  auto add =
      cupti_block<CUpti_Profiler_Host_ConfigAddMetrics_Params>(CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
  add.pHostObject = host_.get();
  add.ppMetricNames = names_.data();
  add.numMetrics = names_.size();
  IOS_TRY(check(library_->add_metrics(&add), "cuptiProfilerHostConfigAddMetrics"));
  auto size = cupti_block<CUpti_Profiler_Host_GetConfigImageSize_Params>(
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
  size.pHostObject = host_.get();
  IOS_TRY(check(library_->config_image_size(&size), "cuptiProfilerHostGetConfigImageSize"));
  image_.assign(size.configImageSize, 0);
  auto image =
      cupti_block<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
  image.pHostObject = host_.get();
  image.configImageSize = image_.size();
  image.pConfigImage = image_.data();
  IOS_TRY(check(library_->config_image(&image), "cuptiProfilerHostGetConfigImage"));
  auto passes =
      cupti_block<CUpti_Profiler_Host_GetNumOfPasses_Params>(CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  passes.configImageSize = image_.size();
  passes.pConfigImage = image_.data();
  IOS_TRY(check(library_->number_of_passes(&passes), "cuptiProfilerHostGetNumOfPasses"));
  return passes.numOfPasses;
}

CUptiResult SamplingConfig::evaluate(const std::vector<std::uint8_t>& counter_data, std::size_t sample,
                                     std::vector<double>& values) const {
  values.assign(names_.size(), 0);
  auto block = cupti_block<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
  block.pHostObject = host_.get();
  block.pCounterDataImage = counter_data.data();
  block.counterDataImageSize = counter_data.size();
  block.rangeIndex = sample;
  block.ppMetricNames = const_cast<const char**>(names_.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  block.numMetrics = names_.size();
  block.pMetricValues = values.data();
  return library_->evaluate(&block);
}

}  // namespace iosx::gpu
