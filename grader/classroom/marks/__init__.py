"""What people decide: marks and comments, extensions, what lateness costs. In every output, not in the journal."""
