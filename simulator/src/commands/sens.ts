import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startSens } from '../sens.ts'
import { behaviours } from '../sens/behaviours.ts'
import { defaults } from '../sens/settings.ts'
import type { SensOptions } from '../sens/settings.ts'

const rows: readonly OptionRow<SensOptions>[] = [
  { flag: 'access-key', name: 'accessKey', type: 'text', help: 'the access key (default: any)' },
  {
    flag: 'secret-key',
    name: 'secretKey',
    type: 'text',
    help: 'key of request signatures (default: not verified)',
  },
  { flag: 'sms-service-id', name: 'smsServiceId', type: 'text', help: 'the SMS service (default: any)' },
  {
    flag: 'biz-service-id',
    name: 'bizServiceId',
    type: 'text',
    help: 'the Biz Message service (default: any)',
  },
  { flag: 'from', name: 'from', type: 'text', help: 'the only registered sender number (default: any)' },
  {
    flag: 'plus-friend-id',
    name: 'plusFriendId',
    type: 'text',
    help: 'the only Kakao channel (default: any)',
  },
  { flag: 'template-code', name: 'templateCode', type: 'text', help: 'the only template (default: any)' },
  ...httpRows,
]

export const sensCommand = defineCommand<SensOptions>({
  name: 'sens',
  about: [
    'A simulated Naver Cloud SENS: SMS, LMS, MMS, alimtalk, brand message. See simulator/docs/sens.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2788, controlPort: 2789 },
  start: startSens,
})
