#include "gpu/profile/cupti_profiler.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "gpu/profile/cupti_library.h"
#include "gpu/profile/cupti_sampler.h"

namespace iosx::gpu {
namespace {

class CuptiProfiler final : public Profiler {
 public:
  CuptiProfiler(int device, Properties properties) : device_(device), properties_(std::move(properties)) {}

  Result<std::vector<LaunchRecord>> trace(const std::function<void()>& work) override {
    IOS_TRY(const auto library, CuptiLibrary::open(cupti_folders()));
    return trace_with_cupti(*library, work);
  }

  Result<std::unique_ptr<Sampler>> open_sampler(Micros interval) override {
    IOS_TRY(const auto library, CuptiLibrary::open(cupti_folders()));
    return open_cupti_sampler(*library, device_, properties_, interval);
  }

 private:
  int device_;
  Properties properties_;
};

constexpr std::size_t kBuffer = std::size_t{4} << 20;  // bytes
constexpr std::align_val_t kBufferAlignment{8};

std::string readable(const char* name) {
  if (name == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> words(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                          &std::free);
  return status == 0 && words ? words.get() : name;
}

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): its identity
GraphNode handle(CUgraphNode node) { return GraphNode{reinterpret_cast<std::uintptr_t>(node)}; }

struct Record {
  std::uint64_t node;
  LaunchRecord launch;
};

// CUPTI's callbacks, on its threads, write to this, because they receive no data of ours. There is one trace at a
// time.
struct Collected {
  const CuptiLibrary* library = nullptr;
  std::mutex mutex;
  NodeOrigins nodes;
  std::vector<Record> records;
  std::size_t dropped = 0;
};
Collected& collected() {
  static Collected one;
  return one;
}

Record record_of(const CUpti_ActivityKernel10& kernel) {
  LaunchRecord launch;
  launch.name = readable(kernel.name);
  launch.begin = static_cast<std::int64_t>(kernel.start);
  launch.end = static_cast<std::int64_t>(kernel.end);
  launch.grid = {kernel.gridX, kernel.gridY, kernel.gridZ};
  launch.block = {kernel.blockX, kernel.blockY, kernel.blockZ};
  launch.registers = kernel.registersPerThread;
  launch.shared_bytes = std::int64_t{kernel.staticSharedMemory} + kernel.dynamicSharedMemory;
  return {kernel.graphNodeId, std::move(launch)};
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *size = kBuffer;
  *most_records = 0;  // as many as fit
  *buffer = static_cast<std::uint8_t*>(::operator new(kBuffer, kBufferAlignment, std::nothrow));
  if (*buffer == nullptr) *size = 0;
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/,
                          std::size_t valid) {
  Collected& all = collected();
  std::vector<Record> records;
  CUpti_Activity* activity = nullptr;
  while (valid > 0 && all.library->next_record(buffer, valid, &activity) == CUPTI_SUCCESS) {
    if (activity->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what a record of that kind is
    records.push_back(record_of(*reinterpret_cast<const CUpti_ActivityKernel10*>(activity)));
  }
  std::size_t dropped = 0;
  if (all.library->dropped_records(context, stream, &dropped) != CUPTI_SUCCESS) dropped = 0;
  ::operator delete(buffer, kBufferAlignment);
  const std::scoped_lock lock(all.mutex);  // not while CUPTI is called: its callbacks take it too
  all.dropped += dropped;
  all.records.insert(all.records.end(), std::make_move_iterator(records.begin()),
                     std::make_move_iterator(records.end()));
}

void CUPTIAPI see_node(void* /*ours*/, CUpti_CallbackDomain domain, CUpti_CallbackId what, const void* data) {
  if (domain != CUPTI_CB_DOMAIN_RESOURCE) return;
  const auto* const resource = static_cast<const CUpti_ResourceData*>(data);
  const auto* const graph = static_cast<const CUpti_GraphData*>(resource->resourceDescriptor);
  Collected& all = collected();
  // Nodes that CUPTI reports as created meanwhile are clones, as in NVIDIA's own samples.
  if (what == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING || what == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED) {
    const std::scoped_lock lock(all.mutex);
    all.nodes.set_instantiating(what == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING);
    return;
  }
  std::uint64_t number = 0;
  if (all.library->graph_node_id(graph->node, &number) != CUPTI_SUCCESS) return;
  const std::scoped_lock lock(all.mutex);
  if (what == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) all.nodes.made(number, handle(graph->node));
  if (what == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
    all.nodes.cloned(number, handle(graph->node), handle(graph->originalNode));
  }
}

// While it lives CUPTI reports nodes and kernels.
class Tracing {
 public:
  explicit Tracing(const CuptiLibrary& library) : library_(library) {}
  ~Tracing() { end(); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

  Result<void> begin() {
    IOS_TRY(library_.check(library_.subscribe(&subscriber_, see_node, nullptr), "cuptiSubscribe"));
    subscribed_ = true;
    for (const CUpti_CallbackId what :
         {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
          CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING, CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED}) {
      IOS_TRY(library_.check(library_.enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, what),
                             "cuptiEnableCallback"));
    }
    IOS_TRY(library_.check(library_.register_callbacks(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks"));
    // KIND_KERNEL would run them one after another.
    IOS_TRY(library_.check(library_.activity_enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable"));
    active_ = true;
    return {};
  }

  void end() {
    if (active_) {
      library_.flush_all(0);
      library_.activity_disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
      library_.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
      active_ = false;
    }
    if (subscribed_) library_.unsubscribe(subscriber_);
    subscribed_ = false;
  }

 private:
  const CuptiLibrary& library_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool subscribed_ = false;
  bool active_ = false;
};

}  // namespace

std::unique_ptr<Profiler> make_cupti_profiler(int device, const Properties& properties) {
  return std::make_unique<CuptiProfiler>(device, properties);
}

Result<std::vector<LaunchRecord>> trace_with_cupti(const CuptiLibrary& library, const std::function<void()>& work) {
  Collected& all = collected();
  {
    const std::scoped_lock lock(all.mutex);
    all.library = &library;
    all.nodes = {};
    all.records.clear();
    all.dropped = 0;
  }
  {
    Tracing tracing(library);
    IOS_TRY(tracing.begin());
    work();
    tracing.end();
  }
  const std::scoped_lock lock(all.mutex);
  if (all.dropped > 0) {
    return fail(message("CUPTI dropped {} kernel records", all.dropped), "profiling", message("try again"));
  }
  std::vector<LaunchRecord> launches;
  launches.reserve(all.records.size());
  for (Record& record : all.records) {
    record.launch.node = all.nodes.origin(record.node);
    launches.push_back(std::move(record.launch));
  }
  std::ranges::stable_sort(launches, {}, &LaunchRecord::begin);
  return launches;
}

}  // namespace iosx::gpu
