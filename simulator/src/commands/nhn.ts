import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startNhn } from '../nhn.ts'
import { behaviours } from '../nhn/behaviours.ts'
import { defaults } from '../nhn/settings.ts'
import type { NhnOptions } from '../nhn/settings.ts'

const rows: readonly OptionRow<NhnOptions>[] = [
  { flag: 'app-key', name: 'appKey', type: 'text', help: 'the app key in the path (default: any)' },
  { flag: 'secret-key', name: 'secretKey', type: 'text', help: 'the secret key (default: any)' },
  { flag: 'send-no', name: 'sendNo', type: 'text', help: 'the only registered sender number (default: any)' },
  {
    flag: 'sender-key',
    name: 'senderKey',
    type: 'text',
    help: 'the Kakao sender key (default: any of 40 characters)',
  },
  { flag: 'template-code', name: 'templateCode', type: 'text', help: 'the only template (default: any)' },
  { flag: 'webhook-url', name: 'webhookUrl', type: 'text', help: 'URL for webhooks (default: none sent)' },
  { flag: 'webhook-signature', name: 'webhookSignature', type: 'text', help: 'fixed signature of webhooks' },
  {
    flag: 'webhook-typo',
    name: 'webhookTypo',
    type: 'switch',
    help: 'spell recipientGropuingKey as in the API guide',
  },
  {
    flag: 'idempotency-ms',
    name: 'idempotencyMs',
    type: 'number',
    help: 'time during which an alimtalk idempotency key is refused',
  },
  ...httpRows,
]

export const nhnCommand = defineCommand<NhnOptions>({
  name: 'nhn',
  about: [
    'A simulated NHN Cloud Notification: SMS, LMS, MMS, alimtalk, brand message. See simulator/docs/nhn.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2790, controlPort: 2791 },
  start: startNhn,
})
