"""Where a stranger's code is run: a process that holds no answers, shut in as far as the machine allows."""
