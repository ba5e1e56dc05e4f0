#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/exec/step.h"
#include "gpu/ops/conv/conv_plan.h"

namespace iosx::gpu::test {

// The cost of a convolution with one engine of a made-up library.
struct Engine {
  std::string name;
  double micros = 10;
  double fill = 0;  // of the device; see HostRuntime::Options::cost
  std::int64_t workspace = 0;
  std::int64_t shared = 0;  // bytes per thread block
};

// A library with the same engines for every problem, in their order.
class EngineLibrary final : public ConvLibrary {
 public:
  explicit EngineLibrary(std::vector<Engine> engines) : engines_(std::move(engines)) {}

  const std::string& version() const override { return version_; }
  bool fuses(const Activation&) const override { return true; }
  std::vector<ConvPlanPtr> plans(const ConvProblem& problem) override {
    ++asked;
    std::vector<ConvPlanPtr> plans;
    for (const Engine& engine : engines_) plans.push_back(std::make_shared<Plan>(problem, engine, mark));
    return plans;
  }
  ConvPlanPtr restore(const ConvProblem& problem, const std::string& serialised) override {
    for (const Engine& engine : engines_) {
      auto plan = std::make_shared<Plan>(problem, engine, mark);
      if (plan->serialised() == serialised) return plan;
    }
    return nullptr;
  }

  // For HostRuntime: 1 µs for our own kernels.
  std::pair<Micros, double> cost(const Step& step) const {
    if (const auto* conv = std::get_if<ConvStep>(&step)) {
      for (const Engine& engine : engines_) {
        if (engine.name == fatal && conv->plan->name() == fatal) std::_Exit(7);
        if (engine.name == conv->plan->name()) return {Micros{engine.micros}, engine.fill};
      }
    }
    return {Micros{1}, 0};
  }

  std::string fatal;       // running this engine ends the process with exit code 7
  int asked = 0;           // calls of plans()
  std::string mark = "1";  // part of serialised plans: those with another one are not restored

 private:
  class Plan final : public ConvPlan {
   public:
    Plan(ConvProblem problem, Engine engine, const std::string& mark)
        : problem_(std::move(problem)),
          engine_(std::move(engine)),
          serialised_(fmt::format("{} {}", mark, engine_.name)) {}
    const ConvProblem& problem() const override { return problem_; }
    const std::string& name() const override { return engine_.name; }
    std::int64_t workspace_bytes() const override { return engine_.workspace; }
    std::int64_t shared_bytes() const override { return engine_.shared; }
    std::string serialised() const override { return serialised_; }

   private:
    ConvProblem problem_;
    Engine engine_;
    std::string serialised_;
  };

  std::string version_ = "engines 1";
  std::vector<Engine> engines_;
};

}  // namespace iosx::gpu::test
