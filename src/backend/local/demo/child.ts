// The process that `create.ts` starts: makes the demo data, says how it went, and ends.
import * as v from 'valibot';
import { seedDemo } from './demo.ts';
import { portraits } from './portraits.ts';
import { storeFiles } from './stored-files.ts';
import { demoToolFiles } from './tool-files.ts';

const asked = v.object({ databaseUrl: v.string(), storage: v.string() });

// If the server is gone, nobody needs the data; the next start makes it.
process.once('disconnect', () => process.exit(1));
process.once('message', async (message) => {
  const { databaseUrl, storage } = v.parse(asked, message);
  try {
    const created = await seedDemo(databaseUrl);
    await storeFiles(databaseUrl, storage, [...Object.values(await demoToolFiles()), ...portraits]);
    process.send?.({ created });
  } catch (error) {
    const { message: words, stack, code, syscall, path } = error as NodeJS.ErrnoException;
    process.send?.({ failure: { message: words, stack, code, syscall, path } });
  }
});
