(** Playing on binary numbers: fast, and proved to be the play of the rules. *)

From Coq Require Import Arith Bool FMapPositive List Lia NArith Ndigits ZArith.
From Pegcp Require Import Game Theory.
Import ListNotations.

(** ** One jump *)

Definition bit (h : hole) : N := N.shiftl 1 (N.of_nat h).

(** The holes that a jump changes. *)
Definition mask (j : jump) : N := N.lxor (bit (from j)) (N.lxor (bit (over j)) (bit (to j))).

Definition can (j : jump) (p : N) : bool :=
  N.testbit_nat p (from j) && N.testbit_nat p (over j) && negb (N.testbit_nat p (to j)).

Lemma can_possible j p : can j p = true <-> possible j (bits p).
Proof. unfold can, possible, bits. rewrite !andb_true_iff, negb_true_iff. tauto. Qed.

Lemma bits_lxor p q h : bits (N.lxor p q) h = xorb (bits p h) (bits q h).
Proof. unfold bits. rewrite <- !Ntestbit_Nbit. apply N.lxor_spec. Qed.

Lemma bits_bit h k : bits (bit h) k = (k =? h).
Proof.
  unfold bits, bit. rewrite <- Ntestbit_Nbit, N.shiftl_1_l, N.pow2_bits_eqb.
  destruct (Nat.eqb_spec k h); subst; [apply N.eqb_refl|]. apply N.eqb_neq. lia.
Qed.

Lemma bits_mask j p h : from j <> over j -> from j <> to j -> over j <> to j ->
  bits (N.lxor p (mask j)) h = xorb (bits p h) ((h =? from j) || (h =? over j) || (h =? to j)).
Proof.
  intros. unfold mask. rewrite !bits_lxor, !bits_bit. f_equal.
  destruct (Nat.eqb_spec h (from j)), (Nat.eqb_spec h (over j)), (Nat.eqb_spec h (to j)); subst; auto; congruence.
Qed.

Lemma can_makes b j p : sound_board b = true -> In j (jumps b) -> can j p = true ->
  makes j (bits p) (bits (N.lxor p (mask j))).
Proof.
  intros S I C. destruct (sound_board_jump b j S I) as [_ [D1 [D2 D3]]]. apply can_possible in C.
  split; auto. destruct C as [F [O T]]. rewrite !bits_mask, F, O, T, !Nat.eqb_refl, ?orb_true_r by auto.
  repeat split; auto. intros h A B E. apply Nat.eqb_neq in A, B, E. rewrite bits_mask, A, B, E by auto.
  apply xorb_false_r.
Qed.

Definition same (p q : position) : Prop := forall h, p h = q h.

Lemma makes_can b j p p' q : sound_board b = true -> In j (jumps b) -> same p' (bits p) -> makes j p' q ->
  can j p = true /\ same q (bits (N.lxor p (mask j))).
Proof.
  intros S I E [[F [O T]] [F' [O' [T' U]]]]. destruct (sound_board_jump b j S I) as [_ [D1 [D2 D3]]].
  rewrite E in F, O, T. split; [apply can_possible; repeat split; auto|].
  intros h. rewrite bits_mask by auto.
  destruct (Nat.eqb_spec h (from j)); [subst; rewrite F, F'; auto|].
  destruct (Nat.eqb_spec h (over j)); [subst; rewrite O, O'; auto|].
  destruct (Nat.eqb_spec h (to j)); [subst; rewrite T, T'; auto|].
  rewrite U, E by auto. simpl. now rewrite xorb_false_r.
Qed.

(** ** A sequence of jumps, by their places in the list of the board *)

Fixpoint run (js : list jump) (p : N) (ks : list nat) : option N :=
  match ks with
  | [] => Some p
  | k :: ks =>
      match nth_error js k with
      | Some j => if can j p then run js (N.lxor p (mask j)) ks else None
      | None => None
      end
  end.

(** The jumps at these places; [None] if there is no such place. *)
Fixpoint named (js : list jump) (ks : list nat) : option (list jump) :=
  match ks with
  | [] => Some []
  | k :: ks =>
      match nth_error js k, named js ks with
      | Some j, Some rest => Some (j :: rest)
      | _, _ => None
      end
  end.

Theorem run_plays b p ks q : sound_board b = true -> run (jumps b) p ks = Some q ->
  exists js, named (jumps b) ks = Some js /\ length js = length ks /\ plays b (bits p) js (bits q).
Proof.
  intros S. revert p. induction ks as [|k ks IH]; simpl; intros p R.
  - inversion R; subst. exists []. repeat split; constructor.
  - destruct (nth_error (jumps b) k) as [j|] eqn:K; [|discriminate].
    destruct (can j p) eqn:C; [|discriminate]. destruct (IH _ R) as [js [N [L P]]]. exists (j :: js).
    rewrite N. simpl. rewrite L. repeat split. assert (I : In j (jumps b)) by (eapply nth_error_In; eauto).
    econstructor; [exact I|apply (can_makes b); auto|exact P].
Qed.

Theorem plays_run b p p' js q : sound_board b = true -> same p' (bits p) -> plays b p' js q ->
  exists ks n, length ks = length js /\ run (jumps b) p ks = Some n /\ same q (bits n).
Proof.
  intros S E P. revert p E. induction P as [p'|p' j q' js r I M P IH]; intros p E.
  - exists [], p. auto.
  - destruct (makes_can b j p p' q' S I E M) as [C E']. destruct (IH _ E') as [ks [n [L [R E'']]]].
    destruct (In_nth_error _ _ I) as [k K]. exists (k :: ks), n. simpl. rewrite K, C, L. auto.
Qed.

Lemma run_known js p ks q : run js p ks = Some q -> Forall (fun k => (k < length js)%nat) ks.
Proof.
  revert p. induction ks as [|k ks IH]; simpl; intros p R; constructor.
  - apply nth_error_Some. destruct (nth_error js k); discriminate || congruence.
  - destruct (nth_error js k) as [j|]; [|discriminate]. destruct (can j p); [eauto|discriminate].
Qed.

(** ** Goals *)

Definition all_holes (n : nat) (test : hole -> bool) : bool := forallb test (seq 0 n).

Lemma all_holes_spec n test : all_holes n test = true <-> forall h, (h < n)%nat -> test h = true.
Proof.
  unfold all_holes. rewrite forallb_forall. split; intros H h L; apply H; [apply in_seq|apply in_seq in L]; lia.
Qed.

Definition at_goal (b : board) (g : goal) (p : N) : bool :=
  match g with
  | Exact pegs => N.eqb p pegs || all_holes (holes b) (fun h => eqb (bits p h) (bits pegs h))
  | Partial pegs vacancies =>
      all_holes (holes b) (fun h => implb (bits pegs h) (bits p h) && implb (bits vacancies h) (negb (bits p h)))
  | OnePeg => Nat.eqb (count (holes b) (bits p)) 1
  | DeadEnd => forallb (fun j => negb (can j p)) (jumps b)
  end.

Lemma count_none n p : count n p = 0%nat <-> forall h, (h < n)%nat -> p h = false.
Proof.
  induction n as [|n IH]; simpl; [split; auto; lia|]. destruct (p n) eqn:E; split; intros H.
  - lia.
  - specialize (H n). rewrite E in H. discriminate H. lia.
  - intros h L. destruct (Nat.eq_dec h n); [now subst|]. apply IH; lia.
  - rewrite Nat.add_0_r. apply IH. auto.
Qed.

Lemma count_one n p : count n p = 1%nat <-> exists one, (one < n)%nat /\ forall h, (h < n)%nat -> (p h = true <-> h = one).
Proof.
  induction n as [|n IH]; simpl; [split; [lia|intros [? [? _]]; lia]|]. destruct (p n) eqn:E; split.
  - intros H. exists n. split; [lia|]. intros h L. destruct (Nat.eq_dec h n); [subst; tauto|].
    assert (Z : count n p = 0%nat) by lia. rewrite count_none in Z. rewrite Z by lia. split; [discriminate|lia].
  - intros [one [L U]]. assert (n = one) by (apply U; auto; lia). subst one.
    enough (count n p = 0%nat) by lia. apply count_none. intros h L'. apply not_true_iff_false. intros T.
    apply U in T; lia.
  - intros H. destruct IH as [IH _]. destruct IH as [one [L U]]; [lia|]. exists one. split; [lia|].
    intros h L'. destruct (Nat.eq_dec h n); [subst; rewrite E; split; [discriminate|lia]|]. apply U. lia.
  - intros [one [L U]]. rewrite Nat.add_0_r. apply IH. exists one. split; [|intros h L'; apply U; lia].
    destruct (Nat.eq_dec one n); [|lia]. subst. assert (p n = true) by (apply U; lia). congruence.
Qed.

Theorem at_goal_reached b g p : at_goal b g p = true <-> reached b g (bits p).
Proof.
  destruct g as [pegs|pegs vacancies| |]; simpl.
  - rewrite orb_true_iff, N.eqb_eq, all_holes_spec. split.
    + intros [E|H] h L; [now subst|]. apply eqb_prop. auto.
    + intros H. right. intros h L. rewrite H by auto. apply eqb_reflx.
  - rewrite all_holes_spec. split; intros H h L; specialize (H h L);
      destruct (bits p h), (bits pegs h), (bits vacancies h); simpl in *; intuition discriminate.
  - rewrite Nat.eqb_eq. apply count_one.
  - rewrite forallb_forall. split; intros H j I; specialize (H j I).
    + intro P. apply can_possible in P. now rewrite P in H.
    + apply negb_true_iff, not_true_iff_false. intro C. apply can_possible in C. auto.
Qed.

Lemma reached_same b g p q : same p q -> reached b g p -> reached b g q.
Proof.
  intros E. destruct g; simpl.
  - intros H h L. rewrite <- E. auto.
  - intros H h L. rewrite <- E. auto.
  - intros [one [L H]]. exists one. split; auto. intros h L'. rewrite <- E. auto.
  - intros H j I [F [O T]]. apply (H j I). unfold possible. rewrite !E. auto.
Qed.

(** A problem is solvable exactly if a run of the fast play reaches the goal. *)
Theorem solution_run p js : sound_board (on p) = true -> solution p js ->
  exists ks n, length ks = length js /\ run (jumps (on p)) (start p) ks = Some n /\ at_goal (on p) (end_ p) n = true.
Proof.
  intros S [q [P R]]. destruct (plays_run _ (start p) _ js q S (fun _ => eq_refl) P) as [ks [n [L [U E]]]].
  exists ks, n. repeat split; auto. apply at_goal_reached, (reached_same _ _ q); auto.
Qed.

(** Whether jumps, by their places, are a solution. *)
Definition solves (p : problem) (ks : list nat) : bool :=
  sound_board (on p)
  && match run (jumps (on p)) (start p) ks with
     | Some q => at_goal (on p) (end_ p) q
     | None => false
     end.

Theorem solves_solution p ks : solves p ks = true ->
  exists js, named (jumps (on p)) ks = Some js /\ length js = length ks /\ solution p js.
Proof.
  unfold solves. rewrite andb_true_iff. intros [S R].
  destruct (run (jumps (on p)) (start p) ks) as [q|] eqn:U; [|discriminate].
  destruct (run_plays _ _ _ _ S U) as [js [N [L P]]]. exists js. repeat split; auto.
  exists (bits q). split; auto. now apply at_goal_reached.
Qed.

(** ** Playing every way *)

(** How often a jump may still be made. *)
Inductive limit := Free | Never | Left (n : nat).

Definition usable (l : limit) : bool := match l with Never | Left 0 => false | _ => true end.

Definition use (l : limit) : limit := match l with Left n => Left (pred n) | _ => l end.

(** A position, and the limits of all jumps of the board, in order. *)
Definition state : Type := N * list limit.

(** The states one jump later. [done]: the limits before those in [ls], in reverse order. Each jump comes with its mask. *)
Fixpoint next (js : list (jump * N)) (p : N) (done ls : list limit) : list state :=
  match js, ls with
  | (j, m) :: js, l :: ls =>
      let others := next js p (l :: done) ls in
      if usable l && can j p then (N.lxor p m, rev_append done (use l :: ls)) :: others else others
  | _, _ => []
  end.

Definition same_limit (l m : limit) : bool :=
  match l, m with
  | Free, Free | Never, Never => true
  | Left a, Left b => a =? b
  | _, _ => false
  end.

Fixpoint same_limits (l m : list limit) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => same_limit x y && same_limits l m
  | _, _ => false
  end.

(** A number to find a state by. That different states have different ones is not needed: it is tested. *)
Fixpoint code (p : N) (ls : list limit) : positive :=
  match ls with
  | [] => N.succ_pos p
  | Left n :: ls => Nat.iter n xI (xO (code p ls))
  | _ :: ls => code p ls
  end.

(** Some states by their codes, and how many more there may be; [None] if there are too many. *)
Definition states : Type := option (N * PositiveMap.t state).

Definition add (some : states) (s : state) : states :=
  match some with
  | None => None
  | Some (room, m) =>
      let c := code (fst s) (snd s) in
      match PositiveMap.find c m with
      | Some t => if N.eqb (fst s) (fst t) && same_limits (snd s) (snd t) then some else None
      | None => if N.eqb room 0 then None else Some (N.pred room, PositiveMap.add c s m)
      end
  end.

Definition all_next (js : list (jump * N)) (now : list state) (room : N) : states :=
  fold_left (fun some s => fold_left add (next js (fst s) [] (snd s)) some) now (Some (room, PositiveMap.empty state)).

(** Play every way of at most [k] jumps from these states, through at most [room] other states. If none of them is bad:
    how many more there might have been. *)
Fixpoint none_bad (bad : N -> bool) (js : list (jump * N)) (k : nat) (room : N) (now : list state) : option N :=
  if forallb (fun s => negb (bad (fst s))) now
  then match k, now with
       | 0%nat, _ | _, [] => Some room
       | S k, _ =>
           match all_next js now room with
           | Some (room, m) => none_bad bad js k room (map snd (PositiveMap.elements m))
           | None => None
           end
       end
  else None.

(** These jumps are within the limits. *)
Definition within (ls : list limit) (ks : list nat) : Prop :=
  forall i l, nth_error ls i = Some l ->
  match l with
  | Free => True
  | Never => count_occ Nat.eq_dec ks i = 0%nat
  | Left n => (count_occ Nat.eq_dec ks i <= n)%nat
  end.

Fixpoint spend (i : nat) (ls : list limit) : list limit :=
  match i, ls with
  | 0%nat, l :: ls => use l :: ls
  | S i, l :: ls => l :: spend i ls
  | _, [] => []
  end.

Lemma spend_length i ls : length (spend i ls) = length ls.
Proof. revert i. induction ls as [|l ls IH]; intros [|i]; simpl; auto. Qed.

Lemma spend_nth i k ls :
  nth_error (spend i ls) k = if i =? k then option_map use (nth_error ls k) else nth_error ls k.
Proof.
  revert i k. induction ls as [|l ls IH]; intros [|i] [|k]; simpl; auto; try apply IH. now destruct (i =? k).
Qed.

Lemma within_spend ls i ks : within ls (i :: ks) -> within (spend i ls) ks.
Proof.
  intros W k l N. rewrite spend_nth in N. destruct (Nat.eqb_spec i k) as [->|D].
  - destruct (nth_error ls k) as [m|] eqn:E; [|discriminate]. inversion N; subst. specialize (W k m E).
    rewrite count_occ_cons_eq in W by auto. destruct m; simpl; auto; lia.
  - specialize (W k l N). now rewrite count_occ_cons_neq in W by auto.
Qed.

Lemma within_usable ls i ks l : within ls (i :: ks) -> nth_error ls i = Some l -> usable l = true.
Proof.
  intros W N. specialize (W i l N). rewrite count_occ_cons_eq in W by auto.
  destruct l as [| |[|n]]; simpl; auto; lia.
Qed.

Lemma next_in js p done ls i j m l : nth_error js i = Some (j, m) -> nth_error ls i = Some l ->
  usable l = true -> can j p = true -> In (N.lxor p m, rev_append done (spend i ls)) (next js p done ls).
Proof.
  revert done ls i. induction js as [|[j' m'] js IH]; intros done [|l' ls] [|i]; simpl; try discriminate; intros J L U C.
  - inversion J; inversion L; subst. rewrite U, C. left. reflexivity.
  - specialize (IH (l' :: done) ls i J L U C). simpl in IH. destruct (usable l' && can j' p); [right|]; exact IH.
Qed.

Lemma same_limits_eq l m : same_limits l m = true -> l = m.
Proof.
  revert m. induction l as [|x l IH]; intros [|y m]; simpl; try discriminate; auto.
  rewrite andb_true_iff. intros [E F]. rewrite (IH m F). f_equal.
  destruct x, y; simpl in E; try discriminate; auto. apply Nat.eqb_eq in E. now subst.
Qed.

(** What [add] did keeps what was there, and the new state is there. *)
Definition has (some : states) (s : state) : Prop :=
  match some with None => True | Some (_, m) => exists c, PositiveMap.find c m = Some s end.

Lemma add_has some s t : has some t \/ t = s -> has (add some s) t.
Proof.
  destruct some as [[room m]|]; simpl; auto. intros H. set (c := code (fst s) (snd s)).
  destruct (PositiveMap.find c m) as [u|] eqn:F.
  - destruct (N.eqb (fst s) (fst u) && same_limits (snd s) (snd u)) eqn:E; simpl; auto.
    destruct H as [H|H]; auto. subst. exists c. rewrite F. f_equal. apply andb_true_iff in E. destruct E as [E E'].
    apply N.eqb_eq in E. apply same_limits_eq in E'. destruct s, u; simpl in *; subst; auto.
  - destruct (N.eqb room 0); simpl; auto. destruct H as [[d H]|H].
    + exists d. rewrite PositiveMap.gso; auto. congruence.
    + subst. exists c. apply PositiveMap.gss.
Qed.

Lemma fold_add_has new some t : has some t \/ In t new -> has (fold_left add new some) t.
Proof.
  revert some. induction new as [|s new IH]; simpl; intros some H; [tauto|].
  apply IH. destruct H as [H|[H|H]]; auto; left; apply add_has; auto.
Qed.

Lemma all_next_has js now room s t : In s now -> In t (next js (fst s) [] (snd s)) -> has (all_next js now room) t.
Proof.
  unfold all_next. generalize (Some (room, PositiveMap.empty state)). intros some I T. revert some.
  enough (forall some, (has some t \/ In s now) ->
    has (fold_left (fun some s => fold_left add (next js (fst s) [] (snd s)) some) now some) t) by auto.
  clear I. induction now as [|u now IH]; simpl; intros some H; [tauto|].
  apply IH. destruct H as [H|[H|H]]; auto; left; apply fold_add_has; subst; auto.
Qed.

Definition masked (js : list jump) : list (jump * N) := map (fun j => (j, mask j)) js.

Theorem none_bad_sound bad js k room left now p ls ks q : none_bad bad (masked js) k room now = Some left ->
  In (p, ls) now -> length ls = length js -> within ls ks -> (length ks <= k)%nat -> run js p ks = Some q ->
  bad q = false.
Proof.
  revert room now p ls ks. induction k as [|k IH]; intros room now p ls ks B I E W L R.
  - destruct ks; simpl in L; [|lia]. inversion R; subst. simpl in B.
    match type of B with (if ?t then _ else _) = _ => destruct t eqn:G; [|discriminate] end.
    rewrite forallb_forall in G. apply negb_true_iff. apply (G (q, ls) I).
  - simpl in B. match type of B with (if ?t then _ else _) = _ => destruct t eqn:G; [|discriminate] end.
    rewrite forallb_forall in G. destruct ks as [|i ks].
    + inversion R; subst. apply negb_true_iff. apply (G (q, ls) I).
    + simpl in R. destruct (nth_error js i) as [j|] eqn:J; [|discriminate]. destruct (can j p) eqn:C; [|discriminate].
      destruct (nth_error ls i) as [l|] eqn:N.
      2: { apply nth_error_None in N. assert (i < length js)%nat by (apply nth_error_Some; congruence). lia. }
      assert (T : In (N.lxor p (mask j), spend i ls) (next (masked js) p [] ls)).
      { apply (next_in (masked js) p [] ls i j (mask j) l); auto.
        - unfold masked. now rewrite nth_error_map, J.
        - eapply within_usable; eauto. }
      destruct now as [|s now]; [destruct I|].
      assert (H := all_next_has (masked js) (s :: now) room (p, ls) _ I T).
      destruct (all_next (masked js) (s :: now) room) as [[room' m]|]; [|discriminate].
      destruct H as [c F]. apply PositiveMap.elements_correct in F.
      eapply (IH room' _ _ (spend i ls) ks B); eauto.
      * apply in_map_iff. exists (c, (N.lxor p (mask j), spend i ls)). auto.
      * now rewrite spend_length.
      * now apply within_spend.
      * simpl in L. lia.
Qed.
