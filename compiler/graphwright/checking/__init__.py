"""`check`: every file through the pipeline, its findings weighed, suppressed, remembered and fixed."""
