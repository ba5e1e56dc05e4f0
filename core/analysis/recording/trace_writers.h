#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Write spans on named tracks, and arrows between these, in the two formats that Perfetto reads. Both classes have the
// same functions, so that one description of a trace feeds both. Times are in µs.
namespace iosx {

// It says where a span is: span() returned it.
using SpanNumber = std::size_t;

// Writes Chrome trace events, one a line.
class JsonTraceWriter {
 public:
  // Says what is known of a device, as members of a JSON object.
  void device(const std::string& facts) { devices_ += (devices_.empty() ? "{" : ",{") + facts + '}'; }
  void name_process(int process, const std::string& name);
  void name_thread(int process, std::size_t thread, const std::string& name);
  // `arguments` are members of a JSON object.
  SpanNumber span(const std::string& name, const char* category, int process, std::size_t thread, double begin,
                  double end, const std::string& arguments);
  // Draws an arrow from a time within a span to the begin of another one.
  void flow(const std::string& name, SpanNumber from, double at, SpanNumber to);
  std::string take() {
    return R"({"deviceProperties":[)" + devices_ + R"(],"traceEvents":[)" + std::move(text_) + "\n]}\n";
  }

 private:
  struct Place {
    int process;
    std::size_t thread;
    double begin;
  };
  template <typename... Values>
  void event(fmt::format_string<Values...> pattern, Values&&... values);

  std::string devices_;
  std::string text_;
  std::vector<Place> spans_;
  std::size_t flows_ = 0;
};

// Writes Perfetto's protobuf: trace_packet.proto, track_descriptor.proto and track_event.proto. Its arrows have no
// names, so the span at the end of one names it, with the span at its begin. Spans of a thread that overlap are on
// tracks of their own, because those of one track have to nest. It has no place for devices, so an event says what is
// known of each.
class PerfettoTraceWriter {
 public:
  void device(const std::string& facts) { devices_.push_back(facts); }
  void name_process(int process, const std::string& name) { processes_[process] = name; }
  void name_thread(int process, std::size_t thread, const std::string& name) { threads_[{process, thread}] = name; }
  SpanNumber span(const std::string& name, const char* category, int process, std::size_t thread, double begin,
                  double end, const std::string& arguments);
  void flow(const std::string& name, SpanNumber from, double at, SpanNumber to);
  std::string take() const;

 private:
  struct Span {
    std::string name;
    std::string category;
    std::pair<int, std::size_t> thread;
    double begin;
    double end;
    std::string arguments;
    std::vector<std::uint64_t> leaves = {};  // arrows
    std::vector<std::uint64_t> arrives = {};
    std::vector<std::pair<std::string, SpanNumber>> waits = {};  // names of arrows and where they begin
  };

  std::vector<std::string> devices_;
  std::map<int, std::string> processes_;
  std::map<std::pair<int, std::size_t>, std::string> threads_;
  std::vector<Span> spans_;
  std::uint64_t flows_ = 0;
};

// Returns the text as a JSON string, with its quotes.
std::string quoted_json(const std::string& text);

}  // namespace iosx
