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

-- Frames of Python, and those of its own modules and of installed packages among them.
CREATE VIEW _python_frame AS
SELECT
  address,
  starts_with(file, '<frozen ')
    OR regexp_matches(file, '/lib/python3|/(site|dist)-packages/') AS of_library
FROM _frame
WHERE address >= 9223372036854775808;

-- Each frame of each stack, by its depth.
CREATE VIEW _depth AS
SELECT id AS stack, unnest(frames) AS address, unnest(range(len(frames))) AS depth
FROM _stack;

-- Where the program's own Python code begins, or if there is none, Python code at all.
CREATE VIEW _entered_python AS
SELECT
  d.stack, coalesce(min(d.depth) FILTER (NOT p.of_library), min(d.depth)) AS depth
FROM _depth AS d
JOIN _python_frame AS p ON p.address = d.address
GROUP BY d.stack;

-- Stacks that begin within a runtime or in what Python code has called, and the depth of the
-- program's innermost frame.
CREATE VIEW _entered AS
SELECT stack, min(depth) AS depth
FROM _depth
WHERE address NOT IN (SELECT address FROM _runtime_frame)
  AND stack IN (
    SELECT id FROM _stack WHERE frames[1] IN (SELECT address FROM _runtime_frame)
  )
  AND stack NOT IN (SELECT stack FROM _entered_python)
GROUP BY stack
UNION ALL
SELECT stack, depth FROM _entered_python;
