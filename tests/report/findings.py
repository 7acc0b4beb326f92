"""Findings made by hand: what a report must be able to say, without a recorder or an engine."""

from dataclasses import replace
from datetime import date

from synctrace.analyzer.baseline import Compared, Known
from synctrace.analyzer.finding import (
    Census,
    Checked,
    Finding,
    Frame,
    Instance,
    Measured,
    Memory,
    MissingEdge,
    OpInfo,
    Place,
    Proposal,
    Share,
    Signature,
    Spender,
    Suppressed,
    SyncPlaces,
    Touch,
)
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.rule import default_ids
from synctrace.analyzer.suppression import Hits, Suppression

GATE = Gate()
SET_INPUT = Place(
    "",
    0,
    (
        Frame("ggml_backend_tensor_set", "/src/ggml/src/ggml-backend.cpp", 301),
        Frame("llm_graph_input_embd::set_input(llama_ubatch const*)", "src/llama-graph.cpp", 28),
        Frame("llama_context::process_ubatch(llama_ubatch const&)", "src/llama-context.cpp", 1190),
        Frame("llama_context::decode(llama_batch const&)", "src/llama-context.cpp", 1511),
        Frame("main", "main.cpp", 12),
    ),
)
COMPUTE = Place(
    "",
    0,
    (
        Frame("ggml_backend_sched_compute_splits", "/src/ggml/src/ggml-backend.cpp", 1569),
        Frame("llama_context::graph_compute", "src/llama-context.cpp", 2010),
    ),
)
LAUNCH = OpInfo(
    419, "graph_launch", "ggml_backend_graph_compute_async", "main", "Vulkan0", "", "split 1",
    "ggml", COMPUTE, ("decode #17", "split 1 (Vulkan0)"), 812_400_000, 812_700_000, None, None,
)  # fmt: skip
WRITE = OpInfo(
    426, "tensor_set", "ggml_backend_tensor_set", "main", "", "", "", "ggml", SET_INPUT,
    ("decode #18",), 812_900_000, 812_903_000, None, None,
)  # fmt: skip
SYNC = OpInfo(
    415, "stream_sync", "ggml_backend_synchronize", "main", "Vulkan0", "", "", "ggml", COMPUTE,
    ("decode #17",), 811_000_000, 811_100_000, None, None,
)  # fmt: skip
EVENT_SYNC = replace(SYNC, id=423, kind="event_sync", call="ggml_backend_event_synchronize",
                     stream="", event="event 3")  # fmt: skip
RACE = Finding(
    id="3f9c1e07",
    rule="RACE05",
    name="graph input rewritten in flight",
    family="race",
    verdict="certain",
    why="",
    severity="error",
    profile="ggml-contract",
    level="ggml",
    ops=(419, 426),
    count=63,
    message="ggml_backend_tensor_set rewrites inp_embd, an input of "
    "ggml_backend_graph_compute_async of split 1 on Vulkan0, while it may still be in flight",
    touches=(
        Touch(LAUNCH, "read", "exact", "inp_embd", "Vulkan0", False),
        Touch(WRITE, "write", "exact", "inp_embd", "HOST", True),
    ),
    memory=Memory("inp_embd", 31, "Vulkan_Host", -1, 4096, 0, 2048),
    edge=MissingEdge("HOST", "Vulkan0", 419, 415, SYNC, EVENT_SYNC, None),
    first=Instance((419, 426), "certain", 0, 2048),
    worst=Instance((931, 940), "certain", 0, 4096),
    verdicts={"certain": 63},
)
assert RACE.edge is not None
GUESS = replace(
    RACE,
    id="77aa0011",
    verdict="range-guess",
    severity="warning",
    count=1,
    first=Instance((419, 426), "range-guess", 0, 2048),
    worst=Instance((419, 426), "range-guess", 0, 2048),
    verdicts={"range-guess": 1},
    touches=(replace(RACE.touches[0], extent="upper_bound"), RACE.touches[1]),
)
LATENT = replace(
    RACE,
    id="51c0ffee",
    rule="RACE02",
    name="write-after-read",
    verdict="latent",
    severity="warning",
    first=Instance((400, 409), "range-guess", 0, 64),
    worst=Instance((419, 426), "latent", 0, 2048),
    verdicts={"latent": 60, "range-guess": 3},
    buffers=3,
    message="cpy_tensor_async on Vulkan1 overwrites x while a launch may still read it",
    touches=(
        RACE.touches[0],
        Touch(
            replace(WRITE, kind="tensor_copy_async", call="cpy_tensor_async", stream="Vulkan1"),
            "write", "exact", "x#copy", "Vulkan1", False,
        ),
    ),
    edge=MissingEdge(
        "Vulkan1", "Vulkan0", 419, None, None, None,
        "after-actor: ggml-backend.cpp: an async copy would normally happen after both backends",
    ),
)  # fmt: skip
NEEDLESS = Finding(
    id="90ab44d2",
    rule="SYNC01",
    name="needless sync",
    family="sync",
    verdict="provable",
    why="unneeded",
    severity="warning",
    profile="ggml-contract",
    level="ggml",
    ops=tuple(range(415, 415 + 252 * 4, 4)),
    count=252,
    message="ggml_backend_synchronize on Vulkan0 orders nothing that is not ordered already",
    sync=SYNC,
    ordinals=(0, 1, 2),
    site_ids=(12, 13, 14),
    site_keys=("3fa2c81b.0", "3fa2c81b.1", "3fa2c81b.2"),
    cost_ns=9_600_000,
    cost_share=0.014,
)
RECORD = replace(LAUNCH, id=414, kind="event_record", call="ggml_backend_event_record",
                 event="event 3", graph="", ended_ns=811_020_000)  # fmt: skip
OVER_BROAD = replace(
    NEEDLESS,
    id="61c0a9b2",
    rule="SYNC02",
    name="over-broad sync",
    ops=NEEDLESS.ops[:2],
    count=2,
    verdict="over-broad",
    why="event",
    message="ggml_backend_synchronize on Vulkan0 waits for more than it must: event 3 is enough",
    proposal=Proposal("event", event="event 3", record=RECORD),
)
STREAM_WAIT = replace(
    OVER_BROAD,
    why="stream-wait",
    proposal=Proposal("stream-wait", streams=("Vulkan1", "CPU"), recorded_on=("Vulkan0",)),
)
LATER = replace(
    OVER_BROAD, why="later", proposal=Proposal("later", before=WRITE, recorded_on=("Vulkan0",))
)
AVOIDABLE = replace(
    NEEDLESS,
    id="0a5b1c77",
    rule="SYNC03",
    name="avoidable sync",
    ops=NEEDLESS.ops[:2],
    count=2,
    verdict="avoidable",
    why="tiny-read",
    severity="note",
    message="ggml_backend_synchronize on Vulkan0 stops the host between launches to read 4 bytes",
    proposal=Proposal("tiny-read", write=LAUNCH, read=SYNC, bytes=4),
)
LOST = Finding(
    id="0d0d0d0d",
    rule="TRACE01",
    name="lost data",
    family="trace",
    verdict="stated",
    why="",
    severity="warning",
    profile="",
    level="",
    ops=(),
    count=1,
    message="some of the run is missing: 3 records dropped",
)
CLEAN = Checked(
    trace="run.synctrace",
    complete=True,
    lost=(),
    dropped=0,
    coverage={"unwatched_host_bytes": 1048576, "upper_bound_ranges": 18, "unknown_mode_ranges": 0},
    profiles=("ggml-contract",),
    passes=("ggml-contract/certain", "ggml-contract/needs"),
    host_orders=("observed",),
    rules=default_ids(),
    census=Census(12480, 2016, 3024, 512, 686_000_000, ("CPU", "Vulkan0", "main"), (), 0),
    findings=(),
    signature=Signature("decode", "iig[CPU]sasascscscscg[Vulkan0]dS:s", 62, 63),
    seconds=0.41,
    syncs=SyncPlaces(3, 8, 2, 1, 1),
)
FOUND = replace(CLEAN, findings=(RACE, LATENT, GUESS, NEEDLESS, OVER_BROAD, AVOIDABLE))
FAULTY = replace(FOUND, faults="the syncs at site 3fa2c81b.0 are left out")
INCOMPLETE = replace(
    CLEAN, complete=False, lost=("3 records dropped",), dropped=3, findings=(LOST,)
)
MEASURED = Measured(
    measure="syncs_per_iteration",
    most=6,
    judge="median",
    iterations=63,
    name="decode",
    median=7,
    worst=9,
    worst_at="decode #3",
    exceeded=60,
    over=True,
    spenders=(Spender(COMPUTE, 378), Spender(SET_INPUT, 66)),
)
OVER_BUDGET = Finding(
    id="b0d6e701",
    rule="SYNC11",
    name="exceeded budget",
    family="sync",
    verdict="over-budget",
    why="syncs_per_iteration",
    severity="error",
    profile="",
    level="ggml",
    ops=(415, 423),
    count=60,
    message="an iteration spends more than its budget: 7 host waits in the median of 63, 6 allowed",
    sync=SYNC,
    budget=MEASURED,
)
KNOWN = Known("0ld0ld00", "RACE01", "race", "error", "certain", "ggml-contract", "f [1] reads x")
SUPPRESSION = Suppression("issue 18313", rule="RACE", site="set_*", buffer="inp_*")
GATED = replace(
    FOUND,
    findings=(
        replace(OVER_BUDGET, status="new"),
        replace(RACE, status="new", was="warning, latent"),
        replace(LATENT, status="known"),
        replace(NEEDLESS, status="known"),
    ),
    suppressed=(Suppressed(GUESS, SUPPRESSION.reason),),
    share=Share(8995, 10000),
    budgets=(MEASURED,),
)
SUPPRESSED = replace(
    CLEAN,
    trace="other.synctrace",
    suppressed=(Suppressed(RACE, SUPPRESSION.reason),),
    share=Share(12480, 12480),
    budgets=(Measured("syncs_per_iteration", 6, "median", whole=2016, why="no iterations"),),
)
GATES_FOUND = Gate(
    fail_on="warning",
    max_findings=1,
    min_coverage=90,
    baseline=Compared("ci/base.json", (KNOWN,)),
    suppressions=(
        Hits(SUPPRESSION, 2, 64),
        Hits(Suppression("fixed by now", id="0ddba11d"), 0, 0),
        Hits(Suppression("until 1.4", id="cafe0042", until=date(2026, 1, 31)), 1, 3, expired=True),
        Hits(Suppression("a profiler", rule="SYNC01", site="p*"), 0, 0, asked=False),
    ),
    unjudged=("launches",),
    unused_allowances=("llama_synchronize",),
    config="synctrace.toml",
)
