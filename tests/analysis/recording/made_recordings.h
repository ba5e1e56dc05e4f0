#pragma once

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/model/recording/recording.h"

namespace iosx {

// Kernels of 10 µs on the lanes of these letters, one after another, each launched 5 µs before it begins.
inline Recording of_lanes(std::string_view lanes) {
  Recording recording;
  recording.devices = {{.id = 0, .multiprocessors = 100}};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const auto lane = static_cast<std::uint16_t>(lanes[i] - 'a');
    while (recording.lanes.size() <= lane)
      recording.lanes.push_back({.stream = std::to_string(recording.lanes.size())});
    const double begin = 100 + 20 * static_cast<double>(i);
    recording.kernels.push_back({.begin = begin,
                                 .end = begin + 10,
                                 .launch = static_cast<std::uint32_t>(i),
                                 .grid = {50, 1, 1},
                                 .block = {512, 1, 1},
                                 .lane = lane});
    recording.launches.push_back({begin - 5, begin - 3, 0});
    ++recording.lanes[lane].kernels;
  }
  return recording;
}

// An operator for each kernel, whose tensors are letters: "ab>c" reads a and b and returns a new c, "a>a" writes to a,
// "a>" only reads.
inline void give_operators(Recording& recording, const std::vector<std::string_view>& operators) {
  recording.execution.emplace();
  for (const std::string_view text : operators) {
    const auto number = static_cast<std::uint32_t>(recording.ranges.size());
    ExecutionNode node{.id = number, .name = "aten::op", .known = true};
    const std::size_t arrow = text.find('>');
    for (const char c : text.substr(0, arrow)) node.reads.push_back({.storage = c});
    for (const char c : text.substr(arrow + 1)) {
      const bool in_place = text.substr(0, arrow).find(c) != std::string_view::npos;
      in_place ? node.writes.push_back({.storage = c}) : node.fresh.push_back(c);
    }
    recording.execution->nodes.push_back(node);
    const HostLaunch& launch = recording.launches[number];
    recording.ranges.push_back({.begin = launch.begin - 1, .end = launch.end + 1, .node = number});
    recording.kernels[number].range = number;
  }
}

}  // namespace iosx
