-- Accesses to the same bytes without an order, one row a pair of places.
SELECT
  c.profile,                              -- Memory model under which there is no edge.
  c.verdict,                              -- certain, latent, … (view conflict).
  c.hazard,                               -- read-after-write, write-after-read, write-after-write.
  c.first_op,                             -- op.id of the access that comes first in the trace.
  c.first_kind,                           -- What it does.
  c.second_op,                            -- op.id of the other.
  c.second_kind,                          -- What it does.
  s.name AS storage,                      -- Name of the memory.
  c.lo_byte,                              -- First byte both touch.
  c.hi_byte,                              -- End.
  c.count,                                -- Racy instances of this pair of places.
  c.known_op,                             -- Last op of the first timeline that the second knows; NULL: none.
  c.present_op                            -- Sync that gave that knowledge; NULL: none.
FROM conflict AS c
LEFT JOIN storage AS s ON s.id = c.storage
ORDER BY c.first_op, c.second_op
