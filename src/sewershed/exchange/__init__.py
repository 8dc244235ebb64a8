"""Files in and out will stand here: tables, maps, SWMM models, laboratory results, state and federal forms."""
