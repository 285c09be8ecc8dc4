(* Reads proof folders for the verified checker, and prints its answers. This file is not verified: what it reads is
   what check_folder is asked about. It accepts less than TOML and JSON allow, and refuses what it does not know.

   check FOLDER ...              exit status 0 proved, 4 rejected, 3 out of memory, 2 not covered; of several folders the largest
   check --cnf FILE FOLDER       writes the formula, too; of several their horizons are added to the name *)

open Verified

let min = Stdlib.min and max = Stdlib.max (* not those of Verified *)

exception Rejected of string
exception Uncovered of string

let covered holes = if holes > 1_000 then raise (Uncovered "a board of more than 1,000 holes") (* which takes long *)
let reject text = raise (Rejected text)
let need holds text = if not holds then reject text

let nat_of n = let rec up found n = if n = 0 then found else up (S found) (n - 1) in up O n
let rec of_positive = function XH -> 1 | XO n -> 2 * of_positive n | XI n -> (2 * of_positive n) + 1
let int_of n = let rec up found = function O -> found | S n -> up (found + 1) n in up 0 n

(* Values of JSON and of the part of TOML that problems are written in *)

type value = Number of string | Text of string | List of value list | Object of (string * value) list | Null | Other

(* what is larger is refused before any work begins, as the one-file checker does *)

let most_lines = 100_000
let most_nodes = 20_000
let most_limits = 50_000_000 (* of all cases of a tree together *)
let most_terms = 50_000_000 (* of all sums of a tree together *)
let most_literals = 5_000_000 (* of a formula *)

(* the bytes of a regular file; links are not followed, and what would make a reader wait is not opened *)
let contents ~most path =
  let before = Unix.lstat path in
  need (before.st_kind = Unix.S_REG) (path ^ ": not a regular file");
  let handle = Unix.openfile path [ Unix.O_RDONLY; Unix.O_NONBLOCK; Unix.O_CLOEXEC ] 0 in
  let about = Unix.fstat handle in
  need (about.st_kind = Unix.S_REG && about.st_ino = before.st_ino && about.st_dev = before.st_dev)
    (path ^ ": not the file that it was");
  need (about.st_size <= most) (path ^ ": too large");
  let file = Unix.in_channel_of_descr handle in
  let text = really_input_string file about.st_size in
  close_in file;
  text

(* [assign] is what stands between key and value, [quoted] whether keys have quotes *)
let rec value ~assign ~quoted text at =
  let skip () =
    while !at < String.length text && String.contains " \t\r\n" text.[!at] do incr at done in
  let next () = if !at < String.length text then text.[!at] else '\000' in
  let take c = skip (); need (next () = c) (Printf.sprintf "%C is missing" c); incr at in
  let rec series close item =
    skip ();
    if next () = close then (incr at; [])
    else
      let first = item () in
      skip ();
      if next () = ',' then (incr at; skip (); need (next () <> close) "a comma too many"; first :: series close item)
      else (take close; [ first ]) in
  let while_in ok =
    let start = !at in
    while !at < String.length text && ok text.[!at] do incr at done;
    String.sub text start (!at - start) in
  let string () =
    take '"';
    let found = while_in (fun c -> c <> '"' && c <> '\\' && c >= ' ') in
    need (next () = '"') "a text with a line break, a backslash, or no end";
    incr at;
    found in
  let bare () = while_in (fun c -> (c >= 'a' && c <= 'z') || c = '_') in
  let pair () =
    let key = skip (); if quoted then string () else bare () in
    take assign;
    (key, value ~assign ~quoted text at) in
  skip ();
  match next () with
  | '"' -> Text (string ())
  | '[' -> incr at; List (series ']' (fun () -> value ~assign ~quoted text at))
  | '{' -> incr at; Object (distinct (series '}' pair))
  | '-' | '0' .. '9' ->
      let sign = if next () = '-' then (incr at; "-") else "" in
      let digits = while_in (fun c -> c >= '0' && c <= '9') in
      need (digits <> "" && (digits = "0" || digits.[0] <> '0')) "a number is malformed";
      let rest = while_in (String.contains ".eE+-0123456789") in
      if rest = "" then Number (sign ^ digits) else Other
  | _ ->
      match bare () with "null" -> Null | "true" | "false" -> Other | _ -> reject "a value is malformed"

and distinct pairs =
  let keys = List.map fst pairs in
  need (List.length (List.sort_uniq compare keys) = List.length keys) "a key is there twice";
  pairs

let json text =
  let at = ref 0 in
  let found = value ~assign:':' ~quoted:true text at in
  need (String.trim (String.sub text !at (String.length text - !at)) = "") "claim.json goes on after its end";
  found

(* key = value, one to a line; a text of several lines begins and ends with three quotation marks *)
let toml text =
  let rec read = function
    | [] | [ "" ] -> []
    | line :: lines -> (
        let equals = try String.index line '=' with Not_found -> reject "problem.toml: a line without =" in
        let key = String.trim (String.sub line 0 equals) in
        let right = String.trim (String.sub line (equals + 1) (String.length line - equals - 1)) in
        if right = "\"\"\"" then
          let rec split above = function
            | "\"\"\"" :: lines -> (List.rev above, lines)
            | line :: lines -> split (line :: above) lines
            | [] -> reject "problem.toml: a text has no end" in
          let drawing, lines = split [] lines in
          (key, Text (String.concat "\n" drawing)) :: read lines
        else
          let at = ref 0 in
          let found = value ~assign:'=' ~quoted:false right at in
          need (!at = String.length right) ("problem.toml: more than a value of " ^ key);
          (key, found) :: read lines) in
  distinct (read (String.split_on_char '\n' text))

let field object_ key =
  match object_ with
  | Object pairs -> ( try List.assoc key pairs with Not_found -> reject ("there is no " ^ key))
  | _ -> reject ("there is no object with " ^ key)

let maybe object_ key = match object_ with Object pairs -> List.assoc_opt key pairs | _ -> None

let only keys object_ =
  match object_ with
  | Object pairs -> List.iter (fun (key, _) -> need (List.mem key keys) ("a key that means nothing here: " ^ key)) pairs
  | _ -> reject "there must be an object"

let items = function List found -> found | _ -> reject "there must be a list"
let text_of = function Text found -> found | _ -> reject "there must be a text"

let whole = function
  | Number digits when String.length digits <= 7 && digits.[0] <> '-' -> int_of_string digits
  | _ -> reject "there must be a whole number, not too large"

let big = function
  | Number digits ->
      let z n = Z.of_nat (nat_of n) in
      let ten = z 10 and found = ref (z 0) in
      String.iter (fun c -> if c <> '-' then found := Z.add (Z.mul !found ten) (z (Char.code c - 48))) digits;
      if digits.[0] = '-' then Z.opp !found else !found
  | _ -> reject "there must be a whole number"

(* Problems *)

(* names of holes have no separator, no blank and no second spelling *)
let is_name name =
  let fits c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c = '_' || c = '.' in
  String.length name >= 1 && String.length name <= 100 && String.for_all fits name

let hole_of names =
  let table = Hashtbl.create 100 in
  List.iteri (fun i name -> need (not (Hashtbl.mem table name)) "a hole is there twice"; Hashtbl.add table name i) names;
  fun name -> match Hashtbl.find_opt table (text_of name) with Some i -> i | None -> reject "there is no such hole"

let set hole names =
  let found = List.map hole (items names) in
  need (List.length (List.sort_uniq compare found) = List.length found) "a hole is there twice";
  found

let position holes = mask_of (List.map nat_of holes)

(* The canonical text of what was read, which must be the text that is there, byte for byte: so a problem has one text,
   and a text one reading *)

let listed names = "[" ^ String.concat ", " (List.map (fun name -> "\"" ^ name ^ "\"") names) ^ "]"

let listed_holes names holes =
  let names = Array.of_list names in
  listed (List.map (Array.get names) (List.sort compare holes))

let lines_text names lines =
  let names = Array.of_list names in
  let ordered = List.sort_uniq compare (List.map (fun (a, over, b) -> (min a b, over, max a b)) lines) in
  listed (List.map (fun (a, over, b) -> String.concat "-" [ names.(a); names.(over); names.(b) ]) ordered)

let no_margin text =
  let rows = String.split_on_char '\n' text in
  let ends_blank row = row <> "" && row.[String.length row - 1] = ' ' in
  need (List.hd rows <> "" && List.hd (List.rev rows) <> "" && not (List.exists ends_blank rows)
        && List.exists (fun row -> row <> "" && row.[0] <> ' ') rows) "the drawing has a margin"

let rec letters n = (if n >= 26 then letters ((n / 26) - 1) else "") ^ String.make 1 (Char.chr (97 + (n mod 26)))

(* the names of the holes of a drawing, and its board and position *)
let drawing lattice text =
  let rows = String.split_on_char '\n' text in
  let mark = function 'X' -> Peg | 'o' -> Vacancy | ' ' -> Blank | _ -> reject "a drawing has only X, o and blanks" in
  let places =
    List.concat
      (List.mapi
         (fun row marks ->
           let x i = if lattice = Triangular then i + row else i in
           List.filter_map (fun i -> if marks.[i] = ' ' then None else Some (row, x i)) (List.init (String.length marks) Fun.id))
         rows) in
  need (places <> []) "a drawing without holes";
  covered (List.length places);
  let top = List.fold_left min max_int (List.map fst places) and left = List.fold_left min max_int (List.map snd places) in
  need (List.for_all (fun (_, x) -> (x - left) mod 2 = 0) places) "a hole is drawn between two columns";
  let names = List.map (fun (row, x) -> letters ((x - left) / 2) ^ string_of_int (row - top + 1)) places in
  (names, drawn lattice (List.map (fun marks -> List.map mark (List.of_seq (String.to_seq marks))) rows))

let read_problem text =
  let given = Object (toml text) in
  let names, board, start, first =
    match maybe given "lattice" with
    | Some lattice ->
        only [ "lattice"; "jumps"; "legend"; "start"; "goal"; "objective" ] given;
        let written = "lattice = \"" ^ text_of lattice ^ "\"\n"
          ^ (match maybe given "jumps" with Some jumps -> "jumps = \"" ^ text_of jumps ^ "\"\n" | None -> "")
          ^ "legend = { peg = \"X\", vacancy = \"o\", free = \"?\" }\nstart = \"\"\"\n"
          ^ text_of (field given "start") ^ "\n\"\"\"\n" in
        let lattice =
          match (text_of lattice, maybe given "jumps") with
          | "square", Some (Text "orthogonal") -> Orthogonal
          | "square", Some (Text "diagonal") -> Diagonal
          | "square", Some (Text "both") -> Both
          | "triangular", None -> Triangular
          | _ -> reject "there is no such lattice" in
        let legend = function Object pairs -> List.sort compare pairs | _ -> [] in
        need (legend (field given "legend") = [ ("free", Text "?"); ("peg", Text "X"); ("vacancy", Text "o") ]) "the legend is not the canonical one";
        let names, (board, start) = drawing lattice (text_of (field given "start")) in
        no_margin (text_of (field given "start"));
        (names, board, start, written)
    | None ->
        only [ "holes"; "lines"; "start"; "goal"; "objective" ] given;
        let names = List.map text_of (items (field given "holes")) in
        covered (List.length names);
        List.iter (fun name -> need (is_name name) "a name of a hole has other characters than letters, digits, _ and .") names;
        need (List.length (items (field given "lines")) <= most_lines) "too many lines";
        let hole = hole_of names in
        let line given =
          match List.map (fun name -> hole (Text name)) (String.split_on_char '-' (text_of given)) with
          | [ a; over; b ] when a <> over && over <> b && a <> b -> (a, over, b)
          | _ -> reject "a line must have three holes" in
        let lines = List.map line (items (field given "lines")) and start = set hole (field given "start") in
        let board = of_lines (nat_of (List.length names)) (List.map (fun (a, over, b) -> ((nat_of a, nat_of over), nat_of b)) lines) in
        let written = Printf.sprintf "holes = %s\nlines = %s\nstart = %s\n" (listed names) (lines_text names lines) (listed_holes names start) in
        (names, board, position start, written) in
  need (names <> []) "there are no holes";
  let objective = text_of (field given "objective") in
  need (List.mem objective [ "any"; "fewest-jumps"; "fewest-moves"; "fewest-pegs"; "fewest-steps"; "count" ]) "there is no such objective";
  let hole = hole_of names in
  let goal, last =
    match field given "goal" with
    | Text "one peg" -> (OnePeg, "\"one peg\"")
    | Text "dead end" -> (DeadEnd, "\"dead end\"")
    | List _ as ends -> let pegs = set hole ends in (Exact (position pegs), listed_holes names pegs)
    | ends ->
        only [ "pegs"; "vacancies" ] ends;
        let pegs = set hole (field ends "pegs") and vacancies = set hole (field ends "vacancies") in
        need (not (List.exists (fun h -> List.mem h pegs) vacancies)) "a hole ends both with a peg and without";
        (Partial (position pegs, position vacancies),
         Printf.sprintf "{ pegs = %s, vacancies = %s }" (listed_holes names pegs) (listed_holes names vacancies)) in
  need (Printf.sprintf "%sgoal = %s\nobjective = \"%s\"\n" first last objective = text) "problem.toml: not the canonical text of its problem";
  (hole, { on = board; start; end_ = goal })

(* Claims *)

let read_node node =
  let index n = number (nat_of n) in
  match items node with
  | [ Text "split"; n; k ] -> Split (index (whole n), big k)
  | [ Text "last"; these ] -> Last (List.map (fun h -> nat_of (whole h)) (items these))
  | [ Text "cut"; i ] -> Cut (nat_of (whole i))
  | [ Text "sum"; times ] ->
      Sum (List.map (function List [ row; many ] -> (index (whole row), big many) | _ -> reject "a sum needs pairs") (items times))
  | [ Text "stuck" ] -> Stuck
  | _ -> reject "a node is none"

(* of each hole how many jumps have it among these of their holes *)
let touching problem ends =
  let found = Array.make (int_of problem.on.holes) 0 in
  List.iter (fun j -> List.iter (fun h -> found.(int_of h) <- found.(int_of h) + 1) (ends j)) problem.on.jumps;
  found

(* limits that mean nothing are refused, as the one-file checker does, although they would do no harm *)
let check_numbers problem c =
  let least_of a b = if Z.leb a b then a else b in
  let pegs = Z.of_nat (pegs problem) and zero = Z.of_nat O in
  let within most k = Z.leb zero k && Z.leb k most in
  let longest = match c.most with Some most -> least_of most (longest problem) | None -> longest problem in
  need (match c.most with Some most -> within pegs most | None -> true) "a number of jumps that is not from 0 to the pegs";
  let cut limits =
    List.iter (fun (j, most) ->
        need (int_of j < List.length problem.on.jumps && within longest most) "a cut has no such limit";
        need (List.for_all (fun (k, other) -> k <> j || other = most) limits) "a cut has two limits of one jump") limits in
  let node = function
    | Split (_, k) -> need (within pegs k) "a split at a number that is not from 0 to the pegs"
    | Last these -> need (List.length these <= int_of problem.on.holes) "more last holes than there are"
    | Cut i -> Option.iter cut (List.nth_opt c.cuts (int_of i))
    | Sum _ | Stuck -> () in
  List.iter node (List.sort_uniq compare c.tree0)

let check_size problem c =
  let js = List.length problem.on.jumps and holes = int_of problem.on.holes in
  let of_goal = match problem.end_ with OnePeg -> [ holes ] | DeadEnd -> List.init js (fun _ -> 3) | _ -> [] in
  let of_holes = Array.map succ (touching problem (fun j -> [ j.from; j.over; j.to0 ])) in
  let rows = Array.append of_holes (Array.of_list (of_goal @ if c.most = None then [] else [ js ])) in
  let nodes = List.length c.tree0 and numbers = js + holes in
  let taken (n, _) = let i = of_positive n - 1 in if i < Array.length rows then rows.(i) else 0 in
  let terms = function Sum times -> List.fold_left (fun sum pair -> sum + taken pair) 0 times | _ -> 0 in
  need (nodes <= most_nodes && List.length c.cuts <= most_nodes) "a tree has too many nodes or cuts";
  need (nodes * numbers <= most_limits) "the tree is too large for this board";
  need (List.fold_left (fun sum node -> sum + terms node) 0 c.tree0 <= most_terms) "the sums have too many terms"

let read_certificate given =
  only [ "tree"; "cuts"; "most" ] given;
  let limit = function List [ j; m ] -> (nat_of (whole j), big m) | _ -> reject "a cut needs pairs" in
  { tree0 = List.map read_node (items (field given "tree"));
    cuts = (match maybe given "cuts" with None -> [] | Some cuts -> List.map (fun cut -> List.map limit (items cut)) (items cuts));
    most = Option.map big (match maybe given "most" with Some Null -> None | most -> most) }

(* a solution, as the numbers of its jumps *)
let read_solution hole board given =
  let jump names =
    match List.map hole (items names) with
    | [ a; over; b ] ->
        let wanted = { from = nat_of a; over = nat_of over; to0 = nat_of b } in
        let rec find n = function [] -> reject "there is no such jump" | j :: js -> if j = wanted then nat_of n else find (n + 1) js in
        find 0 board.jumps
    | _ -> reject "a jump must have three holes" in
  List.map jump (items given)

(* A refutation in binary LRAT of so many clauses with so many variables. A number has seven bits in a byte, the lowest
   first; the last byte of several is not 0. *)

let known = Hashtbl.create 1000 (* each number is made once: most of a refutation are the same ones *)

let rec positive n =
  match Hashtbl.find_opt known n with
  | Some found -> found
  | None ->
      let half () = positive (n / 2) in
      let found = if n = 1 then XH else if n land 1 = 1 then XI (half ()) else XO (half ()) in
      Hashtbl.add known n found;
      found

let read_lrat ~clauses ~variables text =
  let at = ref 0 in
  let byte () =
    need (!at < String.length text) "the refutation is cut off";
    incr at;
    Char.code text.[!at - 1] in
  let rec coded shift =
    need (shift <= 28) "the refutation has a malformed number";
    let b = byte () in
    need (b > 0 || shift = 0) "the refutation has a malformed number";
    if b < 128 then b lsl shift else ((b land 127) lsl shift) + coded (shift + 7) in
  let coded () = let n = coded 0 in need (n < 1 lsl 31) "the refutation has a malformed number"; n in
  let rec series found read = match coded () with 0 -> List.rev found | n -> series (read n :: found) read in
  let literal n = need (n > 1 && n / 2 <= variables) "a literal of no variable"; if n land 1 = 1 then Zneg (positive (n / 2)) else Zpos (positive (n / 2)) in
  let hint n = need (n land 1 = 0) "a hint that is no clause"; positive (n / 2) in
  let rec steps found number =
    need (byte () = Char.code 'a') "a step adds no clause";
    let new_ = coded () in
    need (new_ = number) "a step does not have the next number";
    let clause = series [] literal in
    let found = (clause, series [] hint) :: found in
    if clause = [] then List.rev found else steps found (new_ + 2) in
  steps [] (2 * (clauses + 1))

(* Parts *)

let shown_by = function
  | Infeasible -> [ "certificate"; "sat-moves"; "sat-parallel" ]
  | Jumps _ -> [ "certificate"; "sat-moves" ]
  | Pegs _ -> [ "certificate" ]
  | Steps _ -> [ "sat-parallel" ]
  | Rounds _ -> [ "sat-rounds" ]
  | Moves _ -> [ "two-sided" ]

(* how many literals the formula of a part has *)
let literals problem kind horizon =
  let js = List.length problem.on.jumps and holes = int_of problem.on.holes in
  let pairs n = n * (n - 1) in
  let no_two ends = Array.fold_left (fun sum n -> sum + pairs n) 0 (touching problem ends) in
  let step =
    match kind with
    | "sat-rounds" -> 27 * js
    | "sat-moves" -> (16 * js) + pairs js + (4 * holes)
    | _ -> (15 * js) + (4 * holes) + no_two (fun j -> [ j.from; j.over ]) + no_two (fun j -> [ j.to0 ]) in
  let last = match problem.end_ with OnePeg -> holes + pairs holes | DeadEnd -> 3 * js | _ -> holes in
  holes + (horizon * step) + last

(* The group that permutations of the holes generate, and the holes orbit by orbit, the largest orbit first. *)

let most_in_group = 120
let largest_orbit = 12 (* a table has an entry for each set of holes of an orbit *)

let group holes generators =
  let identity = Array.init holes Fun.id and seen = Hashtbl.create 100 in
  let rec add = function
    | [] -> ()
    | g :: waiting when Hashtbl.mem seen g -> add waiting
    | g :: waiting ->
        Hashtbl.add seen g ();
        need (Hashtbl.length seen <= most_in_group) "the symmetries generate too large a group";
        add (List.map (fun s -> Array.map (fun h -> s.(h)) g) generators @ waiting) in
  add [ identity ];
  Hashtbl.fold (fun g () all -> g :: all) seen []

let view holes generators regions =
  let orbit elements h = List.sort_uniq compare (List.map (fun g -> g.(h)) elements) in
  let orbits elements =
    let all = List.sort_uniq compare (List.init holes (orbit elements)) in
    List.stable_sort (fun a b -> compare (List.length b) (List.length a)) all in
  let elements = group holes generators in
  let small = List.for_all (fun o -> List.length o <= largest_orbit) (orbits elements) in
  let elements = if small then elements else group holes [] in
  let orbits = orbits elements in
  let place = Array.make holes 0 in
  List.iter (List.iteri (fun i h -> place.(h) <- i)) orbits;
  let symmetry g = List.map (List.map (fun h -> nat_of place.(g.(h)))) orbits in
  let in_order = List.concat orbits and rank = Array.make holes 0 in
  List.iteri (fun i h -> rank.(h) <- i) in_order;
  let regions = List.map (List.map (fun h -> nat_of rank.(h))) regions in
  { in_order = List.map nat_of in_order; symmetries = List.map symmetry elements; regions }

let read_symmetry problem given =
  let s = Array.of_list (List.map whole (items given)) in
  need (List.sort compare (Array.to_list s) = List.init (int_of problem.on.holes) Fun.id) "a symmetry is no permutation of the holes";
  let carry h = s.(int_of h) in
  let jump carry j = (carry j.from, carry j.over, carry j.to0) in
  let jumps carry = List.sort compare (List.map (jump carry) problem.on.jumps) in
  need (jumps carry = jumps int_of) "a symmetry must keep the jumps";
  let peg h = match problem.end_ with Exact pegs -> bits pegs (nat_of h) | _ -> false in
  need (List.for_all (fun h -> peg h = peg s.(h)) (List.init (Array.length s) Fun.id)) "a symmetry must keep the goal";
  s

let read_regions problem given =
  let holes = int_of problem.on.holes in
  let lists = items given in
  need (List.length lists <= holes) "more regions than holes";
  let regions = List.map (fun region -> List.map whole (items region)) lists in
  let all = List.concat regions in
  need (not (List.mem [] regions)) "a region without holes";
  need (List.for_all (fun h -> h < holes) all) "a region has a hole that there is not";
  need (List.length (List.sort_uniq compare all) = List.length all) "a hole is in two regions";
  let kept region j = let has h = List.mem (int_of h) region in not (has j.over) || has j.from || has j.to0 in
  need (List.for_all (fun region -> List.for_all (kept region) problem.on.jumps) regions)
    "a jump goes over a hole of a region from outside to outside";
  regions

let read_two_sided problem claimed part =
  only [ "type"; "forward"; "backward"; "symmetries"; "regions" ] part;
  let holes = int_of problem.on.holes and pegs = int_of (pegs problem) in
  let forward = whole (field part "forward") and backward = whole (field part "backward") in
  let least = match claimed with Moves n -> int_of n | _ -> max_int in
  need (forward <= pegs && backward <= pegs) "more moves than pegs";
  need (forward + backward >= least - 1) "the two sides have too few moves";
  let given = items (field part "symmetries") in
  need (List.length given <= 10) "too many symmetries";
  Gc.set { (Gc.get ()) with minor_heap_size = 8_000_000; space_overhead = 120 };
  let regions = match maybe part "regions" with None -> [] | Some regions -> read_regions problem regions in
  TwoSided (view holes (List.map (read_symmetry problem) given) regions)

let read_part path problem claimed part =
  let kind = text_of (field part "type") in
  need (List.mem kind (shown_by claimed)) "a part that cannot show the claim";
  if kind = "two-sided" then read_two_sided problem claimed part else
  if kind = "certificate" then begin
    only [ "type"; "certificate" ] part;
    let certificate = read_certificate (field part "certificate") in
    let subject = match claimed with Pegs _ -> one_peg problem | _ -> problem in
    check_size subject certificate;
    check_numbers subject certificate;
    ByCases certificate
  end
  else begin
    only [ "type"; "horizon" ] part;
    let horizon = whole (field part "horizon") in
    need (horizon <= int_of (pegs problem)) "a horizon larger than the number of pegs";
    need (literals problem kind horizon <= most_literals) "the formula is too large";
    let name = Printf.sprintf "proof-%02d.lrat" horizon in
    let n = nat_of horizon and js = List.length problem.on.jumps and holes = int_of problem.on.holes in
    let order = match claimed with Rounds (order, _) -> order | _ -> [] in
    let variables = holes + (horizon * if kind = "sat-rounds" then 4 * js else holes + js) in
    let clauses = List.length (match (kind, named problem.on.jumps order) with
      | "sat-moves", _ -> steps_formula false problem n
      | "sat-parallel", _ -> steps_formula true problem n
      | _, Some order -> rounds_formula problem order n
      | _, None -> reject "a round has a jump that there is not") in
    let refutation = read_lrat ~clauses ~variables (contents ~most:1_000_000_000 (Filename.concat path name)) in
    match kind with "sat-moves" -> ByMoves (n, refutation) | "sat-parallel" -> BySteps (n, refutation) | _ -> ByRounds (n, refutation)
  end

let read_folder path =
  let given = json (contents ~most:40_000_000 (Filename.concat path "claim.json")) in
  only [ "format"; "claim"; "parts"; "solution"; "about" ] given;
  need (field given "format" = Number "2") "another format";
  let claim = field given "claim" in
  let least () = only [ "type"; "least" ] claim; big (field claim "least") in
  let claimed =
    match text_of (field claim "type") with
    | "infeasible" -> only [ "type" ] claim; Infeasible
    | "jumps" -> Jumps (least ())
    | "pegs" -> Pegs (least ())
    | "rounds" ->
        only [ "type"; "least"; "order" ] claim;
        Rounds (List.map (fun j -> nat_of (whole j)) (items (field claim "order")), nat_of (whole (field claim "least")))
    | "steps" -> only [ "type"; "least" ] claim; Steps (nat_of (whole (field claim "least")))
    | "moves" -> only [ "type"; "least" ] claim; Moves (nat_of (whole (field claim "least")))
    | "count" -> raise (Uncovered "a claim of how many solutions there are, which only pegcp/checking/checker.py checks")
    | _ -> reject "a claim of no type" in
  let hole, about = read_problem (contents ~most:5_000_000 (Filename.concat path "problem.toml")) in
  let solution = match maybe given "solution" with Some Null -> None | solution -> solution in
  let parts = List.map (read_part path about claimed) (items (field given "parts")) in
  let least = match maybe claim "least" with Some (Number digits) -> digits | _ -> "" in
  ({ about; claimed; parts; given = Option.map (read_solution hole about.on) solution }, least)

let says folder least =
  let bound what = if folder.given = None then Printf.sprintf "every solution has at least %s %s" least what
    else Printf.sprintf "the fewest %s are %s" what least in
  match folder.claimed with
  | Infeasible -> "there is no solution"
  | Jumps _ -> bound "jumps"
  | Pegs _ -> bound "pegs"
  | Steps _ -> bound "steps"
  | Rounds _ -> bound "rounds"
  | Moves _ -> bound "moves"

(* the formulas that the parts refute, in DIMACS *)
let write_formulas name { about; claimed; parts } =
  let order = match claimed with Rounds (order, _) -> named about.on.jumps order | _ -> None in
  let formula = function
    | ByCases _ | TwoSided _ -> []
    | ByMoves (n, _) -> [ (int_of n, steps_formula false about n) ]
    | BySteps (n, _) -> [ (int_of n, steps_formula true about n) ]
    | ByRounds (n, _) -> (match order with Some order -> [ (int_of n, rounds_formula about order n) ] | None -> []) in
  let formulas = List.concat_map formula parts in
  let written = function Z0 -> "0" | Zpos x -> string_of_int (of_positive x) | Zneg x -> "-" ^ string_of_int (of_positive x) in
  let holes = int_of about.on.holes and js = List.length about.on.jumps in
  if formulas = [] then raise (Uncovered "it has no formula to write");
  List.iter
    (fun (n, clauses) ->
      let variables = holes + (n * if order = None then holes + js else 4 * js) in
      let name = if List.length formulas = 1 then name else Printf.sprintf "%s-%02d" name n in
      let file = open_out_gen [ Open_wronly; Open_creat; Open_excl; Open_binary ] 0o666 name in
      Printf.fprintf file "p cnf %d %d\n" variables (List.length clauses);
      List.iter (fun clause -> output_string file (String.concat " " (List.map written clause @ [ "0" ]) ^ "\n")) clauses;
      close_out file)
    formulas

let answer ?cnf path =
  match
    let folder, least = read_folder path in
    Option.iter (fun name -> write_formulas name folder) cnf;
    let moves = List.exists (function TwoSided _ -> true | _ -> false) folder.parts in
    need (check_folder folder) (if moves
      then "not accepted: the claim is false, or has more positions than the verified checker takes (20,000,000)"
      else "the verified checker does not accept it");
    says folder least
  with
  | said -> (0, "proved: " ^ said)
  | exception Rejected reason -> (4, "rejected: " ^ String.escaped reason)
  | exception Sys_error reason -> (4, "rejected: " ^ String.escaped reason)
  | exception Unix.Unix_error (error, _, path) -> (4, "rejected: " ^ String.escaped path ^ ": " ^ Unix.error_message error)
  | exception End_of_file -> (4, "rejected: a file is shorter than it was")
  | exception Stack_overflow -> (4, "rejected: too large")
  | exception Out_of_memory -> (3, "stopped: it takes more memory than there is")
  | exception Uncovered what -> (2, "not covered: " ^ what)

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] | [ "--cnf" ] | [ "--cnf"; _ ] -> prerr_endline "usage: check FOLDER ..., or check --cnf FILE FOLDER"; exit 2
  | [ "--cnf"; cnf; path ] -> let status, said = answer ~cnf path in print_endline said; exit status
  | [ path ] -> let status, said = answer path in print_endline said; exit status
  | paths ->
      exit (List.fold_left (fun worst path ->
        let status, said = answer path in
        Printf.printf "%s: %s\n%!" path said;
        max worst status) 0 paths)
