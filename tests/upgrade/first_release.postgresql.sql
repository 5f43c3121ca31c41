




CREATE FUNCTION public.blog_engine_approval_no_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_historypermit WHERE post_id = $1)', TG_TABLE_SCHEMA) INTO met USING OLD.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_approval: a row of the history cannot be deleted', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$_$;



CREATE FUNCTION public.blog_engine_approval_no_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_approval: a row of the history cannot be changed', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_approval_revision_id_own() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_revision WHERE id = $1 AND post_id = $2)', TG_TABLE_SCHEMA) INTO met USING NEW.revision_id, NEW.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_approval: revision_id is a revision of another post', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$_$;



CREATE FUNCTION public.blog_engine_baseline_adopted_revision_id_own() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_revision WHERE id = $1 AND post_id = $2)', TG_TABLE_SCHEMA) INTO met USING NEW.adopted_revision_id, NEW.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_baseline: adopted_revision_id is a revision of another post', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$_$;



CREATE FUNCTION public.blog_engine_baseline_no_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_historypermit WHERE post_id = $1)', TG_TABLE_SCHEMA) INTO met USING OLD.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_baseline: a row of the history cannot be deleted', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$_$;



CREATE FUNCTION public.blog_engine_baseline_no_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_baseline: a row of the history cannot be changed', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_connectiondeclaration_no_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_historypermit WHERE post_id = $1)', TG_TABLE_SCHEMA) INTO met USING OLD.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_connectiondeclaration: a row of the history cannot be deleted', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$_$;



CREATE FUNCTION public.blog_engine_connectiondeclaration_no_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_connectiondeclaration: a row of the history cannot be changed', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_historypermit_only_adopted() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_baseline WHERE post_id = $1 AND NOT EXISTS (SELECT 1 FROM %1$I.blog_engine_publication WHERE post_id = $1 AND entry_type <> $2))', TG_TABLE_SCHEMA) INTO met USING NEW.post_id, 'adopted';
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_historypermit: only an adoption that nothing followed can be replaced', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$_$;



CREATE FUNCTION public.blog_engine_image_no_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_image: a row of the history cannot be deleted', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_image_no_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_image: a row of the history cannot be changed', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_post_public_revision_id_own() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  IF NEW.public_revision_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.public_revision_id IS DISTINCT FROM OLD.public_revision_id) THEN EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_revision WHERE id = $1 AND post_id <> $2)', TG_TABLE_SCHEMA) INTO met USING NEW.public_revision_id, NEW.id; END IF;
  IF met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_post: public_revision_id is a revision of another post', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$_$;



CREATE FUNCTION public.blog_engine_publication_no_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_historypermit WHERE post_id = $1)', TG_TABLE_SCHEMA) INTO met USING OLD.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_publication: a row of the history cannot be deleted', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$_$;



CREATE FUNCTION public.blog_engine_publication_no_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_publication: a row of the history cannot be changed', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_publication_revision_id_own() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_revision WHERE id = $1 AND post_id = $2)', TG_TABLE_SCHEMA) INTO met USING NEW.revision_id, NEW.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_publication: revision_id is a revision of another post', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$_$;



CREATE FUNCTION public.blog_engine_revision_no_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_historypermit WHERE post_id = $1)', TG_TABLE_SCHEMA) INTO met USING OLD.post_id;
  IF NOT met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_revision: a row of the history cannot be deleted', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$_$;



CREATE FUNCTION public.blog_engine_revision_no_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE met boolean := false;
BEGIN
  
  IF true THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_revision: a row of the history cannot be changed', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;



CREATE FUNCTION public.blog_engine_revision_not_claimed() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE met boolean := false;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %1$I.blog_engine_post WHERE public_revision_id = $1 AND id <> $2)', TG_TABLE_SCHEMA) INTO met USING NEW.id, NEW.post_id;
  IF met THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = 'blog_engine_revision: another post calls this revision its public one', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$_$;





CREATE TABLE public.blog_engine_apitoken (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    name character varying(255) NOT NULL,
    token_digest character varying(64) NOT NULL,
    token_prefix character varying(8) NOT NULL,
    scopes jsonb NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone
);



ALTER TABLE public.blog_engine_apitoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_apitoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_approval (
    id bigint NOT NULL,
    kind character varying(20) NOT NULL,
    reviewer_name character varying(255) NOT NULL,
    facts_checked boolean NOT NULL,
    approved_at timestamp with time zone NOT NULL,
    declared_on date,
    declared_by character varying(255),
    confirmed_by character varying(255),
    evidence text,
    recorded_by character varying(255),
    created_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL,
    revision_id bigint NOT NULL,
    CONSTRAINT blog_engine_approval_declared CHECK (((NOT ((kind)::text = 'declared'::text)) OR ((declared_by IS NOT NULL) AND (declared_on IS NOT NULL) AND (NOT (((declared_by)::text = ''::text) AND (declared_by IS NOT NULL)))))),
    CONSTRAINT blog_engine_approval_imported CHECK (((NOT ((kind)::text = 'imported'::text)) OR ((confirmed_by IS NOT NULL) AND (evidence IS NOT NULL) AND (NOT (((confirmed_by)::text = ''::text) AND (confirmed_by IS NOT NULL))) AND (NOT ((evidence = ''::text) AND (evidence IS NOT NULL)))))),
    CONSTRAINT blog_engine_approval_kind CHECK (((kind)::text = ANY ((ARRAY['sent'::character varying, 'imported'::character varying, 'declared'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_approval ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_approval_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_author (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(200) NOT NULL,
    type character varying(20) NOT NULL,
    bio text NOT NULL,
    url character varying(2048),
    profile_urls jsonb NOT NULL,
    host_reference character varying(255),
    avatar_file character varying(100) NOT NULL,
    avatar_id bigint,
    CONSTRAINT blog_engine_author_type CHECK (((type)::text = ANY ((ARRAY['person'::character varying, 'organization'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_author ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_author_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_baseline (
    id bigint NOT NULL,
    adopted_at timestamp with time zone NOT NULL,
    provenance character varying(20) NOT NULL,
    provenance_evidence text,
    first_published_at timestamp with time zone,
    first_published_evidence text,
    declared_first_published_at timestamp with time zone,
    last_modified_at timestamp with time zone,
    last_modified_evidence text,
    source_system character varying(255) NOT NULL,
    source_id character varying(255) NOT NULL,
    source_body_sha256 character varying(64),
    adopted_by character varying(255),
    created_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL,
    adopted_revision_id bigint NOT NULL,
    CONSTRAINT blog_engine_baseline_one_first_date CHECK (((first_published_at IS NULL) OR (declared_first_published_at IS NULL))),
    CONSTRAINT blog_engine_baseline_provenance CHECK (((provenance)::text = ANY ((ARRAY['ai_assisted'::character varying, 'human_written'::character varying, 'unknown'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_baseline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_baseline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_category (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(200) NOT NULL,
    description text NOT NULL,
    "position" integer NOT NULL
);



ALTER TABLE public.blog_engine_category ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_category_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_connectiondeclaration (
    id bigint NOT NULL,
    connections jsonb NOT NULL,
    third_party_paid boolean NOT NULL,
    declared_by character varying(255) NOT NULL,
    declared_on date NOT NULL,
    recorded_by character varying(255),
    created_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL
);



ALTER TABLE public.blog_engine_connectiondeclaration ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_connectiondeclaration_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_faq (
    id bigint NOT NULL,
    "position" integer NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL,
    CONSTRAINT blog_engine_faq_position_positive CHECK (("position" >= 1))
);



ALTER TABLE public.blog_engine_faq ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_faq_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_historypermit (
    id bigint NOT NULL,
    never_id bigint NOT NULL,
    post_id bigint NOT NULL,
    CONSTRAINT blog_engine_history_permit_id CHECK ((id >= 1)),
    CONSTRAINT blog_engine_history_permit_never CHECK ((never_id = 0))
);



ALTER TABLE public.blog_engine_historypermit ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_historypermit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_image (
    id bigint NOT NULL,
    sha256 character varying(64) NOT NULL,
    filename character varying(255) NOT NULL,
    content_type character varying(100) NOT NULL,
    byte_size bigint NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    is_animated boolean NOT NULL,
    has_location boolean NOT NULL,
    source_url character varying(2048),
    uploaded_by character varying(255),
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT blog_engine_image_dimensions CHECK (((height >= 1) AND (width >= 1))),
    CONSTRAINT blog_engine_image_size CHECK ((byte_size >= 0))
);



ALTER TABLE public.blog_engine_image ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_image_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_pageview (
    id bigint NOT NULL,
    day date NOT NULL,
    views integer NOT NULL,
    post_id bigint NOT NULL
);



ALTER TABLE public.blog_engine_pageview ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_pageview_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_policypage (
    id bigint NOT NULL,
    kind character varying(30) NOT NULL,
    slug character varying(200) NOT NULL,
    title character varying(255) NOT NULL,
    body text NOT NULL,
    body_html text NOT NULL,
    rendered_with character varying(64) NOT NULL,
    status character varying(20) NOT NULL,
    approved_by character varying(255),
    approved_on date,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT blog_engine_policy_page_kind CHECK (((kind)::text = ANY ((ARRAY['responsible_party'::character varying, 'corrections'::character varying, 'editorial'::character varying, 'ai_use'::character varying])::text[]))),
    CONSTRAINT blog_engine_policy_page_status CHECK (((status)::text = ANY ((ARRAY['draft'::character varying, 'published'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_policypage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_policypage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_post (
    id bigint NOT NULL,
    slug character varying(200) NOT NULL,
    external_id character varying(255),
    title character varying(255) NOT NULL,
    description text NOT NULL,
    search_title character varying(255) NOT NULL,
    search_description text NOT NULL,
    body_format character varying(20) NOT NULL,
    body text NOT NULL,
    author_name character varying(255) NOT NULL,
    series_position integer,
    featured boolean NOT NULL,
    canonical_url character varying(2048),
    cover_alt character varying(255) NOT NULL,
    provenance character varying(20) NOT NULL,
    provenance_evidence text,
    status character varying(20) NOT NULL,
    publish_at timestamp with time zone,
    published_at timestamp with time zone,
    modified_at timestamp with time zone,
    listed_at timestamp with time zone NOT NULL,
    current_revision_identifier character varying(64) NOT NULL,
    body_image_manifest jsonb NOT NULL,
    body_image_source_digest character varying(64),
    images_verified boolean NOT NULL,
    body_html text NOT NULL,
    outline jsonb NOT NULL,
    rendered_with character varying(64) NOT NULL,
    body_facts jsonb NOT NULL,
    excerpt text NOT NULL,
    word_count integer NOT NULL,
    reading_time_minutes integer NOT NULL,
    description_key character varying(64) NOT NULL,
    indexed_title text NOT NULL,
    indexed_description text NOT NULL,
    indexed_faq text NOT NULL,
    indexed_body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    author_id bigint NOT NULL,
    category_id bigint,
    cover_image_id bigint,
    social_image_id bigint,
    public_revision_id bigint,
    series_id bigint,
    search_vector tsvector GENERATED ALWAYS AS ((((setweight(to_tsvector('simple'::regconfig, translate(
CASE
    WHEN (octet_length("left"(indexed_title, 4096)) <= 4096) THEN "left"(indexed_title, 4096)
    WHEN (octet_length("left"(indexed_title, 3072)) <= 4096) THEN "left"(indexed_title, 3072)
    WHEN (octet_length("left"(indexed_title, 2048)) <= 4096) THEN "left"(indexed_title, 2048)
    WHEN (octet_length("left"(indexed_title, 1365)) <= 4096) THEN "left"(indexed_title, 1365)
    ELSE "left"(indexed_title, 1024)
END, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, '                                '::text)), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, translate(
CASE
    WHEN (octet_length("left"(indexed_description, 61440)) <= 61440) THEN "left"(indexed_description, 61440)
    WHEN (octet_length("left"(indexed_description, 46080)) <= 61440) THEN "left"(indexed_description, 46080)
    WHEN (octet_length("left"(indexed_description, 30720)) <= 61440) THEN "left"(indexed_description, 30720)
    WHEN (octet_length("left"(indexed_description, 20480)) <= 61440) THEN "left"(indexed_description, 20480)
    ELSE "left"(indexed_description, 15360)
END, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, '                                '::text)), 'B'::"char")) || setweight(to_tsvector('simple'::regconfig, translate(
CASE
    WHEN (octet_length("left"(indexed_faq, 195584)) <= 195584) THEN "left"(indexed_faq, 195584)
    WHEN (octet_length("left"(indexed_faq, 146688)) <= 195584) THEN "left"(indexed_faq, 146688)
    WHEN (octet_length("left"(indexed_faq, 97792)) <= 195584) THEN "left"(indexed_faq, 97792)
    WHEN (octet_length("left"(indexed_faq, 65194)) <= 195584) THEN "left"(indexed_faq, 65194)
    ELSE "left"(indexed_faq, 48896)
END, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, '                                '::text)), 'C'::"char")) || setweight(to_tsvector('simple'::regconfig, translate(
CASE
    WHEN (octet_length("left"(indexed_body, 262144)) <= 262144) THEN "left"(indexed_body, 262144)
    WHEN (octet_length("left"(indexed_body, 196608)) <= 262144) THEN "left"(indexed_body, 196608)
    WHEN (octet_length("left"(indexed_body, 131072)) <= 262144) THEN "left"(indexed_body, 131072)
    WHEN (octet_length("left"(indexed_body, 87381)) <= 262144) THEN "left"(indexed_body, 87381)
    ELSE "left"(indexed_body, 65536)
END, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, '                                '::text)), 'D'::"char"))) STORED,
    CONSTRAINT blog_engine_post_body_format CHECK (((body_format)::text = ANY ((ARRAY['markdown'::character varying, 'rich_text'::character varying])::text[]))),
    CONSTRAINT blog_engine_post_position_positive CHECK (((series_position IS NULL) OR (series_position >= 1))),
    CONSTRAINT blog_engine_post_provenance CHECK (((provenance)::text = ANY ((ARRAY['ai_assisted'::character varying, 'human_written'::character varying, 'unknown'::character varying])::text[]))),
    CONSTRAINT blog_engine_post_public_has_revision CHECK (((NOT ((status)::text = 'published'::text)) OR (public_revision_id IS NOT NULL))),
    CONSTRAINT blog_engine_post_scheduled_has_time CHECK (((NOT ((status)::text = 'scheduled'::text)) OR (publish_at IS NOT NULL))),
    CONSTRAINT blog_engine_post_status CHECK (((status)::text = ANY ((ARRAY['draft'::character varying, 'scheduled'::character varying, 'published'::character varying, 'archived'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_post ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_post_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_posttag (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL,
    tag_id bigint NOT NULL
);



ALTER TABLE public.blog_engine_posttag ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_posttag_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_publication (
    id bigint NOT NULL,
    entry_type character varying(20) NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    released_by character varying(255),
    description text,
    note text,
    created_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL,
    revision_id bigint NOT NULL,
    CONSTRAINT blog_engine_publication_correction_note CHECK (((NOT ((entry_type)::text = 'correction'::text)) OR ((note IS NOT NULL) AND (NOT ((note = ''::text) AND (note IS NOT NULL)))))),
    CONSTRAINT blog_engine_publication_type CHECK (((entry_type)::text = ANY ((ARRAY['first'::character varying, 'substantive'::character varying, 'correction'::character varying, 'maintenance'::character varying, 'adopted'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_publication ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_publication_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_redirect (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    old_path character varying(2048) NOT NULL,
    old_key character varying(64) NOT NULL,
    new_path character varying(2048),
    new_key character varying(64),
    source character varying(20) NOT NULL,
    occurred_on date NOT NULL,
    post_id bigint,
    CONSTRAINT blog_engine_redirect_source CHECK (((source)::text = ANY ((ARRAY['slug_change'::character varying, 'removal'::character varying, 'unpublish'::character varying, 'adoption'::character varying, 'manual'::character varying])::text[])))
);



ALTER TABLE public.blog_engine_redirect ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_redirect_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_revision (
    id bigint NOT NULL,
    identifier character varying(64) NOT NULL,
    payload text NOT NULL,
    actor character varying(255),
    made_by_ai boolean,
    created_at timestamp with time zone NOT NULL,
    post_id bigint NOT NULL
);



ALTER TABLE public.blog_engine_revision ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_revision_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_series (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(200) NOT NULL,
    description text NOT NULL
);



ALTER TABLE public.blog_engine_series ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_series_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.blog_engine_tag (
    id bigint NOT NULL,
    name character varying(255) NOT NULL,
    key character varying(1020) NOT NULL,
    slug character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL
);



ALTER TABLE public.blog_engine_tag ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_engine_tag_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



INSERT INTO public.blog_engine_apitoken VALUES (1, '2026-01-05 09:30:00.123456+00', '2026-11-22 02:01:35.786917+00', 'Agent 🤖', 'eee3e1da86e70d37264e278aefe875ccd218c7448e200ec2b76c1d8423503906', 'be_M95Bg', '["read", "write"]', NULL, NULL, NULL);
INSERT INTO public.blog_engine_apitoken VALUES (2, '2026-01-05 09:30:00.123456+00', '2026-11-22 02:01:35.788065+00', 'Old', 'f1f94c3e639480548d1594d02d85b70edfe150c5fbda37777988c6d65b289ade', 'be_dtPj2', '["read", "write", "publish"]', NULL, '2026-04-05 09:30:00.123456+00', '2026-01-05 09:30:00.123456+00');



INSERT INTO public.blog_engine_approval VALUES (1, 'sent', 'Rosa Réviseuse', true, '2026-01-05 10:30:00.123456+00', NULL, NULL, NULL, NULL, 'Inès Éditrice', '2026-01-05 10:30:00.123456+00', 1, 1);
INSERT INTO public.blog_engine_approval VALUES (2, 'sent', 'Rosa Réviseuse', false, '2026-01-10 09:30:00.123456+00', NULL, NULL, NULL, NULL, 'Inès Éditrice', '2026-01-10 09:30:00.123456+00', 2, 5);
INSERT INTO public.blog_engine_approval VALUES (3, 'declared', 'Ólafur', true, '2011-05-06 07:08:09.000001+00', '2026-01-02', 'Inès Éditrice', NULL, NULL, 'Importer', '2026-01-20 09:30:00.123456+00', 9, 10);



INSERT INTO public.blog_engine_author VALUES (2, '2026-11-22 02:01:35.550073+00', '2026-11-22 02:01:35.550166+00', 'Ada Example', 'ada-example', 'person', '', NULL, '[]', NULL, '', NULL);
INSERT INTO public.blog_engine_author VALUES (1, '2026-11-22 02:01:35.171632+00', '2026-11-22 02:01:35.171962+00', 'Mina Hölt', 'mina-holt', 'person', 'Gärtnerin', 'https://example.com/mina', '["https://example.org/@mina"]', NULL, '', NULL);



INSERT INTO public.blog_engine_baseline VALUES (1, '2026-01-20 09:30:00.123456+00', 'unknown', NULL, '2011-05-06 07:08:09.000001+00', 'WordPress export of 2026-01-01 “posts.xml”', NULL, '2019-02-03 00:00:00+00', 'WordPress export of 2026-01-01 “posts.xml”', 'wordpress', '?p=4711', 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'Importer', '2026-01-20 09:30:00.123456+00', 9, 10);



INSERT INTO public.blog_engine_category VALUES (1, '2026-11-22 02:01:35.174909+00', '2026-11-22 02:01:35.17502+00', 'Gardening', 'gardening', '', 0);



INSERT INTO public.blog_engine_connectiondeclaration VALUES (1, '[{"party": "Müller & Søn", "relation": "sent the seeds 🌰"}]', false, 'Inès Éditrice', '2026-01-09', 'Inès Éditrice', '2026-01-09 09:30:00.123456+00', 1);
INSERT INTO public.blog_engine_connectiondeclaration VALUES (2, '[]', true, 'Inès Éditrice', '2026-01-10', 'Inès Éditrice', '2026-01-10 09:30:00.123456+00', 2);



INSERT INTO public.blog_engine_faq VALUES (1, 1, 'When? ❓', 'In March.
Or April.', '2026-01-05 09:30:00.123456+00', '2026-01-05 09:30:00.123456+00', 1);
INSERT INTO public.blog_engine_faq VALUES (2, 2, 'Why?', '<b>Joy</b>', '2026-01-05 09:30:00.123456+00', '2026-01-05 09:30:00.123456+00', 1);






INSERT INTO public.blog_engine_image VALUES (1, 'abababababababababababababababababababababababababababababababab', 'hafen-größe.png', 'image/png', 68, 1200, 630, false, true, 'https://example.org/hafen.png', 'Inès Éditrice', '2026-01-20 09:30:00.123456+00');



INSERT INTO public.blog_engine_pageview VALUES (1, '2026-01-20', 17, 1);



INSERT INTO public.blog_engine_policypage VALUES (1, 'corrections', 'corrections', 'Corrections — Berichtigungen', 'We *correct* mistakes.', '', '', 'published', 'Inès Éditrice', '2026-01-03', '2026-01-05 09:30:00.123456+00');



INSERT INTO public.blog_engine_post VALUES (1, 'winter-garden', 'first-1', 'Winter garden', 'What grows in winter. ÉTÉ & <i>more</i>', '', '', 'markdown', '# Jardin d''hiver 🌿

Combining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.
Old Macline ends, too.

## Tools

- [x] a spade
- [ ] a rake[^1]

| Tool | Use |
| --- | --- |
| spade | digging |

```python
print("soil")
```

[^1]: Borrowed from the <b>neighbour</b> & never returned.

More!', 'Mina Hölt', 1, true, NULL, '', 'ai_assisted', 'Drafted by an agent, see ticket 7', 'published', NULL, '2026-01-05 11:30:00.123456+00', '2026-01-07 09:30:00.123456+00', '2026-01-05 11:30:00.123456+00', 'c7eff25291fbf34b75099a75a855c3eff740506815e9ade16bf406fb60f89ea2', '[]', '6c22cb0e1bf4a4783d64f1b3d330fe53869da6739ffe20feeafc231fcf5e739c', true, '<h2 id="jardin-d-hiver-herb">Jardin d''hiver 🌿 <a class="blog-heading-anchor" href="#jardin-d-hiver-herb" aria-label="Link to Jardin d&#x27;hiver 🌿">#</a></h2>
<p>Combining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.<br>
Old Mac<br>
line ends, too.</p>
<h3 id="tools">Tools <a class="blog-heading-anchor" href="#tools" aria-label="Link to Tools">#</a></h3>
<ul class="blog-tasks">
<li class="blog-task"><input class="blog-task-box" disabled type="checkbox" checked aria-label="a spade"> a spade</li>
<li class="blog-task"><input class="blog-task-box" disabled type="checkbox" aria-label="a rake1"> a rake<sup id="fn-1-ref-1"><a class="blog-footnote-ref" href="#fn-1-1" role="doc-noteref">1</a></sup></li>
</ul>
<div class="blog-table" tabindex="0" role="group" aria-label="Table"><table>
<thead>
<tr>
<th>Tool</th>
<th>Use</th>
</tr>
</thead>
<tbody>
<tr>
<td>spade</td>
<td>digging</td>
</tr>
</tbody>
</table></div>
<div class="blog-highlight" data-lang="python"><span class="blog-code-lang" aria-hidden="true">python</span><pre tabindex="0" role="group" aria-label="Code: python"><code><span class="nb">print</span><span class="p">(</span><span class="s2">"soil"</span><span class="p">)</span>
</code></pre><button type="button" class="blog-copy" hidden data-blog-copy aria-label="Copy code">Copy</button></div>
<p>More!</p>
<section class="blog-footnotes" role="doc-endnotes" aria-label="Footnotes">
<ol>
<li id="fn-1-1"><p>Borrowed from the neighbour &amp; never returned. <a class="blog-footnote-back" href="#fn-1-ref-1" role="doc-backlink" aria-label="Back to reference 1">↩︎</a></p>
</li>
</ol>
</section>
', '[{"id": "jardin-d-hiver-herb", "text": "Jardin d''hiver 🌿", "level": 2}, {"id": "tools", "text": "Tools", "level": 3}]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [{"text": "Jardin d''hiver 🌿", "level": 1}, {"text": "Tools", "level": 2}], "has_faq_heading": false}', 'Jardin d''hiver 🌿 Combining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”. Old Mac line ends, too. Tools a spade a rake[^1] Tool Use spade digging print("soil") [^1]: Borrowed from the neighbour & never returned. More!', 51, 1, 'eea9432a19c1b7de03e687047a1f2bb18ac5a7e3c12bc4f67259a528bf2c043b', 'winter garden', 'what grows in winter. été & <i>more</i>', 'when? ❓
in march.
or april.
why?
<b>joy</b>', 'jardin d''hiver 🌿
combining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.
old mac
line ends, too.
tools
a spade
a rake[^1]
tool use 
spade digging 
print("soil")
[^1]: borrowed from the neighbour & never returned.
more!', '2026-01-05 09:30:00.123456+00', '2026-01-08 09:30:00.123456+00', 1, 1, NULL, NULL, 4, 1, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (2, 'spring', NULL, 'Spring', '', '', '', 'markdown', 'After *winter*.', 'Ada Example', 2, false, NULL, '', 'human_written', 'Stated by Inès Éditrice on 2026-01-10T09:30:00Z.', 'published', NULL, '2026-01-10 09:30:00.123456+00', '2026-01-10 09:30:00.123456+00', '2026-01-10 09:30:00.123456+00', 'a3b396400e0bf45a7b1ab606bbfe2c2b5698d3340cb2cdc4c4f1bc29af8c8ce4', '[]', '8b8e3c156d812a396ca3b22a4c248923faf3229d8d2a64bc769141ff4d04ca54', true, '<p>After <em>winter</em>.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'After winter.', 2, 1, '', 'spring', '', '', 'after winter.', '2026-01-10 09:30:00.123456+00', '2026-01-10 09:30:00.123456+00', 2, NULL, NULL, NULL, 5, 1, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (3, 'taken-back', NULL, 'Taken back', '', '', '', 'markdown', 'Oops.', 'Ada Example', NULL, false, NULL, '', 'unknown', NULL, 'draft', NULL, '2026-01-11 09:30:00.123456+00', '2026-01-11 09:30:00.123456+00', '2026-01-11 09:30:00.123456+00', '9f43c40e888b2d631c08dbb68c120d3ac732ebce3f4bcdbfe59a5b78fc35f696', '[]', '89725a66746b80d2c3f2d30e97be1a6e277cfa16a86cc31fafd180104a617363', true, '<p>Oops.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'Oops.', 1, 1, '', 'taken back', '', '', 'oops.', '2026-01-11 09:30:00.123456+00', '2026-01-12 09:30:00.123456+00', 2, NULL, NULL, NULL, 6, NULL, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (4, 'new-name', NULL, 'Old name', '', '', '', 'markdown', 'Moved.', 'Ada Example', NULL, false, NULL, '', 'unknown', NULL, 'published', NULL, '2026-01-13 09:30:00.123456+00', '2026-01-13 09:30:00.123456+00', '2026-01-13 09:30:00.123456+00', 'ffe8655ea7226b32abb778ba85f1b7b1352062516e635971084364851316a65f', '[]', 'e357c68bdfa712bb6b8dde0b57582d5b2a06a5fbfb1487ccf0cd4f0c3c6e2edc', true, '<p>Moved.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'Moved.', 1, 1, '', 'old name', '', '', 'moved.', '2026-01-13 09:30:00.123456+00', '2026-01-14 09:30:00.123456+00', 2, NULL, NULL, NULL, 7, NULL, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (5, 'leads-on', NULL, 'Leads on', '', '', '', 'markdown', 'Soon gone.', 'Ada Example', NULL, false, NULL, '', 'unknown', NULL, 'archived', NULL, '2026-01-15 09:30:00.123456+00', '2026-01-15 09:30:00.123456+00', '2026-01-15 09:30:00.123456+00', 'deb475ffe94ee2c20de91af0a8e6ade9ec334d8c5e654de97977f7a85aa6ea4e', '[]', '9bee9ab7898e2af4f17a7f3760b60f246de465d6389d3e56dc44ed9851bdd11f', true, '<p>Soon gone.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'Soon gone.', 2, 1, '', 'leads on', '', '', 'soon gone.', '2026-01-15 09:30:00.123456+00', '2026-01-17 09:30:00.123456+00', 2, NULL, NULL, NULL, 8, NULL, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (6, 'gone', NULL, 'Gone', '', '', '', 'markdown', 'Soon gone.', 'Ada Example', NULL, false, NULL, '', 'unknown', NULL, 'archived', NULL, '2026-01-16 09:30:00.123456+00', '2026-01-16 09:30:00.123456+00', '2026-01-16 09:30:00.123456+00', 'c4535475c11e80e46d7ceb2a2515e79197b6e35527e733da4a096f3688986a19', '[]', '9bee9ab7898e2af4f17a7f3760b60f246de465d6389d3e56dc44ed9851bdd11f', true, '<p>Soon gone.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'Soon gone.', 2, 1, '', 'gone', '', '', 'soon gone.', '2026-01-16 09:30:00.123456+00', '2026-01-17 09:30:00.123456+00', 2, NULL, NULL, NULL, 9, NULL, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (7, 'draft', NULL, 'Draft', '', '', '', 'markdown', 'Not yet: ![A quay](https://example.org/quay.png)', 'Ada Example', NULL, false, NULL, '', 'unknown', NULL, 'draft', NULL, NULL, NULL, '1000-01-01 00:00:00+00', 'e4fc6893fc0fbc2523d104e9ba9551b43a6e78bcac9dd7d846d700d0c1de8b2a', '[{"alt": "A quay", "url": "https://example.org/quay.png", "sha256": ""}]', 'c4ffcbf450c3cfc6300ddf3bef11b4ba8df41e5b8e8ab9de7cd6199a5cfbd88a', false, '<p>Not yet:</p><figure class="blog-figure"><img src="https://example.org/quay.png" alt="A quay" loading="lazy"></figure>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [{"alt": "A quay", "src": "https://example.org/quay.png"}], "headings": [], "has_faq_heading": false}', 'Not yet: A quay', 4, 1, '', 'draft', '', '', 'not yet: a quay', '2026-01-18 09:30:00.123456+00', '2026-01-18 09:30:00.123456+00', 2, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (8, 'scheduled', NULL, 'Scheduled', '', '', '', 'markdown', 'Later.', 'Ada Example', NULL, false, NULL, '', 'unknown', NULL, 'scheduled', '2999-01-01 08:00:00+00', NULL, NULL, '1000-01-01 00:00:00+00', 'a23342fa52b3f771dcba3fc0c932a389b8468284ec737e91885f5c1c727a37b2', '[]', '5d5477f7a905e296f257e479fc7a3915bf5078288de5e3f970bb880d0cdfb9a8', true, '<p>Later.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'Later.', 1, 1, '', 'scheduled', '', '', 'later.', '2026-01-19 09:30:00.123456+00', '2026-01-19 09:30:00.123456+00', 2, NULL, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.blog_engine_post VALUES (9, 'from-elsewhere', NULL, 'From elsewhere', '', '', '', 'markdown', 'Imported **text**.', 'Ada Example', NULL, false, NULL, 'The harbour', 'unknown', NULL, 'published', NULL, '2011-05-06 07:08:09.000001+00', '2019-02-03 00:00:00+00', '2011-05-06 07:08:09.000001+00', '08e33eca2659fe5f26cbb60388cacf9ccde7d071d2af77dcb5ed31a63c5c85f4', '[]', 'd64891ce687d4da743a33d5473abd05fb7975cfd40b7697e0b317b69f3f50dc8', true, '<p>Imported <strong>text</strong>.</p>
', '[]', 'ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7', '{"links": [], "images": [], "headings": [], "has_faq_heading": false}', 'Imported text.', 2, 1, '', 'from elsewhere', '', '', 'imported text.', '2026-01-20 09:30:00.123456+00', '2026-01-20 09:30:00.123456+00', 2, NULL, 1, NULL, 10, NULL, DEFAULT);



INSERT INTO public.blog_engine_posttag VALUES (1, '2026-11-22 02:01:35.407408+00', 1, 1);
INSERT INTO public.blog_engine_posttag VALUES (2, '2026-11-22 02:01:35.407424+00', 1, 2);
INSERT INTO public.blog_engine_posttag VALUES (3, '2026-11-22 02:01:35.407433+00', 1, 3);



INSERT INTO public.blog_engine_publication VALUES (1, 'first', '2026-01-05 11:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-05 11:30:00.123456+00', 1, 1);
INSERT INTO public.blog_engine_publication VALUES (2, 'substantive', '2026-01-06 09:30:00.123456+00', 'Inès Éditrice', 'More 🌱', NULL, '2026-01-06 09:30:00.123456+00', 1, 2);
INSERT INTO public.blog_engine_publication VALUES (3, 'correction', '2026-01-07 09:30:00.123456+00', 'Inès Éditrice', NULL, 'The title was “wrong”.', '2026-01-07 09:30:00.123456+00', 1, 3);
INSERT INTO public.blog_engine_publication VALUES (4, 'maintenance', '2026-01-08 09:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-08 09:30:00.123456+00', 1, 4);
INSERT INTO public.blog_engine_publication VALUES (5, 'first', '2026-01-10 09:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-10 09:30:00.123456+00', 2, 5);
INSERT INTO public.blog_engine_publication VALUES (6, 'first', '2026-01-11 09:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-11 09:30:00.123456+00', 3, 6);
INSERT INTO public.blog_engine_publication VALUES (7, 'first', '2026-01-13 09:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-13 09:30:00.123456+00', 4, 7);
INSERT INTO public.blog_engine_publication VALUES (8, 'first', '2026-01-15 09:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-15 09:30:00.123456+00', 5, 8);
INSERT INTO public.blog_engine_publication VALUES (9, 'first', '2026-01-16 09:30:00.123456+00', 'Inès Éditrice', NULL, NULL, '2026-01-16 09:30:00.123456+00', 6, 9);
INSERT INTO public.blog_engine_publication VALUES (10, 'adopted', '2026-01-20 09:30:00.123456+00', 'Importer', NULL, NULL, '2026-01-20 09:30:00.123456+00', 9, 10);



INSERT INTO public.blog_engine_redirect VALUES (1, '2026-11-22 02:01:35.602196+00', '2026-11-22 02:01:35.602322+00', '/blog/taken-back', 'f1a165b30696b92aebe44bfa376328e481437f737e0bb1bd5bd84368df50261d', NULL, NULL, 'unpublish', '2026-01-12', 3);
INSERT INTO public.blog_engine_redirect VALUES (2, '2026-11-22 02:01:35.654479+00', '2026-01-14 09:30:00.123456+00', '/blog/old-name', 'ef33d126168f01a2b285d0e0faaa608b331516bf9bdadff2d7e50fbda7f49f30', '/blog/new-name', '2fdeceba99f8f3d48b7972632ce9238e7be0b85ddcaf221438f52e07f00a25c8', 'slug_change', '2026-01-14', 4);
INSERT INTO public.blog_engine_redirect VALUES (3, '2026-11-22 02:01:35.692655+00', '2026-11-22 02:01:35.692878+00', '/blog/leads-on', '95f6db048014ffbaed7cfa87d2b528b8817a18d1dc3ab2c8f776599cdc6d07be', '/blog/winter-garden', '1b20c1ff2440538b7d093aab88e679f37823e260c58243e9a2f1fe05d3c9977e', 'removal', '2026-01-17', 5);
INSERT INTO public.blog_engine_redirect VALUES (4, '2026-11-22 02:01:35.725263+00', '2026-11-22 02:01:35.725356+00', '/blog/gone', '95782f899c09d98b99e5e7e143442fad52c45c1438a250363e00dfc3db498b49', NULL, NULL, 'removal', '2026-01-17', 6);
INSERT INTO public.blog_engine_redirect VALUES (5, '2026-11-22 02:01:35.791105+00', '2026-11-22 02:01:35.791203+00', '/blog/alte-straße/', '30288db802ed3f2d38a03e8f86effbf97166df2e2d9645d0b6fd9a12804a7bd4', '/blog/winter-garden', '1b20c1ff2440538b7d093aab88e679f37823e260c58243e9a2f1fe05d3c9977e', 'manual', '2026-01-04', NULL);



INSERT INTO public.blog_engine_revision VALUES (1, 'f51c412a3ea0eb2029755c42f486b63fb57a4a0201c45e3023b91423d919b255', '{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden — été 🌿 日本語","version":"1"}', 'Inès Éditrice', NULL, '2026-01-05 10:30:00.123456+00', 1);
INSERT INTO public.blog_engine_revision VALUES (2, 'e6ac8b83cd18a8127a7d27652f13b68ae17d2610afc57ad152f7f506c9891ce8', '{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.\n\nMore.","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden — été 🌿 日本語","version":"1"}', 'Inès Éditrice', NULL, '2026-01-06 09:30:00.123456+00', 1);
INSERT INTO public.blog_engine_revision VALUES (3, 'b71c56b1da528874c078a17e35008a2e9347fe294fec96f71b367d25bca7aa2a', '{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.\n\nMore.","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden","version":"1"}', 'Inès Éditrice', NULL, '2026-01-07 09:30:00.123456+00', 1);
INSERT INTO public.blog_engine_revision VALUES (4, 'c7eff25291fbf34b75099a75a855c3eff740506815e9ade16bf406fb60f89ea2', '{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.\n\nMore!","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden","version":"1"}', 'Inès Éditrice', NULL, '2026-01-08 09:30:00.123456+00', 1);
INSERT INTO public.blog_engine_revision VALUES (5, 'a3b396400e0bf45a7b1ab606bbfe2c2b5698d3340cb2cdc4c4f1bc29af8c8ce4', '{"author":"Ada Example","body":"After *winter*.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Spring","version":"1"}', 'Inès Éditrice', NULL, '2026-01-10 09:30:00.123456+00', 2);
INSERT INTO public.blog_engine_revision VALUES (6, '9f43c40e888b2d631c08dbb68c120d3ac732ebce3f4bcdbfe59a5b78fc35f696', '{"author":"Ada Example","body":"Oops.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Taken back","version":"1"}', 'Inès Éditrice', NULL, '2026-01-11 09:30:00.123456+00', 3);
INSERT INTO public.blog_engine_revision VALUES (7, 'ffe8655ea7226b32abb778ba85f1b7b1352062516e635971084364851316a65f', '{"author":"Ada Example","body":"Moved.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Old name","version":"1"}', 'Inès Éditrice', NULL, '2026-01-13 09:30:00.123456+00', 4);
INSERT INTO public.blog_engine_revision VALUES (8, 'deb475ffe94ee2c20de91af0a8e6ade9ec334d8c5e654de97977f7a85aa6ea4e', '{"author":"Ada Example","body":"Soon gone.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Leads on","version":"1"}', 'Inès Éditrice', NULL, '2026-01-15 09:30:00.123456+00', 5);
INSERT INTO public.blog_engine_revision VALUES (9, 'c4535475c11e80e46d7ceb2a2515e79197b6e35527e733da4a096f3688986a19', '{"author":"Ada Example","body":"Soon gone.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Gone","version":"1"}', 'Inès Éditrice', NULL, '2026-01-16 09:30:00.123456+00', 6);
INSERT INTO public.blog_engine_revision VALUES (10, '08e33eca2659fe5f26cbb60388cacf9ccde7d071d2af77dcb5ed31a63c5c85f4', '{"author":"Ada Example","body":"Imported **text**.","description":"","faq":[],"images":[{"alt":"The harbour","role":"cover","sha256":"abababababababababababababababababababababababababababababababab","url":"/blog/media/abababababababababababababababababababababababababababababababab/hafen-gr%C3%B6%C3%9Fe.png"}],"search_description":"","search_title":"","title":"From elsewhere","version":"1"}', 'Importer', NULL, '2026-01-20 09:30:00.123456+00', 9);



INSERT INTO public.blog_engine_series VALUES (1, '2026-11-22 02:01:35.177076+00', '2026-11-22 02:01:35.17717+00', 'The year', 'the-year', '');



INSERT INTO public.blog_engine_tag VALUES (1, 'Garten', 'garten', 'garten', '2026-11-22 02:01:35.178802+00');
INSERT INTO public.blog_engine_tag VALUES (2, 'ÉTÉ', 'été', 'ete', '2026-11-22 02:01:35.179573+00');
INSERT INTO public.blog_engine_tag VALUES (3, '日本', '日本', 'riben', '2026-11-22 02:01:35.180501+00');



SELECT pg_catalog.setval('public.blog_engine_apitoken_id_seq', 2, true);



SELECT pg_catalog.setval('public.blog_engine_approval_id_seq', 3, true);



SELECT pg_catalog.setval('public.blog_engine_author_id_seq', 2, true);



SELECT pg_catalog.setval('public.blog_engine_baseline_id_seq', 1, true);



SELECT pg_catalog.setval('public.blog_engine_category_id_seq', 1, true);



SELECT pg_catalog.setval('public.blog_engine_connectiondeclaration_id_seq', 2, true);



SELECT pg_catalog.setval('public.blog_engine_faq_id_seq', 2, true);



SELECT pg_catalog.setval('public.blog_engine_historypermit_id_seq', 1, false);



SELECT pg_catalog.setval('public.blog_engine_image_id_seq', 1, true);



SELECT pg_catalog.setval('public.blog_engine_pageview_id_seq', 1, true);



SELECT pg_catalog.setval('public.blog_engine_policypage_id_seq', 1, true);



SELECT pg_catalog.setval('public.blog_engine_post_id_seq', 9, true);



SELECT pg_catalog.setval('public.blog_engine_posttag_id_seq', 3, true);



SELECT pg_catalog.setval('public.blog_engine_publication_id_seq', 10, true);



SELECT pg_catalog.setval('public.blog_engine_redirect_id_seq', 5, true);



SELECT pg_catalog.setval('public.blog_engine_revision_id_seq', 10, true);



SELECT pg_catalog.setval('public.blog_engine_series_id_seq', 1, true);



SELECT pg_catalog.setval('public.blog_engine_tag_id_seq', 3, true);



ALTER TABLE ONLY public.blog_engine_apitoken
    ADD CONSTRAINT blog_engine_apitoken_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_apitoken
    ADD CONSTRAINT blog_engine_apitoken_token_digest_key UNIQUE (token_digest);



ALTER TABLE ONLY public.blog_engine_approval
    ADD CONSTRAINT blog_engine_approval_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_author
    ADD CONSTRAINT blog_engine_author_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_author
    ADD CONSTRAINT blog_engine_author_slug_key UNIQUE (slug);



ALTER TABLE ONLY public.blog_engine_baseline
    ADD CONSTRAINT blog_engine_baseline_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_baseline
    ADD CONSTRAINT blog_engine_baseline_post_id_key UNIQUE (post_id);



ALTER TABLE ONLY public.blog_engine_baseline
    ADD CONSTRAINT blog_engine_baseline_source UNIQUE (source_system, source_id);



ALTER TABLE ONLY public.blog_engine_category
    ADD CONSTRAINT blog_engine_category_name_key UNIQUE (name);



ALTER TABLE ONLY public.blog_engine_category
    ADD CONSTRAINT blog_engine_category_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_category
    ADD CONSTRAINT blog_engine_category_slug_key UNIQUE (slug);



ALTER TABLE ONLY public.blog_engine_connectiondeclaration
    ADD CONSTRAINT blog_engine_connectiondeclaration_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_faq
    ADD CONSTRAINT blog_engine_faq_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_faq
    ADD CONSTRAINT blog_engine_faq_position UNIQUE (post_id, "position");



ALTER TABLE ONLY public.blog_engine_historypermit
    ADD CONSTRAINT blog_engine_historypermit_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_historypermit
    ADD CONSTRAINT blog_engine_historypermit_post_id_key UNIQUE (post_id);



ALTER TABLE ONLY public.blog_engine_image
    ADD CONSTRAINT blog_engine_image_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_image
    ADD CONSTRAINT blog_engine_image_sha256_key UNIQUE (sha256);



ALTER TABLE ONLY public.blog_engine_pageview
    ADD CONSTRAINT blog_engine_page_view_day UNIQUE (post_id, day);



ALTER TABLE ONLY public.blog_engine_pageview
    ADD CONSTRAINT blog_engine_pageview_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_policypage
    ADD CONSTRAINT blog_engine_policypage_kind_key UNIQUE (kind);



ALTER TABLE ONLY public.blog_engine_policypage
    ADD CONSTRAINT blog_engine_policypage_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_policypage
    ADD CONSTRAINT blog_engine_policypage_slug_key UNIQUE (slug);



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_external_id_key UNIQUE (external_id);



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_series_position UNIQUE (series_id, series_position);



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_slug_key UNIQUE (slug);



ALTER TABLE ONLY public.blog_engine_posttag
    ADD CONSTRAINT blog_engine_post_tag_once UNIQUE (post_id, tag_id);



ALTER TABLE ONLY public.blog_engine_posttag
    ADD CONSTRAINT blog_engine_posttag_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_publication
    ADD CONSTRAINT blog_engine_publication_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_redirect
    ADD CONSTRAINT blog_engine_redirect_old_key_key UNIQUE (old_key);



ALTER TABLE ONLY public.blog_engine_redirect
    ADD CONSTRAINT blog_engine_redirect_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_revision
    ADD CONSTRAINT blog_engine_revision_once UNIQUE (post_id, identifier);



ALTER TABLE ONLY public.blog_engine_revision
    ADD CONSTRAINT blog_engine_revision_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_series
    ADD CONSTRAINT blog_engine_series_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_series
    ADD CONSTRAINT blog_engine_series_slug_key UNIQUE (slug);



ALTER TABLE ONLY public.blog_engine_tag
    ADD CONSTRAINT blog_engine_tag_key_key UNIQUE (key);



ALTER TABLE ONLY public.blog_engine_tag
    ADD CONSTRAINT blog_engine_tag_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.blog_engine_tag
    ADD CONSTRAINT blog_engine_tag_slug_key UNIQUE (slug);



CREATE INDEX blog_engine_apitoken_token_digest_78a389ba_like ON public.blog_engine_apitoken USING btree (token_digest varchar_pattern_ops);



CREATE INDEX blog_engine_apitoken_token_prefix_856a8320 ON public.blog_engine_apitoken USING btree (token_prefix);



CREATE INDEX blog_engine_apitoken_token_prefix_856a8320_like ON public.blog_engine_apitoken USING btree (token_prefix varchar_pattern_ops);



CREATE INDEX blog_engine_approval_post_id_d6a09ff0 ON public.blog_engine_approval USING btree (post_id);



CREATE INDEX blog_engine_approval_revision_id_aa62ac9f ON public.blog_engine_approval USING btree (revision_id);



CREATE INDEX blog_engine_author_avatar_id_ece6b08b ON public.blog_engine_author USING btree (avatar_id);



CREATE INDEX blog_engine_author_slug_e107a4e2_like ON public.blog_engine_author USING btree (slug varchar_pattern_ops);



CREATE INDEX blog_engine_baseline_adopted_revision_id_c4d95a44 ON public.blog_engine_baseline USING btree (adopted_revision_id);



CREATE INDEX blog_engine_category_name_c2a6c3f4_like ON public.blog_engine_category USING btree (name varchar_pattern_ops);



CREATE INDEX blog_engine_category_slug_0959c6dc_like ON public.blog_engine_category USING btree (slug varchar_pattern_ops);



CREATE INDEX blog_engine_connectiondeclaration_post_id_b4306b93 ON public.blog_engine_connectiondeclaration USING btree (post_id);



CREATE INDEX blog_engine_faq_post_id_db7d0c83 ON public.blog_engine_faq USING btree (post_id);



CREATE INDEX blog_engine_historypermit_never_id_f2a17d0f ON public.blog_engine_historypermit USING btree (never_id);



CREATE INDEX blog_engine_image_sha256_90c79cce_like ON public.blog_engine_image USING btree (sha256 varchar_pattern_ops);



CREATE INDEX blog_engine_page_view_by_day ON public.blog_engine_pageview USING btree (day);



CREATE INDEX blog_engine_pageview_post_id_fc0bf381 ON public.blog_engine_pageview USING btree (post_id);



CREATE INDEX blog_engine_policypage_kind_c3dc9f78_like ON public.blog_engine_policypage USING btree (kind varchar_pattern_ops);



CREATE INDEX blog_engine_policypage_slug_6e7d51d3_like ON public.blog_engine_policypage USING btree (slug varchar_pattern_ops);



CREATE INDEX blog_engine_post_author ON public.blog_engine_post USING btree (author_id, status, listed_at DESC, id DESC);



CREATE INDEX blog_engine_post_author_id_45294a5b ON public.blog_engine_post USING btree (author_id);



CREATE INDEX blog_engine_post_by_status ON public.blog_engine_post USING btree (status, created_at DESC, id DESC);



CREATE INDEX blog_engine_post_category ON public.blog_engine_post USING btree (category_id, status, listed_at DESC, id DESC);



CREATE INDEX blog_engine_post_category_id_e4f7c8c4 ON public.blog_engine_post USING btree (category_id);



CREATE INDEX blog_engine_post_cover_image_id_5058b327 ON public.blog_engine_post USING btree (cover_image_id);



CREATE INDEX blog_engine_post_description ON public.blog_engine_post USING btree (status, description_key);



CREATE INDEX blog_engine_post_due ON public.blog_engine_post USING btree (status, publish_at);



CREATE INDEX blog_engine_post_external_id_da607dcb_like ON public.blog_engine_post USING btree (external_id varchar_pattern_ops);



CREATE INDEX blog_engine_post_listed ON public.blog_engine_post USING btree (status, listed_at DESC, id DESC);



CREATE INDEX blog_engine_post_newest ON public.blog_engine_post USING btree (created_at DESC, id DESC);



CREATE INDEX blog_engine_post_public_revision_id_a5b14aac ON public.blog_engine_post USING btree (public_revision_id);



CREATE INDEX blog_engine_post_search ON public.blog_engine_post USING gin (search_vector);



CREATE INDEX blog_engine_post_series_id_b6fc4bff ON public.blog_engine_post USING btree (series_id);



CREATE INDEX blog_engine_post_slug_6068598d_like ON public.blog_engine_post USING btree (slug varchar_pattern_ops);



CREATE INDEX blog_engine_post_social_image_id_e499066f ON public.blog_engine_post USING btree (social_image_id);



CREATE INDEX blog_engine_post_title ON public.blog_engine_post USING btree (status, title);



CREATE INDEX blog_engine_posttag_post_id_fecb5f56 ON public.blog_engine_posttag USING btree (post_id);



CREATE INDEX blog_engine_posttag_tag_id_1ae87875 ON public.blog_engine_posttag USING btree (tag_id);



CREATE UNIQUE INDEX blog_engine_publication_one_first ON public.blog_engine_publication USING btree (post_id) WHERE ((entry_type)::text = 'first'::text);



CREATE INDEX blog_engine_publication_post_id_1accd088 ON public.blog_engine_publication USING btree (post_id);



CREATE INDEX blog_engine_publication_revision_id_661bb087 ON public.blog_engine_publication USING btree (revision_id);



CREATE INDEX blog_engine_publication_time ON public.blog_engine_publication USING btree (post_id, occurred_at);



CREATE INDEX blog_engine_redirect_new_key_0dc1b4ed ON public.blog_engine_redirect USING btree (new_key);



CREATE INDEX blog_engine_redirect_new_key_0dc1b4ed_like ON public.blog_engine_redirect USING btree (new_key varchar_pattern_ops);



CREATE INDEX blog_engine_redirect_old_key_b815f2b1_like ON public.blog_engine_redirect USING btree (old_key varchar_pattern_ops);



CREATE INDEX blog_engine_redirect_post_id_81792ae0 ON public.blog_engine_redirect USING btree (post_id);



CREATE INDEX blog_engine_revision_post_id_ad452822 ON public.blog_engine_revision USING btree (post_id);



CREATE INDEX blog_engine_series_slug_764d6587_like ON public.blog_engine_series USING btree (slug varchar_pattern_ops);



CREATE INDEX blog_engine_tag_key_4318bf42_like ON public.blog_engine_tag USING btree (key varchar_pattern_ops);



CREATE INDEX blog_engine_tag_slug_86e79504_like ON public.blog_engine_tag USING btree (slug varchar_pattern_ops);



CREATE TRIGGER blog_engine_approval_no_delete BEFORE DELETE ON public.blog_engine_approval FOR EACH ROW EXECUTE FUNCTION public.blog_engine_approval_no_delete();



CREATE TRIGGER blog_engine_approval_no_update BEFORE UPDATE ON public.blog_engine_approval FOR EACH ROW EXECUTE FUNCTION public.blog_engine_approval_no_update();



CREATE TRIGGER blog_engine_approval_revision_id_own BEFORE INSERT ON public.blog_engine_approval FOR EACH ROW EXECUTE FUNCTION public.blog_engine_approval_revision_id_own();



CREATE TRIGGER blog_engine_baseline_adopted_revision_id_own BEFORE INSERT ON public.blog_engine_baseline FOR EACH ROW EXECUTE FUNCTION public.blog_engine_baseline_adopted_revision_id_own();



CREATE TRIGGER blog_engine_baseline_no_delete BEFORE DELETE ON public.blog_engine_baseline FOR EACH ROW EXECUTE FUNCTION public.blog_engine_baseline_no_delete();



CREATE TRIGGER blog_engine_baseline_no_update BEFORE UPDATE ON public.blog_engine_baseline FOR EACH ROW EXECUTE FUNCTION public.blog_engine_baseline_no_update();



CREATE TRIGGER blog_engine_connectiondeclaration_no_delete BEFORE DELETE ON public.blog_engine_connectiondeclaration FOR EACH ROW EXECUTE FUNCTION public.blog_engine_connectiondeclaration_no_delete();



CREATE TRIGGER blog_engine_connectiondeclaration_no_update BEFORE UPDATE ON public.blog_engine_connectiondeclaration FOR EACH ROW EXECUTE FUNCTION public.blog_engine_connectiondeclaration_no_update();



CREATE TRIGGER blog_engine_historypermit_only_adopted BEFORE INSERT OR UPDATE ON public.blog_engine_historypermit FOR EACH ROW EXECUTE FUNCTION public.blog_engine_historypermit_only_adopted();



CREATE TRIGGER blog_engine_image_no_delete BEFORE DELETE ON public.blog_engine_image FOR EACH ROW EXECUTE FUNCTION public.blog_engine_image_no_delete();



CREATE TRIGGER blog_engine_image_no_update BEFORE UPDATE ON public.blog_engine_image FOR EACH ROW EXECUTE FUNCTION public.blog_engine_image_no_update();



CREATE TRIGGER blog_engine_post_public_revision_id_own AFTER INSERT OR UPDATE OF public_revision_id ON public.blog_engine_post FOR EACH ROW EXECUTE FUNCTION public.blog_engine_post_public_revision_id_own();



CREATE TRIGGER blog_engine_publication_no_delete BEFORE DELETE ON public.blog_engine_publication FOR EACH ROW EXECUTE FUNCTION public.blog_engine_publication_no_delete();



CREATE TRIGGER blog_engine_publication_no_update BEFORE UPDATE ON public.blog_engine_publication FOR EACH ROW EXECUTE FUNCTION public.blog_engine_publication_no_update();



CREATE TRIGGER blog_engine_publication_revision_id_own BEFORE INSERT ON public.blog_engine_publication FOR EACH ROW EXECUTE FUNCTION public.blog_engine_publication_revision_id_own();



CREATE TRIGGER blog_engine_revision_no_delete BEFORE DELETE ON public.blog_engine_revision FOR EACH ROW EXECUTE FUNCTION public.blog_engine_revision_no_delete();



CREATE TRIGGER blog_engine_revision_no_update BEFORE UPDATE ON public.blog_engine_revision FOR EACH ROW EXECUTE FUNCTION public.blog_engine_revision_no_update();



CREATE TRIGGER blog_engine_revision_not_claimed BEFORE INSERT ON public.blog_engine_revision FOR EACH ROW EXECUTE FUNCTION public.blog_engine_revision_not_claimed();



ALTER TABLE ONLY public.blog_engine_approval
    ADD CONSTRAINT blog_engine_approval_post_id_d6a09ff0_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_approval
    ADD CONSTRAINT blog_engine_approval_revision_id_aa62ac9f_fk_blog_engi FOREIGN KEY (revision_id) REFERENCES public.blog_engine_revision(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_author
    ADD CONSTRAINT blog_engine_author_avatar_id_ece6b08b_fk_blog_engine_image_id FOREIGN KEY (avatar_id) REFERENCES public.blog_engine_image(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_baseline
    ADD CONSTRAINT blog_engine_baseline_adopted_revision_id_c4d95a44_fk_blog_engi FOREIGN KEY (adopted_revision_id) REFERENCES public.blog_engine_revision(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_baseline
    ADD CONSTRAINT blog_engine_baseline_post_id_97fa1eff_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_connectiondeclaration
    ADD CONSTRAINT blog_engine_connecti_post_id_b4306b93_fk_blog_engi FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_faq
    ADD CONSTRAINT blog_engine_faq_post_id_db7d0c83_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_historypermit
    ADD CONSTRAINT blog_engine_historyp_never_id_f2a17d0f_fk_blog_engi FOREIGN KEY (never_id) REFERENCES public.blog_engine_historypermit(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_historypermit
    ADD CONSTRAINT blog_engine_historyp_post_id_a40cf9de_fk_blog_engi FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_pageview
    ADD CONSTRAINT blog_engine_pageview_post_id_fc0bf381_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_author_id_45294a5b_fk_blog_engine_author_id FOREIGN KEY (author_id) REFERENCES public.blog_engine_author(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_category_id_e4f7c8c4_fk_blog_engi FOREIGN KEY (category_id) REFERENCES public.blog_engine_category(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_cover_image_id_5058b327_fk_blog_engi FOREIGN KEY (cover_image_id) REFERENCES public.blog_engine_image(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_public_revision_id_a5b14aac_fk_blog_engi FOREIGN KEY (public_revision_id) REFERENCES public.blog_engine_revision(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_series_id_b6fc4bff_fk_blog_engine_series_id FOREIGN KEY (series_id) REFERENCES public.blog_engine_series(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_post
    ADD CONSTRAINT blog_engine_post_social_image_id_e499066f_fk_blog_engi FOREIGN KEY (social_image_id) REFERENCES public.blog_engine_image(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_posttag
    ADD CONSTRAINT blog_engine_posttag_post_id_fecb5f56_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_posttag
    ADD CONSTRAINT blog_engine_posttag_tag_id_1ae87875_fk_blog_engine_tag_id FOREIGN KEY (tag_id) REFERENCES public.blog_engine_tag(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_publication
    ADD CONSTRAINT blog_engine_publicat_revision_id_661bb087_fk_blog_engi FOREIGN KEY (revision_id) REFERENCES public.blog_engine_revision(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_publication
    ADD CONSTRAINT blog_engine_publication_post_id_1accd088_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_redirect
    ADD CONSTRAINT blog_engine_redirect_post_id_81792ae0_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;



ALTER TABLE ONLY public.blog_engine_revision
    ADD CONSTRAINT blog_engine_revision_post_id_ad452822_fk_blog_engine_post_id FOREIGN KEY (post_id) REFERENCES public.blog_engine_post(id) DEFERRABLE INITIALLY DEFERRED;





