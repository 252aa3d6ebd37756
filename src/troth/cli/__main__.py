"""python -m troth.cli"""

from troth.cli import main

main()
