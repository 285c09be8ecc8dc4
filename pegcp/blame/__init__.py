"""Which line of a model file excludes a solution, or which rule of the game no line says.

``explain`` asks the questions; ``parts`` builds a model without some of its constraints, gives its variables the values
of a solution, and reads its steps; ``answer`` has the rules of the game, and says which of them an answer breaks.
"""
