/** The command `maap`: its options, and how it starts. */
import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startMaap } from '../maap.ts'
import { carriers, defaults } from '../maap/settings.ts'
import type { MaapOptions } from '../maap/settings.ts'

const rows: readonly OptionRow<MaapOptions>[] = [
  { flag: 'carrier', name: 'carrier', type: 'text', values: carriers, help: 'whose front end' },
  {
    flag: 'base-path',
    name: 'basePath',
    type: 'text',
    help: 'where the paths begin (default: /ag/1.2, relay /corp/v1)',
  },
  { flag: 'client-id', name: 'clientId', type: 'text', help: 'clientId, relay rcsId (default: any)' },
  { flag: 'client-secret', name: 'clientSecret', type: 'text', help: 'its secret (default: any)' },
  { flag: 'chatbot-id', name: 'chatbotId', type: 'text', help: 'the only chatbot (default: any)' },
  { flag: 'agency-key', name: 'agencyKey', type: 'text', help: 'the agency key (default: any)' },
  { flag: 'brand-key', name: 'brandKey', type: 'text', help: 'the brand key (default: any)' },
  { flag: 'template-id', name: 'templateId', type: 'text', help: "the only brand's template (default: any)" },
  {
    flag: 'token-ttl-ms',
    name: 'tokenTtlMs',
    type: 'number',
    help: 'lifetime of a token; 0 for none required',
  },
  { flag: 'status-url', name: 'statusUrl', type: 'text', help: 'where statuses go (default: none sent)' },
  { flag: 'reply-url', name: 'replyUrl', type: 'text', help: 'where replies go (default: none sent)' },
  {
    flag: 'append-carrier',
    name: 'appendCarrier',
    type: 'switch',
    help: "append the carrier's name to the status URL",
  },
  { flag: 'always-200', name: 'always200', type: 'switch', help: 'HTTP 200 for errors too' },
  {
    flag: 'miss-by',
    name: 'missBy',
    type: 'text',
    values: ['answer', 'status'],
    help: "how another carrier's subscriber is refused",
  },
  { flag: 'max-file-bytes', name: 'maxFileBytes', type: 'number', min: 1, help: 'largest file' },
  { flag: 'file-ttl-ms', name: 'fileTtlMs', type: 'number', min: 1, help: 'lifetime of a registered file' },
  { flag: 'any-file', name: 'anyFile', type: 'switch', help: 'accept files that were not registered here' },
  { flag: 'reply-ttl-ms', name: 'replyTtlMs', type: 'number', min: 1, help: 'lifetime of a reply id' },
  { flag: 'batch-size', name: 'batchSize', type: 'number', min: 1, help: 'statuses in one querymsgstatus' },
  {
    flag: 'remember-ids',
    name: 'rememberIds',
    type: 'number',
    help: 'message ids refused the second time',
  },
  ...httpRows,
]

export const maapCommand = defineCommand<MaapOptions>({
  name: 'maap',
  about: [
    'A simulated MaaP front end (RCS) of SKT, KT or LGU+, or the relay of KT. What happens to a message is chosen by the',
    'last four digits of its recipient: see simulator/docs/maap.md.',
  ],
  rows,
  defaults: { ...defaults, port: 2784, controlPort: 2785 },
  start: startMaap,
})
