/**
 * The address of a page, which isn't always the path it's rendered at: the server shows a tool that's
 * no longer as the build has it at the address of the built page.
 */
export function addressOf(pathname: string): string {
  return pathname.replace(/^\/toolbox\/current(?=\/|$)/, '/toolbox');
}
