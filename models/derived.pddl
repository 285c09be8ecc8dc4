;; Fool's Solitaire with derived predicates: rules derive that every line of a dead end is blocked.
;;
;; State        as in jumps.pddl
;; Derived      blocked(a, b, c): the line a-b-c allows no jump, because b is vacant, or a and c are both vacant, or a and c
;;              both hold a peg
;; Action       jump(from, over, to) as in jumps.pddl, and no other
;; Goal         blocked(a, b, c) for every line, written in one of its two directions
;; Length       the number of jumps
;;
;; fools.pddl compiles the same away: there `stop` and an action for each line stand for the three cases of the rule, and every
;; plan is longer by the number of lines and one. Thiebaux, Hoffmann and Nebel, In defense of PDDL axioms (AIJ 2005), show what
;; such compilations cost in general.

(define (domain peg-derived)
  (:requirements :strips :typing :disjunctive-preconditions :derived-predicates)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (blocked ?a ?over ?b - hole))

  (:derived (blocked ?a ?over ?b - hole)
    (and (line ?a ?over ?b)
         (or (vacant ?over)
             (and (vacant ?a) (vacant ?b))
             (and (peg ?a) (peg ?b)))))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to))))
