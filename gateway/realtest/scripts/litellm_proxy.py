"""Runs the LiteLLM proxy with its own arguments until standard input ends."""

import os
import sys
import threading


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()

from litellm import run_server  # noqa: E402

run_server()
