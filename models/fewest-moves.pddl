;; Fewest moves: a move costs 1, however many jumps the same peg makes in a row. STRIPS, types, action costs.
;;
;; State        as in jumps.pddl; between-moves: no peg is on its way; on-its-way(h): the peg at h has just jumped
;; Actions      jump-new-move       (cost 1) between moves, a peg begins a move
;;              jump-continue-move  (cost 0) the peg on its way jumps again
;;              end-move            (cost 0) the move of the peg on its way ends
;;              take                (cost 0) lifts the last peg; for the goal "one peg anywhere", see last-peg.pddl
;; Objective    the least total cost = the fewest moves
;;
;; International Planning Competition 2008 and 2011, domain pegsol-sequential; Barker and Korf (AAAI 2012) minimise the same.

(define (domain peg-fewest-moves)
  (:requirements :strips :typing :action-costs)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (between-moves)
    (on-its-way ?h - hole)
    (hand-empty)
    (holding))
  (:functions (total-cost) - number)

  (:action jump-new-move
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (between-moves) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (not (between-moves)) (on-its-way ?to)
                 (increase (total-cost) 1)))

  (:action jump-continue-move
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (on-its-way ?from) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (not (on-its-way ?from)) (on-its-way ?to)
                 (increase (total-cost) 0)))

  (:action end-move
    :parameters (?h - hole)
    :precondition (on-its-way ?h)
    :effect (and (not (on-its-way ?h)) (between-moves)
                 (increase (total-cost) 0)))

  (:action take
    :parameters (?h - hole)
    :precondition (and (hand-empty) (peg ?h))
    :effect (and (not (hand-empty)) (not (peg ?h)) (holding) (vacant ?h)
                 (increase (total-cost) 0))))
