#include "app/cli/tensor_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/cli/npy.h"
#include "core/report/output_file.h"

namespace iosx::cli {

Result<std::vector<WrittenOutput>> run_on_files(Device& device, const ExecutionPlan& plan,
                                                const std::vector<std::string>& inputs, const std::string& folder,
                                                const JobContext& job) {
  if (!device.info().computes) {
    return fail("does not compute outputs", device.info().id, "choose another with --device, cpu for example");
  }
  RunOptions options;
  options.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};
  options.outputs = true;
  if (!inputs.empty() && inputs.size() != plan.inputs.size()) {
    return fail(fmt::format("{} files for {} inputs", inputs.size(), plan.inputs.size()), "--input",
                "give one file for each input of the graph, in its order");
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape& shape = plan.buffers[plan.inputs[i].index()].shape;
    std::vector<std::int64_t> dims{plan.batch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    auto tensor = read_npy(inputs[i], dims);
    if (!tensor) return tl::unexpected(std::move(tensor.error()));
    options.inputs.push_back(std::move(*tensor));
  }
  if (auto made = make_folder(folder); !made) return tl::unexpected(std::move(made.error()));
  const auto result = load_and_run(device, plan, options, job);
  if (!result) return tl::unexpected(result.error());
  std::vector<WrittenOutput> written;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const std::string file = (std::filesystem::path(folder) / fmt::format("output_{}.npy", i)).string();
    if (auto done = write_file(file, npy_bytes(result->outputs[i])); !done) return tl::unexpected(done.error());
    written.push_back({plan.outputs[i].name, file});
  }
  return written;
}

}  // namespace iosx::cli
