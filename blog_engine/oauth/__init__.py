"""The authorization server of the blog: people connect agents by URL (the setting ``oauth``).

Built on django-oauth-toolkit, whose models are only imported by ``server`` and what imports it.
"""
