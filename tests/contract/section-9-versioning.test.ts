import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isRemote } from '../support/program';
import { request } from '../support/service-client';

const local = test.skipIf(isRemote);

describe('§9 HTTP paths carry the version segment /api/v1', () => {
  local('the description of this version is served at /api/v1/openapi.json', async () => {
    const { status, body } = await request('/openapi.json', { method: 'GET' });
    expect(status).toBe(200);
    expect(body).toEqual(parse(readFileSync('openapi.yaml', 'utf8')));
  });
});
