#include "core/documents/exports/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "core/documents/html/html_report.h"
#include "core/documents/pytorch/export.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/formats/onnx/write/export.h"

namespace iosx {
namespace {

constexpr std::array kFormats{
    ExportFormat{.id = "iosx",
                 .title = said("IOS Explorer schedule"),
                 .summary = said("Write the schedule as JSON that IOS Explorer reads"),
                 .suffix = "json",
                 .needs = ExportNeeds::kSchedule,
                 .text = [](const ExportSource& from) -> Result<std::string> {
                   return schedule_to_json(*from.graph, from.schedule, from.notes, from.lanes);
                 }},
    ExportFormat{.id = "ios",
                 .title = said("original IOS JSON"),
                 .summary = said("Write the graph and the schedule as JSON that the original IOS program reads"),
                 .suffix = "ios.json",
                 .needs = ExportNeeds::kSchedule,
                 .lanes = false,
                 .text = [](const ExportSource& from) { return to_ios_json(*from.graph, from.schedule); }},
    ExportFormat{.id = "csv",
                 .title = said("stage table"),
                 .summary = said("Write the schedule as a table, one line for each step or launch"),
                 .suffix = "csv",
                 .needs = ExportNeeds::kSchedule,
                 .text = [](const ExportSource& from) -> Result<std::string> {
                   return schedule_to_csv(*from.graph, from.schedule, from.notes, from.lanes);
                 }},
    ExportFormat{.id = "onnx",
                 .title = said("ONNX model"),
                 .summary = said("Write the network with its weights as an ONNX model"),
                 .suffix = "onnx",
                 .needs = ExportNeeds::kNetwork,
                 .batch = true,
                 .write = [](const ExportSource& from, const std::filesystem::path& path) -> Result<void> {
                   IOS_TRY(onnx_import::write_onnx(*from.graph, path,
                                                   {.batch = from.batch, .outputs = from.outputs, .file = from.file}));
                   return {};
                 }},
    ExportFormat{
        .id = "scheduled-onnx",
        .title = said("scheduled ONNX model"),
        .summary =
            said("Write the network as the schedule runs it: merged layers as one, nodes in launch order, the schedule "
                 "in its metadata"),
        .suffix = "onnx",
        .needs = ExportNeeds::kPlan,
        .streams = true,
        .write =
            [](const ExportSource& from, const std::filesystem::path& path) {
              return write_scheduled_onnx(
                  *from.graph, *from.plan, path,
                  {.schedule = from.schedule.name,
                   .notes = from.notes,
                   .model = {.file = from.file},
                   .streams = from.streams,
                   .streams_on = from.streams_on.value_or(from.on_processor ? StreamsOn::kCpu : StreamsOn::kGpu)});
            }},
    ExportFormat{
        .id = "pytorch",
        .title = said("PyTorch package"),
        .summary =
            said("Write the network and the schedule as a Python package that runs the schedule in PyTorch, on CUDA "
                 "streams"),
        .suffix = "",
        .needs = ExportNeeds::kPlan,
        .next = "python {}/check.py compares its outputs with the network's, see its README.md",
        .write =
            [](const ExportSource& from, const std::filesystem::path& path) {
              return pytorch::write_package(*from.graph, from.schedule, path,
                                            {.notes = from.notes,
                                             .outputs = from.outputs,
                                             .barrier_free = from.lanes ? from.plan : std::nullopt});
            }},
    ExportFormat{
        .id = "run",
        .title = said("run file"),
        .summary = said("Write the run to one file that IOS Explorer opens here or elsewhere"),
        .suffix = "iosrun",
        .needs = ExportNeeds::kRun,
        .write = [](const ExportSource& from, const std::filesystem::path& path) { return save_run(*from.run, path); }},
    ExportFormat{.id = "trace",
                 .title = said("Chrome trace"),
                 .summary = said("Write all timelines of the run for Perfetto or chrome://tracing"),
                 .suffix = "json",
                 .needs = ExportNeeds::kRun,
                 .text = [](const ExportSource& from) -> Result<std::string> {
                   if (!from.run->comparison.knows_latencies()) return fail(kUnknownLatencies);
                   return comparison_trace(from.run->comparison);
                 }},
    ExportFormat{.id = "html",
                 .title = said("HTML report"),
                 .summary = said("Write the run as one interactive page that any browser opens"),
                 .suffix = "html",
                 .needs = ExportNeeds::kRun,
                 .text =
                     [](const ExportSource& from) {
                       return html_report({.runs = {report_run(*from.run)}, .beside = from.run->external});
                     }},
};

// Says whether the name of the file ends in a dot and the suffix.
bool has_suffix(const std::filesystem::path& file, std::string_view suffix) {
  const std::string name = file.filename().string();
  return !suffix.empty() && name.size() > suffix.size() + 1 && name.ends_with(fmt::format(".{}", suffix));
}

}  // namespace

std::span<const ExportFormat> export_formats() { return kFormats; }

const ExportFormat* find_export(std::string_view id) {
  const auto found = std::ranges::find(kFormats, id, &ExportFormat::id);
  return found == kFormats.end() ? nullptr : &*found;
}

std::vector<const ExportFormat*> export_formats_of(std::span<const ExportNeeds> needs) {
  std::vector<const ExportFormat*> formats;
  for (const ExportFormat& format : kFormats) {
    if (std::ranges::find(needs, format.needs) != needs.end()) formats.push_back(&format);
  }
  return formats;
}

Result<const ExportFormat*> export_format_of(std::string_view id, const std::filesystem::path& file,
                                             std::span<const ExportFormat* const> among) {
  std::vector<std::string_view> ids;
  const ExportFormat* by_suffix = nullptr;
  for (const ExportFormat* const format : among) {
    if (format->id == id) return format;
    ids.push_back(format->id);
    const bool longer = by_suffix == nullptr || format->suffix.size() > by_suffix->suffix.size();
    if (has_suffix(file, format->suffix) && longer) by_suffix = format;
  }
  const auto words = fmt::format("{}", fmt::join(ids, ", "));
  if (!id.empty()) {
    return fail(
        find_export(id) == nullptr ? message("there is no such format") : message("this format needs another input"),
        fmt::format("'{}'", id), message("use one of {}", words));
  }
  if (by_suffix != nullptr) return by_suffix;
  // The name of a pipe or of /dev/stdout says nothing.
  std::error_code ignored;
  const bool special = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
  if (special || !file.has_extension()) return among.front();
  return fail(message("no format has the extension '{}'", file.extension().string()), file.string(),
              message("choose a format: {}", words));
}

Result<void> check_export(const ExportFormat& format, const ExportSource& source) {
  const Message leave_out = message("leave it out");
  if (source.batch && !format.batch) return fail(message("only an ONNX model has a batch size"), "--batch", leave_out);
  if (source.streams && !format.streams)
    return fail(message("only a scheduled ONNX model has streams"), "--streams", leave_out);
  if (source.streams_on && !source.streams) {
    return fail(message("names the device of the streams, but no streams are written"), "--streams-on",
                message("give --streams, or leave it out"));
  }
  return {};
}

Result<std::string> export_text(const ExportFormat& format, const ExportSource& source) {
  if (source.lanes && !format.lanes) return tl::unexpected(has_stages_only());
  return format.text(source);
}

Result<void> write_export(const ExportFormat& format, const ExportSource& source, const std::filesystem::path& path) {
  if (auto valid = check_export(format, source); !valid) return valid;
  if (format.write != nullptr) return format.write(source, path);
  IOS_TRY(const std::string text, export_text(format, source));
  return write_file(path, text);
}

}  // namespace iosx
