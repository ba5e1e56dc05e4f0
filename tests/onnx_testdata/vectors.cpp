#include "tests/onnx_testdata/vectors.h"

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/fold/fold.h"
#include "core/formats/onnx/read/read_model.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/lower.h"

namespace iosx::test {
namespace {

namespace fs = std::filesystem;
using onnx_import::HostTensor;
using onnx_import::LoadedOnnx;
using onnx_import::OnnxModel;

// Vectors that contradict the standard's text.
struct Exception {
  std::string_view name;
  std::string_view reason;
};
constexpr std::string_view kUnroundedSize =
    "expects positions that follow from a size that is not rounded to whole elements";
constexpr std::array kExceptions{
    Exception{"test_resize_downsample_scales_cubic_align_corners", kUnroundedSize},
    Exception{"test_resize_downsample_scales_linear_align_corners", kUnroundedSize},
};

struct Vector {
  OnnxModel model;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
};

// Models that are older than what we read say so in the last field of the file. What they hold is, but for
// broadcasting, defined as in opset 7; the vectors that are not are told by their attributes.
std::string as_opset_7(std::string bytes) {
  for (const std::string_view field :
       {std::string_view("\x42\x02\x10", 3), std::string_view("\x42\x04\x0a\x00\x10", 5)}) {
    const std::size_t at = bytes.rfind(field);
    if (at == std::string::npos || at + field.size() >= bytes.size()) continue;
    char& version = bytes[at + field.size()];
    if (version > 0 && version < onnx_import::kMinOpset) version = onnx_import::kMinOpset;
    break;
  }
  return bytes;
}

bool broadcasts_as_before_opset_7(const OnnxModel& model) {
  return std::ranges::any_of(model.nodes, [](const onnx_import::Node& node) {
    return onnx_import::find_attribute(node, "broadcast") != nullptr;
  });
}

Result<OnnxModel> read_model(const fs::path& folder) {
  auto model = onnx_import::read_onnx(folder / "model.onnx");
  if (model) return model;
  std::ifstream file(folder / "model.onnx", std::ios::binary);
  const std::string bytes = as_opset_7({std::istreambuf_iterator<char>(file), {}});
  auto newer = onnx_import::parse_onnx(std::as_bytes(std::span(bytes)), folder);
  return newer && !broadcasts_as_before_opset_7(*newer) ? newer : model;
}

// The vectors keep bfloat16 as uint16 with the same bits.
HostTensor as_declared(HostTensor tensor, onnx_import::ElementType type) {
  if (type != onnx_import::ElementType::kBfloat16 || !tensor.holds_integers()) return tensor;
  auto values = mapped<float>(tensor.integers(), [](const std::int64_t bits) {
    return onnx_import::float_of_bfloat16(static_cast<std::uint16_t>(bits));
  });
  return HostTensor::of_floats({tensor.dims().begin(), tensor.dims().end()}, std::move(values), type);
}

Result<std::vector<HostTensor>> read_tensors(const fs::path& folder, const char* kind,
                                             const std::vector<onnx_import::ValueInfo>& declared) {
  std::vector<HostTensor> tensors;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const fs::path path = folder / "test_data_set_0" / fmt::format("{}_{}.pb", kind, i);
    if (!fs::exists(path)) return fail(message("its {}s are not in the package", kind));
    auto tensor = onnx_import::read_tensor_file(path);
    if (!tensor || tensor->is_opaque()) return fail(message("has {}s that are no tensors of numbers", kind));
    tensors.push_back(as_declared(std::move(*tensor), declared[i].type));
  }
  return tensors;
}

// Feeds the first `live` inputs at run time and binds the others.
Result<LoadedOnnx> load(const Vector& vector, std::size_t live, const std::string& name) {
  onnx_import::OnnxOptions options;
  for (std::size_t i = live; i < vector.inputs.size(); ++i) {
    options.bind.insert_or_assign(vector.model.inputs[i].name, vector.inputs[i]);
  }
  // An axis that the model leaves open has the size of the vector's input.
  for (std::size_t i = 0; i < live; ++i) {
    const auto& declared = vector.model.inputs[i];
    if (!declared.dims || declared.dims->size() != vector.inputs[i].dims().size()) continue;
    for (std::size_t axis = 0; axis < declared.dims->size(); ++axis) {
      const std::int64_t size = vector.inputs[i].dims()[axis];
      const auto& dim = (*declared.dims)[axis];
      if (dim.size) continue;
      if (axis == 0 && size > 0) options.batch = size;
      if (!dim.symbol.empty()) options.dims.insert_or_assign(dim.symbol, size);
    }
  }
  return onnx_import::to_graph(vector.model, options, name);
}

// Why the graph cannot be executed; empty if it can. The reader says so in a warning: "1 operator of type Conv cannot
// be executed (node 0 (Conv): WHY)."
std::string obstacle(const LoadedOnnx& loaded) {
  for (const Message& each : loaded.warnings) {
    const std::string warning = each.text();
    if (warning.find("cannot be executed") == std::string::npos) continue;
    const std::size_t why = warning.find("): ");
    return why == std::string::npos ? warning : warning.substr(why + 3, warning.size() - why - 5);
  }
  return {};
}

std::span<const float> values(const HostTensor& tensor, std::vector<float>& converted) {
  if (tensor.holds_floats()) return tensor.floats();
  converted.assign(tensor.integers().begin(), tensor.integers().end());
  return converted;
}

// |is - wanted| within ONNX's own tolerance; the vectors cut bfloat16 off where newer versions of ONNX round.
bool close(float is, float wanted, onnx_import::ElementType type) {
  const float relative = type == onnx_import::ElementType::kBfloat16 ? 0x1p-7F : 1e-3F;
  if (std::isnan(wanted)) return std::isnan(is);
  return is == wanted || std::fabs(is - wanted) <= 1e-7F + relative * std::fabs(wanted);
}

// Empty if they agree.
std::string difference(const Tensor& is, const LoadedOnnx& loaded, const HostTensor& wanted) {
  std::vector<std::int64_t> dims(is.dims().begin(), is.dims().end());
  if (!loaded.batched && !dims.empty()) dims.erase(dims.begin());
  if (!std::ranges::equal(dims, wanted.dims())) return "other dims";
  std::vector<float> converted;
  const auto right = values(wanted, converted);
  for (std::size_t i = 0; i < right.size(); ++i) {
    const float found = is.elements()[i];
    if (!close(found, right[i], wanted.type())) return fmt::format("element {} is {}, not {}", i, found, right[i]);
  }
  return {};
}

// One a graph input; none where an input has other dims than the model declares.
std::optional<std::vector<Tensor>> inputs_of(const Vector& vector, const LoadedOnnx& loaded) {
  std::vector<Tensor> inputs;
  for (const OperatorId id : loaded.graph.inputs()) {
    const Operator& op = loaded.graph.op(id);
    const auto named = std::ranges::find(vector.model.inputs, op.name, &onnx_import::ValueInfo::name);
    if (named == vector.model.inputs.end()) return std::nullopt;
    const HostTensor& given = vector.inputs[static_cast<std::size_t>(named - vector.model.inputs.begin())];
    std::vector<std::int64_t> dims{loaded.batch};
    dims.insert(dims.end(), op.output.dims().begin(), op.output.dims().end());
    if (onnx_import::element_count(dims) != given.elements()) return std::nullopt;
    inputs.push_back(given.with_dims(dims).to_tensor());
  }
  return inputs;
}

// Empty if all outputs agree.
std::string wrong(const Vector& vector, const LoadedOnnx& loaded, std::vector<Tensor> inputs, Device& device) {
  const Graph& graph = loaded.graph;
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), loaded.batch, device.info().lowering);
  RunOptions options;
  options.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};
  options.outputs = true;
  options.inputs = std::move(inputs);
  const auto result = load_and_run(device, plan, options, {});
  if (!result) return result.error().text();
  for (std::size_t i = 0; i < vector.outputs.size(); ++i) {
    const auto found = std::ranges::find(plan.outputs, loaded.outputs[i].op, &PlanOutput::name);
    if (found == plan.outputs.end()) return fmt::format("output {} is lost", i);
    const Tensor& is = result->outputs[static_cast<std::size_t>(found - plan.outputs.begin())];
    if (auto text = difference(is, loaded, vector.outputs[i]); !text.empty()) {
      return fmt::format("output {}: {}", i, text);
    }
  }
  return {};
}

Result<Vector> read(const fs::path& folder) {
  auto model = read_model(folder);
  if (!model) return tl::unexpected(std::move(model.error()));
  auto inputs = read_tensors(folder, "input", model->inputs);
  if (!inputs) return tl::unexpected(std::move(inputs.error()));
  auto outputs = read_tensors(folder, "output", model->outputs);
  if (!outputs) return tl::unexpected(std::move(outputs.error()));
  return Vector{std::move(*model), std::move(*inputs), std::move(*outputs)};
}

std::vector<std::string> external_operators(const fs::path& folder) {
  const auto model = read_model(folder);
  if (!model) return {};
  std::set<std::string> types;
  for (const onnx_import::Node& node : model->nodes) {
    if (onnx_import::find_converter(node) != nullptr || onnx_import::foldable(node)) continue;
    types.insert(node.domain.empty() ? node.op_type : fmt::format("{}.{}", node.domain, node.op_type));
  }
  return {types.begin(), types.end()};
}

}  // namespace

fs::path vectors_folder() {
  const char* const other = std::getenv("IOS_ONNX_VECTORS");
  return other != nullptr ? other : "/usr/share/libonnx-testdata/data";
}

std::vector<fs::path> vectors(const std::string& kind) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(vectors_folder() / kind)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

Outcome run_vector(const fs::path& folder, Device& device) {
  Outcome outcome{folder.filename().string(), Verdict::kNotSupported, {}, external_operators(folder)};
  if (!fs::exists(folder / "model.onnx")) {
    outcome.reason = "its model is not in the package";
    return outcome;
  }
  const auto known = std::ranges::find(kExceptions, outcome.name, &Exception::name);
  if (known != kExceptions.end()) {
    outcome.reason = known->reason;
    return outcome;
  }
  const auto vector = read(folder);
  if (!vector) {
    outcome.reason = vector.error().what.text();
    return outcome;
  }
  const std::size_t all = vector->inputs.size();
  const std::set<std::size_t, std::greater<>> attempts{all, std::min<std::size_t>(1, all), 0};
  for (const std::size_t live : attempts) {
    const auto loaded = load(*vector, live, outcome.name);
    std::string why = loaded ? obstacle(*loaded) : loaded.error().what.text();
    auto inputs = why.empty() ? inputs_of(*vector, *loaded) : std::nullopt;
    if (why.empty() && !inputs) why = "its inputs have other dims than its model declares";
    if (inputs) {
      outcome.reason = wrong(*vector, *loaded, std::move(*inputs), device);
      outcome.verdict = outcome.reason.empty() ? Verdict::kPassed : Verdict::kFailed;
      return outcome;
    }
    // Of the attempt that has constants where they are wanted, and something to compute.
    if (live > 0 || all == 0) outcome.reason = why;
  }
  return outcome;
}

}  // namespace iosx::test
