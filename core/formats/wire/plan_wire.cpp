#include "core/formats/wire/plan_wire.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"
#include "core/model/plan/plan_validity.h"

namespace iosx {
namespace {

constexpr std::string_view kPlanFormat = "iosx-plan";

}  // namespace

std::string structure_digest(const Graph& graph) {
  wire::GraphRecord record = wire::record_of(graph);
  record.parts.clear();
  wire::Writer writer;
  writer.put(record);
  const std::string text = std::move(writer).take();
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

WeightsReference weights_reference(const Graph& graph, std::string source) {
  return {std::move(source), graph.parameters()->init(), structure_digest(graph)};
}

Result<std::shared_ptr<const Parameters>> resolve(const WeightsReference& reference, const GraphOpener& opener) {
  IOS_TRY(auto graph, opener(reference.graph));
  if (structure_digest(*graph) != reference.structure) {
    return fail(message("is another network here than where the plan was made"), fmt::format("'{}'", reference.graph),
                message("give both sides the same file and the same version of IOS Explorer"));
  }
  const auto& parameters = graph->parameters();
  if (parameters->init() == reference.seed) return parameters;
  return std::make_shared<const Parameters>(parameters->made_up_as(reference.seed));
}

std::string plan_to_wire(const ExecutionPlan& plan, const WeightsReference& weights) {
  return wire::write_document(kPlanFormat, wire::PlanMessage{weights, plan});
}

Result<ExecutionPlan> plan_from_wire(std::string_view text, const std::string& origin, const GraphOpener& opener) {
  IOS_TRY(auto message, wire::read_document<wire::PlanMessage>(text, origin, kPlanFormat));
  IOS_TRY(auto parameters, resolve(message.weights, opener));
  message.plan.parameters = std::move(parameters);
  if (auto valid = check_plan(message.plan); !valid) {
    return wire::inside(std::move(valid.error()), origin, "content.plan");
  }
  return std::move(message.plan);
}

}  // namespace iosx
