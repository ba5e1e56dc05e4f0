#pragma once

#include <cstdint>
#include <string>

#include "core/model/graph/operator.h"

// Short, lossless text of what an operator computes, for signatures: appended to `text`, free of names.
namespace iosx {

void put_attributes(std::string& text, const Attributes& attributes);

void put(std::string& text, std::int64_t number);
void put(std::string& text, char mark, std::int64_t number);
void put(std::string& text, char mark, const Shape& shape);  // "=64x56x56"

}  // namespace iosx
