(** Refutations of clauses, and the clauses of rounds.

    A proof is followed as proof-format.md says: each new clause follows from those that it names, by unit propagation,
    and the last one is empty. *)

From Coq Require Import Arith Bool FMapPositive List Lia NArith ZArith.
From Pegcp Require Import Game Theory Play Certificates.
Import ListNotations.
Local Open Scope Z_scope.

(** ** Clauses *)

(** A literal is a variable, from 1, or minus it. *)
Definition clause := list Z.

Definition assignment := positive -> bool.

Definition true_in (a : assignment) (l : Z) : bool :=
  match l with
  | Z0 => false
  | Zpos x => a x
  | Zneg x => negb (a x)
  end.

Definition satisfies (a : assignment) (cs : list clause) : Prop := forall c, In c cs -> existsb (true_in a) c = true.

(** ** Following a refutation *)

(** What must hold of some variables, where a clause is false. *)
Definition known := PositiveMap.t bool.

Definition false_in (k : known) (l : Z) : bool :=
  match l with
  | Z0 => true
  | Zpos x => match PositiveMap.find x k with Some b => negb b | None => false end
  | Zneg x => match PositiveMap.find x k with Some b => b | None => false end
  end.

Definition set_true (k : known) (l : Z) : known :=
  match l with
  | Z0 => k
  | Zpos x => PositiveMap.add x true k
  | Zneg x => PositiveMap.add x false k
  end.

(** The literals of a clause that are not known to be false. *)
Definition open (k : known) (c : clause) : clause := filter (fun l => negb (false_in k l)) c.

(** The clauses that are named become units one after the other, and the last one cannot hold. *)
Fixpoint conflict (clauses : PositiveMap.t clause) (k : known) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | h :: hints =>
      match PositiveMap.find h clauses with
      | Some c =>
          match open k c with
          | [] => true
          | l :: others => forallb (Z.eqb l) others && conflict clauses (set_true k l) hints
          end
      | None => false
      end
  end.

(** Each step is a new clause, and the numbers of those that it names; [next] is its own. *)
Fixpoint follow (clauses : PositiveMap.t clause) (next : positive) (steps : list (clause * list positive)) : bool :=
  match steps with
  | [] => false
  | (c, hints) :: steps =>
      conflict clauses (fold_left (fun k l => set_true k (- l)) c (PositiveMap.empty bool)) hints
      && match c with
         | [] => true
         | _ => follow (PositiveMap.add next c clauses) (Pos.succ next) steps
         end
  end.

Definition refuted_by (formula : list clause) (steps : list (clause * list positive)) : bool :=
  follow (index 1 formula) (Pos.of_succ_nat (length formula)) steps.

Definition agrees (a : assignment) (k : known) : Prop := forall x b, PositiveMap.find x k = Some b -> a x = b.

Lemma false_in_sound a k l : agrees a k -> false_in k l = true -> true_in a l = false.
Proof.
  intros A F. destruct l as [|x|x]; simpl in *; auto;
    (destruct (PositiveMap.find x k) as [b|] eqn:E; [|discriminate]); apply A in E; subst; destruct (a x); auto.
Qed.

Lemma set_true_agrees a k l : agrees a k -> true_in a l = true -> agrees a (set_true k l).
Proof.
  intros A H. destruct l as [|y|y]; simpl in *; auto; intros x b; destruct (Pos.eq_dec x y) as [->|D];
    rewrite ?PositiveMap.gss, ?PositiveMap.gso by auto; try apply A; intros E; inversion E; subst; auto.
  now destruct (a y).
Qed.

Lemma conflict_sound a (clauses : PositiveMap.t clause) k hints :
  (forall n c, PositiveMap.find n clauses = Some c -> existsb (true_in a) c = true) ->
  agrees a k -> conflict clauses k hints = true -> False.
Proof.
  intros C. revert k. induction hints as [|h hints IH]; intros k A X; cbn [conflict] in X; [discriminate|].
  destruct (PositiveMap.find h clauses) as [c|] eqn:F; [|discriminate X]. apply C, existsb_exists in F.
  destruct F as [l [I T]]. assert (O : In l (open k c)).
  { apply filter_In. split; auto. apply negb_true_iff. destruct (false_in k l) eqn:N; auto.
    rewrite (false_in_sound a k l A N) in T. discriminate. }
  destruct (open k c) as [|m others]; [destruct O|]. apply andb_true_iff in X. destruct X as [U X].
  apply (IH (set_true k m)); auto. apply set_true_agrees; auto. destruct O as [->|O]; auto.
  rewrite forallb_forall in U. apply U, Z.eqb_eq in O. now subst.
Qed.

Lemma negation_agrees a c k : agrees a k -> existsb (true_in a) c = false ->
  agrees a (fold_left (fun k l => set_true k (- l)) c k).
Proof.
  revert k. induction c as [|l c IH]; intros k A E; auto. cbn [existsb] in E. apply orb_false_iff in E.
  cbn [fold_left]. apply IH; [|tauto]. destruct E as [E _].
  destruct l as [|x|x]; [exact A| |]; apply set_true_agrees; auto; simpl in *; destruct (a x); auto.
Qed.

Lemma follow_sound a (clauses : PositiveMap.t clause) next steps :
  (forall n c, PositiveMap.find n clauses = Some c -> existsb (true_in a) c = true) ->
  follow clauses next steps = true -> False.
Proof.
  revert clauses next. induction steps as [|[c hints] steps IH]; intros clauses next C F; cbn [follow] in F; [discriminate|].
  apply andb_true_iff in F. destruct F as [X F]. destruct (existsb (true_in a) c) eqn:T.
  - destruct c as [|l c]; [discriminate|]. eapply IH; [|exact F]. intros n d. destruct (Pos.eq_dec n next) as [->|D].
    + rewrite PositiveMap.gss. intros E. now inversion E; subst.
    + rewrite PositiveMap.gso by auto. apply C.
  - eapply conflict_sound; [exact C| |exact X]. apply negation_agrees; auto.
    intros x b E. now rewrite PositiveMap.gempty in E.
Qed.

(** A refuted formula is satisfied by nothing. *)
Theorem refuted_by_sound formula steps a : refuted_by formula steps = true -> ~ satisfies a formula.
Proof.
  intros R S. eapply follow_sound; [|exact R]. intros n c F. apply S. eapply find_index_in. exact F.
Qed.

(** ** The clauses of rounds *)

(** [now]: of each hole the variable that says whether it holds a peg. *)
Definition now := list Z.

Definition at_ (now : now) (h : hole) : Z := nth h now 0.

Fixpoint put (now : now) (h : hole) (x : Z) : Clauses.now :=
  match now, h with
  | [], _ => []
  | _ :: now, O => x :: now
  | y :: now, S h => y :: put now h x
  end.

Definition literal (b : bool) (x : Z) : Z := if b then x else - x.

(** Variable [made] says whether the jump is made; [sign] is whether it takes a peg from the hole. *)
Definition change (made before after : Z) (sign : bool) : list clause :=
  [[- made; literal sign before]; [- made; literal (negb sign) after];
   [made; literal (negb sign) before; literal sign after]; [literal sign before; literal (negb sign) after]].

Fixpoint passing (now : now) (made : Z) (js : list jump) : list clause * Clauses.now :=
  match js with
  | [] => ([], now)
  | j :: js =>
      let after := put (put (put now (from j) (made + 1)) (over j) (made + 2)) (to j) (made + 3) in
      let (rest, last) := passing after (made + 4) js in
      (change made (at_ now (from j)) (made + 1) true ++ change made (at_ now (over j)) (made + 2) true
       ++ change made (at_ now (to j)) (made + 3) false ++ rest, last)
  end.

Fixpoint no_two (xs : list Z) : list clause :=
  match xs with
  | [] => []
  | x :: xs => map (fun y => [- x; - y]) xs ++ no_two xs
  end.

(** The last position satisfies the goal. *)
Definition goal_clauses (b : board) (g : goal) (now : now) : list clause :=
  let fixed h := match g with
    | Exact pegs => [[literal (bits pegs h) (at_ now h)]]
    | Partial pegs vacancies =>
        if bits pegs h then [[at_ now h]] else if bits vacancies h then [[- at_ now h]] else []
    | _ => []
    end in
  flat_map fixed (seq 0 (holes b))
  ++ match g with
     | OnePeg => now :: no_two now
     | DeadEnd => map (fun j => [- at_ now (from j); - at_ now (over j); at_ now (to j)]) (jumps b)
     | _ => []
     end.

Definition start_clauses (b : board) (p : N) (now : now) : list clause :=
  map (fun h => [literal (bits p h) (at_ now h)]) (seq 0 (holes b)).

Definition rounds_formula (p : problem) (order : list jump) (n : nat) : list clause :=
  let now := map (fun h => Z.of_nat (S h)) (seq 0 (holes (on p))) in
  let (clauses, last) := passing now (Z.of_nat (holes (on p)) + 1) (repeated n order) in
  start_clauses (on p) (start p) now ++ clauses ++ goal_clauses (on p) (end_ p) last.

(** The values of variables, in order, as an assignment. *)
Definition valued (vs : list bool) : assignment := fun x => nth (pred (Pos.to_nat x)) vs false.

(** A variable that is in the list, and its value. *)
Definition says (vs : list bool) (x : Z) (b : bool) : Prop :=
  0 < x <= Z.of_nat (length vs) /\ nth (pred (Z.to_nat x)) vs false = b.

Definition tells (vs : list bool) (n : nat) (now : now) (p : position) : Prop :=
  length now = n /\ forall h, (h < n)%nat -> says vs (at_ now h) (p h).

Lemma says_app vs ws x b : says vs x b -> says (vs ++ ws) x b.
Proof. unfold says. rewrite app_length. intros [B <-]. split; [lia|]. apply app_nth1. lia. Qed.

Lemma tells_app vs ws n now p : tells vs n now p -> tells (vs ++ ws) n now p.
Proof. intros [L T]. split; auto. intros h B. apply says_app; auto. Qed.

Lemma says_literal vs x b sign : says vs x b -> true_in (valued vs) (literal sign x) = eqb sign b.
Proof.
  intros [B <-]. unfold valued. destruct x as [|x|x]; try lia. simpl Z.to_nat. destruct sign; simpl;
    destruct (nth _ vs false); reflexivity.
Qed.

Lemma put_length now h x : length (put now h x) = length now.
Proof. revert h. induction now as [|y now IH]; intros [|h]; simpl; auto. Qed.

Lemma at_put now h k x : (h < length now)%nat -> at_ (put now h x) k = if Nat.eqb k h then x else at_ now k.
Proof.
  unfold at_. revert h k. induction now as [|y now IH]; intros [|h] [|k] L; simpl in *; auto; try lia. apply IH. lia.
Qed.

Lemma tells_put vs n now p h x q : tells vs n now p -> (h < n)%nat -> says vs x (q h) ->
  tells vs n (put now h x) (fun k => if Nat.eqb k h then q k else p k).
Proof.
  intros [L T] B V. split; [now rewrite put_length|]. intros k K. rewrite at_put by lia.
  destruct (Nat.eqb_spec k h); subst; auto.
Qed.

Lemma change_holds vs made before after m b a sign : says vs made m -> says vs before b -> says vs after a ->
  (if m then b = sign /\ a = negb sign else a = b) -> satisfies (valued vs) (change made before after sign).
Proof.
  intros M B A E c I. assert (M0 := says_literal _ _ _ false M). assert (M1 := says_literal _ _ _ true M).
  simpl literal in M0, M1.
  repeat (destruct I as [<-|I]); try destruct I; simpl existsb; rewrite ?M0, ?M1, ?(says_literal _ _ _ _ B), ?(says_literal _ _ _ _ A);
    destruct m, sign, b, a; simpl; auto; destruct E; discriminate.
Qed.

Lemma satisfies_app a cs ds : satisfies a cs -> satisfies a ds -> satisfies a (cs ++ ds).
Proof. intros C D c I. apply in_app_iff in I. destruct I; auto. Qed.

Lemma says_new vs ws i : (i < length ws)%nat -> says (vs ++ ws) (Z.of_nat (length vs) + 1 + Z.of_nat i) (nth i ws false).
Proof.
  intros L. split; [rewrite app_length; lia|]. rewrite app_nth2 by lia. f_equal. lia.
Qed.

Lemma tells_same vs n now p q : tells vs n now p -> (forall h, p h = q h) -> tells vs n now q.
Proof. intros [L T] E. split; auto. intros h B. rewrite <- E. auto. Qed.

Lemma passing_step vs tail n now (p q : position) (m : bool) j : tells vs n now p -> (from j < n /\ over j < n /\ to j < n)%nat ->
  (from j <> over j /\ from j <> to j /\ over j <> to j) ->
  (if m then makes j p q else q = p) ->
  let ws := vs ++ m :: q (from j) :: q (over j) :: q (to j) :: tail in
  let made := Z.of_nat (length vs) + 1 in
  satisfies (valued ws) (change made (at_ now (from j)) (made + 1) true ++ change made (at_ now (over j)) (made + 2) true
    ++ change made (at_ now (to j)) (made + 3) false)
  /\ tells ws n (put (put (put now (from j) (made + 1)) (over j) (made + 2)) (to j) (made + 3)) q.
Proof.
  intros T [F [O E]] [D1 [D2 D3]] M ws made. assert (T' : tells ws n now p) by (now apply tells_app).
  assert (V : forall i, (i < 4)%nat -> says ws (made + Z.of_nat i) (nth i (m :: q (from j) :: q (over j) :: q (to j) :: tail) false)).
  { intros i I. apply says_new. simpl. lia. }
  assert (V0 := V 0%nat ltac:(lia)). rewrite Z.add_0_r in V0. assert (V1 := V 1%nat ltac:(lia)).
  assert (V2 := V 2%nat ltac:(lia)). assert (V3 := V 3%nat ltac:(lia)). simpl in V0, V1, V2, V3.
  split.
  - destruct T' as [L T']. repeat apply satisfies_app; eapply change_holds; eauto; destruct m;
      try (subst; reflexivity); destruct M as [[? [? ?]] [? [? [? ?]]]]; auto.
  - eapply tells_same; [repeat apply tells_put; eauto|]. intros h. simpl.
    destruct (Nat.eqb_spec h (to j)), (Nat.eqb_spec h (over j)), (Nat.eqb_spec h (from j)); subst; auto.
    destruct m; [|now subst]. symmetry. apply M; auto.
Qed.

Lemma step_then b (p q r : position) (m : bool) j js now vs : (from j < holes b /\ over j < holes b /\ to j < holes b)%nat ->
  (from j <> over j /\ from j <> to j /\ over j <> to j) -> (if m then makes j p q else q = p) ->
  (forall now vs, tells vs (holes b) now q ->
    let made := Z.of_nat (length vs) + 1 in
    exists ws, satisfies (valued (vs ++ ws)) (fst (passing now made js)) /\ tells (vs ++ ws) (holes b) (snd (passing now made js)) r) ->
  tells vs (holes b) now p ->
  let made := Z.of_nat (length vs) + 1 in
  exists ws, satisfies (valued (vs ++ ws)) (fst (passing now made (j :: js)))
    /\ tells (vs ++ ws) (holes b) (snd (passing now made (j :: js))) r.
Proof.
  intros B D M IH T made. set (new := [m; q (from j); q (over j); q (to j)]).
  destruct (passing_step vs [] (holes b) now p q m j T B D M) as [_ T']. fold new made in T'.
  destruct (IH _ _ T') as [ws [C' E]]. exists (new ++ ws).
  destruct (passing_step vs ws (holes b) now p q m j T B D M) as [C _].
  rewrite <- app_assoc in C', E. change (m :: _) with (new ++ ws) in C. fold made in C.
  replace (Z.of_nat (length (vs ++ new)) + 1) with (made + 4) in C', E by (rewrite app_length; unfold made; simpl length; lia).
  cbn [passing]. destruct (passing _ (made + 4) js) as [rest last]. cbn [fst snd] in *. split; auto.
  intros c I. rewrite !in_app_iff in I. destruct I as [I|[I|[I|I]]]; auto; apply C; rewrite !in_app_iff; auto.
Qed.

(** Whatever is played in rounds satisfies the clauses, with the right values of their variables. *)
Lemma passing_holds b p js r now vs : sound_board b = true -> incl js (jumps b) -> passes p js r ->
  tells vs (holes b) now p ->
  let made := Z.of_nat (length vs) + 1 in
  exists ws, satisfies (valued (vs ++ ws)) (fst (passing now made js)) /\ tells (vs ++ ws) (holes b) (snd (passing now made js)) r.
Proof.
  intros S I P. revert now vs. induction P as [p|p j q js r M P IH|p j js r P IH]; intros now vs T made.
  - exists []. rewrite app_nil_r. split; auto. intros c [].
  - destruct (sound_board_jump b j S (I j (or_introl eq_refl))) as [B D].
    apply (step_then b p q r true j js now vs B D M (IH (fun x X => I x (or_intror X))) T).
  - destruct (sound_board_jump b j S (I j (or_introl eq_refl))) as [B D].
    apply (step_then b p p r false j js now vs B D eq_refl (IH (fun x X => I x (or_intror X))) T).
Qed.

Lemma no_two_holds vs n now (q : position) : (forall h, (h < n)%nat -> says vs (nth h now 0) (q h)) -> length now = n ->
  (forall h k, (h < n)%nat -> (k < n)%nat -> q h = true -> q k = true -> h = k) -> satisfies (valued vs) (no_two now).
Proof.
  revert n q. induction now as [|x now IH]; intros n q T L U c I; [destruct I|]. simpl in I, L.
  apply in_app_iff in I. destruct I as [I|I].
  - apply in_map_iff in I. destruct I as [y [<- I]]. apply (In_nth _ _ 0) in I. destruct I as [k [K <-]].
    assert (X := says_literal _ _ _ false (T 0%nat ltac:(lia))). assert (Y := says_literal _ _ _ false (T (S k) ltac:(lia))).
    simpl in X, Y |- *. rewrite X, Y. specialize (U 0%nat (S k) ltac:(lia) ltac:(lia)).
    destruct (q 0%nat), (q (S k)); auto. discriminate U; auto.
  - apply (IH (pred n) (fun h => q (S h))); auto; try lia.
    + intros h B. apply (T (S h)). lia.
    + intros h k B B' Q Q'. assert (S h = S k) by (apply U; auto; lia). lia.
Qed.

Lemma goal_holds vs b g now q : sound_board b = true -> tells vs (holes b) now q -> reached b g q ->
  satisfies (valued vs) (goal_clauses b g now).
Proof.
  intros S [L T] R. apply satisfies_app.
  - intros c I. apply in_flat_map in I. destruct I as [h [B I]]. apply in_seq in B. specialize (T h ltac:(lia)).
    destruct g as [pegs|pegs vacancies| |]; try destruct I.
    + subst c. simpl. rewrite (says_literal _ _ _ _ T), orb_false_r. simpl in R. rewrite R by lia. apply eqb_reflx.
    + destruct H.
    + simpl in R. destruct (R h ltac:(lia)) as [A A']. assert (X := says_literal _ _ _ true T).
      assert (Y := says_literal _ _ _ false T). simpl literal in X, Y.
      destruct (bits pegs h); [|destruct (bits vacancies h); [|destruct I]]; destruct I as [<-|[]]; simpl existsb;
        rewrite ?X, ?Y; try rewrite (A eq_refl); try rewrite (A' eq_refl); auto.
  - destruct g as [pegs|pegs vacancies| |]; [intros c []|intros c []| |].
    + intros c [<-|I]; simpl in R; destruct R as [one [B U]].
      * apply existsb_exists. exists (at_ now one). split; [apply nth_In; lia|].
        assert (X := says_literal _ _ _ true (T one B)). simpl literal in X. rewrite X.
        assert (q one = true) by (apply U; auto). now rewrite H.
      * revert c I. eapply no_two_holds; eauto. intros h k H K Q Q'. apply U in Q, Q'; auto. congruence.
    + intros c I. apply in_map_iff in I. destruct I as [j [<- I]]. simpl in R. specialize (R j I). unfold possible in R.
      destruct (sound_board_jump b j S I) as [[F [O E]] _].
      assert (X := says_literal _ _ _ false (T _ F)). assert (Y := says_literal _ _ _ false (T _ O)).
      assert (W := says_literal _ _ _ true (T _ E)). simpl literal in X, Y, W. simpl existsb. rewrite X, Y, W.
      destruct (q (from j)), (q (over j)), (q (to j)); auto.
Qed.

(** If the clauses of [n] rounds can be refuted, the problem is not solved within [n] rounds. *)
Theorem rounds_refuted p order n steps : sound_board (on p) = true -> incl order (jumps (on p)) ->
  refuted_by (rounds_formula p order n) steps = true -> ~ in_rounds p order n.
Proof.
  intros S I R [q [P G]]. set (b := on p) in *. set (H := holes b).
  set (first := map (fun h => Z.of_nat (Datatypes.S h)) (seq 0 H)). set (vs := map (bits (start p)) (seq 0 H)).
  assert (A : forall h, (h < H)%nat -> at_ first h = Z.of_nat (Datatypes.S h)).
  { intros h B. unfold at_, first. rewrite (nth_indep _ 0 (Z.of_nat 1)) by (rewrite map_length, seq_length; auto).
    change (Z.of_nat 1) with ((fun h => Z.of_nat (Datatypes.S h)) 0%nat). rewrite map_nth, seq_nth by auto. reflexivity. }
  assert (T : tells vs H first (bits (start p))).
  { split; [unfold first; now rewrite map_length, seq_length|]. intros h B. rewrite A by auto. unfold vs. split.
    - rewrite map_length, seq_length. lia.
    - rewrite Nat2Z.id. simpl. rewrite (nth_indep _ false (bits (start p) 0%nat)) by (rewrite map_length, seq_length; auto).
      rewrite map_nth, seq_nth by auto. reflexivity. }
  assert (J : incl (repeated n order) (jumps b)).
  { clear - I. induction n; simpl; [intros x []|]. intros x X. apply in_app_iff in X. destruct X; auto. }
  destruct (passing_holds b _ _ _ first vs S J P T) as [ws [C E]].
  apply (refuted_by_sound _ _ (valued (vs ++ ws)) R). unfold rounds_formula. fold b H first.
  replace (Z.of_nat H + 1) with (Z.of_nat (length vs) + 1) by (unfold vs; rewrite map_length, seq_length; auto).
  destruct (passing first (Z.of_nat (length vs) + 1) (repeated n order)) as [clauses last]. simpl in C, E.
  apply satisfies_app; [|apply satisfies_app; auto].
  - intros c X. apply in_map_iff in X. destruct X as [h [<- X]]. apply in_seq in X. simpl.
    rewrite (says_literal _ _ _ _ (proj2 (tells_app _ ws _ _ _ T) h ltac:(unfold H in *; lia))), eqb_reflx. reflexivity.
  - eapply goal_holds; eauto.
Qed.
