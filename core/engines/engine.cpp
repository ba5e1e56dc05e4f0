#include "core/engines/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/devices/measure/stop_rule.h"
#include "core/formats/npy.h"

namespace iosx {
namespace {

constexpr Seconds kGreeting{20};  // a cold disk, and Python's start
constexpr std::size_t kMostText = 2000;
constexpr std::size_t kMostOperators = 1'000'000;
constexpr double kLongestRun = 1e9;  // in ms
constexpr std::size_t kMostAnswer = std::size_t{16} << 20;
constexpr std::size_t kMostSaid = 500;

// PYTHONPATH would be handed on to whatever an adapter starts.
constexpr const char* kRun = R"(import os, runpy, sys
script, own_adapters = sys.argv[1:]
sys.argv = [script]
if sys.path[:1] == ['']:
    del sys.path[0]
sys.path[:0] = [os.path.dirname(script), own_adapters]
runpy.run_path(script, run_name='__main__')
)";

// Starts a Python interpreter. Its standard error goes to the file.
Result<ChildProcess> start_python(const std::string& python, const std::vector<std::string>& arguments,
                                  const std::filesystem::path& errors) {
  std::vector<std::string> command{python};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto started = ChildProcess::start(command, errors);
  if (started) return started;
  Error error = std::move(started.error());
  return fail(std::move(error.what), std::move(error.where), message("name a Python interpreter with --python"));
}

// Starts an adapter. It imports from its own folder, then from the folder of the program's own adapters.
Result<ChildProcess> start_adapter(const std::string& python, const std::filesystem::path& script,
                                   const std::filesystem::path& own_adapters, const std::filesystem::path& errors) {
  // -B: what is compiled of the scripts need not be kept; -u: nothing waits in a buffer.
  return start_python(python, {"-B", "-u", "-c", kRun, script.string(), own_adapters.string()}, errors);
}

// Sends one request to an adapter and returns its reply, an object with "ok": true. Errors: the text of "error" in a
// reply that is not ok, an invalid reply, the adapter's end, a timeout, a stop. Without a reply the adapter is ended.
Result<nlohmann::json> ask(ChildProcess& adapter, const nlohmann::json& request, Seconds limit, const JobContext& job) {
  const Patience patience{limit, job.stop};
  auto line =
      adapter.write_line(request.dump(), patience).and_then([&] { return adapter.read_line(kMostAnswer, patience); });
  if (!line) {
    adapter.end();
    return tl::unexpected(std::move(line.error()));
  }
  auto answer = parse_json(*line, "answer");
  if (!answer || !answer->is_object() || !answer->contains("ok") || !answer->at("ok").is_boolean()) {
    adapter.end();
    return fail(message("its adapter sent an invalid reply: {}", in_quotes(printable(*line))));
  }
  if (answer->at("ok").get<bool>()) return std::move(*answer);
  const auto said = answer->find("error");
  if (said == answer->end() || !said->is_string()) return fail(message("its adapter refused without a reason"));
  return fail(verbatim(printable(said->get<std::string>().substr(0, kMostSaid))));
}

// Writes the program's own adapters into the folder and returns their paths, sorted by name.
Result<std::vector<std::filesystem::path>> write_adapters(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> scripts;
  for (const engines::AdapterFile& file : engines::adapter_files()) {
    const std::filesystem::path path = folder / file.name;
    std::error_code wrong;
    std::filesystem::create_directories(path.parent_path(), wrong);
    std::ofstream stream(path, std::ios::binary);
    stream << file.text;
    stream.close();
    if (!stream) return fail(message("cannot be written"), path.string(), message("check the free space"));
    if (file.name != engines::kSharedFile && path.parent_path() == folder) scripts.push_back(path);
  }
  std::ranges::sort(scripts);
  return scripts;
}

// Reads the replies of adapters, which are untrusted.
class Answer {
 public:
  explicit Answer(Json json) : errors_("answer"), json_(std::move(json)), view_(json_, errors_) {}
  const JsonView& view() const { return view_; }
  // The first thing that was wrong in what was read.
  Result<void> check() const {
    if (!errors_.error()) return {};
    return fail(message("its adapter sent an invalid reply: {}", errors_.error()->line()));
  }

 private:
  FirstError errors_;
  Json json_;
  JsonView view_;
};

std::vector<std::string> texts(const JsonView& view, std::string_view key) {
  std::vector<std::string> all;
  if (!view.has(key)) return all;
  for (const JsonView& item : view.at(key).items()) all.push_back(printable(item.text(kMostText)));
  return all;
}

std::map<std::string, std::string> versions_in(const Json& answer) {
  std::map<std::string, std::string> versions;
  const auto found = answer.find("versions");
  if (found == answer.end() || !found->is_object()) return versions;
  for (const auto& [name, version] : found->items()) {
    if (version.is_string()) versions[printable(name)] = printable(version.get<std::string>());
  }
  return versions;
}

Result<std::vector<EngineInfo>> engines_of(const std::filesystem::path& script, const EngineSettings& settings,
                                           const std::filesystem::path& scratch, const JobContext& job) {
  IOS_TRY(auto adapter, start_adapter(settings.python, script, scratch, scratch / "hello.txt"));
  auto greeted = ask(adapter, {{"do", "hello"}}, kGreeting, job);
  if (!greeted) {
    Error error = std::move(greeted.error());
    if (const std::string words = last_words(scratch / "hello.txt"); !words.empty()) {
      error.what = message("{}; its message: {}", error.what, words);
    }
    return tl::unexpected(std::move(error));
  }
  const auto said = std::move(*greeted);
  const Answer answer(said);
  EngineInfo common{.id = {}, .title = {}, .adapter = script, .own_adapters = scratch, .versions = versions_in(said)};
  common.devices = texts(answer.view(), "devices");
  common.missing = texts(answer.view(), "missing");
  if (answer.view().has("install")) common.install = printable(answer.view().at("install").text(kMostText));
  std::vector<EngineInfo> found;
  for (const JsonView& engine : answer.view().at("engines").items()) {
    found.push_back(common);
    found.back().id = printable(engine.at("id").name());
    found.back().title = printable(engine.at("title").name());
    if (engine.has("devices")) found.back().devices = texts(engine, "devices");
  }
  IOS_TRY(answer.check());
  return found;
}

Result<std::vector<std::filesystem::path>> scripts_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> scripts;
  std::error_code wrong;
  for (std::filesystem::directory_iterator it(folder, wrong), end; !wrong && it != end; it.increment(wrong)) {
    if (it->path().extension() == ".py" && it->path().filename() != engines::kSharedFile) scripts.push_back(it->path());
  }
  if (wrong) return fail(verbatim(wrong.message()), folder.string(), message("name a folder with adapters"));
  if (scripts.empty())
    return fail(message("has no adapters (*.py)"), folder.string(), message("name a folder with adapters"));
  std::ranges::sort(scripts);
  return scripts;
}

// Puts the chosen ones into the order of their choice.
Result<std::vector<EngineInfo>> chosen_of(std::vector<EngineInfo> found, const std::vector<std::string>& chosen,
                                          const std::vector<Message>& notices) {
  if (chosen.empty()) return found;
  std::vector<EngineInfo> picked;
  for (const std::string& id : chosen) {
    const auto engine = std::ranges::find(found, id, &EngineInfo::id);
    if (engine == found.end()) {
      std::string known;
      for (const EngineInfo& one : found) known += (known.empty() ? "" : ", ") + one.id;
      auto what = notices.empty() ? message("is not an engine") : message("is not an engine; {}", notices.front());
      return fail(std::move(what), id, message("available: {}", known));
    }
    if (std::ranges::count(picked, id, &EngineInfo::id) == 0) picked.push_back(*engine);
  }
  return picked;
}

// Lets an engine's process run while this lives.
class Awake {
 public:
  explicit Awake(ChildProcess& process) : process_(process) { process_.resume(); }
  ~Awake() { process_.pause(); }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;

 private:
  ChildProcess& process_;
};

}  // namespace

Result<std::vector<EngineInfo>> find_engines(const EngineSettings& settings, const std::filesystem::path& scratch,
                                             const JobContext& job, std::vector<Message>& notices) {
  IOS_TRY(auto scripts, write_adapters(scratch));
  if (!settings.adapters.empty()) {
    IOS_TRY(const auto more, scripts_in(settings.adapters));
    scripts.insert(scripts.end(), more.begin(), more.end());
  }
  // An interpreter that does not start would be every adapter's fault.
  IOS_TRY(start_python(settings.python, {"--version"}, scratch / "hello.txt"));
  std::vector<EngineInfo> found;
  for (const std::filesystem::path& script : scripts) {
    auto engines = engines_of(script, settings, scratch, job);
    if (!engines && job.stopped()) return tl::unexpected(std::move(engines.error()));
    if (!engines) {
      notices.push_back(message("{}: {}", script.filename().string(), engines.error().line()));
      continue;
    }
    for (EngineInfo& engine : *engines) {
      // A later folder's adapter takes the place of one of the program's own.
      std::erase_if(found, [&](const EngineInfo& other) { return other.id == engine.id; });
      found.push_back(std::move(engine));
    }
  }
  if (found.empty() && !notices.empty())
    return fail(notices.front(), settings.python, message("name a Python interpreter with --python"));
  return chosen_of(std::move(found), settings.chosen, notices);
}

Engine::Engine(EngineInfo info, EngineNetwork network, ChildProcess process, std::filesystem::path scratch,
               Seconds limit)
    : info_(std::move(info)),
      network_(std::move(network)),
      process_(std::move(process)),
      scratch_(std::move(scratch)),
      limit_(limit) {}

Result<Engine> Engine::load(const EngineInfo& info, const EngineNetwork& network, const EngineSettings& settings,
                            const std::filesystem::path& scratch, const JobContext& job) {
  const auto placed = [&](Error error) {
    if (error.where.empty()) error.where = info.title;
    return tl::unexpected(std::move(error));
  };
  std::error_code wrong;
  std::filesystem::create_directories(scratch, wrong);
  if (wrong) return fail(verbatim(wrong.message()), scratch.string());
  auto process = start_adapter(settings.python, info.adapter, info.own_adapters, scratch / "said.txt");
  if (!process) return placed(std::move(process.error()));
  Engine engine(info, network, std::move(*process), scratch, settings.limit);
  if (auto prepared = engine.prepare(job); !prepared) return placed(std::move(prepared.error()));
  return engine;
}

Result<void> Engine::prepare(const JobContext& job) {
  Json request{{"do", "load"},
               {"engine", info_.id},
               {"model", network_.model.string()},
               {"inputs", Json::array()},
               {"threads", network_.threads},
               {"device", network_.device},
               {"precision", network_.precision == "f32" ? "float32" : network_.precision},
               {"work", scratch_.string()}};
  for (const EngineNetwork::Input& input : network_.inputs) {
    request["inputs"].push_back({{"name", input.name}, {"file", input.file.string()}});
  }
  const auto begin = std::chrono::steady_clock::now();
  auto said = ask(process_, request, limit_, job);
  process_.pause();
  if (!said) return tl::unexpected(std::move(said.error()));
  prepared_in_ = std::chrono::steady_clock::now() - begin;
  if (auto versions = versions_in(*said); !versions.empty()) info_.versions = std::move(versions);
  const Answer answer(std::move(*said));
  if (answer.view().has("settings")) settings_ = printable(answer.view().at("settings").text(kMostText));
  return answer.check();
}

Result<std::vector<Tensor>> Engine::outputs(const JobContext& job) {
  const Awake awake(process_);
  IOS_TRY(auto said, ask(process_, {{"do", "outputs"}, {"folder", scratch_.string()}}, limit_, job));
  const Answer answer(std::move(said));
  std::vector<std::pair<std::string, std::string>> written;
  for (const JsonView& output : answer.view().at("outputs").items()) {
    written.emplace_back(output.at("name").text(kMostText), output.at("file").text(kMostText));
  }
  IOS_TRY(answer.check());
  std::vector<Tensor> tensors;
  for (const FileTensor& output : network_.outputs) {
    const auto found = std::ranges::find(written, output.name, &std::pair<std::string, std::string>::first);
    if (found == written.end()) return fail(message("does not compute the output {}", in_quotes(output.name)));
    IOS_TRY(auto tensor, read_npy(found->second, output.shape()));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<Latency> Engine::time(const TimingOptions& timing, const JobContext& job, std::vector<Millis>* runs) {
  const Awake awake(process_);
  TimingOptions rest = timing;
  rest.warmup = 0;  // the adapter does it
  StopRule rule(rest);
  rule.start();
  for (int warmup = timing.warmup; !rule.done(); warmup = 0) {
    const auto left = std::max(timing.max_repeats - static_cast<int>(rule.timed()), 1);
    const int wanted = std::clamp(timing.repeats, 1, left);
    IOS_TRY(auto said, ask(process_,
                           {{"do", "time"},
                            {"warmup", warmup},
                            {"runs", wanted},
                            {"seconds", Seconds(timing.min_time).count()},
                            {"most", left}},
                           limit_, job));
    const Answer answer(std::move(said));
    std::vector<Millis> samples;
    for (const JsonView& sample : answer.view().at("ms").items()) samples.emplace_back(sample.non_negative());
    IOS_TRY(answer.check());
    if (samples.empty()) return fail(message("its adapter measured no time"));
    for (const Millis sample : samples) {
      if (sample.count() > kLongestRun) return fail(message("its adapter returned a time of {:g} ms", sample.count()));
      if (!rule.done()) rule.add(sample);
    }
  }
  if (runs != nullptr) *runs = rule.samples();
  return rule.latency();
}

Result<std::vector<EngineOperator>> Engine::profile(const JobContext& job) {
  const Awake awake(process_);
  IOS_TRY(auto said, ask(process_, {{"do", "profile"}}, limit_, job));
  const Answer answer(std::move(said));
  std::vector<EngineOperator> operators;
  for (const JsonView& one : answer.view().at("operators").items()) {
    if (operators.size() == kMostOperators) return fail(message("its adapter has too many operators"));
    operators.push_back({one.at("name").text(kMostText), one.has("kind") ? one.at("kind").text(kMostText) : "",
                         Millis(one.at("ms").non_negative())});
  }
  IOS_TRY(answer.check());
  return operators;
}

}  // namespace iosx
