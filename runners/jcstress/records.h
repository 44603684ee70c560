// What the helpers inside a JVM write: lines of words, checked before they are believed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace thinair::runners::jcstress {

/// What became of one test.
struct Record {
  enum class Status : std::uint8_t {
    begun, // and never ended: the JVM died
    ok,
    hang,
    oom,
    error,
    crash,
    late, // whoever asked gave up: it may not even have begun
  };
  Status status = Status::begun;
  std::string reason;                            // of error
  std::map<std::string, std::uint64_t> outcomes; // as jcstress prints them
  double seconds = 0;
  std::uint64_t runs = 0; // how often it was begun
};

/// Records by the test's key. Several runs of one test add up; the worst of their ends is kept. A
/// line that is cut short, as a dying JVM leaves it, counts for nothing.
///
///     begin KEY
///     outcome KEY COUNT "1, 0"       (without the quotes)
///     seconds KEY NUMBER
///     end KEY ok|hang|oom|crash|error [REASON]
std::map<std::string, Record> parse_records(std::string_view text);

std::string_view name(Record::Status status); // begun reads "crash"

} // namespace thinair::runners::jcstress
