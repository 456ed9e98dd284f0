import { expect, test } from 'vitest';
import { profileSchema, type Tour } from '../core/profile';
import type { Message } from '../core/trace';
import { readTour } from './tour-state';

const tour = profileSchema.parse({
  tour: {
    steps: [
      {
        title: 'Click',
        text: '',
        done: [{ to: 'service', path: '/click', status: 200 }],
        action: { label: 'Go', href: '/' },
      },
      { title: 'Sign up', text: '', done: [{ to: 'clerk', path: '/sign_ups*' }], action: { label: 'Go', href: '/' } },
      { title: 'Pay', text: '', done: [{ to: 'app', request: '"type":"paid"' }], action: { label: 'Go', href: '/' } },
      {
        title: 'Renew',
        text: '',
        done: [{ to: 'app', request: '"type":"renewed"' }],
        action: { label: 'Go', advance: 'month' },
      },
    ],
    remarks: [
      {
        when: [{ path: '/click', status: null }],
        until: [{ path: '/click', status: 200 }],
        text: 'The tracker is blocked.',
      },
    ],
  },
}).tour as Tour;

let id = 0;
const message = (to: Message['to'], path: string, more: Partial<Message> = {}): Message => ({
  ...{
    id: ++id,
    at: '2026-11-21T12:00:00.000Z',
    from: 'browser',
    to,
    method: 'POST',
    path,
    status: 200,
    duration_ms: 1,
  },
  ...{ request: { headers: {}, body: '' }, response: { headers: {}, body: '' }, subjects: [] },
  ...more,
});
const states = (messages: Message[]) => readTour(tour, messages).steps.map(({ state }) => state);

test('a visitor who has done nothing begins with the first step', () => {
  expect(states([])).toEqual(['next', 'ahead', 'ahead', 'ahead']);
});

test('a step is done when its message was seen, and names it', () => {
  const click = message('service', '/click');
  const { steps } = readTour(tour, [click]);
  expect(steps[0]).toMatchObject({ state: 'done', message: click.id });
  expect(steps[1]?.state).toBe('next');
});

test('a step that was left out is missed, and the tour continues from what happened', () => {
  expect(states([message('clerk', '/sign_ups/sua_1?x=1')])).toEqual(['missed', 'done', 'next', 'ahead']);
});

test('white space in a body does not count', () => {
  const paid = message('app', '/hook', { request: { headers: {}, body: '{ "type": "paid" }' } });
  expect(states([paid])).toEqual(['missed', 'missed', 'done', 'next']);
});

test('the last step finishes the tour', () => {
  const renewed = message('app', '/hook', { request: { headers: {}, body: '{"type":"renewed"}' } });
  expect(readTour(tour, [renewed]).isFinished).toBe(true);
  expect(readTour(tour, []).isFinished).toBe(false);
});

test('a remark stands until what it is about is made up for', () => {
  const blocked = message('service', '/click', { status: null });
  expect(readTour(tour, [blocked]).remarks).toEqual(['The tracker is blocked.']);
  expect(readTour(tour, [blocked, message('service', '/click')]).remarks).toEqual([]);
  expect(readTour(tour, [message('service', '/click'), blocked]).remarks).toEqual(['The tracker is blocked.']);
});
