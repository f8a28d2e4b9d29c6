"""What evidence, summaries, screening and findings share: words, stems, numbers, similarity."""
