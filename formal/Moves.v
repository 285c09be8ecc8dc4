(** Fewest moves, from both ends. A solution of at most a + b moves passes a position that is reached from the start in
    at most a moves, and from which a goal is reached in at most b moves. The function [no_fewer] makes both sets of
    positions, up to symmetries that it verifies, without those that regions show to be of no use; where the sets do not
    meet, every solution has more moves. *)

From Coq Require Import Arith Bool List Lia NArith ZArith.
From Pegcp Require Import Game Theory Play.
Import ListNotations.

(** ** Sweeps *)

(** Each jump begins where the one before ended. *)
Fixpoint chained (js : list jump) : Prop :=
  match js with
  | j :: (k :: _) as rest => to j = from k /\ chained rest
  | _ => True
  end.

(** One peg makes a jump, or several in a row. A move is a sweep that is as long as it can be. *)
Definition sweep (b : board) (p q : position) : Prop := exists js, js <> [] /\ chained js /\ plays b p js q.

(** [within_steps R A n q]: at most [n] steps of a relation lead from a position of [A] to [q]. *)
Inductive within_steps (R : position -> position -> Prop) (A : position -> Prop) : nat -> position -> Prop :=
  | step_none n q : A q -> within_steps R A n q
  | step_more n p q : within_steps R A n p -> R p q -> within_steps R A (S n) q.

Lemma within_more R (A : position -> Prop) n m q : within_steps R A n q -> n <= m -> within_steps R A m q.
Proof.
  intros W. revert m. induction W as [n q H|n p q W IH H]; intros m L; [now constructor|].
  destruct m as [|m]; [lia|]. apply step_more with p; auto. apply IH. lia.
Qed.

(** Sweeps, one after the other. *)
Inductive sweeps (b : board) : position -> nat -> position -> Prop :=
  | sweeps_none p : sweeps b p 0 p
  | sweeps_more p q n r : sweep b p q -> sweeps b q n r -> sweeps b p (S n) r.

(** A play of n moves is n sweeps. *)
Lemma plays_sweeps b p js q : plays b p js q -> sweeps b p (moves js) q.
Proof.
  enough (H : forall js p q, plays b p js q ->
    match js with
    | [] => p = q
    | j :: rest => exists first others m n, js = first ++ others /\ chained first /\ (exists rest, first = j :: rest)
        /\ plays b p first m /\ sweeps b m n q /\ moves js = S n
    end).
  { intros P. specialize (H js p q P). destruct js as [|j js]; [subst; constructor|].
    destruct H as [first [others [m [n [_ [C [[rest F] [P1 [S1 M]]]]]]]]]. rewrite M. econstructor; [|exact S1].
    exists first. subst. repeat split; auto. discriminate. }
  clear. intros js. induction js as [|j js IH]; intros p q P; [now inversion P|].
  inversion P as [|p0 j0 m js0 r I M P']; subst. specialize (IH m q P'). destruct js as [|k js].
  - subst. exists [j], [], q, 0.
    split; [reflexivity|]. split; [exact Logic.I|]. split; [now exists []|].
    split; [econstructor; eauto; constructor|]. split; [constructor|reflexivity].
  - destruct IH as [first [others [m' [n [E [C [[rest F] [P1 [S1 N]]]]]]]]].
    assert (V : moves (j :: k :: js) = (if to j =? from k then 0 else 1) + moves (k :: js)) by reflexivity.
    destruct (Nat.eqb_spec (to j) (from k)) as [L|L].
    + exists (j :: first), others, m', n. split; [now rewrite E|].
      split; [subst first; simpl in *; auto|]. split; [now exists first|].
      split; [econstructor; eauto|]. split; [exact S1|]. rewrite V, N. reflexivity.
    + exists [j], (k :: js), m, (S n). split; [reflexivity|]. split; [exact Logic.I|]. split; [now exists []|].
      split; [econstructor; eauto; constructor|]. split; [|rewrite V, N; reflexivity].
      econstructor; [|exact S1]. exists first. split; [subst; discriminate|]. split; auto.
Qed.

Lemma sweeps_reach b (A : position -> Prop) p n q : sweeps b p n q -> A p -> within_steps (sweep b) A n q.
Proof.
  intros H. enough (G : forall k, within_steps (sweep b) A k p -> within_steps (sweep b) A (n + k) q).
  { intros I. rewrite <- (Nat.add_0_r n). apply G. now constructor. }
  induction H as [p|p q n r H Hs IH]; intros k W; [exact W|].
  replace (S n + k) with (n + S k) by lia. apply IH. now apply step_more with p.
Qed.

Lemma sweeps_back b (A : position -> Prop) p n q : sweeps b p n q -> A q -> within_steps (fun x y => sweep b y x) A n p.
Proof.
  induction 1 as [p|p q n r H Hs IH]; intros I; [now constructor|]. apply step_more with q; auto.
Qed.

Lemma sweeps_split b n m p q : sweeps b p (n + m) q -> exists x, sweeps b p n x /\ sweeps b x m q.
Proof.
  revert p. induction n as [|n IH]; simpl; intros p H; [exists p; split; auto; constructor|].
  inversion H as [|p0 x n0 r H1 H2]; subst. destruct (IH x H2) as [y [A B]]. exists y. split; auto. econstructor; eauto.
Qed.

(** A solution of at most a + b moves passes a position in both sets. *)
Theorem both_ends p js forwards backwards : solution p js -> moves js <= forwards + backwards ->
  exists x, within_steps (sweep (on p)) (fun s => s = bits (start p)) forwards x
  /\ within_steps (fun s t => sweep (on p) t s) (reached (on p) (end_ p)) backwards x.
Proof.
  intros [q [P R]] L. assert (W := plays_sweeps _ _ _ _ P). remember (moves js) as m eqn:E. clear E.
  assert (D : exists x y, x <= forwards /\ y <= backwards /\ m = x + y) by (exists (Nat.min forwards m), (m - Nat.min
    forwards m); lia).
  destruct D as [x [y [X [Y ->]]]]. destruct (sweeps_split _ _ _ _ _ W) as [z [F B]]. exists z. split.
  - apply within_more with x; auto. eapply sweeps_reach; eauto.
  - apply within_more with y; auto. eapply sweeps_back; eauto.
Qed.

(** ** Another order of the holes *)

(** Hole [h] of the board [c] is hole [f h] of the board [b]. *)
Definition carried (f : hole -> hole) (b c : board) : Prop :=
  (forall h k, f h = f k -> h = k)
  /\ forall j, In j (jumps b) -> exists k, In k (jumps c) /\ f (from k) = from j /\ f (over k) = over j /\ f (to k) = to j.

Definition seen_by (f : hole -> hole) (p : position) : position := fun h => p (f h).

Lemma carried_plays f b c p js q : carried f b c -> plays b p js q -> exists ks,
  plays c (seen_by f p) ks (seen_by f q) /\ map (fun k => (f (from k), f (to k))) ks = map (fun j => (from j, to j)) js.
Proof.
  intros [U K] P. induction P as [p|p j m js q I M P IH]; [exists []; split; constructor|].
  destruct IH as [ks [Q E]]. destruct (K j I) as [k [Ik [F [O T]]]]. exists (k :: ks). split.
  - econstructor; [exact Ik| |exact Q]. destruct M as [[A [B C]] [A' [B' [C' D]]]].
    unfold makes, possible, seen_by. rewrite F, O, T. repeat split; auto.
    intros h N1 N2 N3. apply D; intros X; [apply N1|apply N2|apply N3]; apply U; congruence.
  - simpl. rewrite F, T, E. reflexivity.
Qed.

Lemma chained_same f js ks : (forall h k, f h = f k -> h = k) ->
  map (fun k => (f (from k), f (to k))) ks = map (fun j => (from j, to j)) js -> chained js -> chained ks.
Proof.
  intros U. revert ks. induction js as [|j js IH]; intros [|k ks] E C; try discriminate E; [exact Logic.I|].
  injection E as F T R. destruct js as [|j' js], ks as [|k' ks]; try discriminate R; [exact Logic.I|].
  destruct C as [L C]. split; [|now apply IH]. injection R as F' T' R'. apply U. congruence.
Qed.

Lemma carried_sweep f b c p q : carried f b c -> sweep b p q -> sweep c (seen_by f p) (seen_by f q).
Proof.
  intros K [js [N [C P]]]. destruct (carried_plays f b c p js q K P) as [ks [Q E]]. exists ks.
  split; [intros ->; destruct js; [congruence|discriminate E]|].
  split; [exact (chained_same f js ks (proj1 K) E C)|exact Q].
Qed.

Lemma carried_within f b c (A : position -> Prop) n q : carried f b c -> within_steps (sweep b) A n q ->
  within_steps (sweep c) (fun x => exists y, A y /\ x = seen_by f y) n (seen_by f q).
Proof.
  intros K. induction 1 as [n q H|n p q W IH H]; [constructor; eauto|].
  apply step_more with (seen_by f p); auto. now apply (carried_sweep f b c).
Qed.

Lemma carried_within_back f b c (A : position -> Prop) n q : carried f b c -> within_steps (fun x y => sweep b y x) A n q ->
  within_steps (fun x y => sweep c y x) (fun x => exists y, A y /\ x = seen_by f y) n (seen_by f q).
Proof.
  intros K. induction 1 as [n q H|n p q W IH H]; [constructor; eauto|].
  apply step_more with (seen_by f p); auto. now apply (carried_sweep f b c).
Qed.

(** ** Positions as words: a bit for each hole, the first hole first, and an end *)

Fixpoint word (n : nat) (p : position) : positive :=
  match n with
  | 0 => xH
  | S n => let rest := word n (fun h => p (S h)) in if p 0 then xI rest else xO rest
  end.

Lemma word_ext n p q : (forall h, h < n -> p h = q h) -> word n p = word n q.
Proof.
  revert p q. induction n as [|n IH]; intros p q E; simpl; auto.
  rewrite (IH _ (fun h => q (S h))) by (intros h L; apply E; lia). now rewrite (E 0) by lia.
Qed.

(** A jump changes a word from its first hole to its last. *)
Inductive change := Keep | Take | Put.

Fixpoint apply (edits : list change) (w : positive) : option positive :=
  match edits with
  | [] => Some w
  | c :: edits =>
      match c, w with
      | Keep, xO w => option_map xO (apply edits w)
      | Keep, xI w => option_map xI (apply edits w)
      | Take, xI w => option_map xO (apply edits w)
      | Put, xO w => option_map xI (apply edits w)
      | _, _ => None
      end
  end.

Definition fits (c : change) (x y : bool) : Prop :=
  match c with Keep => x = y | Take => x = true /\ y = false | Put => x = false /\ y = true end.

Lemma apply_word edits n p q : length edits <= n -> (forall h, h < length edits -> fits (nth h edits Keep) (p h) (q h)) ->
  (forall h, length edits <= h -> p h = q h) -> apply edits (word n p) = Some (word n q).
Proof.
  revert n p q. induction edits as [|c edits IH]; intros n p q L F K.
  - simpl. f_equal. apply word_ext. intros h _. apply K. simpl. lia.
  - simpl in L. destruct n as [|n]; [lia|]. simpl.
    assert (E : apply edits (word n (fun h => p (S h))) = Some (word n (fun h => q (S h)))).
    { apply IH; [lia| |].
      - intros h H. apply (F (S h)). simpl. lia.
      - intros h H. apply K. simpl. lia. }
    assert (Z : fits c (p 0) (q 0)) by (apply (F 0); simpl; lia).
    destruct c; simpl in Z.
    + rewrite Z. destruct (q 0); now rewrite E.
    + destruct Z as [-> ->]. now rewrite E.
    + destruct Z as [-> ->]. now rewrite E.
Qed.

(** The changes that a jump makes to a word, and those that take it back. *)
Definition changes (out into : change) (j : jump) : list change :=
  map (fun h => if h =? to j then into else if (h =? from j) || (h =? over j) then out else Keep)
    (seq 0 (S (Nat.max (from j) (Nat.max (over j) (to j))))).

Lemma changes_fit out into j n p q : (forall h, h < n -> h = to j -> fits into (p h) (q h)) ->
  (forall h, h < n -> h <> to j -> h = from j \/ h = over j -> fits out (p h) (q h)) ->
  (forall h, h <> from j -> h <> over j -> h <> to j -> p h = q h) ->
  from j < n -> over j < n -> to j < n -> apply (changes out into j) (word n p) = Some (word n q).
Proof.
  intros T O K F1 F2 F3. set (m := S (Nat.max (from j) (Nat.max (over j) (to j)))).
  assert (L : length (changes out into j) = m) by (unfold changes; now rewrite map_length, seq_length).
  apply apply_word; rewrite L; [unfold m; lia| |].
  - intros h H. unfold changes. fold m.
    set (g := fun h => if h =? to j then into else if (h =? from j) || (h =? over j) then out else Keep).
    rewrite (nth_indep _ Keep (g 0)) by now rewrite map_length, seq_length.
    rewrite map_nth, seq_nth by exact H. simpl. unfold g.
    destruct (Nat.eqb_spec h (to j)); [apply T; auto; unfold m in *; lia|].
    destruct (Nat.eqb_spec h (from j)); simpl; [apply O; auto; unfold m in *; lia|].
    destruct (Nat.eqb_spec h (over j)); [apply O; auto; unfold m in *; lia|]. simpl. now apply K.
  - intros h H. apply K; unfold m in *; lia.
Qed.

Lemma jump_word b j p q : sound_board b = true -> In j (jumps b) -> makes j p q ->
  apply (changes Take Put j) (word (holes b) p) = Some (word (holes b) q)
  /\ apply (changes Put Take j) (word (holes b) q) = Some (word (holes b) p).
Proof.
  intros S I [[A [B C]] [A' [B' [C' D]]]]. destruct (sound_board_jump b j S I) as [[L1 [L2 L3]] [N1 [N2 N3]]].
  split; apply changes_fit; auto.
  - intros h _ ->. simpl. auto.
  - intros h _ _ [-> | ->]; simpl; auto.
  - intros h X Y Z. symmetry. auto.
  - intros h _ ->. simpl. auto.
  - intros h _ _ [-> | ->]; simpl; auto.
Qed.

(** ** All sweeps from a word *)

(** A change, and the hole at which the peg then is. *)
Definition action : Type := list change * hole.

(** The words that are reached by these actions, and by those that go on from there; at most [fuel] in a row. *)
Fixpoint follow (groups : list (list action)) (fuel : nat) (actions : list action) (w : positive) (others : list positive)
  : list positive :=
  match fuel with
  | 0 => others
  | S fuel =>
      fold_left (fun others '(edits, h) =>
        match apply edits w with
        | Some v => follow groups fuel (nth h groups []) v (v :: others)
        | None => others
        end) actions others
  end.

Definition successors (groups : list (list action)) (n : nat) (w : positive) : list positive :=
  follow groups n (concat groups) w [].

Inductive path (groups : list (list action)) : list action -> positive -> nat -> positive -> Prop :=
  | path_last actions edits h w v : In (edits, h) actions -> apply edits w = Some v -> path groups actions w 1 v
  | path_more actions edits h w u n v : In (edits, h) actions -> apply edits w = Some u ->
      path groups (nth h groups []) u n v -> path groups actions w (S n) v.

Lemma fold_left_in {A B} (f : list B -> A -> list B) xs x v ys :
  (forall ys x, In v ys -> In v (f ys x)) -> In x xs -> (forall ys, In v (f ys x)) -> In v (fold_left f xs ys).
Proof.
  intros M I F. revert ys. induction xs as [|y xs IH]; [destruct I|]. intros ys. simpl. destruct I as [->|I]; [|auto].
  generalize (F ys). generalize (f ys x). clear - M.
  induction xs as [|y xs IH]; simpl; auto.
Qed.

Lemma follow_keeps groups fuel actions w others v : In v others -> In v (follow groups fuel actions w others).
Proof.
  revert actions w others. induction fuel as [|fuel IH]; intros actions w others I; simpl; auto.
  revert others I. induction actions as [|[edits h] actions IH']; intros others I; simpl; auto.
  apply IH'. destruct (apply edits w); auto. apply IH. now right.
Qed.

Lemma follow_path groups actions w n v fuel others : path groups actions w n v -> n <= fuel ->
  In v (follow groups fuel actions w others).
Proof.
  intros P. revert fuel others. induction P as [actions edits h w v I E|actions edits h w u n v I E P IH];
    intros [|fuel] others L; try lia; simpl; eapply fold_left_in; eauto.
  - intros ys [edits' h'] H. destruct (apply edits' w); auto. apply follow_keeps. now right.
  - intros ys. simpl. rewrite E. apply follow_keeps. now left.
  - intros ys [edits' h'] H. destruct (apply edits' w); auto. apply follow_keeps. now right.
  - intros ys. simpl. rewrite E. apply IH. lia.
Qed.

(** The actions of a board by the hole at which they begin: jumps made, or taken back. *)
Definition grouped (b : board) (begins : jump -> hole) (act : jump -> action) : list (list action) :=
  map (fun h => map act (filter (fun j => begins j =? h) (jumps b))) (seq 0 (holes b)).

Definition made_by (j : jump) : action := (changes Take Put j, to j).
Definition taken_by (j : jump) : action := (changes Put Take j, from j).

Definition forward (b : board) := grouped b from made_by.
Definition backward (b : board) := grouped b to taken_by.

Lemma in_group b begins act j : In j (jumps b) -> begins j < holes b ->
  In (act j) (nth (begins j) (grouped b begins act) []).
Proof.
  intros I L. unfold grouped. set (g := fun h => map act (filter (fun j => begins j =? h) (jumps b))).
  rewrite (nth_indep _ [] (g 0)) by now rewrite map_length, seq_length.
  rewrite map_nth, seq_nth by exact L. simpl. unfold g. apply in_map, filter_In. split; auto. now apply Nat.eqb_refl.
Qed.

Lemma in_groups b begins act j : In j (jumps b) -> begins j < holes b -> In (act j) (concat (grouped b begins act)).
Proof.
  intros I L. apply in_concat. exists (nth (begins j) (grouped b begins act) []). split; [|now apply in_group].
  apply nth_In. unfold grouped. now rewrite map_length, seq_length.
Qed.

Lemma count_at_most n p : count n p <= n.
Proof. induction n as [|n IH]; simpl; [lia|]. destruct (p n); lia. Qed.

Lemma forward_path b j js p q actions : sound_board b = true -> plays b p (j :: js) q -> chained (j :: js) ->
  In (made_by j) actions -> path (forward b) actions (word (holes b) p) (length (j :: js)) (word (holes b) q).
Proof.
  intros S. revert j p actions. induction js as [|k js IH]; intros j p actions P C I.
  - inversion P as [|p0 j0 m js0 r Ij M P']; subst. inversion P'; subst.
    exact (path_last _ _ _ _ _ _ I (proj1 (jump_word b j p q S Ij M))).
  - inversion P as [|p0 j0 m js0 r Ij M P']; subst. destruct C as [L C].
    refine (path_more _ _ _ _ _ _ _ _ I (proj1 (jump_word b j p m S Ij M)) _).
    apply (IH k); auto. inversion P' as [|p1 k0 m' js1 r' Ik M' P'']; subst.
    rewrite L. apply (in_group b from made_by k Ik). now apply (sound_board_jump b k S Ik).
Qed.

Lemma chained_snoc js k : chained (js ++ [k]) -> chained js /\ forall d, js <> [] -> to (last js d) = from k.
Proof.
  induction js as [|j js IH]; [simpl; split; auto; congruence|]. destruct js as [|i js].
  - simpl. intros [L _]. split; auto.
  - intros C. change (to j = from i /\ chained ((i :: js) ++ [k])) in C. destruct C as [L C].
    destruct (IH C) as [C' E]. split; [split; auto|]. intros d _. apply (E d). discriminate.
Qed.

Lemma plays_in b p js q : plays b p js q -> incl js (jumps b).
Proof. induction 1 as [p|p j q js r I M P IH]; [intros x []|]. intros x [<-|X]; auto. Qed.

Lemma last_in {A} (x : A) xs d : In (last (x :: xs) d) (x :: xs).
Proof. revert x. induction xs as [|y xs IH]; intros x; [now left|]. right. apply (IH y). Qed.

Lemma plays_nothing b p q : plays b p [] q -> p = q.
Proof. intros P. now inversion P. Qed.

Lemma plays_one b p j q : plays b p [j] q -> In j (jumps b) /\ makes j p q.
Proof. intros P. inversion P as [|p0 j0 m js0 r I M P']. subst. apply plays_nothing in P'. now subst. Qed.

Lemma backward_path b js p q actions d : sound_board b = true -> js <> [] -> plays b p js q -> chained js ->
  In (taken_by (last js d)) actions -> path (backward b) actions (word (holes b) q) (length js) (word (holes b) p).
Proof.
  intros S. revert q actions. induction js as [|k js IH] using rev_ind; intros q actions N P C I; [congruence|].
  rewrite last_last in I. destruct (plays_split _ _ _ _ _ P) as [m [P1 P2]].
  destruct (plays_one _ _ _ _ P2) as [Ik M].
  destruct (chained_snoc _ _ C) as [C' E]. rewrite app_length, Nat.add_comm. simpl.
  destruct js as [|i js].
  - apply plays_nothing in P1. subst m. exact (path_last _ _ _ _ _ _ I (proj2 (jump_word b k p q S Ik M))).
  - refine (path_more _ _ _ _ _ _ _ _ I (proj2 (jump_word b k m q S Ik M)) _).
    apply IH; auto; [discriminate|]. rewrite <- (E d) by discriminate.
    assert (X : In (last (i :: js) d) (jumps b)).
    { apply (plays_in _ _ _ _ P1), last_in. }
    apply (in_group b to taken_by _ X). now apply (sound_board_jump b _ S X).
Qed.

Lemma sweep_forward b p q : sound_board b = true -> sweep b p q ->
  In (word (holes b) q) (successors (forward b) (holes b) (word (holes b) p)).
Proof.
  intros S [js [N [C P]]]. assert (L := pegs_jumps b p js q S P). assert (M := count_at_most (holes b) p).
  apply follow_path with (length js); [|lia]. destruct js as [|j js]; [congruence|].
  apply forward_path; auto. assert (I : In j (jumps b)) by (apply (plays_in _ _ _ _ P); now left).
  apply (in_groups b from made_by j I). now apply (sound_board_jump b j S I).
Qed.

Lemma sweep_backward b p q : sound_board b = true -> sweep b p q ->
  In (word (holes b) p) (successors (backward b) (holes b) (word (holes b) q)).
Proof.
  intros S [js [N [C P]]]. assert (L := pegs_jumps b p js q S P). assert (M := count_at_most (holes b) p).
  apply follow_path with (length js); [|lia]. destruct js as [|j js]; [congruence|].
  assert (I : In (last (j :: js) j) (jumps b)) by apply (plays_in _ _ _ _ P), last_in.
  apply (backward_path b (j :: js) p q _ j S N P C).
  apply (in_groups b to taken_by _ I). now apply (sound_board_jump b _ S I).
Qed.

(** ** Symmetries *)

(** A table of all lists of [d] bits. *)
Inductive table (A : Type) := Entry (a : A) | Fork (zero one : table A).
Arguments Entry {A}. Arguments Fork {A}.

Fixpoint build {A} (d : nat) (f : list bool -> A) : table A :=
  match d with
  | 0 => Entry (f [])
  | S d => Fork (build d (fun marks => f (false :: marks))) (build d (fun marks => f (true :: marks)))
  end.

(** The entry for the first bits of a word, and the rest of the word. *)
Fixpoint entry_for {A} (t : table A) (w : positive) : A * positive :=
  match t, w with
  | Entry a, _ => (a, w)
  | Fork _ one, xI w => entry_for one w
  | Fork zero _, xO w => entry_for zero w
  | Fork zero _, xH => entry_for zero xH
  end.

Lemma entry_for_build {A} d (f : list bool -> A) n p : d <= n ->
  entry_for (build d f) (word n p) = (f (map p (seq 0 d)), word (n - d) (fun h => p (d + h))).
Proof.
  revert f n p. induction d as [|d IH]; intros f n p L; simpl.
  - now rewrite Nat.sub_0_r.
  - destruct n as [|n]; [lia|]. simpl. rewrite <- seq_shift, map_map.
    destruct (p 0); simpl; now rewrite IH by lia.
Qed.

Fixpoint put (marks : list bool) (w : positive) : positive :=
  match marks with
  | [] => w
  | true :: marks => xI (put marks w)
  | false :: marks => xO (put marks w)
  end.

Lemma put_word marks m r :
  put marks (word m r) = word (length marks + m) (fun h => if h <? length marks then nth h marks false else r (h -
    length marks)).
Proof.
  induction marks as [|c marks IH]; simpl.
  - apply word_ext. intros h _. now rewrite Nat.sub_0_r.
  - rewrite IH. destruct c; reflexivity.
Qed.

(** A symmetry goes through the holes in groups, and says of each hole of a group which hole of the group it gets its
    peg from, both by their numbers within the group. *)
Definition symmetry : Type := list (list nat).

Fixpoint source (s : symmetry) (h : hole) : hole :=
  match s with
  | [] => h
  | from :: s => if h <? length from then nth h from 0 else length from + source s (h - length from)
  end.

Definition permuted (from : list nat) (marks : list bool) : list bool := map (fun k => nth k marks false) from.

Definition tables (s : symmetry) : list (table (list bool)) := map (fun from => build (length from) (permuted from)) s.

Fixpoint image (tables_of : list (table (list bool))) (w : positive) : positive :=
  match tables_of with
  | [] => w
  | t :: tables_of => let (marks, rest) := entry_for t w in put marks (image tables_of rest)
  end.

(** The numbers are those of a permutation of each group. *)
Definition permutes (from : list nat) : bool :=
  forallb (fun k => k <? length from) from && forallb (fun k => existsb (Nat.eqb k) from) (seq 0 (length from)).

Definition size (s : symmetry) : nat := fold_right (fun from n => length from + n) 0 s.

Lemma permutes_in from h : permutes from = true -> h < length from -> nth h from 0 < length from.
Proof.
  unfold permutes. rewrite andb_true_iff, !forallb_forall. intros [B _] L. apply Nat.ltb_lt, B. now apply nth_In.
Qed.

Lemma image_word s n p : forallb permutes s = true -> size s <= n ->
  image (tables s) (word n p) = word n (fun h => p (source s h)).
Proof.
  revert n p. induction s as [|from s IH]; intros n p C L; [reflexivity|].
  simpl in C, L. apply andb_true_iff in C. destruct C as [C Cs]. simpl. rewrite entry_for_build by lia.
  rewrite IH by (auto; lia). rewrite put_word. unfold permuted. rewrite map_length.
  replace (length from + (n - length from)) with n by lia. apply word_ext. intros h H.
  destruct (Nat.ltb_spec h (length from)) as [B|B].
  - set (g := fun k => nth k (map p (seq 0 (length from))) false).
    rewrite (nth_indep _ false (g 0)) by now rewrite map_length. rewrite map_nth. unfold g.
    assert (K := permutes_in from h C B).
    rewrite (nth_indep _ false (p 0)) by now rewrite map_length, seq_length.
    rewrite map_nth, seq_nth by exact K. reflexivity.
  - reflexivity.
Qed.

(** One symmetry after another: [s] first. *)
Fixpoint after (t s : symmetry) : symmetry :=
  match t, s with
  | from :: t, from' :: s => map (fun k => nth k from' 0) from :: after t s
  | _, _ => []
  end.

Lemma after_source t s h : forallb permutes t = true -> map (@length nat) t = map (@length nat) s ->
  source (after t s) h = source s (source t h).
Proof.
  revert s h. induction t as [|from t IH]; intros [|from' s] h C E; try discriminate E; [reflexivity|].
  simpl in C. apply andb_true_iff in C. destruct C as [C Cs]. simpl in E. injection E as E Es. simpl.
  rewrite map_length. destruct (Nat.ltb_spec h (length from)) as [B|B].
  - assert (K := permutes_in from h C B). rewrite (proj2 (Nat.ltb_lt _ _)) by lia.
    set (g := fun k => nth k from' 0). rewrite (nth_indep _ 0 (g 0)) by now rewrite map_length. now rewrite map_nth.
  - rewrite (proj2 (Nat.ltb_ge _ _)) by lia. rewrite IH by auto. rewrite <- E. f_equal. f_equal. lia.
Qed.

Lemma source_once s h k : forallb permutes s = true -> source s h = source s k -> h = k.
Proof.
  revert h k. induction s as [|from s IH]; intros h k C E; [exact E|]. simpl in C. apply andb_true_iff in C.
  destruct C as [C Cs]. simpl in E.
  destruct (Nat.ltb_spec h (length from)) as [B|B], (Nat.ltb_spec k (length from)) as [B'|B'].
  - assert (N : NoDup from).
    { unfold permutes in C. rewrite andb_true_iff, !forallb_forall in C. destruct C as [_ C].
      apply (@NoDup_incl_NoDup _ (seq 0 (length from)) from); [apply seq_NoDup|rewrite seq_length; lia|].
      intros x X. apply C, existsb_exists in X. destruct X as [y [Y X]]. apply Nat.eqb_eq in X. now subst. }
    now apply (proj1 (NoDup_nth from 0) N).
  - assert (K := permutes_in from h C B). lia.
  - assert (K := permutes_in from k C B'). lia.
  - assert (X : h - length from = k - length from) by (apply IH; auto; lia). lia.
Qed.

(** ** The least image *)

(** Words are compared bit by bit from the first hole on. *)
Fixpoint leq (v w : positive) : bool :=
  match v, w with
  | xO v, xO w | xI v, xI w => leq v w
  | xO _, xI _ | xH, _ => true
  | xI _, xO _ | _, xH => false
  end.

Lemma leq_refl w : leq w w = true.
Proof. induction w; simpl; auto. Qed.

Lemma leq_both v w : leq v w = true -> leq w v = true -> v = w.
Proof.
  revert w. induction v as [v IH|v IH|]; intros [w|w|]; simpl; intros A B; try discriminate; auto; f_equal; auto.
Qed.

Fixpoint less (marks others : list bool) : bool :=
  match marks, others with
  | c :: marks, d :: others => if eqb c d then less marks others else d
  | _, _ => false
  end.

Fixpoint equal (marks others : list bool) : bool :=
  match marks, others with
  | [], [] => true
  | c :: marks, d :: others => eqb c d && equal marks others
  | _, _ => false
  end.

Lemma equal_spec marks others : equal marks others = true <-> marks = others.
Proof.
  revert others. induction marks as [|c marks IH]; intros [|d others]; simpl; split; intros E; try discriminate; auto.
  - apply andb_true_iff in E. destruct E as [E F]. apply eqb_prop in E. apply IH in F. now subst.
  - injection E as -> ->. rewrite eqb_reflx. now apply IH.
Qed.

Lemma less_total marks others : length marks = length others -> marks <> others -> less marks others = false -> less
  others marks = true.
Proof.
  revert others. induction marks as [|c marks IH]; intros [|d others] L N E; try discriminate L; [congruence|].
  simpl in *. destruct c, d; simpl in *; auto; try discriminate; apply IH; auto; congruence.
Qed.

Lemma less_trans marks others more_marks : less marks others = true -> less others more_marks = true -> less marks
  more_marks = true.
Proof.
  revert others more_marks. induction marks as [|c marks IH]; intros [|d others] [|e more_marks]; simpl; auto; try
    discriminate.
  destruct c, d, e; simpl; auto; try discriminate; apply IH.
Qed.

Lemma leq_put marks v w : leq (put marks v) (put marks w) = leq v w.
Proof. induction marks as [|[|] marks IH]; simpl; auto. Qed.

Lemma leq_less marks others v w : less marks others = true -> leq (put marks v) (put others w) = true.
Proof.
  revert others. induction marks as [|c marks IH]; intros [|d others]; simpl; try discriminate.
  destruct c, d; simpl; auto; discriminate.
Qed.

(** The least of some lists of bits, and what comes with it. *)
Fixpoint choose {A} (options : list (list bool * A)) : list bool * list A :=
  match options with
  | [] => ([], [])
  | (marks, a) :: rest =>
      match rest with
      | [] => (marks, [a])
      | _ =>
          let (best, with_best) := choose rest in
          if equal marks best then (best, a :: with_best) else if less marks best then (marks, [a]) else (best, with_best)
      end
  end.

Lemma choose_spec {A} d (options : list (list bool * A)) : options <> [] ->
  (forall marks a, In (marks, a) options -> length marks = d) ->
  let (best, those) := choose options in
  (forall a, In a those <-> In (best, a) options)
  /\ (forall marks a, In (marks, a) options -> marks = best \/ less best marks = true)
  /\ exists a, In a those.
Proof.
  induction options as [|[marks a] options IH]; intros N D; [congruence|]. destruct options as [|[marks' a'] options].
  - simpl. repeat split.
    + intros [<-|[]]. auto.
    + intros [E|[]]. injection E as ->. auto.
    + intros marks' a' [E|[]]. injection E as -> ->. auto.
    + exists a. auto.
  - set (rest := (marks', a') :: options) in *.
    assert (R : rest <> []) by (unfold rest; discriminate).
    assert (D' : forall marks a, In (marks, a) rest -> length marks = d) by (intros x y X; apply (D x y); now right).
    specialize (IH R D'). change (choose ((marks, a) :: rest)) with
      (let (best, with_best) := choose rest in
       if equal marks best then (best, a :: with_best) else if less marks best then (marks, [a]) else (best, with_best)).
    destruct (choose rest) as [best those]. destruct IH as [I1 [I2 [b I3]]].
    assert (Lb : length best = d) by (apply (D' best b), I1, I3).
    assert (Lc : length marks = d) by (apply (D marks a); now left).
    destruct (equal marks best) eqn:E; [|destruct (less marks best) eqn:F].
    + apply equal_spec in E. subst marks. repeat split.
      * intros [<-|X]; [now left|right; now apply I1].
      * intros [X|X]; [injection X as ->; now left|right; now apply I1].
      * intros x y [X|X]; [injection X as -> ->; now left|now apply (I2 x y)].
      * exists a. now left.
    + repeat split.
      * intros [<-|[]]. now left.
      * intros [X|X]; [injection X as ->; now left|exfalso].
        destruct (I2 marks a0 X) as [Y|Y]; [subst; now rewrite (proj2 (equal_spec _ _) eq_refl) in E|].
        assert (Z := less_trans _ _ _ F Y). clear - Z. induction marks as [|c marks IH]; [discriminate|].
        simpl in Z. rewrite eqb_reflx in Z. auto.
      * intros x y [X|X]; [injection X as -> ->; now left|right].
        destruct (I2 x y X) as [->|Y]; auto. now apply (less_trans marks best x).
      * exists a. now left.
    + assert (G : less best marks = true).
      { apply less_total; [lia| |exact F]. intros ->. now rewrite (proj2 (equal_spec _ _) eq_refl) in E. }
      repeat split.
      * intros X. right. now apply I1.
      * intros [X|X]; [|now apply I1]. injection X as -> ->. now rewrite (proj2 (equal_spec _ _) eq_refl) in E.
      * intros x y [X|X]; [injection X as -> ->; now right|now apply (I2 x y)].
      * now exists b.
Qed.

Lemma choose_map {A B} (f : A -> B) (options : list (list bool * A)) :
  choose (map (fun '(marks, a) => (marks, f a)) options) = (fst (choose options), map f (snd (choose options))).
Proof.
  induction options as [|[marks a] options IH]; [reflexivity|]. destruct options as [|[marks' a'] options]; [reflexivity|].
  change (choose (map (fun '(marks, a) => (marks, f a)) ((marks, a) :: (marks', a') :: options))) with
    (let (best, with_best) := choose (map (fun '(marks, a) => (marks, f a)) ((marks', a') :: options)) in
     if equal marks best then (best, f a :: with_best) else if less marks best then (marks, [f a]) else (best, with_best)).
  rewrite IH. change (choose ((marks, a) :: (marks', a') :: options)) with
    (let (best, with_best) := choose ((marks', a') :: options) in
     if equal marks best then (best, a :: with_best) else if less marks best then (marks, [a]) else (best, with_best)).
  destruct (choose ((marks', a') :: options)) as [best those]. simpl.
  destruct (equal marks best); [reflexivity|]. destruct (less marks best); reflexivity.
Qed.

(** The least image of a word under some symmetries, each with its tables for the [k] groups to come. *)
Fixpoint least (k : nat) (group : list (list (table (list bool)))) (w : positive) : positive :=
  match k, group with
  | 0, _ => w
  | _, [tables_of] => image tables_of w
  | S k, _ =>
      let (best, those) := choose (map (fun tables_of => (fst (entry_for (hd (Entry []) tables_of) w), tl tables_of))
        group) in
      put best (least k those (snd (entry_for (hd (Entry []) (hd [] group)) w)))
  end.

(** The symmetries go through groups of these sizes. *)
Definition grouped_as (sizes : list nat) (s : symmetry) : Prop :=
  map (@length nat) s = sizes /\ forallb permutes s = true.

Definition least_of (group : list symmetry) (w x : positive) : Prop :=
  (exists s, In s group /\ x = image (tables s) w) /\ forall s, In s group -> leq x (image (tables s) w) = true.

Definition first_group (marks : list bool) (group : list symmetry) : list (list bool * symmetry) :=
  map (fun s => (permuted (hd [] s) marks, tl s)) group.

Lemma least_step first_size sizes group n p y : group <> [] -> (forall s, In s group -> grouped_as (first_size ::
  sizes) s) -> first_size <= n ->
  let chosen := choose (first_group (map p (seq 0 first_size)) group) in
  snd chosen <> [] /\ (forall s, In s (snd chosen) -> grouped_as sizes s)
  /\ (least_of (snd chosen) (word (n - first_size) (fun h => p (first_size + h))) y -> least_of group (word n p) (put
    (fst chosen) y)).
Proof.
  intros N G L chosen. unfold chosen. clear chosen. set (marks := map p (seq 0 first_size)). set (rest := word (n -
    first_size) (fun h => p (first_size + h))).
  assert (D : forall x s, In (x, s) (first_group marks group) -> length x = first_size).
  { unfold first_group. intros x s I. apply in_map_iff in I. destruct I as [s' [E I]]. injection E as <- _.
    destruct (G s' I) as [E _]. destruct s' as [|from s']; [discriminate|]. injection E as E _.
    unfold permuted. now rewrite map_length. }
  assert (N' : first_group marks group <> []) by (destruct group; [congruence|discriminate]).
  assert (X := choose_spec first_size (first_group marks group) N' D).
  destruct (choose (first_group marks group)) as [best those]. destruct X as [X1 [X2 [b X3]]]. cbn [fst snd].
  assert (V : forall s, In s group -> exists from s', s = from :: s' /\ length from = first_size /\ grouped_as sizes s'
    /\ image (tables s) (word n p) = put (permuted from marks) (image (tables s') rest)).
  { intros s I. destruct (G s I) as [E P]. destruct s as [|from s']; [discriminate|]. injection E as E Es.
    simpl in P. apply andb_true_iff in P. destruct P as [P Ps]. exists from, s'. repeat split; auto.
    simpl. rewrite entry_for_build by lia. rewrite E. reflexivity. }
  assert (T : forall s', In s' those -> exists from, In (from :: s') group /\ permuted from marks = best).
  { intros s' I. apply X1 in I. unfold first_group in I. apply in_map_iff in I. destruct I as [s [E I]].
    destruct (V s I) as [from [s'' [-> _]]]. injection E as E <-. now exists from. }
  repeat split.
  - intros ->. destruct X3.
  - destruct (T _ H) as [from [I _]]. destruct (V _ I) as [from' [s'' [E [_ [[B _] _]]]]]. injection E as <- <-. exact B.
  - destruct (T _ H) as [from [I _]]. destruct (V _ I) as [from' [s'' [E [_ [[_ B] _]]]]]. injection E as <- <-. exact B.
  - destruct H as [[s' [I ->]] _]. destruct (T s' I) as [from [J B]]. exists (from :: s'). split; auto.
    destruct (V _ J) as [from' [s'' [E [_ [_ ->]]]]]. injection E as <- <-. now rewrite B.
  - intros s I. destruct H as [_ H]. destruct (V s I) as [from [s' [-> [_ [_ ->]]]]].
    assert (J : In (permuted from marks, s') (first_group marks group)).
    { unfold first_group. apply in_map_iff. now exists (from :: s'). }
    destruct (X2 _ _ J) as [E|E].
    + rewrite E. rewrite leq_put. apply H, X1. now rewrite <- E.
    + now apply leq_less.
Qed.

Lemma least_image sizes group n p : group <> [] -> (forall s, In s group -> grouped_as sizes s) -> fold_right Nat.add 0
  sizes <= n ->
  least_of group (word n p) (least (length sizes) (map tables group) (word n p)).
Proof.
  revert group n p. induction sizes as [|first_size sizes IH]; intros group n p N G L.
  - assert (Z : forall s, In s group -> s = []) by (intros s I; destruct (G s I) as [E _]; now destruct s).
    simpl. split; [|intros s I; rewrite (Z s I); apply leq_refl]. destruct group as [|s group]; [congruence|].
    exists s. split; [now left|]. now rewrite (Z s) by now left.
  - destruct group as [|s0 [|s1 more]]; [congruence| |].
    + split; [exists s0; split; [now left|reflexivity]|]. intros s [<-|[]]. apply leq_refl.
    + set (group := s0 :: s1 :: more) in *. simpl in L.
      assert (X := fun y => least_step first_size sizes group n p y N G ltac:(lia)).
      assert (E : map (fun tables_of => (fst (entry_for (hd (Entry []) tables_of) (word n p)), tl tables_of)) (map
        tables group)
        = map (fun '(marks, s) => (marks, tables s)) (first_group (map p (seq 0 first_size)) group)).
      { unfold first_group. rewrite !map_map. apply map_ext_in. intros s I. destruct (G s I) as [E _].
        destruct s as [|from s]; [discriminate|]. injection E as E _. simpl. rewrite entry_for_build by lia. now
          rewrite E. }
      assert (R : snd (entry_for (hd (Entry []) (hd [] (map tables group))) (word n p)) = word (n - first_size) (fun h
        => p (first_size + h))).
      { destruct (G s0 (or_introl eq_refl)) as [E' _]. unfold group. destruct s0 as [|from s0]; [discriminate|].
        injection E' as E' _. simpl. rewrite entry_for_build by lia. now rewrite E'. }
      change (least (length (first_size :: sizes)) (map tables group) (word n p)) with
        (let (best, those) := choose (map (fun tables_of => (fst (entry_for (hd (Entry []) tables_of) (word n p)), tl
          tables_of)) (map tables group)) in
         put best (least (length sizes) those (snd (entry_for (hd (Entry []) (hd [] (map tables group))) (word n p))))).
      rewrite E, R, choose_map. destruct (X 1%positive) as [M [H _]]. apply X. apply IH; auto. lia.
Qed.

(** The same, with a table for the choice in the first group. *)
Definition choices (first_size : nat) (group : list symmetry) : table (list bool * list (list (table (list bool)))) :=
  build first_size (fun marks => choose (map (fun '(marks, s) => (marks, tables s)) (first_group marks group))).

Definition canonical (t : table (list bool * list (list (table (list bool))))) (k : nat) (w : positive) : positive :=
  let '(best, those, rest) := entry_for t w in put best (least k those rest).

Lemma canonical_least first_size sizes group n p : group <> [] -> (forall s, In s group -> grouped_as (first_size ::
  sizes) s) ->
  fold_right Nat.add 0 (first_size :: sizes) <= n ->
  least_of group (word n p) (canonical (choices first_size group) (length sizes) (word n p)).
Proof.
  intros N G L. simpl in L. unfold canonical, choices. rewrite entry_for_build by lia. rewrite choose_map.
  assert (X := fun y => least_step first_size sizes group n p y N G ltac:(lia)).
  destruct (X 1%positive) as [M [H _]]. apply X. apply least_image; auto. lia.
Qed.

(** The symmetries are a group: one after another is one of them, and each is one after any other. *)
Definition same_symmetry (s t : symmetry) : bool :=
  if list_eq_dec (list_eq_dec Nat.eq_dec) s t then true else false.

Definition is_group (group : list symmetry) : bool :=
  forallb (fun s => forallb (fun t => existsb (fun u => same_symmetry (after t s) u) group) group
                    && forallb (fun u => existsb (fun t => same_symmetry (after t s) u) group) group) group.

Lemma canonical_same first_size sizes group n p s : (forall s, In s group -> grouped_as (first_size :: sizes) s) ->
  fold_right Nat.add 0 (first_size :: sizes) <= n -> is_group group = true -> In s group ->
  canonical (choices first_size group) (length sizes) (word n (fun h => p (source s h)))
  = canonical (choices first_size group) (length sizes) (word n p).
Proof.
  intros G L C I. assert (N : group <> []) by (intros ->; destruct I). set (q := fun h => p (source s h)).
  destruct (canonical_least first_size sizes group n p N G L) as [[u [Iu Eu]] Mu].
  destruct (canonical_least first_size sizes group n q N G L) as [[t [It Et]] Mt].
  unfold is_group in C. rewrite forallb_forall in C. specialize (C s I). apply andb_true_iff in C.
  destruct C as [C1 C2]. rewrite forallb_forall in C1, C2.
  assert (W : forall s, In s group -> size s <= n).
  { intros x X. destruct (G x X) as [E _]. enough (size x = fold_right Nat.add 0 (first_size :: sizes)) by lia. rewrite
    <- E.
    clear. induction x as [|from x IH]; simpl; auto. }
  assert (A : forall t, In t group -> image (tables t) (word n q) = word n (fun h => p (source (after t s) h))).
  { intros x X. destruct (G x X) as [E P], (G s I) as [E' _]. rewrite image_word by auto. apply word_ext. intros h _.
    unfold q. rewrite after_source; auto. congruence. }
  assert (B : forall t, In t group -> image (tables t) (word n p) = word n (fun h => p (source t h))).
  { intros x X. destruct (G x X) as [_ P]. now rewrite image_word by auto. }
  apply leq_both.
  - rewrite Eu. specialize (C2 u Iu). apply existsb_exists in C2. destruct C2 as [x [X E]].
    unfold same_symmetry in E. destruct (list_eq_dec (list_eq_dec Nat.eq_dec) (after x s) u) as [E'|]; [|discriminate].
    rewrite B, <- E', <- A by auto. now apply Mt.
  - rewrite Et. specialize (C1 t It). apply existsb_exists in C1. destruct C1 as [x [X E]].
    unfold same_symmetry in E. destruct (list_eq_dec (list_eq_dec Nat.eq_dec) (after t s) x) as [E'|]; [|discriminate].
    rewrite A, E', <- B by auto. now apply Mu.
Qed.

(** ** Regions *)

(** Merson's regions (1962; Beasley, The Ins and Outs of Peg Solitaire, 1985): no jump over a hole of a region is from
    outside to outside. No hole is in two of them. *)
Definition merson (b : board) (region : list hole) : Prop :=
  forall j, In j (jumps b) -> In (over j) region -> In (from j) region \/ In (to j) region.

Definition are_regions (b : board) (regions : list (list hole)) : Prop :=
  NoDup (concat regions) /\ Forall (merson b) regions.

(** How many regions are full: a peg stands in each of their holes. *)
Fixpoint full (regions : list (list hole)) (p : position) : nat :=
  match regions with
  | [] => 0
  | region :: regions => (if forallb p region then 1 else 0) + full regions p
  end.

(** A sweep leaves each full region full, but that from which it takes its peg. *)
Lemma sweep_keeps_full b region j js p q : merson b region -> plays b p (j :: js) q -> chained (j :: js) ->
  forallb p region = true -> ~ In (from j) region -> forallb q region = true.
Proof.
  intros M. revert j p. induction js as [|k js IH]; intros j p P C F N;
    inversion P as [|p0 j0 m js0 r I [[_ [_ T]] [_ [_ [_ O]]]] P']; subst; rewrite forallb_forall in F.
  - apply plays_nothing in P'. subst m. apply forallb_forall. intros h H. rewrite O; auto; intros ->; auto.
    + destruct (M j I H); auto. rewrite F in T; auto; discriminate.
    + rewrite F in T; auto; discriminate.
  - assert (T' : ~ In (to j) region) by (intros H; rewrite F in T; auto; discriminate). destruct C as [L C].
    apply (IH k m P' C); [|now rewrite <- L]. apply forallb_forall. intros h H. rewrite O; auto; intros ->; auto.
    destruct (M j I H); auto.
Qed.

Lemma in_one_only {A} (xs ys : list A) : NoDup (xs ++ ys) -> NoDup ys /\ forall x, In x xs -> ~ In x ys.
Proof.
  induction xs as [|x xs IH]; simpl; intros N; [split; auto|]. inversion N as [|x0 l H N']; subst.
  destruct (IH N') as [D O]. split; auto. intros y [<-|I] J; [apply H, in_app_iff; auto|exact (O y I J)].
Qed.

Lemma full_but_one regions p q h : NoDup (concat regions) ->
  (forall region, In region regions -> forallb p region = true -> ~ In h region -> forallb q region = true) ->
  full regions p <= full regions q + (if in_dec Nat.eq_dec h (concat regions) then 1 else 0).
Proof.
  induction regions as [|region regions IH]; intros N K; [simpl; lia|]. cbn [full concat] in *.
  destruct (in_one_only _ _ N) as [D O]. specialize (IH D (fun r I => K r (or_intror I))).
  specialize (K region (or_introl eq_refl)).
  destruct (in_dec Nat.eq_dec h (concat regions)) as [I|I], (in_dec Nat.eq_dec h (region ++ concat regions)) as [J|J];
    try (exfalso; apply J, in_app_iff; tauto).
  - assert (X : ~ In h region) by (intros X; exact (O h X I)).
    destruct (forallb p region); [rewrite K by auto|]; lia.
  - destruct (forallb p region), (forallb q region); lia.
  - assert (X : ~ In h region) by (intros X; apply J, in_app_iff; tauto).
    destruct (forallb p region); [rewrite K by auto|]; lia.
Qed.

(** A sweep opens one full region at most. *)
Theorem run_opens_one b regions p q : are_regions b regions -> sweep b p q -> full regions p <= full regions q + 1.
Proof.
  intros [N M] [js [E [C P]]]. destruct js as [|j js]; [congruence|]. rewrite Forall_forall in M.
  assert (X := full_but_one regions p q (from j) N). destruct (in_dec Nat.eq_dec (from j) (concat regions)); [apply X|];
    [|etransitivity; [apply X|lia]]; intros region I; apply (sweep_keeps_full b _ _ js); auto.
Qed.

(** So each step towards full regions, or away from them, needs a sweep. *)
Lemma full_before b regions (A : position -> Prop) n p : are_regions b regions ->
  within_steps (fun x y => sweep b y x) A n p -> exists q, A q /\ full regions p <= full regions q + n.
Proof.
  intros R. induction 1 as [n p H|n q p W [x [X L]] H]; [exists p; split; [auto|lia]|]. exists x. split; auto.
  assert (Z := run_opens_one b regions p q R H). lia.
Qed.

Lemma full_after b regions (A : position -> Prop) n q : are_regions b regions ->
  within_steps (sweep b) A n q -> exists p, A p /\ full regions p <= full regions q + n.
Proof.
  intros R. induction 1 as [n p H|n p q W [x [X L]] H]; [exists p; split; [auto|lia]|]. exists x. split; auto.
  assert (Z := run_opens_one b regions p q R H). lia.
Qed.

Fixpoint distinct (hs : list hole) : bool :=
  match hs with
  | [] => true
  | h :: hs => negb (existsb (Nat.eqb h) hs) && distinct hs
  end.

Definition check_regions (b : board) (regions : list (list hole)) : bool :=
  let has region h := existsb (Nat.eqb h) region in
  distinct (concat regions) && forallb (fun h => h <? holes b) (concat regions)
  && forallb (fun region => forallb (fun j =>
       if has region (over j) then has region (from j) || has region (to j) else true) (jumps b)) regions
  && forallb (fun region => match region with [] => false | _ => true end) regions.

Lemma has_in h hs : existsb (Nat.eqb h) hs = true <-> In h hs.
Proof.
  rewrite existsb_exists. split; [|exists h; split; auto; apply Nat.eqb_refl]. intros [k [I E]].
  apply Nat.eqb_eq in E. now subst.
Qed.

Lemma check_regions_sound b regions : check_regions b regions = true ->
  are_regions b regions
  /\ forall region, In region regions -> region <> [] /\ forall h, In h region -> h < holes b.
Proof.
  unfold check_regions. rewrite !andb_true_iff, !forallb_forall. intros [[[D B] M] E]. repeat split.
  - clear - D. induction (concat regions) as [|h hs IH]; simpl in D; constructor; rewrite andb_true_iff in D; [|tauto].
    destruct D as [D _]. rewrite <- has_in. now destruct (existsb _ _).
  - apply Forall_forall. intros region I j J O. specialize (M region I). rewrite forallb_forall in M. specialize (M j J).
    apply has_in in O. rewrite O in M. apply orb_true_iff in M. now rewrite !has_in in M.
  - intros ->. specialize (E [] H). discriminate.
  - intros h J. apply Nat.ltb_lt, B, in_concat. eauto.
Qed.

(** A word has the holes of a region up to its last one; another word has pegs in all of them. *)
Definition mask_of_region (region : list hole) : positive :=
  word (S (list_max region)) (fun h => existsb (Nat.eqb h) region).

Fixpoint inside (mask w : positive) : bool :=
  match mask, w with
  | xH, _ => true
  | xI mask, xI w | xO mask, xI w | xO mask, xO w => inside mask w
  | _, _ => false
  end.

Lemma inside_word m n p q : m <= n -> inside (word m p) (word n q) = true <-> forall h, h < m -> p h = true -> q h = true.
Proof.
  revert n p q. induction m as [|m IH]; intros n p q L; simpl; [split; auto; lia|]. destruct n as [|n]; [lia|]. simpl.
  assert (X := IH n (fun h => p (S h)) (fun h => q (S h)) ltac:(lia)).
  assert (Y : (forall h, h < S m -> p h = true -> q h = true)
    <-> (p 0 = true -> q 0 = true) /\ forall h, h < m -> p (S h) = true -> q (S h) = true).
  { split; [intros Y; split; [|intros h H]; apply Y; lia|]. intros [Y Z] [|h] H; auto. apply Z. lia. }
  rewrite Y, <- X. destruct (p 0), (q 0); simpl; intuition discriminate.
Qed.

Lemma inside_region n region p : region <> [] -> (forall h, In h region -> h < n) ->
  inside (mask_of_region region) (word n p) = forallb p region.
Proof.
  intros E B. assert (L : S (list_max region) <= n) by now apply list_max_lt, Forall_forall.
  apply eq_iff_eq_true. unfold mask_of_region. rewrite inside_word, forallb_forall by exact L. split.
  - intros K h H. apply K; [|now apply has_in]. assert (Z := proj1 (list_max_le region _) (le_n _)).
    rewrite Forall_forall in Z. specialize (Z h H). lia.
  - intros K h _ H. apply K. now apply has_in.
Qed.

(** How many regions are full, by their masks. *)
Fixpoint full_in (masks : list positive) (w : positive) : nat :=
  match masks with
  | [] => 0
  | mask :: masks => (if inside mask w then 1 else 0) + full_in masks w
  end.

(** At most, or at least, so many of these masks are inside a word. *)
Fixpoint at_most (k : nat) (masks : list positive) (w : positive) : bool :=
  match masks with
  | [] => true
  | mask :: masks =>
      if inside mask w then match k with 0 => false | S k => at_most k masks w end else at_most k masks w
  end.

Fixpoint at_least (k : nat) (masks : list positive) (w : positive) : bool :=
  match k, masks with
  | 0, _ => true
  | _, [] => false
  | S fewer, mask :: masks => if inside mask w then at_least fewer masks w else at_least k masks w
  end.

Lemma at_most_full k masks w : full_in masks w <= k -> at_most k masks w = true.
Proof.
  revert k. induction masks as [|mask masks IH]; intros k L; simpl in *; auto.
  destruct (inside mask w); [destruct k; [lia|]|]; apply IH; lia.
Qed.

Lemma at_least_full k masks w : k <= full_in masks w -> at_least k masks w = true.
Proof.
  revert k. induction masks as [|mask masks IH]; intros [|k] L; simpl in *; auto; [lia|].
  destruct (inside mask w); apply IH; lia.
Qed.

Lemma at_most_more k masks w : at_most k masks w = true -> at_most (S k) masks w = true.
Proof.
  revert k. induction masks as [|mask masks IH]; intros k; simpl; auto.
  destruct (inside mask w); [destruct k; [discriminate|]|]; apply IH.
Qed.

Lemma at_least_fewer k masks w : at_least k masks w = true -> at_least (pred k) masks w = true.
Proof.
  revert k. induction masks as [|mask masks IH]; intros [|k]; simpl; auto; [discriminate|].
  destruct k as [|k]; [now destruct masks|]. intros E. simpl. destruct (inside mask w); [exact (IH (S k) E)|exact (IH (S (S k)) E)].
Qed.

(** ** Sets of words *)

Inductive set := Empty | Single (w : positive) | Split (zero : set) (here : bool) (one : set).

Fixpoint mem (w : positive) (t : set) {struct t} : bool :=
  match t, w with
  | Empty, _ => false
  | Single v, _ => Pos.eqb w v
  | Split zero _ _, xO w => mem w zero
  | Split _ _ one, xI w => mem w one
  | Split _ here _, xH => here
  end.

(** The set of two words. *)
Fixpoint both (v w : positive) : set :=
  match v, w with
  | xO v, xO w => Split (both v w) false Empty
  | xI v, xI w => Split Empty false (both v w)
  | xO v, xI w | xI w, xO v => Split (Single v) false (Single w)
  | xH, xO w | xO w, xH => Split (Single w) true Empty
  | xH, xI w | xI w, xH => Split Empty true (Single w)
  | xH, xH => Single xH
  end.

Fixpoint insert (w : positive) (t : set) {struct t} : set :=
  match t, w with
  | Empty, _ => Single w
  | Single v, _ => if Pos.eqb v w then t else both v w
  | Split zero here one, xO w => Split (insert w zero) here one
  | Split zero here one, xI w => Split zero here (insert w one)
  | Split zero _ one, xH => Split zero true one
  end.

Lemma mem_both x v w : mem x (both v w) = Pos.eqb x v || Pos.eqb x w.
Proof.
  revert x w. induction v as [v IH|v IH|]; intros [x|x|] [w|w|]; simpl; rewrite ?orb_false_r, ?orb_true_r; auto using
    orb_comm.
Qed.

Lemma mem_insert x w t : mem x (insert w t) = Pos.eqb x w || mem x t.
Proof.
  revert x w. induction t as [|v|zero IHz here one IHo]; intros x w; simpl.
  - now rewrite orb_false_r.
  - destruct (Pos.eqb_spec v w) as [->|N]; simpl; [now rewrite orb_diag|]. now rewrite mem_both, orb_comm.
  - destruct w as [w|w|], x as [x|x|]; simpl; auto.
Qed.

(** ** Step by step from both ends *)

(** Words by their least images: those that were seen, those of them that were seen last, and how to go on. With so many
    steps left to the other end, only words that [useful] allows are of use. *)
Record side := Side {
  acts : list (list action);
  useful : nat -> positive -> bool;
  left : nat;
  seen : set;
  edge : list positive
}.

Section Sides.

Variable canon : positive -> positive.
Variable n : nat.

Definition keep_word (wanted : positive -> bool) (other : set) (state : option (N * set * list positive)) (w : positive) :=
  match state with
  | None => None
  | Some (room, mine, new) =>
      if wanted w then
        let c := canon w in
        if mem c other then None
        else if mem c mine then state
        else if N.eqb room 0 then None else Some (N.pred room, insert c mine, c :: new)
      else state
  end.

(** One step more, with room for so many words; [None] if the other side is met, or if there is no room. *)
Definition extend (x : side) (other : set) (room : N) : option (N * side) :=
  let wanted := useful x (pred (left x)) in
  match fold_left (fun state c => fold_left (keep_word wanted other) (successors (acts x) n c) state) (edge x)
    (Some (room, seen x, [])) with
  | Some (room, all, new) => Some (room, Side (acts x) (useful x) (pred (left x)) all new)
  | None => None
  end.

(** The last step does not meet the other side; nothing is kept. *)
Definition clear (x : side) (other : set) : bool :=
  let wanted := useful x (pred (left x)) in
  forallb (fun c => forallb (fun w => if wanted w then negb (mem (canon w) other) else true) (successors (acts x) n c)) (edge x).

Fixpoint shorter {origins} (xs ys : list origins) : bool :=
  match xs, ys with
  | [], _ => true
  | _, [] => false
  | _ :: xs, _ :: ys => shorter xs ys
  end.

(** So many steps in all, always on the side that has seen fewer words last, do not make the sides meet. *)
Fixpoint apart (steps : nat) (room : N) (x y : side) : bool :=
  match steps with
  | 0 => true
  | S steps =>
      if shorter (edge x) (edge y)
      then match steps with
           | 0 => clear x (seen y)
           | _ => match extend x (seen y) room with Some (room, x) => apart steps room x y | None => false end
           end
      else match steps with
           | 0 => clear y (seen x)
           | _ => match extend y (seen x) room with Some (room, y) => apart steps room x y | None => false end
           end
  end.

(** What taking words does. *)
Definition disjoint (s t : set) : Prop := forall c, mem c s = true -> mem c t = false.

Definition taken_all (wanted : positive -> bool) (other : set) (ws : list positive) (mine : set) (new : list positive)
  (mine' : set) (new' : list positive) :=
  (forall c, mem c mine = true -> mem c mine' = true)
  /\ (forall w, In w ws -> wanted w = true -> mem (canon w) mine' = true)
  /\ (forall c, mem c mine' = true -> mem c mine = true \/ In c new')
  /\ incl new new'
  /\ (disjoint mine other -> disjoint mine' other).

Lemma keep_all wanted other ws room mine new room' mine' new' :
  fold_left (keep_word wanted other) ws (Some (room, mine, new)) = Some (room', mine', new') ->
  taken_all wanted other ws mine new mine' new'.
Proof.
  revert room mine new. induction ws as [|w ws IH]; simpl; intros room mine new E.
  - injection E as <- <- <-. repeat split; auto using incl_refl; try (intros w []; fail).
  - assert (Z : forall ws, fold_left (keep_word wanted other) ws None = None) by (clear; induction ws; auto).
    destruct (wanted w) eqn:Y; [destruct (mem (canon w) other) eqn:O; [rewrite Z in E; discriminate|];
      destruct (mem (canon w) mine) eqn:M; [|destruct (N.eqb room 0); [rewrite Z in E; discriminate|]]|].
    + destruct (IH _ _ _ E) as [origins [destinations [C [D F]]]]. repeat split; auto. intros x [<-|X]; auto.
    + destruct (IH _ _ _ E) as [origins [destinations [C [D F]]]]. repeat split.
      * intros c X. apply origins. rewrite mem_insert, X. apply orb_true_r.
      * intros x [<-|X]; auto. intros _. apply origins. now rewrite mem_insert, Pos.eqb_refl.
      * intros c X. destruct (C c X) as [V|V]; auto. rewrite mem_insert in V. apply orb_true_iff in V.
        destruct V as [V|V]; auto. apply Pos.eqb_eq in V. subst. right. apply D. now left.
      * intros c X. apply D. now right.
      * intros X. apply F. intros c V. rewrite mem_insert in V. apply orb_true_iff in V. destruct V as [V|V]; auto.
        apply Pos.eqb_eq in V. now subst.
    + destruct (IH _ _ _ E) as [origins [destinations [C [D F]]]]. repeat split; auto. intros x [<-|X] U; auto; congruence.
Qed.

Lemma extend_all x other room room' x' : extend x other room = Some (room', x') ->
  x' = Side (acts x) (useful x) (pred (left x)) (seen x') (edge x')
  /\ taken_all (useful x (pred (left x))) other (flat_map (successors (acts x) n) (edge x)) (seen x) [] (seen x') (edge x').
Proof.
  unfold extend. intros E. destruct (fold_left _ _ _) as [[[room1 all] new]|] eqn:F; [|discriminate].
  injection E as <- <-. split; [reflexivity|]. apply (keep_all _ other _ room _ _ room1). cbn [seen edge]. rewrite <- F. clear F.
  generalize (Some (room, seen x, @nil positive)). induction (edge x) as [|c cs IH]; intros state; simpl; auto.
  now rewrite fold_left_app, IH.
Qed.

(** From here on, [leads] are the steps of a side, [reaches] says what it reaches in so many steps, and [near] from where
    as many lead to the other end. *)

(** A side has seen what it reaches in so many steps, near enough to the other end, and all useful words that come next
    but from its edge. *)
Definition covers (reaches near : nat -> position -> Prop) (k : nat) (x : side) : Prop :=
  (forall q, reaches k q -> near (left x) q -> mem (canon (word n q)) (seen x) = true)
  /\ forall c, mem c (seen x) = true ->
       In c (edge x) \/
       forall w, In w (successors (acts x) n c) -> useful x (left x) w = true -> mem (canon w) (seen x) = true.

(** Steps go as the actions do, also for images; words with the same least image are images; and what is near the other
    end is useful, also its images, and the more so the more steps are left. *)
Definition follows (leads : position -> position -> Prop) (near : nat -> position -> Prop) (x : side) : Prop :=
  (forall l p q, leads p q -> near l q -> exists p' q', canon (word n p) = word n p' /\ canon (word n q') = canon (word n q)
    /\ In (word n q') (successors (acts x) n (word n p')) /\ useful x l (word n q') = true)
  /\ forall l w, useful x (pred l) w = true -> useful x l w = true.

(** Reaching, and being near, are steps forwards and backwards from sets of positions. *)
Definition reaching (leads : position -> position -> Prop) (reaches near : nat -> position -> Prop) : Prop :=
  (forall k q, reaches (S k) q -> reaches k q \/ exists p, reaches k p /\ leads p q)
  /\ (forall l p q, leads p q -> near l q -> near (S l) p)
  /\ forall k l q, near k q -> k <= l -> near l q.

Lemma within_last leads (origins : position -> Prop) k q :
  within_steps leads origins (S k) q -> within_steps leads origins k q \/ exists p, within_steps leads origins k p /\
    leads p q.
Proof.
  intros W. inversion W as [m r H|m p r V H]; subst; [left; now constructor|right; eauto].
Qed.

Lemma within_reaching (leads : position -> position -> Prop) A B :
  reaching leads (within_steps leads A) (within_steps (fun x y => leads y x) B).
Proof.
  split; [intros; now apply within_last|]. split; [|intros k l q; apply within_more].
  intros l p q L W. now apply step_more with q.
Qed.

(** What is seen in the next step, if it is near enough: it was seen, or it comes from the edge. *)
Lemma next_step leads reaches near k x q : follows leads near x -> reaching leads reaches near -> covers reaches near k x ->
  reaches (S k) q -> near (pred (left x)) q -> 0 < left x ->
  mem (canon (word n q)) (seen x) = true
  \/ exists c w, In c (edge x) /\ In w (successors (acts x) n c) /\ canon w = canon (word n q)
     /\ useful x (pred (left x)) w = true.
Proof.
  intros [Fo Us] [Re [St Mo]] [C1 C2] R N P. destruct (Re _ _ R) as [V|[p [V H]]].
  - left. apply C1; auto. apply Mo with (pred (left x)); auto. lia.
  - destruct (Fo _ p q H N) as [p' [q' [E1 [E2 [I U]]]]]. assert (M := C1 p V).
    rewrite E1 in M. assert (Np : near (left x) p) by (replace (left x) with (S (pred (left x))) by lia; eauto).
    destruct (C2 _ (M Np)) as [J|J]; [right; eauto 6|]. left. rewrite <- E2. auto.
Qed.

Lemma extend_covers leads reaches near k x other room room' x' : follows leads near x -> reaching leads reaches near ->
  covers reaches near k x -> disjoint (seen x) other -> 0 < left x -> extend x other room = Some (room', x') ->
  covers reaches near (S k) x' /\ disjoint (seen x') other /\ follows leads near x' /\ left x' = pred (left x).
Proof.
  intros Fo Re C D P E. destruct (extend_all _ _ _ _ _ E) as [E' [K [T [O [_ F]]]]]. split; [|split; [auto|]].
  - rewrite E'. split; cbn [seen edge left useful acts].
    + intros q R N. destruct (next_step _ _ _ _ _ q Fo Re C R N P) as [M|[c [w [I [J [<- U]]]]]]; auto.
      apply T; auto. apply in_flat_map. eauto.
    + intros c M. destruct (O c M) as [N|N]; [|auto]. right. intros w I U. destruct (proj2 C c N) as [J|J].
      * apply T; auto. apply in_flat_map. eauto.
      * apply K, J; auto. now apply Fo.
  - rewrite E'. split; [exact Fo|reflexivity].
Qed.

Lemma clear_apart leads reaches near k x other q : follows leads near x -> reaching leads reaches near ->
  covers reaches near k x -> disjoint (seen x) other -> 0 < left x -> clear x other = true ->
  reaches (S k) q -> near (pred (left x)) q -> mem (canon (word n q)) other = false.
Proof.
  intros Fo Re C D P E R N. destruct (next_step _ _ _ _ _ q Fo Re C R N P) as [M|[c [w [I [J [<- U]]]]]]; auto.
  unfold clear in E. rewrite forallb_forall in E. specialize (E _ I). rewrite forallb_forall in E. specialize (E _ J).
  rewrite U in E. now apply negb_true_iff.
Qed.

Lemma disjoint_sym s t : disjoint s t -> disjoint t s.
Proof.
  intros D c M. destruct (mem c s) eqn:E; auto. apply D in E. congruence.
Qed.

(** Where the sides stay apart, no position is reached from both ends in so many steps in all: leaving out what is of no
    use loses none. *)
Lemma apart_sound leads leads_back reaches near steps room x y i j : follows leads near x -> follows leads_back reaches y ->
  reaching leads reaches near -> reaching leads_back near reaches -> covers reaches near i x -> covers near reaches j y ->
  disjoint (seen x) (seen y) -> left x = j + steps -> left y = i + steps -> apart steps room x y = true ->
  exists k l, k + l = i + j + steps /\ forall q, reaches k q -> near l q -> False.
Proof.
  intros Fx Fy Rx Ry. revert room x y i j Fx Fy. induction steps as [|steps IH]; intros room x y i j Fx Fy Cx Cy D Lx Ly E.
  - exists i, j. split; [lia|]. intros q W V. assert (Mx := proj1 Cx q W). assert (My := proj1 Cy q V).
    rewrite Nat.add_0_r in Lx, Ly. rewrite Lx in Mx. rewrite Ly in My. apply D in Mx; auto. rewrite My in Mx; auto. discriminate.
  - cbn [apart] in E. destruct (shorter (edge x) (edge y)); destruct steps as [|steps].
    + exists (S i), j. split; [lia|]. intros q W V. assert (My := proj1 Cy q V).
      rewrite Nat.add_1_r in Ly. rewrite Ly in My. rewrite (clear_apart leads reaches near i x (seen y) q) in My; auto.
      * discriminate My; auto.
      * lia.
      * now replace (pred (left x)) with j by lia.
    + destruct (extend x (seen y) room) as [[room' x']|] eqn:G; [|discriminate].
      destruct (extend_covers leads reaches near i x _ _ _ _ Fx Rx Cx D ltac:(lia) G) as [C' [D' [F' L']]].
      destruct (IH room' x' y (S i) j F' Fy C' Cy D') as [k [l [S H]]]; auto; try lia. exists k, l. split; [lia|exact H].
    + exists i, (S j). split; [lia|]. intros q W V. assert (Mx := proj1 Cx q W).
      rewrite Nat.add_1_r in Lx. rewrite Lx in Mx.
      rewrite (clear_apart leads_back near reaches j y (seen x) q) in Mx; auto using disjoint_sym.
      * discriminate Mx; auto.
      * lia.
      * now replace (pred (left y)) with i by lia.
    + destruct (extend y (seen x) room) as [[room' y']|] eqn:G; [|discriminate].
      destruct (extend_covers leads_back near reaches j y _ _ _ _ Fy Ry Cy (disjoint_sym _ _ D) ltac:(lia) G) as [C' [D' [F' L']]].
      destruct (IH room' x y' i (S j) Fx F' Cx C' (disjoint_sym _ _ D')) as [k [l [S H]]]; auto; try lia.
      exists k, l. split; [lia|exact H].
Qed.

End Sides.

(** ** The function *)

(** How to look at a problem: its holes in another order, first those of the first group, and its symmetries and regions
    in that order. Nothing of it has to be believed. *)
Record view := View { in_order : list hole; symmetries : list symmetry; regions : list (list hole) }.

(** Where a hole stands in a list. *)
Fixpoint place (hs : list hole) (h : hole) : nat :=
  match hs with
  | [] => 0
  | k :: hs => if k =? h then 0 else S (place hs h)
  end.

Definition renamed (b : board) (hs : list hole) : board :=
  Board (holes b) (map (fun j => Jump (place hs (from j)) (place hs (over j)) (place hs (to j))) (jumps b)).

(** A symmetry carries the jumps of one board to those of the other. *)
Definition carries (s : symmetry) (b c : board) : bool :=
  forallb permutes s
  && forallb (fun j => existsb (fun k =>
       (source s (from k) =? from j) && (source s (over k) =? over j) && (source s (to k) =? to j)) (jumps c)) (jumps b).

Definition goal_words (n : nat) (hs : list hole) (g : goal) : list positive :=
  match g with
  | Exact pegs => [word n (fun h => bits pegs (source [hs] h))]
  | OnePeg => map (fun k => word n (fun h => h =? k)) (seq 0 n)
  | _ => []
  end.

Definition finite_goal (g : goal) : bool := match g with Exact _ | OnePeg => true | _ => false end.

Fixpoint insert_all (ws : list positive) : set :=
  match ws with
  | [] => Empty
  | w :: ws => insert w (insert_all ws)
  end.

Definition room : N := 20000000.

Definition images (group : list symmetry) (ws : list positive) : list positive :=
  flat_map (fun s => let tables_of := tables s in map (image tables_of) ws) group.

(** With [l] sweeps left to the goals, at most so many more regions are full than in a goal. *)
Definition near_goals (masks : list positive) (goals : list positive) : nat -> positive -> bool :=
  let most := list_max (map (full_in masks) goals) in
  fun l => let k := most + l in fun w => at_most k masks w.

(** With [l] sweeps back to the start, at most so many regions fewer are full than in the start. *)
Definition near_start (masks : list positive) (starts : list positive) : nat -> positive -> bool :=
  let fewest := fold_right Nat.min (length masks) (map (full_in masks) starts) in
  fun l => let k := fewest - l in fun w => at_least k masks w.

(** Whether every solution has at least [least] moves. *)
Definition no_fewer (p : problem) (v : view) (least : nat) : bool :=
  let n := holes (on p) in
  let b := renamed (on p) (in_order v) in
  let sizes := match symmetries v with s :: _ => map (@length nat) s | [] => [] end in
  match least, sizes with
  | 0, _ => true
  | S total, d :: rest =>
      finite_goal (end_ p) && sound_board (on p) && sound_board b && (length (in_order v) =? n)
      && carries [in_order v] (on p) b
      && forallb (fun s => if list_eq_dec Nat.eq_dec (map (@length nat) s) sizes then carries s b b else false)
        (symmetries v)
      && (fold_right Nat.add 0 sizes <=? n) && is_group (symmetries v) && check_regions b (regions v)
      && (let choice := choices d (symmetries v) in
          let canon := canonical choice (length rest) in
          let masks := map mask_of_region (regions v) in
          let start_words := [word n (fun h => bits (start p) (source [in_order v] h))] in
          let last_words := goal_words n (in_order v) (end_ p) in
          let starts := map canon start_words in
          let goals := nodup Pos.eq_dec (map canon last_words) in
          let to_goals := near_goals masks (images (symmetries v) last_words) in
          let to_start := near_start masks (images (symmetries v) start_words) in
          forallb (fun w => negb (mem w (insert_all goals))) starts
          && apart canon n total room (Side (forward b) to_goals total (insert_all starts) starts)
               (Side (backward b) to_start total (insert_all goals) goals))
  | _, _ => false
  end.

Lemma mem_insert_all w ws : mem w (insert_all ws) = true <-> In w ws.
Proof.
  induction ws as [|v ws IH]; simpl; [split; [discriminate|tauto]|].
  rewrite mem_insert, orb_true_iff, IH, Pos.eqb_eq. split; intros [E|E]; auto.
Qed.

Lemma carries_carried s b c : carries s b c = true -> carried (source s) b c.
Proof.
  unfold carries. rewrite andb_true_iff. intros [P K]. rewrite (forallb_forall _ (jumps b)) in K. split.
  - intros h k E. exact (source_once s h k P E).
  - intros j I. specialize (K j I). apply existsb_exists in K. destruct K as [k [Ik K]].
    rewrite !andb_true_iff, !Nat.eqb_eq in K. exists k. tauto.
Qed.

Lemma goal_word b g hs y : finite_goal g = true -> permutes hs = true -> length hs = holes b -> reached b g y ->
  In (word (holes b) (seen_by (source [hs]) y)) (goal_words (holes b) hs g).
Proof.
  intros Fi P L R.
  assert (S : forall h, h < holes b -> source [hs] h = nth h hs 0 /\ nth h hs 0 < holes b).
  { intros h H. simpl. rewrite (proj2 (Nat.ltb_lt _ _)) by lia. split; auto. rewrite <- L. apply permutes_in; auto. lia. }
  destruct g as [pegs|pegs vacancies| |]; try discriminate Fi; unfold goal_words.
  - left. apply word_ext. intros h H. unfold seen_by. symmetry. apply R. destruct (S h H) as [E B].
    rewrite <- E in B. exact B.
  - destruct R as [one [B U]].
    assert (K : exists k, k < holes b /\ nth k hs 0 = one).
    { assert (P' := P). unfold permutes in P'. rewrite andb_true_iff, !forallb_forall in P'. destruct P' as [_ P'].
      assert (X : In one hs).
      { specialize (P' one). rewrite in_seq in P'. assert (Y : existsb (Nat.eqb one) hs = true) by (apply P'; lia).
        apply existsb_exists in Y. destruct Y as [z [Z E]]. apply Nat.eqb_eq in E. now subst. }
      destruct (In_nth _ _ 0 X) as [k [K E]]. exists k. split; auto. lia. }
    destruct K as [k [K E]]. apply in_map_iff. exists k. split; [|apply in_seq; lia]. apply word_ext. intros h H.
    unfold seen_by. destruct (S h H) as [F B']. destruct (S k K) as [F' _]. assert (B2 := B'). rewrite <- F in B2.
    destruct (Nat.eqb_spec h k) as [->|N].
    + symmetry. apply (U _ B2). congruence.
    + symmetry. apply not_true_iff_false. intros T. apply (U _ B2) in T. apply N.
      apply (source_once [hs]); [simpl; now rewrite P|]. congruence.
Qed.

Lemma full_masks n regions p : (forall region, In region regions -> region <> [] /\ forall h, In h region -> h < n) ->
  full_in (map mask_of_region regions) (word n p) = full regions p.
Proof.
  induction regions as [|region regions IH]; intros B; [reflexivity|]. cbn [map full_in full].
  rewrite IH by (intros r I; apply B; now right). destruct (B region (or_introl eq_refl)). now rewrite inside_region.
Qed.

Lemma near_goals_sound masks goals l w g : In g goals -> full_in masks w <= full_in masks g + l ->
  near_goals masks goals l w = true.
Proof.
  intros I L. apply at_most_full. assert (Z := proj1 (list_max_le (map (full_in masks) goals) _) (le_n _)).
  rewrite Forall_forall in Z. specialize (Z _ (in_map (full_in masks) _ _ I)). lia.
Qed.

Lemma near_start_sound masks starts l w s : In s starts -> full_in masks s <= full_in masks w + l ->
  near_start masks starts l w = true.
Proof.
  intros I L. apply at_least_full. enough (fold_right Nat.min (length masks) (map (full_in masks) starts) <= full_in masks s)
    by lia. clear L. induction starts as [|t starts IH]; simpl in *; [destruct I|]. destruct I as [->|I]; [lia|].
  specialize (IH I). lia.
Qed.

Lemma near_goals_more masks goals l w : near_goals masks goals (pred l) w = true -> near_goals masks goals l w = true.
Proof.
  unfold near_goals. destruct l as [|l]; auto. simpl. rewrite Nat.add_succ_r. apply at_most_more.
Qed.

Lemma near_start_more masks starts l w : near_start masks starts (pred l) w = true -> near_start masks starts l w = true.
Proof.
  unfold near_start. destruct l as [|l]; auto. simpl. intros E. rewrite Nat.sub_succ_r. now apply at_least_fewer.
Qed.

Theorem no_fewer_sound p v least : no_fewer p v least = true -> forall js, solution p js -> least <= moves js.
Proof.
  unfold no_fewer. set (n := holes (on p)). set (b := renamed (on p) (in_order v)). set (group := symmetries v).
  destruct least as [|total]; [intros; lia|].
  destruct (match group with s :: _ => map (@length nat) s | [] => [] end) as [|d rest] eqn:Ds; [discriminate|].
  rewrite !andb_true_iff. intros [[[[[[[[[Fi So] Sb] Lo] Ca] Sy] Si] Gr] Me] [Di Ap]] js A.
  apply Nat.leb_le in Si. apply Nat.eqb_eq in Lo.
  assert (Pe : permutes (in_order v) = true) by (unfold carries in Ca; simpl in Ca; rewrite !andb_true_iff in Ca; tauto).
  apply carries_carried in Ca. set (f := source [in_order v]) in *.
  set (canon := canonical (choices d group) (length rest)) in *.
  set (masks := map mask_of_region (regions v)) in *.
  set (start_words := [word n (fun h => bits (start p) (f h))]) in *.
  set (last_words := goal_words n (in_order v) (end_ p)) in *. set (starts := map canon start_words) in *.
  set (goals := nodup Pos.eq_dec (map canon last_words)) in *.
  set (to_goals := near_goals masks (images group last_words)) in *.
  set (to_start := near_start masks (images group start_words)) in *.
  destruct (check_regions_sound _ _ Me) as [Re Be].
  assert (Sy' : forall s, In s group -> grouped_as (d :: rest) s /\ carried (source s) b b).
  { intros s I. rewrite forallb_forall in Sy. specialize (Sy s I).
    destruct (list_eq_dec Nat.eq_dec (map (@length nat) s) (d :: rest)) as [E|]; [|discriminate]. split.
    - split; auto. unfold carries in Sy. apply andb_true_iff in Sy. tauto.
    - now apply carries_carried. }
  assert (G : forall s, In s group -> grouped_as (d :: rest) s) by (intros s I; exact (proj1 (Sy' s I))).
  assert (N : group <> []) by (intros E; rewrite E in Ds; discriminate).
  assert (Hb : holes b = n) by reflexivity.
  assert (Im' : forall s p0, In s group -> image (tables s) (word n p0) = word n (seen_by (source s) p0)).
  { intros s p0 I. destruct (G s I) as [E' P]. apply image_word; auto.
    enough (size s = fold_right Nat.add 0 (d :: rest)) by lia. rewrite <- E'. clear.
    induction s as [|x s IH]; simpl; auto. }
  (* what the canonical words are *)
  assert (Im : forall p0, exists s, In s group /\ canon (word n p0) = word n (seen_by (source s) p0)).
  { intros p0. destruct (canonical_least d rest group n p0 N G Si) as [[s [I E]] _]. exists s. split; auto.
    unfold canon. rewrite E. now apply Im'. }
  assert (Inv : forall s p0, In s group -> canon (word n (seen_by (source s) p0)) = canon (word n p0)).
  { intros s p0 I. unfold canon, seen_by. now apply canonical_same. }
  (* the two sides *)
  set (isstart := fun x => exists y, y = bits (start p) /\ x = seen_by f y).
  set (isgoal := fun x => exists y, reached (on p) (end_ p) y /\ x = seen_by f y).
  assert (Fm : forall q0, full_in masks (word n q0) = full (regions v) q0).
  { intros q0. apply full_masks. exact Be. }
  assert (Ff : forall acts seen edge, acts = forward b -> follows canon n (sweep b)
    (within_steps (fun x y => sweep b y x) isgoal) (Side acts to_goals total seen edge)).
  { intros acts seen edge ->. split; cbn [acts useful]; [|intros l w; apply near_goals_more].
    intros l p0 q0 H W. destruct (Im p0) as [s [I E]]. exists (seen_by (source s) p0), (seen_by (source s) q0).
    split; [exact E|]. split; [now apply Inv|]. split; [|].
    - rewrite <- Hb. apply sweep_forward; auto. apply (carried_sweep _ b b); auto. exact (proj2 (Sy' s I)).
    - assert (W' := carried_within_back _ _ _ _ _ _ (proj2 (Sy' s I)) W).
      destruct (full_before b (regions v) _ _ _ Re W') as [g [[x [[y [R ->]] ->]] L]]. rewrite <- !Fm in L.
      refine (near_goals_sound _ _ _ _ _ _ L). apply in_flat_map. exists s. split; auto. rewrite <- Im' by auto.
      apply in_map. now apply goal_word. }
  assert (Fb : forall acts seen edge, acts = backward b -> follows canon n (fun x y => sweep b y x)
    (within_steps (sweep b) isstart) (Side acts to_start total seen edge)).
  { intros acts seen edge ->. split; cbn [acts useful]; [|intros l w; apply near_start_more].
    intros l p0 q0 H W. destruct (Im p0) as [s [I E]]. exists (seen_by (source s) p0), (seen_by (source s) q0).
    split; [exact E|]. split; [now apply Inv|]. split; [|].
    - rewrite <- Hb. apply sweep_backward; auto. apply (carried_sweep _ b b); auto. exact (proj2 (Sy' s I)).
    - assert (W' := carried_within _ _ _ _ _ _ (proj2 (Sy' s I)) W).
      destruct (full_after b (regions v) _ _ _ Re W') as [g [[x [[y [-> ->]] ->]] L]]. rewrite <- !Fm in L.
      refine (near_start_sound _ _ _ _ _ _ L). apply in_flat_map. exists s. split; auto. rewrite <- Im' by auto.
      apply in_map. now left. }
  assert (Zero : forall R (A : position -> Prop) q, within_steps R A 0 q -> A q).
  { intros R A0 q W. now inversion W. }
  assert (Cs : covers canon n (within_steps (sweep b) isstart) (within_steps (fun x y => sweep b y x) isgoal) 0
    (Side (forward b) to_goals total (insert_all starts) starts)).
  { split; cbn [seen edge].
    - intros q W _. apply Zero in W. destruct W as [y [-> ->]]. apply mem_insert_all. now left.
    - intros c M. left. now apply mem_insert_all. }
  assert (Cg : covers canon n (within_steps (fun x y => sweep b y x) isgoal) (within_steps (sweep b) isstart) 0
    (Side (backward b) to_start total (insert_all goals) goals)).
  { split; cbn [seen edge].
    - intros q W _. apply Zero in W. destruct W as [y [R ->]]. apply mem_insert_all. unfold goals. apply nodup_In, in_map.
      now apply goal_word.
    - intros c M. left. now apply mem_insert_all. }
  assert (Dj : disjoint (insert_all starts) (insert_all goals)).
  { intros c M. apply mem_insert_all in M. rewrite forallb_forall in Di. specialize (Di c M). now apply negb_true_iff. }
  destruct (apart_sound canon n (sweep b) (fun x y => sweep b y x) _ _ total room _ _ 0 0 (Ff _ _ _ eq_refl)
    (Fb _ _ _ eq_refl) (within_reaching _ _ _) (within_reaching _ _ _) Cs Cg Dj eq_refl eq_refl Ap) as [k [l [E H]]].
  apply Nat.nlt_ge. intros L. destruct (both_ends p js k l A) as [x [W V]]; [lia|].
  apply (H (seen_by f x)).
  - assert (X := carried_within f (on p) b _ k x Ca W). exact X.
  - assert (X := carried_within_back f (on p) b _ l x Ca V). exact X.
Qed.
