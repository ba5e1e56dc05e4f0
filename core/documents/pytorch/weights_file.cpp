#include "core/documents/pytorch/weights_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <functional>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "core/documents/pytorch/python_text.h"

namespace iosx::pytorch {
namespace {

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

}  // namespace

void write_weights(std::ostream& out, const Graph& graph, const PythonNames& names) {
  WeightsFile(graph, names).write(out);
}

}  // namespace iosx::pytorch
