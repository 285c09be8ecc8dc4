;; The domain of the net-benefit track of the International Planning Competition 2008 and of the Unsolvability IPC 2016,
;; in their words. The same as models/jumps.pddl; "pegsolitaire-invasion" of 2016 has the same actions.

(define (domain pegsolitaire-netbenefit)
  (:requirements :strips :typing)
  (:types location)
  (:predicates
    (in-line ?from ?over ?to - location)
    (occupied ?h - location)
    (free ?h - location))

  (:action jump
    :parameters (?from ?over ?to - location)
    :precondition (and (in-line ?from ?over ?to) (occupied ?from) (occupied ?over) (free ?to))
    :effect (and (not (occupied ?from)) (not (occupied ?over)) (not (free ?to))
                 (free ?from) (free ?over) (occupied ?to))))
