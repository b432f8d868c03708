"""`--watch`: which folders matter to a check or a build, and when something in them has changed."""
