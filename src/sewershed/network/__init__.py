"""The sewer as a graph with geometry will stand here: building it, tracing, availability, capacity."""
