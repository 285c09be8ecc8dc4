"""Facts about a problem that need no search: position classes, pagoda functions, budgets, regions, certificates."""
