#include "core/engines/ask_adapter.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/printable.h"
#include "core/engines/adapter_files.h"

namespace iosx::engines {
namespace {

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

}  // namespace

Result<ChildProcess> start_python(const std::string& python, const std::vector<std::string>& arguments,
                                  const std::filesystem::path& errors) {
  std::vector<std::string> command{python};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto started = ChildProcess::start(command, errors);
  if (started) return started;
  Error error = std::move(started.error());
  return fail(std::move(error.what), std::move(error.where), message("name a Python interpreter with --python"));
}

Result<ChildProcess> start_adapter(const std::string& python, const std::filesystem::path& script,
                                   const std::filesystem::path& own_adapters, const std::filesystem::path& errors) {
  // -B: what is compiled of the scripts need not be kept; -u: nothing waits in a buffer.
  return start_python(python, {"-B", "-u", "-c", kRun, script.string(), own_adapters.string()}, errors);
}

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

Result<std::vector<std::filesystem::path>> write_adapters(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> scripts;
  for (const AdapterFile& file : adapter_files()) {
    const std::filesystem::path path = folder / file.name;
    std::error_code wrong;
    std::filesystem::create_directories(path.parent_path(), wrong);
    std::ofstream stream(path, std::ios::binary);
    stream << file.text;
    stream.close();
    if (!stream) return fail(message("cannot be written"), path.string(), message("check the free space"));
    if (file.name != kSharedFile && path.parent_path() == folder) scripts.push_back(path);
  }
  std::ranges::sort(scripts);
  return scripts;
}

}  // namespace iosx::engines
