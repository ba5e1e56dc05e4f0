#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

namespace iosx {

Graph build_alexnet() {
  GraphBuilder builder("alexnet");
  Value value = builder.input("input", {3, 224, 224});
  builder.begin_part("features");
  const std::array features{
      Row{"conv1", "", conv(64, 11, {.stride = 4, .padding = 2})},
      Row{"pool1", "", max_pool(3, 2)},
      Row{"conv2", "", same_conv(192, {5, 5})},
      Row{"pool2", "", max_pool(3, 2)},
      Row{"conv3", "", same_conv(384, {3, 3})},
      Row{"conv4", "", same_conv(256, {3, 3})},
      Row{"conv5", "", same_conv(256, {3, 3})},
      Row{"pool5", "", max_pool(3, 2)},
  };
  value = add_chain(builder, value, features);
  builder.begin_part("classifier");
  const std::array classifier{
      Row{"fc6", "", Linear{4096, Activation::kRelu}},
      Row{"fc7", "", Linear{4096, Activation::kRelu}},
      Row{"fc8", "", Linear{1000, Activation::kIdentity}},
  };
  add_chain(builder, value, classifier);
  return finish(std::move(builder));
}

}  // namespace iosx
