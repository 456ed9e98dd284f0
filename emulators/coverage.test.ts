// The README says method by method what is covered. These tests hold it against the routes and against the SDKs' own methods.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createClerkClient } from '@clerk/backend';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clerkApi } from './clerk';
import { useInstance } from './clerk/testing/instance';
import { readOptions, USAGE } from './options';
import { routes as stripeRoutes } from './stripe/api';
import { EVENT_TYPES } from './stripe/event-types';
import { CARDS, LATER_FAILURES, TEST_ACCOUNT_NUMBER, TEST_ROUTING_NUMBER } from './stripe/test-cards';

const README = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');

const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The cells of each row of the table with this heading, and nothing in the head. */
function rowsUnder(head: string): string[][] {
  const [, table = ''] = README.split(`| ${head} |`);
  const lines = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2);
  return lines.map((line) => line.split('|').slice(1, -1));
}

/** `users` → what the cells say of it. Words that are no method stand in brackets or after a semicolon. */
function methodsUnder(head: string) {
  return rowsUnder(head).map(([resource = '', covered = '', missing = '']) => ({
    resource: codesIn(resource).join(),
    covered: codesIn(covered.replace(/\([^)]*\)|[;:].*/g, '')),
    missing: codesIn(missing),
  }));
}

/** `GET /users/user_1` and `GET /users/:id` name one route. */
const shapeOf = (method: string, route: string) =>
  `${method} ${route
    .replace(/^\/v1/, '')
    .replace(/\/$/, '')
    .replace(/\/(:\w+|ID)(?=\/|$)/g, '/*')}`;

const isMethod = (value: unknown): value is (...args: unknown[]) => Promise<unknown> => typeof value === 'function';

function resourceAt(client: object, place: string): Record<string, unknown> {
  return place.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], client) as Record<
    string,
    unknown
  >;
}

const ownMethods = (resource: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');

describe('Stripe', () => {
  const rows = methodsUnder('`stripe` | Covered | Not covered');
  const asked: string[] = [];
  const httpClient = Stripe.createFetchHttpClient((async (input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(shapeOf(init?.method ?? 'GET', new URL(String(input)).pathname));
    return Response.json({ data: [] });
  }) as typeof fetch);
  const stripe = new Stripe('sk_test_unused', { httpClient, telemetry: false });
  const routes = stripeRoutes.map(({ method, path: route }) => shapeOf(method, route));

  /** What the SDK asks for: its methods take IDs, then parameters and options. */
  async function requestOf(resource: string, name: string): Promise<string | undefined> {
    const method = resourceAt(stripe, resource)[name];
    if (!isMethod(method)) throw new Error(`The SDK has no ${resource}.${name}.`);
    asked.length = 0;
    await method.call(resourceAt(stripe, resource), ...Array.from({ length: method.length - 2 }, () => 'ID'));
    return asked[0];
  }

  test('every method that the SDK has for a covered resource is named, as covered or not', () => {
    expect(rows.length).toBeGreaterThan(20);
    for (const { resource, covered, missing } of rows) {
      const named = [...covered, ...missing].toSorted();
      expect({ resource, methods: named }).toEqual({
        resource,
        methods: ownMethods(resourceAt(stripe, resource)).toSorted(),
      });
    }
  });

  test('each covered method has a route, and each route is a covered method', async () => {
    const requests = [];
    for (const { resource, covered } of rows)
      for (const name of covered) requests.push(await requestOf(resource, name));
    expect(requests.toSorted()).toEqual(routes.toSorted());
  });

  test('no method that is named as not covered has a route', async () => {
    const found = [];
    for (const { resource, missing } of rows) {
      for (const name of missing) {
        const request = await requestOf(resource, name);
        if (request && routes.includes(request)) found.push(`${resource}.${name}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('every event that is sent is named, and no other', () => {
    const [, list = ''] = /signed as Stripe signs them:\n([\s\S]*?)\. Others/.exec(README) ?? [];
    expect(codesIn(list)).toEqual([...EVENT_TYPES]);
  });

  test('every test card and bank account is named, and no other', () => {
    const cards = rowsUnder('Number |').flatMap(([numbers = '']) => numbers.replaceAll(' ', '').split(','));
    expect(cards.toSorted()).toEqual(Object.keys(CARDS).toSorted());
    const [, accounts = ''] = /\*\*Test bank accounts\*\*([\s\S]*?)\n\n/.exec(README) ?? [];
    const expected = [TEST_ROUTING_NUMBER, TEST_ACCOUNT_NUMBER, ...Object.keys(LATER_FAILURES)];
    expect(accounts.match(/\d{9,}/g)?.toSorted()).toEqual(expected.toSorted());
  });
});

test('the options of the README are those of --help, and the program takes each', () => {
  const optionsIn = (text: string) => [...text.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
  const named = rowsUnder('Option |').flatMap(([option = '']) => optionsIn(option));
  const listed = USAGE.split('\n').flatMap((line) => optionsIn(/^ {2}(--.*?)( {2,}|$)/.exec(line)?.[1] ?? ''));
  expect(named.toSorted()).toEqual(listed.toSorted());
  expect(named.length).toBeGreaterThan(15);
  for (const option of named) {
    const read = () => readOptions(['start', `${option}=clerk`]);
    expect(() => {
      try {
        read();
      } catch (error) {
        // The value may not fit; the option has to be known.
        if (/Unknown option/.test(String(error))) throw error;
      }
    }, option).not.toThrow();
  }
});

describe('Clerk', () => {
  const instance = useInstance();
  const rows = methodsUnder('`clerkClient()` | Covered | Not covered');
  const frontend = rowsUnder('In your code | Routes')
    .flatMap(([, routes = '']) => codesIn(routes))
    .map((line) => shapeOf(...(line.split(' ') as [string, string])));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(shapeOf(request.method ?? '', new URL(request.url ?? '', 'http://localhost').pathname));
    response.setHeader('content-type', 'application/json').end('{}');
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, 'localhost', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const clientAt = (port: number) =>
    createClerkClient({ apiUrl: `http://localhost:${port}`, secretKey: 'sk_test_unused' });

  /** Most methods take an ID; these take parameters alone, or as well. */
  const WITHOUT_ID =
    /^(getUserList|getCount|getSessionList|create(User|SignInToken|TestingToken|AccountlessApplication))$/;

  /** And these take an ID as a parameter. */
  const OF_USER = /^(verifyPassword|getOrganizationMembershipList)$/;

  /** What a method asks for. Some send two requests at once, which arrive in either order. */
  async function requestsOf(resource: string, name: string): Promise<string[]> {
    const methods = resourceAt(clientAt((server.address() as AddressInfo).port), resource);
    const method = methods[name];
    if (!isMethod(method)) throw new Error(`The SDK has no ${resource}.${name}.`);
    asked.length = 0;
    await method.call(
      methods,
      ...(OF_USER.test(name)
        ? [{ userId: 'ID', password: 'a password' }]
        : WITHOUT_ID.test(name)
          ? [{}]
          : /^(update|replace)/.test(name)
            ? ['ID', {}]
            : ['ID']),
    );
    expect(asked, name).not.toEqual([]);
    return [...asked];
  }

  test('every method that the SDK has for a covered resource is named, as covered or not', () => {
    expect(rows.length).toBeGreaterThan(3);
    for (const { resource, covered, missing } of rows) {
      const methods = ownMethods(resourceAt(clientAt(1), resource));
      expect([...covered, ...missing].toSorted(), resource).toEqual(methods.toSorted());
    }
  });

  test('each method and each call of the browser has a route, and each route is one of them', async () => {
    const requests = new Set<string>();
    for (const { resource, covered } of rows) {
      for (const name of covered) for (const request of await requestsOf(resource, name)) requests.add(request);
    }
    const routes = clerkApi(instance.emulator)
      .routes.filter(({ method }) => method !== 'ALL')
      .map(({ method, path: route }) => shapeOf(method, route));
    expect([...frontend, ...requests].toSorted()).toEqual([...new Set(routes)].toSorted());
  });
});
