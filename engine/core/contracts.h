#pragma once
// Programmer errors. SBX_EXPECT is on in every build; SBX_VALIDATE guards expensive invariants and is on where the build says
// SBX_VALIDATE. Never used on bytes from a file, the wire or a user: those get an Error or a Diagnostic.

namespace sbx {

struct ContractViolation {
    const char* expression;
    const char* message;
    const char* file;
    int line;
};

// Called on a violation; returning from it aborts the process. Tests install one that throws, which ends the program too where a
// component of the engine handles a message: nothing may be thrown there.
using ContractHandler = void (*)(const ContractViolation&);

// Returns the previous handler. Not thread-safe: call at start-up or in a test.
ContractHandler setContractHandler(ContractHandler handler);

[[noreturn]] void reportContractViolation(const ContractViolation& violation);

} // namespace sbx

#define SBX_EXPECT(condition, message)                                                                       \
    (static_cast<bool>(condition)                                                                            \
         ? static_cast<void>(0)                                                                              \
         : ::sbx::reportContractViolation({#condition, (message), __FILE__, __LINE__}))

#ifdef SBX_VALIDATE_ENABLED
#define SBX_VALIDATE(condition, message) SBX_EXPECT(condition, message)
#else
#define SBX_VALIDATE(condition, message) static_cast<void>(0)
#endif
