#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

namespace iosx::test {

// A pattern of message() or of a Sentence in a source, with the file.
struct SaidMessage {
  std::string pattern;
  std::string file;
};

struct SaidMessages {
  std::vector<SaidMessage> messages;  // in the order of the sources
  // Texts hidden from translators: sentences passed as verbatim(), and a message() whose pattern is a
  // constant, which should be a Sentence. "FILE: the text".
  std::vector<std::string> hidden;
};

// Of one source; comments and texts are ignored.
SaidMessages messages_in(std::string_view source, const std::string& file);
// Of core, gpu and models, of the window and of its folders, in the order of their files.
SaidMessages said_messages(const std::string& root);

// Returns a header in which lupdate finds the patterns.
std::string translatable_header(const SaidMessages& said);

}  // namespace iosx::test
