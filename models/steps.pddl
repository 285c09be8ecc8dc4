;; Fewest steps: jumps that have no hole in common are made at the same time. Durative actions.
;;
;; State        as in jumps.pddl; a hole that a jump is using neither holds a peg nor is vacant
;; Actions      jump(from, over, to), of duration 1: takes its two pegs and its vacancy at the start, and leaves two vacancies
;;              and a peg at the end; so jumps with a hole in common cannot overlap
;;              take, of duration 1, lifts the last peg; for the goal "one peg anywhere", see last-peg.pddl
;; Goal         as in jumps.pddl or last-peg.pddl
;; Objective    the shortest makespan = the fewest steps (and one more, if a peg is taken; some planners leave small gaps)
;;
;; International Planning Competitions 2008 and 2011, temporal tracks, domain pegsol.

(define (domain peg-steps)
  (:requirements :strips :typing :durative-actions)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (hand-empty)
    (holding))

  (:durative-action jump
    :parameters (?from ?over ?to - hole)
    :duration (= ?duration 1)
    :condition (and (at start (line ?from ?over ?to))
                    (at start (peg ?from)) (at start (peg ?over)) (at start (vacant ?to)))
    :effect (and (at start (not (peg ?from))) (at start (not (peg ?over))) (at start (not (vacant ?to)))
                 (at end (vacant ?from)) (at end (vacant ?over)) (at end (peg ?to))))

  (:durative-action take
    :parameters (?h - hole)
    :duration (= ?duration 1)
    :condition (and (at start (hand-empty)) (at start (peg ?h)))
    :effect (and (at start (not (hand-empty))) (at start (not (peg ?h)))
                 (at end (holding)) (at end (vacant ?h)))))
