"""Evidence by language models: the strategies of EvidenceBench (section 4.1), with every choice checked."""
