/** Words that people would choose here, beside the heads of the public lists of leaked passwords. */
const OURS = `
  trellis mybusiness smallbusiness entrepreneur coaching newbusiness
  secretpassword testpassword superuser iloveyouforever linkedin instagram
  correcthorsebatterystaple correct-horse-battery-staple asdfghjklz abc12345678 1593572468 3141592653
`
  .trim()
  .split(/\s+/);

let passwords: Promise<ReadonlySet<string>> | undefined;

/** The passwords that are tried first, in lower case; about 50,000, read at the first call. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  passwords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set([...dictionary['passwords-common'], ...OURS]),
  );
  return passwords;
}
