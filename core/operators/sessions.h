#pragma once

#include <optional>
#include <span>
#include <string_view>

// How operators were measured: the cards, and each session's effects on its figures.
namespace iosx::sessions {

// The data sheet of a card on which operators were measured. Its description has the other figures.
struct Card {
  std::string_view name;         // as in the tables
  std::string_view description;  // id of the nearest simulated device, launched by the host
  double sms = 0;
  double clock_ghz = 0;  // boost clock
  double fp32_tflops = 0;
  double memory_gb_per_s = 0;
  double l2_mib = 0;
  double l2_bytes_per_cycle = 0;
  double f16_tflops = 0;  // of tensor cores; 0: none
  double l1_kib = 0;
  double sustained_clock = 1;  // relative to the boost clock, where the session does not tell
};

std::span<const Card> cards();

// A session measured operators of one kind on one card, one after another.
struct Session {
  double clock = 1;             // relative to the boost clock
  double host_us = 0;           // before the first kernel
  double host_us_per_1000 = 0;  // added for each 1,000 operators measured before
  double least_us = 0;          // the host's least time per operator, for any short kernel
};

// Returns the session of "neusight" or "deepbench", a card, and an operator of the tables ("conv", "linear", "add", …;
// "conv16", "gemm16" in float16); none where unknown.
std::optional<Session> find(std::string_view source, std::string_view device, std::string_view kind);

}  // namespace iosx::sessions
