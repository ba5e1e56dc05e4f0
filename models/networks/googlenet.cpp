#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

namespace iosx {
namespace {

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
  constexpr std::array<std::string_view, 4> kJoined{"branch1", "branch2.1", "branch3.1", "branch4.1"};
  for (const Module& module : modules) {
    const std::array rows{
        Row{"branch1", "", conv(module.branch1x1, 1)},
        Row{"branch2.0", "", conv(module.reduce_a, 1)},
        Row{"branch2.1", "branch2.0", same_conv(module.branch3x3_a, {3, 3})},
        Row{"branch3.0", "", conv(module.reduce_b, 1)},
        Row{"branch3.1", "branch3.0", same_conv(module.branch3x3_b, {3, 3})},
        Row{"branch4.0", "", max_pool(3, 1, 1, true)},
        Row{"branch4.1", "branch4.0", conv(module.branch_pool, 1)},
    };
    builder.begin_part(module.name);
    value = add_branches(builder, module.name, value, rows, kJoined);
  }
  return value;
}

Value add_pool(GraphBuilder& builder, const char* name, const Value& value, std::int64_t kernel) {
  builder.begin_part(name);
  return builder.add(name, max_pool(kernel, 2, 0, true), {value});
}

}  // namespace

Graph build_googlenet() {
  GraphBuilder builder("googlenet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("stem");
  const std::array stem{
      Row{"conv1", "", conv(64, 7, {.stride = 2, .padding = 3})},
      Row{"maxpool1", "", max_pool(3, 2, 0, true)},
      Row{"conv2", "", conv(64, 1)},
      Row{"conv3", "", same_conv(192, {3, 3})},
      Row{"maxpool2", "", max_pool(3, 2, 0, true)},
  };
  value = add_chain(builder, value, stem);
  value = add_modules(builder, value, kModules3);
  value = add_pool(builder, "maxpool3", value, 3);
  value = add_modules(builder, value, kModules4);
  value = add_pool(builder, "maxpool4", value, 2);
  value = add_modules(builder, value, kModules5);
  builder.begin_part("head");
  value = builder.add("avgpool", global_average_pool(), {value});
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

}  // namespace iosx
