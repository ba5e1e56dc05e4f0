#include "app/cli/tensor_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/cli/npy.h"
#include "core/base/check.h"
#include "core/documents/report/output_file.h"

namespace iosx::cli {

namespace {

// Token ids and the like.
Result<void> check_whole(const Tensor& tensor, const FileTensor& input, const std::string& file) {
  if (!input.type.starts_with("int") && !input.type.starts_with("uint")) return {};
  const auto found =
      std::ranges::find_if(tensor.elements(), [](float x) { return !std::isfinite(x) || std::nearbyint(x) != x; });
  if (found == tensor.elements().end()) return {};
  return fail(fmt::format("has {} where '{}' takes whole numbers ({})", *found, input.name, input.type), file,
              "save it with an integer type");
}

// The plan's tensors from the files that somebody gave.
Result<std::vector<Tensor>> read_inputs(const ExecutionPlan& plan, const FileInterface& network,
                                        const std::vector<std::string>& files) {
  const std::size_t count = network.inputs.size();
  IOS_CHECK(count == plan.inputs.size());
  const bool together = files.size() == 1 && is_npz(files.front());
  if (!together && files.size() != count) {
    return fail(fmt::format("{} files for {} inputs", files.size(), count), "--input",
                "give one file for each input of the network, in its order, or one .npz file with all of them");
  }
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < count; ++i) {
    const FileTensor& input = network.inputs[i];
    IOS_TRY(auto read, read_npy(files[together ? 0 : i], input.shape(), input.name));
    IOS_TRY(check_whole(read, input, files[together ? 0 : i]));
    const Shape shape = filled_shape(plan.buffers[plan.inputs[i].index()]);
    std::vector<std::int64_t> dims{plan.batch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    tensors.emplace_back(std::move(dims), std::vector<float>(read.elements().begin(), read.elements().end()));
  }
  return tensors;
}

}  // namespace

Result<std::vector<WrittenOutput>> run_on_files(Device& device, const ExecutionPlan& plan, const FileInterface& file,
                                                const std::vector<std::string>& inputs, const std::string& folder,
                                                const JobContext& job) {
  if (!device.info().computes) {
    return fail("does not compute outputs", device.info().id, "choose another with --device, cpu for example");
  }
  RunOptions options;
  options.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};
  options.outputs = true;
  if (!inputs.empty()) {
    IOS_TRY(auto tensors, read_inputs(plan, file, inputs));
    options.inputs = std::move(tensors);
  }
  IOS_TRY(make_folder(folder));
  IOS_TRY(const auto result, load_and_run(device, plan, options, job));
  std::vector<WrittenOutput> written;
  for (std::size_t i = 0; i < file.outputs.size(); ++i) {
    const FileTensor& output = file.outputs[i];
    const auto found = std::ranges::find(plan.outputs, output.op, &PlanOutput::name);
    IOS_CHECK(found != plan.outputs.end());
    const Tensor& tensor = result.outputs[static_cast<std::size_t>(found - plan.outputs.begin())];
    // Numbered, because a tensor's name may be anything.
    const std::string path = (std::filesystem::path(folder) / fmt::format("output_{}.npy", i)).string();
    const std::string bytes = npy_bytes(tensor, output.shape(), output.type);
    IOS_TRY(write_file(path, bytes));
    written.push_back({output.name, path});
  }
  return written;
}

}  // namespace iosx::cli
