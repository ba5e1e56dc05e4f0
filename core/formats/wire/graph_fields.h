#pragma once

#include "core/formats/wire/fields.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

// This header says how graphs, their operators and schedules are written down; see fields.h.
namespace iosx::wire {

inline std::string_view word(Spelled<ActivationKind> x) {
  return static_cast<std::size_t>(x.value) < activation_rows().size() ? activation_row(x.value).name : "";
}
inline std::string_view word(Spelled<BinaryFunction> x) {
  return static_cast<std::size_t>(x.value) < binary_rows().size() ? binary_row(x.value).name : "";
}
inline std::string_view word(Spelled<ReduceKind> x) {
  return x.value <= ReduceKind::kArgMin ? reduce_name(x.value) : "";
}
inline std::string_view word(Spelled<GatherKind> x) {
  switch (x.value) {
    case GatherKind::kSlices: return "slices";
    case GatherKind::kElements: return "elements";
  }
  return {};
}
inline std::string_view word(Spelled<PoolKind> x) {
  switch (x.value) {
    case PoolKind::kMax: return "max";
    case PoolKind::kAverage: return "average";
    case PoolKind::kGlobalMax: return "global max";
    case PoolKind::kGlobalAverage: return "global average";
  }
  return {};
}
inline std::string_view word(Spelled<PadMode> x) {
  switch (x.value) {
    case PadMode::kConstant: return "constant";
    case PadMode::kReflect: return "reflect";
    case PadMode::kEdge: return "edge";
  }
  return {};
}
inline std::string_view word(Spelled<ResizeMode> x) {
  switch (x.value) {
    case ResizeMode::kNearest: return "nearest";
    case ResizeMode::kLinear: return "linear";
  }
  return {};
}
inline std::string_view word(Spelled<ResizeCoordinates> x) {
  switch (x.value) {
    case ResizeCoordinates::kHalfPixel: return "half pixel";
    case ResizeCoordinates::kPytorchHalfPixel: return "pytorch half pixel";
    case ResizeCoordinates::kAlignCorners: return "align corners";
    case ResizeCoordinates::kAsymmetric: return "asymmetric";
  }
  return {};
}
inline std::string_view word(Spelled<ResizeRounding> x) {
  switch (x.value) {
    case ResizeRounding::kPreferFloor: return "prefer floor";
    case ResizeRounding::kPreferCeil: return "prefer ceil";
    case ResizeRounding::kFloor: return "floor";
    case ResizeRounding::kCeil: return "ceil";
  }
  return {};
}
inline std::string_view word(Spelled<RecurrentKind> x) {
  switch (x.value) {
    case RecurrentKind::kRnn: return "rnn";
    case RecurrentKind::kGru: return "gru";
    case RecurrentKind::kLstm: return "lstm";
  }
  return {};
}
inline std::string_view word(Spelled<RecurrentDirection> x) {
  switch (x.value) {
    case RecurrentDirection::kForward: return "forward";
    case RecurrentDirection::kReverse: return "reverse";
    case RecurrentDirection::kBoth: return "both";
  }
  return {};
}
inline std::string_view word(Spelled<TopKOutput> x) {
  switch (x.value) {
    case TopKOutput::kValues: return "values";
    case TopKOutput::kIndices: return "indices";
  }
  return {};
}
inline std::string_view word(Spelled<GridMode> x) {
  switch (x.value) {
    case GridMode::kNearest: return "nearest";
    case GridMode::kLinear: return "linear";
    case GridMode::kCubic: return "cubic";
  }
  return {};
}
inline std::string_view word(Spelled<GridPadding> x) {
  switch (x.value) {
    case GridPadding::kZeros: return "zeros";
    case GridPadding::kBorder: return "border";
    case GridPadding::kReflection: return "reflection";
  }
  return {};
}
inline std::string_view word(Spelled<ParameterInit> x) {
  switch (x.value) {
    case ParameterInit::kScaled: return "scaled";
    case ParameterInit::kIntegers: return "integers";
  }
  return {};
}

template <>
inline constexpr std::string_view kKind<Input> = "input";
template <>
inline constexpr std::string_view kKind<Constant> = "constant";
template <>
inline constexpr std::string_view kKind<Conv> = "conv";
template <>
inline constexpr std::string_view kKind<ConvTranspose> = "transposed conv";
template <>
inline constexpr std::string_view kKind<Pool> = "pool";
template <>
inline constexpr std::string_view kKind<Activate> = "activate";
template <>
inline constexpr std::string_view kKind<Affine> = "affine";
template <>
inline constexpr std::string_view kKind<Add> = "add";
template <>
inline constexpr std::string_view kKind<Mul> = "mul";
template <>
inline constexpr std::string_view kKind<Binary> = "binary";
template <>
inline constexpr std::string_view kKind<Where> = "where";
template <>
inline constexpr std::string_view kKind<Expand> = "expand";
template <>
inline constexpr std::string_view kKind<Gather> = "gather";
template <>
inline constexpr std::string_view kKind<Normalize> = "normalize";
template <>
inline constexpr std::string_view kKind<Concat> = "concat";
template <>
inline constexpr std::string_view kKind<Identity> = "identity";
template <>
inline constexpr std::string_view kKind<Linear> = "linear";
template <>
inline constexpr std::string_view kKind<MatMul> = "matmul";
template <>
inline constexpr std::string_view kKind<Recurrent> = "recurrent";
template <>
inline constexpr std::string_view kKind<TopK> = "top k";
template <>
inline constexpr std::string_view kKind<GridSample> = "grid sample";
template <>
inline constexpr std::string_view kKind<Reshape> = "reshape";
template <>
inline constexpr std::string_view kKind<Transpose> = "transpose";
template <>
inline constexpr std::string_view kKind<Slice> = "slice";
template <>
inline constexpr std::string_view kKind<Pad> = "pad";
template <>
inline constexpr std::string_view kKind<Resize> = "resize";
template <>
inline constexpr std::string_view kKind<Softmax> = "softmax";
template <>
inline constexpr std::string_view kKind<Lrn> = "lrn";
template <>
inline constexpr std::string_view kKind<Reduce> = "reduce";
template <>
inline constexpr std::string_view kKind<Opaque> = "opaque";

template <typename A>
void fields(A& a, typename A::template Of<Activation>& x) {
  a.all(x, field("kind", x.kind), any_number("alpha", x.alpha), any_number("beta", x.beta));
}
template <typename A>
void fields(A& a, typename A::template Of<Extent>& x) {
  a.row(x, field(x.height), field(x.width));
}

template <typename A>
void fields(A& a, typename A::template Of<Input>& x) {
  a.all(x, field("shape", x.shape));
}
template <typename A>
void fields(A& a, typename A::template Of<Constant>& x) {
  a.all(x, field("shape", x.shape));
}
template <typename A>
void fields(A& a, typename A::template Of<Conv>& x) {
  a.all(x, field("out_channels", x.out_channels), field("kernel", x.kernel), field("stride", x.stride),
        field("padding", x.padding), field("dilation", x.dilation), field("groups", x.groups),
        field("activation", x.activation), field("merged_from", x.merged_from), field("end_padding", x.end_padding));
}
template <typename A>
void fields(A& a, typename A::template Of<ConvTranspose>& x) {
  a.all(x, field("out_channels", x.out_channels), field("kernel", x.kernel), field("stride", x.stride),
        field("padding", x.padding), field("dilation", x.dilation), field("groups", x.groups),
        field("activation", x.activation), field("end_padding", x.end_padding),
        field("output_padding", x.output_padding));
}
template <typename A>
void fields(A& a, typename A::template Of<Pool>& x) {
  a.all(x, field("pool", x.kind), field("kernel", x.kernel), field("stride", x.stride), field("padding", x.padding),
        field("ceil_mode", x.ceil_mode), field("dilation", x.dilation), field("count_padding", x.count_padding),
        field("end_padding", x.end_padding));
}
template <typename A>
void fields(A& a, typename A::template Of<Activate>& x) {
  a.all(x, field("function", x.function));
}
template <typename A>
void fields(A& a, typename A::template Of<Affine>& x) {
  a.all(x, field("activation", x.activation));
}
template <typename A>
void fields(A& a, typename A::template Of<Add>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Mul>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Binary>& x) {
  a.all(x, field("function", x.function));
}
template <typename A>
void fields(A& a, typename A::template Of<Where>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Expand>& x) {
  a.all(x, field("shape", x.shape));
}
template <typename A>
void fields(A& a, typename A::template Of<Gather>& x) {
  a.all(x, field("gather", x.kind), field("axis", x.axis));
}
template <typename A>
void fields(A& a, typename A::template Of<Normalize>& x) {
  a.all(x, field("axis", x.axis), field("epsilon", x.epsilon), field("centred", x.centred), field("scaled", x.scaled));
}
template <typename A>
void fields(A& a, typename A::template Of<Concat>& x) {
  a.all(x, field("axis", x.axis));
}
template <typename A>
void fields(A& a, typename A::template Of<Identity>& x) {
  a.all(x);
}
template <typename A>
void fields(A& a, typename A::template Of<Linear>& x) {
  a.all(x, field("out_features", x.out_features), field("activation", x.activation), field("axis", x.axis));
}
template <typename A>
void fields(A& a, typename A::template Of<MatMul>& x) {
  a.all(x, later(field("sparse", x.sparse)));
}
template <typename A>
void fields(A& a, typename A::template Of<Recurrent>& x) {
  a.all(x, field("recurrent", x.kind), field("direction", x.direction), field("hidden", x.hidden),
        field("linear_before_reset", x.linear_before_reset), field("peepholes", x.peepholes),
        field("last_cell", x.last_cell));
}
template <typename A>
void fields(A& a, typename A::template Of<TopK>& x) {
  a.all(x, field("k", x.k), field("axis", x.axis), field("largest", x.largest), field("output", x.output));
}
template <typename A>
void fields(A& a, typename A::template Of<GridSample>& x) {
  a.all(x, field("mode", x.mode), field("padding", x.padding), field("align_corners", x.align_corners));
}
template <typename A>
void fields(A& a, typename A::template Of<Reshape>& x) {
  a.all(x, field("shape", x.shape));
}
template <typename A>
void fields(A& a, typename A::template Of<Transpose>& x) {
  a.all(x, field("axes", x.axes));
}
template <typename A>
void fields(A& a, typename A::template Of<Slice>& x) {
  a.all(x, field("begins", x.begins), field("steps", x.steps), field("shape", x.shape));
}
template <typename A>
void fields(A& a, typename A::template Of<Pad>& x) {
  a.all(x, field("mode", x.mode), field("begins", x.begins), field("ends", x.ends), any_number("value", x.value));
}
template <typename A>
void fields(A& a, typename A::template Of<Resize>& x) {
  a.all(x, field("mode", x.mode), field("coordinates", x.coordinates), field("rounding", x.rounding),
        field("scales", x.scales), field("shape", x.shape));
}
template <typename A>
void fields(A& a, typename A::template Of<Softmax>& x) {
  a.all(x, field("axis", x.axis));
}
template <typename A>
void fields(A& a, typename A::template Of<Lrn>& x) {
  a.all(x, field("size", x.size), field("alpha", x.alpha), field("beta", x.beta), field("bias", x.bias));
}
template <typename A>
void fields(A& a, typename A::template Of<Reduce>& x) {
  a.all(x, field("reduce", x.kind), field("axes", x.axes), field("keep_dims", x.keep_dims), field("last", x.last));
}
template <typename A>
void fields(A& a, typename A::template Of<Opaque>& x) {
  a.all(x, field("type", x.type), field("place", x.place), field("shape", x.shape));
}

template <typename A>
void fields(A& a, typename A::template Of<Value>& x) {
  a.row(x, field(x.producer), field(x.begin), field(x.end));
}

template <typename A>
void fields(A& a, typename A::template Of<Step>& x) {
  a.only(x, field(x.units));
}
template <typename A>
void fields(A& a, typename A::template Of<Group>& x) {
  a.only(x, field(x.steps));
}
template <typename A>
void fields(A& a, typename A::template Of<Stage>& x) {
  a.only(x, field(x.groups));
}
template <typename A>
void fields(A& a, typename A::template Of<Schedule>& x) {
  a.all(x, field("name", x.name), field("stages", x.stages));
}

// A graph is written as this: the rest of it follows from this.
struct OperatorRecord {
  std::string name;
  Attributes attributes;
  std::vector<Value> inputs;
  UnitId unit;  // invalid for a source
};
struct UnitRecord {
  std::string name;
  std::string hint;
};
struct PartRecord {
  std::string name;
  std::size_t units = 0;  // so many of those that follow
  bool continued = false;
};
struct ConstantRecord {
  OperatorId constant;
  Tensor value;
};
struct MemberRecord {
  std::string name;
  std::vector<OperatorId> operators;
};
struct GraphRecord {
  std::string name;
  std::vector<OperatorRecord> operators;
  std::vector<UnitRecord> units;
  std::vector<PartRecord> parts;
  std::vector<ConstantRecord> constants;  // the small ones
  std::vector<OperatorId> unbiased;       // of kinds that may have a bias, those without
  std::vector<MemberRecord> networks;     // each operator is in one, if there are any
};

template <typename A>
void fields(A& a, typename A::template Of<OperatorRecord>& x) {
  a.all(x, field("name", x.name), field("attributes", x.attributes), field("inputs", x.inputs), field("unit", x.unit));
}
template <typename A>
void fields(A& a, typename A::template Of<UnitRecord>& x) {
  a.all(x, field("name", x.name), field("hint", x.hint));
}
template <typename A>
void fields(A& a, typename A::template Of<PartRecord>& x) {
  a.all(x, field("name", x.name), field("units", x.units), field("continued", x.continued));
}
template <typename A>
void fields(A& a, typename A::template Of<ConstantRecord>& x) {
  a.all(x, field("constant", x.constant), field("value", x.value));
}
template <typename A>
void fields(A& a, typename A::template Of<MemberRecord>& x) {
  a.all(x, field("name", x.name), field("operators", x.operators));
}
template <typename A>
void fields(A& a, typename A::template Of<GraphRecord>& x) {
  a.all(x, field("name", x.name), field("operators", x.operators), field("units", x.units), field("parts", x.parts),
        field("constants", x.constants), field("unbiased", x.unbiased), later(field("networks", x.networks)));
}

std::vector<PartRecord> part_records(const Graph& graph);
// Returns the same graph in these parts. The error's place is inside the list ("[3]").
Result<Graph> with_parts(const Graph& graph, std::vector<PartRecord> records);

GraphRecord record_of(const Graph& graph);
// Makes the graph of a record. The error's place is inside the record. What the record does not hold of weights and
// constants is made up.
Result<Graph> graph_of(GraphRecord record);

}  // namespace iosx::wire
