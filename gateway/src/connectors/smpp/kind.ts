/** SMPP as a kind of connector. */
import { accountRefused, reply } from '../events.ts'
import { defineConnector } from '../kind.ts'
import { createSmppConnector } from './connector.ts'
import { checkSmppOptions, smppLogin, SmppOptions, smppTakes } from './options.ts'
import { parameterWriter } from './parameters.ts'

export const smpp = defineConnector({
  name: 'smpp',
  summary: 'SMPP 3.4 or 5.0, the usual protocol of carriers and aggregators for SMS.',
  channels: ['sms', 'international'],
  takes: 'parts',
  takesWith: smppTakes,
  severalOwners: true,
  events: {
    ...accountRefused,
    ...reply,
    'stray-response':
      'A response that matches no open submission: it came after its time limit, or the carrier repeats sequence numbers.',
    'malformed-pdu':
      'A request of the carrier could not be read and was refused permanently. If it was a receipt, its message waits until its deadline.',
    'receipts-deferred':
      'Receipts were stored too slowly; the carrier was asked to deliver them again later.',
  },
  options: SmppOptions,
  example: {
    host: 'smsc.example.net',
    port: 2775,
    systemId: 'acme',
    password: 'env:POSTERN_ROUTE_SECRET_SKYLINK_PASSWORD',
    window: 50,
  },
  check: (options) => {
    checkSmppOptions(options)
    parameterWriter(options.parameters)
  },
  login: smppLogin,
  carriesOrigin: ({ originCidTag }) => originCidTag !== undefined,
  create: createSmppConnector,
})
