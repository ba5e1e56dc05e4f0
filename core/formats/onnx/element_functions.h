#pragma once

#include <span>
#include <string_view>

#include "core/formats/onnx/host_tensor.h"
#include "core/model/graph/activation.h"
#include "core/model/graph/attributes.h"

// These are ONNX's operators that are one function of our graphs: one row serves folding, conversion and export.
namespace iosx::onnx_import {

// Is a function of one tensor, element by element.
struct ElementFunction {
  // Names an attribute that is a parameter of the function, and what it is where it is absent.
  struct Parameter {
    std::string_view attribute;
    float absent = 0;
  };
  std::string_view op_type;
  ActivationKind kind = ActivationKind::kIdentity;
  Parameter alpha = {};
  Parameter beta = {};
  ElementType result = ElementType::kUndefined;  // undefined: the input's
};
const ElementFunction* element_function(std::string_view op_type);
const ElementFunction* element_function(ActivationKind kind);
std::span<const ElementFunction> element_functions();

// Is a function of two tensors, element by element; where `many`, of any number of them from the left to the right.
struct BinaryOperator {
  std::string_view op_type;
  BinaryFunction function = BinaryFunction::kAdd;
  bool many = false;
  bool logical = false;                          // of type bool
  ElementType result = ElementType::kUndefined;  // undefined: the first input's
};
const BinaryOperator* binary_operator(std::string_view op_type);
const BinaryOperator* binary_operator(BinaryFunction function);
std::span<const BinaryOperator> binary_operators();

// Reduces along axes. What comes before or after makes one out of another: the logarithm of a sum.
struct ReduceOperator {
  std::string_view op_type;
  ReduceKind kind = ReduceKind::kSum;
  bool exponential = false;  // of e^x
  bool logarithm = false;    // of the result
};
const ReduceOperator* reduce_operator(std::string_view op_type);
std::string_view reduce_op_type(ReduceKind kind);
std::span<const ReduceOperator> reduce_operators();

}  // namespace iosx::onnx_import
