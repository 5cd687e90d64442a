/** International SMS: GSM 03.38 or UCS-2, concatenated, at most 5 parts. */
import { Type, type Static } from 'typebox'
import { FieldProblem, invalidField } from '../../contract/problem.ts'
import type { TextChannel } from '../channel.ts'
import { checkCharacters, checkRef, checkSender, numberField, refField, textField } from '../fields.ts'
import { isInternationalRecipient } from '../numbers.ts'
import { reportCodeOf, textReportCodes } from '../report-codes.ts'
import { asText, noFiles, textSender } from '../text-channel.ts'
import { normalizeText } from '../text/normalize.ts'
import { countInternationalParts, maxInternationalParts, splitInternational } from '../text/parts.ts'

const Body = Type.Object(
  {
    from: numberField('Sender number, digits only, domestic form'),
    to: numberField('Recipient with a leading + and country code'),
    text: textField('Content, at most 5 parts', 2_000),
    ref: refField,
  },
  { additionalProperties: false },
)

export const international: TextChannel = {
  name: 'international',
  serviceType: 'INTERNATIONAL',
  schema: Body,
  entry: null,
  fieldCodes: { from: 'A302', to: 'A306', text: 'A303', ref: 'A305', title: 'A321', fileKey: 'A321' },
  draft(candidate, issues) {
    const body = candidate as Static<typeof Body>
    checkSender(body.from, '', issues)
    if (!isInternationalRecipient(body.to))
      issues.add(invalidField('A306', 'to', 'must begin with + and the country code'))
    // Rules on domestic messages, such as those on senders, would not apply to it here.
    else if (body.to.startsWith('+82'))
      issues.add(
        invalidField('A306', 'to', 'is a Korean number; send it as sms or mms, with 0 instead of +82'),
      )
    checkRef(body.ref, issues)
    const text = normalizeText(body.text)
    checkCharacters('A303', 'text', text, issues)
    const { parts, units, encoding } = countInternationalParts(text)
    if (parts > maxInternationalParts) {
      const reason = `${units} ${encoding} characters need ${parts} parts, at most ${maxInternationalParts} are allowed`
      issues.add(new FieldProblem('A328', `Text too long: ${reason}`, 'text', reason))
    }
    return {
      to: body.to,
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
  parts: (step, seed, wide) => splitInternational(asText(step).text, concatReference(seed), wide),
  measure(step) {
    const { text } = asText(step)
    return { encoding: countInternationalParts(text).encoding, bytes: null, characters: text.length }
  },
  reportCode: (cause, detail) => reportCodeOf(textReportCodes, cause, detail),
}

/** 16 bits, of which the lower eight are spread evenly, so that messages to the same phone rarely share a reference. */
function concatReference(seed: string): number {
  let hash = 0
  for (let index = 0; index < seed.length; index++) hash = (hash * 31 + seed.charCodeAt(index)) & 0xffff
  return hash ^ (hash >> 8)
}
