"""What every page of the desk stands in: the bar, the components, signing in, the tokens and files of the look."""
