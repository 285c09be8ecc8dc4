;; The domain of the sequential tracks of the International Planning Competitions 2008 and 2011, in their words.
;; The same as models/fewest-moves.pddl without the goal "one peg anywhere".

(define (domain pegsolitaire-sequential)
  (:requirements :strips :typing :action-costs)
  (:types location)
  (:predicates
    (in-line ?from ?over ?to - location)
    (occupied ?h - location)
    (free ?h - location)
    (move-ended)
    (last-visited ?h - location))
  (:functions (total-cost) - number)

  (:action jump-new-move
    :parameters (?from ?over ?to - location)
    :precondition (and (in-line ?from ?over ?to) (move-ended) (occupied ?from) (occupied ?over) (free ?to))
    :effect (and (not (occupied ?from)) (not (occupied ?over)) (not (free ?to))
                 (free ?from) (free ?over) (occupied ?to)
                 (not (move-ended)) (last-visited ?to)
                 (increase (total-cost) 1)))

  (:action jump-continue-move
    :parameters (?from ?over ?to - location)
    :precondition (and (in-line ?from ?over ?to) (last-visited ?from) (occupied ?from) (occupied ?over) (free ?to))
    :effect (and (not (occupied ?from)) (not (occupied ?over)) (not (free ?to))
                 (free ?from) (free ?over) (occupied ?to)
                 (not (last-visited ?from)) (last-visited ?to)
                 (increase (total-cost) 0)))

  (:action end-move
    :parameters (?h - location)
    :precondition (last-visited ?h)
    :effect (and (not (last-visited ?h)) (move-ended)
                 (increase (total-cost) 0))))
