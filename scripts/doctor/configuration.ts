// What can be said without asking anyone but the database: the variables, the build, the tables, and the address.
import { existsSync, readFileSync } from 'node:fs';
import { findChangedSinceBuild } from '@/build-variables.mjs';
import { findEnvWarnings } from '@/lib/integration/env';
import { isLocal } from '@/lib/integration/env-rules';
import { findEnvironmentProblems } from '../check-environment';
import { diagnoseDatabase } from '../database/diagnose.mjs';
import { migrationsFor } from '../database/migrations-of-parts.mjs'; // part: service
import { VARIABLES } from '../local-env.mjs';
import { blocker, type Finding, ok, warning } from './report';

const BUILD = '.next/required-server-files.json';
const PLACES = '.env.example says where to find each variable. `npm run setup` sets those for test mode.';

export function examineVariables(): Finding[] {
  const problems = findEnvironmentProblems('run').map(({ message }) => {
    const [detail = '', where] = message.split(' Where to find it: ');
    return blocker('Variables', detail, where ? `Where to find it: ${where}` : PLACES);
  });
  const warnings = findEnvWarnings().map(({ message }) => warning('Variables', message, PLACES));
  const count = VARIABLES.filter((name) => process.env[name]?.trim()).length;
  const all = ok('Variables', `${count} are set, and fit together`);
  return [...(problems.length > 0 ? problems : [all]), ...warnings];
}

/** Whether the production build on this machine was made with the current variables. */
export function examineBuild(): Finding[] {
  if (!existsSync(BUILD) || isLocal(process.env.APP_URL)) return []; // a local run builds for itself
  const built: unknown = JSON.parse(readFileSync(BUILD, 'utf8')).config?.env?.BUILT_WITH;
  const changed = typeof built === 'string' ? findChangedSinceBuild(built, process.env) : [];
  if (changed.length === 0) return [ok('Build', 'the one on this machine has the current variables')];
  return [
    warning(
      'Build',
      `the one on this machine was made with another value of ${changed.join(', ')}.`,
      'Run `npm run build` before `npm start`. `npm run dev` and `npm run preview` do not need it.',
    ),
  ];
}

export async function examineDatabase(): Promise<Finding[]> {
  const url = process.env.DATABASE_URL;
  if (!url || !/^postgres(ql)?:/.test(url)) return []; // the variables say so
  const diagnosis = await diagnoseDatabase(
    url,
    migrationsFor(process.env), // part: service
  );
  if (diagnosis.state === 'ready')
    return [ok('Database', `${diagnosis.count} migrations are applied, none is pending`)];
  const action =
    diagnosis.state === 'unusable' ? 'The app can store nothing without it.' : 'Migrations are a step of each release.';
  return [blocker('Database', diagnosis.message, action)];
}

/** Domains under which strangers share a site: browsers keep a cookie there to the host that sets it. */
const SHARED =
  /(^|\.)(vercel\.app|netlify\.app|pages\.dev|workers\.dev|onrender\.com|herokuapp\.com|fly\.dev|up\.railway\.app|azurewebsites\.net|web\.app|ngrok(-free)?\.app|ngrok\.io|trycloudflare\.com|github\.io)$/;

/** A domain that can be registered, as in `app.example.com` and `app.example.co.uk`. */
const SITE = /[^.]+\.((co|com|net|org|gov|ac|edu|ne|or|go)\.[a-z]{2}|[^.]+)$/;

/** Contract §1: the cookie is first-party. Which hosts get it, going by the address that people open. */
export function examineCookie(appUrl: string): Finding[] {
  if (!URL.canParse(appUrl)) return [];
  const { hostname } = new URL(appUrl);
  if (isLocal(appUrl) || /^[\d.]+$|^\[/.test(hostname)) {
    return [ok('Cookie', `svc_click_id is kept for ${hostname} only, as on every local address`)];
  }
  if (SHARED.test(hostname)) {
    return [
      warning(
        'Cookie',
        `svc_click_id is kept for ${hostname} only: its domain is shared by many sites.`,
        'Deploy to a domain of your own. A click on your marketing site is lost here.',
      ),
    ];
  }
  const site = SITE.exec(hostname)?.[0] ?? hostname;
  return [ok('Cookie', `svc_click_id is kept on the widest domain that ${hostname} may use, such as ${site}`)];
}
