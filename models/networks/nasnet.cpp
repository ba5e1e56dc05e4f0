#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"
#include "models/networks/networks.h"

// NASNet-A Large in the form that IOS benchmarked. It departs from the paper's network: only the first normal cell
// after a reduction concatenates its second input, the reduction cells sum partly other pairs, and there is no
// classifier.
namespace iosx {
namespace {

constexpr std::int64_t kStemChannels = 96;
constexpr std::int64_t kFirstFilters = 168;  // of the first normal cells; 4032 = 24 · 168
constexpr int kCellsPerStack = 6;

struct Cell {
  std::string name;
  Value previous;  // output of the cell before the last, brought to the cell's form
  Value current;   // output of the last cell, brought to the cell's form
  std::int64_t filters = 0;
};

Value relu_conv(GraphBuilder& builder, const std::string& name, const Value& input, std::int64_t channels,
                std::int64_t stride = 1) {
  builder.begin_unit(name, "ReluConv");
  const Value value = builder.add(name + ".relu", Activate{Activation::kRelu}, {input});
  builder.add(name + ".conv", conv(channels, 1, {.stride = stride, .activation = Activation::kIdentity}), {value});
  return builder.end_unit();
}

// Two units: relu, depthwise, pointwise, twice. `middle`: channels between the two.
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
    return builder.add(fmt::format("{}.{}", cell.name, name), average_pool(3, 1, 1), {input});
  };
  const Value& previous = cell.previous;
  const Value& current = cell.current;
  const Value left_0 = separable("comb_0_left", current, 5);
  const Value right_0 = separable("comb_0_right", first ? current : previous, 3);
  const Value left_1 = separable("comb_1_left", previous, 5);
  const Value right_1 = separable("comb_1_right", previous, 3);
  const Value left_2 = pool("comb_2_left", current);
  const Value left_3 = pool("comb_3_left", previous);
  const Value right_3 = pool("comb_3_right", previous);
  const Value left_4 = separable("comb_4_left", current, 3);
  std::vector<std::vector<Value>> terms{
      {left_0, right_0}, {left_1, right_1}, {left_2, previous}, {left_3, right_3}, {left_4, current}};
  if (first) terms.insert(terms.begin(), {previous});
  return add_join(builder, cell.name + ".concat", terms);
}

// What a reduction cell's concatenation chooses from.
struct ReductionPairs {
  Value comb_0, left_1, right_1, comb_1, left_2, right_2, left_3, left_4, right_4;
};

// `middle`: channels between the two separable convolutions that start from cell.previous.
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
  pairs.left_2 = builder.add(named("comb_2_left"), average_pool(3, 2, 1), {cell.current});
  pairs.right_2 = separable("comb_2_right", cell.previous, 5, 2, middle);
  pairs.left_3 = builder.add(named("comb_3_left"), average_pool(3, 1, 1), {pairs.comb_0});
  pairs.left_4 = separable("comb_4_left", pairs.comb_0, 3, 1, cell.filters);
  pairs.right_4 = builder.add(named("comb_4_right"), max_pool(3, 2, 1), {cell.current});
  return pairs;
}

Value stem_cell_0(GraphBuilder& builder, const Value& conv0, std::int64_t filters) {
  builder.begin_part("cell_stem_0");
  Cell cell{"cell_stem_0", conv0, {}, filters};
  cell.current = relu_conv(builder, "cell_stem_0.conv_1x1", conv0, filters);
  const ReductionPairs pairs = reduction_body(builder, cell, filters);
  return add_join(
      builder, "cell_stem_0.concat",
      {{pairs.comb_1}, {pairs.left_2, pairs.right_2}, {pairs.left_3, pairs.comb_0}, {pairs.left_4, pairs.right_4}});
}

Value stem_cell_1(GraphBuilder& builder, const Value& conv0, const Value& stem_0, std::int64_t filters) {
  builder.begin_part("cell_stem_1");
  Cell cell{"cell_stem_1", {}, {}, filters};
  cell.current = relu_conv(builder, "cell_stem_1.conv_1x1", stem_0, filters);
  const Value path_1 = relu_conv(builder, "cell_stem_1.path_1", conv0, filters / 2, 2);
  const Value path_2 = relu_conv(builder, "cell_stem_1.path_2", conv0, filters / 2, 2);
  cell.previous = add_join(builder, "cell_stem_1.path_sum", {{path_1, path_2}});
  const ReductionPairs pairs = reduction_body(builder, cell, filters / 2);
  return add_join(
      builder, "cell_stem_1.concat",
      {{pairs.comb_1}, {pairs.left_2, pairs.right_2}, {pairs.left_3, pairs.comb_1}, {pairs.left_4, pairs.right_4}});
}

Value reduction_cell(GraphBuilder& builder, const std::string& name, const Value& previous, const Value& current,
                     std::int64_t filters) {
  builder.begin_part(name);
  Cell cell{name, {}, {}, filters};
  cell.previous = relu_conv(builder, name + ".conv_prev_1x1", previous, filters);
  cell.current = relu_conv(builder, name + ".conv_1x1", current, filters);
  const ReductionPairs pairs = reduction_body(builder, cell, filters);
  return add_join(builder, name + ".concat",
                  {{pairs.left_1, pairs.right_1},
                   {pairs.left_2, pairs.right_2},
                   {pairs.comb_1, pairs.left_3},
                   {pairs.left_4, pairs.right_4}});
}

// The first normal cell after a reduction: `previous` has twice the height and width of `current`.
Value first_cell(GraphBuilder& builder, const std::string& name, const Value& previous, const Value& current,
                 std::int64_t filters) {
  builder.begin_part(name);
  Cell cell{name, {}, {}, filters};
  const Value path_1 = relu_conv(builder, name + ".path_1", previous, filters / 2, 2);
  const Value path_2 = relu_conv(builder, name + ".path_2", previous, filters / 2, 2);
  cell.previous = add_join(builder, name + ".path_concat", {{path_1}, {path_2}});
  cell.current = relu_conv(builder, name + ".conv_1x1", current, filters);
  return normal_body(builder, cell, true);
}

Value normal_cell(GraphBuilder& builder, const std::string& name, const Value& previous, const Value& current,
                  std::int64_t filters) {
  builder.begin_part(name);
  Cell cell{name, {}, {}, filters};
  cell.previous = relu_conv(builder, name + ".conv_prev_1x1", previous, filters);
  cell.current = relu_conv(builder, name + ".conv_1x1", current, filters);
  return normal_body(builder, cell, false);
}

}  // namespace

Graph build_nasnet() {
  GraphBuilder builder("nasnet");
  const Value input = builder.input("input", {3, 331, 331});
  builder.begin_part("conv0");
  const Value conv0 =
      builder.add("conv0", conv(kStemChannels, 3, {.stride = 2, .activation = Activation::kIdentity}), {input});

  // Outputs of the cell before the last and of the last cell.
  Value previous = stem_cell_0(builder, conv0, kFirstFilters / 4);
  Value current = stem_cell_1(builder, conv0, previous, kFirstFilters / 2);
  const auto advance = [&](const Value& next) {
    previous = current;
    current = next;
  };
  int number = 0;
  for (int stack = 0; stack < 3; ++stack) {
    const std::int64_t filters = kFirstFilters << stack;
    if (stack > 0) {
      // The first cell reads past the reduction: `previous` stays.
      current = reduction_cell(builder, fmt::format("reduction_cell_{}", stack - 1), previous, current, filters);
    }
    advance(first_cell(builder, fmt::format("cell_{}", number++), previous, current, filters));
    for (int i = 1; i < kCellsPerStack; ++i) {
      advance(normal_cell(builder, fmt::format("cell_{}", number++), previous, current, filters));
    }
  }
  builder.begin_part("relu");
  current = builder.add("relu", Activate{Activation::kRelu}, {current});
  builder.begin_part("pool");
  builder.add("avgpool", global_average_pool(), {current});
  return finish(std::move(builder));
}

}  // namespace iosx
