#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/message.h"
#include "core/base/result.h"

// The descriptions' JSON, read key by key.
namespace iosx::simulated {

// Takes the values of one JSON object, each key once. It keeps the first mistake; later calls are harmless.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& object, std::string path, std::optional<Error>& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object_.is_object()) mistake("", message("is not an object"));
  }

  double number(const char* key, double least, double most) {
    const nlohmann::json* value = take(key);
    if (value == nullptr) return least;
    const double result = value->is_number() ? value->get<double>() : std::nan("");
    if (!(result >= least && result <= most)) {
      mistake(key, message("must be a number from {} to {}", plain(least), plain(most)));
      return least;
    }
    return result;
  }

  bool has(const std::string& key) const { return object_.is_object() && object_.contains(key); }

  int integer(const char* key, int least, int most) {
    const double result = number(key, least, most);
    if (result != std::floor(result)) mistake(key, message("must be a whole number"));
    return static_cast<int>(result);
  }

  bool flag(const char* key) {
    const nlohmann::json* value = take(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) mistake(key, message("must be true or false"));
    return value->is_boolean() && value->get<bool>();
  }

  std::string text(const char* key) {
    const nlohmann::json* value = take(key);
    if (value == nullptr) return {};
    if (!value->is_string() || value->get_ref<const std::string&>().empty()) {
      mistake(key, message("must be a non-empty text"));
      return {};
    }
    return value->get<std::string>();
  }

  // Calls `read(JsonObject&)` on the object under the key.
  template <typename Read>
  void object(const char* key, Read read) {
    const nlohmann::json* value = take(key);
    if (value == nullptr) return;
    JsonObject inner(*value, path_ + key + ".", error_);
    read(inner);
    inner.finish();
  }

  // Calls `read(name, JsonObject&)` on every object in the one under the key.
  template <typename Read>
  void each(const char* key, Read read) {
    object(key, [&](JsonObject& inner) {
      for (const auto& item : inner.object_.items()) {
        inner.object(item.key().c_str(), [&](JsonObject& one) { read(item.key(), one); });
      }
    });
  }

  template <typename Read>
  void list(const char* key, std::size_t most, Read read) {
    const nlohmann::json* value = take(key);
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > most) {
      return mistake(key, message("must be a list of at most {} objects", std::to_string(most)));
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
      JsonObject inner((*value)[i], path_ + key + "[" + std::to_string(i) + "].", error_);
      read(inner);
      inner.finish();
    }
  }

  void finish() {
    if (error_ || !object_.is_object()) return;
    for (const auto& [key, value] : object_.items()) {
      if (!taken_.contains(key)) return mistake(key, message("is not a known key"));
    }
  }

  void mistake(const std::string& key, const Message& what) {
    if (!error_)
      error_ =
          Error{message("{}{} {}", path_, key, what), {}, message("see the descriptions that come with the program")};
  }

 private:
  static std::string plain(double value) { return nlohmann::json(value).dump(); }

  const nlohmann::json* take(const char* key) {
    if (error_) return nullptr;
    taken_.insert(key);
    const auto at = object_.find(key);
    if (at != object_.end()) return &*at;
    mistake(key, message("is missing"));
    return nullptr;
  }

  const nlohmann::json& object_;
  std::string path_;
  std::optional<Error>& error_;
  std::set<std::string> taken_;
};

// Reads the object in a text with `read`(JsonObject&). Errors: invalid JSON, and those of `read`.
template <typename Read>
Result<void> parse_object(std::string_view json, const std::string& origin, Read read) {
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(json);
  } catch (const nlohmann::json::parse_error& error) {
    return fail(message("not valid JSON: {}", error.what()), origin);
  }
  std::optional<Error> error;
  JsonObject in(document, "", error);
  read(in);
  in.finish();
  if (error) return fail(error->what, origin, error->remedy);
  return {};
}

// Returns a hash of a description's text, which changes with the text.
inline std::uint64_t text_checksum(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

}  // namespace iosx::simulated
