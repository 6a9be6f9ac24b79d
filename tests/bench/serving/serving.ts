import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import getPort from 'get-port';
import type { BenchContext, BenchPart } from '../parts.ts';
import { type Figure, figure, median } from '../report.ts';
import { isInstalled, requestsPerSecond } from './wrk.ts';

/** A page of the site, of about 39 kB. */
const PAGE = 'about/index.html';
const TURNS = 5;

interface Case {
  what: string;
  pages: number;
  encoding: 'gzip' | 'identity';
  /** The least share of nginx's requests per second. */
  least: number;
}

const CASES: Case[] = [
  { what: '100 pages', pages: 100, encoding: 'identity', least: 0.4 },
  { what: '100 pages, gzip', pages: 100, encoding: 'gzip', least: 0.4 },
  { what: '10,000 pages', pages: 10_000, encoding: 'identity', least: 0.3 },
  { what: '10,000 pages, gzip', pages: 10_000, encoding: 'gzip', least: 0.3 },
];

/** How many files a second this server and nginx serve, in turn, each with one process. */
export const serving: BenchPart = async (context) => {
  const missing = [];
  for (const program of ['nginx', 'wrk']) if (!(await isInstalled(program))) missing.push(program);
  if (missing.length > 0) {
    context.log(
      `\nServing files isn't measured: install ${missing.join(' and ')} (Debian packages).`,
    );
    return;
  }
  for (const each of CASES)
    context.show(`Serving files: ${each.what}`, await compare(each, context));
};

async function compare(
  { pages, encoding, least }: Case,
  { build, scratch }: BenchContext,
): Promise<Figure[]> {
  const folder = path.join(scratch, `serving-${pages}`);
  await createPages(folder, pages, await readFile(path.join(build.client, PAGE), 'utf8'));
  const [ours, nginx] = [await startOurs(folder), await startNginx(folder, scratch)];
  const rates = { ours: [] as number[], nginx: [] as number[] };
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      rates.nginx.push(await requestsPerSecond(nginx.url, pages, encoding, scratch));
      rates.ours.push(await requestsPerSecond(ours.url, pages, encoding, scratch));
    }
  } finally {
    await Promise.all([ours.stop(), nginx.stop()]);
  }
  const shares = rates.ours.map((rate, turn) => rate / (rates.nginx[turn] ?? Number.NaN));
  return [
    ...spread('nginx, requests a second', rates.nginx),
    ...spread('ours, requests a second', rates.ours),
    { ...figure('ours to nginx, median', median(shares), 'times'), least },
    figure('ours to nginx, lowest', Math.min(...shares), 'times'),
    figure('ours to nginx, highest', Math.max(...shares), 'times'),
  ];
}

const spread = (what: string, rates: number[]): Figure[] => [
  figure(`${what}, median`, median(rates)),
  figure(`${what}, lowest`, Math.min(...rates)),
  figure(`${what}, highest`, Math.max(...rates)),
];

/** Writes pages that differ, each with a gzip file next to it. */
async function createPages(folder: string, count: number, html: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let page = 1; page <= count; page += 1) {
    const name = path.join(folder, `page-${page}.html`);
    const content = html.replace('</body>', `<!-- ${page} --></body>`);
    await writeFile(name, content);
    await writeFile(`${name}.gz`, await promisify(gzip)(content, { level: 6 }));
  }
}

interface Running {
  url: string;
  stop(): Promise<void>;
}

async function startOurs(folder: string): Promise<Running> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [folder]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function startNginx(folder: string, scratch: string): Promise<Running> {
  const port = await getPort({ host: '127.0.0.1' });
  const file = path.join(scratch, 'nginx.conf');
  await writeFile(
    file,
    `daemon off;
master_process off;
user root;
pid ${scratch}/nginx.pid;
error_log ${scratch}/nginx-error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  types { text/html html; }
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    gzip_static on;
    location / { try_files $uri.html =404; }
  }
}
`,
  );
  const child = spawn('nginx', ['-c', file, '-p', scratch], { stdio: 'ignore' });
  await wait(500);
  if (child.exitCode !== null) throw new Error(`nginx ended: ${scratch}/nginx-error.log`);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
