#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/byte_source.h"

namespace iosx {

// Takes the values of a JSON text in their order, while it is read. Texts stay until the function returns. A function
// that returns false ends the reading.
class JsonSink {
 public:
  virtual ~JsonSink() = default;
  virtual bool begin(bool object) = 0;  // of an object, else of a list
  virtual bool end(bool object) = 0;
  virtual bool key(std::string_view text) = 0;
  virtual bool string(std::string_view text) = 0;
  virtual bool number(std::string_view text) = 0;                   // as it was written; JSON's form was checked
  virtual bool literal(std::string_view /*word*/) { return true; }  // "true", "false" or "null"
};

// Where a text stops being JSON.
struct JsonFault {
  Message what;
  std::size_t line = 1;
  std::size_t column = 1;
  bool broke_off_between_values = false;  // it only ends too early, behind a whole value of a list
};

// Reads a text without holding it. Returns its first fault; none where the text is one
// JSON value or the sink ended the reading. Errors are those of the source. A byte order mark is skipped; other text
// than UTF-8 is a fault.
Result<std::optional<JsonFault>> stream_json(ByteSource& source, JsonSink& sink);

}  // namespace iosx
