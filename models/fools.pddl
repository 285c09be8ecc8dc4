;; Fool's Solitaire: reach a dead end in as few jumps as possible. Pure STRIPS with types, no costs needed.
;;
;; State        as in jumps.pddl; playing: until stop; blocked(a, b, c): an action has shown that the line a-b-c allows no jump
;; Actions      jump(from, over, to) while playing; stop ends the play; then each line is certified, in one of three ways:
;;              middle-vacant  no peg to jump over
;;              ends-vacant    no peg that could jump
;;              ends-filled    no vacancy to land in
;; Goal         blocked(a, b, c) for every line, written in one of its two directions
;; Length       jumps + 1 + lines: the last two are constant, so a shortest plan is a dead end in the fewest jumps
;;
;; A dead end is "for every line: b vacant, or a and c alike", a conjunction of disjunctions. Three actions with the same
;; effect express the disjunction in STRIPS. Jefferson, Miguel, Miguel and Tarim (2006), section on Fool's Solitaire.

(define (domain peg-fools)
  (:requirements :strips :typing)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (playing)
    (stopped)
    (blocked ?a ?over ?b - hole))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (playing) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)))

  (:action stop
    :parameters ()
    :precondition (playing)
    :effect (and (not (playing)) (stopped)))

  (:action middle-vacant
    :parameters (?a ?over ?b - hole)
    :precondition (and (line ?a ?over ?b) (stopped) (vacant ?over))
    :effect (blocked ?a ?over ?b))

  (:action ends-vacant
    :parameters (?a ?over ?b - hole)
    :precondition (and (line ?a ?over ?b) (stopped) (vacant ?a) (vacant ?b))
    :effect (blocked ?a ?over ?b))

  (:action ends-filled
    :parameters (?a ?over ?b - hole)
    :precondition (and (line ?a ?over ?b) (stopped) (peg ?a) (peg ?b))
    :effect (blocked ?a ?over ?b)))
