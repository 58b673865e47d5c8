"""Two modes: what is learnt and forgotten when one learner holds an old and a new mode, in a world where the answer is known.

The setting is that of "A Quantitative Characterization of Forgetting in Post-Training" (arXiv 2603.12163), of which the abstract was
read: results tagged "abstract" are its claims, all formulas and constants here were derived and checked here.
"""
