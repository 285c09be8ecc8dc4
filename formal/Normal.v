(** Of several equal solutions one is enough: what the options [order], [early] and [symmetry] of the models demand loses
    none. Independent jumps stand in order; each jump stands in the first step, or round, in which it can; the first jump
    is the first of its class under the symmetries of the problem. *)

From Coq Require Import Arith Bool List Lia Permutation.
From Pegcp Require Import Game Theory Play.
Import ListNotations.

(** ** Normal form: no jump stands before an independent one that comes earlier in a given order *)

Fixpoint normal (earlier : jump -> jump -> bool) (js : list jump) : Prop :=
  match js with
  | j :: (k :: _) as rest => (independent j k -> earlier k j = false) /\ normal earlier rest
  | _ => True
  end.

Fixpoint put_in (earlier : jump -> jump -> bool) (j : jump) (js : list jump) : list jump :=
  match js with
  | k :: rest => if independentb j k && earlier k j then k :: put_in earlier j rest else j :: js
  | [] => [j]
  end.

Lemma put_in_normal earlier j js : (forall j k, earlier j k = true -> earlier k j = false) ->
  normal earlier js -> normal earlier (put_in earlier j js).
Proof.
  intros A. induction js as [|k js IH]; [simpl; auto|]. intros N.
  cbn [put_in]. destruct (independentb j k) eqn:D; simpl andb.
  - destruct (earlier k j) eqn:E; [|split; auto].
    assert (N' : normal earlier js) by (destruct js; simpl in N; tauto). specialize (IH N').
    destruct js as [|i js]; [simpl; auto|].
    cbn [put_in] in *. destruct (independentb j i && earlier i j); split; auto. apply N.
  - split; auto. intros I. apply independentb_spec in I. congruence.
Qed.

Lemma put_in_plays b earlier j js p r : plays b p (j :: js) r -> plays b p (put_in earlier j js) r.
Proof.
  revert p. induction js as [|k js IH]; intros p P; simpl; auto.
  destruct (independentb j k && earlier k j) eqn:E; auto. apply andb_true_iff in E. destruct E as [D _].
  apply independentb_spec in D. inversion P as [|p0 j0 q js0 r0 I M P']; subst.
  inversion P' as [|p1 k1 q' js1 r1 I' M' P'']; subst.
  assert (C : plays b p [k; j] q') by (apply independent_commute; auto; repeat (econstructor; eauto)).
  inversion C as [|p2 k2 s js2 r2 I2 M2 C']; subst. econstructor; [exact I2|exact M2|]. apply IH.
  inversion C' as [|p3 j3 s' js3 r3 I3 M3 C'']; subst. inversion C''; subst. econstructor; eauto.
Qed.

Lemma put_in_permutation earlier j js : Permutation (j :: js) (put_in earlier j js).
Proof.
  induction js as [|k js IH]; simpl; auto. destruct (independentb j k && earlier k j); auto.
  rewrite perm_swap. auto.
Qed.

Lemma normal_first b earlier p js r : (forall j k, earlier j k = true -> earlier k j = false) ->
  plays b p js r -> exists ks, Permutation js ks /\ normal earlier ks /\ plays b p ks r
  /\ match js, ks with j :: _, k :: _ => k = j \/ earlier k j = true | _, _ => True end.
Proof.
  intros A P. induction P as [p|p j q js r I M P [ks [E [N [K _]]]]].
  - exists []. repeat split; auto. constructor.
  - exists (put_in earlier j ks). split; [|split; [|split]].
    + rewrite <- put_in_permutation. auto.
    + apply put_in_normal; auto.
    + apply put_in_plays. econstructor; eauto.
    + destruct ks as [|k ks]; simpl; auto. destruct (independentb j k && earlier k j) eqn:X; auto.
      apply andb_true_iff in X. tauto.
Qed.

(** Whatever can be played can be played in normal form, by the same jumps: whoever demands of independent jumps next to
    each other that they stand in order (the option [order] of the models) loses no last position. *)
Theorem normal_form b earlier p js r : (forall j k, earlier j k = true -> earlier k j = false) ->
  plays b p js r -> exists ks, Permutation js ks /\ normal earlier ks /\ plays b p ks r.
Proof. intros A P. destruct (normal_first b earlier p js r A P) as [ks [E [N [K _]]]]. exists ks. auto. Qed.

Corollary normal_solution p js earlier : (forall j k, earlier j k = true -> earlier k j = false) ->
  solution p js -> exists ks, Permutation js ks /\ normal earlier ks /\ solution p ks.
Proof.
  intros A [q [P R]]. destruct (normal_form (on p) earlier _ js q A P) as [ks [E [N K]]].
  exists ks. repeat split; auto. exists q. split; auto.
Qed.

(** ** Parallel steps *)

Lemma independent_sym j k : independent j k -> independent k j.
Proof. intros D h I I'. apply (D h I' I). Qed.

(** A solution in steps of one jump each. *)
Lemma solution_in_steps p js : solution p js -> in_steps p (length js).
Proof.
  intros A. exists (map (fun j => [j]) js). split; [apply map_length|]. split.
  - apply Forall_forall. intros x I. apply in_map_iff in I. destruct I as [j [<- _]]. repeat constructor.
  - replace (concat _) with js; auto. clear. induction js; simpl; congruence.
Qed.

(** More steps are as good: some may be empty. *)
Lemma more_steps p n m : (n <= m) -> in_steps p n -> in_steps p m.
Proof.
  intros L [steps [<- [D A]]]. exists (steps ++ repeat [] (m - length steps)). rewrite app_length, repeat_length.
  split; [lia|]. split.
  - apply Forall_app. split; auto. apply Forall_forall. intros x I. apply repeat_spec in I. subst. constructor.
  - rewrite concat_app. replace (concat (repeat [] _)) with (@nil jump); [now rewrite app_nil_r|].
    clear. induction (m - length steps); simpl; auto.
Qed.

(** One more jump, in the first step after all those with which it has a hole in common. *)
Fixpoint put_early (steps : list (list jump)) (j : jump) : list (list jump) :=
  match steps with
  | [] => [[j]]
  | js :: rest => if forallb (independentb j) (concat steps) then (j :: js) :: rest else js :: put_early rest j
  end.

(** Each jump in the first step in which it can stand. *)
Definition packed (js : list jump) : list (list jump) := fold_left put_early js [].

Lemma independent_all j ks : forallb (independentb j) ks = true <-> Forall (independent j) ks.
Proof.
  rewrite forallb_forall, Forall_forall. split; intros H k I; specialize (H k I); now apply independentb_spec.
Qed.

Lemma move_front b p j ks r : Forall (independent j) ks -> plays b p (ks ++ [j]) r -> plays b p (j :: ks) r.
Proof.
  revert p. induction ks as [|k ks IH]; simpl; intros p D P; auto. inversion D as [|x xs D0 D']; subst.
  inversion P as [|p0 j0 q js0 r0 I M P']; subst. specialize (IH q D' P').
  inversion IH as [|p1 j1 q' js1 r1 I' M' P'']; subst.
  assert (C : plays b p [j; k] q') by (apply independent_commute; [now apply independent_sym|repeat (econstructor; eauto)]).
  inversion C as [|p2 j2 s js2 r2 I2 M2 C']; subst. econstructor; [exact I2|exact M2|].
  inversion C' as [|p3 j3 s' js3 r3 I3 M3 C'']; subst. inversion C''; subst. econstructor; eauto.
Qed.

Lemma put_early_plays b steps : forall p j r, plays b p (concat steps ++ [j]) r ->
  plays b p (concat (put_early steps j)) r.
Proof.
  induction steps as [|js rest IH]; intros p j r P; auto. cbn [put_early].
  destruct (forallb (independentb j) (concat (js :: rest))) eqn:D.
  - apply independent_all in D. apply (move_front b p j _ r D) in P. exact P.
  - simpl in *. rewrite <- app_assoc in P. apply plays_split in P. destruct P as [q [A B]].
    eapply plays_app; eauto.
Qed.

Lemma put_early_parallel steps j : Forall (ForallOrdPairs independent) steps ->
  Forall (ForallOrdPairs independent) (put_early steps j).
Proof.
  induction 1 as [|js rest D F IH]; simpl; [repeat constructor|].
  destruct (forallb (independentb j) (js ++ concat rest)) eqn:E; constructor; auto.
  constructor; auto. apply independent_all, Forall_app in E. tauto.
Qed.

(** Each jump but those of the first step has a hole in common with one of the step before. *)
Fixpoint early (steps : list (list jump)) : Prop :=
  match steps with
  | js :: (ks :: _) as rest => (forall k, In k ks -> exists j, In j js /\ ~ independent k j) /\ early rest
  | _ => True
  end.

Lemma put_early_early steps j : early steps -> early (put_early steps j).
Proof.
  induction steps as [|js rest IH]; cbn [put_early concat]; [intros _; exact I|]. intros E.
  destruct (forallb (independentb j) (js ++ concat rest)) eqn:D.
  - destruct rest as [|ks rest]; simpl; auto. destruct E as [E F]. split; auto.
    intros k I. destruct (E k I) as [i [I' N]]. exists i. split; simpl; auto.
  - assert (X : forallb (independentb j) (concat rest) = true -> exists i, In i js /\ ~ independent j i).
    { intros T. rewrite forallb_app, T, andb_true_r in D. clear - D. induction js as [|i js IH]; [discriminate|].
      simpl in D. destruct (independentb j i) eqn:B.
      - destruct IH as [k [I N]]; auto. exists k. split; simpl; auto.
      - exists i. split; [now left|]. intros C. apply independentb_spec in C. congruence. }
    destruct rest as [|ks rest]; simpl in *.
    + split; auto. intros k [<-|[]]. auto.
    + destruct E as [E F]. specialize (IH F). destruct (forallb (independentb j) (ks ++ concat rest)); split; auto.
      intros k [<-|I]; auto.
Qed.

Lemma put_all b p js r : forall steps, Forall (ForallOrdPairs independent) steps -> early steps ->
  plays b p (concat steps ++ js) r -> let after := fold_left put_early js steps in
  Forall (ForallOrdPairs independent) after /\ early after /\ plays b p (concat after) r.
Proof.
  induction js as [|j js IH]; simpl; intros steps D E P; [rewrite app_nil_r in P; auto|].
  apply IH; auto using put_early_parallel, put_early_early.
  change (j :: js) with ([j] ++ js) in P. rewrite app_assoc in P. apply plays_split in P. destruct P as [q [A B]].
  eapply plays_app; eauto. now apply put_early_plays.
Qed.

(** Whatever can be played can be played in such steps. *)
Theorem packed_plays b p js r : plays b p js r ->
  Forall (ForallOrdPairs independent) (packed js) /\ early (packed js) /\ plays b p (concat (packed js)) r.
Proof. intros P. apply (put_all b p js r []); simpl; auto. Qed.

(** A jump that is independent of all from step [m] on is put there, or earlier. *)
Lemma put_early_before steps : forall m j, (m < length steps) -> Forall (independent j) (concat (skipn m steps)) ->
  length (put_early steps j) = length steps /\ skipn (S m) (put_early steps j) = skipn (S m) steps
  /\ forall k, In k (concat (skipn m (put_early steps j))) -> k = j \/ In k (concat (skipn m steps)).
Proof.
  induction steps as [|js rest IH]; simpl; intros m j L D; [lia|].
  destruct (forallb (independentb j) (js ++ concat rest)) eqn:E.
  - repeat split; auto. intros k I. destruct m as [|m]; simpl in *; auto. intuition.
  - destruct m as [|m]; simpl in D; [apply independent_all in D; congruence|].
    destruct (IH m j ltac:(lia) D) as [A [B C]]. cbn [length]. rewrite A. split; auto.
Qed.

Lemma put_step_before js : forall steps m, (m < length steps) -> ForallOrdPairs independent js ->
  (forall j, In j js -> Forall (independent j) (concat (skipn m steps))) ->
  let after := fold_left put_early js steps in length after = length steps /\ skipn (S m) after = skipn (S m) steps.
Proof.
  induction js as [|j js IH]; simpl; intros steps m L D F; auto. inversion D as [|x xs D0 D']; subst.
  destruct (put_early_before steps m j L (F j (or_introl eq_refl))) as [A [B C]].
  destruct (IH (put_early steps j) m) as [A' B']; try rewrite A; auto.
  - intros k I. apply Forall_forall. intros i I'. apply C in I'. destruct I' as [->|I'].
    + apply independent_sym. rewrite Forall_forall in D0. auto.
    + specialize (F k (or_intror I)). rewrite Forall_forall in F. auto.
  - split; [congruence|exact (eq_trans B' B)].
Qed.

Lemma put_steps_before given : forall steps m, (m + length given = length steps) ->
  Forall (ForallOrdPairs independent) given -> concat (skipn m steps) = [] ->
  length (fold_left put_early (concat given) steps) = length steps.
Proof.
  induction given as [|js given IH]; simpl; intros steps m L D N; auto. inversion D as [|x xs D0 D']; subst.
  rewrite fold_left_app. destruct (put_step_before js steps m ltac:(lia) D0) as [A B].
  - intros. rewrite N. constructor.
  - rewrite <- A. apply (IH _ (S m)); [lia|auto|]. rewrite B.
    assert (X : (m < length steps)) by lia. clear - N X. revert m N X.
    induction steps as [|s steps IH]; simpl; intros [|m] N X; try lia; simpl in *.
    + apply app_eq_nil in N. tauto.
    + apply (IH m); auto. lia.
Qed.

(** Whatever can be played in [n] steps can be played so that each jump has a hole in common with one of the step before:
    whoever demands this (the option [early] of the models) loses no number of steps. *)
Theorem early_steps p n : in_steps p n -> exists steps, length steps = n
  /\ Forall (ForallOrdPairs independent) steps /\ early steps /\ solution p (concat steps).
Proof.
  intros [given [L [D [q [P R]]]]]. exists (fold_left put_early (concat given) (repeat [] n)).
  assert (N : forall n, concat (repeat (@nil jump) n) = []) by (clear; induction n; simpl; auto).
  destruct (put_all (on p) (bits (start p)) (concat given) q (repeat [] n)) as [A [B C]].
  - apply Forall_forall. intros x I. apply repeat_spec in I. subst. constructor.
  - clear. induction n as [|[|n] IH]; simpl in *; auto. split; auto. intros k [].
  - now rewrite N.
  - split; [|split; [exact A|split; [exact B|exists q; split; auto]]].
    rewrite (put_steps_before given _ O), ?repeat_length; auto; [now rewrite repeat_length|]. apply N.
Qed.

(** ** Rounds *)

(** The jumps of some rounds in turn, and whether each is made. *)
Definition slots := list (jump * bool).

Definition made_in (l : slots) : list jump := map fst (filter snd l).

(** Since its last place, a round before, and any jump's that is made, a jump is made that has a hole in common with it. *)
Definition early_slots (l : slots) : Prop := forall i i' j m, i' < i ->
  nth_error l i' = Some (j, m) -> nth_error l i = Some (j, true) ->
  exists x k, i' < x < i /\ nth_error l x = Some (k, true) /\ ~ independent j k.

Lemma made_in_app l m : made_in (l ++ m) = made_in l ++ made_in m.
Proof. unfold made_in. now rewrite filter_app, map_app. Qed.

Lemma in_made k l : In k (made_in l) <-> exists x, nth_error l x = Some (k, true).
Proof.
  unfold made_in. rewrite in_map_iff. split.
  - intros [[k' m] [<- I]]. apply filter_In in I. destruct I as [I T]. simpl in T. subst m. now apply In_nth_error in I.
  - intros [x N]. exists (k, true). split; auto. apply filter_In. split; auto. eapply nth_error_In; eauto.
Qed.

Lemma passes_slots b p js r : incl js (jumps b) -> passes p js r ->
  exists l, map fst l = js /\ plays b p (made_in l) r.
Proof.
  intros I P. induction P as [p|p j q js r M P IH|p j js r P IH]; [exists []; repeat constructor| |];
    destruct IH as [l [<- L]]; try (intros x X; apply I; now right).
  - exists ((j, true) :: l). split; auto. econstructor; eauto. apply I. now left.
  - exists ((j, false) :: l). auto.
Qed.

Lemma slots_passes b l : forall p r, plays b p (made_in l) r -> passes p (map fst l) r.
Proof.
  induction l as [|[j []] l IH]; simpl; intros p r P.
  - inversion P. constructor.
  - inversion P; subst. econstructor; eauto.
  - apply passes_left. auto.
Qed.

(** The least number that passes a test. *)
Lemma first_to_pass (test : nat -> bool) n : test n = true ->
  exists a, a <= n /\ test a = true /\ forall c, c < a -> test c = false.
Proof.
  induction n as [n IH] using lt_wf_ind. intros T. destruct (existsb test (seq 0 n)) eqn:E.
  - apply existsb_exists in E. destruct E as [c [I E]]. apply in_seq in I. destruct (IH c ltac:(lia) E) as [a [L A]].
    exists a. split; [lia|exact A].
  - exists n. split; [lia|]. split; auto. intros c L. apply not_true_iff_false. intros C. apply not_true_iff_false in E.
    apply E, existsb_exists. exists c. split; auto. apply in_seq. lia.
Qed.

Definition free_for (j : jump) (l : slots) (a : nat) : bool :=
  match nth_error l a with
  | Some (k, false) => (if jump_dec j k then true else false) && forallb (independentb j) (made_in (skipn (S a) l))
  | _ => false
  end.

Lemma free_for_spec j l a : free_for j l a = true <->
  nth_error l a = Some (j, false) /\ Forall (independent j) (made_in (skipn (S a) l)).
Proof.
  unfold free_for. destruct (nth_error l a) as [[k []]|]; try (split; [discriminate|intros [E _]; discriminate]).
  rewrite andb_true_iff, independent_all. destruct (jump_dec j k) as [->|D]; split; intros [E F]; split; auto; try discriminate.
  inversion E; congruence.
Qed.

Lemma nth_after (l : slots) a x : nth_error (skipn (S a) l) x = nth_error l (S a + x).
Proof. revert a. induction l as [|s l IH]; intros [|a]; simpl; auto; try (now destruct x). apply (IH a). Qed.

(** For places where the jump was not made. Where it was, the rules themselves say so: it cannot be made again at once. *)
Definition early_unmade (l : slots) : Prop := forall i i' j, i' < i ->
  nth_error l i' = Some (j, false) -> nth_error l i = Some (j, true) ->
  exists x k, i' < x < i /\ nth_error l x = Some (k, true) /\ ~ independent j k.

Lemma nth_same (l : slots) : forall m, (forall x, nth_error l x = nth_error m x) -> l = m.
Proof.
  induction l as [|s l IH]; intros [|t m] E; auto; try (specialize (E 0); discriminate).
  assert (E0 := E 0). simpl in E0. inversion E0; subst. f_equal. apply IH. intros x. apply (E (S x)).
Qed.

(** One more jump, in the first of its places after all those with which it has a hole in common. *)
Lemma put_slot b p r l j n : early_unmade l -> plays b p (made_in l ++ [j]) r ->
  nth_error l n = Some (j, false) -> Forall (independent j) (made_in (skipn (S n) l)) ->
  exists l', map fst l' = map fst l /\ early_unmade l' /\ plays b p (made_in l') r
    /\ forall x, n < x -> nth_error l' x = nth_error l x.
Proof.
  intros E P N F. destruct (first_to_pass (free_for j l) n) as [a [L [A B]]]; [now apply free_for_spec|].
  apply free_for_spec in A. destruct A as [A G]. destruct (nth_error_split l a A) as [l1 [l2 [-> Len]]].
  assert (S2 : skipn (S a) (l1 ++ (j, false) :: l2) = l2).
  { rewrite skipn_app, <- Len, skipn_all2 by lia. now replace (S (length l1) - length l1) with 1 by lia. }
  rewrite S2 in G. exists (l1 ++ (j, true) :: l2).
  assert (X : forall x, x <> a -> nth_error (l1 ++ (j, true) :: l2) x = nth_error (l1 ++ (j, false) :: l2) x).
  { intros x D. destruct (Nat.lt_ge_cases x a); [rewrite !nth_error_app1 by lia; auto|].
    rewrite !nth_error_app2 by lia. destruct (x - length l1) eqn:Z; [lia|auto]. }
  assert (Y : nth_error (l1 ++ (j, true) :: l2) a = Some (j, true)).
  { rewrite nth_error_app2, <- Len, Nat.sub_diag by lia. auto. }
  split; [now rewrite !map_app|]. split; [|split].
  - intros i i' k I N' M. assert (D' : i' <> a) by (intros ->; rewrite Y in N'; discriminate). rewrite X in N' by auto.
    destruct (Nat.eq_dec i a) as [->|D].
    + rewrite Y in M. inversion M; subst k. assert (T := B i' I). apply not_true_iff_false in T.
      destruct (Exists_dec (fun k => ~ independent j k) (made_in (skipn (S i') (l1 ++ (j, false) :: l2)))) as [Z|Z].
      * intros k. destruct (independentb j k) eqn:Q; [right|left]; rewrite <- independentb_spec; [auto|congruence].
      * apply Exists_exists in Z. destruct Z as [k [K Z]]. apply in_made in K. destruct K as [x K].
        rewrite nth_after in K. exists (S i' + x), k. destruct (Nat.lt_trichotomy (S i' + x) a) as [O|[O|O]].
        -- rewrite X by lia. repeat split; auto; lia.
        -- rewrite O, A in K. discriminate.
        -- exfalso. apply Z. rewrite Forall_forall in G. apply G, in_made. exists (S i' + x - S a).
           rewrite <- K, nth_error_app2 by lia. now replace (S i' + x - length l1) with (S (S i' + x - S a)) by lia.
      * exfalso. apply T, free_for_spec. split; auto. apply Forall_forall. intros k K.
        destruct (independentb j k) eqn:Q; [now apply independentb_spec|]. exfalso. apply Z, Exists_exists. exists k.
        split; auto. rewrite <- independentb_spec. congruence.
    + rewrite X in M by auto. destruct (E i i' k I N' M) as [x [k' [O [K Q]]]]. exists x, k'.
      split; auto. split; auto. rewrite X; auto. intros ->. rewrite A in K. discriminate.
  - rewrite made_in_app in *. change ((j, true) :: l2) with ([(j, true)] ++ l2). rewrite (made_in_app [_]).
    change (made_in ((j, false) :: l2)) with (made_in l2) in P. rewrite <- app_assoc in P. apply plays_split in P.
    destruct P as [q [P1 P2]]. eapply plays_app; eauto. apply (move_front b q j _ r G P2).
  - intros x O. apply X. lia.
Qed.

(** Going through the jumps of a game in rounds, and putting each where it belongs. *)
Lemma put_slots b p r given : forall n l, map fst given = map fst (skipn n l) -> early_unmade l ->
  plays b p (made_in l ++ made_in given) r -> made_in (skipn n l) = [] ->
  exists l', map fst l' = map fst l /\ early_unmade l' /\ plays b p (made_in l') r.
Proof.
  induction given as [|[j m] given IH]; simpl; intros n l E U P N.
  - exists l. rewrite app_nil_r in P. auto.
  - destruct (skipn n l) as [|[j' m'] rest] eqn:R; [discriminate|]. simpl in E. inversion E; subst j'.
    assert (T : skipn (S n) l = rest).
    { clear - R. revert n R. induction l as [|s l IH]; intros [|n] R; simpl in *; try discriminate; [congruence|auto]. }
    assert (K : nth_error l n = Some (j, m')).
    { clear - R. revert n R. induction l as [|s l IH]; intros [|n] R; simpl in *; try discriminate; [congruence|auto]. }
    destruct m'; [discriminate|]. change (made_in ((j, false) :: rest)) with (made_in rest) in N.
    destruct m.
    + change (made_in ((j, true) :: given)) with ([j] ++ made_in given) in P. rewrite app_assoc in P.
      apply plays_split in P. destruct P as [q [P1 P2]].
      destruct (put_slot b p q l j n U P1 K) as [l' [M [U' [P' Same]]]]; [rewrite T, N; constructor|].
      destruct (IH (S n) l') as [l2 [M2 [U2 P2']]]; auto.
      * rewrite <- skipn_map, M, skipn_map, T. auto.
      * eapply plays_app; eauto.
      * rewrite <- N, <- T. f_equal. apply nth_same. intros x. rewrite !nth_after. apply Same. lia.
      * exists l2. split; [congruence|auto].
    + apply (IH (S n) l); auto; now rewrite T.
Qed.

(** Between two times at which a jump is made, one is made that has a hole in common with it. *)
Lemma not_twice b p j ks js r : plays b p (j :: ks ++ j :: js) r -> exists k, In k ks /\ ~ independent j k.
Proof.
  intros P. destruct (Exists_dec (fun k => ~ independent j k) ks) as [E|E].
  - intros k. destruct (independentb j k) eqn:Q; [right|left]; rewrite <- independentb_spec; [auto|congruence].
  - apply Exists_exists in E. exact E.
  - exfalso. inversion P as [|p0 j0 q js0 r0 I M P']; subst. apply plays_split in P'. destruct P' as [s [P1 P2]].
    inversion P2 as [|p1 j1 q1 js1 r1 I1 M1 P3]; subst. destruct M as [_ [F _]], M1 as [[F1 _] _].
    enough (s (from j) = q (from j)) by congruence. clear - P1 E. induction P1 as [|p k q ks s I M P IH]; auto.
    rewrite IH; [|intros X; apply E; now right]. apply M.
    all: intros Q; apply E; left; intros D; apply (D (from j)); simpl; auto.
Qed.

(** Whatever can be played in [n] rounds can be played so that each jump stands in the first round in which it can: whoever
    demands it (the option [early] of sat-rounds) loses no number of rounds. *)
Theorem early_rounds p order n : incl order (jumps (on p)) -> in_rounds p order n ->
  exists l, map fst l = repeated n order /\ early_slots l /\ solution p (made_in l).
Proof.
  intros I [q [P R]]. assert (J : incl (repeated n order) (jumps (on p))).
  { clear - I. induction n; simpl; [intros x []|]. intros x X. apply in_app_iff in X. destruct X; auto. }
  destruct (passes_slots (on p) _ _ _ J P) as [given [G P']]. set (none := map (fun j => (j, false)) (repeated n order)).
  assert (Unmade : made_in none = []) by (unfold none; clear; induction (repeated n order); auto).
  destruct (put_slots (on p) (bits (start p)) q given 0 none) as [l [M [E P'']]]; simpl; auto.
  - unfold none. rewrite map_map, map_id. auto.
  - intros i i' j _ _ N. exfalso. apply nth_error_In in N. apply in_map_iff in N. destruct N as [k [N _]]. discriminate.
  - now rewrite Unmade.
  - exists l. split; [|split].
    + rewrite M. unfold none. rewrite map_map. apply map_id.
    + intros i i' j [] L N' N; [|eapply E; eauto]. destruct (nth_error_split l i' N') as [l1 [l2 [-> Len]]].
      rewrite nth_error_app2 in N by lia. replace (i - length l1) with (S (i - S i')) in N by lia.
      destruct (nth_error_split l2 _ N) as [l3 [l4 [-> Len3]]].
      rewrite made_in_app in P''. apply plays_split in P''. destruct P'' as [s [_ P'']].
      change (made_in ((j, true) :: l3 ++ (j, true) :: l4)) with (j :: made_in (l3 ++ (j, true) :: l4)) in P''.
      rewrite made_in_app in P''. change (made_in ((j, true) :: l4)) with (j :: made_in l4) in P''.
      destruct (not_twice _ _ _ _ _ _ P'') as [k [K D]]. apply in_made in K. destruct K as [x K].
      assert (B : x < length l3) by (apply nth_error_Some; congruence). exists (S i' + x), k. split; [lia|]. split; auto.
      rewrite nth_error_app2 by lia. replace (S i' + x - length l1) with (S x) by lia. simpl. now rewrite nth_error_app1.
    + exists q. split; auto.
Qed.

(** ** Symmetries *)

Definition image (s : hole -> hole) (j : jump) : jump := Jump (s (from j)) (s (over j)) (s (to j)).

(** Holes change places, so that jumps become jumps, the start stays as it is, and so does what satisfies the goal. *)
Definition symmetry (p : problem) (s : hole -> hole) : Prop := exists back,
  (forall h, back (s h) = h) /\ (forall h, s (back h) = h)
  /\ (forall j, In j (jumps (on p)) -> In (image s j) (jumps (on p)))
  /\ (forall h, bits (start p) (s h) = bits (start p) h)
  /\ (forall q, reached (on p) (end_ p) q -> reached (on p) (end_ p) (fun h => q (back h))).

(** The image of a solution is one. *)
Theorem symmetric_solution p s js : symmetry p s -> solution p js -> solution p (map (image s) js).
Proof.
  intros [back [B [S [J [St G]]]]] [q [P R]].
  assert (X : forall p' p0, (forall h, p' (s h) = p0 h) -> plays (on p) p0 js q ->
    exists q', plays (on p) p' (map (image s) js) q' /\ forall h, q' (s h) = q h).
  { clear P R. intros p' p0 E P. revert p' E. induction P as [p0|p0 j q0 js r I M P IH]; intros p' E.
    - exists p'. split; [constructor|auto].
    - destruct (IH (fun h => q0 (back h))) as [q' [P' E']]; [intros h; now rewrite B|]. exists q'. split; auto.
      simpl. econstructor; [apply J, I| |exact P']. destruct M as [[F [O T]] [F' [O' [T' U]]]].
      unfold makes, possible. simpl. rewrite !B, !E. repeat split; auto.
      intros h N1 N2 N3. rewrite <- (S h), B, E. apply U; intros Q; [apply N1|apply N2|apply N3]; simpl; rewrite <- Q; auto. }
  destruct (X (bits (start p)) (bits (start p)) St P) as [q' [P' E]]. exists q'. split; auto.
  apply (reached_same _ _ (fun h => q (back h))); auto. intros h. rewrite <- E, S. reflexivity.
Qed.

Lemma image_independent p s j k : symmetry p s -> (independent (image s j) (image s k) <-> independent j k).
Proof.
  intros [back [B _]]. assert (X : forall h i, In h [from i; over i; to i] <-> In (s h) [from (image s i); over (image s i); to (image s i)]).
  { intros h i. simpl. split; [intros [->|[->|[->|[]]]]; auto|]. intros I.
    destruct I as [I|[I|[I|[]]]]; apply (f_equal back) in I; rewrite !B in I; auto. }
  split; intros D h I I'.
  - apply (D (s h)); now apply (proj1 (X h _)).
  - assert (Y : exists g, h = s g) by (simpl in I; destruct I as [<-|[<-|[<-|[]]]]; eauto). destruct Y as [g ->].
    apply (D g); now apply (proj2 (X g _)).
Qed.

Lemma early_image p s steps : symmetry p s -> early steps -> early (map (map (image s)) steps).
Proof.
  intros Sym. induction steps as [|xs [|ys zs] IH]; auto. intros [E E']. split; [|exact (IH E')].
  intros k K. apply in_map_iff in K. destruct K as [y [<- K]]. destruct (E y K) as [x [X N]]. exists (image s x).
  split; [now apply in_map|]. intros D. apply N. now apply (image_independent p s).
Qed.

(** The jump is the first of its class under these symmetries. *)
Definition first_of_class (rank : jump -> nat) (ss : list (hole -> hole)) (j : jump) : Prop :=
  forall s, In s ss -> rank j <= rank (image s j).

Lemma first_or_not rank ss j : first_of_class rank ss j \/ exists s, In s ss /\ rank (image s j) < rank j.
Proof.
  unfold first_of_class. induction ss as [|s ss IH]; [left; intros s []|].
  destruct (le_lt_dec (rank j) (rank (image s j))) as [L|L]; [|right; exists s; simpl; auto].
  destruct IH as [IH|[t [I M]]]; [|right; exists t; simpl; auto]. left. intros t [<-|I]; auto.
Qed.

(** Normal form, and the first jump the first of its class: every solution has one like that, by as many jumps. *)
Theorem normal_symmetric p rank ss js : (forall s, In s ss -> symmetry p s) -> solution p js ->
  exists ks, length ks = length js /\ solution p ks /\ normal (fun j k => rank j <? rank k) ks
  /\ match ks with [] => True | k :: _ => first_of_class rank ss k end.
Proof.
  intros Ss A. set (earlier j k := rank j <? rank k).
  assert (Asym : forall j k, earlier j k = true -> earlier k j = false).
  { unfold earlier. intros j k E. apply Nat.ltb_lt in E. apply Nat.ltb_ge. lia. }
  assert (X : forall n js, (match js with [] => 0 | j :: _ => rank j end) <= n -> solution p js ->
    exists ks, length ks = length js /\ solution p ks /\ normal earlier ks
    /\ match ks with [] => True | k :: _ => first_of_class rank ss k end); [|eapply X; eauto].
  clear js A. induction n as [n IH] using lt_wf_ind. intros js L [q [P R]].
  destruct (normal_first (on p) earlier _ js q Asym P) as [ks [E [N [K First]]]].
  destruct ks as [|k ks].
  - exists []. rewrite <- (Permutation_length E). repeat split; auto. exists q. split; auto.
  - destruct (first_or_not rank ss k) as [F|[s [I M]]].
    + exists (k :: ks). rewrite (Permutation_length E). repeat split; auto. exists q. split; auto.
    + destruct js as [|j js]; [apply Permutation_nil in E; discriminate|].
      assert (rank k <= rank j).
      { destruct First as [->|First]; auto. unfold earlier in First. apply Nat.ltb_lt in First. lia. }
      destruct (IH (rank (image s k))) with (js := map (image s) (k :: ks)) as [ls [Len B]]; [lia|simpl; lia| |].
      * apply symmetric_solution; auto. exists q. split; auto.
      * exists ls. rewrite Len, map_length, (Permutation_length E). auto.
Qed.

(** The same for parallel steps: each jump as early as it can, and one of the first step is the first of its class. *)
Theorem early_symmetric p rank ss n : (forall s, In s ss -> symmetry p s) -> in_steps p n -> exists steps,
  length steps = n /\ Forall (ForallOrdPairs independent) steps /\ early steps /\ solution p (concat steps)
  /\ match steps with [] | [] :: _ => True | js :: _ => exists j, In j js /\ first_of_class rank ss j end.
Proof.
  intros Ss A. destruct (early_steps p n A) as [steps [L [D [E B]]]].
  destruct steps as [|[|j js] rest]; [exists []|exists ([] :: rest)|]; auto 6.
  remember (rank j) as r. assert (R : rank j <= r) by lia. clear Heqr A.
  revert j js rest L D E B R. induction r as [r IH] using lt_wf_ind. intros j js rest L D E B R.
  destruct (first_or_not rank ss j) as [F|[s [I M]]].
  - exists ((j :: js) :: rest). repeat split; auto. exists j. simpl. auto.
  - assert (Sym := Ss s I). destruct (IH (rank (image s j))) with (j := image s j) (js := map (image s) js)
      (rest := map (map (image s)) rest) as [steps [L' X]]; try lia; [now rewrite <- L; simpl; rewrite map_length| | | |].
    + change ((image s j :: map (image s) js) :: map (map (image s)) rest) with (map (map (image s)) ((j :: js) :: rest)).
      apply Forall_map. revert D. apply Forall_impl. intros xs D. induction D as [|x xs F D IHD]; simpl; constructor; auto.
      apply Forall_map. revert F. apply Forall_impl. intros k. apply (image_independent p s x k Sym).
    + change ((image s j :: map (image s) js) :: map (map (image s)) rest) with (map (map (image s)) ((j :: js) :: rest)).
      now apply (early_image p).
    + change ((image s j :: map (image s) js) :: map (map (image s)) rest) with (map (map (image s)) ((j :: js) :: rest)).
      rewrite <- concat_map. now apply symmetric_solution.
    + exists steps. auto.
Qed.
