#include "core/formats/united_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/model/graph/networks.h"

namespace iosx {
namespace {

// Joins the files' inputs and outputs in the united graph. Empty, as for a file that says no more than its graph,
// where one file has several networks itself, or where only some have a batch as their leading axis.
FileInterface united_interface(std::span<const Document> documents, const Graph& graph, std::int64_t batch) {
  FileInterface all{.leading_batch = true, .any_batch = true};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (!documents[i].graph->networks().empty()) return {};
    const bool no_more = documents[i].file.inputs.empty() && documents[i].file.outputs.empty();
    FileInterface file = interface_of(documents[i], batch);
    if (no_more) file.any_batch = documents[i].batched;
    if (i > 0 && file.leading_batch != all.leading_batch) return {};
    all.leading_batch = file.leading_batch;
    all.any_batch = all.any_batch && file.any_batch;
    const auto prefix = [&](std::string& name) { name = graph.networks()[i] + '/' + name; };
    for (OpenDim& dim : file.open) {
      prefix(dim.name);
      all.open.push_back(std::move(dim));
    }
    for (auto [from, to] : {std::pair{&file.inputs, &all.inputs}, std::pair{&file.outputs, &all.outputs}}) {
      for (FileTensor& tensor : *from) {
        prefix(tensor.name);
        prefix(tensor.op);
        for (FileAxis& axis : tensor.axes) {
          if (!axis.dim.empty()) prefix(axis.dim);
        }
        to->push_back(std::move(tensor));
      }
    }
  }
  return all;
}

}  // namespace

Result<Document> unite(std::span<const Document> documents, std::span<const std::string> names) {
  std::vector<const Graph*> graphs;
  for (const Document& document : documents) graphs.push_back(document.graph.get());
  IOS_TRY(auto graph, unite(graphs));
  Document made{.graph = std::make_shared<const Graph>(std::move(graph)), .schedule = {}};
  std::vector<std::string> batches;
  bool differ = false;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document& document = documents[i];
    made.batched = made.batched && document.batched;
    made.batch = std::max(made.batch, document.batch);
    differ = differ || document.batch != documents.front().batch;
    batches.push_back(fmt::format("{} {}", names[i], document.batch));
    for (const Message& warning : document.warnings) made.warnings.push_back(warning);
    if (document.schedule) {
      made.warnings.push_back(message("{}: its schedule is not used, because it is for this network alone", names[i]));
    }
  }
  if (!made.batched) made.batch = 1;
  if (differ) {
    made.warnings.push_back(message("the batches of the networks differ ({}): all run with a batch of {}",
                                    fmt::join(batches, ", "), made.batch));
  }
  made.file = united_interface(documents, *made.graph, made.batch);
  return made;
}

}  // namespace iosx
