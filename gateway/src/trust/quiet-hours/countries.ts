/**
 * Hours in which countries allow advertisements, as data, by the prefix of the recipient. Where a country has several
 * times, the hours that are allowed in all of them. Countries that are not listed have no known hours. Pure.
 */
import type { SendingWindow } from './window.ts'

export interface CountryWindow {
  readonly country: string
  readonly prefix: string
  /** Name of the IANA database. */
  readonly timeZone: string
  /** Null: advertisements are not carried at all. */
  readonly window: SendingWindow | null
  readonly source: string
}

const hour = 60

export const countryWindows: readonly CountryWindow[] = [
  {
    ...{ country: 'US', prefix: '+1', timeZone: 'America/New_York' },
    // 08:00 in Los Angeles to 21:00 in New York; the area code does not say where the recipient is.
    window: { opensAt: 11 * hour, closesAt: 21 * hour },
    source: 'Twilio, error 30610: 08:00 to 21:00 of the recipient',
  },
  {
    ...{ country: 'IN', prefix: '+91', timeZone: 'Asia/Kolkata' },
    window: { opensAt: 10 * hour, closesAt: 21 * hour },
    source: 'TRAI, general knowledge: confirm with your carrier',
  },
  {
    ...{ country: 'FR', prefix: '+33', timeZone: 'Europe/Paris' },
    window: { opensAt: 8 * hour, closesAt: 22 * hour, closedOn: [0] },
    source: 'Allo, Brevo: not from 22:00 to 08:00, not on Sundays; holidays are not known here',
  },
  {
    ...{ country: 'SA', prefix: '+966', timeZone: 'Asia/Riyadh' },
    window: { opensAt: 7 * hour, closesAt: 22 * hour },
    source: 'Mapp',
  },
  {
    ...{ country: 'AE', prefix: '+971', timeZone: 'Asia/Dubai' },
    window: { opensAt: 7 * hour, closesAt: 21 * hour },
    source: 'Twilio: not from 21:00 to 07:00',
  },
  {
    ...{ country: 'VN', prefix: '+84', timeZone: 'Asia/Ho_Chi_Minh' },
    window: null,
    source: 'Twilio, NHN: advertisements are not carried',
  },
]

export function countryWindowOf(to: string): CountryWindow | undefined {
  return countryWindows.find(({ prefix }) => to.startsWith(prefix))
}
