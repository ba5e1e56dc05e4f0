#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json_stream.h"

namespace iosx::external {

// Reads a large JSON text of which only the elements of some lists matter. One element at a time is in memory.
class JsonElements final : public JsonSink {
 public:
  // Takes the key of the list and an element; what it returns, where that is not empty, refuses the file.
  using Take = std::function<Message(std::string_view list, const nlohmann::json& element)>;
  JsonElements(std::vector<std::string_view> lists, Take take) : lists_(std::move(lists)), take_(std::move(take)) {}

  // Errors: those of the source, no JSON, an element with too many values or levels, or a refusal.
  Result<void> read(ByteSource& source, const std::string& origin);

  bool begin(bool object) override;
  bool end(bool object) override;
  bool key(std::string_view text) override;
  bool string(std::string_view text) override;
  bool number(std::string_view text) override;
  bool literal(std::string_view word) override;

 private:
  bool inside() const { return list_depth_ > 0 && depth_ > list_depth_; }
  bool refuse(Message why);
  bool full();
  nlohmann::json* add(nlohmann::json value);

  std::vector<std::string_view> lists_;
  Take take_;
  nlohmann::json element_;
  std::vector<nlohmann::json*> open_;  // its lists and objects that are not closed
  std::string key_;
  std::string list_;  // the key of the list that is read now
  std::size_t depth_ = 0;
  std::size_t list_depth_ = 0;  // of that list; 0: none is read
  std::size_t values_ = 0;
  Message refusal_;
};

}  // namespace iosx::external
