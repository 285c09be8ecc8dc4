(** Boards as problems draw or list them. Definitions only: they say which board a folder is about. *)

From Coq Require Import Arith Bool List NArith ZArith Ascii String.
From Pegcp Require Import Game Play.
Import ListNotations.

(** ** Lines: three holes in a row, end, middle, end. Each gives two jumps. Jumps are numbered in rising order. *)

Definition line : Type := hole * hole * hole.

Definition earlier (j k : jump) : bool :=
  (from j <? from k) || (from j =? from k) && ((over j <? over k) || (over j =? over k) && (to j <? to k)).

Fixpoint insert (j : jump) (js : list jump) : list jump :=
  match js with
  | [] => [j]
  | k :: rest => if earlier j k then j :: js else if earlier k j then k :: insert j rest else js
  end.

Definition of_lines (n : nat) (lines : list line) : board :=
  Board n (fold_right (fun '(a, o, b) js => insert (Jump a o b) (insert (Jump b o a) js)) [] lines).

(** ** Drawings *)

Inductive mark := Peg | Vacancy | Blank.

Inductive lattice := Orthogonal | Diagonal | Both | Triangular.

(** Rows down and columns to the right of a neighbour; a column is two marks wide. *)
Definition neighbours (l : lattice) : list (Z * Z) :=
  match l with
  | Orthogonal => [(0, 2); (1, 0)]
  | Diagonal => [(1, 2); (1, -2)]
  | Both => [(0, 2); (1, 0); (1, 2); (1, -2)]
  | Triangular => [(0, 2); (1, 0); (1, 2)]
  end%Z.

(** The holes of a drawing, row by row: where they are, and whether they hold a peg. On the triangular lattice each row
    begins one mark farther left than the one above. *)

Fixpoint holes_of_row (row x : Z) (marks : list mark) : list (Z * Z * bool) :=
  match marks with
  | [] => []
  | Blank :: marks => holes_of_row row (x + 1) marks
  | Peg :: marks => (row, x, true) :: holes_of_row row (x + 1) marks
  | Vacancy :: marks => (row, x, false) :: holes_of_row row (x + 1) marks
  end.

Fixpoint holes_of_rows (l : lattice) (row : Z) (rows : list (list mark)) : list (Z * Z * bool) :=
  match rows with
  | [] => []
  | marks :: rows => holes_of_row row (match l with Triangular => row | _ => 0 end)%Z marks ++ holes_of_rows l (row + 1) rows
  end.

Fixpoint place (cells : list (Z * Z * bool)) (row x : Z) : option hole :=
  match cells with
  | [] => None
  | (r, y, _) :: cells => if Z.eqb r row && Z.eqb y x then Some 0 else option_map S (place cells row x)
  end.

Definition lines_of (l : lattice) (cells : list (Z * Z * bool)) : list line :=
  flat_map (fun '(h, (row, x, _)) =>
    flat_map (fun '(down, across) =>
      match place cells (row + down) (x + across), place cells (row + 2 * down) (x + 2 * across) with
      | Some over, Some end_ => [(h, over, end_)]
      | _, _ => []
      end%Z) (neighbours l)) (combine (seq 0 (List.length cells)) cells).

(** A binary number from the holes that hold pegs. *)
Definition mask_of (hs : list hole) : N := fold_right (fun h n => N.lor (bit h) n) 0%N hs.

(** The board of a drawing, and the position that it shows. *)
Definition drawn (l : lattice) (rows : list (list mark)) : board * N :=
  let cells := holes_of_rows l 0 rows in
  (of_lines (List.length cells) (lines_of l cells),
   mask_of (map fst (filter (fun c => snd (snd c)) (combine (seq 0 (List.length cells)) cells)))).

(** For drawings in Coq: rows of characters, X a peg, o a vacancy. *)
Fixpoint marks (s : string) : list mark :=
  match s with
  | EmptyString => []
  | String c s => (if Ascii.eqb c "X" then Peg else if Ascii.eqb c "o" then Vacancy else Blank) :: marks s
  end.

Definition drawing (l : lattice) (rows : list string) : board * N := drawn l (map marks rows).
