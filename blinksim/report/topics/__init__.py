"""The sections of the page, one module each; :mod:`blinksim.report.topic` says what they have."""
