-- Private view: when a device worked for an op, where that was told apart from the op itself.

-- From the start of the first piece of its work to the end of the last.
CREATE VIEW _worked AS
SELECT op, min(t_s) AS t_s, max(t_e) AS t_e
FROM _device_work
GROUP BY op;
