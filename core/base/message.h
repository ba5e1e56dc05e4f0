#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace iosx {

// Holds a pattern as a constant: constexpr Sentence kAgain{"export the model again"}. A pattern without holes converts
// to a message, which itself cannot be constexpr.
struct Sentence {
  std::string_view pattern;
};

// Marks a text that people read where it stays a plain text, as in constexpr tables: the sheet of translations lists
// the texts in said("...").
constexpr const char* said(const char* text) { return text; }

// A text for a person, as data: an English pattern, which is also its id, and the arguments for its holes. A
// translation looks the pattern up and fills the holes of the translated pattern; text() returns the English.
//
//   message("stage {} is locked", stage + 1)               the pattern is a literal, which the compiler checks
//   message("they cannot be merged: {}", text(refusal))    an argument may be a message itself
//   verbatim(error.message())                              has no other language: names, words of other libraries
class Message {
 public:
  Message() = default;  // empty
  Message(Sentence whole) : Message(sentence(whole.pattern, {})) {}

  bool empty() const { return pattern_.empty(); }
  bool is_verbatim() const { return verbatim_; }
  const std::string& pattern() const { return pattern_; }               // the whole text where verbatim
  const std::vector<Message>& arguments() const { return arguments_; }  // one per hole, in order

  std::string text() const;
  explicit operator std::string() const { return text(); }

  bool operator==(const Message&) const = default;
  bool operator==(std::string_view english) const { return text() == english; }

  friend std::ostream& operator<<(std::ostream& out, const Message& message);

  static Message verbatim(std::string text);
  // `pattern` is a literal of core or a text of one of its tables.
  static Message sentence(std::string_view pattern, std::vector<Message> arguments);

 private:
  std::string pattern_;
  bool verbatim_ = true;
  std::vector<Message> arguments_;
};

inline Message verbatim(std::string text) { return Message::verbatim(std::move(text)); }

// A piece of a pattern: text, or a hole such as "{}", "{:.1f}", "{1}".
struct PatternPiece {
  std::string text;                 // of a hole: its format, such as ":.1f", or empty
  std::optional<std::size_t> hole;  // the argument's index
};
std::vector<PatternPiece> pieces_of(std::string_view pattern);

}  // namespace iosx

template <>
struct fmt::formatter<iosx::Message> : fmt::formatter<fmt::string_view> {
  template <typename FormatContext>
  auto format(const iosx::Message& message, FormatContext& context) const {
    return fmt::formatter<fmt::string_view>::format(message.text(), context);
  }
};

namespace iosx {

namespace message_detail {

Message made(std::string_view pattern, const std::vector<const Message*>& messages, fmt::format_args arguments);

template <typename T>
const Message* as_message(const T&) {
  return nullptr;
}
inline const Message* as_message(const Message& message) { return &message; }

}  // namespace message_detail

// Makes a message of a pattern and its arguments. Holes have no numbers here; a translation may number them to change
// the order.
template <typename... T>
Message message(fmt::format_string<T...> pattern, T&&... arguments) {
  const fmt::string_view text(pattern);
  return message_detail::made({text.data(), text.size()}, {message_detail::as_message(arguments)...},
                              fmt::make_format_args(arguments...));
}

// Carries a message out of code that calls throwing libraries. It is caught at the edge of that code and becomes an
// Error.
class MessageError : public std::runtime_error {
 public:
  explicit MessageError(Message said) : std::runtime_error(said.text()), said_(std::move(said)) {}
  const Message& said() const { return said_; }

 private:
  Message said_;
};

}  // namespace iosx
