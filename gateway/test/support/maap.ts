/** RCS submissions for tests, from requests as clients send them, images, and options of the two kinds. */
import type { Submission } from '../../src/connectors/connector.ts'
import type { MaapOptions } from '../../src/connectors/maap/options.ts'
import type { RelayOptions } from '../../src/connectors/maap/relay-options.ts'
import { readOptions } from '../../src/connectors/registry.ts'
import { acceptedEntry, acceptedSend } from './accepted.ts'

export const webhookToken = 'token-of-the-statuses'

/** A body of `POST /v1/send/rcs`, or with fields that only a flow has an `rcs` entry, as the connector receives it. */
export function rcsSubmission(body: object, overrides: Partial<Submission> = {}): Submission {
  const { to = '01012345678', ...entry } = body as { readonly to?: string }
  const isFlow = ['copyAllowed', 'groupId', 'agencyId', 'agencyKey', 'ttl'].some((name) => name in entry)
  const limits = { validUntil: new Date(Date.now() + 86_400_000), ...overrides }
  return isFlow ? acceptedEntry('rcs', to, entry, limits) : acceptedSend('rcs', { ...entry, to }, limits)
}

/** A message of text, as most tests need it. */
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
    ...{ agencyId: 'agency', agencyKey: 'AK.agency', webhookToken },
    ...overrides,
  }) as unknown as MaapOptions
}

export function relayOptions(overrides: object = {}): RelayOptions {
  return readOptions('maap-kt', {
    ...{ url: 'http://127.0.0.1:4/corp/v1', queryUrl: 'http://127.0.0.1:4/corp/v1' },
    ...{ rcsId: 'client', rcsSecret: 'secret08', agencyKey: 'AK.agency', webhookToken },
    ...overrides,
  }) as unknown as RelayOptions
}
