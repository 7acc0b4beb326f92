-- Accesses to the same bytes without an order, one row a pair of places.
SELECT
  c.profile, c.verdict, c.hazard, c.first_op, c.first_kind, c.second_op, c.second_kind,
  s.name AS storage, c.lo_byte, c.hi_byte, c.count, c.known_op, c.present_op
FROM conflict AS c
LEFT JOIN storage AS s ON s.id = c.storage
ORDER BY c.first_op, c.second_op
