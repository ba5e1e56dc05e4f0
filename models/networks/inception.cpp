#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// Layer names follow the reference implementation (Conv2d_1a_3x3, Mixed_5b.branch1x1 …) in lower case.
namespace iosx {
namespace {

using Joined = std::array<std::string_view, 4>;

Value stem(GraphBuilder& builder, const Value& input) {
  const std::array rows{
      Row{"conv2d_1a_3x3", "", conv(32, 3, {.stride = 2})},
      Row{"conv2d_2a_3x3", "", conv(32, 3)},
      Row{"conv2d_2b_3x3", "", same_conv(64, {3, 3})},
      Row{"maxpool1", "", max_pool(3, 2)},
      Row{"conv2d_3b_1x1", "", conv(80, 1)},
      Row{"conv2d_4a_3x3", "", conv(192, 3)},
      Row{"maxpool2", "", max_pool(3, 2)},
  };
  return add_chain(builder, input, rows);
}

// Keeps 35 × 35.
Value inception_a(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t pool_channels) {
  const std::array rows{
      Row{"branch1x1", "", conv(64, 1)},
      Row{"branch5x5_1", "", conv(48, 1)},
      Row{"branch5x5_2", "branch5x5_1", same_conv(64, {5, 5})},
      Row{"branch3x3dbl_1", "", conv(64, 1)},
      Row{"branch3x3dbl_2", "branch3x3dbl_1", same_conv(96, {3, 3})},
      Row{"branch3x3dbl_3", "branch3x3dbl_2", same_conv(96, {3, 3})},
      Row{"avgpool", "", average_pool(3, 1, 1)},
      Row{"branch_pool", "avgpool", conv(pool_channels, 1)},
  };
  return add_branches(builder, name, input, rows, Joined{"branch1x1", "branch5x5_2", "branch3x3dbl_3", "branch_pool"});
}

// Turns 35 × 35 to 17 × 17.
Value inception_b(GraphBuilder& builder, const std::string& name, const Value& input) {
  const std::array rows{
      Row{"branch3x3", "", conv(384, 3, {.stride = 2})},
      Row{"branch3x3dbl_1", "", conv(64, 1)},
      Row{"branch3x3dbl_2", "branch3x3dbl_1", same_conv(96, {3, 3})},
      Row{"branch3x3dbl_3", "branch3x3dbl_2", conv(96, 3, {.stride = 2})},
      Row{"maxpool", "", max_pool(3, 2)},
  };
  constexpr std::array<std::string_view, 3> kJoined{"branch3x3", "branch3x3dbl_3", "maxpool"};
  return add_branches(builder, name, input, rows, kJoined);
}

// Keeps 17 × 17. `inner` are the channels inside the factorised 7 × 7 convolutions.
Value inception_c(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t inner) {
  const std::array rows{
      Row{"branch1x1", "", conv(192, 1)},
      Row{"branch7x7_1", "", conv(inner, 1)},
      Row{"branch7x7_2", "branch7x7_1", same_conv(inner, {1, 7})},
      Row{"branch7x7_3", "branch7x7_2", same_conv(192, {7, 1})},
      Row{"branch7x7dbl_1", "", conv(inner, 1)},
      Row{"branch7x7dbl_2", "branch7x7dbl_1", same_conv(inner, {7, 1})},
      Row{"branch7x7dbl_3", "branch7x7dbl_2", same_conv(inner, {1, 7})},
      Row{"branch7x7dbl_4", "branch7x7dbl_3", same_conv(inner, {7, 1})},
      Row{"branch7x7dbl_5", "branch7x7dbl_4", same_conv(192, {1, 7})},
      Row{"avgpool", "", average_pool(3, 1, 1)},
      Row{"branch_pool", "avgpool", conv(192, 1)},
  };
  return add_branches(builder, name, input, rows, Joined{"branch1x1", "branch7x7_3", "branch7x7dbl_5", "branch_pool"});
}

// Turns 17 × 17 to 8 × 8.
Value inception_d(GraphBuilder& builder, const std::string& name, const Value& input) {
  const std::array rows{
      Row{"branch3x3_1", "", conv(192, 1)},
      Row{"branch3x3_2", "branch3x3_1", conv(320, 3, {.stride = 2})},
      Row{"branch7x7x3_1", "", conv(192, 1)},
      Row{"branch7x7x3_2", "branch7x7x3_1", same_conv(192, {1, 7})},
      Row{"branch7x7x3_3", "branch7x7x3_2", same_conv(192, {7, 1})},
      Row{"branch7x7x3_4", "branch7x7x3_3", conv(192, 3, {.stride = 2})},
      Row{"maxpool", "", max_pool(3, 2)},
  };
  constexpr std::array<std::string_view, 3> kJoined{"branch3x3_2", "branch7x7x3_4", "maxpool"};
  return add_branches(builder, name, input, rows, kJoined);
}

// Keeps 8 × 8.
Value inception_e(GraphBuilder& builder, const std::string& name, const Value& input) {
  const std::array rows{
      Row{"branch1x1", "", conv(320, 1)},
      Row{"branch3x3_1", "", conv(384, 1)},
      Row{"branch3x3_2a", "branch3x3_1", same_conv(384, {1, 3})},
      Row{"branch3x3_2b", "branch3x3_1", same_conv(384, {3, 1})},
      Row{"branch3x3dbl_1", "", conv(448, 1)},
      Row{"branch3x3dbl_2", "branch3x3dbl_1", same_conv(384, {3, 3})},
      Row{"branch3x3dbl_3a", "branch3x3dbl_2", same_conv(384, {1, 3})},
      Row{"branch3x3dbl_3b", "branch3x3dbl_2", same_conv(384, {3, 1})},
      Row{"avgpool", "", average_pool(3, 1, 1)},
      Row{"branch_pool", "avgpool", conv(192, 1)},
  };
  constexpr std::array<std::string_view, 6> kJoined{"branch1x1",       "branch3x3_2a",    "branch3x3_2b",
                                                    "branch3x3dbl_3a", "branch3x3dbl_3b", "branch_pool"};
  return add_branches(builder, name, input, rows, kJoined);
}

}  // namespace

Graph build_inception_v3() {
  GraphBuilder builder("inception_v3");
  Value value = builder.input("input", {3, 299, 299});
  const auto part = [&](const char* name) {
    builder.begin_part(name);
    return std::string(name);
  };
  part("stem");
  value = stem(builder, value);
  value = inception_a(builder, part("mixed_5b"), value, 32);
  value = inception_a(builder, part("mixed_5c"), value, 64);
  value = inception_a(builder, part("mixed_5d"), value, 64);
  value = inception_b(builder, part("mixed_6a"), value);
  value = inception_c(builder, part("mixed_6b"), value, 128);
  value = inception_c(builder, part("mixed_6c"), value, 160);
  value = inception_c(builder, part("mixed_6d"), value, 160);
  value = inception_c(builder, part("mixed_6e"), value, 192);
  value = inception_d(builder, part("mixed_7a"), value);
  value = inception_e(builder, part("mixed_7b"), value);
  value = inception_e(builder, part("mixed_7c"), value);
  part("pool");
  builder.add("avgpool", global_average_pool(), {value});
  return finish(std::move(builder));
}

}  // namespace iosx
