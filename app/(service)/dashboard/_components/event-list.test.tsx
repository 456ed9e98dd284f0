import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { parseEventFilter } from '@/lib/service/dashboard/event-filter';
import { writeCursor } from '@/lib/service/events/cursor';
import { EventList } from './event-list';

const cursor = writeCursor({ time: new Date(), id: 'evt_1' }); // a later page does not update itself

const render = (params: Record<string, string>) =>
  renderToStaticMarkup(
    <EventList
      page={{ events: [], nextCursor: null }}
      filter={parseEventFilter({ ...params, cursor })}
      partners={['ada', 'grace']}
      shown="1"
      now={new Date()}
    />,
  );

test('an empty list says that its dates are the wrong way round', () => {
  expect(render({ from: '2026-11-20', to: '2026-11-01' })).toContain('The end is before the start.');
  expect(render({ from: '2026-11-01', to: '2026-11-01' })).toContain('Change or clear the filters.');
  expect(render({ to: '2026-11-01' })).toContain('Change or clear the filters.');
  expect(render({})).toContain('No events yet');
});

test('the form shows a partner that it does not know, and keeps it', () => {
  expect(render({ partner: 'gone' })).toContain('<option value="gone" selected="">gone</option>');
  expect(render({ partner: 'ada' })).toContain('<option value="ada" selected="">ada</option>');
  expect(render({ partner: 'ada' }).match(/value="ada"/g)).toHaveLength(1);
});

test('the form shows the click whose events are listed, and keeps it', () => {
  expect(render({ click: 'clk_1' })).toMatch(/<input[^>]* name="click"[^>]* value="clk_1"/);
  expect(render({})).not.toContain('name="click"');
});

test('the number of events is announced', () => {
  expect(render({ partner: 'ada' })).toMatch(/<p role="status"[^>]*><span>0 events</);
});
