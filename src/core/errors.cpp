#include "core/errors.hpp"

namespace popgrad {

InputError::InputError(const std::string& argument, const std::string& got, const std::string& expected)
    : Error(ExitCode::usage, argument + ": got " + got + ", expected " + expected) {}

HypothesisError::HypothesisError(const std::string& function, const std::string& argument,
                                 const std::string& expected, const std::string& got)
    : std::domain_error(function + ": " + argument + " must be " + expected + ", got " + got) {}

}  // namespace popgrad
