"""Import of a rocprofv3 database (rocpd): what it holds of a HIP program, as a trace."""
