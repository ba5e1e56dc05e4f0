#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/fragment.h"

// These functions write editable graphs and pieces of them as one line of JSON (core/formats/wire/fields.h says how):
// the file of a graph that is not finished, and what goes over the clipboard. Operators, units and parts are called by
// place, not by key: a graph after which everything was undone has the same text as before. Given weights are in it.
namespace iosx {

std::string edit_to_text(const EditableGraph& graph);
std::string fragment_to_text(const Fragment& fragment);

// Any bytes are safe to read: they give an error of one line, whose place `origin` leads, or a graph, which may have
// problems. Each reads what either writes: slots that were connected outside of a fragment are open in a graph.
Result<EditableGraph> edit_from_text(std::string_view text, const std::string& origin);
Result<Fragment> fragment_from_text(std::string_view text, const std::string& origin);

}  // namespace iosx
