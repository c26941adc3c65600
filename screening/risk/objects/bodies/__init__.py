"""What bodies measure and weigh: from published shapes, and stages of rockets by their names."""
