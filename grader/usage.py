"""The one exception for a request that cannot be carried out as asked."""


class UsageError(Exception):
    """What was asked for does not exist or does not fit together. The message is for the person who asked."""
