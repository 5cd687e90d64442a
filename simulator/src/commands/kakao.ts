/** The command `kakao`: its options, and how it starts. */
import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startKakao } from '../kakao.ts'
import { defaults } from '../kakao/settings.ts'
import type { KakaoOptions } from '../kakao/settings.ts'

const rows: readonly OptionRow<KakaoOptions>[] = [
  { flag: 'partner-key', name: 'partnerKey', type: 'text', help: 'the hub partner key (default: any)' },
  {
    flag: 'sender-key',
    name: 'senderKey',
    type: 'text',
    help: 'the sender key (default: any of 40 characters)',
  },
  { flag: 'template-code', name: 'templateCode', type: 'text', help: 'the only template (default: any)' },
  { flag: 'brand-path', name: 'brandPath', type: 'text', help: 'brand messages, below /v3/{key}/' },
  { flag: 'batch-size', name: 'batchSize', type: 'number', min: 1, help: 'results in one batch' },
  {
    flag: 'long-poll-ms',
    name: 'longPollMs',
    type: 'number',
    help: 'how long responseAll waits for a result',
  },
  {
    flag: 'forget-batches',
    name: 'forgetBatches',
    type: 'switch',
    help: 'a polled batch is not given again',
  },
  {
    flag: 'throttle-status',
    name: 'throttleStatus',
    type: 'number',
    min: 200,
    max: 599,
    help: 'HTTP status when throttled',
  },
  { flag: 'throttle-code', name: 'throttleCode', type: 'text', help: 'code when throttled' },
  { flag: 'max-image-bytes', name: 'maxImageBytes', type: 'number', min: 1, help: 'largest image' },
  { flag: 'any-image', name: 'anyImage', type: 'switch', help: 'accept images that were not uploaded here' },
  { flag: 'night-block', name: 'nightBlock', type: 'switch', help: 'refuse advertising at night (3022)' },
  {
    flag: 'token-ttl-ms',
    name: 'tokenTtlMs',
    type: 'number',
    help: 'require tokens of this lifetime; 0 for none',
  },
  {
    flag: 'serial-prefix',
    name: 'serialPrefix',
    type: 'switch',
    help: 'serial numbers must begin with a day and a hyphen (2006)',
  },
  {
    flag: 'remember-serials',
    name: 'rememberSerials',
    type: 'number',
    help: 'serial numbers refused the second time',
  },
  ...httpRows,
]

export const kakaoCommand = defineCommand<KakaoOptions>({
  name: 'kakao',
  about: [
    'A simulated Kakao BizMessage server for dealers: alimtalk and brand message. What happens to a message is',
    'chosen by the last four digits of its recipient: see simulator/README.md.',
  ],
  rows,
  defaults: { ...defaults, port: 2782, controlPort: 2783 },
  start: startKakao,
})
