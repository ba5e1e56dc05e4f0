#pragma once

#include "core/formats/wire/worker_wire.h"
#include "tests/support/prelude.h"

namespace iosx::test {

// Writes the order that sends a plan to a worker.
inline std::string load_order(const ExecutionPlan& plan) {
  return wire::to_line(wire::Order{1, wire::Load{.parameters = 0, .loaded = 0, .plan = plan, .tune = false}});
}

// Reads the plan of such an order like a worker.
inline Result<ExecutionPlan> plan_of_order(std::string_view text, const std::string& origin,
                                           std::shared_ptr<const Parameters> parameters) {
  IOS_TRY(auto order, wire::order_of(text, origin));
  auto* const load = std::get_if<wire::Load>(&order.what);
  if (load == nullptr) return fail(message("is no order to load a plan"), origin);
  IOS_TRY(wire::complete(load->plan, std::move(parameters), origin, "plan"));
  return std::move(load->plan);
}

}  // namespace iosx::test
