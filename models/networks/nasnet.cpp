#include <fmt/format.h>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

// NASNet-A: Mobile as in the paper, Large in the form that IOS benchmarked. That form differs from the paper's: only
// the first normal cell after a reduction concatenates its second input, which it reads for one more sum; the first
// stem cell sums another pair, the second adds the paths of its second input; no path is shifted by a pixel; there is
// no classifier.
namespace iosx {
namespace {

enum class Form { kPaper, kBenchmarked };

struct Nasnet {
  Form form;
  std::int64_t image;  // height and width of the input
  std::int64_t stem_channels;
  std::int64_t first_filters;  // of the first normal cells; a 24th of the last cell's output
  int cells_per_stack;
  bool skips_cell;  // the cell after a reduction reads the cell before the last one in front of it
};

struct Cell {
  std::string name;
  Value previous;  // output of the cell before the last, brought to the cell's form
  Value current;   // output of the last cell, brought to the cell's form
  std::int64_t filters = 0;
  Form form = Form::kPaper;
};

Pool mean_pool(Form form, std::int64_t stride) {
  Pool pool = average_pool(3, stride, 1);
  pool.count_padding = form == Form::kBenchmarked;
  return pool;
}

Value relu_conv(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t channels,
                std::int64_t stride = 1) {
  builder.begin_unit(name, "ReluConv");
  const Value value = builder.add(name + ".relu", Activate{Activation::kRelu}, {input});
  builder.add(name + ".conv", linear_conv(channels, 1, stride), {value});
  return builder.end_unit();
}

// Halves height and width: it takes every second pixel, and, in the paper's form, those one further down and right,
// each with half of the filters.
std::vector<Value> two_paths(GraphBuilder& builder, const Cell& cell, const Value& input) {
  const Value path_1 = relu_conv(builder, cell.name + ".path_1", input, cell.filters / 2, 2);
  const std::string name = cell.name + ".path_2";
  if (cell.form == Form::kBenchmarked) return {path_1, relu_conv(builder, name, input, cell.filters / 2, 2)};
  builder.begin_unit(name, "ReluShiftConv");
  Value value = builder.add(name + ".relu", Activate{Activation::kRelu}, {input});
  value = builder.add(name + ".shift", Pad{PadMode::kConstant, {0, -1, -1}, {0, 1, 1}}, {value});
  builder.add(name + ".conv", linear_conv(cell.filters / 2, 1, 2), {value});
  return {path_1, builder.end_unit()};
}

// Adds two units: relu, depthwise, pointwise, twice. `middle` are the channels between the two.
Value separable_twice(GraphBuilder& builder, const std::string& name, const Value& input, SeparableOptions options,
                      std::int64_t middle) {
  const Value value = add_relu_separable(builder, name + ".0", {input},
                                         {.out_channels = middle, .kernel = options.kernel, .stride = options.stride});
  options.stride = 1;
  return add_relu_separable(builder, name + ".1", {value}, options);
}

Value normal_body(GraphBuilder& builder, const Cell& cell, bool first) {
  const auto separable = [&](const char* name, const Value& input, std::int64_t kernel) {
    return separable_twice(builder, fmt::format("{}.{}", cell.name, name), input,
                           {.out_channels = cell.filters, .kernel = kernel}, cell.filters);
  };
  const auto pool = [&](const char* name, const Value& input) {
    return builder.add(fmt::format("{}.{}", cell.name, name), mean_pool(cell.form, 1), {input});
  };
  const bool paper = cell.form == Form::kPaper;
  const Value& previous = cell.previous;
  const Value& current = cell.current;
  const Value left_0 = separable("comb_0_left", current, 5);
  const Value right_0 = separable("comb_0_right", first && !paper ? current : previous, 3);
  const Value left_1 = separable("comb_1_left", previous, 5);
  const Value right_1 = separable("comb_1_right", previous, 3);
  const Value left_2 = pool("comb_2_left", current);
  const Value left_3 = pool("comb_3_left", previous);
  const Value right_3 = pool("comb_3_right", previous);
  const Value left_4 = separable("comb_4_left", current, 3);
  std::vector<std::vector<Value>> terms{
      {left_0, right_0}, {left_1, right_1}, {left_2, previous}, {left_3, right_3}, {left_4, current}};
  if (first || paper) terms.insert(terms.begin(), {previous});
  return add_join(builder, cell.name + ".concat", terms);
}

// The candidates of a reduction cell's concatenation.
struct ReductionPairs {
  Value comb_0, left_1, right_1, comb_1, left_2, right_2, left_3, left_4, right_4;
};

// `middle` are the channels between the two separable convolutions that start from cell.previous.
ReductionPairs reduction_body(GraphBuilder& builder, const Cell& cell, std::int64_t middle) {
  const auto named = [&](const char* name) { return fmt::format("{}.{}", cell.name, name); };
  const auto separable = [&](const char* name, const Value& input, std::int64_t kernel, std::int64_t stride,
                             std::int64_t between) {
    return separable_twice(builder, named(name), input,
                           {.out_channels = cell.filters, .kernel = kernel, .stride = stride}, between);
  };
  ReductionPairs pairs;
  const Value left_0 = separable("comb_0_left", cell.current, 5, 2, cell.filters);
  const Value right_0 = separable("comb_0_right", cell.previous, 7, 2, middle);
  pairs.comb_0 = add_join(builder, named("comb_0"), {{left_0, right_0}});
  pairs.left_1 = builder.add(named("comb_1_left"), max_pool(3, 2, 1), {cell.current});
  pairs.right_1 = separable("comb_1_right", cell.previous, 7, 2, middle);
  pairs.comb_1 = add_join(builder, named("comb_1"), {{pairs.left_1, pairs.right_1}});
  pairs.left_2 = builder.add(named("comb_2_left"), mean_pool(cell.form, 2), {cell.current});
  pairs.right_2 = separable("comb_2_right", cell.previous, 5, 2, middle);
  pairs.left_3 = builder.add(named("comb_3_left"), mean_pool(cell.form, 1), {pairs.comb_0});
  pairs.left_4 = separable("comb_4_left", pairs.comb_0, 3, 1, cell.filters);
  pairs.right_4 = builder.add(named("comb_4_right"), max_pool(3, 2, 1), {cell.current});
  return pairs;
}

Value stem_cell_0(GraphBuilder& builder, const Nasnet& net, const Value& conv0) {
  const std::int64_t filters = net.first_filters / 4;
  builder.begin_part("cell_stem_0");
  Cell cell{"cell_stem_0", conv0, {}, filters, net.form};
  cell.current = relu_conv(builder, "cell_stem_0.conv_1x1", conv0, filters);
  const ReductionPairs pairs = reduction_body(builder, cell, filters);
  return add_join(builder, "cell_stem_0.concat",
                  {{pairs.comb_1},
                   {pairs.left_2, pairs.right_2},
                   {pairs.left_3, net.form == Form::kPaper ? pairs.comb_1 : pairs.comb_0},
                   {pairs.left_4, pairs.right_4}});
}

Value stem_cell_1(GraphBuilder& builder, const Nasnet& net, const Value& conv0, const Value& stem_0) {
  const std::int64_t filters = net.first_filters / 2;
  builder.begin_part("cell_stem_1");
  Cell cell{"cell_stem_1", {}, {}, filters, net.form};
  cell.current = relu_conv(builder, "cell_stem_1.conv_1x1", stem_0, filters);
  const std::vector<Value> paths = two_paths(builder, cell, conv0);
  cell.previous = net.form == Form::kPaper ? add_join(builder, "cell_stem_1.path_concat", {{paths[0]}, {paths[1]}})
                                           : add_join(builder, "cell_stem_1.path_sum", {paths});
  const ReductionPairs pairs = reduction_body(builder, cell, cell.previous.channels());
  return add_join(
      builder, "cell_stem_1.concat",
      {{pairs.comb_1}, {pairs.left_2, pairs.right_2}, {pairs.left_3, pairs.comb_1}, {pairs.left_4, pairs.right_4}});
}

// `cell` has its name, filters and form; `previous` and `current` are the last two outputs.
Value reduction_cell(GraphBuilder& builder, Cell cell, const Value& previous, const Value& current) {
  const std::string& name = cell.name;
  const std::int64_t filters = cell.filters;
  builder.begin_part(name);
  cell.previous = relu_conv(builder, name + ".conv_prev_1x1", previous, filters);
  cell.current = relu_conv(builder, name + ".conv_1x1", current, filters);
  const ReductionPairs pairs = reduction_body(builder, cell, filters);
  const std::vector<Value> first =
      cell.form == Form::kPaper ? std::vector{pairs.comb_1} : std::vector{pairs.left_1, pairs.right_1};
  return add_join(builder, name + ".concat",
                  {first, {pairs.left_2, pairs.right_2}, {pairs.comb_1, pairs.left_3}, {pairs.left_4, pairs.right_4}});
}

// Adds the first normal cell after a reduction: `previous` has twice the height and width of `current`.
Value first_cell(GraphBuilder& builder, Cell cell, const Value& previous, const Value& current) {
  builder.begin_part(cell.name);
  const std::vector<Value> paths = two_paths(builder, cell, previous);
  cell.previous = add_join(builder, cell.name + ".path_concat", {{paths[0]}, {paths[1]}});
  cell.current = relu_conv(builder, cell.name + ".conv_1x1", current, cell.filters);
  return normal_body(builder, cell, true);
}

Value normal_cell(GraphBuilder& builder, Cell cell, const Value& previous, const Value& current) {
  builder.begin_part(cell.name);
  cell.previous = relu_conv(builder, cell.name + ".conv_prev_1x1", previous, cell.filters);
  cell.current = relu_conv(builder, cell.name + ".conv_1x1", current, cell.filters);
  return normal_body(builder, cell, false);
}

// Adds the network up to the pooled features.
Value add_nasnet(GraphBuilder& builder, const Nasnet& net) {
  const Value input = builder.input("input", {3, net.image, net.image});
  builder.begin_part("conv0");
  const Value conv0 = builder.add("conv0", linear_conv(net.stem_channels, 3, 2), {input});

  // The outputs of the cell before the last and of the last cell.
  Value previous = stem_cell_0(builder, net, conv0);
  Value current = stem_cell_1(builder, net, conv0, previous);
  const auto advance = [&](const Value& next) {
    previous = current;
    current = next;
  };
  int number = 0;
  for (int stack = 0; stack < 3; ++stack) {
    const auto cell = [&](std::string name) {
      return Cell{std::move(name), {}, {}, net.first_filters << stack, net.form};
    };
    if (stack > 0) {
      const Value next = reduction_cell(builder, cell(fmt::format("reduction_cell_{}", stack - 1)), previous, current);
      if (!net.skips_cell) previous = current;
      current = next;
    }
    advance(first_cell(builder, cell(fmt::format("cell_{}", number++)), previous, current));
    for (int i = 1; i < net.cells_per_stack; ++i) {
      advance(normal_cell(builder, cell(fmt::format("cell_{}", number++)), previous, current));
    }
  }
  builder.begin_part("relu");
  current = builder.add("relu", Activate{Activation::kRelu}, {current});
  builder.begin_part("pool");
  return builder.add("avgpool", global_average_pool(), {current});
}

}  // namespace

Graph build_nasnet() {
  GraphBuilder builder("nasnet");
  add_nasnet(builder, {Form::kBenchmarked, 331, 96, 168, 6, true});
  return finish(std::move(builder));
}

Graph build_nasnet_mobile() {
  GraphBuilder builder("nasnet_mobile");
  const Value pooled = add_nasnet(builder, {Form::kPaper, 224, 32, 44, 4, false});
  builder.begin_part("fc");
  builder.add("fc", Linear{1000, Activation::kIdentity}, {pooled});
  return finish(std::move(builder));
}

}  // namespace iosx
