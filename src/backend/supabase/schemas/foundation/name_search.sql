-- Finding people and businesses by name, in any language: by the beginning of each word, and
-- whether or not the accents are typed.

create function private.plain_words(p_text text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    -- NFD puts accents after their letter, where they can be left out.
    regexp_replace(normalize(lower(coalesce(p_text, '')), NFD), '[\u0300-\u036f]+', '', 'g'),
    '[^[:alnum:]]+', ' ', 'g'
  )
$$;

create function private.name_words(p_text text) returns tsvector
language sql immutable set search_path = '' as $$
  select to_tsvector('pg_catalog.simple', private.plain_words(p_text))
$$;
comment on function private.name_words(text) is
  'The words of names and email addresses, as they are: "Peña, ann@x.org" is pena, ann, x and org.';

create function private.name_query(p_text text) returns tsquery
language sql immutable set search_path = '' as $$
  select to_tsquery('pg_catalog.simple', string_agg(w || ':*', ' & '))
  from regexp_split_to_table(left(private.plain_words(p_text), 200), ' ') w
  where w <> ''
$$;
comment on function private.name_query(text) is
  'A search query for name_words, with every word as a prefix; null for nothing.';
