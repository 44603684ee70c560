// Dumps x86 programs as JSON: names, not ids; operands destination first.
#include "litmus/text/json.h"

#include "litmus/x86/assembly.h"
#include "litmus/x86/format.h"

namespace thinair::litmus::x86 {
namespace {

template <class Things, class Dump>
std::string array_of(const Things& things, Dump dump) {
  std::vector<std::string> elements;
  for (const auto& thing : things) elements.push_back(dump(thing));
  return json::array(elements);
}

std::string strings(const std::vector<std::string>& texts) { return array_of(texts, json::quote); }

class Dump {
 public:
  Dump(const Program& program, Syntax syntax) : program_(program), syntax_(syntax) {}

  std::string program() const {
    const auto herd = beyond_herd(program_, syntax_);
    json::Object object;
    object.raw("locations", array_of(program_.locations, location))
        .raw("threads", array_of(program_.threads, [this](const Thread& t) { return thread(t); }))
        .raw("beyond_herd", herd ? json::quote(*herd) : "null");
    return object.text();
  }

 private:
  static std::string location(const Location& cell) {
    json::Object object;
    object.string("name", cell.name)
        .string("type", name(cell.type))
        .integer("initial", cell.initial);
    if (cell.length > 0) object.integer("array", cell.length).integer("index", cell.index);
    return object.text();
  }

  std::string thread(const Thread& thread) const {
    json::Object object;
    object.string("name", thread.name)
        .raw("initial", array_of(thread.initial,
                                 [this](const InitialRegister& each) { return initial(each); }))
        .raw("code",
             array_of(thread.code, [this](const Instruction& each) { return instruction(each); }))
        .raw("end_labels", strings(thread.end_labels));
    return object.text();
  }

  std::string initial(const InitialRegister& initial) const {
    json::Object object;
    object.string("register", observable(ThreadId(), initial.reg, syntax_).name)
        .string("type", name(initial.type));
    if (const auto* address = std::get_if<LocationId>(&initial.value)) {
      object.string("address_of", name_in_code(program_.locations.at(address->value)));
    } else {
      object.integer("value", std::get<Value>(initial.value));
    }
    return object.text();
  }

  std::string instruction(const Instruction& in) const {
    json::Object object;
    object.string("text", print_instruction(in, program_, syntax_))
        .string("opcode", info(in.opcode).mnemonic)
        .boolean("lock", in.lock)
        .integer("bytes", static_cast<int>(in.width));
    if (info(in.opcode).reads_flags) object.string("condition", name(in.condition));
    if (!in.target.empty()) object.string("target", in.target);
    object
        .raw("operands",
             array_of(in.operands, [this](const Operand& each) { return operand(each); }))
        .raw("labels", strings(in.labels));
    return object.text();
  }

  std::string operand(const Operand& operand) const {
    json::Object object;
    if (const auto* immediate = std::get_if<Immediate>(&operand)) {
      object.integer("immediate", immediate->value);
    } else if (const auto* reg = std::get_if<RegisterOperand>(&operand)) {
      object.string("register", name(reg->reg, reg->width));
    } else {
      const auto& memory = std::get<Memory>(operand);
      const auto& base = memory.base;
      const auto* location = std::get_if<LocationId>(&base);
      object.string(location ? "memory" : "memory_at",
                    location ? name_in_code(program_.locations.at(location->value))
                             : name(std::get<Register>(base), Width::q));
      if (memory.displacement != 0) object.integer("displacement", memory.displacement);
      if (memory.index)
        object.string("index", name(memory.index->reg, memory.index->width))
            .integer("scale", memory.scale);
    }
    return object.text();
  }

  const Program& program_;
  Syntax syntax_;
};

} // namespace

std::string to_json(const Test& test) {
  return Dump(test.x86(), syntax_of(test.dialect)).program();
}

} // namespace thinair::litmus::x86
