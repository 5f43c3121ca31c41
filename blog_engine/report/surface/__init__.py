"""The surface report: what readers get, compared with what was recorded (records.md 16)."""
