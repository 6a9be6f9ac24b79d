import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { ordersIn } from '../../fixtures/orders.ts';
import {
  everyone,
  expectCallers,
  expectReaders,
  openWorld,
  whoMay,
} from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';
import { storeObject } from '../../fixtures/stored-object.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { owner, otherOwner, colleague, admin } = people;
const { placed, sent, invoiced } = ordersIn(world);
await raiseLimits(sql, ['orders', 'order_files']);

const refusedRow = '42501 new row violates row-level security policy for table "objects"';
const PDF = 'application/pdf';

const begun = (order: string, id: string, size = 2000, type = PDF) =>
  `begin_order_file('${id}', '${order}', 'order.pdf', '${type}', ${size})`;

/** The owner uploads a file for an order. */
async function stored(order: string, size = 2000): Promise<string> {
  const id = crypto.randomUUID();
  await ask(owner, begun(order, id));
  await storeObject(world, owner, { bucket: 'order-files', path: `${order}/${id}`, size });
  return id;
}
const send = (order: string, file: string, number = 'PO-77') =>
  `send_purchase_order('${order}', '${number}', '${file}')`;

const readersOf = (file: string) =>
  whoMay(
    world,
    (sql) => sql`
      select name from storage.objects
      where bucket_id = 'order-files' and name like ${`%/${file}`}`,
  );

test('Only the buyer announces a file, and only for a quote or its purchase order', async () => {
  const order = await placed();
  const missing = 'P0002 We can’t find this order.';
  await expectCallers(world, begun(order, crypto.randomUUID()), missing, { owner: 1 });
  const done = await invoiced();
  expect(await refusal(owner, begun(done, crypto.randomUUID()))).toBe(
    '55000 A file goes with the purchase order for a quote.',
  );
});

test('A file that is empty, too large or of another kind isn’t announced, nor an eleventh', async () => {
  const order = await placed();
  const id = crypto.randomUUID();
  expect(await refusal(owner, begun(order, id, 0))).toBe('22023 This file is empty.');
  expect(await refusal(owner, begun(order, id, 10_485_761))).toBe(
    '22023 A file can be up to 10 MB.',
  );
  expect(await refusal(owner, begun(order, id, 10, 'text/csv'))).toBe(
    '22023 We can’t accept this kind of file.',
  );
  await sql`
    insert into public.order_files (id, order_id, name, type, size)
    select gen_random_uuid(), ${order}, 'n.pdf', ${PDF}, 1 from generate_series(1, 10)`;
  expect(await refusal(owner, begun(order, id))).toBe('55000 An order can have at most 10 files.');
  await sql`delete from public.order_files where name = 'n.pdf'`;
});

test('An object is stored only where its buyer announced it, and stays as it is once it’s sent', async () => {
  const order = await placed();
  const id = crypto.randomUUID();
  await ask(owner, begun(order, id));
  const insert = (path: string) =>
    whoMay(
      world,
      (sql) => sql`insert into storage.objects (bucket_id, name) values ('order-files', ${path})`,
    );
  const take = (path: string) =>
    whoMay(world, (sql) => sql`delete from storage.objects where name = ${path}`);
  expect(await insert(`${order}/${id}`)).toEqual(everyone(refusedRow, { owner: 1 }));
  expect(await insert(`${order}/${crypto.randomUUID()}`)).toEqual(everyone(refusedRow));

  const file = await stored(order);
  expect(await take(`${order}/${file}`)).toEqual(everyone(0, { owner: 1 }));
  await ask(owner, send(order, file));
  expect(await take(`${order}/${file}`)).toEqual(everyone(0));
  expect(
    await whoMay(
      world,
      (sql) => sql`update storage.objects set name = name where bucket_id = 'order-files'`,
    ),
  ).toEqual(everyone(0));
});

test('A file that hasn’t arrived whole, or belongs to something else, isn’t sent', async () => {
  const order = await placed();
  const part = await stored(order, 1999);
  expect(await refusal(owner, send(order, part))).toBe(
    '55000 The file didn’t upload completely. Send it again.',
  );
  const other = await stored(await placed());
  expect(await refusal(owner, send(order, other))).toBe(
    '22023 This file is no longer available. Choose it again.',
  );
  expect(await ask(owner, `get_order('${order}')`)).toMatchObject({ state: 'quoted', files: [] });
});

test('The buyer reads what they sent; an admin after the audit log says so, for two minutes', async () => {
  const order = await placed();
  const file = await stored(order);
  await ask(owner, send(order, file));
  expect(await ask(owner, `get_order('${order}')`)).toMatchObject({
    state: 'po_received',
    files: [{ id: file, name: 'order.pdf', size: 2000 }],
  });
  await expectReaders(world, 'order_files', 'name', { owner: ['order.pdf'] });
  expect(await readersOf(file)).toEqual(everyone(0, { owner: 1 }));

  await expectCallers(world, `open_order_file('${file}')`, '42501 Only an admin can do this.', {
    admin: 1,
  });
  await ask(admin, `open_order_file('${file}')`);
  expect(await readersOf(file)).toEqual(everyone(0, { owner: 1, admin: 1 }));
  const [row] = await sql`
    select count(*)::int as n from public.audit_log
    where action = 'order.open_file' and entity_id = ${order}`;
  expect(row?.n).toBe(1);
  await sql`alter table public.audit_log disable trigger user`;
  await sql`update public.audit_log set at = now() - interval '3 minutes'`;
  await sql`alter table public.audit_log enable trigger user`;
  expect(await readersOf(file)).toEqual(everyone(0, { owner: 1 }));
});

test('A buyer’s archive has the file, and nobody else’s does', async () => {
  const order = await placed();
  const file = await stored(order);
  await ask(owner, send(order, file));
  const entry = {
    bucket: 'order-files',
    path: `${order}/${file}`,
    size: 2000,
    name: 'order.pdf',
  };
  expect((await ask(owner, 'export_account()')).files).toContainEqual(entry);
  expect((await ask(colleague, 'export_account()')).files).not.toContainEqual(entry);
});

test('An admin can’t open a file that wasn’t sent', async () => {
  const file = await stored(await placed());
  expect(await refusal(admin, `open_order_file('${file}')`)).toBe('P0002 We can’t find this file.');
});

test('The file can come after the number, and sending it twice sends it once', async () => {
  const order = await sent();
  const file = await stored(order);
  await ask(owner, send(order, file));
  expect((await ask(owner, send(order, file))).files).toHaveLength(1);
  for (const who of [otherOwner, colleague] satisfies Person[]) {
    expect(await refusal(who, send(order, file))).toBe('P0002 We can’t find this order.');
  }
});

test('What wasn’t sent within a day is removed, and so are the files of a deleted account’s quotes', async () => {
  const order = await placed();
  const file = await stored(order);
  const kept = await stored(order);
  await ask(owner, send(order, kept));
  await sql`
    update public.order_files set created_at = now() - interval '25 hours'
    where order_id = ${order}`;
  const [row] = await sql`select private.forget_unsent_order_files() as did`;
  expect(row?.did).toEqual({ gone: 1 });
  const removed = async () =>
    (
      await sql`
        select payload ->> 'path' as path from private.jobs
        where kind = 'remove_file' and payload ->> 'path' like ${`${order}/%`}`
    ).map(({ path }) => path);
  expect(await removed()).toEqual([`${order}/${file}`]);

  const billed = await placed();
  const invoice = await stored(billed);
  await ask(owner, send(billed, invoice));
  await ask(admin, `invoice_order('${billed}', 'confirmed')`);
  await sql`select private.delete_account(${owner.userId})`;
  expect((await removed()).sort()).toEqual([`${order}/${file}`, `${order}/${kept}`].sort());
  const left = await sql`
    select id from public.order_files where order_id in (${order}, ${billed})`;
  expect(left).toEqual([{ id: invoice }]);
});
