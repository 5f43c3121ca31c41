"""Signs of what a chat program says to the person who asked it, in the languages in which people ask (findings.models).

An opening is looked for at the start of a text, an offer at the start of its last paragraph: elsewhere the same words
are those of an author.
"""

# ruff: noqa: RUF001  # quotation marks, dashes and letters as people write them

import re
from typing import Final

from blog_engine.content.fault_signs import FaultCode, FaultSign, SignPlace, in_any_case

_MODEL: Final = (
    r"(?:an? (?:AI|artificial intelligence)(?: language)?(?: model| assistant)?|a (?:large )?language model)"
    r"(?: (?:trained|developed|created|made) by \w{1,20})?,? I(?:['’]m|['’]ve)?\b"
)
_YES: Final = r"(?:certainly|sure(?: thing)?|of course|absolutely|okay|ok|alright|great|perfect|got it|understood|done)"
_ARTICLE: Final = (
    r"(?:article|blog (?:post|article)|markdown(?: version)?|(?:revised|updated|rewritten|polished|improved|edited"
    r"|corrected|translated|expanded|shortened) (?:version|text|draft|post|translation)"
    r"(?: of (?:your|the) (?:article|draft|text|(?:blog )?post))?)"
)
_WRITTEN: Final = r"(?:article|(?:blog )?post|draft|version|introduction)"
_DO: Final = (
    r"(?:add|adapt|adjust|continue|create|draft|expand|format|generate|help|make|provide|rewrite|shorten|translate|turn"
    r"|write)\b"
)
_HERE: Final = r"(?:here(?:['’]s| is)|below is)"
_FEW_WORDS: Final = r"(?:[\w,'’-]{1,20} ){0,5}"
_SPACE: Final = "[ \u00a0\u202f]?"
"""Stands before a mark in French."""


def _first(pattern: str) -> FaultSign:
    return FaultSign(FaultCode.CHAT, "", in_any_case(pattern), SignPlace.FIRST)


def _last(pattern: str) -> FaultSign:
    return FaultSign(FaultCode.CHAT, "", in_any_case(rf"[^\w¿]{{0,4}}(?:{pattern})"), SignPlace.LAST)


_ANYWHERE: Final = tuple(
    FaultSign(FaultCode.CHAT, needs, in_any_case(pattern))
    for needs, pattern in (
        ("as a", rf"\bas {_MODEL}"),
        ("ki-", r"\bals (?:ein(?:e)? )?KI-(?:Sprach)?(?:modell|assistent)\b[^.!?\n]{0,20}\bich\b"),
        ("modèle de langage", r"\ben tant que modèle de langage\b"),
        ("modelo de lenguaje", r"\bcomo (?:un )?modelo de lenguaje\b"),
        ("modelo de linguagem", r"\bcomo (?:um )?modelo de linguagem\b"),
        ("modello linguistico", r"\bin quanto modello linguistico\b"),
        ("语言模型", r"(?:作为|身为)(?:一个|一款)?(?:人工智能|AI|大)?(?:大型)?语言模型，?我"),
        ("言語モデル", r"(?:AI|大規模)?言語モデル(?:として|である)、?私"),
        # People write of their last update too, but models alone of their knowledge.
        (
            " my ",
            r"\b(?:as of|up to|since|until|beyond|after) my (?:(?:last|latest) )?(?:knowledge|training)(?: data)?"
            r" (?:update|cut-?off)\b|\bas of my (?:last|latest) (?:update|cut-?off)(?: in|,)",
        ),
    )
)
_RESIDUE: Final = (
    FaultSign(
        FaultCode.CHAT,
        "|>",
        re.compile(r"<\|(?:im_start|im_end|endoftext|eot_id|end_of_text|assistant|user|system)\|>\Z"),
        unless_in_code="<|",
    ),
    FaultSign(FaultCode.CHAT, "inst]", re.compile(r"\[/?INST\]\Z"), unless_in_code="INST]"),
    # The button above code, copied with it.
    FaultSign(FaultCode.CHAT, "copy code", re.compile(r"(?:[\w+#-]{1,15}\s{1,3})?Copy code\Z"), SignPlace.PARAGRAPH),
    FaultSign(
        FaultCode.CHAT,
        "word count",
        in_any_case(
            r"\A[^\w]{0,4}(?:total |final |approximate )?word count[^\w]{1,5}(?:approx\w{0,8}\.? |about )?"
            r"\d[\d.,]{0,7}(?: words)?[^\w]{0,4}\Z"
        ),
    ),
)
_OPENINGS: Final = (
    _first(
        r"(?:certainly|sure(?: thing)?|of course|absolutely|got it|no problem|great (?:question|idea|topic)"
        rf"|gerne|natürlich|selbstverständlich|klar|bien sûr|avec plaisir|¡?claro(?: que sí)?|¡?por supuesto){_SPACE}!"
        r"(?:\Z|\s{1,3}(?:here|below|i['’]ll|i['’]ve|i can|i have|let['’]s|let me|this is|hier|ich|voici|aquí|aqui)\b)"
    ),
    _first(
        rf"(?:{_YES}[,.!] )?{_HERE} (?:the|your|an?) (?:[\w,'’-]{{1,20}} ){{0,4}}{_ARTICLE}"
        r"(?: (?:about|on|for|with|in|based|optimi[sz]ed|you requested)\b[^.!?:\n]{0,100})?(?::\Z|:\s{1,2}\S)"
    ),
    _first(rf"{_YES}[,.!:–—-]{{1,2}} ?{_HERE} (?:the|your|an?) {_FEW_WORDS}{_WRITTEN}\b"),
    _first(rf"{_HERE} your {_FEW_WORDS}(?:article|(?:blog )?post)\b[^.!?:\n]{{0,60}}[.!:]?\Z"),
    _first(
        rf"(?:as requested|(?:as )?per your request|(?:based on|following|according to) your (?:request|notes|outline"
        rf"|instructions|input|brief|prompt|feedback)),? (?:{_HERE}|i(?:['’]ve| have) \w{{1,12}})"
        rf" (?:the|your|an?) {_FEW_WORDS}{_WRITTEN}\b"
    ),
    _first(
        rf"(?:{_YES}[,.!] )?i(?:['’]ve| have) (?:written|rewritten|drafted|created|updated|revised|edited|expanded"
        rf"|prepared|put together) (?:the|your|an?) {_FEW_WORDS}{_WRITTEN}\b[^.!?:\n]{{0,80}}"
        r"(?:\b(?:for you|as (?:you )?(?:requested|asked)|to (?:be|sound|make it) [^.!?:\n]{0,60})[.!]?\Z"
        r"|your [^:\n]{0,60}:\Z"
        r"|\bto (?:be|sound|make it) [^.!?:\n]{0,60}:\Z)"
    ),
    _first(
        r"(?:understood|got it|noted|okay)[.,!] i(?:['’]ll| will|['’]ve| have) (?:\w{1,12} ){0,2}"
        r"(?:write|draft|create|rewrite|keep|use|make|generate|update|revise|written|drafted|created|updated)\b"
    ),
    _first(r"you(?:['’]re| are) (?:absolutely |completely )?right[,.!] (?:i['’]ll|let me|here|i apologi|sorry|thank)"),
    _first(
        r"(?:i['’]m sorry|i apologi[sz]e|sorry|unfortunately),? (?:but )?i (?:can['’]?t|cannot|am unable to"
        r"|['’]m unable to|don['’]t have|do not have) (?:browse|access(?: to)? (?:the internet|real-time|external)"
        r"|assist with|help with that|fulfil|comply|provide real-time|generate that|write that|create that)"
    ),
    _first(r"(?:assistant ?: |(?:chatgpt|claude|gemini|copilot) said:|user ?: (?:please )?(?:write|create|draft)\b)"),
    _first(
        r"(?:please )?(?:write|create|generate|draft|compose) (?:me )?an? (?=[^\n]{0,200}\b(?:article|blog post)\b)"
        r"(?=[^\n]{0,300}\b(?:\d{2,5}[- ]words?|tone|seo|target audience|keywords?)\b)[^\n]{0,80}"
    ),
    _first(
        r"here(?:['’]s| is| are) (?:an?|the|your|some|\d{1,2}) (?:[\w,'’-]{1,20} ){0,4}(?:title|headline|description"
        r"|summary)s?\b(?: (?:ideas|options|suggestions))?[^:\n]{0,60}"
        r"\bfor (?:your|the|this) (?:article|blog|post|page)"
    ),
    _first(
        r"(?:(?:gerne|natürlich|klar|selbstverständlich|okay|sicher)[,.!] )?hier (?:ist|kommt|findest du|finden sie)"
        r" (?:der|die|das|dein\w{0,2}|ihr\w{0,2}|ein\w{0,2}) (?:[\w-]{1,20} ){0,3}"
        r"(?:artikel|blog-?(?:beitrag|artikel|post|text)|entwurf|(?:überarbeitete|fertige|gekürzte)\w? \w{4,12})\b"
        r"[^.!?:\n]{0,100}:\Z"
    ),
    _first(
        r"(?:klar|gerne|natürlich|okay|sicher)[,!] hier (?:ist|kommt) \w{3,6} (?:[\w-]{1,20} ){0,2}"
        r"(?:text|beitrag|version|fassung|artikel)\b[^.!?:\n]{0,60}:\Z"
    ),
    _first(
        rf"(?:(?:bien sûr|avec plaisir|certainement|d['’]accord|parfait){_SPACE}[!,.] ?)?voici"
        r" (?:l['’]|le |un |une |votre )"
        r"(?:[\w-]{1,20} ){0,3}(?:(?:article|billet) de blog|article que (?:vous avez|tu as)"
        r"|version (?:corrigée|révisée))"
        rf"[^.!?:\n]{{0,100}}{_SPACE}:\Z"
    ),
    _first(
        r"(?:¡?(?:claro|por supuesto|con gusto|perfecto)[!,.]{1,2} ?)?aquí (?:tienes?|está) (?:el|la|un|una|tu) "
        r"(?:[\w-]{1,20} ){0,3}(?:artículo|entrada|post|texto|borrador|versión)\b[^.!?:\n]{0,100}:\Z"
    ),
    _first(
        r"(?:certamente|certo|claro|com certeza)[!,.] ?(?:ecco|aqui está|segue) (?:[\w'’-]{1,20} ){0,4}"
        r"[\w'’]{0,3}(?:articolo|artigo|post|testo|texto|bozza|rascunho)\b"
    ),
    _first(
        r"(?:当然|好的|没问题|當然|沒問題)(?:可以)?[！!，,。](?:可以[！!，,。])? ?(?:以下|下面|这|這)(?:是|为|為)"
        r"|(?:以下|下面)是(?:为您|为你|根据您|根据你|修改后|润色后|优化后|改写后)"
    ),
    _first(r"(?:もちろんです|承知(?:いた)?しました|かしこまりました|了解(?:いた)?しました)[。！!、]"),
    _first(r"(?:물론입니다|물론이죠|네, 알겠습니다)[.!]"),
    _first(r"(?:بالتأكيد|بالطبع|حسن[اً]{1,2}|تفضل)[!،,. ]{1,3}(?:إليك|هذا|هذه|فيما يلي)"),
    _first(r"(?:בטח|כמובן|בשמחה|בהחלט)[!,. ]{1,3}(?:הנה|להלן)"),
    _first(r"(?:конечно|разумеется|хорошо|с удовольствием)[!,.] ?(?:вот|ниже)\b"),
)
_CHANGES: Final = r"(?:changes|adjustments|edits|revisions|modifications|tweaks|refinements)"
_OFFERS: Final = (
    _last(
        r"(?:i hope (?:this|that) helps|ich hoffe,? (?:das|dies) hilft|j['’]espère que cela (?:vous )?aide"
        r"|espero que (?:esto )?(?:te |le )?(?:ayude|sirva))[.!]{0,3}\Z"
        r"|(?:i hope this helps[.!] )?(?:please )?let me know if you(?:['’]d| would)? (?:like|want|need)"
        rf" (?:me to\b|(?:any |some |further |more )?{_CHANGES}\b|it (?:shorter|longer)\b"
        r"|an?(?:other)? (?:shorter |longer |different )?(?:version|tone)\b)"
        rf"|would you like me to\b|(?:do you )?want me to {_DO}|shal{{2}} i (?:also )?{_DO}"
        rf"|if you(?:['’]d| would)? (?:like|want|prefer|wish), i can (?:also )?{_DO}"
        rf"|i can also {_DO}[^.!?\n]{{0,100}}"
        r"if you(?:['’]d| would)? (?:like|want|prefer)"
        r"|(?:please )?feel free to (?:adjust|modify|edit|tweak|customi[sz]e|adapt|personali[sz]e)"
        r" (?:this|the) (?:article|draft|(?:blog )?post|text|tone)"
    ),
    _last(
        r"(?:soll|möchten sie, dass|möchtest du, dass) ich\b[^.!?\n]{0,80}"
        r"\b(?:anpasse|änder|kürze|erweiter|überarbeite|schreibe|erstelle|ergänze)n?\b[^.!?\n]{0,20}\?\Z"
        r"|(?:sag|sagen sie|gib|geben sie) mir (?:gerne? )?bescheid,? (?:wenn|falls) (?:du|sie)\b[^.!?\n]{0,60}"
        r"(?:änderungen|anpassungen|geändert|angepasst)"
        r"|(?:souhaitez-vous|voulez-vous|souhaites-tu|veux-tu) que je\b|(?:você )?(?:quer|gostaria) que eu\b"
        r"|¿(?:quieres|te gustaría|desea|le gustaría|prefieres) que (?:l[aeo]s? |te |también ){0,2}"
        r"(?:adapte|añada|amplíe|ajuste|cambie|continúe|convierta|desarrolle|escriba|haga|incluya|prepare|redacte|traduzca)"
        r"|vuoi che (?:io )?(?:l[aoie] )?(?:adatti|aggiunga|ampli|continui|modifichi|riscriva|scriva|traduca)\b"
    ),
    _last(
        r"(?:如果|如)(?:您|你)[^。！\n]{0,20}(?:修改|调整|润色|改写|扩写)[^。！\n]{0,20}(?:告诉我|告知我|我可以)"
        r"|ご希望(?:があれば|でしたら)[^。\n]{0,30}(?:修正|調整|追加|変更)"
        r"|(?:修正|調整|追加|変更)[^。\n]{0,20}(?:お知らせください|お申し付けください)"
    ),
    _last(
        r"chatgpt can make mistakes\b|this (?:blog post|article) is (?:fully )?(?:seo[- ])?optimi[sz]ed\b"
        r"|note[^\w]{1,4}(?:i['’]ve|i have|i kept|i used)\b[^\n]{0,120}\b(?:as you (?:asked|requested)"
        r"|your (?:request|prompt|brief|outline|instructions))"
    ),
)

CHAT_SIGNS: Final = (*_ANYWHERE, *_RESIDUE, *_OPENINGS, *_OFFERS)
"""The signs of remarks in a body and in the fields of a post."""
