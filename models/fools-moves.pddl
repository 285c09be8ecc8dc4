;; Fool's Solitaire in moves: reach a dead end in as few moves as possible. STRIPS, types, action costs.
;;
;; State        as in fewest-moves.pddl (between-moves, on-its-way) and fools.pddl (playing, stopped, blocked)
;; Actions      jump-new-move  (cost 1), jump-continue-move, end-move  (cost 0) as in fewest-moves.pddl, while playing
;;              stop, then one of middle-vacant, ends-vacant, ends-filled  (cost 0) for each line, as in fools.pddl
;; Goal         blocked(a, b, c) for every line, written in one of its two directions
;; Objective    the least total cost = the fewest moves

(define (domain peg-fools-moves)
  (:requirements :strips :typing :action-costs)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole)
    (between-moves)
    (on-its-way ?h - hole)
    (playing)
    (stopped)
    (blocked ?a ?over ?b - hole))
  (:functions (total-cost) - number)

  (:action jump-new-move
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (playing) (between-moves) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (not (between-moves)) (on-its-way ?to)
                 (increase (total-cost) 1)))

  (:action jump-continue-move
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (playing) (on-its-way ?from) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to)
                 (not (on-its-way ?from)) (on-its-way ?to)
                 (increase (total-cost) 0)))

  (:action end-move
    :parameters (?h - hole)
    :precondition (on-its-way ?h)
    :effect (and (not (on-its-way ?h)) (between-moves)
                 (increase (total-cost) 0)))

  (:action stop
    :parameters ()
    :precondition (playing)
    :effect (and (not (playing)) (stopped)
                 (increase (total-cost) 0)))

  (:action middle-vacant
    :parameters (?a ?over ?b - hole)
    :precondition (and (line ?a ?over ?b) (stopped) (vacant ?over))
    :effect (and (blocked ?a ?over ?b)
                 (increase (total-cost) 0)))

  (:action ends-vacant
    :parameters (?a ?over ?b - hole)
    :precondition (and (line ?a ?over ?b) (stopped) (vacant ?a) (vacant ?b))
    :effect (and (blocked ?a ?over ?b)
                 (increase (total-cost) 0)))

  (:action ends-filled
    :parameters (?a ?over ?b - hole)
    :precondition (and (line ?a ?over ?b) (stopped) (peg ?a) (peg ?b))
    :effect (and (blocked ?a ?over ?b)
                 (increase (total-cost) 0))))
