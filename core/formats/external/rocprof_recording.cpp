#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/formats/external/json_elements.h"
#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

using Element = nlohmann::json;

constexpr double kMicrosOfNano = 1e-3;
constexpr std::size_t kMostQueues = 0xFFFF;
constexpr std::int64_t kGpu = 2;  // the type of an agent

// Returns a whole number in nested objects, "dispatch_info", "agent_id", "handle"; -1: there is none.
std::int64_t number_at(const Element& element, std::initializer_list<const char*> path) {
  const Element* at = &element;
  for (const char* key : path) {
    const auto found = at->is_object() ? at->find(key) : at->end();
    if (!at->is_object() || found == at->end()) return -1;
    at = &*found;
  }
  if (!at->is_number_integer()) return -1;
  if (at->is_number_unsigned() && at->get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return -1;
  return at->get<std::int64_t>();
}

std::string text_at(const Element& element, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = element.find(key);
    if (found != element.end() && found->is_string() && !found->get_ref<const std::string&>().empty())
      return found->get<std::string>();
  }
  return {};
}

// Reads what rocprofv3 --output-format json writes: dispatches of kernels, copies, the calls of HIP, and agents.
class RocprofReader {
 public:
  Result<Recording> read(ByteSource& source, const std::string& origin) {
    JsonElements reader({"agents", "kernel_symbols", "kernel_dispatch", "memory_copy", "hip_api"},
                        [&](std::string_view list, const Element& element) { return take(list, element); });
    IOS_TRY(reader.read(source, origin));
    for (std::size_t i = 0; i < out_.kernels.size(); ++i) finish(out_.kernels[i], dispatches_[i]);
    if (left_out_ > 0) out_.notices.push_back(message("{} events without a valid time are left out", left_out_));
    return std::move(out_);
  }

 private:
  struct Dispatch {
    std::int64_t symbol = -1;  // of a kernel; -1: a copy
    std::int64_t correlation = -1;
  };

  Message take(std::string_view list, const Element& element) {
    if (!element.is_object()) return {};
    if (list == "agents") {
      take_agent(element);
    } else if (list == "kernel_symbols") {
      std::string name = text_at(element, {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"});
      symbols_.emplace(number_at(element, {"kernel_id"}), name_id(name.empty() ? "kernel" : name));
    } else if (list == "hip_api") {
      if (calls_.size() < 2 * kMostSpans) take_call(element);
    } else {
      if (out_.kernels.size() == kMostSpans) return message("has more than {} kernels", kMostSpans);
      list == "kernel_dispatch" ? take_kernel(element) : take_copy(element);
    }
    return {};
  }

  void take_agent(const Element& element) {
    if (number_at(element, {"type"}) != kGpu || out_.devices.size() >= kMostQueues) return;
    RecordedDevice device{.id = number_at(element, {"node_id"}), .name = text_at(element, {"product_name", "name"})};
    if (const std::int64_t units = number_at(element, {"cu_count"}); units > 0 && units < 100'000)
      device.multiprocessors = static_cast<int>(units);
    if (const std::int64_t waves = number_at(element, {"max_waves_per_cu"}); waves > 0 && waves < 10'000)
      device.warps = static_cast<int>(waves);
    agents_.emplace(number_at(element, {"id", "handle"}), device.id);
    out_.devices.push_back(std::move(device));
  }

  void take_call(const Element& element) {
    const double begin = time(element, "start_timestamp");
    const double end = time(element, "end_timestamp");
    if (!(end >= begin) || begin <= 0) return;
    const std::int64_t correlation = number_at(element, {"correlation_id", "internal"});
    const auto thread =
        static_cast<std::uint32_t>(threads_.emplace(number_at(element, {"thread_id"}), threads_.size()).first->second);
    calls_.insert_or_assign(correlation, HostLaunch{begin, end, thread});
  }

  static double time(const Element& element, const char* key) {
    return static_cast<double>(number_at(element, {key})) * kMicrosOfNano;
  }

  // Returns the kernel, or null where it has no time.
  RecordedKernel* add(const Element& element, std::int64_t agent, std::int64_t queue) {
    const double begin = time(element, "start_timestamp");
    const double end = time(element, "end_timestamp");
    const auto device = agents_.find(agent);
    const std::int64_t id = device == agents_.end() ? agent : device->second;
    const auto [lane, made] =
        lanes_.emplace(std::pair(id, queue), static_cast<std::uint16_t>(std::min(out_.lanes.size(), kMostQueues)));
    if (!(end >= begin) || begin <= 0 || end > kMostMicros || (made && out_.lanes.size() == kMostQueues)) {
      ++left_out_;
      if (made) lanes_.erase(lane);
      return nullptr;
    }
    if (made) out_.lanes.push_back({.device = id, .stream = std::to_string(queue)});
    out_.kernels.push_back({.begin = begin, .end = end, .lane = lane->second});
    dispatches_.push_back({-1, number_at(element, {"correlation_id", "internal"})});
    return &out_.kernels.back();
  }

  void take_kernel(const Element& element) {
    RecordedKernel* const kernel = add(element, number_at(element, {"dispatch_info", "agent_id", "handle"}),
                                       number_at(element, {"dispatch_info", "queue_id", "handle"}));
    if (kernel == nullptr) return;
    dispatches_.back().symbol = number_at(element, {"dispatch_info", "kernel_id"});
    std::size_t axis = 0;
    for (const char* name : {"x", "y", "z"}) {
      // The grid counts threads.
      const std::int64_t threads = number_at(element, {"dispatch_info", "grid_size", name});
      const std::int64_t block = number_at(element, {"dispatch_info", "workgroup_size", name});
      if (threads > 0 && block > 0 && block <= UINT16_MAX) {
        kernel->grid.at(axis) =
            static_cast<std::uint32_t>(std::min<std::int64_t>((threads + block - 1) / block, UINT32_MAX));
        kernel->block.at(axis) = static_cast<std::uint16_t>(block);
      }
      ++axis;
    }
    const std::int64_t shared = number_at(element, {"dispatch_info", "group_segment_size"});
    kernel->shared_bytes = static_cast<std::uint32_t>(std::clamp<std::int64_t>(shared, 0, UINT32_MAX));
  }

  // A copy has no queue of its own.
  void take_copy(const Element& element) {
    const std::int64_t to = number_at(element, {"dst_agent_id", "handle"});
    const std::int64_t from = number_at(element, {"src_agent_id", "handle"});
    const bool up = agents_.contains(to);
    RecordedKernel* const kernel = add(element, up ? to : from, -1);
    if (kernel == nullptr) return;
    kernel->name = name_id(up == agents_.contains(from) ? "Memcpy DtoD" : up ? "Memcpy HtoD" : "Memcpy DtoH");
  }

  void finish(RecordedKernel& kernel, const Dispatch& dispatch) {
    if (dispatch.symbol >= 0) {
      const auto symbol = symbols_.find(dispatch.symbol);
      kernel.name = symbol == symbols_.end() ? name_id("kernel") : symbol->second;
    }
    kernel.kind = kind_of_kernel(out_.name(kernel.name));
    const auto call = calls_.find(dispatch.correlation);
    if (call == calls_.end()) return;
    kernel.launch = static_cast<std::uint32_t>(out_.launches.size());
    out_.launches.push_back(call->second);
  }

  NameId name_id(const std::string& name) {
    const auto [found, made] = names_.emplace(name, static_cast<NameId>(out_.names.size()));
    if (made) out_.names.push_back(name);
    return found->second;
  }

  std::map<std::int64_t, std::int64_t> agents_;  // devices by handle
  std::unordered_map<std::int64_t, NameId> symbols_;
  std::unordered_map<std::int64_t, HostLaunch> calls_;  // by correlation
  std::unordered_map<std::int64_t, std::size_t> threads_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint16_t> lanes_;  // by device and queue
  std::unordered_map<std::string, NameId> names_;
  std::vector<Dispatch> dispatches_;  // of each kernel
  std::size_t left_out_ = 0;
  Recording out_;
};

}  // namespace

bool is_rocprof_json(std::string_view head) { return head.find("\"rocprofiler-sdk-tool\"") != std::string_view::npos; }

Result<Recording> rocprof_recording(ByteSource& source, const std::string& origin) {
  return RocprofReader().read(source, origin);
}

}  // namespace iosx::external
