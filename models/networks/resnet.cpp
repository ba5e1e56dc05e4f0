#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

namespace iosx {
namespace {

enum class BlockKind { kBasic, kBottleneck };
constexpr std::int64_t kBottleneckExpansion = 4;

struct Block {
  BlockKind kind;
  std::int64_t channels;  // of the 3 × 3 convolutions
  std::int64_t stride;
};

Value add_block(GraphBuilder& builder, const std::string& name, const Value& input, const Block& block) {
  const auto linear = [&](std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
    return conv(channels, kernel, {.stride = stride, .padding = (kernel - 1) / 2, .activation = Activation::kIdentity});
  };
  const bool basic = block.kind == BlockKind::kBasic;
  const std::int64_t out_channels = basic ? block.channels : kBottleneckExpansion * block.channels;

  Value value = input;
  if (basic) {
    value = builder.add(name + ".conv1", conv(block.channels, 3, {.stride = block.stride, .padding = 1}), {value});
    value = builder.add(name + ".conv2", linear(out_channels, 3, 1), {value});
  } else {
    value = builder.add(name + ".conv1", conv(block.channels, 1), {value});
    value = builder.add(name + ".conv2", conv(block.channels, 3, {.stride = block.stride, .padding = 1}), {value});
    value = builder.add(name + ".conv3", linear(out_channels, 1, 1), {value});
  }
  Value shortcut = input;
  if (block.stride != 1 || input.channels() != out_channels) {
    shortcut = builder.add(name + ".downsample", linear(out_channels, 1, block.stride), {input});
  }
  return add_sum_relu(builder, name, {value, shortcut});
}

// `depths` are the numbers of blocks in each of the four layers.
Graph build_resnet(std::string name, BlockKind kind, const std::array<int, 4>& depths) {
  GraphBuilder builder(std::move(name));
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("conv1", conv(64, 7, {.stride = 2, .padding = 3}), {value});
  value = builder.add("maxpool", max_pool(3, 2, 1), {value});
  for (std::size_t layer = 0; layer < depths.size(); ++layer) {
    for (int i = 0; i < depths[layer]; ++i) {
      const std::string block = fmt::format("layer{}.{}", layer + 1, i);
      builder.begin_part(block);
      const std::int64_t stride = layer > 0 && i == 0 ? 2 : 1;
      value = add_block(builder, block, value, {kind, std::int64_t{64} << layer, stride});
    }
  }
  builder.begin_part("head");
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace

Graph build_resnet18() { return build_resnet("resnet18", BlockKind::kBasic, {2, 2, 2, 2}); }
Graph build_resnet34() { return build_resnet("resnet34", BlockKind::kBasic, {3, 4, 6, 3}); }
Graph build_resnet50() { return build_resnet("resnet50", BlockKind::kBottleneck, {3, 4, 6, 3}); }

}  // namespace iosx
