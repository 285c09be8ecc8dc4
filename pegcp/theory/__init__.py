"""What is known of a problem without searching: position classes, pagoda functions, budgets, regions, certificates."""
