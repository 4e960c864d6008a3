"""A report as one HTML page that needs nothing else: `page.html_page`."""
