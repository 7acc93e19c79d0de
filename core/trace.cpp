#include "core/trace.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace outcrop {

void Trace::record(Span span) {
  const std::lock_guard lock(mutex_);
  auto total =
      std::find_if(totals_.begin(), totals_.end(), [&](const StageTotals& t) { return t.stage == span.stage; });
  if (total == totals_.end()) {
    totals_.push_back({span.stage, 0, 0, span.start_s, span.end_s, 0});
    total = std::prev(totals_.end());
  }
  total->busy_s += span.end_s - span.start_s;
  total->cpu_s += span.cpu_s;
  total->first_start_s = std::min(total->first_start_s, span.start_s);
  total->last_end_s = std::max(total->last_end_s, span.end_s);
  total->bytes += span.bytes;
  if (keep_spans_) spans_.push_back(std::move(span));
}

std::vector<StageTotals> Trace::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_;
}

std::vector<Span> Trace::spans() const {
  const std::lock_guard lock(mutex_);
  return spans_;
}

int thread_number() {
  static std::atomic<int> next{0};
  thread_local const int number = next.fetch_add(1);
  return number;
}

}  // namespace outcrop
