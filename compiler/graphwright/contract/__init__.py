"""What tools and nested graphs take and return."""
