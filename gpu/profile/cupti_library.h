#pragma once

#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace iosx::gpu {

// Holds CUPTI's functions, found when they are first wanted: a program that does not profile needs no CUPTI. The
// library stays loaded.
struct CuptiLibrary {
  decltype(&cuptiGetVersion) get_version;
  decltype(&cuptiGetResultString) get_result_string;
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiUnsubscribe) unsubscribe;
  decltype(&cuptiEnableCallback) enable_callback;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityEnable) activity_enable;
  decltype(&cuptiActivityDisable) activity_disable;
  decltype(&cuptiActivityFlushAll) flush_all;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records;
  decltype(&cuptiGetGraphNodeId) graph_node_id;
  decltype(&cuptiProfilerInitialize) profiler_initialize;
  decltype(&cuptiProfilerDeInitialize) profiler_deinitialize;
  decltype(&cuptiProfilerDeviceSupported) device_supported;
  decltype(&cuptiDeviceGetChipName) chip_name;
  decltype(&cuptiProfilerHostInitialize) host_initialize;
  decltype(&cuptiProfilerHostDeinitialize) host_deinitialize;
  decltype(&cuptiProfilerHostConfigAddMetrics) add_metrics;
  decltype(&cuptiProfilerHostGetConfigImageSize) config_image_size;
  decltype(&cuptiProfilerHostGetConfigImage) config_image;
  decltype(&cuptiProfilerHostGetNumOfPasses) number_of_passes;
  decltype(&cuptiProfilerHostEvaluateToGpuValues) evaluate;
  decltype(&cuptiPmSamplingGetCounterAvailability) counter_availability;
  decltype(&cuptiPmSamplingEnable) sampling_enable;
  decltype(&cuptiPmSamplingDisable) sampling_disable;
  decltype(&cuptiPmSamplingSetConfig) sampling_config;
  decltype(&cuptiPmSamplingStart) sampling_start;
  decltype(&cuptiPmSamplingStop) sampling_stop;
  decltype(&cuptiPmSamplingDecodeData) decode;
  decltype(&cuptiPmSamplingGetCounterDataSize) counter_data_size;
  decltype(&cuptiPmSamplingCounterDataImageInitialize) initialize_counter_data;
  decltype(&cuptiPmSamplingGetCounterDataInfo) counter_data_info;
  decltype(&cuptiPmSamplingCounterDataGetSampleInfo) sample_info;

  // Looks where IOS_CUPTI says (the library or its folder), then among the system's libraries, then in `folders`. The
  // error says what was tried and where CUPTI comes from. The first success is kept for good.
  //
  // Without a driver it is refused, because CUPTI 13.2, whatever it is asked then, looks for one in a recursion that
  // ends the process. `host_side`: open it all the same, for what an older one can do without; its version is then not
  // known.
  static Result<const CuptiLibrary*> open(const std::vector<std::filesystem::path>& folders, bool host_side = false);

  // Returns the error that a result other than success stands for, with what to do about it.
  Error explain(CUptiResult result, const char* function) const;
};

// Returns where CUDA's toolkit and its Python packages keep CUPTI on this computer.
std::vector<std::filesystem::path> cupti_folders();

// Says what to do about a result; empty: nothing is known.
Message cupti_remedy(CUptiResult result);

}  // namespace iosx::gpu
