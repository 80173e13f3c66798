"""Tests of the shipped players."""
