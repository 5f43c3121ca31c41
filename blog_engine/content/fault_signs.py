"""Signs of the faults that language models make in texts, in tables for ``faults`` (findings.models).

No pattern has two ways to match the same characters, and what repeats is bounded: the time grows with the text alone.
"""

# ruff: noqa: RUF001  # quotation marks, dashes and letters as people write them

import re
from enum import StrEnum
from typing import Final, NamedTuple


class FaultCode(StrEnum):
    """The faults, by the codes of their findings."""

    ESCAPES = "escapes_in_text"
    MARKUP = "markup_in_text"
    PLACEHOLDER = "placeholder_left"
    CHAT = "chat_remark_left"
    CITATION = "citation_mark_left"
    LINK = "link_placeholder"
    FENCED = "body_fenced"
    FRONT_MATTER = "front_matter_in_body"


class SignPlace(StrEnum):
    """The place at which a pattern is looked for."""

    ANYWHERE = "anywhere"
    PARAGRAPH = "paragraph"
    """At the start of a paragraph."""
    FIRST = "first"
    """At the start of the text."""
    LAST = "last"
    """At the start of the last paragraph that is in no list."""


class FaultSign(NamedTuple):
    """A pattern by which a fault is known."""

    code: FaultCode
    needs: str
    """A part of each passage that matches, in lower case; empty for none."""
    pattern: re.Pattern[str]
    place: SignPlace = SignPlace.ANYWHERE
    unless_before: re.Pattern[str] | None = None
    """The words before a passage that is no fault."""
    unless_around: re.Pattern[str] | None = None
    """The words of a paragraph that is about such passages."""
    unless_in_code: str = ""
    """What an article has in its code that is about such passages."""
    unless_with_images: bool = False
    """Whether the passage is no fault in a body with images."""


def in_any_case(pattern: str) -> re.Pattern[str]:
    """Return the compiled pattern, which ignores case."""
    return re.compile(pattern, re.IGNORECASE)


# Buttons, keys, menus and templates, of which an article tells.
_SHOWN: Final = in_any_case(
    r"(?:\b(?:click|press|hit|tap|select|choose|button|key|menu|tab|type|write|template|placeholder|variable|replace"
    r"|klick\w*|drück\w*|taste|schaltfläche|menü|wähl\w*|platzhalter|ersetz\w*|cliqu\w*|appuy\w*|bouton|clic|puls\w*"
    r"|botón|seleccion\w*|clicca\w*|botão|нажм\w*|кнопк\w*|انقر|اضغط|זר|לחצ\w*|כפתור)\b"
    r"|点击|點擊|单击|选择|按钮|菜单|クリック|選択|ボタン|タップ|클릭|버튼)[^.!?。！？\n]{0,30}\Z"
)
_ABOUT_FORMS: Final = in_any_case(
    r"\b(?:format|syntax|template|placeholder|pattern|usage|command|log|argument|option|prompt|variable|field|vorlage"
    r"|platzhalter|modèle|plantilla)s?\b"
)
_ABOUT_CHARACTERS: Final = in_any_case(
    r"encod|utf-?8|latin-?1|mojibake|charset|character set|unicode|code ?page|cp1252|windows-1252|\bescape[ds]?\b|json"
    r"|html|entit|kodier|zeichensatz|encodage|codifica|文字化け|乱码|编码|編碼"
)
_THING: Final = (
    r"name|company|business|brand|product|e-?mail|addres{2}|website|site|url|city|town|title|role|industry|team|phone"
    r"|username|domain|link|image|photo|text|topic|keyword|location|organi[sz]ation|school|logo|token|text here"
    r"|namen|naam|firma|unternehmen|produkt|stadt|webseite|titel|nom|entreprise|produit|ville|titre|texte"
    r"|nombre|empresa|producto|ciudad|correo|título|texto|nome|azienda|prodotto|città|titolo|testo|produto|cidade"
)
_PICTURE: Final = (
    r"image|photo|picture|screenshot|diagram|chart|video|graphic|infographic|illustration|figure|gif|bild|foto"
    r"|imagen|immagine|imagem|изображение"
)
_PART: Final = (
    rf"{_PICTURE}|content|text|title|subtitle|description|quote|name|bio|caption|example|story|headline|heading|summary"
    r"|testimonial|statistic|introduction|intro|conclusion|link|url|logo|cta|table"
)
_BLANK: Final = (
    r"\[(?:date|time|year|month|location|venue|city|country|name|company|amount|number|price|topic|percentage)\]"
)

_ESCAPES: Final = (
    # Line breaks and letters as JSON and Python write them: between words, not as the subject of a sentence.
    *(
        FaultSign(FaultCode.ESCAPES, "\\n", re.compile(pattern))
        for pattern in (
            r"(?<=[\w.!?:;,)*\]”…])(?:\\r)?\\n(?:\\r)?\\n(?=[\w#*>\[(“\\-])",
            r"(?<=[.!?)”…])(?:\\r)?\\n(?=[^\W\d_a-z]|[#*>-])",
            r"(?<=[\w.!?:;,)\]”…])(?:\\r)?\\n(?=[-*•] |\d{1,3}[.)] |#{1,6} )",
        )
    ),
    FaultSign(
        FaultCode.ESCAPES,
        "\\u",
        re.compile(r"(?<=[^\W\d_])\\u(?:00[a-fA-F][0-9a-fA-F]|20[12][0-9a-fA-F])(?=[^\W\d_]|\\u|[\s.,;:!?)]|\Z)"),
        unless_around=_ABOUT_CHARACTERS,
        unless_in_code="\\u",
    ),
    # Dashes between words, marks of lists and quotation marks before words, and pairs for an emoji.
    FaultSign(
        FaultCode.ESCAPES,
        "\\u",
        re.compile(
            r"(?<=[^\W\d_] )\\u201[34](?= [^\W\d_])|\A\\u2022(?= \w)|\\u201[cC](?=\w)"
            r"|\\u[dD]83[c-eC-E]\\u[dD][c-fC-F][0-9a-fA-F]{2}"
        ),
        unless_around=_ABOUT_CHARACTERS,
        unless_in_code="\\u",
    ),
    FaultSign(
        FaultCode.ESCAPES,
        "\\",
        re.compile(r"(?<![\w\\])\\\"(?=\w)[^\"\n]{1,200}\\\"|(?<=[^\W\d_])\\['’](?=[^\W\d_])"),
        unless_around=_ABOUT_CHARACTERS,
        unless_in_code="\\",
    ),
    # UTF-8 that was read as Windows-1252.
    *(
        FaultSign(
            FaultCode.ESCAPES,
            first.lower(),
            re.compile(first + others),
            unless_around=_ABOUT_CHARACTERS,
            unless_in_code=first,
        )
        for first, others in (
            ("â€", "[™œ˜¦“”•\u0080-\u00bf]"),
            ("Ã", "[©¨ª¢§´®¯¶¼¤¡³º±¥\u00ad\u0178]"),
        )
    ),
)

_PLACEHOLDERS: Final = (
    FaultSign(
        FaultCode.PLACEHOLDER,
        "[",
        in_any_case(
            r"\[(?=[^\[\]\n]{1,160}\])"
            r"(?:(?:todo|tbd|tba|tk|tktk|xxx?|lorem ipsum|placeholder|to be (?:added|completed|determined|written)"
            r"|cta|call[- ]to[- ]action)\b[^\]\n]{0,80}"
            r"|(?:insert|add|enter|include|paste|fill in|insérer|insérez|ajouter|ajoutez|insertar|inserta|inserte"
            r"|añadir|inserire|inserisci|aggiungere|inserir|insira|adicionar|вставить|вставьте|добавьте|укажите|أدخل|أضف|إدراج"
            r"|הכנס|הכניסו|הוסף|הוסיפו)\b:?[ ][^\]\n]{1,80}"
            r"|(?:hier )?(?:bild|foto|link|name|text|datum|quelle)\b[^\]\n]{0,40} einfügen"
            rf"|(?:il |la |o |a )?(?:your|ihre?|deine?|votre|tu|su|tuo|tua|seu|sua|jouw) (?:[\w-]{{1,20}} ){{0,2}}"
            rf"(?:{_THING})(?: (?:here|hier|ici|aquí|qui|aqui))?"
            r"|(?:author|company|client|customer|product|brand|website|business|recipient|first|last|full|city|founder"
            r"|blog|event|hiring manager)(?:['’]s)? name"
            r"|(?:phone|contact|account|order|license) number|e-?mail addres{2}|website (?:url|addres{2})"
            rf"|(?:{_PICTURE}|link) (?:of|to|showing|placeholder|here)\b[^\]\n]{{0,80}}"
            r"|(?:hero|cover|header|featured|feature|banner) (?:image|photo|picture)\b[^\]\n]{0,80}"
            rf"|(?:[\w-]{{1,20}} ){{0,2}}(?:{_PART}) (?:goes |will go |to go )?here"
            r"|ваше имя|имя автора|название компании|اسمك|اسم الشركة|השם שלך|שם החברה)\]"
        ),
        unless_before=_SHOWN,
    ),
    FaultSign(
        FaultCode.PLACEHOLDER,
        "",
        re.compile(
            r"[\[【［](?:(?:请|請)?(?:在此|在这里|在這裡|此处|此處)[^\]】］\n]{1,40}"
            r"|(?:插入|添加|填写)(?:图片|图像|截图|链接|视频|姓名|名称)[^\]】］\n]{0,20}"
            r"|(?:您|你|贵公司)的?(?:姓名|名字|名称|公司|邮箱|电话|网站|链接)[^\]】］\n]{0,10}"
            r"|(?:ここに|こちらに)[^\]】］\n]{1,40}|[^\]】］\n]{1,20}を(?:挿入|入力|記入|追加)[^\]】］\n]{0,10}"
            r"|(?:あなた|御社|貴社)の[^\]】］\n]{1,10}"
            r"|여기에 [^\]】］\n]{1,30}|(?:이미지|사진|링크) (?:삽입|추가))[\]】］]"
        ),
        unless_before=_SHOWN,
    ),
    # A picture to be made; beside pictures it is rather a caption.
    FaultSign(
        FaultCode.PLACEHOLDER,
        "[",
        in_any_case(rf"\A\u2060?\[(?:{_PICTURE}|图片|图|画像|写真|이미지) ?[:：][^\]\n]{{1,300}}\]\Z"),
        unless_with_images=True,
    ),
    FaultSign(
        FaultCode.PLACEHOLDER,
        "[",
        in_any_case(rf"{_BLANK}[^\[\n]{{0,60}}{_BLANK}"),
        unless_before=_SHOWN,
        unless_around=_ABOUT_FORMS,
    ),
    # What a model left out because it was there before.
    FaultSign(
        FaultCode.PLACEHOLDER,
        "",
        in_any_case(
            r"[\[(](?:\.{3}|…)? ?(?:(?:the )?(?:rest|remainder) of (?:the |your |this )?(?:original |existing )?"
            r"(?:article|(?:blog )?post|content|text|section|body|document)\b[^\])\n]{0,60}"
            r"|(?:article|content|text|output|response) (?:is |was )?truncated\b[^\])\n]{0,40}"
            r"|(?:article|content|text|section)s? (?:remains?|is|are)? ?(?:unchanged|continues)\b[^\])\n]{0,40}"
            r"|(?:der )?rest (?:des|vom) (?:artikels?|textes|text|beitrags?)\b[^\])\n]{0,40}"
            r"|(?:le )?reste (?:de l['’]article|du texte)\b[^\])\n]{0,40}"
            r"|(?:el )?resto del? (?:artículo|texto|contenido)\b[^\])\n]{0,40})[\])]"
            r"|[\[(（【](?:此处省略|以下省略|其余(?:内容|部分)|后续内容)[^\])）】\n]{0,20}[\])）】]"
        ),
    ),
    FaultSign(FaultCode.PLACEHOLDER, "todo", re.compile(r"TODO(?::\s|\s[-–—]\s|\Z)"), SignPlace.PARAGRAPH),
    FaultSign(FaultCode.PLACEHOLDER, "tbd", re.compile(r"TBD(?::\s|\Z)"), SignPlace.PARAGRAPH),
    FaultSign(FaultCode.PLACEHOLDER, "lorem ipsum", in_any_case(r"lorem ipsum dolor sit amet\b"), SignPlace.PARAGRAPH),
    FaultSign(FaultCode.PLACEHOLDER, "xx", re.compile(r"(?<![\w.,-])(?:[$€£]X{2,4}(?![\w])|X{2,4} ?%)")),
    FaultSign(FaultCode.PLACEHOLDER, "xxx", re.compile(r"XXX(?::\s|\Z)"), SignPlace.PARAGRAPH),
    FaultSign(FaultCode.PLACEHOLDER, "__", re.compile(r"(?<![\w$€£_])(?:[$€£]_{2,9}(?!\w)|_{2,9} ?%)")),
    FaultSign(
        FaultCode.PLACEHOLDER,
        "{{",
        re.compile(r"\{\{[-#/]?[ ]?[A-Za-z_][\w.|: '\"-]{0,80}\}\}"),
        unless_before=_SHOWN,
        unless_in_code="{{",
    ),
    FaultSign(
        FaultCode.PLACEHOLDER,
        "{",
        in_any_case(r"(?<![\w$#{\\])\{(?:your[_ ]\w{2,20}|(?:company|first|last|customer|product|brand)[_ ]?name)\}"),
        unless_before=_SHOWN,
        unless_around=_ABOUT_FORMS,
        unless_in_code="{",
    ),
    FaultSign(FaultCode.PLACEHOLDER, "{%", re.compile(r"\{%-? ?[a-z][^%\n]{0,100}%\}"), unless_in_code="{%"),
)

# Marks that chat programs put where they cite.
_CITATIONS: Final = tuple(
    FaultSign(FaultCode.CITATION, needs, re.compile(pattern))
    for needs, pattern in (
        ("oaicite", r":?contentReference\[oaicite:[^\]\n]{0,20}\](?:\{[^}\n]{0,30}\})?"),
        ("oai_citation", r"\[?oai_citation[:_‡][^\]\s]{0,60}\]?"),
        ("†", r"【\d{1,4}(?::\d{1,4})?†[^】\n]{0,60}】|\[\d{1,4}†[^\]\n]{0,60}\]"),
        ("turn", r"(?:\ue200?cite\ue202?)?\bturn\d{1,3}(?:search|view|news|file|image)\d{1,3}\b"),
        ("citeturn", r"\bciteturn\d{1,3}\w{3,10}\d{1,3}\b"),
        ("\ue200", r"\ue200(?:file)?(?:cite|navlist|entity|image_group|products|url)\b"),
        ("[cite", r"\[cite(?:_start|_end|: ?\d{1,3}(?:(?:, ?|[-–])\d{1,3}){0,20})\]"),
        ("[source:", r"\[source: ?\d{1,3}(?:(?:, ?|[-–])\d{1,3}){0,20}\]"),
        (":", r"\[(?:web|attached_file|generated_image|code_file):\d{1,3}\]"),
        ("[^", r"\[\^\d{1,3}\^\]"),
    )
)

PROSE_SIGNS: Final = (*_ESCAPES, *_PLACEHOLDERS, *_CITATIONS)
"""The signs in prose: of a body, and of the fields of a post."""

ENTITY_SIGNS: Final = (
    FaultSign(FaultCode.ESCAPES, "&", re.compile(r"(?<=[^\W\d_])&(?:#0?39|#x27|apos|[lr]squo);(?=[^\W\d_])")),
    FaultSign(
        FaultCode.ESCAPES,
        "&",
        re.compile(r"(?<=[^\W\d_] )&amp;(?= [^\W\d_])|(?<![\w;])&quot;(?=\w)[^&\n]{1,200}&quot;"),
        unless_around=_ABOUT_CHARACTERS,
        unless_in_code="&",
    ),
)
"""Further signs in a body."""

FIELD_SIGNS: Final = (
    FaultSign(
        FaultCode.PLACEHOLDER,
        "",
        in_any_case(
            r"(?:(?:todo|tbd|tba|untitled(?: (?:post|draft|document|article))?|xxx)[.:…]{0,3}\Z|lorem ipsum dolor\b"
            r"|(?:blog post|your|your (?:blog |post |article )?|insert|page|post|article) title(?: (?:goes )?here)?\Z"
            r"|your (?:\w{1,20} ){0,2}(?:headline|description) (?:goes )?here\b"
            r"|\[(?:title|headline|description|meta description|summary|excerpt|question|answer)\b[^\]\n]{0,40}\]\Z)"
        ),
        SignPlace.FIRST,
    ),
    FaultSign(
        FaultCode.PLACEHOLDER,
        "your ",
        in_any_case(r"[|–—-] your (?:blog|site|brand|company|website|business)(?: name)?\Z"),
    ),
    FaultSign(
        FaultCode.MARKUP,
        "<",
        re.compile(r"<(b|i|u|em|strong|h[1-6]|p|a|code|span|mark|small|sup|sub)\b[^<>]{0,200}>(?=[^<>]{0,300}</\1>)"),
    ),
    FaultSign(FaultCode.MARKUP, "<br", re.compile(r"(?<=\S)<br ?/?>(?=\S)")),
    FaultSign(
        FaultCode.MARKUP,
        "&",
        re.compile(
            r"(?<![\w&])&(?:amp|#38|[nm]dash|hellip|#821[12]);(?= \w)"
            r"|(?<=\w)&(?:amp|#0?3[489]|#x2[267]|apos|quot|nbsp|[lr][sd]quo|[nm]dash|hellip|#82(?:1[1267]|2[01])|szlig);"
            r"|(?:(?<=[^\W\d_])|\b)&[aeiouyncAEIOUNC](?:acute|grave|circ|uml|tilde|cedil);|&(?:quot|[lr]dquo);(?=\w)"
        ),
    ),
    FaultSign(FaultCode.MARKUP, "**", re.compile(r"(?<![\w*])\*\*(?=[^\s*])[^*\n]{1,200}(?<=\S)\*\*(?![\w*])")),
    FaultSign(FaultCode.MARKUP, "](", re.compile(r"\[[^\]\n]{1,200}\]\((?:https?://|/)[^)\s]{0,300}\)")),
    FaultSign(FaultCode.MARKUP, "#", re.compile(r"#{1,6} (?=[^\sa-z\d])"), SignPlace.FIRST),
    FaultSign(
        FaultCode.MARKUP,
        "",
        in_any_case(
            r"(?:\*\*)?(?:(?:seo |blog |blog post |post |article |page |meta )?title|titel|titre|título|titolo|headline"
            r"|meta description|meta-beschreibung|méta-description|заголовок|标题|標題|タイトル|제목|عنوان)"
            r"(?: \([^)\n]{1,30}\))?(?:\*\*)?(?: ?: |：)"
        ),
        SignPlace.FIRST,
    ),
)
"""Further signs in fields, which are shown as plain text."""
ABOUT_MARKUP: Final = in_any_case(
    r"html|xml|entit|escap|encod|markup|sanitiz|\btags?\b|element|character|zeichen|maskier"
)
"""Words of texts about markup."""
