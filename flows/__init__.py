"""How a run goes: from a catalogue to a published run."""
