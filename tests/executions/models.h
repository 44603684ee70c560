// Models for the tests of the engine, as plans written by hand.
#pragma once

#include "machine/x86/front_end.h"
#include "tests/executions/plan_builder.h"

namespace thinair::cat::hand {

/// co from generate_cos, as herd's cos.cat defines it.
inline NodeId coherence(PlanBuilder& b) {
  const auto w = b.input(Input::writes), iw = b.input(Input::initial_writes);
  const auto fw = b.input(Input::final_writes), loc = b.input(Input::loc);
  const auto initial = b.product(iw, b.subtract(w, iw));
  const auto last = b.product(b.subtract(w, fw), fw);
  const auto co0 = b.intersect(loc, b.unite(initial, last));
  b.plan.orders_memory = true;
  return b.choose(Choice::Kind::linearisations_by_class, w, co0);
}

inline NodeId from_reads(PlanBuilder& b, NodeId rf, NodeId co) {
  return b.subtract(b.compose(b.inverse(rf), co), b.input(Input::id));
}

inline Plan sc(Architecture architecture) {
  PlanBuilder b(architecture);
  const auto po = b.input(Input::po), rf = b.input(Input::rf), rmw = b.input(Input::rmw);
  const auto co = coherence(b), fr = from_reads(b, rf, co);
  const auto ext = b.input(Input::external);
  const auto com = b.unite(rf, co, fr);
  b.acyclic(b.unite(po, com, b.input(Input::iico)), "sc");
  b.require(Axiom::Kind::empty,
            b.intersect(rmw, b.compose(b.intersect(fr, ext), b.intersect(co, ext))), "atomic");
  return b.plan;
}

inline Plan tso() {
  PlanBuilder b(x86::architecture);
  const auto po = b.input(Input::po), rf = b.input(Input::rf), rmw = b.input(Input::rmw);
  const auto r = b.input(Input::reads), w = b.input(Input::writes), m = b.input(Input::memory);
  const auto ext = b.input(Input::external), iico = b.input(Input::iico);
  const auto co = coherence(b), fr = from_reads(b, rf, co);
  const auto po_loc = b.intersect(po, b.input(Input::loc));
  const auto com = b.unite(rf, co, fr);
  b.acyclic(b.unite(b.unite(po_loc, iico), com), "uniproc");
  b.require(Axiom::Kind::empty,
            b.intersect(rmw, b.compose(b.intersect(fr, ext), b.intersect(co, ext))), "atomic");
  const auto fenced = b.compose(
      b.from(m, po), b.on(b.input(*graph::input_named("MFENCE", x86::architecture))), b.to(po, m));
  const auto locked = b.input(*graph::input_named("X", x86::architecture));
  const auto wr = b.intersect(po, b.product(w, r));
  const auto implied = b.unite(b.to(wr, locked), b.from(locked, wr));
  const auto kept = b.intersect(po, b.unite(b.product(w, w), b.product(r, m)));
  const auto ghb =
      b.unite(b.unite(fenced, implied), b.unite(kept, iico), b.unite(b.intersect(rf, ext), fr, co));
  b.acyclic(ghb, "tso");
  return b.plan;
}

/// The JLS (17.4.5), with the happens-before consistency of reads.
inline Plan jls() {
  PlanBuilder b(Architecture::java);
  const auto po = b.input(Input::po), rf = b.input(Input::rf), v = b.input(Input::volatile_);
  const auto r = b.input(Input::reads), w = b.input(Input::writes);
  const auto loc = b.input(Input::loc), id = b.input(Input::id);
  const auto iw = b.input(Input::initial_writes);
  const auto vw = b.intersect(v, w), vr = b.intersect(v, r);
  const auto so = b.choose(Choice::Kind::linearisations, b.unite(vw, vr), po);
  const auto so_loc = b.intersect(so, loc);
  const auto first = b.subtract(b.complement(b.range(po)), iw);
  const auto sw = b.unite(b.from(vw, b.to(so_loc, vr)), b.product(iw, first));
  const auto hb = b.star(b.unite(po, sw));
  const auto hb_loc = b.intersect(hb, loc);
  const auto rf_back = b.inverse(rf);
  const auto irreflexive = [&](NodeId node, const char* name) {
    b.require(Axiom::Kind::irreflexive, node, name);
  };
  irreflexive(b.compose(rf, hb), "hb-rf");
  irreflexive(b.compose(b.from(w, hb_loc), rf_back, b.subtract(hb_loc, id)), "hb-between");
  irreflexive(b.compose(rf, so), "so-rf");
  irreflexive(b.compose(b.from(w, so_loc), rf_back, b.subtract(so_loc, id)), "so-between");
  return b.plan;
}

/// JAM21 (ECOOP 2022): final writes guessed, coherence derived, one order over RMWs, one over
/// pushes.
inline Plan jam() {
  PlanBuilder b(Architecture::java);
  const auto po = b.input(Input::po), rf = b.input(Input::rf), loc = b.input(Input::loc);
  const auto r = b.input(Input::reads), w = b.input(Input::writes), f = b.input(Input::fences);
  const auto v = b.input(Input::volatile_), acq = b.input(Input::acquire);
  const auto rel = b.input(Input::release), fw = b.input(Input::final_writes);
  const auto iw = b.input(Input::initial_writes), id = b.input(Input::id);
  const auto rmw = b.input(Input::rmw_events);
  const auto opq = b.unite(b.input(Input::opaque), b.input(Input::release_acquire), v);
  const auto releases = b.intersect(w, b.unite(rel, v));
  const auto acquires = b.intersect(r, b.unite(acq, v));
  const auto svo = b.unite(b.compose(b.to(po, b.intersect(f, rel)), b.to(po, w)),
                           b.compose(b.from(r, b.to(po, b.intersect(f, acq))), po));
  const auto spush = b.compose(b.to(po, b.intersect(f, v)), po);
  const auto ra = b.unite(b.to(po, releases), b.from(acquires, po));
  const auto volint = b.from(v, b.to(po, v));
  const auto into = b.unite(b.unite(svo, spush), ra, volint);
  const auto push = b.unite(spush, volint);
  const auto same = [&](NodeId x) {
    return b.subtract(b.intersect(b.from(w, b.to(x, w)), loc), id);
  };
  const auto cofw = same(b.product(w, fw));
  const auto order = b.unite(b.subtract(b.intersect(b.product(w, fw), loc), id), rf, po);
  const auto pushto = b.choose(Choice::Kind::linearisations, b.domain(push), order);
  const auto vvo = b.unite(into, rf, b.compose(pushto, push));
  const auto vo = b.unite(b.plus(vvo), b.intersect(po, loc));
  const auto back = b.inverse(rf);
  const auto corr = b.from(opq, b.to(same(b.compose(rf, po, back)), opq));
  const auto coinit = b.intersect(loc, b.product(iw, b.subtract(w, iw)));
  const auto co0 =
      b.intersect(loc, b.unite(b.product(iw, b.subtract(w, iw)), b.product(b.subtract(w, fw), fw)));
  const auto total = b.choose(Choice::Kind::linearisations_by_class, rmw, co0);
  const auto base = b.unite(b.unite(same(vo), same(b.compose(vo, back)), same(b.compose(vo, po))),
                            b.unite(corr, total), b.unite(coinit, cofw));
  const auto skip = b.inverse(b.compose(rf, b.on(rmw)));
  const auto co = b.recursive([&](NodeId x) { return b.unite(base, same(b.compose(skip, x))); });
  b.acyclic(b.to(b.unite(po, rf), opq), "no-thin-air");
  b.acyclic(co, "coherence");
  b.plan.orders_memory = true;
  return b.plan;
}

} // namespace thinair::cat::hand
