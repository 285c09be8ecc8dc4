;; Single jumps: reach an exact or a partial position. Pure STRIPS with types.
;;
;; State        peg(h) or vacant(h) for every hole h; exactly one of the two holds
;; Static       line(a, b, c): a, b, c are three adjacent holes in a row; written once for each direction
;; Action       jump(from, over, to): the peg at `from` jumps over the peg at `over`, which is removed, into the vacancy `to`
;; Goal         peg(h) for the holes that must end with a peg, vacant(h) for those that must end without; others are free
;; Length       the number of jumps = pegs at the start - pegs at the end, so every plan for an exact goal is optimal
;;
;; The rules as in the pegsol domains of the International Planning Competitions 2008 and 2011; without the bookkeeping of
;; moves, as in the Unsolvability IPC 2016.

(define (domain peg-jumps)
  (:requirements :strips :typing)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (peg ?from) (peg ?over) (vacant ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
                 (vacant ?from) (vacant ?over) (peg ?to))))
