#pragma once

#include <optional>
#include <span>
#include <string_view>

// Facts about how operators were measured, beside what was measured: the cards, and what each session did to its
// figures.
namespace iosx::sessions {

// Holds the data sheet of a card that operators were measured on. What is not here is its description's.
struct Card {
  std::string_view name;         // as in the tables
  std::string_view description;  // id of the nearest simulated device, launched by the host
  double sms = 0;
  double clock_ghz = 0;  // boost
  double fp32_tflops = 0;
  double memory_gb_per_s = 0;
  double l2_mib = 0;
  double l2_bytes_per_cycle = 0;
  double f16_tflops = 0;  // of tensor cores; 0: none
  double l1_kib = 0;
  double sustained_clock = 1;  // part of the boost clock, where the session does not say
};

std::span<const Card> cards();

// A session measured operators of one kind on one card, one after another.
struct Session {
  double clock = 1;             // over the boost clock
  double host_us = 0;           // before the first kernel
  double host_us_per_1000 = 0;  // more of that for each 1,000 operators measured before
  double least_us = 0;          // that the host needs for an operator, however short its kernels
};

// Returns the session of "neusight" or "deepbench", a card, and an operator as in the tables ("conv", "linear", "add",
// …; "conv16", "gemm16" in float16); nothing where it is not known.
std::optional<Session> find(std::string_view source, std::string_view device, std::string_view kind);

}  // namespace iosx::sessions
