"""Who handed in what."""
