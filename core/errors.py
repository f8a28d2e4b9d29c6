"""Every error that a user can cause or cure, in one tree.

```
VouchError                 show its message as it is: it says what to do
├── PaperError             this file cannot be read as a paper
│   ├── UnknownFormat      no reader recognises its content
│   ├── DamagedFile        recognised, but truncated, broken or unsafe to open
│   ├── LockedFile         encrypted, and no password was given
│   ├── NoText             nothing to read in it: empty, or hidden from readers
│   │   └── NoTextLayer    a PDF whose pages are pictures
│   └── OcrFailed          its text could not be recognised by machine
├── ReferencesError        this file holds no references that can be read
├── QueryError             the hypothesis or a setting cannot be used
├── EngineError            the engine's name is unknown
│   └── EngineUnavailable  a known engine that cannot run here; says why
├── DatasetError           a benchmark file or record does not have the published layout
├── RunError               a benchmark run, or a review's queue, cannot go on; what was saved is kept
│   ├── WorkersLost        worker processes ended unexpectedly
│   ├── NoCluster          no Dask scheduler answers, or it has no workers that can do the work
│   └── QueueHeld          a review's queue is at work elsewhere, or is paused
├── StoreError             the database of projects, or a change to it
│   ├── WrongAddress       VOUCH_DATABASE_URL is no address of a database that Vouch can use
│   ├── StoreUnreachable   the database's server or file does not answer, or answers no more
│   ├── NewerStore         the database, or a project's document, was made by a newer Vouch
│   ├── NotStored          what is asked for, or changed, is not there (any more)
│   ├── NotStorable        it cannot be kept like this: a name is missing, or it is another's to change
│   ├── StillBlind         others' judgements are hidden until one's own is given
│   └── DamagedProject     a project's file or document is not one that Vouch wrote, or unpacks to too much
├── SourceError            a literature service, or a file that it points at, could not be used
│   ├── SourceUnreachable  nothing answers there, or not in time
│   ├── SourceBusy         too many questions, after all retries
│   ├── SourceDown         an error on the service's side, after all retries
│   ├── SourceRefused      the service refuses the question, or wants a key or a mail address
│   ├── NotThatService     something answers, but not as the service's documentation says: a web page, a cut-off reply
│   ├── ForbiddenAddress   an address that is never asked: not one of the named services, or a private one
│   ├── NoOpenCopy         no copy of the paper is open to everybody
│   └── CallsUsedUp        the limit of calls that was set for this work; what was answered is kept
├── LibraryError           an index of papers cannot be opened or changed, or its name cannot be used
├── AnswerError            a kept answer from a library cannot be read back
├── AssessmentError        a saved assessment of risk of bias cannot be read back
├── PromptError            a template in prompts/ is missing, or its variables are wrong
└── ModelError             a call to a language model failed
    ├── NoKey              no key is set for the provider
    ├── KeyRefused         the server does not accept the key, or not for this
    ├── NoCredit           the account has no money or quota left
    ├── UnknownModel       the server has no model of this name
    ├── RequestRefused     the server cannot take the request: too long, or an option it does not know
    ├── RateLimited        too many requests, after all retries
    ├── ModelTimeout       no answer in time
    ├── ServerDown         an error on the server's side, after all retries
    ├── ServerUnreachable  nothing answers at the address
    ├── NotAModelServer    something answers, but not as the provider's interface does
    ├── BudgetUsedUp       the run's own limit of tokens or money; what was paid for is kept
    └── ReplyError         the model answered and was paid, but the answer cannot be used
        ├── Refused        the model declined
        ├── CutOff         the answer ends at the limit of output tokens
        └── Unreadable     the answer does not have the form that was asked for
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
    """The file holds no text: it is empty, or hidden from readers."""


class NoTextLayer(NoText):
    """The pages of a PDF are pictures, without text that a program could read."""


class OcrFailed(PaperError):
    """The text of a scan could not be recognised by machine, or the programs for it are missing."""


class ReferencesError(VouchError):
    """A file holds no references that can be read: another format, or nothing but broken records."""


class QueryError(VouchError):
    """A hypothesis, number or option that cannot be used."""


class EngineError(VouchError):
    """An engine's name is unknown."""


class EngineUnavailable(EngineError):
    """A known engine that cannot run on this machine."""


class DatasetError(VouchError):
    """A benchmark file or record does not have the published layout."""


class RunError(VouchError):
    """A benchmark run, or a review's queue, cannot go on. What was saved of it is kept."""


class WorkersLost(RunError):
    """Worker processes ended unexpectedly."""


class NoCluster(RunError):
    """No Dask scheduler answers at the address, or it has no workers that can do the work."""


class QueueHeld(RunError):
    """A review's queue is at work in another process, or is paused."""


class StoreError(VouchError):
    """The database of projects, or a change to it, failed. A clash with others' changes is `core.store.Conflict`."""


class WrongAddress(StoreError):
    """The address of the database cannot be used. The message never holds the password."""


class StoreUnreachable(StoreError):
    """The database does not answer, or cannot be read or written. What was saved before is kept."""


class NewerStore(StoreError):
    """The database, or a project's document, was made by a newer Vouch."""


class NotStored(StoreError):
    """What is asked for, or to be changed, is not there, or is deleted."""


class NotStorable(StoreError):
    """A record that cannot be kept as it is."""


class StillBlind(StoreError):
    """The project hides this from the reviewer until their own judgement is in."""


class DamagedProject(StoreError):
    """A project's file or document is not one that Vouch wrote, was changed, or would unpack to too much."""


class SourceError(VouchError):
    """A literature service, or a file that it points at, could not be used."""


class SourceUnreachable(SourceError):
    """Nothing answers at the service's address, or not in time."""


class SourceBusy(SourceError):
    """The service still says that there are too many requests, even after retries (429)."""


class SourceDown(SourceError):
    """The service failed, even after retries (5xx)."""


class SourceRefused(SourceError):
    """The service refuses the question as it is, or wants a key or a mail address (4xx)."""


class NotThatService(SourceError):
    """What answers is not in the form that the service documents."""


class ForbiddenAddress(SourceError):
    """An address that is never asked, or a redirect to one."""


class NoOpenCopy(SourceError):
    """No copy of a paper is open to everybody."""


class CallsUsedUp(SourceError):
    """The limit of calls is reached. What was answered so far is kept."""


class LibraryError(VouchError):
    """An index of papers cannot be opened or changed, or its name cannot be used."""


class AnswerError(VouchError):
    """What was saved is not an answer from a library that Vouch gave, or was changed."""


class AssessmentError(VouchError):
    """A file is not an assessment that Vouch wrote, is of another paper, or was changed."""


class PromptError(VouchError):
    """A prompt template is missing, or does not have the variables that the code fills in."""


class ModelError(VouchError):
    """A call to a language model failed."""


class NoKey(ModelError):
    """No key is set for the provider."""


class KeyRefused(ModelError):
    """The server does not accept the key, or does not allow it this model (401, 403)."""


class NoCredit(ModelError):
    """The account has no money or quota left (402, or 429 with that reason)."""


class UnknownModel(ModelError):
    """The server has no model of this name (404)."""


class RequestRefused(ModelError):
    """The server cannot take the request as it is (400, 413, 422)."""


class RateLimited(ModelError):
    """Too many requests, even after the client's retries (429)."""


class ModelTimeout(ModelError):
    """No answer within the time allowed for a call."""


class ServerDown(ModelError):
    """The server failed, even after the client's retries (5xx)."""


class ServerUnreachable(ModelError):
    """Nothing answers at the server's address."""


class NotAModelServer(ModelError):
    """Something answers at the address, but not in the form of the provider's interface."""


class BudgetUsedUp(ModelError):
    """The run's own limit of tokens or money is reached. Replies received so far are kept."""


class ReplyError(ModelError):
    """The model answered, and was paid for it, but the answer cannot be used. Its text is kept in the reply."""


class Refused(ReplyError):
    """The model declined to answer."""


class CutOff(ReplyError):
    """The answer ends in the middle, at the limit of output tokens."""


class Unreadable(ReplyError):
    """The answer does not have the form that was asked for."""
