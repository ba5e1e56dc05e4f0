#include "core/documents/pytorch/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <fstream>
#include <functional>
#include <numeric>
#include <ostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/documents/pytorch/network_source.h"
#include "core/documents/pytorch/python_text.h"
#include "core/documents/report/output_file.h"

namespace iosx::pytorch {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kFiles{
    "weights.safetensors", "lanes.py", "network.py", "__init__.py", "check.py", "order.py", "README.md"};
constexpr std::size_t kMarkWithin = 512;  // bytes from a file's beginning

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

constexpr std::size_t kAlignment = 64;

struct Entry {
  OperatorId id;
  bool bias = false;
};

// The file is a length of 8 bytes, that many bytes of JSON, and the numbers of one tensor after another.
class WeightsFile {
 public:
  WeightsFile(const Graph& graph, const PythonNames& names) : parameters_(*graph.parameters()) {
    header_ = fmt::format(R"({{"__metadata__":{{"format":"pt","origin":"{}"}})", kMark);
    for (std::size_t i = 0; i < graph.operators().size(); ++i) {
      const OperatorId id(i);
      const ParameterDims& dims = parameters_.dims(id);
      if (graph.op(id).is_constant()) {
        add({id}, names.of(id), dims.weights);
        continue;
      }
      if (!dims.weights.empty()) add({id}, names.of(id) + ".weight", dims.weights);
      if (!dims.bias.empty()) add({id, true}, names.of(id) + ".bias", dims.bias);
    }
    header_ += '}';
    header_.append((kAlignment - (8 + header_.size()) % kAlignment) % kAlignment, ' ');
  }

  void write(std::ostream& out) const {
    const std::uint64_t size = header_.size();
    out.write(reinterpret_cast<const char*>(&size), sizeof(size));
    out << header_;
    for (const Entry& entry : entries_) {
      const Tensor tensor = entry.bias ? parameters_.bias(entry.id) : parameters_.weights(entry.id);
      const auto numbers = tensor.elements();
      out.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(numbers.size_bytes()));
    }
  }

 private:
  void add(Entry entry, const std::string& key, const std::vector<std::int64_t>& dims) {
    const std::int64_t count = std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
    const std::int64_t end = bytes_ + count * static_cast<std::int64_t>(sizeof(float));
    header_ += fmt::format(R"(,"{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})", key, fmt::join(dims, ","),
                           bytes_, end);
    bytes_ = end;
    entries_.push_back(entry);
  }

  const Parameters& parameters_;
  std::string header_;
  std::vector<Entry> entries_;  // in the file's order
  std::int64_t bytes_ = 0;
};

// Writes the weights and biases of the graph's operators in the safetensors format, float32, under the keys of the
// written class's state_dict(): "conv1.weight", "conv1.bias", and a constant's own name.
void write_weights(std::ostream& out, const Graph& graph, const PythonNames& names) {
  WeightsFile(graph, names).write(out);
}

bool has_mark(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kMarkWithin, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find(kMark) != std::string::npos;
}

// Writes "Found for tesla-v100, batch 1: 0.277 ms, simulated."; nothing where the notes do not say what for.
std::string found_text(const ScheduleNotes& notes) {
  if (notes.device.empty()) return {};
  std::string text = fmt::format("Found for {}, batch {}", notes.device, notes.batch);
  if (notes.latency_ms) text += fmt::format(": {:.3f} ms, {}", *notes.latency_ms, notes.origin);
  if (!notes.recorded.empty()) text += fmt::format(", {}", notes.recorded);
  return text + ".";
}

std::string init_source(const PythonNames& names) {
  return fmt::format("# {0}\nfrom .network import Network, {1}\n\n__all__ = [\"{1}\", \"Network\"]\n", kMark,
                     names.network());
}

// Writes "x = torch.rand(1, 3, 224, 224)" for each input.
std::string example_inputs(const Graph& graph, const PythonNames& names) {
  std::string text;
  for (const OperatorId id : graph.inputs()) {
    text += fmt::format("    {} = torch.rand(1", names.of(id));
    for (const std::int64_t size : graph.op(id).output.dims()) text += fmt::format(", {}", size);
    text += ")\n";
  }
  return text;
}

// Writes what runs side by side, and what the table says of network.py.
std::pair<std::string, std::string> side_by_side_words(bool barrier_free) {
  if (barrier_free) {
    return {
        "kernels run on the lanes of the schedule, CUDA streams that wait for what they need by events and for no "
        "stage",
        "one method, which launches everything in order on its lanes"};
  }
  return {"a stage's groups run on CUDA streams of their own", "a method for each stage"};
}

std::string read_me(const Graph& graph, const Schedule& schedule, const PythonNames& names, const fs::path& folder,
                    const std::string& found, const std::optional<ExecutionPlan>& barrier_free) {
  const auto [lanes, methods] = side_by_side_words(barrier_free.has_value());
  std::string arguments;
  for (const OperatorId id : graph.inputs()) {
    if (!arguments.empty()) arguments += ", ";
    arguments += names.of(id);
  }
  const std::string cuda_arguments = arguments.empty() ? "" : arguments + ".cuda()";
  const fs::path named = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  std::string text = fmt::format("<!-- {} -->\n# {}\n\n", kMark, comment(graph.name()));
  text += fmt::format("The network with the schedule {}: {}.", comment(schedule.name),
                      schedule_summary(schedule, barrier_free));
  if (!found.empty()) text += " " + comment(found);
  text += fmt::format(R"(

Needs Python 3.8, torch 2.1 or newer, and numpy. With this folder on Python's path as a package `{0}`:

    import torch
    from {0} import {1}

    network = {1}()                       # on the CPU; .to("cuda") moves it
{2}    outputs = network({3})

`network.sequential = True` runs every unit by itself, one after another. On a GPU {5}; launching
one by one costs more than small kernels take, so capture a graph once and replay it:

    network.to("cuda")
    replay = network.capture({4})        # for inputs of these shapes
    outputs = replay({4})                # buffers that the next call overwrites

`python3 check.py` compares both modes, times them, and exits with 1 where they differ; `--help` lists its options. `python3
check.py --order` looks, without a GPU, for accesses to one tensor that no stream and no event orders: run it after every
change of network.py.

| file | what is in it |
| --- | --- |
| `network.py` | the network: its layers, {6} |
| `lanes.py` | streams, merged layers, capturing; operators that torch does not have |
| `check.py`, `order.py` | the checks |
| `weights.safetensors` | the weights, under the keys of `state_dict()` |

For inference only: merged layers have copies of the weights, which are made when weights are loaded with `load()` or
`load_state_dict()`.
)",
                      identifier(named.string().empty() ? "network" : named.string()), names.network(),
                      example_inputs(graph, names), arguments, cuda_arguments, lanes, methods);
  return text;
}

std::string marked(std::string_view source) {
  const std::string mark = fmt::format("# {}\n", kMark);
  if (!source.starts_with("#!")) return mark + std::string(source);
  const std::size_t second = source.find('\n') + 1;
  return std::string(source.substr(0, second)) + mark + std::string(source.substr(second));
}

}  // namespace

Result<void> check_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.empty()) return fail(message("an empty folder name"), "-o", message("name a folder"));
  if (!fs::exists(folder, error)) return {};
  if (!fs::is_directory(folder, error)) return fail(message("is a file"), folder.string(), message("name a folder"));
  const bool empty = fs::is_empty(folder, error);
  if (error)
    return fail(message("could not be read: {}", error.message()), folder.string(), message("name another folder"));
  if (empty) return check_writable(folder / kFiles.front());
  if (!has_mark(folder / "network.py"))
    return fail(message("is not empty and not an earlier export"), folder.string(), message("name a new folder"));
  for (const std::string_view name : kFiles) {
    const fs::path file = folder / name;
    if (fs::exists(file, error) && !has_mark(file)) {
      return fail(message("would be replaced, but is not from an earlier export"), file.string(),
                  message("name a new folder"));
    }
    if (auto possible = check_writable(file); !possible) return possible;
  }
  return {};
}

Result<void> write_package(const Graph& graph, const Schedule& schedule, const fs::path& folder,
                           const ExportOptions& options) {
  if (auto legal = check_legal(graph, schedule); !legal) return legal;
  const PythonNames names(graph);
  const std::string found = found_text(options.notes);
  IOS_TRY(const auto network, network_source(graph, schedule, names, found, options.outputs, options.barrier_free));
  if (auto free = check_folder(folder); !free) return free;
  if (auto made = make_folder(folder); !made) return made;
  auto written =
      write_file(folder / "weights.safetensors", [&](std::ostream& out) { write_weights(out, graph, names); });
  const std::pair<std::string_view, std::string> sources[] = {
      {"lanes.py", marked(kLanesSource)},
      {"network.py", network},
      {"__init__.py", init_source(names)},
      {"check.py", marked(kCheckSource)},
      {"order.py", marked(kOrderSource)},
      {"README.md", read_me(graph, schedule, names, folder, found, options.barrier_free)}};
  for (const auto& [name, text] : sources) {
    if (written) written = write_file(folder / name, text);
  }
  return written;
}

}  // namespace iosx::pytorch
