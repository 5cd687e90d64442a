/**
 * International SMS: GSM 03.38 or UCS-2, concatenated, at most 5 parts. A send to +82 becomes a domestic SMS or LMS, so
 * every rule for recipients in Korea applies to it.
 */
import { Type, type Static } from 'typebox'
import { FieldProblem, invalidField } from '../../contract/problem.ts'
import type { Channel, TextChannel } from '../channel.ts'
import { checkCharacters, checkRef, numberField, refField, textField } from '../fields.ts'
import { mms } from '../mms/channel.ts'
import {
  classifySender,
  isInternationalRecipient,
  senderForms,
  stripNumber,
  toKoreanNumber,
} from '../numbers.ts'
import { getReportCode, textReportCodes } from '../report-codes.ts'
import { domesticChannelFor, sms } from '../sms/sms.ts'
import { requireTextStep, noFiles, textSender } from '../text-channel.ts'
import { normalizeText } from '../text/normalize.ts'
import { countInternationalParts, maxInternationalParts, splitInternational } from '../text/parts.ts'

const Body = Type.Object(
  {
    from: numberField(
      `Registered sender: ${senderForms}. Only a Korean number may send to +82. A route may replace the sender by country`,
    ),
    to: numberField(
      'Recipient with a leading + and country code. A message to +82 is sent as a domestic SMS, or as an LMS if it is longer than 90 bytes',
    ),
    text: textField('Content, at most 5 parts', 2_000),
    ref: refField,
  },
  { additionalProperties: false },
)

export const international: Omit<TextChannel, 'draft'> & Pick<Channel, 'draft'> = {
  name: 'international',
  serviceType: 'INTERNATIONAL',
  schema: Body,
  entry: null,
  fieldCodes: { from: 'A302', to: 'A306', text: 'A303', ref: 'A305', title: 'A321', fileKey: 'A321' },
  draft(candidate, issues) {
    const body = candidate as Static<typeof Body>
    const to = stripNumber(body.to)
    const domestic = toKoreanNumber(to)
    if (domestic !== null) {
      const channel = domesticChannelFor(body.text) === 'sms' ? sms : mms
      return channel.draft({ ...body, to: domestic }, issues)
    }
    if (classifySender(body.from) === null) issues.add(invalidField('A302', 'from', `must be ${senderForms}`))
    if (!isInternationalRecipient(to))
      issues.add(invalidField('A306', 'to', 'must begin with + and the country code'))
    checkRef(body.ref, issues)
    const text = normalizeText(body.text)
    checkCharacters('A303', 'text', text, issues)
    const { parts, units, encoding } = countInternationalParts(text)
    if (parts > maxInternationalParts) {
      const reason = `${units} ${encoding} characters need ${parts} parts, at most ${maxInternationalParts} are allowed`
      issues.add(new FieldProblem('A328', `Text too long: ${reason}`, 'text', reason))
    }
    return {
      to,
      ...(body.ref === undefined ? {} : { ref: body.ref }),
      steps: [{ channel: 'international', from: body.from, text }],
    }
  },
  step() {
    throw new TypeError('an international message cannot be a step of a flow')
  },
  files: noFiles,
  msgType: () => 'IM',
  sender: textSender,
  parts: (step, seed, wide) => splitInternational(requireTextStep(step).text, concatReference(seed), wide),
  measure(step) {
    const { text } = requireTextStep(step)
    return { text, encoding: countInternationalParts(text).encoding, bytes: null, characters: text.length }
  },
  reportCode: (cause, detail) => getReportCode(textReportCodes, cause, detail),
}

/**
 * Returns 16 bits, of which the lower eight are evenly distributed, so messages to the same phone rarely
 * share a reference.
 */
function concatReference(seed: string): number {
  let hash = 0
  for (let index = 0; index < seed.length; index++) hash = (hash * 31 + seed.charCodeAt(index)) & 0xffff
  return hash ^ (hash >> 8)
}
