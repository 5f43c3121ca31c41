"""Reading the exports of WordPress (WXR)."""
