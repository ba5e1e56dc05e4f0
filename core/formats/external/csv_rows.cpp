#include "core/formats/external/csv_rows.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/base/trimmed.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostColumns = 1000;

std::optional<double> plain_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Returns "1,250.5" without its commas; empty for what has none, or others.
std::string without_thousands(std::string_view text) {
  std::string digits;
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.find(',');
  if (first == 0 || first > 3 || first >= point) return {};
  for (std::size_t i = 0; i < point; ++i) {
    const bool comma = i >= first && (i - first) % 4 == 0;
    if (comma != (text[i] == ',') || (!comma && std::isdigit(static_cast<unsigned char>(text[i])) == 0)) return {};
    if (!comma) digits += text[i];
  }
  if ((point - first) % 4 != 0) return {};
  return digits + std::string(text.substr(point));
}

}  // namespace

std::optional<double> csv_number(std::string_view field, bool thousands) {
  const std::string_view text = trimmed(field);
  if (const auto value = plain_number(text)) return value;
  return thousands ? plain_number(without_thousands(text)) : std::nullopt;
}

CsvReader::CsvReader(std::string_view text) : text_(text) {
  skip_preface();
  const std::string_view first = text_.substr(at_, text_.find('\n', at_) - at_);
  const auto count = [&](char c) { return std::ranges::count(first, c); };
  if (count(';') > count(',')) separator_ = ';';
  if (count('\t') > count(separator_)) separator_ = '\t';
}

Result<bool> CsvReader::next(CsvRow& row) {
  while (at_ < text_.size()) {
    row.clear();
    line_ = next_line_;
    IOS_TRY(read_row(row));
    if (row.size() > 1 || !trimmed(row.front()).empty()) return true;
  }
  return false;
}

// Profilers say before their table what they did: lines that separate nothing. A file of such lines alone is no table.
void CsvReader::skip_preface() {
  std::size_t at = 0;
  std::size_t lines = 0;
  while (at < text_.size()) {
    const std::string_view line = text_.substr(at, text_.find('\n', at) - at);
    if (!line.starts_with("==") && line.find_first_of(",;\t") != std::string_view::npos) {
      at_ = at;
      next_line_ += lines;
      return;
    }
    at += line.size() + 1;
    ++lines;
  }
}

Result<void> CsvReader::read_row(CsvRow& row) {
  row.emplace_back();
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"' && trimmed(row.back()).empty()) {
      row.back().clear();
      if (!read_quoted(row.back())) return iosx::fail(message("a quote is not closed"));
    } else if (c == separator_) {
      if (row.size() == kMostColumns) return iosx::fail(message("has more than {} columns", kMostColumns));
      row.emplace_back();
    } else if (c == '\n') {
      ++next_line_;
      return {};
    } else {
      row.back() += c;
    }
  }
  return {};
}

bool CsvReader::read_quoted(std::string& field) {
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '\n') ++next_line_;
    if (c != '"') {
      field += c;
    } else if (at_ < text_.size() && text_[at_] == '"') {
      field += text_[at_++];
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace iosx::external
