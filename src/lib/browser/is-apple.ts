/** Whether a browser's user agent is on a Mac, an iPhone or an iPad, where ⌘ is what Ctrl is elsewhere. */
export const isApple = (userAgent: string): boolean => /Mac OS X|iPhone|iPad/.test(userAgent);
