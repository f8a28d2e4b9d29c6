"""Risk of bias by language models: RoBBR's protocols (sections 4 and 6), with every sentence and answer verified."""
