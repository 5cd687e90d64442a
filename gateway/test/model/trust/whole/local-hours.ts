const hour = 3_600_000

interface Hours {
  readonly timeZone: string
  /** Local time. */
  readonly opens: string
  readonly closes: string
  readonly notOn?: string
}

const hours: Readonly<Record<string, Hours | 'never'>> = {
  KR: { timeZone: 'Asia/Seoul', opens: '08:00', closes: '20:50' },
  US: { timeZone: 'America/New_York', opens: '11:00', closes: '21:00' },
  FR: { timeZone: 'Europe/Paris', opens: '08:00', closes: '22:00', notOn: 'Sun' },
  VN: 'never',
}

const minute = 60_000
const clocks = new Map<string, { readonly clock: Intl.DateTimeFormat; readonly shown: Map<number, string> }>()
const maxShown = 100_000

/** Formats a local time such as `Sun 09:30`. */
function show(timeZone: string, at: number): string {
  let zone = clocks.get(timeZone)
  if (zone === undefined) {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    zone = { clock: new Intl.DateTimeFormat('en-GB', { timeZone, ...parts }), shown: new Map() }
    clocks.set(timeZone, zone)
  }
  const { clock, shown } = zone
  // All histories use the same days, so each minute is formatted once.
  const nth = Math.floor(at / minute)
  let text = shown.get(nth)
  if (text === undefined) {
    text = clock.format(at).replace(',', '')
    if (shown.size < maxShown) shown.set(nth, text)
  }
  return text
}

function isOpen({ timeZone, opens, closes, notOn }: Hours, at: number): boolean {
  const [day, time] = show(timeZone, at).split(' ')
  return day !== notOn && time! >= opens && time! < closes
}

/**
 * Returns the next time when advertisements are allowed, by checking local times hour by hour. Zones must differ from UTC by
 * whole hours.
 */
export function nextOpening(country: string | null, at: number): number {
  const found = hours[country ?? '']
  if (found === undefined) return at
  if (found === 'never') return Infinity
  if (isOpen(found, at)) return at
  // All hours start at a whole hour.
  let next = Math.floor(at / hour) * hour + hour
  while (!isOpen(found, next)) next += hour
  return next
}
