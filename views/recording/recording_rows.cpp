#include "views/recording/recording_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace iosx::recorded {

void SortedSpans::add(std::uint32_t item, double begin, double end) {
  if (items.size() % kChunk == 0) {
    longest.push_back(items.size());
    before.push_back(together);
  } else if (const std::size_t most = longest.back(); end - begin > ends[most] - begins[most]) {
    longest.back() = items.size();
  }
  together += end - begin;
  items.push_back(item);
  begins.push_back(begin);
  ends.push_back(end);
  latest.push_back(latest.empty() ? end : std::max(latest.back(), end));
}

std::pair<std::size_t, std::size_t> SortedSpans::meeting(double begin, double end) const {
  const auto first = std::ranges::lower_bound(latest, begin) - latest.begin();
  const auto last = std::ranges::upper_bound(begins, end) - begins.begin();
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(std::max(first, last))};
}

std::optional<std::size_t> SortedSpans::at(double time, double reach) const {
  const auto [first, last] = meeting(time - reach, time + reach);
  std::optional<std::size_t> nearest;
  double least = reach;
  for (std::size_t i = last; i-- > first;) {
    if (begins[i] <= time && time <= ends[i]) return i;
    const double away = time < begins[i] ? begins[i] - time : time - ends[i];
    if (away <= least && (!nearest || away < least)) {
      least = away;
      nearest = i;
    }
  }
  return nearest;
}

std::vector<Block> blocks_of(const SortedSpans& spans, const TimeAxis& axis) {
  std::vector<Block> blocks;
  const auto [first, last] = spans.meeting(axis.range.begin.count(), axis.range.end.count());
  const double scale = axis.width / axis.range.length().count();
  const double zero = axis.left - axis.range.begin.count() * scale;
  double pixel = -std::numeric_limits<double>::infinity();  // of the last block, where it joins
  double longest = 0;                                       // in it, in pixels
  const auto pixel_of = [&](std::size_t i) { return std::floor(zero + spans.begins[i] * scale); };
  for (std::size_t i = first; i < last; ++i) {
    // Spans of a whole chunk in one pixel are added at once.
    const std::size_t chunk = i / SortedSpans::kChunk;
    if (i % SortedSpans::kChunk == 0 && chunk + 1 < spans.before.size() && i + SortedSpans::kChunk <= last) {
      const std::size_t most = spans.longest[chunk];
      const double length = (spans.ends[most] - spans.begins[most]) * scale;
      const double own = pixel_of(i);
      if (length < 1 && own >= axis.left && own == pixel_of(i + SortedSpans::kChunk - 1)) {
        if (own != pixel) blocks.push_back({own, own + 1, i, 0, i, 0});
        if (own != pixel) longest = -1;
        pixel = own;
        Block& block = blocks.back();
        block.count += SortedSpans::kChunk;
        block.covered = std::min(1.0, block.covered + (spans.before[chunk + 1] - spans.before[chunk]) * scale);
        if (length > longest) {
          longest = length;
          block.longest = most;
        }
        i += SortedSpans::kChunk - 1;
        continue;
      }
    }
    const double left = zero + spans.begins[i] * scale;
    const double right = zero + spans.ends[i] * scale;
    if (right < axis.left || left > axis.right()) continue;
    if (right - left >= 1) {
      blocks.push_back({std::max(left, axis.left), std::min(right, axis.right()), i, 1, i, 1});
      pixel = -std::numeric_limits<double>::infinity();
      continue;
    }
    const double own = std::floor(left);
    if (own != pixel) {
      blocks.push_back({own, own + 1, i, 0, i, 0});
      pixel = own;
      longest = -1;
    }
    Block& block = blocks.back();
    ++block.count;
    block.covered = std::min(1.0, block.covered + right - left);
    if (right - left > longest) {
      longest = right - left;
      block.longest = i;
    }
  }
  return blocks;
}

Rows rows_of(const OpenedRecording& opened) {
  const Recording& recording = opened.recording;
  Rows made;
  if (recording.kernels.empty()) return made;
  made.zero = recording.kernels.front().begin;
  std::map<std::uint32_t, std::vector<std::uint32_t>> threads;
  std::vector<bool> seen(recording.launches.size(), false);
  std::vector<Row> lanes(recording.lanes.size());
  double begin = 0;
  double end = 0;
  std::array<double, kKernelKinds> times{};
  for (std::uint32_t i = 0; i < recording.kernels.size(); ++i) {
    const RecordedKernel& kernel = recording.kernels[i];
    Row& row = lanes[kernel.lane];
    row.spans.add(i, kernel.begin - made.zero, kernel.end - made.zero);
    row.time += kernel.duration();
    times[static_cast<std::size_t>(kernel.kind)] += kernel.duration();
    if (!opened.on_path.empty()) {
      if (row.on_path.empty()) row.on_path.push_back(0);
      row.on_path.push_back(row.on_path.back() + (opened.on_path[i] ? 1 : 0));
    }
    end = std::max(end, kernel.end - made.zero);
    if (recording.of_processor || kernel.launch == kNoIndex || seen[kernel.launch]) continue;
    seen[kernel.launch] = true;
    const HostLaunch& launch = recording.launches[kernel.launch];
    threads[launch.thread].push_back(kernel.launch);
    begin = std::min(begin, launch.begin - made.zero);
    end = std::max(end, launch.end - made.zero);
  }
  for (std::size_t i = 0; i < kKernelKinds; ++i) {
    if (times[i] > 0) made.kinds.push_back(static_cast<KernelKind>(i));
  }
  std::ranges::stable_sort(made.kinds, std::greater<>(),
                           [&](KernelKind kind) { return times[static_cast<std::size_t>(kind)]; });
  made.range = {Micros(begin), Micros(std::max(end, begin + 1))};
  Row idle{.kind = Row::Kind::kIdle, .height = kIdleHeight};
  for (std::uint32_t i = 0; i < opened.idle.size(); ++i) {
    const IdlePart& part = opened.idle[i];
    idle.spans.add(i, part.begin - made.zero, part.end - made.zero);
    idle.time += part.end - part.begin;
  }
  made.rows.push_back(std::move(idle));
  std::vector<std::uint32_t> order(lanes.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t lane) {
    const RecordedLane& own = recording.lanes[lane];
    return std::tuple(own.process, own.stream.size(), own.stream);  // shorter numbers are smaller
  };
  std::ranges::stable_sort(order, {}, key);
  made.row_of.resize(lanes.size());
  for (const std::uint32_t lane : order) {
    lanes[lane].number = lane;
    lanes[lane].height = kLaneHeight;
    made.row_of[lane] = made.rows.size();
    made.rows.push_back(std::move(lanes[lane]));
  }
  for (auto& [thread, launches] : threads) {
    Row row{.kind = Row::Kind::kThread, .number = thread, .height = kThreadHeight};
    std::ranges::sort(launches, {}, [&](std::uint32_t i) { return recording.launches[i].begin; });
    for (const std::uint32_t i : launches) {
      const HostLaunch& launch = recording.launches[i];
      row.spans.add(i, launch.begin - made.zero, launch.end - made.zero);
      row.time += launch.end - launch.begin;
    }
    made.rows.push_back(std::move(row));
  }
  for (Row& row : made.rows) {
    row.top = made.height;
    made.height += row.height;
  }
  return made;
}

const Row* Rows::at(double y) const {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) { return row.top <= y && y < row.bottom(); });
  return found == rows.end() ? nullptr : &*found;
}

const Row* Rows::row_of_lane(std::size_t lane) const { return lane < row_of.size() ? &rows[row_of[lane]] : nullptr; }

const Row* Rows::row_of_thread(std::uint32_t thread) const {
  const auto found = std::ranges::find_if(
      rows, [&](const Row& row) { return row.kind == Row::Kind::kThread && row.number == thread; });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> next_on_lane(const Rows& rows, const Recording& recording, std::uint32_t kernel,
                                          int step) {
  const SortedSpans& spans = rows.row_of_lane(recording.kernels[kernel].lane)->spans;
  const auto place = std::ranges::lower_bound(spans.items, kernel) - spans.items.begin() + step;
  if (place < 0 || place >= static_cast<std::ptrdiff_t>(spans.size())) return std::nullopt;
  return spans.items[static_cast<std::size_t>(place)];
}

std::optional<std::uint32_t> next_lane(const Rows& rows, const Recording& recording, std::uint32_t kernel, int step) {
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(rows.row_of[recording.kernels[kernel].lane]) + step;
  if (row < 1 || row > static_cast<std::ptrdiff_t>(recording.lanes.size())) return std::nullopt;
  const SortedSpans& spans = rows.rows[static_cast<std::size_t>(row)].spans;
  const double time = recording.kernels[kernel].begin - rows.zero;
  const auto after = static_cast<std::size_t>(std::ranges::lower_bound(spans.begins, time) - spans.begins.begin());
  if (after == spans.size()) return spans.items.back();
  const bool before = after > 0 && time - spans.begins[after - 1] < spans.begins[after] - time;
  return spans.items[before ? after - 1 : after];
}

RangeUse use_of(const OpenedRecording& opened, const Rows& rows, TimeRange range) {
  RangeUse use;
  const double begin = std::max(range.begin.count(), 0.0);
  double end = 0;
  for (std::size_t lane = 0; lane < opened.recording.lanes.size(); ++lane) {
    const SortedSpans& spans = rows.row_of_lane(lane)->spans;
    end = std::max(end, spans.latest.back());
    const auto [first, last] = spans.meeting(begin, range.end.count());
    for (std::size_t i = first; i < last; ++i) use.kernels += spans.ends[i] > begin ? 1 : 0;
  }
  end = std::min(end, range.end.count());
  use.busy = std::max(end - begin, 0.0);
  const SortedSpans& idle = rows.rows.front().spans;
  const auto [first, last] = idle.meeting(begin, end);
  for (std::size_t i = first; i < last; ++i)
    use.busy -= std::max(0.0, std::min(idle.ends[i], end) - std::max(idle.begins[i], begin));
  use.busy = std::max(use.busy, 0.0);
  return use;
}

}  // namespace iosx::recorded
