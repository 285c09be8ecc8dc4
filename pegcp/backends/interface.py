"""The names that a backend is written with, for the files of this room and of other packages; they are kept stable."""

from pegcp.backends.backend import Ability, Backend, BackendInfo, Figures, check_word
from pegcp.backends.model import ModelFile
from pegcp.backends.run_loop import HorizonLoop, Outcome, uncountable
from pegcp.errors import InputError, InvalidSolution, Missing
from pegcp.game import Jump, Objective, Problem
from pegcp.method import OUT_OF_TIME, Answer, Method, Options, Reason, Run, Status, Tally, stopped, watch
from pegcp.modelling.formulation import AnyFormulation, Formulation, Value
from pegcp.modelling.steps import hint_values

__all__ = [
    "OUT_OF_TIME",
    "Ability",
    "Answer",
    "AnyFormulation",
    "Backend",
    "BackendInfo",
    "Figures",
    "Formulation",
    "HorizonLoop",
    "InputError",
    "InvalidSolution",
    "Jump",
    "Method",
    "Missing",
    "ModelFile",
    "Objective",
    "Options",
    "Outcome",
    "Problem",
    "Reason",
    "Run",
    "Status",
    "Tally",
    "Value",
    "check_word",
    "hint_values",
    "stopped",
    "uncountable",
    "watch",
]
