#include "core/formats/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/json/text_file.h"
#include "core/formats/file_kind.h"
#include "core/formats/ios/ios_format.h"
#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/scheduled_onnx.h"
#include "core/model/graph/networks.h"
#include "core/model/schedule/finer_units.h"

namespace iosx {

Result<Document> parse_ios_json(std::string_view text, const std::string& origin) {
  IOS_TRY(const auto file, read_ios_document(text, origin));
  IOS_TRY(auto graph, to_graph(file, origin));
  IOS_TRY(auto schedule, to_schedule(file, graph, origin));
  Document document{.graph = std::make_shared<const Graph>(std::move(graph))};
  if (schedule) document.schedule = ScheduleFile{.schedule = std::move(*schedule)};
  return document;
}

Result<std::string> to_ios_json(const Graph& graph, const Schedule& schedule) {
  IOS_TRY(const auto document, to_ios_document(graph, schedule));
  return write_ios_document(document);
}

std::vector<std::string> output_names(const Document& document) {
  std::vector<std::string> names;
  for (const FileTensor& output : document.file.outputs) names.push_back(output.op);
  return names;
}

FileInterface interface_of(const Document& document, std::int64_t batch) {
  FileInterface file = document.file;
  const Graph& graph = *document.graph;
  if (file.inputs.empty() && file.outputs.empty()) {
    const auto tensor = [&](const Operator& op, const std::string& name) {
      FileTensor made{.name = name, .op = op.name};
      if (document.batched) made.axes.push_back({batch});
      for (const std::int64_t size : op.output.dims()) made.axes.push_back({size});
      return made;
    };
    for (const OperatorId id : graph.inputs()) file.inputs.push_back(tensor(graph.op(id), graph.op(id).name));
    for (const OperatorId id : graph.outputs()) file.outputs.push_back(tensor(graph.op(id), graph.output_name(id)));
    file.leading_batch = document.batched;
    return file;
  }
  if (!file.leading_batch) return file;
  for (auto* tensors : {&file.inputs, &file.outputs}) {
    for (FileTensor& tensor : *tensors) {
      if (!tensor.axes.empty()) tensor.axes.front().size = batch;
    }
  }
  for (OpenDim& dim : file.open) {
    if (dim.batch) dim.size = batch;
  }
  return file;
}

bool make_finer(Document& document) {
  auto finer = finer_units(*document.graph);
  if (!finer) return false;
  if (auto& file = document.schedule) {
    if (file->lanes) {
      document.warnings.push_back(
          message("The schedule's lanes are left out: they are for kernels of the whole units."));
    }
    file = ScheduleFile{.schedule = on_finer_units(file->schedule, *document.graph, *finer)};
  }
  document.graph = std::make_shared<const Graph>(std::move(*finer));
  return true;
}

Result<void> check_no_sizes(const InputSizes& sizes) {
  if (sizes.empty()) return {};
  return fail(message("applies to ONNX models with open sizes, but all sizes of this network are known"),
              sizes.shapes.empty() ? "--dim" : "--shape", message("leave it out"));
}

Result<Document> load_document(const std::filesystem::path& path, const InputSizes& sizes, GraphFunction compute) {
  if (file_kind(path) == FileKind::kOnnx) {
    onnx_import::OnnxOptions options;
    options.dims = sizes.dims;
    options.shapes = sizes.shapes;
    options.compute = std::move(compute);
    IOS_TRY(auto loaded, onnx_import::load_onnx(path, options));
    Document document{std::make_shared<const Graph>(std::move(loaded.graph)),
                      std::nullopt,
                      loaded.batched,
                      std::move(loaded.warnings),
                      std::move(loaded.file),
                      loaded.batched ? loaded.batch : 1};
    if (const auto written = loaded.metadata.find(kOnnxScheduleKey); written != loaded.metadata.end()) {
      auto found = schedule_of_onnx(written->second, *document.graph);
      if (found) {
        document.schedule = ScheduleFile{.schedule = std::move(found->schedule)};
        if (found->graph) document.graph = std::make_shared<const Graph>(std::move(*found->graph));
      } else {
        document.warnings.push_back(message("The schedule in the model is left out: {}.", found.error().line()));
      }
    }
    return document;
  }
  IOS_TRY(check_no_sizes(sizes));
  IOS_TRY(const auto text, read_text_file(path));
  return parse_ios_json(text, path.string());
}

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
