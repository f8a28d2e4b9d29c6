"""Files to take away: spreadsheets, JSON, pages, plots. This room knows result types only, not how results are made."""
