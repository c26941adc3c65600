"""Errors of the whole project, so that one `except` at the border can report them.

SkysieveError               a message for a person; exit code 1
+-- InputError              what was asked for or handed over is wrong
|   +-- UsageError          an argument is out of range; exit code 2
|   +-- UnreadableCatalogue the text holds no element sets
|   +-- UnreadableMessage   no conjunction data message can be read (beside its reader)
+-- StoreError              the store cannot be used (defined by what failed)
"""


class SkysieveError(Exception):
    """An error whose text is one paragraph for the person who runs the program."""


class InputError(SkysieveError):
    """What was handed over is wrong; the text names the value and what is allowed."""


class UsageError(InputError):
    """An argument is out of range."""


class UnreadableCatalogue(InputError):
    """A text from which no element set could be read; the text shows what was expected."""


class StoreError(SkysieveError):
    """The store cannot be read or written; the text names its absolute path."""
