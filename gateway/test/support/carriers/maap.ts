/** RCS submissions for tests, from requests as clients send them, and options of the kinds `maap` and `maap-kt`. */
import type { Submission } from '../../../src/carriers/connectors/connector.ts'
import type { MaapOptions } from '../../../src/carriers/connectors/maap/options.ts'
import type { RelayOptions } from '../../../src/carriers/connectors/maap/relay-options.ts'
import { readOptions } from '../../../src/carriers/connectors/registry.ts'
import { acceptedEntry, acceptedSend } from '../accepted.ts'

export const webhookToken = 'token-of-the-statuses'

/** Converts a body of `POST /v1/send/rcs`, or an `rcs` flow entry if it has flow fields, to a submission. */
export function rcsSubmission(body: object, overrides: Partial<Submission> = {}): Submission {
  const { to = '01012345678', ...entry } = body as { readonly to?: string }
  const isFlow = ['copyAllowed', 'groupId', 'agencyId', 'agencyKey', 'ttl'].some((name) => name in entry)
  const limits = { validUntil: new Date(Date.now() + 86_400_000), ...overrides }
  return isFlow ? acceptedEntry('rcs', to, entry, limits) : acceptedSend('rcs', { ...entry, to }, limits)
}

/** A text message. */
export const smsBody = {
  from: '15881588',
  to: '01012345678',
  formatId: 'SS000000',
  brandKey: 'BK.brand',
  content: { standalone: { text: '안녕하세요' } },
}

const login = { clientId: 'client', clientSecret: 'secret08' }
const host = (url: string) => ({ url, ...login })

export function maapOptions(overrides: object = {}): MaapOptions {
  return readOptions('maap', {
    carriers: {
      skt: host('http://127.0.0.1:1/ag/1.2'),
      kt: host('http://127.0.0.1:2/ag/1.2'),
      lgu: host('http://127.0.0.1:3/ag/1.2'),
    },
    agencyId: 'agency',
    agencyKey: 'AK.agency',
    webhookToken,
    ...overrides,
  }) as unknown as MaapOptions
}

export function relayOptions(overrides: object = {}): RelayOptions {
  return readOptions('maap-kt', {
    url: 'http://127.0.0.1:4/corp/v1',
    queryUrl: 'http://127.0.0.1:4/corp/v1',
    rcsId: 'client',
    rcsSecret: 'secret08',
    agencyKey: 'AK.agency',
    webhookToken,
    ...overrides,
  }) as unknown as RelayOptions
}
