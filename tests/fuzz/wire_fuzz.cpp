#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/check.h"
#include "core/formats/wire/graph_wire.h"
#include "core/formats/wire/worker_wire.h"
#include "models/networks/zoo.h"

namespace {

const std::string kOrigin = "fuzz";

const std::shared_ptr<const iosx::Graph>& sample() {
  static const auto graph = std::make_shared<const iosx::Graph>(iosx::build_sample());
  return graph;
}

void try_graph(std::string_view text) {
  const auto graph = iosx::graph_from_wire(text, kOrigin);
  if (!graph) {
    IOS_CHECK(!graph.error().what.empty());
    return;
  }
  const std::string written = iosx::graph_to_wire(*graph);
  const auto again = iosx::graph_from_wire(written, "written");
  IOS_CHECK(again);
  IOS_CHECK(iosx::graph_to_wire(*again) == written);
}

void try_order(std::string_view text) {
  auto order = iosx::wire::order_of(text, kOrigin);
  if (!order) {
    IOS_CHECK(!order.error().what.empty());
    return;
  }
  const std::string written = to_line(*order);
  const auto again = iosx::wire::order_of(written, "written");
  IOS_CHECK(again);
  IOS_CHECK(to_line(*again) == written);
  if (auto* const load = std::get_if<iosx::wire::Load>(&order->what)) {
    const auto valid = iosx::wire::complete(load->plan, sample()->parameters(), kOrigin, "plan");
    IOS_CHECK(valid || !valid.error().what.empty());
  }
}

void try_words_of_a_worker(std::string_view text) {
  if (const auto hello = iosx::wire::hello_of(text, kOrigin)) {
    const std::string written = to_line(*hello);
    const auto again = iosx::wire::hello_of(written, "written");
    IOS_CHECK(again && to_line(*again) == written);
  }
  if (const auto reply = iosx::wire::reply_of(text, kOrigin)) {
    const std::string written = to_line(*reply);
    const auto again = iosx::wire::reply_of(written, "written");
    IOS_CHECK(again && to_line(*again) == written);
  }
}

}  // namespace

// libFuzzer's entry: any bytes as what another process may send us.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_graph(text);
  try_order(text);
  try_words_of_a_worker(text);
  return 0;
}
