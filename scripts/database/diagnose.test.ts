import { describe, expect, test } from 'vitest';
import { diagnoseDatabase, explainDatabaseError } from './diagnose.mjs';

const URL_WITH_PASSWORD = 'postgresql://ada:geheim@db.example.com:5432/shop';

describe('what keeps a database from being used is one sentence with the remedy', () => {
  test.each([
    ['ECONNREFUSED', 'nothing listens at db.example.com:5432'],
    ['ENOTFOUND', 'there is no host db.example.com'],
    ['28P01', 'its user name or password is wrong'],
    ['3D000', 'has no database of that name'],
    ['53300', 'no connection left'],
  ])('%s', (code, text) => {
    const sentence = explainDatabaseError(Object.assign(new Error('x'), { code }), URL_WITH_PASSWORD);
    expect(sentence).toContain('DATABASE_URL: ');
    expect(sentence).toContain(text);
    expect(sentence).not.toContain('geheim');
  });

  test('a host with several addresses reports the first failure', () => {
    const error = new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]);
    expect(explainDatabaseError(error, URL_WITH_PASSWORD)).toContain('nothing listens');
  });

  test('a server that never responds, and one without TLS', () => {
    expect(explainDatabaseError(new Error('timeout expired'), URL_WITH_PASSWORD)).toContain('does not respond');
    const noTls = new Error('The server does not support SSL connections');
    expect(explainDatabaseError(noTls, `${URL_WITH_PASSWORD}?sslmode=require`, {})).toContain('Remove sslmode');
  });

  test('a server without TLS, where a variable asks for it and not the URL', () => {
    const noTls = new Error('The server does not support SSL connections');
    const env = { PGSSLMODE: 'require' };
    expect(explainDatabaseError(noTls, URL_WITH_PASSWORD, env)).toContain('Unset PGSSLMODE');
    expect(explainDatabaseError(noTls, `${URL_WITH_PASSWORD}?sslmode=require`, env)).toContain('Remove sslmode');
  });

  test('whatever else is wrong keeps its own words', () => {
    expect(explainDatabaseError(new Error('out of patience'), URL_WITH_PASSWORD)).toContain('out of patience');
  });
});

test('a closed port is unusable', async () => {
  expect(await diagnoseDatabase('postgresql://localhost:1/shop')).toMatchObject({
    state: 'unusable',
    message: expect.stringContaining('nothing listens'),
  });
});
