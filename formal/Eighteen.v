(** Every solution of the central game has at least 18 moves: by computation inside Coq, which takes some minutes and
    gigabytes. So this file is not part of the build: see README.md. *)

From Coq Require Import Arith Bool List NArith.
From Pegcp Require Import Game Play Moves Claims English.
Import ListNotations.

(** The eight rotations and reflections of the board, by column and row. *)
Definition turns : list (nat -> nat -> nat * nat) :=
  [fun x y => (x, y); fun x y => (6 - x, y); fun x y => (x, 6 - y); fun x y => (6 - x, 6 - y);
   fun x y => (y, x); fun x y => (6 - y, x); fun x y => (y, 6 - x); fun x y => (6 - y, 6 - x)].

Definition hole_at (x y : nat) : hole :=
  hd 0 (filter (fun h => (column h =? x) && (row h =? y)) (seq 0 33)).

Definition turned (turn : nat -> nat -> nat * nat) (h : hole) : hole :=
  let (x, y) := turn (column h) (row h) in hole_at x y.

(** The groups of holes that the turns carry to each other, by one hole of each: c1, c2, d1, d2, c3, d3, d4. *)
Definition orbits : list (list hole) :=
  map (fun h => nodup Nat.eq_dec (map (fun turn => turned turn h) turns)) [0; 3; 1; 4; 8; 9; 16].

Definition view_of_english : view := Eval vm_compute in
  View (concat orbits) (map (fun turn => map (fun orbit => map (fun h => place orbit (turned turn h)) orbit) orbits) turns) [].

Theorem no_fewer_than_18 : no_fewer (single 16 16) view_of_english 18 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem eighteen : forall js, solution (single 16 16) js -> 18 <= moves js.
Proof. exact (no_fewer_sound (single 16 16) view_of_english 18 no_fewer_than_18). Qed.

(** There is a solution of 18 moves ([central_game]): the fewest moves are 18. *)
Theorem fewest_moves_of_the_central_game :
  (exists js, solution (single 16 16) js /\ moves js = 18) /\ forall js, solution (single 16 16) js -> 18 <= moves js.
Proof.
  split; [|exact eighteen]. destruct central_game as [js [A [_ M]]]. now exists js.
Qed.

Print Assumptions fewest_moves_of_the_central_game.
