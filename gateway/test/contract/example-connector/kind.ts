import { defineConnector } from '../../../src/carriers/connectors/options/kind.ts'
import { createAcmeConnector } from './connector.ts'
import { acmeInbound } from './inbound.ts'
import { AcmeOptions } from './options.ts'

export const acme = defineConnector({
  name: 'acme',
  summary: 'The HTTP API of Acme, for texts.',
  channels: ['sms', 'international'],
  submissionUnit: 'message',
  events: {},
  options: AcmeOptions,
  example: { url: 'https://api.acme.example', user: 'shop', key: 'env:POSTERN_ROUTE_SECRET_ACME_KEY' },
  login: ({ url, user }) => [new URL(url).host, user],
  create: createAcmeConnector,
  inbound: acmeInbound,
})
