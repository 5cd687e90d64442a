/** SMPP 3.4 as a kind of connector. */
import { accountRefused, reply } from '../events.ts'
import { defineConnector } from '../kind.ts'
import { createSmppConnector } from './connector.ts'
import { checkSmppOptions, smppLogin, SmppOptions } from './options.ts'

export const smpp = defineConnector({
  name: 'smpp',
  summary: 'SMPP 3.4, the usual protocol of carriers and aggregators for SMS.',
  channels: ['sms', 'international'],
  takes: 'parts',
  severalOwners: true,
  events: {
    ...accountRefused,
    ...reply,
    'stray-response':
      'A response that matches no open submission: it came after its time limit, or the carrier repeats sequence numbers.',
    'receipts-deferred':
      'Receipts were stored too slowly; the carrier was asked to deliver them again later.',
  },
  options: SmppOptions,
  formerNames: { authenticationPauseMs: 'loginPauseMs' },
  example: {
    host: 'smsc.example.net',
    port: 2775,
    systemId: 'acme',
    password: 'env:SKYLINK_PASSWORD',
    window: 50,
  },
  check: checkSmppOptions,
  login: smppLogin,
  carriesOrigin: ({ originCidTag }) => originCidTag !== undefined,
  create: createSmppConnector,
})
