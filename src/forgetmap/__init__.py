"""forgetmap: what did it forget?"""

__version__ = "0.1.0.dev0"
