"""Attribute lists of the result: types mapped, `nocallback` taken away.

A function that is `nocallback` does not call into its caller's module. After linking, the module it
is in and its caller's may be one, so the promise does not hold any more; for intrinsics it does.

Source: the LLVM Language Reference, "Function Attributes" (nocallback).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from irsan.ir.attributes import Attribute, AttributeList, AttributeSet
from irsan.ir.linker.type_map import TypeMap
from irsan.ir.types import Type
from irsan.ir.values import Function, Value

_NO_CALLBACK: Final = "nocallback"


class LinkedAttributes:
    """Each list is changed once; a list is shared by many calls, so it is found by identity."""

    def __init__(self, types: TypeMap) -> None:
        self._types = types
        self._lists: dict[tuple[int, bool], tuple[AttributeList, AttributeList]] = {}

    def of_function(self, function: Function) -> AttributeList:
        """The list of a function."""
        return self._changed(function.attributes, function.is_intrinsic)

    def of_call(self, attributes: AttributeList, callee: Value) -> AttributeList:
        """The list of a call."""
        return self._changed(attributes, isinstance(callee, Function) and callee.is_intrinsic)

    def of_set(self, attributes: AttributeSet) -> AttributeSet:
        """One set, with its types mapped."""
        if not any(isinstance(one.value, Type) for one in attributes):
            return attributes
        return tuple([self._attribute(one) for one in attributes])

    def _attribute(self, one: Attribute) -> Attribute:
        value = one.value
        return replace(one, value=self._types.map_type(value)) if isinstance(value, Type) else one

    def _changed(self, attributes: AttributeList, is_intrinsic: bool) -> AttributeList:
        key = (id(attributes), is_intrinsic)
        known = self._lists.get(key)
        if known is None:
            made = AttributeList(
                self.of_set(attributes.function),
                self.of_set(attributes.returns),
                tuple([self.of_set(one) for one in attributes.parameters]),
            )
            if not is_intrinsic and made.has_function(_NO_CALLBACK):
                made = made.without_function((_NO_CALLBACK,))
            known = self._lists[key] = (attributes, made)
        return known[1]
