#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/fragment.h"

// Write editable graphs and pieces of them as one line of JSON (by core/formats/wire/fields.h): the file of an
// unfinished graph, and the clipboard's content. Operators, units and parts are identified by place, not by key: a
// graph with everything undone has the same text as before. Given weights are included.
namespace iosx {

std::string edit_to_text(const EditableGraph& graph);
std::string fragment_to_text(const Fragment& fragment);

// Any bytes are safe to read: the result is a one-line error, whose place begins with `origin`, or a graph, which may
// have problems. Each reads the output of either: slots that were connected outside of a fragment are open in a graph.
Result<EditableGraph> edit_from_text(std::string_view text, const std::string& origin);
Result<Fragment> fragment_from_text(std::string_view text, const std::string& origin);

}  // namespace iosx
