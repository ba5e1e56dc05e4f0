#include "tests/support/attacks.h"

#include <condition_variable>
#include <ctime>
#include <mutex>

#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

constexpr double kSlowSeconds = 1;  // of processor time, which other programs do not change
constexpr std::chrono::seconds kEndless{20};

// Ends the program while an attack does not end.
class Watchdog {
 public:
  explicit Watchdog(int attack)
      : thread_([this, attack](const std::stop_token& end) {
          std::unique_lock lock(mutex_);
          ended_.wait_for(lock, end, kEndless, [&] { return end.stop_requested(); });
          if (end.stop_requested()) return;
          fmt::print(stderr, "attack {} does not end\n", attack);
          std::abort();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

std::size_t below(std::size_t end, std::mt19937& random) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

// Puts something else in place of the number around or after a place.
void replace_number(std::string& text, std::size_t at, std::mt19937& random) {
  constexpr auto kOthers = std::to_array(
      {"-1", "0", "1", "1e308", "-0.5", "4294967296", "9223372036854775807", "18446744073709551616", "null", "[]"});
  constexpr std::string_view kDigits = "0123456789.";
  at = text.find_first_of(kDigits, at);
  if (at == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
  text.replace(at, end - at, kOthers.at(below(kOthers.size(), random)));
}

// Deletes or repeats the line of a place.
void change_line(std::string& text, std::size_t at, std::mt19937& random) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
  const std::string line = text.substr(begin, end - begin);
  if (random() % 2 == 0) {
    text.erase(begin, line.size());
  } else {
    text.insert(begin, line);
  }
}

}  // namespace

void attack_often(int usual, const std::function<void(std::mt19937&)>& attack) {
  int first = 0;
  int end = usual;
  if (const char* const range = std::getenv("IOS_ATTACKS"); range != nullptr) {
    ASSERT_EQ(std::sscanf(range, "%d-%d", &first, &end), 2) << "IOS_ATTACKS is no range, such as 0-10000";
  }
  double slowest = 0;
  for (int i = first; i < end && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("attack {}", i));
    std::mt19937 random(static_cast<std::uint32_t>(i));
    const std::clock_t begin = std::clock();
    {
      const Watchdog watchdog(i);
      attack(random);
    }
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(took, kSlowSeconds);
    slowest = std::max(slowest, took);
  }
  testing::Test::RecordProperty("attacks", end - first);
  testing::Test::RecordProperty("slowest_s", fmt::format("{:.3f}", slowest));
}

std::string attacked(std::string text, std::mt19937& random) {
  constexpr std::size_t kPiece = 200;
  for (std::size_t changes = 1 + below(8, random); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size(), random);
    switch (random() % 6) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text[at] = static_cast<char>('0' + random() % 10); break;
      case 2: text.erase(at, below(kPiece, random)); break;
      case 3: text.insert(below(text.size(), random), text.substr(at, below(kPiece, random))); break;
      case 4: change_line(text, at, random); break;
      default: replace_number(text, at, random);
    }
  }
  return text;
}

}  // namespace iosx::test
