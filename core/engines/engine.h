#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/child_process.h"
#include "core/devices/device.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/tensor.h"

// Inference engines of other programs, each behind an adapter: a Python script of resources/engines in its own
// process that exchanges lines of JSON. The README there has the protocol.
namespace iosx {

// Where engines come from and how long a request may take.
struct EngineSettings {
  std::string python = "python3";        // an interpreter; its packages decide which engines can run
  std::filesystem::path adapters = {};   // a folder with additional adapters; empty: only the program's own
  std::vector<std::string> chosen = {};  // ids of engines, in order; empty: all
  Seconds limit{300};                    // for one request: preparing a network may compile it
  friend bool operator==(const EngineSettings&, const EngineSettings&) = default;
};

// An engine as its adapter describes it. One adapter may have several engines, which run in different ways.
struct EngineInfo {
  std::string id;     // "onnxruntime-parallel"
  std::string title;  // "ONNX Runtime, parallel executor"
  std::filesystem::path adapter;
  std::filesystem::path own_adapters;  // the folder of the program's own, from which every adapter can import
  std::map<std::string, std::string> versions = {};  // of packages
  std::vector<std::string> devices = {};             // "cpu", "cuda"
  std::vector<std::string> missing = {};             // packages that the interpreter lacks; empty: the engine can run
  std::string install = {};                          // the command that installs its requirements
};

// Asks all adapters for their engines; `scratch` is for their files. Without a choice the order is by name. Errors:
// an interpreter that cannot be started, a folder without adapters, an unknown id, a stop. A fault of one adapter
// becomes a notice.
Result<std::vector<EngineInfo>> find_engines(const EngineSettings& settings, const std::filesystem::path& scratch,
                                             const JobContext& job, std::vector<Message>& notices);

// A network in the form that engines receive.
struct EngineNetwork {
  struct Input {
    std::string name;
    std::filesystem::path file;  // .npy
  };
  std::filesystem::path model;  // ONNX
  std::vector<Input> inputs = {};
  std::vector<FileTensor> outputs = {};  // of the model, in its order
  int threads = 1;
  std::string device = "cpu";     // or "cuda"
  std::string precision = "f32";  // as in DeviceInfo
};

struct EngineOperator {
  std::string name;  // of the model's node; "a + b" for fused ones
  std::string kind;  // the engine's own name for it
  Millis latency{0};
};

// An engine in its own process with a network ready to run. Between requests the process is stopped, so that other
// measurements have the processor to themselves. After an error it is ended for good.
class Engine {
 public:
  // Starts the engine and prepares the network. `scratch` is a folder for it alone. Errors: the engine's, an
  // adapter that ends or takes longer than `limit`, a stop; the place is the engine's title.
  static Result<Engine> load(const EngineInfo& info, const EngineNetwork& network, const EngineSettings& settings,
                             const std::filesystem::path& scratch, const JobContext& job);

  const EngineInfo& info() const { return info_; }           // with the versions of the loaded packages
  const std::string& settings() const { return settings_; }  // one line: what the adapter set
  Seconds prepared_in() const { return prepared_in_; }       // includes conversion and compilation

  // Returns the outputs of one inference, one tensor per output of the model, in its order.
  Result<std::vector<Tensor>> outputs(const JobContext& job);
  // Returns the latency of one inference, repeated as the options say: see StopRule. `runs` receives all times in
  // order; it may be null.
  Result<Latency> time(const TimingOptions& timing, const JobContext& job, std::vector<Millis>* runs = nullptr);
  // Returns the times of its operators in execution order. One error is that the engine does not tell.
  Result<std::vector<EngineOperator>> profile(const JobContext& job);

 private:
  Engine(EngineInfo info, EngineNetwork network, ChildProcess process, std::filesystem::path scratch, Seconds limit);
  Result<void> prepare(const JobContext& job);

  EngineInfo info_;
  EngineNetwork network_;
  ChildProcess process_;
  std::filesystem::path scratch_;
  Seconds limit_;
  std::string settings_;
  Seconds prepared_in_{0};
};

}  // namespace iosx

namespace iosx::engines {

// A Python file of resources/engines, compiled into the program.
struct AdapterFile {
  std::string_view name;  // "onnxruntime.py", "shared/onnx_module.py"
  std::string_view text;
};
std::span<const AdapterFile> adapter_files();

// The module that all adapters import. It is not an adapter itself, nor is any file in a subfolder.
inline constexpr std::string_view kSharedFile = "protocol.py";

}  // namespace iosx::engines
