"""What bodies measure and weigh (published shapes, stages by name), whether they are in use and can move."""
