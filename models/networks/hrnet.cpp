#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

// HRNet-W18 for classification has parallel branches of four resolutions that exchange features.
namespace iosx {
namespace {

constexpr std::int64_t kWidth = 18;
constexpr int kBlocksInABranch = 4;
constexpr std::array kModules{1, 4, 3};                                 // of the stages of 2, 3 and 4 branches
constexpr std::array<std::int64_t, 4> kHeadChannels{32, 64, 128, 256};  // inside the bottlenecks of the head

Conv linear(std::int64_t channels, std::int64_t kernel, std::int64_t stride = 1) {
  return padded_conv(channels, kernel, {.stride = stride, .activation = Activation::kIdentity});
}

std::int64_t channels_of(std::size_t branch) { return kWidth << branch; }

Value add_basic(GraphBuilder& builder, const std::string& name, const Value& input) {
  Value value = builder.add(name + ".conv1", padded_conv(input.channels(), 3), {input});
  value = builder.add(name + ".conv2", linear(input.channels(), 3), {value});
  return add_sum_relu(builder, name, {value, input});
}

Value add_bottleneck(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t channels) {
  Value value = builder.add(name + ".conv1", conv(channels, 1), {input});
  value = builder.add(name + ".conv2", padded_conv(channels, 3), {value});
  value = builder.add(name + ".conv3", linear(4 * channels, 1), {value});
  Value shortcut = input;
  if (input.channels() != 4 * channels) {
    shortcut = builder.add(name + ".downsample", linear(4 * channels, 1), {input});
  }
  return add_sum_relu(builder, name, {value, shortcut});
}

// Adds what branch `to` takes from branch `from`: the same, brought to its size and channels.
Value add_exchange(GraphBuilder& builder, const std::string& name, const Value& from_value, std::size_t from,
                   std::size_t to) {
  if (from == to) return from_value;
  Value value = from_value;
  if (from > to) {
    builder.begin_unit(name, "ConvUpsample");
    value = builder.add(name + ".conv", linear(channels_of(to), 1), {value});
    builder.add(name + ".upsample", upsample(builder.shape(value), std::int64_t{1} << (from - to)), {value});
    return builder.end_unit();
  }
  for (std::size_t step = from + 1; step <= to; ++step) {
    const std::string conv_name = fmt::format("{}.{}", name, step - from - 1);
    value = step == to ? builder.add(conv_name, linear(channels_of(to), 3, 2), {value})
                       : builder.add(conv_name, padded_conv(channels_of(from), 3, {.stride = 2}), {value});
  }
  return value;
}

// Adds the branches' blocks, then their exchange: a part each.
std::vector<Value> add_module(GraphBuilder& builder, const std::string& name, std::vector<Value> branches) {
  builder.begin_part(name + ".branches");
  for (std::size_t branch = 0; branch < branches.size(); ++branch) {
    for (int i = 0; i < kBlocksInABranch; ++i) {
      branches[branch] = add_basic(builder, fmt::format("{}.branch{}.{}", name, branch, i), branches[branch]);
    }
  }
  builder.begin_part(name + ".fuse");
  std::vector<Value> fused;
  for (std::size_t to = 0; to < branches.size(); ++to) {
    std::vector<Value> terms;
    for (std::size_t from = 0; from < branches.size(); ++from) {
      terms.push_back(add_exchange(builder, fmt::format("{}.fuse{}{}", name, to, from), branches[from], from, to));
    }
    fused.push_back(add_sum_relu(builder, fmt::format("{}.fuse{}", name, to), std::move(terms)));
  }
  return fused;
}

// Goes from the lowest branch to the highest; each wider map is joined by what is above it.
Value add_head(GraphBuilder& builder, const std::vector<Value>& branches) {
  builder.begin_part("head");
  std::vector<Value> wide;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    wide.push_back(add_bottleneck(builder, fmt::format("head.increase{}", i), branches[i], kHeadChannels[i]));
  }
  Value value = wide.front();
  for (std::size_t i = 1; i < wide.size(); ++i) {
    const std::string name = fmt::format("head.down{}", i);
    value = builder.add(name, padded_conv(wide[i].channels(), 3, {.stride = 2}), {value});
    value = builder.add(name + ".add", Add{}, {wide[i], value});
  }
  return builder.add("head.final", conv(2048, 1), {value});
}

}  // namespace

Graph build_hrnet_w18() {
  GraphBuilder builder("hrnet_w18");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  value = builder.add("stem.conv1", padded_conv(64, 3, {.stride = 2}), {value});
  value = builder.add("stem.conv2", padded_conv(64, 3, {.stride = 2}), {value});
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("stage1.{}", i);
    builder.begin_part(name);
    value = add_bottleneck(builder, name, value, 64);
  }
  std::vector<Value> branches;
  for (std::size_t stage = 0; stage < kModules.size(); ++stage) {
    const std::string name = fmt::format("stage{}", stage + 2);
    builder.begin_part(name + ".transition");
    if (stage == 0) branches = {builder.add("stage2.transition0", padded_conv(channels_of(0), 3), {value})};
    const std::size_t added = branches.size();
    branches.push_back(builder.add(fmt::format("{}.transition{}", name, added),
                                   padded_conv(channels_of(added), 3, {.stride = 2}),
                                   {stage == 0 ? value : branches.back()}));
    for (int i = 0; i < kModules[stage]; ++i) {
      branches = add_module(builder, fmt::format("{}.{}", name, i), std::move(branches));
    }
  }
  value = add_head(builder, branches);
  return classify(std::move(builder), value);
}

}  // namespace iosx
