"""Every error that a user can cause or cure, in one tree.

```
VouchError                 show its message as it is: it says what to do
├── PaperError             this file cannot be read as a paper
│   ├── UnknownFormat      no reader recognises its content
│   ├── DamagedFile        recognised, but truncated, broken or unsafe to open
│   ├── LockedFile         encrypted, and no password was given
│   └── NoText             nothing to read in it: empty, or a scan without a text layer
├── QueryError             the hypothesis or a setting cannot be used
├── EngineError            the engine's name is unknown
│   └── EngineUnavailable  a known engine that cannot run here; says why
└── DatasetError           a benchmark file or record does not have the published layout
```

Pages and the command line catch `VouchError` and nothing wider: any other exception is a
programmer's error and must stay visible.
"""


class VouchError(Exception):
    """Root of the tree. The message is one clear sentence for the user."""


class PaperError(VouchError):
    """A file cannot be read as a paper."""


class UnknownFormat(PaperError):
    """No reader recognises the file's content."""


class DamagedFile(PaperError):
    """The format is known, but the file is truncated, broken or unsafe to open."""


class LockedFile(PaperError):
    """The file is encrypted."""


class NoText(PaperError):
    """The file holds no text: it is empty, or a scan without a text layer."""


class QueryError(VouchError):
    """A hypothesis, number or option that cannot be used."""


class EngineError(VouchError):
    """An engine's name is unknown."""


class EngineUnavailable(EngineError):
    """A known engine that cannot run on this machine."""


class DatasetError(VouchError):
    """A benchmark file or record does not have the published layout."""
