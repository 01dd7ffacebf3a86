"""The one exception for a request that cannot be carried out as asked."""


class UsageError(Exception):
    """What was asked for does not exist or is contradictory. The message is for the user."""
