"""``{% load blog_engine %}``: dates as the reader pages write them."""

from django import template

from blog_engine.queries import dates

register = template.Library()

register.filter("long_date", dates.long_date)
register.filter("iso_date", dates.iso_date)
