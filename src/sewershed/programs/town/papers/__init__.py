"""The papers that are of no one program: how the ordinance runs, and the page that every paper is laid out on."""
