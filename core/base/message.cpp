#include "core/base/message.h"

#include <ostream>

namespace iosx {

std::string Message::text() const {
  if (verbatim_) return pattern_;
  std::string made;
  for (const PatternPiece& piece : pieces_of(pattern_)) {
    if (!piece.hole) {
      made += piece.text;
    } else if (*piece.hole < arguments_.size()) {
      made += arguments_[*piece.hole].text();
    }
  }
  return made;
}

std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.text(); }

Message Message::verbatim(std::string text) {
  Message made;
  made.pattern_ = std::move(text);
  return made;
}

Message Message::sentence(std::string_view pattern, std::vector<Message> arguments) {
  Message made;
  made.pattern_ = pattern;
  made.verbatim_ = false;
  made.arguments_ = std::move(arguments);
  return made;
}

std::vector<PatternPiece> pieces_of(std::string_view pattern) {
  std::vector<PatternPiece> pieces;
  std::string text;
  std::size_t next = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    const std::size_t end = c == '{' ? pattern.find('}', at) : std::string_view::npos;
    if ((c == '{' || c == '}') && at + 1 < pattern.size() && pattern[at + 1] == c) {
      text += c;  // doubled, it stands for itself
      ++at;
    } else if (end == std::string_view::npos) {
      text += c;
    } else {
      if (!text.empty()) pieces.push_back({std::exchange(text, {}), std::nullopt});
      std::size_t digits = at + 1;
      std::size_t hole = 0;
      for (; pattern[digits] >= '0' && pattern[digits] <= '9'; ++digits) {
        hole = hole * 10 + static_cast<std::size_t>(pattern[digits] - '0');
      }
      pieces.push_back({std::string(pattern.substr(digits, end - digits)), digits > at + 1 ? hole : next++});
      at = end;
    }
  }
  if (!text.empty()) pieces.push_back({std::move(text), std::nullopt});
  return pieces;
}

Message message_detail::made(std::string_view pattern, const std::vector<const Message*>& messages,
                             fmt::format_args arguments) {
  std::vector<Message> fills;
  for (std::size_t i = 0; const PatternPiece& piece : pieces_of(pattern)) {
    if (!piece.hole) continue;
    fills.push_back(messages[i] != nullptr ? *messages[i]
                                           : verbatim(fmt::vformat(fmt::format("{{{}{}}}", i, piece.text), arguments)));
    ++i;
  }
  return Message::sentence(pattern, std::move(fills));
}

}  // namespace iosx
