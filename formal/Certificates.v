(** Certificates: trees of cases, as proof-format.md says, and the proof that a checked one is right.

    The numbers of a certificate are how often each jump is made, and for each hole whether it ends with a peg. Here
    they are counted from 1: number [i] of the format is [number i]. *)

From Coq Require Import Arith Bool FMapPositive List Lia NArith ZArith.
From Pegcp Require Import Game Theory Play.
Import ListNotations.
Local Open Scope Z_scope.

(** ** The format *)

Definition number (i : nat) : positive := Pos.of_succ_nat i.

Inductive node :=
  | Split (n : positive) (k : Z)  (** number n is at most k; it is more *)
  | Last (these : list hole)  (** for one peg: it is at one of these holes; it is elsewhere *)
  | Cut (i : nat)  (** some jump of cut i is made more often than its limit *)
  | Sum (times : list (positive * Z))  (** closes the case: rows, and how often each is taken *)
  | Stuck.  (** closes the case: it is played out *)

Definition cut := list (nat * Z).  (** jumps, and how often each is made at most *)

Record certificate := Certificate { tree : list node; cuts : list cut; most : option Z }.

Definition values := positive -> Z.

(** What all solutions satisfy: the terms are together equal to the value, or at most that. *)
Record row := Row { terms : list (positive * Z); value : Z; equation : bool }.

Fixpoint total (ts : list (positive * Z)) (v : values) : Z :=
  match ts with
  | [] => 0
  | (n, z) :: ts => z * v n + total ts v
  end.

Definition holds (v : values) (r : row) : Prop :=
  if equation r then total (terms r) v = value r else total (terms r) v <= value r.

(** Limits of each number, the least and the largest value. *)
Definition limits := PositiveMap.t (Z * Z).

Definition inside (l : limits) (v : values) : Prop :=
  forall n, match PositiveMap.find n l with Some (low, high) => low <= v n <= high | None => v n = 0 end.

(** A list by places, from the given one. *)
Fixpoint index {A} (i : positive) (l : list A) : PositiveMap.t A :=
  match l with
  | [] => PositiveMap.empty A
  | x :: l => PositiveMap.add i x (index (Pos.succ i) l)
  end.

(** ** Bounds from the number of pegs *)

Definition least_pegs (b : board) (g : goal) : nat :=
  match g with
  | Exact pegs | Partial pegs _ => count (holes b) (bits pegs)
  | OnePeg => 1
  | DeadEnd => 0
  end.

Definition most_pegs (b : board) (g : goal) : nat :=
  match g with
  | Exact pegs => count (holes b) (bits pegs)
  | Partial _ vacancies => holes b - count (holes b) (bits vacancies)
  | OnePeg => 1
  | DeadEnd => holes b
  end.

Definition pegs (p : problem) : nat := count (holes (on p)) (bits (start p)).

(** No solution has less jumps than [fewest], or more than [longest]. *)
Definition fewest (p : problem) : Z := Z.max 0 (Z.of_nat (pegs p) - Z.of_nat (most_pegs (on p) (end_ p))).

Definition longest (p : problem) : Z :=
  let l := Z.of_nat (pegs p) - Z.of_nat (Nat.max (least_pegs (on p) (end_ p)) (Nat.min 1 (pegs p))) in
  match jumps (on p), most_pegs (on p) (end_ p) with
  | [], _ | _, O => Z.min 0 l
  | _, _ => l
  end.

(** ** Sums of rows *)

Definition coefficient (n : positive) (t : PositiveMap.t Z) : Z :=
  match PositiveMap.find n t with Some z => z | None => 0 end.

Fixpoint add_terms (many : Z) (ts : list (positive * Z)) (t : PositiveMap.t Z) : PositiveMap.t Z :=
  match ts with
  | [] => t
  | (n, z) :: ts => add_terms many ts (PositiveMap.add n (coefficient n t + many * z) t)
  end.

(** The rows, each less its value and taken so many times: coefficients, the rest, and whether all are equations. *)
Fixpoint add_rows (rows : PositiveMap.t row) (times : list (positive * Z)) : option (PositiveMap.t Z * Z * bool) :=
  match times with
  | [] => Some (PositiveMap.empty Z, 0, true)
  | (n, many) :: times =>
      match PositiveMap.find n rows, add_rows rows times with
      | Some r, Some (t, rest, equations) =>
          if equation r || (0 <=? many)
          then Some (add_terms many (terms r) t, rest - many * value r, equations && equation r)
          else None
      | _, _ => None
      end
  end.

(** The least that terms can be within limits. *)
Fixpoint least (t : PositiveMap.t Z) (l : limits) : Z :=
  match t, l with
  | PositiveMap.Node t0 z t1, PositiveMap.Node l0 y l1 =>
      let here := match z, y with Some z, Some (low, high) => z * (if 0 <? z then low else high) | _, _ => 0 end in
      least t0 l0 + here + least t1 l1
  | _, _ => 0
  end.

(** Whether terms are odd, where that is the same for all values within the limits. *)
Fixpoint parity (t : PositiveMap.t Z) (l : limits) : option bool :=
  match t, l with
  | PositiveMap.Node t0 z t1, PositiveMap.Node l0 y l1 =>
      let here :=
        match z, y with
        | Some z, Some (low, high) =>
            if low =? high then Some (Z.odd (z * low)) else if Z.even z then Some false else None
        | _, _ => Some false
        end in
      match parity t0 l0, here, parity t1 l1 with
      | Some a, Some b, Some c => Some (xorb a (xorb b c))
      | _, _, _ => None
      end
  | _, _ => Some false
  end.

(** The sum is more than 0, or odd, whatever the numbers are. *)
Definition contradicts (rows : PositiveMap.t row) (l : limits) (times : list (positive * Z)) : bool :=
  match add_rows rows times with
  | Some (t, rest, equations) =>
      (0 <? least t l + rest)
      || equations && match parity t l with Some odd => xorb odd (Z.odd rest) | None => false end
  | None => false
  end.

(** ** The rows and first limits of a problem *)

Section Problem.

Variable p : problem.
Variable longest_ : Z.  (** it is about solutions of at most so many jumps *)
Variable most_ : option Z.

Let b := on p.
Let J := length (jumps b).
Let H := holes b.

Definition jump_number (i : nat) : positive := number i.
Definition hole_number (h : hole) : positive := number (J + h).

Definition no_jump : jump := Jump 0%nat 0%nat 0%nat.

(** The jumps that take a peg from a hole, less those that put one there, and the peg at the end are the one at the start. *)
Definition hole_row (h : hole) : row :=
  let of '(i, j) := match taken j h with 0 => [] | z => [(jump_number i, z)] end in
  Row (flat_map of (combine (seq 0 J) (jumps b)) ++ [(hole_number h, 1)]) (one_if (bits (start p) h)) true.

Definition goal_rows : list row :=
  match end_ p with
  | OnePeg => [Row (flat_map (fun h => [(hole_number h, 1)]) (seq 0 H)) 1 true]
  | DeadEnd =>
      map (fun j => Row [(hole_number (from j), 1); (hole_number (over j), 1); (hole_number (to j), -1)] 1 false) (jumps b)
  | _ => []
  end.

Definition most_rows : list row :=
  match most_ with
  | Some m => [Row (flat_map (fun i => [(jump_number i, 1)]) (seq 0 J)) m false]
  | None => []
  end.

Definition rows : list row := map hole_row (seq 0 H) ++ goal_rows ++ most_rows.

(** Whether a hole ends with a peg, as far as the goal says. *)
Definition ends (h : hole) : Z * Z :=
  match end_ p with
  | Exact pegs => (one_if (bits pegs h), one_if (bits pegs h))
  | Partial pegs vacancies => (one_if (bits pegs h), 1 - one_if (bits vacancies h))
  | _ => (0, 1)
  end.

Definition first_limits : limits := index 1 (map (fun _ => (0, longest_)) (seq 0 J) ++ map ends (seq 0 H)).

(** ** Playing out *)

(** Every way in which jump i is made at most [f i] times, and at most [longest_] jumps in all, misses the goal; how much
    room is left then. *)
Definition played_out (room : N) (f : nat -> option Z) : option N :=
  let limit_of i :=
    match f i with
    | Some m => if longest_ <=? m then Free else if m <=? 0 then Never else Left (Z.to_nat m)
    | None => Free
    end in
  if N.eqb room 0 then None
  else none_bad (at_goal b (end_ p)) (masked (jumps b)) (Z.to_nat longest_) (N.pred room)
    [(start p, map limit_of (seq 0 J))].

Fixpoint limit_in (c : cut) (i : nat) : option Z :=
  match c with
  | [] => None
  | (j, m) :: c => if Nat.eqb j i then Some m else limit_in c i
  end.

(** ** Cases *)

Definition narrow (n : positive) (low high : Z) (l : limits) : list limits :=
  if low <=? high then [PositiveMap.add n (low, high) l] else [].

Definition fix_zero (these : list hole) (l : limits) : limits :=
  fold_left (fun l h => PositiveMap.add (hole_number h) (0, 0) l) these l.

Fixpoint by_cut (c : cut) (l : limits) : list limits :=
  match c with
  | [] => []
  | (j, m) :: c =>
      match PositiveMap.find (jump_number j) l with
      | Some (low, high) =>
          narrow (jump_number j) (Z.max low (m + 1)) high l
          ++ (if m <? low then [] else by_cut c (PositiveMap.add (jump_number j) (low, Z.min m high) l))
      | None => [l]
      end
  end.

(** So many positions may be played through in all cases together, and in all cuts. *)
Definition room_stuck : N := 100000.
Definition room_cut : N := 1000000.

Variable all_rows : PositiveMap.t row.
Variable good_cuts : list (option cut).

(** The cases that a node divides a case into, none if it closes it, and how much room is left; [None] if it does not hold. *)
Definition cases (room : N) (x : node) (l : limits) : option (list limits * N) :=
  match x with
  | Split n k =>
      match PositiveMap.find n l with
      | Some (low, high) => Some (narrow n low (Z.min k high) l ++ narrow n (Z.max low (k + 1)) high l, room)
      | None => None
      end
  | Last these =>
      match end_ p with
      | OnePeg =>
          if forallb (fun h => Nat.ltb h H) these
          then
            let others := filter (fun h => negb (existsb (Nat.eqb h) these)) (seq 0 H) in
            Some ([fix_zero others l; fix_zero these l], room)
          else None
      | _ => None
      end
  | Cut i =>
      match nth_error good_cuts i with
      | Some (Some c) => Some (by_cut c l, room)
      | _ => None
      end
  | Sum times => if contradicts all_rows l times then Some ([], room) else None
  | Stuck =>
      let high i := match PositiveMap.find (jump_number i) l with Some (_, high) => Some high | None => Some 0 end in
      match played_out room high with Some room => Some ([], room) | None => None end
  end.

(** All cases are closed. Nodes come in the order in which the cases are met. *)
Fixpoint closed (room : N) (nodes : list node) (open : list limits) : bool :=
  match nodes, open with
  | [], [] => true
  | x :: nodes, l :: open =>
      match cases room x l with
      | Some (new, room) => closed room nodes (new ++ open)
      | None => false
      end
  | _, _ => false
  end.

End Problem.

(** ** The checker *)

(** The largest number of jumps that a certificate is about. *)
Definition bound (p : problem) (c : certificate) : Z :=
  match most c with
  | Some m => Z.min (longest p) m
  | None => longest p
  end.

Definition used (c : certificate) (i : nat) : bool :=
  existsb (fun x => match x with Cut k => Nat.eqb k i | _ => false end) (tree c).

(** The cuts that are used and hold. *)
Fixpoint checked_cuts (p : problem) (c : certificate) (room : N) (i : nat) (xs : list cut) : list (option cut) :=
  match xs with
  | [] => []
  | x :: xs =>
      match (if used c i then played_out p (bound p c) room (limit_in x) else None) with
      | Some room => Some x :: checked_cuts p c room (S i) xs
      | None => None :: checked_cuts p c room (S i) xs
      end
  end.

Definition check_certificate (p : problem) (c : certificate) : bool :=
  sound_board (on p)
  && closed p (bound p c) (index 1 (rows p (most c))) (checked_cuts p c room_cut 0 (cuts c)) room_stuck (tree c)
       [first_limits p (bound p c)].

(** * Proofs *)

Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.

Lemma find_index {A} (l : list A) i n :
  PositiveMap.find n (index i l) = if (n <? i)%positive then None else nth_error l (Pos.to_nat n - Pos.to_nat i).
Proof.
  revert i. induction l as [|x l IH]; intros i; simpl.
  - rewrite PositiveMap.gempty. destruct (n <? i)%positive; auto. now destruct (_ - _)%nat.
  - destruct (Pos.eq_dec n i) as [->|D].
    + now rewrite PositiveMap.gss, Pos.ltb_irrefl, Nat.sub_diag.
    + rewrite PositiveMap.gso, IH by auto. destruct (Pos.ltb_spec n i), (Pos.ltb_spec n (Pos.succ i)); try lia; auto.
      replace (Pos.to_nat n - Pos.to_nat i)%nat with (S (Pos.to_nat n - Pos.to_nat (Pos.succ i)))%nat by lia. auto.
Qed.

Lemma find_index_in {A} (l : list A) i n x : PositiveMap.find n (index i l) = Some x -> In x l.
Proof. rewrite find_index. destruct (n <? i)%positive; [discriminate|]. apply nth_error_In. Qed.

Lemma flat_map_places {A B} (f : nat * A -> list B) (xs : list A) d :
  flat_map f (combine (seq 0 (length xs)) xs) = flat_map (fun i => f (i, nth i xs d)) (seq 0 (length xs)).
Proof.
  rewrite !flat_map_concat_map. f_equal. assert (E : forall k, map f (combine (seq k (length xs)) xs)
    = map (fun i => f (i, nth (i - k) xs d)) (seq k (length xs))).
  { induction xs as [|x xs IH]; simpl; intros k; auto. rewrite Nat.sub_diag, IH. f_equal. apply map_ext_in.
    intros i I. apply in_seq in I. now replace (i - k)%nat with (S (i - S k)) by lia. }
  rewrite E. apply map_ext. intros i. now rewrite Nat.sub_0_r.
Qed.

Lemma inside_narrow n low high l v : inside l v -> low <= v n <= high -> inside (PositiveMap.add n (low, high) l) v.
Proof.
  intros I B m. destruct (Pos.eq_dec m n) as [->|D].
  - now rewrite PositiveMap.gss.
  - rewrite PositiveMap.gso by auto. apply I.
Qed.

Lemma inside_left l0 o l1 v : inside (PositiveMap.Node l0 o l1) v -> inside l0 (fun n => v (xO n)).
Proof. intros I n. apply (I (xO n)). Qed.

Lemma inside_right l0 o l1 v : inside (PositiveMap.Node l0 o l1) v -> inside l1 (fun n => v (xI n)).
Proof. intros I n. apply (I (xI n)). Qed.

Fixpoint eval (t : PositiveMap.t Z) (v : values) : Z :=
  match t with
  | PositiveMap.Leaf _ => 0
  | PositiveMap.Node t0 z t1 =>
      eval t0 (fun n => v (xO n)) + match z with Some z => z * v xH | None => 0 end + eval t1 (fun n => v (xI n))
  end.

Lemma eval_zero t v : (forall n, v n = 0) -> eval t v = 0.
Proof.
  revert v. induction t as [|t0 IH0 z t1 IH1]; simpl; intros v E; auto.
  rewrite IH0, IH1, E by auto. destruct z; lia.
Qed.

Lemma eval_add t n z v : eval (PositiveMap.add n z t) v = eval t v + (z - coefficient n t) * v n.
Proof.
  unfold coefficient. revert n v. induction t as [|t0 IH0 y t1 IH1]; intros n v.
  - assert (E : forall n v, eval (PositiveMap.add n z (PositiveMap.Leaf Z)) v = z * v n).
    { clear. intros n. induction n as [n IH|n IH|]; intros v; simpl; rewrite ?IH; lia. }
    rewrite E. destruct n; simpl; lia.
  - destruct n as [n|n|]; simpl; rewrite ?IH0, ?IH1; try lia. destruct y; lia.
Qed.

Lemma eval_terms many ts t v : eval (add_terms many ts t) v = eval t v + many * total ts v.
Proof.
  revert t. induction ts as [|[n z] ts IH]; simpl; intros t; [lia|]. rewrite IH, eval_add. lia.
Qed.

Lemma least_eval t l v : inside l v -> least t l <= eval t v.
Proof.
  revert l v. induction t as [|t0 IH0 z t1 IH1]; intros l v I; [simpl; lia|].
  destruct l as [|l0 y l1].
  - rewrite eval_zero; [simpl; lia|]. intros n. specialize (I n). now destruct n.
  - simpl. specialize (IH0 _ _ (inside_left _ _ _ _ I)). specialize (IH1 _ _ (inside_right _ _ _ _ I)).
    specialize (I xH). simpl in I. destruct z as [z|], y as [[low high]|]; try lia.
    destruct (Z.ltb_spec 0 z); nia.
Qed.

Lemma parity_eval t l v odd : inside l v -> parity t l = Some odd -> Z.odd (eval t v) = odd.
Proof.
  revert l v odd. induction t as [|t0 IH0 z t1 IH1]; intros l v odd I P; [simpl in *; congruence|].
  destruct l as [|l0 y l1].
  - rewrite eval_zero; [simpl in *; congruence|]. intros n. specialize (I n). now destruct n.
  - simpl in P. specialize (IH0 _ _ (match parity t0 l0 with Some o => o | None => false end) (inside_left _ _ _ _ I)).
    specialize (IH1 _ _ (match parity t1 l1 with Some o => o | None => false end) (inside_right _ _ _ _ I)).
    specialize (I xH). simpl in I. simpl eval. rewrite !Z.odd_add.
    destruct (parity t0 l0) as [a|]; [|discriminate]. rewrite (IH0 eq_refl).
    destruct (parity t1 l1) as [c|]; [rewrite (IH1 eq_refl)|].
    2: { destruct z as [z|], y as [[low high]|]; try discriminate. destruct (low =? high), (Z.even z); discriminate. }
    destruct z as [z|], y as [[low high]|]; simpl in P.
    + destruct (Z.eqb_spec low high).
      * inversion P. subst. replace (v xH) with high by lia. now destruct a, c, (Z.odd (z * high)).
      * destruct (Z.even z) eqn:E; [|discriminate]. inversion P. rewrite Z.odd_mul, <- Z.negb_even, E. now destruct a, c.
    + rewrite I, Z.mul_0_r. inversion P. now destruct a, c.
    + inversion P. now destruct a, c.
    + inversion P. now destruct a, c.
Qed.

Lemma add_rows_sound rows times t rest equations v : add_rows rows times = Some (t, rest, equations) ->
  (forall n r, PositiveMap.find n rows = Some r -> holds v r) ->
  eval t v + rest <= 0 /\ (equations = true -> eval t v + rest = 0).
Proof.
  intros A R. revert t rest equations A. induction times as [|[n many] times IH]; simpl; intros t rest equations A.
  - inversion A; subst. simpl. lia.
  - destruct (PositiveMap.find n rows) as [r|] eqn:F; [|discriminate].
    destruct (add_rows rows times) as [[[t' rest'] equations']|]; [|discriminate].
    destruct (IH _ _ _ eq_refl) as [L E]. specialize (R n r F). unfold holds in R.
    destruct (equation r || (0 <=? many)) eqn:S; [|discriminate]. inversion A; subst. rewrite eval_terms.
    destruct (equation r); simpl in S.
    + rewrite R. split; [lia|]. rewrite andb_true_r. intros T. specialize (E T). lia.
    + rewrite andb_false_r. apply Z.leb_le in S. split; [nia|discriminate].
Qed.

Lemma contradicts_sound rows l times v : contradicts rows l times = true -> inside l v ->
  (forall n r, PositiveMap.find n rows = Some r -> holds v r) -> False.
Proof.
  unfold contradicts. intros C I R. destruct (add_rows rows times) as [[[t rest] equations]|] eqn:A; [|discriminate].
  destruct (add_rows_sound _ _ _ _ _ v A R) as [L E]. apply orb_true_iff in C. destruct C as [C|C].
  - apply Z.ltb_lt in C. assert (B := least_eval t l v I). lia.
  - apply andb_true_iff in C. destruct C as [-> C]. specialize (E eq_refl).
    destruct (parity t l) as [odd|] eqn:P; [|discriminate]. apply (parity_eval t l v odd I) in P.
    replace rest with (- eval t v) in C by lia. rewrite Z.odd_opp, P, xorb_nilpotent in C. discriminate.
Qed.

(** ** The numbers of a run satisfy the rows *)

Lemma total_app ts us v : total (ts ++ us) v = total ts v + total us v.
Proof. induction ts as [|[n z] ts IH]; simpl; lia. Qed.

Lemma total_seq f n v : total (flat_map f (seq 0 n)) v = sum (fun i => total (f i) v) n.
Proof.
  induction n as [|n IH]; auto. rewrite seq_S, flat_map_app, total_app, IH. simpl. rewrite app_nil_r. lia.
Qed.

Notation times := (count_occ Nat.eq_dec).

Definition sum_of (e : nat -> Z) (ks : list nat) : Z := fold_right (fun k z => e k + z) 0 ks.

(** A sum over jumps as they are made is one over all jumps, each as often as it is made. *)
Lemma sum_of_counts e ks n : Forall (fun k => (k < n)%nat) ks ->
  sum_of e ks = sum (fun i => e i * Z.of_nat (times ks i)) n.
Proof.
  induction ks as [|k ks IH]; intros F; simpl.
  - rewrite <- (sum_zero n) at 1. apply sum_ext. intros. lia.
  - inversion F as [|x y L F']; subst. rewrite (IH F').
    transitivity (sum (fun i => if Nat.eqb i k then e i else 0) n + sum (fun i => e i * Z.of_nat (times ks i)) n).
    + rewrite sum_one. apply Nat.ltb_lt in L. now rewrite L.
    + rewrite <- sum_add. apply sum_ext. intros i _.
      destruct (Nat.eq_dec k i); destruct (Nat.eqb_spec i k); subst; try congruence; lia.
Qed.

Lemma run_taken b n ks q h : sound_board b = true -> run (jumps b) n ks = Some q ->
  sum_of (fun k => taken (nth k (jumps b) no_jump) h) ks + one_if (bits q h) = one_if (bits n h).
Proof.
  intros S. revert n. induction ks as [|k ks IH]; simpl; intros n R; [now inversion R|].
  destruct (nth_error (jumps b) k) as [j|] eqn:K; [|discriminate]. destruct (can j n) eqn:C; [|discriminate].
  specialize (IH _ R). assert (I : In j (jumps b)) by (eapply nth_error_In; eauto).
  assert (M := makes_taken j _ _ h (can_makes b j n S I C)). rewrite (nth_error_nth _ _ no_jump K). lia.
Qed.

(** The numbers of a run: how often each jump is made, and whether each hole ends with a peg. *)
Definition values_of (p : problem) (ks : list nat) (q : N) : values := fun n =>
  let i := pred (Pos.to_nat n) in
  let J := length (jumps (on p)) in
  if Nat.ltb i J then Z.of_nat (times ks i)
  else if Nat.ltb i (J + holes (on p)) then one_if (bits q (i - J)%nat) else 0.

Section Solution.

Variable p : problem.
Variable ks : list nat.
Variable q : N.
Variable c : certificate.

Let b := on p.
Let J := length (jumps b).
Let H := holes b.
Let v := values_of p ks q.
Let K := bound p c.

Hypothesis sound : sound_board b = true.
Hypothesis ran : run (jumps b) (start p) ks = Some q.
Hypothesis ends_there : at_goal b (end_ p) q = true.
Hypothesis short : Z.of_nat (length ks) <= K.

Lemma value_jump i : (i < J)%nat -> v (jump_number i) = Z.of_nat (times ks i).
Proof.
  intros B. unfold v, values_of, jump_number, number. rewrite SuccNat2Pos.id_succ. simpl.
  apply Nat.ltb_lt in B. fold b J. now rewrite B.
Qed.

Lemma value_hole h : (h < H)%nat -> v (hole_number p h) = one_if (bits q h).
Proof.
  intros B. unfold v, values_of, hole_number, number. rewrite SuccNat2Pos.id_succ. simpl. fold b J H.
  destruct (Nat.ltb_spec (J + h) J), (Nat.ltb_spec (J + h) (J + H)); try lia. do 2 f_equal. lia.
Qed.

Lemma known : Forall (fun k => (k < J)%nat) ks.
Proof. eapply run_known. exact ran. Qed.

Lemma times_length i : (times ks i <= length ks)%nat.
Proof. clear. induction ks as [|k l IH]; simpl; auto. destruct (Nat.eq_dec k i); lia. Qed.

Lemma holds_hole h : (h < H)%nat -> holds v (hole_row p h).
Proof.
  intros B. unfold holds, hole_row. simpl.
  rewrite (flat_map_places (fun '(i, j) => match taken j h with 0 => [] | z => [(jump_number i, z)] end) (jumps (on p)) no_jump).
  rewrite total_app, total_seq. simpl total. rewrite value_hole by auto.
  rewrite <- (run_taken b (start p) ks q h sound ran), (sum_of_counts _ ks J known).
  match goal with |- ?x + _ = ?y + _ => enough (x = y) by lia end.
  apply sum_ext. intros i I. rewrite <- value_jump by auto.
  fold b. destruct (taken (nth i (jumps b) no_jump) h); cbn [total]; lia.
Qed.

Lemma one_peg_count : sum (fun h => one_if (bits q h)) H = Z.of_nat (count H (bits q)).
Proof. rewrite count_weight. apply sum_ext. intros. lia. Qed.

Lemma holds_rows r : In r (rows p (most c)) -> holds v r.
Proof.
  unfold rows. rewrite !in_app_iff, in_map_iff. intros [[h [<- I]]|[I|I]].
  - apply holds_hole. apply in_seq in I. unfold H, b. lia.
  - unfold goal_rows in I. unfold b in ends_there. destruct (end_ p); simpl in ends_there; try destruct I as [].
    + subst r. unfold holds. simpl. rewrite total_seq. apply Nat.eqb_eq in ends_there. simpl.
      transitivity (sum (fun h => one_if (bits q h)) H).
      * apply sum_ext. intros h B. rewrite value_hole by auto. lia.
      * rewrite one_peg_count. unfold H, b. now rewrite ends_there.
    + destruct H0.
    + apply in_map_iff in I. destruct I as [j [<- I]]. unfold holds. simpl.
      destruct (sound_board_jump b j sound I) as [[F [O T]] _]. rewrite !value_hole by auto.
      rewrite forallb_forall in ends_there. specialize (ends_there j I). apply negb_true_iff in ends_there. unfold can in ends_there.
      change (N.testbit_nat q) with (bits q) in ends_there.
      destruct (bits q (from j)), (bits q (over j)), (bits q (to j)); simpl in *; lia || discriminate.
  - unfold most_rows in I. unfold K, bound in short. destruct (most c) as [m|]; [|destruct I]. destruct I as [<-|[]].
    unfold holds. simpl. rewrite total_seq. simpl.
    match goal with |- ?x <= _ => enough (x = Z.of_nat (length ks)) by lia end.
    transitivity (sum_of (fun _ => 1) ks).
    + rewrite (sum_of_counts _ ks J known). apply sum_ext. intros i B. rewrite value_jump by auto. lia.
    + clear. induction ks as [|k l IH]; simpl; auto. rewrite IH. simpl length. lia.
Qed.

Lemma inside_first : inside (first_limits p K) v.
Proof.
  intros n. unfold first_limits. rewrite find_index. fold b J H.
  assert (P : (n <? 1)%positive = false) by (apply Pos.ltb_ge; lia). rewrite P.
  replace (Pos.to_nat n - Pos.to_nat 1)%nat with (pred (Pos.to_nat n)) by lia.
  unfold v, values_of. fold b J H. set (i := pred (Pos.to_nat n)).
  destruct (Nat.ltb_spec i J).
  - rewrite nth_error_app1 by (rewrite map_length, seq_length; auto).
    rewrite nth_error_map, (nth_error_nth' _ 0%nat) by (rewrite seq_length; auto). simpl.
    assert (T := times_length i). lia.
  - rewrite nth_error_app2 by (rewrite map_length, seq_length; auto). rewrite map_length, seq_length, nth_error_map.
    destruct (Nat.ltb_spec i (J + H)).
    + rewrite (nth_error_nth' _ 0%nat), seq_nth by (rewrite ?seq_length; lia). simpl.
      set (h := (i - J)%nat). assert (B : (h < H)%nat) by (unfold h; lia). unfold ends. unfold b in ends_there.
      destruct (end_ p); simpl in ends_there.
      * rewrite orb_true_iff, N.eqb_eq, all_holes_spec in ends_there. destruct ends_there as [->|E]; [lia|].
        apply E, eqb_prop in B. rewrite B. lia.
      * rewrite all_holes_spec in ends_there. specialize (ends_there h B).
        destruct (bits q h), (bits pegs0 h), (bits vacancies h); simpl in *; lia || discriminate.
      * destruct (bits q h); simpl; lia.
      * destruct (bits q h); simpl; lia.
    + assert (N : @nth_error hole (seq 0 H) (i - J) = None) by (apply nth_error_None; rewrite seq_length; lia).
      now rewrite N.
Qed.

(** ** Each node keeps the solution in one of its cases *)

Lemma played_out_sound room left f : played_out p K room f = Some left ->
  exists i m, (i < J)%nat /\ f i = Some m /\ m < Z.of_nat (times ks i).
Proof.
  unfold played_out. fold b J. intros P. destruct (N.eqb room 0); [discriminate|].
  destruct (existsb (fun i => match f i with Some m => m <? Z.of_nat (times ks i) | None => false end) (seq 0 J)) eqn:E.
  - apply existsb_exists in E. destruct E as [i [I E]]. apply in_seq in I.
    destruct (f i) as [m|] eqn:F; [|discriminate]. apply Z.ltb_lt in E. exists i, m. repeat split; auto. lia.
  - exfalso. enough (at_goal b (end_ p) q = false) by congruence.
    eapply (none_bad_sound _ _ _ _ _ _ _ _ ks q P); [left; reflexivity| | | |exact ran].
    + now rewrite map_length, seq_length.
    + intros i l N. rewrite nth_error_map in N. destruct (nth_error (seq 0 J) i) as [i'|] eqn:Q; [|discriminate].
      simpl in N. assert (B : (i < J)%nat) by (rewrite <- (seq_length J 0); apply nth_error_Some; congruence).
      rewrite (nth_error_nth' _ 0%nat), seq_nth in Q by (rewrite ?seq_length; auto). inversion Q; subst i'. simpl in N.
      assert (E' : match f i with Some m => Z.of_nat (times ks i) <= m | None => True end).
      { destruct (f i) as [m|] eqn:F; auto. apply Z.nlt_ge. intros A.
        apply not_true_iff_false in E. apply E, existsb_exists. exists i. rewrite F. split; [apply in_seq; lia|].
        now apply Z.ltb_lt. }
      destruct (f i) as [m|]; [|inversion N; subst; exact I].
      destruct (K <=? m); [inversion N; subst; exact I|].
      destruct (Z.leb_spec m 0); inversion N; subst; lia.
    + lia.
Qed.

Lemma narrow_in n low high l : inside l v -> low <= v n <= high -> exists l', In l' (narrow n low high l) /\ inside l' v.
Proof.
  intros I B. unfold narrow. destruct (Z.leb_spec low high); [|lia].
  eexists. split; [left; reflexivity|]. now apply inside_narrow.
Qed.

Lemma limit_in_spec x i m : limit_in x i = Some m -> In (i, m) x.
Proof.
  induction x as [|[j k] x IH]; simpl; [discriminate|]. destruct (Nat.eqb_spec j i); intros E; [|auto].
  inversion E; subst. auto.
Qed.

Lemma by_cut_sound x l : inside l v -> (exists i m, (i < J)%nat /\ In (i, m) x /\ m < Z.of_nat (times ks i)) ->
  exists l', In l' (by_cut x l) /\ inside l' v.
Proof.
  revert l. induction x as [|[j m] x IH]; intros l I [i [k [B [E M]]]]; [destruct E|]. simpl.
  assert (F := I (jump_number j)). destruct (PositiveMap.find (jump_number j) l) as [[low high]|].
  - destruct (Z_lt_le_dec m (v (jump_number j))).
    + destruct (narrow_in (jump_number j) (Z.max low (m + 1)) high l I) as [l' [A A']]; [lia|].
      exists l'. rewrite in_app_iff. auto.
    + destruct (Z.ltb_spec m low); [lia|]. destruct (IH (PositiveMap.add (jump_number j) (low, Z.min m high) l)) as [l' [A A']].
      * apply inside_narrow; auto. lia.
      * destruct E as [E|E]; [|exists i, k; auto]. inversion E; subst. rewrite value_jump in l0 by auto. lia.
      * exists l'. rewrite in_app_iff. auto.
  - exists l. simpl. auto.
Qed.

Lemma fix_zero_sound these l : inside l v -> (forall h, In h these -> v (hole_number p h) = 0) ->
  inside (fix_zero p these l) v.
Proof.
  unfold fix_zero. revert l. induction these as [|h these IH]; simpl; intros l I Z; auto.
  apply IH; auto. apply inside_narrow; auto. rewrite Z by auto. lia.
Qed.

Lemma cases_sound all_rows good room x l new left :
  (forall n r, PositiveMap.find n all_rows = Some r -> holds v r) ->
  (forall y, In (Some y) good -> exists room left, played_out p K room (limit_in y) = Some left) ->
  cases p K all_rows good room x l = Some (new, left) -> inside l v -> exists l', In l' new /\ inside l' v.
Proof.
  intros Rows Cuts C I. destruct x as [n k|these|i|some|]; simpl in C.
  - specialize (I n) as B. destruct (PositiveMap.find n l) as [[low high]|]; [|discriminate]. inversion C; subst.
    destruct (Z_le_gt_dec (v n) k).
    + destruct (narrow_in n low (Z.min k high) l I) as [l' [A A']]; [lia|]. exists l'. rewrite in_app_iff. auto.
    + destruct (narrow_in n (Z.max low (k + 1)) high l I) as [l' [A A']]; [lia|]. exists l'. rewrite in_app_iff. auto.
  - unfold b in ends_there. destruct (end_ p) eqn:E; try discriminate. 
    match type of C with (if ?t then _ else _) = _ => destruct t eqn:T; [|discriminate] end.
    inversion C; subst. rewrite forallb_forall in T. assert (P := ends_there). simpl in P. apply Nat.eqb_eq, count_one in P.
    destruct P as [one [B U]].
    assert (V : forall h, (h < H)%nat -> h <> one -> v (hole_number p h) = 0).
    { intros h B' D. rewrite value_hole by auto. specialize (U h B'). destruct (bits q h); [tauto|auto]. }
    destruct (existsb (Nat.eqb one) these) eqn:X.
    + eexists. split; [left; reflexivity|]. apply fix_zero_sound; auto. intros h F. apply filter_In in F.
      destruct F as [F F']. apply in_seq in F. apply V; [unfold H, b; lia|]. intros ->. now rewrite X in F'.
    + eexists. split; [right; left; reflexivity|]. apply fix_zero_sound; auto. intros h F. apply V.
      * apply T in F. now apply Nat.ltb_lt in F.
      * intros ->. apply not_true_iff_false in X. apply X, existsb_exists. exists one. now rewrite Nat.eqb_refl.
  - destruct (nth_error good i) as [[y|]|] eqn:N; try discriminate. inversion C; subst.
    apply by_cut_sound; auto. destruct (Cuts y (nth_error_In _ _ N)) as [room' [left' P]]. apply played_out_sound in P.
    destruct P as [j [m [B [F M]]]]. exists j, m. repeat split; auto. now apply limit_in_spec.
  - destruct (contradicts all_rows l some) eqn:X; [|discriminate]. exfalso. eapply contradicts_sound; eauto.
  - match type of C with match ?t with _ => _ end = _ => destruct t eqn:P; [|discriminate] end.
    apply played_out_sound in P. destruct P as [i [m [B [F M]]]]. specialize (I (jump_number i)).
    rewrite value_jump in I by auto.
    destruct (PositiveMap.find (jump_number i) l) as [[low high]|]; inversion F; subst; lia.
Qed.

Lemma closed_sound all_rows good room nodes open :
  (forall n r, PositiveMap.find n all_rows = Some r -> holds v r) ->
  (forall y, In (Some y) good -> exists room left, played_out p K room (limit_in y) = Some left) ->
  closed p K all_rows good room nodes open = true -> forall l, In l open -> ~ inside l v.
Proof.
  intros Rows Cuts. revert room open. induction nodes as [|x nodes IH]; intros room [|l open]; simpl; try discriminate.
  - intros _ l [].
  - destruct (cases p K all_rows good room x l) as [[new left]|] eqn:C; [|discriminate]. intros A l' [->|I] N.
    + destruct (cases_sound _ _ _ _ _ _ _ Rows Cuts C N) as [m [B B']]. apply (IH _ _ A m); auto. rewrite in_app_iff. auto.
    + apply (IH _ _ A l'); auto. rewrite in_app_iff. auto.
Qed.

Lemma checked_cuts_played xs : forall room i y, In (Some y) (checked_cuts p c room i xs) ->
  exists room left, played_out p K room (limit_in y) = Some left.
Proof.
  induction xs as [|x xs IH]; simpl; intros room i y I; [destruct I|].
  destruct (used c i); [|destruct I as [I|I]; [discriminate|eauto]].
  destruct (played_out p (bound p c) room (limit_in x)) as [left|] eqn:P; destruct I as [I|I]; eauto; [|discriminate].
  inversion I; subst. eauto.
Qed.

Lemma refuted : check_certificate p c = true -> False.
Proof.
  unfold check_certificate. rewrite andb_true_iff. intros [_ C].
  eapply (closed_sound _ _ _ _ _) with (l := first_limits p K) in C.
  - apply C, inside_first.
  - intros n r F. apply find_index_in in F. now apply holds_rows.
  - intros y N. eapply checked_cuts_played. exact N.
  - left. reflexivity.
Qed.

End Solution.

(** * The theorems *)

(** A checked certificate is right: there is no solution of at most [bound] jumps. *)
Theorem certificate_sound p c : check_certificate p c = true ->
  forall js, solution p js -> bound p c < Z.of_nat (length js).
Proof.
  intros C js A. apply Z.nle_gt. intros B. assert (S : sound_board (on p) = true).
  { unfold check_certificate in C. apply andb_true_iff in C. tauto. }
  destruct (solution_run p js S A) as [ks [q [L [R G]]]].
  eapply (refuted p ks q c S R G); auto. rewrite L. exact B.
Qed.

Lemma last_jump_leaves_a_peg b p js q : sound_board b = true -> plays b p js q -> js <> [] ->
  (1 <= count (holes b) q)%nat.
Proof.
  intros S P. induction P as [p|p j q js r I M P IH]; [congruence|]. intros _.
  destruct js as [|k js]; [|apply IH; discriminate]. inversion P; subst.
  destruct (count (holes b) r) eqn:E; [|lia]. rewrite count_none in E.
  destruct (sound_board_jump b j S I) as [[_ [_ T]] _]. destruct M as [_ [_ [_ [T' _]]]]. rewrite E in T' by auto.
  discriminate.
Qed.

Lemma count_le n p q : (forall h, (h < n)%nat -> p h = true -> q h = true) -> (count n p <= count n q)%nat.
Proof.
  induction n as [|n IH]; simpl; intros E; auto. assert (count n p <= count n q)%nat by auto. specialize (E n).
  destruct (p n); [rewrite E by auto|]; lia.
Qed.

Lemma count_split n p : (count n p + count n (fun h => negb (p h)) = n)%nat.
Proof. induction n as [|n IH]; simpl; auto. destruct (p n); simpl; lia. Qed.

Lemma reached_pegs b g q : reached b g q -> (least_pegs b g <= count (holes b) q <= most_pegs b g)%nat.
Proof.
  destruct g as [pegs|pegs vacancies| |]; simpl; intros R.
  - split; apply count_le; intros h L; rewrite R; auto.
  - split.
    + apply count_le. intros h L. now apply R.
    + assert (E := count_split (holes b) q).
      enough (count (holes b) (bits vacancies) <= count (holes b) (fun h => negb (q h)))%nat by lia.
      apply count_le. intros h L V. apply negb_true_iff. now apply R.
  - apply count_one in R. lia.
  - assert (E := count_split (holes b) q). lia.
Qed.

(** The number of pegs gives bounds on the number of jumps. *)
Theorem jumps_between p js : sound_board (on p) = true -> solution p js ->
  fewest p <= Z.of_nat (length js) <= longest p.
Proof.
  intros S [q [P R]]. assert (N := pegs_jumps _ _ _ _ S P). assert (B := reached_pegs _ _ _ R).
  fold (pegs p) in N. unfold fewest, longest. split; [lia|].
  assert (Last : js <> [] -> (1 <= count (holes (on p)) q)%nat) by (eapply last_jump_leaves_a_peg; eauto).
  set (l := Z.of_nat (pegs p) - _). assert (A : Z.of_nat (length js) <= l).
  { unfold l. destruct js; [simpl length in *; lia|].
    assert (1 <= count (holes (on p)) q)%nat by (apply Last; discriminate). lia. }
  clearbody l. destruct (jumps (on p)) eqn:E.
  - inversion P; subst; [simpl in *; lia|]. match goal with I : In _ _ |- _ => rewrite E in I; destruct I end.
  - destruct (most_pegs (on p) (end_ p)) eqn:M; [|auto]. destruct js as [|k js]; [simpl in *; lia|].
    assert (1 <= count (holes (on p)) q)%nat by (apply Last; discriminate). lia.
Qed.

(** Without a limit on the jumps: there is no solution. *)
Theorem certificate_unsolvable p c : check_certificate p c = true -> most c = None -> ~ solvable p.
Proof.
  intros C M [js A]. assert (B := certificate_sound p c C js A). unfold bound in B. rewrite M in B.
  unfold check_certificate in C. apply andb_true_iff in C. assert (L := jumps_between p js (proj1 C) A). lia.
Qed.
