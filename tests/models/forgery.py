"""SQL of somebody who wants to delete the records of a post and may write to the tables, but does not own them."""

FORGED_REVISION = """
    INSERT INTO blog_engine_revision (post_id, identifier, payload, created_at)
    SELECT id, current_revision_identifier, '{}', created_at FROM blog_engine_post WHERE id = %s
"""
FORGED_BASELINE = """
    INSERT INTO blog_engine_baseline
        (post_id, adopted_revision_id, provenance, source_system, source_id, adopted_at, created_at)
    SELECT post_id, id, 'unknown', 'forged', CAST(id AS text), created_at, created_at
    FROM blog_engine_revision WHERE post_id = %s LIMIT 1
"""
FORGED_ADOPTION = """
    INSERT INTO blog_engine_publication (post_id, revision_id, entry_type, occurred_at, created_at)
    SELECT post_id, id, 'adopted', created_at, created_at FROM blog_engine_revision WHERE post_id = %s LIMIT 1
"""
PERMIT = "INSERT INTO blog_engine_historypermit (post_id, never_id) VALUES (%s, 0)"
DELETIONS = {
    name: f"DELETE FROM blog_engine_{name} WHERE post_id = %s"  # noqa: S608  our own tables
    for name in ("approval", "publication", "connectiondeclaration", "baseline", "revision")
}
