#pragma once

#include <cstdint>
#include <string>

#include "core/model/graph/operator.h"

// Appends a short, lossless text of an operator's computation to `text`, without names, for signatures.
namespace iosx {

void put_attributes(std::string& text, const Attributes& attributes);

void put(std::string& text, std::int64_t number);
void put(std::string& text, char mark, std::int64_t number);
void put(std::string& text, char mark, const Shape& shape);  // "=64x56x56"

}  // namespace iosx
