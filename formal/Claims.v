(** Proof folders: what is claimed of a problem, the parts that show it, and the proof that an accepted claim is true. *)

From Coq Require Import Arith Bool List Lia NArith ZArith.
From Pegcp Require Import Game Theory Play Certificates.
Import ListNotations.
Local Open Scope Z_scope.

(** ** What is claimed *)

Inductive claim :=
  | Infeasible  (** there is no solution *)
  | Jumps (least : Z)  (** each solution has so many jumps at least *)
  | Pegs (least : Z).  (** each solution leaves so many pegs at least *)

Record folder := Folder {
  about : problem;
  claimed : claim;
  parts : list certificate;
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
  end.

(** ** The checker *)

(** The whole numbers from [low] to [high]. *)
Definition range (low high : Z) : list Z := map (fun i => low + Z.of_nat i) (seq 0 (Z.to_nat (high - low + 1))).

(** Whether a part shows that there is no solution of [k] jumps. *)
Definition excludes (p : problem) (c : certificate) (k : Z) : bool := k <=? Z.max (bound p c) 0.

(** The parts are right, each excludes something that is rest, and nothing is rest in the end. *)
Fixpoint all_excluded (p : problem) (cs : list certificate) (rest : list Z) : bool :=
  match cs with
  | [] => match rest with [] => true | _ => false end
  | c :: cs =>
      existsb (excludes p c) rest && all_excluded p cs (filter (fun k => negb (excludes p c k)) rest)
      && match most c with Some m => (0 <=? m) && (m <=? Z.of_nat (pegs p)) | None => true end
      && check_certificate p c
  end.

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
     end.

(** ** Proofs *)

Lemma in_range low high k : low <= k <= high -> In k (range low high).
Proof.
  intros B. unfold range. apply in_map_iff. exists (Z.to_nat (k - low)). rewrite in_seq. lia.
Qed.

Lemma all_excluded_sound p cs rest js : all_excluded p cs rest = true -> solution p js ->
  ~ In (Z.of_nat (length js)) rest.
Proof.
  intros E A. revert rest E. induction cs as [|c cs IH]; simpl; intros rest E I.
  - destruct rest; [destruct I|discriminate].
  - rewrite !andb_true_iff in E. destruct E as [[[_ E] M] C]. apply (IH _ E), filter_In. split; auto.
    apply negb_true_iff. unfold excludes. apply Z.leb_gt. assert (B := certificate_sound p c C js A).
    unfold check_certificate in C. apply andb_true_iff in C. assert (L := jumps_between p js (proj1 C) A).
    unfold bound in *. destruct (most c); lia.
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

(** An accepted folder shows what it claims. *)
Theorem folder_sound f : check_folder f = true -> shows f.
Proof.
  unfold check_folder, shows. set (p := about f). intros C. apply andb_true_iff in C. destruct C as [S C].
  destruct (claimed f) as [|least|least].
  - rewrite !andb_true_iff in C. destruct C as [_ E]. intros [js A].
    assert (B := jumps_between p js S A). apply (all_excluded_sound p _ _ js E A).
    assert (I := in_range _ _ _ B). now destruct (range (fewest p) (longest p)).
  - rewrite !andb_true_iff in C. destruct C as [[_ W] E]. split.
    + intros js A. assert (B := jumps_between p js S A). apply Z.nlt_ge. intros N.
      apply (all_excluded_sound p _ _ js E A). apply in_range. lia.
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
      apply (all_excluded_sound _ _ _ js E A'). apply in_map_iff. eexists. split; [|exact I]. lia.
    + intros G. destruct (worth_sound p least _ _ S W G) as [ks [js [q [L [A O]]]]]. exists js, (bits q). auto.
Qed.
