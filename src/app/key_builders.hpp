// How a configuration key is put together: its type decides how its value is read and checked.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/config_keys.hpp"
#include "app/config_parse.hpp"

namespace popgrad {

using Verbs = std::vector<std::string>;
using Getter = std::function<KeyValue(const Config&, bool train)>;

Key integer_key(std::string name, Verbs verbs, std::string doc, std::int64_t low, std::int64_t high,
                std::function<void(Config&, std::int64_t)> set, Getter get);
Key number_key(std::string name, Verbs verbs, std::string doc, Range range, std::function<void(Config&, double)> set,
               Getter get);
Key boolean_key(std::string name, Verbs verbs, std::string doc, std::function<void(Config&, bool)> set, Getter get);
Key word_key(std::string name, Verbs verbs, std::string doc, std::vector<std::string> words,
             std::function<void(Config&, const std::string&)> set, Getter get);

inline KeyValue optional_value(const std::optional<int>& x) { return x ? KeyValue(std::int64_t{*x}) : KeyValue(); }
inline KeyValue optional_value(const std::optional<double>& x) { return x ? KeyValue(*x) : KeyValue(); }

// The largest value that a pointed-to member can hold, and assignment to it.
template <class Member>
struct MemberType;
template <class Class, class Value>
struct MemberType<Value Class::*> {
  using type = Value;
};
template <class Member>
constexpr std::int64_t member_limit() {
  return std::int64_t{std::numeric_limits<typename MemberType<Member>::type>::max()};
}
template <class Value>
void assign(Value& member, std::int64_t x) {
  member = static_cast<Value>(x);
}

}  // namespace popgrad
