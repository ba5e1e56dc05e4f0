#pragma once

#include <string>
#include <string_view>

namespace iosx {

// Names come from files and may hold any bytes. A graph keeps them as they are; text that leaves the program (terminal,
// table, figure) goes through one of these functions. The result is visible UTF-8: control characters, invisible
// characters, characters that change the writing direction, and invalid bytes become "\n", "\t", "\x1B" (a byte) or
// "\u{202E}" (a character). Printable text comes back unchanged.

// Returns the text on one line.
std::string printable(std::string_view text);
// Keeps line ends and tabs, for text that the program laid out from printable() names.
std::string printable_lines(std::string_view text);
// Returns printable text for HTML, XML and SVG, between tags or in a quoted attribute value: & < > " ' become
// references.
std::string printable_markup(std::string_view text);
// Returns the same JSON document, already in UTF-8, with JSON's own escapes in its strings ("\u202e").
std::string printable_json(std::string_view json);
// Returns a document in a form for a terminal: JSON as the same document, other text by printable_lines().
std::string printable_document(std::string_view text);

}  // namespace iosx
