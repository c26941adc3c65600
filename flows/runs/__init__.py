"""One run, from taking a catalogue to the summary shown to the user."""
