;; A soft goal: end as near as possible to a position, where each hole that ends otherwise costs its weight.
;;
;; State        as in jumps.pddl; playing: until stop; settled(h): hole h has been compared with the position to end near;
;;              turn(h): hole h comes next
;; Static       wanted-peg(h) or wanted-vacant(h), and weight(h); next(h, k): hole k comes after h, the first after the last
;; Actions      jump(from, over, to) while playing; stop ends the play; then the holes are settled in turn, in four ways:
;;              peg-as-wanted, vacant-as-wanted  (cost 0)
;;              peg-too-many, peg-missing        (cost weight(h))
;; Goal         settled(h) for every hole with a weight, and the hard conditions on the last position, if any
;; Objective    the least total cost = the least weight of the holes that end otherwise. If that position is empty
;;              and all weights are 1: the fewest pegs
;;
;; Soft goals become costs, one after the other so that their order is no choice, as in Keyder and Geffner, Soft goals can be
;; compiled away (JAIR 36, 2009). International Planning Competition 2008, domain pegsol of the net-benefit track, has the same
;; problems with preferences.

(define (domain peg-nearest)
  (:requirements :strips :typing :action-costs)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (wanted-peg ?h - hole)
    (wanted-vacant ?h - hole)
    (playing)
    (stopped)
    (settled ?h - hole)
    (turn ?h - hole)
    (next ?h ?k - hole))
  (:functions
    (total-cost) - number
    (weight ?h - hole) - number)

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (playing) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (increase (total-cost) 0)))

  (:action stop
    :parameters ()
    :precondition (playing)
    :effect (and (not (playing)) (stopped)
                 (increase (total-cost) 0)))

  (:action peg-as-wanted
    :parameters (?h ?k - hole)
    :precondition (and (stopped) (turn ?h) (next ?h ?k) (wanted-peg ?h) (peg ?h))
    :effect (and (settled ?h) (not (turn ?h)) (turn ?k)
                 (increase (total-cost) 0)))

  (:action vacant-as-wanted
    :parameters (?h ?k - hole)
    :precondition (and (stopped) (turn ?h) (next ?h ?k) (wanted-vacant ?h) (vacant ?h))
    :effect (and (settled ?h) (not (turn ?h)) (turn ?k)
                 (increase (total-cost) 0)))

  (:action peg-too-many
    :parameters (?h ?k - hole)
    :precondition (and (stopped) (turn ?h) (next ?h ?k) (wanted-vacant ?h) (peg ?h))
    :effect (and (settled ?h) (not (turn ?h)) (turn ?k)
                 (increase (total-cost) (weight ?h))))

  (:action peg-missing
    :parameters (?h ?k - hole)
    :precondition (and (stopped) (turn ?h) (next ?h ?k) (wanted-peg ?h) (vacant ?h))
    :effect (and (settled ?h) (not (turn ?h)) (turn ?k)
                 (increase (total-cost) (weight ?h)))))
