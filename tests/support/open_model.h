#pragma once

#include <cstdint>
#include <string>
#include <vector>

// ONNX models, byte for byte, for tests without ONNX's own classes.
namespace iosx::test {

struct OpenInput {
  std::string name;
  std::vector<std::string> axes;  // each a size, or the name of an open axis
  int type = 1;                   // ONNX's number: 1 float32, 7 int64
};

// Returns a model of opset 17 whose inputs go through a Relu each, to outputs "NAME/out"; with `twice`, the same
// values are also outputs "NAME/again".
std::string open_model(const std::vector<OpenInput>& inputs, bool twice = false);

}  // namespace iosx::test
