"""Methods: finding the files of models and searches, reading their headers, choosing, exporting."""
