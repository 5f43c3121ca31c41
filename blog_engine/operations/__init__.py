"""The catalogue: what can be asked of the engine, by whom, with which input and which answer."""
