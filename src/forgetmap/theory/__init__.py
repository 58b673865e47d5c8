"""Laws: generative stories that can be simulated, with formulas for what they imply."""

LAWS = {
    "know_or_guess": "forgetmap.theory.know_or_guess:KnowOrGuess",
}
"""Every law writes records and pairs, and says the truth behind them."""
