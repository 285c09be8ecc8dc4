"""Which line of a model file excludes a solution, or which rule of the game no line says.

``explain`` asks the questions; ``parts`` builds a model without some of its constraints, ``layout`` places a solution
on the steps of a model, ``rules`` says which rule of the game an answer breaks, ``domains`` reads PDDL.
"""
