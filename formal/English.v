(** Facts about the English board, found by computation inside Coq: nothing but Coq itself has to be trusted for them. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Pegcp Require Import Game Theory Play Certificates Boards Claims Data.
Import ListNotations.

Definition full := drawing Orthogonal
  ["    X X X";
   "    X X X";
   "X X X X X X X";
   "X X X X X X X";
   "X X X X X X X";
   "    X X X";
   "    X X X"]%string.

Definition english : board := fst full.

(** All pegs but one; holes are numbered row by row, so that c1 is 0, d1 is 1, d4 is 16, e5 is 24. *)
Definition all_but (vacancy : hole) : N := N.lxor (snd full) (bit vacancy).

Definition single (vacancy last : hole) : problem := Problem english (all_but vacancy) (Exact (bit last)).

Theorem size : holes english = 33 /\ List.length (jumps english) = 76 /\ sound_board english = true.
Proof. vm_compute. auto. Qed.

(** ** From one vacancy to one peg *)

(** Column and row of a hole, from 0. *)
Definition column (h : hole) : nat := nth h [2;3;4; 2;3;4; 0;1;2;3;4;5;6; 0;1;2;3;4;5;6; 0;1;2;3;4;5;6; 2;3;4; 2;3;4] 0.
Definition row (h : hole) : nat := nth h [0;0;0; 1;1;1; 2;2;2;2;2;2;2; 3;3;3;3;3;3;3; 4;4;4;4;4;4;4; 5;5;5; 6;6;6] 0.

(** Three holes in a row are on three different diagonals out of every three, in both directions. So a jump changes two
    or none of the holes of each of these sets: all but every third diagonal. *)
Definition diagonals : list (hole -> bool) :=
  map (fun k h => negb ((column h + row h) mod 3 =? k)) [0; 1; 2]
  ++ map (fun k h => negb ((column h + 6 - row h) mod 3 =? k)) [0; 1; 2].

(** The pegs on one of these sets are even at the start and odd at the end, or the other way round. *)
Definition ruled_out (vacancy last : hole) : bool :=
  existsb (fun s =>
    let pegs p := Z.even (weight (fun h => one_if (s h)) (holes english) (bits p)) in
    xorb (pegs (all_but vacancy)) (pegs (bit last))) diagonals.

Lemma diagonals_even : forall s, In s diagonals -> even_set english s.
Proof.
  intros s I j. revert s I j. enough (T : forallb (fun s => forallb (fun j => Z.even (loss (fun h => one_if (s h)) j))
    (jumps english)) diagonals = true).
  { intros s I j J. rewrite forallb_forall in T. specialize (T s I). rewrite forallb_forall in T. auto. }
  vm_compute. reflexivity.
Qed.

Lemma different (a b : bool) : xorb a b = true -> a <> b.
Proof. now destruct a, b. Qed.

Local Opaque english all_but.

Theorem ruled_out_unsolvable c f : ruled_out c f = true -> ~ solvable (single c f).
Proof.
  unfold ruled_out. rewrite existsb_exists. intros [s [I X]].
  apply (class_unsolvable (single c f) s (bit f) (proj2 (proj2 size)) (diagonals_even s I) eq_refl).
  exact (different _ _ X).
Qed.

Local Transparent english all_but.

Lemma pairs_solved : forallb (fun '(c, f, ks) => solves (single c f) ks) pairs = true.
Proof. vm_compute. reflexivity. Qed.

Lemma pairs_complete : forallb (fun '(c, f) => ruled_out c f || existsb (fun '(d, e, _) => (d =? c) && (e =? f)) pairs)
  (list_prod (seq 0 33) (seq 0 33)) = true.
Proof. vm_compute. reflexivity. Qed.

(** From one vacancy to one peg the English board can be solved if, and only if, the classes do not rule it out. *)
Theorem english_pairs c f : c < 33 -> f < 33 -> (solvable (single c f) <-> ruled_out c f = false).
Proof.
  intros C F. split.
  - intros A. destruct (ruled_out c f) eqn:E; auto. now apply ruled_out_unsolvable in E.
  - intros E. assert (T := pairs_complete). rewrite forallb_forall in T.
    assert (X := T (c, f) ltac:(apply in_prod; apply in_seq; lia)). cbv beta iota in X. rewrite E in X.
    apply existsb_exists in X. destruct X as [[[d e] ks] [I X]]. rewrite andb_true_iff, !Nat.eqb_eq in X.
    destruct X; subst. assert (U := pairs_solved). rewrite forallb_forall in U. specialize (U _ I). cbv beta iota in U.
    destruct (solves_solution _ _ U) as [js [_ [_ A]]]. now exists js.
Qed.

(** How many of the 33 * 33 pairs are ruled out. *)
Theorem ruled_out_pairs :
  List.length (filter (fun '(c, f) => ruled_out c f) (list_prod (seq 0 33) (seq 0 33))) = 964.
Proof. vm_compute. reflexivity. Qed.

(** No solution begins with c1 empty and ends with one peg at e5. *)
Theorem c1_e5 : ~ solvable (single 0 24).
Proof. apply ruled_out_unsolvable. vm_compute. reflexivity. Qed.

(** ** The central game *)

(** It has a solution of 31 jumps and 18 moves (Bergholt 1912). That there is none of 17 moves is not proved here. *)
Theorem central_game : exists js, solution (single 16 16) js /\ List.length js = 31 /\ moves js = 18.
Proof.
  assert (T : solves (single 16 16) bergholt = true) by (vm_compute; reflexivity).
  destruct (solves_solution _ _ T) as [js [N [L A]]]. exists js. split; [exact A|]. split; [now rewrite L|].
  assert (E : option_map moves (named (jumps english) bergholt) = Some 18) by (vm_compute; reflexivity).
  change (jumps english) with (jumps (on (single 16 16))) in E. rewrite N in E. simpl in E. congruence.
Qed.

(** ** Certificates *)

(** Figure 5 of Kiyomi and Matsui (2001): the equations of jump counts have a solution in whole numbers, and still there
    is none of the puzzle. *)
Definition kiyomi_matsui : problem :=
  let shown rows := snd (drawing Orthogonal rows) in
  Problem english
    (shown ["    X X o"; "    X X X"; "X X X X X X o"; "X X o X o X X"; "o X o X o X X"; "    o X X"; "    o X X"]%string)
    (Exact (shown ["    o o X"; "    X X X"; "o X X o X X X"; "o X o o o X o"; "X X o o o X o"; "    X X X"; "    X o o"]%string)).

Theorem figure_5_unsolvable : ~ solvable kiyomi_matsui.
Proof. apply (certificate_unsolvable _ figure_5); vm_compute; reflexivity. Qed.

(** Fool's Solitaire: six jumps are the fewest to a dead end from d1, and from d4. *)
Definition fools (vacancy : hole) : problem := Problem english (all_but vacancy) DeadEnd.

Lemma six (p : problem) c ks : check_folder (Folder p (Jumps 6) [ByCases c] (Some ks)) = true ->
  (forall js, solution p js -> 6 <= List.length js) /\ exists js, solution p js /\ List.length js = 6.
Proof.
  intros T. apply folder_sound in T. destruct T as [L G]. cbn [about given] in *. split.
  - intros js A. specialize (L js A). lia.
  - destruct G as [js [A E]]; [discriminate|]. exists js. split; auto. lia.
Qed.

Theorem fools_d1 : (forall js, solution (fools 1) js -> 6 <= List.length js)
  /\ exists js, solution (fools 1) js /\ List.length js = 6.
Proof. apply (six _ d1_five d1_six). vm_compute. reflexivity. Qed.

Theorem fools_d4 : (forall js, solution (fools 16) js -> 6 <= List.length js)
  /\ exists js, solution (fools 16) js /\ List.length js = 6.
Proof. apply (six _ d4_five d4_six). vm_compute. reflexivity. Qed.
