"""`python -m fairtrial`: the command line."""

from fairtrial.cli import main

main()
