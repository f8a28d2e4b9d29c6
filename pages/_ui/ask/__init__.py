"""The Ask page: one question to all papers of a project, answered with quotations from them or by a model."""
