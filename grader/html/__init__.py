"""HTML, for notebooks and for the class's pages."""
