(** Proof folders: what is claimed of a problem, the parts that show it, and the proof that an accepted claim is true. *)

From Coq Require Import Arith Bool List Lia NArith Permutation ZArith.
From Pegcp Require Import Game Theory Play Normal Certificates Clauses Steps Moves.
Import ListNotations.
Local Open Scope Z_scope.

(** ** What is claimed *)

Inductive claim :=
  | Infeasible  (** there is no solution *)
  | Jumps (least : Z)  (** each solution has so many jumps at least *)
  | Pegs (least : Z)  (** each solution leaves so many pegs at least *)
  | Steps (least : nat)  (** each solution takes so many parallel steps at least *)
  | Rounds (order : list nat) (least : nat)  (** each solution takes so many rounds through all jumps in this order *)
  | Moves (least : nat).  (** each solution has so many moves at least *)

(** A refutation of clauses: each step is a new clause, and those that it follows from. *)
Definition refutation := list (clause * list positive).

Inductive part :=
  | ByCases (c : certificate)
  | ByMoves (n : nat) (r : refutation)  (** of the clauses of [n] jumps *)
  | BySteps (n : nat) (r : refutation)  (** of those of [n] parallel steps *)
  | ByRounds (n : nat) (r : refutation)  (** of those of [n] rounds *)
  | TwoSided (v : view).  (** step by step from both ends *)

Record folder := Folder {
  about : problem;
  claimed : claim;
  parts : list part;
  given : option (list nat)  (** a solution: its jumps by their numbers *)
}.

(** What an accepted folder shows. Where a solution is given, the bound is reached. *)
Definition shows (f : folder) : Prop :=
  let p := about f in
  match claimed f with
  | Infeasible => ~ solvable p
  | Jumps least =>
      (forall js, solution p js -> least <= Z.of_nat (length js))
      /\ (given f <> None -> exists js, solution p js /\ Z.of_nat (length js) = least)
  | Pegs least =>
      (forall js q, leaves p js q -> least <= Z.of_nat (count (holes (on p)) q))
      /\ (given f <> None -> exists js q, leaves p js q /\ Z.of_nat (count (holes (on p)) q) = least)
  | Steps least => (forall n, in_steps p n -> (least <= n)%nat) /\ (given f <> None -> in_steps p least)
  | Rounds order least =>
      exists js, named (jumps (on p)) order = Some js
      /\ Permutation (seq 0 (length (jumps (on p)))) order
      /\ (forall n, in_rounds p js n -> (least <= n)%nat)
      /\ (given f <> None -> in_rounds p js least)
  | Moves least =>
      (forall js, solution p js -> (least <= moves js)%nat)
      /\ (given f <> None -> exists js, solution p js /\ moves js = least)
  end.

(** ** The checker *)

(** The whole numbers from [low] to [high]. *)
Definition range (low high : Z) : list Z := map (fun i => low + Z.of_nat i) (seq 0 (Z.to_nat (high - low + 1))).

(** Whether a part shows that there is no solution of [k] jumps. *)
Definition excludes (p : problem) (x : part) (k : Z) : bool :=
  match x with
  | ByCases c => k <=? Z.max (bound p c) 0
  | ByMoves n _ => k =? Z.of_nat n
  | BySteps n _ => k <=? Z.of_nat n
  | ByRounds _ _ | TwoSided _ => false
  end.

Definition check_part (p : problem) (x : part) : bool :=
  match x with
  | ByCases c =>
      match most c with Some m => (0 <=? m) && (m <=? Z.of_nat (pegs p)) | None => true end && check_certificate p c
  | ByMoves n r => Nat.leb n (pegs p) && refuted_by (steps_formula false p n) r
  | BySteps n r => Nat.leb n (pegs p) && refuted_by (steps_formula true p n) r
  | ByRounds _ _ | TwoSided _ => false
  end.

(** Each part excludes something that is rest, and nothing is rest in the end. *)
Fixpoint none_left (p : problem) (xs : list part) (rest : list Z) : bool :=
  match xs with
  | [] => match rest with [] => true | _ => false end
  | x :: xs => existsb (excludes p x) rest && none_left p xs (filter (fun k => negb (excludes p x k)) rest)
  end.

Definition all_excluded (p : problem) (xs : list part) (rest : list Z) : bool :=
  none_left p xs rest && forallb (check_part p) xs.

(** The same start, for one peg anywhere. *)
Definition one_peg (p : problem) : problem := Problem (on p) (start p) OnePeg.

(** What a solution is worth. *)
Definition worth (p : problem) (least : Z) (of : list nat -> N -> Z) (ks : option (list nat)) : bool :=
  match ks with
  | None => true
  | Some ks =>
      match run (jumps (on p)) (start p) ks with
      | Some q => at_goal (on p) (end_ p) q && (of ks q =? least)
      | None => false
      end
  end.

Definition pegs_left (p : problem) (q : N) : Z := Z.of_nat (count (holes (on p)) (bits q)).

(** Play a solution in rounds: each jump as soon as its turn comes. *)
Fixpoint in_turn (js : list jump) (p : N) (made : list jump) : option N :=
  match js, made with
  | _, [] => Some p
  | j :: js, k :: rest =>
      if jump_dec j k then if can j p then in_turn js (N.lxor p (mask j)) rest else None
      else in_turn js p made
  | [], _ => None
  end.

Definition each_once (n : nat) (order : list nat) : bool :=
  Nat.eqb (length order) n && forallb (fun i => existsb (Nat.eqb i) order) (seq 0 n).

Definition check_rounds (f : folder) (order : list nat) (least : nat) : bool :=
  let p := about f in
  each_once (length (jumps (on p))) order
  && Nat.leb least (pegs p)
  && match named (jumps (on p)) order with
     | None => false
     | Some js =>
         match least, parts f with
         | O, [] => true
         | S n, [ByRounds m r] => Nat.leb n m && Nat.leb m (pegs p) && refuted_by (rounds_formula p js m) r
         | _, _ => false
         end
         && match given f with
            | None => true
            | Some ks =>
                match named (jumps (on p)) ks with
                | None => false
                | Some made =>
                    match in_turn (repeated least js) (start p) made with
                    | Some q => at_goal (on p) (end_ p) q
                    | None => false
                    end
                end
            end
     end.

(** A solution is worth as many steps as it takes where each jump stands in the first step in which it can. *)
Definition check_steps (f : folder) (least : nat) : bool :=
  let p := about f in
  Nat.leb least (pegs p)
  && worth p (Z.of_nat least)
       (fun ks _ => match named (jumps (on p)) ks with Some js => Z.of_nat (length (packed js)) | None => -1 end) (given f)
  && match least, parts f with
     | O, [] => true
     | S n, [BySteps m r] => Nat.leb n m && check_part p (BySteps m r)
     | _, _ => false
     end.

Definition check_moves (f : folder) (least : nat) : bool :=
  let p := about f in
  Nat.leb least (pegs p)
  && worth p (Z.of_nat least)
       (fun ks _ => match named (jumps (on p)) ks with Some js => Z.of_nat (moves js) | None => -1 end) (given f)
  && match least, parts f with
     | O, [] => true
     | S _, [TwoSided v] => no_fewer p v least
     | _, _ => false
     end.

Definition check_folder (f : folder) : bool :=
  let p := about f in
  sound_board (on p)
  && match claimed f with
     | Infeasible =>
         match given f with None => true | Some _ => false end
         && negb (at_goal (on p) (end_ p) (start p))
         && all_excluded p (parts f) (match range (fewest p) (longest p) with [] => [0] | rest => rest end)
     | Jumps least =>
         (0 <=? least) && (least <=? Z.of_nat (pegs p))
         && worth p least (fun ks _ => Z.of_nat (length ks)) (given f)
         && all_excluded p (parts f) (range (fewest p) (Z.min (least - 1) (longest p)))
     | Pegs least =>
         let rest := range (Z.of_nat (pegs p) - Z.max (longest p) 0) (least - 1) in
         (0 <=? least) && (least <=? Z.of_nat (pegs p))
         && worth p least (fun _ q => pegs_left p q) (given f)
         && forallb (Z.eqb 1) rest
         && all_excluded (one_peg p) (parts f) (map (fun _ => Z.of_nat (pegs p) - 1) rest)
     | Steps least => check_steps f least
     | Rounds order least => check_rounds f order least
     | Moves least => check_moves f least
     end.

(** ** Proofs *)

Lemma in_range low high k : low <= k <= high -> In k (range low high).
Proof.
  intros B. unfold range. apply in_map_iff. exists (Z.to_nat (k - low)). rewrite in_seq. lia.
Qed.

Lemma part_sound p x js : check_part p x = true -> solution p js -> sound_board (on p) = true ->
  excludes p x (Z.of_nat (length js)) = false.
Proof.
  intros C A S. destruct x as [c|n r|n r|n r|v]; simpl in *; auto; apply andb_true_iff in C; destruct C as [M C].
  - apply Z.leb_gt. assert (B := certificate_sound p c C js A). assert (L := jumps_between p js S A).
    unfold bound in *. destruct (most c); lia.
  - apply Z.eqb_neq. assert (D := moves_refuted p n r S C js A). lia.
  - apply Z.leb_gt. apply Z.nle_gt. intros L. apply (parallel_refuted p n r S C).
    apply (more_steps p (length js)); [lia|]. now apply solution_in_steps.
Qed.

Lemma all_excluded_sound p xs rest js : sound_board (on p) = true -> all_excluded p xs rest = true -> solution p js ->
  ~ In (Z.of_nat (length js)) rest.
Proof.
  unfold all_excluded. rewrite andb_true_iff. intros S [E C] A. revert rest E.
  induction xs as [|x xs IH]; simpl in *; intros rest E I.
  - destruct rest; [destruct I|discriminate].
  - rewrite andb_true_iff in C, E. destruct C as [C0 C], E as [_ E]. apply (IH C _ E), filter_In. split; auto.
    now rewrite (part_sound p x js).
Qed.

Lemma worth_sound p least of ks : sound_board (on p) = true -> worth p least of ks = true -> ks <> None ->
  exists ks' js q, length js = length ks' /\ leaves p js (bits q) /\ of ks' q = least.
Proof.
  intros S W N. destruct ks as [ks|]; [|congruence]. simpl in W.
  destruct (run (jumps (on p)) (start p) ks) as [q|] eqn:R; [|discriminate]. apply andb_true_iff in W.
  destruct W as [G W]. destruct (run_plays _ _ _ _ S R) as [js [_ [L P]]]. exists ks, js, q. repeat split; auto.
  - now apply at_goal_reached.
  - now apply Z.eqb_eq.
Qed.

Lemma named_incl js ks found : named js ks = Some found -> incl found js.
Proof.
  revert found. induction ks as [|k ks IH]; simpl; intros found N; [inversion N; intros x []|].
  destruct (nth_error js k) as [j|] eqn:E; [|discriminate]. destruct (named js ks); [|discriminate].
  inversion N; subst. intros x [<-|I]; [eapply nth_error_In; eauto|now apply (IH l)].
Qed.

Lemma all_left js p : passes p js p.
Proof. induction js; constructor; auto. Qed.

Lemma in_turn_passes b js p made q : sound_board b = true -> incl js (jumps b) ->
  in_turn js p made = Some q -> passes (bits p) js (bits q).
Proof.
  intros S. revert p made. induction js as [|j js IH]; intros p made I T; destruct made as [|k made]; simpl in T.
  - inversion T. constructor.
  - discriminate.
  - inversion T. apply all_left.
  - assert (I' : incl js (jumps b)) by (intros x X; apply I; now right). destruct (jump_dec j k).
    + destruct (can j p) eqn:C; [|discriminate]. econstructor; [|apply (IH _ _ I' T)].
      apply (can_makes b); auto. apply I. now left.
    + apply passes_left. apply (IH _ _ I' T).
Qed.

Lemma repeated_incl n js all : incl js all -> incl (repeated n js) all.
Proof.
  intros I. induction n; simpl; [intros x []|]. intros x X. apply in_app_iff in X. destruct X; auto.
Qed.

Lemma passes_app p js q ks r : passes p js q -> passes q ks r -> passes p (js ++ ks) r.
Proof.
  induction 1; simpl; intros; auto; [econstructor; eauto|]. apply passes_left. auto.
Qed.

(** Fewer rounds are as good as more. *)
Lemma more_rounds p js n m : (n <= m)%nat -> in_rounds p js n -> in_rounds p js m.
Proof.
  intros L [q [P R]]. exists q. split; auto. clear R. revert P. generalize (bits (start p)).
  induction L as [|m L IH]; intros s P; auto. simpl.
  apply (passes_app s js s); auto. apply all_left.
Qed.

Lemma check_rounds_sound f order least : sound_board (on (about f)) = true -> check_rounds f order least = true ->
  exists js, named (jumps (on (about f))) order = Some js
  /\ Permutation (seq 0 (length (jumps (on (about f))))) order
  /\ (forall n, in_rounds (about f) js n -> (least <= n)%nat)
  /\ (given f <> None -> in_rounds (about f) js least).
Proof.
  unfold check_rounds. set (p := about f). intros S C. rewrite !andb_true_iff in C. destruct C as [[O _] C].
  destruct (named (jumps (on p)) order) as [js|] eqn:N; [|discriminate]. apply andb_true_iff in C. destruct C as [R W].
  assert (I := named_incl _ _ _ N). exists js. split; [reflexivity|]. split; [|split].
  - unfold each_once in O. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall in O. destruct O as [L E].
    apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; lia|].
    intros i X. apply E, existsb_exists in X. destruct X as [k [K E']]. apply Nat.eqb_eq in E'. now subst.
  - intros n A. destruct least as [|m]; [lia|].
    destruct (parts f) as [|[c|horizon steps|horizon steps|horizon steps|v] [|]]; try discriminate.
    rewrite !andb_true_iff in R. destruct R as [[B _] R]. apply Nat.leb_le in B.
    destruct (Nat.le_gt_cases (Datatypes.S m) n); auto. exfalso.
    apply (rounds_refuted p js horizon steps S I R). apply (more_rounds p js n); auto. lia.
  - intros G. destruct (given f) as [ks|]; [|congruence].
    destruct (named (jumps (on p)) ks) as [made|]; [|discriminate].
    destruct (in_turn (repeated least js) (start p) made) as [q|] eqn:T; [|discriminate].
    exists (bits q). split; [|now apply at_goal_reached].
    apply (in_turn_passes (on p) _ _ made); auto. now apply repeated_incl.
Qed.

Lemma check_steps_sound f least : sound_board (on (about f)) = true -> check_steps f least = true ->
  (forall n, in_steps (about f) n -> (least <= n)%nat) /\ (given f <> None -> in_steps (about f) least).
Proof.
  unfold check_steps. set (p := about f). intros S C. rewrite !andb_true_iff in C. destruct C as [[_ W] R]. split.
  - intros n A. destruct least as [|m]; [lia|].
    destruct (parts f) as [|[c|horizon r|horizon r|horizon r|v] [|]]; try discriminate.
    cbn [check_part] in R. rewrite !andb_true_iff in R. destruct R as [B [_ R]]. apply Nat.leb_le in B.
    destruct (Nat.le_gt_cases (Datatypes.S m) n); auto. exfalso.
    apply (parallel_refuted p horizon r S R), (more_steps p n); auto. lia.
  - intros G. destruct (given f) as [ks|]; [|congruence]. unfold worth in W.
    destruct (run (jumps (on p)) (start p) ks) as [q|] eqn:U; [|discriminate]. apply andb_true_iff in W.
    destruct W as [A W]. destruct (run_plays _ _ _ _ S U) as [js [N [_ P]]]. rewrite N in W. apply Z.eqb_eq in W.
    exists (packed js). split; [lia|]. destruct (packed_plays (on p) _ js _ P) as [D [_ P']]. split; auto.
    exists (bits q). split; auto. now apply at_goal_reached.
Qed.

Lemma check_moves_sound f least : sound_board (on (about f)) = true -> check_moves f least = true ->
  (forall js, solution (about f) js -> (least <= moves js)%nat)
  /\ (given f <> None -> exists js, solution (about f) js /\ moves js = least).
Proof.
  unfold check_moves. set (p := about f). intros S C. rewrite !andb_true_iff in C. destruct C as [[_ W] R]. split.
  - intros js A. destruct least as [|m]; [lia|].
    destruct (parts f) as [|[c|horizon r|horizon r|horizon r|v] [|]]; try discriminate.
    now apply (no_fewer_sound p v).
  - intros G. destruct (given f) as [ks|]; [|congruence]. unfold worth in W.
    destruct (run (jumps (on p)) (start p) ks) as [q|] eqn:U; [|discriminate]. apply andb_true_iff in W.
    destruct W as [A W]. destruct (run_plays _ _ _ _ S U) as [js [N [_ P]]]. rewrite N in W. apply Z.eqb_eq in W.
    exists js. split; [|lia]. exists (bits q). split; auto. now apply at_goal_reached.
Qed.

(** An accepted folder shows what it claims. *)
Theorem folder_sound f : check_folder f = true -> shows f.
Proof.
  unfold check_folder, shows. set (p := about f). intros C. apply andb_true_iff in C. destruct C as [S C].
  destruct (claimed f) as [|least|least|least|order least|least].
  - rewrite !andb_true_iff in C. destruct C as [_ E]. intros [js A].
    assert (B := jumps_between p js S A). apply (all_excluded_sound p _ _ js S E A).
    assert (I := in_range _ _ _ B). now destruct (range (fewest p) (longest p)).
  - rewrite !andb_true_iff in C. destruct C as [[_ W] E]. split.
    + intros js A. assert (B := jumps_between p js S A). apply Z.nlt_ge. intros N.
      apply (all_excluded_sound p _ _ js S E A). apply in_range. lia.
    + intros G. destruct (worth_sound p least _ _ S W G) as [ks [js [q [L [A O]]]]].
      exists js. split; [exists (bits q); exact A|congruence].
  - rewrite !andb_true_iff in C. destruct C as [[[_ W] F] E]. split.
    + intros js q [P R]. assert (A : solution p js) by (exists q; split; auto). assert (B := jumps_between p js S A).
      assert (N := pegs_jumps _ _ _ _ S P). fold (pegs p) in N. apply Z.nlt_ge. intros T.
      assert (I : In (Z.of_nat (count (holes (on p)) q)) (range (Z.of_nat (pegs p) - Z.max (longest p) 0) (least - 1)))
        by (apply in_range; lia).
      assert (One : Z.of_nat (count (holes (on p)) q) = 1).
      { rewrite forallb_forall in F. specialize (F _ I). apply Z.eqb_eq in F. congruence. }
      assert (A' : solution (one_peg p) js).
      { exists q. split; [exact P|]. simpl. apply count_one. lia. }
      apply (all_excluded_sound (one_peg p) _ _ js S E A'). apply in_map_iff. eexists. split; [|exact I]. lia.
    + intros G. destruct (worth_sound p least _ _ S W G) as [ks [js [q [L [A O]]]]]. exists js, (bits q). auto.
  - now apply check_steps_sound.
  - now apply check_rounds_sound.
  - now apply check_moves_sound.
Qed.
