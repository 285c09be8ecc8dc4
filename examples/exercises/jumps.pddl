;; Exercise: single jumps in STRIPS, with one precondition too few.
;;
;; State    peg(h) or vacant(h) for every hole h; exactly one of the two should hold
;; Static   line(a, b, c): three adjacent holes in a row; written once for each direction
;; Action   jump(from, over, to): the peg at `from` jumps over the peg at `over`, which is removed, into the vacancy `to`

(define (domain peg-jumps)
  (:requirements :strips :typing)
  (:types hole)
  (:predicates
    (line ?from ?over ?to - hole)
    (peg ?h - hole)
    (vacant ?h - hole))

  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and
      ;; MISSING: there is a peg to jump over.
      (line ?from ?over ?to) (peg ?from) (vacant ?to))
    :effect (and
      (not (peg ?from)) (not (peg ?over)) (not (vacant ?to))
      (vacant ?from) (vacant ?over) (peg ?to))))
