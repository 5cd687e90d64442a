/** Domestic SMS: one part, at most 90 bytes of CP949. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import type { TextChannel, TextStep } from '../channel.ts'
import {
  checkCharacters,
  checkRef,
  checkSender,
  numberField,
  recipientField,
  originCidField,
  readRecipient,
  refField,
  textField,
} from '../fields.ts'
import type { Issues } from '../issues.ts'
import { getReportCode, textReportCodes } from '../report-codes.ts'
import { countTextBytes, limitBytes } from '../text/bytes.ts'
import { normalizeText } from '../text/normalize.ts'
import { countPlainBytes } from '../text/smart-encoding.ts'
import { domesticPart } from '../text/parts.ts'
import { requireTextStep, noFiles, textSender } from '../text-channel.ts'
import { ttlField } from '../ttl.ts'

export const maxTextBytes = 90

/** Returns the channel for a domestic text: one that is too long for an SMS is sent as an LMS. */
export function domesticChannelFor(text: string): 'sms' | 'mms' {
  return (countPlainBytes(text) ?? 0) > maxTextBytes ? 'mms' : 'sms'
}

const Body = Type.Object(
  {
    from: numberField('Sender number, digits only'),
    to: recipientField,
    text: textField(`Content, at most ${maxTextBytes} bytes`, 2_000),
    ref: refField,
    originCID: originCidField,
  },
  { additionalProperties: false },
)

const Entry = Type.Object(
  { from: Body.properties.from, text: Body.properties.text, ttl: ttlField, originCID: originCidField },
  { additionalProperties: false },
)

export const sms: TextChannel = {
  name: 'sms',
  serviceType: 'SMS',
  schema: Body,
  entry: Entry,
  fieldCodes: { from: 'A302', to: 'A306', text: 'A303', ref: 'A305', ttl: 'A304' },
  draft(candidate, issues) {
    const body = candidate as Static<typeof Body>
    checkSender(body.from, '', issues)
    const to = readRecipient(body.to, 'to', issues)
    checkRef(body.ref, issues)
    return { to, ...(body.ref === undefined ? {} : { ref: body.ref }), steps: [toStep(body, '', issues)] }
  },
  step(candidate, at, issues) {
    const entry = candidate as Static<typeof Entry>
    checkSender(entry.from, at, issues)
    return toStep(entry, at, issues)
  },
  files: noFiles,
  msgType: () => 'SM',
  sender: textSender,
  parts: (step) => [domesticPart(requireTextStep(step).text)],
  measure(step) {
    const { text } = requireTextStep(step)
    return {
      text,
      encoding: domesticPart(text).encoding,
      bytes: countTextBytes(text),
      characters: text.length,
    }
  },
  reportCode: (cause, detail) => getReportCode(textReportCodes, cause, detail),
}

/** A text that is too long for one SMS is rejected, not cut. */
const textLimit = { max: maxTextBytes, tooLong: 'A328', wrong: 'A303', advice: 'send it as mms' } as const

function toStep(
  body: Pick<Static<typeof Body>, 'from' | 'text' | 'originCID'>,
  at: string,
  issues: Issues,
): TextStep {
  const text = normalizeText(body.text)
  if (text === '') issues.add(invalidField('A303', `${at}text`, 'must not be empty'))
  checkCharacters('A303', `${at}text`, text, issues)
  return {
    channel: 'sms',
    from: body.from,
    text: limitBytes(text, `${at}text`, textLimit, issues),
    ...(body.originCID === undefined ? {} : { originCid: body.originCID }),
  }
}
