#pragma once

#include <type_traits>

#include "core/base/fields.h"
#include "core/base/message.h"
#include "core/model/graph/attributes.h"

// This header says what the attributes of each kind of operator are: one row an attribute, with its name, its title for
// people, its bounds, and how keys write it. Files (core/formats/wire), keys (attribute_list.h), forms, the inspector
// and Python (attribute_list.h), and the check of bounds (shape_inference.h) all follow from the rows. Defaults are
// those of the structs in attributes.h.
namespace iosx {

// How keys write an attribute; see attribute_list.h.
enum class Keyed {
  kValue,   // the mark and the value
  kUnless,  // the same, or nothing where it has the value that was given
  kFlag,    // the mark alone where it has the value that was given, otherwise nothing
  kNo,
};

template <typename T>
struct Attribute : Field<T> {
  using Plain = std::remove_const_t<T>;

  Sentence title = {};               // nobody is shown an attribute without one
  std::int64_t least = -kMostExact;  // these bound integers and both sides of extents
  std::int64_t most = kMostExact;
  Plain usual = {};  // where it has_usual: people are not told of it
  bool has_usual = false;
  bool counts = true;    // false: it means nothing beside the other attributes, and keys leave it out
  bool shown = true;     // false: it means nothing beside the other attributes, but keys have it
  bool in_name = false;  // the kind's name (kind_name()) says it
  bool fixed = false;    // people are shown it but cannot change it
  bool fused = false;    // an activation after the operator itself: only functions that fuse
  Keyed keyed = Keyed::kValue;
  char mark = '_';   // 0 for none
  Plain given = {};  // of Keyed::kUnless and kFlag

  Attribute&& called(Sentence words) && { return title = words, std::move(*this); }
  Attribute&& within(std::int64_t low, std::int64_t high) && { return least = low, most = high, std::move(*this); }
  Attribute&& usually(Plain value) && { return usual = std::move(value), has_usual = true, std::move(*this); }
  Attribute&& only_if(bool condition) && { return counts = condition, std::move(*this); }
  Attribute&& shown_if(bool condition) && { return shown = condition, std::move(*this); }
  Attribute&& named() && { return in_name = true, std::move(*this); }
  Attribute&& unchanged() && { return fixed = true, std::move(*this); }
  Attribute&& key(char with) && { return keyed = Keyed::kValue, mark = with, std::move(*this); }
  Attribute&& key_unless(char with, Plain value) && {
    return keyed = Keyed::kUnless, mark = with, given = std::move(value), std::move(*this);
  }
  Attribute&& key_flag(char with, Plain value) && {
    return keyed = Keyed::kFlag, mark = with, given = std::move(value), std::move(*this);
  }
  Attribute&& no_key() && { return keyed = Keyed::kNo, std::move(*this); }
  Attribute&& at_level(int number) && { return this->level = number, std::move(*this); }
  Attribute&& any() && { return this->any_number = true, std::move(*this); }
  Attribute&& may_be_missing() && { return this->may_lack = true, std::move(*this); }
  // The same, of a bool or an integer; graphs without it keep the text that they had before the kind had it.
  Attribute&& written_if_set() && { return this->may_lack = this->zero_unwritten = true, std::move(*this); }
};

template <typename T>
Attribute<T> attribute(std::string_view name, T& value) {
  return {field(name, value)};
}

// The words of enumerators, in files and for people; empty beyond the last one.
inline Sentence word_of(ActivationKind kind) {
  return static_cast<std::size_t>(kind) < activation_rows().size() ? Sentence{activation_row(kind).name} : Sentence{};
}
inline Sentence word_of(BinaryFunction function) {
  return static_cast<std::size_t>(function) < binary_rows().size() ? Sentence{binary_row(function).name} : Sentence{};
}
inline Sentence word_of(ReduceKind kind) {
  return kind <= ReduceKind::kArgMin ? Sentence{reduce_name(kind)} : Sentence{};
}
// In the order of the enumerators.
constexpr auto words_of(GatherKind) { return std::array{Sentence{"slices"}, Sentence{"elements"}}; }
constexpr auto words_of(PoolKind) {
  return std::array{Sentence{"max"}, Sentence{"average"}, Sentence{"global max"}, Sentence{"global average"}};
}
constexpr auto words_of(PadMode) { return std::array{Sentence{"constant"}, Sentence{"reflect"}, Sentence{"edge"}}; }
constexpr auto words_of(ResizeMode) { return std::array{Sentence{"nearest"}, Sentence{"linear"}}; }
constexpr auto words_of(ResizeCoordinates) {
  return std::array{Sentence{"half pixel"}, Sentence{"pytorch half pixel"}, Sentence{"align corners"},
                    Sentence{"asymmetric"}};
}
constexpr auto words_of(ResizeRounding) {
  return std::array{Sentence{"prefer floor"}, Sentence{"prefer ceil"}, Sentence{"floor"}, Sentence{"ceil"}};
}
constexpr auto words_of(RecurrentKind) { return std::array{Sentence{"rnn"}, Sentence{"gru"}, Sentence{"lstm"}}; }
constexpr auto words_of(RecurrentDirection) {
  return std::array{Sentence{"forward"}, Sentence{"reverse"}, Sentence{"both"}};
}
constexpr auto words_of(TopKOutput) { return std::array{Sentence{"values"}, Sentence{"indices"}}; }
constexpr auto words_of(GridMode) { return std::array{Sentence{"nearest"}, Sentence{"linear"}, Sentence{"cubic"}}; }
constexpr auto words_of(GridPadding) {
  return std::array{Sentence{"zeros"}, Sentence{"border"}, Sentence{"reflection"}};
}

template <typename E>
requires requires(E value) { words_of(value); }
constexpr Sentence word_of(E value) {
  const auto i = static_cast<std::size_t>(value);
  return i < words_of(value).size() ? words_of(value)[i] : Sentence{};
}

template <typename A>
void fields(A& a, typename A::template Of<Activation>& x) {
  a.all(x, field("kind", x.kind), any_number("alpha", x.alpha), any_number("beta", x.beta));
}
template <typename A>
void fields(A& a, typename A::template Of<Extent>& x) {
  a.row(x, field(x.height), field(x.width));
}

// Attributes that several kinds have.
namespace attribute_rows {

inline constexpr Extent kNone{0, 0};

auto out_channels(auto& x) {
  return attribute("out_channels", x).called(Sentence{"Output channels"}).within(1, kMaxExtent).key(0);
}
auto kernel(auto& x) { return attribute("kernel", x).called(Sentence{"Kernel"}).within(1, kMaxExtent).key('k'); }
auto stride(auto& x) {
  return attribute("stride", x).called(Sentence{"Stride"}).within(1, kMaxExtent).key_unless('s', {});
}
auto padding(auto& x) {
  return attribute("padding", x).called(Sentence{"Padding"}).within(0, kMaxExtent).key_unless('p', kNone);
}
auto end_padding(auto& x) {
  return attribute("end_padding", x).called(Sentence{"More padding after"}).usually(kNone).key_unless('e', kNone);
}
auto dilation(auto& x) {
  return attribute("dilation", x).called(Sentence{"Dilation"}).within(1, kMaxExtent).usually({}).key_unless('d', {});
}
auto groups(auto& x) {
  return attribute("groups", x).called(Sentence{"Channel groups"}).within(1, kMaxExtent).usually(1).key_unless('g', 1);
}
auto fused(auto& x) {
  auto made = attribute("activation", x).called(Sentence{"Activation"});
  made.fused = true;
  return made;
}
auto shape(auto& x) { return attribute("shape", x).called(Sentence{"Shape"}).key('='); }
auto axis(auto& x) { return attribute("axis", x).called(Sentence{"Axis"}).within(0, Shape::kMaxRank - 1).key(0); }
auto axes(auto& x) { return attribute("axes", x).called(Sentence{"Axes"}).key('a'); }
auto function(auto& x) { return attribute("function", x).called(Sentence{"Function"}).key(0); }
// An enumerator that is a number in keys.
auto mode(auto& x) { return attribute("mode", x).called(Sentence{"Mode"}).key('m'); }
// A number of the cost of an operator that is not executed, with the letter that it has in keys.
auto cost(std::string_view name, auto& x, Sentence title, bool known, char letter) {
  return attribute(name, x)
      .called(title)
      .within(0, kMostExact)
      .shown_if(known)
      .unchanged()
      .key_unless(letter, 0)
      .written_if_set();
}

inline bool has_window(const Pool& x) { return x.kind == PoolKind::kMax || x.kind == PoolKind::kAverage; }

}  // namespace attribute_rows

// Defines fields() of an operator with these attributes of it, x.
#define IOS_ATTRIBUTES(type, ...)                       \
  template <typename A>                                 \
  void fields(A& a, typename A::template Of<type>& x) { \
    using namespace attribute_rows;                     \
    a.all(x, __VA_ARGS__);                              \
  }                                                     \
  static_assert(true)  // takes the semicolon

template <typename A, typename Kind>
requires OneOf<std::remove_const_t<Kind>, Add, Mul, Where, Identity>
void fields(A& a, Kind& x) { a.all(x); }
IOS_ATTRIBUTES(Input, shape(x.shape).no_key());  // said where it is read
IOS_ATTRIBUTES(Constant, shape(x.shape).no_key());
IOS_ATTRIBUTES(
    Conv, out_channels(x.out_channels), kernel(x.kernel), stride(x.stride), padding(x.padding),
    end_padding(x.end_padding).at_level(1), dilation(x.dilation), groups(x.groups), fused(x.activation),
    attribute("merged_from", x.merged_from).called(Sentence{"Merged from"}).usually({}).unchanged().no_key());
IOS_ATTRIBUTES(ConvTranspose, out_channels(x.out_channels), kernel(x.kernel), stride(x.stride), padding(x.padding),
               end_padding(x.end_padding).key('e').at_level(1),
               attribute("output_padding", x.output_padding)
                   .called(Sentence{"Output padding"})
                   .within(0, kMaxExtent)
                   .usually(kNone)
                   .key('o')
                   .at_level(1),
               dilation(x.dilation).key('d'), groups(x.groups).key('g'), fused(x.activation));
IOS_ATTRIBUTES(Pool, attribute("pool", x.kind).called(Sentence{"Pooling"}).named().no_key(),
               kernel(x.kernel).only_if(has_window(x)), stride(x.stride).only_if(has_window(x)),
               padding(x.padding).only_if(has_window(x)), end_padding(x.end_padding).only_if(has_window(x)).at_level(2),
               dilation(x.dilation).only_if(has_window(x)).at_level(1),
               attribute("ceil_mode", x.ceil_mode)
                   .called(Sentence{"Round sizes up"})
                   .usually(false)
                   .only_if(has_window(x))
                   .key_flag('c', true),
               attribute("count_padding", x.count_padding)
                   .called(Sentence{"Count the padding"})
                   .usually(true)
                   .only_if(has_window(x))
                   .key_flag('x', false)
                   .at_level(1));
IOS_ATTRIBUTES(Activate, function(x.function));
IOS_ATTRIBUTES(Affine, fused(x.activation),
               attribute("shift_first", x.shift_first)
                   .called(Sentence{"Shift first"})
                   .usually(false)
                   .key_flag('f', true)
                   .written_if_set());
IOS_ATTRIBUTES(Binary, function(x.function).named().no_key());
IOS_ATTRIBUTES(Concat, axis(x.axis).key_unless(0, 0));
IOS_ATTRIBUTES(
    Linear, attribute("out_features", x.out_features).called(Sentence{"Output features"}).within(1, kMaxExtent).key(0),
    axis(x.axis).called(Sentence{"Features from axis"}).usually(0).key_unless('x', 0).at_level(1), fused(x.activation));
IOS_ATTRIBUTES(MatMul, attribute("sparse", x.sparse).key_flag('z', true).may_be_missing());
IOS_ATTRIBUTES(Recurrent, attribute("recurrent", x.kind).called(Sentence{"Cell"}).named().key(0),
               attribute("direction", x.direction).called(Sentence{"Direction"}).key('d'),
               attribute("hidden", x.hidden).called(Sentence{"Hidden units"}).within(1, kMaxExtent).key('h'),
               attribute("linear_before_reset", x.linear_before_reset)
                   .called(Sentence{"Reset after the product"})
                   .usually(false)
                   .key_flag('l', true),
               attribute("peepholes", x.peepholes).called(Sentence{"Peepholes"}).usually(false).key_flag('p', true),
               attribute("last_cell", x.last_cell)
                   .called(Sentence{"Return the last cell state"})
                   .usually(false)
                   .key_flag('c', true));
IOS_ATTRIBUTES(TopK, attribute("k", x.k).called(Sentence{"Elements"}).within(1, kMaxExtent).key(0),
               axis(x.axis).key('a'), attribute("largest", x.largest).called(Sentence{"Largest"}).key_flag('s', false),
               attribute("output", x.output).called(Sentence{"Output"}).key_flag('i', TopKOutput::kIndices));
IOS_ATTRIBUTES(
    GridSample, mode(x.mode), attribute("padding", x.padding).called(Sentence{"Outside"}).key('p'),
    attribute("align_corners", x.align_corners).called(Sentence{"Align corners"}).usually(false).key_flag('a', true));
IOS_ATTRIBUTES(Reshape, shape(x.shape));
IOS_ATTRIBUTES(Expand, shape(x.shape));
IOS_ATTRIBUTES(Transpose, axes(x.axes));
IOS_ATTRIBUTES(Slice, attribute("begins", x.begins).called(Sentence{"Begins"}).key('b'),
               attribute("steps", x.steps).called(Sentence{"Steps"}).key('s'), shape(x.shape));
IOS_ATTRIBUTES(
    Pad, mode(x.mode), attribute("begins", x.begins).called(Sentence{"Before"}).key('b'),
    attribute("ends", x.ends).called(Sentence{"After"}).key('e'),
    attribute("value", x.value).called(Sentence{"Value"}).any().shown_if(x.mode == PadMode::kConstant).key('v'));
IOS_ATTRIBUTES(
    Resize, mode(x.mode), attribute("coordinates", x.coordinates).called(Sentence{"Coordinates"}).key('c'),
    attribute("rounding", x.rounding).called(Sentence{"Rounding"}).shown_if(x.mode == ResizeMode::kNearest).key('r'),
    attribute("scales", x.scales).called(Sentence{"Scales"}).unchanged().key('s'), shape(x.shape));
IOS_ATTRIBUTES(Gather, attribute("gather", x.kind).called(Sentence{"Elements or slices"}).named().no_key(),
               axis(x.axis));
IOS_ATTRIBUTES(Softmax, axis(x.axis));
IOS_ATTRIBUTES(Normalize, axis(x.axis).called(Sentence{"From axis"}),
               attribute("epsilon", x.epsilon).called(Sentence{"ε"}).key('e'),
               attribute("centred", x.centred).called(Sentence{"Subtract the mean"}).named().no_key(),
               attribute("scaled", x.scaled).called(Sentence{"Scale and bias"}).key_flag('s', true));
IOS_ATTRIBUTES(Lrn, attribute("size", x.size).called(Sentence{"Channels"}).within(1, kMaxExtent).key(0),
               attribute("alpha", x.alpha).called(Sentence{"α"}), attribute("beta", x.beta).called(Sentence{"β"}),
               attribute("bias", x.bias).called(Sentence{"Bias"}));
IOS_ATTRIBUTES(
    Reduce, attribute("reduce", x.kind).called(Sentence{"Function"}).named().no_key(), axes(x.axes),
    attribute("keep_dims", x.keep_dims).called(Sentence{"Keep the axes"}).key_flag('k', true),
    attribute("last", x.last).called(Sentence{"Last of equal elements"}).shown_if(is_arg(x.kind)).key_flag('l', true));
IOS_ATTRIBUTES(Opaque, attribute("type", x.type).called(Sentence{"Type"}).key(0),
               attribute("place", x.place).called(Sentence{"Place"}).usually({}).unchanged().no_key(), shape(x.shape),
               attribute("costed", x.costed)
                   .called(Sentence{"Known cost"})
                   .usually(false)
                   .unchanged()
                   .key_flag('c', true)
                   .written_if_set(),
               cost("flops", x.flops, Sentence{"FLOP of one sample"}, x.costed, 'f'),
               cost("parameters", x.parameters, Sentence{"Parameters"}, x.costed, 'p'),
               cost("weight_bytes", x.weight_bytes, Sentence{"Bytes of weights"}, x.costed, 'w'),
               attribute("guessed", x.guessed)
                   .called(Sentence{"Unknown shape"})
                   .usually(false)
                   .unchanged()
                   .no_key()
                   .written_if_set());

}  // namespace iosx
