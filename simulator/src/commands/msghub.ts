/** The command `msghub`: its options, and how it starts. */
import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startMsghub } from '../msghub.ts'
import { defaults } from '../msghub/settings.ts'
import type { MsghubOptions } from '../msghub/settings.ts'

const rows: readonly OptionRow<MsghubOptions>[] = [
  { flag: 'api-key', name: 'apiKey', type: 'text', help: 'API key' },
  { flag: 'api-password', name: 'apiPassword', type: 'text', help: 'password of the API key' },
  { flag: 'token-ttl-ms', name: 'tokenTtlMs', type: 'number', min: 1, help: 'lifetime of a token' },
  {
    flag: 'refresh-ttl-ms',
    name: 'refreshTtlMs',
    type: 'number',
    min: 1,
    help: 'lifetime of a refresh token',
  },
  { flag: 'sender', name: 'sender', type: 'text', help: 'the only registered sender number (default: any)' },
  { flag: 'report-url', name: 'reportUrl', type: 'text', help: 'receives the reports (default: polled)' },
  { flag: 'reply-url', name: 'replyUrl', type: 'text', help: 'receives replies (default: polled)' },
  {
    flag: 'duplicate-ms',
    name: 'duplicateMs',
    type: 'number',
    help: 'how long a client key is refused (29005)',
  },
  {
    flag: 'acknowledge-ms',
    name: 'acknowledgeMs',
    type: 'number',
    min: 1,
    help: 'then unacknowledged reports are returned again',
  },
  {
    flag: 'empty-poll-ms',
    name: 'emptyPollMs',
    type: 'number',
    help: 'shortest time from an empty poll to the next one',
  },
  { flag: 'file-ttl-ms', name: 'fileTtlMs', type: 'number', min: 1, help: 'lifetime of an uploaded file' },
  ...httpRows,
]

export const msghubCommand = defineCommand<MsghubOptions>({
  name: 'msghub',
  about: [
    'A simulated LG U+ msghub server: SMS, LMS, MMS, RCS, alimtalk, replies. The last four digits of the recipient choose',
    'what happens to a message: see simulator/docs/msghub.md.',
  ],
  rows,
  defaults: { ...defaults, port: 2794, controlPort: 2795 },
  start: startMsghub,
})
