#pragma once

#include "core/base/result.h"
#include "core/model/graph/graph.h"

// Several networks that run on one device together are one graph, whose operators know their network. Every
// operator's and unit's name begins with that of its network: "squeezenet/conv1". So common names of networks stay
// distinct, and numbers are made up as in the network alone: from the text after the slash.
namespace iosx {

inline constexpr std::size_t kMostNetworks = 16;

// Returns the joint graph, in the given order, with the networks' names joined by a plus. A graph of several networks
// counts as each of them. Equal names are numbered from 2: "squeezenet", "squeezenet 2". Units of different networks
// at about the same time from their network's start are near each other, with each network's own order, so that a run
// of consecutive units contains what may run concurrently. The graph is one part, and no network reads another.
// Errors: fewer than two networks or more than kMostNetworks.
Result<Graph> unite(std::span<const Graph* const> graphs);

// Returns the networks' units, each list in order: one list per network, except that networks connected by the user
// (one reads another's value, also an input) share one. The first list has the first network's. One list of all units
// where the graph is one network.
std::vector<std::vector<UnitId>> independent_units(const Graph& graph);
// Returns whether these are several lists.
bool has_independent_networks(const Graph& graph);

// Returns one of these lists as a separate graph with one part: its unit i is the list's. Names and numbers stay.
Graph alone(const Graph& graph, std::span<const UnitId> units);

// Returns the name without that of the operator's network and the slash; all of it without such a beginning.
std::string_view own_name(const Graph& graph, const Operator& op);
std::string_view own_name(const Graph& graph, UnitId unit);

}  // namespace iosx
