import { accountRefused, reply } from '../events.ts'
import { defineConnector } from '../options/kind.ts'
import { createSmppConnector } from './connector.ts'
import { checkSmppOptions, smppLogin, SmppOptions, smppSubmissionUnit } from './options.ts'
import { parameterWriter } from './parameters.ts'

export const smpp = defineConnector({
  name: 'smpp',
  summary: 'SMPP 3.4 or 5.0, the standard protocol of carriers and aggregators for SMS.',
  channels: ['sms', 'international'],
  submissionUnit: 'parts',
  submissionUnitFor: smppSubmissionUnit,
  severalOwners: true,
  events: {
    ...accountRefused,
    ...reply,
    'stray-response':
      'A response that matches no open submission: it arrived after its time limit, or the carrier reuses sequence numbers.',
    'malformed-pdu':
      'A request of the carrier could not be parsed and was refused permanently. If it was a receipt, its message waits until its deadline.',
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
  notes: [
    '[Connect a carrier](../../operations/connect-a-carrier.md#smpp) lists what to ask the carrier. A long text is submitted in parts, each with its own response and receipt, unless `longMessages` is `payload`.',
    '',
    '## Outcomes',
    '',
    '| Event | Meaning |',
    '| --- | --- |',
    '| `ESME_RTHROTTLED`, `ESME_RMSGQFUL`, `congestionLimit` | the route slows down |',
    '| `ESME_RSYSERR`, `ESME_RX_T_APPN`, `ESME_RINVBNDSTS` | not accepted: submitted again |',
    '| `ESME_RINVDSTADR` | refused as `bad-number` |',
    '| `ESME_RINVSRCADR` | refused as `unregistered-sender` |',
    '| any other error status | refused; `commandStatuses` changes this |',
    '| no response, or the session is lost after the submission | unknown; `lookup` does not help, because the id is not known |',
    '| a response without an id | accepted; the receipt is matched by the recipient minutes later, if only one step fits |',
  ].join('\n'),
  check: (options) => {
    checkSmppOptions(options)
    parameterWriter(options.parameters)
  },
  login: smppLogin,
  supportsOriginCode: ({ originCidTag }) => originCidTag !== undefined,
  create: createSmppConnector,
})
