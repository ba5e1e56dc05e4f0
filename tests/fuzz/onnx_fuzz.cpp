#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/check.h"
#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/read/read_model.h"
#include "core/formats/onnx/write/export.h"

// libFuzzer's entry: any bytes as an ONNX model. What opens must be a graph that can be written and opened again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace iosx::onnx_import;
  const auto model = parse_onnx(std::as_bytes(std::span(data, size)), {});
  if (!model) {
    IOS_CHECK(!model.error().what.empty());
    return 0;
  }
  OnnxOptions options;
  options.memory = std::int64_t{64} << 20;  // what is computed while reading takes its time under the sanitizers
  const auto loaded = to_graph(*model, options);
  if (!loaded) {
    IOS_CHECK(!loaded.error().what.empty());
    return 0;
  }
  // Large weights take time and find nothing.
  std::int64_t elements = 0;
  for (const iosx::Operator& op : loaded->graph.operators()) elements += op.output.elements();
  if (elements > (1 << 16)) return 0;
  for (const bool as_in_file : {false, true}) {
    const auto bytes = to_onnx(loaded->graph, {.file = as_in_file ? loaded->file : iosx::FileInterface()});
    if (!bytes) return 0;  // an operator that we cannot execute, for example
    const auto again = parse_onnx(std::as_bytes(std::span(*bytes)), {});
    IOS_CHECK(again);
    IOS_CHECK(to_graph(*again));
  }
  return 0;
}
