"""Every error a user can meet.

    ForgetmapError
    ├── InputError          what was given cannot be used (exit code 2)
    │   ├── FormatError     a file is not what its format promises, or no format knows it
    │   ├── HubError        the Hub does not give what an address names, or cannot be reached
    │   ├── PairingError    two runs cannot be compared item by item
    │   ├── StudyError      a study folder is missing, damaged, foreign or newer than this version
    │   └── SettingError    a value the user chose is out of range
    └── InternalError       forgetmap broke its own promise: a bug worth reporting

A message is one sentence (or two): what was wanted, what was found, where, and what to do.
"""


class ForgetmapError(Exception):
    """The root; never raised itself."""


class InputError(ForgetmapError):
    """What was given cannot be used."""


class FormatError(InputError):
    """A file is not what its format promises, or no format knows it."""


class HubError(InputError):
    """The Hub does not give what an address names, or cannot be reached."""


class PairingError(InputError):
    """Two runs cannot be compared item by item."""


class StudyError(InputError):
    """A study folder is missing, damaged, foreign or newer than this version."""


class SettingError(InputError):
    """A value the user chose is out of range."""


class InternalError(ForgetmapError):
    """forgetmap broke its own promise."""
