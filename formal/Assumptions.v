(** What the main theorems assume: nothing. formal/build fails if any line is not "Closed under the global context". *)

From Pegcp Require Import Game Theory Play Normal Certificates Clauses Steps Moves Claims English.

Print Assumptions pegs_jumps.
Print Assumptions class_plays.
Print Assumptions class_unsolvable.
Print Assumptions pagoda_plays.
Print Assumptions pagoda_unsolvable.
Print Assumptions pagoda_budget.
Print Assumptions plays_complement.
Print Assumptions independent_commute.
Print Assumptions normal_form.
Print Assumptions normal_solution.
Print Assumptions packed_plays.
Print Assumptions early_steps.
Print Assumptions early_rounds.
Print Assumptions symmetric_solution.
Print Assumptions normal_symmetric.
Print Assumptions early_symmetric.
Print Assumptions run_plays.
Print Assumptions plays_run.
Print Assumptions at_goal_reached.
Print Assumptions solves_solution.
Print Assumptions certificate_sound.
Print Assumptions certificate_unsolvable.
Print Assumptions jumps_between.
Print Assumptions refuted_by_sound.
Print Assumptions rounds_refuted.
Print Assumptions steps_hold.
Print Assumptions moves_refuted.
Print Assumptions parallel_refuted.
Print Assumptions both_ends.
Print Assumptions run_opens_one.
Print Assumptions no_fewer_sound.
Print Assumptions folder_sound.
Print Assumptions english_pairs.
Print Assumptions ruled_out_pairs.
Print Assumptions c1_e5.
Print Assumptions central_game.
Print Assumptions figure_5_unsolvable.
Print Assumptions fools_d1.
Print Assumptions fools_d4.
