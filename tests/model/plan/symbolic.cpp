#include "tests/model/plan/symbolic.h"

#include "core/base/check.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

constexpr std::int64_t kElementBytes = 4;
constexpr std::uint64_t kPixelStep =
    0x9E3779B97F4A7C15ULL;  // a cell is its channel's symbol and its pixel's number of steps
constexpr std::uint64_t kGarbage = 0xBADBADBADBADBADULL;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ (h >> 29)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 32);
}

std::uint64_t activate(Activation activation, std::uint64_t x) {
  return activation == Activation::kIdentity ? x : mix(x, 1000 + static_cast<std::uint64_t>(activation.kind));
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return mix(a + b, 7); }

// `operators`: one, or those of a merged convolution.
Symbols compute(const Graph& graph, const Attributes& attributes, std::span<const OperatorId> operators,
                const std::vector<Symbols>& inputs) {
  Symbols result;
  if (const auto* conv = std::get_if<Conv>(&attributes)) {
    std::uint64_t all = 1;
    for (const std::uint64_t symbol : inputs.front()) all = mix(all, symbol);
    for (const OperatorId op : operators) {
      for (std::int64_t c = 0; c < graph.op(op).output.channels(); ++c) {
        std::uint64_t symbol = mix(mix(all, op.index()), static_cast<std::uint64_t>(c));
        if (inputs.size() > 1) symbol = sum(symbol, inputs[1].at(result.size()));
        result.push_back(activate(conv->activation, symbol));
      }
    }
  } else if (const auto* activation = std::get_if<Activate>(&attributes)) {
    Symbols symbols = inputs.front();
    if (inputs.size() > 1) symbols = compute(graph, Add{}, operators, inputs);
    for (const std::uint64_t symbol : symbols) result.push_back(activate(activation->function, symbol));
  } else if (std::holds_alternative<Add>(attributes)) {
    for (std::size_t c = 0; c < inputs[0].size(); ++c) result.push_back(sum(inputs[0][c], inputs[1].at(c)));
  } else if (std::holds_alternative<Concat>(attributes) || std::holds_alternative<Identity>(attributes)) {
    for (const Symbols& input : inputs) result.insert(result.end(), input.begin(), input.end());
  } else {
    IOS_CHECK(false);
  }
  return result;
}

Symbols slice(const Symbols& symbols, std::int64_t begin, std::int64_t end) {
  return {symbols.begin() + begin, symbols.begin() + end};
}

bool is_copy(const Graph& graph, const Kernel& kernel) {
  return std::holds_alternative<Identity>(kernel.attributes) &&
         graph.op(kernel.operators.front()).as<Identity>() == nullptr;
}

}  // namespace

std::vector<Symbols> defined_symbols(const Graph& graph) {
  std::vector<Symbols> defined;
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    if (op.is_source()) {
      defined.emplace_back();
      for (std::int64_t c = 0; c < op.output.channels(); ++c) {
        defined.back().push_back(mix(mix(77, i), static_cast<std::uint64_t>(c)));
      }
      continue;
    }
    std::vector<Symbols> inputs;
    for (const Value& value : op.inputs)
      inputs.push_back(slice(defined[value.producer.index()], value.begin, value.end));
    const OperatorId id(i);
    defined.push_back(compute(graph, op.attributes, std::span(&id, 1), inputs));
  }
  return defined;
}

SymbolicMachine::SymbolicMachine(const Graph& graph, const ExecutionPlan& plan, const MemoryPlan& memory)
    : graph_(graph),
      plan_(plan),
      memory_(memory),
      defined_(defined_symbols(graph)),
      block_(static_cast<std::size_t>(memory.peak_bytes / kElementBytes), kGarbage),
      read_(plan.kernels.size()) {}

std::vector<std::size_t> SymbolicMachine::cells(const TensorView& view) const {
  const Buffer& buffer = plan_.buffers[view.buffer.index()];
  std::vector<std::size_t> result;
  if (buffer.constant) return result;
  const std::int64_t channels = buffer.shape.channels();
  const std::int64_t offset = memory_.offsets[view.buffer.index()];
  EXPECT_NE(offset, MemoryPlan::kNone) << buffer.name;
  EXPECT_LE(0, view.begin);
  EXPECT_LT(view.begin, view.end);
  EXPECT_LE(view.end, channels);
  const std::int64_t pixels = plan_.batch * buffer.shape.elements() / channels;
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    for (std::int64_t c = view.begin; c < view.end; ++c) {
      result.push_back(static_cast<std::size_t>(offset / kElementBytes + pixel * channels + c));
    }
  }
  return result;
}

void SymbolicMachine::fill(const TensorView& view, const Symbols& symbols) {
  const auto where = cells(view);
  ASSERT_EQ(symbols.size(), static_cast<std::size_t>(view.end - view.begin));
  for (std::size_t i = 0; i < where.size(); ++i) {
    block_.at(where[i]) = symbols[i % symbols.size()] + i / symbols.size() * kPixelStep;
  }
}

Symbols SymbolicMachine::read(const TensorView& view) const {
  const Buffer& buffer = plan_.buffers[view.buffer.index()];
  if (buffer.constant) return slice(defined_[buffer.source.index()], view.begin, view.end);
  const auto where = cells(view);
  Symbols symbols;
  const auto channels = static_cast<std::size_t>(view.end - view.begin);
  for (std::size_t i = 0; i < where.size(); ++i) {
    const std::uint64_t symbol = block_.at(where[i]) - i / channels * kPixelStep;
    if (i < channels) {
      symbols.push_back(symbol);
    } else {
      EXPECT_EQ(symbols[i % channels], symbol) << buffer.name << " is partly overwritten";
    }
  }
  return symbols;
}

std::vector<Symbols> SymbolicMachine::inputs(const Kernel& kernel) const {
  std::vector<Symbols> result;
  for (TensorView view : kernel.reads) {
    view.end -= plan_.buffers[view.buffer.index()].blank;  // is no part of what is computed with
    result.push_back(read(view));
  }
  return result;
}

void SymbolicMachine::begin(std::size_t kernel) {
  const Kernel& run = plan_.kernels[kernel];
  read_[kernel] = inputs(run);
  for (const std::size_t cell : cells(run.writes)) block_.at(cell) = mix(kGarbage, cell);
}

void SymbolicMachine::end(std::size_t kernel) {
  const Kernel& run = plan_.kernels[kernel];
  EXPECT_EQ(inputs(run), read_[kernel]) << run.name << ": its inputs changed while it ran";
  std::vector<Symbols> computed_with = read_[kernel];
  for (std::uint64_t& symbol : computed_with.front()) symbol = activate(run.before, symbol);
  const Symbols made = compute(graph_, run.attributes, run.operators, computed_with);
  if (!is_copy(graph_, run)) {
    Symbols defined;
    for (const OperatorId op : run.operators) {
      const Symbols& of = defined_[run.merged() ? op.index() : run.result().index()];
      defined.insert(defined.end(), of.begin(), of.end());
    }
    EXPECT_EQ(made, defined) << run.name;
  }
  fill(run.writes, made);
}

void SymbolicMachine::run(std::mt19937& random) {
  std::vector<std::vector<std::size_t>> lanes(plan_.lane_count());
  for (std::size_t k = 0; k < plan_.kernels.size(); ++k) lanes[plan_.kernels[k].lane].push_back(k);
  std::vector<std::size_t> next(lanes.size(), 0);
  std::vector<bool> running(lanes.size(), false);
  std::vector<bool> ended(plan_.kernels.size(), false);
  for (std::size_t steps = 0; steps < 2 * plan_.kernels.size(); ++steps) {
    std::vector<std::size_t> able;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (next[lane] == lanes[lane].size()) continue;
      const auto& waits = plan_.kernels[lanes[lane][next[lane]]].waits;
      const bool ready = std::ranges::all_of(waits, [&](KernelId id) { return ended[id.index()]; });
      if (ready) able.push_back(lane);
    }
    ASSERT_FALSE(able.empty()) << "every lane waits";
    const std::size_t lane = able[random() % able.size()];
    const std::size_t kernel = lanes[lane][next[lane]];
    if (!running[lane]) {
      begin(kernel);
    } else {
      end(kernel);
      ended[kernel] = true;
      ++next[lane];
    }
    running[lane] = !running[lane];
  }
}

}  // namespace iosx::test
