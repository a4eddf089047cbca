// Java's regex dialect for PCRE2: rewrites the few constructs both know but spell differently, and
// refuses those that PCRE2 would silently read as something else.
#pragma once

#include <string>
#include <string_view>

#include "cdc/error.h"

namespace cdc::text {

// The pattern in PCRE2's spelling: \uXXXX, \p{Alpha} and its like, \p{IsLatin}. Fails on class
// intersections ([a-z&&[^b]]) and nested classes, which PCRE2 does not have.
Result<std::string> java_to_pcre(std::string_view pattern);

}  // namespace cdc::text
