#include "models/open_several.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/formats/united_document.h"
#include "core/model/graph/networks.h"
#include "models/open_graph.h"

namespace iosx {
namespace {

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

}  // namespace

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

}  // namespace iosx
