#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/devices/device.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/tensor.h"

// Other programs' inference engines, each behind an adapter: a Python script of resources/engines in a process of its
// own, which is spoken to in lines of JSON. See the README there for what is said.
namespace iosx {

// Says where engines come from and how long they may take.
struct EngineSettings {
  std::string python = "python3";        // an interpreter, whose packages are what can be compared
  std::filesystem::path adapters = {};   // a folder with more of them; empty: there are none but the program's own
  std::vector<std::string> chosen = {};  // ids of engines, in that order; empty: all
  Seconds limit{300};                    // for one request: to prepare a network may be to compile it
  friend bool operator==(const EngineSettings&, const EngineSettings&) = default;
};

// An engine as its adapter names it. One adapter may have several, which differ in how they run.
struct EngineInfo {
  std::string id;     // "onnxruntime-parallel"
  std::string title;  // "ONNX Runtime, parallel executor"
  std::filesystem::path adapter;
  std::filesystem::path own_adapters;                // the folder of the program's, which every adapter can import from
  std::map<std::string, std::string> versions = {};  // of packages
  std::vector<std::string> devices = {};             // "cpu", "cuda"
  std::vector<std::string> missing = {};             // packages that the interpreter lacks; empty: it can be run
  std::string install = {};                          // the line that installs what it needs
};

// Asks all adapters what engines they have; `scratch` is for what they write. Without a choice they come in the order
// of their names. Errors: an interpreter that cannot be started, a folder without adapters, an id that none has, a
// stop. What goes wrong in one adapter becomes a notice.
Result<std::vector<EngineInfo>> find_engines(const EngineSettings& settings, const std::filesystem::path& scratch,
                                             const JobContext& job, std::vector<Message>& notices);

// A network as engines get it.
struct EngineNetwork {
  struct Input {
    std::string name;
    std::filesystem::path file;  // .npy
  };
  std::filesystem::path model;  // ONNX
  std::vector<Input> inputs = {};
  std::vector<FileTensor> outputs = {};  // as the model has them
  int threads = 1;
  std::string device = "cpu";     // or "cuda"
  std::string precision = "f32";  // as DeviceInfo
};

struct EngineOperator {
  std::string name;  // of the model's node; of fused ones "a + b"
  std::string kind;  // as the engine calls it
  Millis latency{0};
};

// An engine in a process of its own that holds a network, ready to be run. Between its requests the process stands
// still: whoever is timed meanwhile has the processor for himself. After an error it is ended and stays so.
class Engine {
 public:
  // Starts it and has it prepare the network. `scratch` is a folder for it alone. Errors: what the engine says, an
  // adapter that breaks off or takes longer than `limit`, a stop; the place is the engine's title.
  static Result<Engine> load(const EngineInfo& info, const EngineNetwork& network, const EngineSettings& settings,
                             const std::filesystem::path& scratch, const JobContext& job);

  const EngineInfo& info() const { return info_; }           // its versions as the loaded packages say
  const std::string& settings() const { return settings_; }  // in a line: what the adapter set
  Seconds prepared_in() const { return prepared_in_; }       // with conversion and compilation

  // Returns what it computes, one tensor an output of the model, in its order.
  Result<std::vector<Tensor>> outputs(const JobContext& job);
  // Returns the latency of one inference, as often run as the options say: see StopRule. `runs` gets the times of all,
  // in order; it may be null.
  Result<Latency> time(const TimingOptions& timing, const JobContext& job, std::vector<Millis>* runs = nullptr);
  // Returns how long its operators take, in the order in which they run. The error may be that it does not tell.
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
