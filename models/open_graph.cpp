#include "models/open_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/json/json_view.h"
#include "core/base/json/text_file.h"
#include "core/formats/document.h"
#include "core/formats/file_kind.h"
#include "core/formats/schedule_file.h"
#include "core/model/graph/networks.h"
#include "models/compute_graph.h"
#include "models/networks/zoo.h"

namespace iosx {
namespace {

bool in_zoo(const std::string& name) {
  const auto networks = zoo();
  return std::any_of(networks.begin(), networks.end(), [&](const ZooNetwork& network) { return network.name == name; });
}

// Returns the graph that the text of a schedule file names; empty if it cannot be read.
std::string graph_named_in(const std::string& text, const std::string& path) {
  const auto json = parse_json(text, path);
  if (!json || !json->is_object() || !json->contains("graph") || !(*json)["graph"].is_string()) return {};
  return (*json)["graph"].get<std::string>();
}

// Opens a schedule file of ours with the built-in network that it is for.
Result<Document> open_schedule_file(const std::string& path) {
  IOS_TRY(const auto text, read_text_file(path));
  const std::string network = graph_named_in(text, path);
  if (network.empty())
    return fail(message("is a schedule file that does not name its graph"), path, message("open the graph itself"));
  const std::vector<std::string> names = names_of_networks(network);
  if (!std::ranges::all_of(names, in_zoo)) {
    return fail(message("is a schedule of '{}', which is not a built-in network", network), path,
                message("open the file of its graph, and the schedule with it"));
  }
  IOS_TRY(auto document, open_graph(network));
  IOS_TRY(auto file, parse_schedule_json(text, path, *document.graph));
  document.batch = file.notes.batch;
  document.schedule = std::move(file);
  return document;
}

// Returns whether a size given for `given` is one for `own` of a network of this name.
bool is_for(const std::string& given, const std::string& own, const std::string& network) {
  return given == own || given == network + '/' + own;
}

// Returns the sizes for inputs or open dimensions of the document, by its own names, and records which these are.
InputSizes sizes_for(const Document& document, const InputSizes& sizes, std::set<std::string>& used) {
  InputSizes own;
  const std::string& network = document.graph->name();
  for (const FileTensor& input : document.file.inputs) {
    for (const auto& [name, shape] : sizes.shapes) {
      if (!is_for(name, input.name, network)) continue;
      own.shapes.insert_or_assign(input.name, shape);
      used.insert("--shape " + name);
    }
  }
  for (const OpenDim& dim : document.file.open) {
    for (const auto& [name, size] : sizes.dims) {
      if (!is_for(name, dim.name, network)) continue;
      own.dims.insert_or_assign(dim.name, size);
      used.insert("--dim " + name);
    }
  }
  return own;
}

Result<void> check_all_used(const InputSizes& sizes, const std::set<std::string>& used) {
  const auto unused = [&](const std::string& option) -> Result<void> {
    if (used.contains(option)) return {};
    return fail(message("names no input or open dimension of these networks"), option,
                message("give a name that one of them has, or NETWORK/NAME"));
  };
  for (const auto& [name, shape] : sizes.shapes) IOS_TRY(unused("--shape " + name));
  for (const auto& [name, size] : sizes.dims) IOS_TRY(unused("--dim " + name));
  return {};
}

// Every network by itself: an error names it.
Result<std::vector<Document>> open_each(const std::vector<std::string>& names, const InputSizes& sizes) {
  std::vector<Document> documents;
  std::set<std::string> used;
  for (const std::string& name : names) {
    const auto same = std::ranges::find(names, name);
    if (const auto before = static_cast<std::size_t>(same - names.begin()); before < documents.size()) {
      documents.push_back(documents[before]);
      continue;
    }
    IOS_TRY(auto document, open_graph(name));
    if (const InputSizes own = sizes_for(document, sizes, used); !own.empty()) {
      IOS_TRY(document, open_graph(name, own));
    }
    documents.push_back(std::move(document));
  }
  IOS_TRY(check_all_used(sizes, used));
  return documents;
}

// Opens several networks by name or file as one graph, as described at open_graph().
Result<Document> open_several(const std::vector<std::string>& names, const InputSizes& sizes) {
  if (std::ranges::find(names, "") != names.end()) {
    return fail(message("names no network before or after a plus, and there is no such file"),
                fmt::format("'{}'", fmt::join(names, "+")), message("write NETWORK+NETWORK, of names or files"));
  }
  if (names.size() > kMostNetworks) {
    return fail(message("{} networks are too many to run together", names.size()),
                fmt::format("'{}+{}+...'", names[0], names[1]), message("give at most {}", kMostNetworks));
  }
  IOS_TRY(const auto documents, open_each(names, sizes));
  return unite(documents, names);
}

int lower(char c) { return std::tolower(static_cast<unsigned char>(c)); }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::vector<std::string> names_of_networks(const std::string& text) {
  const auto is_there = [](const std::string& name) {
    std::error_code ignored;
    return in_zoo(name) || std::filesystem::exists(name, ignored);
  };
  if (is_there(text)) return {text};
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (true) {
    std::size_t end = text.find('+', begin);
    // A longer one that is there has a plus in its name.
    for (std::size_t longer = end; longer != std::string::npos;) {
      longer = text.find('+', longer + 1);
      if (is_there(text.substr(begin, longer - begin))) end = longer;
    }
    names.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return names;
    begin = end + 1;
  }
}

bool names_a_file(const std::string& name_or_path) {
  const std::vector<std::string> names = names_of_networks(name_or_path);
  if (names.size() > 1) return std::ranges::any_of(names, names_a_file);
  if (in_zoo(name_or_path)) return false;
  std::error_code ignored;
  return name_or_path.find_first_of("/\\.") != std::string::npos || std::filesystem::exists(name_or_path, ignored);
}

Result<std::int64_t> batch_to_run(const Document& document, const std::string& name_or_path,
                                  std::optional<std::int64_t> asked) {
  if (!asked) return document.batch;
  const auto& open = document.file.open;
  const auto dim = std::ranges::find(open, true, &OpenDim::batch);
  if (document.batched) {
    const bool given = dim != open.end() && dim->origin == SizeOrigin::kGiven;
    if (!given || document.batch == *asked) return *asked;
    return fail(message("contradicts the batch of {} that --shape or --dim gives", document.batch),
                fmt::format("--batch {}", *asked), message("leave one of them out"));
  }
  if (*asked == 1) return 1;
  return fail(message("runs only with a batch of 1, not {}", *asked), name_or_path,
              dim == open.end() || document.file.leading_batch
                  ? message("give no batch")
                  : message("use --dim {}={} to write it into the shapes", dim->name, *asked));
}

std::string graph_of_schedule_file(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) return {};
  return graph_named_in(*text, path);
}

Result<Document> open_graph(const std::string& name_or_path, const InputSizes& sizes) {
  if (const auto names = names_of_networks(name_or_path); names.size() > 1) return open_several(names, sizes);
  const bool file = names_a_file(name_or_path);
  if (file) {
    if (file_kind(name_or_path) != FileKind::kSchedule) return load_document(name_or_path, sizes, compute_graph);
    IOS_TRY(check_no_sizes(sizes));
    return open_schedule_file(name_or_path);
  }
  IOS_TRY(check_no_sizes(sizes));
  if (in_zoo(name_or_path)) {
    IOS_TRY(auto graph, zoo_network(name_or_path));
    return Document{std::make_shared<const Graph>(std::move(graph)), std::nullopt};
  }
  std::vector<std::string_view> names;
  for (const ZooNetwork& network : zoo()) names.push_back(network.name);
  const std::string guess = nearest(name_or_path, names);
  return fail(message("no built-in network has this name, and there is no such file"), "'" + name_or_path + "'",
              guess.empty()
                  ? message("networks: {}; or give a graph file", fmt::join(names, ", "))
                  : message("did you mean {}? networks: {}; or give a graph file", guess, fmt::join(names, ", ")));
}

}  // namespace iosx
