"""When types of several modules are the same type: equal words over one ranked alphabet.

ranked.py    types as numbered nodes, each with a symbol and as many children as the symbol's rank
classes.py   the coarsest partition of the nodes that symbols and children agree with
"""
