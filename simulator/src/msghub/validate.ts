/** Reads and checks a send request. Returns it, or the code that refuses it. */
import { eucKrBytes } from '../shared/korean.ts'
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { MsghubChannel } from './behaviours.ts'
import type { ResponseCode } from './codes.ts'
import type { FileChannel } from './files.ts'

export interface Recipient {
  readonly cliKey: string
  readonly phone: string
  readonly mergeData: Fields
  readonly userCustomFields: unknown
}

export interface MsghubSendRequest {
  readonly channel: MsghubChannel
  /** Channel name in reports. */
  readonly ch: string
  readonly callback: string
  readonly msg: string
  readonly recipients: readonly [Recipient, ...Recipient[]]
  /** Channel of the fallback message if this one fails. */
  readonly fallback: string | undefined
  readonly fields: Fields
}

interface Endpoint {
  readonly channel: MsghubChannel
  readonly required: readonly string[]
}

/**
 * Paths below `/msg` are from total-msg-hub/restapi_sample (2022) and the guide, those below `/xms` and
 * `/kko` from newer public clients.
 */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ['/msg/v1/sms', { channel: 'sms', required: ['callback', 'msg'] }],
  ['/xms/sms/v1', { channel: 'sms', required: ['callback', 'msg'] }],
  ['/msg/v1/mms', { channel: 'mms', required: ['callback', 'title', 'msg'] }],
  ['/xms/mms/v1', { channel: 'mms', required: ['callback', 'title', 'msg'] }],
  ['/rcs/v1.1', { channel: 'rcs', required: ['callback', 'messagebaseId', 'header'] }],
  ['/msg/v1/alimtalk', { channel: 'alimtalk', required: ['senderKey', 'tmpltKey', 'msg'] }],
  ['/kko/alimtalk/v1.2', { channel: 'alimtalk', required: ['kkoChId', 'tmpltCode', 'msg'] }],
])

const MAX_RECIPIENTS = 10
const MAX_FILES = 3
const MAX_BUTTONS = 4
const maxTextBytes: Readonly<Record<MsghubChannel, number>> = {
  sms: 90,
  mms: 2000,
  rcs: Infinity,
  alimtalk: Infinity,
}
const MAX_TITLE_BYTES = 60

type FileCheck = (channel: FileChannel, fileId: string) => ResponseCode | undefined

function readRecipients(list: unknown): readonly [Recipient, ...Recipient[]] | ResponseCode {
  if (!Array.isArray(list) || list.length === 0) return '29000'
  if (list.length > MAX_RECIPIENTS) return '21012'
  const recipients = list.map((value): Recipient => {
    const { cliKey, phone, mergeData, userCustomFields } = toObject(value)
    return { cliKey: toText(cliKey), phone: toText(phone), mergeData: toObject(mergeData), userCustomFields }
  })
  const areValid = recipients.every(
    ({ cliKey, phone }) => /^[\w.@-]{1,30}$/.test(cliKey) && /^[\d-]{1,20}$/.test(phone),
  )
  return areValid ? (recipients as [Recipient, ...Recipient[]]) : '29001'
}

function fileRefusal(fields: Fields, checkFile: FileCheck): ResponseCode | undefined {
  const ids: unknown = fields['fileIdLst'] ?? []
  if (!Array.isArray(ids)) return '29001'
  if (ids.length > MAX_FILES) return '21004'
  return ids.map((id) => checkFile('mms', toText(id))).find((code) => code !== undefined)
}

function rcsRefusal(
  fields: Fields,
  recipients: readonly Recipient[],
  checkFile: FileCheck,
): ResponseCode | undefined {
  const { header, footer, buttons, expiryOption } = fields
  if (header !== '0' && header !== '1') return '29001'
  if (header === '1' && toText(footer) === '') return '29000'
  if (Array.isArray(buttons) && buttons.length > MAX_BUTTONS) return '29001'
  if (expiryOption !== undefined && !/^[1-4]$/.test(toText(expiryOption))) return '29001'
  return recipients
    .map(({ mergeData }) => /^maapfile:\/\/(.+)$/.exec(toText(mergeData['media']))?.[1])
    .map((fileId) => (fileId === undefined ? undefined : checkFile('rcs', fileId)))
    .find((code) => code !== undefined)
}

export function validateMsghubRequest(
  { channel, required }: Endpoint,
  fields: Fields,
  checkFile: FileCheck,
): MsghubSendRequest | ResponseCode {
  if (required.some((name) => toText(fields[name]) === '')) return '29000'
  const callback = toText(fields['callback'])
  const msg = toText(fields['msg'])
  const list: unknown = fields['fbInfoLst']
  const fallback = Array.isArray(list) && isObject(list[0]) ? toText(list[0]['ch']) : undefined
  if (fallback !== undefined && callback === '') return '21024'
  if (!/^[\d-]{0,20}$/.test(callback) || eucKrBytes(msg) > maxTextBytes[channel]) return '29001'
  if (channel === 'mms' && eucKrBytes(toText(fields['title'])) > MAX_TITLE_BYTES) return '29001'
  const recipients = readRecipients(fields['recvInfoLst'])
  if (typeof recipients === 'string') return recipients
  const refusal =
    channel === 'mms'
      ? fileRefusal(fields, checkFile)
      : channel === 'rcs'
        ? rcsRefusal(fields, recipients, checkFile)
        : undefined
  if (refusal !== undefined) return refusal
  const names = {
    sms: 'SMS',
    mms: fields['fileIdLst'] === undefined ? 'LMS' : 'MMS',
    rcs: 'RCS',
    alimtalk: 'KKO',
  }
  return { channel, ch: names[channel], callback, msg, recipients, fallback, fields }
}
