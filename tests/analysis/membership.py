"""Whether a JSON value belongs to a type, told apart from how types are computed; and strategies for both."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from graphwright.analysis.jsontype import ANY, KINDS, Field, Type, either, kind_of, list_of, object_of, one_of
from graphwright.ir import Json


def belongs(value: Json, kind: Type) -> bool:
    """Whether `value` is one of the values of `kind`."""
    if kind_of(value) not in kind.kinds:
        return False
    if isinstance(value, list):
        return kind.items is None or all(belongs(item, kind.items) for item in value)
    if isinstance(value, dict):
        if kind.variants and not any(belongs(value, variant) for variant in kind.variants):
            return False
        fields = kind.field_map
        if any(field.required and name not in value for name, field in fields.items()):
            return False
        return all(
            belongs(entry, fields[name].type if name in fields else kind.others) for name, entry in value.items()
        )
    return kind.values is None or any(type(other) is type(value) and other == value for other in kind.values)


SCALARS: SearchStrategy[bool | int | float | str | None] = st.sampled_from(
    [None, True, False, 0, 1, 2, -3, 0.5, 1.0, "", "a", "b", "7"]
)
VALUES: SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
    max_leaves=6,
)


def _objects(inner: SearchStrategy[Type]) -> SearchStrategy[Type]:
    fields = st.dictionaries(st.sampled_from(["a", "b"]), st.builds(Field, inner, st.booleans()), max_size=2)
    return st.builds(lambda known, others: object_of(known, others=others), fields, inner)


TYPES: SearchStrategy[Type] = st.recursive(
    st.one_of(
        st.just(ANY),
        st.frozensets(st.sampled_from(KINDS), max_size=3).map(Type),
        st.lists(SCALARS, max_size=3).map(one_of),
    ),
    lambda inner: inner.map(list_of) | _objects(inner) | st.builds(either, _objects(inner), inner),
    max_leaves=4,
)
