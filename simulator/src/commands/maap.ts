import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startMaap } from '../maap.ts'
import { behaviours } from '../maap/behaviours.ts'
import { maapCarriers, defaults } from '../maap/settings.ts'
import type { MaapOptions } from '../maap/settings.ts'

const rows: readonly OptionRow<MaapOptions>[] = [
  { flag: 'carrier', name: 'carrier', type: 'text', values: maapCarriers, help: 'carrier to simulate' },
  {
    flag: 'base-path',
    name: 'basePath',
    type: 'text',
    help: 'path prefix (default: /ag/1.2, relay /corp/v1)',
  },
  {
    flag: 'client-id',
    name: 'clientId',
    type: 'text',
    help: 'clientId, or rcsId at the relay (default: any)',
  },
  { flag: 'client-secret', name: 'clientSecret', type: 'text', help: 'client secret (default: any)' },
  { flag: 'chatbot-id', name: 'chatbotId', type: 'text', help: 'the only chatbot (default: any)' },
  { flag: 'agency-key', name: 'agencyKey', type: 'text', help: 'the agency key (default: any)' },
  { flag: 'brand-key', name: 'brandKey', type: 'text', help: 'the brand key (default: any)' },
  { flag: 'template-id', name: 'templateId', type: 'text', help: 'the only brand template (default: any)' },
  { flag: 'token-ttl-ms', name: 'tokenTtlMs', type: 'number', help: 'token lifetime; 0 requires no token' },
  { flag: 'status-url', name: 'statusUrl', type: 'text', help: 'URL for statuses (default: none sent)' },
  { flag: 'reply-url', name: 'replyUrl', type: 'text', help: 'URL for replies (default: none sent)' },
  {
    flag: 'append-carrier',
    name: 'appendCarrier',
    type: 'switch',
    help: 'append the carrier name to the status URL',
  },
  { flag: 'always-200', name: 'always200', type: 'switch', help: 'return HTTP 200 for errors' },
  {
    flag: 'miss-by',
    name: 'missBy',
    type: 'text',
    values: ['answer', 'status'],
    help: "how to refuse another carrier's subscriber",
  },
  { flag: 'max-file-bytes', name: 'maxFileBytes', type: 'number', min: 1, help: 'largest file' },
  { flag: 'file-ttl-ms', name: 'fileTtlMs', type: 'number', min: 1, help: 'lifetime of registered files' },
  { flag: 'any-file', name: 'anyFile', type: 'switch', help: 'accept files that were not registered here' },
  { flag: 'reply-ttl-ms', name: 'replyTtlMs', type: 'number', min: 1, help: 'lifetime of reply ids' },
  {
    flag: 'batch-size',
    name: 'batchSize',
    type: 'number',
    min: 1,
    help: 'statuses per querymsgstatus response',
  },
  {
    flag: 'remember-ids',
    name: 'rememberIds',
    type: 'number',
    help: 'message ids kept to refuse duplicates',
  },
  ...httpRows,
]

export const maapCommand = defineCommand<MaapOptions>({
  name: 'maap',
  about: [
    'A simulated MaaP front end (RCS) of SKT, KT or LGU+, or the KT relay. See simulator/docs/maap.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2784, controlPort: 2785 },
  start: startMaap,
})
