;; XXo: 2 pegs, to one peg anywhere
;;
;; X = peg, o = vacancy
;; X X o
;;
(define (problem xxo)
  (:domain peg-last-peg)
  (:objects
    a1 - hole
    b1 - hole
    c1 - hole
  )
  (:init
    (line a1 b1 c1)
    (line c1 b1 a1)
    (peg a1)
    (peg b1)
    (vacant c1)
    (hand-empty)
  )
  (:goal (and
    (holding)
    (vacant a1)
    (vacant b1)
    (vacant c1)
  ))
)
