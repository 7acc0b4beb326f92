-- Private views: where in a stack the frames of the program itself begin.

-- Frames of CUDA's own runtime, linked in or not, and what its headers and its compiler put
-- into a program.
CREATE VIEW _runtime_frame AS
SELECT f.address
FROM _frame AS f
LEFT JOIN _module AS m ON m.id = f.module
WHERE starts_with(f.function, 'libcudart_static_')
  OR regexp_matches(coalesce(m.path, ''), '(^|/)libcud(art|a)\.so[.0-9]*$')
  OR (coalesce(f.file, '') = '' AND regexp_full_match(f.function, '_{0,2}cuda[A-Z]\w*'))
  OR regexp_matches(f.function, '^cudaError cuda[A-Z]\w*<')
  OR starts_with(f.function, '__cudaLaunchKernel_helper(')
  OR starts_with(f.function, '__device_stub__');

-- Stacks that begin within that runtime, and the depth of the program's innermost frame.
CREATE VIEW _entered AS
SELECT id AS stack, min(depth) AS depth
FROM (
  SELECT id, unnest(frames) AS address, unnest(range(len(frames))) AS depth FROM _stack
  WHERE frames[1] IN (SELECT address FROM _runtime_frame)
)
WHERE address NOT IN (SELECT address FROM _runtime_frame)
GROUP BY id;
