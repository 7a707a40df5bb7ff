#include "engine/core/contracts.h"

#include <cstdio>
#include <cstdlib>

namespace sbx {

namespace {
void printViolation(const ContractViolation& v) {
    std::fprintf(stderr, "%s:%d: contract violated: %s (%s)\n", v.file, v.line, v.message, v.expression);
}
// The one process-wide setting: contracts must work where no object can be passed.
ContractHandler g_handler = printViolation;
} // namespace

ContractHandler setContractHandler(ContractHandler handler) {
    ContractHandler previous = g_handler;
    g_handler = handler != nullptr ? handler : printViolation;
    return previous;
}

void reportContractViolation(const ContractViolation& violation) {
    g_handler(violation);
    std::abort();
}

} // namespace sbx
