#include "gpu/bench/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace iosx::gpu::bench {
namespace {

constexpr std::array kColumns{"source", "device", "precision", "op",   "latency_us", "N",     "C",        "H",
                              "W",      "K",      "R",         "S",    "pad_h",      "pad_w", "stride_h", "stride_w",
                              "groups", "batch",  "M",         "rows", "columns",    "lanes", "kernel_us"};

std::string text(std::int64_t value) { return std::to_string(value); }

}  // namespace

MeasuredRows::Cells MeasuredRows::cells_of(const Window& w) {
  return {{"N", "1"},
          {"C", text(w.channels)},
          {"H", text(w.height)},
          {"W", text(w.width)},
          {"R", text(w.kernel)},
          {"S", text(w.kernel)},
          {"pad_h", text(w.padding)},
          {"pad_w", text(w.padding)},
          {"stride_h", text(w.stride)},
          {"stride_w", text(w.stride)}};
}

void MeasuredRows::add(const char* op, const char* precision, double us, Cells cells) {
  cells.insert(cells.end(), {{"source", "ios-explorer"},
                             {"device", device_},
                             {"precision", precision},
                             {"op", op},
                             {"latency_us", fmt::format("{:.4f}", us)}});
  rows_.push_back(std::move(cells));
}

void MeasuredRows::convolution(const char* precision, const Window& w, double us) {
  Cells cells = cells_of(w);
  cells.insert(cells.end(), {{"K", text(w.filters)}, {"groups", text(w.groups)}});
  add("conv", precision, us, std::move(cells));
}

void MeasuredRows::pool(const char* op, const char* precision, const Window& w, double us) {
  add(op, precision, us, cells_of(w));
}

void MeasuredRows::elements(const char* op, const char* precision, std::int64_t rows, std::int64_t columns, double us) {
  add(op, precision, us, {{"rows", text(rows)}, {"columns", text(columns)}});
}

void MeasuredRows::product(const char* precision, std::int64_t matrices, std::int64_t rows, std::int64_t columns,
                           std::int64_t depth, double us) {
  add("bmm", precision, us, {{"batch", text(matrices)}, {"M", text(rows)}, {"N", text(columns)}, {"K", text(depth)}});
}

void MeasuredRows::launches(const char* op, std::int64_t lanes, double kernel_us, double us) {
  add(op, "float32", us, {{"lanes", text(lanes)}, {"kernel_us", fmt::format("{:g}", kernel_us)}});
}

std::string MeasuredRows::csv() const {
  std::string table = fmt::format("{}\n", fmt::join(kColumns, ","));
  for (const Cells& cells : rows_) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto cell = std::ranges::find(cells, std::string_view(kColumns[i]),
                                          [](const auto& each) { return std::string_view(each.first); });
      if (i > 0) table += ',';
      if (cell != cells.end()) table += cell->second;
    }
    table += '\n';
  }
  return table;
}

}  // namespace iosx::gpu::bench
