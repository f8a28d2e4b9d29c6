"""Several engines on the same question about one paper: their answers, differences and agreement."""
