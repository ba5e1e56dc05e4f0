#include "tests/views/canvas/canvas_graphs.h"

#include <string>

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "views/canvas/weave/weave.h"

namespace iosx::canvas::test {
namespace {

Conv conv(std::int64_t channels, std::int64_t kernel) {
  Conv result{.out_channels = channels,
              .kernel = {kernel, kernel},
              .padding = {kernel / 2, kernel / 2},
              .activation = Activation::kRelu};
  return result;
}

}  // namespace

TextStyle plain_style() {
  TextStyle style;
  style.body.ascii.fill(7);
  style.body.times = 8;
  style.body.dot = 4;
  style.body.other = 9;
  style.body.line_height = 15;
  style.name = style.body;
  style.name.line_height = 16;
  return style;
}

std::shared_ptr<const Graph> branches(std::size_t units, std::size_t parts) {
  GraphBuilder builder("branches");
  Value last = builder.input("in", {16, 32, 32});
  std::vector<Value> open;
  for (std::size_t u = 0; u < units; ++u) {
    if (u % ((units + parts - 1) / parts) == 0) {
      builder.begin_part("part " + std::to_string(u));
      if (!open.empty()) last = open.back();
      open.clear();
    }
    if (open.size() == 4) {
      last = builder.add("cat" + std::to_string(u), Concat{}, std::exchange(open, {}));
    } else {
      open.push_back(builder.add("conv" + std::to_string(u), conv(4, u % 2 == 0 ? 1 : 3), {last}));
    }
  }
  auto graph = std::move(builder).build();
  IOS_CHECK(graph.has_value());
  return std::make_shared<const Graph>(std::move(*graph));
}

Scheduled small_scheduled() {
  GraphBuilder builder("small");
  const Value in = builder.input("in", {8, 16, 16});
  const Value a = builder.add("a", conv(8, 3), {in});
  const Value b = builder.add("b", conv(8, 1), {a});
  const Value c = builder.add("c", conv(8, 3), {a});
  const Value d = builder.add("d", conv(8, 3), {c});
  const Value e = builder.add("e", conv(8, 1), {b});
  const Value f = builder.add("f", conv(8, 3), {b});
  builder.add("g", Concat{}, {a, c, d, e, f});
  auto graph = std::move(builder).build();
  IOS_CHECK(graph.has_value());
  const UnitId ua(0), ub(1), uc(2), ud(3), ue(4), uf(5), ug(6);
  Schedule schedule{.name = "by-hand"};
  schedule.stages.push_back(single_unit_stage(ua));
  schedule.stages.push_back({{Group{{Step{{ub}}}}, Group{{Step{{uc}}, Step{{ud}}}}}});
  schedule.stages.push_back(merge_stage({ue, uf}));
  schedule.stages.push_back(single_unit_stage(ug));
  return {std::make_shared<const Graph>(std::move(*graph)), std::move(schedule)};
}

Layout lay_out(std::shared_ptr<const Graph> graph, const Schedule* schedule) {
  LayoutRequest request{.graph = std::move(graph)};
  if (schedule != nullptr) request.schedule = std::make_shared<const Schedule>(*schedule);
  return weave_graph(request);
}

}  // namespace iosx::canvas::test
