"""The operations of the API and the agent endpoint: input, required scope, answer and refusals."""
