#include "gpu/ops/conv/cudnn_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// Has cuDNN's order of axes: batch (filters), channels, height, width.
using Sizes = std::array<std::int64_t, 4>;

cudnnDataType_t cudnn_type(Math math) {
  switch (data_type(math)) {
    case DataType::kFloat32: return CUDNN_DATA_FLOAT;
    case DataType::kFloat16: return CUDNN_DATA_HALF;
    case DataType::kBfloat16: return CUDNN_DATA_BFLOAT16;
  }
  return CUDNN_DATA_FLOAT;
}

Sizes channels_last(const Extent& pixels, std::int64_t pitch) {
  return {pixels.height * pixels.width * pitch, 1, pixels.width * pitch, pitch};
}

struct TensorSpec {
  OperandId id = OperandId::kX;
  Sizes sizes{};
  Sizes strides{};
  std::int64_t alignment = 16;
};

void describe(Descriptor& tensor, OperandId id, std::span<const std::int64_t> sizes,
              std::span<const std::int64_t> strides, std::int64_t alignment, cudnnDataType_t type) {
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, static_cast<std::int64_t>(id));
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  tensor.set_all<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
  tensor.set_all<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES, strides);
  tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment);
}

void describe(Descriptor& tensor, const TensorSpec& spec, cudnnDataType_t type) {
  describe(tensor, spec.id, spec.sizes, spec.strides, spec.alignment, type);
}

TensorSpec weights_spec(const ConvProblem& problem) {
  const std::int64_t filters = problem.transposed ? problem.channels : problem.out_channels;
  const std::int64_t depth = (problem.transposed ? problem.out_channels : problem.channels) / problem.groups;
  return {OperandId::kWeights,
          {filters, depth, problem.kernel.height, problem.kernel.width},
          channels_last(problem.kernel, depth)};
}

TensorSpec output_spec(const ConvProblem& problem, OperandId id, const PixelLayout& layout) {
  return {id,
          {problem.batch, problem.out_channels, problem.output.height, problem.output.width},
          channels_last(problem.output, layout.pitch),
          layout.alignment};
}

Extent end_padding(const ConvProblem& problem) {
  const Extent& image = problem.transposed ? problem.output : problem.input;
  const Extent& windows = problem.transposed ? problem.input : problem.output;
  return {fitting_end_padding(image.height, windows.height, problem.kernel.height, problem.stride.height,
                              problem.dilation.height, problem.padding.height),
          fitting_end_padding(image.width, windows.width, problem.kernel.width, problem.stride.width,
                              problem.dilation.width, problem.padding.width)};
}

}  // namespace

bool expressible(const Activation& activation) {
  switch (activation.kind) {
    case ActivationKind::kIdentity:
    case ActivationKind::kRelu:
    case ActivationKind::kSigmoid:
    case ActivationKind::kTanh:
    case ActivationKind::kLeakyRelu:
    case ActivationKind::kElu:
    case ActivationKind::kSwish:
    case ActivationKind::kGelu:
    case ActivationKind::kGeluTanh: return true;
    // cuDNN does not say what a slope means below a lower clip other than 0.
    case ActivationKind::kClip: return activation.alpha == 0 && activation.beta > 0;
    default: return false;
  }
}

std::int64_t fitting_end_padding(std::int64_t image, std::int64_t windows, std::int64_t kernel, std::int64_t stride,
                                 std::int64_t dilation, std::int64_t begin) {
  const std::int64_t least = (windows - 1) * stride + (kernel - 1) * dilation + 1 - begin - image;
  return std::clamp(begin, least, least + stride - 1);
}

CudnnGraph::CudnnGraph(const Problem& problem, cudnnHandle_t handle) {
  std::visit([&](const auto& one) { add_steps(one); }, problem);
  Descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set_descriptors(CUDNN_ATTR_OPERATIONGRAPH_OPS, steps_);
  if (handle != nullptr) graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle);
  graph.finalize();
  operations_ = std::move(graph);
}

void CudnnGraph::add_steps(const MatMulProblem& problem) {
  const cudnnDataType_t type = cudnn_type(problem.math);
  const auto matrices = [&](OperandId id, std::int64_t rows, std::int64_t columns,
                            const MatrixLayout& layout) -> const Descriptor& {
    // One matrix for the whole batch is a batch of one.
    const bool repeats = layout.batch == 0;
    Descriptor& tensor = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    describe(tensor, id, std::array{repeats ? 1 : problem.batch, rows, columns},
             std::array{repeats ? rows * columns : layout.batch, layout.row, layout.column}, layout.alignment, type);
    tensor.finalize();
    return tensor;
  };
  const Descriptor& a = matrices(OperandId::kX, problem.rows, problem.depth, problem.a);
  const Descriptor& b = matrices(OperandId::kWeights, problem.depth, problem.columns, problem.b);
  const Descriptor& y = matrices(OperandId::kY, problem.rows, problem.columns, problem.y);
  Descriptor& product = add(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  product.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
  product.finalize();
  Descriptor& step = add(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  step.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
  step.set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
  step.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, y);
  step.set(CUDNN_ATTR_OPERATION_MATMUL_DESC, product);
  step.finalize();
  steps_.push_back(step.raw());
}

// The matrices of a batch are heads of one sample.
void CudnnGraph::add_steps(const AttentionProblem& problem) {
  const MatMulProblem& scores = problem.scores;
  const MatMulProblem& context = problem.context;
  // `row` leads from one query, key or value to the next; its features lie together.
  const auto heads = [&](OperandId id, std::int64_t rows, std::int64_t features, const MatrixLayout& layout,
                         std::int64_t row) -> const Descriptor& {
    const std::int64_t head = scores.batch == 1 ? rows * row : layout.batch;  // one head has no stride to the next
    Descriptor& tensor = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    describe(tensor, id, Sizes{1, scores.batch, rows, features}, Sizes{scores.batch * head, head, row, 1},
             layout.alignment, cudnn_type(scores.math));
    tensor.finalize();
    return tensor;
  };
  const Descriptor& q = heads(OperandId::kX, scores.rows, scores.depth, scores.a, scores.a.row);
  const Descriptor& k = heads(OperandId::kWeights, scores.columns, scores.depth, scores.b, scores.b.column);
  const Descriptor& v = heads(OperandId::kValues, context.depth, context.columns, context.b, context.b.row);
  const Descriptor& y = heads(OperandId::kY, context.rows, context.columns, context.y, context.y.row);
  Descriptor& scale = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  describe(scale, OperandId::kScale, Sizes{1, 1, 1, 1}, Sizes{1, 1, 1, 1}, static_cast<std::int64_t>(sizeof(float)),
           CUDNN_DATA_FLOAT);
  scale.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, true);
  scale.finalize();
  Descriptor& step = add(CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);
  step.set(CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, q);
  step.set(CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, k);
  step.set(CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, v);
  step.set(CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, y);
  step.set(CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, scale);
  step.finalize();
  steps_.push_back(step.raw());
}

void CudnnGraph::add_steps(const ConvProblem& problem) {
  for (const Activation& function : {problem.before, problem.activation}) {
    if (!expressible(function)) {
      throw Unsupported(message("cuDNN has no {} with these parameters", activation_name(function)));
    }
  }
  const bool activates = problem.activation.kind != ActivationKind::kIdentity;
  const cudnnDataType_t type = cudnn_type(problem.math);
  const Descriptor* y = &convolution(problem, !problem.residual && !problem.bias && !activates);
  if (problem.residual) {
    Descriptor& z = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    describe(z, output_spec(problem, OperandId::kResidual, problem.z), type);
    z.finalize();
    y = &pointwise(problem, addition(), *y, &z, !problem.bias && !activates);
  }
  if (problem.bias) {
    Descriptor& bias = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    const std::int64_t channels = problem.out_channels;
    describe(bias, {OperandId::kBias, {1, channels, 1, 1}, {channels, 1, channels, channels}}, type);
    bias.finalize();
    y = &pointwise(problem, addition(), *y, &bias, !activates);
  }
  if (activates) pointwise(problem, function(problem.activation), *y, nullptr, true);
}

// Adds the tensor that a step writes.
const Descriptor& CudnnGraph::result(const ConvProblem& problem, bool last) {
  TensorSpec spec = output_spec(problem, OperandId::kY, problem.y);
  Descriptor& tensor = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  if (!last) {
    spec.id = static_cast<OperandId>(next_id_++);
    spec.strides = channels_last(problem.output, problem.out_channels);
    spec.alignment = 16;
  }
  describe(tensor, spec, last ? cudnn_type(problem.math) : CUDNN_DATA_FLOAT);
  tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, !last);
  tensor.finalize();
  return tensor;
}

// Adds what the convolution reads: so many pixels of x, or of a function of it.
const Descriptor& CudnnGraph::input(const ConvProblem& problem, const Extent& pixels) {
  const auto tensor = [&](OperandId id, const Sizes& strides, std::int64_t alignment, bool in_memory) -> Descriptor& {
    Descriptor& made = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    describe(made, {id, {problem.batch, problem.channels, pixels.height, pixels.width}, strides, alignment},
             cudnn_type(problem.math));
    if (!in_memory) made.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, true);
    made.finalize();
    return made;
  };
  const Descriptor& x = tensor(OperandId::kX, channels_last(problem.input, problem.x.pitch), problem.x.alignment, true);
  if (problem.before == Activation::kIdentity) return x;
  const Descriptor& activated =
      tensor(static_cast<OperandId>(next_id_++), channels_last(pixels, problem.channels), 16, false);
  add_pointwise(function(problem.before), x, nullptr, activated);
  return activated;
}

const Descriptor& CudnnGraph::convolution(const ConvProblem& problem, bool last) {
  Extent input = problem.input;
  Extent end = end_padding(problem);
  if (!problem.transposed) {  // a negative padding is a view without the last pixels
    input = {input.height + std::min<std::int64_t>(end.height, 0), input.width + std::min<std::int64_t>(end.width, 0)};
    end = {std::max<std::int64_t>(end.height, 0), std::max<std::int64_t>(end.width, 0)};
  }
  const Descriptor& x = this->input(problem, input);
  Descriptor& weights = add(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  describe(weights, weights_spec(problem), cudnn_type(problem.math));
  weights.finalize();

  Descriptor& windows = add(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const auto both = [&](cudnnBackendAttributeName_t name, const Extent& extent) {
    windows.set_all<std::int64_t>(name, std::array{extent.height, extent.width});
  };
  windows.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
  windows.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
  windows.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2});
  both(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, problem.padding);
  both(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, end);
  both(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, problem.stride);
  both(CUDNN_ATTR_CONVOLUTION_DILATIONS, problem.dilation);
  windows.finalize();

  const Descriptor& y = result(problem, last);
  if (problem.transposed) {
    Descriptor& step = add(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, windows);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, x);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, weights);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, y);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, 1.0F);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, 0.0F);
    step.finalize();
    steps_.push_back(step.raw());
  } else {
    Descriptor& step = add(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, windows);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, weights);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0F);
    step.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0F);
    step.finalize();
    steps_.push_back(step.raw());
  }
  return y;
}

const Descriptor& CudnnGraph::pointwise(const ConvProblem& problem, const Descriptor& function, const Descriptor& x,
                                        const Descriptor* b, bool last) {
  const Descriptor& y = result(problem, last);
  add_pointwise(function, x, b, y);
  return y;
}

void CudnnGraph::add_pointwise(const Descriptor& function, const Descriptor& x, const Descriptor* b,
                               const Descriptor& y) {
  Descriptor& step = add(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  step.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, function);
  step.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  if (b != nullptr) step.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
  step.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  step.finalize();
  steps_.push_back(step.raw());
}

const Descriptor& CudnnGraph::addition() {
  Descriptor& sum = add(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  sum.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_POINTWISE_ADD);
  sum.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
  sum.finalize();
  return sum;
}

const Descriptor& CudnnGraph::function(const Activation& activation) {
  Descriptor& function = add(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  function.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
  const auto mode = [&](cudnnPointwiseMode_t value) { function.set(CUDNN_ATTR_POINTWISE_MODE, value); };
  switch (activation.kind) {
    case ActivationKind::kRelu: mode(CUDNN_POINTWISE_RELU_FWD); break;
    case ActivationKind::kClip:
      mode(CUDNN_POINTWISE_RELU_FWD);
      function.set(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, static_cast<double>(activation.beta));
      break;
    case ActivationKind::kLeakyRelu:
      mode(CUDNN_POINTWISE_RELU_FWD);
      function.set(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, static_cast<double>(activation.alpha));
      break;
    case ActivationKind::kElu:
      mode(CUDNN_POINTWISE_ELU_FWD);
      function.set(CUDNN_ATTR_POINTWISE_ELU_ALPHA, static_cast<double>(activation.alpha));
      break;
    case ActivationKind::kSigmoid: mode(CUDNN_POINTWISE_SIGMOID_FWD); break;
    case ActivationKind::kTanh: mode(CUDNN_POINTWISE_TANH_FWD); break;
    case ActivationKind::kSwish:
      mode(CUDNN_POINTWISE_SWISH_FWD);
      function.set(CUDNN_ATTR_POINTWISE_SWISH_BETA, 1.0);
      break;
    case ActivationKind::kGelu: mode(CUDNN_POINTWISE_GELU_FWD); break;
    case ActivationKind::kGeluTanh: mode(CUDNN_POINTWISE_GELU_APPROX_TANH_FWD); break;
    default: mode(CUDNN_POINTWISE_IDENTITY); break;
  }
  function.finalize();
  return function;
}

}  // namespace iosx::gpu
