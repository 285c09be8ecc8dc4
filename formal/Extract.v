(** The program: what check_folder and the boards need, as OCaml. Pairs, lists, options and booleans become OCaml's own;
    all numbers stay as they are proved. *)

From Coq Require Import Extraction ExtrOcamlBasic NArith ZArith.
From Pegcp Require Import Game Certificates Boards Play Moves Clauses Steps Claims.

Extraction Language OCaml.
Extraction "verified.ml" check_folder steps_formula rounds_formula named one_peg pegs of_lines drawn mask_of number Z.add Z.mul Z.opp Z.of_nat.
