"""One listener for a whole run: each trial's model and tools under addresses of its own."""

from fairtrial.serve.listener import Listener
from fairtrial.serve.mounts import Mounted

__all__ = ["Listener", "Mounted"]
