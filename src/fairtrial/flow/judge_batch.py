"""The story of `judge batch`: a saved run judged through the batch API of the judge's provider.

A batch is on disk before it is sent, and its id before it is waited for. What a killed process
has sent is found again by the next: nothing is sent twice, and what was paid for is fetched.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from fairtrial.cases import Suite
from fairtrial.errors import JudgeError, StoreError, UsageError
from fairtrial.flow.batch_replies import price_of_batch, put_on_file
from fairtrial.flow.batch_waiting import BatchMeans, ended, look_for
from fairtrial.flow.judge_tally import Amount, estimated_tokens
from fairtrial.flow.judging import JudgeOptions, Judging, judges_of, judging_of
from fairtrial.judge import (
    Batches,
    BatchPart,
    BatchState,
    Judge,
    Missing,
    batches_of,
    refuse_without_batches,
    request_name,
)
from fairtrial.records import (
    BatchAsk,
    BatchedUse,
    Json,
    JudgeBatch,
)
from fairtrial.store import BatchFile, Redactor, SavedRun, Unreadable


def judge_in_batches(
    suite: Suite, run: SavedRun, options: JudgeOptions, redactor: Redactor, means: BatchMeans
) -> "BatchJudging":
    """Give what asks about a run in batches; nothing is sent yet.

    Args:
        suite: The cases as they are now.
        run: Whose trials are judged.
        options: The judge.
        redactor: Takes the secrets out of what the judge is shown.
        means: What comes from outside.

    Raises:
        UsageError: No case asks a judge anything, or the judge has no batches.
        StoreError: The run's folder is gone.
    """
    for judge in judges_of(options.judge):
        refuse_without_batches(judge)
    judging = judging_of(options, suite.cases, redactor)
    if judging is None:
        raise UsageError("no case asks a judge anything: none has a `rubric`")
    if run.folder is None:
        raise StoreError(f"{run.name}: the run's folder is gone, and its transcripts with it")
    return BatchJudging(_Trials(suite, run, judging), BatchFile(run.folder), options, means)


def has_open_batches(run: SavedRun) -> bool:
    """Say whether batches of a run were sent whose replies are not on file.

    Raises:
        StoreError: The file of its batches cannot be read.
    """
    return run.folder is not None and bool(BatchFile(run.folder).read().open())


class _Trials:
    """The trials of a run that a judge is to look at."""

    def __init__(self, suite: Suite, run: SavedRun, judging: Judging) -> None:
        self._cases = {case.id: case for case in suite.cases}
        self._run = run
        self._judging = judging

    def missing(self) -> Iterator[tuple[Judge, Missing]]:
        """Give the prompts that no reply is on file for; one trial is in memory at a time."""
        for item in self._run.trajectories():
            if isinstance(item, Unreadable) or item.trajectory.case not in self._cases:
                continue
            case, trajectory = self._cases[item.trajectory.case], item.trajectory
            if self._judging.wants(case, trajectory):
                yield from self._judging.missing(case, trajectory, trajectory.trial or 0)


class BatchJudging:
    """One run and its batches.

    Attributes:
        file: Hold it (`with judging.file:`) while anything is asked, so that nobody else does.
    """

    def __init__(
        self, trials: _Trials, file: BatchFile, options: JudgeOptions, means: BatchMeans
    ) -> None:
        """Keep the parts; callers use `judge_in_batches`."""
        self.file = file
        self._trials = trials
        self._options = options
        self._means = means
        self._judges = {judge.fingerprint: judge for judge in judges_of(options.judge)}
        self._apis: dict[str, Batches] = {}
        self._tried: set[str] = set()  # keys of prompts: one command asks each once
        self._proven: set[str] = set()  # fingerprints of judges that have answered
        self._asked = self._replies = 0
        self._cost = Amount()
        self._failed: Counter[str] = Counter()

    def go(self, *, submit: bool, wait: bool) -> BatchedUse:
        """Fetch what was sent, and send what is missing until a round leaves nothing to ask.

        Replies that cannot be read are asked for once more, in a further round.

        Args:
            submit: Send what is missing, which costs money.
            wait: Wait for batches that have not ended.

        Raises:
            JudgeError: The provider cannot be asked.
            UsageError: A batch was sent for another judge.
            StoreError: A file cannot be read or written.
            KeyboardInterrupt: Somebody would not wait; what was sent goes on.
        """
        try:
            over = self.fetch(wait=wait)
            self._means.show(self.use())
            while submit and over and self.send():
                over = self.fetch(wait=wait)
        except KeyboardInterrupt:
            self._means.say("batches that were sent go on; the same command fetches them")
            raise
        return self.use()

    def fetch(self, *, wait: bool) -> bool:
        """Put the replies of batches that were sent on file.

        Args:
            wait: Wait for those that have not ended.

        Returns:
            Whether all have ended.

        Raises:
            JudgeError: The provider cannot be asked.
            UsageError: A batch was sent for another judge.
            StoreError: A file cannot be read or written.
        """
        for batch in self.file.read().open():
            self._refuse_stranger(batch)
            known = batch if batch.id is not None else self._found_again(batch, wait=wait)
            if known is None or known.id is None:
                continue
            state = ended(known.id, self._api(known.fingerprint), self._means, wait=wait)
            if state is not None:
                self._merge(known, known.id, state)
        return not self.file.read().open()

    def send(self) -> bool:
        """Send what is missing, each prompt once; say whether there was anything.

        The first prompt of each judge is asked at once: that proves key and model, and shows what
        of a request the model takes, before thousands are sent.

        Raises:
            JudgeError: The provider does not take it.
            StoreError: A file cannot be read or written.
        """
        before = self._asked
        self._tried.update(ask.key for batch in self.file.read().open() for ask in batch.asks)
        parts: dict[str, BatchPart] = {}
        for judge, missing in self._trials.missing():
            if missing.key in self._tried:
                continue
            self._tried.add(missing.key)
            if judge.fingerprint not in self._proven:
                self._ask_now(judge, missing)
                self._proven.add(judge.fingerprint)
                continue
            api = self._api(judge.fingerprint)
            part = parts.setdefault(judge.fingerprint, BatchPart(api))
            body = api.model.request(missing.prompt)
            if not part.add(missing, body):
                self._submit(judge, part)
                part = parts[judge.fingerprint] = BatchPart(api)
                part.add(missing, body)
        for fingerprint, part in parts.items():
            self._submit(self._judges[fingerprint], part)
        return self._asked > before

    def use(self) -> BatchedUse:
        """Sum up, and count what is missing now.

        Raises:
            StoreError: A file cannot be read.
        """
        tokens, cost = Amount(), Amount()
        waiting = {ask.key for batch in self.file.read().open() for ask in batch.asks}
        for judge, missing in self._trials.missing():
            if missing.key not in waiting:
                estimate = estimated_tokens(missing.prompt)
                tokens.add((estimate.input or 0) + (estimate.output or 0))
                cost.add(price_of_batch(judge, estimate))
        return BatchedUse(
            judge=self._options.judge.name,
            missing=tokens.parts,
            wanted_tokens=int(tokens.total or 0),
            wanted_cost=cost.total,
            waiting=len(waiting),
            asked=self._asked,
            replies=self._replies,
            cost=self._cost.total,
            failed=dict(self._failed.most_common()),
        )

    def _api(self, fingerprint: str) -> Batches:
        if fingerprint not in self._apis:
            self._apis[fingerprint] = batches_of(self._judges[fingerprint])
        return self._apis[fingerprint]

    def _refuse_stranger(self, batch: JudgeBatch) -> None:
        if batch.fingerprint not in self._judges:
            raise UsageError(
                f"{self.file.path}: a batch was sent for judge {batch.judge} as it was set up then;"
                " set it up so again, or delete the file to give the batch up"
            )

    def _found_again(self, batch: JudgeBatch, *, wait: bool) -> JudgeBatch | None:
        """Give a batch with its id; None where it was not sent, or that is not certain yet."""
        api = self._api(batch.fingerprint)
        looked = look_for(batch, api, self._means, wait=wait)
        batches = self.file.read()
        if looked.id is not None:
            self._means.say(f"{api.provider} {looked.id}: sent before, found again")
            batch = replace(batch, id=looked.id)
            self.file.write(batches.with_batch(batch))
            return batch
        if looked.certain:
            self._means.say(f"{api.provider}: a batch that was about to be sent never was")
            self.file.write(batches.without(batch.key))
        return None

    def _ask_now(self, judge: Judge, missing: Missing) -> None:
        reply = self._api(judge.fingerprint).model.reply(missing.prompt)
        reply = replace(reply, cost=judge.price(reply.tokens) if reply.tokens else None)
        judge.keep(missing, reply)
        self._asked += 1
        self._replies += 1
        self._cost.add(reply.cost)

    def _submit(self, judge: Judge, part: BatchPart) -> None:
        api = self._api(judge.fingerprint)
        batch = JudgeBatch(
            key=self._means.new_key(),
            provider=api.provider,
            judge=judge.name,
            fingerprint=judge.fingerprint,
            since=self._means.now(),
            asks=tuple(map(_ask_of, part.missing)),
        )
        requests: list[tuple[str, Json]] = [
            (request_name(batch.key, number), body) for number, body in enumerate(part.bodies)
        ]
        batches = self.file.read()
        self.file.write(batches.with_batch(batch))  # before it is sent: it is looked for then
        try:
            sent = api.submit(batch.key, requests)
        except JudgeError as error:
            raise JudgeError(
                f"{error}; the same command looks for the batch before it sends it again"
            ) from error
        self.file.write(batches.with_batch(replace(batch, id=sent)))
        self._asked += len(requests)
        self._means.say(f"{api.provider} {sent}: {len(requests):,} requests sent")

    def _merge(self, batch: JudgeBatch, sent: str, state: BatchState) -> None:
        """Put the replies of a batch that has ended on file; those that are there stay."""
        judge, api = self._judges[batch.fingerprint], self._api(batch.fingerprint)
        came = put_on_file(batch, api.outcomes(sent), state, judge, api)
        over = replace(
            batch,
            asks=(),
            ended=state.word,
            replies=came.replies,
            failed=came.failed.total(),
            cost=came.cost.total,
        )
        self.file.write(self.file.read().with_batch(over))
        self._tried.update(ask.key for ask in batch.asks)
        self._replies += came.replies
        self._failed += came.failed
        if came.replies:
            self._cost.add(came.cost.total)


def _ask_of(missing: Missing) -> BatchAsk:
    return BatchAsk(
        key=missing.key,
        marker=missing.prompt.marker,
        case=missing.material.case,
        trial=missing.material.trial,
        item=missing.question.item,
    )
