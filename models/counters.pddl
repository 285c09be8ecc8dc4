;; Single jumps with counters: how many pegs there are on each set of holes that tells position classes apart. Numeric fluents.
;;
;; State        as in jumps.pddl; pegs-on(s): the number of pegs on the set s
;; Static       member(s, h): 1 if hole h is in the set s, else 0. Every line meets s in none or in two of its holes
;; Action       jump(from, over, to) as in jumps.pddl; pegs-on(s) falls by member(s, from) + member(s, over) - member(s, to),
;;              which is 0 or 2
;; Goal         as in jumps.pddl, and pegs-on(s) at least the number of pegs wanted on s
;; Length       the number of jumps
;;
;; The sets are a basis of all such sets, or four of it: a square lattice has four, a triangular one two, and the others are
;; empty. The parities of the counters are the position class, which no jump changes. PDDL has no parities: what a planner can
;; see is that no counter ever grows, that is, that the membership of s is a pagoda function. The counters follow from the pegs,
;; so they take no solution away. There is an effect for each set because planners do not read numeric effects for all sets.

(define (domain peg-counters)
  (:requirements :strips :typing :numeric-fluents)
  (:types hole set)
  (:constants set-1 set-2 set-3 set-4 - set)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole))
  (:functions
    (pegs-on ?s - set)
    (member ?s - set ?h - hole))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (decrease (pegs-on set-1) (- (+ (member set-1 ?from) (member set-1 ?over)) (member set-1 ?to)))
                 (decrease (pegs-on set-2) (- (+ (member set-2 ?from) (member set-2 ?over)) (member set-2 ?to)))
                 (decrease (pegs-on set-3) (- (+ (member set-3 ?from) (member set-3 ?over)) (member set-3 ?to)))
                 (decrease (pegs-on set-4) (- (+ (member set-4 ?from) (member set-4 ?over)) (member set-4 ?to))))))
