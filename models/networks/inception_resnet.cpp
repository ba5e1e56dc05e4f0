#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// Inception-ResNet-v2. The factor of the branches in a block's sum is part of the weights of the convolution
// before it.
namespace iosx {
namespace {

using Names = std::span<const std::string_view>;

Conv strided(std::int64_t out_channels, std::int64_t kernel) { return conv(out_channels, kernel, {.stride = 2}); }

Pool mean_without_padding() {
  Pool pool = average_pool(3, 1, 1);
  pool.count_padding = false;
  return pool;
}

// Adds a block that halves height and width, or widens: rows and what is concatenated.
Value add_mixed(GraphBuilder& builder, const std::string& name, const Value& input, std::span<const Row> rows,
                Names joined) {
  builder.begin_part(name);
  return add_branches(builder, name, input, rows, joined);
}

Value add_mixed_5b(GraphBuilder& builder, const Value& input) {
  const std::array rows{
      Row{"branch0", "", conv(96, 1)},
      Row{"branch1.0", "", conv(48, 1)},
      Row{"branch1.1", "branch1.0", same_conv(64, {5, 5})},
      Row{"branch2.0", "", conv(64, 1)},
      Row{"branch2.1", "branch2.0", same_conv(96, {3, 3})},
      Row{"branch2.2", "branch2.1", same_conv(96, {3, 3})},
      Row{"branch3.0", "", mean_without_padding()},
      Row{"branch3.1", "branch3.0", conv(64, 1)},
  };
  constexpr std::array<std::string_view, 4> kJoined{"branch0", "branch1.1", "branch2.2", "branch3.1"};
  return add_mixed(builder, "mixed_5b", input, rows, kJoined);
}

Value add_mixed_6a(GraphBuilder& builder, const Value& input) {
  const std::array rows{
      Row{"branch0", "", strided(384, 3)},
      Row{"branch1.0", "", conv(256, 1)},
      Row{"branch1.1", "branch1.0", same_conv(256, {3, 3})},
      Row{"branch1.2", "branch1.1", strided(384, 3)},
      Row{"branch2", "", max_pool(3, 2)},
  };
  constexpr std::array<std::string_view, 3> kJoined{"branch0", "branch1.2", "branch2"};
  return add_mixed(builder, "mixed_6a", input, rows, kJoined);
}

Value add_mixed_7a(GraphBuilder& builder, const Value& input) {
  const std::array rows{
      Row{"branch0.0", "", conv(256, 1)},
      Row{"branch0.1", "branch0.0", strided(384, 3)},
      Row{"branch1.0", "", conv(256, 1)},
      Row{"branch1.1", "branch1.0", strided(288, 3)},
      Row{"branch2.0", "", conv(256, 1)},
      Row{"branch2.1", "branch2.0", same_conv(288, {3, 3})},
      Row{"branch2.2", "branch2.1", strided(320, 3)},
      Row{"branch3", "", max_pool(3, 2)},
  };
  constexpr std::array<std::string_view, 4> kJoined{"branch0.1", "branch1.1", "branch2.2", "branch3"};
  return add_mixed(builder, "mixed_7a", input, rows, kJoined);
}

// Adds a residual block: what the rows make is concatenated and brought to the input's channels. The `last` one has no
// ReLU.
Value add_residual_block(GraphBuilder& builder, const std::string& name, const Value& input, std::span<const Row> rows,
                         Names joined, bool last = false) {
  builder.begin_part(name);
  Value value = add_branches(builder, name, input, rows, joined);
  value = builder.add(name + ".conv", conv(input.channels(), 1, {.activation = Activation::kIdentity}), {value});
  if (last) return builder.add(name + ".add", Add{}, {value, input});
  return add_sum_relu(builder, name, {value, input});
}

Value add_blocks_35(GraphBuilder& builder, Value value) {
  const std::array rows{
      Row{"branch0", "", conv(32, 1)},
      Row{"branch1.0", "", conv(32, 1)},
      Row{"branch1.1", "branch1.0", same_conv(32, {3, 3})},
      Row{"branch2.0", "", conv(32, 1)},
      Row{"branch2.1", "branch2.0", same_conv(48, {3, 3})},
      Row{"branch2.2", "branch2.1", same_conv(64, {3, 3})},
  };
  constexpr std::array<std::string_view, 3> kJoined{"branch0", "branch1.1", "branch2.2"};
  for (int i = 0; i < 10; ++i) {
    value = add_residual_block(builder, fmt::format("block35.{}", i), value, rows, kJoined);
  }
  return value;
}

Value add_blocks_17(GraphBuilder& builder, Value value) {
  const std::array rows{
      Row{"branch0", "", conv(192, 1)},
      Row{"branch1.0", "", conv(128, 1)},
      Row{"branch1.1", "branch1.0", same_conv(160, {1, 7})},
      Row{"branch1.2", "branch1.1", same_conv(192, {7, 1})},
  };
  constexpr std::array<std::string_view, 2> kJoined{"branch0", "branch1.2"};
  for (int i = 0; i < 20; ++i) {
    value = add_residual_block(builder, fmt::format("block17.{}", i), value, rows, kJoined);
  }
  return value;
}

Value add_blocks_8(GraphBuilder& builder, Value value) {
  const std::array rows{
      Row{"branch0", "", conv(192, 1)},
      Row{"branch1.0", "", conv(192, 1)},
      Row{"branch1.1", "branch1.0", same_conv(224, {1, 3})},
      Row{"branch1.2", "branch1.1", same_conv(256, {3, 1})},
  };
  constexpr std::array<std::string_view, 2> kJoined{"branch0", "branch1.2"};
  for (int i = 0; i < 10; ++i) {
    value = add_residual_block(builder, fmt::format("block8.{}", i), value, rows, kJoined, i == 9);
  }
  return value;
}

}  // namespace

Graph build_inception_resnet_v2() {
  GraphBuilder builder("inception_resnet_v2");
  Value value = builder.input("input", {3, 299, 299});
  builder.begin_part("stem");
  const std::array stem{
      Row{"conv2d_1a", "", strided(32, 3)},        Row{"conv2d_2a", "", conv(32, 3)},
      Row{"conv2d_2b", "", same_conv(64, {3, 3})}, Row{"maxpool_3a", "", max_pool(3, 2)},
      Row{"conv2d_3b", "", conv(80, 1)},           Row{"conv2d_4a", "", conv(192, 3)},
      Row{"maxpool_5a", "", max_pool(3, 2)},
  };
  value = add_chain(builder, value, stem);
  value = add_blocks_35(builder, add_mixed_5b(builder, value));
  value = add_blocks_17(builder, add_mixed_6a(builder, value));
  value = add_blocks_8(builder, add_mixed_7a(builder, value));
  builder.begin_part("head");
  value = builder.add("conv2d_7b", conv(1536, 1), {value});
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace iosx
