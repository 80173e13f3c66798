"""Pictures and pages: from small frames with intervals to one HTML file."""
