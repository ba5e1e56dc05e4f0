#include "gpu/profile/cupti_sampler.h"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace iosx::gpu {
namespace {

constexpr std::size_t kHardwareBuffer = std::size_t{256} << 20;  // bytes; a sample takes 4 to 7 KB there
constexpr std::uint32_t kMostSamples = 8192;                     // of one decoding; a sample takes some 16 KB there
constexpr int kFirstWithTime = 86;  // compute capability; older ones count cycles between samples
constexpr std::uint64_t kFewestCycles = 20000;
constexpr double kCyclesPerMicrosecond = 1500;  // of the system's clock, about

CUdevice cu_device(int device) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CUdevice number = device;
  if (cudaGetDriverEntryPointByVersion("cuDeviceGet", &function, 13000, cudaEnableDefault, &found) == cudaSuccess &&
      function != nullptr) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the entry point is
    reinterpret_cast<CUresult (*)(CUdevice*, int)>(function)(&number, device);
  }
  return number;
}

class CuptiSampler final : public Sampler {
 public:
  CuptiSampler(const CuptiLibrary& library, int device, const Properties& properties)
      : library_(library), device_(device), properties_(properties) {}
  ~CuptiSampler() override { close(); }
  CuptiSampler(const CuptiSampler&) = delete;
  CuptiSampler& operator=(const CuptiSampler&) = delete;

  Result<void> open(Micros interval);
  const std::vector<CounterKind>& counters() const override { return counters_; }
  std::size_t most_samples() const override { return kMostSamples; }
  Micros interval() const override { return interval_; }
  Result<void> set_interval(Micros interval) override;
  Result<Recording> record(const std::function<void()>& work) override;

 private:
  Result<void> check_supported() const;
  Result<std::vector<std::uint8_t>> availability() const;
  Result<void> enable(Micros interval);
  Result<void> reset_counter_data();
  Result<bool> decode(Recording& recording);  // whether everything was read
  Result<void> read_samples(Recording& recording);
  CUptiResult stop();
  void disable();
  void close();

  const CuptiLibrary& library_;
  int device_;
  Properties properties_;
  Micros interval_{0};
  bool initialised_ = false;
  bool running_ = false;
  CUpti_PmSampling_Object* sampling_ = nullptr;
  std::optional<SamplingConfig> config_;
  std::vector<CounterKind> counters_;
  std::vector<std::uint8_t> counter_data_;
};

Result<void> CuptiSampler::check_supported() const {
  auto block = IOS_CUPTI_BLOCK(CUpti_Profiler_DeviceSupported_Params);
  block.cuDevice = cu_device(device_);
  block.api = CUPTI_PROFILER_PM_SAMPLING;
  IOS_TRY(library_.check(library_.device_supported(&block), "cuptiProfilerDeviceSupported"));
  if (block.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return {};
  const std::pair<CUpti_Profiler_Support_Level, CUptiResult> reasons[] = {
      {block.architecture, CUPTI_ERROR_NOT_SUPPORTED},
      {block.vGpu, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED},
      {block.confidentialCompute, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED},
      {block.cmp, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED},
      {block.wsl, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED},
      {block.sli, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED}};
  for (const auto& [level, reason] : reasons) {
    if (level != CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED && level != CUPTI_PROFILER_CONFIGURATION_DISABLED) continue;
    return fail(message("{} cannot be sampled", properties_.name), "profiling", cupti_remedy(reason));
  }
  return fail(message("{} cannot be sampled; CUPTI gives no reason", properties_.name), "profiling");
}

Result<std::vector<std::uint8_t>> CuptiSampler::availability() const {
  auto block = IOS_CUPTI_BLOCK(CUpti_PmSampling_GetCounterAvailability_Params);
  block.deviceIndex = static_cast<std::size_t>(device_);
  constexpr const char* kFunction = "cuptiPmSamplingGetCounterAvailability";
  IOS_TRY(library_.check(library_.counter_availability(&block), kFunction));
  std::vector<std::uint8_t> image(block.counterAvailabilityImageSize);
  block.pCounterAvailabilityImage = image.data();
  IOS_TRY(library_.check(library_.counter_availability(&block), kFunction));
  return image;
}

Result<void> CuptiSampler::open(Micros interval) {
  // A context must exist, and without a driver CUPTI ends the process.
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess) {
    return fail(message("GPU {} cannot be reached: {}", device_, cudaGetErrorString(error)), "profiling");
  }
  if (device_ >= devices) return fail(message("there is no GPU {}, only {}", device_, devices), "profiling");
  cudaSetDevice(device_);
  cudaFree(nullptr);
  auto initialise = IOS_CUPTI_BLOCK(CUpti_Profiler_Initialize_Params);
  IOS_TRY(library_.check(library_.profiler_initialize(&initialise), "cuptiProfilerInitialize"));
  initialised_ = true;
  IOS_TRY(check_supported());
  auto chip = IOS_CUPTI_BLOCK(CUpti_Device_GetChipName_Params);
  chip.deviceIndex = static_cast<std::size_t>(device_);
  IOS_TRY(library_.check(library_.chip_name(&chip), "cuptiDeviceGetChipName"));
  IOS_TRY(auto image, availability());
  IOS_TRY(auto config, SamplingConfig::make(library_, chip.pChipName, std::move(image)));
  config_.emplace(std::move(config));
  for (const Metric& metric : config_->metrics()) {
    double peak = 0;
    if (metric.peak == Metric::Peak::kHundred) peak = 100;
    if (metric.peak == Metric::Peak::kWarpSlots) peak = properties_.multiprocessors * properties_.warps_per_sm;
    counters_.push_back({metric.name, metric.unit, peak});
  }
  return enable(interval);
}

Result<void> CuptiSampler::enable(Micros interval) {
  interval_ = interval;
  auto enable = IOS_CUPTI_BLOCK(CUpti_PmSampling_Enable_Params);
  enable.deviceIndex = static_cast<std::size_t>(device_);
  IOS_TRY(library_.check(library_.sampling_enable(&enable), "cuptiPmSamplingEnable"));
  sampling_ = enable.pPmSamplingObject;
  auto config = IOS_CUPTI_BLOCK(CUpti_PmSampling_SetConfig_Params);
  config.pPmSamplingObject = sampling_;
  config.configSize = config_->image().size();
  config.pConfig = config_->image().data();
  config.hardwareBufferSize = kHardwareBuffer;
  if (properties_.compute_capability >= kFirstWithTime) {
    config.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    config.samplingInterval = static_cast<std::uint64_t>(interval.count() * 1e3);
  } else {
    config.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL;
    config.samplingInterval =
        std::max(kFewestCycles, static_cast<std::uint64_t>(interval.count() * kCyclesPerMicrosecond));
    interval_ = Micros(static_cast<double>(config.samplingInterval) / kCyclesPerMicrosecond);
  }
  config.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;  // Turing has no other
  IOS_TRY(library_.check(library_.sampling_config(&config), "cuptiPmSamplingSetConfig"));
  auto size = IOS_CUPTI_BLOCK(CUpti_PmSampling_GetCounterDataSize_Params);
  size.pPmSamplingObject = sampling_;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): CUPTI only reads them
  size.pMetricNames = const_cast<const char**>(config_->names().data());
  size.numMetrics = config_->names().size();
  size.maxSamples = kMostSamples;
  IOS_TRY(library_.check(library_.counter_data_size(&size), "cuptiPmSamplingGetCounterDataSize"));
  counter_data_.assign(size.counterDataSize, 0);
  return reset_counter_data();
}

// The sampler is configured anew only once it was disabled, which also empties a buffer that was full. The profiler
// stays initialised, unless that was its end.
Result<void> CuptiSampler::set_interval(Micros interval) {
  disable();
  if (enable(interval)) return {};
  close();
  counters_.clear();
  return open(interval);
}

Result<void> CuptiSampler::reset_counter_data() {
  auto block = IOS_CUPTI_BLOCK(CUpti_PmSampling_CounterDataImage_Initialize_Params);
  block.pPmSamplingObject = sampling_;
  block.counterDataSize = counter_data_.size();
  block.pCounterData = counter_data_.data();
  return library_.check(library_.initialize_counter_data(&block), "cuptiPmSamplingCounterDataImageInitialize");
}

Result<Recording> CuptiSampler::record(const std::function<void()>& work) {
  auto start = IOS_CUPTI_BLOCK(CUpti_PmSampling_Start_Params);
  start.pPmSamplingObject = sampling_;
  IOS_TRY(library_.check(library_.sampling_start(&start), "cuptiPmSamplingStart"));
  running_ = true;
  try {
    work();
  } catch (...) {
    stop();
    throw;
  }
  IOS_TRY(library_.check(stop(), "cuptiPmSamplingStop"));
  Recording recording;
  for (bool all = false; !all;) {
    IOS_TRY(auto done, decode(recording));
    all = done;
  }
  // The first sample goes back to before the start.
  if (!recording.samples.empty()) recording.samples.erase(recording.samples.begin());
  std::ranges::stable_sort(recording.samples, {}, &CounterSample::begin);
  return recording;
}

Result<bool> CuptiSampler::decode(Recording& recording) {
  auto block = IOS_CUPTI_BLOCK(CUpti_PmSampling_DecodeData_Params);
  block.pPmSamplingObject = sampling_;
  block.pCounterDataImage = counter_data_.data();
  block.counterDataImageSize = counter_data_.size();
  const CUptiResult decoded = library_.decode(&block);
  if (decoded == CUPTI_ERROR_OUT_OF_MEMORY) {  // the hardware's buffer was full
    recording.overflow = true;
    return true;
  }
  IOS_TRY(library_.check(decoded, "cuptiPmSamplingDecodeData"));
  const std::size_t before = recording.samples.size();
  IOS_TRY(read_samples(recording));
  IOS_TRY(reset_counter_data());
  const DecodingEnd end = decoding_end(block.decodeStopReason, block.overflow != 0, recording.samples.size() - before);
  recording.overflow = recording.overflow || end.overflow;
  return end.all;
}

Result<void> CuptiSampler::read_samples(Recording& recording) {
  auto info = IOS_CUPTI_BLOCK(CUpti_PmSampling_GetCounterDataInfo_Params);
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  IOS_TRY(library_.check(library_.counter_data_info(&info), "cuptiPmSamplingGetCounterDataInfo"));
  for (std::size_t i = 0; i < info.numCompletedSamples; ++i) {
    auto sample = IOS_CUPTI_BLOCK(CUpti_PmSampling_CounterData_GetSampleInfo_Params);
    sample.pPmSamplingObject = sampling_;
    sample.pCounterDataImage = counter_data_.data();
    sample.counterDataImageSize = counter_data_.size();
    sample.sampleIndex = i;
    IOS_TRY(library_.check(library_.sample_info(&sample), "cuptiPmSamplingCounterDataGetSampleInfo"));
    CounterSample read{
        static_cast<std::int64_t>(sample.startTimestamp), static_cast<std::int64_t>(sample.endTimestamp), {}};
    if (auto done =
            library_.check(config_->evaluate(counter_data_, i, read.values), "cuptiProfilerHostEvaluateToGpuValues");
        !done) {
      return done;
    }
    for (std::size_t m = 0; m < read.values.size(); ++m) read.values[m] *= config_->metrics()[m].scale;
    recording.samples.push_back(std::move(read));
  }
  return {};
}

CUptiResult CuptiSampler::stop() {
  auto block = IOS_CUPTI_BLOCK(CUpti_PmSampling_Stop_Params);
  block.pPmSamplingObject = sampling_;
  running_ = false;
  return library_.sampling_stop(&block);
}

void CuptiSampler::disable() {
  if (running_) stop();
  if (sampling_ == nullptr) return;
  auto block = IOS_CUPTI_BLOCK(CUpti_PmSampling_Disable_Params);
  block.pPmSamplingObject = sampling_;
  library_.sampling_disable(&block);
  sampling_ = nullptr;
}

void CuptiSampler::close() {
  disable();
  config_.reset();
  if (initialised_) {  // not twice: CUPTI does not count
    auto block = IOS_CUPTI_BLOCK(CUpti_Profiler_DeInitialize_Params);
    library_.profiler_deinitialize(&block);
    initialised_ = false;
  }
}

constexpr Metric kGpuAtWork{"gr__cycles_active.sum.pct_of_peak_sustained_elapsed", "GPU at work", "%"};
// Warps in flight on the whole GPU, averaged over the cycles of a sample. Two names of one quantity: "realtime"
// ones are read together in one pass, and plain ones with plain ones.
constexpr Metric kWarpsRealtime{"sm__warps_active_realtime.sum.per_cycle_elapsed", "active warps", "warps", 1,
                                Metric::Peak::kWarpSlots};
constexpr Metric kWarps{"sm__warps_active.sum.per_cycle_elapsed", "active warps", "warps", 1, Metric::Peak::kWarpSlots};
constexpr Metric kBusySms{"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", "busy SMs", "%"};
constexpr Metric kDram{"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM throughput", "%"};
constexpr Metric kInstructions{"sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed", "instructions", "%"};
constexpr Metric kTensor{"sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed", "tensor cores",
                         "%"};
constexpr Metric kClock{"gpc__cycles_elapsed.avg.per_second", "clock", "MHz", 1e-6, Metric::Peak::kUnknown};

// Returns sets of metrics, the richest first. Sampling reads a whole set at once, so a GPU uses the first one that it
// knows and can read in a single pass, which depends on its generation (profile's tests list them). In each set the
// first metric is the share of time in which the GPU is busy, the second the active warps.
std::span<const std::vector<Metric>> metric_sets() {
  static const std::array<std::vector<Metric>, 5> kSets{{
      {kGpuAtWork, kWarpsRealtime, kBusySms, kDram, kInstructions, kTensor, kClock},
      {kGpuAtWork, kWarpsRealtime, kBusySms, kDram, kInstructions, kClock},
      {kGpuAtWork, kWarpsRealtime, kBusySms, kInstructions, kClock},
      {kGpuAtWork, kWarps, kBusySms, kDram, kClock},
      {kGpuAtWork, kWarps, kBusySms, kClock},
  }};
  return kSets;
}

}  // namespace

// After our memory is full, samples may be lost or out of order.
DecodingEnd decoding_end(CUpti_PmSampling_DecodeStopReason reason, bool overflow, std::size_t samples) {
  return {.all = samples == 0 || reason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS,
          .overflow = overflow || reason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL};
}

Result<std::unique_ptr<Sampler>> open_cupti_sampler(const CuptiLibrary& library, int device,
                                                    const Properties& properties, Micros interval) {
  auto sampler = std::make_unique<CuptiSampler>(library, device, properties);
  IOS_TRY(sampler->open(interval));
  return sampler;
}

void SamplingConfig::Host::operator()(CUpti_Profiler_Host_Object* object) const {
  auto block = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_Deinitialize_Params);
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
  host_.reset();
  auto host = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_Initialize_Params);
  host.profilerType = CUPTI_PROFILER_TYPE_PM_SAMPLING;
  host.pChipName = chip.c_str();
  host.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
  IOS_TRY(library_->check(library_->host_initialize(&host), "cuptiProfilerHostInitialize"));
  host_.reset(host.pHostObject);
  auto add = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  add.pHostObject = host_.get();
  add.ppMetricNames = names_.data();
  add.numMetrics = names_.size();
  IOS_TRY(library_->check(library_->add_metrics(&add), "cuptiProfilerHostConfigAddMetrics"));
  auto size = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_GetConfigImageSize_Params);
  size.pHostObject = host_.get();
  IOS_TRY(library_->check(library_->config_image_size(&size), "cuptiProfilerHostGetConfigImageSize"));
  image_.assign(size.configImageSize, 0);
  auto image = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_GetConfigImage_Params);
  image.pHostObject = host_.get();
  image.configImageSize = image_.size();
  image.pConfigImage = image_.data();
  IOS_TRY(library_->check(library_->config_image(&image), "cuptiProfilerHostGetConfigImage"));
  auto passes = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_GetNumOfPasses_Params);
  passes.configImageSize = image_.size();
  passes.pConfigImage = image_.data();
  IOS_TRY(library_->check(library_->number_of_passes(&passes), "cuptiProfilerHostGetNumOfPasses"));
  return passes.numOfPasses;
}

CUptiResult SamplingConfig::evaluate(const std::vector<std::uint8_t>& counter_data, std::size_t sample,
                                     std::vector<double>& values) const {
  values.assign(names_.size(), 0);
  auto block = IOS_CUPTI_BLOCK(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
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
