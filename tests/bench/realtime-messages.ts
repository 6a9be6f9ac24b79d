/** What a process of listeners is sent. */
export interface Listening {
  url: string;
  key: string;
  topic: string;
  /** An access token for each listener. */
  tokens: string[];
}

/** When one message arrived at each listener of a process. */
export interface Arrivals {
  id: string;
  times: number[];
}

/** What a process of open connections is sent. */
export interface Holding {
  url: string;
  key: string;
  people: { id: string; token: string }[];
}

/** Milliseconds since 1970 with their fractions: the same clock in every process of this machine. */
export const now = (): number => performance.timeOrigin + performance.now();
