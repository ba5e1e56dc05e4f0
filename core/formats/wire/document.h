#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/formats/wire/reader.h"
#include "core/formats/wire/writer.h"

namespace iosx::wire {

// The version of everything written with fields(): graphs, plans, requests, replies, runs and projects. It rises with
// every change of the form, and documents of another version are refused.
inline constexpr int kVersion = 4;

// Writes {"format":FORMAT,"version":VERSION,"content":…}.
template <typename T>
std::string write_document(std::string_view format, const T& content, int version = kVersion);

// Parses the text, refuses other formats and versions with an error, and reads the content. It checks nothing
// beyond `fields`. `origin` begins the error's place.
template <typename T>
Result<T> read_document(std::string_view text, const std::string& origin, std::string_view format,
                        int version = kVersion);

// Return the error, or the error of what was made, with its place inside a part of the document.
tl::unexpected<Error> inside(Error error, const std::string& origin, std::string_view part);
template <typename T>
Result<T> inside(Result<T> made, const std::string& origin, std::string_view part) {
  if (made) return made;
  return inside(std::move(made.error()), origin, part);
}

std::string document_head(std::string_view format, int version = kVersion);
// Returns the document's object after a check of format and version.
Result<nlohmann::json> open_document(std::string_view text, const std::string& origin, std::string_view format,
                                     int version = kVersion);

template <typename T>
std::string write_document(std::string_view format, const T& content, int version) {
  Writer writer;
  writer.put(content);
  return document_head(format, version) + std::move(writer).take() + "}";
}

template <typename T>
struct Content {
  T content;
};
template <typename A, typename T>
void fields(A& a, Content<T>& x) {
  a.all(x, field("content", x.content));
}

template <typename T>
Result<T> read_document(std::string_view text, const std::string& origin, std::string_view format, int version) {
  IOS_TRY(const auto json, open_document(text, origin, format, version));
  std::optional<Error> problem;
  Content<T> read{};
  Reader(json, origin, problem).get(read);
  if (problem) return tl::unexpected(std::move(*problem));
  return std::move(read.content);
}

}  // namespace iosx::wire
