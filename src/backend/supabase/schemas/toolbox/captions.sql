-- Captions of videos, as WebVTT (https://www.w3.org/TR/webvtt1/). `domain/captions.ts` checks the same
-- in the browser, and one test runs both.

create function private.clean_captions(p_text text) returns text
language sql immutable set search_path = '' as $$
  select btrim(
    regexp_replace(coalesce(p_text, ''), e'\r\n?', e'\n', 'g'), e'\ufeff \t\n'
  )
$$;
comment on function private.clean_captions(text) is
  'Captions with one kind of line break, without a byte-order mark or space around them; empty for none.';

create function private.caption_seconds(p_time text) returns numeric
language sql immutable set search_path = '' as $$
  select coalesce(m[1]::numeric, 0) * 3600 + m[2]::numeric * 60 + m[3]::numeric
  from regexp_match(p_time, '^(?:(\d{2,4}):)?([0-5]\d):([0-5]\d\.\d{3})$') m
$$;
comment on function private.caption_seconds(text) is
  'The seconds of a time such as 01:02.500 or 00:01:02.500; null if it isn''t one.';

create function private.captions_trouble(p_text text, p_seconds numeric) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_line record;
  v_times text[];
  v_start numeric;
  v_end numeric;
  v_before numeric := 0;
  v_cues int := 0;
  -- What kind of block the line is in: the header, none, a cue that has no words yet, or anything else.
  v_block text := 'header';
begin
  if p_text !~ '^WEBVTT([ \t][^\n]*)?(\n|$)' then
    return 'Captions start with a line that says WEBVTT, and an empty one.';
  end if;
  for v_line in
    select l, place::int as number
    from regexp_split_to_table(p_text || e'\n', '\n') with ordinality as lines(l, place)
    where place > 1
  loop
    if btrim(v_line.l, e' \t') = '' then
      if v_block = 'cue' then
        return format('Line %s: a caption has no words.', v_line.number - 1);
      end if;
      v_block := 'none';
    elsif strpos(v_line.l, '-->') > 0 then
      if v_block = 'header' then
        return 'Captions start with a line that says WEBVTT, and an empty one.';
      end if;
      v_times := regexp_match(v_line.l, '^[ \t]*(\S+)[ \t]+-->[ \t]+(\S+)([ \t].*)?$');
      v_start := private.caption_seconds(v_times[1]);
      v_end := private.caption_seconds(v_times[2]);
      if v_start is null or v_end is null then
        return format('Line %s: write the times like 00:01.000 --> 00:04.500.', v_line.number);
      elsif v_end <= v_start then
        return format('Line %s: the caption ends before it starts.', v_line.number);
      elsif v_start < v_before then
        return format('Line %s: the caption starts before the one above it.', v_line.number);
      -- Players and encoders disagree by a second at most.
      elsif v_end > p_seconds + 1 then
        return format(
          'Line %s: the caption ends after the video, which is %s seconds long.', v_line.number,
          round(p_seconds)
        );
      end if;
      v_before := v_start;
      v_cues := v_cues + 1;
      v_block := 'cue';
    elsif v_block = 'cue' then
      v_block := 'words';
    end if;
  end loop;
  return case when v_cues = 0 then 'There are no captions in this file.' end;
end
$$;
comment on function private.captions_trouble(text, numeric) is
  'What''s wrong with captions of a video of so many seconds (null if nobody knows), in a sentence; null if nothing is.';
