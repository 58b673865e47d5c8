"""`python -m forgetmap`: the command line."""

from forgetmap.cli import main

main()
