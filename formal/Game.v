(** The rules of peg solitaire.

    Everything here is a definition: this is what the theorems of the other files are about, and what a reader has to
    agree with. Words as in docs/glossary.md. *)

From Coq Require Import Arith Bool List NArith.
Import ListNotations.

(** A hole is a number, from 0. A board says how many holes it has, and lists its jumps. *)

Definition hole := nat.

Record jump := Jump { from : hole; over : hole; to : hole }.

Record board := Board { holes : nat; jumps : list jump }.

(** A position says of each hole whether it holds a peg. *)

Definition position := hole -> bool.

(** A jump is possible if there are pegs at [from] and [over], and a vacancy at [to]. It takes the two pegs, puts one
    at [to], and leaves all other holes as they are. *)

Definition possible (j : jump) (p : position) : Prop :=
  p (from j) = true /\ p (over j) = true /\ p (to j) = false.

Definition makes (j : jump) (p q : position) : Prop :=
  possible j p
  /\ q (from j) = false /\ q (over j) = false /\ q (to j) = true
  /\ forall h, h <> from j -> h <> over j -> h <> to j -> q h = p h.

(** [plays b p js q]: the jumps [js] of the board, made one after the other, lead from [p] to [q]. *)

Inductive plays (b : board) : position -> list jump -> position -> Prop :=
  | plays_none p : plays b p [] p
  | plays_jump p j q js r : In j (jumps b) -> makes j p q -> plays b q js r -> plays b p (j :: js) r.

(** In data a position is a binary number: bit [h] says whether hole [h] holds a peg. *)

Definition bits (n : N) : position := N.testbit_nat n.

(** What the last position must be. [Exact]: these pegs and no others. [Partial]: pegs here, vacancies there, the other
    holes are free. [OnePeg]: one peg, anywhere. [DeadEnd]: no jump is possible. *)

Inductive goal :=
  | Exact (pegs : N)
  | Partial (pegs vacancies : N)
  | OnePeg
  | DeadEnd.

Definition reached (b : board) (g : goal) (p : position) : Prop :=
  match g with
  | Exact pegs => forall h, h < holes b -> p h = bits pegs h
  | Partial pegs vacancies =>
      forall h, h < holes b -> (bits pegs h = true -> p h = true) /\ (bits vacancies h = true -> p h = false)
  | OnePeg => exists one, one < holes b /\ forall h, h < holes b -> (p h = true <-> h = one)
  | DeadEnd => forall j, In j (jumps b) -> ~ possible j p
  end.

(** A problem, and its solutions: jumps that lead from the start to a position that satisfies the goal. *)

Record problem := Problem { on : board; start : N; end_ : goal }.

Definition leaves (p : problem) (js : list jump) (q : position) : Prop :=
  plays (on p) (bits (start p)) js q /\ reached (on p) (end_ p) q.

Definition solution (p : problem) (js : list jump) : Prop := exists q, leaves p js q.

Definition solvable (p : problem) : Prop := exists js, solution p js.

(** The number of jumps is the length of the list. A move is a maximal run of jumps by the same peg: the next jump
    begins a new move unless it starts where this one ended. *)

Fixpoint moves (js : list jump) : nat :=
  match js with
  | [] => 0
  | [_] => 1
  | j :: (k :: _) as rest => (if to j =? from k then 0 else 1) + moves rest
  end.

(** Jumps are independent if they have no hole in common. A parallel step makes jumps each two of which are independent,
    or none: in which order makes no difference. *)

Definition independent (j k : jump) : Prop :=
  forall h, In h [from j; over j; to j] -> ~ In h [from k; over k; to k].

(** The problem is solved within [n] parallel steps. *)

Definition in_steps (p : problem) (n : nat) : Prop :=
  exists steps, length steps = n /\ Forall (ForallOrdPairs independent) steps /\ solution p (concat steps).

(** A round goes through all jumps in an order, and makes each or leaves it out. [passes p js r]: going through [js] in
    this way leads from [p] to [r]. *)

Inductive passes : position -> list jump -> position -> Prop :=
  | passes_end p : passes p [] p
  | passes_made p j q js r : makes j p q -> passes q js r -> passes p (j :: js) r
  | passes_left p j js r : passes p js r -> passes p (j :: js) r.

Fixpoint repeated (n : nat) (js : list jump) : list jump :=
  match n with
  | 0 => []
  | S n => js ++ repeated n js
  end.

(** The problem is solved within [n] rounds. *)
Definition in_rounds (p : problem) (order : list jump) (n : nat) : Prop :=
  exists q, passes (bits (start p)) (repeated n order) q /\ reached (on p) (end_ p) q.

(** How many of the first [n] holes hold a peg. *)

Fixpoint count (n : nat) (p : position) : nat :=
  match n with
  | 0 => 0
  | S n => count n p + (if p n then 1 else 0)
  end.

(** The jumps of a real board are made on its own holes, and a jump has three different ones. *)

Definition sound_jump (n : nat) (j : jump) : bool :=
  (from j <? n) && (over j <? n) && (to j <? n)
  && negb (from j =? over j) && negb (from j =? to j) && negb (over j =? to j).

Definition sound_board (b : board) : bool := forallb (sound_jump (holes b)) (jumps b).
