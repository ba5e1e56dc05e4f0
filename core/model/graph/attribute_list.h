#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/model/graph/attributes.h"
#include "core/model/graph/operator.h"

// The attributes of an operator as a list of names and values, for what shows or sets them without knowing its kind.
namespace iosx {

// An integer (of a choice, the place of its word), a number, a truth, a text, a size along both axes, an activation, a
// list or a shape.
using AttributeValue = std::variant<std::int64_t, double, bool, std::string, Extent, Activation,
                                    std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>, Shape>;

struct AttributeEntry {
  std::string_view name;  // "out_channels", unique in its operator
  Sentence title;         // "Output channels"; people are not shown an attribute without one
  AttributeValue value;
  std::vector<Sentence> words = {};  // of a choice
  std::int64_t least = 0;            // of integers and extents
  std::int64_t most = 0;
  int level = 0;                // files and Python have it after those of lower levels
  bool means_something = true;  // beside the other attributes
  bool usual = false;           // has the value that people are not told of
  bool in_name = false;         // kind_name() says it
  bool fixed = false;           // people cannot change it
  bool fused = false;           // an activation after the operator itself
  bool later = false;           // the kind did not have it before: Python takes it by its name alone
};

// Returns them in the order of their rows (operator_fields.h).
std::vector<AttributeEntry> attribute_list(const Attributes& attributes);

// Sets the attribute of this name. Returns false, and changes nothing, where there is none or it has values of another
// type; an integer is taken for a number, and one or two integers for an extent.
bool set_attribute(Attributes& attributes, std::string_view name, const AttributeValue& value);

// Returns the error of the first integer or extent that is outside of its bounds.
Result<void> check_bounds(const Attributes& attributes);

// Returns the kind whose id is this (an index in Attributes), and default attributes of a kind.
std::optional<std::size_t> kind_of_id(std::string_view id);
Attributes attributes_of_kind(std::size_t kind);

// Appends a short, lossless text of an operator's computation to `text`, without names, for signatures.
void put_attributes(std::string& text, const Attributes& attributes);

void put(std::string& text, std::int64_t number);
void put(std::string& text, char mark, std::int64_t number);
void put(std::string& text, char mark, const Shape& shape);  // "=64x56x56"

// These are the ONNX standard's names for values of attributes, for code that writes its form or speaks its language.
std::string_view onnx_name(ResizeCoordinates coordinates);  // coordinate_transformation_mode
std::string_view onnx_name(ResizeRounding rounding);        // nearest_mode

}  // namespace iosx
