#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx::external {

using CsvRow = std::vector<std::string>;  // the fields; at least one

// Reads a field that is exactly one finite number. With `thousands`, commas may separate thousands:
// "1,250.5".
std::optional<double> csv_number(std::string_view field, bool thousands);

// Reads the rows of a table one by one, so that a large file is in memory once. Fields may be quoted; the first row
// tells whether commas, semicolons or tabs separate fields. The text must outlive the reader.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  std::size_t line() const { return line_; }  // of the last row
  bool has_commas_in_fields() const { return separator_ == ','; }

  // Reads the next row that is not empty; returns false at the end. Errors: a quote without its end, or too many
  // columns.
  Result<bool> next(CsvRow& row);

 private:
  void skip_preface();
  Result<void> read_row(CsvRow& row);
  bool read_quoted(std::string& field);

  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

}  // namespace iosx::external
