SET local check_function_bodies = off;

ALTER TABLE "private"."transitions"
  DROP CONSTRAINT "transitions_who_check";

ALTER TABLE "public"."notifications"
  DROP CONSTRAINT "notifications_kind_check";

ALTER TABLE "public"."surveys"
  DROP CONSTRAINT "surveys_check";

CREATE TABLE "private"."document_numbers" (
  "kind" text    NOT NULL,
  "year" integer NOT NULL,
  "last" integer NOT NULL,
  CONSTRAINT "document_numbers_kind_check" CHECK ((kind = ANY (ARRAY['Q'::text, 'INV'::text]))),
  CONSTRAINT "document_numbers_pkey" PRIMARY KEY (kind, year)
);

ALTER TABLE "private"."document_numbers"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."program_groups" (
  "program_id" uuid    NOT NULL,
  "figure"     text    NOT NULL,
  "label"      text    NOT NULL,
  "position"   integer NOT NULL,
  CONSTRAINT "program_groups_label_check" CHECK ((char_length(label) <= 120)),
  CONSTRAINT "program_groups_pkey" PRIMARY KEY (program_id, figure, label)
);

ALTER TABLE "private"."program_groups"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."program_readings" (
  "program_id" uuid    NOT NULL,
  "figure"     text    NOT NULL,
  "version"    integer NOT NULL,
  "made_on"    date    NOT NULL,
  "entries"    jsonb   NOT NULL,
  CONSTRAINT "program_readings_figure_check" CHECK ((figure ~ '^[a-z]+(:[a-z-]+)?$'::text)),
  CONSTRAINT "program_readings_pkey" PRIMARY KEY (program_id, figure, VERSION)
);

ALTER TABLE "private"."program_readings"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."stripe_events" (
  "id"          text                     NOT NULL,
  "type"        text                     NOT NULL,
  "created_at"  timestamp with time zone NOT NULL,
  "received_at" timestamp with time zone NOT NULL DEFAULT now(),
  "handled_at"  timestamp with time zone,
  "error"       text,
  CONSTRAINT "stripe_events_error_check" CHECK ((char_length(error) <= 500)),
  CONSTRAINT "stripe_events_id_check" CHECK (((char_length(id) >= 3) AND (char_length(id) <= 255))),
  CONSTRAINT "stripe_events_pkey" PRIMARY KEY (id),
  CONSTRAINT "stripe_events_type_check" CHECK ((char_length(type) <= 100))
);

ALTER TABLE "private"."stripe_events"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."survey_batch_answers" (
  "response_id" uuid     NOT NULL,
  "question"    smallint NOT NULL,
  "batch_id"    uuid     NOT NULL,
  CONSTRAINT "survey_batch_answers_pkey" PRIMARY KEY (response_id, question)
);

ALTER TABLE "private"."survey_batch_answers"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."survey_batches" (
  "id"        uuid      NOT NULL DEFAULT gen_random_uuid(),
  "survey_id" uuid      NOT NULL,
  "question"  smallint  NOT NULL,
  "invited"   boolean   NOT NULL,
  "quarter"   date,
  "grouped"   text,
  "answers"   integer   NOT NULL,
  "counts"    integer[] NOT NULL,
  "words"     text[]    NOT NULL,
  CONSTRAINT "survey_batches_answers_check" CHECK ((answers >= 5)),
  CONSTRAINT "survey_batches_counts_check" CHECK ((cardinality(counts) = 11)),
  CONSTRAINT "survey_batches_pkey" PRIMARY KEY (id),
  CONSTRAINT "survey_batches_quarter_check" CHECK ((quarter = (date_trunc('quarter'::text, (quarter)::timestamp without time zone))::date)),
  CONSTRAINT "survey_batches_question_check" CHECK (((question >= 0) AND (question <= 13)))
);

ALTER TABLE "private"."survey_batches"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."disputes" (
  "ref"          text                     NOT NULL,
  "payment_ref"  text                     NOT NULL,
  "amount_minor" bigint                   NOT NULL,
  "state"        text                     NOT NULL,
  "reported_at"  timestamp with time zone NOT NULL,
  "created_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "disputes_amount_minor_check" CHECK ((amount_minor > 0)),
  CONSTRAINT "disputes_pkey" PRIMARY KEY (ref),
  CONSTRAINT "disputes_ref_check" CHECK (((char_length(ref) >= 3) AND (char_length(ref) <= 255))),
  CONSTRAINT "disputes_state_check" CHECK ((state = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);

ALTER TABLE "public"."disputes"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."disputes" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."memberships" (
  "order_id"         uuid                     NOT NULL,
  "ref"              text                     NOT NULL,
  "state"            text                     NOT NULL,
  "period_ends_at"   timestamp with time zone,
  "ends_with_period" boolean                  NOT NULL DEFAULT false,
  "reported_at"      timestamp with time zone NOT NULL,
  CONSTRAINT "memberships_pkey" PRIMARY KEY (order_id),
  CONSTRAINT "memberships_ref_key" UNIQUE (ref),
  CONSTRAINT "memberships_state_check" CHECK ((state = ANY (ARRAY['active'::text, 'past_due'::text, 'ended'::text])))
);

ALTER TABLE "public"."memberships"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."memberships" FROM "anon", "service_role";

CREATE TABLE "public"."order_events" (
  "id"         bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "order_id"   uuid                     NOT NULL,
  "at"         timestamp with time zone NOT NULL DEFAULT now(),
  "actor_id"   uuid,
  "from_state" text,
  "to_state"   text                     NOT NULL,
  "note"       text,
  CONSTRAINT "order_events_note_check" CHECK ((char_length(note) <= 500)),
  CONSTRAINT "order_events_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."order_events"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."order_events" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."order_lines" (
  "order_id"     uuid         NOT NULL,
  "position"     smallint     NOT NULL,
  "plan_key"     text,
  "every"        text         NOT NULL DEFAULT 'once'::text,
  "description"  text         NOT NULL,
  "quantity"     integer      NOT NULL,
  "unit_minor"   bigint       NOT NULL,
  "amount_minor" bigint       GENERATED ALWAYS AS ((quantity * unit_minor)) STORED NOT NULL,
  "tax_name"     text,
  "tax_rate"     numeric(7,6) NOT NULL DEFAULT 0,
  "tax_minor"    bigint       GENERATED ALWAYS AS ((round((((quantity * unit_minor))::numeric * tax_rate)))::bigint) STORED NOT NULL,
  CONSTRAINT "order_lines_description_check" CHECK (((char_length(description) >= 1) AND (char_length(description) <= 200))),
  CONSTRAINT "order_lines_every_check" CHECK ((every = ANY (ARRAY['once'::text, 'month'::text, 'year'::text]))),
  CONSTRAINT "order_lines_pkey" PRIMARY KEY (order_id, "position"),
  CONSTRAINT "order_lines_position_check" CHECK ((("position" >= 1) AND ("position" <= 20))),
  CONSTRAINT "order_lines_quantity_check" CHECK (((quantity >= 1) AND (quantity <= 1000))),
  CONSTRAINT "order_lines_tax_name_check" CHECK ((char_length(tax_name) <= 80)),
  CONSTRAINT "order_lines_tax_rate_check" CHECK (((tax_rate >= (0)::numeric) AND (tax_rate < (1)::numeric))),
  CONSTRAINT "order_lines_unit_minor_check" CHECK (((unit_minor >= 0) AND (unit_minor <= 100000000)))
);

ALTER TABLE "public"."order_lines"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."order_lines" FROM "anon", "service_role";

CREATE TABLE "public"."orders" (
  "id"                   uuid                     NOT NULL,
  "buyer_id"             uuid,
  "business_id"          uuid,
  "method"               text                     NOT NULL,
  "state"                text                     NOT NULL DEFAULT 'draft'::text,
  "state_since"          timestamp with time zone NOT NULL DEFAULT now(),
  "currency"             text                     NOT NULL,
  "subtotal_minor"       bigint                   NOT NULL DEFAULT 0,
  "tax_minor"            bigint                   NOT NULL DEFAULT 0,
  "total_minor"          bigint                   GENERATED ALWAYS AS ((subtotal_minor + tax_minor)) STORED NOT NULL,
  "paid_minor"           bigint                   NOT NULL DEFAULT 0,
  "refunded_minor"       bigint                   NOT NULL DEFAULT 0,
  "disputed_minor"       bigint                   NOT NULL DEFAULT 0,
  "billing_name"         text,
  "billing_organization" text,
  "billing_email"        text,
  "billing_address"      text,
  "billing_region"       text,
  "tax_exempt"           boolean                  NOT NULL DEFAULT false,
  "note"                 text,
  "quote_number"         text,
  "quoted_at"            timestamp with time zone,
  "quote_expires_at"     timestamp with time zone,
  "po_number"            text,
  "po_received_at"       timestamp with time zone,
  "invoice_number"       text,
  "invoiced_at"          timestamp with time zone,
  "invoice_due_on"       date,
  "checkout_ref"         text,
  "customer_ref"         text,
  "is_test"              boolean                  NOT NULL DEFAULT false,
  "created_at"           timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "orders_billing_address_check" CHECK ((char_length(billing_address) <= 500)),
  CONSTRAINT "orders_billing_email_check" CHECK ((char_length(billing_email) <= 254)),
  CONSTRAINT "orders_billing_name_check" CHECK ((char_length(billing_name) <= 120)),
  CONSTRAINT "orders_billing_organization_check" CHECK ((char_length(billing_organization) <= 160)),
  CONSTRAINT "orders_billing_region_check" CHECK ((billing_region ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'::text)),
  CONSTRAINT "orders_check1" CHECK (((invoice_number IS NULL) = (invoiced_at IS NULL))),
  CONSTRAINT "orders_checkout_ref_key" UNIQUE (checkout_ref),
  CONSTRAINT "orders_check" CHECK (((quote_number IS NULL) = (quoted_at IS NULL))),
  CONSTRAINT "orders_currency_check" CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT "orders_invoice_number_key" UNIQUE (invoice_number),
  CONSTRAINT "orders_method_check" CHECK ((method = ANY (ARRAY['card'::text, 'purchase_order'::text]))),
  CONSTRAINT "orders_note_check" CHECK ((char_length(note) <= 1000)),
  CONSTRAINT "orders_pkey" PRIMARY KEY (id),
  CONSTRAINT "orders_po_number_check" CHECK ((char_length(po_number) <= 60)),
  CONSTRAINT "orders_quote_number_key" UNIQUE (quote_number),
  CONSTRAINT "orders_state_check"
    CHECK
    ((state = ANY (ARRAY['draft'::text, 'pending'::text, 'quoted'::text, 'po_received'::text, 'invoiced'::text, 'paid'::text, 'part_refunded'::text, 'refunded'::text,
    'canceled'::text, 'expired'::text, 'failed'::text]))),
  CONSTRAINT "orders_subtotal_minor_check" CHECK ((subtotal_minor >= 0)),
  CONSTRAINT "orders_tax_minor_check" CHECK ((tax_minor >= 0)),
  "words"                tsvector                 GENERATED ALWAYS AS
    (private.name_words(((((((((((COALESCE(quote_number, ''::text) || ' '::text) || COALESCE(invoice_number, ''::text)) || ' '::text) || COALESCE(po_number, ''::text)) ||
    ' '::text) || COALESCE(billing_organization, ''::text)) || ' '::text) || COALESCE(billing_name, ''::text)) || ' '::text) || COALESCE(billing_email, ''::text)))) STORED NOT NULL
);

ALTER TABLE "public"."orders"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."orders" FROM "anon", "service_role";

CREATE TABLE "public"."payments" (
  "id"               uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "order_id"         uuid                     NOT NULL,
  "ref"              text                     NOT NULL,
  "method"           text                     NOT NULL,
  "amount_minor"     bigint                   NOT NULL,
  "currency"         text                     NOT NULL,
  "received_at"      timestamp with time zone NOT NULL,
  "period_starts_at" timestamp with time zone,
  "period_ends_at"   timestamp with time zone,
  "recorded_by"      uuid,
  "note"             text,
  "created_at"       timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "payments_amount_minor_check" CHECK ((amount_minor > 0)),
  CONSTRAINT "payments_check1" CHECK (((period_starts_at IS NULL) = (period_ends_at IS NULL))),
  CONSTRAINT "payments_check" CHECK ((period_ends_at > period_starts_at)),
  CONSTRAINT "payments_currency_check" CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT "payments_method_check" CHECK ((method = ANY (ARRAY['card'::text, 'check'::text, 'transfer'::text, 'other'::text]))),
  CONSTRAINT "payments_note_check" CHECK ((char_length(note) <= 500)),
  CONSTRAINT "payments_pkey" PRIMARY KEY (id),
  CONSTRAINT "payments_ref_check" CHECK (((char_length(ref) >= 3) AND (char_length(ref) <= 255))),
  CONSTRAINT "payments_ref_key" UNIQUE (ref)
);

ALTER TABLE "public"."payments"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."payments" FROM "anon", "service_role";

CREATE TABLE "public"."plans" (
  "key"         text     NOT NULL,
  "name"        text     NOT NULL,
  "position"    smallint NOT NULL,
  "gives"       text     NOT NULL,
  "sessions"    smallint NOT NULL,
  "months"      smallint NOT NULL,
  "fewest"      integer  NOT NULL DEFAULT 1,
  "most"        integer  NOT NULL DEFAULT 1,
  "for_members" boolean  NOT NULL DEFAULT false,
  CONSTRAINT "plans_check1" CHECK (((gives = 'nothing'::text) = (sessions = 0))),
  CONSTRAINT "plans_check" CHECK (((most >= fewest) AND (most <= 1000))),
  CONSTRAINT "plans_fewest_check" CHECK (((fewest >= 1) AND (fewest <= 1000))),
  CONSTRAINT "plans_gives_check" CHECK ((gives = ANY (ARRAY['nothing'::text, 'pack'::text, 'membership'::text, 'seat'::text]))),
  CONSTRAINT "plans_key_check" CHECK ((key ~ '^[a-z][a-z-]{0,39}$'::text)),
  CONSTRAINT "plans_months_check" CHECK (((months >= 0) AND (months <= 60))),
  CONSTRAINT "plans_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
  CONSTRAINT "plans_pkey" PRIMARY KEY (key),
  CONSTRAINT "plans_sessions_check" CHECK (((sessions >= 0) AND (sessions <= 100)))
);

ALTER TABLE "public"."plans"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."plans" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."prices" (
  "id"           uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "plan_key"     text                     NOT NULL,
  "every"        text                     NOT NULL,
  "amount_minor" bigint                   NOT NULL,
  "currency"     text                     NOT NULL,
  "created_at"   timestamp with time zone NOT NULL DEFAULT now(),
  "ended_at"     timestamp with time zone,
  CONSTRAINT "prices_amount_minor_check" CHECK (((amount_minor >= 1) AND (amount_minor <= 100000000))),
  CONSTRAINT "prices_currency_check" CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT "prices_every_check" CHECK ((every = ANY (ARRAY['once'::text, 'month'::text, 'year'::text]))),
  CONSTRAINT "prices_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."prices"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."prices" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."program_consents" (
  "program_id" uuid                     NOT NULL,
  "version"    integer                  NOT NULL,
  "body"       text                     NOT NULL,
  "created_by" uuid,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "program_consents_body_check" CHECK (((char_length(body) >= 40) AND (char_length(body) <= 4000))),
  CONSTRAINT "program_consents_pkey" PRIMARY KEY (program_id, VERSION),
  CONSTRAINT "program_consents_version_check" CHECK ((version > 0))
);

ALTER TABLE "public"."program_consents"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."program_consents" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."program_reports" (
  "program_id" uuid                     NOT NULL,
  "period"     date                     NOT NULL,
  "made_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "figures"    jsonb                    NOT NULL,
  CONSTRAINT "program_reports_pkey" PRIMARY KEY (program_id, period)
);

ALTER TABLE "public"."program_reports"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."program_reports" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."program_sponsors" (
  "program_id" uuid                     NOT NULL,
  "address"    text                     NOT NULL,
  "added_by"   uuid,
  "added_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "program_sponsors_address_check" CHECK (((address = lower(address)) AND ((char_length(address) >= 3) AND (char_length(address) <= 254)))),
  CONSTRAINT "program_sponsors_pkey" PRIMARY KEY (program_id, address)
);

ALTER TABLE "public"."program_sponsors"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."program_sponsors" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."programs" (
  "id"              uuid                     NOT NULL,
  "name"            text                     NOT NULL,
  "sponsor"         text                     NOT NULL,
  "order_id"        uuid,
  "reason"          text,
  "sessions"        smallint                 NOT NULL,
  "starts_on"       date                     NOT NULL,
  "ends_on"         date                     NOT NULL,
  "state"           text                     NOT NULL DEFAULT 'open'::text,
  "postal_prefixes" text[]                   NOT NULL DEFAULT '{}'::text[],
  "email_domains"   text[]                   NOT NULL DEFAULT '{}'::text[],
  "groups_by"       text                     NOT NULL DEFAULT 'postal'::text,
  "has_report"      boolean                  NOT NULL DEFAULT true,
  "consent_version" integer                  NOT NULL DEFAULT 1,
  "created_by"      uuid,
  "created_at"      timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "programs_check1" CHECK (((order_id IS NOT NULL) OR (reason IS NOT NULL))),
  CONSTRAINT "programs_check" CHECK ((ends_on > starts_on)),
  CONSTRAINT "programs_email_domains_check" CHECK ((cardinality(email_domains) <= 50)),
  CONSTRAINT "programs_groups_by_check" CHECK ((groups_by = ANY (ARRAY['none'::text, 'postal'::text, 'industry'::text]))),
  CONSTRAINT "programs_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CONSTRAINT "programs_order_id_key" UNIQUE (order_id),
  CONSTRAINT "programs_pkey" PRIMARY KEY (id),
  CONSTRAINT "programs_postal_prefixes_check" CHECK ((cardinality(postal_prefixes) <= 200)),
  CONSTRAINT "programs_reason_check" CHECK ((char_length(reason) <= 500)),
  CONSTRAINT "programs_sessions_check" CHECK (((sessions >= 1) AND (sessions <= 100))),
  CONSTRAINT "programs_sponsor_check" CHECK (((char_length(sponsor) >= 1) AND (char_length(sponsor) <= 160))),
  CONSTRAINT "programs_state_check" CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
  "words"           tsvector                 GENERATED ALWAYS AS (private.name_words(((name || ' '::text) || sponsor))) STORED NOT NULL
);

ALTER TABLE "public"."programs"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."programs" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."refunds" (
  "id"           uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "ref"          text                     NOT NULL,
  "payment_ref"  text                     NOT NULL,
  "amount_minor" bigint                   NOT NULL,
  "state"        text                     NOT NULL,
  "reported_at"  timestamp with time zone NOT NULL,
  "recorded_by"  uuid,
  "reason"       text,
  "created_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "refunds_amount_minor_check" CHECK ((amount_minor > 0)),
  CONSTRAINT "refunds_pkey" PRIMARY KEY (id),
  CONSTRAINT "refunds_reason_check" CHECK ((char_length(reason) <= 500)),
  CONSTRAINT "refunds_ref_check" CHECK (((char_length(ref) >= 3) AND (char_length(ref) <= 255))),
  CONSTRAINT "refunds_ref_key" UNIQUE (ref),
  CONSTRAINT "refunds_state_check" CHECK ((state = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text])))
);

ALTER TABLE "public"."refunds"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."refunds" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."seat_codes" (
  "id"         uuid                     NOT NULL,
  "program_id" uuid                     NOT NULL,
  "code"       text                     NOT NULL,
  "most"       integer                  NOT NULL,
  "expires_at" timestamp with time zone,
  "revoked_at" timestamp with time zone,
  "created_by" uuid,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "seat_codes_code_check" CHECK ((code ~ '^[A-Z]{3,8}-[0-9A-Z]{5}$'::text)),
  CONSTRAINT "seat_codes_code_key" UNIQUE (code),
  CONSTRAINT "seat_codes_most_check" CHECK (((most >= 1) AND (most <= 1000))),
  CONSTRAINT "seat_codes_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."seat_codes"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."seat_codes" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."seat_waits" (
  "program_id" uuid                     NOT NULL,
  "user_id"    uuid                     NOT NULL,
  "joined_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "offered_at" timestamp with time zone,
  CONSTRAINT "seat_waits_pkey" PRIMARY KEY (program_id, user_id)
);

ALTER TABLE "public"."seat_waits"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."seat_waits" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."seats" (
  "id"              uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "program_id"      uuid                     NOT NULL,
  "number"          integer                  NOT NULL,
  "state"           text                     NOT NULL DEFAULT 'unassigned'::text,
  "state_since"     timestamp with time zone NOT NULL DEFAULT now(),
  "address"         text,
  "reserved_until"  timestamp with time zone,
  "code_id"         uuid,
  "business_id"     uuid,
  "owner_id"        uuid,
  "activated_at"    timestamp with time zone,
  "consent_version" integer,
  "shares_figures"  boolean                  NOT NULL DEFAULT false,
  "withdrawn_at"    timestamp with time zone,
  "reminded_at"     timestamp with time zone,
  "note"            text,
  CONSTRAINT "seats_address_check" CHECK ((char_length(address) <= 254)),
  CONSTRAINT "seats_check1" CHECK (((activated_at IS NULL) = (consent_version IS NULL))),
  CONSTRAINT "seats_check2" CHECK (((state <> 'activated'::text) OR (activated_at IS NOT NULL))),
  CONSTRAINT "seats_check3" CHECK (((state = 'assigned'::text) OR (reserved_until IS NULL))),
  CONSTRAINT "seats_check" CHECK (((activated_at IS NULL) = (business_id IS NULL))),
  CONSTRAINT "seats_note_check" CHECK ((char_length(note) <= 500)),
  CONSTRAINT "seats_number_check" CHECK ((number > 0)),
  CONSTRAINT "seats_pkey" PRIMARY KEY (id),
  CONSTRAINT "seats_program_id_number_key" UNIQUE (program_id, number),
  CONSTRAINT "seats_state_check" CHECK ((state = ANY (ARRAY['unassigned'::text, 'assigned'::text, 'activated'::text, 'revoked'::text, 'expired'::text])))
);

ALTER TABLE "public"."seats"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."seats" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."session_grants" (
  "id"          uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "business_id" uuid                     NOT NULL,
  "kind"        text                     NOT NULL,
  "source"      text                     NOT NULL,
  "order_id"    uuid,
  "bought"      smallint                 NOT NULL,
  "sessions"    smallint                 NOT NULL,
  "starts_at"   timestamp with time zone NOT NULL,
  "ends_at"     timestamp with time zone NOT NULL,
  "reason"      text,
  "given_by"    uuid,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "session_grants_bought_check" CHECK (((bought >= 1) AND (bought <= 1000))),
  CONSTRAINT "session_grants_check1" CHECK ((ends_at > starts_at)),
  CONSTRAINT "session_grants_check" CHECK (((sessions >= 0) AND (sessions <= bought))),
  CONSTRAINT "session_grants_kind_check" CHECK ((kind = ANY (ARRAY['pack'::text, 'membership'::text, 'seat'::text, 'given'::text]))),
  CONSTRAINT "session_grants_pkey" PRIMARY KEY (id),
  CONSTRAINT "session_grants_reason_check" CHECK ((char_length(reason) <= 500)),
  CONSTRAINT "session_grants_source_check" CHECK ((char_length(source) <= 120)),
  CONSTRAINT "session_grants_source_key" UNIQUE (source)
);

ALTER TABLE "public"."session_grants"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_grants" FROM "anon", "service_role";

CREATE TABLE "public"."session_uses" (
  "session_id"   uuid                     NOT NULL,
  "grant_id"     uuid,
  "used_at"      timestamp with time zone NOT NULL DEFAULT now(),
  "waived_at"    timestamp with time zone,
  "waive_reason" text,
  "waived_by"    uuid,
  CONSTRAINT "session_uses_check" CHECK (((waived_at IS NULL) = (waive_reason IS NULL))),
  CONSTRAINT "session_uses_pkey" PRIMARY KEY (session_id),
  CONSTRAINT "session_uses_waive_reason_check" CHECK ((char_length(waive_reason) <= 500))
);

ALTER TABLE "public"."session_uses"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_uses" FROM "anon", "authenticated", "service_role";

CREATE TABLE "public"."tax_rates" (
  "region" text         NOT NULL,
  "name"   text         NOT NULL,
  "rate"   numeric(7,6) NOT NULL,
  CONSTRAINT "tax_rates_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  CONSTRAINT "tax_rates_pkey" PRIMARY KEY (region),
  CONSTRAINT "tax_rates_rate_check" CHECK (((rate > (0)::numeric) AND (rate < (1)::numeric))),
  CONSTRAINT "tax_rates_region_check" CHECK ((region ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'::text))
);

ALTER TABLE "public"."tax_rates"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."tax_rates" FROM "anon", "authenticated", "service_role";

ALTER TABLE "public"."survey_invitations"
  ADD COLUMN "reminded" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."survey_invitations"
  ADD COLUMN "reminder_hash" bytea;

ALTER TABLE "public"."surveys"
  ADD COLUMN "grouped_by" text;

CREATE OR REPLACE FUNCTION private.accept_purchase_order (
  p_order  public.orders,
  p_number text,
  p_who    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_order.state = 'expired' or p_order.state = 'quoted' and p_order.quote_expires_at <= now() then
    raise exception 'This quote has expired. Ask for a new one.' using errcode = '55000', hint = 'state';
  end if;
  perform private.take_order_step(p_order, 'po_received', p_who);
  update public.orders o set po_number = p_number, po_received_at = now() where o.id = p_order.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.activate_seat (
  p_id          uuid,
  p_code_id     uuid,
  p_business_id uuid,
  p_shares      boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
begin
  update public.seats s set state = 'assigned' where s.id = p_id and s.state = 'unassigned';
  select p.* into v_program from public.programs p
  join public.seats s on s.program_id = p.id where s.id = p_id;
  update public.seats s set
    state = 'activated', code_id = p_code_id, business_id = p_business_id, owner_id = auth.uid(),
    activated_at = now(), consent_version = v_program.consent_version, shares_figures = p_shares
  where s.id = p_id;
  delete from public.seat_waits w where w.program_id = v_program.id and w.user_id = auth.uid();
  perform private.put_grant(
    'seat:' || p_id, p_business_id, 'seat', v_program.order_id, v_program.sessions,
    v_program.sessions, greatest(now(), v_program.starts_on),
    greatest(now() + interval '1 day', v_program.ends_on + interval '1 day')
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.add_seats (
  p_program_id uuid,
  p_count      integer
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.seats (program_id, number)
  select p_program_id, n.number from generate_series(
    (select coalesce(max(s.number), 0) + 1 from public.seats s where s.program_id = p_program_id),
    (select coalesce(max(s.number), 0) + p_count from public.seats s where s.program_id = p_program_id)
  ) as n (number)
$function$;

CREATE OR REPLACE FUNCTION private.add_sponsor (
  p_program_id uuid,
  p_address    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_address text := private.clean_address(p_address);
  v_program public.programs;
begin
  insert into public.program_sponsors (program_id, address, added_by)
  values (p_program_id, v_address, auth.uid()) on conflict do nothing;
  if not found then
    return;
  end if;
  select * into v_program from public.programs p where p.id = p_program_id;
  perform private.send_mail(v_address, 'program-sponsor', jsonb_build_object(
    'program', v_program.name, 'path', '/dashboard/programs/' || p_program_id
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.add_survey_batches (
  p_survey_id    uuid,
  p_before       date,
  p_same_quarter boolean,
  p_same_group   boolean
)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with waiting as materialized (
    select w.response_id, w.question, w.value, w.words, w.invited,
      case when p_same_quarter then w.quarter end as quarter,
      case when p_same_group then w.grouped end as grouped
    from private.waiting_answers(p_survey_id) w
    where w.quarter < p_before
  ), full_enough as materialized (
    select gen_random_uuid() as id, w.question, w.invited, w.quarter, w.grouped,
      count(*)::int as answers,
      array(
        select (count(*) filter (where c.value = v.value))::int
        from generate_series(0, 10) as v (value)
        cross join unnest(array_agg(w.value)) as c (value)
        group by v.value order by v.value
      ) as counts,
      coalesce(array_agg(w.words order by random()) filter (where w.words is not null), '{}') as words
    from waiting w
    group by w.question, w.invited, w.quarter, w.grouped
    having count(*) >= 5
  ), batches as (
    insert into private.survey_batches (
      id, survey_id, question, invited, quarter, grouped, answers, counts, words
    )
    select f.id, p_survey_id, f.question, f.invited, f.quarter, f.grouped, f.answers, f.counts, f.words
    from full_enough f
    returning 1
  ), answers as (
    insert into private.survey_batch_answers (response_id, question, batch_id)
    select w.response_id, w.question, f.id
    from waiting w
    join full_enough f on f.question = w.question and f.invited = w.invited
      and f.quarter is not distinct from w.quarter and f.grouped is not distinct from w.grouped
  )
  select count(*)::int from batches
$function$;

CREATE OR REPLACE FUNCTION private.admin_program_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.program_json(p) || jsonb_build_object(
    'order', (
      select jsonb_build_object('id', o.id, 'state', o.state) from public.orders o where o.id = p.order_id
    ),
    'reason', p.reason, 'consent_version', p.consent_version,
    'consent', (
      select c.body from public.program_consents c
      where c.program_id = p.id and c.version = p.consent_version
    ),
    'sponsors', array(
      select s.address from public.program_sponsors s where s.program_id = p.id order by s.address
    ),
    'seat_list', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'number', s.number, 'state', s.state, 'since', s.state_since,
        'address', s.address, 'reserved_until', s.reserved_until,
        'business', (
          select jsonb_build_object('id', b.id, 'name', b.name)
          from public.businesses b where b.id = s.business_id
        ),
        'used', private.sessions_of_seat(s.id), 'counted', s.withdrawn_at is null,
        'consent_version', s.consent_version,
        'can_pass_on', s.state = 'assigned' or s.state = 'activated'
          and greatest(s.activated_at, p.starts_on) <= now() - interval '90 days'
          and private.sessions_of_seat(s.id) = 0
      ) order by s.number), '[]')
      from public.seats s where s.program_id = p.id
    ),
    'waiting_list', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', w.user_id, 'name', private.name_of(w.user_id), 'joined_at', w.joined_at
      ) order by w.joined_at, w.user_id), '[]')
      from public.seat_waits w where w.program_id = p.id and w.offered_at is null
    )
  )
  from public.programs p where p.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.all_entries (
  p_groups jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_object_agg(e.key, e.value), '{}')
  from jsonb_each(p_groups) g cross join lateral jsonb_each(g.value) e
$function$;

CREATE OR REPLACE FUNCTION private.apply_card_facts (
  p_facts jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_fact record;
begin
  for v_fact in
    select f.* from jsonb_array_elements(p_facts) with ordinality as a (fact, n)
    cross join jsonb_to_record(a.fact) as f (
      kind text, order_id uuid, ref text, payment_ref text, amount_minor bigint, currency text,
      at timestamptz, period_starts_at timestamptz, period_ends_at timestamptz, state text,
      ends_with_period boolean, customer_ref text, is_test boolean
    )
    order by a.n
  loop
    case v_fact.kind
      when 'checkout' then
        update public.orders o set
          customer_ref = coalesce(v_fact.customer_ref, o.customer_ref), is_test = v_fact.is_test
        where o.id = v_fact.order_id;
      when 'payment' then
        perform private.report_payment(
          v_fact.order_id, v_fact.ref, 'card', v_fact.amount_minor, v_fact.currency, v_fact.at,
          v_fact.period_starts_at, v_fact.period_ends_at
        );
      when 'membership' then
        perform private.report_membership(
          v_fact.order_id, v_fact.ref, v_fact.state, v_fact.period_ends_at,
          v_fact.ends_with_period, v_fact.at
        );
      when 'refund' then
        perform private.report_refund(
          v_fact.ref, v_fact.payment_ref, v_fact.amount_minor, v_fact.state, v_fact.at
        );
      when 'dispute' then
        perform private.report_dispute(
          v_fact.ref, v_fact.payment_ref, v_fact.amount_minor, v_fact.state, v_fact.at
        );
      when 'checkout_ended' then
        perform private.end_checkout(v_fact.order_id, v_fact.ref, v_fact.state);
    end case;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_about (
  p_entity text,
  p_id     uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_about jsonb;
begin
  case p_entity
    when 'project' then
      select jsonb_build_object('business_id', p.business_id) into v_about
      from public.projects p where p.id = p_id;
    when 'attempt' then
      select jsonb_build_object('business_id', t.business_id) into v_about
      from public.attempts t where t.id = p_id;
    when 'engagement' then
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id) into v_about
      from public.engagements e where e.id = p_id;
    when 'session' then
      select jsonb_build_object('business_id', e.business_id, 'person_id', e.owner_id) into v_about
      from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id
      where s.id = p_id;
    when 'order' then
      select jsonb_build_object('business_id', o.business_id, 'person_id', o.buyer_id) into v_about
      from public.orders o where o.id = p_id;
    when 'program' then
      select jsonb_build_object('person_id', o.buyer_id) into v_about
      from public.programs p join public.orders o on o.id = p.order_id where p.id = p_id;
    when 'contact' then
      select jsonb_build_object('person_id', c.user_id) into v_about
      from public.contacts c where c.id = p_id;
    when 'message_report' then
      select jsonb_build_object('person_id', r.author_id) into v_about
      from public.message_reports r where r.id = p_id;
    else null;
  end case;
  return coalesce(jsonb_strip_nulls(v_about), '{}');
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_program (
  p_id      uuid,
  p_action  text,
  p_reason  text  DEFAULT NULL::text,
  p_details jsonb DEFAULT '{}'::jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if private.is_admin() then
    perform private.audit(p_action, 'program', p_id::text, p_reason, p_details);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.batch_survey (
  p_survey_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey record;
  v_over date := date_trunc('quarter', current_date::timestamp)::date;
  v_is_first boolean;
  v_count int;
begin
  perform private.one_at_a_time('survey_batches', p_survey_id);
  select s.title, s.state into v_survey from public.surveys s where s.id = p_survey_id;
  if v_survey.state = 'closed' then
    v_over := 'infinity';
  end if;
  v_is_first := not exists (select from private.survey_batches b where b.survey_id = p_survey_id);
  -- Answers wait for four more of their group and quarter while those can still come. Then they join
  -- the rest of their quarter, and then the rest of all quarters.
  v_count := private.add_survey_batches(p_survey_id, 'infinity', true, true);
  v_count := v_count + private.add_survey_batches(p_survey_id, v_over, true, false);
  v_count := v_count + private.add_survey_batches(p_survey_id, v_over, false, false);
  if v_is_first and v_count > 0 then
    perform private.notify_admins(
      'survey', 'survey-results:' || p_survey_id,
      '“' || v_survey.title || '” has its first results',
      'Five clients have answered the survey. From now on, you can see what they say.',
      '/admin/engagement-results?survey=' || p_survey_id, 'See the results'
    );
  end if;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.batch_surveys()
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(sum(private.batch_survey(s.id)), 0)::int from public.surveys s
$function$;

CREATE OR REPLACE FUNCTION private.can_follow (
  p_program_id uuid,
  p_figure     text,
  p_group      text,
  p_entries    jsonb
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select (select count(*) from jsonb_each(coalesce(p_entries, '{}'))) >= 5 and not exists (
    select from private.program_readings r
    where r.program_id = p_program_id and r.figure = p_figure
      and (p_group is null or r.entries ? p_group)
      and private.changes_between(
        case when p_group is null then private.all_entries(r.entries) else r.entries -> p_group end,
        p_entries
      ) between 1 and 4
  )
$function$;

CREATE OR REPLACE FUNCTION private.changed_figures (
  p_business_id uuid
)
  RETURNS TABLE (
    jobs        bigint,
    sales_minor bigint
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with days as (
    select distinct on (s.taken_on) s.taken_on, s.full_time, s.part_time, s.revenue_minor, s.currency
    from public.business_snapshots s where s.business_id = p_business_id
    order by s.taken_on, s.created_at desc, s.id
  )
  select (
    select (array_agg(j.n order by j.taken_on desc))[1] - (array_agg(j.n order by j.taken_on))[1]
    from (
      select d.taken_on, coalesce(d.full_time, 0)::bigint + coalesce(d.part_time, 0) as n
      from days d where d.full_time is not null or d.part_time is not null
    ) j
    having count(*) > 1
  ), (
    select (array_agg(d.revenue_minor order by d.taken_on desc))[1]
      - (array_agg(d.revenue_minor order by d.taken_on))[1]
    from days d where d.revenue_minor is not null and d.currency = 'USD'
    having count(*) > 1
  )
$function$;

CREATE OR REPLACE FUNCTION private.changes_between (
  p_one   jsonb,
  p_other jsonb
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select count(*)::int
  from jsonb_each_text(coalesce(p_one, '{}')) a
  full join jsonb_each_text(coalesce(p_other, '{}')) b on b.key = a.key
  where a.value is distinct from b.value
$function$;

CREATE OR REPLACE FUNCTION private.check_program_days (
  p_starts_on date,
  p_ends_on   date
)
  RETURNS void
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
begin
  if p_starts_on is null then
    raise exception 'Enter its first day.' using errcode = '22023', hint = 'starts_on';
  end if;
  if p_ends_on is null or p_ends_on <= p_starts_on or p_ends_on > p_starts_on + 1100 then
    raise exception 'Enter a last day after the first one, at most three years later.'
      using errcode = '22023', hint = 'ends_on';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_address (
  p_address text
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_address text := lower(btrim(coalesce(p_address, '')));
begin
  if char_length(v_address) > 254
    or v_address !~ '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
  then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'address';
  end if;
  return v_address;
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_code (
  p_code text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- As people type it: in lowercase, with a space, another dash or none.
  select regexp_replace(
    regexp_replace(upper(pg_catalog.left(coalesce(p_code, ''), 60)), '[^A-Z0-9]', '', 'g'),
    '^(.+)(.{5})$', '\1-\2'
  )
$function$;

CREATE OR REPLACE FUNCTION private.close_open_survey()
  RETURNS uuid
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.surveys s set state = 'closed', closed_at = now() where s.state = 'open'
  returning s.id
$function$;

CREATE OR REPLACE FUNCTION private.code_of (
  p_code text
)
  RETURNS public.seat_codes
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_code public.seat_codes;
  v_until timestamptz;
begin
  -- Before looking, so that someone who has used up their guesses can't tell a right one.
  select max(r.expires_at) into v_until
  from private.guess_keys() k join public.rate_limits r on r.key = k.key
  where r.hits >= k.most and not private.is_over(r.expires_at, interval '1 hour');
  if v_until is not null then
    perform private.refuse_for_now(
      'That’s too many codes that don’t exist. Try again %s.', v_until - clock_timestamp(), 'code'
    );
  end if;
  select * into v_code from public.seat_codes c where c.code = private.clean_code(p_code);
  if not found then
    perform private.take_rate_limit(k.key, k.most, interval '1 hour') from private.guess_keys() k;
  end if;
  return v_code;
end
$function$;

CREATE OR REPLACE FUNCTION private.code_state (
  p_code public.seat_codes
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    when p_code.id is null then 'unknown'
    when p_code.revoked_at is not null then 'revoked'
    when p_code.expires_at <= now() then 'expired'
    when private.used(p_code) >= p_code.most then 'used-up'
    else 'open'
  end
$function$;

CREATE OR REPLACE FUNCTION private.delete_account (
  p_user_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them: businesses, then as in private.hold_coach.
  perform private.one_at_a_time('business', b.business_id)
  from (
    select m.business_id from public.business_members m
    where m.user_id = p_user_id order by m.business_id
  ) b;
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- The people concerned hear of it, in words that don't depend on who they are to each other.
  perform private.notify(
    c.coach_id, 'coaching', 'gone:' || p_user_id, v_name || ' has deleted their account',
    'You were their coach. The coaching has ended.', '/dashboard/coaching', 'Your clients'
  )
  from (
    select distinct e.coach_id from public.engagements e
    where e.owner_id = p_user_id and e.coach_id is not null and e.closed_at is null
  ) c;
  perform private.free_clients(p_user_id, 'The account was deleted.');

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify(
        m.user_id, 'account', 'owner:' || v_business.business_id || ':' || now(),
        'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        '/dashboard/businesses/' || v_business.business_id, 'Open the business'
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform private.forget_coaching_of(p_user_id);
  -- An invoice has to keep who it was for; anything else doesn't.
  update public.orders o set
    billing_name = null, billing_organization = null, billing_email = null, billing_address = null,
    note = null
  where o.buyer_id = p_user_id and o.invoice_number is null;

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.program_sponsors s where s.address = lower(v_email);
  update public.seats s set state = 'unassigned' where s.address = lower(v_email) and s.state = 'assigned';
  delete from public.contacts c where c.email = lower(v_email) or c.user_id = p_user_id;
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.desk_order (
  p_id uuid
)
  RETURNS public.orders
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
begin
  perform private.require_admin();
  select * into v_order from public.orders o where o.id = p_id for update;
  if not found then
    raise exception 'We can’t find this order.' using errcode = 'P0002', hint = 'order_id';
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION private.desk_order_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.order_json(o) || jsonb_build_object(
    'buyer', (
      select jsonb_build_object('id', u.id, 'email', u.email, 'name', private.name_of(u.id))
      from auth.users u where u.id = o.buyer_id
    ),
    'program_id', (select p.id from public.programs p where p.order_id = o.id)
  )
  from public.orders o where o.id = p_id
$function$;

CREATE OR REPLACE FUNCTION private.eligible (
  p_program     public.programs,
  p_address     text,
  p_postal_code text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when cardinality(p_program.email_domains) > 0
      and not split_part(p_address, '@', 2) = any (p_program.email_domains) then 'address'
    when cardinality(p_program.postal_prefixes) > 0 and p_postal_code is null then 'no-postal-code'
    when cardinality(p_program.postal_prefixes) > 0 and not exists (
      select from unnest(p_program.postal_prefixes) as x (prefix)
      where starts_with(upper(replace(p_postal_code, ' ', '')), x.prefix)
    ) then 'postal-code'
  end
$function$;

CREATE OR REPLACE FUNCTION private.end_checkout (
  p_id  uuid,
  p_ref text,
  p_to  text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- An earlier session of the same order can end late: it doesn't end the one that's open now.
  update public.orders o set state = p_to
  where o.id = p_id and o.state = 'pending' and o.checkout_ref = p_ref;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_seat (
  p_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.seats s set state = 'expired' where s.id = p_id and s.state = 'activated';
  update public.session_grants g set sessions = private.sessions_of_seat(p_id)
  where g.source = 'seat:' || p_id and g.sessions > private.sessions_of_seat(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.end_seats_of (
  p_business_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.seats s set withdrawn_at = coalesce(s.withdrawn_at, now())
  where s.business_id = p_business_id;
  perform private.end_seat(s.id) from public.seats s
  where s.business_id = p_business_id and s.state = 'activated';
end
$function$;

CREATE OR REPLACE FUNCTION private.engagement_parts_json (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', v.at, 'kind', v.kind, 'from_state', v.from_state, 'to_state', v.to_state
      ) order by v.at, v.id), '[]')
      from (
        select * from public.engagement_events x
        where x.engagement_id = p_engagement_id
          and x.kind not in ('change_requested', 'change_dropped')
        order by x.at desc, x.id desc limit 100
      ) v
    ),
    'sessions', (
      select coalesce(jsonb_agg(private.session_json(s) order by s.starts_at desc, s.id), '[]')
      from (
        select * from public.coaching_sessions x
        where x.engagement_id = p_engagement_id order by x.starts_at desc, x.id limit 100
      ) s
    ),
    'offers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'times', o.times, 'time_zone', o.time_zone, 'minutes', o.minutes,
        'kind', o.kind, 'place', o.place, 'state', o.state, 'created_at', o.created_at
      )), '[]')
      from public.session_offers o where o.engagement_id = p_engagement_id and o.state = 'open'
    ),
    'actions', (
      select coalesce(jsonb_agg(private.coaching_action_json(a)
        order by a.state = 'open' desc, case when a.state = 'open' then a.due_on end,
          a.settled_at desc, a.created_at, a.id), '[]')
      from (
        select * from public.coaching_actions x
        where x.engagement_id = p_engagement_id
        order by x.state = 'open' desc, x.settled_at desc, x.created_at desc, x.id limit 100
      ) a
    ),
    'recommendations', (
      select coalesce(jsonb_agg(private.recommendation_json(r)
        order by r.state = 'open' desc, r.created_at desc, r.id), '[]')
      from (
        select * from public.coach_recommendations x
        where x.engagement_id = p_engagement_id
        order by x.state = 'open' desc, x.created_at desc, x.id limit 50
      ) r
    ),
    'used', (
      select count(*) from public.coaching_sessions s
      join public.session_uses u on u.session_id = s.id and u.waived_at is null
      where s.engagement_id = p_engagement_id
    ),
    'left', (
      select private.sessions_left_json(e.business_id)
      from public.engagements e where e.id = p_engagement_id and e.closed_at is null
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.erase_business (
  p_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.withdraw_coaching(p_id, null, 'The owner’s account was deleted.');
  perform private.end_seats_of(p_id);
  -- In this bucket alone: ids come from browsers, and may be those of something else elsewhere. The
  -- files of one that was merged into another belong to that one now.
  if private.merged_into(p_id) is null then
    perform private.remove_folder('project-files', m) from private.merged_ids(array[p_id]) m;
  end if;

  perform set_config('trellis.erasing', 'on', true);
  delete from public.project_files f where f.business_id = p_id;
  delete from public.project_tasks t where t.business_id = p_id;
  delete from public.project_updates u where u.business_id = p_id;
  delete from public.project_events e where e.business_id = p_id;
  delete from public.projects p where p.business_id = p_id;
  delete from public.tool_copies c where c.business_id = p_id;
  delete from public.business_plan_fields f where f.business_id = p_id;
  delete from public.business_snapshots s where s.business_id = p_id;
  delete from public.business_invitations i where i.business_id = p_id;
  perform set_config('trellis.erasing', '', true);

  -- What is left says which kind of business answered the quiz, and no longer which one.
  update public.businesses b set
    name = 'A deleted business', postal_code = null, help_wanted = null, legal_name = null,
    start_date = null, address_line1 = null, address_line2 = null, city = null, region = null,
    country = null, phone = null, website = null, home_based = null, description = null,
    archived_at = coalesce(b.archived_at, now())
  where b.id = p_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.expire_quotes()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
  v_count int := 0;
begin
  for v_order in
    select * from public.orders o
    where o.state = 'quoted' and o.quote_expires_at <= now() order by o.id limit 500
    for update skip locked
  loop
    update public.orders o set state = 'expired' where o.id = v_order.id;
    perform private.notify(
      v_order.buyer_id, 'order', 'quote_expired:' || v_order.id || ':' || v_order.quoted_at,
      'Your quote ' || v_order.quote_number || ' has expired',
      'If you still want it, ask for a new one on the same page. Prices may have changed.',
      '/dashboard/orders/' || v_order.id, 'Your order'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.export_parts()
  RETURNS TABLE (
    name   text,
    rows   text,
    hidden text[]
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with listed (name, rows, hidden) as (values
    -- What belongs to them alone.
    ('attempts', 't.user_id = $1', '{voided_by}'::text[]),
    ('answers', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('attempt_confidences', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('area_scores', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('recommendations', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('focus_actions', 't.focus_area_id in (select f.id from public.focus_areas f where f.user_id = $1)', '{}'),
    ('focus_reminders', 't.action_id in (select c.id from public.focus_actions c join public.focus_areas f on f.id = c.focus_area_id where f.user_id = $1)', '{}'),
    ('staff_roles', 't.user_id = $1', '{granted_by}'),
    -- Their businesses, with what every member reads; of a business that they have left only their
    -- own words, which nobody has changed since.
    ('businesses', 't.id = any ($3)', '{words}'),
    ('business_snapshots', 't.business_id = any ($3) or t.created_by = $1', '{}'),
    ('business_merges', 't.from_id = any ($3) or t.into_id = any ($3)', '{moved,reason,merged_by,undone_by}'),
    ('business_invitations', 't.address = $2 or t.invited_by = $1', '{token_hash}'),
    ('business_plan_fields', 't.business_id = any ($3)', '{}'),
    ('business_plan_versions', 't.business_id = any ($3) or t.saved_by = $1', '{editor}'),
    ('tool_copies', 't.business_id = any ($3) and t.removed_at is null', '{}'),
    ('projects', 't.business_id = any ($3)', '{words}'),
    ('project_events', 't.business_id = any ($3) or t.actor_id = $1', '{}'),
    ('project_updates', 't.business_id = any ($3) or t.author_id = $1', '{}'),
    ('project_tasks', 't.business_id = any ($3)', '{}'),
    ('project_files', 't.business_id = any ($3) or t.uploaded_by = $1', '{}'),
    -- Coaching: all of their own; as a coach, that there was one and not what the owner wrote.
    ('engagements', 't.owner_id = $1', '{}'),
    ('engagements_as_coach', 't.coach_id = $1', '{note,areas,owner_id,business_id,referral,change_requested_at}'),
    ('engagement_events', 't.actor_id = $1 or t.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note}'),
    -- What coaches and admins write to each other about a client is theirs.
    ('contact_attempts', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note,coach_id}'),
    ('contact_attempts_as_coach', 't.coach_id = $1', '{engagement_id}'),
    ('handovers', 't.from_coach_id = $1', '{engagement_id,to_coach_id,packet}'),
    ('coaching_sessions', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coaching_sessions_as_coach', 't.coach_id = $1', '{engagement_id,place,topics,summary,cancel_reason}'),
    -- Their own private notes, and nobody else's.
    ('session_notes', 't.author_id = $1', '{}'),
    ('session_offers', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('session_offers_as_coach', 't.coach_id = $1', '{engagement_id,place,note}'),
    ('coaching_actions', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coaching_actions_as_coach', 't.created_by = $1 and t.engagement_id not in (select e.id from public.engagements e where e.owner_id = $1)', '{engagement_id,focus_area_id}'),
    ('coach_recommendations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    ('coach_recommendations_as_coach', 't.coach_id = $1', '{engagement_id,project_id}'),
    ('session_feedback', 't.owner_id = $1', '{}'),
    ('calendar_feeds', 't.user_id = $1', '{token_hash}'),
    ('survey_invitations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{token_hash}'),
    ('survey_responses', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    -- What they bought, and the sessions their businesses have.
    ('orders', 't.buyer_id = $1', '{words,checkout_ref,customer_ref}'),
    ('order_lines', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{}'),
    ('order_events', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{actor_id}'),
    ('payments', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{ref,recorded_by}'),
    ('refunds', 't.payment_ref in (select p.ref from public.payments p join public.orders o on o.id = p.order_id where o.buyer_id = $1)', '{ref,payment_ref,recorded_by}'),
    ('disputes', 't.payment_ref in (select p.ref from public.payments p join public.orders o on o.id = p.order_id where o.buyer_id = $1)', '{ref,payment_ref}'),
    ('memberships', 't.order_id in (select o.id from public.orders o where o.buyer_id = $1)', '{ref}'),
    ('session_grants', 't.business_id = any ($3)', '{given_by,reason}'),
    ('session_uses', 't.session_id in (select s.id from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id where e.owner_id = $1)', '{waived_by}'),
    -- Their seats in programs, and programs they sponsor.
    ('seats', 't.owner_id = $1', '{note,code_id}'),
    ('program_sponsors', 't.address = $2', '{added_by}'),
    -- Their own words and files; what others wrote to them is the others'.
    ('conversations', 't.id in (select p.conversation_id from public.conversation_participants p where p.user_id = $1 and p.left_at is null)', '{about_user_id,direct_pair,created_by}'),
    ('messages', 't.author_id = $1', '{words}'),
    ('message_attachments', 't.uploaded_by = $1', '{}'),
    ('message_reports', 't.reporter_id = $1', '{said,author_id,settled_by}'),
    -- Kept under their address.
    ('contacts', 't.email = $2', '{confirm_hash,leave_hash,words,has_twin}'),
    ('contact_messages', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{answered_by}'),
    -- Without what was in them: a link of a mail signs in.
    ('mails', 'lower(t.to_address) = $2', '{data,html,body_text,last_error,run_at,attempts,failing_since,awaits_service,expires_at}'),
    -- What they did and what was done about them; by whom and why stays with the log.
    ('audit_log', 't.actor_id = $1 or t.entity = ''user'' and t.entity_id = $1::text', '{actor_id,reason,details}')
  )
  select l.name, l.rows, l.hidden from listed l
  union all
  select c.relname::text, 't.user_id = $1', '{}'
  from pg_catalog.pg_class c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select from listed l where l.name = c.relname)
$function$;

CREATE OR REPLACE FUNCTION private.figure_json (
  p_program_id uuid,
  p_figure     text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.figure_value(p_figure, private.all_entries(r.entries))
    || jsonb_build_object('made_on', r.made_on, 'groups', (
      select coalesce(jsonb_agg(
        private.figure_value(p_figure, g.value) || jsonb_build_object('labels', array(
          select x.label from private.program_groups x
          where x.program_id = p_program_id and x.figure = p_figure and x.position = g.key::int
          order by x.label
        )) order by g.key::int
      ), '[]')
      from jsonb_each(r.entries) g
    ))
  from private.program_readings r
  where r.program_id = p_program_id and r.figure = p_figure
  order by r.version desc limit 1
$function$;

CREATE OR REPLACE FUNCTION private.figure_value (
  p_figure  text,
  p_entries jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  v_count bigint;
  -- By fives: one more would be about one business.
  v_at_least bigint;
begin
  select count(*) into v_count from jsonb_each_text(p_entries);
  v_at_least := v_count / 5 * 5;
  if v_count < 5 then
    return null;
  elsif p_figure = 'joined' then
    return jsonb_build_object('businesses', v_count);
  elsif p_figure in ('asked', 'started', 'finished') then
    return (
      select jsonb_build_object('value', private.safe_count(sum(e.value::int), v_count))
      from jsonb_each_text(p_entries) e
    );
  elsif p_figure = 'sessions' then
    return (
      select jsonb_build_object('value', sum(e.value::int)) from jsonb_each_text(p_entries) e
    );
  elsif p_figure in ('jobs', 'sales') then
    -- Where one business is more than half of it, the figure would be that business's.
    return (
      select jsonb_build_object('at_least', v_at_least, 'value', case
        when 2 * max(abs(e.value::bigint)) <= sum(abs(e.value::bigint)) then sum(e.value::bigint) end)
      from jsonb_each_text(p_entries) e
    );
  end if;
  return (
    select jsonb_build_object(
      'at_least', v_at_least,
      'first', round(percentile_cont(0.5) within group (order by x.first)),
      'latest', round(percentile_cont(0.5) within group (order by x.latest)),
      'change', round(avg(x.latest - x.first)::numeric, 1)
    )
    from (
      select split_part(e.value, ' ', 1)::float8 as first, split_part(e.value, ' ', 2)::float8 as latest
      from jsonb_each_text(p_entries) e
    ) x
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.first_consent (
  p_sponsor    text,
  p_has_report boolean
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select p_sponsor || E' pays for this seat.\n\n' || case when p_has_report then
    'They see totals of all businesses in the program: how many asked for a coach and met one, how many sessions took place, how the skills moved, and results of the survey. No figure is shown for fewer than five businesses.'
    else 'They see how many seats are free, and nothing else.' end
    || E'\n\nThey never see who you are, your answers, your scores, your messages, or what you and your coach talked about.\n\nYou can stop being counted, or leave the program, at any time on this page. Totals that were made before stay as they are, because taking one business out of them would show its figures.'
$function$;

CREATE OR REPLACE FUNCTION private.form_groups (
  p_program_id uuid,
  p_figure     text,
  p_labels     jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_label record;
  v_position int := 0;
  v_rest int := 0;
begin
  for v_label in
    select l.key as label, l.value::int as n from jsonb_each_text(p_labels) l
    order by l.value::int desc, l.key
  loop
    if v_label.n >= 5 then
      v_position := v_position + 1;
    elsif v_rest = 0 then
      v_position := v_position + 1;
    end if;
    if v_label.n < 5 then
      v_rest := v_rest + v_label.n;
    end if;
    insert into private.program_groups (program_id, figure, label, position)
    values (p_program_id, p_figure, v_label.label, v_position);
  end loop;
  -- The small ones together are still too few: the smallest of the others takes them in.
  if v_rest between 1 and 4 then
    update private.program_groups g set position = greatest(v_position - 1, 1)
    where g.program_id = p_program_id and g.figure = p_figure and g.position = v_position;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.grants_of (
  p_business_id uuid
)
  RETURNS TABLE (
    id        uuid,
    kind      text,
    source    text,
    order_id  uuid,
    sessions  integer,
    used      integer,
    starts_at timestamp with time zone,
    ends_at   timestamp with time zone,
    is_held   boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select g.id, g.kind, g.source, g.order_id, g.sessions::int, (
    select count(*)::int from public.session_uses u where u.grant_id = g.id and u.waived_at is null
  ), g.starts_at, g.ends_at, private.is_held(g.order_id)
  from public.session_grants g
  where g.business_id = p_business_id
$function$;

CREATE OR REPLACE FUNCTION private.groups_from (
  p_program_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case when p.groups_by = 'none' then 5
    else greatest(5, least(10, (
      select count(*)::int from public.seats s where s.program_id = p.id and s.state <> 'revoked'
    ) / 2)) end
  from public.programs p where p.id = p_program_id
$function$;

CREATE OR REPLACE FUNCTION private.guess_keys()
  RETURNS TABLE (
    key  text,
    most integer
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select 'seat-code:' || a.address, 10 from (select private.client_address() as address) a
  where a.address is not null
  union all select 'seat-code-person:' || auth.uid(), 10 where auth.uid() is not null
  union all select 'seat-code-network:'
    || coalesce(private.network_of(private.client_address(), 24, 48), 'unknown'), 100
  union all select 'seat-code', 1000
$function$;

CREATE OR REPLACE FUNCTION private.hold_payment (
  p_payment_ref text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- The payment itself may be reported at this moment, by a transaction that can't see this refund.
  perform pg_advisory_xact_lock(hashtextextended('payment:' || p_payment_ref, 0));
end
$function$;

CREATE OR REPLACE FUNCTION private.is_held (
  p_order_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.orders o
    where o.id = p_order_id and o.state = 'invoiced'
      and o.invoice_due_on + 15 <= private.coaching_day()
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_open (
  p_program public.programs
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p_program.state = 'open' and private.coaching_day() <= p_program.ends_on
$function$;

CREATE OR REPLACE FUNCTION private.is_sponsor_of (
  p_program_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.program_sponsors s
    where s.program_id = p_program_id and s.address = private.my_address()
  )
$function$;

CREATE OR REPLACE FUNCTION private.keep_checkout (
  p_id      uuid,
  p_ref     text,
  p_is_test boolean
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.orders o set checkout_ref = p_ref, is_test = p_is_test
  where o.id = p_id and o.state = 'pending'
$function$;

CREATE OR REPLACE FUNCTION private.keep_order()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if new.state <> old.state then
    new.state_since := now();
  end if;
  if (new.id, new.method, new.currency) is distinct from (old.id, old.method, old.currency)
    or new.buyer_id is distinct from old.buyer_id and new.buyer_id is not null
    or old.state not in ('draft', 'quoted', 'expired')
      and (new.subtotal_minor, new.tax_minor) is distinct from (old.subtotal_minor, old.tax_minor)
    or old.invoice_number is not null and new.invoice_number is distinct from old.invoice_number
    or old.quote_number is not null and new.quote_number is distinct from old.quote_number
  then
    raise exception 'An order keeps what it says.' using errcode = '55000';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_order_lines()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = coalesce(new.order_id, old.order_id);
  -- Null: the order itself is being deleted.
  if v_order.state not in ('draft', 'quoted', 'expired') then
    raise exception 'An order keeps what it says.' using errcode = '55000';
  end if;
  return coalesce(new, old);
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_price()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if old.ended_at is not null
    or to_jsonb(new) - 'ended_at' <> to_jsonb(old) - 'ended_at'
  then
    raise exception 'A price never changes. Add a new one.' using errcode = '55000';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_seat()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if new.state <> old.state then
    new.state_since := now();
  end if;
  if new.state <> 'assigned' then
    new.reserved_until := null;
    new.address := null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_seats()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program record;
  v_freed int := 0;
  v_expired int := 0;
  v_reminded int := 0;
  v_n int;
begin
  for v_program in
    select p.id from public.programs p
    where exists (
      select from public.seats s
      where s.program_id = p.id and (
        s.state = 'assigned' and s.reserved_until <= now()
        or s.state in ('unassigned', 'assigned', 'activated')
          and (p.state = 'closed' or p.ends_on < private.coaching_day())
      )
    )
    order by p.id limit 200 for update skip locked
  loop
    update public.seats s set state = 'expired'
    from public.programs p
    where s.program_id = v_program.id and p.id = s.program_id
      and s.state in ('unassigned', 'assigned', 'activated')
      and (p.state = 'closed' or p.ends_on < private.coaching_day());
    get diagnostics v_n = row_count;
    v_expired := v_expired + v_n;
    update public.seats s set state = 'unassigned'
    where s.program_id = v_program.id and s.state = 'assigned' and s.reserved_until <= now();
    get diagnostics v_n = row_count;
    v_freed := v_freed + v_n;
    perform private.offer_seats(v_program.id);
  end loop;
  return jsonb_build_object(
    'freed', v_freed, 'expired', v_expired, 'reminded', private.remind_of_seats()
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.kept_share (
  p_of   integer,
  p_paid bigint,
  p_gone bigint
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- Rounded up: a refund of part of a session's price takes none back.
  select case when p_paid <= 0 then 0
    else pg_catalog.ceil(p_of * (p_paid - p_gone)::numeric / p_paid)::int end
$function$;

CREATE OR REPLACE FUNCTION private.mail_survey (
  p_address    text,
  p_template   text,
  p_token      text,
  p_privacy    text,
  p_expires_at timestamp with time zone
)
  RETURNS boolean
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.send_mail(p_address, p_template, jsonb_build_object(
    -- Behind the #, which no server and no log ever sees.
    'path', '/engagement-survey#invitation=' || p_token,
    -- For browsers without JavaScript, which can only hand the secret to the server.
    'plain_path', '/engagement-survey/' || p_token,
    'privacy', p_privacy
  ), p_expires_at)
$function$;

CREATE OR REPLACE FUNCTION private.make_program (
  p_id         uuid,
  p_name       text,
  p_sponsor    text,
  p_order_id   uuid,
  p_reason     text,
  p_sessions   integer,
  p_starts_on  date,
  p_ends_on    date,
  p_has_report boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into public.programs (
    id, name, sponsor, order_id, reason, sessions, starts_on, ends_on, has_report, created_by
  ) values (
    p_id, p_name, p_sponsor, p_order_id, p_reason, p_sessions, p_starts_on, p_ends_on, p_has_report,
    auth.uid()
  );
  insert into public.program_consents (program_id, version, body, created_by)
  values (p_id, 1, private.first_consent(p_sponsor, p_has_report), auth.uid());
end
$function$;

CREATE OR REPLACE FUNCTION private.make_reports()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_day constant date := private.coaching_day();
  v_period constant date := make_date(
    extract(year from v_day)::int, case when extract(month from v_day) < 7 then 1 else 7 end, 1
  );
  v_program record;
  v_count int := 0;
begin
  for v_program in
    select p.id, p.name from public.programs p
    where p.has_report and p.starts_on < v_period and p.ends_on >= v_period - 183
      and not exists (
        select from public.program_reports r where r.program_id = p.id and r.period = v_period
      )
    order by p.id
  loop
    insert into public.program_reports (program_id, period, figures)
    values (v_program.id, v_period, private.program_figures(v_program.id));
    perform private.notify(
      u.id, 'order', 'report:' || v_program.id || ':' || v_period,
      'Your report on ' || v_program.name || ' is ready',
      'It’s for ' || to_char(v_period, 'FMMonth YYYY') || '. You can print it or download it as CSV.',
      '/dashboard/programs/' || v_program.id, 'Read the report'
    )
    from public.program_sponsors s
    join auth.users u on lower(u.email) = s.address and u.email_confirmed_at is not null
    where s.program_id = v_program.id;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.merge_parts()
  RETURNS TABLE (
    name  text,
    key   text,
    stays text
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    -- A person finishes the quiz they've begun in the business that's kept.
    ('attempts', 'id', $c$t.state = 'in_progress' and t.kind = 'full' and exists (
      select from public.attempts o
      where o.business_id = $2 and o.user_id = t.user_id and o.state = 'in_progress'
        and o.kind = 'full'
    )$c$),
    ('business_invitations', 'id', $c$t.ended is null and exists (
      select from public.business_invitations o
      where o.business_id = $2 and o.address = t.address and o.ended is null
    )$c$),
    -- With its history, by the foreign key.
    ('business_plan_fields', 'field', $c$exists (
      select from public.business_plan_fields o where o.business_id = $2 and o.field = t.field
    )$c$),
    ('business_snapshots', 'id', 'false'),
    ('engagements', 'id', 'false'),
    ('orders', 'id', 'false'),
    ('session_grants', 'id', 'false'),
    ('seats', 'id', $c$t.state = 'activated' and exists (
      select from public.seats o
      where o.business_id = $2 and o.program_id = t.program_id and o.state = 'activated'
    )$c$),
    -- With their tasks, files, updates and events, by the foreign keys.
    ('projects', 'id', 'false'),
    ('tool_copies', 'id', 'false')
$function$;

CREATE OR REPLACE FUNCTION private.money_words (
  p_minor    bigint,
  p_currency text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when p_currency = 'USD' then '$' else p_currency || ' ' end
    || to_char(p_minor / 100.0, case when p_minor % 100 = 0 then 'FM999,999,990' else 'FM999,999,990.00' end)
$function$;

CREATE OR REPLACE FUNCTION private.moved_skills (
  p_owner_id    uuid,
  p_business_id uuid
)
  RETURNS TABLE (
    area_key text,
    first    double precision,
    latest   double precision
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with full_ones as (
    select t.id, t.version_id, t.submitted_at from public.attempts t
    where t.user_id = p_owner_id and t.business_id = p_business_id and t.kind = 'full'
      and t.state = 'submitted'
  ),
  earlier as (select f.* from full_ones f order by f.submitted_at, f.id limit 1),
  later as (select f.* from full_ones f order by f.submitted_at desc, f.id desc limit 1)
  -- As in compare_attempts: the same questions, answered both times, with the later weights.
  select q.area_key, (100 * sum(q.weight * m.value) / (4 * sum(q.weight)))::double precision,
    (100 * sum(q.weight * n.value) / (4 * sum(q.weight)))::double precision
  from later l
  join earlier e on e.id <> l.id
  join public.quiz_questions q on q.version_id = l.version_id
  join public.quiz_questions o
    on o.version_id = e.version_id and o.key = q.key and o.meaning = q.meaning and o.area_key = q.area_key
  join public.answers n on n.attempt_id = l.id and n.question_key = q.key and n.value is not null
  join public.answers m on m.attempt_id = e.id and m.question_key = q.key and m.value is not null
  where not exists (
    select from public.area_scores x
    where x.attempt_id in (l.id, e.id) and x.area_key = q.area_key and x.score is null
  )
  group by q.area_key
$function$;

CREATE OR REPLACE FUNCTION private.my_address()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select lower(u.email) from auth.users u
  where u.id = (select auth.uid()) and u.email_confirmed_at is not null
$function$;

CREATE OR REPLACE FUNCTION private.new_seat_code()
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_words constant text[] := array[
    'ALDER', 'AMBER', 'APPLE', 'ASPEN', 'BASIL', 'BEACH', 'BERRY', 'BIRCH', 'BLOOM', 'BRICK', 'BROOK',
    'CEDAR', 'CHALK', 'CLIFF', 'CLOUD', 'CLOVER', 'CORAL', 'CORN', 'CREEK', 'DAISY', 'DUNE', 'ELDER',
    'FERN', 'FIELD', 'FLINT', 'GRAIN', 'GRAPE', 'HAZEL', 'HONEY', 'IRIS', 'IVORY', 'JUNE', 'LAUREL',
    'LEMON', 'LILAC', 'LINEN', 'MAPLE', 'MEADOW', 'MELON', 'MESA', 'MINT', 'MOSS', 'OASIS', 'OLIVE',
    'ORCHID', 'PEACH', 'PEARL', 'PECAN', 'PEONY', 'PINE', 'PLUM', 'POPPY', 'QUARTZ', 'RIVER', 'ROSE',
    'SAGE', 'SHELL', 'SPRUCE', 'STONE', 'THYME', 'TULIP', 'VALLEY', 'WHEAT', 'WILLOW'
  ];
  -- Without 0, O, 1, I and L, which look alike.
  c_signs constant text := '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  v_bytes bytea;
  v_code text;
  v_number bigint;
begin
  -- Bytes of a random UUID, without those that say its version.
  v_bytes := uuid_send(gen_random_uuid());
  v_code := c_words[1 + get_byte(v_bytes, 0) % 64] || '-';
  v_number := 0;
  for v_place in 9..14 loop
    v_number := v_number * 256 + get_byte(v_bytes, v_place);
  end loop;
  for v_place in 1..5 loop
    v_code := v_code || substr(c_signs, (v_number % 31)::int + 1, 1);
    v_number := v_number / 31;
  end loop;
  return v_code;
end
$function$;

CREATE OR REPLACE FUNCTION private.new_survey_token()
  RETURNS text
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- Two random UUIDs have 244 random bits.
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$function$;

CREATE OR REPLACE FUNCTION private.next_number (
  p_kind text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_year constant int := extract(year from private.coaching_day())::int;
  v_last int;
begin
  insert into private.document_numbers as n (kind, year, last) values (p_kind, v_year, 1)
  on conflict (kind, year) do update set last = n.last + 1
  returning n.last into v_last;
  return p_kind || '-' || v_year || '-' || lpad(v_last::text, 4, '0');
end
$function$;

CREATE OR REPLACE FUNCTION private.notification_group (
  p_kind text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when p_kind = 'reminder' then 'reminders'
    when p_kind = 'business' then 'news'
    when p_kind not in ('support', 'order', 'account') then 'coaching'
  end
$function$;

CREATE OR REPLACE FUNCTION private.notify (
  p_user_id uuid,
  p_kind    text,
  p_key     text,
  p_title   text,
  p_body    text,
  p_path    text,
  p_button  text DEFAULT 'Open'::text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_group text := private.notification_group(p_kind);
  v_body text := private.clean_body(p_body);
  v_new public.notifications;
begin
  insert into public.notifications (user_id, kind, key, title, body, path)
  select
    u.id, p_kind, p_key, private.clean_line(p_title, 200),
    case when char_length(v_body) > 500 then pg_catalog.left(v_body, 499) || '…' else v_body end, p_path
  from auth.users u where u.id = p_user_id
  on conflict (user_id, key) do nothing
  returning * into v_new;
  if not found then
    return false;
  end if;
  perform private.tell_notifications(p_user_id);
  if v_group is null or private.wants(p_user_id, v_group) then
    perform private.send_mail(u.email, 'notice', jsonb_build_object(
      'subject', v_new.title, 'heading', v_new.title,
      'paragraphs', array_remove(string_to_array(v_body, E'\n'), ''),
      -- By this address, opening the email's link marks it as read.
      'button_label', p_button, 'button_path', '/dashboard/notifications/' || v_new.id,
      'has_choice', v_group is not null,
      'why', 'You’re getting this email because ' || case v_group
        when 'reminders' then 'something you planned is due.'
        when 'news' then 'it’s about your business.'
        when 'coaching' then 'you take part in coaching.'
        else case p_kind
          when 'account' then 'it’s about your account or what you can open.'
          when 'order' then 'it’s about an order.' else 'it’s about our support.'
        end
      end
    ))
    from auth.users u where u.id = p_user_id and u.email is not null;
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.offer_seats (
  p_program_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
  v_wait record;
  v_seat_id uuid;
  v_count int := 0;
begin
  select * into v_program from public.programs p where p.id = p_program_id for update;
  if not private.is_open(v_program) then
    return 0;
  end if;
  for v_wait in
    select w.user_id, lower(u.email) as address
    from public.seat_waits w join auth.users u on u.id = w.user_id
    where w.program_id = p_program_id and w.offered_at is null
    order by w.joined_at, w.user_id
  loop
    v_seat_id := private.reserve_seat(p_program_id, v_wait.address, now() + interval '14 days');
    exit when v_seat_id is null;
    update public.seat_waits w set offered_at = now()
    where w.program_id = p_program_id and w.user_id = v_wait.user_id;
    perform private.notify(
      v_wait.user_id, 'order', 'seat_offer:' || v_seat_id || ':' || v_wait.user_id,
      'A seat in ' || v_program.name || ' is free for you',
      'We’re holding it for 14 days. After that, the next business on the list gets it.',
      '/purchase?seat=' || v_seat_id, 'Take the seat'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.order_json (
  p_order public.orders
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_order.id, 'method', p_order.method, 'state', p_order.state,
    'state_since', p_order.state_since, 'created_at', p_order.created_at,
    'currency', p_order.currency, 'subtotal_minor', p_order.subtotal_minor,
    'tax_minor', p_order.tax_minor, 'total_minor', p_order.total_minor,
    'paid_minor', p_order.paid_minor, 'refunded_minor', p_order.refunded_minor,
    'disputed_minor', p_order.disputed_minor, 'is_test', p_order.is_test,
    'quote_number', p_order.quote_number, 'quoted_at', p_order.quoted_at,
    'quote_expires_at', p_order.quote_expires_at, 'po_number', p_order.po_number,
    'po_received_at', p_order.po_received_at, 'invoice_number', p_order.invoice_number,
    'invoiced_at', p_order.invoiced_at, 'invoice_due_on', p_order.invoice_due_on,
    'note', p_order.note, 'tax_exempt', p_order.tax_exempt,
    'billing', jsonb_build_object(
      'name', p_order.billing_name, 'organization', p_order.billing_organization,
      'email', p_order.billing_email, 'address', p_order.billing_address,
      'region', p_order.billing_region
    ),
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name)
      from public.businesses b where b.id = p_order.business_id
    ),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan_key', l.plan_key, 'every', l.every, 'description', l.description,
        'quantity', l.quantity, 'unit_minor', l.unit_minor, 'amount_minor', l.amount_minor,
        'tax_name', l.tax_name, 'tax_rate', l.tax_rate, 'tax_minor', l.tax_minor
      ) order by l.position), '[]')
      from public.order_lines l where l.order_id = p_order.id
    ),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', ev.at, 'from_state', ev.from_state, 'to_state', ev.to_state, 'note', ev.note,
        'by', case
          when ev.actor_id is null then 'system' when ev.actor_id = p_order.buyer_id then 'buyer'
          else 'staff' end
      ) order by ev.id), '[]')
      from (
        select * from public.order_events x where x.order_id = p_order.id order by x.id desc limit 100
      ) ev
    ),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'method', p.method, 'amount_minor', p.amount_minor, 'currency', p.currency,
        'received_at', p.received_at, 'period_starts_at', p.period_starts_at,
        'period_ends_at', p.period_ends_at, 'note', p.note,
        'back_minor', s.back_minor, 'disputed_minor', s.disputed_minor
      ) order by p.received_at, p.id), '[]')
      from (
        select * from public.payments x where x.order_id = p_order.id
        order by x.received_at desc, x.id limit 200
      ) p
      join private.payment_sums(p_order.id) s on s.id = p.id
    ),
    'refunds', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'amount_minor', r.amount_minor, 'state', r.state, 'at', r.created_at, 'reason', r.reason
      ) order by r.created_at, r.id), '[]')
      from public.refunds r
      join public.payments p on p.ref = r.payment_ref and p.order_id = p_order.id
    ),
    'membership', (
      select jsonb_build_object(
        'state', m.state, 'period_ends_at', m.period_ends_at, 'ends_with_period', m.ends_with_period
      )
      from public.memberships m where m.order_id = p_order.id
    ),
    'sessions', case when p_order.business_id is not null then (
      select jsonb_build_object(
        'given', coalesce(sum(g.sessions), 0), 'used', coalesce(sum(g.used), 0),
        'ends_at', max(g.ends_at)
      )
      from private.grants_of(p_order.business_id) g
      where g.order_id = p_order.id and g.sessions > 0
    ) end
  )
$function$;

CREATE OR REPLACE FUNCTION private.order_row()
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select $row$
    jsonb_build_object(
      'state', r.state, 'method', r.method, 'created_at', r.created_at, 'currency', r.currency,
      'total_minor', r.total_minor, 'paid_minor', r.paid_minor, 'is_test', r.is_test,
      'quote_number', r.quote_number, 'invoice_number', r.invoice_number,
      'invoice_due_on', r.invoice_due_on,
      'overdue', r.state = 'invoiced' and r.invoice_due_on < private.coaching_day(),
      'buyer', coalesce(r.billing_organization, r.billing_name, r.billing_email),
      'email', r.billing_email,
      'business', (select b.name from public.businesses b where b.id = r.business_id),
      'what', (
        select l.description from public.order_lines l where l.order_id = r.id
        order by l.position limit 1
      )
    )
  $row$
$function$;

CREATE OR REPLACE FUNCTION private.order_words (
  p_order_id uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case count(*) when 1 then lower(min(l.description)) else 'your order' end
  from public.order_lines l where l.order_id = p_order_id
$function$;

CREATE OR REPLACE FUNCTION private.own_order (
  p_id uuid
)
  RETURNS public.orders
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_order public.orders;
begin
  select * into v_order from public.orders o
  where o.id = p_id and o.buyer_id = v_user_id for update;
  if not found then
    raise exception 'We can’t find this order.' using errcode = 'P0002', hint = 'order_id';
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION private.own_seat (
  p_id uuid
)
  RETURNS public.seats
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_seat public.seats;
begin
  perform from public.programs p join public.seats s on s.program_id = p.id
  where s.id = p_id and s.owner_id = v_user_id for update of p;
  select * into v_seat from public.seats s where s.id = p_id and s.owner_id = v_user_id for update;
  if not found then
    raise exception 'We can’t find this seat.' using errcode = 'P0002', hint = 'seat_id';
  end if;
  return v_seat;
end
$function$;

CREATE OR REPLACE FUNCTION private.pass_on (
  p_seat public.seats,
  p_note text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_is_unused boolean := private.sessions_of_seat(p_seat.id) = 0;
begin
  if not v_is_unused then
    perform private.end_seat(p_seat.id);
  else
    perform private.revoke_seat(p_seat.id, p_note);
    perform private.add_seats(p_seat.program_id, 1);
    perform private.offer_seats(p_seat.program_id);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.payment_sums (
  p_order_id uuid
)
  RETURNS TABLE (
    id               uuid,
    amount_minor     bigint,
    back_minor       bigint,
    disputed_minor   bigint,
    received_at      timestamp with time zone,
    period_starts_at timestamp with time zone,
    period_ends_at   timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p.id, p.amount_minor, f.back, least(f.disputed, p.amount_minor - f.back), p.received_at,
    p.period_starts_at, p.period_ends_at
  from public.payments p
  cross join lateral (
    select
      least(
        p.amount_minor,
        coalesce((
          select sum(r.amount_minor) from public.refunds r
          where r.payment_ref = p.ref and r.state in ('pending', 'succeeded')
        ), 0) + coalesce((
          select sum(d.amount_minor) from public.disputes d
          where d.payment_ref = p.ref and d.state = 'lost'
        ), 0)
      )::bigint as back,
      coalesce((
        select sum(d.amount_minor) from public.disputes d
        where d.payment_ref = p.ref and d.state = 'open'
      ), 0)::bigint as disputed
  ) f
  where p.order_id = p_order_id
$function$;

CREATE OR REPLACE FUNCTION private.place_entries (
  p_program_id uuid,
  p_figure     text,
  p_entries    jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- What's new goes to the smallest group.
  insert into private.program_groups (program_id, figure, label, position)
  select distinct p_program_id, p_figure, e.value ->> 'label', coalesce((
    select g.position from private.program_groups g
    where g.program_id = p_program_id and g.figure = p_figure
    order by g.position desc limit 1
  ), 1)
  from jsonb_each(p_entries) e
  on conflict do nothing;
  return (
    select coalesce(jsonb_object_agg(x.position, x.entries), '{}')
    from (
      select g.position, jsonb_object_agg(e.key, e.value -> 'value') as entries
      from jsonb_each(p_entries) e
      join private.program_groups g
        on g.program_id = p_program_id and g.figure = p_figure and g.label = e.value ->> 'label'
      group by g.position
    ) x
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_session (
  p_id         uuid,
  p_engagement public.engagements,
  p_starts_at  timestamp with time zone,
  p_time_zone  text,
  p_minutes    integer,
  p_kind       text,
  p_place      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_found public.coaching_sessions;
begin
  select * into v_found from public.coaching_sessions s where s.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement.id then
      raise exception 'This session already exists.' using errcode = '23505', hint = 'id';
    end if;
    return;
  end if;
  perform private.require_under_way(p_engagement);
  perform private.require_sessions_left(p_engagement.business_id, p_starts_at);
  perform private.put_session(
    p_id, p_engagement, p_starts_at, p_time_zone, p_minutes, p_kind, p_place
  );
  perform private.require_free(p_engagement.coach_id, p_id, p_starts_at, p_minutes);
  -- What the owner could still have picked is settled by this.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement.id and o.state = 'open';
  perform private.notify(
    p_engagement.owner_id, 'session', 'session:' || p_id,
    'Your coaching session is on ' || private.when_words(p_starts_at, p_engagement.owner_id),
    coalesce(private.name_of(p_engagement.coach_id), 'Your coach') || ' scheduled it.',
    '/dashboard/coaching', 'Your coaching'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.price_for (
  p_plan        public.plans,
  p_every       text,
  p_method      text,
  p_quantity    integer,
  p_business_id uuid
)
  RETURNS public.prices
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_price public.prices;
begin
  if p_plan.key is null or p_plan.gives = 'nothing' then
    raise exception 'We don’t sell this. Choose a plan.' using errcode = '22023', hint = 'plan';
  end if;
  select * into v_price from public.prices p
  where p.plan_key = p_plan.key and p.every = p_every and p.ended_at is null;
  if v_price.id is null and (p_plan.gives = 'seat' and p_every = 'once') is not true then
    raise exception 'Choose how you’d like to pay: %.', (
      select string_agg(case p.every when 'once' then 'once' when 'month' then 'monthly' else 'yearly' end,
        ' or ' order by p.every)
      from public.prices p where p.plan_key = p_plan.key and p.ended_at is null
    ) using errcode = '22023', hint = 'every';
  end if;
  if p_quantity is null or p_quantity not between p_plan.fewest and p_plan.most then
    raise exception 'Enter a number from % to %.', p_plan.fewest, p_plan.most
      using errcode = '22023', hint = 'quantity';
  end if;
  if p_plan.gives = 'seat' and p_business_id is not null then
    raise exception 'Seats are bought for a group, not for one business.'
      using errcode = '22023', hint = 'business_id';
  end if;
  if p_method = 'card' and (p_plan.gives = 'seat' or p_business_id is null) then
    raise exception 'Seats and packs for a group are bought by purchase order.'
      using errcode = '22023', hint = 'method';
  end if;
  if p_method = 'purchase_order' and p_every <> 'once' then
    raise exception 'A membership is paid by card.' using errcode = '22023', hint = 'method';
  end if;
  if p_plan.gives = 'membership' and exists (
    select from public.memberships m join public.orders o on o.id = m.order_id
    where o.business_id = p_business_id and m.state <> 'ended'
  ) then
    raise exception 'This business already has a membership.' using errcode = '55000', hint = 'plan';
  end if;
  if p_plan.for_members and not exists (
    select from public.memberships m join public.orders o on o.id = m.order_id
    where o.business_id = p_business_id and m.state <> 'ended'
  ) then
    raise exception 'Extra sessions come with a membership.' using errcode = '55000', hint = 'plan';
  end if;
  return v_price;
end
$function$;

CREATE OR REPLACE FUNCTION private.program_cohort (
  p_program_id uuid
)
  RETURNS TABLE (
    seat_id     uuid,
    business_id uuid,
    owner_id    uuid,
    since       timestamp with time zone,
    shares      boolean,
    label       text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select distinct on (s.business_id) s.id, s.business_id, s.owner_id, s.activated_at, s.shares_figures,
    case p.groups_by
      when 'postal' then coalesce(
        nullif(pg_catalog.left(upper(replace(b.postal_code, ' ', '')), 3), ''), 'Unknown'
      )
      when 'industry' then coalesce(private.clean_line(b.industry, 120), 'Unknown')
      else 'All'
    end
  from public.seats s
  join public.programs p on p.id = s.program_id
  join public.businesses b on b.id = s.business_id
  where s.program_id = p_program_id and s.state in ('activated', 'expired') and s.withdrawn_at is null
  order by s.business_id, s.activated_at desc
$function$;

CREATE OR REPLACE FUNCTION private.program_entries (
  p_program_id uuid
)
  RETURNS TABLE (
    figure      text,
    label       text,
    business_id uuid,
    value       text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with cohort as materialized (select * from private.program_cohort(p_program_id)),
  coached as (
    select c.business_id,
      count(e.id) > 0 as asked, coalesce(bool_or(e.state = 'completed'), false) as finished
    from cohort c
    left join public.engagements e
      on e.business_id = c.business_id and coalesce(e.closed_at, now()) >= c.since
    group by c.business_id
  ),
  held as (
    select c.business_id, count(x.id) as n
    from cohort c
    left join public.session_grants g on g.source = 'seat:' || c.seat_id
    left join public.session_uses u on u.grant_id = g.id
    left join public.coaching_sessions x on x.id = u.session_id and x.state = 'completed'
    group by c.business_id
  ),
  moved as materialized (
    select c.business_id, m.area_key, m.first, m.latest
    from cohort c cross join lateral private.moved_skills(c.owner_id, c.business_id) m
  ),
  changed as (
    select c.business_id, f.jobs, f.sales_minor
    from cohort c cross join lateral private.changed_figures(c.business_id) f
    where c.shares
  ),
  entries as (
    select 'joined' as figure, c.business_id, '1' as value from cohort c
    union all select 'asked', x.business_id, x.asked::int::text from coached x
    union all select 'started', x.business_id, (x.n > 0)::int::text from held x
    union all select 'finished', x.business_id, x.finished::int::text from coached x
    union all select 'sessions', x.business_id, x.n::text from held x
    union all select 'skill:' || m.area_key, m.business_id, m.first || ' ' || m.latest from moved m
    union all select 'overall', m.business_id, avg(m.first) || ' ' || avg(m.latest)
    from moved m group by m.business_id having count(*) >= 6
    union all select 'jobs', f.business_id, f.jobs::text from changed f where f.jobs is not null
    union all select 'sales', f.business_id, f.sales_minor::text from changed f
    where f.sales_minor is not null
  )
  select e.figure,
    -- Groups only where they mean something and can be added up.
    case when e.figure in ('joined', 'sessions', 'overall') then c.label else 'All' end,
    e.business_id, e.value
  from entries e join cohort c on c.business_id = e.business_id
$function$;

CREATE OR REPLACE FUNCTION private.program_figures (
  p_program_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_asked bigint := (private.figure_json(p_program_id, 'asked') ->> 'value')::bigint;
  v_started bigint := (private.figure_json(p_program_id, 'started') ->> 'value')::bigint;
  v_finished bigint := (private.figure_json(p_program_id, 'finished') ->> 'value')::bigint;
begin
  -- Steps of the same businesses could be subtracted from each other.
  if abs(v_asked - v_started) between 1 and 4 then
    v_started := null;
  end if;
  if abs(v_asked - v_finished) between 1 and 4 or abs(v_started - v_finished) between 1 and 4 then
    v_finished := null;
  end if;
  return jsonb_build_object(
    'joined', private.figure_json(p_program_id, 'joined'),
    'asked', v_asked, 'started', v_started, 'finished', v_finished,
    'sessions', private.figure_json(p_program_id, 'sessions'),
    'overall', private.figure_json(p_program_id, 'overall'),
    'skills', (
      select coalesce(jsonb_agg(
        (private.figure_json(p_program_id, 'skill:' || k.key) - 'groups') || jsonb_build_object('area', k.key, 'name', k.name)
        order by k.position
      ), '[]')
      from public.skill_areas k
      where private.figure_json(p_program_id, 'skill:' || k.key) is not null
    ),
    'jobs', private.figure_json(p_program_id, 'jobs') - 'groups',
    'sales', private.figure_json(p_program_id, 'sales') - 'groups',
    'survey', private.survey_summary(array(
      select e.id from private.program_cohort(p_program_id) c
      join public.engagements e on e.business_id = c.business_id
    ))
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.program_json (
  p_program public.programs
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_program.id, 'name', p_program.name, 'sponsor', p_program.sponsor,
    'sessions', p_program.sessions, 'starts_on', p_program.starts_on, 'ends_on', p_program.ends_on,
    'state', p_program.state, 'open', private.is_open(p_program),
    'has_report', p_program.has_report, 'groups_by', p_program.groups_by,
    'postal_prefixes', p_program.postal_prefixes, 'email_domains', p_program.email_domains,
    -- Not how many of those taken are in use: who was invited on a quiet day would be known to have
    -- accepted.
    'seats', (
      select jsonb_build_object(
        'all', count(*) filter (where s.state <> 'revoked'),
        'free', count(*) filter (where s.state = 'unassigned'),
        'taken', count(*) filter (where s.state in ('assigned', 'activated')),
        'ended', count(*) filter (where s.state = 'expired')
      )
      from public.seats s where s.program_id = p_program.id
    ),
    'waiting', (
      select count(*) from public.seat_waits w
      where w.program_id = p_program.id and w.offered_at is null
    ),
    'codes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'code', c.code, 'most', c.most, 'used', private.used(c),
        'expires_at', c.expires_at, 'state', private.code_state(c)
      ) order by c.created_at desc, c.id), '[]')
      from public.seat_codes c where c.program_id = p_program.id
    ),
    'figures', case when p_program.has_report then private.program_figures(p_program.id) end,
    'reports', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'period', r.period, 'made_at', r.made_at, 'figures', r.figures
      ) order by r.period desc), '[]')
      from public.program_reports r where r.program_id = p_program.id
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.put_grant (
  p_source      text,
  p_business_id uuid,
  p_kind        text,
  p_order_id    uuid,
  p_bought      integer,
  p_sessions    integer,
  p_starts_at   timestamp with time zone,
  p_ends_at     timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.session_grants as g (
    source, business_id, kind, order_id, bought, sessions, starts_at, ends_at
  ) values (
    p_source, p_business_id, p_kind, p_order_id, p_bought, p_sessions, p_starts_at, p_ends_at
  )
  on conflict (source) do update set
    sessions = excluded.sessions, starts_at = excluded.starts_at, ends_at = excluded.ends_at
  where (g.sessions, g.starts_at, g.ends_at)
    <> (excluded.sessions, excluded.starts_at, excluded.ends_at)
$function$;

CREATE OR REPLACE FUNCTION private.quote_order (
  p_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.orders o set
    quote_number = coalesce(o.quote_number, private.next_number('Q')),
    quoted_at = now(), quote_expires_at = now() + interval '60 days', state = 'quoted'
  where o.id = p_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.read_figure (
  p_program_id uuid,
  p_figure     text,
  p_entries    jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_last record;
  v_found jsonb;
  v_new jsonb := '{}';
  v_group text;
begin
  select r.version, r.entries into v_last from private.program_readings r
  where r.program_id = p_program_id and r.figure = p_figure order by r.version desc limit 1;
  if not exists (
    select from private.program_groups g where g.program_id = p_program_id and g.figure = p_figure
  ) then
    -- Groups are formed once, so they wait until there's something to form them of.
    if (select count(*) from jsonb_each(p_entries)) < private.groups_from(p_program_id) then
      return false;
    end if;
    perform private.form_groups(p_program_id, p_figure, (
      select jsonb_object_agg(l.label, l.n) from (
        select e.value ->> 'label' as label, count(*) as n from jsonb_each(p_entries) e group by 1
      ) l
    ));
  end if;
  v_found := private.place_entries(p_program_id, p_figure, p_entries);
  for v_group in
    select k from jsonb_object_keys(v_found || coalesce(v_last.entries, '{}')) as k
  loop
    if private.can_follow(p_program_id, p_figure, v_group, v_found -> v_group) then
      v_new := v_new || jsonb_build_object(v_group, v_found -> v_group);
    elsif v_last.entries ? v_group then
      v_new := v_new || jsonb_build_object(v_group, v_last.entries -> v_group);
    end if;
  end loop;
  if v_new = coalesce(v_last.entries, '{}')
    or not private.can_follow(p_program_id, p_figure, null, private.all_entries(v_new))
  then
    return false;
  end if;
  insert into private.program_readings (program_id, figure, version, made_on, entries)
  values (p_program_id, p_figure, coalesce(v_last.version, 0) + 1, private.coaching_day(), v_new);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.read_program (
  p_program_id uuid
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_figure record;
  v_count int := 0;
begin
  perform private.one_at_a_time('program_reading', p_program_id);
  for v_figure in
    select e.figure, jsonb_object_agg(
      e.business_id, jsonb_build_object('label', e.label, 'value', e.value)
    ) as entries
    from private.program_entries(p_program_id) e group by e.figure order by e.figure
  loop
    v_count := v_count
      + private.read_figure(p_program_id, v_figure.figure, v_figure.entries)::int;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.read_programs()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program record;
  v_count int := 0;
begin
  for v_program in
    select p.id from public.programs p
    where p.has_report and p.ends_on + 400 > private.coaching_day() order by p.id
  loop
    v_count := v_count + private.read_program(v_program.id);
  end loop;
  return jsonb_build_object('readings', v_count, 'reports', private.make_reports());
end
$function$;

CREATE OR REPLACE FUNCTION private.receive_stripe_event (
  p_id         text,
  p_type       text,
  p_created_at timestamp with time zone,
  p_facts      jsonb
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.stripe_events (id, type, created_at) values (p_id, p_type, p_created_at)
  on conflict (id) do nothing;
  perform from private.stripe_events e where e.id = p_id and e.handled_at is null for update;
  if not found then
    return 'repeated';
  end if;
  begin
    perform private.apply_card_facts(p_facts);
  exception when no_data_found then
    update private.stripe_events e set error = left(sqlerrm, 500) where e.id = p_id;
    return 'unknown';
  end;
  update private.stripe_events e set handled_at = now(), error = null where e.id = p_id;
  return 'applied';
end
$function$;

CREATE OR REPLACE FUNCTION private.receive_survey_response (
  p_caller     text,
  p_id         uuid,
  p_survey_id  uuid,
  p_response   jsonb,
  p_invitation text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.store_survey_response(
    p_id, p_survey_id, p_response, p_invitation, p_caller, split_part(p_caller, ':', 1)
  )
$function$;

CREATE OR REPLACE FUNCTION private.record_order_step()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'UPDATE' and new.state = old.state then
    return null;
  end if;
  insert into public.order_events (order_id, actor_id, from_state, to_state, note)
  values (
    new.id, auth.uid(), case when tg_op = 'UPDATE' then old.state end, new.state,
    nullif(current_setting('trellis.reason', true), '')
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.refund_rank (
  p_state text
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select array_position(array['pending', 'succeeded', 'failed', 'canceled'], p_state)
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_seats()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_seat record;
  v_count int := 0;
begin
  for v_seat in
    select s.id, s.owner_id, s.program_id, p.name
    from public.seats s join public.programs p on p.id = s.program_id
    where s.state = 'activated' and s.reminded_at is null
      and greatest(s.activated_at, p.starts_on) <= now() - interval '90 days'
      and private.sessions_of_seat(s.id) = 0
    order by s.id limit 200 for update of s skip locked
  loop
    update public.seats s set reminded_at = now() where s.id = v_seat.id;
    perform private.notify(
      v_seat.owner_id, 'order', 'seat_unused:' || v_seat.id, 'Do you still want your seat?',
      'You’ve had a seat in ' || v_seat.name || ' for 90 days without a session. Plan one soon: we may give the seat to a business that’s waiting.',
      '/dashboard/coaching', 'Your coaching'
    );
    perform private.notify_admins(
      'order', 'seat_unused:' || v_seat.id, 'A seat hasn’t been used for 90 days',
      'It’s one of ' || v_seat.name || '. Call the owner, or pass it on.',
      '/admin/programs/' || v_seat.program_id, 'Open the program'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_surveys()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_due record;
  v_token text;
  v_count int := 0;
begin
  for v_due in
    select i.id, i.expires_at, u.email, s.privacy
    from public.survey_invitations i
    join public.surveys s on s.id = i.survey_id
    join public.engagements e on e.id = i.engagement_id
    join auth.users u on u.id = e.owner_id
    where s.state = 'open' and not i.answered and not i.reminded
      and i.sent_at <= now() - interval '7 days' and i.expires_at > now()
      and u.email is not null and private.wants(u.id, 'coaching')
    order by i.sent_at, i.id limit 500
    for update of i skip locked
  loop
    v_token := private.new_survey_token();
    update public.survey_invitations i
    set reminded = true, reminder_hash = private.survey_token_hash(v_token)
    where i.id = v_due.id;
    perform private.mail_survey(
      v_due.email, 'survey-reminder', v_token, v_due.privacy, v_due.expires_at
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.report_dispute (
  p_ref          text,
  p_payment_ref  text,
  p_amount_minor bigint,
  p_state        text,
  p_reported_at  timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.hold_payment(p_payment_ref);
  insert into public.disputes as d (ref, payment_ref, amount_minor, state, reported_at)
  values (p_ref, p_payment_ref, p_amount_minor, p_state, p_reported_at)
  on conflict (ref) do update set
    amount_minor = excluded.amount_minor, state = excluded.state, reported_at = excluded.reported_at
  -- Two reports of the same second: an open dispute ends, an ended one doesn't open again.
  where (excluded.reported_at, array_position(array['open', 'won', 'lost'], excluded.state))
    > (d.reported_at, array_position(array['open', 'won', 'lost'], d.state));
  perform private.settle_payment(p_payment_ref);
end
$function$;

CREATE OR REPLACE FUNCTION private.report_membership (
  p_order_id         uuid,
  p_ref              text,
  p_state            text,
  p_period_ends_at   timestamp with time zone,
  p_ends_with_period boolean,
  p_reported_at      timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform from public.orders o where o.id = p_order_id for update;
  if not found then
    raise exception 'There’s no order for this membership.' using errcode = 'P0002', hint = 'order_id';
  end if;
  insert into public.memberships as m (
    order_id, ref, state, period_ends_at, ends_with_period, reported_at
  ) values (
    p_order_id, p_ref, p_state, p_period_ends_at, p_ends_with_period, p_reported_at
  )
  on conflict (order_id) do update set
    state = excluded.state, period_ends_at = excluded.period_ends_at,
    ends_with_period = excluded.ends_with_period, reported_at = excluded.reported_at
  where m.ref = excluded.ref
    -- Two reports of the same second: one that has ended stays ended, the later period is the newer
    -- one, and any other difference is decided the same way in whatever order they arrive.
    and (
      excluded.reported_at, excluded.state = 'ended',
      coalesce(excluded.period_ends_at, '-infinity'), excluded.state = 'active',
      excluded.ends_with_period
    ) > (
      m.reported_at, m.state = 'ended', coalesce(m.period_ends_at, '-infinity'),
      m.state = 'active', m.ends_with_period
    );
end
$function$;

CREATE OR REPLACE FUNCTION private.report_payment (
  p_order_id         uuid,
  p_ref              text,
  p_method           text,
  p_amount_minor     bigint,
  p_currency         text,
  p_received_at      timestamp with time zone,
  p_period_starts_at timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_period_ends_at   timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_note             text                     DEFAULT NULL::text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
  v_new boolean;
begin
  perform private.hold_payment(p_ref);
  select * into v_order from public.orders o where o.id = p_order_id for update;
  if not found or v_order.currency <> p_currency then
    raise exception 'There’s no order for this payment.' using errcode = 'P0002', hint = 'order_id';
  end if;
  insert into public.payments (
    order_id, ref, method, amount_minor, currency, received_at, period_starts_at, period_ends_at,
    recorded_by, note
  ) values (
    p_order_id, p_ref, p_method, p_amount_minor, p_currency, p_received_at, p_period_starts_at,
    p_period_ends_at, auth.uid(), p_note
  )
  on conflict (ref) do nothing;
  v_new := found;
  -- Again even if it isn't new: a refund may have come first.
  perform private.settle_order(p_order_id);
  return v_new;
end
$function$;

CREATE OR REPLACE FUNCTION private.report_refund (
  p_ref          text,
  p_payment_ref  text,
  p_amount_minor bigint,
  p_state        text,
  p_reported_at  timestamp with time zone,
  p_reason       text                     DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.hold_payment(p_payment_ref);
  insert into public.refunds as r (
    ref, payment_ref, amount_minor, state, reported_at, recorded_by, reason
  ) values (
    p_ref, p_payment_ref, p_amount_minor, p_state, p_reported_at, auth.uid(), p_reason
  )
  on conflict (ref) do update set
    amount_minor = excluded.amount_minor, state = excluded.state,
    reported_at = excluded.reported_at, reason = coalesce(r.reason, excluded.reason)
  -- Two reports of the same second: a refund ends as failed, canceled or succeeded, never as pending.
  where (excluded.reported_at, private.refund_rank(excluded.state))
    > (r.reported_at, private.refund_rank(r.state));
  perform private.settle_payment(p_payment_ref);
end
$function$;

CREATE OR REPLACE FUNCTION private.require_open (
  p_program public.programs
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not private.is_open(p_program) then
    raise exception 'This program is over.' using errcode = '55000', hint = 'state';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_sessions_left (
  p_business_id uuid,
  p_at          timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Two sessions scheduled at once would both find the last one.
  perform private.one_at_a_time('sessions', p_business_id);
  if private.sessions_left(p_business_id, greatest(p_at, now()))
    <= private.sessions_booked(p_business_id)
  then
    raise exception '%', case
      when private.sessions_left(p_business_id, greatest(p_at, now())) = 0
        then 'This business has no sessions left. More can be bought under Orders, or a seat code used.'
      else 'Every session this business has left is already scheduled.'
    end using errcode = '55000', hint = 'sessions';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.reserve_seat (
  p_program_id uuid,
  p_address    text,
  p_until      timestamp with time zone
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_id uuid;
begin
  select s.id into v_id from public.seats s
  where s.program_id = p_program_id and s.state = 'unassigned'
  order by s.number limit 1 for update;
  update public.seats s set state = 'assigned', address = p_address, reserved_until = p_until
  where s.id = v_id;
  return v_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.revoke_seat (
  p_id   uuid,
  p_note text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_seat public.seats;
  v_program public.programs;
begin
  update public.seats s set state = 'revoked', note = left(p_note, 500) where s.id = p_id
  returning * into v_seat;
  update public.session_grants g set sessions = private.sessions_of_seat(p_id)
  where g.source = 'seat:' || p_id and g.sessions > private.sessions_of_seat(p_id);
  if v_seat.activated_at is not null and v_seat.owner_id is distinct from auth.uid() then
    select * into v_program from public.programs p where p.id = v_seat.program_id;
    perform private.notify(
      v_seat.owner_id, 'order', 'seat_revoked:' || p_id, 'Your seat in ' || v_program.name || ' has ended',
      'Sessions that took place aren’t affected. You can keep using the quiz, the toolbox and your messages.',
      '/dashboard/coaching', 'Your coaching'
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.run_program (
  p_program_id uuid
)
  RETURNS public.programs
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
begin
  perform private.require_session();
  select * into v_program from public.programs p where p.id = p_program_id for update;
  if not found or not (private.is_sponsor_of(p_program_id) or private.is_admin()) then
    raise exception 'We can’t find this program.' using errcode = 'P0002', hint = 'program_id';
  end if;
  return v_program;
end
$function$;

CREATE OR REPLACE FUNCTION private.safe_count (
  p_count bigint,
  p_of    bigint
)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- 23 of 25 would say something about two.
  select case when p_of >= 5 and (p_count = 0 or p_count >= 5)
    and (p_of = p_count or p_of - p_count >= 5) then p_count end
$function$;

CREATE OR REPLACE FUNCTION private.seat_offer (
  p_code    text,
  p_seat_id uuid,
  OUT       code public.seat_codes,
  OUT       seat public.seats,
  OUT       program public.programs,
  OUT       outcome text
)
  RETURNS record
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
begin
  if p_seat_id is not null then
    select * into seat from public.seats s where s.id = p_seat_id;
    select * into program from public.programs p where p.id = seat.program_id;
    outcome := case
      when seat.id is null or seat.state = 'unassigned' then 'ended'
      when seat.state = 'activated' and seat.owner_id = v_user_id then 'yours'
      when seat.state <> 'assigned' or seat.reserved_until <= now() then 'ended'
      when v_user_id is null then 'open'
      when seat.address is distinct from private.my_address() then 'other-address'
      else 'open'
    end;
  else
    code := private.code_of(p_code);
    select * into program from public.programs p where p.id = code.program_id;
    outcome := private.code_state(code);
    if v_user_id is not null and exists (
      select from public.seats s
      where s.program_id = program.id and s.owner_id = v_user_id and s.state = 'activated'
    ) then
      outcome := 'yours';
    elsif outcome = 'open' and not exists (
      select from public.seats s where s.program_id = program.id and s.state = 'unassigned'
    ) then
      outcome := case when exists (
        select from public.seat_waits w
        where w.program_id = program.id and w.user_id = v_user_id and w.offered_at is null
      ) then 'waiting' else 'full' end;
    end if;
  end if;
  if program.id is not null and outcome in ('open', 'full', 'waiting')
    and not private.is_open(program)
  then
    outcome := 'over';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_survey (
  p_engagement_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_goes boolean;
begin
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    return 'no survey';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    return 'nobody';
  end if;

  v_token := private.new_survey_token();
  select private.mail_survey(
    v_address, 'survey-invitation', v_token, s.privacy, now() + interval '90 days'
  )
  into v_goes
  from public.surveys s where s.id = v_survey_id;
  -- The link that the client has stays good: it only ends when a new one is on its way.
  if not v_goes then
    return 'limited';
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and those before no longer work.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, reminder_hash = null, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered;
  return case when found then 'sent' else 'answered' end;
end
$function$;

CREATE OR REPLACE FUNCTION private.session_json (
  p_session public.coaching_sessions
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', p_session.id, 'state', p_session.state, 'starts_at', p_session.starts_at,
    'time_zone', p_session.time_zone, 'minutes', p_session.minutes, 'kind', p_session.kind,
    'place', p_session.place, 'topics', p_session.topics, 'summary', p_session.summary,
    'cancel_reason', p_session.cancel_reason, 'uses_one', p_session.uses_one and not exists (
      select from public.session_uses u where u.session_id = p_session.id and u.waived_at is not null
    ),
    'revision', p_session.revision, 'closed_at', p_session.closed_at,
    'rated', exists (select from public.session_feedback f where f.session_id = p_session.id)
  )
$function$;

CREATE OR REPLACE FUNCTION private.sessions_booked (
  p_business_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int
  from public.coaching_sessions s
  join public.engagements e on e.id = s.engagement_id
  where e.business_id = p_business_id and s.state = 'scheduled'
    and s.starts_at + make_interval(mins => s.minutes) > now()
$function$;

CREATE OR REPLACE FUNCTION private.sessions_left (
  p_business_id uuid,
  p_at          timestamp with time zone DEFAULT now()
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(sum(greatest(g.sessions - g.used, 0)), 0)::int
  from private.grants_of(p_business_id) g
  where g.starts_at <= p_at and g.ends_at > now() and not g.is_held
$function$;

CREATE OR REPLACE FUNCTION private.sessions_left_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with g as (
    select * from private.grants_of(p_business_id) x where x.ends_at > now()
  )
  select jsonb_build_object(
    'left', private.sessions_left(p_business_id),
    'booked', private.sessions_booked(p_business_id),
    'grants', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', g.id, 'kind', g.kind, 'sessions', g.sessions, 'left', greatest(g.sessions - g.used, 0),
        'starts_at', g.starts_at, 'ends_at', g.ends_at, 'held', g.is_held
      ) order by g.ends_at, g.id)
      from g where g.starts_at <= now() and g.sessions > 0
    ), '[]'),
    -- The next month of a membership.
    'next_at', (
      select min(g.starts_at) from g
      where g.starts_at > now() and g.sessions > g.used and not g.is_held
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.sessions_of_seat (
  p_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int
  from public.session_grants g
  join public.session_uses u on u.grant_id = g.id and u.waived_at is null
  where g.source = 'seat:' || p_id
$function$;

CREATE OR REPLACE FUNCTION private.settle_grants (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_line record;
  v_payment record;
  v_bought int;
  v_kept int;
  v_starts_at timestamptz;
  v_months int;
begin
  for v_line in
    select l.position, l.quantity, l.every, p.gives, p.sessions, p.months
    from public.order_lines l join public.plans p on p.key = l.plan_key
    where l.order_id = p_order.id and p.gives <> 'nothing'
    order by l.position
  loop
    if v_line.gives = 'membership' then
      for v_payment in select * from private.payment_sums(p_order.id) s where s.period_starts_at is not null
      loop
        v_months := case v_line.every when 'year' then 12 else 1 end;
        v_kept := private.kept_share(
          v_months, v_payment.amount_minor, v_payment.back_minor + v_payment.disputed_minor
        );
        perform private.put_grant(
          format('payment:%s:%s', v_payment.id, m.n), p_order.business_id, 'membership', p_order.id,
          v_line.sessions, case when m.n < v_kept then v_line.sessions else 0 end,
          v_payment.period_starts_at + make_interval(months => m.n),
          v_payment.period_starts_at + make_interval(months => m.n + v_line.months)
        )
        from generate_series(0, v_months - 1) as m (n);
      end loop;
      continue;
    end if;

    -- Sessions start with the invoice or, without one, with the first payment.
    v_starts_at := coalesce(
      p_order.invoiced_at, (select min(s.received_at) from private.payment_sums(p_order.id) s)
    );
    continue when v_starts_at is null;
    v_bought := v_line.quantity * case when p_order.business_id is null then 1 else v_line.sessions end;
    v_kept := case
      when p_order.state = 'invoiced' then v_bought
      -- Part of the price gives nothing yet.
      when p_order.state not in ('paid', 'part_refunded', 'refunded') then 0
      -- Of the price, since what was paid twice can go back without taking a session.
      else private.kept_share(
        v_bought, p_order.total_minor, greatest(
          p_order.total_minor - p_order.paid_minor + p_order.refunded_minor + p_order.disputed_minor,
          0
        )
      )
    end;
    if p_order.business_id is null then
      perform private.settle_seats(p_order.id, v_kept);
    else
      perform private.put_grant(
        format('order:%s:%s', p_order.id, v_line.position), p_order.business_id, 'pack', p_order.id,
        v_bought, v_kept, v_starts_at, v_starts_at + make_interval(months => v_line.months)
      );
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_order (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
begin
  perform from public.orders o where o.id = p_order_id for update;
  update public.orders o set
    (paid_minor, refunded_minor, disputed_minor) = (
      select coalesce(sum(s.amount_minor), 0), coalesce(sum(s.back_minor), 0),
        coalesce(sum(s.disputed_minor), 0)
      from private.payment_sums(p_order_id) s
    )
  where o.id = p_order_id
  returning * into v_order;
  if not found then
    return;
  end if;
  perform private.settle_state(v_order);
  select * into v_order from public.orders o where o.id = p_order_id;
  perform private.settle_grants(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_payment (
  p_payment_ref text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.settle_order(p.order_id) from public.payments p where p.ref = p_payment_ref;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_seats (
  p_order_id uuid,
  p_seats    integer
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
  v_count int;
begin
  perform private.one_at_a_time('program_order', p_order_id);
  select * into v_program from public.programs p where p.order_id = p_order_id for update;
  if not found then
    if p_seats < 1 then
      return;
    end if;
    perform private.make_program(
      gen_random_uuid(), left(coalesce(o.billing_organization, o.billing_name, 'Your program'), 120),
      coalesce(o.billing_organization, o.billing_name, 'Your organization'), o.id, null, p.sessions,
      private.coaching_day(),
      (private.coaching_day() + make_interval(months => p.months) - interval '1 day')::date,
      p.gives = 'seat' or p_seats >= 10
    )
    from public.orders o
    join public.order_lines l on l.order_id = o.id
    join public.plans p on p.key = l.plan_key and p.gives <> 'nothing'
    where o.id = p_order_id
    order by l.position limit 1;
    select * into v_program from public.programs p where p.order_id = p_order_id for update;
  end if;
  select count(*) into v_count from public.seats s
  where s.program_id = v_program.id and s.state <> 'revoked';
  if v_count < p_seats then
    perform private.add_seats(v_program.id, p_seats - v_count);
    perform private.tell_of_seats(v_program, p_seats - v_count);
    perform private.offer_seats(v_program.id);
  elsif v_count > p_seats then
    perform private.revoke_seat(r.id, 'It isn’t paid for anymore.') from (
      select s.id from public.seats s
      where s.program_id = v_program.id and s.state not in ('revoked', 'expired')
      order by array_position(array['unassigned', 'assigned', 'activated'], s.state),
        private.sessions_of_seat(s.id) > 0, s.activated_at desc, s.number desc
      limit v_count - p_seats
    ) r;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_state (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text := p_order.state;
  v_to text;
begin
  if p_order.paid_minor < p_order.total_minor or p_order.paid_minor = 0 then
    return;
  end if;
  v_to := case
    when p_order.refunded_minor >= p_order.paid_minor then 'refunded'
    when p_order.refunded_minor > 0 then 'part_refunded'
    else 'paid'
  end;
  if v_state not in ('paid', 'part_refunded', 'refunded') then
    update public.orders o set state = 'paid' where o.id = p_order.id;
    perform private.tell_of_payment(p_order.id);
    v_state := 'paid';
  end if;
  if v_state <> v_to then
    update public.orders o set state = v_to where o.id = p_order.id;
    if v_to <> 'paid' then
      perform private.tell_of_refund(p_order.id);
    end if;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_order (
  p_id      uuid,
  p_user_id uuid,
  p_said    jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_said record;
  v_plan public.plans;
  v_price public.prices;
  v_tax public.tax_rates;
  v_is_exempt boolean;
begin
  select * into v_said from jsonb_to_record(p_said) as s (
    business_id uuid, plan text, every text, quantity int, method text, expected_minor bigint,
    name text, organization text, email text, address text, region text, tax_exempt boolean, note text
  );
  if v_said.method is null or v_said.method not in ('card', 'purchase_order') then
    raise exception 'Choose how you’d like to pay.' using errcode = '22023', hint = 'method';
  end if;
  if v_said.business_id is not null then
    perform private.require_member(v_said.business_id);
  end if;
  select * into v_plan from public.plans p where p.key = v_said.plan;
  v_price := private.price_for(
    v_plan, v_said.every, v_said.method, v_said.quantity, v_said.business_id
  );
  if v_price.amount_minor is distinct from v_said.expected_minor then
    raise exception 'The price is now %. Check it and try again.',
      coalesce(private.money_words(v_price.amount_minor, v_price.currency), 'by quote')
      using errcode = '55000', hint = 'price';
  end if;
  v_is_exempt := coalesce(v_said.tax_exempt, false);
  if v_is_exempt and v_said.method = 'card' then
    raise exception 'Ask for a quote, so that we can check your certificate first.'
      using errcode = '22023', hint = 'tax_exempt';
  end if;
  if v_said.region is not null and v_said.region !~ '^[A-Z]{2}-[A-Z0-9]{1,3}$' then
    raise exception 'Choose your state.' using errcode = '22023', hint = 'region';
  end if;
  if v_said.method = 'purchase_order' and (
    coalesce(btrim(v_said.address), '') = '' or coalesce(btrim(v_said.name), '') = ''
  ) then
    raise exception '%', case when coalesce(btrim(v_said.name), '') = ''
      then 'Enter the name of the person the quote is for.'
      else 'Enter the address for the quote and the invoice.' end
      using errcode = '22023',
        hint = case when coalesce(btrim(v_said.name), '') = '' then 'name' else 'address' end;
  end if;
  if not v_is_exempt then
    select * into v_tax from public.tax_rates t where t.region = v_said.region;
  end if;

  insert into public.orders (
    id, buyer_id, business_id, method, currency, billing_name, billing_organization,
    billing_email, billing_address, billing_region, tax_exempt, note
  ) values (
    p_id, p_user_id, v_said.business_id, v_said.method, coalesce(v_price.currency, 'USD'),
    private.clean_text(v_said.name, 120, 'name'),
    private.clean_text(v_said.organization, 160, 'organization'),
    coalesce(
      private.clean_text(v_said.email, 254, 'email'),
      (select u.email from auth.users u where u.id = p_user_id)
    ),
    private.clean_text(v_said.address, 500, 'address'), v_said.region, v_is_exempt,
    private.clean_text(v_said.note, 1000, 'note')
  );
  insert into public.order_lines (
    order_id, position, plan_key, every, description, quantity, unit_minor, tax_name, tax_rate
  ) values (
    p_id, 1, v_plan.key, v_said.every, v_plan.name, v_said.quantity,
    coalesce(v_price.amount_minor, 0), v_tax.name, coalesce(v_tax.rate, 0)
  );
  -- What has a price is quoted right away; seats and certificates wait for an admin.
  if v_said.method = 'purchase_order' and v_price.id is not null and not v_is_exempt then
    perform private.quote_order(p_id);
  end if;
exception
  when invalid_text_representation or numeric_value_out_of_range then
    raise exception 'Something you entered isn’t right. Check it and try again.'
      using errcode = '22023', hint = '';
end
$function$;

CREATE OR REPLACE FUNCTION private.store_survey_response (
  p_id         uuid,
  p_survey_id  uuid,
  p_response   jsonb,
  p_invitation text,
  p_sender     text,
  p_network    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey record;
  v_invitation record;
  v_given record;
begin
  if p_id is null then
    raise exception 'A response needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_given from private.read_response(p_response);
  perform private.one_at_a_time('survey_response', p_id);
  -- It was stored, and the answer that said so was lost.
  if exists (
    select from public.survey_responses r where r.id = p_id and r.survey_id = p_survey_id
  ) then
    return;
  end if;

  select s.privacy, s.state, s.public_link into v_survey
  from public.surveys s where s.id = p_survey_id for share;
  if not found or v_survey.state <> 'open' then
    raise exception 'This survey is closed.' using errcode = '55000';
  end if;

  perform private.one_at_a_time('survey_invitations', p_survey_id);
  select i.id, i.engagement_id, i.answered into v_invitation
  from public.survey_invitations i
  where i.survey_id = p_survey_id and i.expires_at > now()
    and private.survey_token_hash(p_invitation) = any (array[i.token_hash, i.reminder_hash])
  for update;
  if v_invitation.answered then
    raise exception 'This link has already been used. We have your answers.' using errcode = '55000';
  elsif v_invitation.id is not null then
    -- With all that were answered before: PostgreSQL keeps of each row which transaction wrote it,
    -- and the one that wrote this alone would lead to the response.
    update public.survey_invitations i set answered = true
    where i.survey_id = p_survey_id and (i.answered or i.id = v_invitation.id);
  elsif not v_survey.public_link then
    raise exception 'You need a personal link to answer this survey.' using errcode = '42501';
  else
    -- Never by the person, even of those who are signed in: their counter would lead to the response.
    perform private.require_fair_share(
      'survey', p_sender, p_network, 20, 1000, interval '1 hour',
      'That’s too many at once. Try again %s.'
    );
  end if;

  insert into public.survey_responses (
    id, survey_id, privacy, invited, engagement_id, agreement, recommend, comments
  ) values (
    p_id, p_survey_id, v_survey.privacy, v_invitation.id is not null,
    case when v_survey.privacy = 'confidential' then v_invitation.engagement_id end,
    v_given.agreement, v_given.recommend, v_given.comments
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.sum_order_lines()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.orders o set
    (subtotal_minor, tax_minor) = (
      select coalesce(sum(l.amount_minor), 0), coalesce(sum(l.tax_minor), 0)
      from public.order_lines l where l.order_id = o.id
    )
  where o.id = coalesce(new.order_id, old.order_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.survey_batch_ids (
  p_survey_id uuid,
  p_filter    jsonb
)
  RETURNS uuid[]
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select array(
    select b.id from private.survey_batches b
    where b.survey_id = p_survey_id
      and (nullif(p_filter ->> 'link', '') is null or b.invited = (p_filter ->> 'link' = 'personal'))
      and (nullif(p_filter ->> 'quarter', '') is null or b.quarter::text = p_filter ->> 'quarter')
      and (nullif(p_filter ->> 'group', '') is null or b.grouped = p_filter ->> 'group')
  )
$function$;

CREATE OR REPLACE FUNCTION private.survey_counts (
  p_batches uuid[]
)
  RETURNS TABLE (
    question smallint,
    answers  bigint,
    counts   bigint[]
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select v.question, max(v.answers)::bigint, array_agg(v.n order by v.place)
  from (
    select b.question, c.place, sum(c.n)::bigint as n, sum(b.answers) as answers
    from private.survey_batches b
    cross join unnest(b.counts) with ordinality as c (n, place)
    where b.id = any (p_batches)
    group by b.question, c.place
  ) v
  group by v.question
$function$;

CREATE OR REPLACE FUNCTION private.survey_cut (
  p_survey_id  uuid,
  p_filter     jsonb,
  p_key        text,
  p_grouped_by text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'value', v.value,
      'label', case when p_key = 'group' then private.survey_group_name(p_grouped_by, v.value) end
    ) || private.survey_totals(private.survey_batch_ids(
      p_survey_id, p_filter || jsonb_build_object(p_key, v.value)
    ))
    order by v.value
  ), '[]')
  from (
    select distinct case p_key
      when 'quarter' then b.quarter::text
      when 'link' then case when b.invited then 'personal' else 'public' end
      else b.grouped
    end as value
    from private.survey_batches b where b.survey_id = p_survey_id and b.question = 0
  ) v
  where v.value is not null
$function$;

CREATE OR REPLACE FUNCTION private.survey_figures (
  p_batches uuid[]
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with asked as materialized (select * from private.survey_counts(p_batches))
  select private.survey_totals(p_batches) || jsonb_build_object(
    'statements', (
      select jsonb_agg(
        case when a.question is not null then
          private.survey_scale(a.counts[:6], 1) || jsonb_build_object(
            'favorable', 100 * (a.counts[5] + a.counts[6])::numeric / a.answers
          )
        end order by q.question
      )
      from generate_series(1, 10) as q (question)
      left join asked a on a.question = q.question
    ),
    'recommend', (
      select private.survey_scale(a.counts, 0) from asked a where a.question = 11
    ),
    'comments', (
      select jsonb_agg((
        select jsonb_agg(w.text order by b.id, w.place)
        from private.survey_batches b cross join unnest(b.words) with ordinality as w (text, place)
        where b.id = any (p_batches) and b.question = q.question
      ) order by q.question)
      from generate_series(12, 13) as q (question)
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.survey_group (
  p_grouped_by    text,
  p_engagement_id uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case p_grouped_by
    when 'area' then e.areas[1]
    when 'coach' then e.coach_id::text
    when 'industry' then nullif(btrim(b.industry), '')
  end
  from public.engagements e join public.businesses b on b.id = e.business_id
  where e.id = p_engagement_id
$function$;

CREATE OR REPLACE FUNCTION private.survey_group_name (
  p_grouped_by text,
  p_key        text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case p_grouped_by
    when 'area' then (select a.name from public.skill_areas a where a.key = p_key)
    when 'coach' then coalesce(private.name_of(private.uuid_of(p_key)), 'A former coach')
    else p_key
  end
$function$;

CREATE OR REPLACE FUNCTION private.survey_invitation_counts (
  p_survey_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'sent', count(*),
    'answered', count(*) filter (where i.answered),
    'expired', count(*) filter (where not i.answered and i.expires_at <= now()),
    'reminded', count(*) filter (where i.reminded)
  )
  from public.survey_invitations i where i.survey_id = p_survey_id
$function$;

CREATE OR REPLACE FUNCTION private.survey_scale (
  p_counts bigint[],
  p_least  integer
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'answers', sum(c.n),
    'mean', sum(c.value * c.n) / nullif(sum(c.n), 0),
    'counts', jsonb_agg(c.n order by c.value)
  )
  from (
    select place - 1 as value, n from unnest(p_counts) with ordinality as u (n, place)
    where place - 1 >= p_least
  ) c
$function$;

CREATE OR REPLACE FUNCTION private.survey_summary (
  p_engagement_ids uuid[]
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select nullif(
    private.survey_totals(array(
      select b.id
      from private.survey_batches b
      join private.survey_batch_answers a on a.batch_id = b.id
      join public.survey_responses r on r.id = a.response_id
      group by b.id
      -- Only whole batches; an anonymous response has no engagement.
      having bool_and(coalesce(r.engagement_id = any (p_engagement_ids), false))
    )),
    '{"responses": null, "index": null, "favorable": null, "score": null}'
  )
$function$;

CREATE OR REPLACE FUNCTION private.survey_totals (
  p_batches uuid[]
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with asked as materialized (select * from private.survey_counts(p_batches)), agreed as (
    select a.question, p.place - 1 as value, p.n
    from asked a cross join unnest(a.counts[:6]) with ordinality as p (n, place)
    where a.question between 1 and 10
  )
  select jsonb_build_object(
    'responses', (select a.answers from asked a where a.question = 0),
    'index', (
      select 25 * (sum(g.value * g.n) / sum(g.n) - 1)
      from agreed g
      where g.question in (1, 3, 9, 10)
      having count(distinct g.question) = 4
        and (select a.answers from asked a where a.question = 0) >= 30
    ),
    'favorable', (
      select 100 * sum(g.n) filter (where g.value >= 4) / sum(g.n) from agreed g
    ),
    'score', (
      select 100 * (
        (select sum(n) from unnest(a.counts[10:]) as n)
          - (select sum(n) from unnest(a.counts[:7]) as n)
      )::numeric / a.answers
      from asked a where a.question = 11
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.take_order_step (
  p_order public.orders,
  p_to    text,
  p_who   text,
  p_note  text          DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not private.may_step('order', p_order.state, p_to, p_who) then
    raise exception '%', case p_order.state
      when 'draft' then 'This order isn’t ready for that yet.'
      when 'pending' then 'This order is being paid.'
      when 'canceled' then 'This order was canceled.'
      when 'expired' then 'This order has expired.'
      when 'paid' then 'This order is already paid.'
      else 'This order is too far along for that. Reload the page.'
    end using errcode = '55000', hint = 'state';
  end if;
  perform set_config('trellis.reason', coalesce(p_note, ''), true);
  update public.orders o set state = p_to where o.id = p_order.id;
  perform set_config('trellis.reason', '', true);
end
$function$;

CREATE OR REPLACE FUNCTION private.tax_of (
  p_amount_minor bigint,
  p_rate         numeric
)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- Half a cent goes up, as on paper.
  select pg_catalog.round(p_amount_minor * p_rate)::bigint
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_payment (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.notify(
    o.buyer_id, 'order', 'paid:' || o.id, 'We’ve received your payment',
    private.money_words(o.paid_minor, o.currency) || ' for ' || private.order_words(o.id)
      || E'.\nYour receipt is with your orders.',
    '/dashboard/orders/' || o.id, 'Your receipt'
  )
  from public.orders o where o.id = p_order_id and o.buyer_id is not null
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_quote (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_order.state = 'quoted' then
    perform private.notify(
      p_order.buyer_id, 'order', 'quoted:' || p_order.id || ':' || p_order.quoted_at,
      'Your quote ' || p_order.quote_number || ' is ready',
      private.money_words(p_order.total_minor, p_order.currency)
        || E', good for 60 days.\nPrint it, and send us your purchase order on the same page.',
      '/dashboard/orders/' || p_order.id, 'Your quote'
    );
  end if;
  perform private.notify_admins(
    'order', 'order:' || p_order.id,
    case p_order.state when 'quoted' then 'A new quote: ' || p_order.quote_number
      else 'Someone is waiting for a quote' end,
    coalesce(p_order.billing_organization, p_order.billing_name, 'A buyer') || ' asked for '
      || private.order_words(p_order.id) || '.',
    '/admin/orders/' || p_order.id, 'Open the order'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_refund (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.notify(
    o.buyer_id, 'order', 'refunded:' || o.id || ':' || o.refunded_minor, 'We’ve sent you a refund',
    private.money_words(o.refunded_minor, o.currency) || ' of ' || private.order_words(o.id)
      || E'.\nIt can take a card up to ten days to show it.',
    '/dashboard/orders/' || o.id, 'Your order'
  )
  from public.orders o where o.id = p_order_id and o.buyer_id is not null
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_seats (
  p_program public.programs,
  p_count   integer
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = p_program.order_id;
  perform private.add_sponsor(p_program.id, u.email) from auth.users u
  where u.id = v_order.buyer_id and u.email_confirmed_at is not null
    and not exists (select from public.program_sponsors s where s.program_id = p_program.id);
  perform private.notify(
    v_order.buyer_id, 'order', 'seats:' || p_program.id || ':' || now(), format(
      '%s seats are ready to hand out', p_count
    ),
    'Create a code for the businesses you serve, or invite their owners by email.',
    '/dashboard/programs/' || p_program.id, 'Your program'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.use_session()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_business_id uuid;
  v_grant_id uuid;
begin
  if not new.uses_one or exists (select from public.session_uses u where u.session_id = new.id) then
    return null;
  end if;
  select e.business_id into v_business_id from public.engagements e where e.id = new.engagement_id;
  perform private.one_at_a_time('sessions', v_business_id);
  select g.id into v_grant_id
  from private.grants_of(v_business_id) g
  where g.sessions > g.used and g.starts_at <= greatest(now(), new.starts_at)
    and g.ends_at > least(now(), new.starts_at)
  -- What was good on the day of the session before what came since; then what ends first.
  order by (g.starts_at <= new.starts_at and g.ends_at > new.starts_at) desc, g.is_held, g.ends_at, g.id
  limit 1;
  insert into public.session_uses (session_id, grant_id) values (new.id, v_grant_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.used (
  p_code public.seat_codes
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int from public.seats s where s.code_id = p_code.id
$function$;

CREATE OR REPLACE FUNCTION private.waiting_answers (
  p_survey_id uuid
)
  RETURNS TABLE (
    response_id uuid,
    question    smallint,
    value       smallint,
    words       text,
    invited     boolean,
    quarter     date,
    grouped     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.id, q.question, q.value, q.words, r.invited,
    date_trunc('quarter', r.responded_on::timestamp)::date,
    private.survey_group(s.grouped_by, r.engagement_id)
  from public.surveys s
  join public.survey_responses r on r.survey_id = s.id and r.privacy = s.privacy
  cross join lateral (
    select 0::smallint as question, null::smallint as value, null::text as words
    union all
    select a.place::smallint, a.value, null
    from unnest(r.agreement) with ordinality as a (value, place) where a.value is not null
    union all
    select 11::smallint, r.recommend, null where r.recommend is not null
    union all
    select (11 + c.place)::smallint, null, c.words
    from unnest(r.comments) with ordinality as c (words, place) where c.words is not null
  ) q
  where s.id = p_survey_id and not exists (
    select from private.survey_batch_answers b
    where b.response_id = r.id and b.question = q.question
  )
$function$;

CREATE OR REPLACE FUNCTION public.admin_business (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_business public.businesses;
begin
  perform private.require_admin();
  select * into v_business from public.businesses b where b.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit(
    'business.read', 'business', p_id::text, null, jsonb_build_object('business_id', p_id)
  );
  return jsonb_build_object(
    'id', v_business.id, 'name', v_business.name, 'created_at', v_business.created_at,
    'updated_at', v_business.updated_at, 'archived_at', v_business.archived_at,
    'facts', private.business_facts(v_business),
    'merged_into', private.merged_into(p_id),
    'merges', private.merges_json(p_id),
    'sessions_left', private.sessions_left_json(p_id)
  ) || private.business_belongings(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_get_order (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order jsonb;
begin
  perform private.require_admin();
  v_order := private.desk_order_json(p_id);
  if v_order is not null then
    perform private.audit('order.read', 'order', p_id::text);
  end if;
  return v_order;
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_get_order"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_get_program (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  if not exists (select from public.programs p where p.id = p_id) then
    return null;
  end if;
  perform private.audit('program.read', 'program', p_id::text);
  return private.admin_program_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_get_program"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_orders (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('order.list', 'order', null, null, p_filter);
  return private.list_page(
    'public.orders r', private.order_row(),
    array[
      case when p_filter ? 'state' then 'r.state = $1 ->> ''state''' end,
      case when p_filter ? 'method' then 'r.method = $1 ->> ''method''' end,
      case when p_filter ? 'overdue' then format(
        'r.state = ''invoiced'' and r.invoice_due_on < %L::date', private.coaching_day()
      ) end
    ],
    'r.created_at', 'timestamptz', p_filter ->> 'sort' is distinct from 'oldest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_orders"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_programs (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('program.list', 'program', null, null, p_filter);
  return private.list_page(
    'public.programs r',
    $row$
      (
        select jsonb_build_object(
          'name', r.name, 'sponsor', r.sponsor, 'starts_on', r.starts_on, 'ends_on', r.ends_on,
          'open', r.state = 'open' and r.ends_on >= private.coaching_day(), 'created_at', r.created_at,
          'seats', count(s.id) filter (where s.state <> 'revoked'),
          'free', count(s.id) filter (where s.state = 'unassigned'),
          'activated', count(s.id) filter (where s.state = 'activated'),
          'waiting', (
            select count(*) from public.seat_waits w
            where w.program_id = r.id and w.offered_at is null
          )
        )
        from public.seats s where s.program_id = r.id
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'all' then null
        when 'over' then format('(r.state = ''closed'' or r.ends_on < %L::date)', private.coaching_day())
        else format('(r.state = ''open'' and r.ends_on >= %L::date)', private.coaching_day())
      end
    ],
    case p_filter ->> 'sort' when 'ends' then 'r.ends_on' else 'r.created_at' end,
    case p_filter ->> 'sort' when 'ends' then 'date' else 'timestamptz' end,
    p_filter ->> 'sort' is distinct from 'ends',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_programs"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_survey_results (
  p_filter jsonb DEFAULT '{}'::jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey public.surveys;
begin
  perform private.require_admin();
  select s.* into v_survey from public.surveys s
  where nullif(p_filter ->> 'survey', '') is null or s.id = private.uuid_of(p_filter ->> 'survey')
  order by s.state = 'open' desc, s.opened_at desc limit 1;
  perform private.audit('survey_results.read', 'survey', v_survey.id::text, null, p_filter);
  perform private.batch_survey(v_survey.id) where v_survey.id is not null;
  return jsonb_build_object(
    'surveys', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', s.id, 'title', s.title, 'state', s.state,
          'opened_at', s.opened_at, 'closed_at', s.closed_at
        ) order by s.state = 'open' desc, s.opened_at desc
      ), '[]')
      from (select * from public.surveys s order by s.opened_at desc limit 100) s
    ),
    'survey', case when v_survey.id is not null then jsonb_build_object(
      'id', v_survey.id, 'title', v_survey.title, 'state', v_survey.state,
      'opened_at', v_survey.opened_at, 'closed_at', v_survey.closed_at,
      'privacy', v_survey.privacy, 'public_link', v_survey.public_link,
      'grouped_by', v_survey.grouped_by, 'statements', v_survey.statements,
      'recommend', v_survey.recommend, 'comments', v_survey.comments,
      'invitations', private.survey_invitation_counts(v_survey.id),
      'figures', private.survey_figures(private.survey_batch_ids(v_survey.id, p_filter)),
      'quarters', private.survey_cut(v_survey.id, p_filter, 'quarter', null),
      'links', private.survey_cut(v_survey.id, p_filter, 'link', null),
      'groups', private.survey_cut(v_survey.id, p_filter, 'group', v_survey.grouped_by)
    ) end
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_survey_results"(jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.cancel_order (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
begin
  if v_order.state <> 'canceled' then
    perform private.take_order_step(v_order, 'canceled', 'buyer');
  end if;
  select * into v_order from public.orders o where o.id = p_id;
  return private.order_json(v_order);
end
$function$;

REVOKE ALL ON FUNCTION "public"."cancel_order"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.close_survey (
  p_survey_id uuid,
  p_reason    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  perform private.one_at_a_time('surveys', p_survey_id);
  if not exists (select from public.surveys s where s.id = p_survey_id) then
    raise exception 'We can’t find this survey.' using errcode = 'P0002', hint = 'id';
  end if;
  if not exists (
    select from public.surveys s where s.id = p_survey_id and s.state = 'open' for update
  ) then
    raise exception 'This survey is already closed.' using errcode = '55000';
  end if;
  perform private.close_open_survey();
  perform private.audit('survey.close', 'survey', p_survey_id::text, v_reason);
  return jsonb_build_object('id', p_survey_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."close_survey"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.create_order (
  p_id    uuid,
  p_order jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_order public.orders;
begin
  if p_id is null or jsonb_typeof(p_order) is distinct from 'object' then
    raise exception 'Say what you’d like to buy.' using errcode = '22023', hint = '';
  end if;
  perform private.one_at_a_time('orders', v_user_id);
  select * into v_order from public.orders o where o.id = p_id;
  if not found then
    perform private.store_order(p_id, v_user_id, p_order);
    select * into v_order from public.orders o where o.id = p_id;
    if v_order.method = 'purchase_order' then
      perform private.tell_of_quote(v_order);
    end if;
  elsif v_order.buyer_id is distinct from v_user_id then
    raise exception 'This order already exists.' using errcode = '23505', hint = 'id';
  end if;
  return private.order_json(v_order);
end
$function$;

REVOKE ALL ON FUNCTION "public"."create_order"(uuid, jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.create_seat_code (
  p_id         uuid,
  p_program_id uuid,
  p_most       integer,
  p_expires_on date    DEFAULT NULL::date
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs := private.run_program(p_program_id);
begin
  perform private.require_open(v_program);
  if p_id is null then
    raise exception 'A code needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_most is null or p_most not between 1 and 1000 then
    raise exception 'A code can be used 1 to 1,000 times.' using errcode = '22023', hint = 'most';
  end if;
  if p_expires_on not between private.coaching_day() and v_program.ends_on then
    raise exception 'Choose a date from today to the end of the program.'
      using errcode = '22023', hint = 'expires_on';
  end if;
  if exists (select from public.seat_codes c where c.id = p_id and c.program_id <> p_program_id) then
    raise exception 'This code already exists.' using errcode = '23505', hint = 'id';
  end if;
  insert into public.seat_codes (id, program_id, code, most, expires_at, created_by) values (
    p_id, p_program_id, private.new_seat_code(), p_most, p_expires_on + interval '1 day', auth.uid()
  )
  on conflict (id) do nothing;
  if found then
    perform private.audit_program(p_program_id, 'program.add_code');
  end if;
  return private.program_json(v_program);
end
$function$;

REVOKE ALL ON FUNCTION "public"."create_seat_code"(uuid, uuid, integer, date) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_checkout (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object('state', o.state, 'checkout_ref', o.checkout_ref)
    from public.orders o where o.id = p_id and o.buyer_id = v_user_id and o.method = 'card'
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_checkout"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_order (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select private.order_json(o) from public.orders o where o.id = p_id and o.buyer_id = v_user_id
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_order"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_program (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  return (
    select private.program_json(p) from public.programs p
    where p.id = p_id and private.is_sponsor_of(p.id)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_program"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_seat_offer (
  p_code    text DEFAULT NULL::text,
  p_seat_id uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_offer record;
  v_is_signed_in boolean := auth.uid() is not null;
begin
  if v_is_signed_in then
    perform private.require_session();
  end if;
  select * into v_offer from private.seat_offer(p_code, p_seat_id);
  return jsonb_build_object(
    'outcome', v_offer.outcome,
    'program', case when (v_offer.program).id is not null and v_offer.outcome <> 'other-address' then
      jsonb_build_object(
        'id', (v_offer.program).id, 'name', (v_offer.program).name, 'sponsor', (v_offer.program).sponsor,
        'sessions', (v_offer.program).sessions, 'starts_on', (v_offer.program).starts_on,
        'ends_on', (v_offer.program).ends_on, 'has_report', (v_offer.program).has_report,
        'postal_prefixes', (v_offer.program).postal_prefixes,
        'email_domains', (v_offer.program).email_domains,
        'consent_version', (v_offer.program).consent_version,
        'consent', (
          select c.body from public.program_consents c
          where c.program_id = (v_offer.program).id and c.version = (v_offer.program).consent_version
        )
      ) end,
    -- Where a seat can be taken: the caller's businesses, and exactly what the sponsor sees now.
    'businesses', case when v_is_signed_in then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', b.id, 'name', b.name, 'postal_code', b.postal_code
      ) order by m.joined_at, b.id), '[]')
      from public.business_members m join public.businesses b on b.id = m.business_id
      where m.user_id = auth.uid() and b.archived_at is null
    ) end,
    'figures', case when v_is_signed_in and (v_offer.program).has_report
      and v_offer.outcome in ('open', 'full', 'waiting', 'yours')
      then private.program_figures((v_offer.program).id) end
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_seat_offer"(text, uuid) FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.get_survey (
  p_invitation text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', s.id, 'title', s.title, 'privacy', s.privacy, 'statements', s.statements,
    'recommend', s.recommend, 'comments', s.comments,
    'access', case
      when i.answered then 'answered'
      when i.expires_at > now() then 'invitation'
      when s.public_link then 'public'
      else 'none'
    end
  )
  from public.surveys s
  left join public.survey_invitations i
    on i.survey_id = s.id
    and private.survey_token_hash(p_invitation) = any (array[i.token_hash, i.reminder_hash])
  where s.state = 'open'
$function$;

CREATE OR REPLACE FUNCTION public.give_program (
  p_id        uuid,
  p_name      text,
  p_sponsor   text,
  p_seats     integer,
  p_sessions  integer,
  p_starts_on date,
  p_ends_on   date,
  p_reason    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  if p_id is null then
    raise exception 'A program needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if exists (select from public.programs p where p.id = p_id) then
    return private.admin_program_json(p_id);
  end if;
  if p_seats is null or p_seats not between 1 and 1000 then
    raise exception 'A program can have 1 to 1,000 seats.' using errcode = '22023', hint = 'seats';
  end if;
  if p_sessions is null or p_sessions not between 1 and 100 then
    raise exception 'A seat can have 1 to 100 sessions.' using errcode = '22023', hint = 'sessions';
  end if;
  perform private.check_program_days(p_starts_on, p_ends_on);
  perform private.make_program(
    p_id, private.clean_text(p_name, 120, 'name', 'Give the program a name.'),
    private.clean_text(p_sponsor, 160, 'sponsor', 'Say who pays for it.'), null,
    left(v_reason, 500), p_sessions, p_starts_on, p_ends_on, true
  );
  perform private.add_seats(p_id, p_seats);
  perform private.audit('program.give', 'program', p_id::text, v_reason,
    jsonb_build_object('seats', p_seats));
  return private.admin_program_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."give_program"(uuid, text, text, integer, integer, date, date, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.give_sessions (
  p_id          uuid,
  p_business_id uuid,
  p_sessions    integer,
  p_months      integer,
  p_reason      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  if p_id is null then
    raise exception 'A grant needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_sessions is null or p_sessions not between 1 and 50 then
    raise exception 'Give 1 to 50 sessions.' using errcode = '22023', hint = 'sessions';
  end if;
  if p_months is null or p_months not between 1 and 36 then
    raise exception 'Sessions can be good for 1 to 36 months.' using errcode = '22023', hint = 'months';
  end if;
  if char_length(v_reason) > 500 then
    raise exception 'Keep the reason to 500 characters.' using errcode = '22023', hint = 'reason';
  end if;
  if not exists (select from public.businesses b where b.id = p_business_id) then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'business_id';
  end if;
  perform private.require_unarchived(p_business_id);
  insert into public.session_grants (
    id, source, business_id, kind, bought, sessions, starts_at, ends_at, reason, given_by
  ) values (
    p_id, 'given:' || p_id, p_business_id, 'given', p_sessions, p_sessions, now(),
    now() + make_interval(months => p_months), v_reason, auth.uid()
  )
  on conflict (id) do nothing;
  if found then
    perform private.audit('sessions.give', 'business', p_business_id::text, v_reason,
      jsonb_build_object('sessions', p_sessions, 'months', p_months));
  end if;
  return private.sessions_left_json(p_business_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."give_sessions"(uuid, uuid, integer, integer, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.invite_to_program (
  p_program_id uuid,
  p_addresses  text[],
  p_words      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs := private.run_program(p_program_id);
  v_words text := private.clean_text(p_words, 1000, 'words');
  v_address text;
  v_seat_id uuid;
  v_sent int := 0;
begin
  perform private.require_open(v_program);
  if p_addresses is null or cardinality(p_addresses) not between 1 and 50 then
    raise exception 'Enter 1 to 50 addresses.' using errcode = '22023', hint = 'addresses';
  end if;
  for v_address in
    select distinct private.clean_address(a) from unnest(p_addresses) as a order by 1
  loop
    perform private.require_rate_limit(
      'program-invite:' || p_program_id, 200, interval '1 day',
      'You’ve invited 200 owners today. Try again %s.', 'addresses'
    );
    -- Reserved even for someone who has a seat already: which businesses have one isn't shown.
    v_seat_id := private.reserve_seat(p_program_id, v_address, now() + interval '30 days');
    exit when v_seat_id is null;
    perform private.send_mail(v_address, 'program-invitation', jsonb_build_object(
      'sponsor', v_program.sponsor, 'program', v_program.name, 'words', coalesce(v_words, ''),
      'path', '/purchase?seat=' || v_seat_id
    ), now() + interval '30 days');
    v_sent := v_sent + 1;
  end loop;
  perform private.audit_program(
    p_program_id, 'program.invite', null, jsonb_build_object('count', v_sent)
  );
  return jsonb_build_object('sent', v_sent, 'program', private.program_json(v_program));
end
$function$;

REVOKE ALL ON FUNCTION "public"."invite_to_program"(uuid, text[], text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.invoice_order (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := private.require_reason(p_reason);
begin
  if v_order.state = 'invoiced' then
    return private.desk_order_json(p_id);
  end if;
  perform private.take_order_step(v_order, 'invoiced', 'admin');
  update public.orders o set
    invoice_number = private.next_number('INV'), invoiced_at = now(),
    invoice_due_on = private.coaching_day() + 30
  where o.id = p_id returning * into v_order;
  -- What was ordered can be used from now on.
  perform private.settle_order(p_id);
  perform private.audit('order.invoice', 'order', p_id::text, v_reason);
  perform private.notify(
    v_order.buyer_id, 'order', 'invoiced:' || p_id, 'Your invoice ' || v_order.invoice_number,
    private.money_words(v_order.total_minor, v_order.currency) || ' by '
      || to_char(v_order.invoice_due_on, 'FMMonth FMDD, YYYY')
      || E'.\nCoaching can start now; it doesn’t wait for the payment.',
    '/dashboard/orders/' || p_id, 'Your invoice'
  );
  return private.desk_order_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."invoice_order"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.leave_program (
  p_seat_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_seat public.seats := private.own_seat(p_seat_id);
begin
  if v_seat.state = 'activated' then
    update public.seats s set withdrawn_at = coalesce(s.withdrawn_at, now()) where s.id = v_seat.id;
    perform private.pass_on(v_seat, 'Its owner left the program.');
  end if;
  return jsonb_build_object('id', v_seat.id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."leave_program"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_orders (
  p_place jsonb   DEFAULT NULL::jsonb,
  p_limit integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  return private.list_page(
    'public.orders r', private.order_row(), array['r.buyer_id = (select auth.uid())'],
    'r.created_at', 'timestamptz', true, '{}', p_place, p_limit
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_orders"(jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_own_programs()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.created_at desc, p.id)
    from public.programs p
    where p.id in (
      select s.program_id from public.program_sponsors s where s.address = private.my_address()
    )
  ), '[]');
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_own_programs"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_own_seats()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', s.id, 'state', s.state, 'program', p.name, 'sponsor', p.sponsor,
      'business', b.name, 'sessions', p.sessions, 'used', private.sessions_of_seat(s.id),
      'ends_on', p.ends_on, 'activated_at', s.activated_at, 'withdrawn_at', s.withdrawn_at,
      'shares_figures', s.shares_figures, 'has_report', p.has_report, 'consent', c.body,
      'figures', case when p.has_report then private.program_figures(p.id) end
    ) order by s.activated_at desc, s.id)
    from public.seats s
    join public.programs p on p.id = s.program_id
    join public.businesses b on b.id = s.business_id
    join public.program_consents c on c.program_id = s.program_id and c.version = s.consent_version
    where s.owner_id = v_user_id
  ), '[]');
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_own_seats"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_prices()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'plans', (
      select jsonb_agg(jsonb_build_object(
        'key', p.key, 'name', p.name, 'gives', p.gives, 'sessions', p.sessions, 'months', p.months,
        'fewest', p.fewest, 'most', p.most, 'for_members', p.for_members,
        'prices', coalesce((
          select jsonb_agg(jsonb_build_object(
            'every', c.every, 'amount_minor', c.amount_minor, 'currency', c.currency
          ) order by array_position(array['once', 'month', 'year'], c.every))
          from public.prices c where c.plan_key = p.key and c.ended_at is null
        ), '[]')
      ) order by p.position)
      from public.plans p
    ),
    'tax_rates', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'region', t.region, 'name', t.name, 'rate', t.rate
      ) order by t.region), '[]')
      from public.tax_rates t
    )
  )
$function$;

REVOKE ALL ON FUNCTION "public"."list_prices"() FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.move_session (
  p_id        uuid,
  p_starts_at timestamp with time zone,
  p_minutes   integer,
  p_kind      text,
  p_place     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_id, '{coach}');
  v_place text := private.clean_text(p_place, 300, 'place');
begin
  if v_session.state <> 'scheduled' then
    raise exception 'This session is over or canceled. Schedule another one.' using errcode = '55000';
  end if;
  perform private.require_under_way(e) from public.engagements e where e.id = v_session.engagement_id;
  perform private.check_session_plan(
    p_starts_at, v_session.time_zone, p_minutes, p_kind, p_place
  );
  -- Sent again after a lost answer, it's done already.
  if (v_session.starts_at, v_session.minutes, v_session.kind, v_session.place)
    is not distinct from (p_starts_at, p_minutes, p_kind, v_place)
  then
    return private.session_state_json(p_id);
  end if;
  perform private.require_free(v_session.coach_id, p_id, p_starts_at, p_minutes);
  update public.coaching_sessions s set
    starts_at = p_starts_at, minutes = p_minutes, kind = p_kind,
    place = v_place, revision = s.revision + 1
  where s.id = p_id;
  perform private.notify(
    e.owner_id, 'session', 'session:' || p_id || ':' || v_session.revision + 1,
    'Your coaching session is now on ' || private.when_words(p_starts_at, e.owner_id),
    coalesce(private.name_of(v_user_id), 'Your coach') || ' changed it. It was going to be on '
      || private.when_words(v_session.starts_at, e.owner_id) || '.',
    '/dashboard/coaching', 'Your coaching'
  )
  from public.engagements e where e.id = v_session.engagement_id;
  return private.session_state_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.offer_times (
  p_id            uuid,
  p_engagement_id uuid,
  p_times         timestamp with time zone[],
  p_time_zone     text,
  p_minutes       integer,
  p_kind          text,
  p_place         text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_times timestamptz[] := array(select distinct t from unnest(p_times) t order by t);
  v_found public.session_offers;
  v_time timestamptz;
begin
  select * into v_found from public.session_offers o where o.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement_id then
      raise exception 'This offer already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.offer_state_json(p_id);
  end if;
  if p_id is null then
    raise exception 'An offer needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  if cardinality(v_times) <> cardinality(p_times) or cardinality(v_times) not between 2 and 3
    or v_times[1] <= now() or array_position(v_times, null) is not null
  then
    raise exception 'Offer two or three different times in the future.'
      using errcode = '22023', hint = 'times';
  end if;
  perform private.require_sessions_left(v_engagement.business_id, v_times[cardinality(v_times)]);
  foreach v_time in array v_times loop
    perform private.check_session_plan(v_time, p_time_zone, p_minutes, p_kind, p_place);
    perform private.require_free(v_user_id, p_id, v_time, p_minutes);
  end loop;
  -- There's one question at a time.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement_id and o.state = 'open';
  insert into public.session_offers (
    id, engagement_id, coach_id, times, time_zone, minutes, kind, place
  ) values (
    p_id, p_engagement_id, v_user_id, v_times, p_time_zone, p_minutes, p_kind,
    private.clean_text(p_place, 300, 'place')
  );
  perform private.notify(
    v_engagement.owner_id, 'session', 'offer:' || p_id, 'Choose a time for your coaching session',
    coalesce(private.name_of(v_user_id), 'Your coach') || ' offers you these times:' || E'\n' || (
      select string_agg(private.when_words(t, v_engagement.owner_id), E'\n' order by t)
      from unnest(v_times) t
    ),
    '/dashboard/coaching', 'Choose a time'
  );
  return private.offer_state_json(p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.open_survey (
  p_id          uuid,
  p_privacy     text,
  p_public_link boolean,
  p_grouped_by  text,
  p_reason      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_text public.surveys;
  v_closed uuid;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  perform private.one_at_a_time('surveys', p_id);
  if exists (select from public.surveys s where s.id = p_id) then
    return jsonb_build_object('id', p_id);
  end if;
  if p_privacy is null or p_privacy not in ('anonymous', 'confidential') or p_public_link is null then
    raise exception 'Say who reads the answers and who can give them.'
      using errcode = '22023', hint = 'privacy';
  end if;
  if p_grouped_by is not null
    and (p_privacy <> 'confidential' or p_grouped_by not in ('area', 'coach', 'industry'))
  then
    raise exception 'Only confidential answers can be grouped, by area, coach or industry.'
      using errcode = '22023', hint = 'grouped_by';
  end if;
  select * into v_text from public.surveys s order by s.opened_at desc limit 1;
  if not found then
    raise exception 'There’s no text for a survey yet.' using errcode = '55000';
  end if;
  v_closed := private.close_open_survey();
  insert into public.surveys (
    id, title, privacy, statements, recommend, comments, public_link, grouped_by
  ) values (
    p_id, v_text.title, p_privacy, v_text.statements, v_text.recommend, v_text.comments,
    p_public_link, p_grouped_by
  );
  perform private.audit('survey.open', 'survey', p_id::text, v_reason, jsonb_strip_nulls(
    jsonb_build_object(
      'privacy', p_privacy, 'public_link', p_public_link, 'grouped_by', p_grouped_by,
      'closed', v_closed
    )
  ));
  return jsonb_build_object('id', p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."open_survey"(uuid, text, boolean, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.pass_on_seat (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_seat public.seats;
  v_program public.programs;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  v_program := private.run_program((select s.program_id from public.seats s where s.id = p_id));
  select * into v_seat from public.seats s where s.id = p_id for update;
  if v_seat.state = 'assigned' then
    update public.seats s set state = 'unassigned' where s.id = p_id;
    perform private.offer_seats(v_program.id);
  elsif v_seat.state <> 'activated' then
    raise exception 'This seat isn’t taken.' using errcode = '55000', hint = 'state';
  elsif private.sessions_of_seat(p_id) > 0 then
    raise exception 'This seat has been used.' using errcode = '55000', hint = 'state';
  elsif greatest(v_seat.activated_at, v_program.starts_on) > now() - interval '90 days' then
    raise exception 'An owner has 90 days for a first session.' using errcode = '55000', hint = 'state';
  else
    perform private.pass_on(v_seat, v_reason);
  end if;
  perform private.audit('program.pass_on', 'program', v_program.id::text, v_reason,
    jsonb_build_object('seat', v_seat.number, 'business_id', v_seat.business_id));
  return private.admin_program_json(v_program.id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."pass_on_seat"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.pick_time (
  p_offer_id   uuid,
  p_session_id uuid,
  p_time       timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_offer_id, '{owner}');
  v_engagement public.engagements;
begin
  if v_offer.state = 'picked' then
    if v_offer.session_id <> p_session_id then
      raise exception 'You’ve already picked a time.' using errcode = '55000';
    end if;
    return private.session_state_json(p_session_id);
  end if;
  if v_offer.state <> 'open' then
    raise exception 'These times aren’t offered anymore.' using errcode = '55000';
  end if;
  if (p_time = any (v_offer.times)) is not true then
    raise exception 'Choose one of the times that are offered.'
      using errcode = '22023', hint = 'time';
  end if;
  if p_time <= now() then
    raise exception 'This time has passed. Choose a later one.' using errcode = '22023', hint = 'time';
  end if;
  if exists (select from public.coaching_sessions s where s.id = p_session_id) then
    raise exception 'This session already exists.' using errcode = '23505', hint = 'session_id';
  end if;
  select * into v_engagement from public.engagements e where e.id = v_offer.engagement_id;
  perform private.require_under_way(v_engagement);
  perform private.require_sessions_left(v_engagement.business_id, p_time);
  perform private.put_session(
    p_session_id, v_engagement, p_time, v_offer.time_zone, v_offer.minutes, v_offer.kind,
    v_offer.place
  );
  perform private.require_free(v_engagement.coach_id, p_session_id, p_time, v_offer.minutes);
  update public.session_offers o set state = 'picked', session_id = p_session_id
  where o.id = p_offer_id;
  perform private.notify(
    v_engagement.coach_id, 'session', 'session:' || p_session_id,
    coalesce(private.name_of(v_user_id), 'Your client') || ' picked '
      || private.when_words(p_time, v_engagement.coach_id),
    'The session is in your calendar.', '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
  return private.session_state_json(p_session_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.quote_order_lines (
  p_id          uuid,
  p_quantity    integer,
  p_unit_minor  bigint,
  p_setup_minor bigint,
  p_tax_exempt  boolean,
  p_reason      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := private.require_reason(p_reason);
  v_plan public.plans;
  v_tax public.tax_rates;
begin
  if v_order.method <> 'purchase_order' or v_order.state not in ('draft', 'quoted', 'expired') then
    raise exception 'Only an order that waits for a quote, or has one, can be quoted.'
      using errcode = '55000', hint = 'state';
  end if;
  select p.* into v_plan from public.plans p
  join public.order_lines l on l.plan_key = p.key where l.order_id = p_id and l.position = 1;
  if p_quantity is null or p_quantity not between v_plan.fewest and v_plan.most then
    raise exception 'Enter a number from % to %.', v_plan.fewest, v_plan.most
      using errcode = '22023', hint = 'quantity';
  end if;
  if p_unit_minor is null or p_unit_minor not between 1 and 100000000 then
    raise exception 'Enter the price of one.' using errcode = '22023', hint = 'unit_minor';
  end if;
  if coalesce(p_setup_minor, 0) not between 0 and 100000000 then
    raise exception 'Enter the price of the setup, or leave it out.' using errcode = '22023', hint = 'setup_minor';
  end if;
  if not coalesce(p_tax_exempt, false) then
    select * into v_tax from public.tax_rates t where t.region = v_order.billing_region;
  end if;
  update public.order_lines l set
    quantity = p_quantity, unit_minor = p_unit_minor, tax_name = v_tax.name,
    tax_rate = coalesce(v_tax.rate, 0)
  where l.order_id = p_id and l.position = 1;
  delete from public.order_lines l where l.order_id = p_id and l.position > 1;
  if p_setup_minor > 0 then
    insert into public.order_lines (
      order_id, position, description, quantity, unit_minor, tax_name, tax_rate
    ) values (p_id, 2, 'Setup', 1, p_setup_minor, v_tax.name, coalesce(v_tax.rate, 0));
  end if;
  update public.orders o set tax_exempt = coalesce(p_tax_exempt, false) where o.id = p_id;
  perform private.quote_order(p_id);
  perform private.audit('order.quote', 'order', p_id::text, v_reason,
    jsonb_build_object('quantity', p_quantity, 'unit_minor', p_unit_minor, 'setup_minor', p_setup_minor));
  select * into v_order from public.orders o where o.id = p_id;
  perform private.notify(
    v_order.buyer_id, 'order', 'quoted:' || p_id || ':' || v_order.quoted_at,
    'Your quote ' || v_order.quote_number || ' is ready',
    private.money_words(v_order.total_minor, v_order.currency)
      || E', good for 60 days.\nPrint it, and send us the number of your purchase order on the same page.',
    '/dashboard/orders/' || p_id, 'Your quote'
  );
  return private.desk_order_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."quote_order_lines"(uuid, integer, bigint, bigint, boolean, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.record_payment (
  p_id           uuid,
  p_order_id     uuid,
  p_method       text,
  p_amount_minor bigint,
  p_received_on  date,
  p_reason       text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_order_id);
  v_reason text := private.require_reason(p_reason);
begin
  if exists (
    select from public.payments p where p.ref = 'manual:' || p_id and p.order_id = p_order_id
  ) then
    return private.desk_order_json(p_order_id);
  end if;
  if p_id is null then
    raise exception 'A payment needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_order.state <> 'invoiced' then
    raise exception 'Only an invoice that isn’t paid can be paid.' using errcode = '55000', hint = 'state';
  end if;
  if p_method is null or p_method not in ('check', 'transfer', 'other') then
    raise exception 'Choose how it was paid.' using errcode = '22023', hint = 'method';
  end if;
  if p_amount_minor is null or p_amount_minor not between 1 and v_order.total_minor - v_order.paid_minor then
    raise exception 'Enter an amount up to %, which is what’s open.',
      private.money_words(v_order.total_minor - v_order.paid_minor, v_order.currency)
      using errcode = '22023', hint = 'amount_minor';
  end if;
  if p_received_on is null or p_received_on > private.coaching_day()
    or p_received_on < v_order.invoiced_at::date - 1
  then
    raise exception 'Enter a day from the invoice’s to today.' using errcode = '22023', hint = 'received_on';
  end if;
  perform private.report_payment(
    p_order_id, 'manual:' || p_id, p_method, p_amount_minor, v_order.currency,
    (p_received_on + time '12:00') at time zone private.coaching_zone()
  );
  perform private.audit('order.payment', 'order', p_order_id::text, v_reason,
    jsonb_build_object('amount_minor', p_amount_minor, 'method', p_method));
  return private.desk_order_json(p_order_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.record_purchase_order (
  p_id        uuid,
  p_po_number text,
  p_reason    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := private.require_reason(p_reason);
  v_number text := private.clean_line(
    private.clean_text(p_po_number, 60, 'po_number', 'Enter the number of their purchase order.'), 60
  );
begin
  perform private.accept_purchase_order(v_order, v_number, 'admin');
  perform private.audit('order.purchase_order', 'order', p_id::text, v_reason);
  return private.desk_order_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."record_purchase_order"(uuid, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.revoke_seat_code (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
begin
  v_program := private.run_program(
    (select c.program_id from public.seat_codes c where c.id = p_id)
  );
  update public.seat_codes c set revoked_at = now() where c.id = p_id and c.revoked_at is null;
  if found then
    perform private.audit_program(v_program.id, 'program.revoke_code');
  end if;
  return private.program_json(v_program);
end
$function$;

REVOKE ALL ON FUNCTION "public"."revoke_seat_code"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.save_program (
  p_id      uuid,
  p_changes jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_program public.programs;
  v_said record;
  v_consent text;
begin
  perform private.require_admin();
  v_program := private.run_program(p_id);
  select * into v_said from jsonb_to_record(p_changes) as s (
    name text, sponsor text, starts_on date, ends_on date, closed boolean, groups_by text,
    postal_prefixes text[], email_domains text[], consent text
  );
  perform private.check_program_days(v_said.starts_on, v_said.ends_on);
  if v_said.groups_by is null or v_said.groups_by not in ('none', 'postal', 'industry') then
    raise exception 'Choose how the report groups businesses.' using errcode = '22023', hint = 'groups_by';
  end if;
  if v_said.groups_by <> v_program.groups_by and exists (
    select from private.program_groups g where g.program_id = p_id
  ) then
    raise exception 'The sponsor has seen figures by these groups. Other ones could be subtracted from them.'
      using errcode = '55000', hint = 'groups_by';
  end if;
  v_consent := private.clean_text(v_said.consent, 4000, 'consent', 'Write what owners agree to.');
  if char_length(v_consent) < 40 then
    raise exception 'Say who pays, what they see and what they don’t.'
      using errcode = '22023', hint = 'consent';
  end if;
  if v_consent <> (
    select c.body from public.program_consents c
    where c.program_id = p_id and c.version = v_program.consent_version
  ) then
    v_program.consent_version := v_program.consent_version + 1;
    insert into public.program_consents (program_id, version, body, created_by)
    values (p_id, v_program.consent_version, v_consent, auth.uid());
  end if;
  update public.programs p set
    name = private.clean_text(v_said.name, 120, 'name', 'Give the program a name.'),
    sponsor = private.clean_text(v_said.sponsor, 160, 'sponsor', 'Say who pays for it.'),
    starts_on = v_said.starts_on, ends_on = v_said.ends_on,
    state = case when v_said.closed then 'closed' else 'open' end,
    groups_by = v_said.groups_by, consent_version = v_program.consent_version,
    postal_prefixes = array(
      select distinct x from (
        select nullif(upper(regexp_replace(x, '[^A-Za-z0-9]', '', 'g')), '') as x
        from unnest(v_said.postal_prefixes) as x
      ) c where x is not null order by x
    ),
    email_domains = array(
      select distinct x from (
        select nullif(ltrim(lower(btrim(x)), '@'), '') as x from unnest(v_said.email_domains) as x
      ) c where x is not null order by x
    )
  where p.id = p_id;
  -- Sessions are good as long as the program.
  update public.session_grants g set ends_at = v_said.ends_on + interval '1 day'
  from public.seats s
  where s.program_id = p_id and s.state = 'activated' and g.source = 'seat:' || s.id
    and v_said.ends_on + interval '1 day' > g.starts_at;
  perform private.audit('program.save', 'program', p_id::text, null, p_changes);
  return private.admin_program_json(p_id);
exception when invalid_text_representation or datetime_field_overflow or invalid_datetime_format then
  raise exception 'Something you entered isn’t right. Check it and try again.'
    using errcode = '22023', hint = '';
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_program"(uuid, jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.send_purchase_order (
  p_id        uuid,
  p_po_number text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
  v_number text := private.clean_line(
    private.clean_text(p_po_number, 60, 'po_number', 'Enter the number of your purchase order.'), 60
  );
begin
  if v_order.state = 'po_received' and v_order.po_number = v_number then
    return private.order_json(v_order);
  end if;
  perform private.accept_purchase_order(v_order, v_number, 'buyer');
  perform private.notify_admins(
    'order', 'po:' || p_id, 'A purchase order for ' || v_order.quote_number,
    coalesce(v_order.billing_organization, v_order.billing_name, 'A buyer')
      || ' sent number ' || v_number || '. Confirm it with an invoice.',
    '/admin/orders/' || p_id, 'Open the order'
  );
  select * into v_order from public.orders o where o.id = p_id;
  return private.order_json(v_order);
end
$function$;

REVOKE ALL ON FUNCTION "public"."send_purchase_order"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.session_context()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with asking as (
    select u.id, u.email, private.role_of(u.id) as role, s.state as second_factor
    from auth.users u
    cross join private.session_state() as s (state)
    where u.id = (select auth.uid()) and s.state <> 'ended'
  )
  select
    case when a.second_factor = 'required' then
      jsonb_build_object(
        'user_id', a.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0, 'unread_notifications', 0,
        'message_text', false, 'programs', false, 'toggles', null
      )
    else
      jsonb_build_object(
        'user_id', a.id, 'email', a.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
        'time_zone', p.time_zone, 'role', a.role, 'second_factor', a.second_factor,
        'businesses', coalesce((
          select jsonb_agg(
            jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
            order by m.joined_at, b.name, b.id
          )
          from public.business_members m
          join public.businesses b on b.id = m.business_id
          where m.user_id = a.id and b.archived_at is null
        ), '[]'),
        'deletion_due_at', d.due_at,
        'unread_messages', private.unread_total(a.id),
        'unread_notifications', private.unread_notifications(a.id),
        'message_text', private.wants(a.id, 'message_text'),
        'programs', exists (
          select from public.program_sponsors s where s.address = lower(a.email)
        ) or exists (select from public.seats s where s.owner_id = a.id),
        'toggles', public.toggles_on()
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$function$;

CREATE OR REPLACE FUNCTION public.set_sponsor (
  p_program_id uuid,
  p_address    text,
  p_is_sponsor boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.run_program(p_program_id);
  if p_is_sponsor then
    perform private.add_sponsor(p_program_id, p_address);
  else
    delete from public.program_sponsors s
    where s.program_id = p_program_id and s.address = lower(btrim(p_address));
  end if;
  perform private.audit(
    case when p_is_sponsor then 'program.add_sponsor' else 'program.remove_sponsor' end, 'program',
    p_program_id::text, null, jsonb_build_object('address', lower(btrim(p_address)))
  );
  return private.admin_program_json(p_program_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."set_sponsor"(uuid, text, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.start_checkout (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
begin
  perform private.require_rate_limit(
    'checkout:' || v_order.buyer_id, 30, interval '1 hour',
    'You’ve opened the checkout often. Try again %s.'
  );
  if v_order.method <> 'card' or v_order.total_minor = 0 then
    raise exception 'This order isn’t paid by card.' using errcode = '22023', hint = 'method';
  end if;
  if v_order.state <> 'pending' then
    if exists (
      select from public.order_lines l
      join public.plans p on p.key = l.plan_key and p.gives = 'membership'
      where l.order_id = p_id
    ) and exists (
      select from public.memberships m join public.orders o on o.id = m.order_id
      where o.business_id = v_order.business_id and o.id <> p_id and m.state <> 'ended'
    ) then
      raise exception 'This business already has a membership.' using errcode = '55000', hint = 'plan';
    end if;
    perform private.take_order_step(v_order, 'pending', 'buyer');
    update public.orders o set checkout_ref = null where o.id = p_id returning * into v_order;
  end if;
  return jsonb_build_object(
    'order', private.order_json(v_order),
    'checkout_ref', v_order.checkout_ref,
    'try', (
      select count(*) from public.order_events e where e.order_id = p_id and e.to_state = 'pending'
    ),
    -- One customer at Stripe per buyer.
    'customer_ref', (
      select o.customer_ref from public.orders o
      where o.buyer_id = v_order.buyer_id and o.customer_ref is not null
      order by o.created_at desc, o.id limit 1
    )
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."start_checkout"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.stop_counting (
  p_seat_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_seat public.seats := private.own_seat(p_seat_id);
begin
  update public.seats s set withdrawn_at = now(), shares_figures = false
  where s.id = v_seat.id and s.withdrawn_at is null;
  return jsonb_build_object('id', v_seat.id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."stop_counting"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.submit_survey_response (
  p_id         uuid,
  p_survey_id  uuid,
  p_response   jsonb,
  p_invitation text  DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_address text := private.client_address();
begin
  perform private.store_survey_response(
    p_id, p_survey_id, p_response, p_invitation, v_address, private.network_of(v_address, 24, 48)
  );
  return jsonb_build_object('id', p_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.take_seat (
  p_business_id     uuid,
  p_consent_version integer,
  p_shares_figures  boolean,
  p_code            text    DEFAULT NULL::text,
  p_seat_id         uuid    DEFAULT NULL::uuid,
  p_postal_code     text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_offer record;
  v_postal_code text;
  v_why text;
  v_seat_id uuid := p_seat_id;
begin
  perform private.require_session();
  perform private.require_member(p_business_id);
  if private.my_address() is null then
    raise exception 'Confirm your email first.' using errcode = '42501', hint = 'address';
  end if;
  select * into v_offer from private.seat_offer(p_code, p_seat_id);
  if (v_offer.program).id is not null then
    perform from public.programs p where p.id = (v_offer.program).id for update;
    -- Someone may have taken the last one while this waited.
    select * into v_offer from private.seat_offer(p_code, p_seat_id);
  end if;
  if v_offer.outcome <> 'open' then
    return jsonb_build_object('outcome', v_offer.outcome, 'program_id', (v_offer.program).id);
  end if;
  if p_consent_version is distinct from (v_offer.program).consent_version then
    return jsonb_build_object('outcome', 'consent-changed', 'program_id', (v_offer.program).id);
  end if;
  if exists (
    select from public.seats s where s.program_id = (v_offer.program).id
      and s.business_id = p_business_id and s.state = 'activated'
  ) then
    return jsonb_build_object('outcome', 'business-has-one', 'program_id', (v_offer.program).id);
  end if;
  select coalesce(b.postal_code, private.clean_line(p_postal_code, 16)) into v_postal_code
  from public.businesses b where b.id = p_business_id;
  v_why := private.eligible(v_offer.program, private.my_address(), v_postal_code);
  if v_why is not null then
    return jsonb_build_object('outcome', v_why, 'program_id', (v_offer.program).id);
  end if;
  update public.businesses b set postal_code = v_postal_code
  where b.id = p_business_id and b.postal_code is null and v_postal_code is not null;
  if v_seat_id is null then
    select s.id into v_seat_id from public.seats s
    where s.program_id = (v_offer.program).id and s.state = 'unassigned' order by s.number limit 1;
  end if;
  perform private.activate_seat(
    v_seat_id, (v_offer.code).id, p_business_id, coalesce(p_shares_figures, false)
  );
  return jsonb_build_object(
    'outcome', 'taken', 'program_id', (v_offer.program).id, 'seat_id', v_seat_id
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."take_seat"(uuid, integer, boolean, text, uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.void_order (
  p_id     uuid,
  p_reason text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := left(private.require_reason(p_reason), 500);
begin
  if v_order.state = 'canceled' then
    return private.desk_order_json(p_id);
  end if;
  if v_order.paid_minor > 0 then
    raise exception 'Something was paid for this order, so it can’t be canceled.'
      using errcode = '55000', hint = 'state';
  end if;
  perform private.take_order_step(v_order, 'canceled', 'admin', v_reason);
  perform private.settle_order(p_id);
  perform private.audit('order.cancel', 'order', p_id::text, v_reason);
  perform private.notify(
    v_order.buyer_id, 'order', 'canceled:' || p_id, 'Your order was canceled',
    E'You owe nothing for it. The reason:\n' || v_reason, '/dashboard/orders/' || p_id, 'Your order'
  );
  return private.desk_order_json(p_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."void_order"(uuid, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.wait_for_seat (
  p_code text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_offer record;
begin
  select * into v_offer from private.seat_offer(p_code, null);
  if v_offer.outcome = 'full' then
    insert into public.seat_waits as w (program_id, user_id) values ((v_offer.program).id, v_user_id)
    on conflict (program_id, user_id) do update set joined_at = now(), offered_at = null
    where w.offered_at is not null;
    perform private.offer_seats((v_offer.program).id);
    return jsonb_build_object('outcome', 'waiting');
  end if;
  return jsonb_build_object('outcome', v_offer.outcome);
end
$function$;

REVOKE ALL ON FUNCTION "public"."wait_for_seat"(text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.waive_session (
  p_session_id uuid,
  p_reason     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
  v_engagement public.engagements;
  v_reason text := private.require_reason(p_reason);
begin
  select * into v_session from public.coaching_sessions s where s.id = p_session_id;
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id for update;
  if not (
    private.is_admin() or v_session.coach_id = v_user_id and private.runs(v_engagement, v_user_id)
  ) is true then
    raise exception 'We can’t find this session.' using errcode = 'P0002', hint = 'session_id';
  end if;
  if not exists (select from public.session_uses u where u.session_id = p_session_id) then
    raise exception 'This session hasn’t used anything.' using errcode = '55000';
  end if;
  update public.session_uses u
  set waived_at = now(), waive_reason = left(v_reason, 500), waived_by = v_user_id
  where u.session_id = p_session_id and u.waived_at is null;
  if found then
    perform private.audit('session.waive', 'session', p_session_id::text, v_reason);
    perform private.notify(
      v_engagement.owner_id, 'session', 'waived:' || p_session_id, 'A session doesn’t count',
      'We’ve given back the session on '
        || private.when_words(v_session.starts_at, v_engagement.owner_id) || '. You can use it again.',
      '/dashboard/coaching', 'Your coaching'
    );
  end if;
  return private.sessions_left_json(v_engagement.business_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."waive_session"(uuid, text) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."survey_batch_answers"
  ADD CONSTRAINT "survey_batch_answers_batch_id_fkey" FOREIGN KEY (batch_id) REFERENCES private.survey_batches(id);

ALTER TABLE "private"."survey_batches"
  ADD CONSTRAINT "survey_batches_survey_id_fkey" FOREIGN KEY (survey_id) REFERENCES public.surveys(id);

ALTER TABLE "private"."transitions"
  ADD CONSTRAINT "transitions_who_check"
    CHECK (((who <@ ARRAY['owner'::text, 'member'::text, 'coach'::text, 'buyer'::text, 'sponsor'::text, 'admin'::text, 'system'::text]) AND (cardinality(who) > 0)));

ALTER TABLE "public"."notifications"
  ADD CONSTRAINT "notifications_kind_check"
    CHECK
    ((kind = ANY (ARRAY['coaching'::text, 'session'::text, 'action'::text, 'tool'::text, 'project'::text, 'figures'::text, 'survey'::text, 'reminder'::text, 'business'::text,
    'support'::text, 'order'::text, 'account'::text])));

ALTER TABLE "public"."orders"
  ADD CONSTRAINT "orders_business_id_fkey" FOREIGN KEY (business_id) REFERENCES public.businesses(id);

ALTER TABLE "public"."orders"
  ADD CONSTRAINT "orders_buyer_id_fkey" FOREIGN KEY (buyer_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."memberships"
  ADD CONSTRAINT "memberships_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE "public"."order_events"
  ADD CONSTRAINT "order_events_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE;

ALTER TABLE "public"."order_lines"
  ADD CONSTRAINT "order_lines_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE;

ALTER TABLE "public"."payments"
  ADD CONSTRAINT "payments_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE "public"."order_lines"
  ADD CONSTRAINT "order_lines_plan_key_fkey" FOREIGN KEY (plan_key) REFERENCES public.plans(key);

ALTER TABLE "public"."prices"
  ADD CONSTRAINT "prices_plan_key_fkey" FOREIGN KEY (plan_key) REFERENCES public.plans(key);

ALTER TABLE "public"."programs"
  ADD CONSTRAINT "programs_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE "private"."program_groups"
  ADD CONSTRAINT "program_groups_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "private"."program_readings"
  ADD CONSTRAINT "program_readings_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."program_consents"
  ADD CONSTRAINT "program_consents_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."program_reports"
  ADD CONSTRAINT "program_reports_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."program_sponsors"
  ADD CONSTRAINT "program_sponsors_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."seat_codes"
  ADD CONSTRAINT "seat_codes_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."seat_waits"
  ADD CONSTRAINT "seat_waits_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."seat_waits"
  ADD CONSTRAINT "seat_waits_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."seats"
  ADD CONSTRAINT "seats_business_id_fkey" FOREIGN KEY (business_id) REFERENCES public.businesses(id);

ALTER TABLE "public"."seats"
  ADD CONSTRAINT "seats_code_id_fkey" FOREIGN KEY (code_id) REFERENCES public.seat_codes(id);

ALTER TABLE "public"."seats"
  ADD CONSTRAINT "seats_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."seats"
  ADD CONSTRAINT "seats_program_id_consent_version_fkey" FOREIGN KEY (program_id, consent_version) REFERENCES public.program_consents(program_id, VERSION);

ALTER TABLE "public"."seats"
  ADD CONSTRAINT "seats_program_id_fkey" FOREIGN KEY (program_id) REFERENCES public.programs(id);

ALTER TABLE "public"."session_grants"
  ADD CONSTRAINT "session_grants_business_id_fkey" FOREIGN KEY (business_id) REFERENCES public.businesses(id);

ALTER TABLE "public"."session_grants"
  ADD CONSTRAINT "session_grants_order_id_fkey" FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE "public"."session_uses"
  ADD CONSTRAINT "session_uses_grant_id_fkey" FOREIGN KEY (grant_id) REFERENCES public.session_grants(id);

ALTER TABLE "public"."session_uses"
  ADD CONSTRAINT "session_uses_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.coaching_sessions(id);

ALTER TABLE "public"."survey_invitations"
  ADD CONSTRAINT "survey_invitations_reminder_hash_check" CHECK ((octet_length(reminder_hash) = 32));

ALTER TABLE "public"."survey_invitations"
  ADD CONSTRAINT "survey_invitations_reminder_hash_key" UNIQUE (reminder_hash);

ALTER TABLE "public"."surveys"
  ADD CONSTRAINT "surveys_check1" CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL)));

ALTER TABLE "public"."surveys"
  ADD CONSTRAINT "surveys_check" CHECK (((privacy = 'confidential'::text) OR (grouped_by IS NULL)));

ALTER TABLE "public"."surveys"
  ADD CONSTRAINT "surveys_grouped_by_check" CHECK ((grouped_by = ANY (ARRAY['area'::text, 'coach'::text, 'industry'::text])));

CREATE INDEX survey_batch_answers_batch_id_idx ON private.survey_batch_answers USING btree (batch_id);

CREATE INDEX survey_batches_survey_id_idx ON private.survey_batches USING btree (survey_id);

CREATE INDEX disputes_payment_ref_idx ON public.disputes USING btree (payment_ref);

CREATE INDEX order_events_order_id_idx ON public.order_events USING btree (order_id, id);

CREATE INDEX order_lines_plan_key_idx ON public.order_lines USING btree (plan_key);

CREATE INDEX orders_business_id_idx ON public.orders USING btree (business_id);

CREATE INDEX orders_buyer_id_idx ON public.orders USING btree (buyer_id, created_at DESC);

CREATE INDEX orders_created_at_idx ON public.orders USING btree (created_at, id);

CREATE INDEX orders_customer_ref_idx ON public.orders USING btree (customer_ref);

CREATE INDEX orders_due_idx ON public.orders USING btree (invoice_due_on, id)
  WHERE (state = 'invoiced'::text);

CREATE INDEX orders_state_idx ON public.orders USING btree (state, created_at, id);

CREATE INDEX payments_order_id_idx ON public.payments USING btree (order_id, received_at);

CREATE UNIQUE INDEX prices_current_idx ON public.prices USING btree (plan_key, every)
  WHERE (ended_at IS NULL);

CREATE INDEX prices_plan_key_idx ON public.prices USING btree (plan_key);

CREATE INDEX program_sponsors_address_idx ON public.program_sponsors USING btree (address);

CREATE INDEX programs_created_at_idx ON public.programs USING btree (created_at, id);

CREATE INDEX programs_ends_on_idx ON public.programs USING btree (ends_on, id);

CREATE INDEX refunds_payment_ref_idx ON public.refunds USING btree (payment_ref);

CREATE INDEX seat_codes_program_id_idx ON public.seat_codes USING btree (program_id, created_at DESC);

CREATE INDEX seat_waits_next_idx ON public.seat_waits USING btree (program_id, joined_at, user_id)
  WHERE (offered_at IS NULL);

CREATE INDEX seat_waits_user_id_idx ON public.seat_waits USING btree (user_id);

CREATE INDEX seats_address_idx ON public.seats USING btree (address);

CREATE INDEX seats_business_id_idx ON public.seats USING btree (business_id);

CREATE INDEX seats_by_state_idx ON public.seats USING btree (program_id, state, number);

CREATE INDEX seats_code_id_idx ON public.seats USING btree (code_id);

CREATE INDEX seats_consent_idx ON public.seats USING btree (program_id, consent_version);

CREATE UNIQUE INDEX seats_one_a_business_idx ON public.seats USING btree (program_id, business_id)
  WHERE (state = 'activated'::text);

CREATE INDEX seats_owner_id_idx ON public.seats USING btree (owner_id);

CREATE INDEX session_grants_business_id_idx ON public.session_grants USING btree (business_id, ends_at);

CREATE INDEX session_grants_order_id_idx ON public.session_grants USING btree (order_id);

CREATE INDEX session_uses_grant_id_idx ON public.session_uses USING btree (grant_id);

CREATE TRIGGER survey_batch_answers_are_never_changed
  BEFORE DELETE OR UPDATE ON private.survey_batch_answers
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER survey_batch_answers_are_never_emptied
  BEFORE TRUNCATE ON private.survey_batch_answers
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER survey_batches_are_never_changed
  BEFORE DELETE OR UPDATE ON private.survey_batches
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER survey_batches_are_never_emptied
  BEFORE TRUNCATE ON private.survey_batches
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER coaching_sessions_use_what_was_bought
  AFTER INSERT OR UPDATE OF state ON public.coaching_sessions
  FOR EACH ROW
  EXECUTE FUNCTION private.use_session();

CREATE TRIGGER order_lines_add_up
  AFTER INSERT OR DELETE OR UPDATE ON public.order_lines
  FOR EACH ROW
  EXECUTE FUNCTION private.sum_order_lines();

CREATE TRIGGER order_lines_keep_what_they_say
  BEFORE INSERT OR DELETE OR UPDATE ON public.order_lines
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_order_lines();

CREATE TRIGGER orders_insert_is_limited AFTER INSERT ON public.orders REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('orders', 'each row');

CREATE TRIGGER orders_keep_what_they_say
  BEFORE UPDATE ON public.orders
  FOR EACH ROW
  WHEN ((NOT private.merging()))
  EXECUTE FUNCTION private.keep_order();

CREATE TRIGGER orders_per_buyer_id_are_limited AFTER INSERT ON public.orders REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'buyer_id'
);

CREATE TRIGGER orders_record_steps
  AFTER INSERT OR UPDATE OF state ON public.orders
  FOR EACH ROW
  EXECUTE FUNCTION private.record_order_step();

CREATE TRIGGER orders_take_known_steps
  BEFORE INSERT OR UPDATE OF state ON public.orders
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('order', 'state');

CREATE TRIGGER orders_update_is_limited AFTER UPDATE ON public.orders REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('order_changes', 'each statement');

CREATE TRIGGER payments_never_change
  BEFORE DELETE OR UPDATE ON public.payments
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER prices_are_never_removed
  BEFORE DELETE ON public.prices
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER prices_never_change
  BEFORE UPDATE ON public.prices
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_price();

CREATE TRIGGER program_consents_never_change
  BEFORE DELETE OR UPDATE ON public.program_consents
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER program_consents_per_program_id_are_limited AFTER INSERT ON public.program_consents
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'program_id'
);

CREATE TRIGGER program_reports_never_change
  BEFORE DELETE OR UPDATE ON public.program_reports
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_change();

CREATE TRIGGER program_sponsors_insert_is_limited AFTER INSERT ON public.program_sponsors REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('program_sponsors', 'each row');

CREATE TRIGGER program_sponsors_per_program_id_are_limited AFTER INSERT ON public.program_sponsors
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'program_id'
);

CREATE TRIGGER programs_insert_is_limited AFTER INSERT ON public.programs REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('programs', 'each row');

CREATE TRIGGER programs_update_is_limited AFTER UPDATE ON public.programs REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('programs', 'each statement');

CREATE TRIGGER seat_codes_insert_is_limited AFTER INSERT ON public.seat_codes REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('seat_codes', 'each row');

CREATE TRIGGER seat_codes_per_program_id_are_limited AFTER INSERT ON public.seat_codes REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION private.limit_rows (
  'program_id'
);

CREATE TRIGGER seat_codes_update_is_limited AFTER UPDATE ON public.seat_codes REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('seat_codes', 'each statement');

CREATE TRIGGER seat_waits_insert_is_limited AFTER INSERT ON public.seat_waits REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('seat_waits', 'each row');

CREATE TRIGGER seat_waits_update_is_limited AFTER UPDATE ON public.seat_waits REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('seat_waits', 'each statement');

CREATE TRIGGER seats_keep_track
  BEFORE UPDATE ON public.seats
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_seat();

CREATE TRIGGER seats_take_known_steps
  BEFORE INSERT OR UPDATE OF state ON public.seats
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('seat', 'state');

CREATE TRIGGER seats_update_is_limited AFTER UPDATE ON public.seats REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('seat_changes', 'each statement');

CREATE TRIGGER session_grants_insert_is_limited AFTER INSERT ON public.session_grants REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('session_grants', 'each row');

CREATE TRIGGER session_uses_update_is_limited AFTER UPDATE ON public.session_uses REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('waived_sessions', 'each statement');

CREATE TRIGGER surveys_insert_is_limited AFTER INSERT ON public.surveys REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('surveys', 'each row');

CREATE TRIGGER surveys_update_is_limited AFTER UPDATE ON public.surveys REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('surveys', 'each statement');

CREATE POLICY "Buyers read their memberships" ON "public"."memberships"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (order_id = ANY (ARRAY( SELECT o.id
   FROM public.orders o)))));

CREATE POLICY "Buyers read the lines of their orders" ON "public"."order_lines"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (order_id = ANY (ARRAY( SELECT o.id
   FROM public.orders o)))));

CREATE POLICY "Buyers read their own orders" ON "public"."orders"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (buyer_id = ( SELECT auth.uid() AS uid))));

CREATE POLICY "Buyers read the payments of their orders" ON "public"."payments"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (order_id = ANY (ARRAY( SELECT o.id
   FROM public.orders o)))));

CREATE POLICY "Members read the sessions their business has" ON "public"."session_grants"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (business_id = ANY (ARRAY( SELECT private.my_business_ids() AS my_business_ids)))));

COMMENT ON FUNCTION "private"."accept_purchase_order"(public.orders, text, text) IS 'Stores the number of a purchase order for a quote that''s still good (55000 otherwise).';

COMMENT ON FUNCTION "private"."add_sponsor"(uuid, text) IS 'Makes the person with this address a sponsor of the program, and tells them by email, once.';

COMMENT ON FUNCTION "private"."add_survey_batches"(uuid, date, boolean, boolean) IS 'Makes a batch of the answers from quarters before p_before that have the same kind of link and, if so asked, the same quarter and group, wherever there are five; how many batches.';

COMMENT ON FUNCTION "private"."apply_card_facts"(jsonb) IS 'Applies what Stripe says about orders. Applying it again changes nothing.';

COMMENT ON FUNCTION "private"."batch_survey"(uuid) IS 'Publishes answers that now have enough company, and tells admins once when a survey has its first results; how many batches.';

COMMENT ON FUNCTION "private"."batch_surveys"() IS 'Publishes what can be published of every survey; how many batches.';

COMMENT ON FUNCTION "private"."can_follow"(uuid, text, text, jsonb) IS 'Whether a group (null: all together) with these entries can be shown after every reading before: it has five businesses, and none or at least five differ from each.';

COMMENT ON FUNCTION "private"."changed_figures"(uuid) IS 'By how much a business''s jobs (full-time and part-time) and yearly sales changed from its first to its latest figures; null with fewer than two.';

COMMENT ON FUNCTION "private"."changes_between"(jsonb, jsonb) IS 'How many businesses are in only one of two readings of a group, or in both with another value.';

COMMENT ON FUNCTION "private"."clean_address"(text) IS 'One email address in lowercase, or an error (22023).';

COMMENT ON FUNCTION "private"."close_open_survey"() IS 'Closes the open survey; its id, or null.';

COMMENT ON FUNCTION "private"."code_of"(text) IS 'The code that someone entered, or nulls; a wrong one counts, and too many are refused (PT429).';

COMMENT ON FUNCTION "private"."desk_order"(uuid) IS 'An order for the calling admin, locked, or an error.';

COMMENT ON FUNCTION "private"."desk_order_json"(uuid) IS 'An order for an admin: private.order_json with {buyer: {id, email, name} or null, program_id}.';

COMMENT ON FUNCTION "private"."eligible"(public.programs, text, text) IS 'Why a business can''t have a seat: its owner''s address, its postal code or that it has none; null if it can.';

COMMENT ON FUNCTION "private"."end_checkout"(uuid, text, text) IS 'A checkout ended without money: the order is expired or failed, if it’s still being paid there.';

COMMENT ON FUNCTION "private"."end_seat"(uuid) IS 'Ends a seat that was used: it keeps counting as one of those that were paid for.';

COMMENT ON FUNCTION "private"."end_seats_of"(uuid) IS 'When a business is deleted: its seats end, and no new total counts it.';

COMMENT ON FUNCTION "private"."engagement_parts_json"(uuid) IS 'What belongs to an engagement: its events, sessions, open offers, actions and recommendations, how many sessions it has used, and while it''s open what the business has left, as private.sessions_left_json.';

COMMENT ON FUNCTION "private"."expire_quotes"() IS 'Quotes that are over expire, and their buyers hear of it; how many.';

COMMENT ON FUNCTION "private"."figure_value"(text, jsonb) IS 'What a group''s entries come to; null for fewer than five businesses.';

COMMENT ON FUNCTION "private"."first_consent"(text, boolean) IS 'What owners agree to until an admin writes another text.';

COMMENT ON FUNCTION "private"."form_groups"(uuid, text, jsonb) IS 'Puts labels, with how many businesses each has, into groups of at least five.';

COMMENT ON FUNCTION "private"."grants_of"(uuid) IS 'A business''s grants with how many sessions of each were used.';

COMMENT ON FUNCTION "private"."groups_from"(uuid) IS 'From how many businesses on a program''s figures are shown.';

COMMENT ON FUNCTION "private"."is_held"(uuid) IS 'Whether an order''s sessions wait for its payment: 15 days after an invoice was due.';

COMMENT ON FUNCTION "private"."is_open"(public.programs) IS 'Whether seats of a program can be taken; before its first day, too.';

COMMENT ON FUNCTION "private"."keep_checkout"(uuid, text, boolean) IS 'Keeps which session an order is being paid in.';

COMMENT ON FUNCTION "private"."keep_seats"() IS 'Seats end with their program, and reservations that ran out free theirs; owners who haven’t started after 90 days hear that the seat can go to someone else.';

COMMENT ON FUNCTION "private"."kept_share"(integer, bigint, bigint) IS 'How many of p_of sessions, months or seats are still paid for after p_gone of p_paid went back.';

COMMENT ON FUNCTION "private"."mail_survey"(text, text, text, text, timestamp with time zone) IS 'Queues an email with a personal link; returns whether it goes out.';

COMMENT ON FUNCTION "private"."make_reports"() IS 'Keeps the readings of each program as its report of this January or July, once, and tells its sponsors; how many.';

COMMENT ON FUNCTION "private"."money_words"(bigint, text) IS 'An amount in a sentence: $285 or $99.50. For currencies with two decimals, as all that are sold in.';

COMMENT ON FUNCTION "private"."moved_skills"(uuid, uuid) IS 'An owner''s first and latest full quiz of a business, area by area, on questions whose meaning is the same.';

COMMENT ON FUNCTION "private"."my_address"() IS 'The caller''s confirmed address, in lowercase, or null.';

COMMENT ON FUNCTION "private"."next_number"(text) IS 'The next number of a quote (Q-2026-0142) or an invoice (INV-2026-0031), without gaps.';

COMMENT ON FUNCTION "private"."offer_seats"(uuid) IS 'Offers free seats to the owners on the waiting list, in order; how many.';

COMMENT ON FUNCTION "private"."order_json"(public.orders) IS 'An order with its lines, steps, payments, refunds, membership, and how many sessions it gave and of those were used.';

COMMENT ON FUNCTION "private"."order_row"() IS 'The SQL of a row of a list of orders: {state, method, created_at, currency, total_minor, paid_minor, is_test, quote_number, invoice_number, invoice_due_on, overdue, buyer, email, business, what}.';

COMMENT ON FUNCTION "private"."order_words"(uuid) IS 'What an order is about, in a sentence: session pack.';

COMMENT ON FUNCTION "private"."own_order"(uuid) IS 'An order of the caller, locked, or an error (P0002).';

COMMENT ON FUNCTION "private"."pass_on"(public.seats, text) IS 'Ends a seat; if it wasn''t used, a free one takes its place and is offered to the next in line.';

COMMENT ON FUNCTION "private"."payment_sums"(uuid) IS 'Each payment of an order with what went back (refunds and lost disputes) and what a bank is holding, never more than was paid.';

COMMENT ON FUNCTION "private"."price_for"(public.plans, text, text, integer, uuid) IS 'The present price of a plan, after checking that it''s sold this way; a null row for seats, which are quoted.';

COMMENT ON FUNCTION "private"."program_cohort"(uuid) IS 'The businesses that a program''s figures count: those with a seat whose owners haven''t withdrawn.';

COMMENT ON FUNCTION "private"."program_entries"(uuid) IS 'What each business adds to each figure of a program, before anything is held back. Never shown.';

COMMENT ON FUNCTION "private"."program_figures"(uuid) IS 'What a sponsor sees: {joined, sessions and overall ({businesses (of joined), value, or at_least (businesses, a multiple of five), first, latest and change; made_on, groups with labels}), asked, started, finished (counts), skills ([{area, name, first, latest, …}]), jobs and sales (changes; cents), survey}; null where it would be about fewer than five businesses.';

COMMENT ON FUNCTION "private"."program_json"(public.programs) IS 'A program as its sponsors see it: seats, codes, how many wait, totals and reports. Never a business.';

COMMENT ON FUNCTION "private"."put_grant"(text, uuid, text, uuid, integer, integer, timestamp with time zone, timestamp with time zone) IS 'Stores what a source gives now; the same source again changes its grant.';

COMMENT ON FUNCTION "private"."quote_order"(uuid) IS 'Gives an order its number as a quote that''s good for 60 days.';

COMMENT ON FUNCTION "private"."read_figure"(uuid, text, jsonb) IS 'Makes a new reading of a figure from {business: {label, value}} if nobody can tell fewer than five businesses from it and the ones before; whether it did.';

COMMENT ON FUNCTION "private"."read_programs"() IS 'Each night: new readings of every program''s figures, where that tells nobody''s; and in January and July the reports.';

COMMENT ON FUNCTION "private"."receive_stripe_event"(text, text, timestamp with time zone, jsonb) IS 'Applies an event once: applied, repeated, or unknown, if it’s about an order that isn’t ours (P0002), which is kept as an error.';

COMMENT ON FUNCTION "private"."receive_survey_response"(text, uuid, uuid, jsonb, text) IS 'Stores a response from the form of a browser without JavaScript; p_caller stands for the sender''s network and address, joined by a colon.';

COMMENT ON FUNCTION "private"."remind_of_surveys"() IS 'Reminds clients once, a week after their invitation to the open survey, unless they''ve answered or don''t want emails about coaching; how many.';

COMMENT ON FUNCTION "private"."report_dispute"(text, text, bigint, text, timestamp with time zone) IS 'Stores what''s known of a dispute, unless something newer is, and updates its order.';

COMMENT ON FUNCTION "private"."report_membership"(uuid, text, text, timestamp with time zone, boolean, timestamp with time zone) IS 'Stores what''s known of a membership, unless something newer is.';

COMMENT ON FUNCTION "private"."report_payment"(uuid, text, text, bigint, text, timestamp with time zone, timestamp with time zone, timestamp
  with time zone, text) IS 'Stores a payment once for its reference and updates its order; whether it was new.';

COMMENT ON FUNCTION "private"."report_refund"(text, text, bigint, text, timestamp with time zone, text) IS 'Stores what''s known of a refund, unless something newer is, and updates its order.';

COMMENT ON FUNCTION "private"."require_sessions_left"(uuid, timestamp with time zone) IS 'An error (55000) unless the business has a session left, besides those scheduled, to use at this moment.';

COMMENT ON FUNCTION "private"."reserve_seat"(uuid, text, timestamp with time zone) IS 'Reserves a free seat for an address; its id, or null if none is free. The program is locked.';

COMMENT ON FUNCTION "private"."revoke_seat"(uuid, text) IS 'Ends a seat: its unused sessions are gone, and its owner hears of it unless they did it.';

COMMENT ON FUNCTION "private"."run_program"(uuid) IS 'A program, locked, for its sponsors and admins; an error (P0002) for everyone else.';

COMMENT ON FUNCTION "private"."safe_count"(bigint, bigint) IS 'A count of businesses, unless it or the rest are one to four; then null.';

COMMENT ON FUNCTION "private"."seat_offer"(text, uuid) IS 'What a code, or a seat reserved for someone, leads to, and how it is: open, yours (taken already), full (no seat is free), waiting (the caller is on the list), used-up, expired, revoked, unknown; of a reserved seat other-address and ended; over (the program).';

COMMENT ON FUNCTION "private"."sessions_left"(uuid, timestamp with time zone) IS 'How many sessions a business could use until this moment.';

COMMENT ON FUNCTION "private"."sessions_left_json"(uuid) IS 'What a business has left for coaching: {left, booked (of these, scheduled), grants: [{id, kind, sessions, left, starts_at, ends_at, held (until an overdue invoice is paid)}] of now, next_at: when more come, or null}.';

COMMENT ON FUNCTION "private"."sessions_of_seat"(uuid) IS 'How many sessions a seat has used.';

COMMENT ON FUNCTION "private"."settle_grants"(public.orders) IS 'Grants what an order has paid for, or withdraws it: packs and the months of a membership in sessions, seats in a program.';

COMMENT ON FUNCTION "private"."settle_order"(uuid) IS 'Brings an order''s totals, state and what it gives in line with its payments, refunds and disputes.';

COMMENT ON FUNCTION "private"."settle_seats"(uuid, integer) IS 'Makes an order''s program have as many seats as are paid for: new ones are free; of too many, free ones go first, then reserved ones, then the newest unused.';

COMMENT ON FUNCTION "private"."settle_state"(public.orders) IS 'Moves an order that''s paid to the state that its totals say, and tells its buyer.';

COMMENT ON FUNCTION "private"."store_order"(uuid, uuid, jsonb) IS 'Checks what someone orders and stores it with the database''s own price and tax.';

COMMENT ON FUNCTION "private"."store_survey_response"(uuid, uuid, jsonb, text, text, text) IS 'Stores a response once under its id, by invitation or, within a rate limit of the sender and their network, by the public link.';

COMMENT ON FUNCTION "private"."survey_batch_ids"(uuid, jsonb) IS 'The batches of a survey whose answers all match {link ("personal", "public"), quarter (its first day), group}.';

COMMENT ON FUNCTION "private"."survey_counts"(uuid[]) IS 'Batches summed up by question: how many answers, and how many chose 0, 1, … 10.';

COMMENT ON FUNCTION "private"."survey_cut"(uuid, jsonb, text, text) IS 'survey_totals for each quarter, link or group that has results, within the rest of the filter: [{value, label (of a group), …}].';

COMMENT ON FUNCTION "private"."survey_figures"(uuid[]) IS 'What batches say: survey_totals and {statements: [{answers, favorable (percent), mean, counts (of 1 to 5)}], recommend: {answers, mean, counts (of 0 to 10)}, comments: [[text]]}, each null without at least five answers.';

COMMENT ON FUNCTION "private"."survey_group"(text, uuid) IS 'The group that an engagement''s response counts in; null without one.';

COMMENT ON FUNCTION "private"."survey_group_name"(text, text) IS 'A group''s name as admins read it.';

COMMENT ON FUNCTION "private"."survey_invitation_counts"(uuid) IS 'Personal links in numbers: {sent, answered, expired (unanswered), reminded}.';

COMMENT ON FUNCTION "private"."survey_scale"(bigint[], integer) IS '{answers, mean, counts} of how many chose 0, 1, …, from the lowest answer there is.';

COMMENT ON FUNCTION "private"."survey_summary"(uuid[]) IS 'survey_totals of the confidential responses of some engagements, from the batches that have nobody else in them; null if there are none.';

COMMENT ON FUNCTION "private"."survey_totals"(uuid[]) IS 'Batches in four figures, each null without enough answers: {responses, index (of statements 1, 3, 9 and 10, 0 to 100, from 30 responses), favorable (percent of all agreement that is 4 or 5), score (net promoter score, -100 to 100)}.';

COMMENT ON FUNCTION "private"."take_order_step"(public.orders, text, text, text) IS 'Moves an order on, if this kind of person can take the step (55000 otherwise), with a note that its buyer reads.';

COMMENT ON FUNCTION "private"."tax_of"(bigint, numeric) IS 'The tax on a line in minor units: rounded once, half up, so that the lines add up to the total.';

COMMENT ON FUNCTION "private"."tell_of_quote"(public.orders) IS 'Tells a buyer that their quote is ready, and admins that someone wants to buy by purchase order.';

COMMENT ON FUNCTION "private"."waiting_answers"(uuid) IS 'The answers of a survey that aren''t in a batch yet, with what they can have in common.';

COMMENT ON FUNCTION "public"."admin_get_order"(uuid) IS 'An order for an admin, as private.desk_order_json; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_get_program"(uuid) IS 'A program for an admin: as its sponsors see it, with its order, the text owners agree to, sponsors, each seat and the waiting list; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_orders"(jsonb, jsonb, integer) IS 'A page of all orders, as private.list_page of private.order_row; by state, method, overdue and words.';

COMMENT ON FUNCTION "public"."admin_programs"(jsonb, jsonb, integer) IS 'A page of programs, as private.list_page: {name, sponsor, starts_on, ends_on, open, created_at, seats, free, activated, waiting}.';

COMMENT ON FUNCTION "public"."admin_survey_results"(jsonb) IS 'What a survey (the open one if not said, else the newest) found: {surveys, survey: {…, invitations, figures (see survey_figures, of the answers that match {quarter, link, group}), quarters, links, groups (see survey_cut)}}. Publishes what can be published. Writes an audit row.';

COMMENT ON FUNCTION "public"."cancel_order"(uuid) IS 'A buyer cancels an order that nothing was paid for and that isn''t invoiced; the order, as private.order_json.';

COMMENT ON FUNCTION "public"."close_survey"(uuid, text) IS 'An admin closes the open survey, with a reason; {id}. Nobody can answer it anymore, and what waits for its quarter to end is published.';

COMMENT ON FUNCTION "public"."create_order"(uuid, jsonb) IS 'Places an order of the caller once under its id: {business_id (null: for a group), plan, every (once, month or year), quantity, method (card or purchase_order), expected_minor (the price they saw for one; refused if it has changed), name, organization, email, address, region, tax_exempt, note}. What has a price is quoted right away; the order as private.order_json.';

COMMENT ON FUNCTION "public"."create_seat_code"(uuid, uuid, integer, date) IS 'A sponsor or an admin makes a code for a number of seats, good through a day; once per id; the program.';

COMMENT ON FUNCTION "public"."get_checkout"(uuid) IS 'The state and the checkout session of an order of the caller; null for everyone else''s.';

COMMENT ON FUNCTION "public"."get_order"(uuid) IS 'An order of the caller, as private.order_json; null for everyone else''s.';

COMMENT ON FUNCTION "public"."get_program"(uuid) IS 'A program for its sponsors, as private.program_json; null for everyone else.';

COMMENT ON FUNCTION "public"."get_seat_offer"(text, uuid) IS 'What a seat code, or a seat reserved for the caller, leads to, for anyone: {outcome (private.seat_offer), program (with the text to agree to), businesses of the caller, figures: what the sponsor sees now}. Wrong codes are limited (PT429).';

COMMENT ON FUNCTION "public"."give_program"(uuid, text, text, integer, integer, date, date, text) IS 'An admin makes a program without an order, with a reason; once per id; the program as admin_get_program.';

COMMENT ON FUNCTION "public"."give_sessions"(uuid, uuid, integer, integer, text) IS 'An admin gives a business sessions for some months, with a reason; once per id; what the business has now, as private.sessions_left_json.';

COMMENT ON FUNCTION "public"."invite_to_program"(uuid, text[], text) IS 'A sponsor or an admin reserves seats for owners for 30 days and emails them, with words of their own: {sent: as far as seats were free, program}.';

COMMENT ON FUNCTION "public"."invoice_order"(uuid, text) IS 'An admin confirms a purchase order with an invoice, due in 30 days; from then on its sessions can be used; the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."leave_program"(uuid) IS 'An owner gives up a seat with its unused sessions; if none was used, it goes to the next business; {id}.';

COMMENT ON FUNCTION "public"."list_orders"(jsonb, integer) IS 'The caller''s orders, newest first, as private.list_page of private.order_row.';

COMMENT ON FUNCTION "public"."list_own_programs"() IS 'Programs that the caller sponsors, newest first: [{id, name}].';

COMMENT ON FUNCTION "public"."list_own_seats"() IS 'The caller''s seats, newest first, with what they agreed to and exactly what the sponsor sees now (figures).';

COMMENT ON FUNCTION "public"."list_prices"() IS 'What''s for sale, for anyone: {plans: [{key, name, gives, sessions, months, fewest, most, for_members, prices: [{every, amount_minor, currency}]}], tax_rates: [{region, name, rate}]}.';

COMMENT ON FUNCTION "public"."open_survey"(uuid, text, boolean, text, text) IS 'An admin opens a survey under an id of their choice, with the words of the newest one: anonymous or confidential, with or without a public link, grouped (if confidential) by area, coach, industry or nothing, and with a reason; {id}. Closes the one that was open.';

COMMENT ON FUNCTION "public"."pass_on_seat"(uuid, text) IS 'An admin frees a reserved seat, or one without a session 90 days after it was taken, with a reason; it''s offered to the next in line. The program as admin_get_program.';

COMMENT ON FUNCTION "public"."quote_order_lines"(uuid, integer, bigint, bigint, boolean, text) IS 'An admin quotes an order, or quotes it again: how many, the price of one, a setup fee, and whether a tax certificate was checked; the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text) IS 'An admin records a check or a transfer for an invoice, in full or in part, once per id; the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."record_purchase_order"(uuid, text, text) IS 'An admin records a purchase order that came another way; the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."revoke_seat_code"(uuid) IS 'A sponsor or an admin ends a code; seats that were taken with it stay. The program.';

COMMENT ON FUNCTION "public"."save_program"(uuid, jsonb) IS 'An admin changes a program: {name, sponsor, starts_on, ends_on, closed, groups_by, postal_prefixes, email_domains, consent}; another text is a new version. The program as admin_get_program.';

COMMENT ON FUNCTION "public"."send_purchase_order"(uuid, text) IS 'A buyer answers a quote with the number of their purchase order, once; the order, as private.order_json.';

COMMENT ON FUNCTION "public"."session_context"() IS 'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), role, second_factor, businesses, deletion_due_at, unread_messages and unread_notifications (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), programs (whether they sponsor one or have had a seat), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';

COMMENT ON FUNCTION "public"."set_sponsor"(uuid, text, boolean) IS 'An admin says whether the person with this address is a sponsor of a program, and tells a new one by email; the program as admin_get_program.';

COMMENT ON FUNCTION "public"."start_checkout"(uuid) IS 'Moves an order of the caller to pending, or leaves it there: {order (private.order_json), checkout_ref (the session that’s open, if any), try, customer_ref}.';

COMMENT ON FUNCTION "public"."stop_counting"(uuid) IS 'An owner withdraws from the sponsor''s totals and keeps the seat: none that''s made from now on counts their business; {id}.';

COMMENT ON FUNCTION "public"."take_seat"(uuid, integer, boolean, text, uuid, text) IS 'An owner takes a seat for a business by a code or a reservation, and agrees to the text of this version: {outcome: taken, or why not (as get_seat_offer, or consent-changed, business-has-one, address, postal-code, no-postal-code), program_id, seat_id}.';

COMMENT ON FUNCTION "public"."void_order"(uuid, text) IS 'An admin cancels an order or voids its invoice, with a reason that the buyer reads, if nothing was paid; the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."wait_for_seat"(text) IS 'The caller joins the waiting list of a code''s program, if no seat is free; {outcome} as get_seat_offer.';

COMMENT ON FUNCTION "public"."waive_session"(uuid, text) IS 'The coach of a session, or an admin, gives back what it used, with a reason; what the business has left, as private.sessions_left_json. Again, it changes nothing.';

COMMENT ON TABLE "private"."document_numbers" IS 'The last number of quotes and invoices in a year. Taken in the transaction that uses it, so there are no gaps.';

COMMENT ON TABLE "private"."program_groups" IS 'Which group each postal area or industry is shown in. A group is never split, because the parts could be subtracted from it.';

COMMENT ON TABLE "private"."program_readings" IS 'Each reading of a figure that a sponsor has seen, with what each business added to it, so that the next one can be compared.';

COMMENT ON TABLE "private"."stripe_events" IS 'Events that Stripe delivered: which, when, and whether they were applied. Never their content.';

COMMENT ON TABLE "private"."survey_batch_answers" IS 'Which batch an answer is in; without a row, it waits for one.';

COMMENT ON TABLE "private"."survey_batches" IS 'What''s published of surveys: at least five answers in one go, summed up. Never changed.';

COMMENT ON TABLE "private"."transitions" IS 'The steps a project, an attempt, an engagement, a session or an order or a seat can take, and who can take them. Only migrations change rows.';

COMMENT ON TABLE "public"."disputes" IS 'Payments that a cardholder''s bank questions.';

COMMENT ON TABLE "public"."memberships" IS 'Memberships that renew, as the payment company reports them.';

COMMENT ON TABLE "public"."order_events" IS 'Each step of an order: who, when, from where to where.';

COMMENT ON TABLE "public"."order_lines" IS 'What an order consists of, with its price and tax.';

COMMENT ON TABLE "public"."orders" IS 'What someone buys: who pays, how, how much, and how far it is. Never a card number.';

COMMENT ON TABLE "public"."payments" IS 'Money received for an order. Never a card number.';

COMMENT ON TABLE "public"."plans" IS 'What can be bought, and the coaching sessions it gives.';

COMMENT ON TABLE "public"."prices" IS 'What a plan costs, once, monthly or yearly. A plan without a price is quoted.';

COMMENT ON TABLE "public"."program_consents" IS 'What owners agree to when they take a seat. A text never changes; each seat says which one it was.';

COMMENT ON TABLE "public"."program_reports" IS 'What a sponsor was shown each January and July, for good.';

COMMENT ON TABLE "public"."program_sponsors" IS 'People who see a program''s totals and hand out its seats, by email address.';

COMMENT ON TABLE "public"."programs" IS 'Seats that an organization pays for: who can have one, what it gives, from when to when.';

COMMENT ON TABLE "public"."refunds" IS 'Money given back, as it was last reported.';

COMMENT ON TABLE "public"."seat_codes" IS 'Codes that take a seat of a program: how often each can be used, until when, and whether it was revoked.';

COMMENT ON TABLE "public"."seat_waits" IS 'Owners who wait for a seat, in order. Each is offered one, for 14 days.';

COMMENT ON TABLE "public"."seats" IS 'Places in programs: who each is reserved for, or which business has it, and what its owner agreed to.';

COMMENT ON TABLE "public"."session_grants" IS 'Coaching sessions that a business can use, by what gave them. Only procedures write rows.';

COMMENT ON TABLE "public"."session_uses" IS 'Sessions that used what a business bought, and of which grant. Read with the session.';

COMMENT ON TABLE "public"."tax_rates" IS 'Where the organization charges tax on coaching, by the buyer''s region, and how much.';

REVOKE ALL ON FUNCTION "private"."accept_purchase_order"(public.orders, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."activate_seat"(uuid, uuid, uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."add_seats"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."add_sponsor"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."add_survey_batches"(uuid, date, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."admin_program_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."all_entries"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."apply_card_facts"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_program"(uuid, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."batch_survey"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."batch_surveys"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."can_follow"(uuid, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."changed_figures"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."changes_between"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_program_days"(date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clean_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clean_code"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_open_survey"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."code_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."code_state"(public.seat_codes) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."desk_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."desk_order_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."eligible"(public.programs, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_checkout"(uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_seat"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_seats_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."expire_quotes"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."figure_json"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."figure_value"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."first_consent"(text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."form_groups"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."grants_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."groups_from"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guess_keys"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_payment"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_held"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_open"(public.programs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_sponsor_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_checkout"(uuid, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_order"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_order_lines"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_price"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_seat"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_seats"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."kept_share"(integer, bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_survey"(text, text, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_program"(uuid, text, text, uuid, text, integer, date, date, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_reports"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."money_words"(bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."moved_skills"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_address"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."new_seat_code"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."new_survey_token"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_number"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."offer_seats"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."order_json"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."order_row"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."order_words"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."own_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."own_seat"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pass_on"(public.seats, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payment_sums"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."place_entries"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."price_for"(public.plans, text, text, integer, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."program_cohort"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."program_entries"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."program_figures"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."program_json"(public.programs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."put_grant"(text, uuid, text, uuid, integer, integer, timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."quote_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_figure"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_program"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_programs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receive_stripe_event"(text, text, timestamp WITH time zone, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receive_survey_response"(text, uuid, uuid, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_order_step"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refund_rank"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_seats"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_surveys"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_dispute"(text, text, bigint, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_membership"(uuid, text, text, timestamp WITH time zone, boolean, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_payment"(uuid, text, text, bigint, text, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL
  ON FUNCTION "private"."report_payment"(uuid, text, text, bigint, text, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text)
  FROM "postgres";

GRANT EXECUTE
  ON FUNCTION "private"."report_payment"(uuid, text, text, bigint, text, timestamp WITH time zone, timestamp WITH time zone, timestamp WITH time zone, text)
  TO "postgres";

REVOKE ALL ON FUNCTION "private"."report_refund"(text, text, bigint, text, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_open"(public.programs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_sessions_left"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reserve_seat"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."revoke_seat"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."run_program"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."safe_count"(bigint, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seat_offer"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sessions_booked"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sessions_left"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sessions_left_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sessions_of_seat"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_grants"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_payment"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_seats"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_state"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_order"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_survey_response"(uuid, uuid, jsonb, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sum_order_lines"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_batch_ids"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_counts"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_cut"(uuid, jsonb, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_figures"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_group"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_group_name"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_invitation_counts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_scale"(bigint[], integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_summary"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."survey_totals"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_order_step"(public.orders, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_of"(bigint, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_payment"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_quote"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_refund"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_seats"(public.programs, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_session"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."used"(public.seat_codes) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."waiting_answers"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_get_order"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_get_program"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_orders"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_programs"(jsonb, jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_survey_results"(jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."cancel_order"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."close_survey"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."create_order"(uuid, jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."create_seat_code"(uuid, uuid, integer, date) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_checkout"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_order"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_program"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_seat_offer"(text, uuid) TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."give_program"(uuid, text, text, integer, integer, date, date, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."give_sessions"(uuid, uuid, integer, integer, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."invite_to_program"(uuid, text[], text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."invoice_order"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."leave_program"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_orders"(jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_own_programs"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_own_seats"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_prices"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."open_survey"(uuid, text, boolean, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."pass_on_seat"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."quote_order_lines"(uuid, integer, bigint, bigint, boolean, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."record_payment"(uuid, uuid, text, bigint, date, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."record_purchase_order"(uuid, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."revoke_seat_code"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_program"(uuid, jsonb) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."send_purchase_order"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_sponsor"(uuid, text, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."start_checkout"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."stop_counting"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."take_seat"(uuid, integer, boolean, text, uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."void_order"(uuid, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."wait_for_seat"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."waive_session"(uuid, text) TO "authenticated";

REVOKE ALL ON TABLE "public"."memberships" FROM "authenticated";

GRANT SELECT ON TABLE "public"."memberships" TO "authenticated";

REVOKE ALL ON TABLE "public"."order_lines" FROM "authenticated";

GRANT SELECT ON TABLE "public"."order_lines" TO "authenticated";

REVOKE ALL ON TABLE "public"."orders" FROM "authenticated";

GRANT SELECT ON TABLE "public"."orders" TO "authenticated";

REVOKE ALL ON TABLE "public"."payments" FROM "authenticated";

GRANT SELECT ON TABLE "public"."payments" TO "authenticated";

REVOKE ALL ON TABLE "public"."session_grants" FROM "authenticated";

GRANT SELECT ON TABLE "public"."session_grants" TO "authenticated";

CREATE INDEX orders_words_idx ON public.orders USING gin (words);

CREATE INDEX programs_words_idx ON public.programs USING gin (words);

-- Rows ------------------------------------------------------------------------------------------

insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('order', 1, null, 'draft', '{buyer}', false),
  ('order', 2, 'draft', 'pending', '{buyer}', false),
  ('order', 3, 'expired', 'pending', '{buyer}', false),
  ('order', 4, 'failed', 'pending', '{buyer}', false),
  ('order', 5, 'draft', 'quoted', '{buyer,admin}', false),
  ('order', 6, 'expired', 'quoted', '{admin}', false),
  ('order', 7, 'quoted', 'po_received', '{buyer,admin}', false),
  ('order', 8, 'po_received', 'invoiced', '{admin}', false),
  ('order', 9, 'draft', 'canceled', '{buyer,admin,system}', false),
  ('order', 10, 'pending', 'canceled', '{buyer,admin,system}', false),
  ('order', 11, 'failed', 'canceled', '{buyer,admin,system}', false),
  ('order', 12, 'expired', 'canceled', '{buyer,admin,system}', false),
  ('order', 13, 'quoted', 'canceled', '{buyer,admin,system}', false),
  ('order', 14, 'po_received', 'canceled', '{admin}', true),
  ('order', 15, 'invoiced', 'canceled', '{admin}', true),
  ('order', 16, 'pending', 'expired', '{system}', false),
  ('order', 17, 'quoted', 'expired', '{system}', false),
  ('order', 18, 'pending', 'failed', '{system}', false),
  ('order', 19, 'draft', 'paid', '{system}', false),
  ('order', 20, 'pending', 'paid', '{system}', false),
  ('order', 21, 'expired', 'paid', '{system}', false),
  ('order', 22, 'failed', 'paid', '{system}', false),
  ('order', 23, 'canceled', 'paid', '{system}', false),
  ('order', 24, 'po_received', 'paid', '{system}', false),
  ('order', 25, 'invoiced', 'paid', '{system}', false),
  ('order', 26, 'paid', 'part_refunded', '{system}', false),
  ('order', 27, 'paid', 'refunded', '{system}', false),
  ('order', 28, 'part_refunded', 'refunded', '{system}', false),
  ('order', 29, 'part_refunded', 'paid', '{system}', false),
  ('order', 30, 'refunded', 'part_refunded', '{system}', false),
  ('order', 31, 'refunded', 'paid', '{system}', false),
  ('order', 32, 'quoted', 'paid', '{system}', false),
  ('seat', 1, null, 'unassigned', '{admin,system}', false),
  ('seat', 2, 'unassigned', 'assigned', '{owner,sponsor,admin,system}', false),
  ('seat', 3, 'assigned', 'activated', '{owner}', false),
  ('seat', 4, 'assigned', 'unassigned', '{admin,system}', false),
  ('seat', 5, 'activated', 'revoked', '{owner,admin,system}', true),
  ('seat', 6, 'unassigned', 'revoked', '{system}', false),
  ('seat', 7, 'assigned', 'revoked', '{system}', false),
  ('seat', 8, 'activated', 'expired', '{owner,system}', false),
  ('seat', 9, 'unassigned', 'expired', '{system}', false),
  ('seat', 10, 'assigned', 'expired', '{system}', false);

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('orders', 'orders', 'insert', 10, 50, 'placed a lot of orders'),
  ('order_changes', 'orders', 'update', 60, 500, 'made a lot of changes to orders'),
  ('session_grants', 'session_grants', 'insert', 60, 500, 'given away a lot of sessions'),
  ('waived_sessions', 'session_uses', 'update', 30, 300, 'given back a lot of sessions'),
  ('seat_codes', 'seat_codes', 'insert or update', 30, 200, 'made a lot of codes'),
  ('seat_changes', 'seats', 'update', 240, 5000, 'made a lot of changes to seats'),
  ('seat_waits', 'seat_waits', 'insert or update', 10, 50, 'joined a lot of waiting lists'),
  ('programs', 'programs', 'insert or update', 60, 500, 'made a lot of changes to programs'),
  ('program_sponsors', 'program_sponsors', 'insert', 60, 500, 'added a lot of sponsors'),
  ('surveys', 'surveys', 'insert or update', 20, 100, 'opened or closed a lot of surveys');

insert into private.row_ceilings (on_table, per, most, counting, sentence, field) values
  ('orders', 'buyer_id', 500, 'true', 'You’ve placed 500 orders, which is the limit.', null),
  ('seat_codes', 'program_id', 500, 'true', 'A program can have at most 500 codes.', null),
  ('program_sponsors', 'program_id', 50, 'true', 'A program can have at most 50 sponsors.', 'address'),
  ('program_consents', 'program_id', 100, 'true', 'A program’s text can be changed 100 times.', 'consent');

insert into private.jobs (kind, every) values ('batch_surveys', interval '10 minutes');
insert into private.jobs (kind, every) values ('remind_of_surveys', interval '1 hour');
insert into private.jobs (kind, every) values ('expire_quotes', interval '1 hour');
insert into private.jobs (kind, every) values ('keep_seats', interval '1 hour');
insert into private.jobs (kind, every) values ('read_programs', interval '1 day');

-- Sessions from before there were packs and seats: they used one, of nothing that was bought.
insert into public.session_uses (session_id, used_at)
select s.id, s.closed_at from public.coaching_sessions s where s.uses_one;

insert into private.mail_limits (template, counter, a_day) values
  ('survey-reminder', 'colleagues', 50);

insert into private.mail_limits (template, counter, a_day) values
  ('program-invitation', 'anyone', 8),
  ('program-sponsor', 'colleagues', 50);
