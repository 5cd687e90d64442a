/** Any carrier with an HTTP API, as a kind of connector. */
import { accountRefused } from '../events.ts'
import { defineConnector } from '../kind.ts'
import { compile, httpAddresses, httpLogin } from './compile.ts'
import { createHttpConnector } from './connector.ts'
import { httpInbound } from './inbound.ts'
import { describeProfiles } from './notes.ts'
import { HttpOptions } from './options.ts'
import { previewHttp } from './preview.ts'

export const http = defineConnector({
  name: 'http',
  summary: 'Texts over the HTTP API of a carrier or aggregator, described by a profile.',
  channels: ['sms', 'international'],
  takes: 'message',
  severalOwners: true,
  events: {
    ...accountRefused,
    'not-a-receipt': 'A callback, or an element of one, that `receipt` does not describe.',
    'unknown-status': 'A status that `receipt.values` does not have; it is taken for pending.',
  },
  options: HttpOptions,
  example: {
    profile: 'twilio',
    values: { accountSid: 'ACXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX' },
    secrets: { authToken: 'env:POSTERN_ROUTE_SECRET_TWILIO_AUTH_TOKEN' },
    callbackUrl: 'https://sms.example.com/inbound/my-route',
  },
  // A process that only sends does not read the profiles of others.
  get notes() {
    return describeProfiles()
  },
  check: (options) => void compile(options),
  login: httpLogin,
  carriesOrigin: (options) => compile(options).usesOriginCid,
  addresses: httpAddresses,
  create: createHttpConnector,
  carrierIdFor: (options) => (compile(options).usesOwnId ? (reference) => reference : undefined),
  inbound: httpInbound,
  preview: previewHttp,
})
