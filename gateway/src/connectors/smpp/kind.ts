/** SMPP 3.4 as a kind of connector. */
import { defineConnector } from '../kind.ts'
import { createSmppConnector } from './connector.ts'
import { checkSmppOptions, smppLogin, SmppOptions } from './options.ts'

export const smpp = defineConnector({
  name: 'smpp',
  summary: 'SMPP 3.4, the usual protocol of carriers and aggregators for SMS.',
  channels: ['sms', 'international'],
  takes: 'parts',
  severalOwners: true,
  options: SmppOptions,
  example: {
    host: 'smsc.example.net',
    port: 2775,
    systemId: 'acme',
    password: 'env:SKYLINK_PASSWORD',
    window: 50,
  },
  check: checkSmppOptions,
  login: smppLogin,
  create: createSmppConnector,
})
