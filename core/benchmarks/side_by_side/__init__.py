"""Several engines on the same question of one paper: what each gave, where they differ, and how far they agree."""
