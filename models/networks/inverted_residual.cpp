#include "models/networks/inverted_residual.h"

namespace iosx {

Value add_inverted_residual(GraphBuilder& builder, const std::string& name, const Value& input,
                            const InvertedResidual& block) {
  Value value = input;
  if (block.expanded != input.channels()) {
    value = builder.add(name + ".expand", conv(block.expanded, 1, {.activation = block.activation}), {value});
  }
  value = builder.add(name + ".depthwise", depthwise_conv(block.expanded, block.kernel, block.stride, block.activation),
                      {value});
  if (block.excite.squeezed > 0) value = add_squeeze_excite(builder, name, value, block.excite);
  value = builder.add(name + ".project", conv(block.out_channels, 1, {.activation = Activation::kIdentity}), {value});
  if (block.stride != 1 || input.channels() != block.out_channels) return value;
  return builder.add(name + ".add", Add{}, {value, input});
}

}  // namespace iosx
