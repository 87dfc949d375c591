"""Serves a GGUF model with OpenAI's API on loopback until standard input ends.

    model_server.py FILE PORT
"""

import sys

import xllamacpp

SLOTS, CONTEXT = 2, 4096

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {"smollm2"}
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[2])
params.n_parallel = SLOTS
params.n_ctx = SLOTS * CONTEXT
# More threads than free cores wait for each other in loops.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1

server = xllamacpp.Server(params)
sys.stdin.buffer.read()
