#include "pipeline/workers.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>

#include "core/check.hpp"

namespace outcrop::pipeline {
namespace {

class ArenaFor final : public ParallelFor {
 public:
  explicit ArenaFor(tbb::task_arena& arena) : arena_(arena) {}

  int concurrency() const override { return arena_.max_concurrency(); }

  void run(std::int64_t count, const std::function<void(std::int64_t, int)>& body) const override {
    arena_.execute([&] {
      // Isolated: a worker that waits here must not begin another tile inside this one.
      tbb::this_task_arena::isolate([&] {
        // TBB orders what the bodies wrote before what follows; Debian's library does so unseen by the thread
        // sanitizer, which sees it by this count.
        std::atomic<std::int64_t> done{0};
        tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
          body(i, tbb::this_task_arena::current_thread_index());
          done.fetch_add(1, std::memory_order_release);
        });
        OUTCROP_EXPECT(done.load(std::memory_order_acquire) == count, "a parallel loop ended before its bodies");
      });
    });
  }

 private:
  tbb::task_arena& arena_;
};

}  // namespace

struct Workers::Impl {
  Impl(int threads, Runner r)
      : runner(r),
        limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena(threads),
        parallel(arena),
        decode(r == Runner::serial ? static_cast<const ParallelFor&>(serial) : parallel),
        solve(r == Runner::serial ? static_cast<const ParallelFor&>(serial) : parallel) {}

  Runner runner;
  tbb::global_control limit;
  tbb::task_arena arena;
  ArenaFor parallel;
  SerialFor serial;
  MeteredFor decode;
  MeteredFor solve;
};

Workers::Workers(int threads, Runner runner) : impl_(std::make_unique<Impl>(threads, runner)) {}
Workers::~Workers() = default;

int Workers::threads() const { return impl_->solve.concurrency(); }
const MeteredFor& Workers::decode_for() const { return impl_->decode; }
const MeteredFor& Workers::solve_for() const { return impl_->solve; }

void Workers::execute(const std::function<void()>& body) const {
  if (impl_->runner == Runner::serial) {
    body();
  } else {
    impl_->arena.execute(body);
  }
}

}  // namespace outcrop::pipeline
