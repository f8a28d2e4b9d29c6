"""Plots of risk of bias: drawn once as shapes, written as SVG or PNG."""
