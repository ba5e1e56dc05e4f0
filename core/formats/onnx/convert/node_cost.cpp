#include "core/formats/onnx/convert/node_cost.h"

#include <numeric>

namespace iosx::onnx_import {

std::int64_t sensible(std::int64_t value) { return value < -kMaxExtent || value > kMaxExtent ? 0 : value; }

bool describe_by(std::span<const CostRule> rules, NodeCost& op) {
  const auto found = std::ranges::find(rules, op.node().op_type, &CostRule::op_type);
  if (found == rules.end()) return false;
  found->describe(op);
  return true;
}

double product_of(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0, [](double all, std::int64_t size) {
    return all * static_cast<double>(std::max<std::int64_t>(size, 0));
  });
}

Dims ending_in(Dims dims, std::int64_t size) {
  if (!dims.empty()) dims.back() = size;
  return dims;
}

void like_input(NodeCost& op) {
  if (!op.is_sized()) op.output_like(0, 0);
}
void like_input(NodeCost& op, double each) {
  like_input(op);
  op.flops(each * op.output_elements());
}

void conv(NodeCost& op, std::size_t weights) {
  const Dims sizes = op.dims(weights);
  if (sizes.size() < 2) return;
  op.flops(2 * op.output_elements() * product_of(std::span(sizes).subspan(1)));
}

void gemm(NodeCost& op) {
  const std::int64_t terms = op.size(0, op.integer("transA") != 0 ? 0 : 1);
  op.flops(2 * op.output_elements() * static_cast<double>(terms));
}

std::optional<Dims> places_of(const NodeCost& op, std::size_t first, std::span<const std::int64_t> window) {
  const std::size_t axes = window.size();
  const Dims pads = op.integers("pads", Dims(2 * axes, 0));
  const Dims strides = op.integers("strides", Dims(axes, 1));
  const Dims dilations = op.integers("dilations", Dims(axes, 1));
  const bool same = op.text("auto_pad", "NOTSET").starts_with("SAME");
  const bool rounds_up = op.integer("ceil_mode") != 0;
  if (pads.size() != 2 * axes || strides.size() != axes) return std::nullopt;
  if (dilations.size() != axes) return std::nullopt;
  Dims places;
  for (std::size_t i = 0; i < axes; ++i) {
    const auto some = {window[i], strides[i], dilations[i]};
    const auto most = {window[i], strides[i], dilations[i], pads[i], pads[axes + i]};
    if (std::min(some) < 1 || std::min(pads[i], pads[axes + i]) < 0 || std::max(most) > kMaxExtent) return std::nullopt;
    const std::int64_t size = op.size(0, static_cast<std::int64_t>(first + i));
    const std::int64_t room = size + pads[i] + pads[axes + i] - dilations[i] * (window[i] - 1) - 1;
    std::int64_t count = (room + (rounds_up ? strides[i] - 1 : 0)) / strides[i] + 1;
    // A window that begins in the padding after the input is left out.
    if (rounds_up && (count - 1) * strides[i] >= size + pads[i]) --count;
    if (same) count = (size + strides[i] - 1) / strides[i];
    places.push_back(size > 0 && (same || room >= 0) ? count : 0);
  }
  return places;
}

void rotation_tables(NodeCost& op, std::size_t i, double positions) {
  for (const std::size_t table : {i, i + 1}) {
    if (op.size(table, 0) > 0) op.reads_part(table, positions / op.extent(table, 0));
    op.no_parameters(table);
  }
}

void rotary_embedding(NodeCost& op) {
  op.output_like(0, 0);
  op.flops(3 * op.output_elements());
  const bool own = op.node().domain.empty();
  const std::size_t positions = own ? 3 : 1;
  const bool each = op.rank(positions) == 2;  // otherwise they are in order
  rotation_tables(op, own ? 1 : 2, each ? op.elements_of_sample(positions) : op.extent(0, -2));
}

double attention_flops(double pairs, std::int64_t width_of_keys, std::int64_t width_of_values) {
  return 2 * pairs * (static_cast<double>(width_of_keys) + static_cast<double>(width_of_values));
}

}  // namespace iosx::onnx_import
