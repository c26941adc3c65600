"""Errors of the whole project, so that one `except` at the top can report them.

SkysieveError               a message for the user; exit code 1
+-- InputError              a request or an input is wrong
|   +-- UsageError          an argument is out of range; exit code 2
|   |   +-- NoSuch          what is named does not exist
|   |   +-- TooMany         there are as many already as there may be
|   |   +-- NotPossible     the present state forbids it
|   +-- UnreadableCatalogue the text holds no element sets
|   +-- UnreadableEphemeris no ephemeris can be read (beside its reader)
|   +-- UnreadableMessage   no conjunction data message can be read (beside its reader)
+-- StoreError              the store cannot be used (defined by what failed)
"""


class SkysieveError(Exception):
    """An error whose message is one paragraph for the user."""

    def __reduce__(self) -> tuple[object, ...]:
        """Let it pass between processes, whatever its constructor takes."""
        return _made_again, (type(self), self.args), self.__dict__


class InputError(SkysieveError):
    """An input is wrong; the message names the value and what is allowed."""


class UsageError(InputError):
    """An argument is out of range."""


class NoSuch(UsageError):
    """What is named does not exist; `sentence` says so without advice for the command line."""

    def __init__(self, text: str, sentence: str = "") -> None:
        super().__init__(text)
        self.sentence = sentence or text


class TooMany(UsageError):
    """There are as many already as there may be."""


class NotPossible(UsageError):
    """The present state forbids it."""


class UnreadableCatalogue(InputError):
    """A text without readable element sets; the message shows what was expected."""


class StoreError(SkysieveError):
    """The store cannot be read or written; the message names its absolute path."""


def _made_again(kind: type[SkysieveError], args: tuple[object, ...]) -> SkysieveError:
    return kind.__new__(kind, *args)
