#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

namespace iosx {

// An open slot of a fragment that was connected where it comes from.
struct OutsideInput {
  OperatorKey reader;  // in the fragment
  std::size_t slot = 0;
  std::string name;                      // of what it read
  OperatorKey producer = {};             // the same, by its key there; invalid in a fragment that was a text
  std::optional<ChannelRange> channels;  // of it
};

// A piece of a graph: what is copied, and what templates are. What it reads of the rest are open slots.
struct Fragment {
  EditableGraph graph;
  std::vector<OutsideInput> outside = {};
};

// These operators with the connections among them. Units come along as far as they are among them.
Fragment fragment_of(const EditableGraph& graph, std::span<const OperatorKey> keys);

// To what the slots that were connected outside are connected where the fragment is inserted.
enum class OutsideSlots {
  kOpen,    // nothing
  kByName,  // operators of the same names, where there are such
  kSame,    // the same operators: for a fragment of the graph itself
};

struct InsertOptions {
  OutsideSlots outside = OutsideSlots::kOpen;
  // All slots that are open even so read this, as a template that is put behind an operator.
  std::optional<EditInput> feed = {};
  CanvasPlace offset = {};         // added to all places
  PartKey part = {};               // of its units; the last if none is said
  Sentence sentence{"Insert {}"};  // with the fragment's name
};

struct InsertedFragment {
  Patch patch;
  std::vector<OperatorKey> operators;  // the new ones, in the fragment's order
};

// Names that are taken become others.
InsertedFragment insert_fragment(const EditableGraph& graph, const Fragment& fragment,
                                 const InsertOptions& options = {});

// These operators once more; what they read outside, the copies read too.
InsertedFragment duplicate(const EditableGraph& graph, std::span<const OperatorKey> keys, const CanvasPlace& offset);

}  // namespace iosx
