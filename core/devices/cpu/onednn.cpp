#include "core/devices/cpu/onednn.h"

#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/model/layout/layout.h"

namespace iosx::cpu {

namespace {

// The arguments' memory lives as long as this.
struct Call {
  dnnl::primitive primitive;
  dnnl::stream stream;
  std::vector<Argument> owned;
  std::vector<dnnl_exec_arg_t> arguments;

  void operator()() const {
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive.get(), stream.get(), static_cast<int>(arguments.size()), arguments.data()),
        "could not execute a primitive");
  }
};

}  // namespace

Step call(const dnnl::primitive& primitive, const dnnl::stream& stream, std::vector<Argument> arguments) {
  auto made = std::make_shared<Call>(Call{primitive, stream, std::move(arguments), {}});
  for (const Argument& argument : made->owned) made->arguments.push_back({argument.index, argument.memory.get()});
  return [made = std::shared_ptr<const Call>(std::move(made))] { (*made)(); };
}

dnnl::memory::data_type data_type(DataType type) {
  return type == DataType::kFloat32 ? dnnl::memory::data_type::f32 : dnnl::memory::data_type::bf16;
}

dnnl::memory::desc desc_of(const TensorRef& tensor) {
  const TensorRef& ref = is_dense(tensor) ? dense_like(tensor, tensor.data) : tensor;
  return {dnnl::memory::dims(ref.dims.begin(), ref.dims.begin() + static_cast<std::ptrdiff_t>(ref.rank)),
          data_type(ref.type),
          dnnl::memory::dims(ref.strides.begin(), ref.strides.begin() + static_cast<std::ptrdiff_t>(ref.rank))};
}

dnnl::memory::desc any_format(const dnnl::memory::desc& desc) {
  return {desc.dims(), desc.data_type(), dnnl::memory::format_tag::any};
}

dnnl::memory memory_of(const TensorRef& tensor, const dnnl::engine& engine) {
  return {desc_of(tensor), engine, tensor.data};
}

void append(dnnl::post_ops& post_ops, const Activation& activation) {
  using dnnl::algorithm;
  const auto add = [&](algorithm function, float alpha, float beta) {
    post_ops.append_eltwise(1.0F, function, alpha, beta);
  };
  switch (activation.kind) {
    case ActivationKind::kIdentity: return;
    case ActivationKind::kRelu: return add(algorithm::eltwise_relu, 0, 0);
    case ActivationKind::kSigmoid: return add(algorithm::eltwise_logistic, 0, 0);
    case ActivationKind::kTanh: return add(algorithm::eltwise_tanh, 0, 0);
    case ActivationKind::kLeakyRelu: return add(algorithm::eltwise_relu, activation.alpha, 0);
    case ActivationKind::kElu: return add(algorithm::eltwise_elu, activation.alpha, 0);
    case ActivationKind::kClip: return add(algorithm::eltwise_clip, activation.alpha, activation.beta);
    case ActivationKind::kHardSigmoid:
      add(algorithm::eltwise_linear, activation.alpha, activation.beta);
      return add(algorithm::eltwise_clip, 0, 1);
    case ActivationKind::kHardSwish: return add(algorithm::eltwise_hardswish, 0, 0);
    case ActivationKind::kSwish: return add(algorithm::eltwise_swish, 1, 0);
    case ActivationKind::kGelu: return add(algorithm::eltwise_gelu_erf, 0, 0);
    case ActivationKind::kGeluTanh: return add(algorithm::eltwise_gelu_tanh, 0, 0);
    case ActivationKind::kMish: return add(algorithm::eltwise_mish, 0, 0);
    default: IOS_CHECK(!activation_row(activation.kind).fuses);  // shape inference refuses the others
  }
}

bool is_reference(const char* implementation) {
  return std::string_view(implementation).find("ref") != std::string_view::npos;
}

}  // namespace iosx::cpu
