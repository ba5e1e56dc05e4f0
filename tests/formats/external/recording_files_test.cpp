#include "core/analysis/recording/edges.h"
#include "core/analysis/recording/usage.h"
#include "core/formats/external/open_recording.h"
#include "tests/support/attacks.h"
#include "tests/support/gzipped.h"
#include "tests/support/prelude.h"
#include "tests/support/sanitized.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

Recording recording_of(std::string_view text, const RecordingOptions& options = {}) {
  return must(read_recording_text(text, "run.json", options));
}
std::string refusal_of_recording(std::string_view text, const RecordingOptions& options = {}) {
  return refused(read_recording_text(text, "run.json", options)).text();
}

// Two kernels on two streams under a module and an operator; the second stream waits for an event of the first.
constexpr std::string_view kKineto = R"json({"deviceProperties": [{"id": 0, "name": "Small", "numSms": 4,
  "maxThreadsPerMultiprocessor": 1024}], "traceEvents": [
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
  {"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_0", "pid": 1, "tid": 1, "ts": 1, "dur": 50},
  {"ph": "X", "cat": "python_function", "name": "forward", "pid": 1, "tid": 1, "ts": 1, "dur": 50},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 20,
   "args": {"External id": 5, "Record function id": 9}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 3, "dur": 2,
   "args": {"correlation": 11, "External id": 5}},
  {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 10, "dur": 10, "args": {"device": 0,
   "stream": 7, "correlation": 11, "External id": 5, "grid": [2, 3, 1], "block": [32, 4, 1],
   "registers per thread": 80, "shared memory": 4096, "graph id": 2, "graph node id": 8589934597}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 1, "tid": 1, "ts": 6, "dur": 1,
   "args": {"correlation": 12}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 1, "tid": 1, "ts": 8, "dur": 1,
   "args": {"correlation": 13}},
  {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 8, "ts": 8, "dur": 0, "args": {
   "correlation": 13, "stream": 8, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 12, "device": 0}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 60, "dur": 3,
   "args": {"correlation": 14}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)",
                           "pid" : 0, "tid" : 8, "ts" : 64, "dur" : 5, "args" : {
  "device" : 0, "stream" : 8, "correlation" : 14
}
},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 1, "tid": 1, "ts": 65, "dur": 5,
   "args": {"correlation": 15}},
  {"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 8, "ts": 65, "dur": 5, "args": {
   "correlation": 15, "stream": 8, "device": 0}}]
})json";

TEST(KinetoRecording, HasKernelsLaunchesRangesAndWaits) {
  const Recording recording = recording_of(kKineto);
  ASSERT_EQ(recording.kernels.size(), 2U);
  const RecordedKernel& gemm = recording.kernels[0];
  EXPECT_EQ(recording.name(gemm.name), "sgemm");
  EXPECT_THAT(gemm.grid, ElementsAre(2, 3, 1));
  EXPECT_THAT(gemm.block, ElementsAre(32, 4, 1));
  EXPECT_EQ(gemm.registers, 80);
  EXPECT_EQ(gemm.shared_bytes, 4096U);
  EXPECT_EQ(gemm.graph, 2U);
  EXPECT_EQ(gemm.node, 5U);  // exporters differ in the upper bits
  EXPECT_EQ(gemm.kind, KernelKind::kGemm);
  EXPECT_EQ(recording.kernels[1].kind, KernelKind::kHostCopy);
  EXPECT_EQ(recording.launches[gemm.launch].end - recording.launches[gemm.launch].begin, 2);
  // The ranges around it, from the innermost: the operator, its module, the step.
  std::vector<std::string> around;
  for (std::uint32_t r = gemm.range; r != kNoIndex; r = recording.ranges[r].outer)
    around.push_back(recording.name(recording.ranges[r].name));
  EXPECT_THAT(around, ElementsAre("aten::mm", "nn.Module: Linear_0", "ProfilerStep#3"));
  EXPECT_EQ(recording.ranges[gemm.range].record_function, 9);
  ASSERT_EQ(recording.stream_waits.size(), 1U);
  EXPECT_EQ(recording.lanes[recording.stream_waits[0].lane].stream, "8");
  EXPECT_EQ(recording.lanes[recording.stream_waits[0].source].stream, "7");
  EXPECT_EQ(recording.stream_waits[0].recorded, 6);
  ASSERT_EQ(recording.host_waits.size(), 1U);
  EXPECT_EQ(recording.lanes[recording.host_waits[0].lane].stream, "8");
  ASSERT_EQ(recording.devices.size(), 1U);
  EXPECT_EQ(recording.devices[0].name, "Small");
  EXPECT_EQ(recording.devices[0].multiprocessors, 4);
  EXPECT_EQ(recording.devices[0].warps, 32);
}

TEST(KinetoRecording, MayBePackedAndCut) {
  EXPECT_EQ(recording_of(test::gzipped(kKineto)).kernels.size(), 2U);
  EXPECT_EQ(recording_of(kKineto, {.step = 0}).kernels.size(), 2U);
  EXPECT_THAT(refusal_of_recording(kKineto, {.step = 1}), HasSubstr("has only 1 of them"));
  EXPECT_EQ(recording_of(kKineto, {.range = "aten::mm"}).kernels.size(), 1U);
}

// Arrows of PyTorch 2.15 between kernels are edges of a CUDA graph; those from calls of the host are none.
// Windows PowerShell writes it so.
TEST(KinetoRecording, MayBeInUtf16) {
  for (const bool low_first : {true, false}) {
    std::string text = low_first ? "\xFF\xFE" : "\xFE\xFF";
    for (const char c : kKineto) {
      text += low_first ? c : '\0';
      text += low_first ? '\0' : c;
    }
    const Recording recording = recording_of(text);
    EXPECT_EQ(recording.kernels.size(), 2U);
    EXPECT_EQ(recording.name(recording.kernels[0].name), "sgemm");
  }
}

TEST(KinetoRecording, HasTheEdgesThatArrowsDraw) {
  const auto kernel = [](const char* name, int begin) {
    return fmt::format(
        R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, "ts": {}.125, "dur": 5, "args": {{"device": 0,)"
        R"( "stream": 7, "correlation": 3}}}},)",
        name, begin);
  };
  const auto arrow = [](char phase, int id, int process, double at) {
    return fmt::format(R"({{"ph": "{}", "id": {}, "pid": {}, "tid": 7, "ts": {}, "cat": "ac2g", "name": "ac2g"}},)",
                       phase, id, process, at);
  };
  std::string text = "[" + kernel("a", 10) + kernel("b", 20) + kernel("c", 30);
  text += R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 9, "tid": 7, "ts": 1, "dur": 2,)"
          R"( "args": {"correlation": 3}},)";
  text += arrow('s', 3, 9, 1) + arrow('f', 3, 0, 10.125);
  text += arrow('s', 50, 0, 15.125) + arrow('f', 50, 0, 20.125) + arrow('s', 51, 0, 15.125) + arrow('f', 51, 0, 30.125);
  text.back() = ']';
  const Recording recording = recording_of(text);
  EXPECT_THAT(recording.edges, ElementsAre(RecordedEdge{0, 1, EdgeKind::kGraph, EdgeCertainty::kKnown},
                                           RecordedEdge{0, 2, EdgeKind::kGraph, EdgeCertainty::kKnown}));
  EXPECT_EQ(edges_of(recording).edges.size(), 2U);  // b and c are independent
}

// Two ranks in one file, each with a stream 7 of its device 0: their kernels overlap.
TEST(KinetoRecording, KeepsStreamsOfProcessesApart) {
  std::string text = "[";
  for (int i = 0; i < 4; ++i) {
    text +=
        fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "gemm", "pid": "rank {}", "tid": 7, "ts": {}, "dur": 100,)"
                    R"( "args": {{"device": 0, "stream": 7}}}},)",
                    i % 2, 100 + 50 * i);
  }
  text.back() = ']';
  const Recording recording = recording_of(text);
  ASSERT_EQ(recording.lanes.size(), 2U);
  EXPECT_EQ(recording.lanes[0].process, "process rank 0");
  EXPECT_EQ(recording.lanes[1].process, "process rank 1");
  for (const RecordedLane& lane : recording.lanes) EXPECT_EQ(lane.stream, "7");
  EXPECT_THAT(edges_of(recording).broken, Each(0U));
  EXPECT_TRUE(recording.notices.empty());
}

// No kernel contains the next one of its stream. Programmatic launches may overlap.
TEST(KinetoRecording, KernelsEndWhereTheNextOneBegins) {
  const auto kernel = [](double begin, double duration) {
    return fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": {}, "dur": {},)"
                       R"( "args": {{"device": 0, "stream": 7}}}})",
                       begin, duration);
  };
  const Recording recording = recording_of('[' + kernel(10, 100) + ',' + kernel(20, 5) + ',' + kernel(30, 40) + ',' +
                                           kernel(60, 40) + ',' + kernel(99, 5) + ']');
  std::vector<double> ends;
  for (const RecordedKernel& one : recording.kernels) ends.push_back(one.end);
  EXPECT_THAT(ends, ElementsAre(20, 25, 70, 100, 104));
  EXPECT_THAT(recording.notices, Contains(HasSubstr("1 kernel ends after the next one")));
}

// Without deviceProperties, blocks and blocks of each multiprocessor say how many there are.
TEST(KinetoRecording, FindsTheNumberOfMultiprocessors) {
  const Recording recording =
      recording_of(R"json([{"ph": "X", "cat": "Kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1, "dur": 1,
    "args": {"device": 0, "stream": 7, "grid": [160, 1, 1], "block": [64, 1, 1], "blocks per SM": 2.0}}])json");
  EXPECT_EQ(recording.devices.at(0).multiprocessors, 80);
}

TEST(Recordings, OfOtherProgramsHaveTheirKernels) {
  const Recording rocprof = recording_of(
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n"
      "\"KERNEL_DISPATCH\",\"Agent 4\",1,\"Cijk_a\",700000000100000,700000000200000\n"
      "\"KERNEL_DISPATCH\",\"Agent 4\",2,\"relu\",700000000205000,700000000245000\n");
  ASSERT_EQ(rocprof.kernels.size(), 2U);
  EXPECT_EQ(rocprof.lanes.size(), 2U);
  EXPECT_NEAR(rocprof.kernels[1].duration(), 40, 1e-3);
  const DeviceUsage usage = usage_of(rocprof, {1, 1});
  EXPECT_NEAR(usage.idle.unknown, 5, 1e-3);  // nothing is known of launches
  const Recording chrome = recording_of(R"json([{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2},
    {"ph": "X", "name": "b", "pid": 1, "tid": 2, "ts": 2, "dur": 2}])json");
  EXPECT_EQ(chrome.lanes.size(), 2U);
  EXPECT_THAT(refusal_of_recording("name,latency_ms\na,1\n"), HasSubstr("has no begins of kernels"));
  EXPECT_THAT(refusal_of_recording("{}"), HasSubstr("not a list of trace events"));
  EXPECT_THAT(refusal_of_recording("[]"), HasSubstr("contains no events"));
}

TEST(RocprofRecording, HasKernelsCopiesAndTheirCalls) {
  const Recording recording = recording_of(R"json({"rocprofiler-sdk-tool": [{"agents": [
    {"id": {"handle": 1}, "type": 1, "cu_count": 0}, {"id": {"handle": 2}, "type": 2, "node_id": 4, "cu_count": 256,
     "max_waves_per_cu": 32, "product_name": "AMD Instinct MI350X"}],
    "kernel_symbols": [{"kernel_id": 8, "formatted_kernel_name": "Cijk_gemm", "kernel_name": "Cijk_gemm.kd"}],
    "buffer_records": {"kernel_dispatch": [
     {"thread_id": 9, "correlation_id": {"internal": 5}, "start_timestamp": 63857982592000,
      "end_timestamp": 63857982602000, "dispatch_info": {"agent_id": {"handle": 2}, "queue_id": {"handle": 16},
      "kernel_id": 8, "group_segment_size": 64, "workgroup_size": {"x": 256, "y": 1, "z": 1},
      "grid_size": {"x": 1000, "y": 2, "z": 1}}},
     {"correlation_id": {"internal": 6}, "start_timestamp": 0, "end_timestamp": 0, "dispatch_info": {}}],
    "memory_copy": [{"correlation_id": {"internal": 7}, "start_timestamp": 63857982612000, "end_timestamp": 63857982613000,
      "dst_agent_id": {"handle": 1}, "src_agent_id": {"handle": 2}}],
    "hip_api": [{"thread_id": 9, "correlation_id": {"internal": 5}, "start_timestamp": 63857982580000,
      "end_timestamp": 63857982585000}]}}]})json");
  ASSERT_EQ(recording.kernels.size(), 2U);
  const RecordedKernel& gemm = recording.kernels[0];
  EXPECT_EQ(recording.name(gemm.name), "Cijk_gemm");
  EXPECT_EQ(gemm.kind, KernelKind::kGemm);
  EXPECT_THAT(gemm.grid, ElementsAre(4, 2, 1));  // a grid of AMD counts threads
  EXPECT_NEAR(gemm.duration(), 10, 0.01);
  EXPECT_NEAR(gemm.begin - recording.launches.at(gemm.launch).begin, 12, 0.01);
  EXPECT_EQ(recording.kernels[1].kind, KernelKind::kHostCopy);
  EXPECT_EQ(recording.devices.at(0).multiprocessors, 256);
  EXPECT_EQ(recording.lanes.at(0).device, 4);
  EXPECT_THAT(recording.notices, Contains(HasSubstr("1 events without a valid time")));
}

// A field of a message of protobuf.
std::string field(unsigned number, std::uint64_t value) {
  const auto varint = [](std::uint64_t rest) {
    std::string bytes;
    for (; rest >= 0x80; rest >>= 7U) bytes += static_cast<char>((rest & 0x7FU) | 0x80U);
    return bytes + static_cast<char>(rest);
  };
  return varint(number << 3U) + varint(value);
}
std::string field(unsigned number, const std::string& bytes) {
  std::string made = field(number, bytes.size());
  made.front() = static_cast<char>(static_cast<unsigned char>(made.front()) | 2U);
  return made + bytes;
}

// Names and tracks may be told once, by numbers.
std::string perfetto_trace() {
  const auto event = [](unsigned type, std::uint64_t time, const std::string& more) {
    return field(1, field(8, time) + field(10, 1) + field(11, field(9, type) + more));
  };
  std::string trace = field(1, field(60, field(1, 5) + field(2, std::string("stream 7"))));
  trace += field(1, field(60, field(1, 6) + field(4, field(5, std::string("stream 8")))));
  trace += field(1, field(10, 1) + field(12, field(2, field(1, 3) + field(2, std::string("sgemm")))) +
                        field(59, field(11, field(11, 6))));
  trace += event(1, 1'000'000, field(10, 3) + field(11, 5));
  trace += event(1, 1'005'000, field(23, std::string("relu")));
  trace += event(2, 1'010'000, field(11, 5));
  trace += event(2, 1'007'000, "");
  return trace + event(2, 1'020'000, "");
}

TEST(PerfettoTrace, HasItsSlicesOnTracks) {
  const Recording recording = recording_of(perfetto_trace());
  ASSERT_EQ(recording.kernels.size(), 2U);
  EXPECT_EQ(recording.name(recording.kernels[0].name), "sgemm");
  EXPECT_EQ(recording.kernels[0].duration(), 10);
  EXPECT_EQ(recording.kernels[1].duration(), 2);
  EXPECT_THAT(recording.lanes[0].stream, HasSubstr("stream 7"));
  EXPECT_THAT(recording.lanes[1].stream, HasSubstr("stream 8"));
  EXPECT_THAT(recording.notices, Contains(HasSubstr("1 events without a valid time")));
  test::attack_often(2000 / test::every(10), [&](std::mt19937& random) {
    const auto damaged = read_recording_text(test::attacked(perfetto_trace(), random), "x", {});
    EXPECT_TRUE(damaged || !damaged.error().what.empty());
  });
}

// A packed piece has packets of its own; what claims to be one may be anything.
TEST(PerfettoTrace, MayHavePackedPieces) {
  const std::string plain = perfetto_trace();
  const std::string packed = field(1, field(50, test::deflated(plain)));
  const Recording recording = recording_of(packed);
  ASSERT_EQ(recording.kernels.size(), 2U);
  EXPECT_EQ(recording.name(recording.kernels[0].name), "sgemm");
  EXPECT_THAT(refusal_of_recording(field(1, field(50, test::deflated(plain).substr(0, 40)))), HasSubstr("zlib"));
  // Packed pieces within packed pieces are not looked into.
  EXPECT_THAT(refusal_of_recording(field(1, field(50, test::deflated(packed)))), HasSubstr("contains no events"));
  test::attack_often(1000 / test::every(10), [&](std::mt19937& random) {
    const auto damaged = read_recording_text(test::attacked(packed, random), "x", {});
    EXPECT_TRUE(damaged || !damaged.error().what.empty());
  });
}

// Arrows between kernels are edges, as PyTorch's are: from an end to a begin.
TEST(PerfettoTrace, HasTheEdgesThatFlowsDraw) {
  const auto fixed = [](unsigned number, std::uint64_t value) {
    std::string bytes = field(number, std::uint64_t{0});
    bytes.back() = static_cast<char>(value);
    bytes[0] = static_cast<char>(static_cast<unsigned char>(bytes[0]) | 1U);
    return bytes + std::string(7, '\0');
  };
  const auto event = [](unsigned type, std::uint64_t time, const std::string& more) {
    return field(1, field(8, time) + field(10, 1) + field(11, field(9, type) + more));
  };
  const auto kernel = [&](const char* name, std::uint64_t track, std::uint64_t begin, const std::string& flows) {
    const std::string stream = field(4, field(10, std::string("stream")) + field(3, track));
    return event(1, begin,
                 field(11, track) + field(22, std::string("kernel")) + field(23, std::string(name)) + stream + flows) +
           event(2, begin + 4000, field(11, track));
  };
  const Recording recording = recording_of(kernel("a", 7, 1000, fixed(47, 5) + fixed(47, 6)) +
                                           kernel("b", 7, 6000, fixed(48, 5)) + kernel("c", 8, 7000, fixed(48, 6)));
  EXPECT_THAT(recording.edges, UnorderedElementsAre(RecordedEdge{0, 1, EdgeKind::kGraph, EdgeCertainty::kKnown},
                                                    RecordedEdge{0, 2, EdgeKind::kGraph, EdgeCertainty::kKnown}));
  ASSERT_EQ(recording.lanes.size(), 2U);
  EXPECT_EQ(recording.lanes[1].stream, "8");
}

TEST(ChakraRecording, HasEdgesThroughNodesOfTheProcessor) {
  const Recording recording = recording_of(R"json({"schema": "0.0.4", "nodes": [
    {"id": 0, "name": "a", "data_deps": [], "start_time_micros": 10, "duration_micros": 5,
     "attr": [{"name": "is_cpu_op", "bool_val": false}, {"name": "stream", "int64_val": 7}]},
    {"id": 1, "name": "host", "data_deps": [0], "attr": [{"name": "is_cpu_op", "bool_val": true}]},
    {"id": 2, "name": "b", "data_deps": [1], "start_time_micros": 20, "duration_micros": 5,
     "attr": [{"name": "is_cpu_op", "bool_val": false}, {"name": "stream", "int64_val": 8}]}]})json");
  ASSERT_EQ(recording.kernels.size(), 2U);
  EXPECT_THAT(recording.edges, ElementsAre(RecordedEdge{0, 1, EdgeKind::kData, EdgeCertainty::kKnown}));
}

// In both forms of the format: an operator in place, one with `out=`, one that returns a view, one that makes a tensor.
TEST(TensorRtRecording, HasLayersOnStreamsAndWhatTheyRead) {
  const Recording recording = recording_of(R"({"Layers": [
    {"Name": "stem", "Inputs": [{"Name": "in"}], "Outputs": [{"Name": "x"}], "StreamId": 0},
    {"Name": "left", "Inputs": [{"Name": "x"}], "Outputs": [{"Name": "y"}], "StreamId": 0},
    {"Name": "right", "Inputs": [{"Name": "x"}], "Outputs": [{"Name": "z"}], "StreamId": 1},
    {"Name": "add", "Inputs": [{"Name": "y"}, {"Name": "z"}], "Outputs": [{"Name": "x"}], "StreamId": 0}]})");
  EXPECT_FALSE(recording.timed);
  EXPECT_EQ(recording.lanes.size(), 2U);
  const RecordedEdges edges = edges_of(recording);
  const auto pairs = mapped<std::pair<std::uint32_t, std::uint32_t>>(
      edges.edges, [](const RecordedEdge& edge) { return std::pair(edge.before, edge.after); });
  EXPECT_THAT(pairs, ElementsAre(std::pair(0U, 1U), std::pair(0U, 2U), std::pair(0U, 3U), std::pair(1U, 3U),
                                 std::pair(2U, 3U)));
  EXPECT_THAT(refusal_of_recording(R"({"Layers": ["stem", "left"]})"), HasSubstr("profilingVerbosity"));
  EXPECT_THAT(refusal_of_recording(R"({"Layers": 3})"), HasSubstr("has no layers"));
  EXPECT_THAT(refusal_of_recording(R"({"Layers": []})"), HasSubstr("contains no kernels"));
}

TEST(ExecutionTraceFile, TellsWhatOperatorsReadAndWrite) {
  const auto nodes = [](std::string_view text) {
    return must(external::read_execution_trace(*source_of(text, "x"), "x")).nodes;
  };
  const auto old = nodes(R"json({"schema": "1.0.1", "nodes": [
    {"name": "aten::add_", "id": 3, "rf_id": 4, "parent": 2, "tid": 1,
     "op_schema": "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
     "inputs": [[5, 50, 0, 8, 4, "cuda:0"], [6, 60, 0, 8, 4, "cuda:0"], 1], "input_shapes": [[8], [8], []],
     "outputs": [[5, 50, 0, 8, 4, "cuda:0"]], "output_shapes": [[8]]
}]
})json");
  ASSERT_EQ(old.size(), 1U);
  EXPECT_EQ(old[0].record_function, 4);
  EXPECT_EQ(old[0].parent, 2);
  ASSERT_EQ(old[0].reads.size(), 2U);
  ASSERT_EQ(old[0].writes.size(), 1U);
  EXPECT_EQ(old[0].writes[0].storage, 50);
  EXPECT_EQ(old[0].writes[0].end, StorageRange::kAllBytes);  // without strides it is all of the storage
  EXPECT_TRUE(old[0].fresh.empty());
  const auto made = nodes(R"json({"schema": "1.1.1-chakra.0.0.4", "nodes": [
    {"id": 8, "name": "aten::mm", "ctrl_deps": 7, "inputs": {"values": [[1, 10, 4, 4, 4, "cpu"], [[2, 20, 0, 6, 4, "cpu"]],
     [3, 30, 0, 9, 4, "cpu"]], "shapes": [[2, 2], [[2, 3]], [3, 3]], "strides": [[3, 1], [[3, 1]], [3, 1]]},
     "outputs": {"values": [[3, 30, 0, 9, 4, "cpu"], [4, 40, 0, 9, 4, "cpu"]], "shapes": [], "strides": []},
     "attrs": [{"name": "rf_id", "value": 6}, {"name": "tid", "value": 2}, {"name": "op_schema",
      "value": "aten::mm.out(Tensor self, Tensor[] mat2, *, Tensor(a!) out) -> Tensor(a!)"
  }]
  },
    {"id": 5, "name": "custom", "ctrl_deps": 1, "inputs": {"values": [[1, 10, 0, 4, 4, "cpu"]], "shapes": [[4]]},
     "outputs": {"values": []}, "attrs": []}]
  })json");
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].name, "custom");  // by id
  EXPECT_FALSE(made[0].known);
  const ExecutionNode& product = made[1];
  EXPECT_TRUE(product.known);
  ASSERT_EQ(product.reads.size(), 2U);
  EXPECT_EQ(product.reads[0].begin, 16);
  EXPECT_EQ(product.reads[0].end, (4 + 1 + 3 + 1) * 4);
  EXPECT_EQ(product.reads[1].storage, 20);
  ASSERT_EQ(product.writes.size(), 1U);
  EXPECT_EQ(product.writes[0].storage, 30);
  EXPECT_THAT(product.fresh, ElementsAre(40));
  EXPECT_THAT(refused(external::read_execution_trace(*source_of(R"json({"nodes": 1})json", "x"), "x")).text(),
              HasSubstr("no execution trace"));
}

TEST(RecordingFile, IsNotReadToItsEndAfterAStop) {
  const fs::path file = fs::path(testing::TempDir()) / "stopped.json";
  std::ofstream(file) << kKineto;
  std::stop_source stop;
  EXPECT_TRUE(open_recording(file, {.stop = stop.get_token()}));
  stop.request_stop();
  EXPECT_THAT(refused(open_recording(file, {.stop = stop.get_token()})).text(), HasSubstr("reading was stopped"));
  fs::remove(file);
}

TEST(GraphDumpFile, IsNoRecordingByItself) {
  const fs::path file = fs::path(testing::TempDir()) / "graph_dump_alone.dot";
  std::ofstream(file) << "digraph dot {\nsubgraph cluster_1 {\n}\n}\n";
  const std::string said = refused(open_recording(file, {})).text();
  fs::remove(file);
  EXPECT_THAT(said, HasSubstr("is a drawing of a CUDA graph"));
  EXPECT_THAT(said, HasSubstr("together with the recording"));
}

TEST(GraphDumpFile, HasNodesInTheOrderOfTheCaptureAndEdges) {
  const GraphDump dump = must(external::read_graph_dump(R"json(digraph dot {
    "graph_1_node_10"[style="bold" label="{KERNEL
    | {ID | 10 (topoId: 0) | last\<\<\<1,128,0\>\>\>}
    }"];
    "graph_1_node_2"[label="{MEMCPY
    | {kind | DtoD}}"];
    "graph_1_node_3"[label="{EVENT_RECORD
    | {ID | 3}}"];
    "graph_1_node_2" -> "graph_1_node_10" [headlabel=0];
    "graph_1_node_3" -> "graph_1_node_10" [headlabel=0];
  })json",
                                                        "x"));
  ASSERT_EQ(dump.nodes.size(), 2U);
  EXPECT_THAT(dump.nodes[1], HasSubstr("last"));
  EXPECT_THAT(dump.edges, ElementsAre(std::pair(0U, 1U)));
  EXPECT_THAT(refused(external::read_graph_dump("digraph {}", "x")).text(), HasSubstr("has no nodes of a CUDA graph"));
}

class NsightRecordingTest : public testing::Test {
 protected:
  Recording read(const std::string& sql, const RecordingOptions& options = {}) {
    fs::remove(path_);
    test::write_database(path_, sql);
    return must(open_recording(path_, options));
  }
  const test::Folder folder_;
  const fs::path path_ = folder_ / "report.sqlite";
};

constexpr const char* kNsys =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1, 'void gemm<1>'), (2, 'gemm'), (3, 'cudaLaunchKernel_v7000'),"
    " (4, 'cudaEventRecord'), (5, 'cudaStreamWaitEvent'), (6, 'cudaDeviceSynchronize');"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, "
    "demangledName,"
    " shortName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory,"
    " dynamicSharedMemory, graphNodeId);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10000, 20000, 0, 7, 1, 83886080, 1, 2, 4, 2, 1, 128, 1, 1, 64, "
    "512,"
    " 512, 3), (30000, 35000, 0, 8, 2, 83886080, 1, 2, 4, 2, 1, 128, 1, 1, 64, 512, 512, NULL);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, streamId, correlationId, globalPid, copyKind);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (40000, 41000, 0, 7, 3, 83886080, 2);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, streamId, correlationId, globalPid);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (42000, 42500, 1, 7, 4, 83886080);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 2000, 83886083, 1, 3), (3000, 3100, 83886083, 10, 4),"
    " (3200, 3300, 83886083, 11, 5), (4000, 5000, 83886083, 2, 3), (6000, 60000, 83886083, 12, 6);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (correlationId, streamId, eventId, globalPid);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (11, 8, 99, 83886080);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (correlationId, streamId, eventId, globalPid);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (10, 7, 99, 83886080);"
    "CREATE TABLE NVTX_EVENTS (start, end, globalTid, text, textId);"
    "INSERT INTO NVTX_EVENTS VALUES (900, 2500, 83886083, 'aten::mm, seq = 3, op_id = 17', NULL),"
    " (800, 5500, 83886083, 'layer', NULL);"
    "CREATE TABLE TARGET_INFO_GPU (id, smCount, name);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 10, 'Small'), (1, 20, 'Large');";

TEST_F(NsightRecordingTest, HasKernelsCopiesWaitsAndRanges) {
  const Recording recording = read(kNsys);
  ASSERT_EQ(recording.kernels.size(), 3U);
  EXPECT_THAT(recording.notices, Contains(HasSubstr("3 of 4 kernels are of device 0")));
  const RecordedKernel& first = recording.kernels[0];
  EXPECT_EQ(recording.name(first.name), "void gemm<1>");
  EXPECT_THAT(first.grid, ElementsAre(4, 2, 1));
  EXPECT_EQ(first.shared_bytes, 1024U);
  EXPECT_EQ(first.node, 3U);
  EXPECT_EQ(recording.launches[first.launch].begin, 1);
  EXPECT_EQ(recording.name(recording.ranges[first.range].name), "aten::mm");
  EXPECT_EQ(recording.ranges[first.range].record_function, 17);
  EXPECT_EQ(recording.name(recording.ranges[recording.kernels[1].range].name), "layer");
  EXPECT_EQ(recording.name(recording.kernels[2].name), "Memcpy DtoH");
  ASSERT_EQ(recording.stream_waits.size(), 1U);
  EXPECT_EQ(recording.stream_waits[0].recorded, 3);
  EXPECT_EQ(recording.lanes[recording.stream_waits[0].source].stream, "7");
  EXPECT_EQ(recording.host_waits.size(), 1U);
  EXPECT_EQ(read(kNsys, {.device = 1}).kernels.size(), 1U);
}

TEST_F(NsightRecordingTest, NamesWhatWasRecordedAsAWhole) {
  const Recording recording =
      read(std::string(kNsys) +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId, correlationId, globalPid,"
           " graphId);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (70000, 90000, 0, 7, 20, 83886080, 6);");
  ASSERT_EQ(recording.kernels.size(), 4U);
  EXPECT_TRUE(recording.kernels[3].whole_graph);
  EXPECT_EQ(recording.name(recording.kernels[3].name), "CUDA graph 6");
  EXPECT_THAT(recording.notices, Contains(HasSubstr("1 launches of CUDA graphs were recorded as a whole")));
}

TEST(Recordings, OfDamagedTextsAreRefusedOrConsistent) {
  int read = 0;
  test::attack_often(2000 / test::every(10), [&](std::mt19937& random) {
    const auto recording = read_recording_text(test::attacked(std::string(kKineto), random), "x", {});
    if (!recording) {
      EXPECT_FALSE(recording.error().what.empty());
      return;
    }
    ++read;
    for (const RecordedKernel& kernel : recording->kernels) {
      ASSERT_LT(kernel.lane, recording->lanes.size());
      ASSERT_LT(kernel.name, recording->names.size());
      ASSERT_TRUE(kernel.launch == kNoIndex || kernel.launch < recording->launches.size());
      ASSERT_TRUE(kernel.range == kNoIndex || kernel.range < recording->ranges.size());
      ASSERT_LE(kernel.begin, kernel.end);
    }
    EXPECT_GE(usage_of(*recording, shares_of(*recording, {})).busy, 0);
  });
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace iosx
