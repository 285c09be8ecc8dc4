"""Which line of a model file excludes a solution, or which rule of the game no line says.

``explain`` asks the questions; ``parts`` builds a model without some of its constraints, ``steps`` places a solution on
the steps of a model and gives its variables their values, ``rules`` says which rule of the game an answer breaks,
``domains`` reads planning domains.
"""
