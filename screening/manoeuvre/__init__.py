"""What a manoeuvre changes: displaced paths, encounters after a burn, and the cheapest burn that helps."""
