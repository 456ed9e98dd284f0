// What the pages are made of. Rendered on the server: no state and no handlers.
import type { Child, JSX, PropsWithChildren } from 'hono/jsx';
import { formatDate, formatMinute, formatMoney, formatTime } from './format';

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

type ButtonProps = JSX.IntrinsicElements['button'] & {
  variant?: 'primary' | 'secondary' | 'danger' | 'ghost';
  size?: 'small' | 'normal' | 'full';
};

const buttonClass = (variant: ButtonProps['variant'] = 'primary', size: ButtonProps['size'] = 'normal') =>
  `button ${variant} ${size}`;

/** A button; submits its form unless `type` says otherwise. */
export const Button = ({ variant, size, type = 'submit', ...props }: ButtonProps) => (
  <button type={type} class={buttonClass(variant, size)} {...props} />
);

type LinkButtonProps = JSX.IntrinsicElements['a'] & Pick<ButtonProps, 'variant' | 'size'>;

/** A link that looks like a button. */
export const LinkButton = ({ variant = 'secondary', size, ...props }: LinkButtonProps) => (
  <a class={buttonClass(variant, size)} {...props} />
);

type FieldProps = { id: string; label: string; error?: string | undefined };

function Field({ id, label, error, children }: PropsWithChildren<FieldProps>) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

/** A form comes back with one error; its field gets the focus. */
const ERRONEOUS = { 'aria-invalid': 'true' as const, autofocus: true };

/** What ties a control to its error. */
export const described = ({ id, error }: Pick<FieldProps, 'id' | 'error'>) =>
  error ? { 'aria-describedby': `${id}-error`, ...ERRONEOUS } : {};

export const TextField = ({ id, label, error, ...props }: FieldProps & JSX.IntrinsicElements['input']) => (
  <Field id={id} label={label} error={error}>
    <input id={id} {...described({ id, error })} {...props} />
  </Field>
);

export const SelectField = ({
  id,
  label,
  error,
  children,
  ...props
}: PropsWithChildren<FieldProps & JSX.IntrinsicElements['select']>) => (
  <Field id={id} label={label} error={error}>
    <select id={id} {...described({ id, error })} {...props}>
      {children}
    </select>
  </Field>
);

type CardProps = PropsWithChildren<{ id: string; title: string; description?: Child; aside?: Child }>;

/** A section with a title of its own. */
export const Card = ({ id, title, description, aside, children }: CardProps) => (
  <section id={id} class="card" aria-labelledby={`${id}-title`}>
    <div class="card-head">
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {description && <p class="muted">{description}</p>}
      </div>
      {aside}
    </div>
    {children}
  </section>
);

type TableProps = PropsWithChildren<{
  caption: string;
  columns: readonly Child[];
  /** A column that is left out on narrow screens; its cells have the class `secondary`. */
  secondary?: string;
  /** Columns whose figures line up at the right; their cells have the class `numeric`. */
  numeric?: readonly string[];
}>;

/**
 * A table whose rows become blocks on narrow screens, and which scrolls inside its own region if it is too wide. Pass
 * the rows as children: everything in `tbody`.
 */
export const Table = ({ caption, columns, secondary, numeric = [], children }: TableProps) => (
  // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
  <section class="table-scroll" aria-label={caption} tabindex={0}>
    <table>
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={classOf(column, secondary, numeric)}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

const classOf = (column: Child, secondary: string | undefined, numeric: readonly string[]): string | undefined => {
  if (typeof column !== 'string') return undefined;
  return column === secondary ? 'secondary' : numeric.includes(column) ? 'numeric' : undefined;
};

const SHAPES: Record<Tone, Child> = {
  neutral: <circle cx="6" cy="6" r="4" />,
  info: <rect x="2" y="2" width="8" height="8" rx="1" />,
  success: <path d="M2 6.5 5 9.5 10.5 3" />,
  warning: <path d="M6 1.5 11 10.5 1 10.5Z" />,
  danger: <path d="M2.5 2.5 9.5 9.5M9.5 2.5 2.5 9.5" />,
};

/** A status as text and shape, so that it does not depend on color. */
export const Badge = ({ tone = 'neutral', children }: PropsWithChildren<{ tone?: Tone }>) => (
  <span class={`badge ${tone}`}>
    <svg viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
    {children}
  </span>
);

type CalloutProps = PropsWithChildren<{ tone?: Tone; title?: Child; role?: 'status' | 'alert'; id?: string }>;

/** A message that stands out. Set `role` if it is the result of something the person did. */
export const Callout = ({ tone = 'info', title, role, id, children }: CalloutProps) => (
  <div class={`callout ${tone}`} role={role} id={id}>
    {title && <p class="callout-title">{title}</p>}
    {children}
  </div>
);

/** Collapsed details. Set `isOpen` if something in it went wrong. */
export const Disclosure = ({ summary, isOpen, children }: PropsWithChildren<{ summary: Child; isOpen?: boolean }>) => (
  <details open={isOpen}>
    <summary>{summary}</summary>
    <div class="details-body">{children}</div>
  </details>
);

/** A payload or command, scrolling in its own box. */
export const CodeBlock = ({ label, children }: PropsWithChildren<{ label: string }>) => (
  // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
  <section class="code-block" aria-label={label} tabindex={0}>
    <pre>{children}</pre>
  </section>
);

const TIME_FORMATS = { day: formatDate, minute: formatMinute };

/** "21 Nov 2026", or with hours and minutes, or exact; the exact time is shown on hover. */
export const Time = ({ value, precision = 'day' }: { value: Date; precision?: keyof typeof TIME_FORMATS }) => (
  <time datetime={value.toISOString()} title={formatTime(value)}>
    {TIME_FORMATS[precision](value)}
  </time>
);

/** "at 12:00:05 UTC", for an ISO date of the real clock; the browser's script shows the seconds that are left. */
export const Countdown = ({ until }: { until: string }) => (
  <time datetime={until} data-countdown>
    at {until.slice(11, 19)} UTC
  </time>
);

/** An amount in its own currency's minor units; nothing is converted. */
export const Money = ({ amount, currency }: { amount: number; currency: string }) => (
  <span class="money">{formatMoney(amount, currency)}</span>
);

/** What an empty place shows: what would be here, and how to get it. */
export const Empty = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <p class="muted">{children}</p>
  </div>
);

/** Names and values, two columns if there is room. */
export const DetailsList = ({ items }: { items: ReadonlyArray<readonly [name: Child, value: Child]> }) => (
  <dl class="details-list">
    {items.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
