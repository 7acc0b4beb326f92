"""A small split-graph scheduler whose every copy, event, sync and launch is recorded.

Read, a page or two each: `graph` (tensors), `split` (runs of nodes of one backend), `buffers`
(homes, input copies, ring slots), `scheduler` (one token, and the calls that policies are made of),
`policy` (the right ones), `history` (the wrong ones, each with its fix).

Around it: `model` is a graph to run, `token_loop` runs it. `device` says what a device can do:
`cpu*` are devices made of threads, `host` is the CPU backend, `cupy_*` are GPUs. `handover` and
`busy` are helpers of the examples.
"""
