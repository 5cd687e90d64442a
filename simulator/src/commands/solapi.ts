import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startSolapi } from '../solapi.ts'
import { behaviours } from '../solapi/behaviours.ts'
import { defaults } from '../solapi/settings.ts'
import type { SolapiOptions } from '../solapi/settings.ts'

const rows: readonly OptionRow<SolapiOptions>[] = [
  { flag: 'api-key', name: 'apiKey', type: 'text', help: 'API key' },
  { flag: 'api-secret', name: 'apiSecret', type: 'text', help: 'API secret, the key of request signatures' },
  { flag: 'sender', name: 'sender', type: 'text', help: 'the only registered sender number (default: any)' },
  { flag: 'webhook-url', name: 'webhookUrl', type: 'text', help: 'URL for reports (default: none sent)' },
  { flag: 'webhook-secret', name: 'webhookSecret', type: 'text', help: 'secret hashed into X-Solapi-Secret' },
  {
    flag: 'throttle-status',
    name: 'throttleStatus',
    type: 'number',
    min: 400,
    max: 599,
    help: 'HTTP status of throttled requests',
  },
  ...httpRows,
]

export const solapiCommand = defineCommand<SolapiOptions>({
  name: 'solapi',
  about: [
    'A simulated SOLAPI (CoolSMS) v4 server: SMS, LMS, MMS, alimtalk, brand message. See simulator/docs/solapi.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2792, controlPort: 2793 },
  start: startSolapi,
})
