import { ControlRoomPage } from './layout';
import type { Room } from './room';
import type { SourceText } from './sources';

/** A file of the project with the line in question marked. The browser's script shows the same in a drawer. */
export const SourcePage = ({ room, source }: { room: Room; source: SourceText }) => (
  <ControlRoomPage room={room} title={source.file} description={`Line ${source.line}`} hasFilter={false}>
    <section class="card source" aria-label="Source" id="source">
      <p class="small">
        <a href={`vscode://file${encodeURI(source.absolute)}:${source.line}`}>Open in editor</a>
      </p>
      <section class="code-block" aria-label={`Source of ${source.file}`} tabindex={0}>
        <ol>
          {source.lines.map((line, index) => (
            <li
              class={index + 1 === source.line ? 'marked' : undefined}
              id={index + 1 === source.line ? 'line' : undefined}
            >
              <code>{line || ' '}</code>
            </li>
          ))}
        </ol>
      </section>
    </section>
  </ControlRoomPage>
);
