import { expect, test } from '../support/harness.ts';

// PostgREST responds 500 to errors such as P0002 (not found) and 55000 (wrong state).
test.use({ changesDemo: false, expectedConsole: /responded with a status of (404|500)/ });

test('Others’ records, unknown and malformed ids are not found', async ({ page, site, signIn }) => {
  const [theirs] = await site.sql`
    select
      (select id from public.businesses where name = 'Delgado Bakery') as business,
      (select p.id from public.projects p join public.businesses b on b.id = p.business_id
        where b.name = 'Delgado Bakery' limit 1) as project,
      (select a.id from public.attempts a join auth.users u on u.id = a.user_id
        where u.email = 'owner@demo.test' and a.state = 'submitted' limit 1) as attempt,
      (select c.conversation_id from public.conversation_participants c
        join auth.users u on u.id = c.user_id where u.email = 'owner@demo.test' limit 1) as conversation,
      (select id from public.tool_copies limit 1) as copy`;
  const nothing = '0198f0a0-1111-7222-8333-444455556666';
  const addressesOf = (id: Record<string, string>) => [
    `/dashboard/businesses/${id.business}`,
    `/dashboard/businesses/${id.business}/edit`,
    `/dashboard/businesses/${id.business}/plan`,
    `/dashboard/businesses/${id.business}/forecast`,
    `/dashboard/projects/${id.project}`,
    `/dashboard/skills/quiz/${id.attempt}`,
    `/dashboard/skills/over-time?earlier=${id.attempt}`,
    `/dashboard/messages/conversations/${id.conversation}`,
    `/dashboard/toolbox?copy=${id.copy}`,
  ];
  const every = (id: string) =>
    addressesOf({ business: id, project: id, attempt: id, conversation: id, copy: id });
  for (const [who, addresses] of [
    ['owner2', addressesOf(theirs ?? {})],
    ['owner2', every(nothing)],
    ['owner2', every('not-a-uuid')],
    ['coach2', addressesOf(theirs ?? {})],
    ['admin', addressesOf(theirs ?? {}).filter((each) => /businesses|conversations/.test(each))],
  ] as const) {
    await signIn(page, who);
    for (const address of addresses) {
      const answer = await page.request.get(address);
      expect([answer.status(), answer.url()], `${who} at ${address}`).toEqual([
        404,
        site.url + address,
      ]);
      expect(await answer.text()).not.toMatch(/Delgado/);
    }
  }
  await page.goto(`/dashboard/projects/${nothing}`);
  await expect(page.getByText(`Page not found: /dashboard/projects/${nothing}`)).toBeVisible();
});

test('A conversation with a stranger can’t be started', async ({ page, site, signIn }) => {
  const [coach] = await site.sql`select id from auth.users where email = 'coach2@demo.test'`;
  await signIn(page, 'owner');
  await page.goto(`/dashboard/messages?to=direct:${coach?.id}`);
  await expect(page.getByRole('alert')).toContainText('You can’t message this person');
});
