"""A template engine that is not Django's."""

import string
from pathlib import Path
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.backends.dummy import Template, TemplateStrings


class Dollars(TemplateStrings):
    """Templates of the standard library, found in ``DIRS``."""

    def get_template(self, template_name: str) -> Any:
        for folder in self.dirs:
            if (file := Path(folder) / template_name).is_file():
                return Template(string.Template(file.read_text("utf-8")).template)
        raise TemplateDoesNotExist(template_name, backend=self)
