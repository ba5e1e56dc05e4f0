#include "app/cli/tensor_files.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/file_type.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/archive.h"
#include "core/formats/network_tensors.h"
#include "core/formats/npy.h"

namespace iosx::cli {

namespace {

// Returns whether the file is a .npz: tensors by their names.
bool is_npz(const std::filesystem::path& path) {
  if (!check_regular_file(path)) return false;  // to open a pipe waits
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> start{};
  file.read(start.data(), start.size());
  return file && std::string_view(start.data(), start.size()) == std::string_view("PK\x03\x04", 4);
}

// Reads the tensor with this name out of a .npz file.
Result<Tensor> read_npz(const std::string& path, std::span<const std::int64_t> dims, const std::string& name) {
  std::ifstream file(path, std::ios::binary);
  const std::string archive{std::istreambuf_iterator<char>(file), {}};
  const auto count = std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
  auto entry = unzip(archive, name + ".npy", count * sizeof(double) + kMostNpyHeader, path);
  if (!entry) {
    return fail(entry.error().what, path,
                message("save it with numpy.savez('FILE.npz', **{{'{}': x}}), where x has the shape {}", name,
                        tuple_text(dims)));
  }
  std::istringstream text(std::move(*entry));
  return read_npy(text, dims, fmt::format("{}, '{}'", path, name));
}

}  // namespace

Result<std::vector<Tensor>> read_inputs(const ExecutionPlan& plan, const FileInterface& network,
                                        const std::vector<std::string>& files) {
  if (files.empty()) return std::vector<Tensor>();
  const std::size_t count = network.inputs.size();
  IOS_CHECK(count == plan.inputs.size());
  for (const std::string& file : files) IOS_TRY(check_regular_file(file));  // a pipe would be waited for
  const bool together = files.size() == 1 && is_npz(files.front());
  if (!together && files.size() != count) {
    return fail(
        message("{} files for {} inputs", files.size(), count), "--input",
        message("give one file for each input of the network, in its order, or one .npz file with all of them"));
  }
  return network_inputs(plan, network, [&](const FileTensor& input, std::size_t i) {
    return together ? read_npz(files.front(), input.shape(), input.name) : read_npy(files[i], input.shape());
  });
}

Result<std::vector<WrittenOutput>> write_outputs(const ExecutionPlan& plan, std::span<const Tensor> outputs,
                                                 const FileInterface& file, const std::string& folder) {
  std::vector<WrittenOutput> written;
  for (const auto& [output, tensor] : network_outputs(plan, outputs, file)) {
    // Numbered, because a tensor's name may be anything.
    const std::string path = (std::filesystem::path(folder) / fmt::format("output_{}.npy", written.size())).string();
    IOS_TRY(write_file(path, npy_bytes(tensor, output.shape(), output.type)));
    written.push_back({output.name, path});
  }
  return written;
}

}  // namespace iosx::cli
