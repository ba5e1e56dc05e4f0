#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/model/schedule/schedule_table.h"

// Latencies published for IOS (Ding et al., MLSys 2021, and the experiment logs of its repository): Tesla V100-SXM2 at
// 1530 MHz, CUDA 10.2, cuDNN 7.6.5, float32, batch 1 unless stated. In ms.
namespace iosx::published {

inline constexpr std::array kSchedules{ScheduleKind::kOneByOne, ScheduleKind::kGreedy, ScheduleKind::kIosMerge,
                                       ScheduleKind::kIosParallel, ScheduleKind::kIosBoth};

struct NetworkRow {
  std::string_view network;           // zoo name
  std::array<double, 5> by_schedule;  // in the order of kSchedules
};
inline constexpr std::array<NetworkRow, 4> kNetworks{{
    {"inception_v3", {6.51, 4.62, 5.39, 4.11, 4.03}},
    {"randwire", {8.49, 6.27, 8.54, 6.02, 6.02}},
    {"nasnet", {22.95, 16.78, 22.94, 16.04, 16.04}},
    {"squeezenet", {0.86, 0.98, 0.74, 0.82, 0.73}},
}};

struct BatchRow {
  std::int64_t batch = 1;
  double sequential = 0;
  double ios = 0;
};
inline constexpr std::array<BatchRow, 5> kInceptionBatches{
    {{1, 6.2, 3.94}, {16, 17.95, 15.17}, {32, 30.54, 27.0}, {64, 55.67, 51.11}, {128, 108.55, 102.74}}};

// Inception V3 with batch kSpecialised[i] under the schedule found for batch kSpecialised[j].
inline constexpr std::array<std::int64_t, 3> kSpecialised{1, 32, 128};
inline constexpr std::array<std::array<double, 3>, 3> kBatchSpecialisation{
    {{4.04, 4.45, 4.58}, {29.21, 27.62, 27.85}, {105.87, 103.58, 102.96}}};

// Inception V3 on device i under the schedule found for device j.
inline constexpr std::array<std::string_view, 2> kDevices{"tesla-k80", "tesla-v100"};
inline constexpr std::array<std::array<double, 2>, 2> kDeviceSpecialisation{{{13.93, 14.64}, {4.42, 4.02}}};

// The sample network: a, b, c on the input, d on a, and their concatenation; one stage each, which the paper calls
// sequential, and {a, b}, {c, d}, concat.
inline constexpr std::array<double, 5> kSampleSequentialStages{0.1107, 0.126, 0.106, 0.1255, 0.0179};
inline constexpr double kSampleSequential = 0.486;
inline constexpr std::array<double, 3> kSampleIosStages{0.1615, 0.1545, 0.0173};
inline constexpr double kSampleIos = 0.333;
// Mean active warps of the IOS schedule relative to the sequential one.
inline constexpr double kSampleWarpRatio = 1.58;

}  // namespace iosx::published
