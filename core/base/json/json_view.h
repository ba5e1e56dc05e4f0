#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace iosx {

using Json = nlohmann::json;

// Limits of a document. They lie far beyond any real network and keep time and memory bounded.
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 4'000'000;
inline constexpr std::size_t kMaxNameBytes = 256;                    // of a word, and of a name that people type
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20U;  // of a name or a sentence that a program wrote
inline constexpr std::size_t kMaxHintBytes = 65'536;

// Parses a document without recursion. Errors, with line and column: bad syntax, a key twice in one object, too many
// levels or values, text that is not UTF-8.
Result<Json> parse_json(std::string_view text, const std::string& origin);

// Keeps the first error of a file. `origin` (its path) begins the place in the error.
class FirstError {
 public:
  explicit FirstError(std::string origin) : origin_(std::move(origin)) {}

  void report(const std::string& place, Message what, Message remedy = {});
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string origin_;
  std::optional<Error> error_;
};

// Returns a name for an error message: in quotes, and cut where it is long.
std::string in_quotes(std::string_view name);

// One value of a JSON document with its place ("blocks[3].inner_nodes[2]"). A value of the wrong form is reported to
// the document's FirstError and read as a harmless value; the caller checks for the error once. The document and the
// FirstError must outlive the view.
class JsonView {
 public:
  JsonView(const Json& document, FirstError& errors) : json_(&document), errors_(&errors) {}

  const std::string& place() const { return place_; }
  // Returns the same value with the name appended to its place.
  JsonView labelled(std::string_view name) const;
  void fail(Message what, Message remedy = {}) const { errors_->report(place_, std::move(what), std::move(remedy)); }

  bool has(std::string_view key) const;                                         // present and not null
  JsonView at(std::string_view key) const;                                      // must be present
  std::vector<JsonView> items() const;                                          // elements of a list
  std::vector<JsonView> items(std::size_t count, std::string_view what) const;  // of a list of exactly `count`

  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  double non_negative() const;  // finite
  std::string text(std::size_t most_bytes) const;
  std::string name() const;  // a non-empty text of at most kMaxTextBytes

 private:
  JsonView(const Json* json, std::string place, FirstError& errors)
      : json_(json), place_(std::move(place)), errors_(&errors) {}
  void fail_type(const Message& expected) const;

  const Json* json_;  // null after an error
  std::string place_;
  FirstError* errors_;
};

// Describe what is wrong and where ("line 3, column 7") in a text that nlohmann's parser refused with `parser_message`
// after `bytes_read` bytes. They never quote the file, whose bytes may be anything.
std::string json_fault(std::string_view text, std::size_t bytes_read, const std::string& parser_message);
std::string line_and_column(std::string_view text, std::size_t bytes_read);

}  // namespace iosx
