#pragma once

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/history.h"

namespace iosx {

// An open slot of a fragment that was connected in the original graph.
struct OutsideInput {
  OperatorKey reader;  // in the fragment
  std::size_t slot = 0;
  std::string name;                      // of its producer there
  OperatorKey producer = {};             // the producer's key there; invalid in a fragment from a text
  std::optional<ChannelRange> channels;  // of the producer
};

// A piece of a graph, for copies and templates. Its connections to the rest are open slots.
struct Fragment {
  EditableGraph graph;
  std::vector<OutsideInput> outside = {};
};

// Returns these operators with the connections among them, and their units as far as these are included.
Fragment fragment_of(const EditableGraph& graph, std::span<const OperatorKey> keys);

// What slots with an outside connection are connected to on insertion.
enum class OutsideSlots {
  kOpen,    // nothing
  kByName,  // operators of the same names, if any
  kSame,    // the same operators: for a fragment of the graph itself
};

struct InsertOptions {
  OutsideSlots outside = OutsideSlots::kOpen;
  // All other open slots read this, for a template inserted after an operator.
  std::optional<EditInput> feed = {};
  CanvasPlace offset = {};         // added to all places
  PartKey part = {};               // of its units; default: the last
  Sentence sentence{"Insert {}"};  // with the fragment's name
};

struct InsertedFragment {
  Patch patch;
  std::vector<OperatorKey> operators;  // the new ones, in the fragment's order
};

// Names that are taken change.
InsertedFragment insert_fragment(const EditableGraph& graph, const Fragment& fragment,
                                 const InsertOptions& options = {});

// Copies these operators; the copies read the same outside values.
InsertedFragment duplicate(const EditableGraph& graph, std::span<const OperatorKey> keys, const CanvasPlace& offset);

// A frequent piece of networks, in usual sizes. Its open slots read the operator after which it is inserted.
struct GraphTemplate {
  std::string_view id;
  std::string_view title;
  std::string_view summary;
  std::string_view input;  // its intended input: "a feature map of 64 channels"
  Fragment (*make)();
};

// In display order.
const std::vector<GraphTemplate>& graph_templates();

}  // namespace iosx
