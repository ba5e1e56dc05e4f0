#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace iosx::gpu::bench {

// Collects measurements as a table for `iosx validate --operators` (core/operators/recorded.h).
class MeasuredRows {
 public:
  explicit MeasuredRows(std::string device) : device_(std::move(device)) {}  // by its driver's name

  // The sizes of a row. Windows are square.
  struct Window {
    std::int64_t channels = 1, height = 1, width = 1;
    std::int64_t filters = 1, kernel = 1, stride = 1, padding = 0, groups = 1;
  };
  void convolution(const char* precision, const Window& window, double us);
  void pool(const char* op, const char* precision, const Window& window, double us);
  // For copies, sums, activations, softmax and normalisation: rows with this many columns.
  void elements(const char* op, const char* precision, std::int64_t rows, std::int64_t columns, double us);
  void product(const char* precision, std::int64_t matrices, std::int64_t rows, std::int64_t columns,
               std::int64_t depth, double us);
  // The added time of one more kernel of a "chain", of one more "stage" whose lanes wait for all lanes, or of
  // one more rung of a "ladder".
  void launches(const char* op, std::int64_t lanes, double kernel_us, double us);

  std::string csv() const;  // a line per row, after one with the columns

 private:
  using Cells = std::vector<std::pair<const char*, std::string>>;  // by column
  static Cells cells_of(const Window& window);
  void add(const char* op, const char* precision, double us, Cells cells);

  std::string device_;
  std::vector<Cells> rows_;
};

}  // namespace iosx::gpu::bench
