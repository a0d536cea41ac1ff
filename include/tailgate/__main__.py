"""`python -m tailgate` is the `tailgate` command."""

from tailgate.cli import main

if __name__ == "__main__":
    main()
