#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

namespace iosx::test {

// A pattern that a source gives to message() or to a Sentence, and the file that says it.
struct SaidMessage {
  std::string pattern;
  std::string file;
};

struct SaidMessages {
  std::vector<SaidMessage> messages;  // in the order of the sources
  // Texts that no translator would see: sentences passed off as verbatim(), and a message() whose pattern is a
  // constant, which a Sentence should be. "FILE: the text".
  std::vector<std::string> hidden;
};

// Of one source; what is in its comments and texts is none.
SaidMessages messages_in(std::string_view source, const std::string& file);
// Of core, gpu and models, of the window and of its folders, in the order of their files.
SaidMessages said_messages(const std::string& root);

// A header for lupdate, which finds the patterns in it.
std::string translatable_header(const SaidMessages& said);

}  // namespace iosx::test
