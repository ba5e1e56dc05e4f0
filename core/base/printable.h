#pragma once

#include <string>
#include <string_view>

namespace iosx {

// Names come from files and may hold anything. In a graph they stay what they are; where text leaves the program, for a
// terminal, a table, a figure, one of these goes over it. What they give is UTF-8 that shows as what it is: control
// characters, characters that are not seen or that turn the direction of writing, and bytes that are not UTF-8 become
// "\n", "\t", "\x1B" (a byte) or "\u{202E}" (a character). Text that is printable already comes back unchanged.

// Returns the text on one line.
std::string printable(std::string_view text);
// Keeps line ends and tabs: it is for text that the program has laid out, whose names went through printable() already.
std::string printable_lines(std::string_view text);
// Returns the text between tags or as an attribute's value in quotes of HTML, XML and SVG: printable, with & < > " ' as
// references.
std::string printable_markup(std::string_view text);
// Returns the same document of JSON that was written in UTF-8 already, its strings with JSON's own escapes ("\u202e").
std::string printable_json(std::string_view json);
// Returns what a terminal may be given of a document that a file would get as it is: JSON as the same document, other
// text by printable_lines().
std::string printable_document(std::string_view text);

}  // namespace iosx
