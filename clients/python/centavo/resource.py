"""What the groups of calls have in common."""

from .operations import Operations


class Resource:
    """Calls of one kind."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations
