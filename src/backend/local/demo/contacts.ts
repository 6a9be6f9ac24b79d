/** People who wrote through the contact form or subscribed, and one who did so twice. */
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { CONSENT } from '#backend/supabase/functions/_shared/schemas/contact.ts';
import { daysAgo } from './dates.ts';

interface Visitor {
  email: string;
  name: string;
  business?: string;
  message?: { topic: string; body: string; outcome?: 'elsewhere' };
  newsletter?: 'subscribed' | 'left';
  daysAgo: number;
}

const visitors: Visitor[] = [
  {
    email: 'rosa.ibarra@demo.test',
    name: 'Rosa Ibarra',
    business: 'Ibarra Weaving',
    message: {
      topic: 'coaching',
      body: 'I sell at two markets and want to open an online shop before spring.\n\nCan a coach help me decide what to sell there first? I can only talk in the evening.',
    },
    daysAgo: 1,
  },
  {
    email: 'ibarra.weaving@demo.test',
    name: 'Rosa Ibarra',
    business: 'Ibarra Weaving',
    newsletter: 'subscribed',
    daysAgo: 12,
  },
  {
    email: 'dev.patel@demo.test',
    name: 'Dev Patel',
    business: 'Mesa Credit Union',
    message: {
      topic: 'pricing',
      body: 'We’d like to buy seats for about 20 of our members. Do you take purchase orders?',
    },
    newsletter: 'subscribed',
    daysAgo: 3,
  },
  {
    email: 'june.carter@demo.test',
    name: 'June Carter',
    message: {
      topic: 'event',
      body: 'Is the workshop on pricing recorded?',
      outcome: 'elsewhere',
    },
    newsletter: 'left',
    daysAgo: 30,
  },
];

/** Adds them with the dates on which they wrote. */
export async function addContacts(db: Database): Promise<void> {
  for (const { email, name, business, message, newsletter = 'none', daysAgo: days } of visitors) {
    const at = daysAgo(days);
    const wants = newsletter !== 'none';
    const contact = await queryOne<{ id: string }>(db)`
      insert into public.contacts (
        email, name, business, newsletter, consent_wording, consented_at, left_at, created_at,
        last_active_at
      )
      values (
        ${email}, ${name}, ${business ?? null}, ${newsletter}, ${wants ? CONSENT : null},
        ${wants ? at : null}, ${newsletter === 'left' ? daysAgo(days - 5) : null}, ${at}, ${at}
      )
      returning id`;
    if (!message) continue;
    const isClosed = message.outcome !== undefined;
    await query(db)`
      insert into public.contact_messages (
        id, contact_id, topic, body, created_at, outcome, answered_at
      )
      values (
        gen_random_uuid(), ${contact?.id}, ${message.topic}, ${message.body}, ${at},
        ${message.outcome ?? null}, ${isClosed ? daysAgo(days - 1) : null}
      )`;
  }
}
