#include "core/error.hpp"

#include <new>
#include <utility>

namespace outcrop {

Error::Error(Errc code, std::string sentence, SourceLocation where)
    : code_(code), text_(std::move(sentence)), where_(where) {}

Error& Error::within(std::string context) & {
  text_ = std::move(context) + ": " + text_;
  return *this;
}

Error&& Error::within(std::string context) && { return std::move(within(std::move(context))); }

Error& Error::with_detail(std::string detail) & {
  detail_ = std::move(detail);
  return *this;
}

Error&& Error::with_detail(std::string detail) && { return std::move(with_detail(std::move(detail))); }

void fail(Errc code, std::string sentence, SourceLocation where) { throw Error(code, std::move(sentence), where); }

Error current_error() {
  try {
    throw;
  } catch (Error& error) {
    return std::move(error);
  } catch (const std::bad_alloc&) {
    return Error(Errc::out_of_memory, "the system gave no more memory; a smaller --memory makes smaller tiles");
  } catch (const std::exception& error) {
    return Error(Errc::internal, error.what());
  } catch (...) {
    return Error(Errc::internal, "something that is not an exception was thrown");
  }
}

}  // namespace outcrop
