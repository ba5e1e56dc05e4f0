#pragma once

#include "core/search/lazy/lazy_state.h"

// Which parts a lazy search works on: isomorphic parts of the graph as one, as long as their stages take the same time.
namespace iosx {

// Lists the parts and their stages, unless they are there. A part that was given stages (SearchOptions) is isomorphic
// to no other one. False: stopped, and there are none. Errors: a part that is too large.
Result<bool> list_parts(LazyState& state);

// Splits parts off whose units take another time than those of the part that they are isomorphic to.
void split_by_units(LazyState& state);

// Measures for each of several isomorphic parts what was found for the first of them, and splits those off for which it
// takes another time. Whether there were any; a stop ends it early. The error is the source's.
Result<bool> split_by_answers(LazyState& state);

// Lists stages of one unit more a group and two groups more, in parts of which there are not too many then; what was
// measured stays known. False: there are no such parts, and nothing changed.
bool widen(LazyState& state);

}  // namespace iosx
