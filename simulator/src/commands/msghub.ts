import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startMsghub } from '../msghub.ts'
import { behaviours } from '../msghub/behaviours.ts'
import { defaults } from '../msghub/settings.ts'
import type { MsghubOptions } from '../msghub/settings.ts'

const rows: readonly OptionRow<MsghubOptions>[] = [
  { flag: 'api-key', name: 'apiKey', type: 'text', help: 'API key' },
  { flag: 'api-password', name: 'apiPassword', type: 'text', help: 'password of the API key' },
  { flag: 'token-ttl-ms', name: 'tokenTtlMs', type: 'number', min: 1, help: 'token lifetime' },
  { flag: 'refresh-ttl-ms', name: 'refreshTtlMs', type: 'number', min: 1, help: 'refresh token lifetime' },
  { flag: 'sender', name: 'sender', type: 'text', help: 'the only registered sender number (default: any)' },
  { flag: 'report-url', name: 'reportUrl', type: 'text', help: 'URL for reports (default: polled)' },
  { flag: 'reply-url', name: 'replyUrl', type: 'text', help: 'URL for replies (default: polled)' },
  {
    flag: 'duplicate-ms',
    name: 'duplicateMs',
    type: 'number',
    help: 'time during which a client key is refused as a duplicate (29005)',
  },
  {
    flag: 'acknowledge-ms',
    name: 'acknowledgeMs',
    type: 'number',
    min: 1,
    help: 'time after which unacknowledged reports are returned again',
  },
  {
    flag: 'empty-poll-ms',
    name: 'emptyPollMs',
    type: 'number',
    help: 'minimum interval after an empty poll',
  },
  { flag: 'file-ttl-ms', name: 'fileTtlMs', type: 'number', min: 1, help: 'lifetime of uploaded files' },
  ...httpRows,
]

export const msghubCommand = defineCommand<MsghubOptions>({
  name: 'msghub',
  about: [
    'A simulated LG U+ msghub server: SMS, LMS, MMS, RCS, alimtalk, replies. See simulator/docs/msghub.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2794, controlPort: 2795 },
  start: startMsghub,
})
