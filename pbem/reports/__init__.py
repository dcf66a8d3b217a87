"""Reports as bytes: pages, text twins, maps and the archive, from values alone."""
