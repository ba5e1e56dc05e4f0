#pragma once

#include <functional>
#include <random>
#include <string>

namespace iosx::test {

// Calls `attack` `usual` times, or for the range of the environment variable IOS_ATTACKS: "0-10000", or "7-8" to repeat
// one. Each call gets the random numbers of its index. A call of more than a second of processor time is a failure. One
// that does not end after twenty seconds ends the program.
void attack_often(int usual, const std::function<void(std::mt19937& random)>& attack);

// Returns the text after one to eight random changes of bytes, digits, numbers, lines and pieces.
std::string attacked(std::string text, std::mt19937& random);

}  // namespace iosx::test
