#include "core/model/recording/recording.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace iosx {
namespace {

using Words = std::initializer_list<std::string_view>;

bool has_any(std::string_view text, Words words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Keeps the elements that pass, and renumbers the edges between them.
template <typename Keep>
void keep_kernels(Recording& recording, Keep keep) {
  std::vector<std::uint32_t> place(recording.kernels.size(), kNoIndex);
  std::vector<RecordedKernel> kept;
  for (std::size_t i = 0; i < recording.kernels.size(); ++i) {
    if (!keep(recording.kernels[i])) continue;
    place[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(recording.kernels[i]);
  }
  recording.kernels = std::move(kept);
  for (std::size_t i = 0; i < recording.in_network.size(); ++i) {
    if (place[i] != kNoIndex) recording.in_network[place[i]] = recording.in_network[i];  // it moves to the front
  }
  if (!recording.in_network.empty()) recording.in_network.resize(recording.kernels.size());
  std::erase_if(recording.edges, [&](RecordedEdge& edge) {
    edge.before = place[edge.before];
    edge.after = place[edge.after];
    return edge.before == kNoIndex || edge.after == kNoIndex;
  });
}

// Returns the first template argument of a function that is no number, without its own: "FillFunctor" of
// "fill<4, at::FillFunctor<int>>(int)".
std::string_view telling_argument(std::string_view name) {
  const std::size_t open = name.find('<');
  if (open == std::string_view::npos) return {};
  std::size_t depth = 1;
  std::size_t begin = open + 1;
  for (std::size_t i = open + 1; i < name.size() && depth > 0; ++i) {
    const char c = name[i];
    const bool ends = depth == 1 && (c == ',' || c == '>');
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (!ends) continue;
    std::string_view argument = name.substr(begin, i - begin);
    begin = i + 1;
    argument = argument.substr(0, argument.find_first_of("<("));
    if (const std::size_t scope = argument.rfind("::"); scope != std::string_view::npos)
      argument.remove_prefix(scope + 2);
    while (argument.starts_with(' ')) argument.remove_prefix(1);
    while (argument.ends_with(' ')) argument.remove_suffix(1);
    const bool number =
        argument.empty() || argument.front() == '-' || (argument.front() >= '0' && argument.front() <= '9');
    if (!number && argument != "true" && argument != "false") return argument;
  }
  return {};
}

// Returns whether most kernels have the short name of kernels with another name.
bool short_names_repeat(const Recording& recording) {
  std::vector<std::size_t> kernels(recording.names.size(), 0);
  for (const RecordedKernel& kernel : recording.kernels) ++kernels[kernel.name];
  struct Named {
    std::string_view first = {};  // name
    bool others = false;          // there are other names
    std::size_t kernels = 0;
  };
  std::unordered_map<std::string, Named> short_names;
  for (NameId id = 0; id < kernels.size(); ++id) {
    if (kernels[id] == 0) continue;
    Named& named = short_names[short_name(recording.names[id])];
    if (named.kernels == 0) named.first = recording.names[id];
    named.others = named.others || named.first != recording.names[id];
    named.kernels += kernels[id];
  }
  std::size_t repeated = 0;
  for (const auto& [name, named] : short_names) repeated += named.others ? named.kernels : 0;
  return 2 * repeated > recording.kernels.size();
}

}  // namespace

KernelKind kind_of_kernel(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool copy = lower.starts_with("memcpy") || lower.starts_with("memset");
  if (copy && has_any(lower, {"htod", "dtoh", "hostto", "tohost"})) return KernelKind::kHostCopy;
  if (has_any(lower, {"nccl", "rccl", "allreduce", "all_reduce", "allgather", "all_gather", "reducescatter",
                      "reduce_scatter", "alltoall", "all_toall", "allto_all", "all_to_all"}))
    return KernelKind::kCollective;
  if (has_any(lower, {"flash", "fmha", "attention"})) return KernelKind::kAttention;
  if (lower.ends_with("::mm") || has_any(lower, {"gemm", "cutlass", "cublas", "xmma", "nvjet", "cijk", "addmm", "bmm",
                                                 "splitk", "_mm_", "matmul"}))
    return KernelKind::kGemm;
  if (has_any(lower, {"conv", "cudnn", "winograd", "implicit"})) return KernelKind::kConvolution;
  if (copy || has_any(lower, {"copybuffer", "fillbuffer"})) {
    return has_any(lower, {"hostto", "tohost"}) ? KernelKind::kHostCopy : KernelKind::kCopy;
  }
  if (has_any(lower, {"multi_tensor", "foreach"})) return KernelKind::kMultiTensor;
  if (has_any(lower, {"norm", "softmax", "reduce", "welford", "sum", "mean"})) return KernelKind::kNorm;
  if (has_any(lower, {"embedding", "index", "gather", "scatter", "permute", "sort", "scan"})) return KernelKind::kIndex;
  if (has_any(lower, {"elementwise", "triton", "vectorized", "pool", "add", "mul", "relu", "cat"}))
    return KernelKind::kPointwise;
  return KernelKind::kOther;
}

std::string_view kernel_kind_name(KernelKind kind) {
  constexpr std::array<std::string_view, kKernelKinds> kNames{"other",       "collective", "attention", "gemm",
                                                              "convolution", "copy",       "host copy", "multi-tensor",
                                                              "norm",        "index",      "pointwise"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view edge_kind_name(EdgeKind kind) {
  constexpr std::array<std::string_view, kEdgeKinds> kNames{"data", "graph", "event", "host", "comm", "inner", "order"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string edge_label(EdgeKind kind, EdgeCertainty certainty) {
  const char* const how = certainty == EdgeCertainty::kKnown ? ", known" : ", assumed";
  return std::string(edge_kind_name(kind)) + how;
}

double Recording::launch_begin(const RecordedKernel& kernel) const {
  return kernel.launch == kNoIndex ? -1e300 : launches[kernel.launch].begin;
}

std::string short_name(const std::string& name) {
  std::string_view text = name;
  constexpr std::string_view kEngine = "autograd::engine::evaluate_function: ";
  constexpr std::string_view kAutograd = "torch::autograd::";
  const bool of_engine = text.starts_with(kEngine);
  if (of_engine) text.remove_prefix(kEngine.size());
  if (text.starts_with(kAutograd)) return std::string(text.substr(kAutograd.size()));
  if (of_engine) return std::string(text);
  if (text.starts_with("void ")) text.remove_prefix(5);
  // Before the first bracket: arguments of a function or of a template. "(anonymous namespace)::" is a part of a name.
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  std::string clean;
  while (!text.empty()) {
    if (text.starts_with(kUnnamed)) {
      text.remove_prefix(kUnnamed.size());
      continue;
    }
    if (text.front() == '<' || text.front() == '(') break;
    clean += text.front();
    text.remove_prefix(1);
  }
  const bool is_function = !text.empty();  // others may have any "::", as "aten::linear"
  const std::size_t space = is_function ? clean.rfind("::") : std::string::npos;
  if (space != std::string::npos && space + 2 < clean.size()) clean = clean.substr(space + 2);
  while (!clean.empty() && clean.back() == ' ') clean.pop_back();
  return clean.empty() ? name : clean;
}

std::string Recording::short_name(NameId id) const {
  std::string text = iosx::short_name(names[id]);
  if (!keeps_arguments) return text;
  const std::string_view argument = telling_argument(names[id]);
  return argument.empty() ? text : text + '<' + std::string(argument) + '>';
}

void settle(Recording& recording) {
  recording.keeps_arguments = short_names_repeat(recording);
  std::vector<std::uint32_t> order(recording.kernels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const RecordedKernel& one = recording.kernels[a];
    const RecordedKernel& other = recording.kernels[b];
    return std::tuple(one.begin, recording.launch_begin(one)) < std::tuple(other.begin, recording.launch_begin(other));
  });
  std::vector<std::uint32_t> place(order.size());
  std::vector<RecordedKernel> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(recording.kernels[i]);
  }
  recording.kernels = std::move(sorted);
  if (!recording.in_network.empty()) {
    std::vector<bool> in_network(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) in_network[place[i]] = recording.in_network[i];
    recording.in_network = std::move(in_network);
  }
  for (RecordedEdge& edge : recording.edges) edge = {place[edge.before], place[edge.after], edge.kind, edge.certainty};

  for (RecordedLane& lane : recording.lanes) lane.kernels = 0;
  for (const RecordedKernel& kernel : recording.kernels) ++recording.lanes[kernel.lane].kernels;
  std::vector<std::uint32_t> lanes(recording.lanes.size(), kIdleLane);
  std::vector<RecordedLane> kept;
  for (std::size_t i = 0; i < recording.lanes.size(); ++i) {
    if (recording.lanes[i].kernels == 0) continue;
    lanes[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(std::move(recording.lanes[i]));
  }
  recording.lanes = std::move(kept);
  const auto renumber = [&](std::uint32_t& lane) { lane = lane < lanes.size() ? lanes[lane] : lane; };
  for (RecordedKernel& kernel : recording.kernels) kernel.lane = static_cast<std::uint16_t>(lanes[kernel.lane]);
  for (HostWait& wait : recording.host_waits) renumber(wait.lane);
  for (StreamWait& wait : recording.stream_waits) {
    renumber(wait.lane);
    renumber(wait.source);
  }
  std::ranges::stable_sort(recording.host_waits, {}, &HostWait::begin);
}

std::optional<Message> cut_to_step(Recording& recording, std::size_t step, const std::string& range) {
  std::vector<std::pair<double, double>> windows;
  for (const RecordedRange& one : recording.ranges) {
    const bool is_it = range.empty() ? one.kind == RangeKind::kStep : recording.name(one.name) == range;
    if (is_it) windows.emplace_back(one.begin, one.end);
  }
  std::ranges::sort(windows);
  if (windows.empty() && range.empty())
    return message("has no steps of PyTorch's profiler; name a range that is a step");
  if (windows.empty()) return message("has no range named '{}'", range);
  if (step >= windows.size()) return message("has only {} of them, the first is 0", windows.size());
  // A step of the profiler goes on until the next one; what is between two ranges belongs to none.
  const bool to_next = range.empty() && step + 1 < windows.size();
  recording.window = {windows[step].first, to_next ? windows[step + 1].first : windows[step].second};
  const auto within = [&](double time) { return recording.window->first <= time && time < recording.window->second; };
  keep_kernels(recording, [&](const RecordedKernel& kernel) {
    return within(kernel.launch == kNoIndex ? kernel.begin : recording.launches[kernel.launch].begin);
  });
  std::erase_if(recording.host_waits, [&](const HostWait& wait) { return !within(wait.begin); });
  std::erase_if(recording.stream_waits, [&](const StreamWait& wait) { return !within(wait.at); });
  std::erase_if(recording.event_records, [&](const EventRecord& record) { return !within(record.at); });
  settle(recording);
  return std::nullopt;
}

bool cut_to_device(Recording& recording, std::int64_t device) {
  for (const RecordedLane& lane : recording.lanes) recording.seen_devices.push_back(lane.device);
  std::ranges::sort(recording.seen_devices);
  recording.seen_devices.erase(std::unique(recording.seen_devices.begin(), recording.seen_devices.end()),
                               recording.seen_devices.end());
  keep_kernels(recording, [&](const RecordedKernel& kernel) { return recording.lanes[kernel.lane].device == device; });
  settle(recording);
  return !recording.kernels.empty();
}

std::optional<std::int64_t> main_device(const Recording& recording) {
  std::map<std::int64_t, std::size_t> kernels;
  for (const RecordedLane& lane : recording.lanes) kernels[lane.device] += lane.kernels;
  const auto most = std::ranges::max_element(kernels, {}, [](const auto& one) { return one.second; });
  return most == kernels.end() ? std::nullopt : std::optional(most->first);
}

}  // namespace iosx
