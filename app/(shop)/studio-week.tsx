const HOURS = ['9:00', '11:00', '14:00', '18:00'];

const WEEK = [
  { day: 'Mon', bookings: ['Wheel', null, 'Glaze', 'Wheel'] },
  { day: 'Tue', bookings: [null, 'Mend', null, 'Wheel'] },
  { day: 'Wed', bookings: ['Kids', 'Kids', 'Glaze', null] },
  { day: 'Thu', bookings: [null, 'Mend', 'Wheel', 'Wheel'] },
  { day: 'Fri', bookings: ['Wheel', null, null, 'Clay'] },
];

/** A picture of the product: the week of a pottery studio. */
export function StudioWeek() {
  return (
    <figure className="rounded-card border border-border bg-surface p-4">
      <table className="w-full table-fixed border-separate border-spacing-1 text-xs max-[25rem]:text-[0.625rem] max-[25rem]:*:*:*:px-0">
        <caption className="mb-2 text-left text-muted-foreground text-sm">Clay Street Pottery, this week</caption>
        <thead className="text-muted-foreground">
          <tr>
            <th scope="col" className="w-12 text-left font-medium">
              <span className="sr-only">Hour</span>
            </th>
            {WEEK.map(({ day }) => (
              <th key={day} scope="col" className="font-medium">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour, row) => (
            <tr key={hour}>
              <th scope="row" className="text-left font-normal text-muted-foreground tabular-nums">
                {hour}
              </th>
              {WEEK.map(({ day, bookings }) => (
                <td
                  key={day}
                  className={
                    bookings[row]
                      ? 'truncate rounded-control bg-primary px-1 py-2.5 text-center text-primary-foreground'
                      : 'rounded-control bg-muted px-1 py-2.5 text-center text-muted-foreground'
                  }
                >
                  {bookings[row] ?? 'free'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
