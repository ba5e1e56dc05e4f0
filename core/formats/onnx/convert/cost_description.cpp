#include "core/formats/onnx/convert/cost_description.h"

#include <numeric>

namespace iosx::onnx_import {

std::int64_t sensible(std::int64_t value) { return value < -kMaxExtent || value > kMaxExtent ? 0 : value; }

bool describe_by(std::span<const CostRule> rules, CostDescription& op) {
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

void same_shape(CostDescription& op) {
  op.output_like(0, 0);
  op.flops(3 * op.output_elements());
}

void conv(CostDescription& op) {
  const Dims weights = op.dims(1);
  if (weights.size() > 1) op.flops(2 * op.output_elements() * product_of(std::span(weights).subspan(1)));
}

void gemm(CostDescription& op) {
  const std::int64_t terms = op.size(0, op.integer("transA") != 0 ? 0 : 1);
  op.flops(2 * op.output_elements() * static_cast<double>(terms));
}

void rotation_tables(CostDescription& op, std::size_t i, double positions) {
  for (const std::size_t table : {i, i + 1}) {
    if (op.size(table, 0) > 0) op.reads_part(table, positions / static_cast<double>(op.size(table, 0)));
    op.no_parameters(table);
  }
}

void rotary_embedding(CostDescription& op) {
  same_shape(op);
  const bool own = op.node().domain.empty();
  const std::size_t positions = own ? 3 : 1;
  const bool each = op.rank(positions) == 2;  // otherwise they are in order
  rotation_tables(op, own ? 1 : 2, each ? op.elements(positions) : static_cast<double>(op.size(0, -2)));
}

double attention_flops(std::int64_t samples, std::int64_t queries, std::int64_t keys, std::int64_t width) {
  return 4 * static_cast<double>(samples) * static_cast<double>(queries) * static_cast<double>(keys) *
         static_cast<double>(width);
}

}  // namespace iosx::onnx_import
