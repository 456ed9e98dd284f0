// One ID: everything that carries it, the object that it names, and the messages and deliveries that it was in.
import type { Delivery } from '../core/deliveries';
import { laneLabel, laneOfPath, type Profile } from '../core/profile';
import type { Message } from '../core/trace';
import { findAppIds } from '../core/trace-ids';
import { Card, CodeBlock, Empty, LinkButton } from '../core/ui';
import { DeliveryList } from './deliveries';
import type { FoundPlace } from './id-places';
import { Lanes } from './lanes';
import { ControlRoomPage, isPresent } from './layout';
import { IdLink, LinkedText, shorten } from './linked';
import type { Room } from './room';

type IdPageProps = {
  room: Room;
  id: string;
  /** The object of a provider that has this ID. */
  object: { type: string; data: unknown } | null;
  places: readonly FoundPlace[];
  messages: readonly Message[];
  deliveries: Delivery[];
};

export const IdPage = ({ room, id, object, places, messages, deliveries }: IdPageProps) => {
  const { profile, appUrl } = room.emulator.config;
  const followed = followedBy(profile, id, messages);
  const page = followed?.page?.replace('{id}', encodeURIComponent(id)); // the app's page about the ID
  const known = messages.flatMap(({ subjects }) => subjects);
  return (
    <ControlRoomPage
      room={room}
      title={shorten(id)}
      description={describe(object?.type, followed?.label)}
      scripts={['trace']}
      hasFilter={false}
    >
      <div class="row">
        <code>{id}</code>
        <button type="button" class="button secondary small" data-copy-text={id} hidden>
          Copy
        </button>
        {page && (
          <LinkButton size="small" href={new URL(page, appUrl).href}>
            Open in {ownerOf(page, profile, room.emulator.config.appName)}
          </LinkButton>
        )}
      </div>
      <Card id="places" title="Carried by" description="Every place with this ID, oldest first.">
        <div data-live="places">
          <Places places={places} id={id} />
        </div>
      </Card>
      <section class="card" aria-label="Messages">
        <h2>Messages</h2>
        <div data-live="messages" data-noun="message">
          {messages.length === 0 ? (
            <p class="muted">No recorded message contains this ID.</p>
          ) : (
            <Lanes messages={messages} profile={profile} hrefOf={(message) => `/trace/${message.id}`} />
          )}
        </div>
      </section>
      <div class="columns">
        {isPresent('/deliveries', room.emulator.config) && (
          <Card id="deliveries" title="Deliveries" description="Webhooks whose payload has this ID.">
            <DeliveryList deliveries={deliveries} config={room.emulator.config} customer="" isFiltered />
          </Card>
        )}
        <div data-live="object">
          {object && (
            <Card id="object" title="Object" description={object.type}>
              <CodeBlock label="Object as JSON">
                <LinkedText text={JSON.stringify(object.data, null, 2)} known={known} />
              </CodeBlock>
            </Card>
          )}
        </div>
      </div>
    </ControlRoomPage>
  );
};

/** The name of what serves a page: the app, or a part of it with a lane of its own. */
function ownerOf(page: string, profile: Profile, appName: string): string {
  const lane = laneOfPath(profile, page);
  return lane === 'app' ? appName : laneLabel(profile, lane);
}

function describe(type: string | undefined, label: string | undefined): string {
  if (!type) return label ?? 'ID';
  const [provider, ...name] = type.split('.');
  return `${provider === 'clerk' ? 'Clerk' : 'Stripe'} ${name.join(' ').replaceAll('_', ' ')}`;
}

/** What the profile says about the field that contains an ID. */
function followedBy(profile: Profile, id: string, messages: readonly Message[]) {
  const found = messages.flatMap(({ path, request, response, cookies = [] }) => [
    ...cookies,
    ...[path, request.body, response.body].flatMap((text) => findAppIds(text, profile)),
  ]);
  const { label } = found.find(({ value }) => value === id) ?? {};
  return profile.ids.find((followed) => followed.label === label);
}

const Places = ({ places, id }: { places: readonly FoundPlace[]; id: string }) =>
  places.length === 0 ? (
    <Empty title="Not seen yet">No recorded message or object contains {id}.</Empty>
  ) : (
    <ol class="places" aria-label="Places">
      {places.map(({ label, field, id: carrier, message }) => (
        <li>
          <span class="place">{label}</span>
          <code>{field}</code>
          {carrier ? (
            <IdLink value={carrier}>{shorten(carrier)}</IdLink>
          ) : (
            message !== null && <a href={`/trace/${message}`}>Message</a>
          )}
        </li>
      ))}
    </ol>
  );
