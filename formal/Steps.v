(** The clauses of steps: one jump a step (the model sat-moves), or jumps without common holes (sat-parallel). Whatever
    is played in steps satisfies them, so a refutation of them shows that nothing is. *)

From Coq Require Import Arith Bool List Lia NArith ZArith.
From Pegcp Require Import Game Theory Play Certificates Clauses.
Import ListNotations.
Local Open Scope Z_scope.

(** ** The clauses *)

(** So many variables, from the given one. *)
Fixpoint block (first : Z) (n : nat) : list Z :=
  match n with
  | O => []
  | S n => first :: block (first + 1) n
  end.

(** A jump takes two pegs and puts one into a vacancy. *)
Definition jump_clauses (before after : now) (made : Z) (j : jump) : list clause :=
  [[- made; at_ before (from j)]; [- made; - at_ after (from j)];
   [- made; at_ before (over j)]; [- made; - at_ after (over j)];
   [- made; - at_ before (to j)]; [- made; at_ after (to j)]].

(** Of jumps with their variables, those that take a peg from a hole, and those that put one there. *)
Definition takes (h : hole) (made : list (Z * jump)) : list Z :=
  map fst (filter (fun '(_, j) => Nat.eqb h (from j) || Nat.eqb h (over j)) made).

Definition puts (h : hole) (made : list (Z * jump)) : list Z :=
  map fst (filter (fun '(_, j) => Nat.eqb h (to j)) made).

(** A hole changes only by a jump; the jumps of a parallel step have no hole in common. *)
Definition hole_clauses (parallel : bool) (before after : now) (made : list (Z * jump)) (h : hole) : list clause :=
  [- at_ before h :: at_ after h :: takes h made; at_ before h :: - at_ after h :: puts h made]
  ++ if parallel then no_two (takes h made) ++ no_two (puts h made) else [].

Definition step_clauses (parallel : bool) (b : board) (before after : now) (first : Z) : list clause :=
  let made := block first (length (jumps b)) in
  let jumps := combine made (jumps b) in
  flat_map (fun '(m, j) => jump_clauses before after m j) jumps
  ++ (if parallel then [] else made :: no_two made)
  ++ flat_map (hole_clauses parallel before after jumps) (seq 0 (holes b)).

(** First the variables of the holes after 0 to [n] steps, then those of the jumps of each step. *)
Definition steps_formula (parallel : bool) (p : problem) (n : nat) : list clause :=
  let b := on p in
  let H := Z.of_nat (holes b) in
  let J := Z.of_nat (length (jumps b)) in
  let pegs t := block (1 + H * Z.of_nat t) (holes b) in
  let step t := step_clauses parallel b (pegs t) (pegs (S t)) (1 + H * Z.of_nat (S n) + J * Z.of_nat t) in
  start_clauses b (start p) (pegs O) ++ flat_map step (seq 0 n) ++ goal_clauses b (end_ p) (pegs n).

(** ** Variables of a block *)

Lemma block_length first n : length (block first n) = n.
Proof. revert first. induction n; simpl; auto. Qed.

Lemma at_block first n i : (i < n)%nat -> at_ (block first n) i = first + Z.of_nat i.
Proof.
  unfold at_. revert first i. induction n as [|n IH]; intros first [|i] L; simpl; try lia. rewrite IH; lia.
Qed.

Lemma in_block first n x : In x (block first n) -> first <= x.
Proof. revert first. induction n as [|n IH]; simpl; intros first I; [tauto|]. destruct I as [I|I]; [lia|apply IH in I; lia]. Qed.

Lemma block_distinct first n : NoDup (block first n).
Proof. revert first. induction n; simpl; intros; constructor; auto. intros I. apply in_block in I. lia. Qed.

Lemma in_combine_block first (js : list jump) m j : In (m, j) (combine (block first (length js)) js) <->
  exists i, m = first + Z.of_nat i /\ nth_error js i = Some j.
Proof.
  revert first. induction js as [|k js IH]; simpl; intros first.
  - split; [tauto|]. intros [[|i] [_ N]]; discriminate.
  - rewrite IH. split.
    + intros [E|[i [E N]]]; [inversion E; subst; exists O; simpl; split; auto; lia|exists (S i); simpl; split; auto; lia].
    + intros [[|i] [E N]]; simpl in N; [left; inversion N; subst; f_equal; lia|right; exists i; split; auto; lia].
Qed.

Lemma chosen_distinct (test : Z * jump -> bool) first (js : list jump) :
  NoDup (map fst (filter test (combine (block first (length js)) js))).
Proof.
  revert first. induction js as [|j js IH]; simpl; intros first; [constructor|].
  destruct (test (first, j)); simpl; auto. constructor; auto. intros I. apply in_map_iff in I.
  destruct I as [[m k] [E I]]. apply filter_In in I. destruct I as [I _]. apply in_combine_block in I.
  destruct I as [i [M _]]. simpl in E. lia.
Qed.

(** ** A step that is played satisfies its clauses *)

Lemma says_is vs x b : says vs x b -> true_in (valued vs) x = b.
Proof. intros S. apply (says_literal _ _ _ true) in S. simpl in S. rewrite S. now destruct b. Qed.

Lemma says_not vs x b : says vs x b -> true_in (valued vs) (- x) = negb b.
Proof. intros S. apply (says_literal _ _ _ false) in S. simpl in S. rewrite S. now destruct b. Qed.

Lemma no_two_true a xs : NoDup xs -> (forall x y, In x xs -> In y xs -> true_in a x = true -> true_in a y = true -> x = y) ->
  (forall x, In x xs -> true_in a (- x) = negb (true_in a x)) -> satisfies a (no_two xs).
Proof.
  induction 1 as [|x xs N D IH]; intros U E c I; [destruct I|]. simpl in I. apply in_app_iff in I. destruct I as [I|I].
  - apply in_map_iff in I. destruct I as [y [<- I]]. simpl existsb. rewrite !E by (simpl; auto).
    specialize (U x y (or_introl eq_refl) (or_intror I)). destruct (true_in a x), (true_in a y); auto.
    now rewrite U in N by auto.
  - apply IH; auto. intros; apply U; simpl; auto. intros; apply E; simpl; auto.
Qed.

Lemma untouched b p js q h : plays b p js q -> (forall j, In j js -> ~ In h [from j; over j; to j]) -> q h = p h.
Proof.
  induction 1 as [|p j q js r I M P IH]; intros N; auto. rewrite IH by (intros; apply N; simpl; auto).
  specialize (N j (or_introl eq_refl)). simpl in N. apply M; intuition.
Qed.

(** What independent jumps, made one after the other, need and do. *)
Lemma apart b p js q : plays b p js q -> ForallOrdPairs independent js ->
  (forall j, In j js -> possible j p /\ q (from j) = false /\ q (over j) = false /\ q (to j) = true)
  /\ (forall h, p h <> q h -> exists j, In j js /\ In h [from j; over j; to j]).
Proof.
  induction 1 as [|p j q js r I M P IH]; intros D; [split; [intros j []|congruence]|].
  inversion D as [|x xs F D']; subst. destruct (IH D') as [E C]. clear IH. rewrite Forall_forall in F.
  assert (K : forall h, In h [from j; over j; to j] -> r h = q h).
  { intros h I'. apply (untouched b q js r h P). intros k I''. apply (F k I'' h I'). }
  split.
  - intros k [<-|I'].
    + rewrite !K by (simpl; auto). destruct M as [X [A [B [T _]]]]. auto.
    + destruct (E k I') as [[A [B T]] X]. split; auto. destruct M as [_ [_ [_ [_ U]]]].
      assert (Z : forall h, In h [from k; over k; to k] -> q h = p h).
      { intros h I''. apply U; intros ->; eapply (F k I'); try exact I''; simpl; auto. }
      rewrite !Z in * by (simpl; auto). repeat split; auto.
  - intros h N. destruct (in_dec Nat.eq_dec h [from j; over j; to j]) as [I'|I'].
    + exists j. split; auto. now left.
    + assert (U : q h = p h) by (simpl in I'; apply M; intuition).
      destruct (C h) as [k [I'' H]]; [congruence|]. exists k. split; auto. now right.
Qed.

(** The jumps of a step, each with its place in the list of the board. *)
Definition placed (b : board) (ws : list (nat * jump)) : Prop :=
  forall i j, In (i, j) ws -> nth_error (jumps b) i = Some j.

Definition chosen (ws : list (nat * jump)) (i : nat) : bool := existsb (fun w => Nat.eqb (fst w) i) ws.

Lemma chosen_in b ws i j : placed b ws -> nth_error (jumps b) i = Some j -> chosen ws i = true -> In (i, j) ws.
Proof.
  intros W N C. apply existsb_exists in C. destruct C as [[k j'] [I E]]. simpl in E. apply Nat.eqb_eq in E. subst k.
  assert (N' := W _ _ I). rewrite N in N'. now inversion N'; subst.
Qed.

Lemma in_chosen ws i j : In (i, j) ws -> chosen ws i = true.
Proof. intros I. apply existsb_exists. exists (i, j). split; auto. apply Nat.eqb_refl. Qed.

Lemma independent_pairs (ws : list (nat * jump)) : ForallOrdPairs independent (map snd ws) ->
  forall v w h, In v ws -> In w ws -> In h [from (snd v); over (snd v); to (snd v)] ->
  In h [from (snd w); over (snd w); to (snd w)] -> v = w.
Proof.
  induction ws as [|u ws IH]; intros D v w h V W A B; [destruct V|]. simpl in D. inversion D as [|x xs F D']; subst.
  rewrite Forall_forall in F.
  destruct V as [->|V], W as [->|W]; auto.
  - now destruct (F (snd w) (in_map snd _ _ W) h A).
  - now destruct (F (snd v) (in_map snd _ _ V) h B).
  - eapply IH; eauto.
Qed.

Section Step.

Variables (vs : list bool) (b : board) (p q : position) (before after : now) (first : Z) (ws : list (nat * jump)).

Hypothesis sound : sound_board b = true.
Hypothesis tells_before : tells vs (holes b) before p.
Hypothesis tells_after : tells vs (holes b) after q.
Hypothesis played : plays b p (map snd ws) q.
Hypothesis independent_ : ForallOrdPairs independent (map snd ws).
Hypothesis placed_ : placed b ws.
Hypothesis says_made : forall i, (i < length (jumps b))%nat -> says vs (first + Z.of_nat i) (chosen ws i).

Let pairs := combine (block first (length (jumps b))) (jumps b).

Lemma pair_made m j : In (m, j) pairs -> exists i, says vs m (chosen ws i) /\ m = first + Z.of_nat i /\ nth_error (jumps b) i = Some j.
Proof.
  intros I. apply in_combine_block in I. destruct I as [i [-> N]]. exists i. split; auto. apply says_made.
  apply nth_error_Some. congruence.
Qed.

Lemma jump_clauses_hold m j : In (m, j) pairs -> satisfies (valued vs) (jump_clauses before after m j).
Proof.
  intros I c X. destruct (pair_made m j I) as [i [M [_ N]]].
  destruct (sound_board_jump b j sound (nth_error_In _ _ N)) as [[F [O T]] _].
  destruct tells_before as [_ B], tells_after as [_ A].
  assert (E : chosen ws i = true -> possible j p /\ q (from j) = false /\ q (over j) = false /\ q (to j) = true).
  { intros C. apply (apart b p _ q played independent_). apply (chosen_in b _ _ _ placed_ N) in C.
    apply (in_map snd _ _ C). }
  unfold possible in E. simpl in X. repeat destruct X as [<-|X]; try destruct X; simpl existsb;
    rewrite (says_not _ _ _ M); destruct (chosen ws i); auto; destruct E as [[? [? ?]] [? [? ?]]]; auto;
    match goal with
    | |- context [true_in _ (- at_ ?now ?h)] =>
        first [rewrite (says_not _ _ _ (B h ltac:(assumption)))|rewrite (says_not _ _ _ (A h ltac:(assumption)))]
    | |- context [true_in _ (at_ ?now ?h)] =>
        first [rewrite (says_is _ _ _ (B h ltac:(assumption)))|rewrite (says_is _ _ _ (A h ltac:(assumption)))]
    end; match goal with H : _ = _ |- _ => rewrite H; reflexivity end.
Qed.

(** A variable of jumps that touch a hole; if it is true its jump is made. *)
Lemma chosen_says (test : jump -> bool) m : In m (map fst (filter (fun '(_, j) => test j) pairs)) ->
  exists i j, m = first + Z.of_nat i /\ says vs m (chosen ws i) /\ nth_error (jumps b) i = Some j /\ test j = true.
Proof.
  intros I. apply in_map_iff in I. destruct I as [[m' j] [E I]]. simpl in E. subst m'. apply filter_In in I.
  destruct I as [I T]. destruct (pair_made m j I) as [i [M [E N]]]. exists i, j. auto.
Qed.

Lemma one_of_chosen (test : jump -> bool) h : (forall j, test j = true -> In h [from j; over j; to j]) ->
  satisfies (valued vs) (no_two (map fst (filter (fun '(_, j) => test j) pairs))).
Proof.
  intros T. apply no_two_true; [apply chosen_distinct| |].
  - intros x y X Y TX TY. apply chosen_says in X, Y. destruct X as [i [j [-> [SI [NI CI]]]]], Y as [k [l [-> [SK [NK CK]]]]].
    rewrite (says_is _ _ _ SI) in TX. rewrite (says_is _ _ _ SK) in TY.
    apply (chosen_in b ws i j) in TX; auto. apply (chosen_in b ws k l) in TY; auto.
    assert (E := independent_pairs ws independent_ _ _ h TX TY (T j CI) (T l CK)). inversion E; subst. reflexivity.
  - intros x X. apply chosen_says in X. destruct X as [i [j [_ [S _]]]].
    now rewrite (says_is _ _ _ S), (says_not _ _ _ S).
Qed.

(** A jump that is made is among those that touch the hole. *)
Lemma some_chosen (test : jump -> bool) j : In j (map snd ws) -> test j = true ->
  existsb (true_in (valued vs)) (map fst (filter (fun '(_, j) => test j) pairs)) = true.
Proof.
  intros I T. apply in_map_iff in I. destruct I as [[i j'] [E I]]. simpl in E. subst j'. assert (N := placed_ _ _ I).
  apply existsb_exists. exists (first + Z.of_nat i). split.
  - apply in_map_iff. exists (first + Z.of_nat i, j). split; auto. apply filter_In. split; auto.
    apply in_combine_block. eauto.
  - rewrite (says_is _ _ (chosen ws i)); [now apply in_chosen in I|]. apply says_made, nth_error_Some. congruence.
Qed.

Lemma hole_clauses_hold parallel h : (h < holes b)%nat ->
  satisfies (valued vs) (hole_clauses parallel before after pairs h).
Proof.
  intros L. destruct tells_before as [_ B], tells_after as [_ A]. specialize (B h L). specialize (A h L).
  destruct (apart b p _ q played independent_) as [E C]. apply satisfies_app.
  - intros c [<-|[<-|[]]]; cbn [existsb]; rewrite (says_is _ _ _ A), (says_not _ _ _ B) || rewrite (says_not _ _ _ A), (says_is _ _ _ B);
      destruct (p h) eqn:P, (q h) eqn:Q; auto; simpl; (destruct (C h) as [j [I T]]; [congruence|]);
      destruct (E j I) as [[F [O V]] [F' [O' V']]]; simpl in T.
    + apply (some_chosen _ j I). destruct T as [<-|[<-|[<-|[]]]]; try congruence; rewrite Nat.eqb_refl; auto using orb_true_r.
    + apply (some_chosen _ j I). destruct T as [<-|[<-|[<-|[]]]]; try congruence; apply Nat.eqb_refl.
  - destruct parallel; [|intros c []]. apply satisfies_app; apply (one_of_chosen _ h); intros j T; simpl.
    + apply orb_true_iff in T. rewrite !Nat.eqb_eq in T. intuition.
    + apply Nat.eqb_eq in T. intuition.
Qed.

Lemma step_holds parallel : (parallel = false -> length ws = 1%nat) ->
  satisfies (valued vs) (step_clauses parallel b before after first).
Proof.
  intros One. unfold step_clauses. fold pairs. apply satisfies_app; [|apply satisfies_app].
  - intros c X. apply in_flat_map in X. destruct X as [[m j] [I X]]. now apply (jump_clauses_hold m j I).
  - destruct parallel; [intros c []|]. destruct ws as [|[k j] [|]] eqn:W; try discriminate (One eq_refl).
    assert (N : nth_error (jumps b) k = Some j) by (apply placed_; now left).
    assert (K : (k < length (jumps b))%nat) by (apply nth_error_Some; congruence).
    assert (X : forall x, In x (block first (length (jumps b))) -> exists i, x = first + Z.of_nat i
      /\ says vs x (Nat.eqb k i)).
    { intros x I. apply (In_nth _ _ 0) in I. destruct I as [i [I <-]]. rewrite block_length in I.
      change (nth i _ 0) with (at_ (block first (length (jumps b))) i). rewrite at_block by auto. exists i. split; auto.
      specialize (says_made i I). simpl in says_made. now rewrite orb_false_r in says_made. }
    intros c [<-|I].
    + apply existsb_exists. exists (first + Z.of_nat k). split.
      * rewrite <- (at_block first (length (jumps b)) k K). apply nth_In. now rewrite block_length.
      * specialize (says_made k K). apply says_is in says_made. simpl in says_made. now rewrite Nat.eqb_refl in says_made.
    + revert c I. apply no_two_true; [apply block_distinct| |].
      * intros x y I J TX TY. apply X in I, J. destruct I as [i [-> SI]], J as [l [-> SL]].
        rewrite (says_is _ _ _ SI) in TX. rewrite (says_is _ _ _ SL) in TY. apply Nat.eqb_eq in TX, TY. now subst.
      * intros x I. apply X in I. destruct I as [i [_ S]]. now rewrite (says_is _ _ _ S), (says_not _ _ _ S).
  - intros c X. apply in_flat_map in X. destruct X as [h [I X]]. apply in_seq in I.
    apply (hole_clauses_hold parallel h ltac:(lia) c X).
Qed.

End Step.

(** ** All steps *)

Lemma plays_incl b p js q : plays b p js q -> incl js (jumps b).
Proof. induction 1 as [|p j q js r I M P IH]; [intros k []|]. intros k [<-|X]; auto. Qed.

(** The positions after 0, 1, ... steps. *)
Lemma positions b steps : forall s q, plays b s (concat steps) q -> exists now : nat -> position,
  now O = s /\ now (length steps) = q
  /\ forall t, (t < length steps)%nat -> plays b (now t) (nth t steps []) (now (S t)).
Proof.
  induction steps as [|js steps IH]; simpl; intros s q P.
  - inversion P; subst. exists (fun _ => q). repeat split; auto. intros; lia.
  - destruct (plays_split b s _ _ q P) as [r [A B]]. destruct (IH r q B) as [now [S [E L]]].
    exists (fun t => match t with O => s | S t => now t end). repeat split; auto. intros [|t] T.
    + now rewrite S.
    + apply L. lia.
Qed.

Fixpoint place_of (j : jump) (js : list jump) : nat :=
  match js with
  | [] => O
  | k :: js => if jump_dec j k then O else S (place_of j js)
  end.

Lemma nth_place_of j js : In j js -> nth_error js (place_of j js) = Some j.
Proof. induction js as [|k js IH]; simpl; [tauto|]. intros I. destruct (jump_dec j k) as [->|D]; auto. apply IH. intuition congruence. Qed.

Definition with_places (b : board) (js : list jump) : list (nat * jump) := map (fun j => (place_of j (jumps b), j)) js.

Lemma with_places_jumps b js : map snd (with_places b js) = js.
Proof. unfold with_places. rewrite map_map. apply map_id. Qed.

Lemma with_places_placed b js : incl js (jumps b) -> placed b (with_places b js).
Proof.
  intros I i j X. apply in_map_iff in X. destruct X as [k [E X]]. inversion E; subst. apply nth_place_of. auto.
Qed.

Lemma says_nth f n x : (x < n)%nat -> says (map f (seq 0 n)) (1 + Z.of_nat x) (f x).
Proof.
  intros L. split; [rewrite map_length, seq_length; lia|]. replace (pred _) with x by lia.
  rewrite (nth_indep _ false (f O)) by (rewrite map_length, seq_length; auto). now rewrite map_nth, seq_nth.
Qed.

Lemma start_holds vs b p now : tells vs (holes b) now (bits p) -> satisfies (valued vs) (start_clauses b p now).
Proof.
  intros [_ T] c X. apply in_map_iff in X. destruct X as [h [<- X]]. apply in_seq in X. simpl.
  rewrite (says_literal _ _ _ _ (T h ltac:(lia))), eqb_reflx. reflexivity.
Qed.

(** Whatever is played in steps satisfies the clauses, with the right values of their variables. *)
Theorem steps_hold parallel p steps : sound_board (on p) = true ->
  Forall (ForallOrdPairs independent) steps -> (parallel = false -> Forall (fun js => length js = 1%nat) steps) ->
  solution p (concat steps) -> exists a, satisfies a (steps_formula parallel p (length steps)).
Proof.
  intros S D One [q [P G]]. set (b := on p) in *. set (H := holes b). set (J := length (jumps b)).
  set (n := length steps). destruct (positions b steps _ q P) as [now [N0 [Nn L]]]. fold n in Nn, L.
  set (step t := with_places b (nth t steps [])).
  set (f x := if (x <? H * Datatypes.S n)%nat then now (x / H)%nat (x mod H)%nat
    else let y := (x - H * Datatypes.S n)%nat in chosen (step (y / J)%nat) (y mod J)%nat).
  set (vs := map f (seq 0 (H * Datatypes.S n + J * n))). exists (valued vs).
  assert (T : forall t, (t <= n)%nat -> tells vs H (block (1 + Z.of_nat H * Z.of_nat t) H) (now t)).
  { intros t B. split; [apply block_length|]. intros h X. rewrite at_block by auto.
    assert (Y : (H * t + h < H * Datatypes.S n)%nat) by nia.
    replace (1 + Z.of_nat H * Z.of_nat t + Z.of_nat h) with (1 + Z.of_nat (H * t + h)) by lia.
    replace (now t h) with (f (H * t + h)%nat); [apply says_nth; lia|]. unfold f.
    rewrite (proj2 (Nat.ltb_lt _ _) Y). f_equal.
    - symmetry. apply (Nat.div_unique _ _ _ h); auto.
    - symmetry. apply (Nat.mod_unique _ _ t); auto. }
  assert (M : forall t, (t < n)%nat -> forall i, (i < J)%nat ->
    says vs (1 + Z.of_nat H * Z.of_nat (Datatypes.S n) + Z.of_nat J * Z.of_nat t + Z.of_nat i) (chosen (step t) i)).
  { intros t B i X. assert (Y : (J * t + i < J * n)%nat) by nia. set (x := (H * Datatypes.S n + (J * t + i))%nat).
    replace (1 + Z.of_nat H * Z.of_nat (Datatypes.S n) + Z.of_nat J * Z.of_nat t + Z.of_nat i) with (1 + Z.of_nat x)
      by (unfold x; lia).
    replace (chosen (step t) i) with (f x); [apply says_nth; unfold x; lia|]. unfold f.
    rewrite (proj2 (Nat.ltb_ge _ _)) by (unfold x; lia). replace (x - H * Datatypes.S n)%nat with (J * t + i)%nat by (unfold x; lia).
    cbv zeta. f_equal; [f_equal|].
    - symmetry. apply (Nat.div_unique _ _ _ i); auto.
    - symmetry. apply (Nat.mod_unique _ _ t); auto. }
  unfold steps_formula. fold b H J n. apply satisfies_app; [|apply satisfies_app].
  - apply start_holds. rewrite <- N0. apply (T O). lia.
  - intros c X. apply in_flat_map in X. destruct X as [t [B X]]. apply in_seq in B.
    assert (U : (t < n)%nat) by lia. assert (I : In (nth t steps []) steps) by (apply nth_In; auto).
    assert (Pt := L t U). revert c X.
    apply (step_holds vs b (now t) (now (Datatypes.S t)) _ _ _ (step t) S (T t ltac:(lia)) (T (Datatypes.S t) U));
      unfold step; rewrite ?with_places_jumps; auto; try apply (M t U).
    + rewrite Forall_forall in D. auto.
    + apply with_places_placed, (plays_incl b _ _ _ Pt).
    + intros ->. unfold with_places. rewrite map_length. specialize (One eq_refl). rewrite Forall_forall in One. auto.
  - apply goal_holds with q; auto. rewrite <- Nn. apply T. lia.
Qed.

(** If the clauses of [n] steps of one jump each can be refuted, no solution has [n] jumps. *)
Theorem moves_refuted p n steps : sound_board (on p) = true ->
  refuted_by (steps_formula false p n) steps = true -> forall js, solution p js -> length js <> n.
Proof.
  intros S R js A <-. set (each := map (fun j => [j]) js).
  assert (C : concat each = js) by (unfold each; clear; induction js; simpl; congruence).
  destruct (steps_hold false p each S) as [a X].
  - apply Forall_forall. intros x I. apply in_map_iff in I. destruct I as [j [<- _]]. repeat constructor.
  - intros _. apply Forall_forall. intros x I. apply in_map_iff in I. now destruct I as [j [<- _]].
  - now rewrite C.
  - apply (refuted_by_sound _ _ a R). unfold each in X. now rewrite map_length in X.
Qed.

(** If the clauses of [n] parallel steps can be refuted, the problem is not solved within [n] parallel steps. *)
Theorem parallel_refuted p n steps : sound_board (on p) = true ->
  refuted_by (steps_formula true p n) steps = true -> ~ in_steps p n.
Proof.
  intros S R [js [<- [D A]]]. destruct (steps_hold true p js S D) as [a X]; [discriminate|auto|].
  apply (refuted_by_sound _ _ a R X).
Qed.
