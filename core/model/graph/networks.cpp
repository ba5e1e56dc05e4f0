#include "core/model/graph/networks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include "core/base/check.h"
#include "core/base/components.h"
#include "core/model/graph/builder.h"
#include "core/model/graph/work.h"

namespace iosx {
namespace {

// A unit's approximate time on a GPU that launches a kernel in microseconds, used only to tell which units of
// different networks run at the same time.
double rough_micros(const Graph& graph, UnitId unit) {
  constexpr double kLaunch = 3;
  constexpr double kFlopsAMicro = 1e7;
  constexpr double kBytesAMicro = 1e6;
  double micros = 0;
  for (const OperatorId id : graph.unit(unit).operators) {
    const Work own = work(graph, id, 1);
    micros += kLaunch + std::max(own.flops / kFlopsAMicro, static_cast<double>(own.bytes()) / kBytesAMicro);
  }
  return micros;
}

std::string_view own_part(const Graph& graph, MemberId network, std::string_view name) {
  if (!network.valid()) return name;
  const std::string& first = graph.networks()[network.index()];
  const bool begins_so = name.size() > first.size() + 1 && name.starts_with(first) && name[first.size()] == '/';
  return begins_so ? name.substr(first.size() + 1) : name;
}

// Networks of a graph to be united with others: one, or connected ones.
struct Member {
  const Graph* graph;
  std::vector<UnitId> units;
  std::vector<bool> networks;  // by network: whether it is one of them
  bool one = true;             // then its names lose what they begin with
  std::string name;            // nobody else's
};

// Adds one of them to a builder, unit by unit.
class NetworkCopier {
 public:
  NetworkCopier(const Member& member, GraphBuilder& builder)
      : graph_(*member.graph), member_(member), builder_(builder) {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      const Operator& op = graph_.operators()[i];
      if (op.is_source() && (graph_.networks().empty() || member.networks[op.network.index()])) {
        sources_.emplace_back(i);
      }
    }
  }

  bool ended() const { return next_unit_ == member_.units.size(); }
  double reached() const { return reached_; }  // micros: where the next unit begins

  void add_unit() {
    builder_.set_network(member_.name);
    const UnitId id = member_.units[next_unit_++];
    const Unit& unit = graph_.unit(id);
    for (const OperatorId op : unit.operators) {
      for (const Value& value : graph_.op(op).inputs) {
        if (graph_.op(value.producer).is_source()) add_sources_to(value.producer);
      }
    }
    builder_.begin_unit(named(unit.name, own_name(graph_, id)), unit.hint, unit.whole);
    for (const OperatorId op : unit.operators) add(op);
    builder_.end_unit();
    reached_ += rough_micros(graph_, id);
  }

  // Adds inputs that nothing reads.
  void finish() {
    builder_.set_network(member_.name);
    if (!sources_.empty()) add_sources_to(sources_.back());
  }

 private:
  std::string named(std::string_view whole, std::string_view own) const {
    return fmt::format("{}/{}", member_.name, member_.one ? own : whole);
  }

  // Up to this one, in order.
  void add_sources_to(OperatorId last) {
    while (next_source_ < sources_.size() && sources_[next_source_] <= last) {
      const OperatorId id = sources_[next_source_++];
      const Operator& op = graph_.op(id);
      const Value value = builder_.add_copy(graph_, id, named(op.name, own_name(graph_, op)));
      made_.emplace(id, value.producer);
    }
  }

  void add(OperatorId id) {
    const Operator& op = graph_.op(id);
    std::vector<Value> inputs = op.inputs;
    for (Value& input : inputs) {
      const auto made = made_.find(input.producer);
      IOS_CHECK(made != made_.end());
      input.producer = made->second;
    }
    const Value value = builder_.add_copy(graph_, id, named(op.name, own_name(graph_, op)), std::move(inputs));
    made_.emplace(id, value.producer);
  }

  const Graph& graph_;
  const Member& member_;
  GraphBuilder& builder_;
  std::vector<OperatorId> sources_;
  std::size_t next_unit_ = 0;
  std::size_t next_source_ = 0;
  double reached_ = 0;
  std::unordered_map<OperatorId, OperatorId> made_;
};

Member member_of(const Graph& graph, std::vector<UnitId> units) {
  Member member{&graph, std::move(units), std::vector<bool>(graph.networks().size(), false), true, graph.name()};
  std::vector<std::string> names;
  for (const UnitId unit : member.units) {
    const MemberId network = graph.network(unit);
    if (!network.valid() || member.networks[network.index()]) continue;
    member.networks[network.index()] = true;
    names.push_back(graph.networks()[network.index()]);
  }
  member.one = names.size() < 2;
  if (!names.empty()) member.name = fmt::format("{}", fmt::join(names, "+"));
  return member;
}

std::vector<Member> members_of(const Graph& graph) {
  std::vector<Member> members;
  for (std::vector<UnitId>& units : independent_units(graph)) members.push_back(member_of(graph, std::move(units)));
  return members;
}

void number_equal_names(std::vector<Member>& members) {
  std::set<std::string> taken;
  for (Member& member : members) {
    const std::string name = member.name.empty() ? "network" : member.name;
    member.name = name;
    for (int n = 2; !taken.insert(member.name).second; ++n) member.name = fmt::format("{} {}", name, n);
  }
}

// An input of one network that another reads belongs to both: they are one list.
Components connected_networks(const Graph& graph) {
  Components networks(graph.networks().size());
  if (graph.networks().empty()) return networks;
  for (const Operator& op : graph.operators()) {
    for (const Value& value : op.inputs) {
      networks.connect(op.network.index(), graph.op(value.producer).network.index());
    }
  }
  return networks;
}

}  // namespace

Result<Graph> unite(std::span<const Graph* const> graphs) {
  std::vector<Member> members;
  std::string name;
  for (const Graph* const graph : graphs) {
    std::ranges::move(members_of(*graph), std::back_inserter(members));
    name += (name.empty() ? "" : "+") + graph->name();
  }
  if (members.size() < 2) return fail(message("choose at least two networks"), name);
  if (members.size() > kMostNetworks) {
    return fail(message("{} networks are too many to run together", members.size()), {},
                message("give at most {}", kMostNetworks));
  }
  number_equal_names(members);
  GraphBuilder builder(name);
  std::vector<NetworkCopier> copiers;
  copiers.reserve(members.size());
  for (const Member& member : members) copiers.emplace_back(member, builder);
  while (true) {
    NetworkCopier* next = nullptr;
    for (NetworkCopier& copier : copiers) {
      if (!copier.ended() && (next == nullptr || copier.reached() < next->reached())) next = &copier;
    }
    if (next == nullptr) break;
    next->add_unit();
  }
  for (NetworkCopier& copier : copiers) copier.finish();
  return std::move(builder).build();
}

Graph alone(const Graph& graph, std::span<const UnitId> units) {
  const Member member = member_of(graph, {units.begin(), units.end()});
  GraphBuilder builder(member.name);
  NetworkCopier copier(member, builder);
  while (!copier.ended()) copier.add_unit();
  copier.finish();
  auto made = std::move(builder).build();
  IOS_CHECK(made);
  return std::move(*made);
}

std::vector<std::vector<UnitId>> independent_units(const Graph& graph) {
  std::vector<std::vector<UnitId>> lists(std::max<std::size_t>(1, graph.networks().size()));
  Components connected = connected_networks(graph);
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    const MemberId network = graph.network(UnitId(u));
    lists[network.valid() ? connected.lowest(network.index()) : 0].emplace_back(u);
  }
  std::erase_if(lists, [](const std::vector<UnitId>& list) { return list.empty(); });
  return lists;
}

bool has_independent_networks(const Graph& graph) {
  return graph.networks().size() > 1 && independent_units(graph).size() > 1;
}

std::string_view own_name(const Graph& graph, const Operator& op) { return own_part(graph, op.network, op.name); }
std::string_view own_name(const Graph& graph, UnitId unit) {
  return own_part(graph, graph.network(unit), graph.unit(unit).name);
}

}  // namespace iosx
