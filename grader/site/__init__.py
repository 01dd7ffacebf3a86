"""make site: the course as a book of static pages, made from what is there already."""
