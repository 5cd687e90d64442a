import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startKakao } from '../kakao.ts'
import { behaviours } from '../kakao/behaviours.ts'
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
  { flag: 'brand-path', name: 'brandPath', type: 'text', help: 'path of brand messages below /v3/{key}/' },
  { flag: 'batch-size', name: 'batchSize', type: 'number', min: 1, help: 'results per batch' },
  {
    flag: 'long-poll-ms',
    name: 'longPollMs',
    type: 'number',
    help: 'maximum wait of responseAll for a result',
  },
  {
    flag: 'forget-batches',
    name: 'forgetBatches',
    type: 'switch',
    help: 'return each polled batch only once',
  },
  {
    flag: 'throttle-status',
    name: 'throttleStatus',
    type: 'number',
    min: 200,
    max: 599,
    help: 'HTTP status of throttled requests',
  },
  { flag: 'throttle-code', name: 'throttleCode', type: 'text', help: 'code of throttled requests' },
  { flag: 'max-image-bytes', name: 'maxImageBytes', type: 'number', min: 1, help: 'largest image' },
  { flag: 'any-image', name: 'anyImage', type: 'switch', help: 'accept images that were not uploaded here' },
  { flag: 'night-block', name: 'nightBlock', type: 'switch', help: 'refuse advertising at night (3022)' },
  {
    flag: 'token-ttl-ms',
    name: 'tokenTtlMs',
    type: 'number',
    help: 'require tokens with this lifetime; 0 requires none',
  },
  {
    flag: 'serial-prefix',
    name: 'serialPrefix',
    type: 'switch',
    help: 'require serial numbers that begin with a date and a hyphen (2006)',
  },
  {
    flag: 'remember-serials',
    name: 'rememberSerials',
    type: 'number',
    help: 'serial numbers kept to refuse duplicates',
  },
  ...httpRows,
]

export const kakaoCommand = defineCommand<KakaoOptions>({
  name: 'kakao',
  about: [
    'A simulated Kakao BizMessage server for dealers: alimtalk and brand message. See simulator/docs/kakao.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2782, controlPort: 2783 },
  start: startKakao,
})
