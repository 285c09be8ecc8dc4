;; The domain of the temporal tracks of the International Planning Competitions 2008 to 2014, in their words.
;; The same as models/steps.pddl without the goal "one peg anywhere".

(define (domain pegsolitaire-temporal)
  (:requirements :strips :typing :durative-actions)
  (:types location)
  (:predicates
    (in-line ?from ?over ?to - location)
    (occupied ?h - location)
    (free ?h - location))

  (:durative-action jump
    :parameters (?from ?over ?to - location)
    :duration (= ?duration 1)
    :condition (and (over all (in-line ?from ?over ?to))
                    (at start (occupied ?from)) (at start (occupied ?over)) (at start (free ?to)))
    :effect (and (at start (not (occupied ?from))) (at start (not (occupied ?over))) (at start (not (free ?to)))
                 (at end (free ?from)) (at end (free ?over)) (at end (occupied ?to)))))
