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

// CUPTI's functions, loaded on first use: a program that does not profile needs no CUPTI. The library stays
// loaded.
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

  // Looks for the library where IOS_CUPTI says (the library or its folder), then among the system's libraries, then
  // in `folders`. The error lists the attempts and says where to get CUPTI. The first success is kept for good.
  //
  // Without a driver it returns an error, because every call of CUPTI 13.2 then searches for one in a recursion that
  // ends the process. `host_side` opens it all the same, for what an older version can do without a driver; its
  // version is then unknown.
  static Result<const CuptiLibrary*> open(const std::vector<std::filesystem::path>& folders, bool host_side = false);

  // Returns the error for a result other than success, with its remedy.
  Result<void> check(CUptiResult result, const char* function) const;
};

// Returns the folders where CUDA's toolkit and its Python packages keep CUPTI on this computer.
std::vector<std::filesystem::path> cupti_folders();

// Returns the remedy for a result; empty: unknown.
Message cupti_remedy(CUptiResult result);

}  // namespace iosx::gpu
