from .client import Client
from .transport import PassimError, ServerEvent

__all__ = ["Client", "PassimError", "ServerEvent"]
