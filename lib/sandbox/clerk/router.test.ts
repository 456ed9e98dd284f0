import { describe, expect, test } from 'vitest';
import { matchRoute, type Route } from './router';

const handle = () => ({ body: null });
const route = (method: string, pattern: string): Route => ({ method, pattern, caller: 'browser', handle });
const ROUTES = [route('GET', '/v1/users/count'), route('GET', '/v1/users/:id'), route('POST', '/v1/users/:id/tokens')];

describe('matchRoute', () => {
  test('passes on what a named segment held', () => {
    expect(matchRoute(ROUTES, 'GET', '/v1/users/user_1')?.params).toEqual({ id: 'user_1' });
  });

  test('takes the first of two that fit', () => {
    expect(matchRoute(ROUTES, 'GET', '/v1/users/count')?.route.pattern).toBe('/v1/users/count');
  });

  test.each([
    ['another method', 'DELETE', '/v1/users/user_1'],
    ['a shorter path', 'GET', '/v1/users'],
    ['a longer path', 'GET', '/v1/users/user_1/tokens/more'],
  ])('matches nothing for %s', (_what, method, path) => {
    expect(matchRoute(ROUTES, method, path)).toBeNull();
  });
});
