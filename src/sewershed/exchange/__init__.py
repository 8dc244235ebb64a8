"""Files in and out: papers, photographs, tables, the lists that towns keep. Maps, SWMM models, laboratory results will follow."""
