"""Files read and written without a run or a store."""
