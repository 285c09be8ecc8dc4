;; One peg anywhere: jump until a single peg is left, then take it off. Pure STRIPS with types.
;;
;; State        as in jumps.pddl; hand-empty: no peg has been taken off the board; holding: one has
;; Actions      jump(from, over, to) as in jumps.pddl; take(h) lifts the peg at h off the board
;; Goal         holding, and vacant(h) for every hole h
;;
;; The goal "one peg, no matter where" is a disjunction over the holes, which many planners expand or refuse. Taking one
;; peg makes it a conjunction. A jump leaves a peg in `to`, so the board can only become empty by the take, as the last
;; action, when one peg was left. Jumps require hand-empty: that changes no plan, but heuristics see at once that no plan
;; continues after an early take. A plan has jumps + 1 actions.

(define (domain peg-last-peg)
  (:requirements :strips :typing)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (hand-empty)
    (holding))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (hand-empty) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)))

  (:action take
    :parameters (?h - hole)
    :precondition (and (hand-empty) (peg ?h))
    :effect (and (not (hand-empty)) (not (peg ?h)) (holding) (vacant ?h))))
