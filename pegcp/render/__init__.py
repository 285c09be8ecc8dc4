"""Pictures of boards and solutions."""
