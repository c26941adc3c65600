"""How one run goes, from taking a catalogue to what a person is shown."""
