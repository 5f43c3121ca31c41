CREATE TABLE "blog_engine_apitoken" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "name" varchar(255) NOT NULL, "token_digest" varchar(64) NOT NULL UNIQUE, "token_prefix" varchar(8) NOT NULL, "scopes" text NOT NULL CHECK ((JSON_VALID("scopes") OR "scopes" IS NULL)), "last_used_at" datetime NULL, "expires_at" datetime NULL, "revoked_at" datetime NULL);
INSERT INTO "blog_engine_apitoken" VALUES(1,'2026-01-05 09:30:00.123456','2026-11-22 02:01:37.524960','Agent 🤖','83ea8ea5f40d7cd0f8b844c427f4f6af01a54e65057966e4c68a49203b8ac016','be_Rdx63','["read", "write"]',NULL,NULL,NULL);
INSERT INTO "blog_engine_apitoken" VALUES(2,'2026-01-05 09:30:00.123456','2026-11-22 02:01:37.525295','Old','e47209f9207615953f7c08e4c36e47b8ab3f7402d0b7672ed7c9d8d3d6fa8140','be_kVK1b','["read", "write", "publish"]',NULL,'2026-04-05 09:30:00.123456','2026-01-05 09:30:00.123456');
CREATE TABLE "blog_engine_approval" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "reviewer_name" varchar(255) NOT NULL, "facts_checked" bool NOT NULL, "approved_at" datetime NOT NULL, "declared_on" date NULL, "declared_by" varchar(255) NULL, "confirmed_by" varchar(255) NULL, "evidence" text NULL, "recorded_by" varchar(255) NULL, "created_at" datetime NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, "revision_id" bigint NOT NULL REFERENCES "blog_engine_revision" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_approval_kind" CHECK ("kind" IN ('sent', 'imported', 'declared')), CONSTRAINT "blog_engine_approval_declared" CHECK ((NOT ("kind" = 'declared') OR ("declared_by" IS NOT NULL AND "declared_on" IS NOT NULL AND NOT ("declared_by" = '' AND "declared_by" IS NOT NULL)))), CONSTRAINT "blog_engine_approval_imported" CHECK ((NOT ("kind" = 'imported') OR ("confirmed_by" IS NOT NULL AND "evidence" IS NOT NULL AND NOT ("confirmed_by" = '' AND "confirmed_by" IS NOT NULL) AND NOT ("evidence" = '' AND "evidence" IS NOT NULL)))));
INSERT INTO "blog_engine_approval" VALUES(1,'sent','Rosa Réviseuse',1,'2026-01-05 10:30:00.123456',NULL,NULL,NULL,NULL,'Inès Éditrice','2026-01-05 10:30:00.123456',1,1);
INSERT INTO "blog_engine_approval" VALUES(2,'sent','Rosa Réviseuse',0,'2026-01-10 09:30:00.123456',NULL,NULL,NULL,NULL,'Inès Éditrice','2026-01-10 09:30:00.123456',2,5);
INSERT INTO "blog_engine_approval" VALUES(3,'declared','Ólafur',1,'2011-05-06 07:08:09.000001','2026-01-02','Inès Éditrice',NULL,NULL,'Importer','2026-01-20 09:30:00.123456',9,10);
CREATE TABLE "blog_engine_author" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "name" varchar(255) NOT NULL, "slug" varchar(200) NOT NULL UNIQUE, "type" varchar(20) NOT NULL, "bio" text NOT NULL, "url" varchar(2048) NULL, "profile_urls" text NOT NULL CHECK ((JSON_VALID("profile_urls") OR "profile_urls" IS NULL)), "host_reference" varchar(255) NULL, "avatar_file" varchar(100) NOT NULL, "avatar_id" bigint NULL REFERENCES "blog_engine_image" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_author_type" CHECK ("type" IN ('person', 'organization')));
INSERT INTO "blog_engine_author" VALUES(1,'2026-11-22 02:01:37.097695','2026-11-22 02:01:37.097954','Mina Hölt','mina-holt','person','Gärtnerin','https://example.com/mina','["https://example.org/@mina"]',NULL,'',NULL);
INSERT INTO "blog_engine_author" VALUES(2,'2026-11-22 02:01:37.424142','2026-11-22 02:01:37.424214','Ada Example','ada-example','person','',NULL,'[]',NULL,'',NULL);
CREATE TABLE "blog_engine_baseline" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "adopted_at" datetime NOT NULL, "provenance" varchar(20) NOT NULL, "provenance_evidence" text NULL, "first_published_at" datetime NULL, "first_published_evidence" text NULL, "declared_first_published_at" datetime NULL, "last_modified_at" datetime NULL, "last_modified_evidence" text NULL, "source_system" varchar(255) NOT NULL, "source_id" varchar(255) NOT NULL, "source_body_sha256" varchar(64) NULL, "adopted_by" varchar(255) NULL, "created_at" datetime NOT NULL, "post_id" bigint NOT NULL UNIQUE REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, "adopted_revision_id" bigint NOT NULL REFERENCES "blog_engine_revision" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_baseline_provenance" CHECK ("provenance" IN ('ai_assisted', 'human_written', 'unknown')), CONSTRAINT "blog_engine_baseline_source" UNIQUE ("source_system", "source_id"), CONSTRAINT "blog_engine_baseline_one_first_date" CHECK (("first_published_at" IS NULL OR "declared_first_published_at" IS NULL)));
INSERT INTO "blog_engine_baseline" VALUES(1,'2026-01-20 09:30:00.123456','unknown',NULL,'2011-05-06 07:08:09.000001','WordPress export of 2026-01-01 “posts.xml”',NULL,'2019-02-03 00:00:00','WordPress export of 2026-01-01 “posts.xml”','wordpress','?p=4711','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','Importer','2026-01-20 09:30:00.123456',9,10);
CREATE TABLE "blog_engine_category" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "name" varchar(255) NOT NULL UNIQUE, "slug" varchar(200) NOT NULL UNIQUE, "description" text NOT NULL, "position" integer NOT NULL);
INSERT INTO "blog_engine_category" VALUES(1,'2026-11-22 02:01:37.099157','2026-11-22 02:01:37.099243','Gardening','gardening','',0);
CREATE TABLE "blog_engine_connectiondeclaration" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "connections" text NOT NULL CHECK ((JSON_VALID("connections") OR "connections" IS NULL)), "third_party_paid" bool NOT NULL, "declared_by" varchar(255) NOT NULL, "declared_on" date NOT NULL, "recorded_by" varchar(255) NULL, "created_at" datetime NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "blog_engine_connectiondeclaration" VALUES(1,'[{"party": "M\u00fcller & S\u00f8n", "relation": "sent the seeds \ud83c\udf30"}]',0,'Inès Éditrice','2026-01-09','Inès Éditrice','2026-01-09 09:30:00.123456',1);
INSERT INTO "blog_engine_connectiondeclaration" VALUES(2,'[]',1,'Inès Éditrice','2026-01-10','Inès Éditrice','2026-01-10 09:30:00.123456',2);
CREATE TABLE "blog_engine_faq" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "position" integer NOT NULL, "question" text NOT NULL, "answer" text NOT NULL, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_faq_position" UNIQUE ("post_id", "position"), CONSTRAINT "blog_engine_faq_position_positive" CHECK ("position" >= 1));
INSERT INTO "blog_engine_faq" VALUES(1,1,'When? ❓','In March.
Or April.','2026-01-05 09:30:00.123456','2026-01-05 09:30:00.123456',1);
INSERT INTO "blog_engine_faq" VALUES(2,2,'Why?','<b>Joy</b>','2026-01-05 09:30:00.123456','2026-01-05 09:30:00.123456',1);
CREATE TABLE "blog_engine_historypermit" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "post_id" bigint NOT NULL UNIQUE REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, "never_id" bigint NOT NULL REFERENCES "blog_engine_historypermit" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_history_permit_id" CHECK ("id" >= 1), CONSTRAINT "blog_engine_history_permit_never" CHECK ("never_id" = 0));
CREATE TABLE "blog_engine_image" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "sha256" varchar(64) NOT NULL UNIQUE, "filename" varchar(255) NOT NULL, "content_type" varchar(100) NOT NULL, "byte_size" bigint NOT NULL, "width" integer NOT NULL, "height" integer NOT NULL, "is_animated" bool NOT NULL, "has_location" bool NOT NULL, "source_url" varchar(2048) NULL, "uploaded_by" varchar(255) NULL, "created_at" datetime NOT NULL, CONSTRAINT "blog_engine_image_size" CHECK ("byte_size" >= 0), CONSTRAINT "blog_engine_image_dimensions" CHECK (("height" >= 1 AND "width" >= 1)));
INSERT INTO "blog_engine_image" VALUES(1,'abababababababababababababababababababababababababababababababab','hafen-größe.png','image/png',68,1200,630,0,1,'https://example.org/hafen.png','Inès Éditrice','2026-01-20 09:30:00.123456');
CREATE TABLE "blog_engine_pageview" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "day" date NOT NULL, "views" integer NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_page_view_day" UNIQUE ("post_id", "day"));
INSERT INTO "blog_engine_pageview" VALUES(1,'2026-01-20',17,1);
CREATE TABLE "blog_engine_policypage" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(30) NOT NULL UNIQUE, "slug" varchar(200) NOT NULL UNIQUE, "title" varchar(255) NOT NULL, "body" text NOT NULL, "body_html" text NOT NULL, "rendered_with" varchar(64) NOT NULL, "status" varchar(20) NOT NULL, "approved_by" varchar(255) NULL, "approved_on" date NULL, "updated_at" datetime NOT NULL, CONSTRAINT "blog_engine_policy_page_kind" CHECK ("kind" IN ('responsible_party', 'corrections', 'editorial', 'ai_use')), CONSTRAINT "blog_engine_policy_page_status" CHECK ("status" IN ('draft', 'published')));
INSERT INTO "blog_engine_policypage" VALUES(1,'corrections','corrections','Corrections — Berichtigungen','We *correct* mistakes.','','','published','Inès Éditrice','2026-01-03','2026-01-05 09:30:00.123456');
CREATE TABLE "blog_engine_post" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "slug" varchar(200) NOT NULL UNIQUE, "external_id" varchar(255) NULL UNIQUE, "title" varchar(255) NOT NULL, "description" text NOT NULL, "search_title" varchar(255) NOT NULL, "search_description" text NOT NULL, "body_format" varchar(20) NOT NULL, "body" text NOT NULL, "author_name" varchar(255) NOT NULL, "series_position" integer NULL, "featured" bool NOT NULL, "canonical_url" varchar(2048) NULL, "cover_alt" varchar(255) NOT NULL, "provenance" varchar(20) NOT NULL, "provenance_evidence" text NULL, "status" varchar(20) NOT NULL, "publish_at" datetime NULL, "published_at" datetime NULL, "modified_at" datetime NULL, "listed_at" datetime NOT NULL, "current_revision_identifier" varchar(64) NOT NULL, "body_image_manifest" text NOT NULL CHECK ((JSON_VALID("body_image_manifest") OR "body_image_manifest" IS NULL)), "body_image_source_digest" varchar(64) NULL, "images_verified" bool NOT NULL, "body_html" text NOT NULL, "outline" text NOT NULL CHECK ((JSON_VALID("outline") OR "outline" IS NULL)), "rendered_with" varchar(64) NOT NULL, "body_facts" text NOT NULL CHECK ((JSON_VALID("body_facts") OR "body_facts" IS NULL)), "excerpt" text NOT NULL, "word_count" integer NOT NULL, "reading_time_minutes" integer NOT NULL, "description_key" varchar(64) NOT NULL, "indexed_title" text NOT NULL, "indexed_description" text NOT NULL, "indexed_faq" text NOT NULL, "indexed_body" text NOT NULL, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "author_id" bigint NOT NULL REFERENCES "blog_engine_author" ("id") DEFERRABLE INITIALLY DEFERRED, "category_id" bigint NULL REFERENCES "blog_engine_category" ("id") DEFERRABLE INITIALLY DEFERRED, "cover_image_id" bigint NULL REFERENCES "blog_engine_image" ("id") DEFERRABLE INITIALLY DEFERRED, "social_image_id" bigint NULL REFERENCES "blog_engine_image" ("id") DEFERRABLE INITIALLY DEFERRED, "public_revision_id" bigint NULL REFERENCES "blog_engine_revision" ("id") DEFERRABLE INITIALLY DEFERRED, "series_id" bigint NULL REFERENCES "blog_engine_series" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_post_status" CHECK ("status" IN ('draft', 'scheduled', 'published', 'archived')), CONSTRAINT "blog_engine_post_body_format" CHECK ("body_format" IN ('markdown', 'rich_text')), CONSTRAINT "blog_engine_post_provenance" CHECK ("provenance" IN ('ai_assisted', 'human_written', 'unknown')), CONSTRAINT "blog_engine_post_series_position" UNIQUE ("series_id", "series_position"), CONSTRAINT "blog_engine_post_position_positive" CHECK (("series_position" IS NULL OR "series_position" >= 1)), CONSTRAINT "blog_engine_post_public_has_revision" CHECK ((NOT ("status" = 'published') OR "public_revision_id" IS NOT NULL)), CONSTRAINT "blog_engine_post_scheduled_has_time" CHECK ((NOT ("status" = 'scheduled') OR "publish_at" IS NOT NULL)));
INSERT INTO "blog_engine_post" VALUES(1,'winter-garden','first-1','Winter garden','What grows in winter. ÉTÉ & <i>more</i>','','','markdown','# Jardin d''hiver 🌿

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

More!','Mina Hölt',1,1,NULL,'','ai_assisted','Drafted by an agent, see ticket 7','published',NULL,'2026-01-05 11:30:00.123456','2026-01-07 09:30:00.123456','2026-01-05 11:30:00.123456','c7eff25291fbf34b75099a75a855c3eff740506815e9ade16bf406fb60f89ea2','[]','6c22cb0e1bf4a4783d64f1b3d330fe53869da6739ffe20feeafc231fcf5e739c',1,'<h2 id="jardin-d-hiver-herb">Jardin d''hiver 🌿 <a class="blog-heading-anchor" href="#jardin-d-hiver-herb" aria-label="Link to Jardin d&#x27;hiver 🌿">#</a></h2>
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
','[{"level": 2, "id": "jardin-d-hiver-herb", "text": "Jardin d''hiver \ud83c\udf3f"}, {"level": 3, "id": "tools", "text": "Tools"}]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [{"level": 1, "text": "Jardin d''hiver \ud83c\udf3f"}, {"level": 2, "text": "Tools"}], "images": [], "links": [], "has_faq_heading": false}','Jardin d''hiver 🌿 Combining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”. Old Mac line ends, too. Tools a spade a rake[^1] Tool Use spade digging print("soil") [^1]: Borrowed from the neighbour & never returned. More!',51,1,'eea9432a19c1b7de03e687047a1f2bb18ac5a7e3c12bc4f67259a528bf2c043b','winter garden','what grows in winter. été & <i>more</i>','when? ❓
in march.
or april.
why?
<b>joy</b>','jardin d''hiver 🌿
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
more!','2026-01-05 09:30:00.123456','2026-01-08 09:30:00.123456',1,1,NULL,NULL,4,1);
INSERT INTO "blog_engine_post" VALUES(2,'spring',NULL,'Spring','','','','markdown','After *winter*.','Ada Example',2,0,NULL,'','human_written','Stated by Inès Éditrice on 2026-01-10T09:30:00Z.','published',NULL,'2026-01-10 09:30:00.123456','2026-01-10 09:30:00.123456','2026-01-10 09:30:00.123456','a3b396400e0bf45a7b1ab606bbfe2c2b5698d3340cb2cdc4c4f1bc29af8c8ce4','[]','8b8e3c156d812a396ca3b22a4c248923faf3229d8d2a64bc769141ff4d04ca54',1,'<p>After <em>winter</em>.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','After winter.',2,1,'','spring','','','after winter.','2026-01-10 09:30:00.123456','2026-01-10 09:30:00.123456',2,NULL,NULL,NULL,5,1);
INSERT INTO "blog_engine_post" VALUES(3,'taken-back',NULL,'Taken back','','','','markdown','Oops.','Ada Example',NULL,0,NULL,'','unknown',NULL,'draft',NULL,'2026-01-11 09:30:00.123456','2026-01-11 09:30:00.123456','2026-01-11 09:30:00.123456','9f43c40e888b2d631c08dbb68c120d3ac732ebce3f4bcdbfe59a5b78fc35f696','[]','89725a66746b80d2c3f2d30e97be1a6e277cfa16a86cc31fafd180104a617363',1,'<p>Oops.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','Oops.',1,1,'','taken back','','','oops.','2026-01-11 09:30:00.123456','2026-01-12 09:30:00.123456',2,NULL,NULL,NULL,6,NULL);
INSERT INTO "blog_engine_post" VALUES(4,'new-name',NULL,'Old name','','','','markdown','Moved.','Ada Example',NULL,0,NULL,'','unknown',NULL,'published',NULL,'2026-01-13 09:30:00.123456','2026-01-13 09:30:00.123456','2026-01-13 09:30:00.123456','ffe8655ea7226b32abb778ba85f1b7b1352062516e635971084364851316a65f','[]','e357c68bdfa712bb6b8dde0b57582d5b2a06a5fbfb1487ccf0cd4f0c3c6e2edc',1,'<p>Moved.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','Moved.',1,1,'','old name','','','moved.','2026-01-13 09:30:00.123456','2026-01-14 09:30:00.123456',2,NULL,NULL,NULL,7,NULL);
INSERT INTO "blog_engine_post" VALUES(5,'leads-on',NULL,'Leads on','','','','markdown','Soon gone.','Ada Example',NULL,0,NULL,'','unknown',NULL,'archived',NULL,'2026-01-15 09:30:00.123456','2026-01-15 09:30:00.123456','2026-01-15 09:30:00.123456','deb475ffe94ee2c20de91af0a8e6ade9ec334d8c5e654de97977f7a85aa6ea4e','[]','9bee9ab7898e2af4f17a7f3760b60f246de465d6389d3e56dc44ed9851bdd11f',1,'<p>Soon gone.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','Soon gone.',2,1,'','leads on','','','soon gone.','2026-01-15 09:30:00.123456','2026-01-17 09:30:00.123456',2,NULL,NULL,NULL,8,NULL);
INSERT INTO "blog_engine_post" VALUES(6,'gone',NULL,'Gone','','','','markdown','Soon gone.','Ada Example',NULL,0,NULL,'','unknown',NULL,'archived',NULL,'2026-01-16 09:30:00.123456','2026-01-16 09:30:00.123456','2026-01-16 09:30:00.123456','c4535475c11e80e46d7ceb2a2515e79197b6e35527e733da4a096f3688986a19','[]','9bee9ab7898e2af4f17a7f3760b60f246de465d6389d3e56dc44ed9851bdd11f',1,'<p>Soon gone.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','Soon gone.',2,1,'','gone','','','soon gone.','2026-01-16 09:30:00.123456','2026-01-17 09:30:00.123456',2,NULL,NULL,NULL,9,NULL);
INSERT INTO "blog_engine_post" VALUES(7,'draft',NULL,'Draft','','','','markdown','Not yet: ![A quay](https://example.org/quay.png)','Ada Example',NULL,0,NULL,'','unknown',NULL,'draft',NULL,NULL,NULL,'1000-01-01 00:00:00','e4fc6893fc0fbc2523d104e9ba9551b43a6e78bcac9dd7d846d700d0c1de8b2a','[{"url": "https://example.org/quay.png", "sha256": "", "alt": "A quay"}]','c4ffcbf450c3cfc6300ddf3bef11b4ba8df41e5b8e8ab9de7cd6199a5cfbd88a',0,'<p>Not yet:</p><figure class="blog-figure"><img src="https://example.org/quay.png" alt="A quay" loading="lazy"></figure>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [{"src": "https://example.org/quay.png", "alt": "A quay"}], "links": [], "has_faq_heading": false}','Not yet: A quay',4,1,'','draft','','','not yet: a quay','2026-01-18 09:30:00.123456','2026-01-18 09:30:00.123456',2,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "blog_engine_post" VALUES(8,'scheduled',NULL,'Scheduled','','','','markdown','Later.','Ada Example',NULL,0,NULL,'','unknown',NULL,'scheduled','2999-01-01 08:00:00',NULL,NULL,'1000-01-01 00:00:00','a23342fa52b3f771dcba3fc0c932a389b8468284ec737e91885f5c1c727a37b2','[]','5d5477f7a905e296f257e479fc7a3915bf5078288de5e3f970bb880d0cdfb9a8',1,'<p>Later.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','Later.',1,1,'','scheduled','','','later.','2026-01-19 09:30:00.123456','2026-01-19 09:30:00.123456',2,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "blog_engine_post" VALUES(9,'from-elsewhere',NULL,'From elsewhere','','','','markdown','Imported **text**.','Ada Example',NULL,0,NULL,'The harbour','unknown',NULL,'published',NULL,'2011-05-06 07:08:09.000001','2019-02-03 00:00:00','2011-05-06 07:08:09.000001','08e33eca2659fe5f26cbb60388cacf9ccde7d071d2af77dcb5ed31a63c5c85f4','[]','d64891ce687d4da743a33d5473abd05fb7975cfd40b7697e0b317b69f3f50dc8',1,'<p>Imported <strong>text</strong>.</p>
','[]','ac54b01018f4a635ec3cdeeceaf2ca621ec176b3867b8eba6455f59b509dbdd7','{"headings": [], "images": [], "links": [], "has_faq_heading": false}','Imported text.',2,1,'','from elsewhere','','','imported text.','2026-01-20 09:30:00.123456','2026-01-20 09:30:00.123456',2,NULL,1,NULL,10,NULL);
CREATE TABLE "blog_engine_posttag" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, "tag_id" bigint NOT NULL REFERENCES "blog_engine_tag" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_post_tag_once" UNIQUE ("post_id", "tag_id"));
INSERT INTO "blog_engine_posttag" VALUES(1,'2026-11-22 02:01:37.355835',1,1);
INSERT INTO "blog_engine_posttag" VALUES(2,'2026-11-22 02:01:37.355847',1,2);
INSERT INTO "blog_engine_posttag" VALUES(3,'2026-11-22 02:01:37.355855',1,3);
CREATE TABLE "blog_engine_publication" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "entry_type" varchar(20) NOT NULL, "occurred_at" datetime NOT NULL, "released_by" varchar(255) NULL, "description" text NULL, "note" text NULL, "created_at" datetime NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, "revision_id" bigint NOT NULL REFERENCES "blog_engine_revision" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_publication_type" CHECK ("entry_type" IN ('first', 'substantive', 'correction', 'maintenance', 'adopted')), CONSTRAINT "blog_engine_publication_correction_note" CHECK ((NOT ("entry_type" = 'correction') OR ("note" IS NOT NULL AND NOT ("note" = '' AND "note" IS NOT NULL)))));
INSERT INTO "blog_engine_publication" VALUES(1,'first','2026-01-05 11:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-05 11:30:00.123456',1,1);
INSERT INTO "blog_engine_publication" VALUES(2,'substantive','2026-01-06 09:30:00.123456','Inès Éditrice','More 🌱',NULL,'2026-01-06 09:30:00.123456',1,2);
INSERT INTO "blog_engine_publication" VALUES(3,'correction','2026-01-07 09:30:00.123456','Inès Éditrice',NULL,'The title was “wrong”.','2026-01-07 09:30:00.123456',1,3);
INSERT INTO "blog_engine_publication" VALUES(4,'maintenance','2026-01-08 09:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-08 09:30:00.123456',1,4);
INSERT INTO "blog_engine_publication" VALUES(5,'first','2026-01-10 09:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-10 09:30:00.123456',2,5);
INSERT INTO "blog_engine_publication" VALUES(6,'first','2026-01-11 09:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-11 09:30:00.123456',3,6);
INSERT INTO "blog_engine_publication" VALUES(7,'first','2026-01-13 09:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-13 09:30:00.123456',4,7);
INSERT INTO "blog_engine_publication" VALUES(8,'first','2026-01-15 09:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-15 09:30:00.123456',5,8);
INSERT INTO "blog_engine_publication" VALUES(9,'first','2026-01-16 09:30:00.123456','Inès Éditrice',NULL,NULL,'2026-01-16 09:30:00.123456',6,9);
INSERT INTO "blog_engine_publication" VALUES(10,'adopted','2026-01-20 09:30:00.123456','Importer',NULL,NULL,'2026-01-20 09:30:00.123456',9,10);
CREATE TABLE "blog_engine_redirect" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "old_path" varchar(2048) NOT NULL, "old_key" varchar(64) NOT NULL UNIQUE, "new_path" varchar(2048) NULL, "new_key" varchar(64) NULL, "source" varchar(20) NOT NULL, "occurred_on" date NOT NULL, "post_id" bigint NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_redirect_source" CHECK ("source" IN ('slug_change', 'removal', 'unpublish', 'adoption', 'manual')));
INSERT INTO "blog_engine_redirect" VALUES(1,'2026-11-22 02:01:37.446806','2026-11-22 02:01:37.446911','/blog/taken-back','f1a165b30696b92aebe44bfa376328e481437f737e0bb1bd5bd84368df50261d',NULL,NULL,'unpublish','2026-01-12',3);
INSERT INTO "blog_engine_redirect" VALUES(2,'2026-11-22 02:01:37.465470','2026-01-14 09:30:00.123456','/blog/old-name','ef33d126168f01a2b285d0e0faaa608b331516bf9bdadff2d7e50fbda7f49f30','/blog/new-name','2fdeceba99f8f3d48b7972632ce9238e7be0b85ddcaf221438f52e07f00a25c8','slug_change','2026-01-14',4);
INSERT INTO "blog_engine_redirect" VALUES(3,'2026-11-22 02:01:37.481166','2026-11-22 02:01:37.481240','/blog/leads-on','95f6db048014ffbaed7cfa87d2b528b8817a18d1dc3ab2c8f776599cdc6d07be','/blog/winter-garden','1b20c1ff2440538b7d093aab88e679f37823e260c58243e9a2f1fe05d3c9977e','removal','2026-01-17',5);
INSERT INTO "blog_engine_redirect" VALUES(4,'2026-11-22 02:01:37.496157','2026-11-22 02:01:37.496229','/blog/gone','95782f899c09d98b99e5e7e143442fad52c45c1438a250363e00dfc3db498b49',NULL,NULL,'removal','2026-01-17',6);
INSERT INTO "blog_engine_redirect" VALUES(5,'2026-11-22 02:01:37.526141','2026-11-22 02:01:37.526203','/blog/alte-straße/','30288db802ed3f2d38a03e8f86effbf97166df2e2d9645d0b6fd9a12804a7bd4','/blog/winter-garden','1b20c1ff2440538b7d093aab88e679f37823e260c58243e9a2f1fe05d3c9977e','manual','2026-01-04',NULL);
CREATE TABLE "blog_engine_revision" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "identifier" varchar(64) NOT NULL, "payload" text NOT NULL, "actor" varchar(255) NULL, "made_by_ai" bool NULL, "created_at" datetime NOT NULL, "post_id" bigint NOT NULL REFERENCES "blog_engine_post" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "blog_engine_revision_once" UNIQUE ("post_id", "identifier"));
INSERT INTO "blog_engine_revision" VALUES(1,'f51c412a3ea0eb2029755c42f486b63fb57a4a0201c45e3023b91423d919b255','{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden — été 🌿 日本語","version":"1"}','Inès Éditrice',NULL,'2026-01-05 10:30:00.123456',1);
INSERT INTO "blog_engine_revision" VALUES(2,'e6ac8b83cd18a8127a7d27652f13b68ae17d2610afc57ad152f7f506c9891ce8','{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.\n\nMore.","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden — été 🌿 日本語","version":"1"}','Inès Éditrice',NULL,'2026-01-06 09:30:00.123456',1);
INSERT INTO "blog_engine_revision" VALUES(3,'b71c56b1da528874c078a17e35008a2e9347fe294fec96f71b367d25bca7aa2a','{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.\n\nMore.","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden","version":"1"}','Inès Éditrice',NULL,'2026-01-07 09:30:00.123456',1);
INSERT INTO "blog_engine_revision" VALUES(4,'c7eff25291fbf34b75099a75a855c3eff740506815e9ade16bf406fb60f89ea2','{"author":"Mina Hölt","body":"# Jardin d''hiver 🌿\n\nCombining: é and é, 日本語, עברית, an astral 𝔘, a dash — and a quote “so”.\nOld Mac\nline ends, too.\n\n## Tools\n\n- [x] a spade\n- [ ] a rake[^1]\n\n| Tool | Use |\n| --- | --- |\n| spade | digging |\n\n```python\nprint(\"soil\")\n```\n\n[^1]: Borrowed from the <b>neighbour</b> & never returned.\n\nMore!","description":"What grows in winter. ÉTÉ & <i>more</i>","faq":[{"answer":"In March.\nOr April.","question":"When? ❓"},{"answer":"<b>Joy</b>","question":"Why?"}],"images":[],"search_description":"","search_title":"","title":"Winter garden","version":"1"}','Inès Éditrice',NULL,'2026-01-08 09:30:00.123456',1);
INSERT INTO "blog_engine_revision" VALUES(5,'a3b396400e0bf45a7b1ab606bbfe2c2b5698d3340cb2cdc4c4f1bc29af8c8ce4','{"author":"Ada Example","body":"After *winter*.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Spring","version":"1"}','Inès Éditrice',NULL,'2026-01-10 09:30:00.123456',2);
INSERT INTO "blog_engine_revision" VALUES(6,'9f43c40e888b2d631c08dbb68c120d3ac732ebce3f4bcdbfe59a5b78fc35f696','{"author":"Ada Example","body":"Oops.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Taken back","version":"1"}','Inès Éditrice',NULL,'2026-01-11 09:30:00.123456',3);
INSERT INTO "blog_engine_revision" VALUES(7,'ffe8655ea7226b32abb778ba85f1b7b1352062516e635971084364851316a65f','{"author":"Ada Example","body":"Moved.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Old name","version":"1"}','Inès Éditrice',NULL,'2026-01-13 09:30:00.123456',4);
INSERT INTO "blog_engine_revision" VALUES(8,'deb475ffe94ee2c20de91af0a8e6ade9ec334d8c5e654de97977f7a85aa6ea4e','{"author":"Ada Example","body":"Soon gone.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Leads on","version":"1"}','Inès Éditrice',NULL,'2026-01-15 09:30:00.123456',5);
INSERT INTO "blog_engine_revision" VALUES(9,'c4535475c11e80e46d7ceb2a2515e79197b6e35527e733da4a096f3688986a19','{"author":"Ada Example","body":"Soon gone.","description":"","faq":[],"images":[],"search_description":"","search_title":"","title":"Gone","version":"1"}','Inès Éditrice',NULL,'2026-01-16 09:30:00.123456',6);
INSERT INTO "blog_engine_revision" VALUES(10,'08e33eca2659fe5f26cbb60388cacf9ccde7d071d2af77dcb5ed31a63c5c85f4','{"author":"Ada Example","body":"Imported **text**.","description":"","faq":[],"images":[{"alt":"The harbour","role":"cover","sha256":"abababababababababababababababababababababababababababababababab","url":"/blog/media/abababababababababababababababababababababababababababababababab/hafen-gr%C3%B6%C3%9Fe.png"}],"search_description":"","search_title":"","title":"From elsewhere","version":"1"}','Importer',NULL,'2026-01-20 09:30:00.123456',9);
CREATE TABLE "blog_engine_series" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL, "name" varchar(255) NOT NULL, "slug" varchar(200) NOT NULL UNIQUE, "description" text NOT NULL);
INSERT INTO "blog_engine_series" VALUES(1,'2026-11-22 02:01:37.100116','2026-11-22 02:01:37.100192','The year','the-year','');
CREATE TABLE "blog_engine_tag" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(255) NOT NULL, "key" varchar(1020) NOT NULL UNIQUE, "slug" varchar(200) NOT NULL UNIQUE, "created_at" datetime NOT NULL);
INSERT INTO "blog_engine_tag" VALUES(1,'Garten','garten','garten','2026-11-22 02:01:37.100840');
INSERT INTO "blog_engine_tag" VALUES(2,'ÉTÉ','été','ete','2026-11-22 02:01:37.101079');
INSERT INTO "blog_engine_tag" VALUES(3,'日本','日本','riben','2026-11-22 02:01:37.101609');
CREATE INDEX "blog_engine_apitoken_token_prefix_856a8320" ON "blog_engine_apitoken" ("token_prefix");
CREATE INDEX "blog_engine_connectiondeclaration_post_id_b4306b93" ON "blog_engine_connectiondeclaration" ("post_id");
CREATE INDEX "blog_engine_author_avatar_id_ece6b08b" ON "blog_engine_author" ("avatar_id");
CREATE INDEX "blog_engine_pageview_post_id_fc0bf381" ON "blog_engine_pageview" ("post_id");
CREATE INDEX "blog_engine_page_view_by_day" ON "blog_engine_pageview" ("day");
CREATE INDEX "blog_engine_historypermit_never_id_f2a17d0f" ON "blog_engine_historypermit" ("never_id");
CREATE INDEX "blog_engine_faq_post_id_db7d0c83" ON "blog_engine_faq" ("post_id");
CREATE INDEX "blog_engine_redirect_new_key_0dc1b4ed" ON "blog_engine_redirect" ("new_key");
CREATE INDEX "blog_engine_redirect_post_id_81792ae0" ON "blog_engine_redirect" ("post_id");
CREATE INDEX "blog_engine_revision_post_id_ad452822" ON "blog_engine_revision" ("post_id");
CREATE UNIQUE INDEX "blog_engine_publication_one_first" ON "blog_engine_publication" ("post_id") WHERE "entry_type" = 'first';
CREATE INDEX "blog_engine_publication_post_id_1accd088" ON "blog_engine_publication" ("post_id");
CREATE INDEX "blog_engine_publication_revision_id_661bb087" ON "blog_engine_publication" ("revision_id");
CREATE INDEX "blog_engine_publication_time" ON "blog_engine_publication" ("post_id", "occurred_at");
CREATE INDEX "blog_engine_baseline_adopted_revision_id_c4d95a44" ON "blog_engine_baseline" ("adopted_revision_id");
CREATE INDEX "blog_engine_approval_post_id_d6a09ff0" ON "blog_engine_approval" ("post_id");
CREATE INDEX "blog_engine_approval_revision_id_aa62ac9f" ON "blog_engine_approval" ("revision_id");
CREATE INDEX "blog_engine_posttag_post_id_fecb5f56" ON "blog_engine_posttag" ("post_id");
CREATE INDEX "blog_engine_posttag_tag_id_1ae87875" ON "blog_engine_posttag" ("tag_id");
CREATE INDEX "blog_engine_post_author_id_45294a5b" ON "blog_engine_post" ("author_id");
CREATE INDEX "blog_engine_post_category_id_e4f7c8c4" ON "blog_engine_post" ("category_id");
CREATE INDEX "blog_engine_post_cover_image_id_5058b327" ON "blog_engine_post" ("cover_image_id");
CREATE INDEX "blog_engine_post_social_image_id_e499066f" ON "blog_engine_post" ("social_image_id");
CREATE INDEX "blog_engine_post_public_revision_id_a5b14aac" ON "blog_engine_post" ("public_revision_id");
CREATE INDEX "blog_engine_post_series_id_b6fc4bff" ON "blog_engine_post" ("series_id");
CREATE INDEX "blog_engine_post_newest" ON "blog_engine_post" ("created_at" DESC, "id" DESC);
CREATE INDEX "blog_engine_post_by_status" ON "blog_engine_post" ("status", "created_at" DESC, "id" DESC);
CREATE INDEX "blog_engine_post_listed" ON "blog_engine_post" ("status", "listed_at" DESC, "id" DESC);
CREATE INDEX "blog_engine_post_category" ON "blog_engine_post" ("category_id", "status", "listed_at" DESC, "id" DESC);
CREATE INDEX "blog_engine_post_author" ON "blog_engine_post" ("author_id", "status", "listed_at" DESC, "id" DESC);
CREATE INDEX "blog_engine_post_due" ON "blog_engine_post" ("status", "publish_at");
CREATE INDEX "blog_engine_post_title" ON "blog_engine_post" ("status", "title");
CREATE INDEX "blog_engine_post_description" ON "blog_engine_post" ("status", "description_key");
CREATE TRIGGER "blog_engine_revision_no_update" BEFORE UPDATE ON "blog_engine_revision" BEGIN SELECT RAISE(ABORT, 'blog_engine_revision: a row of the history cannot be changed'); END;
CREATE TRIGGER "blog_engine_revision_no_delete" BEFORE DELETE ON "blog_engine_revision" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_historypermit" WHERE "post_id" = OLD."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_revision: a row of the history cannot be deleted'); END;
CREATE TRIGGER "blog_engine_revision_no_replace" BEFORE INSERT ON "blog_engine_revision" WHEN EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "blog_engine_revision"."id" = NEW."id") OR EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "blog_engine_revision"."post_id" = NEW."post_id" AND "blog_engine_revision"."identifier" = NEW."identifier") BEGIN SELECT RAISE(ABORT, 'blog_engine_revision: a row of the history cannot be written over'); END;
CREATE TRIGGER "blog_engine_revision_not_claimed" AFTER INSERT ON "blog_engine_revision" WHEN EXISTS (SELECT 1 FROM "blog_engine_post" WHERE "public_revision_id" = NEW."id" AND "id" <> NEW."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_revision: another post calls this revision its public one'); END;
CREATE TRIGGER "blog_engine_approval_no_update" BEFORE UPDATE ON "blog_engine_approval" BEGIN SELECT RAISE(ABORT, 'blog_engine_approval: a row of the history cannot be changed'); END;
CREATE TRIGGER "blog_engine_approval_no_delete" BEFORE DELETE ON "blog_engine_approval" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_historypermit" WHERE "post_id" = OLD."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_approval: a row of the history cannot be deleted'); END;
CREATE TRIGGER "blog_engine_approval_no_replace" BEFORE INSERT ON "blog_engine_approval" WHEN EXISTS (SELECT 1 FROM "blog_engine_approval" WHERE "blog_engine_approval"."id" = NEW."id") BEGIN SELECT RAISE(ABORT, 'blog_engine_approval: a row of the history cannot be written over'); END;
CREATE TRIGGER "blog_engine_approval_revision_id_own" BEFORE INSERT ON "blog_engine_approval" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "id" = NEW."revision_id" AND "post_id" = NEW."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_approval: revision_id is a revision of another post'); END;
CREATE TRIGGER "blog_engine_publication_no_update" BEFORE UPDATE ON "blog_engine_publication" BEGIN SELECT RAISE(ABORT, 'blog_engine_publication: a row of the history cannot be changed'); END;
CREATE TRIGGER "blog_engine_publication_no_delete" BEFORE DELETE ON "blog_engine_publication" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_historypermit" WHERE "post_id" = OLD."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_publication: a row of the history cannot be deleted'); END;
CREATE TRIGGER "blog_engine_publication_no_replace" BEFORE INSERT ON "blog_engine_publication" WHEN EXISTS (SELECT 1 FROM "blog_engine_publication" WHERE "blog_engine_publication"."id" = NEW."id") OR EXISTS (SELECT 1 FROM "blog_engine_publication" WHERE "blog_engine_publication"."post_id" = NEW."post_id" AND ("blog_engine_publication"."entry_type" = 'first') AND ("NEW"."entry_type" = 'first')) BEGIN SELECT RAISE(ABORT, 'blog_engine_publication: a row of the history cannot be written over'); END;
CREATE TRIGGER "blog_engine_publication_revision_id_own" BEFORE INSERT ON "blog_engine_publication" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "id" = NEW."revision_id" AND "post_id" = NEW."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_publication: revision_id is a revision of another post'); END;
CREATE TRIGGER "blog_engine_baseline_no_update" BEFORE UPDATE ON "blog_engine_baseline" BEGIN SELECT RAISE(ABORT, 'blog_engine_baseline: a row of the history cannot be changed'); END;
CREATE TRIGGER "blog_engine_baseline_no_delete" BEFORE DELETE ON "blog_engine_baseline" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_historypermit" WHERE "post_id" = OLD."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_baseline: a row of the history cannot be deleted'); END;
CREATE TRIGGER "blog_engine_baseline_no_replace" BEFORE INSERT ON "blog_engine_baseline" WHEN EXISTS (SELECT 1 FROM "blog_engine_baseline" WHERE "blog_engine_baseline"."id" = NEW."id") OR EXISTS (SELECT 1 FROM "blog_engine_baseline" WHERE "blog_engine_baseline"."post_id" = NEW."post_id") OR EXISTS (SELECT 1 FROM "blog_engine_baseline" WHERE "blog_engine_baseline"."source_system" = NEW."source_system" AND "blog_engine_baseline"."source_id" = NEW."source_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_baseline: a row of the history cannot be written over'); END;
CREATE TRIGGER "blog_engine_baseline_adopted_revision_id_own" BEFORE INSERT ON "blog_engine_baseline" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "id" = NEW."adopted_revision_id" AND "post_id" = NEW."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_baseline: adopted_revision_id is a revision of another post'); END;
CREATE TRIGGER "blog_engine_connectiondeclaration_no_update" BEFORE UPDATE ON "blog_engine_connectiondeclaration" BEGIN SELECT RAISE(ABORT, 'blog_engine_connectiondeclaration: a row of the history cannot be changed'); END;
CREATE TRIGGER "blog_engine_connectiondeclaration_no_delete" BEFORE DELETE ON "blog_engine_connectiondeclaration" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_historypermit" WHERE "post_id" = OLD."post_id") BEGIN SELECT RAISE(ABORT, 'blog_engine_connectiondeclaration: a row of the history cannot be deleted'); END;
CREATE TRIGGER "blog_engine_connectiondeclaration_no_replace" BEFORE INSERT ON "blog_engine_connectiondeclaration" WHEN EXISTS (SELECT 1 FROM "blog_engine_connectiondeclaration" WHERE "blog_engine_connectiondeclaration"."id" = NEW."id") BEGIN SELECT RAISE(ABORT, 'blog_engine_connectiondeclaration: a row of the history cannot be written over'); END;
CREATE TRIGGER "blog_engine_image_no_update" BEFORE UPDATE ON "blog_engine_image" BEGIN SELECT RAISE(ABORT, 'blog_engine_image: a row of the history cannot be changed'); END;
CREATE TRIGGER "blog_engine_image_no_delete" BEFORE DELETE ON "blog_engine_image" BEGIN SELECT RAISE(ABORT, 'blog_engine_image: a row of the history cannot be deleted'); END;
CREATE TRIGGER "blog_engine_image_no_replace" BEFORE INSERT ON "blog_engine_image" WHEN EXISTS (SELECT 1 FROM "blog_engine_image" WHERE "blog_engine_image"."id" = NEW."id") OR EXISTS (SELECT 1 FROM "blog_engine_image" WHERE "blog_engine_image"."sha256" = NEW."sha256") BEGIN SELECT RAISE(ABORT, 'blog_engine_image: a row of the history cannot be written over'); END;
CREATE TRIGGER "blog_engine_post_public_revision_id_own" BEFORE INSERT ON "blog_engine_post" WHEN EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "id" = NEW."public_revision_id" AND "post_id" <> NEW."id") BEGIN SELECT RAISE(ABORT, 'blog_engine_post: public_revision_id is a revision of another post'); END;
CREATE TRIGGER "blog_engine_post_public_revision_id_kept_own" BEFORE UPDATE OF "public_revision_id" ON "blog_engine_post" WHEN NEW."public_revision_id" IS NOT OLD."public_revision_id" AND EXISTS (SELECT 1 FROM "blog_engine_revision" WHERE "id" = NEW."public_revision_id" AND "post_id" <> NEW."id") BEGIN SELECT RAISE(ABORT, 'blog_engine_post: public_revision_id is a revision of another post'); END;
CREATE TRIGGER "blog_engine_historypermit_only_adopted" BEFORE INSERT ON "blog_engine_historypermit" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_baseline" WHERE "post_id" = NEW."post_id") OR EXISTS (SELECT 1 FROM "blog_engine_publication" WHERE "post_id" = NEW."post_id" AND "entry_type" <> 'adopted') BEGIN SELECT RAISE(ABORT, 'blog_engine_historypermit: only an adoption that nothing followed can be replaced'); END;
CREATE TRIGGER "blog_engine_historypermit_kept_only_adopted" BEFORE UPDATE ON "blog_engine_historypermit" WHEN NOT EXISTS (SELECT 1 FROM "blog_engine_baseline" WHERE "post_id" = NEW."post_id") OR EXISTS (SELECT 1 FROM "blog_engine_publication" WHERE "post_id" = NEW."post_id" AND "entry_type" <> 'adopted') BEGIN SELECT RAISE(ABORT, 'blog_engine_historypermit: only an adoption that nothing followed can be replaced'); END;
DELETE FROM "sqlite_sequence" WHERE name GLOB 'blog_engine_*';
INSERT INTO "sqlite_sequence" VALUES('blog_engine_author',2);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_pageview',1);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_historypermit',0);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_faq',2);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_redirect',5);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_revision',10);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_publication',10);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_baseline',1);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_approval',3);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_posttag',3);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_post',9);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_category',1);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_series',1);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_tag',3);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_connectiondeclaration',2);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_image',1);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_apitoken',2);
INSERT INTO "sqlite_sequence" VALUES('blog_engine_policypage',1);
