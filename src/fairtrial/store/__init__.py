"""Files of trials: recordings in, the run folder and the JSON report out, and runs found again."""

from fairtrial.store.batch_file import BatchFile
from fairtrial.store.claiming import claim, claimed_where_free
from fairtrial.store.document import write_report
from fairtrial.store.finding import find_run
from fairtrial.store.json_file import (
    read_numbered,
    read_records,
    write_json,
    write_lines,
    write_pieces,
)
from fairtrial.store.label_file import LabelFile
from fairtrial.store.layout import CASES, EXTRA, RUN, TRIALS, run_folder
from fairtrial.store.past import keep_past_runs, past_runs
from fairtrial.store.recordings import Recording, Unreadable, read_recordings
from fairtrial.store.redaction import Redactor, known_secrets
from fairtrial.store.replies import ReplyFile
from fairtrial.store.run_ids import new_run_id
from fairtrial.store.saved_run import SavedRun
from fairtrial.store.secret_names import SECRET_NAMES
from fairtrial.store.shown_run import shown_cases, shown_states, shown_trials
from fairtrial.store.text_file import write_text
from fairtrial.store.transcripts import Transcripts
from fairtrial.store.trial_numbers import TrialNumbers
from fairtrial.store.unread import UnknownField, unknown_fields
from fairtrial.store.writer import RunWriter

__all__ = [
    "CASES",
    "EXTRA",
    "RUN",
    "SECRET_NAMES",
    "TRIALS",
    "BatchFile",
    "LabelFile",
    "Recording",
    "Redactor",
    "ReplyFile",
    "RunWriter",
    "SavedRun",
    "Transcripts",
    "TrialNumbers",
    "UnknownField",
    "Unreadable",
    "claim",
    "claimed_where_free",
    "find_run",
    "keep_past_runs",
    "known_secrets",
    "new_run_id",
    "past_runs",
    "read_numbered",
    "read_recordings",
    "read_records",
    "run_folder",
    "shown_cases",
    "shown_states",
    "shown_trials",
    "unknown_fields",
    "write_json",
    "write_lines",
    "write_pieces",
    "write_report",
    "write_text",
]
