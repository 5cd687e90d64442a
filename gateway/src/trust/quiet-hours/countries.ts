/**
 * Hours in which countries allow advertisements. A country with several time zones has the hours that are allowed in all
 * zones of its mainland. Other countries have no known hours; an operator sets them with POSTERN_COUNTRY_HOURS.
 */
import { ConfigError } from '../../platform/settings/config.ts'
import { findCountry } from '../../channels/country-codes.ts'
import type { SendingWindow } from './window.ts'

export interface CountryWindow {
  readonly country: string
  /** Name in the IANA database. */
  readonly timeZone: string
  /** `null` if advertisements are not allowed at all. */
  readonly window: SendingWindow | null
}

interface KnownWindow extends CountryWindow {
  readonly prefix: string
  readonly source: string
}

const hour = 60

export const countryWindows: readonly KnownWindow[] = [
  {
    country: 'US',
    prefix: '+1',
    timeZone: 'America/New_York',
    // 08:00 in Los Angeles to 21:00 in New York, because the area code does not reveal where the recipient
    // is. Canada and the Caribbean have the same prefix, and so the same hours.
    window: { opensAt: 11 * hour, closesAt: 21 * hour },
    source: 'Twilio, error 30610: 08:00 to 21:00 of the recipient',
  },
  {
    country: 'IN',
    prefix: '+91',
    timeZone: 'Asia/Kolkata',
    window: { opensAt: 10 * hour, closesAt: 21 * hour },
    source: 'TRAI, general knowledge: confirm with your carrier',
  },
  {
    country: 'FR',
    prefix: '+33',
    timeZone: 'Europe/Paris',
    window: { opensAt: 8 * hour, closesAt: 22 * hour, closedOn: [0] },
    source: 'Allo, Brevo: not from 22:00 to 08:00, not on Sundays; holidays are not known here',
  },
  {
    country: 'SA',
    prefix: '+966',
    timeZone: 'Asia/Riyadh',
    window: { opensAt: 7 * hour, closesAt: 22 * hour },
    source: 'Mapp',
  },
  {
    country: 'AE',
    prefix: '+971',
    timeZone: 'Asia/Dubai',
    window: { opensAt: 7 * hour, closesAt: 21 * hour },
    source: 'Twilio: not from 21:00 to 07:00',
  },
  {
    country: 'VN',
    prefix: '+84',
    timeZone: 'Asia/Ho_Chi_Minh',
    window: null,
    source: 'Twilio, NHN: advertisements are not carried',
  },
]

export type FindCountryWindow = (to: string) => CountryWindow | undefined

/** Creates the lookup. `hours` are the entries of the setting; they take precedence. */
export function createCountryWindowLookup(hours: readonly string[] = []): FindCountryWindow {
  const configured = new Map(hours.map(readHours).map((row) => [row.country, row]))
  return (to) =>
    (configured.size === 0 ? undefined : configured.get(findCountry(to) ?? '')) ??
    countryWindows.find(({ prefix }) => to.startsWith(prefix))
}

function readHours(text: string): CountryWindow {
  const match = /^([A-Z]{2})=(?:none|(\d\d):(\d\d)-(\d\d):(\d\d) (\S+))$/.exec(text)
  if (match === null) throw wrongHours(text)
  const [, country = '', ...rest] = match
  const timeZone = rest[4]
  if (timeZone === undefined) return { country, timeZone: 'UTC', window: null }
  const [opens = 0, opensMinutes = 0, closes = 0, closesMinutes = 0] = rest.slice(0, 4).map(Number)
  const window = { opensAt: opens * hour + opensMinutes, closesAt: closes * hour + closesMinutes }
  const isValid = opensMinutes < hour && closesMinutes < hour && window.closesAt <= 24 * hour
  if (!isValid || window.opensAt >= window.closesAt || !isTimeZone(timeZone)) throw wrongHours(text)
  return { country, timeZone, window }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

function wrongHours(text: string): ConfigError {
  return new ConfigError(
    `POSTERN_COUNTRY_HOURS must be hours of one day and an IANA time zone, such as DE=08:00-20:00 Europe/Berlin, not '${text}'`,
  )
}
