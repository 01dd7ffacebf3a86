"""What comes out: pages, tables, files for platforms."""
