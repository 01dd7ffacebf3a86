from .build import write as write
