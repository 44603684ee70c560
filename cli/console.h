// Where results and diagnostics go: standard output and error, or strings in tests.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace thinair::cli {

/// Output could not be written; `reader_left`: the reader of a pipe went away, which is no error of
/// anybody's.
class WriteError : public std::runtime_error {
 public:
  WriteError(const std::string& what, bool reader_left)
      : std::runtime_error(what), reader_left_(reader_left) {}
  bool reader_left() const { return reader_left_; }

 private:
  bool reader_left_;
};

class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  virtual void write(std::string_view text) = 0; // throws WriteError
  virtual void flush() = 0;                      // throws WriteError
  virtual bool is_terminal() const { return false; }
  virtual std::size_t columns() const { return 0; } // of the terminal now; 0: not known
};

/// A stdio stream that it does not own.
class FileSink : public Sink {
 public:
  explicit FileSink(std::FILE* file) : file_(file) {}
  void write(std::string_view text) override;
  void flush() override;
  bool is_terminal() const override;
  std::size_t columns() const override;

 private:
  std::FILE* file_;
};

/// A FileSink for results. They hold names and texts of inputs as they are: a pipe gets every byte,
/// a terminal what is printable (litmus/text/printable.h).
class ResultSink : public FileSink {
 public:
  explicit ResultSink(std::FILE* file) : FileSink(file), terminal_(FileSink::is_terminal()) {}
  void write(std::string_view text) override;
  void flush() override;

 private:
  const bool terminal_;
  std::string begun_; // a character whose other bytes are still to come
};

class StringSink : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  void flush() override {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Results on `out`, diagnostics on `err`.
struct Console {
  Sink& out;
  Sink& err;

  /// A diagnostic, with what is not printable escaped (litmus/text/printable.h); ends with a new
  /// line.
  void diagnose(std::string_view text);
};

} // namespace thinair::cli
