(** What holds on every board: weights of holes, position classes, pagoda functions, how often a jump can be made,
    playing backwards from the complement, and that independent jumps may change places. *)

From Coq Require Import Arith Bool List Lia Permutation ZArith.
From Pegcp Require Import Game.
Import ListNotations.
Local Open Scope Z_scope.

(** ** Sums over holes *)

Fixpoint sum (f : nat -> Z) (n : nat) : Z :=
  match n with
  | O => 0
  | S n => sum f n + f n
  end.

Definition one_if (b : bool) : Z := if b then 1 else 0.

(** What the pegs on the first [n] holes weigh, where hole [h] weighs [w h]. *)
Definition weight (w : hole -> Z) (n : nat) (p : position) : Z := sum (fun h => w h * one_if (p h)) n.

(** What a jump takes away of it. *)
Definition loss (w : hole -> Z) (j : jump) : Z := w (from j) + w (over j) - w (to j).

Fixpoint losses (w : hole -> Z) (js : list jump) : Z :=
  match js with
  | [] => 0
  | j :: js => loss w j + losses w js
  end.

Lemma sum_ext f g n : (forall h, (h < n)%nat -> f h = g h) -> sum f n = sum g n.
Proof. induction n as [|n IH]; simpl; intros E; auto. rewrite IH, E; auto. Qed.

Lemma sum_add f g n : sum (fun h => f h + g h) n = sum f n + sum g n.
Proof. induction n; simpl; lia. Qed.

Lemma sum_scale c f n : sum (fun h => c * f h) n = c * sum f n.
Proof. induction n; simpl; lia. Qed.

Lemma sum_zero n : sum (fun _ => 0) n = 0.
Proof. induction n; simpl; lia. Qed.

Lemma sum_le f g n : (forall h, (h < n)%nat -> f h <= g h) -> sum f n <= sum g n.
Proof.
  induction n as [|n IH]; simpl; intros L; [lia|].
  assert (sum f n <= sum g n) by (apply IH; auto). specialize (L n). lia.
Qed.

Lemma sum_one f a n : sum (fun h => if Nat.eqb h a then f h else 0) n = if Nat.ltb a n then f a else 0.
Proof.
  induction n as [|n IH]; simpl; auto. rewrite IH.
  destruct (Nat.eqb_spec n a), (Nat.ltb_spec a n), (Nat.ltb_spec a (S n)); subst; lia.
Qed.

Lemma count_weight n p : Z.of_nat (count n p) = weight (fun _ => 1) n p.
Proof. unfold weight. induction n; simpl; auto. rewrite Nat2Z.inj_add, IHn. destruct (p n); simpl; lia. Qed.

(** ** Each jump takes its loss away *)

(** What a jump takes from a hole: 1 from [from] and [over], and -1 from [to], where it puts a peg. *)
Definition taken (j : jump) (h : hole) : Z :=
  one_if ((h =? from j) || (h =? over j))%nat - one_if (h =? to j)%nat.

Lemma makes_taken j p q h : makes j p q -> one_if (q h) = one_if (p h) - taken j h.
Proof.
  intros [[F [O T]] [F' [O' [T' E]]]]. unfold taken.
  destruct (Nat.eqb_spec h (from j)), (Nat.eqb_spec h (over j)), (Nat.eqb_spec h (to j)); subst;
    simpl; try (rewrite E by assumption); try congruence;
    repeat match goal with H : _ = _ |- _ => rewrite H in * end; simpl; try lia; congruence.
Qed.

Lemma sound_board_jump b j : sound_board b = true -> In j (jumps b) ->
  (from j < holes b /\ over j < holes b /\ to j < holes b)%nat
  /\ from j <> over j /\ from j <> to j /\ over j <> to j.
Proof.
  unfold sound_board. rewrite forallb_forall. intros S I. specialize (S j I). unfold sound_jump in S.
  rewrite !andb_true_iff, !negb_true_iff, !Nat.ltb_lt, !Nat.eqb_neq in S. tauto.
Qed.

Lemma weight_jump b w j p q : sound_board b = true -> In j (jumps b) -> makes j p q ->
  weight w (holes b) q = weight w (holes b) p - loss w j.
Proof.
  intros S I M. destruct (sound_board_jump b j S I) as [[F [O T]] [D1 [D2 D3]]].
  assert (L : loss w j = sum (fun h => w h * taken j h) (holes b)).
  { transitivity (sum (fun h => (if Nat.eqb h (from j) then w h else 0) + (if Nat.eqb h (over j) then w h else 0)
                                + (if Nat.eqb h (to j) then - w h else 0)) (holes b)).
    - rewrite !sum_add, (sum_one w), (sum_one w), (sum_one (fun h => - w h)). unfold loss.
      apply Nat.ltb_lt in F, O, T. rewrite F, O, T. lia.
    - apply sum_ext. intros h _. unfold taken.
      destruct (Nat.eqb_spec h (from j)), (Nat.eqb_spec h (over j)), (Nat.eqb_spec h (to j)); subst; simpl; try lia;
        congruence. }
  rewrite L. unfold weight. enough (sum (fun h => w h * one_if (q h)) (holes b) + sum (fun h => w h * taken j h) (holes b)
    = sum (fun h => w h * one_if (p h)) (holes b)) by lia.
  rewrite <- sum_add. apply sum_ext. intros h _. rewrite (makes_taken j p q h M). lia.
Qed.

(** The weight at the end is that at the start, less the losses of the jumps. *)
Theorem weight_plays b w p js q : sound_board b = true -> plays b p js q ->
  weight w (holes b) q = weight w (holes b) p - losses w js.
Proof.
  intros S P. induction P as [|p j q js r I M P IH]; simpl; [lia|].
  rewrite IH, (weight_jump b w j p q S I M). lia.
Qed.

(** ** The number of pegs *)

Theorem pegs_jumps b p js q : sound_board b = true -> plays b p js q ->
  (count (holes b) p = count (holes b) q + length js)%nat.
Proof.
  intros S P. apply Nat2Z.inj. rewrite Nat2Z.inj_add, !count_weight, (weight_plays b _ p js q S P).
  enough (losses (fun _ => 1) js = Z.of_nat (length js)) by lia.
  clear. induction js as [|j js IH]; [reflexivity|]. cbn [losses length]. unfold loss at 1. lia.
Qed.

(** ** Position classes: a set of holes of which each jump changes none or two *)

Definition even_set (b : board) (s : hole -> bool) : Prop :=
  forall j, In j (jumps b) -> Z.even (loss (fun h => one_if (s h)) j) = true.

(** The parity of the pegs on such a set never changes. *)
Theorem class_plays b s p js q : sound_board b = true -> even_set b s -> plays b p js q ->
  let pegs := weight (fun h => one_if (s h)) (holes b) in Z.even (pegs q) = Z.even (pegs p).
Proof.
  intros S E P. simpl. rewrite (weight_plays b _ p js q S P), Z.even_sub.
  enough (L : Z.even (losses (fun h => one_if (s h)) js) = true)
    by (rewrite L; match goal with |- eqb ?x true = _ => now destruct x end).
  induction P as [|p j q js r I M P IH]; simpl; auto. rewrite Z.even_add, (E j I), IH. reflexivity.
Qed.

(** Where start and goal differ in it there is no solution. *)
Corollary class_unsolvable p s pegs : sound_board (on p) = true -> even_set (on p) s -> end_ p = Exact pegs ->
  let parity n := Z.even (weight (fun h => one_if (s h)) (holes (on p)) (bits n)) in
  parity (start p) <> parity pegs -> ~ solvable p.
Proof.
  intros S E G parity D [js [q [P R]]]. apply D. unfold parity. rewrite G in R. simpl in R.
  rewrite <- (class_plays _ s _ js q S E P). f_equal. apply sum_ext. intros h L. now rewrite R.
Qed.

(** ** Pagoda functions: weights of which no jump has a loss below 0 *)

Definition pagoda (b : board) (w : hole -> Z) : Prop := forall j, In j (jumps b) -> 0 <= loss w j.

(** The weight of the pegs never rises. *)
Theorem pagoda_plays b w p js q : sound_board b = true -> pagoda b w -> plays b p js q ->
  weight w (holes b) q <= weight w (holes b) p.
Proof.
  intros S G P. rewrite (weight_plays b w p js q S P). enough (0 <= losses w js) by lia.
  induction P as [|p j q js r I M P IH]; simpl; [lia|]. specialize (G j I). lia.
Qed.

Corollary pagoda_unsolvable p w pegs : sound_board (on p) = true -> pagoda (on p) w -> end_ p = Exact pegs ->
  weight w (holes (on p)) (bits (start p)) < weight w (holes (on p)) (bits pegs) -> ~ solvable p.
Proof.
  intros S E G D [js [q [P R]]]. assert (L := pagoda_plays _ w _ js q S E P). rewrite G in R. simpl in R.
  replace (weight w (holes (on p)) q) with (weight w (holes (on p)) (bits pegs)) in L; [lia|].
  apply sum_ext. intros h B. now rewrite R.
Qed.

Definition jump_dec (j k : jump) : {j = k} + {j <> k}.
Proof. decide equality; apply Nat.eq_dec. Defined.

(** How often a jump is made, times its loss, is at most what start and end differ in weight. *)
Theorem pagoda_budget b w p js q j : sound_board b = true -> pagoda b w -> plays b p js q ->
  Z.of_nat (count_occ jump_dec js j) * loss w j <= weight w (holes b) p - weight w (holes b) q.
Proof.
  intros S G P. rewrite (weight_plays b w p js q S P).
  enough (Z.of_nat (count_occ jump_dec js j) * loss w j <= losses w js) by lia.
  induction P as [|p k q js r I M P IH]; [simpl; lia|]. cbn [losses count_occ]. specialize (G k I).
  destruct (jump_dec k j); subst; rewrite ?Nat2Z.inj_succ; lia.
Qed.

(** ** Playing backwards from the complement *)

Definition complement (p : position) : position := fun h => negb (p h).

Lemma plays_app b p js q ks r : plays b p js q -> plays b q ks r -> plays b p (js ++ ks) r.
Proof. induction 1; simpl; auto. intros. econstructor; eauto. Qed.

Lemma plays_split b p js ks r : plays b p (js ++ ks) r -> exists q, plays b p js q /\ plays b q ks r.
Proof.
  revert p. induction js as [|j js IH]; simpl; intros p P; [exists p; split; auto; constructor|].
  inversion P as [|p0 j0 q js0 r0 I M P']; subst. destruct (IH q P') as [s [A B]]. exists s. split; auto.
  econstructor; eauto.
Qed.

Lemma makes_complement j p q : makes j p q -> makes j (complement q) (complement p).
Proof.
  unfold makes, possible, complement. intros [[F [O T]] [F' [O' [T' E]]]].
  rewrite F, O, T, F', O', T'. repeat split. intros. rewrite E; auto.
Qed.

(** The same jumps in reverse order lead from the complement of the end to the complement of the start. *)
Theorem plays_complement b p js q : plays b p js q -> plays b (complement q) (rev js) (complement p).
Proof.
  induction 1 as [|p j q js r I M P IH]; simpl; [constructor|].
  eapply plays_app; [exact IH|]. econstructor; [exact I| |constructor]. apply makes_complement, M.
Qed.

(** ** Independent jumps *)

Definition independentb (j k : jump) : bool :=
  forallb (fun h => negb (existsb (Nat.eqb h) [from k; over k; to k])) [from j; over j; to j].

Lemma independentb_spec j k : independentb j k = true <-> independent j k.
Proof.
  unfold independentb, independent. rewrite forallb_forall. split; intros H h I; specialize (H h I).
  - intro I'. rewrite negb_true_iff in H. apply not_true_iff_false in H. apply H, existsb_exists.
    exists h. rewrite Nat.eqb_refl. auto.
  - rewrite negb_true_iff. apply not_true_iff_false. rewrite existsb_exists. intros [x [I' E]].
    apply Nat.eqb_eq in E. subst. auto.
Qed.

Definition made (j : jump) (p : position) : position :=
  fun h => if (h =? to j)%nat then true else if ((h =? from j) || (h =? over j))%nat then false else p h.

(** Next to each other they may change places. *)
Theorem independent_commute b p j k r : independent j k ->
  plays b p [j; k] r -> plays b p [k; j] r.
Proof.
  intros D P. inversion P as [|p0 j0 q0 js0 r0 I M P']; subst.
  inversion P' as [|p1 k1 q1 js1 r1 I' M' P'']; subst. inversion P''; subst. clear P P' P''.
  destruct M as [[F [O T]] [F' [O' [T' E]]]], M' as [[F1 [O1 T1]] [F1' [O1' [T1' E1]]]].
  assert (X : forall h, In h [from j; over j; to j] -> h <> from k /\ h <> over k /\ h <> to k).
  { intros h H. specialize (D h H). simpl in D. intuition. }
  assert (Xf := X (from j)). assert (Xo := X (over j)). assert (Xt := X (to j)). clear X. simpl in Xf, Xo, Xt.
  destruct Xf as [? [? ?]], Xo as [? [? ?]], Xt as [? [? ?]]; auto.
  assert (M : makes k p (made k p)).
  { unfold makes, possible, made. rewrite !E in F1, O1, T1 by auto. rewrite !Nat.eqb_refl. repeat split; auto.
    - destruct (Nat.eqb_spec (from k) (to k)); [congruence|reflexivity].
    - destruct (Nat.eqb_spec (over k) (to k)); [congruence|]. now rewrite orb_true_r.
    - intros h A B C. apply Nat.eqb_neq in A, B, C. now rewrite A, B, C. }
  econstructor; [exact I'|exact M|]. econstructor; [exact I| |constructor].
  destruct M as [_ [K1 [K2 [K3 K4]]]].
  unfold makes, possible. rewrite !K4 by auto. rewrite !E1 by auto. repeat split; auto.
  intros h A B C. destruct (Nat.eq_dec h (from k)), (Nat.eq_dec h (over k)), (Nat.eq_dec h (to k)); subst; try congruence.
  rewrite K4, E1, E; auto.
Qed.
