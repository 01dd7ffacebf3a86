"""Speed, measured side by side in one run: ratios, since machines differ and are noisy."""
