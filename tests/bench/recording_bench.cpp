// What a frame of the timeline of a recording takes: from a change of the zoom until all is painted, in the processor's
// time. recording_bench [NUMBER_OF_KERNELS]...: without arguments 10^5 and 5 · 10^5. Draws offscreen.
#include <QApplication>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/recording/fold_canvas.h"
#include "views/recording/recording_timeline.h"

namespace {

using iosx::Micros;

constexpr int kFrames = 60;
constexpr std::size_t kStreams = 8;
constexpr std::size_t kKernelsOfALayer = 12;

double used_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

// Kernels of 1 to 9 µs on several streams with gaps, each launched before it begins; the same in every run.
iosx::Recording made_up(std::size_t count) {
  iosx::Recording recording;
  recording.devices = {{.id = 0, .multiprocessors = 108}};
  for (std::size_t i = 0; i < kStreams; ++i) recording.lanes.push_back({.stream = std::to_string(7 + i)});
  for (std::size_t i = 0; i < kKernelsOfALayer; ++i) recording.names.push_back("kernel" + std::to_string(i) + "x");
  std::vector<double> ends(kStreams, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t random = (i * 0x9E3779B97F4A7C15ULL) >> 56U;
    const std::size_t stream = random % 3 == 0 ? random % kStreams : 0;
    const double begin = std::max(ends[stream], 3.0 * static_cast<double>(i)) + static_cast<double>(random % 5);
    ends[stream] = begin + 1 + static_cast<double>(random % 9);
    recording.launches.push_back({begin - 8, begin - 4, static_cast<std::uint32_t>(i % 2)});
    recording.kernels.push_back({.begin = begin,
                                 .end = ends[stream],
                                 .name = static_cast<iosx::NameId>(1 + i % kKernelsOfALayer),
                                 .launch = static_cast<std::uint32_t>(i),
                                 .grid = {static_cast<std::uint32_t>(1 + random), 1, 1},
                                 .block = {256, 1, 1},
                                 .lane = static_cast<std::uint16_t>(stream),
                                 .kind = static_cast<iosx::KernelKind>(random % iosx::kKernelKinds)});
  }
  settle(recording);
  return recording;
}

void measure(std::size_t count) {
  double begin = used_ms();
  const auto opened = iosx::look_into(made_up(count), std::nullopt);
  const double looked = used_ms() - begin;
  iosx::RecordingTimeline timeline;
  timeline.resize(1600, 600);
  begin = used_ms();
  timeline.setRecording(opened);
  const double rows = used_ms() - begin;
  timeline.grab();
  std::vector<double> frames;
  double part = 1;
  for (int i = 0; i < kFrames; ++i) {
    part *= 0.85;
    const iosx::TimeRange all = timeline.rows().range;
    begin = used_ms();
    timeline.time().setVisible({all.begin, all.begin + all.length() * (i % 2 == 0 ? 0.999 - 0.001 * i : part)});
    timeline.grab();
    frames.push_back(used_ms() - begin);
  }
  std::sort(frames.begin(), frames.end());
  iosx::FoldCanvas canvas;
  canvas.resize(1100, 400);
  begin = used_ms();
  canvas.setRecording(opened);
  canvas.grab();
  std::printf(
      "%8zu kernels: all but reading %.0f ms, rows %.0f ms, frame median %.1f ms, worst %.1f ms, graph %.0f ms\n",
      count, looked, rows, frames[frames.size() / 2], frames.back(), used_ms() - begin);
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  if (argc == 1) {
    for (const std::size_t count : {std::size_t{100000}, std::size_t{500000}}) measure(count);
  }
  for (int i = 1; i < argc; ++i) measure(std::stoul(argv[i]));
  return 0;
}
