#include "tests/gpu/support/host_access.h"

#include "core/base/check.h"

namespace iosx::gpu::test {
namespace {

std::uintptr_t address_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

Access access_of(const char* operand, bool writes, const TensorRef& tensor) {
  const std::int64_t size = bytes_of(tensor.type);
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, dim
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < tensor.rank; ++axis) {
    IOS_CHECK(tensor.dims[axis] > 0);
    if (tensor.dims[axis] == 1 || tensor.strides[axis] == 0) continue;
    const std::int64_t reach = tensor.strides[axis] * (tensor.dims[axis] - 1);
    (reach < 0 ? first : last) += reach;
    axes.emplace_back(std::abs(tensor.strides[axis]), tensor.dims[axis]);
  }
  std::ranges::sort(axes);
  Access access{.operand = operand, .writes = writes, .alignment = static_cast<std::uintptr_t>(size)};
  access.begin = address_of(tensor.data) + static_cast<std::uintptr_t>(first * size);
  access.end = address_of(tensor.data) + static_cast<std::uintptr_t>((last + 1) * size);
  std::int64_t run = 1;
  std::size_t next = 0;
  for (; next < axes.size() && axes[next].first == run; ++next) run *= axes[next].second;
  if (next == axes.size()) return access;
  const std::int64_t pitch = axes[next].first;
  const bool regular = pitch > run && std::all_of(axes.begin() + static_cast<std::ptrdiff_t>(next), axes.end(),
                                                  [&](const auto& axis) { return axis.first % pitch == 0; });
  if (!regular) return access;
  access.pitch = static_cast<std::uintptr_t>(pitch * size);
  access.width = static_cast<std::uintptr_t>(run * size);
  return access;
}

Access block(const char* operand, bool writes, const void* data, std::int64_t bytes, std::uintptr_t alignment) {
  return {operand, writes, address_of(data), address_of(data) + static_cast<std::uintptr_t>(bytes), 0, 0, alignment};
}

struct Collect {
  std::vector<Access> accesses = {};

  void in(const char* operand, const TensorRef& tensor) { accesses.push_back(access_of(operand, false, tensor)); }
  void out(const TensorRef& tensor) { accesses.push_back(access_of("out", true, tensor)); }
  void floats(const char* operand, const float* data, std::int64_t count) {
    if (data != nullptr) accesses.push_back(block(operand, false, data, count * 4, 4));
  }

  void operator()(const FillCall& call) { out(call.out); }
  void operator()(const CombineCall& call) {
    IOS_CHECK(call.count >= 1 && call.count <= CombineCall::kMaxInputs);
    for (std::size_t i = 0; i < call.count; ++i) in("in", call.in[i]);
    out(call.out);
  }
  void operator()(const ConcatCall& call) {
    IOS_CHECK(call.count >= 1 && call.count <= ConcatCall::kMaxInputs);
    for (std::size_t i = 0; i < call.count; ++i) in("in", call.in[i]);
    out(call.out);
  }
  void operator()(const AffineCall& call) {
    in("in", call.in);
    floats("scale", call.scale, call.in.dims[1]);
    floats("shift", call.shift, call.in.dims[1]);
    out(call.out);
  }
  void operator()(const DepthwiseCall& call) {
    const std::int64_t channel_bytes = call.in.dims[1] * bytes_of(call.in.type);
    const auto alignment = static_cast<std::uintptr_t>(bytes_of(call.in.type));
    in("in", call.in);
    const std::int64_t taps = call.kernel.height * call.kernel.width;
    accesses.push_back(block("weights", false, call.weights, taps * channel_bytes, alignment));
    if (call.bias != nullptr) accesses.push_back(block("bias", false, call.bias, channel_bytes, alignment));
    if (call.residual.data != nullptr) in("residual", call.residual);
    out(call.out);
  }
  void operator()(const MatMulCall& call) {
    in("a", call.a);
    in("b", call.b);
    out(call.out);
  }
  void operator()(const WhereCall& call) {
    in("condition", call.condition);
    in("yes", call.yes);
    in("no", call.no);
    out(call.out);
  }
  void operator()(const GatherCall& call) {
    TensorRef data = call.from.data;  // with the axis that the indices count along
    IOS_CHECK(data.rank < TensorRef::kMaxRank);
    data.dims[data.rank] = call.from.size;
    data.strides[data.rank++] = call.from.step;
    in("data", data);
    in("indices", call.from.indices);
    out(call.out);
  }
  void operator()(const NormalizeCall& call) {
    std::int64_t count = 1;
    for (std::size_t axis = call.axis; axis < call.in.rank; ++axis) count *= call.in.dims[axis];
    in("in", call.in);
    floats("scale", call.scale, count);
    floats("shift", call.shift, count);
    out(call.out);
  }
  void operator()(const ExciteCall& call) {
    const std::int64_t channels = call.in.dims[1];
    const std::int64_t sums = call.parts * call.in.dims[0] * channels;
    accesses.push_back(block("sums", false, call.sums.data, sums * bytes_of(DataType::kFloat32), 256));
    const std::int64_t weights = channels * call.squeezed * bytes_of(call.in.type);
    accesses.push_back(block("squeeze", false, call.squeeze, weights, 16));
    accesses.push_back(block("excite", false, call.excite, weights, 16));
    floats("squeeze bias", call.squeeze_bias, call.squeezed);
    floats("excite bias", call.excite_bias, channels);
    in("in", call.in);
    out(call.out);
  }
  void operator()(const ReduceCall& call) {
    in("in", call.in);
    if (call.parts == 1) return out(call.out);
    const std::int64_t sums = call.parts * call.out.elements();
    accesses.push_back(block("workspace", true, call.out.data, sums * bytes_of(DataType::kFloat32), 256));
  }
  template <typename Call>
  void operator()(const Call& call) {
    in("in", call.in);
    out(call.out);
  }
};

void add_pixels(std::vector<Access>& accesses, const char* operand, bool writes, const void* data,
                const ConvProblem& problem, std::int64_t channels, const Extent& pixels, const PixelLayout& layout) {
  IOS_CHECK(layout.pitch >= channels);
  TensorRef tensor{.data = const_cast<void*>(data), .type = data_type(problem.math), .rank = 2};
  tensor.dims = {problem.batch * pixels.height * pixels.width, channels};
  tensor.strides = {layout.pitch, 1};
  accesses.push_back(access_of(operand, writes, tensor));
  accesses.back().alignment = static_cast<std::uintptr_t>(layout.alignment);
}

void add_matrices(std::vector<Access>& accesses, const char* operand, bool writes, const void* data,
                  const MatMulProblem& p, const MatrixLayout& layout, std::int64_t rows, std::int64_t columns) {
  TensorRef tensor{.data = const_cast<void*>(data), .type = data_type(p.math), .rank = 3};
  tensor.dims = {p.batch, rows, columns};
  tensor.strides = {layout.batch, layout.row, layout.column};
  accesses.push_back(access_of(operand, writes, tensor));
  accesses.back().alignment = static_cast<std::uintptr_t>(layout.alignment);
}

void add_accesses(std::vector<Access>& accesses, const MatMulProblem& p, const Operands& operands) {
  add_matrices(accesses, "a", false, operands.x, p, p.a, p.rows, p.depth);
  add_matrices(accesses, "b", false, operands.weights, p, p.b, p.depth, p.columns);
  add_matrices(accesses, "y", true, operands.y, p, p.y, p.rows, p.columns);
}

void add_accesses(std::vector<Access>& accesses, const AttentionProblem& p, const Operands& operands) {
  const MatMulProblem& s = p.scores;
  const MatMulProblem& c = p.context;
  add_matrices(accesses, "q", false, operands.x, s, s.a, s.rows, s.depth);
  add_matrices(accesses, "k", false, operands.weights, s, s.b, s.depth, s.columns);
  add_matrices(accesses, "v", false, operands.values, c, c.b, c.depth, c.columns);
  add_matrices(accesses, "y", true, operands.y, c, c.y, c.rows, c.columns);
}

void add_accesses(std::vector<Access>& accesses, const ConvProblem& p, const Operands& operands) {
  const std::int64_t size = bytes_of(data_type(p.math));
  add_pixels(accesses, "x", false, operands.x, p, p.channels, p.input, p.x);
  const std::int64_t filters =
      p.transposed ? p.channels * (p.out_channels / p.groups) : p.out_channels * (p.channels / p.groups);
  accesses.push_back(block("weights", false, operands.weights, filters * p.kernel.height * p.kernel.width * size, 16));
  if (p.bias) accesses.push_back(block("bias", false, operands.bias, p.out_channels * size, 16));
  if (p.residual) add_pixels(accesses, "residual", false, operands.residual, p, p.out_channels, p.output, p.z);
  add_pixels(accesses, "y", true, operands.y, p, p.out_channels, p.output, p.y);
}

std::vector<Access> accesses_of_conv(const LibraryPlan& plan, const Operands& operands) {
  std::vector<Access> accesses;
  std::visit([&](const auto& problem) { add_accesses(accesses, problem, operands); }, plan.problem());
  if (plan.workspace_bytes() > 0) {
    accesses.push_back(block("workspace", true, operands.workspace, plan.workspace_bytes(), 256));
  }
  return accesses;
}

}  // namespace

std::vector<Access> accesses_of(const Step& step) {
  if (const auto* conv = std::get_if<LibraryStep>(&step)) return accesses_of_conv(*conv->plan, conv->operands);
  Collect collect;
  std::visit(collect, std::get<KernelCall>(step));
  return std::move(collect.accesses);
}

bool same_bytes(const Access& a, const Access& b) {
  return a.begin == b.begin && a.end == b.end && a.pitch == b.pitch && a.width == b.width;
}

bool overlap(const Access& a, const Access& b) {
  if (a.begin >= b.end || b.begin >= a.end) return false;
  if (a.pitch == 0 || b.pitch != a.pitch) return true;
  const std::uintptr_t pitch = a.pitch;
  const std::uintptr_t distance =
      b.begin >= a.begin ? (b.begin - a.begin) % pitch : (pitch - (a.begin - b.begin) % pitch) % pitch;
  return distance < a.width || distance + b.width > pitch;
}

std::string aliasing_in(const Step& step, const std::vector<Access>& accesses) {
  const bool conv = std::holds_alternative<LibraryStep>(step);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (std::size_t j = 0; j < accesses.size(); ++j) {
      if (i == j || !accesses[i].writes || !overlap(accesses[i], accesses[j])) continue;
      if (!conv && same_bytes(accesses[i], accesses[j])) continue;
      return fmt::format("{} and {} overlap", accesses[i].operand, accesses[j].operand);
    }
  }
  return {};
}

std::string name_of(const Step& step) {
  if (const auto* conv = std::get_if<LibraryStep>(&step)) return "convolution " + conv->plan->name();
  constexpr std::array kNames{"copy",   "concatenation", "fill", "combine",   "affine", "depthwise", "pool",
                              "reduce", "softmax",       "lrn",  "pad",       "resize", "reshape",   "matmul",
                              "where",  "gather",        "arg",  "normalize", "excite"};
  static_assert(kNames.size() == std::variant_size_v<KernelCall>);
  return kNames[std::get<KernelCall>(step).index()];
}

namespace {

using Clock = std::vector<std::uint64_t>;

void merge(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

std::uint64_t at(const Clock& clock, std::size_t index) { return index < clock.size() ? clock[index] : 0; }

std::string shared(const std::vector<Access>& mine, const std::vector<Access>& others) {
  for (const Access& a : mine) {
    for (const Access& b : others) {
      if ((a.writes || b.writes) && overlap(a, b)) return fmt::format("{} and {}", a.operand, b.operand);
    }
  }
  return {};
}

}  // namespace

HostRaces::Stream& HostRaces::stream(StreamId id) {
  if (streams_.size() <= id.index()) streams_.resize(id.index() + 1);
  return streams_[id.index()];
}

std::uint64_t HostRaces::next(StreamId id) {
  Stream& own = stream(id);
  merge(own.clock, host_);
  if (own.clock.size() <= id.index()) own.clock.resize(id.index() + 1, 0);
  return own.clock[id.index()] = ++own.count;
}

std::string HostRaces::conflict(StreamId id, const std::string& name, const std::vector<Access>& accesses) {
  Clock clock = stream(id).clock;
  merge(clock, host_);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (s == id.index()) continue;
    const auto& launches = streams_[s].launches;
    for (auto other = launches.rbegin(); other != launches.rend() && other->number > at(clock, s); ++other) {
      const std::string operands = shared(accesses, *other->accesses);
      if (operands.empty()) continue;
      return fmt::format("{} on stream {} and {} on stream {} may overlap and share memory ({})", name, id.index(),
                         other->name, s, operands);
    }
  }
  return {};
}

void HostRaces::launch(StreamId id, const std::string& name, std::shared_ptr<const std::vector<Access>> accesses) {
  stream(id).launches.push_back({next(id), name, std::move(accesses)});
}

void HostRaces::record(EventId event, StreamId id) {
  next(id);
  events_[event.index()] = stream(id).clock;
}

void HostRaces::wait(StreamId id, EventId event) {
  next(id);
  const auto found = events_.find(event.index());
  if (found != events_.end()) merge(stream(id).clock, found->second);
}

void HostRaces::host_waited(StreamId id) {
  merge(host_, stream(id).clock);
  forget_waited();
}

void HostRaces::host_waited_for_all() {
  for (const Stream& each : streams_) merge(host_, each.clock);
  forget_waited();
}

void HostRaces::forget_waited() {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    auto& launches = streams_[s].launches;
    while (!launches.empty() && launches.front().number <= at(host_, s)) launches.pop_front();
  }
}

bool HostRaces::all_before(StreamId id) const {
  static const Clock kNothing;
  const Clock& clock = id.index() < streams_.size() ? streams_[id.index()].clock : kNothing;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (at(clock, s) < streams_[s].count) return false;
  }
  return true;
}

}  // namespace iosx::gpu::test
