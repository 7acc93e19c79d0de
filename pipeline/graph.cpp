// The flow graph: the wiring of the stages and nothing else. Slots are its tokens: a tile enters when a slot is free.
#include <oneapi/tbb/flow_graph.h>

#include <memory>
#include <tuple>

#include "pipeline/blocking_threads.hpp"
#include "pipeline/tile_work.hpp"

namespace outcrop::pipeline {
namespace {

namespace flow = tbb::flow;

/// Keeps the graph waiting for work that is done outside it.
template <class Gateway>
class Lease {
 public:
  explicit Lease(Gateway& gateway) : gateway_(gateway) { gateway_.reserve_wait(); }
  ~Lease() { gateway_.release_wait(); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  void put(const Ticket& ticket) { gateway_.try_put(ticket); }

 private:
  Gateway& gateway_;
};

using AsyncNode = flow::async_node<Ticket, Ticket>;
using Gateway = AsyncNode::gateway_type;
using GatewayLease = std::shared_ptr<Lease<Gateway>>;

GatewayLease lease(Gateway& gateway) { return std::make_shared<Lease<Gateway>>(gateway); }

class Graph {
 public:
  Graph(TileWork& work, const Plan& plan)
      : work_(work),
        tiles_(graph_, [this](tbb::flow_control& control) { return next(control); }),
        slots_(graph_),
        admit_(graph_),
        begin_(graph_, flow::serial,
               [this](const Admission& a) { return work_.begin(std::get<0>(a), std::get<1>(a)); }),
        read_(graph_, flow::unlimited, [this](const Ticket& t, Gateway& g) { read(t, g); }),
        decode_(graph_, flow::unlimited, [this](const Ticket& t) { return work_.decode(t); }),
        solve_(graph_, flow::unlimited, [this](const Ticket& t, Gateway& g) { solve(t, g); }),
        output_(graph_, flow::unlimited, [this](const Ticket& t, Gateway& g) { output(t, lease(g), g); }),
        home_(graph_, flow::serial, [this](const Ticket& t) { return work_.end(t); }),
        readers_(plan.readers),
        writers_(plan.writers) {
    flow::make_edge(tiles_, flow::input_port<0>(admit_));
    flow::make_edge(slots_, flow::input_port<1>(admit_));
    flow::make_edge(admit_, begin_);
    flow::make_edge(begin_, read_);
    flow::make_edge(read_, decode_);
    flow::make_edge(decode_, solve_);
    flow::make_edge(solve_, output_);
    flow::make_edge(output_, home_);
    flow::make_edge(home_, slots_);
  }

  void run() {
    for (int slot = 0; slot < work_.num_slots(); ++slot) slots_.try_put(slot);
    tiles_.activate();
    graph_.wait_for_all();
  }

 private:
  using Admission = std::tuple<std::int64_t, int>;

  std::int64_t next(tbb::flow_control& control) {
    const auto tile = work_.next_tile();
    if (!tile) control.stop();
    return tile.value_or(-1);
  }

  void read(const Ticket& ticket, Gateway& gateway) {
    readers_.post([this, ticket, out = lease(gateway)] { out->put(work_.read(ticket)); });
  }

  void solve(const Ticket& ticket, Gateway& gateway) {
    work_.solve(ticket, [out = lease(gateway)](const Ticket& solved) { out->put(solved); });
  }

  void output(Ticket ticket, const GatewayLease& out, Gateway& gateway) {
    if (work_.writes_tiles()) {
      writers_.post([this, ticket, out] { out->put(work_.write_tile(ticket)); });
      return;
    }
    const auto buffer = work_.reserve_band(ticket);
    if (!buffer) {
      parked(gateway);
      return;
    }
    if (const auto full = work_.gather(ticket, *buffer)) {
      writers_.post([this, band = *full, &gateway, more = lease(gateway)] { write_band(band, gateway); });
    }
    out->put(ticket);
  }

  /// A parked ticket is in nobody's hands: the graph must go on waiting for it.
  static void parked(Gateway& gateway) { gateway.reserve_wait(); }

  void write_band(const FullBand& band, Gateway& gateway) {
    for (const Ticket& ticket : work_.write_band(band)) {
      output(ticket, lease(gateway), gateway);
      gateway.release_wait();
    }
  }

  TileWork& work_;
  flow::graph graph_;
  flow::input_node<std::int64_t> tiles_;
  flow::buffer_node<int> slots_;
  flow::join_node<Admission, flow::reserving> admit_;
  flow::function_node<Admission, Ticket> begin_;
  AsyncNode read_;
  flow::function_node<Ticket, Ticket> decode_;
  AsyncNode solve_;
  AsyncNode output_;
  flow::function_node<Ticket, int> home_;
  BlockingThreads readers_;  // last: their jobs use the nodes
  BlockingThreads writers_;
};

}  // namespace

void run_graph(TileWork& work, const Plan& plan) { Graph(work, plan).run(); }

}  // namespace outcrop::pipeline
