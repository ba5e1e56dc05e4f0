#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

// Layer names follow the reference implementation (Conv2d_1a_3x3, Mixed_5b.branch1x1 …) in lower case.
namespace iosx {
namespace {

Value stem(GraphBuilder& builder, const Value& input) {
  return add_chain(builder, input,
                   {{"conv2d_1a_3x3", "", conv(32, 3, {.stride = 2})},
                    {"conv2d_2a_3x3", "", conv(32, 3)},
                    {"conv2d_2b_3x3", "", same_conv(64, {3, 3})},
                    {"maxpool1", "", max_pool(3, 2)},
                    {"conv2d_3b_1x1", "", conv(80, 1)},
                    {"conv2d_4a_3x3", "", conv(192, 3)},
                    {"maxpool2", "", max_pool(3, 2)}});
}

// Keeps 35 × 35.
Value inception_a(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t pool_channels) {
  return add_branches(builder, name, input,
                      {{"branch1x1", "", conv(64, 1)},
                       {"branch5x5_1", "", conv(48, 1)},
                       {"branch5x5_2", "branch5x5_1", same_conv(64, {5, 5})},
                       {"branch3x3dbl_1", "", conv(64, 1)},
                       {"branch3x3dbl_2", "branch3x3dbl_1", same_conv(96, {3, 3})},
                       {"branch3x3dbl_3", "branch3x3dbl_2", same_conv(96, {3, 3})},
                       {"avgpool", "", average_pool(3, 1, 1)},
                       {"branch_pool", "avgpool", conv(pool_channels, 1)}},
                      {"branch1x1", "branch5x5_2", "branch3x3dbl_3", "branch_pool"});
}

// Turns 35 × 35 to 17 × 17.
Value inception_b(GraphBuilder& builder, const std::string& name, const Value& input) {
  return add_branches(builder, name, input,
                      {{"branch3x3", "", conv(384, 3, {.stride = 2})},
                       {"branch3x3dbl_1", "", conv(64, 1)},
                       {"branch3x3dbl_2", "branch3x3dbl_1", same_conv(96, {3, 3})},
                       {"branch3x3dbl_3", "branch3x3dbl_2", conv(96, 3, {.stride = 2})},
                       {"maxpool", "", max_pool(3, 2)}},
                      {"branch3x3", "branch3x3dbl_3", "maxpool"});
}

// Keeps 17 × 17. `inner` are the channels inside the factorised 7 × 7 convolutions.
Value inception_c(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t inner) {
  return add_branches(builder, name, input,
                      {{"branch1x1", "", conv(192, 1)},
                       {"branch7x7_1", "", conv(inner, 1)},
                       {"branch7x7_2", "branch7x7_1", same_conv(inner, {1, 7})},
                       {"branch7x7_3", "branch7x7_2", same_conv(192, {7, 1})},
                       {"branch7x7dbl_1", "", conv(inner, 1)},
                       {"branch7x7dbl_2", "branch7x7dbl_1", same_conv(inner, {7, 1})},
                       {"branch7x7dbl_3", "branch7x7dbl_2", same_conv(inner, {1, 7})},
                       {"branch7x7dbl_4", "branch7x7dbl_3", same_conv(inner, {7, 1})},
                       {"branch7x7dbl_5", "branch7x7dbl_4", same_conv(192, {1, 7})},
                       {"avgpool", "", average_pool(3, 1, 1)},
                       {"branch_pool", "avgpool", conv(192, 1)}},
                      {"branch1x1", "branch7x7_3", "branch7x7dbl_5", "branch_pool"});
}

// Turns 17 × 17 to 8 × 8.
Value inception_d(GraphBuilder& builder, const std::string& name, const Value& input) {
  return add_branches(builder, name, input,
                      {{"branch3x3_1", "", conv(192, 1)},
                       {"branch3x3_2", "branch3x3_1", conv(320, 3, {.stride = 2})},
                       {"branch7x7x3_1", "", conv(192, 1)},
                       {"branch7x7x3_2", "branch7x7x3_1", same_conv(192, {1, 7})},
                       {"branch7x7x3_3", "branch7x7x3_2", same_conv(192, {7, 1})},
                       {"branch7x7x3_4", "branch7x7x3_3", conv(192, 3, {.stride = 2})},
                       {"maxpool", "", max_pool(3, 2)}},
                      {"branch3x3_2", "branch7x7x3_4", "maxpool"});
}

// Keeps 8 × 8.
Value inception_e(GraphBuilder& builder, const std::string& name, const Value& input) {
  return add_branches(
      builder, name, input,
      {{"branch1x1", "", conv(320, 1)},
       {"branch3x3_1", "", conv(384, 1)},
       {"branch3x3_2a", "branch3x3_1", same_conv(384, {1, 3})},
       {"branch3x3_2b", "branch3x3_1", same_conv(384, {3, 1})},
       {"branch3x3dbl_1", "", conv(448, 1)},
       {"branch3x3dbl_2", "branch3x3dbl_1", same_conv(384, {3, 3})},
       {"branch3x3dbl_3a", "branch3x3dbl_2", same_conv(384, {1, 3})},
       {"branch3x3dbl_3b", "branch3x3dbl_2", same_conv(384, {3, 1})},
       {"avgpool", "", average_pool(3, 1, 1)},
       {"branch_pool", "avgpool", conv(192, 1)}},
      {"branch1x1", "branch3x3_2a", "branch3x3_2b", "branch3x3dbl_3a", "branch3x3dbl_3b", "branch_pool"});
}

// The output channels of a module's convolutions; `reduce` is the 1 × 1 convolution in front of a 3 × 3 one. The
// second 3 × 3 branch replaces the paper's 5 × 5, as in the common trained version.
struct Module {
  const char* name;
  std::int64_t branch1x1;
  std::int64_t reduce_a, branch3x3_a;
  std::int64_t reduce_b, branch3x3_b;
  std::int64_t branch_pool;
};

constexpr std::array kModules3{
    Module{"inception3a", 64, 96, 128, 16, 32, 32},
    Module{"inception3b", 128, 128, 192, 32, 96, 64},
};
constexpr std::array kModules4{
    Module{"inception4a", 192, 96, 208, 16, 48, 64},    Module{"inception4b", 160, 112, 224, 24, 64, 64},
    Module{"inception4c", 128, 128, 256, 24, 64, 64},   Module{"inception4d", 112, 144, 288, 32, 64, 64},
    Module{"inception4e", 256, 160, 320, 32, 128, 128},
};
constexpr std::array kModules5{
    Module{"inception5a", 256, 160, 320, 32, 128, 128},
    Module{"inception5b", 384, 192, 384, 48, 128, 128},
};

Value add_modules(GraphBuilder& builder, Value value, std::span<const Module> modules) {
  for (const Module& module : modules) {
    builder.begin_part(module.name);
    value = add_branches(builder, module.name, value,
                         {{"branch1", "", conv(module.branch1x1, 1)},
                          {"branch2.0", "", conv(module.reduce_a, 1)},
                          {"branch2.1", "branch2.0", same_conv(module.branch3x3_a, {3, 3})},
                          {"branch3.0", "", conv(module.reduce_b, 1)},
                          {"branch3.1", "branch3.0", same_conv(module.branch3x3_b, {3, 3})},
                          {"branch4.0", "", max_pool(3, 1, 1, true)},
                          {"branch4.1", "branch4.0", conv(module.branch_pool, 1)}},
                         {"branch1", "branch2.1", "branch3.1", "branch4.1"});
  }
  return value;
}

Value add_pool(GraphBuilder& builder, const char* name, const Value& value, std::int64_t kernel) {
  builder.begin_part(name);
  return builder.add(name, max_pool(kernel, 2, 0, true), {value});
}

// Inception-ResNet-v2. The factor of the branches in a block's sum is part of the weights of the convolution
// before it.

Conv strided(std::int64_t out_channels, std::int64_t kernel) { return conv(out_channels, kernel, {.stride = 2}); }

Pool mean_without_padding() {
  Pool pool = average_pool(3, 1, 1);
  pool.count_padding = false;
  return pool;
}

// Adds a block that halves height and width, or widens: rows and what is concatenated.
Value add_mixed(GraphBuilder& builder, const std::string& name, const Value& input, const Rows& rows,
                const Names& joined) {
  builder.begin_part(name);
  return add_branches(builder, name, input, rows, joined);
}

Value add_mixed_5b(GraphBuilder& builder, const Value& input) {
  return add_mixed(builder, "mixed_5b", input,
                   {{"branch0", "", conv(96, 1)},
                    {"branch1.0", "", conv(48, 1)},
                    {"branch1.1", "branch1.0", same_conv(64, {5, 5})},
                    {"branch2.0", "", conv(64, 1)},
                    {"branch2.1", "branch2.0", same_conv(96, {3, 3})},
                    {"branch2.2", "branch2.1", same_conv(96, {3, 3})},
                    {"branch3.0", "", mean_without_padding()},
                    {"branch3.1", "branch3.0", conv(64, 1)}},
                   {"branch0", "branch1.1", "branch2.2", "branch3.1"});
}

Value add_mixed_6a(GraphBuilder& builder, const Value& input) {
  return add_mixed(builder, "mixed_6a", input,
                   {{"branch0", "", strided(384, 3)},
                    {"branch1.0", "", conv(256, 1)},
                    {"branch1.1", "branch1.0", same_conv(256, {3, 3})},
                    {"branch1.2", "branch1.1", strided(384, 3)},
                    {"branch2", "", max_pool(3, 2)}},
                   {"branch0", "branch1.2", "branch2"});
}

Value add_mixed_7a(GraphBuilder& builder, const Value& input) {
  return add_mixed(builder, "mixed_7a", input,
                   {{"branch0.0", "", conv(256, 1)},
                    {"branch0.1", "branch0.0", strided(384, 3)},
                    {"branch1.0", "", conv(256, 1)},
                    {"branch1.1", "branch1.0", strided(288, 3)},
                    {"branch2.0", "", conv(256, 1)},
                    {"branch2.1", "branch2.0", same_conv(288, {3, 3})},
                    {"branch2.2", "branch2.1", strided(320, 3)},
                    {"branch3", "", max_pool(3, 2)}},
                   {"branch0.1", "branch1.1", "branch2.2", "branch3"});
}

// Adds residual blocks: what the rows make is concatenated and brought to the input's channels. The last one has no
// ReLU if it `ends_linear`.
Value add_blocks(GraphBuilder& builder, const std::string& kind, int count, Value value, const Rows& rows,
                 const Names& joined, bool ends_linear = false) {
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("{}.{}", kind, i);
    builder.begin_part(name);
    Value branches = add_branches(builder, name, value, rows, joined);
    branches = builder.add(name + ".conv", linear_conv(value.channels()), {branches});
    const bool linear = ends_linear && i + 1 == count;
    value =
        linear ? builder.add(name + ".add", Add{}, {branches, value}) : add_sum_relu(builder, name, {branches, value});
  }
  return value;
}

Value add_blocks_35(GraphBuilder& builder, const Value& value) {
  return add_blocks(builder, "block35", 10, value,
                    {{"branch0", "", conv(32, 1)},
                     {"branch1.0", "", conv(32, 1)},
                     {"branch1.1", "branch1.0", same_conv(32, {3, 3})},
                     {"branch2.0", "", conv(32, 1)},
                     {"branch2.1", "branch2.0", same_conv(48, {3, 3})},
                     {"branch2.2", "branch2.1", same_conv(64, {3, 3})}},
                    {"branch0", "branch1.1", "branch2.2"});
}

Value add_blocks_17(GraphBuilder& builder, const Value& value) {
  return add_blocks(builder, "block17", 20, value,
                    {{"branch0", "", conv(192, 1)},
                     {"branch1.0", "", conv(128, 1)},
                     {"branch1.1", "branch1.0", same_conv(160, {1, 7})},
                     {"branch1.2", "branch1.1", same_conv(192, {7, 1})}},
                    {"branch0", "branch1.2"});
}

Value add_blocks_8(GraphBuilder& builder, const Value& value) {
  return add_blocks(builder, "block8", 10, value,
                    {{"branch0", "", conv(192, 1)},
                     {"branch1.0", "", conv(192, 1)},
                     {"branch1.1", "branch1.0", same_conv(224, {1, 3})},
                     {"branch1.2", "branch1.1", same_conv(256, {3, 1})}},
                    {"branch0", "branch1.2"}, true);
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

Graph build_googlenet() {
  GraphBuilder builder("googlenet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = add_chain(builder, value,
                    {{"conv1", "", conv(64, 7, {.stride = 2, .padding = 3})},
                     {"maxpool1", "", max_pool(3, 2, 0, true)},
                     {"conv2", "", conv(64, 1)},
                     {"conv3", "", same_conv(192, {3, 3})},
                     {"maxpool2", "", max_pool(3, 2, 0, true)}});
  value = add_modules(builder, value, kModules3);
  value = add_pool(builder, "maxpool3", value, 3);
  value = add_modules(builder, value, kModules4);
  value = add_pool(builder, "maxpool4", value, 2);
  value = add_modules(builder, value, kModules5);
  builder.begin_part("head");
  return classify(std::move(builder), value);
}

Graph build_inception_resnet_v2() {
  GraphBuilder builder("inception_resnet_v2");
  Value value = builder.input("input", {3, 299, 299});
  builder.begin_part("stem");
  value = add_chain(builder, value,
                    {{"conv2d_1a", "", strided(32, 3)},
                     {"conv2d_2a", "", conv(32, 3)},
                     {"conv2d_2b", "", same_conv(64, {3, 3})},
                     {"maxpool_3a", "", max_pool(3, 2)},
                     {"conv2d_3b", "", conv(80, 1)},
                     {"conv2d_4a", "", conv(192, 3)},
                     {"maxpool_5a", "", max_pool(3, 2)}});
  value = add_blocks_35(builder, add_mixed_5b(builder, value));
  value = add_blocks_17(builder, add_mixed_6a(builder, value));
  value = add_blocks_8(builder, add_mixed_7a(builder, value));
  builder.begin_part("head");
  value = builder.add("conv2d_7b", conv(1536, 1), {value});
  return classify(std::move(builder), value);
}

}  // namespace iosx
