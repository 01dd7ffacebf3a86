"""Which line a slip is in: small edits of a learner's answer are tried until every question is right."""
