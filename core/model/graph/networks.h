#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

// Several networks that run on one device together are one graph, whose operators know which network they are of. The
// name of every operator and unit begins with that of its network: "squeezenet/conv1". So names of networks that have
// some in common stay apart, and numbers are made up as in the network alone: from what follows the slash.
namespace iosx {

inline constexpr std::size_t kMostNetworks = 16;

// Returns the graph of all of them, in the order given, called by their names with a plus between. A graph of several
// networks stands for each of them. Networks of one name are numbered from 2: "squeezenet", "squeezenet 2". Units of
// different networks that take about as long from the start of theirs stand near each other, each network's own in its
// order, so that a run of consecutive units holds what may run side by side. The graph is one part, and no network
// reads another. Errors: fewer than two networks or more than kMostNetworks.
Result<Graph> unite(std::span<const Graph* const> graphs);

// Returns the networks' units, each list in order: one list for each network, but for those of which one reads what is
// another's, an input too (somebody connected them), which have one list together. The first list has the first
// network's. One list of all units where the graph is one network.
std::vector<std::vector<UnitId>> independent_units(const Graph& graph);
// Whether these are several lists.
bool has_independent_networks(const Graph& graph);

// Returns one of these lists as a graph by itself, in one part: its unit i is the list's. Names and numbers stay.
Graph alone(const Graph& graph, std::span<const UnitId> units);

// Returns the name without that of the operator's network and the slash; all of it where it does not begin so.
std::string_view own_name(const Graph& graph, const Operator& op);
std::string_view own_name(const Graph& graph, UnitId unit);

}  // namespace iosx
