"""Files that a reviewer takes away: spreadsheets and JSON. Knows result types only."""
