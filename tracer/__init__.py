"""Stage record and trace: run the program, write and read the trace. Never imports the analyzer."""
