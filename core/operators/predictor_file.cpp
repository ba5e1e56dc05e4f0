#include "core/operators/predictor_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <system_error>

#include "core/base/hash.h"
#include "core/base/json/text_file.h"
#include "core/base/new_file.h"
#include "core/devices/measure/store_place.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"

namespace iosx {
namespace wire {

inline std::string_view word(Spelled<RegressorKind> x) {
  switch (x.value) {
    case RegressorKind::kRidge: return "ridge";
    case RegressorKind::kTrees: return "trees";
  }
  return {};
}
template <typename A>
void fields(A& a, typename A::template Of<DeviceRates>& x) {
  a.all(x, not_negative("flops_per_s", x.flops_per_s), not_negative("bytes_per_s", x.bytes_per_s),
        not_negative("cores", x.cores));
}
template <typename A>
void fields(A& a, typename A::template Of<PredictionErrors>& x) {
  a.all(x, field("what", x.what), not_negative("rows", x.rows), not_negative("mean", x.mean),
        not_negative("median", x.median), not_negative("within_10", x.within_10));
}
template <typename A>
void fields(A& a, typename A::template Of<OperatorPredictor::Saved>& x) {
  a.all(x, not_negative("samples_alone", x.samples_alone), not_negative("samples_together", x.samples_together),
        not_negative("samples_side_by_side", x.samples_side_by_side), field("scale", x.scale),
        field("kind_alone", x.kind_alone), field("kind_together", x.kind_together), unwritten(x.alone),
        unwritten(x.together), field("cross_validation", x.cross_validation), field("errors_by_kind", x.errors_by_kind),
        field("errors_by_time", x.errors_by_time));
}

template <typename A>
void fields(A& a, typename A::template Of<PredictorFacts>& x) {
  a.all(x, field("name", x.name), field("device", x.device), field("rates", x.rates), field("samples", x.samples),
        field("model", x.model), field("date", x.date), field("unseen", x.unseen),
        not_negative("samples_alone", x.samples_alone), not_negative("samples_together", x.samples_together),
        field("side_by_side", x.side_by_side), field("kind_alone", x.kind_alone),
        field("kind_together", x.kind_together), field("errors", x.errors), field("errors_by_kind", x.errors_by_kind),
        field("errors_by_time", x.errors_by_time));
}

struct ModelRecord {
  OperatorPredictor::Saved predictor;
  std::vector<std::string> alone;  // of the predictor, in pieces
  std::vector<std::string> together;
};
template <typename A>
void fields(A& a, typename A::template Of<ModelRecord>& x) {
  a.all(x, field("predictor", x.predictor), field("alone", x.alone), field("together", x.together));
}

}  // namespace wire

namespace {

constexpr std::string_view kPredictorFormat = "iosx-predictor";
constexpr std::string_view kModelFormat = "iosx-predictor-model";
constexpr std::string_view kExtension = ".json";

// No text of a document is longer than a MiB.
std::vector<std::string> pieces(const std::string& bytes) {
  constexpr std::size_t kPiece = 500'000;
  std::vector<std::string> made;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) made.push_back(bytes.substr(at, kPiece));
  return made;
}
std::string joined(const std::vector<std::string>& pieces) {
  std::string bytes;
  for (const std::string& piece : pieces) bytes += piece;
  return bytes;
}

std::string hash_of(const OperatorPredictor::Saved& model) {
  return fmt::format("{:016x}", hash64(model.alone + '|' + model.together));
}

std::filesystem::path model_of(std::filesystem::path file) { return file.replace_extension(".model"); }

}  // namespace

Result<std::filesystem::path> predictor_folder() {
  IOS_TRY(const auto store, default_store_file());
  return store.parent_path() / "predictors";
}

Message why_no_name(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  const auto possible = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  if (!name.empty() && name.size() <= kLongest && name.front() != '.' && std::ranges::all_of(name, possible)) return {};
  return message("is not a predictor name: letters, digits, '.', '_' and '-', at most {}", kLongest);
}

Result<void> write_predictor(const std::filesystem::path& file, const KeptPredictor& kept) {
  std::error_code wrong;
  std::filesystem::create_directories(file.parent_path(), wrong);
  const auto write = [](const std::filesystem::path& path, const std::string& text) -> Result<void> {
    NewFile written(path);
    IOS_TRY(written.write(std::as_bytes(std::span(text))));
    return written.finish();
  };
  wire::ModelRecord model{kept.predictor.saved(), {}, {}};
  model.alone = pieces(model.predictor.alone);
  model.together = pieces(model.predictor.together);
  PredictorFacts facts = kept.facts;
  facts.model = hash_of(model.predictor);
  IOS_TRY(write(model_of(file), wire::write_document(kModelFormat, model) + "\n"));
  return write(file, wire::write_document(kPredictorFormat, facts) + "\n");
}

Result<PredictorFacts> read_predictor_facts(const std::filesystem::path& file) {
  IOS_TRY(const auto text, read_text_file(file));
  IOS_TRY(auto facts, wire::read_document<PredictorFacts>(text, file.string(), kPredictorFormat));
  if (const Message why = why_no_name(facts.name); !why.empty()) return fail(why, file.string());
  return facts;
}

Result<KeptPredictor> read_predictor(const std::filesystem::path& file) {
  IOS_TRY(auto facts, read_predictor_facts(file));
  const std::filesystem::path model = model_of(file);
  IOS_TRY(const auto text, read_text_file(model));
  IOS_TRY(auto record, wire::read_document<wire::ModelRecord>(text, model.string(), kModelFormat));
  record.predictor.alone = joined(record.alone);
  record.predictor.together = joined(record.together);
  if (hash_of(record.predictor) != facts.model) {
    return fail(message("is not the model of {}", file.string()), model.string(), message("train it again"));
  }
  auto predictor = OperatorPredictor::restore(record.predictor);
  if (!predictor) {
    return fail(message("contains no predictor: {}", predictor.error().what), model.string(),
                message("train it again"));
  }
  return KeptPredictor{std::move(facts), std::move(*predictor)};
}

std::vector<std::filesystem::path> predictor_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code wrong;
  for (std::filesystem::directory_iterator at(folder, wrong), end; !wrong && at != end; at.increment(wrong)) {
    if (at->path().extension() == kExtension) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace iosx
