;; Fewest steps without durations: jumps that have no hole in common are made in one step, one after the other. STRIPS, types,
;; action costs, an effect for all holes.
;;
;; State        as in jumps.pddl; fresh(h): no jump of this step has used hole h
;; Actions      next-step            (cost 1) begins a step: every hole is fresh
;;              jump(from, over, to) (cost 0) uses three fresh holes, which are then no longer fresh; so the jumps of a step have no
;;                                   hole in common, and their order changes nothing
;;              take                 (cost 0) lifts the last peg; for the goal "one peg anywhere", see last-peg.pddl
;; Goal         as in jumps.pddl or last-peg.pddl
;; Objective    the least total cost = the fewest steps
;;
;; steps.pddl expresses the same with durative actions, for temporal planners. Here any planner with action costs can prove the
;; fewest steps; it pays with the orders of the jumps within a step, of which durations know nothing.

(define (domain peg-parallel)
  (:requirements :strips :typing :conditional-effects :action-costs)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (fresh ?h - hole)
    (hand-empty)
    (holding))
  (:functions (total-cost) - number)

  (:action next-step
    :parameters ()
    :precondition (and)
    :effect (and (forall (?h - hole) (fresh ?h))
                 (increase (total-cost) 1)))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (peg ?from) (peg ?over) (vacant ?to)
                       (fresh ?from) (fresh ?over) (fresh ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (not (fresh ?from)) (not (fresh ?over)) (not (fresh ?to))
                 (increase (total-cost) 0)))

  (:action take
    :parameters (?h - hole)
    :precondition (and (hand-empty) (peg ?h))
    :effect (and (not (hand-empty)) (not (peg ?h)) (holding) (vacant ?h)
                 (increase (total-cost) 0))))
