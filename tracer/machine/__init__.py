"""What machine this is: its GPUs, and counters of it while a program runs."""
