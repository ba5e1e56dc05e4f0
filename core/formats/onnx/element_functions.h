#pragma once

#include <span>
#include <string_view>

#include "core/formats/onnx/host_tensor.h"
#include "core/model/graph/activation.h"
#include "core/model/graph/attributes.h"

// ONNX's operators that equal one function of our graphs: one row serves folding, conversion and export.
namespace iosx::onnx_import {

// A function of one tensor, element by element.
struct ElementFunction {
  // An attribute that is a parameter of the function, with its default.
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

// A function of two tensors, element by element; with `many`, of any number of them from left to right.
struct BinaryOperator {
  std::string_view op_type;
  BinaryFunction function = BinaryFunction::kAdd;
  bool many = false;
  bool logical = false;                          // on bool
  ElementType result = ElementType::kUndefined;  // undefined: the first input's
};
const BinaryOperator* binary_operator(std::string_view op_type);
const BinaryOperator* binary_operator(BinaryFunction function);
std::span<const BinaryOperator> binary_operators();

// A reduction along axes, with optional steps before and after it, such as the logarithm of a sum.
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
