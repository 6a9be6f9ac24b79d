import type { MailBrand } from '../mail/layout.ts';
import { checkoutCloseJobs, membershipEndJobs, refundJobs } from './card.ts';
import { hubspotJobs } from './hubspot.ts';
import { type Deliver, mailJobs } from './mail.ts';
import { newsletterJobs } from './newsletter.ts';
import { fileRemovalJobs, type RemoveObject } from './remove-file.ts';
import type { JobKind } from './worker.ts';
import { wrikeJobs } from './wrike.ts';

/** What the jobs need from the process that runs them. */
interface JobDeps {
  brand: MailBrand;
  deliver: Deliver;
  /** Whether a sent email stays in its row, for the mailbox. */
  keepMail: boolean;
  removeObject: RemoveObject;
}

/** Every kind of job, for the function run-jobs and the embedded stack. */
export function jobKinds(deps: JobDeps): readonly JobKind[] {
  const { brand, deliver, keepMail, removeObject } = deps;
  return [
    mailJobs({ brand, deliver, keep: keepMail }),
    newsletterJobs({ brand, deliver, keep: keepMail }),
    fileRemovalJobs(removeObject),
    refundJobs(),
    membershipEndJobs(),
    checkoutCloseJobs(),
    hubspotJobs(),
    wrikeJobs(),
  ];
}
