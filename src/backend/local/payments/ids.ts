export const nowInSeconds = () => Math.floor(Date.now() / 1000);
export const newId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

/** The payment that paid an invoice: in_x is paid by pi_x. */
export const paymentIntentOf = (invoice: string) => invoice.replace(/^in_/, 'pi_');
/** The invoice that a payment paid, if it's a membership's. */
export const invoiceOfIntent = (intent: string) => intent.replace(/^pi_/, 'in_');
