// Every limit of the readers: what is at it is read, what is one past it is refused with one error;
// and files that are no text.
#include "litmus/java/format.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace thinair::litmus {
namespace {

std::string repeated(std::size_t count, const std::string& part) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

std::string numbered(std::size_t count, const std::function<std::string(std::size_t)>& part) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part(i);
  return out;
}

std::string with_code(const std::string& code) {
  return "Java t { X=x; } Thread0 { int r = 0; " + code + " }";
}

/// The first line of the error, or nothing if the text is read (and printed and read again).
std::string error_of(const std::string& text, const Limits& limits = {}) {
  try {
    const litmus::Test test = parse({"f", text}, limits);
    EXPECT_EQ(parse({"printed", print(test)}, limits), test);
    return "";
  } catch (const InputError& error) {
    const std::string all = error.what();
    return all.substr(0, all.find('\n'));
  }
}

/// Refused with a message, without its place.
std::string message_of(const std::string& text, const Limits& limits = {}) {
  const std::string line = error_of(text, limits);
  const std::size_t message = line.find("error: ");
  return message == std::string::npos ? line : line.substr(message + 7);
}

struct LimitCase {
  std::string name;
  std::size_t limit;                            // the default
  std::function<std::string(std::size_t)> text; // with so many of them
  std::string message;
};

void PrintTo(const LimitCase& c, std::ostream* out) { *out << c.name; }

std::string depth_message(const std::string& what) {
  return "expected at most 64 levels of " + what + ", found more";
}

const std::vector<LimitCase> cases{
    {"blocks", 64,
     [](std::size_t n) { return with_code(repeated(n - 1, "if (r) {") + repeated(n - 1, "}")); },
     depth_message("blocks")},
    {"single_statements", 64,
     [](std::size_t n) { return with_code(repeated(n - 1, "if (r) ") + "r = 1;"); },
     depth_message("blocks")},
    {"else_ifs", 64,
     [](std::size_t n) {
       return with_code(repeated(n - 2, "if (r) {} else ") + "if (r) { r = 1; }");
     },
     depth_message("blocks")},
    {"parentheses", 64,
     [](std::size_t n) {
       return with_code("r = " + repeated(n, "(") + "1" + repeated(n, ")") + ";");
     },
     depth_message("parentheses")},
    {"calls", 63,
     [](std::size_t n) {
       return with_code("r = " + repeated(n, "X.getAndAdd(") + "1" + repeated(n, ")") + ";");
     },
     depth_message("operators")},
    {"unary_operators", 63,
     [](std::size_t n) { return with_code("r = " + repeated(n, "!") + "r;"); },
     depth_message("operators")},
    {"operators_in_a_row", 63,
     [](std::size_t n) { return with_code("r = r" + repeated(n, " + r") + ";"); },
     depth_message("operators")},
    {"operators_to_the_right", 63,
     [](std::size_t n) {
       return with_code("r = " + repeated(n, "r - (") + "r" + repeated(n, ")") + ";");
     },
     depth_message("operators")},
    {"proposition_parentheses", 64,
     [](std::size_t n) {
       return with_code("") + " exists " + repeated(n, "(") + "x=1" + repeated(n, ")");
     },
     depth_message("parentheses")},
    {"negations", 63,
     [](std::size_t n) { return with_code("") + " exists " + repeated(n, "not ") + "x=1"; },
     depth_message("connectives")},
    {"threads", 64,
     [](std::size_t n) {
       return "Java t { X=x; } " +
              numbered(n, [](std::size_t i) { return fmt::format("Thread{} {{ }} ", i); });
     },
     "expected at most 64 threads, found `Thread64`"},
    {"locations", 256,
     [](std::size_t n) {
       return "Java t { " + numbered(n, [](std::size_t i) { return fmt::format("x{} = 1; ", i); }) +
              "} Thread0 { }";
     },
     "expected at most 256 locations, found more"},
    {"pointed_locations", 256,
     [](std::size_t n) {
       return "Java t { " +
              numbered(n, [](std::size_t i) { return fmt::format("X{0}=x{0}; ", i); }) +
              "} Thread0 { }";
     },
     "expected at most 256 locations, found more"},
    {"monitors", 256,
     [](std::size_t n) {
       return "Java t { } Thread0 { " +
              numbered(n, [](std::size_t i) { return fmt::format("lock(m{}); ", i); }) + "}";
     },
     "expected at most 256 monitors, found more"},
    {"declared_monitors", 256,
     [](std::size_t n) {
       return "Java t { " +
              numbered(n, [](std::size_t i) { return fmt::format("monitor m{}; ", i); }) +
              "} Thread0 { }";
     },
     "expected at most 256 monitors, found more"},
    {"registers", 1023, // and r
     [](std::size_t n) {
       return with_code(numbered(n, [](std::size_t i) { return fmt::format("int r{} = 1; ", i); }));
     },
     "expected at most 1024 registers in a thread, found more"},
    {"handles", 1024,
     [](std::size_t n) {
       return "Java t { " + numbered(n, [](std::size_t i) { return fmt::format("X{}=x; ", i); }) +
              "} Thread0 { }";
     },
     "expected at most 1024 VarHandles in a thread, found more"},
    {"statements", 9'999, // and the first
     [](std::size_t n) { return with_code(repeated(n, "r = 1; ")); },
     "expected at most 10000 statements, found more"},
    {"test_name", 200,
     [](std::size_t n) { return "Java " + std::string(n, 't') + " { } Thread0 { }"; },
     "expected a name of at most 200 characters, found one of 201"},
    {"register_name", 200,
     [](std::size_t n) { return with_code("int " + std::string(n, 'a') + " = 1;"); },
     "expected a name of at most 200 characters, found one of 201"},
    {"location_name", 200,
     [](std::size_t n) { return "Java t { " + std::string(n, 'x') + " = 1; } Thread0 { }"; },
     "expected a name of at most 200 characters, found one of 201"},
    {"monitor_name", 200,
     [](std::size_t n) { return with_code("lock(" + std::string(n, 'm') + ");"); },
     "expected a name of at most 200 characters, found one of 201"},
    {"metadata_key", 200,
     [](std::size_t n) { return "Java t\n" + std::string(n, 'K') + "=v\n{ } Thread0 { }"; },
     "expected a name of at most 200 characters, found one of 201"},
    {"label", 200,
     [](std::size_t n) {
       return with_code("") + " required \"" + std::string(n, 'l') + "\" (x=1)";
     },
     "expected a name of at most 200 characters, found one of 201"},
    {"model_name", 200,
     [](std::size_t n) {
       return with_code("") + " required (x=1) verdicts " + std::string(n, 'v') + "=allowed";
     },
     "expected a name of at most 200 characters, found one of 201"},
    {"bytes", 1 << 20,
     [](std::size_t n) {
       const std::string text = with_code("") + "\n//";
       return text + std::string(n - text.size(), '.');
     },
     "expected at most 1048576 bytes, found 1048577"},
};

class LimitTest : public testing::TestWithParam<LimitCase> {};

TEST_P(LimitTest, AtItAndOnePastIt) {
  const LimitCase& c = GetParam();
  EXPECT_EQ(error_of(c.text(c.limit)), "");
  EXPECT_EQ(message_of(c.text(c.limit + 1)), c.message);
}

INSTANTIATE_TEST_SUITE_P(Limits, LimitTest, testing::ValuesIn(cases),
                         [](const auto& one) { return one.param.name; });

TEST(LimitTest, AreTheCallersToSet) {
  Limits limits;
  limits.threads = 1;
  limits.name_length = 3;
  EXPECT_EQ(error_of("Java abc { } Thread0 { }", limits), "");
  EXPECT_EQ(message_of("Java abcd { } Thread0 { }", limits),
            "expected a name of at most 3 characters, found one of 4");
  EXPECT_EQ(message_of("Java abc { } Thread1 { }", limits),
            "expected at most 1 threads, found `Thread1`");
}

TEST(NoText, BombsAreRefusedAtOnce) {
  EXPECT_EQ(message_of(with_code("r = " + repeated(200'000, "(") + "1;")),
            depth_message("parentheses"));
  EXPECT_EQ(message_of(with_code(repeated(200'000, "{"))), depth_message("blocks"));
  EXPECT_EQ(message_of(with_code("r = " + repeated(200'000, "~") + "1;")),
            depth_message("operators"));
  EXPECT_EQ(message_of(with_code("") + "exists " + repeated(200'000, "~") + "x=1"),
            depth_message("connectives"));
  EXPECT_EQ(message_of("Java t " + repeated(300'000, "(*")),
            "expected `*)`, found end of file in a comment");
}

TEST(NoText, BytesThatAreNoText) {
  using namespace std::string_literals;
  EXPECT_EQ(error_of("Java t\0"s), "f:1:7: error: expected text, found the control character 0x00");
  EXPECT_EQ(error_of("Java t\n\x1B[2J"),
            "f:2:1: error: expected text, found the control character 0x1B");
  EXPECT_EQ(error_of("Java t\n{ \xC3\x28 }"), "f:2:3: error: expected UTF-8, found the byte 0xC3");
  EXPECT_EQ(error_of("Java t\n\xED\xA0\x80"), "f:2:1: error: expected UTF-8, found the byte 0xED");
  EXPECT_EQ(error_of("Java t\n{ x = 0; \xE2\x82"),
            "f:2:10: error: expected UTF-8, found the byte 0xE2");
  EXPECT_EQ(error_of("Java t\n\"na\xC3\xAFve\"\n{ } Thread0 { }"), "");
}

TEST(NoText, FilesThatCannotBeRead) {
  const std::string none = "no-such-file.litmus";
  try {
    read_file(none);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), none + ": error: cannot read: No such file or directory");
  }
  EXPECT_THROW(read_file(testing::TempDir()), InputError);
}

TEST(NoText, APipeThatIsSilentIsNotWaitedForEver) {
  const auto path =
      (std::filesystem::path(testing::TempDir()) / fmt::format("pipe-{}", getpid())).string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  Limits limits;
  limits.silence_ms = 50;
  for (const bool has_writer : {false, true}) {
    const int writer = has_writer ? ::open(path.c_str(), O_RDWR) : -1;
    try {
      read_file(path, limits);
      ADD_FAILURE() << has_writer;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                path + ": error: nothing came for 0.05 s: this is a pipe or a device");
    }
    if (has_writer) ::close(writer);
  }
  limits.silence_ms = 10'000;
  const std::string text(200'000, 'x'); // more than a pipe holds
  std::jthread late([&] { std::ofstream(path) << text; });
  EXPECT_EQ(read_file(path, limits).text, text);
  late.join();
  std::filesystem::remove(path);
  EXPECT_EQ(read_file("/dev/null", limits).text, "");
  EXPECT_THROW(read_file("/dev/zero", limits), InputError);
}

TEST(NoText, AFileOfTenMegabytesIsNotReadWhole) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / fmt::format("big-{}.litmus", getpid());
  std::ofstream(path) << std::string(10'000'000, 'x');
  try {
    read_file(path.string());
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              path.string() + ": error: expected at most 1048576 bytes, found more");
  }
  std::filesystem::remove(path);
}

} // namespace
} // namespace thinair::litmus
