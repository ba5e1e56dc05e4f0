#include "core/documents/pytorch/network_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/model/graph/operator_table.h"

namespace iosx::pytorch {
namespace {

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Returns the statement with a comment: behind it where the line has room, else above.
std::string commented(std::size_t depth, const std::string& statement, const std::string& remark) {
  if (4 * depth + statement.size() + 4 + remark.size() <= kColumns)
    return line(depth, fmt::format("{}  # {}", statement, remark));
  return fmt::format("{}# {}\n", std::string(4 * depth, ' '), remark) + line(depth, statement);
}

class NetworkSource {
 public:
  NetworkSource(const Graph& graph, const Schedule& schedule, const PythonNames& names,
                std::span<const std::string> first, const std::optional<ExecutionPlan>& barrier_free)
      : graph_(graph),
        schedule_(schedule),
        names_(names),
        barrier_free_(barrier_free),
        outputs_(output_operators(graph, first)) {}

  Result<std::string> text(const std::string& found) {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      IOS_TRY(auto code, operator_code(graph_, OperatorId(i), names_));
      codes_.push_back(std::move(code));
    }
    std::string methods;
    if (barrier_free_) {
      methods = forward_on_lanes();
    } else {
      find_readers();
      std::string stages;
      for (std::size_t i = 0; i < schedule_.stages.size(); ++i) stages += stage(i);
      methods = forward() + stages;
    }
    return head(found) + constructor() + methods +
           fmt::format("\n\nNetwork = {}  # the name that check.py uses\n", names_.network());
  }

 private:
  struct StageText {
    std::vector<std::string> arguments;
    std::vector<std::string> results;
  };

  // The stages and groups that read an operator.
  struct Readers {
    std::size_t last_stage = 0;
    bool outside_its_group = false;
  };

  void find_readers() {
    std::vector<std::pair<std::size_t, std::size_t>> place(graph_.units().size());  // stage, group
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      for (std::size_t g = 0; g < schedule_.stages[s].groups.size(); ++g) {
        for (const Step& step : schedule_.stages[s].groups[g].steps) {
          for (const UnitId unit : step.units) place[unit.index()] = {s, g};
        }
      }
    }
    readers_.resize(graph_.operators().size());
    for (const Operator& op : graph_.operators()) {
      if (op.is_source()) continue;
      const auto reader = place[op.unit.index()];
      for (const Value& value : op.inputs) {
        const Operator& producer = graph_.op(value.producer);
        Readers& readers = readers_[value.producer.index()];
        readers.last_stage = std::max(readers.last_stage, reader.first);
        if (!producer.is_source() && place[producer.unit.index()] != reader) readers.outside_its_group = true;
      }
    }
    for (const OperatorId id : outputs_) {
      Readers& readers = readers_[id.index()];
      readers.outside_its_group = true;
      readers.last_stage = schedule_.stages.size();
    }
  }

  std::string head(const std::string& found) const {
    const std::string title = graph_.name().empty() ? "A network" : comment(graph_.name());
    std::string text = fmt::format("# {}\n", kMark);
    text += fmt::format(R"("""{} with the schedule {}: {}.)", title, comment(schedule_.name),
                        schedule_summary(schedule_, barrier_free_));
    if (!found.empty()) text += fmt::format("\n\n{}\n", comment(found));
    text += R"("""

from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

)";
    const std::string used = fmt::format("from .lanes import {}", joined(from_lanes()));
    text +=
        used.size() <= kColumns ? line(0, used) : line(0, fmt::format("from .lanes import ({})", joined(from_lanes())));
    text += "\nWEIGHTS = Path(__file__).with_name(\"weights.safetensors\")\n";
    return text;
  }

  // Returns what of lanes.py the module uses.
  std::vector<std::string> from_lanes() const {
    std::vector<std::string> used;
    for (const std::string_view name : kFromLanes) {
      const std::string call = fmt::format("{}(", name);
      const auto calls = [&](const std::string& text) {
        const std::size_t at = text.find(call);
        return at != std::string::npos && (at == 0 || (text[at - 1] != '.' && text[at - 1] != '_'));
      };
      const bool any = std::ranges::any_of(
          codes_, [&](const OperatorCode& code) { return calls(code.layer) || calls(code.expression); });
      const bool merges = std::ranges::any_of(merged_, calls);
      if (any || merges || name == "ScheduledNetwork") used.emplace_back(name);
    }
    return used;
  }

  std::string constructor() const {
    std::string text = fmt::format("\n\nclass {}(ScheduledNetwork):\n", names_.network());
    std::vector<std::string> inputs;
    for (const OperatorId id : graph_.inputs()) {
      inputs.push_back(fmt::format("{}: {}", string_text(names_.of(id)), tuple_text(graph_.op(id).output.dims())));
    }
    text += commented(1, fmt::format("INPUTS = {{{}}}", joined(inputs)), "shapes of one sample; the batch comes first");
    std::vector<std::string> outputs;
    for (const OperatorId id : outputs_) outputs.push_back(string_text(graph_.op(id).name));
    text += commented(1, fmt::format("OUTPUTS = [{}]", joined(outputs)), "in the order in which they are returned");
    text += "\n    def __init__(self, weights=WEIGHTS):\n        super().__init__()\n";
    std::string layers;
    std::string tables;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (codes_[i].layer.empty()) continue;
      (codes_[i].has_tables ? tables : layers) += layer_line(OperatorId(i), codes_[i].has_tables ? 2 : 3);
    }
    if (!layers.empty())
      text += "        with torch.device(\"meta\"):  # without numbers: the file has them\n" + layers;
    text += tables;
    for (const std::string& statement : merged_) text += line(2, statement);
    return text + "        self.load(weights)\n";
  }

  // Returns whether an operator's name differs from Python's in more than characters that Python does not allow.
  bool named_otherwise(OperatorId id) const {
    std::string name = graph_.op(id).name;
    for (char& c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name != names_.of(id);
  }

  std::string layer_line(OperatorId id, std::size_t depth) const {
    const std::string& statement = codes_[id.index()].layer;
    if (!named_otherwise(id)) return line(depth, statement);
    return commented(depth, statement, comment(graph_.op(id).name));
  }

  std::vector<std::string> names_of(const std::vector<OperatorId>& operators) const {
    std::vector<std::string> names;
    for (const OperatorId id : operators) names.push_back(names_.of(id));
    return names;
  }

  std::string forward_head(const std::vector<std::string>& inputs, bool batch) const {
    std::string text = "\n" + line(1, fmt::format("def forward({}):", joined(inputs)));
    if (batch) text += fmt::format("        batch = {}\n", inputs.size() > 1 ? inputs[1] + ".shape[0]" : "1");
    return text;
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> inputs{"self"};
    for (const OperatorId id : graph_.inputs()) inputs.push_back(names_.of(id));
    return inputs;
  }

  static std::string deleted(std::size_t depth, const std::vector<std::string>& names) {
    const std::string del = fmt::format("del {}", joined(names));
    return line(depth, 4 * depth + del.size() <= kColumns ? del : fmt::format("del ({})", joined(names)));
  }

  // Steps that follow one another on a lane share a block.
  std::string forward_on_lanes() {
    const LaneProgram program = lane_program(graph_, *barrier_free_, outputs_);
    std::string body = line(2, fmt::format("lanes = self.on_lanes({})", program.lanes));
    std::vector<std::size_t> event(program.steps.size(), 0);  // of a step that others wait for, from 1
    std::size_t events = 0;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
      const LaneStep& step = program.steps[s];
      if (s == 0 || !step.waits.empty() || step.lane != program.steps[s - 1].lane) {
        std::vector<std::string> after;
        for (const std::size_t wait : step.waits) after.push_back(fmt::format("{}", event[wait]));
        body += line(2, after.empty() ? fmt::format("with lanes({}):", step.lane)
                                      : fmt::format("with lanes({}, after=({},)):", step.lane, joined(after)));
      }
      if (!step.dropped_before.empty()) body += deleted(3, names_of(step.dropped_before));
      if (step.merged) {
        body += merged_layer(step.operators, fmt::format("group_merged_{}", merged_.size() + 1), 3);
      } else {
        for (const OperatorId id : step.operators) body += statement(id, 3);
      }
      if (step.awaited) body += line(3, fmt::format("lanes.done({})", event[s] = ++events));
      if (!step.dropped_after.empty()) body += deleted(3, names_of(step.dropped_after));
    }
    body += line(2, fmt::format("lanes.end({})", joined(names_of(program.kept))));
    const bool batch = std::ranges::any_of(codes_, &OperatorCode::uses_batch);
    return forward_head(arguments(), batch) + body + line(2, returned(names_of(outputs_)));
  }

  std::string forward() {
    bool batch = false;
    std::string calls;
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      const StageText stage = signature(s);
      batch = batch || uses_batch(s);
      calls += assigned(2, stage.results, fmt::format("self.stage_{}({})", s + 1, joined(stage.arguments)));
      if (const auto done = dropped_after(s); !done.empty()) calls += deleted(2, done);
    }
    return forward_head(arguments(), batch) + calls + line(2, returned(names_of(outputs_)));
  }

  static std::string returned(const std::vector<std::string>& results) {
    const std::string text = fmt::format("return {}", joined(results));
    return 8 + text.size() <= kColumns ? text : fmt::format("return ({})", joined(results));
  }

  // Returns what no later stage reads.
  std::vector<std::string> dropped_after(std::size_t stage) const {
    std::vector<std::string> done;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      if (graph_.operators()[i].is_source() || !readers_[i].outside_its_group) continue;
      if (readers_[i].last_stage == stage) done.push_back(names_.of(OperatorId(i)));
    }
    return done;
  }

  std::vector<std::string> results_of(const Group& group) const {
    std::vector<std::string> results;
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) {
        for (const OperatorId id : graph_.unit(unit).operators) {
          if (readers_[id.index()].outside_its_group) results.push_back(names_.of(id));
        }
      }
    }
    return results;
  }

  bool uses_batch(std::size_t s) const {
    for (const UnitId unit : schedule_.stages[s].units()) {
      for (const OperatorId id : graph_.unit(unit).operators) {
        if (codes_[id.index()].uses_batch) return true;
      }
    }
    return false;
  }

  StageText signature(std::size_t s) const {
    StageText text;
    const Stage& stage = schedule_.stages[s];
    const std::vector<UnitId> units = stage.units();
    std::vector<OperatorId> read;
    for (const UnitId unit : units) {
      for (const OperatorId id : graph_.unit(unit).operators) {
        for (const Value& value : graph_.op(id).inputs) {
          const Operator& producer = graph_.op(value.producer);
          if (producer.is_constant()) continue;
          if (producer.is_input() || std::ranges::find(units, producer.unit) == units.end()) {
            read.push_back(value.producer);
          }
        }
      }
    }
    std::ranges::sort(read);
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const OperatorId id : read) text.arguments.push_back(names_.of(id));
    if (uses_batch(s)) text.arguments.emplace_back("batch");
    for (const Group& group : stage.groups) {
      const auto results = results_of(group);
      text.results.insert(text.results.end(), results.begin(), results.end());
    }
    return text;
  }

  std::string stage(std::size_t s) {
    const Stage& stage = schedule_.stages[s];
    const StageText text = signature(s);
    std::vector<std::string> arguments{"self"};
    arguments.insert(arguments.end(), text.arguments.begin(), text.arguments.end());
    std::string source = "\n" + line(1, fmt::format("def stage_{}({}):", s + 1, joined(arguments)));
    if (stage.groups.size() == 1) return source + group(stage.groups.front(), s, 2) + line(2, returned(text.results));
    source += fmt::format("        \"\"\"{} side by side.\"\"\"\n", counted(stage.groups.size(), "group"));
    std::vector<std::string> functions;
    std::vector<std::string> results;
    for (std::size_t g = 0; g < stage.groups.size(); ++g) {
      functions.push_back(fmt::format("group_{}", g + 1));
      source += fmt::format("\n        def {}():\n", functions.back());
      const auto made = results_of(stage.groups[g]);
      source += group(stage.groups[g], s, 3) + line(3, returned(made));
      results.push_back(made.size() == 1 ? made.front() : fmt::format("({})", joined(made)));
    }
    source += "\n" + assigned(2, results, fmt::format("self.side_by_side({})", joined(functions)));
    return source + line(2, returned(text.results));
  }

  static std::string assigned(std::size_t depth, const std::vector<std::string>& names, const std::string& call) {
    const std::string text = fmt::format("{} = {}", joined(names), call);
    const std::size_t needed = text.size() - call.size() + call.find('(') + 1;  // without the arguments
    if (names.size() == 1 || 4 * depth + needed <= kColumns) return line(depth, text);
    const std::string margin(4 * depth, ' ');
    return fmt::format("{}(\n{}", margin, filled(depth + 1, joined(names))) + line(depth, ") = " + call);
  }

  std::string group(const Group& group, std::size_t s, std::size_t depth) {
    std::string source;
    for (const Step& step : group.steps) {
      if (step.merged()) {
        source += merged_step(step, s, depth);
        continue;
      }
      const Unit& unit = graph_.unit(step.units.front());
      if (unit.operators.size() > 1 || !unit.hint.empty()) {
        source += fmt::format("{}# {}{}\n", std::string(4 * depth, ' '), comment(unit.name),
                              unit.hint.empty() ? "" : fmt::format(" ({})", comment(unit.hint)));
      }
      for (const OperatorId id : unit.operators) source += statement(id, depth);
    }
    return source;
  }

  std::string statement(OperatorId id, std::size_t depth) const {
    const std::string text = fmt::format("{} = {}", names_.of(id), codes_[id.index()].expression);
    // Long text gets brackets, so that it can be wrapped.
    const std::string fitting = 4 * depth + text.size() <= kColumns || codes_[id.index()].expression.ends_with(')')
                                    ? text
                                    : fmt::format("{} = ({})", names_.of(id), codes_[id.index()].expression);
    return commented(depth, fitting, remark(id));
  }

  // Returns "conv, 64x56x56", after the name where Python's is another.
  std::string remark(OperatorId id) const {
    const Operator& op = graph_.op(id);
    const std::string what = fmt::format("{}, {}", kind_name(op.attributes), shape_text(op.output));
    return named_otherwise(id) ? fmt::format("{}: {}", comment(op.name), what) : what;
  }

  // The layers as one, then what follows each in its unit.
  std::string merged_step(const Step& step, std::size_t s, std::size_t depth) {
    std::vector<OperatorId> layers;
    std::string rest;
    for (const UnitId unit : step.units) {
      const auto& all = graph_.unit(unit).operators;
      layers.push_back(all.front());
      for (const OperatorId id : std::span(all).subspan(1)) rest += statement(id, depth);
    }
    std::string name = fmt::format("stage_{}_merged", s + 1);
    if (merged_stage_ == s + 1) name += fmt::format("_{}", ++merged_in_stage_);
    if (merged_stage_ != s + 1) merged_stage_ = s + 1, merged_in_stage_ = 1;
    return merged_layer(layers, name, depth) + rest;
  }

  std::string merged_layer(const std::vector<OperatorId>& merged, const std::string& name, std::size_t depth) {
    std::vector<std::string> layers;
    std::vector<std::string> operators;
    for (const OperatorId id : merged) {
      layers.push_back("self." + names_.of(id));
      operators.push_back(comment(graph_.op(id).name));
    }
    const Operator& first = graph_.op(merged.front());
    const std::string function = activation_function(fused_activation(first.attributes));
    if (!function.empty()) layers.push_back("activation=" + function);
    const auto* const linear = first.as<Linear>();
    const std::string_view type = linear != nullptr ? "MergedLinear" : "MergedConv";
    merged_.push_back(fmt::format("self.{} = {}({})", name, type, joined(layers)));
    bool batch = false;  // counted by the operators' own code
    std::string in = input_text(graph_, first.inputs.front(), names_, batch);
    if (linear != nullptr) in += flattening(*linear, graph_.shape(first.inputs.front()));
    std::string source = line(depth, fmt::format("# merged: {}", fmt::join(operators, " + ")));
    return source + assigned(depth, names_of(merged), fmt::format("self.{}({}, self.sequential)", name, in));
  }

  const Graph& graph_;
  const Schedule& schedule_;
  const PythonNames& names_;
  const std::optional<ExecutionPlan>& barrier_free_;
  std::vector<OperatorId> outputs_;  // in the order in which they are returned
  std::vector<OperatorCode> codes_;  // by operator
  std::vector<Readers> readers_;     // by operator
  std::vector<std::string> merged_;  // statements of __init__
  std::size_t merged_stage_ = 0;     // of the last of them, from 1, and how many it has
  std::size_t merged_in_stage_ = 0;
};

}  // namespace

std::string schedule_summary(const Schedule& schedule, const std::optional<ExecutionPlan>& barrier_free) {
  std::size_t streams = 0;
  std::size_t merged = 0;
  for (const Stage& stage : schedule.stages) {
    streams = std::max(streams, stage.groups.size());
    for (const Group& group : stage.groups) {
      merged +=
          static_cast<std::size_t>(std::ranges::count_if(group.steps, [](const Step& step) { return step.merged(); }));
    }
  }
  if (barrier_free) {
    return fmt::format("{} without barriers for its kernels, {}", counted(barrier_free->lane_count(), "lane"),
                       counted(merged, "merged layer"));
  }
  return fmt::format("{}, {}{}, {}", counted(schedule.stages.size(), "stage"), streams > 1 ? "up to " : "",
                     counted(streams, "stream"), counted(merged, "merged layer"));
}

Result<std::string> network_source(const Graph& graph, const Schedule& schedule, const PythonNames& names,
                                   const std::string& found, std::span<const std::string> first,
                                   const std::optional<ExecutionPlan>& barrier_free) {
  return NetworkSource(graph, schedule, names, first, barrier_free).text(found);
}

}  // namespace iosx::pytorch
