"""The course inside a page: the same checks, and a notebook's cells, in one interpreter that can start no process."""
