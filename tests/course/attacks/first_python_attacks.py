"""x"""
from attack import Attack, at_top, into

Attack("sys_exit_at_import","A file ends the process as it is imported.",(("warmup.py",at_top("import sys; sys.exit()")),),honest=("1.1",),nothing=("0.1","0.2"))
