"""Mutated graphs, modules, keys and configurations, through every door: nothing may crash, hang or report GW901."""
