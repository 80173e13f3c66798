"""Measures: from fact tables to small frames with intervals."""
