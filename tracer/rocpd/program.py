"""What a program has at a time: its devices, memory, streams, events and graphs."""

from collections import Counter
from dataclasses import dataclass, field

from synctrace.tracer.rocpd.arguments import STREAM, number
from synctrace.tracer.rocpd.database import Call, Calls
from synctrace.tracer.rocpd.functions import PER_THREAD as PER_THREAD_NAME
from synctrace.tracer.rocpd.handles import NULL, PER_THREAD, Events, Graphs, Stream, Streams
from synctrace.tracer.rocpd.memory import Memories
from synctrace.tracer.rocpd.rows import Rows
from synctrace.tracer.rocpd.tickets import Tickets


@dataclass
class Program:
    """Followed call by call. `ordinals`: HIP's device ordinals by row of rocpd_info_agent."""

    rows: Rows
    tickets: Tickets
    calls: Calls
    memories: Memories
    streams: Streams
    events: Events
    graphs: Graphs
    ordinals: dict[int, int]
    coverage: Counter[str] = field(default_factory=Counter)
    registered: dict[int, tuple[int, int]] = field(default_factory=dict)  # size, device by address
    captures: set[int] = field(default_factory=set)  # graph.ids of those that go on
    current: dict[int, int] = field(default_factory=dict)  # device of each thread
    graphs_have_events: bool = False
    has_foreign_events: bool = False

    def device(self, thread: int) -> int:
        """The thread's current device."""
        return self.current.get(thread, 0)

    def ordinal(self, agent: int | None) -> int | None:
        """HIP's ordinal of a GPU; None: it is none, or not visible."""
        return None if agent is None else self.ordinals.get(agent)

    def stream(self, call: Call, thread: int, is_named: bool) -> Stream | None:
        """The stream of the call; None: it names one that is not in the database.

        `thread`: actor.id of the caller; `is_named`: the function has a parameter for it.
        """
        handle = number(call.arguments, *STREAM) if is_named else NULL
        if handle is None:
            return None
        if handle == NULL and call.name.endswith(PER_THREAD_NAME):
            handle = PER_THREAD
        ran_on = self.ordinal(call.work.agent) if call.work else None
        device = self.device(thread) if ran_on is None else ran_on
        return self.streams.of(handle, thread, device, self.tickets.next)
