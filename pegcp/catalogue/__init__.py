"""All methods: find and read the files of models and searches, choose a method, export its model."""
