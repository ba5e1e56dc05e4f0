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

// A sentence is a pattern as a constant: constexpr Sentence kAgain{"export the model again"}. Without holes it is a
// message. A message itself cannot be constexpr.
struct Sentence {
  std::string_view pattern;
};

// A message is a text for a person, as data: a pattern in English, which is also its id, and what fills its holes.
// Whoever shows it in another language looks the pattern up and fills the holes of what is found; text() says it in
// English.
//
//   message("stage {} is locked", stage + 1)               the pattern is a literal, which the compiler checks
//   message("they cannot be merged: {}", text(refusal))    an argument may be a message itself
//   verbatim(error.message())                              has no other language: names, words of other libraries
class Message {
 public:
  Message() = default;  // says nothing
  Message(Sentence whole) : Message(sentence(whole.pattern, {})) {}

  bool empty() const { return pattern_.empty(); }
  bool is_verbatim() const { return verbatim_; }
  const std::string& pattern() const { return pattern_; }               // of a verbatim text, the text
  const std::vector<Message>& arguments() const { return arguments_; }  // one for each hole of the pattern, in order

  std::string text() const;
  explicit operator std::string() const { return text(); }

  bool operator==(const Message&) const = default;
  bool operator==(std::string_view english) const { return text() == english; }

  friend std::ostream& operator<<(std::ostream& out, const Message& message);

  static Message verbatim(std::string text);
  // `pattern` is a literal of core, or a text of one of its tables.
  static Message sentence(std::string_view pattern, std::vector<Message> arguments);

 private:
  std::string pattern_;
  bool verbatim_ = true;
  std::vector<Message> arguments_;
};

inline Message verbatim(std::string text) { return Message::verbatim(std::move(text)); }

// A piece of a pattern is a text, or a hole "{}", "{:.1f}", "{1}".
struct PatternPiece {
  std::string text;                 // of a hole, its format: ":.1f", or nothing
  std::optional<std::size_t> hole;  // which argument fills it
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

// Makes a message of a pattern and what fills its holes. These have no numbers: a translation may have them, where the
// order is another.
template <typename... T>
Message message(fmt::format_string<T...> pattern, T&&... arguments) {
  const fmt::string_view text(pattern);
  return message_detail::made({text.data(), text.size()}, {message_detail::as_message(arguments)...},
                              fmt::make_format_args(arguments...));
}

// This exception is caught at the edge of the code that talks to libraries which throw, and becomes an Error there.
class MessageError : public std::runtime_error {
 public:
  explicit MessageError(Message said) : std::runtime_error(said.text()), said_(std::move(said)) {}
  const Message& said() const { return said_; }

 private:
  Message said_;
};

}  // namespace iosx
